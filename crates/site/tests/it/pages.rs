//! Tests of pages: escaping, sizes, evaluations, and which games get one.

use ::game::{Engine, Game, Level, Options, Rules, Seat};
use games::chess::{Chess, pgn};
use games::tic_tac_toe::TicTacToe;
use games::{GameKind, Random, with_game};
use interop::import;
use site::evaluation::{can_evaluate, evaluate, is_current};
use site::page::{FIND_SCRIPT, GAME_SCRIPT, SCRIPT, STYLE, compact_script};
use site::{
    Evaluation, FeedHead, PageHead, PagedList, ROWS_PER_PAGE, RoundSummary, Site, evaluation, game, home, page,
};
use standings::audit::audit;
use standings::{Recount, count_result, files_needed};
use table::{Event, EventKind, IssueNumber, Player, Table, TableStatus, Timestamp, UserId, state_file};
use testkit::records::game;
use testkit::{Scenario, place};

use crate::support::{play_table, round_pages, site};

#[test]
fn escapes_hostile_names() {
    let hostile = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'&";
    let site = Site {
        name: hostile.to_owned(),
        repository: Some(["https://github.com\"><script>".to_owned(), hostile.to_owned()]),
        url: Some("https://host.github.io/\"><script>/".to_owned()),
        previews: true,
        use_form: false,
    };
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9);
    let mut round = RoundSummary::from_table(&table);
    round.setup = Some(hostile.to_owned());
    round.ending = hostile.to_owned();
    let recounted = Recount::default().count();
    let head = PageHead { path: "a/b.html", title: hostile, description: hostile, picture: Some(hostile) };
    let texts = [
        site.page(head, &maud::html! {}),
        home::home_page(&site, &[&round], &[&round], &recounted),
        home::not_found_page(&site),
        page::atom(&site, FeedHead { path: "feed.xml", page: "", name: hostile }, &[&round]).unwrap(),
        game::round_files(&site, &table, &round, None).pop().unwrap().1,
    ];
    for text in texts {
        assert!(!text.contains("<script>") && !text.contains("<img src=x"), "{text}");
        assert_eq!(text.matches("<script ").count(), usize::from(text.contains("<html")), "{text}");
    }
}

#[test]
fn pages_run_no_inline_code() {
    for kind in GameKind::ALL {
        let mut random = Random::new(3);
        let table: Table = with_game!(*kind, G => game::<G>(&mut random, 5, 1_700_000_000_000));
        let page = round_pages(&table, None).pop().unwrap().1;
        assert!(
            page.contains("default-src 'none'; img-src 'self' blob:; style-src 'self'; script-src 'self'"),
            "{page}"
        );
        assert!(!page.contains(" style=") && !page.contains("<style"), "{}: a style within the page", kind.info().name);
        let handler = page.split(['<', ' ']).find(|word| word.starts_with("on") && word.contains("=\""));
        assert_eq!(handler, None, "{}: a handler within the page", kind.info().name);
        let replay = &round_pages(&table, None)[0].1;
        assert!(!replay.contains(" style="), "{}: the policy forbids inline styles", kind.info().name);
    }
    for script in [SCRIPT, GAME_SCRIPT, FIND_SCRIPT].map(compact_script) {
        assert!(script.len() < 24_576, "a script has {} bytes", script.len());
    }
    assert!(!STYLE.contains("url("), "the style sheet loads nothing");
}

