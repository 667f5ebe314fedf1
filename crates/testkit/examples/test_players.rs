//! Plays a level of the computer against a test player.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example test_players -- GAME [--level 1] [--child] [--games 400] [--seed 1]
//! ```
//!
//! The test player knows one idea, like someone who learned the game today. With `--child`, and against level 0, it is a child.
//!
//! The two take turns to move first; both games of a pair have the same dice. Prints the test player's wins, draws and
//! losses, its score, and half of the 95 % interval, counted over pairs of games.

use game::{Game, Level, Options, Outcome, PositionJson, Rules, Seat};
use games::backgammon::Backgammon;
use games::checkers::Checkers;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hex::{Hex, neighbors};
use games::othello::Othello;
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::UltimateTicTacToe;
use games::{GameKind, Random};

/// A game with test players.
trait TestPlayer: Game {
    /// Returns the moves that the test player likes best. It picks one of them at random.
    fn best_moves(&self) -> Vec<Self::Move>;

    /// Whether a child considers the opponent's reply.
    const SEES_REPLIES: bool = true;

    /// Returns a side's lead as a child counts it, such as pieces or corners; 0 if the child only looks for wins.
    fn lead(&self, _seat: Seat) -> i32 {
        0
    }

    /// Whether a child might make this move for no reason.
    fn is_natural(&self, _mv: &Self::Move) -> bool {
        true
    }
}

/// The value of a won game, which is more than all pieces.
const WIN: i32 = 1_000;

/// Returns the moves between which a child chooses at random. If a move wins something safely, the child sees that nine times out of
/// ten. Otherwise it stops the opponent's threats half of the time. It prefers natural moves.
fn child_moves<G: TestPlayer>(game: &G, random: &mut Random) -> Vec<G::Move> {
    let (side, moves) = (game.side_to_move(), game.legal_moves());
    let [sees_gains, sees_threats] = [9, 5].map(|of_ten| random.below(10) < of_ten);
    let best = best_of(&moves, |mv| value_after(game, mv, side));
    let wins_something = value_after(game, &best[0], side) > value(game, side);
    let moves = if wins_something && sees_gains || !wins_something && sees_threats { best } else { moves };
    let natural: Vec<G::Move> = moves.iter().filter(|mv| game.is_natural(mv)).cloned().collect();
    if natural.is_empty() { moves } else { natural }
}

/// Returns a side's lead; [`WIN`] once it has won.
fn value<G: TestPlayer>(game: &G, side: Seat) -> i32 {
    match game.outcome() {
        Some(Outcome::Won(winner)) if winner == side => WIN,
        Some(Outcome::Won(_)) => -WIN,
        Some(Outcome::Draw) => 0,
        None => game.lead(side),
    }
}

/// Returns a side's value after its move and the opponent's best reply.
fn value_after<G: TestPlayer>(game: &G, mv: &G::Move, side: Seat) -> i32 {
    let after = game.play(mv);
    let has_reply = G::SEES_REPLIES && after.side_to_move() != side;
    let replies = if has_reply { after.legal_moves() } else { Vec::new() };
    replies.iter().map(|reply| value(&after.play(reply), side)).min().unwrap_or_else(|| value(&after, side))
}

/// Returns the moves with the highest score.
fn best_of<M: Clone>(moves: &[M], score: impl Fn(&M) -> i32) -> Vec<M> {
    let scores: Vec<i32> = moves.iter().map(score).collect();
    let best = scores.iter().max();
    moves.iter().zip(&scores).filter(|(_, score)| Some(*score) == best).map(|(mv, _)| mv.clone()).collect()
}

fn is_won_by<G: Rules>(game: &G, seat: Seat) -> bool {
    game.outcome() == Some(Outcome::Won(seat))
}

