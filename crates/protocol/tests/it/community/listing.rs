//! The list of tables on a page: whose turn it is and since when, and the newest results, in the commit of each move.

use answers::pages::page::wanted_blocks;
use answers::pages::table_list::{MAX_RESULTS, MAX_RUNNING, TableList};
use expect_test::{Expect, expect};
use protocol::settle::settle;
use testkit::world::{Request, run};

use super::{LINKS, Town, commented};

const BEGIN: &str = "<!-- play-by-commit:tables -->";
const END: &str = "<!-- /play-by-commit:tables -->";

fn page(inside: &str) -> String {
    format!("# Games\r\n\r\n{BEGIN}{inside}{END}\r\n\r\nThat is all.\r\n")
}

/// The list as it stands on the page; around it the page is as the host left it.
#[track_caller]
fn list(town: &Town) -> String {
    let readme = town.readme();
    let (_, rest) = readme.split_once(BEGIN).unwrap();
    let (inside, _) = rest.split_once(END).unwrap();
    assert_eq!(readme, page(inside));
    let plain = inside.replace("\r\n", "\n");
    assert_eq!(plain.replace('\n', "\r\n"), inside, "the line ends are those of the page");
    plain.trim().to_owned()
}

#[track_caller]
fn lists(town: &Town, expected: &Expect) {
    expected.assert_eq(&format!("{}\n", list(town).replace("https://github.example/host/games", "")));
}

fn minutes_pass(town: &Town, minutes: u64) {
    town.world.change(|state| state.now += minutes * 60_000);
}

/// Each says this in turn at a table, a minute apart.
fn say(town: &Town, issue: u64, lines: &[(&str, &str)]) {
    for (login, text) in lines {
        minutes_pass(town, 1);
        let report = town.says(issue, login, text).1;
        assert_eq!(report.applied, 1, "{login}: {text}: {:?}", town.world.answers(issue).last());
    }
}

const WIN: [(&str, &str); 5] =
    [("al_ice", "b2"), ("bob", "/move a1"), ("al_ice", "a2"), ("bob", "b1"), ("al_ice", "c2")];

