//! Tests that a replay shows exactly the board of some ply at every moment, and the last board without animation.

use std::collections::{HashMap, HashSet};

use answers::board_picture;
use game::replay::{INTRO_MS, MAX_GAME_MS, MAX_REPLAY_BYTES};
use game::{Drawing, Seat};
use games::backgammon::Backgammon;
use games::tic_tac_toe::TicTacToe;
use games::ultimate_tic_tac_toe::UltimateTicTacToe;

use super::check;
use super::tables::TableBuilder;

const ALICE_BOB: [&str; 2] = ["alice", "bob"];

/// A parsed replay: its shapes in paint order, and the times of the style sheet in milliseconds.
struct ParsedReplay {
    shapes: Vec<ParsedShape>,
    delays: HashMap<String, usize>,
    durations: HashMap<String, usize>,
    /// The time for which a class is hidden after the first view of the end.
    hidden: HashMap<String, usize>,
    /// The time that the progress line takes to grow.
    grows: usize,
}

struct ParsedShape {
    line: String,
    classes: Vec<String>,
    hidden: bool,
}

impl ParsedReplay {
    fn parse(svg: &str) -> ParsedReplay {
        let (_, style) = svg.split_once("@media (prefers-reduced-motion:no-preference){\n").unwrap();
        let (style, rest) = style.split_once("}\n@media").unwrap();
        let (defs, body) = rest.split_once("</defs>\n").unwrap();
        let mut rules = style.lines();
        assert_eq!(
            rules.next(),
            Some("@keyframes show{0%,to{visibility:visible}}@keyframes hide{0%,to{visibility:hidden}}")
        );
        assert_eq!(rules.next(), Some("[class]{animation-name:show}"));
        let (mut delays, mut durations, mut hidden, mut grows) = (HashMap::new(), HashMap::new(), HashMap::new(), 0);
        for rule in rules {
            let (class, rule) = rule[1..].split_once('{').unwrap();
            let (rule, rest) = rule.split_once('}').unwrap();
            let (what, value) = rule.split_once(':').unwrap();
            let time = |text: &str| text.strip_suffix("ms").unwrap().parse::<usize>().unwrap();
            match (what, value.split(' ').collect::<Vec<_>>()[..].as_ref()) {
                ("animation-delay", [delay]) => drop(delays.insert(class.to_owned(), time(delay))),
                ("animation-duration", [duration]) => drop(durations.insert(class.to_owned(), time(duration))),
                ("animation", ["hide", duration, delay]) => {
                    assert_eq!(time(delay), INTRO_MS);
                    hidden.insert(class.to_owned(), time(duration));
                }
                ("animation", ["grow", duration, "linear", delay]) => {
                    assert_eq!((time(delay), rest), (INTRO_MS, "@keyframes grow{0%{stroke-dashoffset:1}}"));
                    grows = time(duration);
                }
                other => panic!("{other:?}"),
            }
        }
        let (mut shapes, mut past) = (Vec::new(), false);
        for line in body.lines().filter(|line| !line.contains("class=\"p\"")) {
            match line {
                "<g visibility=\"hidden\">" => past = true,
                _ if line.starts_with("</") => past = false,
                _ if line.starts_with("<g ") => assert!(!past, "{line}"),
                _ => shapes.push(ParsedShape::parse(line, past, defs)),
            }
        }
        ParsedReplay { shapes, delays, durations, hidden, grows }
    }

    /// Returns what is visible at a time, in milliseconds from the start.
    fn visible_at(&self, time: usize) -> Vec<&str> {
        let visible = |shape: &&ParsedShape| match &shape.classes[..] {
            [] => !shape.hidden,
            [lasting] => {
                assert!(!shape.hidden);
                !(INTRO_MS..INTRO_MS + self.hidden[lasting]).contains(&time)
            }
            [start, length] => {
                assert!(shape.hidden);
                (self.delays[start]..self.delays[start] + self.durations[length]).contains(&time)
            }
            other => panic!("{other:?}"),
        };
        self.shapes.iter().filter(visible).map(|shape| shape.line.as_str()).collect()
    }

    /// Returns what is visible without animation.
    fn visible_without_animation(&self) -> Vec<&str> {
        self.shapes.iter().filter(|shape| !shape.hidden).map(|shape| shape.line.as_str()).collect()
    }
}

impl ParsedShape {
    /// Parses a line, and replaces a reference to a symbol by the symbol.
    fn parse(line: &str, hidden: bool, defs: &str) -> ParsedShape {
        let (mut line, mut classes) = (line.to_owned(), Vec::new());
        if let Some((before, rest)) = line.clone().split_once(" class=\"") {
            let (names, after) = rest.split_once('"').unwrap();
            classes = names.split(' ').map(ToOwned::to_owned).collect();
            line = format!("{before}{after}");
        }
        if let Some(id) = line.strip_prefix("<use href=\"#s").and_then(|rest| rest.strip_suffix("\"/>")) {
            let id = format!(" id=\"s{id}\"");
            line = defs.lines().find(|symbol| symbol.contains(&id)).unwrap().replacen(&id, "", 1);
        }
        ParsedShape { line, classes, hidden }
    }
}

/// Returns the lines of a drawing.
fn lines(drawing: &Drawing) -> Vec<String> {
    let mut lines = Vec::new();
    for layer in &drawing.layers {
        let mut seen = HashSet::new();
        lines.extend(layer.shapes.iter().filter(|shape| seen.insert(*shape)).map(ToString::to_string));
    }
    lines
}

