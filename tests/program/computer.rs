//! The computer opponent in the terminal, and the verification of its moves.

use game::Engine;
use games::tic_tac_toe::TicTacToe;

use super::cli::Home;

/// Returns a record with three moves of the computer, one of which was taken back.
fn record_with_computer(home: &Home) -> String {
    let ran = home.run(&["play", "tic-tac-toe", "computer", "level=8"], "b2\nundo\nb2\nb3\n");
    let text = ran
        .exits(0, &["The computer (level 8) plays O", "took back the last two moves", "The computer (O) played `b1`"])
        .out
        .clone();
    assert_eq!(text.matches("The computer (O) played").count(), 3, "{text}");
    home.record(1)
}

#[test]
fn verify_recomputes_the_computers_moves() {
    let home = Home::new();
    let record = record_with_computer(&home);
    home.write("1.json", &record);
    home.run(&["verify", "1.json", "--replies"], "").exits(0, &["3 of the computer's moves, each confirmed."]);
    assert!(!home.run(&["verify", "1.json"], "").exits(0, &["1.json: good"]).out.contains("computer's moves"));

    // Level 0 chooses at random, but with the seed of the reply.
    home.run(&["play", "chess", "computer", "level=0"], "a3\nh3\n").exits(0, &["The computer (level 0) plays Black"]);
    home.write("2.json", &home.record(2));
    home.run(&["verify", "2.json", "--replies"], "").exits(0, &["2 of the computer's moves, each confirmed."]);

    // Legal moves that this level wouldn't play.
    let forged = record.replace(r#""computer": 8"#, r#""computer": 1"#);
    assert_ne!(forged, record);
    home.write("forged/1.json", &forged);
    home.run(&["verify", "forged/1.json"], "").exits(0, &["good"]);
    home.run(&["verify", "forged/1.json", "--replies"], "")
        .exits(1, &["the computer would have moved differently: in `history[", "but this engine plays `"]);

    // Another version of the engine may play other moves.
    let version = TicTacToe::ENGINE_VERSION;
    let other = record.replace(&format!(r#""engine": {version}"#), r#""engine": 99"#);
    assert_ne!(other, record);
    home.write("other/1.json", &other);
    home.run(&["verify", "other/1.json", "--replies"], "")
        .exits(0, &[&format!("Its other moves come from version 99 of the engine; this is version {version}.")]);
}

#[test]
fn the_computer_plays_in_a_pipe_only_on_request() {
    let home = Home::new();
    let ran = home.run(&["play", "tic-tac-toe"], "b2\na1\n");
    assert!(!ran.exits(0, &["bob (O) played `a1`"]).out.contains("computer"), "{ran:?}");
    home.run(&["play", "tic-tac-toe", "ai", "easy", "as=O"], "hint\n")
        .exits(0, &["The computer (X) played", "would play"]);
    home.run(&["play", "tic-tac-toe", "computer", "level=12"], "b2\n").exits(1, &["There's no level `12`"]);
}

#[test]
fn shows_the_board_from_the_players_side() {
    for (seat, side) in [("white", "White"), ("black", "Black")] {
        let home = Home::new();
        let option = format!("as={seat}");
        let ran = home.run(&["play", "backgammon", "computer", "level=1", &option], "board\n");
        let lowest_row = "  12  11  10   9   8   7        6   5   4   3   2   1";
        let board_end = format!("{lowest_row}\nWhite is W, Black is B. The points are numbered for {side}.");
        assert_eq!(ran.out.replace('*', " ").matches(&board_end).count(), 2, "{ran:?}");
    }
}
