//! The list of tables on a page: running games with whose turn it is, and the newest results, updated with each move.

use answers::pages::page::wanted_blocks;
use answers::pages::table_list::{MAX_RESULTS, MAX_RUNNING, TableList};
use expect_test::{Expect, expect};
use protocol::settle::settle;
use table::ids::IssueNumber;
use testkit::world::{Request, run};

use super::{LINKS, TestRepo, trigger_for_comment};

const BEGIN: &str = "<!-- play-by-commit:tables -->";
const END: &str = "<!-- /play-by-commit:tables -->";

fn page(inside: &str) -> String {
    format!("# Games\r\n\r\n{BEGIN}{inside}{END}\r\n\r\nThat is all.\r\n")
}

/// Returns the list on the page. Checks that the rest of the page is unchanged.
#[track_caller]
fn list(repo: &TestRepo) -> String {
    let readme = repo.readme();
    let (_, rest) = readme.split_once(BEGIN).unwrap();
    let (inside, _) = rest.split_once(END).unwrap();
    assert_eq!(readme, page(inside));
    let plain = inside.replace("\r\n", "\n");
    assert_eq!(plain.replace('\n', "\r\n"), inside, "the line ends are those of the page");
    plain.trim().to_owned()
}

#[track_caller]
fn check_list(repo: &TestRepo, expected: &Expect) {
    expected.assert_eq(&format!("{}\n", list(repo).replace("https://github.example/host/games", "")));
}

fn minutes_pass(repo: &TestRepo, minutes: u64) {
    repo.world.change(|state| state.now += minutes * 60_000);
}

/// Makes these comments at a table, one minute apart.
fn comment_in_turn(repo: &TestRepo, issue: u64, lines: &[(&str, &str)]) {
    for (login, text) in lines {
        minutes_pass(repo, 1);
        let report = repo.comment(issue, login, text).1;
        assert_eq!(report.applied, 1, "{login}: {text}: {:?}", repo.world.answers(issue).last());
    }
}

const WIN: [(&str, &str); 5] =
    [("al_ice", "b2"), ("bob", "/move a1"), ("al_ice", "a2"), ("bob", "b1"), ("al_ice", "c2")];

