//! The options of `/new` for chess.

use game::contract::Rules;
use game::info::OptionInfo;
use game::options::{BadOption, Options};
use game::phrase::{code, phrase, spans};

use crate::chess::config::{CHESS960_SETUPS, GameConfig};
use crate::chess::fen;
use crate::chess::game::Chess;
use crate::view::View;

/// The option for the starting position.
pub(super) const FEN: OptionInfo = OptionInfo {
    key: "fen",
    aliases: &["position"],
    description: spans![
        "starts from this position, with underscores instead of spaces: " ("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1")
        " (not rated)"
    ],
};

/// The option for a Chess960 starting position.
pub(super) const CHESS960: OptionInfo = OptionInfo {
    key: "chess960",
    aliases: &["fischerandom", "fischer-random"],
    description: spans![
        ("chess960=random") " starts from a random Chess960 position, " ("chess960=0") " to "
        ("chess960=959") " from the one with that number (not rated)"
    ],
};

/// The option for figurines on text boards.
pub(super) const FIGURINES: OptionInfo = OptionInfo {
    key: "figurines",
    aliases: &["figurine"],
    description: spans![("figurines=on") " shows ♔♕♖♗♘♙ instead of letters on text boards"],
};

/// Takes the settings of a game out of the options.
///
/// # Errors
/// Returns an error if an option has an invalid value.
pub(super) fn parse_options(options: &mut Options) -> Result<GameConfig, BadOption> {
    let fen = parse_fen(options)?;
    let (chess960, chosen) = parse_chess960(options)?.map_or((None, false), |(number, chosen)| (Some(number), chosen));
    if fen.is_some() && chess960.is_some() {
        let expected = phrase![code("fen"), " already sets up every piece, so leave out ", code("chess960"), "."];
        return Err(BadOption { key: FEN.key, expected });
    }
    let view = View::take(options)?;
    let figurines = match options.take(FIGURINES.key, FIGURINES.aliases).map(|text| text.to_lowercase()).as_deref() {
        None | Some("off" | "no") => false,
        Some("on" | "yes") => true,
        Some(_) => {
            let expected = phrase![code("figurines"), " has to be ", code("on"), " or ", code("off"), "."];
            return Err(BadOption { key: FIGURINES.key, expected });
        }
    };
    Ok(GameConfig { chess960, chosen, fen, claimed_draws: false, view, figurines })
}

/// Takes the starting position. The game must not be over in it. An unquoted FEN may have left its other fields in
/// `words`.
fn parse_fen(options: &mut Options) -> Result<Option<String>, BadOption> {
    let Some(mut text) = options.take(FEN.key, FEN.aliases) else { return Ok(None) };
    let side = options.words.iter().position(|word| matches!(word.as_str(), "w" | "b"));
    if let Some(side) = side
        && !text.contains(['_', ' '])
    {
        let end = options.words.len().min(side + 5);
        text = [text].into_iter().chain(options.words.drain(side..end)).collect::<Vec<_>>().join(" ");
    }
    let bad_fen = |problem: String| {
        let expected =
            phrase![code("fen"), problem, " For example, write ", code("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1"), "."];
        BadOption { key: FEN.key, expected }
    };
    let position = fen::parse(&text).map_err(|problem| bad_fen(format!(" isn't a valid position: {problem}.")))?;
    let config = GameConfig { fen: Some(fen::format(&position)), ..GameConfig::default() };
    match Chess::start(&config) {
        Ok(_) => Ok(config.fen),
        Err(_) => Err(bad_fen(" has to be a position where the game isn't over.".to_owned())),
    }
}

/// Takes the number of a Chess960 position, and whether the player chose it. A random number is derived from the seed
/// of the comment.
fn parse_chess960(options: &mut Options) -> Result<Option<(u16, bool)>, BadOption> {
    let is_key =
        |word: &String| [CHESS960.key].iter().chain(CHESS960.aliases).any(|key| word.eq_ignore_ascii_case(key));
    let bare_key = options.words.iter().position(is_key).map(|index| options.words.remove(index));
    let value = options.take(CHESS960.key, CHESS960.aliases).or(bare_key.map(|_| "random".to_owned()));
    let Some(value) = value else { return Ok(None) };
    let mut value = value.to_lowercase();
    let parse_number = |text: &String| text.parse().ok().filter(|number| *number < CHESS960_SETUPS);
    if matches!(value.as_str(), "random" | "on" | "yes" | "any") {
        // `chess960 17` means the same as `chess960=17`.
        let Some(index) = options.words.iter().position(|word| parse_number(word).is_some()) else {
            let number = u16::try_from(options.seed % u64::from(CHESS960_SETUPS)).ok();
            return Ok(number.map(|number| (number, false)));
        };
        value = options.words.remove(index);
    }
    match parse_number(&value) {
        Some(number) => Ok(Some((number, true))),
        None => {
            let range = format!(" has to be a number from 0 to {}, or ", CHESS960_SETUPS - 1);
            let expected = phrase![code("chess960"), range, code("chess960=random"), "."];
            Err(BadOption { key: CHESS960.key, expected })
        }
    }
}