#[test]
fn the_longest_game_has_a_page_below_60_kb() {
    // A record of many events, each with the computer's reply.
    let mut table = play_table::<Chess>(Some(Player::Computer(Level::ALL[0])), false, 0);
    let mut at = 0;
    while table.history().len() < 1_000 && table.status() == TableStatus::Playing {
        let engine_move = table.game().choose(Level::ALL[0], at).unwrap();
        let kind = EventKind::Move { notation: table.game().notation(&engine_move.mv), mv: engine_move.mv };
        at += 1;
        let source = place(7, at);
        let event = Event {
            kind,
            seat: Some(table.player_to_move()),
            author: UserId::new(1001),
            source,
            timestamp: Timestamp::from_millis(at * 3_600_000),
            offers_draw: false,
            votes: Vec::new(),
            time_away: std::time::Duration::ZERO,
            clock_start: None,
            effects: Vec::new(),
            key: None,
        };
        let login = "a-login-as-long-as-any-that-github-has1";
        table = table.append(event, login, None).unwrap();
        if table.status() != TableStatus::Playing {
            break;
        }
    }
    let long: Table = table;
    let page = round_pages(&long, None).pop().unwrap().1;
    assert!(page.len() < 60_000, "{} bytes", page.len());
}

#[test]
fn a_long_game_is_analyzed_with_more_nodes() {
    assert_eq!(
        [10, 111, 112, 200, 400].map(evaluation::nodes_for),
        [1_000_000, 1_000_000, 1_008_000, 1_800_000, 3_000_000]
    );
}

#[test]
fn evaluates_running_games_only_where_hints_are_allowed() {
    let between_people: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 3);
    assert!(!can_evaluate(&between_people), "the game is still in progress");
    let over: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9);
    assert!(over.is_over() && can_evaluate(&over));
    let open: Table = play_table::<TicTacToe>(None, true, 3);
    let computer: Table = play_table::<TicTacToe>(Some(Player::Computer(Level::ALL[0])), false, 1);
    assert!(can_evaluate(&open) && can_evaluate(&computer), "these players may ask for hints");
    let no_moves: Table = play_table::<TicTacToe>(None, true, 0);
    assert!(!can_evaluate(&no_moves));
}

#[test]
fn an_evaluation_is_current_until_a_move_is_played() {
    for kind in GameKind::ALL {
        let (early, late): (Table, Table) =
            with_game!(*kind, G => (play_table::<G>(None, true, 4), play_table::<G>(None, true, 7)));
        let name = kind.info().name;
        let nodes = 20_000;
        let known = evaluate(&early, nodes).unwrap_or_else(|| panic!("{name} exceeds the budget"));
        // A search of few positions may use a few more.
        assert!(known.nodes < 2 * nodes, "{name}: {}", known.nodes);
        assert!(is_current(&early, &known), "{name}");
        assert_eq!(evaluate(&early, nodes).as_ref(), Some(&known), "{name}: the same every time");
        let read = Evaluation::parse(&known.to_json());
        assert_eq!(read.as_ref(), Some(&known), "{name}: the file is complete");
        let others = [
            Evaluation { engine: known.engine + 1, ..known.clone() },
            Evaluation { analysis: known.analysis + 1, ..known.clone() },
        ];
        assert!(others.iter().all(|other| !is_current(&early, other)), "{name}: another version is outdated");
        assert!(!is_current(&late, &known), "{name}");
    }
    let text = r#"{"analysis":2,"engine":1,"nodes":1,"plies":[],"end":1000}"#;
    assert!(Evaluation::parse(text).is_some());
    assert_eq!(Evaluation::parse(&text.replace("1000", "1001")), None);
    assert_eq!(Evaluation::parse("{}"), None);
    assert_eq!(evaluate(&play_table::<Chess>(None, true, 7), 500), None, "too few nodes to say anything");
}

/// The chart ends with the position in which a side resigned.
#[test]
fn a_resignation_is_not_an_evaluation() {
    let table = play_table::<Chess>(Some(Player::invited("bob")), false, 4);
    let event = Event {
        kind: EventKind::Resign,
        seat: Some(Seat::First),
        author: UserId::new(1001),
        source: place(7, 99),
        timestamp: Timestamp::from_millis(1_700_001_000_000),
        offers_draw: false,
        votes: Vec::new(),
        time_away: std::time::Duration::ZERO,
        clock_start: None,
        effects: Vec::new(),
        key: None,
    };
    let table = table.append(event, "alice", None).unwrap();
    assert_eq!(table.status(), TableStatus::Won(Seat::Second));
    let end = evaluate(&table, 50_000).unwrap().end;
    assert!((200..800).contains(&end), "{end}");
}

