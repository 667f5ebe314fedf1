//! Evaluates games with the computer: the winning chances at every ply, and the biggest mistakes.
//!
//! Each position is searched once, at the highest level at which the whole game stays within a node budget. The result
//! is stored next to the page, so that only new plies need a search. Running games are evaluated only where hints are
//! allowed: in open games and against the computer.

use game::contract::{Engine, Game, Notation, Outcome};
use game::engine::Level;
use game::seat::Seat;
use serde::{Deserialize, Serialize};
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::table::Table;

/// The levels to try, lowest first.
const LEVELS: [u8; 5] = [3, 4, 5, 6, 7];
/// The number of distinct rolls of two dice.
const ROLLS: u64 = 21;
/// The maximum number of mistakes to show per side.
const MAX_MISTAKES: usize = 3;
/// The minimum loss of a mistake, in thousandths of a win.
const MIN_MISTAKE: u16 = 50;
/// The maximum size of a stored evaluation, in bytes.
pub const MAX_BYTES: usize = 400_000;

/// The stored evaluation of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// The version of the engine.
    pub engine: u32,
    /// The level of the engine.
    pub level: u8,
    /// The total number of nodes searched.
    pub nodes: u64,
    /// The plies, oldest first.
    pub plies: Vec<EvaluatedPly>,
    /// The first side's winning chances at the end, in thousandths.
    pub end: u16,
}

/// The evaluation of a ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluatedPly {
    /// The ply, as shown in lists of moves.
    pub ply: String,
    /// The move that the computer prefers; `None` if it agrees, or the ply isn't a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<String>,
    /// The first side's winning chances before the ply, in thousandths.
    pub chance: u16,
    /// The winning chances that the ply cost its side, in thousandths.
    pub lost: u16,
}

/// A move that cost its side winning chances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake<'a> {
    /// The number of the ply, from 1.
    pub number: usize,
    /// The evaluation of the ply.
    pub evaluated: &'a EvaluatedPly,
}

impl Evaluation {
    /// Parses a stored evaluation; `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Evaluation> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let evaluation: Evaluation = serde_json::from_str(text).ok()?;
        let are_valid = evaluation.plies.iter().all(|ply| ply.chance <= 1000 && ply.lost <= 1000);
        if !are_valid || evaluation.end > 1000 {
            return None;
        }
        Some(evaluation)
    }

    /// Returns the text of the stored evaluation.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Returns the first side's winning chances before each ply and at the end, in thousandths.
    pub fn chances(&self) -> Vec<u16> {
        self.plies.iter().map(|ply| ply.chance).chain([self.end]).collect()
    }

    /// Returns the mistakes of a side, worst first. `seats` are the seats of the plies.
    pub fn mistakes(&self, seats: &[Seat], side: Seat) -> Vec<Mistake<'_>> {
        let own_plies = self.plies.iter().zip(seats).enumerate().filter(|(_, (_, seat))| **seat == side);
        let mistakes = own_plies.map(|(index, (evaluated, _))| Mistake { number: index + 1, evaluated });
        let mut mistakes: Vec<_> = mistakes.filter(|mistake| mistake.evaluated.lost >= MIN_MISTAKE).collect();
        mistakes.sort_by_key(|mistake| (std::cmp::Reverse(mistake.evaluated.lost), mistake.number));
        mistakes.truncate(MAX_MISTAKES);
        mistakes
    }
}

/// Whether a game may be evaluated and has at least one ply.
pub fn can_evaluate(table: &AnyTable) -> bool {
    with_table!(table, table => {
        let is_over = matches!(table.status(), TableStatus::Won(_) | TableStatus::Draw);
        let allows_hints = table.status() == TableStatus::Playing && (table.terms().open.is_some() || table.occupants().computer().is_some());
        (is_over || allows_hints) && table.plies().len() > 0
    })
}

/// Returns the seats of the plies.
pub fn ply_seats(table: &AnyTable) -> Vec<Seat> {
    with_table!(table, table => table.plies().map(|ply| ply.seat).collect())
}

/// Evaluates a game with about `nodes` nodes, reusing what `known` already covers.
///
/// Returns `None` if nothing is new, or even the lowest level would exceed the budget.
pub fn evaluate(table: &AnyTable, known: Option<&Evaluation>, nodes: u64) -> Option<Evaluation> {
    with_table!(table, table => evaluate_table(table, known, nodes))
}

/// Whether an evaluation covers exactly the current plies of a game.
pub fn is_current(table: &AnyTable, known: &Evaluation) -> bool {
    with_table!(table, table => common_plies(table, known) == table.plies().len() && known.plies.len() == table.plies().len())
}

/// Returns the number of leading plies that an evaluation shares with a game.
fn common_plies<G: Game>(table: &Table<G>, known: &Evaluation) -> usize {
    if known.engine != G::ENGINE_VERSION {
        return 0;
    }
    table.plies().zip(&known.plies).take_while(|(ply, known)| ply.move_list_entry() == known.ply).count()
}

