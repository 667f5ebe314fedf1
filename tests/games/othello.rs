//! Tests of Othello: perft, flipped discs, passes, endings, positions, and the engine's endgame.

use answers::render::text;
use game::{Display, Engine, Explain, Game, Notation, Options, Outcome, PositionJson, Rules, Seat, apply_move};
use games::Random;
use games::othello::{Color, GameConfig, Move, Othello, Position};
use testkit::short_or_long;

use crate::computer::{after_random, level};

fn start() -> Othello {
    Othello::start(&Othello::configure(&mut Options::default()).unwrap()).unwrap()
}

#[track_caller]
fn after_moves(moves: &str) -> Othello {
    moves.split_whitespace().fold(start(), |game, mv| apply_move(&game, &game.parse_move(mv).unwrap()).unwrap())
}

fn position_from_rows(rows: [&str; 8], current_player: Color) -> Result<Othello, String> {
    let position = Position { board: rows.map(ToOwned::to_owned).to_vec(), current_player };
    Othello::from_position(&GameConfig {}, &position).map_err(|rule| rule.message)
}

const EMPTY: &str = "........";

/// White has no move after black's eighth.
const PASSED: &str = "d3 c3 e6 d2 d1 e1 b3 c1";

/// Counts positions like the published numbers, where a pass is a ply. [`Rules::perft`] doesn't count passes.
fn perft_with_passes(game: &Othello, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let count = |mv: &Move| {
        let after = apply_move(game, mv).unwrap();
        match (after.commentary().is_some(), depth) {
            (true, 1) => 1,
            (true, _) => perft_with_passes(&after, depth - 2),
            (false, _) => perft_with_passes(&after, depth - 1),
        }
    };
    game.legal_moves().iter().map(count).sum()
}

/// Numbers from <https://www.aartbik.com/strategy.php>. The first passes come at the ninth ply, where the two counts
/// differ.
#[test]
fn perft_matches_the_published_numbers() {
    let tree = [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216];
    for (depth, positions) in (0..).zip(tree) {
        assert_eq!(start().perft(depth), positions, "depth {depth}");
        if depth < short_or_long(7, 9) {
            assert_eq!(perft_with_passes(&start(), depth), positions, "depth {depth}");
        }
    }
    assert_eq!(start().perft(9), 3_005_320);
    if short_or_long(false, true) {
        assert_eq!(perft_with_passes(&start(), 9), 3_005_288);
    }
}

#[test]
fn perft_on_bitboards_matches_perft_by_playing_moves() {
    fn perft_by_playing(game: &Othello, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| perft_by_playing(&apply_move(game, mv).unwrap(), depth - 1)).sum()
    }
    let mut random = Random::new(1);
    for plies in [0, 8, 20, 40, 52, 56] {
        let Some(game) = after_random::<Othello>(&GameConfig {}, plies, &mut random) else { continue };
        assert_eq!(game.perft(3), perft_by_playing(&game, 3), "after {plies} plies");
    }
    assert_eq!(after_moves(PASSED).perft(3), perft_by_playing(&after_moves(PASSED), 3));
}

/// Returns the discs that a move flips, computed cell by cell.
fn flipped_cell_by_cell(board: &[Option<Seat>], seat: Seat, cell: usize) -> Vec<usize> {
    let (row, column) = (cell as isize / 8, cell as isize % 8);
    let mut flipped = Vec::new();
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let mut run = Vec::new();
        let (mut row, mut column) = (row + down, column + right);
        while (0..8).contains(&row) && (0..8).contains(&column) {
            let at = (row * 8 + column) as usize;
            match board[at] {
                Some(owner) if owner == seat => {
                    flipped.append(&mut run);
                    break;
                }
                Some(_) => run.push(at),
                None => break,
            }
            (row, column) = (row + down, column + right);
        }
    }
    flipped.sort_unstable();
    flipped
}

