//! Tests of cards, the pages of each game, neighbors, and lists of moves.

use std::collections::BTreeMap;

use ::game::{Level, Seat};
use games::backgammon::Backgammon;
use games::chess::pgn;
use games::tic_tac_toe::TicTacToe;
use games::{GameKind, Random};
use interop::import;
use site::home::{game_cards, home_page, spread};
use site::{ROWS_PER_PAGE, RoundSummary, game, game_index, move_list, numbered_ply, result_pages};
use standings::Recount;
use table::{IssueNumber, Player, Table, TableStatus, Timestamp, UserId, state_file};
use testkit::records::game;

use crate::support::{play_table, site};

fn chess(moves: &str) -> Table {
    let game = pgn::parse_games(moves).next().unwrap().unwrap();
    let people = [(UserId::new(1001), "alice".to_owned()), (UserId::new(1002), "bob".to_owned())];
    let record = state_file::to_json(&import::import_game(&game, IssueNumber::new(7), &people).unwrap());
    state_file::load(&record, IssueNumber::new(7)).unwrap()
}

#[test]
fn the_newest_results_leave_out_declined_invitations() {
    let round = |moves| RoundSummary::from_table(&play_table::<TicTacToe>(Some(Player::invited("bob")), false, moves));
    let page = |round: RoundSummary| {
        let round = RoundSummary { status: TableStatus::Aborted, ..round };
        home_page(&site(), &[], &[&round], &Recount::default().count())
    };
    assert!(page(round(0)).contains("No finished games yet."), "{}", page(round(0)));
    assert!(!page(round(1)).contains("No finished games yet."), "{}", page(round(1)));
}

#[test]
fn numbers_moves_in_pairs() {
    let table = chess("1. e4 e5 2. Nf3 1-0\n");
    let list = move_list(&table, None).into_string();
    assert_eq!(list.matches("<li>").count(), 2, "{list}");
    assert!(list.contains("<b>1.</b>") && list.contains("<b>2.</b>") && list.contains("href=\"#p3\""), "{list}");
    assert_eq!([1, 2, 3].map(|ply| numbered_ply(&table, ply)), ["1. e4", "1... e5", "2. Nf3"]);
}

#[test]
fn numbers_a_first_move_of_black() {
    let table = chess("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 13\"]\n\n13... Kd7 14. e4 Kd6 1-0\n");
    let list = move_list(&table, None).into_string();
    assert!(list.contains("<b>13...</b>") && list.contains("<b>14.</b>"), "{list}");
    assert_eq!(list.matches("<li>").count(), 2, "{list}");
    assert_eq!(numbered_ply(&table, 1), "13... Kd7");
}

#[test]
fn lists_turns_that_the_dice_decide() {
    let (table, turn) = (1..200)
        .find_map(|seed| {
            let table = game::<Backgammon>(&mut Random::new(seed), seed, 1_700_000_000_000);
            let (_, turn) = table.plies().find_map(|ply| ply.after.automatic_turns().pop())?;
            Some((table, turn))
        })
        .unwrap();
    let list = move_list(&table, None).into_string();
    assert!(list.contains(&format!("\">{turn}</a>")), "{turn} isn't in {list}");
}

#[test]
fn cards_say_who_moves_and_where() {
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 2);
    let round = RoundSummary::from_table(&table);
    let card = |round: &RoundSummary| game_cards(&site(), [round].into_iter(), "../").into_string();
    let text = card(&round);
    assert!(
        text.contains("<p class=\"side on-turn\"><strong><a href=\"../players/1001.html\">alice</a>")
            && text.contains(">to move, <time"),
        "{text}"
    );
    assert!(text.contains("href=\"../games/7-1.html\"") && text.contains("host/games/issues/7\""), "{text}");
    let demonstration = card(&RoundSummary { issue: IssueNumber::new(0), ..round.clone() });
    assert!(!demonstration.contains("/issues/") && demonstration.contains("Game 1"), "{demonstration}");
    let mut open = round;
    open.seats[1] = None;
    assert!(card(&open).contains("Take the open seat"));
}

