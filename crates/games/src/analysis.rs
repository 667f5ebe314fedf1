//! Analyzes a played game: the winning chances before each ply, and the mistakes.
//!
//! A quick search of each position, from the end to the start, shows which ones are decided. The others get a longer search,
//! which gives an estimate. A position is worth at least as much to the side to move as the position after the move that was
//! played. Moves that seem to lose much are searched again with `DEEPER` times the nodes: the position before the move, the
//! one after it, and the one after the move that looks better. The remaining nodes go to the moves that seem to be mistakes.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use game::{Engine, Outcome, Seat};

/// The smallest loss to look at again, in thousandths of a win. Smaller ones are within the searches' errors. A mistake loses
/// at least [`Engine::MISTAKE_LOSS`].
const MIN_LOSS: u16 = 60;
/// The winning chances below which a position counts as lost, and the first search is quick.
const LOST: u16 = 50;
/// The share of the nodes for the quick searches, in percent.
const QUICK_SHARE: u64 = 10;
/// The share of the nodes for the quick and the first searches, in percent.
const FIRST_SHARE: u64 = 40;
/// The share of the nodes for these and the deeper searches, in percent.
const DEEPER_SHARE: u64 = 78;
/// The percentage of the nodes after which the rest only confirms mistakes in positions that are hard to judge.
const CONFIRM_FROM: u64 = 90;
/// How many times the nodes of a first search a deeper search gets.
const DEEPER: u64 = 6;
/// The fewest nodes of a first search that say anything.
const MIN_NODES: u64 = 150;
/// How many rolls in a row to average over, if the first one leaves no play.
const MAX_ROLLS: u32 = 2;

/// A ply to analyze.
#[derive(Clone, Copy, Debug)]
pub struct PlayedPly<'a, G: Engine> {
    /// The position before it.
    pub before: &'a G,
    /// The move; `None` if a game of a match was given up.
    pub mv: Option<&'a G::Move>,
}

/// The analysis of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis<M> {
    /// The plies, oldest first.
    pub plies: Vec<AnalyzedPly<M>>,
    /// The first side's winning chances at the end, in thousandths.
    pub end: u16,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// The analysis of a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalyzedPly<M> {
    /// The first side's winning chances before the ply, in thousandths.
    pub chance: u16,
    /// The winning chances that the move seems to have cost its side, in thousandths. Small losses are within the searches'
    /// errors.
    pub lost: u16,
    /// Whether there was no other move.
    pub is_forced: bool,
    /// The mistake that deeper searches confirmed, if the ply is one.
    pub mistake: Option<Mistake<M>>,
}

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake<M> {
    /// The better move, which would have kept the winning chances.
    pub better: M,
}

/// Returns how accurate moves were, from 0 to 100; `None` if there was nothing to choose.
///
/// It's the mean of each move's accuracy by lichess's formula: <https://lichess.org/page/accuracy>.
pub fn accuracy<'a, M: 'a>(plies: impl IntoIterator<Item = &'a AnalyzedPly<M>>) -> Option<u32> {
    let of_move = |lost: u16| (103.1668 * (-0.004354 * f64::from(lost)).exp() - 3.1669).clamp(0.0, 100.0);
    let chosen = plies.into_iter().filter(|ply| !ply.is_forced).map(|ply| of_move(ply.lost));
    let (sum, count) = chosen.fold((0.0, 0), |(sum, count), accuracy| (sum + accuracy, count + 1));
    if count == 0 { None } else { Some((sum / f64::from(count)).round() as u32) }
}