fn sorted<T: AsRef<str>>(lines: &[T]) -> Vec<&str> {
    let mut lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    lines.sort_unstable();
    lines
}

/// Checks every frame of a table's replay. Returns the SVG.
#[track_caller]
fn check_frames(game: &TableBuilder) -> String {
    let table = game.build();
    let svg = board_picture::replay(&table, None);
    check::check_svg(&svg);
    let replay = ParsedReplay::parse(&svg);
    let plies = board_picture::ply_count(&table);
    let last = board_picture::current(&table);
    let end = lines(&last.drawing());
    let assert_frame = |time, expected: &[String], when: &str| {
        assert_eq!(sorted(&replay.visible_at(time)), sorted(expected), "{when}");
    };
    // The end for two seconds, then the game for at most twenty, then the end for good.
    for time in [0, 1, 1_000, 1_999] {
        assert_frame(time, &end, "at first");
    }
    let frame = if plies > 20 { 20_000 / plies } else { 1_000 };
    assert_eq!(replay.grows, plies * frame * usize::from(plies > 0));
    assert!(replay.grows <= MAX_GAME_MS && MAX_GAME_MS == 20_000);
    for ply in 0..plies {
        let mut picture = board_picture::at_ply(&table, ply).unwrap();
        if let Some(viewer) = last.board.viewer() {
            picture.board.set_viewer(viewer);
        }
        let (expected, begin) = (lines(&picture.drawing()), 2_000 + ply * frame);
        for time in [begin, begin + frame / 2, begin + frame - 1] {
            assert_frame(time, &expected, &format!("ply {ply}"));
        }
    }
    for after in [0, 1, 1_000, 100_000] {
        assert_frame(2_000 + plies * frame + after, &end, "at last");
    }
    assert_eq!(sorted(&replay.visible_without_animation()), sorted(&lines(&last.drawing())));
    svg
}

#[test]
fn tic_tac_toe() {
    assert!(check_frames(&TableBuilder::open::<TicTacToe>("", ALICE_BOB)).len() < 4_000);
    assert!(check_frames(&TableBuilder::open::<TicTacToe>("", ALICE_BOB).play("b2 a1")).len() < 5_000);
    assert!(check_frames(&TableBuilder::open::<TicTacToe>("", ALICE_BOB).play_to_end()).len() < 8_000);
    // A still picture of this board combines its marks; a replay never does.
    let full = TableBuilder::open::<TicTacToe>("size=12 k=12", ALICE_BOB).play_to_end();
    assert!(board_picture::svg(&full.build()).contains("<marker") && !check_frames(&full).contains("<marker"));
}

#[test]
fn ultimate_tic_tac_toe() {
    for seed in 0..3 {
        assert!(
            check_frames(&TableBuilder::open::<UltimateTicTacToe>("", ALICE_BOB).seed(seed).play_to_end()).len()
                < 80_000
        );
    }
}

#[test]
fn backgammon() {
    let game = TableBuilder::open::<Backgammon>("", ALICE_BOB).seed(3).play_sensibly(400);
    assert!(check_frames(&game).len() < 80_000);
    check_frames(&TableBuilder::open::<Backgammon>("cube=on view=black", ALICE_BOB).seed(5).play_sensibly(30));
    check_frames(&TableBuilder::open::<Backgammon>("match=3", ALICE_BOB).seed(5).play_sensibly(40).resign(Seat::First));
}

/// The board faces the same player in all frames, so that it never jumps.
#[test]
fn replay_keeps_one_view() {
    let table = TableBuilder::open::<Backgammon>("", ALICE_BOB).seed(3).play_sensibly(21).build();
    let [last, before] = [21, 20].map(|ply| board_picture::at_ply(&table, ply).unwrap().board.viewer().unwrap());
    assert_ne!(last, before);
    let svg = board_picture::replay(&table, None);
    assert_eq!(svg.matches(">alice<").count(), 1, "alice's line is always in one place");
}

#[test]
fn shortens_a_long_match_to_its_last_part() {
    let game = TableBuilder::open::<Backgammon>("match=15", ALICE_BOB).seed(5).play_sensibly(900);
    let table = game.build();
    let svg = board_picture::replay(&table, None);
    check::check_svg(&svg);
    assert!((MAX_REPLAY_BYTES * 9 / 10..=MAX_REPLAY_BYTES).contains(&svg.len()), "{}", svg.len());
    assert!(svg.contains(">from move "), "it has a note");
    let replay = ParsedReplay::parse(&svg);
    let still: Vec<&str> =
        replay.visible_without_animation().into_iter().filter(|line| !line.contains("from move")).collect();
    let last: Vec<String> = lines(&board_picture::current(&table).drawing())
        .into_iter()
        .filter(|line| !line.contains("match to"))
        .collect();
    assert_eq!(sorted(&still), sorted(&last));
    assert!((19_000..=20_000).contains(&replay.grows), "{}", replay.grows);
}

#[test]
fn replays_up_to_a_ply() {
    let table = TableBuilder::open::<TicTacToe>("", ALICE_BOB).play("b2 a1 c3 a3").build();
    let part = TableBuilder::open::<TicTacToe>("", ALICE_BOB).play("b2 a1").build();
    let svg = board_picture::replay(&table, Some(2));
    check::check_svg(&svg);
    assert_eq!(svg, board_picture::replay(&part, None));
    assert_eq!(board_picture::replay(&table, Some(99)), board_picture::replay(&table, None));
}
