//! Moving an open table to another issue, together with its board on a page.

use super::TestRepo;

const PAGE: &str = "# Play\r\n\r\n<!-- Play-by-Commit: table #1 -->\r\n<!-- /play-by-commit:table -->\r\n\r\n\
    Table 1 is ours. <!-- play-by-commit:table 10 -->\r\n<!-- /play-by-commit:table -->\r\n";

#[test]
fn only_a_maintainer_can_move_an_open_table() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("olga", "/new tic-tac-toe seats=open");
    repo.comment(1, "anna", "/move b2");
    let before = repo.readme();
    for login in ["carl", "anna"] {
        let (issue, report) = repo.open_issue(login, "/continue #1");
        assert_eq!((report.applied, report.refused), (0, 1), "{login}");
        let (_, answer) = repo.only_answer(issue);
        assert!(answer.contains("Only a maintainer can move this open game to another issue"), "{answer}");
    }
    // Neither can the player who asks for a rematch.
    repo.world.as_maintainer("mona");
    repo.comment(1, "mona", "/abort");
    repo.comment(1, "carl", "/rematch");
    assert_eq!(repo.open_issue("carl", "/continue #1").1.refused, 1);
    assert_ne!(repo.readme(), before);
}

#[test]
fn the_page_follows_a_moved_table_in_the_same_commit() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("olga", "/new tic-tac-toe seats=open");
    repo.comment(1, "anna", "/move b2");
    let (fresh, report) = repo.open_issue("olga", "/continue #1");
    assert_eq!(report.applied, 1);
    let block = |number| repo.expected_block(number).trim().replace('\n', "\r\n");
    let page = PAGE.replace("table #1 -->\r\n", &format!("table #{fresh} -->\r\n\r\n{}\r\n\r\n", block(fresh)));
    assert_eq!(repo.readme(), page);
    // The links of the page play at the new table.
    repo.comment(fresh, "carl", "/move a1");
    assert!(repo.readme().contains(&block(fresh)) && !repo.readme().contains("%231"));
}
