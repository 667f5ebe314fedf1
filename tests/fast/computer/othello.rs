//! Othello: with eighteen free cells the highest level knows who wins.

use kit::often;
use play_by_commit::game::contract::Game;
use play_by_commit::games::othello::discs::{cells, flips, moves};
use play_by_commit::games::othello::ending;
use play_by_commit::games::othello::game::Othello;
use play_by_commit::search::alpha_beta::SURELY;
use play_by_commit::search::random::Random;

use super::{after_random, level, usual};

/// By how many discs the side on turn comes out ahead, by playing out everything.
fn by_playing(own: u64, other: u64) -> i32 {
    let open = moves(own, other);
    if open == 0 {
        let ahead = own.count_ones() as i32 - other.count_ones() as i32;
        return if moves(other, own) == 0 { ahead } else { -by_playing(other, own) };
    }
    cells(open).map(|cell| after(own, other, cell)).max().unwrap()
}

fn after(own: u64, other: u64, cell: u32) -> i32 {
    let turned = flips(own, other, cell);
    -by_playing(other & !turned, own | turned | 1 << cell)
}

fn sides(game: &Othello) -> [u64; 2] {
    [game.to_move(), game.to_move().other()].map(|seat| game.discs[seat.index()])
}

#[test]
fn endings_are_worth_what_comes_of_them() {
    let mut random = Random::new(9);
    let mut seen = [0; 3];
    while seen[0] < often(20, 200) || seen[1] < often(1, 10) || seen[2] < often(20, 200) {
        let plies = 51 + random.below(4);
        let Some(game) = after_random::<Othello>(&usual::<Othello>(), plies, &mut random) else { continue };
        let [own, other] = sides(&game);
        let worth = by_playing(own, other).signum();
        let among: Vec<u8> = cells(moves(own, other)).map(|cell| cell as u8).collect();
        let Some((mv, known)) = ending::best(own, other, &among, u64::MAX).0 else { panic!("{:?}", game.position()) };
        assert_eq!((known, after(own, other, mv.into()).signum()), (worth, worth), "{:?}", game.position());
        seen[(worth + 1) as usize] += 1;
    }
}

#[test]
fn the_highest_level_knows_who_wins_with_eighteen_free_cells() {
    let mut random = Random::new(10);
    let mut seen = 0;
    while seen < often(2, 40) {
        let Some(game) = after_random::<Othello>(&usual::<Othello>(), 42, &mut random) else { continue };
        let chosen = game.choose(level(8), 1).unwrap();
        assert!(chosen.value == 0 || chosen.value.abs() >= SURELY, "{chosen:?} in {:?}", game.position());
        seen += 1;
    }
}
