//! The options of `/new`: where a game begins, and the side that its board is seen from.

use game::contract::Rules;
use game::info::OptionInfo;
use game::options::{BadOption, Options};
use game::phrase::{code, phrase, spans};

use crate::chess::config::{CHESS960_SETUPS, GameConfig, View};
use crate::chess::fen;
use crate::chess::game::Chess;

/// The option of `/new` for the position that a game begins with.
pub(super) const FEN: OptionInfo = OptionInfo {
    key: "fen",
    aliases: &["position"],
    description: spans![
        "starts from this position, with underscores instead of spaces: " ("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1")
        " (not rated)"
    ],
};

/// The option of `/new` for a setup of Chess960.
pub(super) const CHESS960: OptionInfo = OptionInfo {
    key: "chess960",
    aliases: &["fischerandom", "fischer-random"],
    description: spans![
        ("chess960=random") " starts from a random Chess960 position, " ("chess960=0") " to "
        ("chess960=959") " from the one with that number (not rated)"
    ],
};

/// The option of `/new` for the side from which the board is seen.
pub(super) const VIEW: OptionInfo = OptionInfo {
    key: "view",
    aliases: &["side", "seen-by"],
    description: spans![("view=black") " shows the board from Black's side"],
};

/// The option of `/new` for the signs on boards of text.
pub(super) const FIGURINES: OptionInfo = OptionInfo {
    key: "figurines",
    aliases: &["figurine"],
    description: spans![("figurines=on") " shows ♔♕♖♗♘♙ instead of letters on text boards"],
};

/// Takes the settings out of the options of a `/new`.
///
/// # Errors
/// A value that none of them can take.
pub(super) fn parse_options(options: &mut Options) -> Result<GameConfig, BadOption> {
    let fen = parse_fen(options)?;
    let (chess960, chosen) = parse_chess960(options)?.map_or((None, false), |(number, chosen)| (Some(number), chosen));
    if fen.is_some() && chess960.is_some() {
        let expected = phrase![code("fen"), " already sets up every piece, so leave out ", code("chess960"), "."];
        return Err(BadOption { key: FEN.key, expected });
    }
    let view = match options.take(VIEW.key, VIEW.aliases).map(|text| text.to_lowercase()).as_deref() {
        None => None,
        Some("white" | "w") => Some(View::White),
        Some("black" | "b") => Some(View::Black),
        Some(_) => {
            let expected = phrase![code("view"), " has to be ", code("white"), " or ", code("black"), "."];
            return Err(BadOption { key: VIEW.key, expected });
        }
    };
    let figurines = match options.take(FIGURINES.key, FIGURINES.aliases).map(|text| text.to_lowercase()).as_deref() {
        None | Some("off" | "no") => false,
        Some("on" | "yes") => true,
        Some(_) => {
            let expected = phrase![code("figurines"), " has to be ", code("on"), " or ", code("off"), "."];
            return Err(BadOption { key: FIGURINES.key, expected });
        }
    };
    Ok(GameConfig { chess960, chosen, fen, view, figurines })
}

/// Takes out the position to begin with, which has to be one that can be played on. Somebody may have left its spaces.
fn parse_fen(options: &mut Options) -> Result<Option<String>, BadOption> {
    let Some(mut text) = options.take(FEN.key, FEN.aliases) else { return Ok(None) };
    let side = options.words.iter().position(|word| matches!(word.as_str(), "w" | "b"));
    if let Some(side) = side.filter(|_| !text.contains(['_', ' '])) {
        let rest = options.words.len().min(side + 5);
        text = [text].into_iter().chain(options.words.drain(side..rest)).collect::<Vec<_>>().join(" ");
    }
    let bad = |fault: String| {
        let expected =
            phrase![code("fen"), fault, " For example, write ", code("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1"), "."];
        BadOption { key: FEN.key, expected }
    };
    let first = fen::parse(&text).map_err(|fault| bad(format!(" isn't a valid position: {fault}.")))?;
    let config = GameConfig { fen: Some(fen::format(&first)), ..GameConfig::default() };
    match Chess::start(&config) {
        Ok(_) => Ok(config.fen),
        Err(_) => Err(bad(" has to be a position where the game isn't over.".to_owned())),
    }
}

/// Takes out the number of a setup, and whether a person chose it. A random number comes from the comment that asks for the game.
fn parse_chess960(options: &mut Options) -> Result<Option<(u16, bool)>, BadOption> {
    let named = |word: &String| [CHESS960.key].iter().chain(CHESS960.aliases).any(|key| word.eq_ignore_ascii_case(key));
    let alone = options.words.iter().position(named).map(|at| options.words.remove(at));
    let alone = alone.map(|_| "random".to_owned());
    let Some(wanted) = options.take(CHESS960.key, CHESS960.aliases).or(alone) else { return Ok(None) };
    let wanted = wanted.to_lowercase();
    let number = |text: &String| text.parse().ok().filter(|number| *number < CHESS960_SETUPS);
    let random = matches!(wanted.as_str(), "random" | "on" | "yes" | "any");
    // Behind the name a number says it, too.
    let behind = options.words.iter().position(|word| random && number(word).is_some());
    let text = behind.map_or(wanted, |at| options.words.remove(at));
    if random && behind.is_none() {
        return Ok(u16::try_from(options.seed % u64::from(CHESS960_SETUPS)).ok().map(|number| (number, false)));
    }
    number(&text).map(|number| Some((number, true))).ok_or_else(|| {
        let range = format!(" has to be a number from 0 to {}, or ", CHESS960_SETUPS - 1);
        let expected = phrase![code("chess960"), range, code("chess960=random"), "."];
        BadOption { key: CHESS960.key, expected }
    })
}
