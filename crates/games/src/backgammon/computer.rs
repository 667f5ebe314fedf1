//! The computer opponent, which chooses a play, a roll or a double, a take or a drop.
//!
//! One of two small nets (`net`) evaluates a position from its `inputs`; `evaluate` picks between them, and computes the very end of a
//! race exactly. `stakes` turns the chances into one value, from the cube and the
//! score. The search looks a roll or two ahead, as the level's profile asks.
//!
//! All numbers are integers, so the engine plays the same on every machine. The package `training` makes the nets.

pub(super) mod evaluate;
pub(super) mod inputs;
pub(super) mod net;
pub(super) mod stakes;

use game::{Engine, EngineMove, Level, Seat};

use crate::Random;
use crate::backgammon::computer::inputs::pips;
use crate::backgammon::computer::stakes::{Stakes, cube_efficiency};
use crate::backgammon::{
    Backgammon, CERTAIN, CHECKERS, Chances, CubeAction, CubeMove, Dice, Evaluator, Move, Phase, Placement,
    PlayGenerator, Steps, counts,
};

/// The number of evaluated positions after which the search doesn't deepen any further.
const BUDGET: u64 = 150_000;

/// A candidate play: its index, the board after it, and its value for the side that makes it.
type Candidate = (usize, Placement, i64);

impl Engine for Backgammon {
    const ENGINE_VERSION: u32 = 2;

    const SCORE_SCALE: i32 = 43_000;

    // An analysis runs thousands of small searches, so it keeps the costly bearoff table between them.
    type Memory = Evaluator;

    /// The score is in 1/65536 points, or in a match the chance of winning it, in 1/65536.
    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        choose_with(&mut Evaluator::new(), self, &LevelProfile::for_level(level), seed)
    }

    fn analyze(&self, nodes: u64, evaluator: &mut Evaluator) -> Option<EngineMove<Move>> {
        choose_with(evaluator, self, &LevelProfile::for_analysis(nodes), 0)
    }

    fn win_chance(&self, score: i32) -> u16 {
        if self.config.length.is_some() {
            return in_thousandths(score);
        }
        let against = 3_f64.powf(-f64::from(score) / f64::from(Self::SCORE_SCALE));
        (1000.0 / (1.0 + against)).round() as u16
    }

    fn chance_to_win(&self, mv: &Move, evaluator: &mut Evaluator) -> Option<u16> {
        if self.config.length.is_some() {
            return None;
        }
        let board = self.board_after(mv);
        // The side that rolls next: the opponent after a play, and the side that doubled after an answer to it.
        let on_roll = if self.phase == Phase::RollOrDouble { self.side_to_move } else { self.side_to_move.other() };
        let chances = evaluator.chances(&board, on_roll);
        let own = if on_roll == self.side_to_move { chances } else { chances.for_opponent() };
        Some(in_thousandths(own.win))
    }

    fn score_at_end(&self) -> Option<i32> {
        let result = self.result.filter(|_| self.config.length.is_none() && self.phase == Phase::Over)?;
        let points = i32::try_from(result.points).unwrap_or(i32::MAX).saturating_mul(CERTAIN);
        Some(if Seat::from(result.winner) == Seat::First { points } else { -points })
    }

    fn accepts_resignation(&self, seat: Seat) -> bool {
        let chances = Evaluator::new().chances(&self.board, self.side_to_move);
        let own = if self.side_to_move == seat { chances } else { chances.for_opponent() };
        own.points() <= CERTAIN
    }
}

/// Converts a chance in 1/65536 to thousandths.
fn in_thousandths(chance: i32) -> u16 {
    ((i64::from(chance.clamp(0, CERTAIN)) * 1000 + i64::from(CERTAIN) / 2) / i64::from(CERTAIN)) as u16
}