#[test]
fn win_chance_is_between_0_and_1000() {
    for kind in GameKind::ALL {
        let (edge, chances) = with_game!(*kind, G => {
            let start = G::start(&G::configure(&mut Options::default()).unwrap()).unwrap();
            let scores = [i32::MIN, -1_000_000, -G::SCORE_SCALE, 0, G::SCORE_SCALE, 1_000_000, i32::MAX];
            (G::SCORE_SCALE, scores.map(|score| start.win_chance(score)))
        });
        assert!(edge > 0 && chances[0] == 0 && chances[6] == 1000, "{}: {chances:?}", kind.info().name);
        assert_eq!(chances[2..5], [250, 500, 750], "{}", kind.info().name);
        assert!(chances[1] < 30 && chances[5] > 970, "{}: a proven win is a win: {chances:?}", kind.info().name);
    }
}

#[test]
fn names_the_biggest_mistake() {
    // O's mistakes let X win.
    let mut table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 0);
    for (at, text) in ["a1", "b2", "a2", "c3", "c1", "a3", "b1"].into_iter().enumerate() {
        let seat = table.player_to_move();
        let by = if seat == Seat::First { 1001 } else { 1002 };
        let mv = table.game().parse_move(text).unwrap();
        let kind = EventKind::Move { notation: text.to_owned(), mv };
        let source = place(7, at as u64 + 1);
        let event = Event {
            kind,
            seat: Some(seat),
            author: UserId::new(by),
            source,
            timestamp: Timestamp::from_millis(1),
            offers_draw: false,
            votes: Vec::new(),
            time_away: std::time::Duration::ZERO,
            clock_start: None,
            effects: Vec::new(),
            key: None,
        };
        table = table.append(event, if by == 1001 { "alice" } else { "bob" }, None).unwrap();
    }
    assert_eq!(table.status(), TableStatus::Won(Seat::First));
    let evaluation = evaluate(&table, 1_000_000).unwrap();
    let seats = evaluation::ply_seats(&table);
    let worst = evaluation.mistakes(&seats, Seat::Second);
    assert!(!worst.is_empty() && worst[0].evaluated.lost >= 300, "{evaluation:?}");
    assert_eq!(evaluation.end, 1000, "X won");
    let page = round_pages(&table, Some(&evaluation)).pop().unwrap().1;
    assert!(page.contains("Biggest mistakes") && page.contains(&worst[0].evaluated.ply), "{page}");
}

/// Returns the demonstration game with this number, analyzed as on the site, and the moves listed as mistakes.
fn listed_mistakes(round: u32) -> (Table, Evaluation, Vec<(usize, String, String)>) {
    let path = format!("{}/../../state/archive/0-{round}.json", env!("CARGO_MANIFEST_DIR"));
    let table = state_file::load(&std::fs::read_to_string(path).unwrap(), IssueNumber::new(0)).unwrap();
    let evaluation = evaluate(&table, evaluation::nodes_for(table.plies().len())).unwrap();
    let seats = evaluation::ply_seats(&table);
    let mistakes = Seat::BOTH.iter().flat_map(|side| evaluation.mistakes(&seats, *side));
    let listed = mistakes.map(|mistake| {
        let better = mistake.evaluated.better.clone().unwrap_or_default();
        (mistake.number, mistake.evaluated.ply.clone(), better)
    });
    let listed = listed.collect();
    (table, evaluation, listed)
}

/// Stockfish 15.1 at depth 18 has 10. Nxb5 and every move of White from 12. O-O-O to mate as its first choice.
#[test]
fn the_best_moves_of_the_opera_game_are_no_mistakes() {
    let (_, evaluation, listed) = listed_mistakes(34);
    let best = [19, 23, 25, 27, 29, 31, 33];
    assert_eq!(evaluation.plies[28].ply, "Bxd7+");
    assert!(listed.iter().all(|(number, ..)| !best.contains(number)), "{listed:?}");
    assert_eq!(evaluation.plies[30].chance, 1000, "before 16. Qb8+, mate in two");
    assert_eq!(evaluation.plies[31].chance, 1000, "Black has to take the queen");
    assert_eq!(evaluation.end, 1000);
}