#[test]
fn two_tables_and_what_becomes_of_them() {
    let town = Town::new(&page("\r\n"));
    town.opens("al_ice", "/new tic-tac-toe");
    lists(
        &town,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#1](/issues/1) | Tic-tac-toe | **al\_ice** (X) · O, open to anyone | **al\_ice** (X) | 2025-10-09 08:53 UTC |
        "#]],
    );
    minutes_pass(&town, 5);
    town.opens("carol", "/new backgammon @dave");
    minutes_pass(&town, 5);
    town.opens("erin", "/new tic-tac-toe seats=open");
    say(&town, 1, &WIN[..2]);
    lists(
        &town,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#1](/issues/1) | Tic-tac-toe | **al\_ice** (X) · **bob** (O) | **al\_ice** (X) | 2025-10-09 09:05 UTC |
            | [#3](/issues/3) | Tic-tac-toe | anyone | X, open to anyone | 2025-10-09 09:03 UTC |
            | [#2](/issues/2) | Backgammon | **carol** (White) · **dave** (Black) | **dave** (Black) | 2025-10-09 08:58 UTC |
        "#]],
    );
    // One is won, one is aborted, one begins again and one moves.
    say(&town, 1, &WIN[2..]);
    town.world.as_maintainer("mona");
    say(&town, 2, &[("mona", "/abort")]);
    say(&town, 3, &[("erin", "/move a1")]);
    lists(
        &town,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#3](/issues/3) | Tic-tac-toe | anyone | O, open to anyone | 2025-10-09 09:10 UTC |

            **Latest results:**

            - **al\_ice** (X) beat **bob** (O) at tic-tac-toe, [#1](/issues/1), 2025-10-09 09:08 UTC
        "#]],
    );
    say(&town, 1, &[("al_ice", "/rematch")]);
    minutes_pass(&town, 1);
    assert_eq!(town.opens("mona", "/continue #3").1.applied, 1);
    lists(
        &town,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#1](/issues/1) | Tic-tac-toe | **bob** (X) · **al\_ice** (O) | **bob** (X) | 2025-10-09 09:11 UTC |
            | [#4](/issues/4) | Tic-tac-toe | anyone | O, open to anyone | 2025-10-09 09:10 UTC |

            **Latest results:**

            - **al\_ice** (X) beat **bob** (O) at tic-tac-toe, [#1](/issues/1), 2025-10-09 09:08 UTC
        "#]],
    );
    let second = [("bob", "/move b2"), ("al_ice", "a1"), ("bob", "a2"), ("al_ice", "b1"), ("bob", "c2")];
    say(&town, 1, &second);
    lists(
        &town,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#4](/issues/4) | Tic-tac-toe | anyone | O, open to anyone | 2025-10-09 09:10 UTC |

            **Latest results:**

            - **bob** (X) beat **al\_ice** (O) at tic-tac-toe, [#1](/issues/1), round 2, 2025-10-09 09:17 UTC
            - **al\_ice** (X) beat **bob** (O) at tic-tac-toe, [#1](/issues/1), 2025-10-09 09:08 UTC
        "#]],
    );
    // The next sweep finds nothing that it would write otherwise.
    let head = town.world.head();
    town.sweep();
    assert_eq!(town.world.head(), head, "{:?}", town.world.headlines());
}

#[test]
fn it_costs_no_request() {
    let town = Town::new(&page("\r\n"));
    for login in ["anna", "carl", "emma"] {
        town.opens(login, "/new tic-tac-toe");
    }
    town.world.clear_log();
    town.says(2, "carl", "b2");
    assert_eq!(town.requests(), [Request::Read, Request::Commit, Request::Answer, Request::React]);
}

#[test]
fn two_that_commit_at_once_lose_no_row() {
    for later in [false, true] {
        let town = Town::new(&page("\r\n"));
        town.opens("anna", "/new tic-tac-toe");
        town.opens("carl", "/new tic-tac-toe");
        minutes_pass(&town, 2);
        let moves = [("anna", 1, "b2"), ("carl", 2, "a1")]
            .map(|(login, issue, text)| commented(&town.world, issue, town.world.comment(issue, login, text)));
        let [one, two] = if later { [moves[1], moves[0]] } else { moves };
        town.world.interleave();
        let settled = |wake| settle(&town.world, &town.place, wake);
        let (one, two) = run(async { tokio::join!(settled(one), settled(two)) }).unwrap();
        assert_eq!((one.unwrap().applied, two.unwrap().applied), (1, 1));
        assert_eq!(town.world.count(Request::Commit), 5, "there was a race");
        let list = list(&town);
        assert_eq!(list.matches("| O, open to anyone | 2025-10-09 08:55 UTC |").count(), 2, "{list}");
    }
}

#[test]
fn it_is_bounded_and_the_newest_stay() {
    let town = Town::new(&page("\r\n"));
    let many = MAX_RUNNING as u64 + 3;
    for _ in 0..many {
        town.opens("anna", "/new tic-tac-toe");
        minutes_pass(&town, 1);
    }
    let numbers = |town: &Town| wanted_blocks(&town.readme()).listed.unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(numbers(&town), (4..=many).collect::<Vec<_>>());
    assert!(list(&town).starts_with("**Games in progress** (the 20 with the newest moves):\n\n"));
    say(&town, 1, &[("anna", "b2")]);
    assert_eq!(numbers(&town), [1].into_iter().chain(5..=many).collect::<Vec<_>>());
    for issue in 3..=13 {
        for (at, (_, text)) in WIN.iter().enumerate() {
            say(&town, issue, &[(["anna", "bob"][at % 2], text)]);
        }
    }
    let list = list(&town);
    assert_eq!(list.matches(" beat ").count(), MAX_RESULTS);
    assert!(!list.contains("/issues/3)") && list.contains("tic-tac-toe, [#4]("), "{list}");
    assert!(list.starts_with("**Games in progress**:\n\n") && numbers(&town).len() == 11, "{list}");
    // What has made room is for the tables that the sweep sees.
    town.sweep();
    assert_eq!(numbers(&town), [1, 2].into_iter().chain(14..=many).collect::<Vec<_>>());
}

#[test]
fn the_sweep_takes_nothing_from_the_page_but_numbers() {
    let town = Town::new("# Games\n");
    town.opens("al_ice", "/new tic-tac-toe");
    minutes_pass(&town, 1);
    town.opens("al_ice", "/new tic-tac-toe");
    say(&town, 1, &WIN);
    town.world.land(&[("README.md", &page("\r\n"))]);
    town.sweep();
    let right = list(&town);
    assert!(right.contains("| [#2](") && right.contains("- **al\\_ice** (X) beat **bob** (O) at tic-tac-toe, [#1]("));
    // Somebody has edited it: a table that there is not, another's turn, an address elsewhere, and words.
    let made_up = right.lines().find(|line| line.starts_with("| [#2]")).unwrap().replace("#2", "#77");
    let edited = [
        format!("{right}\n\nHello @everybody <b>there</b>\n"),
        right.replace("| [#2]", &format!("{made_up}\n| [#2]")),
        right.replace("**al\\_ice** (X) | 2025", "**mallory** (X) | 2025"),
        right.replace(
            "**al\\_ice** (X) · O, open to anyone | **al\\_ice** (X)",
            "**al\\_ice** (X) · **bob** (O) | **bob** (O)",
        ),
        right.replace("https://github.example/host/games", "https://evil.example"),
        String::new(),
    ];
    for edited in edited {
        assert_ne!(edited, right);
        town.world.land(&[("README.md", &page(&format!("\r\n{}\r\n", edited.replace('\n', "\r\n"))))]);
        town.sweep();
        assert_eq!(list(&town), right, "{edited}");
        let head = town.world.head();
        town.sweep();
        assert_eq!(town.world.head(), head);
    }
}

#[test]
fn a_line_is_read_as_it_was_written_or_not_at_all() {
    let town = Town::new(&page("\r\n"));
    town.opens("al_ice", "/new backgammon @bob");
    minutes_pass(&town, 1);
    town.opens("al_ice", "/new tic-tac-toe @bob");
    minutes_pass(&town, 1);
    town.opens("erin", "/new ultimate seats=open");
    say(&town, 2, &WIN);
    say(&town, 2, &[("al_ice", "/rematch"), ("bob", "/move b2"), ("bob", "/draw"), ("al_ice", "/accept")]);
    town.opens("erin", "/new tic-tac-toe seats=open gap=0");
    for (at, cell) in ["b2", "a1", "a2", "b1", "c2"].into_iter().enumerate() {
        say(&town, 4, &[(["al_ice", "bob"][at % 2], &format!("/move {cell}"))]);
    }
    town.opens("erin", "/new tic-tac-toe seats=open gap=0");
    for (at, cell) in ["b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"].into_iter().enumerate() {
        say(&town, 5, &[(["al_ice", "bob"][at % 2], &format!("/move {cell}"))]);
    }
    let text = list(&town);
    let known = TableList::parse(&text);
    assert_eq!(known.markdown(&LINKS), text, "all of it comes back");
    // The address is the one thing that is not read back: it is made again.
    let unaddressed = |line: &str| {
        let (before, rest) = line.split_once("](").unwrap_or((line, ")"));
        format!("{before}{}", rest.split_once(')').map_or("", |(_, after)| after))
    };
    for line in text.lines().filter(|line| line.contains("[#")) {
        assert_eq!(TableList::parse(line).markdown(&LINKS).matches("[#").count(), 1, "{line}");
        let mut letters: Vec<char> = line.chars().collect();
        for at in 0..letters.len() {
            for new in ['@', '<', '|', '`', ']', '\\', '*', ' ', '9', 'é'] {
                let old = std::mem::replace(&mut letters[at], new);
                let read = TableList::parse(&letters.iter().collect::<String>());
                let shown = read.markdown(&LINKS);
                let changed: String = letters.iter().collect();
                let row = shown.lines().find(|line| line.contains("[#")).map(unaddressed);
                assert!(row.is_none_or(|row| row == unaddressed(&changed)), "{changed}\nbecame\n{shown}");
                letters[at] = old;
            }
        }
    }
}
