//! The parameters of the evaluation, in centipawns: middlegame first, then endgame. They are this program's own.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame score packed into one word, so that one addition adds both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TaperedScore(i32);

/// Packs a middlegame and an endgame score.
const fn tapered(middlegame: i32, endgame: i32) -> TaperedScore {
    TaperedScore((endgame << 16) + middlegame)
}

impl TaperedScore {
    /// Returns a score for the middlegame only.
    pub(super) fn from_middlegame(score: i32) -> TaperedScore {
        TaperedScore(score)
    }

    /// Returns the middlegame score.
    pub(super) fn middlegame(self) -> i32 {
        i32::from(self.0 as i16)
    }

    /// Returns the endgame score.
    pub(super) fn endgame(self) -> i32 {
        // Undo the borrow of a negative lower half.
        (self.0 + 0x8000) >> 16
    }
}

impl Add for TaperedScore {
    type Output = TaperedScore;

    fn add(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 + other.0)
    }
}

impl Sub for TaperedScore {
    type Output = TaperedScore;

    fn sub(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 - other.0)
    }
}

impl Neg for TaperedScore {
    type Output = TaperedScore;

    fn neg(self) -> TaperedScore {
        TaperedScore(-self.0)
    }
}

impl Mul<i32> for TaperedScore {
    type Output = TaperedScore;

    fn mul(self, factor: i32) -> TaperedScore {
        TaperedScore(self.0 * factor)
    }
}

impl AddAssign for TaperedScore {
    fn add_assign(&mut self, other: TaperedScore) {
        self.0 += other.0;
    }
}

impl SubAssign for TaperedScore {
    fn sub_assign(&mut self, other: TaperedScore) {
        self.0 -= other.0;
    }
}

/// Material: pawn, knight, bishop, rook, queen, king.
const MATERIAL: [TaperedScore; 6] =
    [tapered(82, 108), tapered(338, 300), tapered(355, 318), tapered(478, 540), tapered(1020, 985), tapered(0, 0)];

/// Middlegame piece-square tables for white, from the eighth rank down.
#[rustfmt::skip]
const MIDDLEGAME_SQUARES: [[i16; 64]; 6] = [
    [
          0,   0,   0,   0,   0,   0,   0,   0,
         65,  75,  60,  75,  65,  70,  35,  20,
         -2,  10,  25,  30,  50,  45,  20, -10,
        -12,   8,   5,  20,  22,  10,  12, -16,
        -22,  -2,   0,  14,  18,   8,   6, -20,
        -20,  -4,  -2,  -6,   4,   4,  26,  -8,
        -28,   0, -16, -20, -14,  18,  32, -16,
          0,   0,   0,   0,   0,   0,   0,   0,
    ],
    [
       -140, -80, -35, -40,  40, -80, -20,-100,
        -65, -40,  55,  30,  20,  50,   5, -20,
        -40,  45,  35,  60,  75, 110,  60,  35,
        -10,  15,  20,  50,  35,  60,  18,  20,
        -12,   5,  16,  14,  26,  20,  20,  -8,
        -22,  -8,  12,  12,  20,  16,  22, -15,
        -28, -40, -10,   0,   0,  15, -14, -18,
        -95, -20, -45, -30, -16, -26, -18, -40,
    ],
    [
        -28,   0, -70, -40, -25, -40,   5,  -8,
        -26,  12, -18, -14,  26,  50,  16, -40,
        -16,  32,  38,  36,  34,  46,  32,   0,
         -4,   6,  18,  44,  34,  34,   8,  -2,
         -6,  12,  14,  24,  30,  12,  10,   4,
          2,  16,  16,  14,  14,  26,  16,  10,
          6,  16,  16,   2,   8,  20,  32,   2,
        -30,  -2, -12, -18, -12, -10, -32, -20,
    ],
    [
         25,  32,  26,  42,  50,  14,  26,  36,
         20,  24,  50,  54,  66,  58,  24,  36,
         -4,  18,  24,  30,  16,  40,  50,  14,
        -22, -10,   8,  22,  22,  30,  -6, -18,
        -34, -24, -10,   0,   8,  -6,   6, -22,
        -42, -24, -14, -16,   2,   0,  -4, -30,
        -42, -16, -18,  -8,   0,  10,  -6, -60,
        -18, -12,   2,  14,  16,   6, -30, -20,
    ],
    [
        -25,   0,  26,  14,  50,  40,  38,  40,
        -22, -36,  -4,   2, -14,  50,  26,  48,
        -10, -14,   8,  10,  26,  50,  44,  50,
        -24, -24, -14, -14,   0,  16,   0,   2,
         -8, -22,  -8,  -8,  -2,  -4,   4,  -2,
        -12,   4,  -8,   0,  -4,   4,  12,   6,
        -30,  -6,  10,   4,   8,  14,  -2,   2,
          0, -14,  -8,  10, -12, -22, -28, -44,
    ],
    [
        -60,  20,  15, -15, -50, -30,   5,  10,
         28,   0, -18,  -6,  -8,  -4, -34, -26,
         -8,  22,   2, -16, -20,   6,  20, -20,
        -18, -20, -12, -26, -30, -24, -14, -34,
        -46,  -4, -26, -38, -44, -42, -32, -48,
        -14, -12, -22, -44, -42, -30, -14, -24,
          2,   6,  -8, -58, -40, -14,  10,   8,
        -14,  36,  14, -52,   6, -26,  26,  14,
    ],
];

