//! What a game is played for: the points, the cube and the match turn chances into one number.
//!
//! With the cube it is Janowski's mean ("Take-Points in Money Games", 1993) of two values: that of a dead cube, which nobody
//! will turn, and that of a live one, which is turned at the very point where the other side is as well off with a drop as
//! with a take. In a match each level of the cube has such points of its own, from the highest one down.

use game::seat::Seat;

use crate::backgammon::engine::chances::{CERTAIN, Chances};
use crate::backgammon::engine::inputs::{counts, pips};
use crate::backgammon::engine::match_equity;
use crate::backgammon::game::{Backgammon, MAX_CUBE};
use crate::backgammon::placement::Placement;

/// The whole of a chance, and the unit of a point.
const WHOLE: i64 = CERTAIN as i64;
/// How much of the live cube is in the value of a position with contact, in percent.
const CONTACT_LIFE: i64 = 68;
/// The same in a race, before the pips that are left; a sixth of them is added.
const RACE_LIFE: i64 = 50;
/// The most of it in a race.
const LONG_RACE_LIFE: i64 = 70;
/// The most of it for each pair of checkers that the side with fewer ones still has, after the first pair. With two checkers
/// there is hardly another turn.
const LIFE_OF_A_PAIR: i64 = 20;

/// What is at stake, as the side sees it that is about to roll: index 0 is that side, 1 the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// The value of the cube.
    pub cube: i64,
    /// Whether each side may turn the cube, now or later.
    pub may_double: [bool; 2],
    /// The points that each side needs to win the match; `None` for a single game.
    pub away: Option<[u32; 2]>,
    /// Whether gammons count only once the cube has been turned.
    pub jacoby: bool,
}

/// The mean result of a side's wins and of its losses.
#[derive(Clone, Copy)]
struct Means {
    win: i64,
    loss: i64,
}

/// Returns how alive the cube is for the side on roll, in percent.
pub fn cube_efficiency(board: &Placement, seat: Seat) -> i64 {
    if board.has_contact() {
        return CONTACT_LIFE;
    }
    let left = Seat::BOTH.map(|side| counts(board, side).iter().map(|count| i64::from(*count)).sum::<i64>());
    let pairs = (left[0].min(left[1]) + 1) / 2 - 1;
    let pips = i64::from(pips(&counts(board, seat)));
    (RACE_LIFE + pips / 6).min(LONG_RACE_LIFE).min(pairs * LIFE_OF_A_PAIR)
}

impl Stakes {
    /// Returns the stakes of a game, as a seat sees them.
    pub fn of(game: &Backgammon, seat: Seat) -> Stakes {
        let sides = [seat, seat.other()];
        let away =
            game.config.length.map(|length| sides.map(|side| length.saturating_sub(game.score[side.index()]).max(1)));
        let reach = sides.map(|side| game.may_double(side));
        Stakes { cube: i64::from(game.cube.value), may_double: reach, away, jacoby: game.config.jacoby }
    }

    /// Returns the stakes as the other side sees them.
    pub fn for_opponent(self) -> Stakes {
        let turn = |[own, theirs]: [bool; 2]| [theirs, own];
        Stakes { may_double: turn(self.may_double), away: self.away.map(|[own, theirs]| [theirs, own]), ..self }
    }

    /// Returns what a value is to the other side.
    pub fn to_other(self, value: i64) -> i64 {
        if self.away.is_some() { WHOLE - value } else { -value }
    }

    /// Returns the stakes after the side on roll has doubled and the other one has taken.
    pub fn doubled(self) -> Stakes {
        let cube = 2 * self.cube;
        let useful = self.away.is_none_or(|[_, theirs]| i64::from(theirs) > cube);
        Stakes { cube, may_double: [false, useful && cube < i64::from(MAX_CUBE)], ..self }
    }

    /// Returns the value of winning (or, below 0, losing) a game of this kind: in 1/65536 points, or as the chance to win
    /// the match in 1/65536.
    pub fn result(&self, kind: i64) -> i64 {
        let kind = if self.jacoby && self.cube == 1 { kind.signum() } else { kind };
        let points = kind * self.cube;
        let Some([own, theirs]) = self.away else { return points * WHOLE };
        let is_after = own == 1 || theirs == 1;
        let left = |away: u32, points: i64| u32::try_from(i64::from(away) - points.max(0)).unwrap_or(0);
        match_equity::win_chance(left(own, points), left(theirs, -points), is_after)
    }

    /// Returns the value of chances when nobody turns the cube again.
    pub fn dead(&self, chances: Chances) -> i64 {
        let Chances { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon } = chances;
        let parts = [
            (win - win_gammon, 1),
            (win_gammon - win_backgammon, 2),
            (win_backgammon, 3),
            (CERTAIN - win - lose_gammon, -1),
            (lose_gammon - lose_backgammon, -2),
            (lose_backgammon, -3),
        ];
        parts.into_iter().map(|(chance, kind)| i64::from(chance) * self.result(kind)).sum::<i64>() / WHOLE
    }

    /// Returns the value of chances, the cube included. `life` is how much of it is that of a live cube, in percent.
    pub fn value(&self, chances: Chances, life: i64) -> i64 {
        let dead = self.dead(chances);
        if self.may_double == [false, false] {
            return dead;
        }
        (life * self.live(chances) + (100 - life) * dead) / 100
    }

    /// Returns the value with a cube that is turned at the very best moment.
    fn live(&self, chances: Chances) -> i64 {
        let means = self.means(chances);
        let win = i64::from(chances.win);
        let mut low = (0, means.loss);
        let mut high = (WHOLE, means.win);
        if self.may_double[1] {
            let point = (self.take_point(chances), self.result(-1));
            if win >= point.0 {
                low = point;
            } else {
                high = point;
            }
        }
        if self.may_double[0] {
            let point = (WHOLE - self.for_opponent().take_point(chances.for_opponent()), self.result(1));
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

    /// Returns the chance to win from which on the side on roll takes a double with a live cube.
    fn take_point(&self, chances: Chances) -> i64 {
        let then = Stakes { cube: 2 * self.cube, ..*self };
        let means = then.means(chances);
        if self.away.is_none() {
            // What the recursion below comes to when the cube has no end.
            let [win, loss] = [means.win, -means.loss].map(|mean| mean / then.cube);
            return (loss - WHOLE / 2) * WHOLE / (win + loss + WHOLE / 2);
        }
        let drop = self.result(-1);
        let useful = self.away.is_some_and(|[own, _]| i64::from(own) > then.cube);
        let (at, most) = if useful {
            (WHOLE - then.for_opponent().take_point(chances.for_opponent()), then.result(1))
        } else {
            (WHOLE, means.win)
        };
        if most <= means.loss {
            return WHOLE;
        }
        ((drop - means.loss) * at / (most - means.loss)).clamp(0, WHOLE)
    }

    /// Returns what a win and a loss come to in the mean, by the part of them that are gammons.
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
