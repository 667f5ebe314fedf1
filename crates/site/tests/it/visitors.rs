//! Tests for visitors who can't see the animated board, who don't know the site, or who want to play the same game.

use ::game::{Seat, SideStatus};
use ::standings::Recount;
use answers::board_picture;
use games::chess::pgn;
use games::tic_tac_toe::TicTacToe;
use games::{GameKind, Random, with_game};
use interop::import;
use site::evaluation::{EvaluatedPly, evaluate};
use site::game::main_button;
use site::{Evaluation, RoundSummary, game_index, home, move_list, standings};
use table::{IssueNumber, Player, Table, TableStatus, UserId, state_file};
use testkit::Scenario;
use testkit::records::game;

use crate::support::{play_table, round_pages, site};

/// Returns the file of a round whose name ends like this.
fn file(table: &Table, end: &str) -> String {
    let found = round_pages(table, None).into_iter().find(|(path, _)| path.ends_with(end));
    found.unwrap_or_else(|| panic!("no file {end}")).1
}

/// Reads the file of positions as the script does.
fn positions(text: &str) -> Vec<Vec<String>> {
    let mut parts: Vec<String> = Vec::new();
    let read = |line: &str| {
        match line.strip_prefix('=') {
            Some(all) => parts = all.split('\t').map(str::to_owned).collect(),
            None => {
                for change in line.split('\t').filter(|change| !change.is_empty()) {
                    let (index, part) = change.split_once('=').unwrap();
                    parts[index.parse::<usize>().unwrap()] = part.to_owned();
                }
            }
        }
        parts.clone()
    };
    text.lines().map(read).collect()
}

#[test]
fn every_step_of_every_game_is_in_words() {
    for kind in GameKind::ALL {
        let table: Table = with_game!(*kind, G => game::<G>(&mut Random::new(4), 6, 1_700_000_000_000));
        let name = kind.info().name;
        let positions = positions(&file(&table, ".steps.txt"));
        let mut pictures = board_picture::steps(&table);
        assert_eq!(positions.len(), pictures.len(), "{name}");
        let viewer = pictures.last().unwrap().board.viewer().unwrap_or(Seat::Second);
        let replay = file(&table, "-1.svg");
        for (step, (position, picture)) in positions.iter().zip(&mut pictures).enumerate() {
            picture.board.set_viewer(viewer);
            assert_eq!(position[5..].concat(), picture.board.description(), "{name}, step {step}");
            let turn = Seat::BOTH.iter().find(|seat| picture.caption.sides[seat.index()].status == SideStatus::ToMove);
            assert_eq!(position[0], turn.map_or(String::new(), |seat| seat.index().to_string()), "{name}, step {step}");
            let facts = Seat::BOTH.map(|seat| picture.board.side_facts(seat));
            assert_eq!(position[1..3], facts.each_ref().map(|side| side.note.clone()), "{name}, step {step}");
            assert_eq!(position[3..5], facts.each_ref().map(|side| side.captured.join(" ")), "{name}, step {step}");
            assert!(
                replay.contains(&format!(" id=\"{}\"", facts[0].piece)),
                "{name} has no picture of the first side's piece"
            );
        }
        let page = file(&table, ".html");
        let last = pictures.last().unwrap().board.description();
        assert!(page.contains(&format!("<p class=\"unseen\" id=\"position\">{last}</p>")), "{name}: {page}");
    }
}

#[test]
fn a_capture_is_beside_the_player_who_made_it() {
    let table = Scenario::played("/new chess @bob", &["alice: e4", "bob: d5", "alice: exd5", "bob: Qxd5"]).table(1);
    let positions = positions(&file(&table, ".steps.txt"));
    let captured: Vec<[&str; 2]> = positions.iter().map(|position| [&*position[3], &*position[4]]).collect();
    assert_eq!(captured, [["", ""], ["", ""], ["", ""], ["p", ""], ["p", "P"]]);
}

#[test]
fn each_move_of_a_crowd_has_a_line_with_its_player() {
    let comments = ["bob: e4", "carol: e5", "bob: Nf3"];
    let table = Scenario::played("/new chess open gap=0", &comments).table(1);
    let list = move_list(&table, None).into_string();
    assert_eq!(list.matches("<li>").count(), 3, "{list}");
    for (number, mover) in [("1.", "bob"), ("1...", "carol"), ("2.", "bob")] {
        let line = list.split("<li>").find(|line| line.starts_with(&format!("<b>{number}</b>"))).unwrap();
        assert!(line.contains(&format!("<small class=\"who\">{mover}</small>")), "{line}");
    }
}

