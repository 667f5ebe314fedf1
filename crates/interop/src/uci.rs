//! The words of the [Universal Chess Interface](https://www.wbec-ridderkerk.nl/html/UCIProtocol.html): commands with their
//! parameters, the engine's options, and the lines that it writes. The loop over them is in the program.

pub mod go;
pub mod position;

use std::time::Duration;

use game::engine::Level;
use games::chess::computer::search::Iteration;
use games::chess::game::Chess;
use games::chess::uci;
use games::search::alpha_beta::{PROVEN_WIN, WIN_VALUE};

/// The commands. UCI wants engines to skip unknown words before a command.
const COMMANDS: [&str; 11] =
    ["debug", "go", "isready", "ponderhit", "position", "quit", "register", "setoption", "stop", "uci", "ucinewgame"];

/// The response to `uci`.
pub const IDENTIFICATION: [&str; 7] = [
    concat!("id name Play by Commit ", env!("CARGO_PKG_VERSION")),
    "id author the contributors to Play by Commit",
    "option name Level type spin default 8 min 1 max 8",
    "option name Ponder type check default false",
    "option name Seed type spin default 0 min 0 max 2147483647",
    "option name UCI_Chess960 type check default false",
    "uciok",
];

/// Returns the words of a line, beginning with its command. Empty if it has no command.
pub fn command_words(line: &str) -> Vec<&str> {
    line.split_whitespace().skip_while(|word| !COMMANDS.contains(word)).collect()
}

/// The options of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The level of play.
    pub level: Level,
    /// Whether castling is written as the king's move to its rook.
    pub chess960: bool,
    /// The seed of all random choices; `None` for a different one each time.
    pub seed: Option<u64>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { level: Level::MAX, chess960: false, seed: None }
    }
}

impl EngineOptions {
    /// Sets an option from the words after `setoption`: `name UCI_Chess960 value true`. Names are case-insensitive and may have
    /// several words.
    ///
    /// # Errors
    /// Returns an error for the user if the option or its value is unsupported. Many programs set `Hash` and `Threads` unasked.
    pub fn set(&mut self, words: &[&str]) -> Result<(), String> {
        let words = &words[words.iter().position(|word| *word == "name").unwrap_or(words.len())..];
        let end = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let (name, value) = match (&words[..end], words[end..].get(1..).unwrap_or_default()) {
            (["name", name @ ..], value) if !name.is_empty() => {
                (name.join(" ").to_lowercase(), value.join(" ").to_lowercase())
            }
            _ => return Err("expected: setoption name NAME value VALUE".to_owned()),
        };
        let result = match name.as_str() {
            "level" => value.parse().ok().and_then(Level::new).map(|level| self.level = level),
            "seed" => value.parse().ok().map(|seed: u64| self.seed = if seed > 0 { Some(seed) } else { None }),
            // Programs that ponder set this option, and then send `go ponder`.
            "ponder" => value.parse().ok().map(|_: bool| ()),
            "uci_chess960" => value.parse().ok().map(|chess960| self.chess960 = chess960),
            "hash" | "threads" => {
                return Err(format!(
                    "{name} can't be changed: the computer uses one thread and a fixed amount of memory"
                ));
            }
            _ => return Err(format!("unknown option: {}", truncated(&name))),
        };
        result.ok_or_else(|| format!("{name} can't be {}", truncated(&value)))
    }
}

/// Returns the line about a finished depth of a search.
pub fn info_line(game: &Chess, iteration: &Iteration, nodes: u64, elapsed: Duration, chess960: bool) -> String {
    let millis = elapsed.as_millis();
    let nodes_per_second = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let line = uci::format_line(game, &iteration.pv, chess960);
    let (depth, score) = (iteration.depth, format_score(iteration.score));
    format!("info depth {depth} score {score} nodes {nodes} nps {nodes_per_second} time {millis} pv {line}")
}

/// Formats a score for UCI: in centipawns, or in moves to mate.
fn format_score(score: i32) -> String {
    let moves_to_mate = (WIN_VALUE - score.abs() + 1) / 2;
    if score >= PROVEN_WIN {
        format!("mate {moves_to_mate}")
    } else if score <= -PROVEN_WIN {
        format!("mate -{moves_to_mate}")
    } else {
        format!("cp {score}")
    }
}

/// Returns the printable beginning of untrusted text.
pub fn truncated(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
