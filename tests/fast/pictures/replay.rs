//! A replay shows, at every moment, exactly the board of some ply; and where nothing moves, the last one.

use std::collections::{HashMap, HashSet};

use play_by_commit::answers::replay::MAX_REPLAY;
use play_by_commit::answers::scene;
use play_by_commit::game::board::drawing::Drawing;
use play_by_commit::game::contract::Game;
use play_by_commit::game::seat::Seat;
use play_by_commit::games::backgammon::game::Backgammon;
use play_by_commit::games::tic_tac_toe::game::TicTacToe;
use play_by_commit::games::ultimate_tic_tac_toe::game::UltimateTicTacToe;
use play_by_commit::tables::any::AnyTable;
use play_by_commit::tables::table::Table;

use super::check;
use super::tables::Sitting;

const ALICE_BOB: [&str; 2] = ["alice", "bob"];

/// A replay, taken apart: its shapes in the order in which they are painted, and what the style sheet says.
struct Played {
    shapes: Vec<Shown>,
    period: f64,
    delays: HashMap<String, f64>,
    shares: HashMap<String, f64>,
}

struct Shown {
    line: String,
    classes: Vec<String>,
    hidden: bool,
}

impl Played {
    fn read(svg: &str) -> Played {
        let (_, style) = svg.split_once("@media (prefers-reduced-motion:no-preference){\n").unwrap();
        let (style, body) = style.split_once("</style>\n").unwrap();
        let (mut period, mut delays, mut shares) = (0.0, HashMap::new(), HashMap::new());
        for rule in style.lines() {
            if let Some(rest) = rule.strip_prefix("[class]{animation:") {
                period = rest.strip_suffix("s step-end infinite}").unwrap().parse().unwrap();
            } else if let Some((class, delay)) = rule.split_once("{animation-delay:") {
                let delay = delay.strip_suffix("s}").unwrap().parse().unwrap();
                delays.insert(class[1..].to_owned(), delay);
            } else if let Some((class, rest)) = rule.split_once("{animation-name:") {
                let (name, share) = rest.split_once("}@keyframes ").unwrap();
                assert_eq!(name, &class[1..]);
                let share = share.strip_prefix(&format!("{name}{{0%{{visibility:visible}}")).unwrap();
                let share = share.strip_suffix("%,to{visibility:hidden}}").unwrap();
                shares.insert(name.to_owned(), share.parse().unwrap());
            } else {
                assert!(rule == "}" || rule.starts_with(".p{animation:p "), "{rule}");
            }
        }
        let shapes = body.lines().filter(|line| !line.starts_with("<g ") && !line.starts_with("</"));
        let shapes = shapes.filter(|line| !line.contains("class=\"p\"")).map(Shown::read).collect();
        Played { shapes, period, delays, shares }
    }

    /// What is to be seen at a time, in seconds from the beginning.
    fn at(&self, time: f64) -> Vec<&str> {
        let visible = |shown: &&Shown| {
            let [start, length] = &shown.classes[..] else { return !shown.hidden };
            // Before its delay is over, an animation says nothing.
            if time < self.delays[start] {
                return !shown.hidden;
            }
            let local = (time - self.delays[start]).rem_euclid(self.period) / self.period * 100.0;
            local < self.shares[length]
        };
        self.shapes.iter().filter(visible).map(|shown| shown.line.as_str()).collect()
    }

    /// What is to be seen where nothing moves.
    fn still(&self) -> Vec<&str> {
        self.shapes.iter().filter(|shown| !shown.hidden).map(|shown| shown.line.as_str()).collect()
    }
}

impl Shown {
    fn read(line: &str) -> Shown {
        let (mut line, mut classes) = (line.to_owned(), Vec::new());
        if let Some((before, rest)) = line.clone().split_once(" class=\"") {
            let (names, after) = rest.split_once('"').unwrap();
            classes = names.split(' ').map(ToOwned::to_owned).collect();
            line = format!("{before}{after}");
        }
        let hidden = line.contains(" visibility=\"hidden\"");
        Shown { line: line.replacen(" visibility=\"hidden\"", "", 1), classes, hidden }
    }
}

/// The lines of a drawing.
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

