//! Tests of players' pages, their index, and the leaderboards.

use std::collections::BTreeMap;

use ::game::{Level, Seat};
use games::tic_tac_toe::TicTacToe;
use games::{GameKind, Random};
use site::people::people;
use site::{Person, RoundSummary, Site, game_index, pair, people, player, ratings, standings as leaderboards};
use standings::{GameScore, PlayerFile, RatedRow, RatingStep, Recount, RecountedStandings, count_result, files_needed};
use table::{IssueNumber, Player, Table, TableStatus, Timestamp, UserId};
use testkit::records::game;

use crate::support::{play_table, site};

/// The time of the first game: November 2023.
const BEGIN: u64 = 1_700_000_000_000;
const LONG_LOGIN: &str = "a-login-as-long-as-any-that-github-has1";

fn summary(issue: u64, seats: [Option<Player>; 2], status: TableStatus) -> RoundSummary {
    let table: Table = play_table::<TicTacToe>(Some(Player::invited("bob")), false, 1);
    let at = BEGIN + issue * 60_000;
    let times = RoundSummary {
        opened_at: Timestamp::from_millis(at),
        turn_started_at: Timestamp::from_millis(at),
        deadline: None,
        last_event_at: Timestamp::from_millis(at),
        ..RoundSummary::from_table(&table)
    };
    RoundSummary { issue: IssueNumber::new(issue), seats, status, ..times }
}

fn person(id: u64, login: &str) -> Option<Player> {
    Some(Player::person(UserId::new(id), login))
}

fn alice_against_bob(issue: u64, status: TableStatus) -> RoundSummary {
    summary(issue, [person(1, "alice"), person(2, "bob")], status)
}

/// Returns the first page of a player.
fn page_of(site: &Site, id: u64, rounds: &[RoundSummary]) -> String {
    let people = people(rounds, &Recount::default().count());
    player::pages(site, UserId::new(id), &people[&UserId::new(id)], None, rounds).remove(0).1
}

/// Returns rating steps, one a day.
fn steps(game: &'static str, number: u64) -> Vec<RatingStep> {
    let step = |day| RatingStep {
        id: UserId::new(1),
        game,
        ended_at: Timestamp::from_millis(BEGIN + day * 86_400_000),
        rating: 1500.0 + day as f64,
        deviation: 90.0,
    };
    (0..number).map(step).collect()
}

fn standings() -> RecountedStandings {
    let (mut recount, mut files) = (Recount::default(), BTreeMap::new());
    for seed in 0..24 {
        let table: Table = game::<TicTacToe>(&mut Random::new(seed), seed + 1, BEGIN + seed * 1_000_000);
        if !files_needed(&table).is_empty() {
            let counted = count_result(&table, &files).unwrap();
            files.extend(counted.files);
            recount.add_table(&table.with_result_number(Some(counted.number)));
        }
    }
    recount.count()
}

#[test]
fn shows_results_from_the_players_side() {
    let [first, second] = Seat::BOTH.map(TableStatus::Won);
    let statuses = [first, second, first, TableStatus::Draw, TableStatus::Aborted];
    let rounds: Vec<RoundSummary> =
        (1..).zip(statuses).map(|(issue, status)| alice_against_bob(issue, status)).collect();
    for (id, won, lost, score) in [(1, 2, 1, "2 – 1"), (2, 1, 2, "1 – 2")] {
        let page = page_of(&site(), id, &rounds);
        assert_eq!(
            ["\">Won<", "\">Lost<", "\">Draw<"].map(|word| page.matches(word).count()),
            [won, lost, 1],
            "{page}"
        );
        assert!(page.contains(score) && page.contains("1 draw<") && page.contains("no result"), "{page}");
        assert!(page.contains(&format!("5 games · {won} won, 1 drawn, {lost} lost · first seen Nov 2023")), "{page}");
    }
    let page = page_of(&site(), 1, &rounds[..3]);
    assert!(page.contains("3 games · 2 won, 1 lost · first seen"), "{page}");
}

