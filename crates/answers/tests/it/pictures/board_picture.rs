//! Tests of pictures: captions, and boards at any ply.

use answers::{BoardPicture, board_picture};
use game::{Game, InvalidOption, Options, Seat, SideStatus};
use games::backgammon::{Backgammon, BackgammonBoard, Color, GameConfig, GameEvent};
use games::tic_tac_toe::TicTacToe;
use table::{Effect, Event, EventKind, Ply};

use super::check;
use super::tables::{TableBuilder, downcast_board};

const ALICE_BOB: [&str; 2] = ["alice", "bob"];

/// Checks the captions of both sides, and the text below the board.
#[track_caller]
fn assert_caption(picture: &BoardPicture, first: (SideStatus, &str), second: (SideStatus, &str), below: [&str; 2]) {
    check::check_svg(&picture.svg());
    let [one, two] = picture.caption.sides.each_ref().map(|side| (side.status, side.status_text.as_str()));
    assert_eq!((one, two), (first, second));
    assert_eq!([picture.caption.setup.as_str(), picture.caption.last_move.as_str()], below);
}

fn picture_after(moves: &str, seat: Seat, kinds: &[EventKind]) -> BoardPicture {
    let mut game = TableBuilder::open::<TicTacToe>("", ALICE_BOB).play(moves);
    let mut seat = seat;
    for kind in kinds {
        game.apply_event(seat, kind.clone());
        seat = seat.other();
    }
    board_picture::current(&game.build())
}

#[test]
fn captions_show_turn_and_result() {
    const NONE: (SideStatus, &str) = (SideStatus::Waiting, "");
    let small = "3x3, 3 in a row";
    let start = TableBuilder::open::<TicTacToe>("", ALICE_BOB).build();
    assert_caption(&board_picture::current(&start), (SideStatus::ToMove, "to move"), NONE, [small, ""]);
    let [alice, open] = board_picture::current(&start).caption.sides.map(|side| (side.seat_name, side.player));
    assert_eq!((alice, open), (("X".to_owned(), Some("alice".to_owned())), ("O".to_owned(), None)));
    assert_caption(&picture_after("b2", Seat::First, &[]), NONE, (SideStatus::ToMove, "to move"), [small, "1. b2"]);
    let won = picture_after("b2 a2 c3 c2 a1", Seat::First, &[]);
    assert_caption(&won, (SideStatus::Winner, "won"), NONE, [small, "5. a1"]);
    let resigned = picture_after("b2 a1", Seat::First, &[EventKind::Resign]);
    assert_caption(&resigned, (SideStatus::Waiting, "resigned"), (SideStatus::Winner, "won"), [small, "2. a1"]);
    let agreed = picture_after("b2 a1", Seat::First, &[EventKind::OfferDraw, EventKind::AcceptDraw]);
    assert_caption(&agreed, (SideStatus::Waiting, "draw"), (SideStatus::Waiting, "draw"), [small, "2. a1"]);
    let aborted = picture_after("b2 a1", Seat::Second, &[EventKind::Abort]);
    assert_caption(&aborted, (SideStatus::Waiting, "no result"), (SideStatus::Waiting, "no result"), [small, "2. a1"]);
}

#[test]
fn shows_the_board_at_any_ply() {
    let whole = TableBuilder::open::<TicTacToe>("", ALICE_BOB).play("b2 a2 c3 c2 a1").build();
    assert_eq!(board_picture::ply_count(&whole), 5);
    assert_eq!(board_picture::at_ply(&whole, 5).unwrap().svg(), board_picture::current(&whole).svg());
    assert!(board_picture::at_ply(&whole, 6).is_none());
    assert_eq!(
        board_picture::at_ply(&whole, 0).unwrap().board.text().plain(),
        "3  .  .  .\n2  .  .  .\n1  .  .  .\n   a  b  c"
    );
    let third = board_picture::at_ply(&whole, 3).unwrap();
    let short = TableBuilder::open::<TicTacToe>("", ALICE_BOB).play("b2 a2 c3").build();
    assert_eq!(third.svg(), board_picture::current(&short).svg());
    assert_eq!(third.board.text().plain(), "3  .  . (X)\n2  O  X  .\n1  .  .  .\n   a  b  c");
}

