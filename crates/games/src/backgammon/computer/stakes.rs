//! The stakes: turns chances into one value, by the points, the cube and the match score.
//!
//! With a cube, the value is Janowski's mean ("Take-Points in Money Games", 1993) of two values. One assumes a dead
//! cube, which nobody turns again. The other assumes a live cube, which is turned exactly where a take and a drop are
//! equally good. In a match each cube level has its own take points, computed from the highest level down.

use game::Seat;

use crate::backgammon::computer::inputs::pips;
use crate::backgammon::game::MAX_CUBE;
use crate::backgammon::{Backgammon, CERTAIN, Chances, Placement, counts};

/// A chance of 1, and also the value of one point.
const ONE: i64 = CERTAIN as i64;
/// The weight of the live cube in positions with contact, in percent.
const CONTACT_EFFICIENCY: i64 = 68;
/// The weight of the live cube in a race, before a sixth of the pip count is added.
const RACE_EFFICIENCY: i64 = 50;
/// The largest weight of the live cube in a race.
const MAX_RACE_EFFICIENCY: i64 = 70;
/// The limit on the weight near the end of a race: this much for each pair of checkers after the first, counted for the
/// side with fewer checkers left. When it has only two left, the cube rarely turns again.
const EFFICIENCY_PER_PAIR: i64 = 20;

/// The stakes as the side on roll sees them: index 0 is that side, 1 its opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stakes {
    /// The value of the cube.
    pub cube: i64,
    /// Whether each side may turn the cube, now or later.
    pub may_double: [bool; 2],
    /// The points that each side needs to win the match; `None` in a single game.
    pub away: Option<[u32; 2]>,
    /// Whether gammons count only after the cube has been turned.
    pub jacoby: bool,
}

/// The mean value of a side's wins, and of its losses.
#[derive(Clone, Copy)]
struct Means {
    win: i64,
    loss: i64,
}

/// Returns the cube efficiency for the side on roll: the weight of the live cube, in percent.
pub(crate) fn cube_efficiency(board: &Placement, seat: Seat) -> i64 {
    if board.has_contact() {
        return CONTACT_EFFICIENCY;
    }
    let left = Seat::BOTH.map(|side| counts(board, side).iter().map(|count| i64::from(*count)).sum::<i64>());
    let pairs = (left[0].min(left[1]) + 1) / 2 - 1;
    let pips = i64::from(pips(&counts(board, seat)));
    (RACE_EFFICIENCY + pips / 6).min(MAX_RACE_EFFICIENCY).min(pairs * EFFICIENCY_PER_PAIR)
}

impl Stakes {
    /// Returns the stakes of a game for a seat.
    pub(crate) fn from_game(game: &Backgammon, seat: Seat) -> Stakes {
        let sides = [seat, seat.other()];
        let away =
            game.config.length.map(|length| sides.map(|side| length.saturating_sub(game.score[side.index()]).max(1)));
        let may_double = sides.map(|side| game.may_double(side));
        Stakes { cube: i64::from(game.cube.value), may_double, away, jacoby: game.config.jacoby }
    }

    /// Returns the opponent's stakes.
    pub(crate) fn for_opponent(self) -> Stakes {
        let [own, theirs] = self.may_double;
        Stakes { may_double: [theirs, own], away: self.away.map(|[own, theirs]| [theirs, own]), ..self }
    }

    /// Converts a value to the opponent's.
    pub(crate) fn to_other(self, value: i64) -> i64 {
        if self.away.is_some() { ONE - value } else { -value }
    }

    /// Returns the stakes after the side on roll doubled and its opponent took.
    pub(crate) fn doubled(self) -> Stakes {
        let cube = 2 * self.cube;
        let can_redouble = self.away.is_none_or(|[_, theirs]| i64::from(theirs) > cube);
        Stakes { cube, may_double: [false, can_redouble && cube < i64::from(MAX_CUBE)], ..self }
    }