#[test]
fn counts_results_by_side_and_leads_to_the_games() {
    let [first, second] = Seat::BOTH.map(TableStatus::Won);
    let as_second = summary(9, [person(2, "bob"), person(1, "alice")], first);
    let rounds =
        [alice_against_bob(1, first), alice_against_bob(2, second), alice_against_bob(3, TableStatus::Draw), as_second];
    let page = page_of(&site(), 1, &rounds);
    let row =
        |side: &str| page.split(&format!("Tic-tac-toe as {side}<")).nth(1).unwrap().split("</li>").next().unwrap();
    assert!(row("X").ends_with("<small>1 draw</small> 1 – 1</span>"), "{page}");
    assert!(row("O").ends_with("\"result\">0 – 1</span>"), "{page}");
    assert!(page.contains("href=\"../players/versus-1-2.html\""), "{page}");
}

#[test]
fn two_players_with_several_results_have_a_page_with_score_and_games() {
    let [first, second] = Seat::BOTH.map(TableStatus::Won);
    let swapped = |issue, status| summary(issue, [person(2, "bob"), person(1, "alice")], status);
    let computer = |issue| summary(issue, [Some(Player::Computer(Level::ALL[0])), person(1, "alice")], first);
    let rounds = [
        alice_against_bob(1, first),
        swapped(2, first),
        swapped(3, second),
        alice_against_bob(4, TableStatus::Draw),
        alice_against_bob(5, TableStatus::Aborted),
        alice_against_bob(6, TableStatus::Playing),
        summary(7, [person(1, "alice"), person(3, "carol")], first),
        computer(8),
        computer(9),
    ];
    let people = people(&rounds, &Recount::default().count());
    let all: Vec<&RoundSummary> = rounds.iter().collect();
    let pages = pair::pages(&site(), &people, &all);
    let paths: Vec<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["players/versus-1-computer.html", "players/versus-1-2.html"]);
    assert!(pages[0].1.contains("2 games · alice won 0, computer won 2<"), "{}", pages[0].1);
    let page = &pages[1].1;
    assert!(page.contains("4 games · alice won 2, bob won 1, 1 drawn"), "{page}");
    let games = [4, 3, 2, 1].map(|issue| page.find(&format!("games/{issue}-1.html")).unwrap());
    assert!(games.is_sorted() && !page.contains("games/5-1.html") && !page.contains("games/6-1.html"), "{page}");
    // A single game has a link of its own.
    let (alice, bob) = (page_of(&site(), 1, &rounds), page_of(&site(), 2, &rounds));
    for link in ["versus-1-2.html", "versus-1-computer.html", "games/7-1.html\">1 – 0<"] {
        assert!(alice.contains(link), "{link}: {alice}");
    }
    assert!(bob.contains("versus-1-2.html") && !alice.contains("versus-1-3"), "{bob}");
}

#[test]
fn provisional_ratings_come_last_with_a_mark() {
    let row = |id: u64, rating: f64, deviation: f64| RatedRow {
        id: UserId::new(id),
        login: format!("player-{id}"),
        rating,
        deviation,
        games: 1,
        wins: 1,
        draws: 0,
        losses: 0,
    };
    let rows = [row(1, 1662.0, 290.0), row(2, 1500.0, 60.0), row(3, 1600.0, 111.0), row(4, 1400.0, 110.0)];
    let list = site::home::rated_leaders(&rows, 3, "").into_string();
    let names: Vec<&str> = list.split("players/").skip(1).map(|item| &item[..1]).collect();
    assert_eq!(names, ["2", "4", "1"], "{list}");
    assert!(list.contains("1662?<small> ± 580") && list.contains("1400<small> ± 220"), "{list}");
}

#[test]
fn names_winning_streaks() {
    let [won, lost] = Seat::BOTH.map(TableStatus::Won);
    let streak = |statuses: &[TableStatus]| {
        let rounds: Vec<RoundSummary> =
            (1..).zip(statuses).map(|(issue, status)| alice_against_bob(issue, *status)).collect();
        let page = page_of(&site(), 1, &rounds);
        let facts = page.split("class=\"facts\">").nth(1).unwrap().split("</p>").next().unwrap();
        facts.split(" · ").find(|fact| fact.contains("streak")).map(str::to_owned)
    };
    assert_eq!(streak(&[won, lost]), None);
    assert_eq!(streak(&[won, won, lost]).as_deref(), Some("longest winning streak 2"));
    assert_eq!(streak(&[won, won, won, lost, won, won]).as_deref(), Some("winning streak 2, longest 3"));
    assert_eq!(streak(&[lost, won, won]).as_deref(), Some("winning streak 2, the longest so far"));
}

