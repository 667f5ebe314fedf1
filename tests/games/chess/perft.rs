//! [Published perft results](https://www.chessprogramming.org/Perft_Results).

use game::Rules;
use games::chess::Chess;
use testkit::short_or_long;

use super::{game_from_fen, new_game};

/// A position, the depth to check in a normal and in a long run, and the counts from depth 1 on.
const COUNTS: &[(&str, [usize; 2], &[u64])] = &[
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        [5, 6],
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [4, 5],
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [5, 6], &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [4, 5], &[6, 264, 9_467, 422_333, 15_833_292]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [4, 5], &[44, 1_486, 62_379, 2_103_487, 89_941_194]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [4, 5],
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
    // Chess960.
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        [4, 5],
        &[21, 528, 12_189, 326_672, 8_146_062],
    ),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [4, 5], &[21, 807, 18_002, 667_366, 16_253_601]),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [4, 5], &[20, 479, 10_471, 273_318, 6_417_013]),
];

#[test]
fn matches_published_perft_results() {
    for (fen, depths, counts) in COUNTS {
        let game = game_from_fen(fen);
        for (depth, count) in (1..).zip(counts.iter().take(short_or_long(depths[0], depths[1]))) {
            assert_eq!(game.perft(depth), *count, "{fen} at depth {depth}");
        }
    }
}

/// The fast count agrees with playing every move.
#[test]
fn perft_agrees_with_play() {
    fn count(game: &Chess, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.legal_moves().iter().map(|mv| count(&game.play(mv), depth - 1)).sum()
    }
    for (fen, ..) in COUNTS {
        assert_eq!(count(&game_from_fen(fen), 3), game_from_fen(fen).perft(3), "{fen}");
    }
    assert_eq!(new_game().perft(0), 1);
}