#[test]
fn a_move_flips_discs_in_all_eight_directions() {
    let mut random = Random::new(2);
    for _ in 0..short_or_long(40, 1_000) {
        let Some(game) = after_random::<Othello>(&GameConfig {}, random.below(58), &mut random) else { continue };
        let board: Vec<Option<Seat>> = (0..64).map(|cell| game.owner(cell)).collect();
        for cell in 0..64 {
            let flipped = if board[cell].is_none() {
                flipped_cell_by_cell(&board, game.side_to_move(), cell)
            } else {
                Vec::new()
            };
            let mv = Move { position: cell as u32 };
            assert_eq!(game.legal_moves().contains(&mv), !flipped.is_empty(), "{cell} of {:?}", game.position());
            if !flipped.is_empty() {
                let after = apply_move(&game, &mv).unwrap();
                let owner = |at: &usize| {
                    if flipped.contains(at) || *at == cell { Some(game.side_to_move()) } else { board[*at] }
                };
                assert!((0..64).all(|at| after.owner(at) == owner(&at)), "{cell} of {:?}", game.position());
            }
        }
    }
}

#[test]
fn rows_are_numbered_from_the_top() {
    let names: Vec<String> = start().legal_moves().iter().map(|mv| start().notation(mv)).collect();
    assert_eq!(names, ["d3", "c4", "f5", "e6"]);
    assert_eq!(start().parse_move("D3!"), Ok(Move { position: 19 }));
    assert_eq!(start().parse_move("19"), Ok(Move { position: 19 }));
    assert!(start().board(None).text().plain().starts_with("1  .  .  ."));
}

