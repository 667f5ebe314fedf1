//! Static evaluation: material and piece-square tables, mobility, king attacks, pawn structure, king shelter, threats.
//!
//! Each term has a middlegame and an endgame value, blended by the pieces on the board: [tapered
//! evaluation](https://www.chessprogramming.org/Tapered_Eval). The parameters are in [`super::weights`].

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

/// The squares that a side attacks.
struct Attacks {
    pawns: BitBoard,
    /// By knights and bishops.
    minors: BitBoard,
    rooks: BitBoard,
    all: BitBoard,
}

/// Returns the static evaluation for the side to move, in centipawns.
pub(super) fn evaluate(board: &Board) -> i32 {
    let pawn_attacks = Color::ALL.map(|color| pawn_attacks(board, color));
    let mut sum = TaperedScore::default();
    let mut attacks = [Color::White, Color::Black].map(|color| {
        let (score, attacks) = evaluate_pieces(board, color, pawn_attacks[!color as usize]);
        let score = score + pawn_structure(board, color) + king_shelter(board, color);
        if color == Color::White {
            sum += score;
        } else {
            sum -= score;
        }
        attacks
    });
    for color in Color::ALL {
        attacks[color as usize].pawns = pawn_attacks[color as usize];
        attacks[color as usize].all |= pawn_attacks[color as usize] | get_king_moves(board.king(color));
    }
    sum += threats(board, Color::White, &attacks[0], &attacks[1]);
    sum -= threats(board, Color::Black, &attacks[1], &attacks[0]);
    let phase: i32 =
        Piece::ALL.iter().map(|piece| PHASE_WEIGHTS[*piece as usize] * board.pieces(*piece).len() as i32).sum();
    let phase = phase.min(MAX_PHASE);
    let stronger = if sum.endgame() > 0 { Color::White } else { Color::Black };
    let endgame = sum.endgame() * endgame_scale(board, stronger) / 64;
    let mut score = (sum.middlegame() * phase + endgame * (MAX_PHASE - phase)) / MAX_PHASE;
    score += mop_up(board, Color::White) - mop_up(board, Color::Black);
    TEMPO + if board.side_to_move() == Color::White { score } else { -score }
}

/// Returns the squares that the pawns of a side attack.
fn pawn_attacks(board: &Board, color: Color) -> BitBoard {
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let (to_left, to_right) = (pawns.0 & !File::A.bitboard().0, pawns.0 & !File::H.bitboard().0);
    BitBoard(match color {
        Color::White => to_left << 7 | to_right << 9,
        Color::Black => to_left >> 9 | to_right >> 7,
    })
}

/// Scores the pieces of a side: material, squares, mobility, attacks on the enemy king. Also returns what they attack.
fn evaluate_pieces(board: &Board, us: Color, enemy_pawn_attacks: BitBoard) -> (TaperedScore, Attacks) {
    let flip = if us == Color::White { 0 } else { 56 };
    let mut sum = TaperedScore::default();
    for piece in Piece::ALL {
        for square in board.colored_pieces(us, piece) {
            sum += PIECE_SQUARES[piece as usize][square as usize ^ flip];
        }
    }
    let (own_pawns, all_pawns) = (board.colored_pieces(us, Piece::Pawn), board.pieces(Piece::Pawn));
    let mobility_area = !(enemy_pawn_attacks | own_pawns | board.colored_pieces(us, Piece::King));
    let enemy_king_zone = king_zone(board.king(!us));
    let mut all_attacks =
        Attacks { pawns: BitBoard::EMPTY, minors: BitBoard::EMPTY, rooks: BitBoard::EMPTY, all: BitBoard::EMPTY };
    let (mut king_attack, mut attacker_count) = (0, 0);
    // X-rays: sliders attack through their own queens and rooks that move along the same line.
    let queens = board.colored_pieces(us, Piece::Queen);
    let rooks = board.colored_pieces(us, Piece::Rook);
    let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    for ((index, piece), (mobility, typical)) in kinds.into_iter().enumerate().zip(MOBILITY) {
        for square in board.colored_pieces(us, piece) {
            let attacks = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, board.occupied() ^ queens),
                Piece::Rook => get_rook_moves(square, board.occupied() ^ queens ^ rooks),
                _ => get_bishop_moves(square, board.occupied()) | get_rook_moves(square, board.occupied()),
            };
            sum += mobility * ((attacks & mobility_area).len() as i32 - typical);
            let zone_attacks = (attacks & enemy_king_zone).len() as i32;
            if zone_attacks > 0 {
                king_attack += KING_ATTACK[index] * zone_attacks;
                attacker_count += 1;
            }
            match piece {
                Piece::Rook => all_attacks.rooks |= attacks,
                Piece::Queen => {}
                _ => all_attacks.minors |= attacks,
            }
            all_attacks.all |= attacks;
        }
    }
    sum += TaperedScore::from_middlegame(king_attack * KING_ATTACK_SCALE[attacker_count.min(7)] / 128);
    if board.colored_pieces(us, Piece::Bishop).len() >= 2 {
        sum += BISHOP_PAIR;
    }
    for rook in rooks {
        let file = rook.file().bitboard();
        if (file & own_pawns).is_empty() {
            sum += if (file & all_pawns).is_empty() { ROOK_OPEN_FILE } else { ROOK_HALF_OPEN_FILE };
        }
        if rook.rank().relative_to(us) == Rank::Seventh {
            sum += ROOK_ON_SEVENTH;
        }
    }
    (sum, all_attacks)
}