/// 18... Bxg1 loses the Immortal Game: Stockfish prefers 18... Qxa1+, which wins.
#[test]
fn the_losing_move_of_the_immortal_game_is_listed_with_a_better_one() {
    let (_, _, listed) = listed_mistakes(30);
    let black: Vec<_> = listed.iter().filter(|(number, ..)| number % 2 == 0).collect();
    assert!(black.contains(&&(36, "Bxg1".to_owned(), "Qxa1+".to_owned())), "{listed:?}");
}

#[test]
fn lists_every_game_and_keeps_full_pages() {
    let list = PagedList { folder: "results", prefix: "", newest: "index.html", title: "Results" };
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 9);
    let rounds: Vec<RoundSummary> = (1..=9 * ROWS_PER_PAGE as u64 + 5)
        .map(|issue| RoundSummary { issue: IssueNumber::new(issue), ..RoundSummary::from_table(&table) })
        .collect();
    let all: Vec<&RoundSummary> = rounds.iter().collect();
    let before = list.pages(&site(), &all[..8 * ROWS_PER_PAGE + 7], &maud::html! {});
    let after = list.pages(&site(), &all, &maud::html! {});
    let same = before.iter().filter(|page| page.0 != "results/index.html" && after.contains(page)).count();
    assert_eq!(same, 5, "the last three of eight full pages get links to the next");
    for issue in 1..=rounds.len() {
        let link = format!("games/{issue}-1.html\"");
        assert!(after.iter().any(|(_, text)| text.contains(&link)), "game {issue} is on no page");
    }
    for (path, text) in &after {
        assert!(text.len() < 60_000, "{path} has {} bytes", text.len());
    }
}

#[test]
fn rating_steps_end_at_the_current_ratings() {
    let (mut recount, mut tables, mut files) = (Recount::default(), Vec::new(), std::collections::BTreeMap::new());
    for seed in 0..24 {
        let table: Table = game::<TicTacToe>(&mut Random::new(seed), seed + 1, seed * 1_000_000);
        if files_needed(&table).is_empty() {
            continue;
        }
        let counted = count_result(&table, &files).unwrap();
        tables.push(counted.record_in(table));
        files.extend(counted.files);
    }
    tables.iter().rev().for_each(|table| recount.add_table(table));
    let recounted = recount.count();
    let audit = audit(tables.into_iter().map(|table| (String::new(), table)), &files);
    assert_eq!(audit.faults, Vec::<String>::new());
    assert!(recounted.rating_steps.len() > 10, "{}", recounted.rating_steps.len());
    for step in &recounted.rating_steps {
        let last = recounted.rating_steps.iter().rev().find(|other| other.id == step.id).unwrap();
        let score = &recounted.player(step.id).unwrap().games["tic-tac-toe"];
        assert_eq!((score.rating, score.deviation), (last.rating, last.deviation));
    }
}