/// Chooses a move with the given evaluator and level profile.
pub fn choose_with(
    evaluator: &mut Evaluator,
    game: &Backgammon,
    profile: &LevelProfile,
    seed: u64,
) -> Option<EngineMove<Move>> {
    let seat = game.side_to_move;
    let stakes = Stakes::from_game(game, seat);
    evaluator.nodes = 0;
    let mut search = Search::new(evaluator, game.allows_overshoot(), &stakes);
    let noise = Noise::new(&game.board, seed, profile.noise * (stakes.result(1) - stakes.result(-1)) / 2);
    let (mv, value) = match game.phase {
        Phase::Play => best_play(game, &mut search, &stakes, profile, &noise)?,
        Phase::RollOrDouble => {
            let [roll, take, drop] = cube_values(game, &mut search, seat, profile);
            let doubled = take.min(drop);
            let action = if doubled > roll + noise.for_cube() { CubeAction::Double } else { CubeAction::Roll };
            (Move::Cube(CubeMove { cube: action }), roll.max(doubled))
        }
        Phase::TakeOrDrop => {
            let [_, take, drop] = cube_values(game, &mut search, seat.other(), profile);
            let action = if take + noise.for_cube() <= drop { CubeAction::Take } else { CubeAction::Drop };
            (Move::Cube(CubeMove { cube: action }), stakes.to_other(take.min(drop)))
        }
        Phase::OpeningRoll | Phase::Roll | Phase::Over => return None,
    };
    let value = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    Some(EngineMove { mv, nodes: search.nodes(), score: value })
}

/// Returns three values for the side that may double: of rolling, of a double that is taken, and of a double that is
/// dropped.
fn cube_values(game: &Backgammon, search: &mut Search, seat: Seat, profile: &LevelProfile) -> [i64; 3] {
    let stakes = Stakes::from_game(game, seat);
    let turn = usize::from(seat != game.side_to_move);
    let chances = search.chances(&game.board, seat, turn, profile.rolls_ahead.min(1));
    let life = cube_efficiency(&game.board, seat);
    [stakes.value(chances, life), stakes.doubled().value(chances, life), stakes.result(1)]
}

/// Returns the best play and its value.
fn best_play(
    game: &Backgammon,
    search: &mut Search,
    stakes: &Stakes,
    profile: &LevelProfile,
    noise: &Noise,
) -> Option<(Move, i64)> {
    let seat = game.side_to_move;
    let mut plays = game.legal_plays();
    let mut candidates: Vec<Candidate> = Vec::with_capacity(plays.len());
    for (at, play) in plays.iter().enumerate() {
        let value = if profile.is_beginner {
            profile.beginner_eval(&play.board_after, seat)
        } else {
            evaluate_after(search, stakes, &play.board_after, seat, 0)
        };
        candidates.push((at, play.board_after, value + noise.for_board(&play.board_after)));
    }
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.2));
    let unit = (stakes.result(1) - stakes.result(-1)) / 2;
    for (rolls_ahead, width) in (1..=profile.rolls_ahead).zip([8, 4]) {
        if candidates.len() < 2 || search.nodes() > BUDGET {
            break;
        }
        keep_best(&mut candidates, width, unit / (4 * i64::from(rolls_ahead)));
        for (_, after, value) in &mut candidates {
            *value = evaluate_after(search, stakes, after, seat, rolls_ahead) + noise.for_board(after);
        }
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.2));
    }
    let (at, _, value) = candidates.first()?;
    Some((Move::Play(Steps { moves: plays.swap_remove(*at).steps }), *value))
}

/// Keeps at most `width` candidates, and only those within `margin` of the best.
fn keep_best(candidates: &mut Vec<Candidate>, width: usize, margin: i64) {
    let best = candidates.first().map_or(0, |candidate| candidate.2);
    candidates.truncate(width);
    candidates.retain(|candidate| candidate.2 >= best - margin);
}

/// Returns the value of a board for the side that just moved.
fn evaluate_after(search: &mut Search, stakes: &Stakes, after: &Placement, seat: Seat, rolls_ahead: u32) -> i64 {
    let other = seat.other();
    let chances = search.chances(after, other, 1, rolls_ahead);
    stakes.to_other(stakes.for_opponent().value(chances, cube_efficiency(after, other)))
}

// The levels of play: how far each one looks ahead, and how large its errors are.

