//! The chess engine finds mates and saving draws, and wins with an extra piece.

use game::{Engine, EngineMove, Notation, Outcome, PositionJson, Rules, Seat, apply_move};
use games::chess::{Chess, Move, uci, won_pawn_endings};
use games::{PlayedPly, WIN_VALUE, analyze};
use testkit::short_or_long;

use super::level;
use crate::chess::{game_from_fen, new_game, play_moves};

fn choose_at_level(game: &Chess, number: u8) -> EngineMove<Move> {
    game.choose(level(number), 3).expect("there is a move")
}

/// Checks that the engine finds a mate in `moves` moves, and mates against its own defense.
#[track_caller]
fn check_mate(fen: &str, moves: i32, number: u8) {
    let mut game = game_from_fen(fen);
    let winner = game.side_to_move();
    assert_eq!(choose_at_level(&game, number).score, WIN_VALUE - (2 * moves - 1), "level {number}: {fen}");
    for _ in 0..2 * moves - 1 {
        let mv = choose_at_level(&game, number).mv;
        game = apply_move(&game, &mv).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Won(winner)), "level {number}: {fen}");
}

#[test]
fn finds_mates_in_one_two_and_three() {
    for number in 5..=8 {
        check_mate("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1, number);
        check_mate("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1, number);
        // A ladder mate with two rooks.
        check_mate("7k/8/8/8/8/R7/1R6/6K1 w - - 0 1", 2, number);
        // A mate in three with a sacrifice.
        check_mate("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, number);
    }
}

#[test]
fn level_1_never_overlooks_a_mate_in_one() {
    let game = game_from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let found = (0..40).filter(|seed| {
        let chosen = game.choose(level(1), *seed).unwrap();
        game.play(&chosen.mv).outcome().is_some()
    });
    assert_eq!(found.count(), 40);
}

#[test]
fn avoids_stalemate_when_winning() {
    // Each of these positions has a move that stalemates.
    for fen in ["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "8/8/1KQ5/8/8/8/8/k7 w - - 0 1", "k7/P7/8/1K6/8/8/8/7R w - - 0 1"] {
        let game = game_from_fen(fen);
        for number in 4..=8 {
            let next = game.play(&choose_at_level(&game, number).mv);
            assert_ne!(next.outcome(), Some(Outcome::Draw), "level {number}: {fen}");
        }
    }
}

#[test]
fn takes_a_draw_when_losing() {
    // Only a perpetual check by the queen saves the game.
    let game = game_from_fen("6k1/5p1p/5Q2/8/8/2r5/2r5/7K w - - 0 40");
    assert_eq!(choose_at_level(&game, 6).score, 0);
    // The rook's check repeats the position for the third time. Only the game's history shows that.
    let past = "Ra8+ Kh7 Ra7+ Kg8 Ra6 Kh7 Ra7+ Kg8 Ra5 Kh7";
    let game = play_moves(&game_from_fen("6k1/R7/8/8/8/1qq5/8/7K w - - 0 40"), past);
    for number in 5..=8 {
        let chosen = choose_at_level(&game, number);
        assert_eq!((game.notation(&chosen.mv).as_str(), chosen.score), ("Ra7+", 0), "level {number}");
        let without_history = game_from_fen(&game.position().fen);
        assert!(choose_at_level(&without_history, number).score < -500, "level {number}");
    }
}

#[test]
fn mates_with_a_queen_or_a_rook() {
    for fen in ["8/8/8/3k4/8/8/8/K5Q1 w - - 0 1", "8/8/8/3k4/8/8/8/K6R w - - 0 1"] {
        for number in short_or_long(&[6][..], &[6, 8]) {
            let number = *number;
            let mut game = game_from_fen(fen);
            while game.outcome().is_none() {
                assert!(game.claimable_draw().is_none(), "level {number}: {fen}");
                game = game.play(&choose_at_level(&game, number).mv);
            }
            assert_eq!(game.outcome(), Some(Outcome::Won(Seat::First)), "level {number}: {fen}");
        }
    }
}

#[test]
fn the_score_is_from_the_side_to_moves_view() {
    let up = game_from_fen("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1");
    assert!(choose_at_level(&up, 4).score > 0);
    assert!(choose_at_level(&game_from_fen("4k3/8/8/8/8/8/4P3/3QK3 b - - 0 1"), 4).score < 0);
}

#[test]
fn knows_the_fifty_move_rule() {
    // A pawn move resets the clock. After anything else, the opponent can claim a draw.
    let game = game_from_fen("8/8/8/8/8/3k4/6P1/3K3R w - - 99 100");
    let chosen = choose_at_level(&game, 6);
    assert!(["g3", "g4"].contains(&game.notation(&chosen.mv).as_str()), "{}", game.notation(&chosen.mv));
    assert!(chosen.score > 0);
    let drawn = game_from_fen("8/8/8/8/8/3k4/8/3K3R w - - 99 100");
    assert_eq!(choose_at_level(&drawn, 6).score, 0);
}

#[test]
fn openings_vary_below_the_highest_level() {
    for number in 1..=7 {
        let first = |seed| new_game().choose(level(number), seed).unwrap().mv;
        assert!((1..12).any(|seed| first(seed) != first(0)), "level {number}");
    }
}

#[test]
fn parses_both_uci_spellings_of_castling() {
    let game = game_from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (ours, usual, chess960) in [("O-O", "e1g1", "e1h1"), ("O-O-O", "e1c1", "e1a1"), ("Kf1", "e1f1", "e1f1")] {
        let mv = game.parse_move(ours).unwrap();
        assert_eq!(
            (uci::format(&game, &mv, false), uci::format(&game, &mv, true)),
            (usual.to_owned(), chess960.to_owned())
        );
        for text in [usual, chess960] {
            assert_eq!(uci::find(&game, text, false), Some(mv), "{text}");
        }
        assert_eq!(uci::format_line(&game, &[mv.uci.0], false), usual);
    }
    // If the king castles by one step, the plain spelling means a king move.
    let game = game_from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let [step, castled] = ["Kg1", "O-O"].map(|text| game.parse_move(text).unwrap());
    assert_eq!((uci::find(&game, "f1g1", true), uci::find(&game, "f1h1", true)), (Some(step), Some(castled)));
}

/// Returns the moves that an analysis with this number of nodes per ply lists as mistakes, with what they lose.
fn mistakes(fen: &str, moves: &str, nodes: u64) -> Vec<(String, u16)> {
    let start = game_from_fen(fen);
    let (mut game, mut plies) = (start, Vec::new());
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap();
        let next = game.play(&mv);
        plies.push((std::mem::replace(&mut game, next), mv));
    }
    let played: Vec<_> = plies.iter().map(|(before, mv)| PlayedPly { before, mv: Some(mv) }).collect();
    let analysis = analyze(&played, &game, nodes * plies.len() as u64).unwrap();
    assert!(analysis.nodes <= nodes * plies.len() as u64 * 26 / 25, "{} nodes", analysis.nodes);
    let listed = plies.iter().zip(analysis.plies).filter(|(_, analyzed)| analyzed.mistake.is_some());
    listed.map(|((before, mv), analyzed)| (before.notation(mv), analyzed.lost)).collect()
}

/// The number is that of Stockfish's table, which has the same positions.
#[test]
fn the_table_of_king_and_pawn_against_king_is_complete() {
    assert_eq!(won_pawn_endings(), 111_282);
}

#[test]
fn analysis_knows_king_and_pawn_against_king() {
    // The position is drawn throughout.
    assert_eq!(mistakes("8/1k6/8/2P5/8/K7/8/8 w - - 0 1", "Kb2 Kb8", 25_000), []);
    // Black's king has to keep the opposition.
    let lost = mistakes("8/5p2/8/4k3/6K1/8/8/8 b - - 0 77", "Kf6", 25_000);
    assert!(matches!(&lost[..], [(mv, 450..)] if mv == "Kf6"), "{lost:?}");
}

/// The position is drawn, and stays so after Kg3, but the first searches rate Kg3 35 points lower.
#[test]
fn analysis_searches_again_before_it_lists_a_mistake_with_five_pieces() {
    let mistakes = |mv| mistakes("6k1/8/8/4Q3/r6K/8/2p5/8 w - - 0 1", mv, 100_000);
    assert_eq!(mistakes("Kg3"), []);
    let lost = mistakes("Qd4");
    assert!(matches!(&lost[..], [(_, 450..)]), "{lost:?}");
}