/// Nobody played on 1970-01-01: unknown dates aren't shown, not even for games imported before `imported` existed.
#[test]
fn shows_the_date_of_an_imported_game_as_far_as_known() {
    let facts = |tags: &str, edit: fn(&str) -> String| {
        let text = format!("{tags}\n1. e4 e5 2. Nf3 Nc6 1-0\n");
        let game = pgn::parse_games(&text).next().unwrap().unwrap();
        let people = [(UserId::new(1001), "alice".to_owned()), (UserId::new(1002), "bob".to_owned())];
        let record = state_file::to_json(&import::import_game(&game, IssueNumber::new(7), &people).unwrap());
        let table = state_file::load(&edit(&record), IssueNumber::new(7)).unwrap();
        let round = RoundSummary::from_table(&table);
        let list = PagedList { folder: "results", prefix: "", newest: "index.html", title: "Results" };
        let mut all: Vec<String> = round_pages(&table, None).into_iter().map(|(_, text)| text).collect();
        all.push(list.pages(&site(), &[&round], &maud::html! {}).pop().unwrap().1);
        for text in &all {
            assert!(!text.contains("1970"), "{tags}: {text}");
        }
        let feed = page::atom(&site(), FeedHead { path: "feed.xml", page: "", name: "games" }, &[&round]).unwrap();
        assert!(!feed.contains("<entry>") || !feed.contains("1970"), "{tags}: {feed}");
        let page = all.iter().find(|text| text.contains("<html")).unwrap();
        let facts =
            page.split("class=\"facts\"").nth(1).unwrap().split(" moves").nth(1).unwrap().split("</p>").next().unwrap();
        let row = all.last().unwrap().split("class=\"when\">").last().unwrap().split("</p>").next().unwrap();
        format!("{facts} | {row}")
    };
    let unchanged = |text: &str| text.to_owned();
    assert_eq!(facts("", unchanged), " · date unknown | ");
    let year = "<time datetime=\"2020\">2020</time>";
    assert_eq!(facts("[Date \"2020.??.??\"]\n", unchanged), format!(" · played {year} | {year}"));
    let day = "<time datetime=\"1851-06-21\">Jun 21, 1851</time>";
    assert_eq!(facts("[Date \"1851.06.21\"]\n", unchanged), format!(" · played {day} | {day}"));
    let day = "<time datetime=\"2020-05-17\">May 17, 2020</time>";
    assert_eq!(facts("[Date \"2020.05.17\"]\n", unchanged), format!(" · played {day} | {day}"));
    let older_format = |text: &str| {
        let end = "\"importedEnd\", \"result\": \"won\", \"seat\": \"white\", \"by\": 1001";
        let text =
            text.replace("\"imported\": {},\n  ", "").replace(end, "\"resign\", \"seat\": \"black\", \"by\": 1002");
        let seat = "\"black\": { \"id\": 1002";
        assert!(text.contains("resign") && !text.contains("imported") && text.contains(seat), "{text}");
        text
    };
    assert_eq!(facts("", older_format), " · played unknown | unknown");
}

#[test]
fn a_variant_has_a_name_and_a_leaderboard_of_its_own() {
    let scenario = Scenario::played("/new gomoku @bob", &["alice: h8", "bob: h9", "alice: /resign"]);
    let table = scenario.table(1);
    let mut recount = Recount::default();
    recount.add_table(&table);
    let standings = recount.count();
    let pages = site::standings::pages(&site(), &standings);
    let paths: Vec<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["standings/index.html", "standings/gomoku.html"]);
    assert!(pages[0].1.contains("<a href=\"../standings/gomoku.html\">Gomoku</a>"), "{}", pages[0].1);
    assert!(pages[1].1.contains("<h1>Gomoku</h1>"), "{}", pages[1].1);
    let round = RoundSummary::from_table(&table);
    let of_game = site::game_index::pages(&site(), GameKind::TicTacToe, &[], &[&round], &standings);
    assert!(of_game[0].1.contains("<h2>Leaderboard: Gomoku</h2>"), "{}", of_game[0].1);
    assert_eq!(round.title(), "Gomoku: alice – bob");
}

#[test]
fn the_page_of_a_casual_game_says_so() {
    for (opened, is_casual) in [("/new chess @bob casual", true), ("/new chess @bob", false)] {
        let table = Scenario::played(opened, &["alice: e4"]).table(1);
        let (_, page) = round_pages(&table, None).pop().unwrap();
        assert_eq!(page.contains(" · casual · "), is_casual, "{page}");
    }
}

#[test]
fn empty_standings_say_which_games_count() {
    let recounted = Recount::default().count();
    let (_, page) = site::standings::pages(&site(), &recounted).remove(0);
    assert!(page.contains("A finished game between two people counts, unless it was casual or aborted"), "{page}");
}