/// The search depth and errors of a level.
#[derive(Clone, Copy, Debug)]
pub struct LevelProfile {
    /// The number of rolls that the search looks ahead.
    pub rolls_ahead: u32,
    /// The standard deviation of the evaluation noise, in 1/1000 of the value of a single game.
    pub noise: i64,
    /// Whether the evaluation knows only pips, blots, made points in the home board, and checkers borne off.
    pub is_beginner: bool,
}

/// The approximate number of positions that are evaluated to choose a move by looking one roll ahead.
const ONE_ROLL_NODES: u64 = 3_000;
/// The approximate number of positions that are evaluated to choose a move by looking two rolls ahead.
const TWO_ROLLS_NODES: u64 = 80_000;

/// The evaluation noise of a position. It depends only on the position and the seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    seed: u64,
    spread: i64,
}

impl LevelProfile {
    /// Returns the profile of a level.
    pub fn for_level(level: Level) -> LevelProfile {
        let (rolls_ahead, noise) = match level.number() {
            1 => (0, 100),
            2 => (0, 250),
            3 => (0, 200),
            4 => (0, 135),
            5 => (0, 95),
            6 => (0, 60),
            7 => (1, 40),
            _ => (2, 0),
        };
        LevelProfile { rolls_ahead, noise, is_beginner: level.number() == 1 }
    }

    /// Returns the profile for an analysis with this many evaluated positions.
    pub fn for_analysis(nodes: u64) -> LevelProfile {
        let rolls_ahead = match nodes {
            0..ONE_ROLL_NODES => 0,
            ONE_ROLL_NODES..TWO_ROLLS_NODES => 1,
            _ => 2,
        };
        LevelProfile { rolls_ahead, noise: 0, is_beginner: false }
    }

    /// Returns a beginner's evaluation of a board for the side that just moved, in 1/65536 points.
    pub fn beginner_eval(&self, board: &Placement, seat: Seat) -> i64 {
        let (own, theirs) = (counts(board, seat), counts(board, seat.other()));
        let lead = i64::from(pips(&theirs)) - i64::from(pips(&own));
        let count_points = |range: std::ops::Range<usize>, is_wanted: fn(u8) -> bool| {
            own.get(range).into_iter().flatten().filter(|count| is_wanted(**count)).count() as i64
        };
        let blots = if board.has_contact() { count_points(1..25, |count| count == 1) } else { 0 };
        let points = count_points(1..7, |count| count > 1);
        let off = i64::from(board.off(seat));
        // A win outweighs the noise.
        let win = if board.off(seat) == CHECKERS { 1_000 } else { 0 };
        (lead - 2 * blots + 2 * points + 3 * off + win) * 65_536 / 50
    }
}

impl Noise {
    /// Returns the noise of a position. `spread` is [`LevelProfile::noise`] times the value of a single game.
    pub(super) fn new(board: &Placement, seed: u64, spread: i64) -> Noise {
        Noise { seed: hash_board(board, seed), spread: spread / 1000 }
    }

    /// Returns the error in the evaluation of a board.
    fn for_board(&self, board: &Placement) -> i64 {
        self.draw(hash_board(board, self.seed))
    }

    /// Returns the error in a decision about the cube.
    fn for_cube(&self) -> i64 {
        self.draw(mix(self.seed ^ 1))
    }

    /// Returns an approximately normally distributed number: the sum of four uniformly distributed ones.
    fn draw(&self, bits: u64) -> i64 {
        let sum: i64 = (0..4).map(|part| (bits >> (16 * part) & 0xffff) as i64 - 0x8000).sum();
        // Each part has a standard deviation of 65536 / sqrt(12), so the sum of the four parts has one of 37837.
        sum * self.spread / 37_837
    }
}

fn hash_board(board: &Placement, seed: u64) -> u64 {
    let halves = board.sides.iter().flat_map(|side| [*side as u64, (side >> 64) as u64]);
    halves.fold(mix(seed), |hash, half| mix(hash ^ half))
}

/// Returns well-mixed bits.
fn mix(bits: u64) -> u64 {
    Random::new(bits).next_u64()
}

