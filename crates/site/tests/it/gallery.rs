//! The pages of the gallery: what is escaped, what fits, what the computer says of a game and of whose.

use ::game::contract::{Engine, Game, Notation, Rules};
use ::game::engine::Level;
use ::game::options::Options;
use ::game::seat::Seat;
use games::chess::game::Chess;
use games::chess::pgn;
use games::registry::{GameKind, with_game};
use games::search::random::Random;
use games::tic_tac_toe::game::TicTacToe;
use interop::import;
use site::entry::Entry;
use site::evaluation::{self, Evaluation, can_evaluate, evaluate, is_current};
use site::lists::{PagedList, ROWS_PER_PAGE};
use site::page::{PageHead, SCRIPT, STYLE, Site};
use site::{feed, game, home};
use standings::audit::audit;
use standings::recount::Recount;
use standings::{count_result, files_needed};
use table::any_table::AnyTable;
use table::game_state::TableStatus;
use table::history::{Event, EventKind, Occupant};
use table::state_file;
use table::table::Table;
use table::talk::comment::Source;
use table::terms::{OpenRule, Terms};
use testkit::records::game;

fn site() -> Site {
    Site {
        name: "host/games".to_owned(),
        repository: Some(["https://github.com".to_owned(), "host/games".to_owned()]),
        address: Some("https://host.github.io/games/".to_owned()),
        previews: false,
    }
}

/// A table of a game with so many of its own moves, each chosen by the lowest level.
fn table<G: Game>(opponent: Option<Occupant>, open: bool, moves: usize) -> Table<G> {
    let config = G::configure(&mut Options::default()).unwrap();
    let terms = Terms { per_move: None, open: open.then_some(OpenRule { gap: 0 }) };
    let mut table: Table<G> = Table::new(7, 1, config, terms).unwrap();
    let mut kind = EventKind::New { opponent, commitment: None };
    for at in 0..=moves as u64 {
        let seat = if at == 0 { (!open).then_some(Seat::First) } else { Some(table.player_to_move()) };
        let by = if seat == Some(Seat::Second) && !open { 1002 } else { 1001 };
        let source = Source { issue: 7, comment: at };
        let timestamp = 1_700_000_000_000 + at * 60_000;
        let event = Event { kind, seat, by, source, timestamp, consequences: Vec::new(), key: None };
        table = table.append(event, if by == 1001 { "alice" } else { "bob" }, None).unwrap();
        if table.status() != TableStatus::Playing {
            break;
        }
        let chosen = table.game().choose(Level::ALL[0], at).unwrap();
        kind = EventKind::Move { notation: table.game().notation(&chosen.mv), mv: chosen.mv };
    }
    table
}

fn pages(table: &AnyTable, evaluation: Option<&Evaluation>) -> Vec<(String, String)> {
    game::round_files(&site(), table, &Entry::from_table(table), evaluation)
}

#[test]
fn whatever_a_site_is_called_is_escaped() {
    let hostile = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'&";
    let site = Site {
        name: hostile.to_owned(),
        repository: Some(["https://github.com\"><script>".to_owned(), hostile.to_owned()]),
        address: Some("https://host.github.io/\"><script>/".to_owned()),
        previews: true,
    };
    let table: AnyTable = table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 9).into();
    let mut entry = Entry::from_table(&table);
    entry.setup = Some(hostile.to_owned());
    entry.ending = hostile.to_owned();
    let head = PageHead { path: "a/b.html", title: hostile, description: hostile, picture: Some(hostile) };
    let texts = [
        site.page(head, &maud::html! {}),
        home::home_page(&site, &[&entry], &[&entry]),
        home::not_found_page(&site),
        feed::atom(&site, &[&entry]).unwrap(),
        game::round_files(&site, &table, &entry, None).pop().unwrap().1,
    ];
    for text in texts {
        assert!(!text.contains("<script>") && !text.contains("<img src=x"), "{text}");
        assert_eq!(text.matches("<script ").count(), usize::from(text.contains("<html")), "{text}");
    }
}

