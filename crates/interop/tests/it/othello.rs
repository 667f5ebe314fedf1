//! Transcripts of Othello, read by a second reader that passes like other programs.

use games::othello::{GameConfig, Othello};
use proptest::prelude::*;

use super::played::{export, play};

const STEPS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A board of a reader: the discs by column and row.
struct Board([[Option<char>; 8]; 8]);

impl Board {
    fn at(&self, column: i32, row: i32) -> Option<char> {
        *self.0.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?)?
    }

    /// Returns the discs that a disc would flip.
    fn flips(&self, side: char, column: i32, row: i32) -> Vec<(i32, i32)> {
        let line = |(across, down): (i32, i32)| {
            let cells = (1..8).map(|step| (column + across * step, row + down * step));
            let other: Vec<_> = cells.take_while(|(c, r)| self.at(*c, *r).is_some_and(|disc| disc != side)).collect();
            let step = other.len() as i32 + 1;
            if self.at(column + across * step, row + down * step) == Some(side) { other } else { Vec::new() }
        };
        if self.at(column, row).is_some() { Vec::new() } else { STEPS.into_iter().flat_map(line).collect() }
    }

    fn can_move(&self, side: char) -> bool {
        (0..64).any(|cell| !self.flips(side, cell % 8, cell / 8).is_empty())
    }

    fn count(&self, side: char) -> u32 {
        self.0.iter().flatten().filter(|disc| **disc == Some(side)).count() as u32
    }
}

/// Replays a transcript, and returns the number of black and white discs and of passes.
fn replay(text: &str) -> ([u32; 2], usize) {
    let moves = text.strip_suffix('\n').unwrap();
    let mut board = Board([[None; 8]; 8]);
    for (column, row, side) in [(4, 3, 'b'), (3, 4, 'b'), (3, 3, 'w'), (4, 4, 'w')] {
        board.0[row][column] = Some(side);
    }
    let (mut side, mut passes) = ('b', 0);
    let other = |side: char| if side == 'b' { 'w' } else { 'b' };
    for mv in moves.as_bytes().chunks(2) {
        if !board.can_move(side) {
            (side, passes) = (other(side), passes + 1);
        }
        let (column, row) = (i32::from(mv[0] - b'a'), i32::from(mv[1] - b'1'));
        let flips = board.flips(side, column, row);
        assert!(!flips.is_empty(), "{mv:?} in {text}");
        for (column, row) in flips.into_iter().chain([(column, row)]) {
            board.0[row as usize][column as usize] = Some(side);
        }
        side = other(side);
    }
    (['b', 'w'].map(|side| board.count(side)), passes)
}

/// The first game of the final of the World Othello Championship 2007: Nicolet 35, Tominaga 29
/// (<https://github.com/rcrr/reversi/blob/master/book/120_game-representation.md>).
const FINAL: &str = "f5d6c5f4e3c6d3f6e6d7g4g3g6h3g5h4e7f7h5h6e8f3c4c7d8c8b8b4b6b5a4a5a6e2a3d2d1c1b1c2c3b2f2f1a1b3e1a2\
                     g1g2h1h2h7g7h8b7a8a7f8g8";

#[test]
fn a_game_of_a_world_championship_is_its_transcript() {
    let mut choices = Vec::new();
    for mv in FINAL.as_bytes().chunks(2) {
        let table = play::<Othello>(GameConfig {}, &choices, false);
        let legal = table.game().legal_moves();
        let name = std::str::from_utf8(mv).unwrap();
        let is_played = |nth: &usize| table.game().notation(&legal[*nth]) == name;
        choices.push((0..legal.len()).find(is_played).unwrap_or_else(|| panic!("{name} isn't legal")));
    }
    let table = play::<Othello>(GameConfig {}, &choices, false);
    assert_eq!(export(&table), format!("{FINAL}\n"));
    assert_eq!(table.game().downcast::<Othello>().unwrap().disc_counts(), [35, 29]);
    assert_eq!(replay(&export(&table)).0, [35, 29]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn another_reader_finds_the_discs(moves in prop::collection::vec(any::<usize>(), 1..64)) {
        let table = play::<Othello>(GameConfig {}, &moves, false);
        let text = export(&table);
        prop_assert_eq!(replay(&text).0, table.game().downcast::<Othello>().unwrap().disc_counts(), "{}", text);
    }
}

#[test]
fn passes_are_left_out() {
    let games =
        (0..200).map(|seed: usize| (0..64).map(|ply| seed.wrapping_mul(7919).wrapping_add(ply * ply * 31)).collect());
    let passes = games.map(|choices: Vec<usize>| replay(&export(&play::<Othello>(GameConfig {}, &choices, false))).1);
    assert!(passes.sum::<usize>() > 10);
}