fn evaluate_table<G: Game>(table: &Table<G>, known: Option<&Evaluation>, nodes: u64) -> Option<Evaluation> {
    let count = table.plies().len();
    // The cost of a ply depends on the position after it, so search the last known ply again.
    let reusable = known.map_or(0, |known| common_plies(table, known).saturating_sub(1));
    let (level, mut plies, mut nodes_used) = match known {
        Some(known) if reusable > 0 => {
            if known.plies.len() == count && reusable + 1 == count {
                return None;
            }
            (Level::new(known.level)?, known.plies[..reusable].to_vec(), known.nodes)
        }
        _ => (highest_affordable_level(table, nodes)?, Vec::new(), 0),
    };
    for ply in table.plies().skip(plies.len()) {
        let before = assess(ply.before, level, &mut nodes_used)?;
        let is_other_move = match (&before.preferred, ply.played) {
            (Some(preferred), Some((_, notation))) => preferred != notation,
            _ => false,
        };
        let mut lost = 0;
        if is_other_move {
            let after = position_chance(ply.after, level, &mut nodes_used)?;
            let own_chance = |chance: u16| if ply.seat == Seat::First { chance } else { 1000 - chance };
            lost = own_chance(before.chance).saturating_sub(own_chance(after));
        }
        plies.push(EvaluatedPly {
            ply: ply.move_list_entry(),
            better: if lost > 0 { before.preferred } else { None },
            chance: before.chance,
            lost,
        });
    }
    let end = match table.status() {
        TableStatus::Won(seat) => outcome_chance(Outcome::Won(seat)),
        TableStatus::Draw => outcome_chance(Outcome::Draw),
        _ => position_chance(table.game(), level, &mut nodes_used)?,
    };
    Some(Evaluation { engine: G::ENGINE_VERSION, level: level.number(), nodes: nodes_used, plies, end })
}

/// Returns the highest level at which a game stays within `nodes` nodes, extrapolated from three of its positions.
fn highest_affordable_level<G: Game>(table: &Table<G>, nodes: u64) -> Option<Level> {
    let count = table.plies().len();
    let samples: Vec<_> = [1, 2, 3].iter().filter_map(|part| table.timeline().ply_at(count * part / 4)).collect();
    let positions = count as u64 * if G::HAS_DICE { 1 + ROLLS } else { 1 };
    let cost = |level: Level| {
        let nodes = samples.iter().filter_map(|ply| ply.before.choose(level, 0)).map(|chosen| chosen.nodes);
        nodes.max().unwrap_or_default().saturating_mul(positions)
    };
    let levels = LEVELS.into_iter().filter_map(Level::new);
    levels.take_while(|level| cost(*level) <= nodes).last()
}

/// The assessment of a position.
struct Assessment {
    /// The best move; `None` if there is no move to choose.
    preferred: Option<String>,
    /// The first side's winning chances, in thousandths.
    chance: u16,
}

/// Searches a position for the best move and the first side's winning chances.
fn assess<G: Engine + Notation>(game: &G, level: Level, nodes_used: &mut u64) -> Option<Assessment> {
    let Some(chosen) = game.choose(level, 0) else {
        return Some(Assessment { preferred: None, chance: position_chance(game, level, nodes_used)? });
    };
    *nodes_used += chosen.nodes;
    let chance = for_first_side(game.side_to_move(), G::win_chance(chosen.score));
    Some(Assessment { preferred: Some(game.notation(&chosen.mv)), chance })
}

/// Returns the first side's winning chances in a position, averaged over all rolls if one comes next.
fn position_chance<G: Engine>(game: &G, level: Level, nodes_used: &mut u64) -> Option<u16> {
    if let Some(outcome) = game.outcome() {
        return Some(outcome_chance(outcome));
    }
    if !game.needs_roll() {
        let chosen = game.choose(level, 0)?;
        *nodes_used += chosen.nodes;
        return Some(for_first_side(game.side_to_move(), G::win_chance(chosen.score)));
    }
    let mut sum = 0;
    for (one, two) in (1..=6).flat_map(|one| (one..=6).map(move |two| (one, two))) {
        let next = game.with_roll([one, two]);
        // A tied opening roll, or a turn without a play: count it as even.
        let chance = match next.choose(level, 0) {
            Some(chosen) => {
                *nodes_used += chosen.nodes;
                for_first_side(next.side_to_move(), G::win_chance(chosen.score))
            }
            None => next.outcome().map_or(500, outcome_chance),
        };
        sum += u32::from(chance) * if one == two { 1 } else { 2 };
    }
    u16::try_from(sum / 36).ok()
}

fn outcome_chance(outcome: Outcome) -> u16 {
    match outcome {
        Outcome::Won(Seat::First) => 1000,
        Outcome::Won(Seat::Second) => 0,
        Outcome::Draw => 500,
    }
}

/// Converts the winning chances of the side to move to the first side's.
fn for_first_side(side_to_move: Seat, chance: u16) -> u16 {
    let chance = chance.min(1000);
    if side_to_move == Seat::First { chance } else { 1000 - chance }
}
