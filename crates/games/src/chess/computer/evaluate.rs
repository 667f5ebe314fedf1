//! The worth of a position, seen without looking ahead: the pieces and where they stand, what they attack, the pawns, the kings.
//!
//! Each term has a number for the middle game and one for the endgame, and the pieces on the board say how much of each
//! counts: [tapered evaluation](https://www.chessprogramming.org/Tapered_Eval). The numbers are in [`super::weights`].

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use crate::chess::computer::weights::{
    BISHOP_PAIR, BLOCKED_PASSED_PAWN, CONNECTED_PAWN, DOUBLED_PAWN, HANGING_PIECE, ISOLATED_PAWN, KING_ATTACK,
    KING_ATTACK_SCALE, MAX_PHASE, MOBILITY, OPEN_FILE_NEAR_KING, PASSED_PAWN, PASSED_PAWN_KINGS, PAWN_SHIELD,
    PHASE_WEIGHTS, PIECE_SQUARES, ROOK_HALF_OPEN_FILE, ROOK_ON_SEVENTH, ROOK_OPEN_FILE, TEMPO, THREAT_BY_PAWN,
    THREAT_ON_HEAVY_PIECE, TaperedScore,
};
use crate::chess::game::LIGHT_SQUARES;

/// What a side attacks.
struct Attacks {
    pawns: BitBoard,
    /// Knights and bishops.
    minors: BitBoard,
    rooks: BitBoard,
    all: BitBoard,
}

/// Returns the value of a position for the side on turn, in hundredths of a pawn.
pub(super) fn evaluate(board: &Board) -> i32 {
    let pawns = Color::ALL.map(|side| pawn_attacks(board, side));
    let mut sum = TaperedScore::default();
    let mut reach = [Color::White, Color::Black].map(|side| {
        let (value, reach) = evaluate_pieces(board, side, pawns[!side as usize]);
        let value = value + pawn_structure(board, side) + king_shelter(board, side);
        if side == Color::White {
            sum += value;
        } else {
            sum -= value;
        }
        reach
    });
    for side in Color::ALL {
        reach[side as usize].pawns = pawns[side as usize];
        reach[side as usize].all |= pawns[side as usize] | get_king_moves(board.king(side));
    }
    sum += threats(board, Color::White, &reach[0], &reach[1]);
    sum -= threats(board, Color::Black, &reach[1], &reach[0]);
    let phase: i32 =
        Piece::ALL.iter().map(|piece| PHASE_WEIGHTS[*piece as usize] * board.pieces(*piece).len() as i32).sum();
    let phase = phase.min(MAX_PHASE);
    let end = sum.endgame() * endgame_scale(board, if sum.endgame() > 0 { Color::White } else { Color::Black }) / 64;
    let mut value = (sum.middlegame() * phase + end * (MAX_PHASE - phase)) / MAX_PHASE;
    value += mop_up(board, Color::White) - mop_up(board, Color::Black);
    let own = if board.side_to_move() == Color::White { value } else { -value };
    own + TEMPO
}

