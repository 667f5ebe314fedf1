//! Links to lichess's analysis board.

use games::chess::pgn::parse_games;
use interop::Analysis;
use interop::export::analysis_url;
use testkit::Scenario;

fn link(opened: &str, moves: &[&str]) -> (String, Analysis) {
    let turns = ["alice", "bob"].into_iter().cycle().zip(moves).map(|(login, mv)| format!("{login}: {mv}"));
    let turns: Vec<String> = turns.collect();
    let scenario = Scenario::played(opened, &turns.iter().map(String::as_str).collect::<Vec<_>>());
    let table = scenario.table(1);
    assert_eq!(table.plies().len(), moves.len());
    analysis_url(&table)
}

#[test]
fn the_link_has_the_moves_of_the_game() {
    let moves = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"];
    let (url, shows) = link("/new chess @bob", &moves);
    assert_eq!((url.as_str(), shows), ("https://lichess.org/analysis/pgn/e4_e5_Bc4_Nc6_Qh5_Nf6_Qxf7", Analysis::Game));
    // Lichess reads underscores as spaces, and the rest as PGN.
    let text = format!("{}\n", url.rsplit_once('/').unwrap().1.replace('_', " "));
    assert_eq!(parse_games(&text).next().unwrap().unwrap().moves.len(), moves.len());
}

#[test]
fn a_long_game_or_another_start_is_only_its_last_position() {
    let (url, shows) = link("/new chess @bob fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", &["e4"]);
    let position = "https://lichess.org/analysis/standard/4k3/8/8/8/4P3/8/8/4K3_b_-_-_0_1";
    assert_eq!((url.as_str(), shows), (position, Analysis::FinalPosition));
    let (url, shows) = link("/new chess960 7 @bob", &["d4"]);
    assert!(url.starts_with("https://lichess.org/analysis/chess960/") && shows == Analysis::FinalPosition, "{url}");
}
