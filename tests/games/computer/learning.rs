//! Level 0 takes at least half of its wins in one, and plays every game to its end.

use game::{Game, Level, Outcome};
use games::checkers::Checkers;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::{GameKind, Random};
use testkit::{options, short_or_long};

/// How often level 0 had a win in one, and how often it took it.
#[derive(Default)]
struct Wins {
    seen: usize,
    taken: usize,
}

/// Plays a game of level 0 against itself, and counts its wins in one. At each, it chooses with several seeds.
fn play<G: Game>(words: &str, seed: u64, wins: &mut Wins) {
    let mut random = Random::new(seed);
    let mut game = G::start(&G::configure(&mut options(words)).unwrap()).unwrap();
    while game.outcome().is_none() {
        let side = game.side_to_move();
        let is_win = |mv: &G::Move| game.play(mv).outcome() == Some(Outcome::Won(side));
        let chosen = |seed| game.choose(Level::LEARNING, seed).expect("it never gives up").mv;
        if game.legal_moves().iter().any(is_win) {
            wins.seen += 10;
            wins.taken += (0..10).filter(|_| is_win(&chosen(random.next_u64()))).count();
        }
        let mv = chosen(random.next_u64());
        assert!(game.is_legal(&mv), "{mv:?} in {game:?}");
        game = game.play(&mv);
    }
}

fn check<G: Game>(words: &str, games: usize) {
    let mut wins = Wins::default();
    (0..games as u64).for_each(|seed| play::<G>(words, seed, &mut wins));
    let Wins { seen, taken } = wins;
    assert!(seen > 0 && 2 * taken >= seen, "{} {words}: took {taken} of {seen} wins", G::INFO.name);
}

#[test]
fn level_0_takes_half_of_its_wins_in_one_and_never_resigns() {
    check::<TicTacToe>("", short_or_long(50, 500));
    check::<TicTacToe>("size=4", short_or_long(20, 200));
    check::<TicTacToe>("size=9 k=5", short_or_long(5, 50));
    check::<ConnectFour>("", short_or_long(50, 500));
    check::<Othello>("", short_or_long(20, 200));
    check::<Checkers>("", short_or_long(20, 200));
    check::<Chess>("", short_or_long(10, 100));
}

#[test]
fn five_games_have_level_0() {
    let have: Vec<&str> = GameKind::ALL
        .iter()
        .filter(|kind| kind.lowest_level() == Level::LEARNING)
        .map(|kind| kind.info().name)
        .collect();
    assert_eq!(have, ["tic-tac-toe", "chess", "connect-four", "othello", "checkers"]);
}