#[test]
fn the_board_marks_the_last_move_and_the_flipped_discs() {
    let game = after_moves("d3 c3");
    let board = game.board(Some(&Move { position: 18 }));
    expect_test::expect![[r#"
        1  .  .  .  .  .  .  .  .
        2  .  .  .  .  .  .  .  .
        3  .  . (W) B  .  .  .  .
        4  .  .  . (W) B  .  .  .
        5  .  .  .  B  W  .  .  .
        6  .  .  .  .  .  .  .  .
        7  .  .  .  .  .  .  .  .
        8  .  .  .  .  .  .  .  .
           a  b  c  d  e  f  g  h
        Black is B, White is W"#]]
    .assert_eq(&board.text().plain());
    expect_test::expect![
        "8 by 8 cells; black on d3, e4, d5; white on c3, d4, e5; 58 cells free; the last move is c3; it flipped d4."
    ]
    .assert_eq(&board.description());
}

#[test]
fn a_side_without_a_legal_move_passes() {
    let game = after_moves(PASSED);
    assert_eq!(game.side_to_move(), Seat::Second, "black passes after white's fourth move");
    assert_eq!(text(&game.commentary().unwrap()), "Black can't move, so the turn passes.");
    assert_eq!(apply_move(&game, &game.legal_moves()[0]).unwrap().commentary(), None);
    let Position { board, .. } = game.position();
    let position = Position { board, current_player: Color::Black };
    assert_eq!(
        Othello::from_position(&GameConfig {}, &position).unwrap_err().message,
        r#"Invalid game state: currentPlayer is "black", expected white, because black has no move and passes"#
    );
}

#[test]
fn the_side_with_more_discs_wins() {
    let wiped = after_moves("e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_eq!((wiped.outcome(), wiped.disc_counts()), (Some(Outcome::Won(Seat::First)), [13, 0]));
    assert_eq!(text(&wiped.commentary().unwrap()), "13 discs to 0, and neither side can move.");
    let drawn = after_moves(
        "d3 e3 f4 c5 d6 f5 f3 e7 b6 b5 f6 d2 d8 g7 c3 f2 e6 a7 c6 b2 g5 c7 g3 g2 b8 d7 a6 g4 a8 h6 g6 f7 a4 b7 b3 h5 h1 g1 \
         c4 e2 h2 a2 a1 a5 d1 b1 c2 h4 h3 a3 e1 c1 g8 e8 h7 b4 c8 h8 f8 f1",
    );
    assert_eq!(
        (drawn.outcome(), drawn.ending().unwrap().reason.unwrap()),
        (Some(Outcome::Draw), "32 discs each".into())
    );
    let full = position_from_rows(
        ["BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "WWWWWWWW", "WWWWWWWW", "WWWWWWWW"],
        Color::White,
    );
    assert_eq!(text(&full.unwrap().commentary().unwrap()), "40 discs to 24.");
}

#[test]
fn explains_illegal_moves() {
    let explanations = |mv: &str| {
        let game = after_moves("d3");
        let mv = game.parse_move(mv).unwrap();
        {
            let illegal = game.why_illegal(&mv);
            (text(&illegal.explanation.unwrap()), illegal.message)
        }
    };
    let both = |explanation: &str, message: &str| (explanation.to_owned(), message.to_owned());
    assert_eq!(
        explanations("d4"),
        both("Black already has a disc on `d4`", "Cannot move to occupied cell at position 27. Cell contains: black")
    );
    assert_eq!(
        explanations("a1"),
        both("A disc on `a1` wouldn't flip anything", "A disc at position 0 wouldn't flip any disc")
    );
}

#[test]
fn refuses_malformed_positions() {
    let assert_refused = |row: &str, message: &str| {
        assert_eq!(
            position_from_rows([EMPTY, row, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY], Color::Black).unwrap_err(),
            message
        );
    };
    assert_refused("...", r#"Invalid game state: board[1] is "...", expected 8 characters"#);
    assert_refused("BX......", r#"Invalid game state: board[1] is "BX......", expected only B, W and ."#);
    let position = Position { board: vec![], current_player: Color::Black };
    let error = Othello::from_position(&GameConfig {}, &position).unwrap_err();
    assert_eq!(error.message, "Invalid game state: board.length is 0, expected 8 rows");
}

/// Returns the result for the side to move with best play: 1, 0 or -1.
fn best_result(game: &Othello) -> i32 {
    match game.outcome() {
        Some(Outcome::Won(seat)) => {
            if seat == game.side_to_move() {
                1
            } else {
                -1
            }
        }
        Some(Outcome::Draw) => 0,
        None => game.legal_moves().iter().map(|mv| result_of(game, mv)).max().unwrap(),
    }
}

/// Returns the result of a move with best play afterward, for the side that makes it.
fn result_of(game: &Othello, mv: &Move) -> i32 {
    let after = game.play(mv);
    let value = best_result(&after);
    if after.side_to_move() == game.side_to_move() { value } else { -value }
}

#[test]
fn levels_7_and_8_play_the_last_moves_perfectly() {
    let mut random = Random::new(3);
    let mut checked = 0;
    while checked < short_or_long(12, 200) {
        let Some(game) = after_random::<Othello>(&GameConfig {}, 52 + random.below(5), &mut random) else { continue };
        let value = best_result(&game);
        for number in [7, 8] {
            let chosen = game.choose(level(number), 1).unwrap();
            assert_eq!(result_of(&game, &chosen.mv), value, "level {number}: {:?}", game.position());
            assert_eq!(chosen.score.signum(), value, "level {number}: {:?}", game.position());
        }
        checked += 1;
    }
}

#[test]
fn levels_from_3_on_flip_the_last_opposing_disc() {
    let game =
        position_from_rows([EMPTY, EMPTY, EMPTY, "..BBBB..", "..BWB...", "..B.B...", EMPTY, EMPTY], Color::Black);
    let game = game.unwrap();
    for number in 3..=8 {
        let chosen = game.choose(level(number), 1).unwrap();
        assert_eq!(game.play(&chosen.mv).outcome(), Some(Outcome::Won(Seat::First)), "level {number}");
    }
}
