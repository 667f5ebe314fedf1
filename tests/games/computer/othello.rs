//! The Othello engine maximizes discs in the endgame, and knows the winner before.

use game::{Engine, PositionJson, Rules};
use games::othello::{EndgameMove, Othello, endgame, flips, iter_cells, moves};
use games::{PROVEN_WIN, Random};
use testkit::{quick_or_full, short_or_long};

use super::{after_random, default_config, level};

/// Returns the final disc difference for the side to move by a full search. Cells that stay free count for the winner.
fn score_by_full_search(own: u64, other: u64) -> i32 {
    let legal = moves(own, other);
    if legal == 0 {
        let [lead, free] = [own.count_ones() as i32 - other.count_ones() as i32, (own | other).count_zeros() as i32];
        return if moves(other, own) == 0 { lead + lead.signum() * free } else { -score_by_full_search(other, own) };
    }
    iter_cells(legal).map(|cell| score_of_move(own, other, cell)).max().unwrap()
}

fn score_of_move(own: u64, other: u64, cell: u32) -> i32 {
    let flipped = flips(own, other, cell);
    -score_by_full_search(other & !flipped, own | flipped | 1 << cell)
}

fn sides(game: &Othello) -> [u64; 2] {
    [game.side_to_move(), game.side_to_move().other()].map(|seat| game.discs[seat.index()])
}

fn find_best_move(own: u64, other: u64, max_nodes: u64) -> (Option<EndgameMove>, u64) {
    let cells: Vec<u8> = iter_cells(moves(own, other)).map(|cell| cell as u8).collect();
    endgame::find_best_move(own, other, &cells, max_nodes)
}

#[test]
fn the_endgame_search_agrees_with_a_full_search() {
    let mut random = Random::new(9);
    let mut seen = [0; 3];
    let [wins, draws] = short_or_long(quick_or_full([20, 1], [60, 2]), [600, 20]);
    while seen[0] < wins || seen[1] < draws || seen[2] < wins {
        let plies = 50 + random.below(5);
        let Some(game) = after_random::<Othello>(&default_config::<Othello>(), plies, &mut random) else { continue };
        let [own, other] = sides(&game);
        let Some(best) = find_best_move(own, other, u64::MAX).0 else { panic!("{:?}", game.position()) };
        let (score, move_score) = (score_by_full_search(own, other), score_of_move(own, other, best.mv.into()));
        assert_eq!((best.lower_bound, best.upper_bound, move_score), (score, score, score), "{:?}", game.position());
        seen[(score.signum() + 1) as usize] += 1;
    }
}

/// The lowest row is free, and so are c3 and d3; white has d4 and d5 alone.
#[test]
fn the_largest_win_is_by_64_discs() {
    let (free, other) = (0xff << 56 | 1 << 18 | 1 << 19, 1 << 27 | 1 << 35);
    let own = !(free | other);
    assert_eq!(moves(own, other).count_ones(), 2);
    assert_eq!(find_best_move(own, other, u64::MAX).0, Some(EndgameMove { mv: 19, lower_bound: 64, upper_bound: 64 }));
}

/// With too few nodes for the exact score, the search still proves correct bounds and the winner.
#[test]
fn proves_the_winner_before_the_exact_score() {
    let mut random = Random::new(12);
    let mut seen = [0; 3];
    while seen[0] < short_or_long(20, 200) || seen[1] < short_or_long(30, 300) {
        let Some(game) = after_random::<Othello>(&default_config::<Othello>(), 46, &mut random) else { continue };
        let [own, other] = sides(&game);
        let Some(exact) = find_best_move(own, other, u64::MAX).0 else { panic!("{:?}", game.position()) };
        for max_nodes in [200, 400, 800, 1_600] {
            let (best, nodes) = find_best_move(own, other, max_nodes);
            let Some(EndgameMove { mv, lower_bound, upper_bound }) = best else {
                assert!(nodes > max_nodes);
                seen[0] += 1;
                continue;
            };
            assert!(
                (lower_bound..=upper_bound).contains(&exact.lower_bound),
                "{lower_bound} to {upper_bound} in {:?}",
                game.position()
            );
            assert!(
                lower_bound > 0 || upper_bound < 0 || lower_bound == upper_bound,
                "{lower_bound} to {upper_bound} in {:?}",
                game.position()
            );
            let move_score = endgame::find_best_move(own, other, &[mv], u64::MAX).0.map(|best| best.lower_bound);
            assert!(move_score >= Some(lower_bound), "{mv} for {lower_bound} or more in {:?}", game.position());
            seen[if lower_bound < upper_bound { 1 } else { 2 }] += 1;
        }
    }
}

#[test]
fn the_highest_level_knows_the_winner_with_eighteen_free_cells() {
    let mut random = Random::new(10);
    let mut seen = 0;
    while seen < short_or_long(2, 40) {
        let Some(game) = after_random::<Othello>(&default_config::<Othello>(), 42, &mut random) else { continue };
        let chosen = game.choose(level(8), 1).unwrap();
        assert!(chosen.score == 0 || chosen.score.abs() >= PROVEN_WIN, "{chosen:?} in {:?}", game.position());
        seen += 1;
    }
}
