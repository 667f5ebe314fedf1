//! The connect four solver and book, and perfect play at the highest level.

use std::collections::HashMap;

use game::{Engine, Level, Notation, Outcome, PositionJson, Rules, Seat};
use games::connect_four::{
    BOARD, ConnectFour, Discs, GameConfig, Goal, Position, Solver, book, column_of, find_best_move, find_value,
    iter_cells, opening_values,
};
use games::{PROVEN_WIN, Random};
use testkit::short_or_long;

use super::{after_random, level};

fn discs(game: &ConnectFour) -> Discs {
    let own = game.discs[game.side_to_move().index()] as u64;
    Discs { own, taken: (game.discs[0] | game.discs[1]) as u64 }
}

/// Returns the value of a position by a full search that visits each position once.
fn value_by_full_search(game: &ConnectFour, known: &mut HashMap<[u128; 2], i32>) -> i32 {
    if let Some(outcome) = game.outcome() {
        return if outcome == Outcome::Draw { 0 } else { -1 };
    }
    if let Some(value) = known.get(&game.discs) {
        return *value;
    }
    let value = game.legal_moves().iter().map(|mv| -value_by_full_search(&game.play(mv), known)).max().unwrap();
    known.insert(game.discs, value);
    value
}

/// Returns the value of a position without a line by the solver.
fn value_by_solver(solver: &mut Solver, discs: Discs) -> i32 {
    let reaches = [Goal::Win, Goal::Draw].map(|goal| solver.reaches(discs, goal, u64::MAX).unwrap());
    i32::from(reaches[0]) + i32::from(reaches[1]) - 1
}

/// Checks the solver's value and move of a position with a full search.
fn check_solver(game: &ConnectFour) -> i32 {
    let mut known = HashMap::new();
    let value = value_by_full_search(game, &mut known);
    // A small table forgets positions. The result must still be right.
    let mut solver = Solver::new(1 << 8);
    assert_eq!(value_by_solver(&mut solver, discs(game)), value, "{:?}", game.position());
    let open: Vec<u64> = iter_cells(discs(game).landing_cells()).collect();
    let cell = find_best_move(&mut solver, discs(game), &open, value, u64::MAX).unwrap();
    let mv = game.legal_moves().into_iter().find(|mv| mv.column == column_of(cell)).unwrap();
    assert_eq!(-value_by_full_search(&game.play(&mv), &mut known), value, "{:?}", game.position());
    value
}

#[test]
fn the_solver_agrees_with_a_full_search() {
    let mut random = Random::new(4);
    let mut seen = [0; 3];
    while seen.iter().any(|seen| *seen < short_or_long(10, 200)) {
        let plies = 30 + random.below(6);
        let Some(game) = after_random::<ConnectFour>(&GameConfig::default(), plies, &mut random) else { continue };
        seen[(check_solver(&game) + 1) as usize] += 1;
    }
}

/// Random games rarely reach positions that claimeven decides. So here most columns have an even number of free cells, and in
/// every second position one or two columns have an odd number.
#[test]
fn the_solver_agrees_with_a_full_search_in_claimeven_positions() {
    let mut random = Random::new(14);
    let mut seen = [0; 3];
    while seen.iter().any(|seen| *seen < short_or_long(25, 1_000)) {
        let kinds = [6, 8][random.below(2)];
        let heights = [(); 7].map(|()| [6, 6, 6, 4, 4, 2, 3, 5][random.below(kinds)]);
        let Some(game) = random_position_with_heights(heights, &mut random) else { continue };
        seen[(check_solver(&game) + 1) as usize] += 1;
    }
}

/// Other boards have no solver, so the alpha-beta search must be right about proven results.
#[test]
fn proven_scores_are_right() {
    // A diagonal of three would continue above the board, so the cell below its end isn't a bad move.
    let start = ConnectFour::start(&GameConfig::default()).unwrap();
    let moves = "adadedddbdbgecaaeebbggeaefbbffggg".chars().map(|column| column.to_string());
    let mut games = vec![moves.fold(start, |game, mv| game.play(&game.parse_move(&mv).unwrap()))];
    let mut random = Random::new(15);
    games.extend(
        (0..short_or_long(60, 2_000))
            .filter_map(|_| after_random::<ConnectFour>(&GameConfig::default(), 33, &mut random)),
    );
    for game in games {
        let chosen = game.choose(level(7), 1).unwrap();
        let value = value_by_full_search(&game, &mut HashMap::new());
        assert!(chosen.score.abs() < PROVEN_WIN || chosen.score.signum() == value, "{:?}: {value}", game.position());
    }
}

