//! The standings as Markdown.

use answers::ranking_table::markdown;
use expect_test::{Expect, expect};

use testkit::standings_fixture::{ALICE, BOB, game, open_game};
use testkit::{End, StandingsFixture};

fn build_fixture() -> StandingsFixture {
    let mut fixture = StandingsFixture::default();
    for issue in 1..=12 {
        fixture.finish(game("tic-tac-toe", issue, 5000, [ALICE, BOB], [End::Won(0), End::Drawn][issue as usize % 2]));
    }
    fixture.finish(game("tic-tac-toe", 20, 5000, [(1003, "_carl__x"), BOB], End::Won(0)));
    fixture.finish(open_game(21, 5000, 3));
    fixture
}

#[track_caller]
fn shows(kind: Option<&str>, rows: usize, expected: &Expect) {
    expected.assert_eq(&markdown(&build_fixture().files, kind, rows));
}

#[test]
fn all_of_it() {
    shows(
        None,
        10,
        &expect![[r#"
            **Tic-tac-toe**: 13 results

            | | Player | Games | Wins | Draws | Losses | Rating |
            | ---: | --- | ---: | ---: | ---: | ---: | ---: |
            | 1 | **alice** | 12 | 6 | 6 | 0 | 1618 ± 253 ? |
            | 2 | **bob** | 13 | 0 | 6 | 7 | 1359 ± 247 ? |
            | 3 | **\_carl\_\_x** | 1 | 1 | 0 | 0 | 1627 ± 523 ? |

            Glicko-2 ratings, sorted by the rating minus its ±. `?` marks a provisional rating.

            **Open games**: 1 result

            | | Player | Moves | Games |
            | ---: | --- | ---: | ---: |
            | 1 | **alice** | 3 | 1 |
            | 2 | **bob** | 2 | 1 |
            | 3 | **carl** | 2 | 1 |
        "#]],
    );
}

#[test]
fn one_kind_and_few_rows() {
    shows(
        Some("tic-tac-toe"),
        2,
        &expect![[r#"
            **Tic-tac-toe**: 13 results

            | | Player | Games | Wins | Draws | Losses | Rating |
            | ---: | --- | ---: | ---: | ---: | ---: | ---: |
            | 1 | **alice** | 12 | 6 | 6 | 0 | 1618 ± 253 ? |
            | 2 | **bob** | 13 | 0 | 6 | 7 | 1359 ± 247 ? |

            1 more player isn't shown.

            Glicko-2 ratings, sorted by the rating minus its ±. `?` marks a provisional rating.
        "#]],
    );
    shows(
        Some("tic-tac-toe"),
        1,
        &expect![[r#"
            **Tic-tac-toe**: 13 results

            | | Player | Games | Wins | Draws | Losses | Rating |
            | ---: | --- | ---: | ---: | ---: | ---: | ---: |
            | 1 | **alice** | 12 | 6 | 6 | 0 | 1618 ± 253 ? |

            2 more players aren't shown.

            Glicko-2 ratings, sorted by the rating minus its ±. `?` marks a provisional rating.
        "#]],
    );
    shows(
        Some("open"),
        10,
        &expect![[r#"
            **Open games**: 1 result

            | | Player | Moves | Games |
            | ---: | --- | ---: | ---: |
            | 1 | **alice** | 3 | 1 |
            | 2 | **bob** | 2 | 1 |
            | 3 | **carl** | 2 | 1 |
        "#]],
    );
}

#[test]
fn nobody_yet() {
    shows(
        Some("backgammon"),
        10,
        &expect![[r#"
            No standings for backgammon yet. A finished game between two people counts, unless it was casual or aborted, it started from a chosen position, or the loser never moved.
        "#]],
    );
    expect![[r#"
        No standings yet. A finished game between two people counts, unless it was casual or aborted, it started from a chosen position, or the loser never moved.
    "#]]
    .assert_eq(&markdown(&StandingsFixture::default().files, None, 10));
    expect![[r#"
        No open game has finished yet.
    "#]]
    .assert_eq(&markdown(&StandingsFixture::default().files, Some("open"), 10));
}

#[test]
fn a_damaged_ranking_is_named_and_the_others_are_shown() {
    let mut fixture = build_fixture();
    fixture.files.insert("players/tic-tac-toe.json".to_owned(), "{\n\"schema\": 7}".to_owned());
    let page = markdown(&fixture.files, None, 10);
    assert!(
        page.starts_with("The bot can't show **Tic-tac-toe** because `players/tic-tac-toe.json` is damaged. "),
        "{page}"
    );
    // The text of a damaged file never gets onto a page.
    fixture.files.insert("players/tic-tac-toe.json".to_owned(), "{\"@alice\": 1}".to_owned());
    assert!(!markdown(&fixture.files, None, 10).contains("@alice"));
    assert!(page.contains("| **alice** |"), "{page}");
}

#[test]
fn nobody_is_mentioned() {
    assert!(!markdown(&build_fixture().files, None, 100).contains('@'));
}
