//! Fuzzes the move parsers in positions reached by play.

use answers::render::markdown;
use game::{Game, IllegalMove, Options, ParseMoveError, apply_move, cell};

/// The largest number of moves from the start to a position.
const PLIES: usize = 200;

/// Reads the setup from the first line, then one byte per move or roll up to the next line break, then up to eight
/// lines to parse as moves.
pub fn moves<G: Game>(data: &[u8]) {
    let mut parts = data.splitn(3, |byte| *byte == b'\n');
    let mut part = || parts.next().unwrap_or_default();
    let (setup, plies, text) = (part(), part(), part());
    let (Some(setup), Some(text)) = (super::text(setup), super::text(text)) else { return };
    let Some(config) = configured::<G>(setup) else { return };
    let mut game = G::start(&config).expect("what was configured can be started");
    for choice in plies.iter().take(PLIES).map(|byte| usize::from(*byte)) {
        if game.needs_roll() {
            game = game.with_roll([choice % 6, choice / 6 % 6].map(|die| 1 + die as u8));
            continue;
        }
        let legal = game.legal_moves();
        let Some(mv) = legal.get(choice % legal.len().max(1)) else { break };
        game = apply_move(&game, mv).expect("a legal move can be played");
    }
    assert_eq!(game.legal_moves().is_empty(), game.outcome().is_some() || game.needs_roll());
    for text in text.split('\n').take(8) {
        reads(&game, text);
    }
    // Texts that almost look like moves.
    for mv in game.legal_moves().iter().take(3) {
        let name = game.notation(mv);
        assert_eq!(game.parse_move(&name).as_ref(), Ok(mv), "{name} is read as what it names");
        reads(&game, &format!("{name}{text}"));
    }
}

/// Parses the words and pairs of a `/new` command, as far as the game accepts them.
fn configured<G: Game>(setup: &str) -> Option<G::Config> {
    let mut options = Options::default();
    for word in setup.split_whitespace() {
        match word.split_once('=') {
            Some((key, value)) => options.pairs.push((key.to_owned(), value.to_owned())),
            None => options.words.push(word.to_owned()),
        }
    }
    match G::configure(&mut options) {
        Ok(config) => Some(config),
        Err(bad) => {
            assert!(!markdown(&bad.message).contains('\n') && !bad.key.is_empty(), "{bad:?}");
            None
        }
    }
}

/// Checks that a parsed move is legal or gets an explanation, and that its spelling doesn't matter.
fn reads<G: Game>(game: &G, text: &str) {
    let read = game.parse_move(text);
    match &read {
        Ok(mv) => {
            let legal = game.legal_moves().contains(mv);
            assert_eq!(legal, game.is_legal(mv), "{text:?}");
            assert_eq!(legal, apply_move(game, mv).is_ok(), "{text:?}");
            if legal {
                let name = game.notation(mv);
                assert_eq!(game.parse_move(&name).as_ref(), Ok(mv), "{text:?} is {name}");
                assert!(!name.is_empty() && name.len() < 100 && !name.contains(['`', '\n']), "{name:?}");
                assert!(!game.move_list_entry(mv).contains(['`', '\n']));
                game.move_list_heading(mv);
                G::action_phrase(mv);
            } else {
                let IllegalMove { message, context, explanation, .. } = game.why_illegal(mv);
                assert!(message.len() < 4_000 && !message.contains(['\n', '`']), "{message}");
                assert!(context.is_object());
                let sentence = markdown(&explanation.unwrap_or_default());
                assert!(sentence.len() < 1_000 && !sentence.contains('\n'), "{sentence:?}");
            }
        }
        Err(ParseMoveError::NotAMove) => {}
        Err(ParseMoveError::OutOfRange(violation)) => {
            let sentence = &violation.message;
            let closed = sentence.matches('`').count() % 2 == 0;
            assert!(sentence.len() < 500 && !sentence.contains('\n') && closed, "{sentence:?}");
        }
        Err(ParseMoveError::Ambiguous(names)) => {
            assert!(names.len() > 1);
            for name in names {
                let mv =
                    game.parse_move(name).unwrap_or_else(|error| panic!("{text:?} could mean {name:?}: {error:?}"));
                assert_eq!(&game.notation(&mv), name);
                // Cells can be taken: a game looks for them on the board, without the rules.
                assert!(game.is_legal(&mv) || cell::parse_cell_ref(name).is_some(), "{text:?} could mean {name:?}");
            }
        }
    }
    if !G::CASE_SENSITIVE {
        assert_eq!(game.parse_move(&text.to_ascii_uppercase()), read, "case does not matter in {text:?}");
    }
    if read.is_ok() {
        for spelling in [format!("  {text} "), format!("{text}!"), format!("{text} \u{1f642}")] {
            assert_eq!(game.parse_move(&spelling), read, "{spelling:?} is {text:?}");
        }
    }
}