/// Returns a position with columns of these heights and random discs. `None` if it has too few discs, or if a side has a line.
fn random_position_with_heights(heights: [usize; 7], random: &mut Random) -> Option<ConnectFour> {
    let count: usize = heights.iter().sum();
    if !(30..42).contains(&count) {
        return None;
    }
    let mut board = vec![vec!['.'; 7]; 6];
    let mut left = [count.div_ceil(2), count / 2];
    for (column, height) in heights.into_iter().enumerate() {
        for row in board.iter_mut().rev().take(height) {
            let side = usize::from(random.below(left[0] + left[1]) >= left[0]);
            left[side] -= 1;
            row[column] = ['R', 'Y'][side];
        }
    }
    let current_player = [Seat::First, Seat::Second][count % 2].into();
    let board = board.into_iter().map(|row| row.into_iter().collect()).collect();
    let game = ConnectFour::from_position(&GameConfig::default(), &Position { board, current_player }).unwrap();
    game.outcome().is_none().then_some(game)
}

/// Here the alpha-beta search runs out of nodes in the middle of an iteration, when it has only found that one move loses: e
/// wins.
#[test]
fn ignores_the_score_of_an_unfinished_iteration() {
    let rows = ["..R....", "..Y....", "..Y....", ".YR....", ".RY.R..", "RRYYR.."];
    let board = rows.iter().map(|row| (*row).to_owned()).collect();
    let position = Position { board, current_player: Seat::Second.into() };
    let game = ConnectFour::from_position(&GameConfig::default(), &position).unwrap();
    let chosen = game.choose(Level::MAX, 1).unwrap();
    assert_eq!((chosen.mv.column, chosen.score), (4, PROVEN_WIN));
}

/// The values are those of Allis and Allen: <https://en.wikipedia.org/wiki/Connect_Four#Mathematical_solution>.
#[test]
fn the_book_has_the_known_values_of_the_first_moves() {
    assert_eq!(book::look_up(Discs::START), Some((1 << 21, 1)), "the middle wins");
    let after = iter_cells(BOARD & 0x0000_0408_1020_4081).map(|cell| (column_of(cell), Discs::START.after(cell)));
    let mut values: Vec<(u32, i32)> = after.map(|(column, discs)| (column, book::look_up(discs).unwrap().1)).collect();
    values.sort_unstable();
    assert_eq!(values, [(0, 1), (1, 1), (2, 0), (3, -1), (4, 0), (5, 1), (6, 1)]);
}

#[test]
fn the_book_and_the_solver_agree() {
    for seat in 0..2 {
        let levels: Vec<_> = book::levels(seat).collect();
        let last = levels.last().unwrap();
        assert!(last.len() > 1_000, "{} positions", last.len());
        let mut random = Random::new(6);
        for _ in 0..short_or_long(12, 400) {
            let (discs, entry) = last[random.below(last.len())];
            let mut solver = Solver::new(1 << 18);
            assert_eq!(find_value(&mut solver, discs, -1, u64::MAX), Some(entry.value), "{discs:?}");
            let after = discs.after(discs.landing_cell(entry.column));
            assert_eq!(find_value(&mut solver, after, -1, u64::MAX), Some(-entry.value), "{discs:?}, {entry:?}");
        }
    }
}

/// No reply to a book move makes the position worse than the book says.
#[test]
fn the_book_is_consistent() {
    for seat in 0..2 {
        let levels: Vec<_> = book::levels(seat).collect();
        for pair in levels.windows(2) {
            for (discs, entry) in &pair[0] {
                let next = book::positions_after_replies(&[*discs], [*entry].into_iter()).unwrap();
                for discs in next {
                    let at = pair[1].binary_search_by_key(&discs, |(discs, _)| *discs).unwrap();
                    assert!(pair[1][at].1.value >= entry.value, "{discs:?}");
                }
            }
        }
    }
}