/// Analyzes a game with about `nodes` nodes. `end` is its last position.
///
/// Returns `None` if the game is too long for that.
pub fn analyze<G: Engine>(plies: &[PlayedPly<'_, G>], end: &G, nodes: u64) -> Option<Analysis<G::Move>> {
    let mut analyzer = Analyzer { positions: positions(plies, end), memory: G::Memory::default(), nodes: 0 };
    let open: Vec<usize> = (0..analyzer.positions.len()).filter(|at| analyzer.positions[*at].nodes == 0).collect();
    let searches = (open.len() as u64).max(1);
    let evenly = |share: u64| nodes * share / 100 / searches;
    if evenly(FIRST_SHARE) < MIN_NODES {
        return None;
    }
    let first_nodes = analyzer.search_all(open, evenly(QUICK_SHARE), nodes * FIRST_SHARE / 100)?;
    let limit = nodes * DEEPER_SHARE / 100;
    // In a short game, leave nodes for more than one move.
    let deeper_nodes = (DEEPER * first_nodes).min(limit.saturating_sub(analyzer.nodes) / 6);
    analyzer.examine_all(0..deeper_nodes, MIN_LOSS, deeper_nodes, limit)?;
    let mut compared = deeper_nodes;
    let is_hard =
        analyzer.positions.iter().any(|position| position.played.is_some() && position.game.is_hard_to_judge());
    let all_nodes = nodes;
    let nodes = if is_hard { nodes * CONFIRM_FROM / 100 } else { nodes };
    loop {
        let left = nodes.saturating_sub(analyzer.nodes);
        let suspects = analyzer.candidates(compared..u64::MAX, G::MISTAKE_LOSS).count() as u64;
        let more = (left / (3 * suspects + 1)).max(compared * 3 / 2).max(1);
        if suspects == 0 || left <= 3 * more {
            analyzer.confirm_all(all_nodes)?;
            return Some(analyzer.analysis());
        }
        analyzer.examine_all(compared..more, G::MISTAKE_LOSS, more, nodes)?;
        compared = more;
    }
}

/// The value of a position for the first side, in thousandths.
#[derive(Clone, Copy)]
struct Value {
    /// The expected result, which decides what is a mistake.
    result: u16,
    /// The chance of winning, if that isn't the expected result.
    win: Option<u16>,
}

const EVEN: Value = Value { result: 500, win: None };

impl Value {
    /// Returns the value of a finished game.
    fn at_end<G: Engine>(game: &G, outcome: Outcome) -> Value {
        let chance = outcome_chance(outcome);
        let Some(score) = game.score_at_end() else { return Value { result: chance, win: None } };
        // The score is the first side's.
        Value { result: game.win_chance(score).min(1000), win: Some(chance) }
    }
}

/// A position of the game.
struct Position<G: Engine> {
    game: G,
    /// Whether a ply follows. After a move with dice, a roll comes first.
    is_before_ply: bool,
    /// The move that was played, and the index of the position after it.
    played: Option<(G::Move, usize)>,
    /// Whether there was no other move. Then the position is worth what the next one is worth.
    is_forced: bool,
    /// The move that the search prefers.
    best: Option<G::Move>,
    /// The value according to the search.
    value: Value,
    /// The nodes of its last search: none before the first, and the maximum if it needs no search.
    nodes: u64,
    /// The nodes of the searches that compared the played move with the best one; none if a mistake wasn't confirmed.
    compared: u64,
}

impl<G: Engine> Position<G> {
    fn new(game: G, is_before_ply: bool, played: Option<(G::Move, usize)>) -> Position<G> {
        let end = game.outcome().map(|outcome| Value::at_end(&game, outcome));
        let is_forced = played.is_some() && game.legal_moves().len() == 1;
        Position {
            game,
            is_before_ply,
            best: played.as_ref().map(|(mv, _)| mv).filter(|_| is_forced).cloned(),
            played,
            is_forced,
            value: end.unwrap_or(EVEN),
            nodes: if end.is_some() || is_forced { u64::MAX } else { 0 },
            compared: 0,
        }
    }

    /// Returns the index of the position after the played move, and whether that is the best move.
    fn next(&self) -> Option<(usize, bool)> {
        let (mv, after) = self.played.as_ref()?;
        Some((*after, self.best.as_ref() == Some(mv)))
    }

    /// Converts the first side's winning chances to those of the side to move.
    fn own(&self, chance: u16) -> u16 {
        for_first_side(self.game.side_to_move(), chance)
    }
}

/// Returns the positions of a game in order. With dice, the position after a move isn't the next one: a roll follows.
fn positions<G: Engine>(plies: &[PlayedPly<'_, G>], end: &G) -> Vec<Position<G>> {
    let mut positions = Vec::with_capacity(plies.len() + 1);
    for PlayedPly { before, mv } in plies {
        let after = positions.len() + 1;
        positions.push(Position::new((*before).clone(), true, mv.map(|mv| (mv.clone(), after))));
        if let Some(mv) = mv
            && G::HAS_DICE
        {
            positions.push(Position::new(before.play(mv), false, None));
        }
    }
    positions.push(Position::new(end.clone(), false, None));
    positions
}

struct Analyzer<G: Engine> {
    positions: Vec<Position<G>>,
    memory: G::Memory,
    nodes: u64,
}

impl<G: Engine> Analyzer<G> {
    fn search(&mut self, at: usize, nodes: u64) -> Option<()> {
        let position = &mut self.positions[at];
        position.nodes = nodes;
        (position.best, position.value) = search(&position.game, nodes, MAX_ROLLS, &mut self.memory, &mut self.nodes)?;
        Some(())
    }

    /// Searches these positions from the end to the start: quickly first, then those that aren't decided, up to a total of
    /// `limit` nodes. Returns the nodes of a search of the latter.
    fn search_all(&mut self, mut open: Vec<usize>, quick: u64, limit: u64) -> Option<u64> {
        for at in open.iter().rev() {
            self.search(*at, quick)?;
        }
        open.retain(|at| (LOST..=1000 - LOST).contains(&self.positions[*at].value.result));
        let nodes = (limit.saturating_sub(self.nodes) / (open.len() as u64).max(1)).max(quick);
        for at in open.into_iter().rev() {
            self.search(at, nodes)?;
        }
        Some(nodes)
    }

    /// Returns the index of the position that decides what this one is worth: the first one with a choice.
    fn deciding(&self, mut at: usize) -> usize {
        while self.positions[at].is_forced
            && let Some((after, _)) = self.positions[at].next()
        {
            at = after;
        }
        at
    }

    /// Returns the first side's expected result in each position, in thousandths, carried back from the end.
    fn results(&self) -> Vec<u16> {
        let mut results: Vec<u16> = self.positions.iter().map(|position| position.value.result).collect();
        for (at, position) in self.positions.iter().enumerate().rev() {
            let Some((after, is_best)) = position.next() else { continue };
            let is_better = position.own(results[after]) > position.own(position.value.result);
            // The search of the next position looks further, unless it was less deep.
            let looks_further = position.is_forced || self.positions[self.deciding(after)].nodes >= position.nodes;
            if is_better || is_best && looks_further {
                results[at] = results[after];
            }
        }
        results
    }

    /// Returns the first side's winning chances in each position, in thousandths.
    fn chances(&self, mut results: Vec<u16>) -> Vec<u16> {
        for (at, position) in self.positions.iter().enumerate().rev() {
            match position.next() {
                Some((after, _)) if position.is_forced => results[at] = results[after],
                _ => results[at] = position.value.win.unwrap_or(results[at]),
            }
        }
        results
    }

    /// Returns the winning chances that the move in a position lost, in thousandths.
    fn lost(&self, at: usize, results: &[u16]) -> u16 {
        let position = &self.positions[at];
        match position.next() {
            Some((after, false)) => position.own(results[at]).saturating_sub(position.own(results[after])),
            _ => 0,
        }
    }

    /// Returns the indices of the moves that seem to lose at least `min_loss`, with their losses. Considers only moves that
    /// were compared with a number of nodes in this range.
    fn candidates(&self, compared: Range<u64>, min_loss: u16) -> impl Iterator<Item = (u16, usize)> {
        let results = self.results();
        let all = self.positions.iter().enumerate().filter(move |(_, position)| compared.contains(&position.compared));
        all.map(move |(at, _)| (self.lost(at, &results), at)).filter(move |(lost, _)| *lost >= min_loss)
    }

    /// Examines candidates again with `nodes` for each search, the worst first, up to a total of `limit` nodes.
    fn examine_all(&mut self, compared: Range<u64>, min_loss: u16, nodes: u64, limit: u64) -> Option<()> {
        while let Some((_, at)) =
            self.candidates(compared.clone(), min_loss).max_by_key(|(lost, at)| (*lost, Reverse(*at)))
            && self.nodes + nodes <= limit
        {
            self.examine(at, nodes)?;
        }
        Some(())
    }

    /// Runs the next deeper search that could clear a candidate: of the position itself, after the played move, or after
    /// the best move.
    fn examine(&mut self, at: usize, nodes: u64) -> Option<()> {
        let after = self.deciding(self.positions[at].next()?.0);
        if let Some(shallow) = [at, after].into_iter().find(|at| self.positions[*at].nodes < nodes) {
            return self.search(shallow, nodes);
        }
        let position = &mut self.positions[at];
        let better = position.game.play(position.best.as_ref()?);
        let (_, value) = search(&better, nodes, MAX_ROLLS, &mut self.memory, &mut self.nodes)?;
        position.compared = nodes;
        if position.own(value.result) < position.own(position.value.result) {
            position.value.result = value.result;
        }
        Some(())
    }

    /// Examines the mistakes in positions that are hard to judge at twice the cost, and clears those that this doesn't confirm
    /// with a total of `limit` nodes.
    fn confirm_all(&mut self, limit: u64) -> Option<()> {
        let mistakes: Vec<usize> = self.candidates(1..u64::MAX, G::MISTAKE_LOSS).map(|(_, at)| at).collect();
        for at in mistakes.into_iter().filter(|at| self.positions[*at].game.is_hard_to_judge()).collect::<Vec<_>>() {
            let nodes = 2 * self.positions[at].compared;
            while self.positions[at].compared < nodes {
                if self.nodes + nodes > limit || self.lost(at, &self.results()) < G::MISTAKE_LOSS {
                    self.positions[at].compared = 0;
                    break;
                }
                self.examine(at, nodes)?;
            }
        }
        Some(())
    }

    fn analysis(self) -> Analysis<G::Move> {
        let results = self.results();
        let chances = self.chances(results.clone());
        let plies = self.positions.iter().enumerate().filter(|(_, position)| position.is_before_ply);
        let plies = plies.map(|(at, position)| {
            let lost = self.lost(at, &results);
            let is_mistake = position.compared > 0 && lost >= G::MISTAKE_LOSS;
            let better = position.best.clone().filter(|_| is_mistake);
            let is_forced = position.is_forced || position.played.is_none();
            AnalyzedPly { chance: chances[at], lost, is_forced, mistake: better.map(|better| Mistake { better }) }
        });
        Analysis { plies: plies.collect(), end: chances.last().copied().unwrap_or(500), nodes: self.nodes }
    }
}

/// Returns the best move, if there is a choice, and the value.
///
/// If a roll comes next, it averages over all of them. `rolls` limits how many may follow each other.
fn search<G: Engine>(
    game: &G,
    nodes: u64,
    rolls: u32,
    memory: &mut G::Memory,
    nodes_used: &mut u64,
) -> Option<(Option<G::Move>, Value)> {
    if let Some(outcome) = game.outcome() {
        return Some((None, Value::at_end(game, outcome)));
    }
    if !game.needs_roll() {
        let found = game.analyze(nodes, memory)?;
        *nodes_used += found.nodes;
        let own = |chance| for_first_side(game.side_to_move(), chance);
        let value =
            Value { result: own(game.win_chance(found.score)), win: game.chance_to_win(&found.mv, memory).map(own) };
        return Some((Some(found.mv), value));
    }
    if rolls == 0 {
        return Some((None, EVEN));
    }
    // The order of the dice matters only in the opening roll: it decides who starts, and a tie is rolled again.
    let is_opening = game.with_roll([1, 2]).side_to_move() != game.with_roll([2, 1]).side_to_move();
    let (mut results, mut wins, mut count) = (0, 0, 0);
    for (one, two) in (1..=6).flat_map(|one| (1..=6).map(move |two| (one, two))) {
        let times = match (one.cmp(&two), is_opening) {
            (Ordering::Equal, true) | (Ordering::Greater, false) => continue,
            (Ordering::Less, false) => 2,
            _ => 1,
        };
        let (_, value) = search(&game.with_roll([one, two]), nodes / 21, rolls - 1, memory, nodes_used)?;
        results += u32::from(value.result) * times;
        wins += u32::from(value.win.unwrap_or(value.result)) * times;
        count += times;
    }
    let mean = |sum: u32| ((sum + count / 2) / count) as u16;
    Some((None, Value { result: mean(results), win: Some(mean(wins)).filter(|_| wins != results) }))
}

/// Returns the first side's winning chances at the end of a game, in thousandths.
pub fn outcome_chance(outcome: Outcome) -> u16 {
    match outcome {
        Outcome::Won(Seat::First) => 1000,
        Outcome::Won(Seat::Second) => 0,
        Outcome::Draw => 500,
    }
}

/// Converts the winning chances of the side to move to the first side's, and the other way around.
fn for_first_side(side_to_move: Seat, chance: u16) -> u16 {
    let chance = chance.min(1000);
    if side_to_move == Seat::First { chance } else { 1000 - chance }
}
