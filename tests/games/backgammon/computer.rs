//! Tests of the engine: it picks legal moves, the same ones every time, and the right ones where those are known.

use game::{DiceRules, Engine, Level, Notation, Rules, Seat};
use games::backgammon::{Backgammon, CubeAction, CubeMove, Dice, Evaluator, GameConfig, Move, Phase, Placement};
use sha2::{Digest, Sha256};
use testkit::short_or_long;

use super::{BLACK, WHITE, board};

fn level(number: u8) -> Level {
    Level::new(number).unwrap()
}

/// Returns a game in this phase with White to move. The dice only matter in a play.
fn game(config: GameConfig, board: Placement, phase: Phase, roll: [u8; 2]) -> Backgammon {
    let mut game = Backgammon::start(&config).unwrap();
    game.board = board;
    game.phase = phase;
    if phase == Phase::Play {
        game.dice = Dice::from_roll(roll);
        game.roll = Some(roll);
    }
    game
}

fn money() -> GameConfig {
    GameConfig { cube: true, ..GameConfig::default() }
}

fn match_to(length: u32) -> GameConfig {
    GameConfig { cube: true, length: Some(length), ..GameConfig::default() }
}

/// Returns a board from (point, count) pairs, with points in each side's own numbers.
fn sides(white: &[(usize, i8)], black: &[(usize, i8)]) -> Placement {
    let mut points = [0; 24];
    white.iter().for_each(|&(point, count)| points[point - 1] += count);
    black.iter().for_each(|&(point, count)| points[24 - point] -= count);
    let off = |side: &[(usize, i8)]| (15 - side.iter().map(|(_, count)| count).sum::<i8>()) as u8;
    Placement::new(points, [0, 0], [off(white), off(black)]).unwrap()
}

fn choose_cube_action(game: &Backgammon) -> CubeAction {
    match game.choose(Level::MAX, 1).unwrap().mv {
        Move::Cube(CubeMove { cube }) => cube,
        other => panic!("{other:?}"),
    }
}

/// Plays a match between two levels, and calls `see` with every position in which a side chooses.
fn played(config: GameConfig, numbers: [u8; 2], seed: u64, mut see: impl FnMut(&Backgammon, &Move, u8)) {
    let mut game = Backgammon::start(&config).unwrap();
    let mut bits = seed;
    for _ in 0..600 {
        if game.ending().is_some() {
            return;
        }
        if game.needs_roll() {
            let mut die = || {
                bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (bits >> 33) as u8 % 6 + 1
            };
            game = game.with_roll([die(), die()]);
            continue;
        }
        let number = numbers[game.side_to_move().index()];
        let mv = game.choose(level(number), seed).unwrap().mv;
        see(&game, &mv, number);
        game = game.play(&mv);
    }
    panic!("the match has no end");
}

#[test]
fn every_choice_is_legal_and_made_again() {
    let mut phases = Vec::new();
    for (config, numbers, seed) in [
        (GameConfig::default(), [1, 4], 1),
        (money(), [6, 3], 2),
        (GameConfig { jacoby: true, ..money() }, [5, 2], 3),
        (match_to(3), [6, 4], 4),
    ] {
        played(config, numbers, seed, |game, mv, number| {
            assert!(game.legal_moves().contains(mv), "{mv:?} in {game:?}");
            assert_eq!(game.choose(level(number), seed).unwrap().mv, *mv);
            phases.push(game.phase);
        });
    }
    for phase in [Phase::Play, Phase::RollOrDouble, Phase::TakeOrDrop] {
        assert!(phases.contains(&phase), "{phase:?} came up");
    }
}

#[test]
fn nothing_is_chosen_where_a_throw_comes_next() {
    let start = Backgammon::start(&GameConfig::default()).unwrap();
    assert_eq!(start.choose(Level::MAX, 1), None);
    assert_eq!(Level::new(9), None);
    assert_eq!([Level::EASY, Level::MEDIUM, Level::HARD, Level::MAX].map(Level::number), [1, 4, 6, 8]);
}

