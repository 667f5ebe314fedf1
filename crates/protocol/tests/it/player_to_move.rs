//! The player to move never meets silence: each attempt at a move or a command gets an answer, whatever friendly words, greetings,
//! signatures, punctuation and characters it comes with.

use proptest::prelude::*;
use protocol::Trigger;
use protocol::settle::settle;
use testkit::world::{World, default_config, run};
use testkit::{place, short_or_long};

/// Who moves, and how.
type Moves = &'static [(&'static str, &'static str)];

/// Games, the moves until alice is to move, and what she attempts then: illegal, ambiguous and impossible moves, and passes.
const ATTEMPTS: &[(&str, Moves, &[&str])] = &[
    ("chess", &[], &["Bd6", "Nd2", "e9", "O-O", "e5", "Qxe4", "N3", "e7e5", "pass", "Ke3"]),
    ("tic-tac-toe", &[("alice", "b2"), ("bob", "a1")], &["b2", "a1", "d4", "c9"]),
    ("connect-four", &[], &["h", "a9", "column 9"]),
    ("othello", &[], &["a1", "d4", "i9", "pass", "h8"]),
    ("hex 5x5", &[("alice", "c3"), ("bob", "b2")], &["c3", "b2", "f6", "swap"]),
    ("checkers", &[], &["1-5", "22-9", "11-15", "33-40"]),
    ("ultimate", &[("alice", "e5"), ("bob", "d4")], &["e5", "d4", "j1", "i9"]),
];
/// Requests and commands' words.
const REQUESTS: &[&str] = &[
    "resign",
    "I resign",
    "I give up",
    "draw",
    "claim draw",
    "undo",
    "take back",
    "misclick",
    "moves",
    "board",
    "help",
    "hint",
    "time",
    "history",
    "accept",
    "decline",
    "claim",
    "abort",
    "leave",
    "rematch",
    "join",
];
const BEFORE: &[&str] = &[
    "",
    "ok, ",
    "Hi Bob, ",
    "Hello! ",
    "please ",
    "@bob ",
    "Hello Bob!\n\n",
    "Dear Jun,\n",
    "Good morning,\n\nthanks!\n",
    "> Nf3\n\n",
];
/// Words that only come before a move.
const LEADING: &[&str] = &["I play ", "my move is ", "let me try ", "ok, I'll play "];
const AFTER: &[&str] = &[
    "",
    ", good luck!",
    " please",
    ", thanks 🙂",
    "!",
    "...",
    "?",
    " please?",
    " :)",
    "\n\nBest regards,\nJun",
    "\n-- \nJun",
    "\n\nSent from my phone",
    ", have a nice day!",
    " @bob",
];

/// How the characters of a text are written.
#[derive(Clone, Copy, Debug)]
enum Script {
    Plain,
    Capitals,
    FullWidth,
    LookAlikes,
}

impl Script {
    fn write(self, text: &str) -> String {
        let look_alike = |c: char| match c {
            'a' => 'а',
            'e' => 'е',
            'o' => 'о',
            'O' => 'О',
            'B' => 'В',
            'c' => 'с',
            c => c,
        };
        let full_width = |c: char| match c {
            '!'..='~' if c != '>' && c != '@' => char::from_u32(u32::from(c) + 0xfee0).unwrap(),
            c => c,
        };
        match self {
            Script::Plain => text.to_owned(),
            Script::Capitals => text.to_uppercase(),
            Script::FullWidth => text.chars().map(full_width).collect(),
            Script::LookAlikes => text.chars().map(look_alike).collect(),
        }
    }
}

/// Returns what alice writes, and the game with its moves.
fn comments() -> impl Strategy<Value = (&'static str, Moves, String)> {
    let pick = |texts: &'static [&'static str]| prop::sample::select(texts);
    let script = prop_oneof![Just(Script::Plain), Just(Script::Capitals), Just(Script::FullWidth)];
    let moves = prop::sample::select(ATTEMPTS).prop_flat_map(move |(game, moves, attempts)| {
        let script = prop_oneof![script.clone(), Just(Script::LookAlikes)];
        let before = prop_oneof![3 => pick(BEFORE), 1 => pick(LEADING)];
        (before, pick(attempts), pick(AFTER), script).prop_map(move |(before, attempt, after, script)| {
            let attempt = match script {
                Script::Capitals => attempt.to_owned(),
                Script::LookAlikes if !attempt.contains(|c: char| c.is_ascii_digit()) => attempt.to_owned(),
                script => script.write(attempt),
            };
            let around =
                |text: &str| if matches!(script, Script::LookAlikes) { text.to_owned() } else { script.write(text) };
            (game, moves, format!("{}{attempt}{}", around(before), around(after)))
        })
    });
    let script = prop_oneof![Just(Script::Plain), Just(Script::Capitals), Just(Script::FullWidth)];
    let requests = (prop::sample::select(ATTEMPTS), pick(BEFORE), pick(REQUESTS), pick(AFTER), script);
    let requests = requests.prop_map(|((game, moves, _), before, request, after, script)| {
        (game, moves, script.write(&format!("{before}{request}{after}")))
    });
    prop_oneof![moves, requests]
}

fn write(world: &World, login: &str, text: &str) -> usize {
    let before = world.answers(1).len();
    let comment = world.comment(1, login, text);
    run(settle(world, &default_config(), Trigger::Comment { source: place(1, comment), table: None }))
        .unwrap()
        .unwrap();
    world.answers(1).len() - before
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(short_or_long(400, 20_000)))]

    #[test]
    fn answers_every_attempt_of_the_player_to_move((game, moves, text) in comments()) {
        let world = World::new();
        world.open_issue("alice", &format!("/new {game} @bob"));
        run(settle(&world, &default_config(), Trigger::Comment { source: place(1, 0), table: None })).unwrap().unwrap();
        for (login, text) in [("bob", "/join")].iter().chain(moves) {
            assert_eq!(write(&world, login, text), 1, "{login}: {text}");
        }
        prop_assert_eq!(write(&world, "alice", &text), 1, "{}: {:?}", game, text);
    }
}
