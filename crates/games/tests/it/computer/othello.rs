//! Othello: the last moves are played for the most discs, and the winner is known before.

use game::contract::{Engine, Interop, Rules};
use games::othello::discs::{flips, iter_cells, moves};
use games::othello::endgame::{self, EndgameMove};
use games::othello::game::Othello;
use games::search::alpha_beta::PROVEN_WIN;
use games::search::random::Random;
use testkit::often;

use super::{after_random, default_config, level};

/// By how many discs the side on turn comes out ahead, by playing out everything; cells that stay free count for the winner.
fn by_playing(own: u64, other: u64) -> i32 {
    let open = moves(own, other);
    if open == 0 {
        let [ahead, free] = [own.count_ones() as i32 - other.count_ones() as i32, (own | other).count_zeros() as i32];
        return if moves(other, own) == 0 { ahead + ahead.signum() * free } else { -by_playing(other, own) };
    }
    iter_cells(open).map(|cell| after(own, other, cell)).max().unwrap()
}

fn after(own: u64, other: u64, cell: u32) -> i32 {
    let turned = flips(own, other, cell);
    -by_playing(other & !turned, own | turned | 1 << cell)
}

fn sides(game: &Othello) -> [u64; 2] {
    [game.side_to_move(), game.side_to_move().other()].map(|seat| game.discs[seat.index()])
}

fn found(own: u64, other: u64, limit: u64) -> (Option<EndgameMove>, u64) {
    let among: Vec<u8> = iter_cells(moves(own, other)).map(|cell| cell as u8).collect();
    endgame::find_best_move(own, other, &among, limit)
}

#[test]
fn endings_are_played_for_the_most_discs() {
    let mut random = Random::new(9);
    let mut seen = [0; 3];
    while seen[0] < often(60, 600) || seen[1] < often(2, 20) || seen[2] < often(60, 600) {
        let plies = 50 + random.below(5);
        let Some(game) = after_random::<Othello>(&default_config::<Othello>(), plies, &mut random) else { continue };
        let [own, other] = sides(&game);
        let Some(best) = found(own, other, u64::MAX).0 else { panic!("{:?}", game.position()) };
        let (margin, after_it) = (by_playing(own, other), after(own, other, best.mv.into()));
        assert_eq!((best.lower_bound, best.upper_bound, after_it), (margin, margin, margin), "{:?}", game.position());
        seen[(margin.signum() + 1) as usize] += 1;
    }
}

/// The lowest row is free, and so are c3 and d3; white has d4 and d5 alone.
#[test]
fn no_win_is_greater_than_that_of_all_discs() {
    let (free, other) = (0xff << 56 | 1 << 18 | 1 << 19, 1 << 27 | 1 << 35);
    let own = !(free | other);
    assert_eq!(moves(own, other).count_ones(), 2);
    assert_eq!(found(own, other, u64::MAX).0, Some(EndgameMove { mv: 19, lower_bound: 64, upper_bound: 64 }));
}

/// With too few nodes for the margin, what is said of it is true, and so is the winner.
#[test]
fn a_winner_is_known_before_the_margin() {
    let mut random = Random::new(12);
    let mut seen = [0; 3];
    while seen[0] < often(20, 200) || seen[1] < often(30, 300) {
        let Some(game) = after_random::<Othello>(&default_config::<Othello>(), 46, &mut random) else { continue };
        let [own, other] = sides(&game);
        let Some(exact) = found(own, other, u64::MAX).0 else { panic!("{:?}", game.position()) };
        for limit in [200, 400, 800, 1_600] {
            let (best, nodes) = found(own, other, limit);
            let Some(EndgameMove { mv, lower_bound: least, upper_bound: most }) = best else {
                assert!(nodes > limit);
                seen[0] += 1;
                continue;
            };
            assert!((least..=most).contains(&exact.lower_bound), "{least} to {most} in {:?}", game.position());
            assert!(least > 0 || most < 0 || least == most, "{least} to {most} in {:?}", game.position());
            let one = endgame::find_best_move(own, other, &[mv], u64::MAX).0.map(|best| best.lower_bound);
            assert!(one >= Some(least), "{mv} for {least} or more in {:?}", game.position());
            seen[if least < most { 1 } else { 2 }] += 1;
        }
    }
}

#[test]
fn the_highest_level_knows_who_wins_with_eighteen_free_cells() {
    let mut random = Random::new(10);
    let mut seen = 0;
    while seen < often(2, 40) {
        let Some(game) = after_random::<Othello>(&default_config::<Othello>(), 42, &mut random) else { continue };
        let chosen = game.choose(level(8), 1).unwrap();
        assert!(chosen.score == 0 || chosen.score.abs() >= PROVEN_WIN, "{chosen:?} in {:?}", game.position());
        seen += 1;
    }
}
