//! An open table on a page goes on in another issue, and the page goes with it.

use super::Town;

const PAGE: &str = "# Play\r\n\r\n<!-- Play-by-Commit: table #1 -->\r\n<!-- /play-by-commit:table -->\r\n\r\n\
    Table 1 is ours. <!-- play-by-commit:table 10 -->\r\n<!-- /play-by-commit:table -->\r\n";

#[test]
fn a_passer_by_cannot_carry_it_away() {
    let town = Town::new(PAGE);
    town.opens("olga", "/new tic-tac-toe seats=open");
    town.says(1, "anna", "/move b2");
    let before = town.readme();
    for login in ["carl", "anna"] {
        let (issue, report) = town.opens(login, "/continue #1");
        assert_eq!((report.applied, report.refused), (0, 1), "{login}");
        let (_, answer) = town.one_answer(issue);
        assert!(answer.contains("Only a maintainer can move this open game to another issue"), "{answer}");
    }
    // Nor can whoever asks for the next round.
    town.world.as_maintainer("mona");
    town.says(1, "mona", "/abort");
    town.says(1, "carl", "/rematch");
    assert_eq!(town.opens("carl", "/continue #1").1.refused, 1);
    assert_ne!(town.readme(), before);
}

#[test]
fn the_page_follows_in_the_same_commit() {
    let town = Town::new(PAGE);
    town.opens("olga", "/new tic-tac-toe seats=open");
    town.says(1, "anna", "/move b2");
    let (fresh, report) = town.opens("olga", "/continue #1");
    assert_eq!(report.applied, 1);
    let block = |number| town.block(number).trim().replace('\n', "\r\n");
    let page = PAGE.replace("table #1 -->\r\n", &format!("table #{fresh} -->\r\n\r\n{}\r\n\r\n", block(fresh)));
    assert_eq!(town.readme(), page);
    // Its links play there, and the page stays with the table.
    town.says(fresh, "carl", "/move a1");
    assert!(town.readme().contains(&block(fresh)) && !town.readme().contains("%231"));
}
