//! Parsing of PGN files: comments, variations, several games, errors.

use answers::render;
use answers::sentences;
use expect_test::expect;
use games::chess::Chess;
use games::chess::pgn::{parse_games, parse_result};

use super::{import_one, san_moves};

const TANGLED: &str = r#"% an escaped line, {not a comment
[White "Ann \"the \\ fox\" Oak"]
[result "1-0" ] [Black  "Ben"]
[Annotator "He said "well played" twice"]

{A comment; with ( and [ and } 1.e4! {[%clk 0:09:58]} e5 (1... c5 2. Nf3 (2. c3 {Alapin)} d5) 2... d6 $1)
; the rest of a line } ) ]
2.Nf3$14 Nc6?! 3 . Bb5 a6 4.0-0 ! Nf6 5. d4 exd4 6. e5 Ne4 7. Re1 d5 8. exd6 e.p. f5 9. dxc7 Qxc7 $6 $18 1-0
; behind the game
"#;

#[test]
fn skips_comments_variations_and_annotations() {
    let table = import_one(TANGLED).unwrap();
    let expected = "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 d4 exd4 e5 Ne4 Re1 d5 exd6 f5 dxc7 Qxc7";
    assert_eq!(san_moves(&table).join(" "), expected);
    assert_eq!(render::plain(&sentences::ending(&table)), "ann (White) won. The record doesn't say how.");
    assert_eq!(import_one(&TANGLED.replace('\n', "\r\n")), Ok(table));
    let game = parse_games(TANGLED).next().unwrap().unwrap();
    assert_eq!(game.tag("white"), Some(("Ann \"the \\ fox\" Oak", 2)));
    assert_eq!(game.tag("ANNOTATOR"), Some(("He said \"well played\" twice", 4)));
}