#[test]
fn the_list_of_a_match_has_a_heading_for_each_game() {
    let comments = ["alice: /resign backgammon", "bob: /resign gammon"];
    let table = Scenario::played("/new backgammon @bob match=5", &comments).table(1);
    let list = move_list(&table, None).into_string();
    assert!(list.contains("<li class=\"heading\">Game 1: White 0, Black 0</li>"), "{list}");
    assert!(list.contains("<li class=\"heading\">Game 2: White 0, Black 3</li>"), "{list}");
}

#[test]
fn the_list_says_how_long_a_player_thought() {
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 3);
    let list = move_list(&table, None).into_string();
    assert_eq!(list.matches("<small>1 min</small>").count(), 3, "{list}");
}

fn imported(tags: &str, issue: u64) -> Table {
    let text = format!("{tags}\n1. e4 e5 2. Nf3 Nc6 1-0\n");
    let game = pgn::parse_games(&text).next().unwrap().unwrap();
    let people = [(UserId::new(1001), "alice".to_owned()), (UserId::new(1002), "bob".to_owned())];
    let record = state_file::to_json(&import::import_game(&game, IssueNumber::new(issue), &people).unwrap());
    state_file::load(&record, IssueNumber::new(issue)).unwrap()
}

#[test]
fn an_imported_game_says_where_it_was_played() {
    let tags = "[Event \"London\"]\n[Site \"London ENG\"]\n[Date \"1851.06.21\"]\n[Round \"3\"]\n[WhiteElo \"2600\"]\n";
    let page = file(&imported(tags, 7), ".html");
    assert!(page.contains("played elsewhere · London, London ENG · round 3 · Elo: White 2600"), "{page}");
    assert!(!page.contains("/issues/7\"") && page.contains(">Play again<"), "{page}");
    let title = |page: &str| page.split("<title>").nth(1).unwrap().split("</title>").next().unwrap().to_owned();
    assert_ne!(title(&page), title(&file(&imported(tags, 8), ".html")), "two games of the same people");
}

#[test]
fn another_game_has_the_same_size_and_length() {
    let cases = [
        ("/new hex 13x13 @bob", "%2Fnew%20hex%2013x13\""),
        ("/new hex 19x19 swap=off @bob", "%2Fnew%20hex%2019x19%20swap%3Doff\""),
        ("/new hex swap=off @bob", "%2Fnew%20hex%2011x11%20swap%3Doff\""),
        ("/new hex @bob", "%2Fnew%20hex\""),
        ("/new backgammon match=5 @bob", "%2Fnew%20backgammon%20match%3D5\""),
        ("/new backgammon cube=on jacoby=on @bob", "%2Fnew%20backgammon%20cube%3Don%20jacoby%3Don\""),
        ("/new backgammon match=3 cube=off @bob", "%2Fnew%20backgammon%20match%3D3%20cube%3Doff\""),
        ("/new tic-tac-toe @bob", "%2Fnew%20tic-tac-toe\""),
        ("/new tic-tac-toe 5x5 @bob", "%2Fnew%20tic-tac-toe%205x5\""),
        ("/new tic-tac-toe 9x9 k=4 @bob", "%2Fnew%20tic-tac-toe%209x9%20k%3D4\""),
        ("/new gomoku @bob", "%2Fnew%20gomoku\""),
        ("/new gomoku 19x19 @bob", "%2Fnew%20gomoku%2019x19\""),
        ("/new connect4 @bob", "%2Fnew%20connect-four\""),
        ("/new connect4 9x7 @bob", "%2Fnew%20connect-four%209x7\""),
        ("/new connect4 7x6 k=5 @bob", "%2Fnew%20connect-four%207x6%20k%3D5\""),
    ];
    for (opened, command) in cases {
        let round = RoundSummary::from_table(&Scenario::played(opened, &[]).table(1));
        let button = main_button(&site(), &RoundSummary { status: TableStatus::Draw, ..round });
        let button = button.unwrap().into_string();
        assert!(button.contains(command), "{opened}: {button}");
    }
}

#[test]
fn a_resignation_leaves_the_chances_of_the_position() {
    let table = Scenario::played("/new chess @bob", &["alice: e4", "bob: e5", "alice: Nf3", "bob: /resign"]).table(1);
    let end = evaluate(&table, 50_000).unwrap().end;
    assert!((400..=650).contains(&end), "{end} after two moves");
}

#[test]
fn chances_that_jump_with_each_move_are_smoothed() {
    let chances = |chances: &[u16], end| {
        let ply = |chance: &u16| EvaluatedPly { ply: String::new(), better: None, chance: *chance, lost: 0 };
        let plies = chances.iter().map(ply).collect();
        Evaluation { analysis: 1, engine: 1, nodes: 1, plies, end, accuracy: [None; 2] }.chances()
    };
    assert_eq!(chances(&[900, 100, 900, 200, 950, 300], 1000), [500, 500, 525, 562, 600, 637, 1000]);
    // The jumps may be in a part of the game, and may go on until a player resigns.
    let calm = [500, 510, 520, 530, 540, 550, 560, 570, 580, 590];
    assert_eq!(chances(&[&calm[..], &[900, 100, 900, 100]].concat(), 900)[10..], [622, 500, 500, 500, 500]);
    // Real turns stay.
    for values in [&[500, 520, 300, 310, 700][..], &[500, 900, 500, 510], &[500, 800, 400, 420], &[500], &[]] {
        assert_eq!(chances(values, 1000), [values, &[1000]].concat());
    }
}

