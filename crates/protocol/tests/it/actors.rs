//! Every command by every kind of person at every kind of table, from comment to answer.
//!
//! `tests/actors.txt` is the whole matrix. `UPDATE_EXPECT=1 cargo test -p play-by-commit-protocol actors` updates it; read the diff.
//! The test also checks the form of each outcome: an applied command has one commit, a rocket and an answer; a refused or shown
//! one has a reaction and an answer; chat has nothing.

mod expected;

use std::fmt::{Arguments, Write};

use answers::Marker;
use expect_test::expect_file;
use protocol::settle::settle;
use protocol::{RepoConfig, Report, Trigger};
use table::{CommentId, CommentRef, IssueNumber, Table, WhoMayStart, commands, parse_comment, state_file};
use testkit::short_or_long;
use testkit::world::{Person, State, World, default_config, run};

use expected::expected_refusal;

/// The rows: each command in the order of `/help`, some variants, and moves without a command.
const ROWS: &[(&str, &str)] = &[
    ("/new", "/new tic-tac-toe"),
    ("/join", "/join"),
    ("/move", "/move MOVE"),
    ("/if", "/if"),
    ("/if, with a line", "/if MOVE a3"),
    ("/if none", "/if none"),
    ("/board", "/board"),
    ("/moves", "/moves"),
    ("/history", "/history"),
    ("/pgn", "/pgn"),
    ("/fen", "/fen"),
    ("/time", "/time"),
    ("/standings", "/standings"),
    ("/rating", "/rating"),
    ("/mine", "/mine"),
    ("/away", "/away"),
    ("/help", "/help"),
    ("/draw", "/draw"),
    ("/undo", "/undo"),
    ("/accept", "/accept"),
    ("/decline", "/decline"),
    ("/leave", "/leave"),
    ("/resign", "/resign"),
    ("/resign?", "/resign?"),
    ("/resign, with words", "/resign soon"),
    ("/roll", "/roll"),
    ("/double", "/double"),
    ("/take", "/take"),
    ("/drop", "/drop"),
    ("/swap", "/swap"),
    ("/nudge", "/nudge"),
    ("/claim", "/claim"),
    ("/extend", "/extend 1d"),
    ("/abort", "/abort"),
    ("/computer", "/computer"),
    ("/hint", "/hint"),
    ("/autoroll", "/autoroll"),
    ("/rules, unlisted", "/rules"),
    ("/takeback, a synonym", "/takeback"),
    ("/flip, unknown", "/flip"),
    ("/assign, for another bot", "/assign @anna"),
    ("/resign, politely", "/resign please :)"),
    ("/continue", "/continue"),
    ("/rematch", "/rematch"),
    ("/review", "/review"),
    ("a move alone", "MOVE"),
    ("a move after a slash", "/MOVE"),
    ("a move and talk below", "MOVE\n\nHave fun!"),
    ("a move in a sentence", "I play MOVE"),
    ("a move, then chat", "MOVE, good luck!"),
    ("join", "join"),
    ("yes", "yes"),
    ("no thanks", "no thanks"),
    ("I give up", "I give up"),
    ("a command without its slash", "resign"),
    ("a look without its slash", "board"),
];

/// The kind of account that writes.
#[derive(Clone, Copy, PartialEq)]
enum ActorKind {
    Person,
    Maintainer,
    Bot,
    /// The account is deleted before the bot reads the comment.
    Deleted,
    /// The issue is locked before the bot reads the comment.
    Locked,
}
use ActorKind::{Bot, Deleted, Locked, Maintainer};

/// An author: their role at the table, login, and kind.
type Actor = (&'static str, &'static str, ActorKind);

/// The actors without a seat, at every table. Olga opened the issue.
const OTHERS: [Actor; 3] = [
    ("opener", "olga", ActorKind::Person),
    ("stranger", "carl", ActorKind::Person),
    ("maintainer", "mona", Maintainer),
];
/// A player as a bot, as a deleted account, and in a locked issue, at every table.
const SILENT: [Actor; 3] = [("bot", "anna", Bot), ("deleted", "anna", Deleted), ("locked", "anna", Locked)];

const ANNA: Actor = ("X", "anna", ActorKind::Person);
const BOB: Actor = ("O", "bob", ActorKind::Person);
const RITA: Actor = ("O, only kept", "rita", ActorKind::Person);
const PLAYERS: &[Actor] = &[ANNA, ("X, maintainer", "anna", Maintainer), BOB, ("O, maintainer", "bob", Maintainer)];
const BACKGAMMON: &[Actor] = &[("white", "anna", ActorKind::Person), ("black", "bob", ActorKind::Person)];