/// If you change what the engine chooses, increase `ENGINE_VERSION` and put the new digest here.
#[test]
fn the_choices_of_this_version_are_known() {
    let mut hash = Sha256::new();
    let mut count = 0;
    for (config, numbers, seed) in [(GameConfig::default(), [6, 5], 11), (match_to(2), [4, 6], 12)] {
        played(config, numbers, seed, |game, mv, number| {
            // The highest levels are slow, so they see only a few of the positions.
            let number =
                [8, 7].into_iter().zip([37, 11]).find(|(_, each)| count % each == 5).map_or(number, |found| found.0);
            let chosen = game.choose(level(number), seed).unwrap();
            assert!(game.is_legal(&chosen.mv), "level {number}: {chosen:?} in {game:?}");
            let line =
                format!("{} {} {} {}\n", game.notation(mv), game.notation(&chosen.mv), chosen.nodes, chosen.score);
            hash.update(line);
            count += 1;
        });
    }
    let digest: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((Backgammon::ENGINE_VERSION, count, digest.as_str()), (2, 95, "91b926ca4717d551"));
}

#[test]
fn openings_are_played_as_in_the_books() {
    for (roll, best) in
        [([3, 1], "8/5 6/5"), ([4, 2], "8/4 6/4"), ([6, 1], "13/7 8/7"), ([5, 3], "8/3 6/3"), ([6, 5], "24/13")]
    {
        let game = game(GameConfig::default(), Placement::START, Phase::Play, roll);
        assert_eq!(game.notation(&game.choose(level(7), 1).unwrap().mv), best);
    }
}

#[test]
fn a_double_is_answered_by_the_odds() {
    // Black bears off its last two checkers with any roll. So White wins only if this roll bears off both of its own.
    let last = |white: &[(usize, i8)]| sides(white, &[(1, 2)]);
    let cases = [
        // 15 of 36 rolls win: no double.
        (last(&[(6, 1), (1, 1)]), CubeAction::Roll, CubeAction::Take),
        // 19 and 23 of 36 rolls win: more than half, but less than three quarters.
        (last(&[(5, 1), (2, 1)]), CubeAction::Double, CubeAction::Take),
        (last(&[(5, 1), (1, 1)]), CubeAction::Double, CubeAction::Take),
        // 29 of 36 rolls win: more than three quarters.
        (last(&[(4, 1), (1, 1)]), CubeAction::Double, CubeAction::Drop),
        (Placement::START, CubeAction::Roll, CubeAction::Take),
    ];
    for (board, offer, answer) in cases {
        assert_eq!(choose_cube_action(&game(money(), board, Phase::RollOrDouble, [1, 1])), offer, "{board:?}");
        let mut offered = game(money(), board, Phase::TakeOrDrop, [1, 1]);
        // White has doubled, so it's Black's turn.
        offered.side_to_move = BLACK;
        assert_eq!(choose_cube_action(&offered), answer, "{board:?}");
    }
}

#[test]
fn the_score_of_a_match_counts() {
    // After the Crawford game, the trailing side loses nothing by doubling at once.
    let mut behind = game(match_to(5), Placement::START, Phase::RollOrDouble, [1, 1]);
    behind.score = [2, 4];
    assert_eq!(choose_cube_action(&behind), CubeAction::Double);
    // 25 of 36 rolls win for White. In a money game, Black's 11 are enough to take. With both sides two points away, a
    // drop leaves a 32% chance of winning the match, and a take 31%.
    let race = sides(&[(3, 1), (2, 1)], &[(1, 2)]);
    for (config, answer) in [(money(), CubeAction::Take), (match_to(2), CubeAction::Drop)] {
        let mut offered = game(config, race, Phase::TakeOrDrop, [1, 1]);
        offered.side_to_move = BLACK;
        assert_eq!(choose_cube_action(&offered), answer);
    }
}