    /// Returns the value of a win of this kind, or of a loss if `kind` is negative. The unit is 1/65536 points, or the
    /// chance of winning the match in 1/65536.
    pub(crate) fn result(&self, kind: i64) -> i64 {
        let kind = if self.jacoby && self.cube == 1 { kind.signum() } else { kind };
        let points = kind * self.cube;
        let Some([own, theirs]) = self.away else { return points * ONE };
        let is_post_crawford = own == 1 || theirs == 1;
        let left = |away: u32, points: i64| u32::try_from(i64::from(away) - points.max(0)).unwrap_or(0);
        win_chance(left(own, points), left(theirs, -points), is_post_crawford)
    }

    /// Returns the value with a dead cube.
    fn dead(&self, chances: Chances) -> i64 {
        let Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
        let parts = [
            (win - win_gammon, 1),
            (win_gammon - win_backgammon, 2),
            (win_backgammon, 3),
            (CERTAIN - win - lose_gammon, -1),
            (lose_gammon - lose_backgammon, -2),
            (lose_backgammon, -3),
        ];
        parts.into_iter().map(|(chance, kind)| i64::from(chance) * self.result(kind)).sum::<i64>() / ONE
    }

    /// Returns the value with the cube. `efficiency` is the weight of the live cube, in percent.
    pub(crate) fn value(&self, chances: Chances, efficiency: i64) -> i64 {
        let dead = self.dead(chances);
        if self.may_double == [false, false] {
            return dead;
        }
        (efficiency * self.live(chances) + (100 - efficiency) * dead) / 100
    }

    /// Returns the value with a live cube.
    fn live(&self, chances: Chances) -> i64 {
        let means = self.means(chances);
        let win = i64::from(chances.win);
        let mut low = (0, means.loss);
        let mut high = (ONE, means.win);
        if self.may_double[1] {
            let point = (self.take_point(chances), self.result(-1));
            if win >= point.0 {
                low = point;
            } else {
                high = point;
            }
        }
        if self.may_double[0] {
            let point = (ONE - self.for_opponent().take_point(chances.for_opponent()), self.result(1));
            if win >= point.0 {
                low = point;
            } else if point.0 < high.0 {
                high = point;
            }
        }
        if high.0 <= low.0 {
            return low.1;
        }
        low.1 + (high.1 - low.1) * (win - low.0) / (high.0 - low.0)
    }

    /// Returns the lowest chance of winning at which the side on roll takes a double with a live cube.
    fn take_point(&self, chances: Chances) -> i64 {
        let doubled = Stakes { cube: 2 * self.cube, ..*self };
        let means = doubled.means(chances);
        let Some([own_away, _]) = self.away else {
            // The closed form of the recursion below for a cube without limit.
            let [win, loss] = [means.win, -means.loss].map(|mean| mean / doubled.cube);
            return (loss - ONE / 2) * ONE / (win + loss + ONE / 2);
        };
        let drop = self.result(-1);
        let (at, most) = if i64::from(own_away) > doubled.cube {
            (ONE - doubled.for_opponent().take_point(chances.for_opponent()), doubled.result(1))
        } else {
            (ONE, means.win)
        };
        if most <= means.loss {
            return ONE;
        }
        ((drop - means.loss) * at / (most - means.loss)).clamp(0, ONE)
    }

    /// Returns the mean values of a win and of a loss, by their share of gammons and backgammons.
    fn means(&self, chances: Chances) -> Means {
        let mean = |all: i32, gammons: i32, backgammons: i32, sign: i64| {
            let [all, gammons, backgammons] = [all, gammons, backgammons].map(i64::from);
            let single = self.result(sign);
            if all < 64 {
                return single;
            }
            let more = gammons * (self.result(2 * sign) - single);
            let most = backgammons * (self.result(3 * sign) - self.result(2 * sign));
            single + (more + most) / all
        };
        Means {
            win: mean(chances.win, chances.win_gammon, chances.win_backgammon, 1),
            loss: mean(CERTAIN - chances.win, chances.lose_gammon, chances.lose_backgammon, -1),
        }
    }
}

// The match equity table: the chance of winning a match, by the points that both sides still need.
//
// The numbers are the Kazaross-XG2 table, which Neil Kazaross published in 2011 from rollouts by eXtreme Gammon 2.