const HEX: &[Actor] = &[("red", "anna", ActorKind::Person), ("blue", "bob", ActorKind::Person)];
const RESERVED: &[Actor] = &[ANNA, RITA, ("O, only kept, maintainer", "rita", Maintainer)];

/// A table: its name, the comments that lead to it, its actors, and a legal move.
struct Scene {
    name: &'static str,
    /// `login: comment`, or a time to wait, such as `3 days`.
    talk: &'static [&'static str],
    actors: &'static [Actor],
    legal: &'static str,
}

const SCENES: &[Scene] = &[
    Scene { name: "no table", talk: &[], actors: &[], legal: "c3" },
    Scene {
        name: "playing; X is on turn, both have moved",
        talk: &["anna: /new tic-tac-toe @bob", "anna: b2", "bob: a1"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "playing; X is on turn, nobody has moved, O is only kept",
        talk: &["anna: /new tic-tac-toe @rita"],
        actors: RESERVED,
        legal: "c3",
    },
    Scene {
        name: "playing; O is on turn and only kept",
        talk: &["anna: /new tic-tac-toe @rita", "anna: b2"],
        actors: RESERVED,
        legal: "c3",
    },
    Scene {
        name: "playing; O is on turn and open",
        talk: &["anna: /new tic-tac-toe", "anna: b2"],
        actors: &[ANNA],
        legal: "c3",
    },
    Scene {
        name: "playing; O is open, and X is on turn",
        talk: &["anna: /new tic-tac-toe"],
        actors: &[ANNA],
        legal: "c3",
    },
    Scene {
        name: "playing; X is on turn, O has just joined with a move",
        talk: &["anna: /new tic-tac-toe", "anna: b2", "bob: a1"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "playing; X is on turn, O has joined with a move two days ago",
        talk: &["anna: /new tic-tac-toe", "anna: b2", "bob: a1", "2 days"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "playing; O is on turn and open, bob has left",
        talk: &["anna: /new tic-tac-toe", "anna: b2", "bob: a1", "bob: /leave"],
        actors: &[ANNA, ("has left", "bob", ActorKind::Person)],
        legal: "c3",
    },
    Scene {
        name: "playing; X is on turn, O offers a draw",
        talk: &["anna: /new tic-tac-toe @bob", "anna: b2", "bob: a1", "bob: /draw"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "playing; X is on turn, O asks for an undo",
        talk: &["anna: /new tic-tac-toe @bob", "anna: b2", "bob: a1", "bob: /undo"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "playing; X is on turn and out of time",
        talk: &["anna: /new tic-tac-toe @bob per-move=1d", "anna: b2", "bob: a1", "2 days"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "playing; X is on turn, no limit of time, silence for 31 days",
        talk: &["anna: /new tic-tac-toe @bob", "anna: b2", "bob: a1", "31 days"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "backgammon; white is on turn and may double",
        talk: &["anna: /new backgammon @bob match=3", "bob: 8/3 6/3"],
        actors: BACKGAMMON,
        legal: "roll",
    },
    Scene {
        name: "backgammon; white has doubled",
        talk: &["anna: /new backgammon @bob match=3", "bob: 8/3 6/3", "anna: /double"],
        actors: BACKGAMMON,
        legal: "take",
    },
    Scene {
        name: "hex; blue is on turn and may swap",
        talk: &["anna: /new hex @bob size=5", "anna: c3"],
        actors: HEX,
        legal: "swap",
    },
    Scene {
        name: "over; X has resigned",
        talk: &["anna: /new tic-tac-toe @bob", "anna: b2", "bob: a1", "anna: /resign"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "playing; a rematch, X is on turn, O has not come back",
        talk: &["anna: /new tic-tac-toe @bob per-move=1d", "anna: b2", "bob: a1", "anna: /resign", "bob: /rematch"],
        actors: &[
            ("X", "bob", ActorKind::Person),
            ("O, not back", "anna", ActorKind::Person),
            ("O, not back, maintainer", "anna", Maintainer),
        ],
        legal: "c3",
    },
    Scene {
        name: "playing; O is on turn and out of time, and has never moved",
        talk: &["anna: /new tic-tac-toe @bob per-move=1d", "bob: /join", "anna: b2", "2 days"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "over; X has ended it before both had moved",
        talk: &["anna: /new tic-tac-toe @bob", "bob: /join", "anna: /abort"],
        actors: PLAYERS,
        legal: "c3",
    },
    Scene {
        name: "over; X has resigned, O was only kept",
        talk: &["anna: /new tic-tac-toe @rita", "anna: b2", "anna: /resign"],
        actors: RESERVED,
        legal: "c3",
    },
    Scene {
        name: "playing; it's X's turn against the computer",
        talk: &["anna: /new tic-tac-toe computer", "anna: b2"],
        actors: &[ANNA],
        legal: "c2",
    },
    Scene {
        name: "open table; nobody twice in a row",
        talk: &["mona: /new tic-tac-toe seats=open", "anna: /move b2", "bob: /move a1"],
        actors: &[
            ("moved last", "bob", ActorKind::Person),
            ("moved before", "anna", ActorKind::Person),
            ("moved last, maintainer", "bob", Maintainer),
        ],
        legal: "c3",
    },
    Scene {
        name: "open table, over",
        talk: &["mona: /new tic-tac-toe seats=open", "anna: /move b2", "mona: /abort"],
        actors: &[("moved", "anna", ActorKind::Person)],
        legal: "c3",
    },
];

/// What each comment of a scene begins with.
struct Start {
    state: State,
    /// The record of issue 1, if it has a game.
    record: Option<Table>,
}

/// Returns the fake GitHub after the comments of a scene, all in issue 1, which Olga opened.
fn set_up(scene: &Scene) -> Start {
    let world = World::new();
    world.open_issue("olga", "Shall we play here?");
    // Anyone may open a table here, so that the author of the issue need not be a player.
    let mut config = default_config();
    config.policy.opening = WhoMayStart::Anyone;
    for line in scene.talk {
        match line.split_once(": ") {
            Some((login, text)) => {
                set_account(&world, login, ActorKind::Person);
                if login == "mona" {
                    set_account(&world, login, Maintainer);
                }
                let comment = world.comment(1, login, text);
                let report = settle_comment(
                    &world,
                    &config,
                    CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(comment) },
                );
                assert_eq!(report.applied, 1, "{line}: {:?}", world.answers(1).last());
            }
            None => {
                let days: u64 = line.strip_suffix(" days").unwrap().parse().unwrap();
                world.change(|state| state.now += days * 24 * 60 * 60 * 1000);
            }
        }
    }
    let record = world.file("state/1.json").map(|text| state_file::load(&text, IssueNumber::new(1)).unwrap());
    Start { state: world.with_state(State::clone), record }
}

fn settle_comment(world: &World, config: &RepoConfig, source: CommentRef) -> Report {
    let text = world.with_state(|state| state.note(source).unwrap().text.clone());
    let table = parse_comment(&text).table_number();
    run(settle(world, config, Trigger::Comment { source, table })).expect("the run ends").expect("the run succeeds")
}

/// Creates an account if needed, and makes it of this kind.
fn set_account(world: &World, login: &str, kind: ActorKind) {
    world.change(|state| {
        let person: &mut Person = state.person(login);
        if kind == Maintainer {
            person.add_as_collaborator();
        }
        person.bot |= kind == Bot;
    });
}

/// Writes a comment in an issue, runs the bot, and returns the outcome as one word.
#[track_caller]
fn outcome(start: &Start, issue: u64, (_, login, kind): Actor, text: &str) -> String {
    let world = World::new();
    world.change(|state| state.clone_from(&start.state));
    set_account(&world, login, kind);
    if issue != 1 {
        assert_eq!(world.open_issue("olga", "Elsewhere."), issue);
    }
    let comment = world.comment(issue, login, text);
    if kind == Locked {
        world.lock(issue);
        // No player is silent at a locked table.
        world.lock(1);
    }
    let source = CommentRef { issue: IssueNumber::new(issue), comment: CommentId::new(comment) };
    let named = expected_refusal(&world, start.record.as_ref(), source);
    if kind == Deleted {
        world.delete_account(login);
    }
    let (commits, answers) = (world.headlines().len(), world.answers(issue).len());
    let report = settle_comment(&world, &default_config(), source);
    let commits = world.headlines().len() - commits;
    let reactions = world.reactions(issue, comment).join(" ");
    let answers = world.answers(issue).split_off(answers);
    let answer = answers.first().map_or("", String::as_str);
    let context = format_args!("{login}: {text}\n{report:?}\n{reactions}\n{answers:#?}");
    assert_eq!(report.failures, [], "{context}");
    let suffix = if kind == Locked {
        let silent = answers.is_empty() && reactions.is_empty();
        assert!(silent && report.notes.len() == usize::from(report != Report::default()), "{context}");
        " (unsaid)"
    } else {
        assert_eq!(report.notes, [], "{context}");
        assert!(answers.len() <= 1 && answers.iter().all(|answer| Marker::parse(answer).is_some()), "{context}");
        ""
    };
    let asked = [report.applied, report.refused, report.shown, report.repaired];
    let word = match asked {
        [1, 0, 0, 0] => "applied".to_owned(),
        [0, 1, 0, 0] => format!("refused:{}", named.as_ref().map_or("?", |(name, _)| name)),
        [0, 0, 1, 0] => "shown".to_owned(),
        // A command that takes no reaction isn't counted as answered.
        [0, 0, 0, 0] if kind == Locked && !report.notes.is_empty() => {
            named.as_ref().map_or("shown".to_owned(), |(name, _)| format!("refused:{name}"))
        }
        [0, 0, 0, 0] => return check_chat(commits, &answers, &reactions, context),
        _ => panic!("{context}"),
    };
    assert_eq!(commits, usize::try_from(report.applied).unwrap(), "{context}");
    if kind != Locked {
        let reaction = ["rocket", "confused", "eyes"].into_iter().zip(asked).find(|(_, count)| *count == 1);
        assert_eq!(Some(reactions.as_str()), reaction.map(|(reaction, _)| reaction), "{context}");
        let sentence = named.filter(|_| report.refused == 1).map(|(_, sentence)| sentence).unwrap_or_default();
        assert!(answers.len() == 1 && answer.contains(&sentence), "{context}");
    }
    format!("{word}{suffix}")
}

#[track_caller]
fn check_chat(commits: usize, answers: &[String], reactions: &str, context: Arguments<'_>) -> String {
    assert!(commits == 0 && answers.is_empty() && reactions.is_empty(), "{context}");
    "chat".to_owned()
}

fn all_actors(scene: &Scene) -> Vec<Actor> {
    scene.actors.iter().chain(&OTHERS).chain(&SILENT).copied().collect()
}

/// Returns the outcomes of one comment by every actor, one outcome per line.
fn matrix_row(scene: &Scene, start: &Start, text: &str) -> String {
    let mut cells: Vec<(String, Vec<&str>)> = Vec::new();
    for actor in all_actors(scene) {
        let word = outcome(start, 1, actor, text);
        match cells.iter_mut().find(|(other, _)| *other == word) {
            Some((_, actors)) => actors.push(actor.0),
            None => cells.push((word, vec![actor.0])),
        }
    }
    let lines = cells.iter().map(|(outcome, actors)| format!("    {outcome:<34} {}", actors.join(" | ")));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_command_has_a_row() {
    let one = |word: &&str| word.starts_with('/') && !word.ends_with('?') && !word.contains(' ');
    let rows: Vec<&str> = ROWS.iter().map(|(word, _)| *word).filter(one).collect();
    assert_eq!(rows, commands().iter().map(|usage| usage.word.as_str()).collect::<Vec<_>>());
    for (word, text) in ROWS.iter().filter(|(word, _)| one(word)) {
        assert!(text.split(' ').next() == Some(word), "{word}");
    }
}

#[test]
fn every_actor_with_every_command() {
    let mut out = String::from(
        "What comes of each command, by who writes it. Olga, the opener, has no seat anywhere; bot, deleted and locked are \
         anna:\nan account that is a bot, one that is gone, one that wrote just before the issue was locked. \
         (unsaid) is what GitHub\ntook no answer for. The move is a legal one of whoever is on turn.\n",
    );
    for scene in SCENES {
        let start = set_up(scene);
        writeln!(out, "\n== {}", scene.name).unwrap();
        writeln!(out, "   by {}", all_actors(scene).iter().map(|actor| actor.0).collect::<Vec<_>>().join(" | "))
            .unwrap();
        let mut rows: Vec<(String, Vec<&str>)> = Vec::new();
        for (word, text) in ROWS {
            let cells = matrix_row(scene, &start, &text.replace("MOVE", scene.legal));
            match rows.iter_mut().find(|(other, _)| *other == cells) {
                Some((_, words)) => words.push(word),
                None => rows.push((cells, vec![word])),
            }
        }
        for (cells, words) in rows {
            writeln!(out, "{}\n{cells}", words.join("  ")).unwrap();
        }
    }
    expect_file!["../../../../tests/actors.txt"].assert_eq(&out);
}

#[test]
fn commands_from_another_issue_have_the_same_outcome() {
    for scene in SCENES.iter().filter(|scene| !scene.talk.is_empty()).step_by(short_or_long(9, 1)) {
        let start = set_up(scene);
        // `/new` and `/help` are for their own issue, `/continue` needs an issue of one's own, and a move without a command
        // can't name another table.
        let is_for_table = |word: &str| word.starts_with('/') && !matches!(word, "/new" | "/help" | "/continue");
        for (word, text) in ROWS.iter().filter(|(word, _)| is_for_table(word)) {
            let text = text.replace("MOVE", scene.legal);
            for actor in all_actors(scene) {
                let here = outcome(&start, 1, actor, &text);
                let there = outcome(&start, 2, actor, &format!("{text} #1"));
                assert_eq!(here, there, "{}: {word} by {}", scene.name, actor.0);
            }
        }
    }
}