/// The current picture marks the movable checkers; pictures of earlier plies don't.
#[test]
fn marks_movable_checkers_only_in_the_current_position() {
    let table = TableBuilder::open::<Backgammon>("", ALICE_BOB).seed(3).play_sensibly(22).build();
    let movable = |picture: BoardPicture| downcast_board::<BackgammonBoard>(picture.board).movable;
    let current = movable(board_picture::current(&table));
    assert!(!current.is_empty());
    assert!(movable(board_picture::at_ply(&table, 21).unwrap()).is_empty());
    let game = TableBuilder::open::<Backgammon>("", ALICE_BOB).seed(3).play_sensibly(22);
    let legal = game.table.game().legal_moves();
    let notations: String = legal.iter().map(|mv| game.table.game().notation(mv) + " ").collect();
    for point in current {
        assert!(notations.contains(&format!("{point}/")), "{point} in {notations}");
    }
}

/// Checkers that moved are marked at their destination, unless a new game has started.
#[test]
fn marks_where_the_last_move_ended() {
    let mut seen = [false; 2];
    for seed in 0..40 {
        let game = TableBuilder::open::<Backgammon>("match=5", ALICE_BOB).seed(seed).play_random(220);
        for Ply { before, event, after, .. } in game.table.plies() {
            let EventKind::Move { mv, notation } = &event.kind else { continue };
            let [before, game_after] = [before, after].map(|position| position.downcast::<Backgammon>().unwrap());
            let points = downcast_board::<BackgammonBoard>(after.board(Some(mv)));
            if game_after.game_number > before.game_number {
                assert!(points.last_targets.is_empty());
                seen[0] = true;
            } else if notation.contains('/') && !notation.contains('*') {
                let forced = game_after.events.iter().rev().find_map(|event| match event {
                    GameEvent::ForcedPlay(seat, ..) => Some(*seat),
                    _ => None,
                });
                let mover = forced.unwrap_or(before.side_to_move);
                let are_own = points
                    .last_targets
                    .iter()
                    .all(|point| points.points[*point as usize - 1].is_some_and(|(seat, _)| seat == mover));
                assert!(are_own, "{notation}: {:?}", points.last_targets);
                seen[1] |= points.last_targets.len() == 1;
            }
        }
    }
    assert_eq!(seen, [true; 2]);
}

fn configure(pairs: &[(&str, &str)]) -> Result<GameConfig, InvalidOption> {
    let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Backgammon::configure(&mut Options { pairs, ..Options::default() })
}

#[test]
fn view_option_turns_the_backgammon_board() {
    for (value, view) in [("white", Some(Color::White)), ("Black", Some(Color::Black)), ("turn", None)] {
        assert_eq!(configure(&[("view", value)]).unwrap().view, view);
    }
    let refused = configure(&[("view", "above")]).unwrap_err();
    expect_test::expect![
        "`view` has to be `white` or `black`. Without it, the board turns to the side whose turn it is."
    ]
    .assert_eq(&answers::render::markdown(&refused.message));
    let plain = serde_json::to_string(&configure(&[]).unwrap()).unwrap();
    assert!(!plain.contains("view"), "a record without the option doesn't have the field: {plain}");
    let chosen = configure(&[("view", "black")]).unwrap();
    assert_eq!(Backgammon::setup_summary(&chosen).as_deref(), Some("Black's view"));
    assert_eq!(serde_json::from_str::<GameConfig>(&serde_json::to_string(&chosen).unwrap()).unwrap(), chosen);

    let views = |options: &str| -> Vec<(Seat, Seat)> {
        let table = TableBuilder::open::<Backgammon>(options, ALICE_BOB).seed(3).play_sensibly(12).build();
        let at = |ply| {
            let points = downcast_board::<BackgammonBoard>(board_picture::at_ply(&table, ply).unwrap().board);
            (points.viewer, points.side_to_move)
        };
        (0..=board_picture::ply_count(&table)).map(at).collect()
    };
    assert!(views("").iter().all(|(view, turn)| view == turn));
    let fixed = views("view=black");
    assert!(fixed.iter().all(|(view, _)| *view == Seat::Second) && fixed.iter().any(|(_, turn)| *turn == Seat::First));
    // Turning the board changes nothing else.
    let tables = ["view=white", "view=black"].map(|options| {
        board_picture::current(&TableBuilder::open::<Backgammon>(options, ALICE_BOB).seed(3).play_sensibly(12).build())
            .board
    });
    let [white, mut black] = tables.map(|board| downcast_board::<BackgammonBoard>(board));
    assert_ne!(white, black);
    black.set_viewer(white.viewer);
    assert_eq!(black, white);
}