/// Endgame piece-square tables.
#[rustfmt::skip]
const ENDGAME_SQUARES: [[i16; 64]; 6] = [
    [
          0,   0,   0,   0,   0,   0,   0,   0,
         70,  66,  60,  50,  55,  52,  66,  72,
         42,  44,  36,  28,  24,  24,  38,  38,
         24,  18,   8,   0,  -4,   2,  12,  12,
         10,   8,  -4,  -8,  -8,  -8,   2,  -2,
          2,   6,  -6,   2,   0,  -4,  -2,  -8,
         10,   6,   8,   8,  12,   0,   2,  -8,
          0,   0,   0,   0,   0,   0,   0,   0,
    ],
    [
        -58, -38, -14, -28, -30, -28, -62, -95,
        -25,  -8, -22,  -2,  -8, -25, -24, -50,
        -24, -18,  10,   8,   0,  -8, -18, -40,
        -16,   2,  22,  22,  22,  10,   8, -18,
        -18,  -6,  16,  24,  16,  16,   4, -18,
        -22,  -4,   0,  14,  10,  -2, -20, -22,
        -42, -20, -10,  -4,  -2, -20, -22, -44,
        -30, -50, -22, -14, -22, -18, -48, -60,
    ],
    [
        -14, -20, -10,  -8,  -6, -10, -16, -24,
         -8,  -4,   8, -12,  -4, -14,  -4, -14,
          2,  -8,   0,   0,  -2,   6,   0,   4,
         -4,   8,  12,  10,  14,  10,   2,   2,
         -6,   2,  12,  18,   8,  10,  -4,  -8,
        -12,  -4,   8,  10,  12,   4,  -8, -14,
        -14, -18,  -8,  -2,   4, -10, -14, -26,
        -22, -10, -22,  -6, -10, -16,  -6, -16,
    ],
    [
         14,  10,  18,  14,  12,  12,   8,   6,
         12,  14,  12,  10,  -2,   4,   8,   4,
          8,   8,   6,   4,   4,  -2,  -4,  -2,
          4,   4,  12,   2,   2,   2,   0,   2,
          4,   6,   8,   4,  -4,  -6,  -8, -10,
         -4,   0,  -4,   0,  -6, -12,  -8, -16,
         -6,  -6,   0,   2,  -8,  -8, -10,  -4,
         -8,   2,   4,   0,  -4, -12,   4, -20,
    ],
    [
         -8,  22,  22,  26,  26,  18,  10,  20,
        -16,  20,  32,  40,  56,  24,  30,   0,
        -20,   6,  10,  46,  46,  34,  18,   8,
          4,  22,  24,  44,  56,  40,  56,  36,
        -18,  28,  18,  46,  30,  34,  38,  22,
        -16, -26,  14,   6,  10,  16,  10,   4,
        -22, -24, -30, -16, -16, -22, -36, -32,
        -32, -28, -22, -42,  -6, -32, -20, -40,
    ],
    [
        -72, -36, -18, -18, -10,  14,   4, -18,
        -12,  16,  14,  16,  16,  38,  22,  10,
         10,  18,  24,  16,  20,  44,  44,  12,
         -8,  22,  24,  28,  26,  34,  26,   2,
        -18,  -4,  22,  24,  28,  24,   8, -12,
        -20,  -4,  10,  22,  24,  16,   6, -10,
        -26, -12,   4,  14,  14,   4,  -6, -18,
        -54, -34, -20, -12, -28, -14, -26, -44,
    ],
];