#[test]
fn a_page_runs_nothing_but_the_file_beside_it() {
    for kind in GameKind::ALL {
        let mut random = Random::new(3);
        let table: AnyTable = with_game!(*kind, G => game::<G>(&mut random, 5, 1_700_000_000_000).into());
        let page = pages(&table, None).pop().unwrap().1;
        assert!(page.contains("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'"), "{page}");
        assert!(!page.contains(" style=") && !page.contains("<style"), "{}: a style within the page", kind.info().name);
        let handler = page.split(['<', ' ']).find(|word| word.starts_with("on") && word.contains("=\""));
        assert_eq!(handler, None, "{}: a handler within the page", kind.info().name);
        let film = &pages(&table, None)[0].1;
        assert!(!film.contains(" style="), "{}: the policy lets no style of a shape through", kind.info().name);
    }
    assert!(SCRIPT.len() < 10_000, "the script has {} bytes", SCRIPT.len());
    assert!(!STYLE.contains("url("), "the style asks for nothing");
}

#[test]
fn the_longest_game_has_a_page_below_60_kb() {
    // Two thousand events, each a ply with its reply.
    let mut table = table::<Chess>(Some(Occupant::computer(Level::ALL[0])), false, 0);
    let mut at = 0;
    while table.history().len() < 1_000 && table.status() == TableStatus::Playing {
        let chosen = table.game().choose(Level::ALL[0], at).unwrap();
        let kind = EventKind::Move { notation: table.game().notation(&chosen.mv), mv: chosen.mv };
        at += 1;
        let source = Source { issue: 7, comment: at };
        let event = Event {
            kind,
            seat: Some(table.player_to_move()),
            by: 1001,
            source,
            timestamp: at * 3_600_000,
            consequences: Vec::new(),
            key: None,
        };
        let login = "a-login-as-long-as-any-that-github-has1";
        table = table.append(event, login, None).unwrap();
        if table.status() != TableStatus::Playing {
            break;
        }
    }
    let long: AnyTable = table.into();
    let page = pages(&long, None).pop().unwrap().1;
    assert!(page.len() < 60_000, "{} bytes", page.len());
}

#[test]
fn nobody_is_helped_at_a_table_between_two_people() {
    let two: AnyTable = table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 3).into();
    assert!(!can_evaluate(&two), "the game goes on");
    let over: AnyTable = table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 9).into();
    assert!(over.is_over() && can_evaluate(&over));
    let open: AnyTable = table::<TicTacToe>(None, true, 3).into();
    let computer: AnyTable = table::<TicTacToe>(Some(Occupant::computer(Level::ALL[0])), false, 1).into();
    assert!(can_evaluate(&open) && can_evaluate(&computer), "they may ask for hints");
    let nothing: AnyTable = table::<TicTacToe>(None, true, 0).into();
    assert!(!can_evaluate(&nothing));
}