/// Returns the squares that the pawns of a side attack.
fn pawn_attacks(board: &Board, side: Color) -> BitBoard {
    let pawns = board.colored_pieces(side, Piece::Pawn);
    let (left, right) = (pawns.0 & !File::A.bitboard().0, pawns.0 & !File::H.bitboard().0);
    BitBoard(match side {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// Returns the worth of the pieces of a side by where they stand and what they attack.
fn evaluate_pieces(board: &Board, side: Color, their_pawns: BitBoard) -> (TaperedScore, Attacks) {
    let turn = if side == Color::White { 0 } else { 56 };
    let mut sum = TaperedScore::default();
    for piece in Piece::ALL {
        for square in board.colored_pieces(side, piece) {
            sum += PIECE_SQUARES[piece as usize][square as usize ^ turn];
        }
    }
    let (own_pawns, all_pawns) = (board.colored_pieces(side, Piece::Pawn), board.pieces(Piece::Pawn));
    let free = !(their_pawns | own_pawns | board.colored_pieces(side, Piece::King));
    let around = king_zone(board.king(!side));
    let mut reach =
        Attacks { pawns: BitBoard::EMPTY, minors: BitBoard::EMPTY, rooks: BitBoard::EMPTY, all: BitBoard::EMPTY };
    let (mut assault, mut together) = (0, 0);
    // Sliders look through the queens and rooks of their own side that they would move with.
    let queens = board.colored_pieces(side, Piece::Queen);
    let rooks = board.colored_pieces(side, Piece::Rook);
    let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    for ((nth, piece), (worth, usual)) in kinds.into_iter().enumerate().zip(MOBILITY) {
        for square in board.colored_pieces(side, piece) {
            let attacks = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, board.occupied() ^ queens),
                Piece::Rook => get_rook_moves(square, board.occupied() ^ queens ^ rooks),
                _ => get_bishop_moves(square, board.occupied()) | get_rook_moves(square, board.occupied()),
            };
            sum += worth * ((attacks & free).len() as i32 - usual);
            let near = (attacks & around).len() as i32;
            if near > 0 {
                assault += KING_ATTACK[nth] * near;
                together += 1;
            }
            match piece {
                Piece::Rook => reach.rooks |= attacks,
                Piece::Queen => {}
                _ => reach.minors |= attacks,
            }
            reach.all |= attacks;
        }
    }
    sum += TaperedScore::from_middlegame(assault * KING_ATTACK_SCALE[together.min(7)] / 128);
    if board.colored_pieces(side, Piece::Bishop).len() >= 2 {
        sum += BISHOP_PAIR;
    }
    for rook in rooks {
        let file = rook.file().bitboard();
        if (file & own_pawns).is_empty() {
            sum += if (file & all_pawns).is_empty() { ROOK_OPEN_FILE } else { ROOK_HALF_OPEN_FILE };
        }
        if rook.rank().relative_to(side) == Rank::Seventh {
            sum += ROOK_ON_SEVENTH;
        }
    }
    (sum, reach)
}

/// Returns the squares around a king.
fn king_zone(king: Square) -> BitBoard {
    get_king_moves(king) | king.bitboard()
}

/// Returns the squares in front of these ones, for a side.
fn front_span(of: BitBoard, side: Color) -> BitBoard {
    let mut fill = of.0;
    match side {
        Color::White => {
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
            BitBoard(fill << 8)
        }
        Color::Black => {
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
            BitBoard(fill >> 8)
        }
    }
}

/// Returns the squares to the left and to the right of these ones.
fn adjacent_squares(of: BitBoard) -> BitBoard {
    BitBoard((of.0 & !File::A.bitboard().0) >> 1 | (of.0 & !File::H.bitboard().0) << 1)
}

/// Returns the worth of the pawns of a side by how they stand to each other, and how far they have come.
fn pawn_structure(board: &Board, side: Color) -> TaperedScore {
    let own = board.colored_pieces(side, Piece::Pawn);
    let theirs = board.colored_pieces(!side, Piece::Pawn);
    let mut sum = TaperedScore::default();
    sum += DOUBLED_PAWN * (own & front_span(own, side)).len() as i32;
    let files = front_span(own, side) | front_span(own, !side) | own;
    sum += ISOLATED_PAWN * (own & !adjacent_squares(files)).len() as i32;
    let joined = own & (adjacent_squares(own) | pawn_attacks(board, side));
    for pawn in joined {
        sum += CONNECTED_PAWN[pawn.rank().relative_to(side) as usize];
    }
    let stoppers = front_span(theirs, !side);
    let passed = own & !(stoppers | adjacent_squares(stoppers)) & !front_span(own, !side);
    let (king, other_king) = (board.king(side), board.king(!side));
    for pawn in passed {
        let rank = pawn.rank().relative_to(side) as usize;
        sum += PASSED_PAWN[rank];
        let Some(ahead) = pawn.try_offset(0, if side == Color::White { 1 } else { -1 }) else { continue };
        if board.occupied().has(ahead) {
            sum += BLOCKED_PASSED_PAWN;
        }
        if rank >= Rank::Fourth as usize {
            sum += PASSED_PAWN_KINGS[0] * king_distance(other_king, ahead) * (rank as i32 - 2)
                + PASSED_PAWN_KINGS[1] * king_distance(king, ahead) * (rank as i32 - 2);
        }
    }
    sum
}

/// Returns how many steps a king needs from one square to another.
fn king_distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    files.max((from.rank() as i32 - to.rank() as i32).abs())
}