#[test]
fn games_that_wait_for_the_player_come_first() {
    let turn = |round: RoundSummary, player_to_move| RoundSummary { player_to_move, ..round };
    let rounds = [
        turn(alice_against_bob(1, TableStatus::Playing), Seat::Second),
        turn(alice_against_bob(2, TableStatus::Playing), Seat::First),
        turn(summary(3, [person(2, "bob"), Some(Player::invited("Alice"))], TableStatus::Playing), Seat::Second),
    ];
    let page = page_of(&site(), 1, &rounds);
    let (waiting, others) = page.split_once("Other games in progress").unwrap();
    let waiting = waiting.split_once("Waiting for alice").unwrap().1;
    let links = |text: &str| [1, 2, 3].map(|issue| text.contains(&format!("games/{issue}-1.html")));
    assert_eq!((links(waiting), links(others)), ([false, true, true], [true, false, false]), "{page}");
    let page = page_of(&site(), 1, &rounds[..1]);
    assert!(page.contains("Games in progress") && !page.contains("Waiting for"), "{page}");
}

#[test]
fn links_the_profiles_of_people_but_not_of_the_demonstration() {
    let played = page_of(&site(), 1, &[alice_against_bob(3, TableStatus::Draw)]);
    assert!(played.contains("href=\"https://github.com/alice\""), "{played}");
    let demonstration = page_of(&site(), 1, &[alice_against_bob(0, TableStatus::Draw)]);
    assert!(!demonstration.contains("github.com/alice"), "{demonstration}");
    let nowhere = page_of(&Site { repository: None, ..site() }, 1, &[alice_against_bob(3, TableStatus::Draw)]);
    assert!(!nowhere.contains("GitHub profile"), "{nowhere}");
}

#[test]
fn a_player_with_2_000_games_has_pages_below_60_kb() {
    let opponents: Vec<Option<Player>> = (0..300).map(|id| person(100_000_000 + id, LONG_LOGIN)).collect();
    let status =
        |issue| if issue % 50 == 0 { TableStatus::Playing } else { TableStatus::Won(Seat::BOTH[issue as usize % 2]) };
    let rounds: Vec<RoundSummary> = (1..=2_000)
        .map(|issue| {
            let seats = [person(100_000_999, LONG_LOGIN), opponents[issue as usize % 300].clone()];
            let player_to_move = Seat::BOTH[(issue / 50 % 2) as usize];
            RoundSummary {
                player_to_move,
                kind: GameKind::UltimateTicTacToe,
                ..summary(100_000 + issue, seats, status(issue))
            }
        })
        .collect();
    let score =
        GameScore { games: 250, wins: 120, draws: 10, losses: 120, rating: 1612.25, deviation: 61.5, volatility: 0.06 };
    let names: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.info().name).collect();
    let file = PlayerFile {
        schema: 1,
        id: UserId::new(100_000_999),
        login: LONG_LOGIN.to_owned(),
        last_result: Timestamp::from_millis(BEGIN),
        games: names.iter().map(|name| ((*name).to_owned(), score.clone())).collect(),
        open: None,
        computer: None,
    };
    let mut person: Person = people(&rounds, &Recount::default().count())[&UserId::new(100_000_999)].clone();
    person.ratings = names.iter().map(|name| (*name, steps(name, 250))).collect();
    let pages = player::pages(&site(), UserId::new(100_000_999), &person, Some(&file), &rounds);
    for (path, text) in &pages {
        assert!(text.len() < 60_000, "{path} has {} bytes", text.len());
    }
    let page = &pages[0].1;
    assert!(page.contains("2000 games") && page.contains("284 more opponents") && page.contains("All 1960 results"));
    assert_eq!(page.matches("class=\"row\"").count(), 40);
}