/// Returns the moves that win at once, or else those after which the opponent can't.
fn win_or_stop_win<G: Rules>(game: &G) -> Vec<G::Move> {
    let (side, other) = (game.side_to_move(), game.side_to_move().other());
    best_of(&game.legal_moves(), |mv| {
        let after = game.play(mv);
        if is_won_by(&after, side) {
            return 2;
        }
        i32::from(!after.legal_moves().iter().any(|reply| is_won_by(&after.play(reply), other)))
    })
}

impl TestPlayer for TicTacToe {
    fn best_moves(&self) -> Vec<Self::Move> {
        win_or_stop_win(self)
    }

    /// On boards from 5x5 on, a child plays next to its own marks.
    fn is_natural(&self, mv: &Self::Move) -> bool {
        let size = self.cell_count().isqrt();
        let place = |cell: usize| (cell / size, cell % size);
        let (row, column) = place(mv.position as usize);
        let is_near = |cell: usize| place(cell).0.abs_diff(row) <= 1 && place(cell).1.abs_diff(column) <= 1;
        let is_own = |cell: usize| self.mark(cell).map(Seat::from) == Some(self.side_to_move());
        size < 5 || (0..size * size).any(|cell| is_near(cell) && is_own(cell))
    }
}

impl TestPlayer for UltimateTicTacToe {
    fn best_moves(&self) -> Vec<Self::Move> {
        win_or_stop_win(self)
    }
}

impl TestPlayer for ConnectFour {
    fn best_moves(&self) -> Vec<Self::Move> {
        win_or_stop_win(self)
    }
}

/// The corners of an Othello board.
const CORNERS: [u32; 4] = [0, 7, 56, 63];

/// Takes corners. The child counts them.
impl TestPlayer for Othello {
    const SEES_REPLIES: bool = false;

    fn best_moves(&self) -> Vec<Self::Move> {
        best_of(&self.legal_moves(), |mv| i32::from(CORNERS.contains(&mv.position)))
    }

    fn lead(&self, seat: Seat) -> i32 {
        let corners = CORNERS.iter().filter_map(|cell| self.owner(*cell as usize));
        corners.map(|owner| if owner == seat { 1 } else { -1 }).sum()
    }
}

/// Captures as many pieces as it can. The child counts them.
impl TestPlayer for Checkers {
    fn best_moves(&self) -> Vec<Self::Move> {
        let other = self.side_to_move().other();
        best_of(&self.legal_moves(), |mv| -(self.play(mv).bitboards.by_seat[other.index()].count_ones() as i32))
    }

    fn lead(&self, seat: Seat) -> i32 {
        let [own, other] = [seat, seat.other()].map(|seat| self.bitboards.by_seat[seat.index()].count_ones() as i32);
        own - other
    }
}

/// Looks at its move and the reply, and counts pieces.
impl TestPlayer for Chess {
    fn best_moves(&self) -> Vec<Self::Move> {
        let side = self.side_to_move();
        best_of(&self.legal_moves(), |mv| value_after(self, mv, side))
    }

    fn lead(&self, seat: Seat) -> i32 {
        if seat == Seat::First { material(self) } else { -material(self) }
    }
}

/// Returns White's pieces minus Black's in pawns.
fn material(game: &Chess) -> i32 {
    let fen = game.position().fen;
    let pieces = fen.chars().take_while(|c| *c != ' ');
    let value = |piece: char| match piece.to_ascii_lowercase() {
        'p' => 1,
        'n' | 'b' => 3,
        'r' => 5,
        'q' => 9,
        _ => 0,
    };
    pieces.map(|piece| if piece.is_uppercase() { value(piece) } else { -value(piece) }).sum()
}

/// Hits as often as it can, then makes as many points as it can.
impl TestPlayer for Backgammon {
    fn best_moves(&self) -> Vec<Self::Move> {
        let is_white = self.side_to_move() == Seat::First;
        best_of(&self.legal_moves(), |mv| {
            let after = self.play(mv).position();
            let hits = if is_white { after.bar.black } else { after.bar.white };
            let is_point = |count: &&i8| if is_white { **count > 1 } else { **count < -1 };
            100 * hits as i32 + after.board.iter().filter(is_point).count() as i32
        })
    }
}