/// Returns the worth of the pawns in front of the king.
fn king_shelter(board: &Board, side: Color) -> TaperedScore {
    let king = board.king(side);
    if king.rank().relative_to(side) > Rank::Second {
        return PAWN_SHIELD[2] * 2;
    }
    let own = board.colored_pieces(side, Piece::Pawn);
    let pawns = board.pieces(Piece::Pawn);
    let files = king.file().bitboard() | king.file().adjacent();
    let above = |rank: Rank| rank.relative_to(side).bitboard();
    let first = if king.rank().relative_to(side) == Rank::First { Rank::Second } else { Rank::Third };
    let second = if first == Rank::Second { Rank::Third } else { Rank::Fourth };
    let mut sum = PAWN_SHIELD[0] * (own & files & above(first)).len() as i32;
    sum += PAWN_SHIELD[1] * (own & files & above(second)).len() as i32;
    for file in File::ALL.into_iter().map(File::bitboard).filter(|file| !file.is_disjoint(files)) {
        if file.is_disjoint(own) {
            sum += PAWN_SHIELD[2];
            if file.is_disjoint(pawns) {
                sum += OPEN_FILE_NEAR_KING;
            }
        }
    }
    sum
}

/// Returns the worth of what a side threatens to capture.
fn threats(board: &Board, side: Color, own: &Attacks, other: &Attacks) -> TaperedScore {
    let theirs = board.colors(!side) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
    let heavy = theirs & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen));
    let queens = theirs & board.pieces(Piece::Queen);
    let mut sum = THREAT_BY_PAWN * (theirs & own.pawns).len() as i32;
    sum += THREAT_ON_HEAVY_PIECE * ((heavy & own.minors) | (queens & own.rooks)).len() as i32;
    let loose = board.colors(!side) & own.all & !other.all & !board.pieces(Piece::King);
    sum += HANGING_PIECE * loose.len() as i32;
    sum
}

/// Returns how much of an advantage in the endgame counts, in 64ths: without pawns a piece more does not win, and with bishops
/// on squares of different colours a pawn or two often do not.
fn endgame_scale(board: &Board, stronger: Color) -> i32 {
    let pawns = |side| board.colored_pieces(side, Piece::Pawn).len() as i32;
    let count = |side, piece| board.colored_pieces(side, piece).len() as i32;
    let weight = |side| {
        3 * (count(side, Piece::Knight) + count(side, Piece::Bishop))
            + 5 * count(side, Piece::Rook)
            + 9 * count(side, Piece::Queen)
    };
    let ahead = weight(stronger) - weight(!stronger);
    if pawns(stronger) == 0 && ahead <= 3 {
        return if weight(stronger) < 5 { 0 } else { 12 };
    }
    // Two knights do not mate.
    if pawns(stronger) == 0 && weight(stronger) == 6 && count(stronger, Piece::Knight) == 2 && pawns(!stronger) == 0 {
        return 0;
    }
    let bishops = board.pieces(Piece::Bishop);
    let apart = Color::ALL.iter().all(|side| count(*side, Piece::Bishop) == 1) && (bishops & LIGHT_SQUARES).len() == 1;
    if apart && weight(stronger) == 3 && weight(!stronger) == 3 {
        return 32;
    }
    (40 + 6 * pawns(stronger)).min(64)
}

/// Returns what brings a bare king nearer to its mate: it has to go to the edge, and the other king has to come.
fn mop_up(board: &Board, side: Color) -> i32 {
    let bare = board.colors(!side).len() == 1;
    let mating = !(board.pieces(Piece::Rook) | board.pieces(Piece::Queen)).is_empty()
        || board.colors(side).len() > 2 && board.pieces(Piece::Pawn).is_empty();
    if !bare || !mating {
        return 0;
    }
    let (king, prey) = (board.king(side), board.king(!side));
    let from_middle = |at: i32| (2 * at - 7).abs() / 2;
    let edge = from_middle(prey.file() as i32) + from_middle(prey.rank() as i32);
    let bishop = board.colored_pieces(side, Piece::Bishop);
    let corner = if bishop.len() == 1 && board.colors(side).len() == 3 && board.pieces(Piece::Knight).len() == 1 {
        let corners = if bishop.is_subset(LIGHT_SQUARES) { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        // The mate is in a corner of the bishop's colour.
        20 * (7 - corners.map(|corner| king_distance(prey, corner)).into_iter().min().unwrap_or(7))
    } else {
        0
    };
    12 * edge + 8 * (7 - king_distance(king, prey)) + corner
}
