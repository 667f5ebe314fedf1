//! Conditional moves: announced answers give the same game as answers played by hand.

use answers::Marker;
use game::{Options, Seat};
use games::{AnyMove, AnyPosition, GameKind};
use proptest::prelude::*;
use table::{
    ANY, Branch, CommentId, CommentRef, Effect, Event, EventKind, IssueNumber, MadeBy, Player, RESIGN, Table, Terms,
    Timestamp, UserId, state_file,
};
use testkit::Scenario;

const ALICE: (u64, &str) = (1001, "alice");
const BOB: (u64, &str) = (1002, "bob");

fn player(seat: Seat) -> (u64, &'static str) {
    if seat == Seat::First { ALICE } else { BOB }
}

/// Appends an event by the player at a seat.
fn append(table: Table, seat: Seat, kind: EventKind) -> Table {
    let (id, login) = player(seat);
    let number = table.history().len() as u64;
    let event = Event {
        kind,
        offers_draw: false,
        votes: Vec::new(),
        seat: Some(seat),
        author: UserId::new(id),
        source: CommentRef { issue: IssueNumber::new(1), comment: CommentId::new(number) },
        timestamp: Timestamp::from_millis(1_760_000_000_000 + number),
        time_away: std::time::Duration::ZERO,
        clock_start: None,
        effects: Vec::new(),
        key: None,
    };
    table.append(event, login, None).unwrap()
}

fn start(kind: GameKind) -> Table {
    let start = kind.configure(&mut Options::default()).unwrap().unwrap();
    let table = Table::new(IssueNumber::new(1), 1, start, Terms::default());
    append(table, Seat::First, EventKind::opening(Some(Player::invited(BOB.1))))
}

fn play(table: Table, mv: AnyMove) -> Table {
    let (seat, notation) = (table.player_to_move(), table.game().notation(&mv));
    append(table, seat, EventKind::Move { notation, mv })
}

/// Returns random legal moves from a position that end with a move of this seat; empty if there are none. Some lines end with an
/// answer to any move, or with a resignation.
fn random_line(game: &AnyPosition, seat: Seat, choices: &[u8]) -> Vec<String> {
    let (mut line, mut game, mut end) = (Vec::new(), game.clone(), 0);
    for choice in choices {
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = &legal[usize::from(*choice) % legal.len()];
        line.push((game.side_to_move(), game.notation(mv)));
        if game.side_to_move() == seat {
            end = line.len();
        }
        game = game.play(mv);
    }
    line.truncate(end);
    if let [.., (other, before), (_, own)] = &mut line[..] {
        match choices.last().map(|choice| choice % 8) {
            // If the opponent had to pass, both moves are the player's.
            Some(0) if *other != seat => ANY.clone_into(before),
            Some(1) => RESIGN.clone_into(own),
            _ => {}
        }
    }
    line.into_iter().map(|(_, notation)| notation).collect()
}

/// Returns the move that a branch of the waiting player's tree begins with, or any legal move.
fn next_move(table: &Table, choice: u8, plays_along: bool) -> AnyMove {
    let announced: &[Branch] = table.state().conditional_moves().tree_of(table.player_to_move().other());
    let pick = |length: usize| usize::from(choice) % length;
    if plays_along && !announced.is_empty() {
        let branch = &announced[pick(announced.len())];
        // Any other move may be one that another branch names.
        if let Some(mv) = &branch.mv {
            return mv.clone();
        }
    }
    let legal = table.game().legal_moves();
    legal[pick(legal.len())].clone()
}

/// Plays a random game with lines, then all of its moves by hand.
fn check(kind: GameKind, turns: &[(u8, bool, Vec<Vec<u8>>)]) {
    let mut table = start(kind);
    for (choice, plays_along, lines) in turns {
        if !table.is_playing() {
            break;
        }
        let waiting = table.player_to_move().other();
        // The first line is in a comment of its own.
        let lines = lines.iter().map(|line| random_line(table.game(), waiting, line));
        let mut lines: Vec<Vec<String>> = lines.filter(|line| !line.is_empty()).collect();
        let others = lines.split_off(lines.len().min(1));
        for lines in [lines, others].into_iter().filter(|lines| !lines.is_empty()) {
            table = append(table, waiting, EventKind::announcing(lines));
        }
        let mv = next_move(&table, *choice, *plays_along);
        table = play(table, mv);
    }
    let mut by_hand = start(kind);
    for ply in table.plies() {
        assert_eq!(by_hand.game(), ply.before);
        assert_eq!(by_hand.player_to_move(), ply.seat);
        by_hand = play(by_hand, ply.played.unwrap().0.clone());
        assert_eq!(by_hand.game(), ply.after);
    }
    let loser = table.player_to_move();
    if table.history().last().unwrap().has_announced_resignation() {
        by_hand = append(by_hand, loser, EventKind::Resign);
    }
    assert_eq!(by_hand.status(), table.status());
    for seat in Seat::BOTH {
        assert_eq!(by_hand.has_ever_moved(seat), table.has_ever_moved(seat));
    }
    let text = state_file::to_json(&table);
    let read = state_file::load(&text, IssueNumber::new(1)).unwrap();
    assert_eq!(read, table);
}

fn turns() -> impl Strategy<Value = Vec<(u8, bool, Vec<Vec<u8>>)>> {
    let line = prop::collection::vec(any::<u8>(), 2..8);
    let lines = prop::collection::vec(line, 0..4);
    prop::collection::vec((any::<u8>(), prop::bool::weighted(0.8), lines), 0..25)
}