/// The longest match in the table.
const MAX_LENGTH: usize = 15;
/// A chance of 1, in the units of the table.
const CERTAIN_IN_TABLE: i64 = 100_000;

/// The chances up to and including the Crawford game, in 1/100000. The row is the number of points the side needs, the
/// column the number its opponent needs.
const PRE_CRAWFORD: [[i64; MAX_LENGTH]; MAX_LENGTH] = [
    [50000, 67736, 75076, 81436, 84179, 88731, 90724, 93250, 94402, 95928, 96644, 97553, 97984, 98527, 98789],
    [32264, 50000, 59947, 66870, 74359, 79940, 84225, 87539, 90197, 92303, 93931, 95247, 96250, 97070, 97689],
    [24924, 40053, 50000, 57150, 64795, 71123, 76209, 80468, 84017, 87064, 89442, 91483, 93070, 94443, 95493],
    [18564, 33130, 42850, 50000, 57732, 64285, 69924, 74577, 78799, 82406, 85396, 87914, 90023, 91804, 93266],
    [15821, 25641, 35205, 42268, 50000, 56635, 62638, 67786, 72540, 76706, 80273, 83365, 85993, 88287, 90201],
    [11269, 20060, 28877, 35715, 43365, 50000, 56261, 61636, 66787, 71306, 75343, 78863, 81957, 84665, 87000],
    [9276, 15775, 23791, 30076, 37362, 43739, 50000, 55480, 60854, 65628, 70021, 73905, 77412, 80520, 83257],
    [6750, 12461, 19532, 25423, 32214, 38364, 44520, 50000, 55442, 60372, 64990, 69136, 72945, 76359, 79440],
    [5598, 9803, 15983, 21201, 27460, 33213, 39146, 44558, 50000, 55020, 59793, 64148, 68212, 71893, 75281],
    [4072, 7697, 12936, 17594, 23294, 28694, 34372, 39628, 44980, 50000, 54855, 59346, 63588, 67483, 71111],
    [3356, 6069, 10558, 14604, 19727, 24657, 29979, 35010, 40207, 45145, 50000, 54555, 58924, 62974, 66793],
    [2447, 4753, 8517, 12086, 16635, 21137, 26095, 30864, 35852, 40654, 45445, 50000, 54407, 58570, 62526],
    [2016, 3750, 6930, 9977, 14007, 18043, 22588, 27055, 31788, 36412, 41076, 45593, 50000, 54194, 58254],
    [1473, 2930, 5557, 8196, 11713, 15335, 19480, 23641, 28107, 32517, 37026, 41430, 45806, 50000, 54075],
    [1211, 2311, 4507, 6734, 9799, 13000, 16743, 20560, 24719, 28889, 33207, 37474, 41746, 45925, 50000],
];

/// The chances after the Crawford game by the number of points the side needs, when its opponent needs one.
const POST_CRAWFORD: [i64; MAX_LENGTH] =
    [50000, 48803, 32264, 31002, 19012, 18072, 11559, 10906, 6953, 6516, 4207, 3906, 2537, 2343, 1530];

/// Returns a side's chance of winning the match, in 1/65536, by the points that it and its opponent need.
///
/// `is_post_crawford` says whether the Crawford game is over when the next game begins.
pub(crate) fn win_chance(own: u32, theirs: u32, is_post_crawford: bool) -> i64 {
    let index = |away: u32| (away as usize).clamp(1, MAX_LENGTH) - 1;
    let chance = match (own, theirs) {
        (0, _) => CERTAIN_IN_TABLE,
        (_, 0) => 0,
        (own, 1) if is_post_crawford => POST_CRAWFORD[index(own)],
        (1, theirs) if is_post_crawford => CERTAIN_IN_TABLE - POST_CRAWFORD[index(theirs)],
        (own, theirs) => PRE_CRAWFORD[index(own)][index(theirs)],
    };
    chance * i64::from(CERTAIN) / CERTAIN_IN_TABLE
}