// The look-ahead search: an average over the 21 distinct rolls, with both sides making the nets' best plays.

/// A search: the evaluator, the rules of bearing off, and the weights of the chances for choosing a play between two
/// rolls.
#[derive(Debug)]
pub(super) struct Search<'a> {
    evaluator: &'a mut Evaluator,
    overshoot: bool,
    /// The weights for the side that rolls first, then for its opponent: what a gammon and a backgammon add to the next
    /// smaller win or loss, in 1/64 of the difference between a win and a loss.
    weights: [[i32; 4]; 2],
}

/// The sum of the chances over all rolls, weighted by their frequency.
#[derive(Default)]
struct Sum([i64; 5]);

impl<'a> Search<'a> {
    /// Returns a search for a side with these stakes.
    pub(super) fn new(evaluator: &'a mut Evaluator, overshoot: bool, stakes: &Stakes) -> Search<'a> {
        Search { evaluator, overshoot, weights: [weights(stakes), weights(&stakes.for_opponent())] }
    }

    /// Returns the number of positions evaluated so far.
    pub(super) fn nodes(&self) -> u64 {
        self.evaluator.nodes
    }

    /// Returns the chances of the side on roll after searching this number of rolls ahead. `turn` is 0 if
    /// the search is for that side, and 1 if it is for the opponent.
    pub(super) fn chances(&mut self, board: &Placement, seat: Seat, turn: usize, rolls_ahead: u32) -> Chances {
        if rolls_ahead == 0 || board.has_won(seat.other()) {
            return self.evaluator.chances(board, seat);
        }
        let mut sum = Sum::default();
        let mut generator = PlayGenerator::default();
        for one in 1..=6 {
            for two in one..=6 {
                generator.generate(board, seat, Dice::from_roll([one, two]), self.overshoot);
                let (after, chances) = self.best(&generator, board, seat, turn);
                let chances = if rolls_ahead > 1 {
                    self.chances(&after, seat.other(), 1 - turn, rolls_ahead - 1)
                } else {
                    chances
                };
                sum.add(chances.for_opponent(), if one == two { 1 } else { 2 });
            }
        }
        sum.mean()
    }

    /// Returns the board after the best play, and the opponent's chances there.
    fn best(&mut self, found: &PlayGenerator, board: &Placement, seat: Seat, turn: usize) -> (Placement, Chances) {
        let mut best: Option<(i32, Placement, Chances)> = None;
        for after in found.boards(board, seat) {
            let chances = self.evaluator.chances(&after, seat.other());
            let value = self.cubeless_value(chances, 1 - turn);
            if best.is_none_or(|(least, ..)| value < least) {
                best = Some((value, after, chances));
            }
        }
        match best {
            Some((_, after, chances)) => (after, chances),
            None => (*board, self.evaluator.chances(board, seat.other())),
        }
    }

    /// Returns a fast cubeless value of the chances.
    fn cubeless_value(&self, chances: Chances, turn: usize) -> i32 {
        let Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
        let [gammon, backgammon, lost_gammon, lost_backgammon] = self.weights[turn];
        64 * win + gammon * win_gammon + backgammon * win_backgammon
            - lost_gammon * lose_gammon
            - lost_backgammon * lose_backgammon
    }
}

/// Returns the weights of gammons and backgammons relative to wins.
fn weights(stakes: &Stakes) -> [i32; 4] {
    // Under the Jacoby rule gammons still count later, if someone doubles.
    let stakes = Stakes { jacoby: false, ..*stakes };
    let whole = (stakes.result(1) - stakes.result(-1)).max(1);
    [(1, 2), (2, 3), (-2, -1), (-3, -2)]
        .map(|(less, more)| ((stakes.result(more) - stakes.result(less)) * 64 / whole).clamp(0, 1024) as i32)
}

impl Sum {
    fn add(&mut self, chances: Chances, times: i64) {
        let Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
        for (sum, chance) in self.0.iter_mut().zip([win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]) {
            *sum += times * i64::from(chance);
        }
    }

    fn mean(&self) -> Chances {
        let [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = self.0.map(|sum| (sum / 36) as i32);
        Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon }
    }
}