#[test]
fn splits_a_file_into_games() {
    let text = "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4\n\n[White \"c\"]\n1-0\n1. c4 c5 1/2-1/2 e4 e5";
    let all: Vec<String> = parse_games(text)
        .map(|game| game.unwrap())
        .map(|game| {
            let moves: Vec<&str> = game.moves.iter().map(|(text, _)| *text).collect();
            format!("{} {moves:?} {}", game.tag("White").map_or("-", |(name, _)| name), game.result.unwrap_or("-"))
        })
        .collect();
    let expected = [r#"a ["e4"] *"#, r#"b ["d4"] -"#, "c [] 1-0", r#"- ["c4", "c5"] 1/2-1/2"#, r#"- ["e4", "e5"] -"#];
    assert_eq!(all, expected);
    for nothing in ["", "\u{feff}", " \n\n", "; only this", "{and this}\n% and this"] {
        assert_eq!(parse_games(nothing).next(), None, "{nothing:?}");
    }
}

#[test]
fn a_game_of_tags_alone_ends_where_its_tags_repeat() {
    let text = "[Event \"A\"]\n[Result \"*\"]\n\n[Event \"B\"]\n[White \"b\"]\n\n1. d4 *\n\n[Event \"C\"]\n\n[White \"c\"]\n\n1. c4 *";
    let games: Vec<_> = parse_games(text).map(|game| game.unwrap()).collect();
    let shown: Vec<_> =
        games.iter().map(|game| (game.tag("Event").unwrap().0, game.tags.len(), game.moves.len())).collect();
    // An empty line between the tags of one game is common.
    assert_eq!(shown, [("A", 2, 0), ("B", 2, 1), ("C", 2, 1)]);
}

#[test]
fn reads_results_with_any_dash() {
    for (result, expected) in [
        ("1–0", "1-0"),
        ("0—1", "0-1"),
        ("1−0", "1-0"),
        ("1:0", "1-0"),
        ("½–½", "1/2-1/2"),
        ("1/2–1/2", "1/2-1/2"),
        ("1／2-1／2", "1/2-1/2"),
    ] {
        let text = format!("[Result \"{result}\"]\n\n1. e4 e5 {result}\n");
        let game = parse_games(&text).next().unwrap().unwrap();
        assert_eq!((game.result, game.moves.len()), (Some(expected), 2), "{result}");
        assert_eq!(parse_result(game.tag("Result").unwrap().0), Some(expected), "{result}");
    }
}

#[test]
fn reports_errors_with_their_line() {
    let invalid_games = [
        "1. e4\n{ it never ends",
        "1. e4 (1. d4\n(1. c4) 1... d5",
        "1. e4\n) e5",
        "1. e4\n} e5",
        "1. e4\n$ e5",
        "\n<1. e4>",
        "[White ann]\n",
        "[White \"ann\"\n]",
        "[White \"ann]\n\n1. e4",
        "[Wh ite \"ann\"]",
        "[\"",
        "[Variant \"Atomic\"]\n\n1. e4",
        "[Event \"\"]\n[FEN \"8/8/8/8 w - -\"]\n\n1. e4",
        "[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\"]\n\n*",
        "[Result \"2-0\"]\n\n1. e4",
        "[Result \"1-0\"]\n\n1. e4\n0-1",
        "1. e4 e5\n2. Ke3",
        "1. e4 e5\n2. Ng3",
        "1. e4 e5\n2. --",
        "1. Nf3 d5 2. d3 d4\n3. Nd2",
        "1. e4 e5\n2. `@octocat`\u{1b}2J",
        "1. f3 e5 2. g4 Qh4#\n3. Kf2",
        "[Result \"1-0\"]\n1. f3 e5\n2. g4 Qh4#",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 20\"]\n20... Kd8 21. e4\n21... O-O",
        "hello world",
        "[GameType \"21\"]\n\n1. 11-15",
        "[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*",
        "[FEN \"k7/8/1K6/8/8/8/8/R7 w - - 0 1\"]\n1. Ra7 Kb8 2. Ra8# 1/2-1/2",
        "\u{1}\u{1}",
    ];
    let errors: Vec<String> = invalid_games.iter().map(|text| import_one(text).unwrap_err()).collect();
    expect![[r#"
        2: the comment that begins here never ends
        1: the variation that begins here never ends
        2: unexpected `)`: no variation is open
        2: unexpected `}`: no comment is open
        2: a number is missing after `$`
        2: expected a move, but found `<`
        1: a tag is a name and a value in quotation marks: `[White "Carlsen, Magnus"]`
        1: a tag is a name and a value in quotation marks: `[White "Carlsen, Magnus"]`
        1: a tag is a name and a value in quotation marks: `[White "Carlsen, Magnus"]`
        1: a tag is a name and a value in quotation marks: `[White "Carlsen, Magnus"]`
        1: a tag is a name and a value in quotation marks: `[White "Carlsen, Magnus"]`
        1: the bot plays only chess and Chess960
        2: `FEN` isn't a valid position: the first field needs eight ranks
        1: Invalid fen: the game is already over in this position: stalemate
        1: the result `2-0` isn't one of `1-0`, `0-1`, `1/2-1/2`, `*`
        4: the result after the moves is 0-1, but the tag `Result` says 1-0
        2: White's move 2, `Ke3`, isn't legal: The king on e1 can't reach e3
        2: White's move 2, `Ng3`, can't be played: There is no knight that can go to g3
        2: White's move 2, `--`, isn't a move
        2: White's move 3, `Nd2`, could be `Nbd2` or `Nfd2`
        2: White's move 2, `` `@octocat`2J ``, isn't a move
        2: White's move 3, `Kf2`, comes after the end of the game: checkmate
        1: the result is 1-0, but the moves end in 0-1: checkmate
        3: Black's move 21, `O-O`, isn't legal: You can't castle anymore: the king has moved
        1: White's move 1, `hello`, isn't a move
        1: this is a game of draughts: only chess can be imported
        1: `FEN` isn't a valid position: each side needs one king
        1: `FEN` isn't a valid position: the side that just moved can't be in check
        1: White's move 1, (nothing that can be shown), isn't a move"#]]
    .assert_eq(&errors.join("\n"));
    let long = format!("1. {}", "e4".repeat(40));
    assert_eq!(import_one(&long).unwrap_err(), "1: this word is too long for a move");
    let many = "Nf3 Nf6 Ng1 Ng8 ".repeat(600);
    assert_eq!(import_one(&many).unwrap_err(), "1: the game is too long for a record");
}

/// Old programs print the signs of Chess Informant, and end a file with Ctrl-Z or NUL bytes.
#[test]
fn skips_signs_and_marks_of_old_programs() {
    let moves = |text: &str| san_moves(&import_one(text).unwrap_or_else(|error| panic!("{text}: {error}"))).join(" ");
    let signs =
        ["+=", "=", "=+", "+/=", "=/+", "+-", "-+", "+/-", "-/+", "±", "∓", "⩲", "∞", "□", "+", "++", "#", "!?", "$14"];
    for sign in signs {
        assert_eq!(moves(&format!("1. e4 {sign} e5 {sign} 2. Nf3{sign}\n*")), "e4 e5 Nf3", "{sign}");
    }
    for word in ["N", "ch", "mate", "e.p."] {
        assert_eq!(moves(&format!("1. e4 {word} e5 2. Nf3 {word}\n*")), "e4 e5 Nf3", "{word}");
    }
    assert_eq!(moves("1. f3 e5 2. g4 Qh4 mate 0-1"), "f3 e5 g4 Qh4#");
    for end in ["\u{1a}", "\r\n\u{1a}", "\0\0\0", "\u{1a}\0\0\n"] {
        assert_eq!(moves(&format!("1. e4 e5 *{end}")), "e4 e5", "{end:?}");
        assert_eq!(moves(&format!("1. e4 e5{end}")), "e4 e5", "{end:?}");
    }
    assert!(parse_games("\u{1a}").next().is_none());
}

#[test]
fn reads_promotions_in_parentheses() {
    let start = "[FEN \"8/P6k/8/8/8/8/p6K/8 w - - 0 0\"]\n\n";
    for text in [
        "1. a8(Q) a1(N) *",
        "1. a8 (Q) a1 (N)",
        "1. a8=Q a1=N",
        "1. a8(Q) (1. a8(R) a1(Q)) 1... a1(n)",
        "1. a8(Q)!? a1(N)+!?",
    ] {
        assert_eq!(san_moves(&import_one(&format!("{start}{text}")).unwrap()).join(" "), "a8=Q a1=N", "{text}");
    }
}

/// Before 2014 no game ended automatically at the fifth repetition or after 75 moves, and many programs don't end it today.
#[test]
fn imports_games_that_went_on_after_a_draw() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
    let rooks = "Ra2 Kd7 Ra1 Ke7 ";
    let cases = [
        (format!("{shuffle} e4 e5 1-0"), "ann (White) won. The record doesn't say how."),
        (format!("{shuffle} 1/2-1/2"), "The game was a draw. The record doesn't say why."),
        (format!("{shuffle} *"), "The game is still in progress."),
        // The last position has come up five times, and its player resigned.
        (
            format!("[Termination \"normal\"]\n{}0-1", "Nf3 Nf6 Ng1 Ng8 ".repeat(4)),
            "ann (White) resigned. ben (Black) won.",
        ),
        (
            "[FEN \"8/4k3/8/8/8/3K4/8/8 w - - 0 1\"]\n1. Ke4 Kd6 1/2-1/2".to_owned(),
            "The game was a draw. The record doesn't say why.",
        ),
        ("[FEN \"8/4k3/8/8/8/3K4/8/8 w - - 0 1\"]\n*".to_owned(), "The game is still in progress."),
        (
            format!("[FEN \"8/4k3/8/8/8/3K4/8/R7 w - - 149 120\"]\n120. {rooks} 1-0"),
            "ann (White) won. The record doesn't say how.",
        ),
        (
            "[FEN \"8/4k3/8/8/3K4/8/4p3/8 w - - 0 90\"]\nKe3 e1(N) Ke2 Kd6 Kxe1 Kd5 Kd2 1/2-1/2".to_owned(),
            "The game was a draw. The record doesn't say why.",
        ),
    ];
    for (text, ending) in cases {
        let table = import_one(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(table.game().config::<Chess>().unwrap().claimed_draws, "{text}");
        assert_eq!(render::plain(&sentences::ending(&table)), ending, "{text}");
        assert_eq!(import_one(&super::export_table(&table)), Ok(table), "{text}");
    }
    // Other games end by themselves.
    let usual = import_one(&format!("{} 1/2-1/2", "Nf3 Nf6 Ng1 Ng8 ".repeat(4))).unwrap();
    assert!(!usual.game().config::<Chess>().unwrap().claimed_draws);
    assert_eq!(render::plain(&sentences::ending(&usual)), "The game ended in a draw: fivefold repetition.");
}