/// Plays a table back and compares every frame.
#[track_caller]
fn check<G: Game>(game: &Sitting<G>) -> String
where
    AnyTable: From<Table<G>>,
{
    let table = game.table();
    let svg = scene::replay(&table, None);
    check::svg(&svg);
    let played = Played::read(&svg);
    let plies = scene::plies(&table);
    let last = scene::now(&table);
    let frame = if plies > 70 { 70.0 / plies as f64 } else { 1.0 };
    assert!((played.period - (frame * (plies as f64 + 1.0) + 5.0)).abs() < 0.01, "{}", played.period);
    for ply in 0..=plies {
        let mut scene = scene::at_ply(&table, ply).unwrap();
        if let Some(viewer) = last.board.viewer() {
            scene.board.turn_to(viewer);
        }
        let expected = lines(&scene.drawing());
        let end = if ply == plies { played.period } else { (ply + 1) as f64 * frame };
        // The second time around is like the first.
        for time in [0.0, played.period] {
            let begin = ply as f64 * frame;
            for share in [0.03, 0.5, 0.97] {
                let seen = played.at(time + begin + (end - begin) * share);
                assert_eq!(sorted(&seen), sorted(&expected), "ply {ply}");
            }
        }
    }
    assert_eq!(sorted(&played.still()), sorted(&lines(&last.drawing())));
    svg
}

#[test]
fn tic_tac_toe() {
    assert!(check(&Sitting::<TicTacToe>::open("", ALICE_BOB)).len() < 4_000);
    assert!(check(&Sitting::<TicTacToe>::open("", ALICE_BOB).play("b2 a1")).len() < 5_000);
    assert!(check(&Sitting::<TicTacToe>::open("", ALICE_BOB).ended()).len() < 8_000);
    // Here a still picture draws its marks together; a replay never does.
    let full = Sitting::<TicTacToe>::open("size=12 k=12", ALICE_BOB).ended();
    assert!(scene::svg(&full.table()).contains("<marker") && !check(&full).contains("<marker"));
}

#[test]
fn ultimate_tic_tac_toe() {
    for seed in 0..3 {
        assert!(check(&Sitting::<UltimateTicTacToe>::open("", ALICE_BOB).seed(seed).ended()).len() < 80_000);
    }
}

#[test]
fn backgammon() {
    let game = Sitting::<Backgammon>::open("", ALICE_BOB).seed(3).sensibly(400);
    assert!(check(&game).len() < 80_000);
    check(&Sitting::<Backgammon>::open("cube=on view=black", ALICE_BOB).seed(5).sensibly(30));
    check(&Sitting::<Backgammon>::open("match=3", ALICE_BOB).seed(5).sensibly(40).resigns(Seat::First));
}

/// The paper is the same in all frames, so the board never jumps.
#[test]
fn it_is_seen_from_one_side() {
    let table = Sitting::<Backgammon>::open("", ALICE_BOB).seed(3).sensibly(21).table();
    let [last, before] = [21, 20].map(|ply| scene::at_ply(&table, ply).unwrap().board.viewer().unwrap());
    assert_ne!(last, before);
    let svg = scene::replay(&table, None);
    assert_eq!(svg.matches(">alice<").count(), 1, "alice's line is always in one place");
}

#[test]
fn of_a_match_that_is_too_long_the_last_part_is_shown() {
    let game = Sitting::<Backgammon>::open("match=15", ALICE_BOB).seed(5).sensibly(900);
    let table = game.table();
    let svg = scene::replay(&table, None);
    check::svg(&svg);
    assert!((MAX_REPLAY * 9 / 10..=MAX_REPLAY).contains(&svg.len()), "{}", svg.len());
    assert!(svg.contains(">from ply "), "it says so");
    let played = Played::read(&svg);
    let still: Vec<&str> = played.still().into_iter().filter(|line| !line.contains("from ply")).collect();
    let last: Vec<String> =
        lines(&scene::now(&table).drawing()).into_iter().filter(|line| !line.contains("a match to")).collect();
    assert_eq!(sorted(&still), sorted(&last));
    assert!(played.period <= 80.0);
}

#[test]
fn up_to_a_ply() {
    let table = Sitting::<TicTacToe>::open("", ALICE_BOB).play("b2 a1 c3 a3").table();
    let part = Sitting::<TicTacToe>::open("", ALICE_BOB).play("b2 a1").table();
    let svg = scene::replay(&table, Some(2));
    check::svg(&svg);
    assert_eq!(svg, scene::replay(&part, None));
    assert_eq!(scene::replay(&table, Some(99)), scene::replay(&table, None));
}
