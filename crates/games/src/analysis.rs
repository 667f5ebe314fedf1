//! Analyzes a played game: the winning chances before each ply, and the mistakes.
//!
//! A first search of each position gives an estimate. From the end to the start, a position is then worth at least as
//! much to the side to move as the position after the move that was played. Moves that seem to lose much are searched
//! again with ten times the nodes: the position before the move, the one after it, and the one after the move
//! that looks better.

use std::cmp::Reverse;

use game::contract::{Engine, Outcome};
use game::seat::Seat;

/// The smallest loss that counts as a mistake, in thousandths of a win. Smaller ones are within the searches' errors.
const MIN_LOSS: u16 = 80;
/// How many times the nodes of a first search a deeper search gets.
const DEEPER: u64 = 10;
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
    /// The mistake that deeper searches confirmed, if the ply is one.
    pub mistake: Option<Mistake<M>>,
}

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake<M> {
    /// The better move.
    pub better: M,
    /// The winning chances that it would have kept, in thousandths.
    pub lost: u16,
}

/// Analyzes a game with about `nodes` nodes. `end` is its last position.
///
/// Returns `None` if the game is too long for that.
pub fn analyze<G: Engine>(plies: &[PlayedPly<'_, G>], end: &G, nodes: u64) -> Option<Analysis<G::Move>> {
    let mut analyzer = Analyzer { positions: positions(plies, end), nodes: 0 };
    let searches = analyzer.positions.iter().filter(|position| !position.is_deep).count() as u64;
    // Three deeper searches for each of a few mistakes.
    let mistakes = (2 + plies.len() as u64 / 16).min(12);
    let first_nodes = nodes / (searches + 3 * DEEPER * mistakes);
    if first_nodes < MIN_NODES {
        return None;
    }
    for at in 0..analyzer.positions.len() {
        if !analyzer.positions[at].is_deep {
            analyzer.search(at, first_nodes)?;
        }
    }
    let deeper_nodes = DEEPER * first_nodes;
    while let Some(at) = analyzer.worst_candidate()
        && analyzer.nodes + deeper_nodes <= nodes
    {
        analyzer.examine(at, deeper_nodes)?;
    }
    Some(analyzer.analysis())
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
    /// The first side's winning chances according to the search, in thousandths.
    chance: u16,
    /// Whether it was searched deeper, or needs no search.
    is_deep: bool,
    /// Whether the position after the best move was searched, too.
    is_compared: bool,
}

impl<G: Engine> Position<G> {
    fn new(game: G, is_before_ply: bool, played: Option<(G::Move, usize)>) -> Position<G> {
        let outcome = game.outcome().map(outcome_chance);
        let is_forced = played.is_some() && game.legal_moves().len() == 1;
        Position {
            game,
            is_before_ply,
            best: played.as_ref().map(|(mv, _)| mv).filter(|_| is_forced).cloned(),
            played,
            is_forced,
            chance: outcome.unwrap_or(500),
            is_deep: outcome.is_some() || is_forced,
            is_compared: false,
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
    nodes: u64,
}

impl<G: Engine> Analyzer<G> {
    fn search(&mut self, at: usize, nodes: u64) -> Option<()> {
        let position = &mut self.positions[at];
        (position.best, position.chance) = search(&position.game, nodes, MAX_ROLLS, &mut self.nodes)?;
        Some(())
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

    /// Returns the first side's winning chances in each position, in thousandths, carried back from the end.
    fn chances(&self) -> Vec<u16> {
        let mut chances: Vec<u16> = self.positions.iter().map(|position| position.chance).collect();
        for (at, position) in self.positions.iter().enumerate().rev() {
            let Some((after, is_best)) = position.next() else { continue };
            let is_better = position.own(chances[after]) > position.own(position.chance);
            // The search of the next position looks further, unless it was less deep.
            let looks_further = position.is_forced || !position.is_deep || self.positions[self.deciding(after)].is_deep;
            if is_better || is_best && looks_further {
                chances[at] = chances[after];
            }
        }
        chances
    }

    /// Returns the winning chances that the move in a position lost, in thousandths.
    fn lost(&self, at: usize, chances: &[u16]) -> u16 {
        let position = &self.positions[at];
        match position.next() {
            Some((after, false)) => position.own(chances[at]).saturating_sub(position.own(chances[after])),
            _ => 0,
        }
    }

    /// Returns the index of the move that seems to lose the most, among those that aren't confirmed.
    fn worst_candidate(&self) -> Option<usize> {
        let chances = self.chances();
        let candidates = (0..self.positions.len()).filter(|at| !self.positions[*at].is_compared);
        let candidates = candidates.map(|at| (self.lost(at, &chances), at)).filter(|(lost, _)| *lost >= MIN_LOSS);
        candidates.max_by_key(|(lost, at)| (*lost, Reverse(*at))).map(|(_, at)| at)
    }

    /// Makes the next deeper search that can refute a candidate: of the position itself, of the one after the played
    /// move, and of the one after the best move.
    fn examine(&mut self, at: usize, nodes: u64) -> Option<()> {
        let after = self.deciding(self.positions[at].next()?.0);
        if let Some(shallow) = [at, after].into_iter().find(|at| !self.positions[*at].is_deep) {
            self.positions[shallow].is_deep = true;
            return self.search(shallow, nodes);
        }
        let position = &mut self.positions[at];
        let better = position.game.play(position.best.as_ref()?);
        let (_, chance) = search(&better, nodes, MAX_ROLLS, &mut self.nodes)?;
        position.is_compared = true;
        if position.own(chance) < position.own(position.chance) {
            position.chance = chance;
        }
        Some(())
    }

    fn analysis(self) -> Analysis<G::Move> {
        let chances = self.chances();
        let mistake = |at: usize, position: &Position<G>| {
            let lost = self.lost(at, &chances);
            let better = position.best.clone().filter(|_| position.is_compared && lost >= MIN_LOSS)?;
            Some(Mistake { better, lost })
        };
        let plies = self.positions.iter().enumerate().filter(|(_, position)| position.is_before_ply);
        let plies = plies.map(|(at, position)| AnalyzedPly { chance: chances[at], mistake: mistake(at, position) });
        Analysis { plies: plies.collect(), end: chances.last().copied().unwrap_or(500), nodes: self.nodes }
    }
}

/// Returns the best move, if there is a choice, and the first side's winning chances, in thousandths.
///
/// If a roll comes next, it averages over all of them. `rolls` limits how many may follow each other.
fn search<G: Engine>(game: &G, nodes: u64, rolls: u32, nodes_used: &mut u64) -> Option<(Option<G::Move>, u16)> {
    if let Some(outcome) = game.outcome() {
        return Some((None, outcome_chance(outcome)));
    }
    if !game.needs_roll() {
        let found = game.analyze(nodes)?;
        *nodes_used += found.nodes;
        return Some((Some(found.mv), for_first_side(game.side_to_move(), G::win_chance(found.score))));
    }
    if rolls == 0 {
        return Some((None, 500));
    }
    let mut sum = 0;
    for (one, two) in (1..=6).flat_map(|one| (one..=6).map(move |two| (one, two))) {
        let (_, chance) = search(&game.with_roll([one, two]), nodes / 21, rolls - 1, nodes_used)?;
        sum += u32::from(chance) * if one == two { 1 } else { 2 };
    }
    Some((None, u16::try_from(sum / 36).ok()?))
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