proptest! {
    #[test]
    fn plays_the_same_game_as_by_hand_in_tic_tac_toe(turns in turns()) {
        check(GameKind::TicTacToe, &turns);
    }

    #[test]
    fn plays_the_same_game_as_by_hand_in_checkers(turns in turns()) {
        check(GameKind::Checkers, &turns);
    }

    #[test]
    fn plays_the_same_game_as_by_hand_in_othello(turns in turns()) {
        check(GameKind::Othello, &turns);
    }
}

fn line(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// A game of tic-tac-toe in which bob has announced two answers, and alice has played along.
fn answered() -> Table {
    let table = append(start(GameKind::TicTacToe), Seat::Second, EventKind::announcing(vec![line("b2 a1 c3 a3")]));
    let b2 = table.game().parse_move("b2").unwrap();
    play(table, b2)
}

#[test]
fn answers_with_the_announced_move_in_the_same_event() {
    let table = answered();
    let event = table.history().last().unwrap();
    assert_eq!(event.effects, [Effect::Conditional("a1".to_owned())]);
    let makers: Vec<MadeBy> = table.plies().map(|ply| ply.made_by).collect();
    assert_eq!(makers, [MadeBy::Player, MadeBy::Condition]);
    assert_eq!(table.player_to_move(), Seat::First);
}

#[track_caller]
fn is_damaged(find: &str, put: &str, sentence: &str) {
    let text = state_file::to_json(&answered());
    assert!(text.contains(find), "{find:?} is in the record:\n{text}");
    let error = state_file::load(&text.replacen(find, put, 1), IssueNumber::new(1)).map(drop).unwrap_err().to_string();
    assert!(error.contains(sentence), "{error}");
}

#[test]
fn a_record_needs_exactly_the_announced_answers() {
    is_damaged(r#"{ "if": "a1" }"#, r#"{ "if": "c1" }"#, "the conditional move `a1` had to follow here");
    is_damaged(r#"[{ "if": "a1" }]"#, "[]", "the conditional move `a1` had to follow here");
    is_damaged(r#"[{ "if": "a1" }]"#, r#"[{ "if": "a1" }, { "if": "c3" }]"#, "nobody had announced one");
    is_damaged(r#""a1", "c3", "a3"]"#, r#""a1", "c3", "a1"]"#, "its line isn't legal");
    is_damaged(r#""a1", "c3", "a3"]"#, r#""a1", "c3"]"#, "doesn't end with a move by its author");
    is_damaged(r#""a1", "c3", "a3"]"#, r#""A1", "c3", "a3"]"#, "its line isn't legal in canonical notation");
    is_damaged(r#"["b2", "a1", "c3", "a3"]"#, "[]", "there were no conditional moves to drop");
    // Other lines of the same comment, and words instead of moves.
    let others_are = |others: &str, sentence: &str| {
        is_damaged(r#""a1", "c3", "a3"]"#, &format!(r#""a1", "c3", "a3"], "more": [{others}]"#), sentence);
    };
    others_are(r#"["b2", "c1"]"#, "the conditional move `c1` had to follow here");
    others_are(r#"["b2", "resign"]"#, "the conditional move `resign` had to follow here");
    for wrong in ["[]", r#"["b2"]"#, r#"["resign"]"#, r#"["any", "resign"]"#, r#"["any", "any"]"#, r#"["any", "`"]"#] {
        others_are(wrong, "its line isn't legal");
    }
    others_are(r#"["any", "b2", "c3", "a3"]"#, "its line isn't legal");
    others_are(r#"["b2", "resign", "c3", "a3"]"#, "its line isn't legal");
    is_damaged(r#"["b2", "a1", "c3", "a3"]"#, r#"[], "more": [["b2", "a1"]]"#, "its line isn't legal");
    let long = vec![r#"["b2", "a1", "c3", "a3"]"#; 100].join(", ");
    others_are(&long, "the player had written too many lines since the last move");
}

#[test]
fn drops_lines_at_a_takeback_past_them() {
    let asked = append(answered(), Seat::First, EventKind::AskUndo);
    assert_eq!(asked.state().conditional_moves().tree_of(Seat::Second).len(), 1);
    let undone = append(asked, Seat::Second, EventKind::Undo { plies: 2 });
    assert!(undone.state().conditional_moves().tree_of(Seat::Second).is_empty());
}

/// The bot refuses more lines once a record is half full, so they can't fill it. People can still move.
#[test]
fn refuses_lines_in_a_long_record() {
    let mut table = start(GameKind::TicTacToe);
    let play_b2 = |table: Table| {
        let b2 = table.game().parse_move("b2").unwrap();
        play(table, b2)
    };
    while table.history().len() < 1_700 {
        table = append(play_b2(table), Seat::First, EventKind::AskUndo);
        table = append(table, Seat::Second, EventKind::Undo { plies: 1 });
    }
    table = play_b2(table);
    let text = state_file::to_json(&table);
    assert!((220_000..300_000).contains(&text.len()), "{} bytes", text.len());
    let source = table.history().last().unwrap().source;
    let world = Scenario::new();
    world.open_issue("alice", "");
    world.land(&[("state/1.json", &state_file::to_json(&table.with_settled_through(source.comment)))]);
    let answer =
        Marker { source, table: IssueNumber::new(1), commit: world.head(), has_board: false, sets_away: false }
            .prepend_to("Played.");
    world.comment(1, "github-actions", &answer);
    world.post(1, "alice", "/if a1 c3");
    assert!(world.reply(1).contains("too long for conditional moves"), "{}", world.reply(1));
    world.post(1, "bob", "a1");
    assert!(world.reply(1).contains("played `a1`"), "{}", world.reply(1));
}
