//! PDN, read by a second reader.

use game::PositionJson;
use games::checkers::{Checkers, GameConfig};
use proptest::prelude::*;

use super::played::{export, play, tag};

/// The row and column of a square, 1 to 32; row 0 is black's home.
fn place(square: usize) -> (usize, usize) {
    let (row, index) = ((square - 1) / 4, (square - 1) % 4);
    (row, 2 * index + usize::from(row % 2 == 0))
}

/// Replays the moves of a PDN game, and checks each against the board. Returns the colors of the pieces at the end, and
/// the result.
fn replay(text: &str) -> ([Option<char>; 33], usize, &str) {
    let (_, movetext) = text.split_once("\n\n").unwrap();
    let mut words: Vec<&str> = movetext.split_whitespace().collect();
    let result = words.pop().unwrap();
    let mut board = [None; 33];
    board[1..13].fill(Some('b'));
    board[21..33].fill(Some('w'));
    let mut plies = 0;
    for word in words {
        if let Some(number) = word.strip_suffix('.') {
            assert_eq!((number.parse(), plies % 2), (Ok(plies / 2 + 1), 0), "{text}");
            continue;
        }
        let mover = Some(['b', 'w'][plies % 2]);
        let squares: Vec<usize> = word.split(['-', 'x']).map(|square| square.parse().unwrap()).collect();
        assert_eq!(board[squares[0]], mover, "{word} in {text}");
        for step in squares.windows(2) {
            let ((row, column), (to_row, to_column)) = (place(step[0]), place(step[1]));
            if word.contains('x') {
                let middle = ((row + to_row) / 2, (column + to_column) / 2);
                let jumped = (1..33).find(|square| place(*square) == middle).unwrap();
                assert!(board[jumped].is_some() && board[jumped] != mover, "{word} in {text}");
                board[jumped] = None;
            }
            assert_eq!(board[step[1]], None, "{word} in {text}");
            board.swap(step[0], step[1]);
        }
        plies += 1;
    }
    (board, plies, result)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn another_reader_finds_the_moves_and_the_winner(
        moves in prop::collection::vec(any::<usize>(), 0..200),
        resigns in any::<bool>(),
    ) {
        let table = play::<Checkers>(GameConfig::default(), &moves, resigns);
        let text = export(&table);
        let (board, plies, result) = replay(&text);
        prop_assert_eq!(plies, table.plies().len());
        prop_assert_eq!(tag(&text, "Result"), Some(result));
        // The side to move has lost if there is a winner: it has resigned, or has no move.
        let black_to_move = plies % 2 == 0;
        if ["1-0", "0-1"].contains(&result) {
            prop_assert_eq!(result == "0-1", black_to_move, "{}", text);
        } else {
            prop_assert!(result == "1/2-1/2" || !resigns && moves.len() == plies, "{}", text);
        }
        let fen = table.game().downcast::<Checkers>().unwrap().position().fen;
        for color in ['b', 'w'] {
            let pieces = (1..33).filter(|square| board[*square] == Some(color)).count();
            let list = fen.split(':').find(|part| part.len() > 1 && part.starts_with(color.to_ascii_uppercase()));
            let listed = list.map_or(0, |list| list[1..].split(',').filter(|part| part.contains(char::is_numeric)).count());
            prop_assert_eq!(pieces, listed, "{} in {}", fen, text);
        }
    }
}