#[test]
fn too_good_to_double_is_played_on() {
    // White has closed Black out with two checkers on the bar, and Black has borne off none: White plays for the
    // gammon.
    let closed = board(
        &[(0, 2), (1, 2), (2, 2), (3, 2), (4, 2), (5, 3), (6, 2), (23, -3), (22, -3), (21, -3), (20, -4)],
        [0, 2],
    );
    assert_eq!(choose_cube_action(&game(money(), closed, Phase::RollOrDouble, [1, 1])), CubeAction::Roll);
    // Under the Jacoby rule, a gammon counts only after a double.
    let jacoby = GameConfig { jacoby: true, ..money() };
    assert_eq!(choose_cube_action(&game(jacoby, closed, Phase::RollOrDouble, [1, 1])), CubeAction::Double);
}

/// Compares the bearoff table with a plain computation that minimizes the expected number of rolls.
#[test]
fn the_end_of_a_race_is_counted_out() {
    let mut evaluator = Evaluator::new();
    for (white, black) in [
        (&[(6, 1), (1, 1)][..], &[(1, 2)][..]),
        (&[(5, 1), (4, 1)], &[(3, 2), (1, 1)]),
        (&[(6, 2), (2, 1)], &[(4, 2), (1, 2)]),
        (&[(2, 4)], &[(6, 2)]),
    ]
    .into_iter()
    .take(short_or_long(2, 4))
    {
        let counted = |side: &[(usize, i8)]| {
            let mut points = [0; 7];
            side.iter().for_each(|&(point, count)| points[point] += count as u8);
            counted_out(points)
        };
        let (own, theirs) = (counted(white), counted(black));
        let wins: f64 = (0..own.len()).map(|at| own[at] * theirs[at..].iter().sum::<f64>()).sum();
        let chances = evaluator.chances(&sides(white, black), Seat::First);
        assert!((f64::from(chances.win) / 65_536.0 - wins).abs() < 0.000_1, "{white:?} {black:?} {wins} {chances:?}");
        assert_eq!([chances.win_gammon, chances.lose_gammon], [0, 0]);
    }
}

/// Returns the chance, for each number of rolls, that a side needs exactly that number. Tries the dice in both orders.
fn counted_out(points: [u8; 7]) -> Vec<f64> {
    if points[1..].iter().all(|count| *count == 0) {
        return [vec![1.0], vec![0.0; 14]].concat();
    }
    let mut sum = vec![0.0; 15];
    for one in 1..=6 {
        for two in one..=6 {
            let dice = if one == two { vec![one; 4] } else { vec![one, two] };
            let orders = [dice.clone(), dice.into_iter().rev().collect()];
            let mut ends: Vec<[u8; 7]> = orders.iter().flat_map(|order| moved(points, order)).collect();
            ends.sort_unstable();
            ends.dedup();
            let mean = |ways: &Vec<f64>| ways.iter().enumerate().map(|(at, chance)| at as f64 * chance).sum::<f64>();
            let best = ends.into_iter().map(counted_out).min_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap();
            let weight = if one == two { 1.0 } else { 2.0 } / 36.0;
            (1..15).for_each(|at| sum[at] += weight * best[at - 1]);
        }
    }
    sum
}

fn moved(points: [u8; 7], dice: &[usize]) -> Vec<[u8; 7]> {
    let Some((die, rest)) = dice.split_first() else { return vec![points] };
    let rearmost = (1..7).rev().find(|point| points[*point] > 0);
    let Some(rearmost) = rearmost else { return vec![points] };
    let sources = (1..7).filter(|from| points[*from] > 0 && (from >= die || *from == rearmost));
    sources
        .flat_map(|from| {
            let mut next = points;
            next[from] -= 1;
            if from > *die {
                next[from - die] += 1;
            }
            moved(next, rest)
        })
        .collect()
}

#[test]
fn a_won_race_is_won() {
    let mut evaluator = Evaluator::new();
    let far = board(&[(0, 2), (22, -15)], [0, 0]);
    let chances = evaluator.chances(&far, WHITE);
    assert!(chances.win > 65_000 && chances.win_gammon > 60_000, "{chances:?}");
    assert_eq!(chances.for_opponent().for_opponent(), chances);
}
