//! PGN as other programs write it.

use game::{Notation, PositionJson, Rules};
use games::chess::pgn::parse_games;
use games::chess::{Chess, GameConfig};
use interop::import::import_game;
use proptest::prelude::*;
use table::{IssueNumber, UserId};

use super::played::{export, play};

/// Annotations that programs write after a move.
const NOISE: &[&str] = &[
    " ",
    "\n",
    " {a comment; with ( and [} ",
    " ; the rest of a line )\n",
    " $14 ",
    "!? ",
    " += ",
    " = ",
    " +/- ",
    "\u{b1} ",
    " \u{221e} ",
    " \u{25a1} ",
    " N ",
    " (1. e4 (1. d4 {x}) e5) ",
    "\u{1a} ",
    "\n% an escaped line\n",
    " 12... ",
];
/// Possible ends of a file.
const ENDS: &[&str] = &["", "\n", " *", "\r\n\u{1a}", "\0\0\0", " *\n\u{1a}\0\0"];

/// Spells a move as an older program.
fn respell(san: &str, way: usize) -> String {
    match way % 6 {
        1 => san.replace('=', ""),
        2 => match san.split_once('=') {
            Some((mv, piece)) => format!("{mv}({}){}", &piece[..1], &piece[1..]),
            None => san.to_owned(),
        },
        3 => san.replace("O-O-O", "0-0-0").replace("O-O", "0-0"),
        4 => san.trim_end_matches(['+', '#']).to_owned(),
        5 => san.replace('#', " mate").replace('+', "\u{2020}"),
        _ => san.to_owned(),
    }
}

/// Returns a game as text, with noise after its moves.
fn written(start: &Chess, moves: &[usize], noise: &[usize], end: usize) -> (String, Vec<String>) {
    let (mut game, mut sans) = (start.clone(), Vec::new());
    let mut text = format!("[FEN \"{}\"]\n[Variant \"Chess960\"]\n\n", fen(&game));
    for (ply, choice) in moves.iter().enumerate() {
        let legal = game.legal_moves();
        let Some(mv) = legal.get(choice % legal.len().max(1)) else { break };
        let san = game.notation(mv);
        let junk = noise.get(ply).copied().unwrap_or_default();
        text += &format!("{}{}", respell(&san, junk / NOISE.len()), NOISE[junk % NOISE.len()]);
        sans.push(san);
        game = game.play(mv);
    }
    (text + ENDS[end % ENDS.len()], sans)
}

fn fen(game: &Chess) -> String {
    game.position().fen
}

fn people() -> [(UserId, String); 2] {
    [(UserId::new(1), "ann".to_owned()), (UserId::new(2), "ben".to_owned())]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Promotions are frequent from the second start.
    #[test]
    fn noise_changes_no_move(
        start in prop::sample::select(vec![None, Some("1n4nk/PPPPPP2/8/8/8/8/pppppp2/1N4NK w - - 0 1")]),
        moves in prop::collection::vec(any::<usize>(), 0..80),
        noise in prop::collection::vec(any::<usize>(), 80),
        end in any::<usize>(),
    ) {
        let config = GameConfig { fen: start.map(str::to_owned), ..GameConfig::default() };
        let (text, sans) = written(&Chess::start(&config).unwrap(), &moves, &noise, end);
        let games: Vec<_> = parse_games(&text).collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(games.len(), 1, "{}", text);
        let table = import_game(&games[0], IssueNumber::new(7), &people());
        let table = table.map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
        let played: Vec<&str> = table.plies().map(|ply| ply.played.unwrap().1).collect();
        prop_assert_eq!(&played, &sans, "{}", text);
        // The export of an import gives the same record.
        let text = export(&table);
        let again = parse_games(&text).next().unwrap().unwrap();
        prop_assert_eq!(import_game(&again, IssueNumber::new(7), &people()), Ok(table), "{}", text);
    }

    #[test]
    fn an_export_is_imported_with_the_same_moves(
        chess960 in prop::option::of(0u16..960),
        moves in prop::collection::vec(any::<usize>(), 0..400),
        resigns in any::<bool>(),
    ) {
        let config = GameConfig { chess960, chosen: chess960.is_some(), ..GameConfig::default() };
        let table = play::<Chess>(config, &moves, resigns);
        let text = export(&table);
        let again = parse_games(&text).next().unwrap().unwrap();
        let again = import_game(&again, IssueNumber::new(7), &people());
        let again = again.map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
        prop_assert_eq!(again.status(), table.status(), "{}", text);
        prop_assert_eq!(again.game().fen(), table.game().fen());
    }
}