#[test]
fn nobody_fills_the_front_page_alone() {
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 2);
    let opened_by = |issue: u64, id: u64| {
        let seats = [Some(Player::person(UserId::new(id), &format!("player-{id}"))), None];
        RoundSummary { issue: IssueNumber::new(issue), seats, ..RoundSummary::from_table(&table) }
    };
    let mut rounds: Vec<RoundSummary> = (1..=20).map(|issue| opened_by(issue, 1001)).collect();
    rounds.push(opened_by(21, 1002));
    let all: Vec<&RoundSummary> = rounds.iter().collect();
    let shown: Vec<u64> = spread(&all, 5, 3).iter().map(|round| round.issue.get()).collect();
    assert_eq!(shown, [1, 2, 3, 21, 4], "the game of somebody else comes before the fourth of one person");
}

#[test]
fn a_game_has_a_page_with_its_results_only() {
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9);
    let rounds: Vec<RoundSummary> = (1..=31)
        .map(|issue| RoundSummary { issue: IssueNumber::new(issue), ..RoundSummary::from_table(&table) })
        .collect();
    let (ended, standings): (Vec<&RoundSummary>, _) = (rounds.iter().collect(), Recount::default().count());
    let pages = game_index::pages(&site(), GameKind::TicTacToe, &[], &ended, &standings);
    let (path, page) = &pages[0];
    assert_eq!(path, "tic-tac-toe/index.html");
    assert!(page.contains("All 31 results") && page.contains("games/31-1.html") && !page.contains("games/1-1.html"));
    assert!(pages.iter().any(|(path, page)| path == "tic-tac-toe/results.html" && page.contains("games/1-1.html")));
    let pages = game_index::pages(&site(), GameKind::Chess, &[], &ended, &standings);
    assert!(pages[0].1.contains("No finished games yet"), "{pages:?}");
    assert!(pages.iter().all(|(path, _)| path != "chess/results.html"));
}

/// Returns finished games, one for each status and time in milliseconds.
fn finished(games: &[(TableStatus, u64)]) -> Vec<RoundSummary> {
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9);
    let seats = [Player::person(UserId::new(1001), "alice"), Player::Computer(Level::ALL[2])].map(Some);
    let rounds = (1..).zip(games).map(|(issue, (status, at))| RoundSummary {
        issue: IssueNumber::new(issue),
        status: *status,
        last_event_at: Timestamp::from_millis(*at),
        seats: seats.clone(),
        ..RoundSummary::from_table(&table)
    });
    rounds.collect()
}

#[test]
fn results_are_listed_by_year_and_in_a_file_for_the_filter() {
    let [in_2023, in_2024] = [1_700_000_000_000, 1_710_000_000_000];
    let [won, lost] = Seat::BOTH.map(TableStatus::Won);
    let rounds =
        finished(&[(won, in_2023), (lost, in_2023), (TableStatus::Draw, in_2024), (TableStatus::Aborted, in_2024)]);
    let pages: BTreeMap<String, String> =
        result_pages(&site(), &rounds.iter().collect::<Vec<_>>()).into_iter().collect();
    let games = |path: &str| [1, 2, 3, 4].map(|issue| pages[path].contains(&format!("games/{issue}-1.html")));
    assert_eq!(games("results/2023.html"), [true, true, false, false]);
    assert_eq!(games("results/2024.html"), [false, false, true, true]);
    assert!(pages["results/index.html"].contains("href=\"2023.html\""), "{}", pages["results/index.html"]);
    let plies = rounds[0].plies;
    let expected = serde_json::json!({
        "games": [["tic-tac-toe", "Tic-tac-toe", "tic-tac-toe"]],
        "people": [[1001, "alice"]],
        "rows": [
            ["1-1", 0, 0, "2023-11-14", plies, 0, "computer, level 3"],
            ["2-1", 0, 1, "2023-11-14", plies, 0, "computer, level 3"],
            ["3-1", 0, 2, "2024-03-09", plies, 0, "computer, level 3"],
            ["4-1", 0, 3, "2024-03-09", plies, 0, "computer, level 3"],
        ],
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&pages["results/games-1.json"]).unwrap(), expected);
    assert_eq!(pages.len(), 4, "{:?}", pages.keys());
    let one_year = result_pages(&site(), &[&rounds[0]]);
    assert_eq!(one_year.len(), 2, "no page for the only year");
}

