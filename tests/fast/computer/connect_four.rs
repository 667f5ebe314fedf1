//! Connect four: who wins, and that the highest level knows it from the first disc on.

use kit::often;
use play_by_commit::game::choice::Level;
use play_by_commit::game::contract::{Game, Outcome};
use play_by_commit::game::seat::Seat;
use play_by_commit::games::connect_four::config::GameConfig;
use play_by_commit::games::connect_four::game::ConnectFour;
use play_by_commit::games::connect_four::perfect::best::best;
use play_by_commit::games::connect_four::perfect::book;
use play_by_commit::games::connect_four::perfect::solver::{Discs, Goal, Solver};
use play_by_commit::search::random::Random;

use super::{after_random, level};

fn discs(game: &ConnectFour) -> Discs {
    let own = game.discs[game.to_move().index()] as u64;
    Discs { own, taken: (game.discs[0] | game.discs[1]) as u64 }
}

/// What a position is worth by playing out everything.
fn by_playing(game: &ConnectFour) -> i32 {
    match game.outcome() {
        Some(Outcome::Won(_)) => -1,
        Some(Outcome::Draw) => 0,
        None => game.legal_moves().iter().map(|mv| -by_playing(&game.play(mv))).max().unwrap(),
    }
}

/// What a position without a line is worth by the solver.
fn by_solver(solver: &mut Solver, discs: Discs) -> i32 {
    let reaches = [Goal::Win, Goal::Draw].map(|goal| solver.reaches(discs, goal, u64::MAX).unwrap());
    i32::from(reaches[0]) + i32::from(reaches[1]) - 1
}

#[test]
fn positions_are_worth_what_comes_of_them() {
    let mut random = Random::new(4);
    let mut seen = [0; 3];
    while seen.iter().any(|seen| *seen < often(10, 100)) {
        let plies = 31 + random.below(6);
        let Some(game) = after_random::<ConnectFour>(&GameConfig::default(), plies, &mut random) else { continue };
        let worth = by_playing(&game);
        let mut solver = Solver::new(1 << 12);
        assert_eq!(by_solver(&mut solver, discs(&game)), worth, "{:?}", game.position());
        let cells: Vec<u64> = (0..42).map(|cell| 1 << (cell / 6 * 7 + cell % 6)).collect();
        let open: Vec<u64> = cells.into_iter().filter(|cell| discs(&game).open() & cell != 0).collect();
        let (cell, known) = best(&mut solver, discs(&game), &open, u64::MAX).unwrap();
        let column = cell.trailing_zeros() / 7;
        let mv = game.legal_moves().into_iter().find(|mv| mv.column == column).unwrap();
        assert_eq!((known, -by_playing(&game.play(&mv))), (worth, worth), "{:?}", game.position());
        seen[(worth + 1) as usize] += 1;
    }
}

/// Plays the book, which begins, against random moves; `None` where it does not know the position after two moves of each side.
fn out_of_the_book(random: &mut Random) -> Option<Discs> {
    let mut position = Discs { own: 0, taken: 0 };
    loop {
        position = position.after(book::look_up(position)?);
        if position.taken.count_ones() == 5 {
            return Some(position);
        }
        let open: Vec<u64> = (0..49).map(|bit| 1 << bit).filter(|cell| position.open() & cell != 0).collect();
        position = position.after(open[random.below(open.len())]);
    }
}

/// Whoever begins wins, and the book does not let go of that. With four discs the solver needs seconds, so it is asked in the
/// long run; in every run a game is played from the first move on and won, below.
#[test]
fn the_book_and_the_solver_agree() {
    let mut random = Random::new(6);
    let known: Vec<Discs> = (0..200).filter_map(|_| out_of_the_book(&mut random)).collect();
    assert!(known.len() > 50, "the book knows {} of 200 positions with four discs", known.len());
    for after in known.into_iter().take(often(0, 3)) {
        assert_eq!(Solver::new(1 << 22).reaches(after, Goal::Draw, u64::MAX), Some(false), "{after:?}");
    }
}

#[test]
fn what_is_not_in_the_book_is_not_found_there() {
    let mut random = Random::new(7);
    let mut found = 0;
    for _ in 0..2_000 {
        let Some(game) = after_random::<ConnectFour>(&GameConfig::default(), 12, &mut random) else { continue };
        found += usize::from(book::look_up(discs(&game)).is_some());
    }
    // A mark has thirteen bits.
    assert!(found <= 2, "{found} of 2,000");
}

#[test]
fn the_highest_level_wins_when_it_begins() {
    for seed in 0..often(1, 20) {
        let mut game = ConnectFour::start(&GameConfig::default()).unwrap();
        while game.outcome().is_none() {
            let level = if game.to_move() == Seat::First { Level::MAX } else { level(5) };
            game = game.play(&game.choose(level, seed).unwrap().mv);
        }
        assert_eq!(game.outcome(), Some(Outcome::Won(Seat::First)), "{:?}", game.position());
    }
}
