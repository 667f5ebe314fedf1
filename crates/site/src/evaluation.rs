//! A finished game looked through by the computer: the chances at every ply, and the moves that cost most.
//!
//! Each position is thought about once, at the highest level for which the whole game stays within a number of nodes; a file
//! beside the page keeps what was found, so that only new plies are looked at. A game that goes on is nobody's to look through but
//! for the computer's own opponents and open tables, who may ask for hints there anyway.

use game::contract::{Engine, Game, Notation, Outcome};
use game::engine::Level;
use game::seat::Seat;
use serde::{Deserialize, Serialize};
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::table::Table;

/// The levels that are tried.
const LEVELS: [u8; 5] = [3, 4, 5, 6, 7];
/// The throws of two dice, each once.
const THROWS: u64 = 21;
/// The most mistakes of a side that are named.
const MISTAKES: usize = 3;
/// The least loss that is a mistake, in thousandths of the whole game.
const LEAST: u16 = 50;
/// The size of a file above which it is not read, in bytes.
pub const MAX_BYTES: usize = 400_000;

/// What was found out about a game: the file beside its page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// The version of the engine.
    pub engine: u32,
    /// The level that has looked through it.
    pub level: u8,
    /// The nodes that it took, all together.
    pub nodes: u64,
    /// The plies, oldest first.
    pub plies: Vec<EvaluatedPly>,
    /// The chances of the first side at the end, in thousandths.
    pub end: u16,
}

/// A ply that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluatedPly {
    /// The ply, as a list of moves shows it.
    pub ply: String,
    /// The move that the computer would have made; `None` where it would have been the same, or no move was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better: Option<String>,
    /// The chances of the first side before it, in thousandths.
    pub chance: u16,
    /// The share of the game that the move cost its own side, in thousandths.
    pub lost: u16,
}

/// A move that cost its side something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake<'a> {
    /// The number of the ply, from 1.
    pub number: usize,
    /// The ply and what it cost.
    pub evaluated: &'a EvaluatedPly,
}

impl Evaluation {
    /// Reads the file of a game; `None` for one that is none.
    pub fn parse(text: &str) -> Option<Evaluation> {
        let read: Evaluation = serde_json::from_str(text).ok().filter(|_| text.len() <= MAX_BYTES)?;
        let sound = read.plies.iter().all(|ply| ply.chance <= 1000 && ply.lost <= 1000) && read.end <= 1000;
        sound.then_some(read)
    }

    /// Returns the text of the file.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Returns the chances of the first side before each ply and at the end.
    pub fn chances(&self) -> Vec<u16> {
        self.plies.iter().map(|ply| ply.chance).chain([self.end]).collect()
    }

    /// Returns the worst mistakes of a side, the worst first. `seats` are those of the plies.
    pub fn mistakes(&self, seats: &[Seat], side: Seat) -> Vec<Mistake<'_>> {
        let own = self.plies.iter().zip(seats).enumerate().filter(|(_, (_, seat))| **seat == side);
        let mistakes = own.map(|(at, (judged, _))| Mistake { number: at + 1, evaluated: judged });
        let mut mistakes: Vec<_> = mistakes.filter(|mistake| mistake.evaluated.lost >= LEAST).collect();
        mistakes.sort_by_key(|mistake| (std::cmp::Reverse(mistake.evaluated.lost), mistake.number));
        mistakes.truncate(MISTAKES);
        mistakes
    }
}

/// Tests if a game may be looked through, and has something to look at.
pub fn can_evaluate(table: &AnyTable) -> bool {
    with_table!(table, table => {
        let over = matches!(table.status(), TableStatus::Won(_) | TableStatus::Draw);
        let helped = table.status() == TableStatus::Playing && (table.terms().open.is_some() || table.occupants().computer().is_some());
        (over || helped) && table.plies().len() > 0
    })
}

/// Returns the seats that the plies were made for.
pub fn ply_seats(table: &AnyTable) -> Vec<Seat> {
    with_table!(table, table => table.plies().map(|ply| ply.seat).collect())
}

/// Looks through a game, as far as `known` does not say it already, with about so many nodes. `None` where there is nothing new
/// to find, or not even the lowest level would stay within them.
pub fn evaluate(table: &AnyTable, known: Option<&Evaluation>, nodes: u64) -> Option<Evaluation> {
    with_table!(table, table => evaluated(table, known, nodes))
}

/// Tests if an evaluation is that of a game as it is now.
pub fn is_current(table: &AnyTable, known: &Evaluation) -> bool {
    with_table!(table, table => fits(table, known) == table.plies().len() && known.plies.len() == table.plies().len())
}

/// Returns the number of plies from the start that an evaluation has in common with a game.
fn fits<G: Game>(table: &Table<G>, known: &Evaluation) -> usize {
    if known.engine != G::ENGINE_VERSION {
        return 0;
    }
    table.plies().zip(&known.plies).take_while(|(ply, judged)| ply.move_list_entry() == judged.ply).count()
}