/// The last play stays marked while dice are rolled and doubles are offered and taken, but not in the next game.
#[test]
fn marks_stay_until_the_next_play() {
    use games::backgammon::{CubeAction, CubeMove, Move};
    let mut seen = [0; 4];
    for seed in 0..12 {
        let game = TableBuilder::open::<Backgammon>("match=7", ALICE_BOB).seed(seed).play_sensibly(120);
        let table = game.build();
        let shown = |ply: usize, view| {
            let mut points = downcast_board::<BackgammonBoard>(board_picture::at_ply(&table, ply).unwrap().board);
            points.set_viewer(view);
            [points.last_targets, points.last_sources].map(|mut marks| {
                marks.sort_unstable();
                marks
            })
        };
        for (ply, Ply { before, event, after, .. }) in game.table.plies().enumerate() {
            let [before, after] = [before, after].map(|position| position.downcast::<Backgammon>().unwrap());
            let [before_marks, after_marks] = [shown(ply, Seat::First), shown(ply + 1, Seat::First)];
            let forced = |event: &Event| event.effects.iter().any(|effect| matches!(effect, Effect::Forced(_)));
            match &event.kind {
                // A forced play is marked instead, until another play follows.
                _ if forced(event)
                    || game.table.plies().nth(ply.saturating_sub(1)).is_some_and(|ply| forced(ply.event)) => {}
                _ if before.game_number != after.game_number => {
                    assert_eq!(after_marks, [Vec::<u32>::new(), Vec::new()], "no marks in the new game");
                    seen[0] += 1;
                }
                EventKind::Move { mv, .. } if let Some(Move::Cube(CubeMove { cube })) = mv.downcast() => {
                    assert_eq!(after_marks, before_marks, "{cube:?} keeps the marks");
                    seen[if *cube == CubeAction::Roll { 1 } else { 2 }] += usize::from(!before_marks[0].is_empty());
                }
                _ => {
                    assert!(!after_marks[1].is_empty(), "a checker moved");
                    seen[3] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// A play marks both of its ends: on points, on the bar, and in the tray.
#[test]
fn marks_both_ends_of_a_play() {
    let mut seen = [0; 3];
    for seed in 0..12 {
        let game = TableBuilder::open::<Backgammon>("", ALICE_BOB).seed(seed).play_to_end();
        for Ply { before, event, after, .. } in game.table.plies() {
            let EventKind::Move { mv, notation } = &event.kind else { continue };
            let before = before.downcast::<Backgammon>().unwrap();
            if event.effects.iter().any(|effect| matches!(effect, Effect::Forced(_))) {
                continue;
            }
            let mut points = downcast_board::<BackgammonBoard>(after.board(Some(mv)));
            points.set_viewer(before.side_to_move);
            // The source points of all checkers, from the mover's side.
            let mut left: Vec<u32> = notation
                .split_whitespace()
                .flat_map(|step| {
                    let (step, times) = step.split_once('(').unwrap_or((step, "1)"));
                    let from = step.split('/').next().unwrap();
                    let from = if from == "bar" { 25 } else { from.parse().unwrap() };
                    vec![from; times.trim_end_matches([')', '*']).parse().unwrap()]
                })
                .collect();
            seen[0] += usize::from(left.contains(&25));
            seen[1] += usize::from(notation.contains("off"));
            left.sort_unstable();
            left.dedup();
            points.last_sources.sort_unstable();
            points.last_sources.dedup();
            seen[2] += usize::from(points.last_sources == left);
            assert!(
                left.iter().all(|point| points.last_sources.contains(point)),
                "{notation}: {:?}",
                points.last_sources
            );
            assert_eq!(points.bore_off, notation.contains("off").then_some(before.side_to_move), "{notation}");
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}
