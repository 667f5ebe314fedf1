//! Parsing of PGN files: comments, variations, several games, errors.

use answers::render;
use answers::sentences;
use expect_test::expect;
use games::chess::pgn::reader::parse_games;

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
        "[FEN \"8/8/8/4k3/8/4K3/8/8 w - - 0 1\"]\n\n*",
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
        "\u{0}\u{0}",
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
        1: Invalid fen: the game is already over in this position
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
        1: White's move 1, (nothing that can be shown), isn't a move"#]]
    .assert_eq(&errors.join("\n"));
    let long = format!("1. {}", "e4".repeat(40));
    assert_eq!(import_one(&long).unwrap_err(), "1: this word is too long for a move");
    let many = "Nf3 Nf6 Ng1 Ng8 ".repeat(600);
    assert!(
        import_one(&many)
            .unwrap_err()
            .starts_with("1: White's move 9, `Nf3`, comes after the end of the game: fivefold")
    );
}