fn evaluated<G: Game>(table: &Table<G>, known: Option<&Evaluation>, nodes: u64) -> Option<Evaluation> {
    let count = table.plies().len();
    // What a ply cost is known from the position after it, so the last one is looked at again.
    let known = known.map(|known| (known, fits(table, known).saturating_sub(1))).filter(|(_, same)| *same > 0);
    let (level, mut judged, mut used) = match known {
        Some((known, _)) if known.plies.len() == count && fits(table, known) == count => return None,
        Some((known, same)) => (Level::new(known.level)?, known.plies[..same].to_vec(), known.nodes),
        None => (affordable(table, nodes)?, Vec::new(), 0),
    };
    for ply in table.plies().skip(judged.len()) {
        let before = look(ply.before, level, &mut used)?;
        let better = before.choice.filter(|_| ply.played.is_some_and(|(_, notation)| before.notation != notation));
        let mut lost = 0;
        if better.is_some() {
            let after = chance(ply.after, level, &mut used)?;
            let own = |chance: u16| if ply.seat == Seat::First { chance } else { 1000 - chance };
            lost = own(before.chance).saturating_sub(own(after));
        }
        judged.push(EvaluatedPly {
            ply: ply.move_list_entry(),
            better: better.filter(|_| lost > 0),
            chance: before.chance,
            lost,
        });
    }
    let end = match table.status() {
        TableStatus::Won(seat) => settled(Outcome::Won(seat)),
        TableStatus::Draw => settled(Outcome::Draw),
        _ => chance(table.game(), level, &mut used)?,
    };
    Some(Evaluation { engine: G::ENGINE_VERSION, level: level.number(), nodes: used, plies: judged, end })
}

/// Returns the highest level at which a game takes no more nodes than this, going by three of its positions.
fn affordable<G: Game>(table: &Table<G>, nodes: u64) -> Option<Level> {
    let count = table.plies().len();
    let samples: Vec<_> = [1, 2, 3].iter().filter_map(|part| table.timeline().ply_at(count * part / 4)).collect();
    let looks = count as u64 * if G::HAS_DICE { 1 + THROWS } else { 1 };
    let costs = |level: Level| {
        let nodes = samples.iter().filter_map(|ply| ply.before.choose(level, 0)).map(|chosen| chosen.nodes);
        nodes.max().unwrap_or_default().saturating_mul(looks)
    };
    let levels = LEVELS.into_iter().filter_map(Level::new);
    levels.take_while(|level| costs(*level) <= nodes).last()
}

/// A position that was thought about.
struct Look {
    choice: Option<String>,
    notation: String,
    chance: u16,
}

/// Thinks about a position: the move, and the chances of the first side with it.
fn look<G: Engine + Notation>(game: &G, level: Level, used: &mut u64) -> Option<Look> {
    match game.choose(level, 0) {
        Some(chosen) => {
            *used += chosen.nodes;
            let notation = game.notation(&chosen.mv);
            let chance = of_first(game.side_to_move(), G::win_chance(chosen.score));
            Some(Look { choice: Some(notation.clone()), notation, chance })
        }
        None => Some(Look { choice: None, notation: String::new(), chance: chance(game, level, used)? }),
    }
}

/// Returns the chances of the first side in a position: over all throws where one comes next.
fn chance<G: Engine>(game: &G, level: Level, used: &mut u64) -> Option<u16> {
    if let Some(outcome) = game.outcome() {
        return Some(settled(outcome));
    }
    if !game.needs_roll() {
        let chosen = game.choose(level, 0)?;
        *used += chosen.nodes;
        return Some(of_first(game.side_to_move(), G::win_chance(chosen.score)));
    }
    let mut sum = 0;
    for (one, two) in (1..=6).flat_map(|one| (one..=6).map(move |two| (one, two))) {
        let next = game.with_roll([one, two]);
        // A first throw that decides nothing, or a turn that passes: as good as even, and seldom.
        let chance = match next.choose(level, 0) {
            Some(chosen) => {
                *used += chosen.nodes;
                of_first(next.side_to_move(), G::win_chance(chosen.score))
            }
            None => next.outcome().map_or(500, settled),
        };
        sum += u32::from(chance) * if one == two { 1 } else { 2 };
    }
    u16::try_from(sum / 36).ok()
}

fn settled(outcome: Outcome) -> u16 {
    match outcome {
        Outcome::Won(Seat::First) => 1000,
        Outcome::Won(Seat::Second) => 0,
        Outcome::Draw => 500,
    }
}

/// Returns the chance of the first side, from that of the side on turn.
fn of_first(to_move: Seat, chance: u16) -> u16 {
    let chance = chance.min(1000);
    if to_move == Seat::First { chance } else { 1000 - chance }
}