#[test]
fn the_levels_of_the_computer_name_who_beat_them() {
    let mut recount = Recount::default();
    let comments: Vec<String> =
        ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"].map(|cell| format!("alice: {cell}")).into();
    let won = (0..40).find_map(|seed| {
        let moves: Vec<&str> =
            comments.iter().cycle().skip(seed).step_by(1 + seed % 4).take(9).map(String::as_str).collect();
        let table = Scenario::played("/new tic-tac-toe computer 1", &moves).table(1);
        (table.status() == table::TableStatus::Won(Seat::First)).then_some(table)
    });
    recount.add_table(&won.expect("alice beats level 1"));
    let pages = standings::pages(&site(), &recount.count());
    let page = &pages.iter().find(|(path, _)| path == "standings/computer.html").unwrap().1;
    let levels = page.split("<h2>Levels beaten</h2>").nth(1).unwrap();
    assert!(levels.contains("<h3>Tic-tac-toe</h3>"), "{levels}");
    assert!(
        levels.contains("<span class=\"level\">Level 1</span><span class=\"who\"><a href=\"../players/"),
        "{levels}"
    );
}

#[test]
fn pages_for_people_and_for_search_engines() {
    let recounted = Recount::default().count();
    for kind in GameKind::ALL {
        let pages = game_index::pages(&site(), *kind, &[], &[], &recounted);
        assert!(!pages[0].1.contains("<p class=\"start\"><p"), "a paragraph within a paragraph: {}", pages[0].1);
        let guide = pages.iter().find(|(path, _)| path.ends_with("learn.html")).unwrap();
        assert!(!guide.1.contains("play-by-commit import"), "a visitor has no program: {}", guide.1);
    }
    assert!(home::not_found_page(&site()).contains("<meta name=\"robots\" content=\"noindex\">"));
    let pages = ["games/7-1.html".to_owned(), "index.html".to_owned()].into();
    let changed = [("games/7-1.html".to_owned(), "2025-03-09".to_owned())].into();
    let sitemap = home::sitemap("https://host/", &pages, &changed);
    assert!(
        sitemap.contains("<url><loc>https://host/games/7-1.html</loc><lastmod>2025-03-09</lastmod></url>"),
        "{sitemap}"
    );
    assert!(sitemap.contains("<url><loc>https://host/index.html</loc></url>"), "{sitemap}");
    // Nothing moves unasked, and the first board is there at once.
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9);
    let running = RoundSummary::from_table(&play_table::<TicTacToe>(Some(Player::invited("bob")), false, 2));
    let page = home::home_page(&site(), &[&running], &[&RoundSummary::from_table(&table)], &recounted);
    assert!(
        page.contains("<img src=\"games/7-1.board.svg\"") && !page.contains("<img src=\"games/7-1.svg\""),
        "{page}"
    );
    assert!(page.contains("width=\"240\" height=\"240\"><h3>"), "{page}");
    assert!(page.contains("1 game in progress, 1 finished."), "{page}");
}

#[test]
fn a_visitor_can_vote_for_a_crowds_move_and_sees_the_votes() {
    let scenario = Scenario::played("/new chess computer crowd level=1", &["zoe: e4", "carol: e4", "dan: d4"]);
    let page = file(&scenario.table(1), "1-1.html");
    assert!(page.contains("Vote on GitHub") && page.contains("Everybody can vote for the next move"), "{page}");
    assert!(page.contains("time until"), "the time left: {page}");
    scenario.world.change(|state| state.now += 24 * 60 * 60_000);
    scenario.sweep().unwrap();
    let page = file(&scenario.table(1), "1-1.html");
    assert!(page.contains("crowd, e4 2 votes, d4 1, "), "{page}");
    // Another game like it has a crowd, too.
    let round = RoundSummary { status: TableStatus::Draw, ..RoundSummary::from_table(&scenario.table(1)) };
    let again = main_button(&site(), &round).unwrap().into_string();
    assert!(again.contains("computer+1+crowd") || again.contains("computer%201%20crowd"), "{again}");
    // Other programs know the crowd by its name.
    let pgn = ::interop::export::export(&scenario.table(1), "*", None).unwrap();
    assert!(pgn.text.contains("[White \"Crowd\"]\n[Black \"Computer (level 1)\"]"), "{}", pgn.text);
}