/// Material plus piece-square value, for white from a1 on.
pub(super) const PIECE_SQUARES: [[TaperedScore; 64]; 6] = {
    let mut squares = [[tapered(0, 0); 64]; 6];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let flipped = square ^ 56;
            let TaperedScore(material) = MATERIAL[piece];
            let TaperedScore(place) =
                tapered(MIDDLEGAME_SQUARES[piece][flipped] as i32, ENDGAME_SQUARES[piece][flipped] as i32);
            squares[piece][square] = TaperedScore(material + place);
            square += 1;
        }
        piece += 1;
    }
    squares
};

/// The weight of each piece in the game phase; 24 in total at the start.
pub(super) const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The game phase at the start.
pub(super) const MAX_PHASE: i32 = 24;

/// Mobility of knights, bishops, rooks and queens: the value of each reachable square, and their typical number.
pub(super) const MOBILITY: [(TaperedScore, i32); 4] =
    [(tapered(5, 5), 4), (tapered(5, 6), 6), (tapered(3, 5), 7), (tapered(2, 6), 13)];
/// The bishop pair.
pub(super) const BISHOP_PAIR: TaperedScore = tapered(24, 52);
/// A rook on an open file.
pub(super) const ROOK_OPEN_FILE: TaperedScore = tapered(28, 8);
/// A rook on a half-open file.
pub(super) const ROOK_HALF_OPEN_FILE: TaperedScore = tapered(10, 10);
/// A rook on the seventh rank.
pub(super) const ROOK_ON_SEVENTH: TaperedScore = tapered(4, 16);

/// An isolated pawn: its side has no pawn on the adjacent files.
pub(super) const ISOLATED_PAWN: TaperedScore = tapered(-10, -12);
/// A doubled pawn: it stands in front of another pawn of its side.
pub(super) const DOUBLED_PAWN: TaperedScore = tapered(-6, -18);
/// A connected pawn, by rank: it stands next to a pawn of its side, or one protects it.
pub(super) const CONNECTED_PAWN: [TaperedScore; 8] = [
    tapered(0, 0),
    tapered(4, 0),
    tapered(8, 4),
    tapered(9, 6),
    tapered(16, 14),
    tapered(34, 38),
    tapered(60, 60),
    tapered(0, 0),
];
/// A passed pawn, by rank.
pub(super) const PASSED_PAWN: [TaperedScore; 8] = [
    tapered(0, 0),
    tapered(-4, 6),
    tapered(-8, 12),
    tapered(-6, 36),
    tapered(14, 62),
    tapered(40, 110),
    tapered(70, 160),
    tapered(0, 0),
];
/// A passed pawn with a piece right in front of it.
pub(super) const BLOCKED_PASSED_PAWN: TaperedScore = tapered(-6, -24);
/// The distance of the enemy king and of the pawn's own king from the square in front of a passed pawn, for each step.
pub(super) const PASSED_PAWN_KINGS: [TaperedScore; 2] = [tapered(0, 6), tapered(0, -4)];

/// A piece attacked by a pawn.
pub(super) const THREAT_BY_PAWN: TaperedScore = tapered(48, 30);
/// A rook or queen attacked by a minor piece, or a queen attacked by a rook.
pub(super) const THREAT_ON_HEAVY_PIECE: TaperedScore = tapered(34, 22);
/// A piece that is attacked and unprotected.
pub(super) const HANGING_PIECE: TaperedScore = tapered(16, 22);

/// Each attack on a square of the enemy king zone, by knights, bishops, rooks and queens.
pub(super) const KING_ATTACK: [i32; 4] = [18, 14, 20, 22];
/// How much of the king attack counts, by the number of attackers, in 128ths.
pub(super) const KING_ATTACK_SCALE: [i32; 8] = [0, 24, 64, 96, 112, 120, 124, 128];
/// A shield pawn one step in front of the king, two steps in front, and a file without a shield pawn.
pub(super) const PAWN_SHIELD: [TaperedScore; 3] = [tapered(14, -2), tapered(6, 0), tapered(-14, 2)];
/// An additional penalty if the enemy has no pawn on that file, either.
pub(super) const OPEN_FILE_NEAR_KING: TaperedScore = tapered(-14, 0);

/// The bonus for the side to move.
pub(super) const TEMPO: i32 = 14;