/// Wins or stops a win. Otherwise it saves a bridge that its opponent enters, or makes one toward its nearest edge.
impl TestPlayer for Hex {
    fn best_moves(&self) -> Vec<Self::Move> {
        let bridges = Bridges { game: self, seat: self.side_to_move() };
        best_of(&win_or_stop_win(self), |mv| bridges.value(mv.position as usize))
    }
}

/// The bridges of a side in hex: two stones, or a stone and an edge, that share two neighbors.
struct Bridges<'a> {
    game: &'a Hex,
    seat: Seat,
}

impl Bridges<'_> {
    /// Returns 3 if a stone in this cell saves a bridge, 2 or 1 if it makes one that leads two rows or one row farther out,
    /// and 0 otherwise.
    fn value(&self, cell: usize) -> i32 {
        if self.game.stone(cell).is_some() {
            return 0;
        }
        if self.stones(self.seat.other()).any(|theirs| self.is_bridge_with(theirs, cell)) {
            return 3;
        }
        let distances: Vec<usize> = self.stones(self.seat).map(|own| self.distance(own)).collect();
        let (Some(min), Some(max)) = (distances.iter().min(), distances.iter().max()) else { return 0 };
        let (here, end) = (self.distance(cell), self.game.size - 1);
        let gain = if *min > 1 && here < *min {
            min - here
        } else if *max + 1 < end && here > *max {
            here - max
        } else {
            return 0;
        };
        let outermost = if here < *min { *min } else { *max };
        let makes_bridge = |own: usize| {
            let shared = self.shared_neighbors(own, cell);
            self.distance(own) == outermost
                && !self.are_neighbors(own, cell)
                && shared.len() == 2
                && shared.iter().all(|cell| self.game.stone(*cell).is_none())
        };
        if self.stones(self.seat).any(makes_bridge) { gain as i32 } else { 0 }
    }

    /// Whether two neighbors connect the same stones of this side, or a stone and the edge.
    fn is_bridge_with(&self, one: usize, other: usize) -> bool {
        let is_at_edge = |cell| [0, self.game.size - 1].contains(&self.distance(cell));
        let stones = self.shared_neighbors(one, other);
        let count = stones.iter().filter(|cell| self.game.stone(**cell) == Some(self.seat)).count();
        self.are_neighbors(one, other) && count + usize::from(is_at_edge(one) && is_at_edge(other)) == 2
    }

    fn stones(&self, seat: Seat) -> impl Iterator<Item = usize> {
        (0..self.game.size * self.game.size).filter(move |cell| self.game.stone(*cell) == Some(seat))
    }

    /// Returns the distance of a cell from this side's first edge.
    fn distance(&self, cell: usize) -> usize {
        if self.seat == Seat::First { cell / self.game.size } else { cell % self.game.size }
    }

    fn neighbors(&self, cell: usize) -> impl Iterator<Item = usize> {
        let size = self.game.size;
        neighbors(size, cell / size, cell % size).map(move |(row, column)| row * size + column)
    }

    fn are_neighbors(&self, one: usize, other: usize) -> bool {
        self.neighbors(one).any(|cell| cell == other)
    }

    fn shared_neighbors(&self, one: usize, other: usize) -> Vec<usize> {
        self.neighbors(one).filter(|cell| self.are_neighbors(*cell, other)).collect()
    }
}

fn main() {
    let mut options = Options::default();
    let (mut kind, mut level, mut is_child, mut games, mut seed) = (None, 1, false, 400, 1);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("a value after the option");
        match word.as_str() {
            "--level" => level = value().parse().expect("a level"),
            "--child" => is_child = true,
            "--games" => games = value().parse().expect("a number of games"),
            "--seed" => seed = value().parse().expect("a seed"),
            _ => match word.split_once('=') {
                Some((key, value)) => options.pairs.push((key.to_owned(), value.to_owned())),
                None => kind = Some(GameKind::from_name(&word).expect("a game")),
            },
        }
    }
    let kind = kind.expect("a game");
    let level = Level::new(level).filter(|level| *level >= kind.lowest_level()).expect("a level of this game");
    let player = if is_child || level == Level::LEARNING { Player::Child } else { Player::Beginner };
    let (_, play_pairs) = TEST_PLAYERS.iter().find(|(known, _)| *known == kind).expect("a game with a test player");
    let points = play_pairs(&mut options, player, level, games / 2, seed);
    print_score(kind.info().name, level, &points);
}