#[test]
fn the_opening_values_agree_with_the_solver() {
    let known = opening_values::values_of(book::all_positions(opening_values::max_discs())).unwrap();
    assert!(known.len() > 70_000, "{} positions", known.len());
    let mut random = Random::new(9);
    for _ in 0..short_or_long(12, 120) {
        let (discs, known) = known[random.below(known.len())];
        assert_eq!(find_value(&mut Solver::new(1 << 18), discs, -1, u64::MAX), Some(known), "{discs:?}");
    }
}

#[test]
fn the_opening_values_agree_with_the_book() {
    for levels in [0, 1].map(book::levels) {
        for level in levels {
            let discs: Vec<Discs> = level.iter().map(|(discs, _)| *discs).collect();
            if discs[0].taken.count_ones() <= opening_values::max_discs() {
                let in_book: Vec<_> = level.into_iter().map(|(discs, entry)| (discs, entry.value)).collect();
                assert_eq!(opening_values::values_of(discs), Some(in_book));
            }
        }
    }
}

/// Without the opening values, the solver would need 60 million nodes after these moves.
#[test]
fn takes_few_nodes_when_it_takes_over_a_seat_early() {
    let start = ConnectFour::start(&GameConfig::default()).unwrap();
    let game = "bggcc".chars().fold(start, |game, column| game.play(&game.parse_move(&column.to_string()).unwrap()));
    let chosen = game.choose(Level::MAX, 1).unwrap();
    assert!(chosen.nodes < 200_000, "{} nodes", chosen.nodes);
    let value = opening_values::value(discs(&game)).unwrap();
    assert_eq!(chosen.score, value * PROVEN_WIN);
    assert_eq!(opening_values::value(discs(&game.play(&chosen.mv))), Some(-value));
}

#[test]
fn the_book_finds_mirror_images() {
    for (discs, entry) in book::levels(1).nth(2).unwrap() {
        let (cell, value) = book::look_up(discs.mirrored()).unwrap();
        let is_symmetric = discs.mirrored() == discs;
        assert_eq!(
            (if is_symmetric { column_of(cell) } else { 6 - column_of(cell) }, value),
            (entry.column, entry.value)
        );
    }
}

#[test]
fn the_book_finds_no_other_positions() {
    let own: Vec<Discs> = book::levels(0).nth(3).unwrap().into_iter().map(|(discs, _)| discs).collect();
    let mut random = Random::new(7);
    for plies in [6, 12, 20] {
        for _ in 0..20 {
            let game =
                (0..100).find_map(|_| after_random::<ConnectFour>(&GameConfig::default(), plies, &mut random)).unwrap();
            let known = own.contains(&book::canonical(discs(&game)).0);
            assert_eq!(book::look_up(discs(&game)).is_some(), known, "{:?}", game.position());
        }
    }
}

#[test]
fn the_highest_level_wins_as_the_first_player() {
    for seed in 0..short_or_long(1, 20) {
        let start = ConnectFour::start(&GameConfig::default()).unwrap();
        assert_eq!(play_out(start, Seat::First, seed), Some(Outcome::Won(Seat::First)));
    }
}

#[test]
fn the_highest_level_wins_if_the_opponent_starts_at_the_edge() {
    for seed in 0..short_or_long(1, 20) {
        let start = ConnectFour::start(&GameConfig::default()).unwrap();
        let first = start.parse_move("a").unwrap();
        assert_eq!(play_out(start.play(&first), Seat::Second, seed), Some(Outcome::Won(Seat::Second)));
    }
}

/// Plays a game of the highest level against level 5, and returns the outcome.
fn play_out(mut game: ConnectFour, highest: Seat, seed: u64) -> Option<Outcome> {
    while game.outcome().is_none() {
        let level = if game.side_to_move() == highest { Level::MAX } else { level(5) };
        game = game.play(&game.choose(level, seed).unwrap().mv);
    }
    game.outcome()
}