#[test]
fn many_results_have_page_numbers() {
    let rounds = finished(&[(TableStatus::Draw, 1_700_000_000_000); 12 * ROWS_PER_PAGE + 3]);
    let pages: BTreeMap<String, String> =
        result_pages(&site(), &rounds.iter().collect::<Vec<_>>()).into_iter().collect();
    let links = |path: &str| -> String {
        let links = pages[path].split("aria-label=\"Pages\">").nth(1).unwrap().split("</nav>").next().unwrap();
        links
            .split('>')
            .skip(1)
            .filter_map(|part| part.split('<').next().filter(|word| !word.is_empty()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(links("results/index.html"), "Newest 11 10 … 1 Older ›");
    assert_eq!(links("results/6.html"), "‹ Newer Newest … 8 7 6 5 4 … 1 Older ›");
    assert_eq!(links("results/1.html"), "‹ Newer Newest … 3 2 1");
    assert_eq!(links("results/12.html"), "Newest 12 11 10 … 1 Older ›");
    assert!(pages["results/6.html"].contains("<a href=\"6.html\" aria-current=\"page\">6</a>"));
}

#[test]
fn a_kind_of_game_says_which_side_wins_more() {
    let [won, lost] = Seat::BOTH.map(|seat| (TableStatus::Won(seat), 1_700_000_000_000));
    let mut games = vec![won; 6];
    games.extend([lost, lost, lost]);
    let page = |games: &[(TableStatus, u64)]| {
        let rounds = finished(games);
        let ended: Vec<&RoundSummary> = rounds.iter().collect();
        game_index::pages(&site(), GameKind::TicTacToe, &[], &ended, &Recount::default().count()).remove(0).1
    };
    assert!(!page(&games).contains(" won 6 games"), "too few");
    games.push((TableStatus::Draw, 1_700_000_000_000));
    let sentence = "X won 6 games (60%) and O 3 (30%), and 1 game (10%) ended in a draw.";
    assert!(page(&games).contains(sentence), "{}", page(&games));
}

#[test]
fn every_kind_of_game_explains_how_to_play() {
    for kind in GameKind::ALL {
        let info = kind.info();
        let pages = game_index::pages(&site(), *kind, &[], &[], &Recount::default().count());
        let pages: BTreeMap<String, String> = pages.into_iter().collect();
        let page =
            |name: &str| pages.get(&format!("{}/{name}", info.name)).unwrap_or_else(|| panic!("{}: {name}", info.name));
        let (index, guide) = (page("index.html"), page("learn.html"));
        assert!(index.contains("<h3>Make a move</h3>") && index.contains("href=\"learn.html\""), "{index}");
        assert!(guide.contains("<code>/new ") && guide.contains("<table>"), "{guide}");
        for text in [index, guide] {
            assert!(!text.contains("<!-- ") && !text.contains("../boards") && text.len() < 60_000, "{text}");
            let pictures = text.split("<img src=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
            let pictures: Vec<&str> = pictures.filter(|picture| !picture.starts_with("../")).collect();
            assert!(!pictures.is_empty() && pictures.iter().all(|picture| page(picture).starts_with("<svg")), "{text}");
        }
        // The words are those of the documentation, as another program reads them.
        let file = format!("{}/../../docs/games/{}.md", env!("CARGO_MANIFEST_DIR"), info.name);
        let markdown = std::fs::read_to_string(file).unwrap();
        let (markdown, _) = markdown.split_once("\n## Other programs\n").unwrap_or((&markdown, ""));
        for line in markdown
            .lines()
            .filter(|line| line.starts_with(char::is_uppercase) && !line.contains(['`', '*', '[', '\'']))
        {
            assert!(guide.contains(line), "{line} isn't in {guide}");
        }
    }
}

#[test]
fn neighbors_are_in_order_across_files() {
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9);
    let rounds = [250, 99, 100, 3]
        .map(|issue| RoundSummary { issue: IssueNumber::new(issue), ..RoundSummary::from_table(&table) });
    let files = game::files(&rounds);
    let file = |range: &str| {
        let path = format!("games/tic-tac-toe-{range}.json");
        files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_str())
    };
    assert_eq!(file("0"), Some(r#"["3-1","99-1","100-1"]"#));
    assert_eq!(file("1"), Some(r#"["99-1","100-1","250-1"]"#));
    assert_eq!(file("2"), Some(r#"["100-1","250-1"]"#));
    assert_eq!(files.len(), 3);
}