/// A test player.
#[derive(Clone, Copy, PartialEq)]
enum Player {
    /// Knows one idea: [`TestPlayer::best_moves`].
    Beginner,
    /// Misses things: [`child_moves`].
    Child,
}

/// Plays pairs of games: the options, the test player, the level, the number of pairs, and the seed.
type PlayPairs = fn(&mut Options, Player, Level, u64, u64) -> Vec<[u8; 2]>;

/// The games that have a test player.
const TEST_PLAYERS: [(GameKind, PlayPairs); 8] = [
    (GameKind::TicTacToe, play_pairs::<TicTacToe>),
    (GameKind::UltimateTicTacToe, play_pairs::<UltimateTicTacToe>),
    (GameKind::Backgammon, play_pairs::<Backgammon>),
    (GameKind::Chess, play_pairs::<Chess>),
    (GameKind::ConnectFour, play_pairs::<ConnectFour>),
    (GameKind::Othello, play_pairs::<Othello>),
    (GameKind::Hex, play_pairs::<Hex>),
    (GameKind::Checkers, play_pairs::<Checkers>),
];

/// Returns the test player's points in each pair of games. A win counts two, a draw one.
fn play_pairs<G: TestPlayer>(
    options: &mut Options,
    player: Player,
    level: Level,
    pairs: u64,
    seed: u64,
) -> Vec<[u8; 2]> {
    let config = G::configure(options).expect("options of this game");
    let seeds = seed * 100_000..seed * 100_000 + pairs;
    seeds.map(|seed| Seat::BOTH.map(|seat| play_game::<G>(&config, player, level, seat, seed))).collect()
}

/// Returns the points of the test player at this seat.
fn play_game<G: TestPlayer>(config: &G::Config, player: Player, level: Level, test_player: Seat, seed: u64) -> u8 {
    let mut dice = Random::new(seed);
    let mut choice = Random::new(2 * seed + test_player.index() as u64);
    let mut game = G::start(config).expect("a game");
    for ply in 0.. {
        if let Some(outcome) = game.outcome() {
            return match outcome {
                Outcome::Won(seat) if seat == test_player => 2,
                Outcome::Won(_) => 0,
                Outcome::Draw => 1,
            };
        }
        if game.claimable_draw().is_some() {
            break;
        }
        if game.needs_roll() {
            game = game.with_roll(dice.roll());
            continue;
        }
        let mv = if game.side_to_move() == test_player {
            let best = match player {
                Player::Beginner => game.best_moves(),
                Player::Child => child_moves(&game, &mut choice),
            };
            best[choice.below(best.len())].clone()
        } else {
            game.choose(level, seed * 1_000 + ply).expect("a move while the game goes on").mv
        };
        game = game.play(&mv);
    }
    1
}

fn print_score(game: &str, level: Level, pairs: &[[u8; 2]]) {
    let count = |points: u8| pairs.iter().flatten().filter(|other| **other == points).count();
    let scores: Vec<f64> = pairs.iter().map(|[first, second]| f64::from(first + second) / 4.0).collect();
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / scores.len() as f64;
    let margin = 196.0 * (variance / scores.len() as f64).sqrt();
    let [won, drawn, lost] = [2, 1, 0].map(count);
    let (games, percent, level) = (2 * pairs.len(), 100.0 * mean, level.number());
    println!("{game} against level {level}: {games} games, +{won} ={drawn} -{lost}, {percent:.1} % ± {margin:.1}");
}