#[test]
fn the_list_follows_two_tables_to_their_ends() {
    let repo = TestRepo::new(&page("\r\n"));
    repo.open_issue("al_ice", "/new tic-tac-toe");
    check_list(
        &repo,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#1](/issues/1) | Tic-tac-toe | **al\_ice** (X) · O, open to anyone | **al\_ice** (X) | 2025-10-09 08:53 UTC |
        "#]],
    );
    minutes_pass(&repo, 5);
    repo.open_issue("carol", "/new backgammon @dave");
    minutes_pass(&repo, 5);
    repo.open_issue("erin", "/new tic-tac-toe seats=open");
    comment_in_turn(&repo, 1, &WIN[..2]);
    check_list(
        &repo,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#1](/issues/1) | Tic-tac-toe | **al\_ice** (X) · **bob** (O) | **al\_ice** (X) | 2025-10-09 09:05 UTC |
            | [#3](/issues/3) | Tic-tac-toe | anyone | X, open to anyone | 2025-10-09 09:03 UTC |
            | [#2](/issues/2) | Backgammon | **carol** (White) · **dave** (Black) | **dave** (Black) | 2025-10-09 08:58 UTC |
        "#]],
    );
    // One game is won, one is aborted, and one continues.
    comment_in_turn(&repo, 1, &WIN[2..]);
    repo.world.as_maintainer("mona");
    comment_in_turn(&repo, 2, &[("mona", "/abort")]);
    comment_in_turn(&repo, 3, &[("erin", "/move a1")]);
    check_list(
        &repo,
        &expect![[r#"
            **Games in progress**:

            | Table | Game | Players | Turn | Since |
            | --- | --- | --- | --- | --- |
            | [#3](/issues/3) | Tic-tac-toe | anyone | O, open to anyone | 2025-10-09 09:10 UTC |

            **Latest results:**

            - **al\_ice** (X) beat **bob** (O) at tic-tac-toe, [#1](/issues/1), 2025-10-09 09:08 UTC
        "#]],
    );
    comment_in_turn(&repo, 1, &[("al_ice", "/rematch")]);
    minutes_pass(&repo, 1);
    assert_eq!(repo.open_issue("mona", "/continue #3").1.applied, 1);
    check_list(
        &repo,
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
    comment_in_turn(&repo, 1, &second);
    check_list(
        &repo,
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
    // The next sweep has nothing to change.
    let head = repo.world.head();
    repo.sweep();
    assert_eq!(repo.world.head(), head, "{:?}", repo.world.headlines());
}

#[test]
fn the_list_costs_no_request() {
    let repo = TestRepo::new(&page("\r\n"));
    for login in ["anna", "carl", "emma"] {
        repo.open_issue(login, "/new tic-tac-toe");
    }
    repo.world.clear_log();
    repo.comment(2, "carl", "b2");
    assert_eq!(repo.requests(), [Request::Read, Request::Commit, Request::Answer]);
}

#[test]
fn concurrent_commits_keep_all_rows() {
    for later in [false, true] {
        let repo = TestRepo::new(&page("\r\n"));
        repo.open_issue("anna", "/new tic-tac-toe");
        repo.open_issue("carl", "/new tic-tac-toe");
        minutes_pass(&repo, 2);
        let moves = [("anna", 1, "b2"), ("carl", 2, "a1")].map(|(login, issue, text)| {
            trigger_for_comment(&repo.world, issue, repo.world.comment(issue, login, text))
        });
        let [one, two] = if later { [moves[1], moves[0]] } else { moves };
        repo.world.interleave();
        let settled = |trigger| settle(&repo.world, &repo.config, trigger);
        let (one, two) = run(async { tokio::join!(settled(one), settled(two)) }).unwrap();
        assert_eq!((one.unwrap().applied, two.unwrap().applied), (1, 1));
        assert_eq!(repo.world.count(Request::Commit), 5, "there was a race");
        let list = list(&repo);
        assert_eq!(list.matches("| O, open to anyone | 2025-10-09 08:55 UTC |").count(), 2, "{list}");
    }
}

#[test]
fn a_full_list_keeps_the_newest_tables() {
    let repo = TestRepo::new(&page("\r\n"));
    let many = MAX_RUNNING as u64 + 3;
    for _ in 0..many {
        repo.open_issue("anna", "/new tic-tac-toe");
        minutes_pass(&repo, 1);
    }
    let numbers = |repo: &TestRepo| {
        wanted_blocks(&repo.readme()).listed.unwrap().into_iter().map(IssueNumber::get).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&repo), (4..=many).collect::<Vec<_>>());
    assert!(list(&repo).starts_with("**Games in progress** (the 20 with the newest moves):\n\n"));
    comment_in_turn(&repo, 1, &[("anna", "b2")]);
    assert_eq!(numbers(&repo), [1].into_iter().chain(5..=many).collect::<Vec<_>>());
    for issue in 3..=13 {
        for (at, (_, text)) in WIN.iter().enumerate() {
            comment_in_turn(&repo, issue, &[(["anna", "bob"][at % 2], text)]);
        }
    }
    let list = list(&repo);
    assert_eq!(list.matches(" beat ").count(), MAX_RESULTS);
    assert!(!list.contains("/issues/3)") && list.contains("tic-tac-toe, [#4]("), "{list}");
    assert!(list.starts_with("**Games in progress**:\n\n") && numbers(&repo).len() == 11, "{list}");
    // The free rows go to tables that the sweep reads.
    repo.sweep();
    assert_eq!(numbers(&repo), [1, 2].into_iter().chain(14..=many).collect::<Vec<_>>());
}

#[test]
fn the_sweep_trusts_only_the_numbers_on_the_page() {
    let repo = TestRepo::new("# Games\n");
    repo.open_issue("al_ice", "/new tic-tac-toe");
    minutes_pass(&repo, 1);
    repo.open_issue("al_ice", "/new tic-tac-toe");
    comment_in_turn(&repo, 1, &WIN);
    repo.world.land(&[("README.md", &page("\r\n"))]);
    repo.sweep();
    let right = list(&repo);
    assert!(right.contains("| [#2](") && right.contains("- **al\\_ice** (X) beat **bob** (O) at tic-tac-toe, [#1]("));
    // Somebody edits the list: a table that doesn't exist, a wrong player, an address elsewhere, other text.
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
        repo.world.land(&[("README.md", &page(&format!("\r\n{}\r\n", edited.replace('\n', "\r\n"))))]);
        repo.sweep();
        assert_eq!(list(&repo), right, "{edited}");
        let head = repo.world.head();
        repo.sweep();
        assert_eq!(repo.world.head(), head);
    }
}

#[test]
fn parses_its_own_lines_and_no_others() {
    let repo = TestRepo::new(&page("\r\n"));
    repo.open_issue("al_ice", "/new backgammon @bob");
    minutes_pass(&repo, 1);
    repo.open_issue("al_ice", "/new tic-tac-toe @bob");
    minutes_pass(&repo, 1);
    repo.open_issue("erin", "/new ultimate seats=open");
    comment_in_turn(&repo, 2, &WIN);
    comment_in_turn(&repo, 2, &[("al_ice", "/rematch"), ("bob", "/move b2"), ("bob", "/draw"), ("al_ice", "/accept")]);
    repo.open_issue("erin", "/new tic-tac-toe seats=open gap=0");
    for (at, cell) in ["b2", "a1", "a2", "b1", "c2"].into_iter().enumerate() {
        comment_in_turn(&repo, 4, &[(["al_ice", "bob"][at % 2], &format!("/move {cell}"))]);
    }
    repo.open_issue("erin", "/new tic-tac-toe seats=open gap=0");
    for (at, cell) in ["b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3"].into_iter().enumerate() {
        comment_in_turn(&repo, 5, &[(["al_ice", "bob"][at % 2], &format!("/move {cell}"))]);
    }
    let text = list(&repo);
    let known = TableList::parse(&text);
    assert_eq!(known.markdown(&LINKS), text, "the whole list is parsed");
    // The address isn't parsed, but written from the configuration.
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
