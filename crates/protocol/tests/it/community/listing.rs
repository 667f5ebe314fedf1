//! The list of tables on a page: running games with whose turn it is, and the newest results, updated with each move.

use answers::TableList;
use answers::table_list::{MAX_BYTES, MAX_RESULTS, MAX_RUNNING};
use expect_test::{Expect, expect};
use protocol::settle::settle;
use table::IssueNumber;
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

/// Returns the rows in the list's file. Checks that the page shows them.
#[track_caller]
fn file(repo: &TestRepo) -> TableList {
    let rows = TableList::parse(&repo.world.file("state/tables.json").unwrap()).unwrap();
    assert_eq!(rows.markdown(&LINKS), list(repo));
    rows
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

            [Games looking for an opponent](/issues?q=is%3Aopen+label%3Alooking-for-opponent)
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

            [Games looking for an opponent](/issues?q=is%3Aopen+label%3Alooking-for-opponent)
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

            [Games looking for an opponent](/issues?q=is%3Aopen+label%3Alooking-for-opponent)

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

            [Games looking for an opponent](/issues?q=is%3Aopen+label%3Alooking-for-opponent)

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

            [Games looking for an opponent](/issues?q=is%3Aopen+label%3Alooking-for-opponent)

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
    let numbers = |repo: &TestRepo| file(repo).running_issues().into_iter().map(IssueNumber::get).collect::<Vec<_>>();
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

/// The list is gone, it was never there, or somebody edited it or its page.
#[test]
fn the_sweep_restores_the_list_from_the_games() {
    let repo = TestRepo::new("# Games\n");
    repo.open_issue("al_ice", "/new tic-tac-toe");
    minutes_pass(&repo, 1);
    repo.open_issue("al_ice", "/new tic-tac-toe");
    comment_in_turn(&repo, 1, &WIN);
    repo.world.land(&[("README.md", &page("\r\n"))]);
    repo.sweep();
    let right = list(&repo);
    assert!(right.contains("| [#2](") && right.contains("- **al\\_ice** (X) beat **bob** (O) at tic-tac-toe, [#1]("));
    let rows = repo.world.file("state/tables.json").unwrap();
    let restore = |path: &str, text: &str| {
        repo.world.land(&[(path, text)]);
        repo.sweep();
        assert_eq!(
            (list(&repo), repo.world.file("state/tables.json").as_deref()),
            (right.clone(), Some(&*rows)),
            "{text}"
        );
        let head = repo.world.head();
        repo.sweep();
        assert_eq!(repo.world.head(), head, "one commit is enough");
    };
    for edited in
        [format!("{right}\n\nHello @everybody <b>there</b>\n"), right.replace("al\\_ice", "mallory"), String::new()]
    {
        restore("README.md", &page(&format!("\r\n{}\r\n", edited.replace('\n', "\r\n"))));
    }
    // A table that doesn't exist, a wrong player, and files that aren't lists.
    let made_up = rows.replace("\"issue\": 2", "\"issue\": 77");
    for edited in [&*made_up, &rows.replace("al_ice", "mallory"), "", "{}", "[1]", "no JSON", &"[".repeat(MAX_BYTES)] {
        assert_ne!(edited, rows);
        restore("state/tables.json", edited);
    }
    repo.world.remove_file("state/tables.json");
    repo.sweep();
    assert_eq!((list(&repo), repo.world.file("state/tables.json")), (right, Some(rows)));
}

/// A row of a file that somebody edited reaches the page only if it names a game and usernames.
#[test]
fn a_damaged_list_stops_no_move() {
    let repo = TestRepo::new(&page("\r\n"));
    repo.open_issue("al_ice", "/new tic-tac-toe @bob");
    repo.open_issue("carol", "/new tic-tac-toe @dave");
    let rows = repo.world.file("state/tables.json").unwrap();
    let edits = [
        ("\"carol\"", "\"<b>everybody</b>\""),
        ("\"carol\"", "\"@everybody\""),
        ("\"tic-tac-toe\"", "\"<b>chess</b>\""),
        ("\"turn\": 0", "\"turn\": 2"),
        ("\"since\"", "\"evil\""),
    ];
    for (at, (old, new)) in edits.into_iter().enumerate() {
        assert!(rows.contains(old), "{old}: {rows}");
        repo.world.land(&[("state/tables.json", &rows.replacen(old, new, 1))]);
        comment_in_turn(&repo, 1, &[(["al_ice", "bob"][at % 2], ["b2", "/move a1", "a2", "c2", "b1"][at])]);
        // Only this table's row is left, until the next event of the others.
        assert_eq!(file(&repo).running_issues(), [IssueNumber::new(1)].into());
    }
    repo.sweep();
    assert_eq!(file(&repo).running_issues(), [1, 2].map(IssueNumber::new).into());
}

/// The file is small, however long the names are.
#[test]
fn a_full_list_fits_in_its_file() {
    let repo = TestRepo::new(&page("\r\n"));
    let [one, two] = ["a", "b"].map(|letter| letter.repeat(39));
    for issue in 1..=(MAX_RESULTS + MAX_RUNNING) as u64 {
        repo.open_issue(&one, &format!("/new ultimate per-move=3d as=x @{two}"));
        comment_in_turn(&repo, issue, &[(&one, "/move 5/5"), (&two, "/move 5/1")]);
        if issue <= MAX_RESULTS as u64 {
            comment_in_turn(&repo, issue, &[(&one, "/resign")]);
        }
    }
    let text = repo.world.file("state/tables.json").unwrap();
    assert_eq!(text.matches("\"issue\"").count(), MAX_RUNNING + MAX_RESULTS, "{text}");
    println!("A full list has {} bytes.", text.len());
    assert!(text.len() < MAX_BYTES / 2, "{}", text.len());
}

#[test]
fn no_page_with_a_list_no_file() {
    let repo = TestRepo::new("# Games\n");
    repo.open_issue("al_ice", "/new tic-tac-toe");
    repo.sweep();
    assert_eq!(repo.world.file("state/tables.json"), None);
}
