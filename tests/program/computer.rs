//! The computer at a table in the terminal, and the proof of its replies.

use game::contract::Engine;
use games::tic_tac_toe::game::TicTacToe;

use super::cli::Home;

/// The record of a table at which the computer has moved three times, and one of its plies has been taken back.
fn record(home: &Home) -> String {
    let ran = home.run(&["play", "tic-tac-toe", "computer", "level=8"], "b2\nundo\nb2\nb3\n");
    let text = ran
        .is(0, &["The computer (level 8) plays O", "took back the last two moves", "The computer (O) played `b1`"])
        .out
        .clone();
    assert_eq!(text.matches("The computer (O) played").count(), 3, "{text}");
    home.record(1)
}

#[test]
fn the_replies_of_a_record_are_made_again() {
    let home = Home::new();
    let record = record(&home);
    home.write("1.json", &record);
    home.run(&["verify", "1.json", "--replies"], "").is(0, &["3 of the computer's moves, each confirmed."]);
    assert!(!home.run(&["verify", "1.json"], "").is(0, &["1.json: good"]).out.contains("computer's moves"));

    // Replies that the rules allow, and that this level would not have given.
    let forged = record.replace(r#""computer": 8"#, r#""computer": 1"#);
    assert_ne!(forged, record);
    home.write("forged/1.json", &forged);
    home.run(&["verify", "forged/1.json"], "").is(0, &["good"]);
    home.run(&["verify", "forged/1.json", "--replies"], "")
        .is(1, &["the computer would have moved differently: in `history[", "but this engine plays `"]);

    // Another engine may have chosen otherwise.
    let own = TicTacToe::ENGINE_VERSION;
    let other = record.replace(&format!(r#""engine": {own}"#), r#""engine": 99"#);
    assert_ne!(other, record);
    home.write("other/1.json", &other);
    home.run(&["verify", "other/1.json", "--replies"], "")
        .is(0, &[&format!("Its other moves come from version 99 of the engine; this is version {own}.")]);
}

#[test]
fn a_line_of_a_pipe_is_answered_by_the_computer_where_it_was_asked_for() {
    let home = Home::new();
    let ran = home.run(&["play", "tic-tac-toe"], "b2\na1\n");
    assert!(!ran.is(0, &["bob (O) played `a1`"]).out.contains("computer"), "{ran:?}");
    home.run(&["play", "tic-tac-toe", "ai", "easy", "as=O"], "hint\n")
        .is(0, &["The computer (X) played", "would play"]);
    home.run(&["play", "tic-tac-toe", "computer", "level=12"], "b2\n").is(1, &["There's no level `12`"]);
}

#[test]
fn the_board_is_seen_from_the_side_of_the_person() {
    for (seat, seen) in [("white", "W's view"), ("black", "B's view")] {
        let home = Home::new();
        let own = format!("as={seat}");
        let ran = home.run(&["play", "backgammon", "computer", "level=1", &own], "board\n");
        let boards = ran.out.matches("White is W, Black is B; ").count();
        assert_eq!((boards, ran.out.matches(seen).count()), (2, 2), "{ran:?}");
    }
}