#[test]
fn what_is_known_of_a_game_is_not_looked_for_again() {
    for kind in GameKind::ALL {
        let (early, late): (AnyTable, AnyTable) = with_game!(*kind, G => {
            let dice = G::HAS_DICE;
            let moves = |moves| if dice { None } else { Some(table::<G>(None, true, moves).into()) };
            match (moves(4), moves(7)) {
                (Some(early), Some(late)) => (early, late),
                // Dice are thrown by a key, which an open table here does not have.
                _ => {
                    let whole: AnyTable = game::<G>(&mut Random::new(1), 9, 0).into();
                    (whole.clone(), whole)
                }
            }
        });
        let name = kind.info().name;
        // With dice each ply is looked at after every throw.
        let nodes = if *kind == GameKind::Backgammon { 200_000 } else { 20_000 };
        let known = evaluate(&early, None, nodes).unwrap_or_else(|| panic!("{name} is too dear"));
        assert!(is_current(&early, &known), "{name}");
        assert_eq!(evaluate(&early, Some(&known), nodes), None, "{name}: nothing is new");
        let read = Evaluation::parse(&known.to_json());
        assert_eq!(read.as_ref(), Some(&known), "{name}: the file says all");
        if early != late {
            let on = evaluate(&late, Some(&known), nodes).unwrap();
            let kept = known.plies.len() - 1;
            assert_eq!(on.plies[..kept], known.plies[..kept], "{name}: what was known is kept");
            assert!(is_current(&late, &on) && !is_current(&late, &known) && !is_current(&early, &on), "{name}");
            let mut other = known.clone();
            other.engine += 1;
            assert!(!is_current(&early, &other), "{name}: another engine says other things");
        }
    }
    assert_eq!(Evaluation::parse("{}"), None);
    assert_eq!(Evaluation::parse(r#"{"engine":1,"level":4,"nodes":1,"plies":[],"end":1001}"#), None);
}

#[test]
fn a_value_is_a_chance_from_none_to_all() {
    for kind in GameKind::ALL {
        let (edge, chances) = with_game!(*kind, G => (G::SCORE_SCALE, [i32::MIN, -1_000_000, -G::SCORE_SCALE, 0, G::SCORE_SCALE, 1_000_000, i32::MAX].map(G::win_chance)));
        assert!(edge > 0 && chances[0] == 0 && chances[6] == 1000, "{}: {chances:?}", kind.info().name);
        assert_eq!(chances[2..5], [250, 500, 750], "{}", kind.info().name);
        assert!(chances[1] < 30 && chances[5] > 970, "{}: a win that is seen is a win: {chances:?}", kind.info().name);
    }
}

#[test]
fn a_move_that_throws_a_game_away_is_named() {
    // X leaves O two in a row and O wins: the moves before it lose half the game or more.
    let mut table: Table<TicTacToe> = table(Some(Occupant::reserved("bob")), false, 0);
    for (at, text) in ["a1", "b2", "a2", "c3", "c1", "a3", "b1"].into_iter().enumerate() {
        let seat = table.player_to_move();
        let by = if seat == Seat::First { 1001 } else { 1002 };
        let mv = table.game().parse_move(text).unwrap();
        let kind = EventKind::Move { notation: text.to_owned(), mv };
        let source = Source { issue: 7, comment: at as u64 + 1 };
        let event = Event { kind, seat: Some(seat), by, source, timestamp: 1, consequences: Vec::new(), key: None };
        table = table.append(event, if by == 1001 { "alice" } else { "bob" }, None).unwrap();
    }
    assert_eq!(table.status(), TableStatus::Won(Seat::First));
    let any: AnyTable = table.into();
    let found = evaluate(&any, None, 1_000_000).unwrap();
    let seats = evaluation::ply_seats(&any);
    let worst = found.mistakes(&seats, Seat::Second);
    assert!(!worst.is_empty() && worst[0].evaluated.lost >= 300, "{found:?}");
    assert_eq!(found.end, 1000, "X has won");
    let page = pages(&any, Some(&found)).pop().unwrap().1;
    assert!(page.contains("Biggest mistakes") && page.contains(&worst[0].evaluated.ply), "{page}");
}

#[test]
fn every_game_is_on_a_page_of_the_list_and_full_pages_stay() {
    let list = PagedList { folder: "results", prefix: "", newest: "index.html", title: "Results" };
    let table: AnyTable = table::<TicTacToe>(Some(Occupant::reserved("bob")), false, 9).into();
    let entries: Vec<Entry> =
        (1..=4 * ROWS_PER_PAGE as u64 + 5).map(|issue| Entry { issue, ..Entry::from_table(&table) }).collect();
    let all: Vec<&Entry> = entries.iter().collect();
    let before = list.pages(&site(), &all[..3 * ROWS_PER_PAGE + 7]);
    let after = list.pages(&site(), &all);
    let same = before.iter().filter(|page| page.0 != "results/index.html" && after.contains(page)).count();
    assert_eq!(same, 2, "of three full pages the last learns that another one follows");
    for issue in 1..=entries.len() {
        let link = format!("games/{issue}-1.html\"");
        assert!(after.iter().any(|(_, text)| text.contains(&link)), "game {issue} is on no page");
    }
    for (path, text) in &after {
        assert!(text.len() < 60_000, "{path} has {} bytes", text.len());
    }
}

#[test]
fn ratings_come_to_what_the_standings_say() {
    let (mut recount, mut tables, mut files) = (Recount::default(), Vec::new(), std::collections::BTreeMap::new());
    for seed in 0..24 {
        let table: AnyTable = game::<TicTacToe>(&mut Random::new(seed), seed + 1, seed * 1_000_000).into();
        if files_needed(&table).is_empty() {
            continue;
        }
        let counted = count_result(&table, &files).unwrap();
        files.extend(counted.files);
        tables.push(table.with_result_number(counted.number));
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

/// Nobody played on 1970-01-01: a day that isn't known isn't shown, in games imported before there was `imported`, too.
#[test]
fn an_imported_game_shows_its_day_as_far_as_it_is_known() {
    let facts = |tags: &str, edit: fn(&str) -> String| {
        let text = format!("{tags}\n1. e4 e5 2. Nf3 Nc6 1-0\n");
        let game = pgn::reader::parse_games(&text).next().unwrap().unwrap();
        let people = [(1001, "alice".to_owned()), (1002, "bob".to_owned())];
        let record = state_file::table_to_json(&import::import_game(&game, 7, &people).unwrap());
        let table = state_file::load(&edit(&record), 7).unwrap();
        let entry = Entry::from_table(&table);
        let list = PagedList { folder: "results", prefix: "", newest: "index.html", title: "Results" };
        let mut all: Vec<String> = pages(&table, None).into_iter().map(|(_, text)| text).collect();
        all.push(list.pages(&site(), &[&entry]).pop().unwrap().1);
        for text in &all {
            assert!(!text.contains("1970"), "{tags}: {text}");
        }
        let feed = feed::atom(&site(), &[&entry]).unwrap();
        assert!(!feed.contains("<entry>") || !feed.contains("1970"), "{tags}: {feed}");
        let page = all.iter().find(|text| text.contains("<html")).unwrap();
        let facts =
            page.split("class=\"facts\"").nth(1).unwrap().split(" moves").nth(1).unwrap().split("</p>").next().unwrap();
        let row = all.last().unwrap().split("<td>").last().unwrap().split("</td>").next().unwrap();
        format!("{facts} | {row}")
    };
    let same = |text: &str| text.to_owned();
    assert_eq!(facts("", same), " · imported, date unknown | unknown");
    let year = "<time datetime=\"2020\">2020</time>";
    assert_eq!(facts("[Date \"2020.??.??\"]\n", same), format!(" · imported, played {year} | {year}"));
    let day = "<time datetime=\"1851-06-21\">1851-06-21</time>";
    assert_eq!(facts("[Date \"1851.06.21\"]\n", same), format!(" · imported, played {day} | {day}"));
    let day = "<time datetime=\"2020-05-17\">2020-05-17</time>";
    assert_eq!(facts("[Date \"2020.05.17\"]\n", same), format!(" · imported, played {day} | {day}"));
    let before = |text: &str| {
        let end = "\"importedEnd\", \"result\": \"won\", \"seat\": \"white\", \"by\": 1001";
        let text =
            text.replace("\"imported\": {},\n  ", "").replace(end, "\"resign\", \"seat\": \"black\", \"by\": 1002");
        let seat = "\"black\": { \"id\": 1002";
        assert!(text.contains("resign") && !text.contains("imported") && text.contains(seat), "{text}");
        text
    };
    assert_eq!(facts("", before), " · opened unknown · ended unknown | unknown");
}