#[test]
fn plots_ratings_from_ten_results_on() {
    let plots = |numbers: &[(&'static str, u64)]| {
        let ratings = numbers.iter().map(|(game, number)| (*game, steps(game, *number))).collect();
        ratings::plots_section(&ratings).map(maud::Markup::into_string)
    };
    assert_eq!(plots(&[("chess", 9)]), None);
    let one = plots(&[("chess", 10), ("hex", 9)]).unwrap();
    assert!(one.contains("Rating in chess") && !one.contains("<input"), "{one}");
    let two = plots(&[("chess", 10), ("hex", 11)]).unwrap();
    assert_eq!(["<figure", "type=\"radio\"", " checked"].map(|text| two.matches(text).count()), [2, 2, 1], "{two}");
    assert!(two.find("plot-hex").unwrap() < two.find("plot-chess").unwrap(), "the game with most results is first");
}

/// Results count in the order of their commits, which isn't always the order in which games ended.
#[test]
fn a_plot_never_goes_back_in_time() {
    let mut steps = steps("chess", 12);
    steps[5].ended_at = Timestamp::from_millis(BEGIN - 900 * 86_400_000);
    steps[0].ended_at = Timestamp::from_millis(0);
    steps[11].ended_at = Timestamp::from_millis(0);
    let text = ratings::plots_section(&BTreeMap::from([("chess", steps)])).unwrap().into_string();
    let line = text.split("class=\"line\" d=\"M").nth(1).unwrap().split('"').next().unwrap();
    let places: Vec<f64> = line.split('L').map(|point| point.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(places.len() == 12 && places.is_sorted() && places[0] == 0.0 && places[11] == 640.0, "{places:?}");
    assert!(text.contains("Nov 15, 2023") && text.contains("Nov 24, 2023") && !text.contains("1970"), "{text}");
}

#[test]
fn the_index_has_recent_people_and_the_search_has_everyone() {
    let rounds: Vec<RoundSummary> =
        (1..=500).map(|id| summary(id, [person(id, &format!("player-{id}")), None], TableStatus::Aborted)).collect();
    let people = people(&rounds, &Recount::default().count());
    let files = people::files(&site(), &people);
    let (page, names) = (&files[0].1, &files[1].1);
    assert!(page.contains(">player-500<") && page.contains(">player-101<") && !page.contains(">player-100<"), "{page}");
    assert!(page.contains("100 more players") && page.len() < 60_000, "{} bytes", page.len());
    assert_eq!(files[1].0, "players/search.json");
    let names: Vec<(u64, String, usize)> = serde_json::from_str(names).unwrap();
    assert_eq!((names.len(), &names[0]), (500, &(500, "player-500".to_owned(), 1)));
}

#[test]
fn a_leaderboard_has_the_rating_right_after_the_name() {
    let standings = standings();
    let pages = leaderboards::pages(&site(), &standings);
    let first = &standings.rated("tic-tac-toe").unwrap().top[0];
    let mark = if first.deviation > 110.0 { "?" } else { "" };
    let rating = format!("{:.0}{mark} ± {:.0}", first.rating, 2.0 * first.deviation);
    let page = &pages.iter().find(|(path, _)| path == "standings/tic-tac-toe.html").unwrap().1;
    let after = page.split(&format!(">{}</a></th>", first.login)).nth(1).unwrap();
    assert!(after.starts_with(&format!("<td class=\"main rating\">{rating}</td>")), "{page}");
    assert!(page.contains("95% likely"), "{page}");
    let index = &pages[0].1;
    assert!(
        index.contains(&format!(">{}</a>", first.login)) && index.contains("standings/tic-tac-toe.html"),
        "{index}"
    );
    assert!(index.contains("No results yet in ") && index.contains("../chess/index.html"), "{index}");
}

/// A name in a record can be anything, if somebody edits the file.
#[test]
fn hostile_names_stay_text() {
    let hostile = "<script>alert(1)</script>\"'";
    let rounds = [summary(1, [person(1, "alice"), person(9, hostile)], TableStatus::Draw)];
    let people = people(&rounds, &Recount::default().count());
    assert_eq!(people.keys().collect::<Vec<_>>(), [&UserId::new(1)]);
    let page = page_of(&site(), 1, &rounds);
    assert!(!page.contains("<script>alert") && !page.contains("players/9.html"), "{page}");
    assert!(people::files(&site(), &people).iter().all(|(_, text)| !text.contains("alert")));
}

#[test]
fn counts_one_game_as_one() {
    let game = alice_against_bob(1, TableStatus::Playing);
    for (playing, count) in [(vec![&game], "1 game in progress"), (vec![], "0 games in progress")] {
        let pages = game_index::pages(&site(), GameKind::TicTacToe, &playing, &[], &Recount::default().count());
        let description = format!("content=\"Tic-tac-toe: {count}, 0 finished.\"");
        assert!(pages[0].1.contains(&description), "{}", pages[0].1);
    }
}