/// Returns the king's square and the squares around it.
fn king_zone(king: Square) -> BitBoard {
    get_king_moves(king) | king.bitboard()
}

/// Returns all squares in front of these, as seen by a side.
fn front_span(squares: BitBoard, color: Color) -> BitBoard {
    let mut fill = squares.0;
    match color {
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

/// Returns the squares to the left and right of these.
fn adjacent_squares(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::A.bitboard().0) >> 1 | (squares.0 & !File::H.bitboard().0) << 1)
}

/// Scores the pawns of a side: doubled, isolated, connected and passed pawns.
fn pawn_structure(board: &Board, us: Color) -> TaperedScore {
    let own = board.colored_pieces(us, Piece::Pawn);
    let enemy = board.colored_pieces(!us, Piece::Pawn);
    let mut sum = TaperedScore::default();
    sum += DOUBLED_PAWN * (own & front_span(own, us)).len() as i32;
    let own_files = front_span(own, us) | front_span(own, !us) | own;
    sum += ISOLATED_PAWN * (own & !adjacent_squares(own_files)).len() as i32;
    let connected = own & (adjacent_squares(own) | pawn_attacks(board, us));
    for pawn in connected {
        sum += CONNECTED_PAWN[pawn.rank().relative_to(us) as usize];
    }
    let enemy_span = front_span(enemy, !us);
    let passed = own & !(enemy_span | adjacent_squares(enemy_span)) & !front_span(own, !us);
    let (king, enemy_king) = (board.king(us), board.king(!us));
    for pawn in passed {
        let rank = pawn.rank().relative_to(us) as usize;
        sum += PASSED_PAWN[rank];
        let Some(stop) = pawn.try_offset(0, if us == Color::White { 1 } else { -1 }) else { continue };
        if board.occupied().has(stop) {
            sum += BLOCKED_PASSED_PAWN;
        }
        if rank >= Rank::Fourth as usize {
            sum += PASSED_PAWN_KINGS[0] * king_distance(enemy_king, stop) * (rank as i32 - 2)
                + PASSED_PAWN_KINGS[1] * king_distance(king, stop) * (rank as i32 - 2);
        }
    }
    sum
}

/// Returns the number of king moves between two squares.
fn king_distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    files.max((from.rank() as i32 - to.rank() as i32).abs())
}

/// Scores the pawn shield of a king, and the open files near it.
fn king_shelter(board: &Board, us: Color) -> TaperedScore {
    let king = board.king(us);
    if king.rank().relative_to(us) > Rank::Second {
        return PAWN_SHIELD[2] * 2;
    }
    let own_pawns = board.colored_pieces(us, Piece::Pawn);
    let all_pawns = board.pieces(Piece::Pawn);
    let files = king.file().bitboard() | king.file().adjacent();
    let on_rank = |rank: Rank| rank.relative_to(us).bitboard();
    let (near, far) = if king.rank().relative_to(us) == Rank::First {
        (Rank::Second, Rank::Third)
    } else {
        (Rank::Third, Rank::Fourth)
    };
    let mut sum = PAWN_SHIELD[0] * (own_pawns & files & on_rank(near)).len() as i32;
    sum += PAWN_SHIELD[1] * (own_pawns & files & on_rank(far)).len() as i32;
    for file in File::ALL.into_iter().map(File::bitboard).filter(|file| !file.is_disjoint(files)) {
        if file.is_disjoint(own_pawns) {
            sum += PAWN_SHIELD[2];
            if file.is_disjoint(all_pawns) {
                sum += OPEN_FILE_NEAR_KING;
            }
        }
    }
    sum
}

/// Scores the pieces that a side threatens to capture.
fn threats(board: &Board, us: Color, own_attacks: &Attacks, enemy_attacks: &Attacks) -> TaperedScore {
    let enemies = board.colors(!us) & !board.pieces(Piece::King);
    let pieces = enemies & !board.pieces(Piece::Pawn);
    let heavy = pieces & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen));
    let queens = pieces & board.pieces(Piece::Queen);
    let mut sum = THREAT_BY_PAWN * (pieces & own_attacks.pawns).len() as i32;
    sum += THREAT_ON_HEAVY_PIECE * ((heavy & own_attacks.minors) | (queens & own_attacks.rooks)).len() as i32;
    sum += HANGING_PIECE * (enemies & own_attacks.all & !enemy_attacks.all).len() as i32;
    sum
}

/// Returns how much of an endgame advantage counts, in 64ths. Without pawns, an extra minor piece doesn't win, and
/// with opposite-colored bishops an extra pawn often doesn't.
fn endgame_scale(board: &Board, stronger: Color) -> i32 {
    let count = |color, piece| board.colored_pieces(color, piece).len() as i32;
    let pawns = |color| count(color, Piece::Pawn);
    let material = |color| {
        3 * (count(color, Piece::Knight) + count(color, Piece::Bishop))
            + 5 * count(color, Piece::Rook)
            + 9 * count(color, Piece::Queen)
    };
    let advantage = material(stronger) - material(!stronger);
    if pawns(stronger) == 0 && advantage <= 3 {
        return if material(stronger) < 5 { 0 } else { 12 };
    }
    // Two knights can't force checkmate.
    if pawns(stronger) == 0 && material(stronger) == 6 && count(stronger, Piece::Knight) == 2 && pawns(!stronger) == 0 {
        return 0;
    }
    let bishops = board.pieces(Piece::Bishop);
    let has_opposite_bishops =
        Color::ALL.iter().all(|color| count(*color, Piece::Bishop) == 1) && (bishops & LIGHT_SQUARES).len() == 1;
    if has_opposite_bishops && material(stronger) == 3 && material(!stronger) == 3 {
        return 32;
    }
    (40 + 6 * pawns(stronger)).min(64)
}

/// [Mop-up evaluation](https://www.chessprogramming.org/Mop-up_Evaluation) against a bare king: drive it to the edge
/// and approach it with the other king.
fn mop_up(board: &Board, us: Color) -> i32 {
    let is_bare = board.colors(!us).len() == 1;
    let can_mate = !(board.pieces(Piece::Rook) | board.pieces(Piece::Queen)).is_empty()
        || board.colors(us).len() > 2 && board.pieces(Piece::Pawn).is_empty();
    if !is_bare || !can_mate {
        return 0;
    }
    let (king, bare_king) = (board.king(us), board.king(!us));
    let from_center = |coordinate: i32| (2 * coordinate - 7).abs() / 2;
    let edge = from_center(bare_king.file() as i32) + from_center(bare_king.rank() as i32);
    let bishops = board.colored_pieces(us, Piece::Bishop);
    let is_bishop_and_knight =
        bishops.len() == 1 && board.colors(us).len() == 3 && board.pieces(Piece::Knight).len() == 1;
    let corner = if is_bishop_and_knight {
        // Bishop and knight mate only in a corner of the bishop's color.
        let [first, second] =
            if bishops.is_subset(LIGHT_SQUARES) { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        20 * (7 - king_distance(bare_king, first).min(king_distance(bare_king, second)))
    } else {
        0
    };
    12 * edge + 8 * (7 - king_distance(king, bare_king)) + corner
}
