//! The chances of winning and losing a single game, a gammon or a backgammon.

/// A chance of 1.
pub const CERTAIN: i32 = 65_536;

/// The chances of each result for one side, in 1/65536. A gammon also counts as a win, and a backgammon as both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chances {
    /// The chance of winning.
    pub win: i32,
    /// The chance of winning a gammon or a backgammon.
    pub win_gammon: i32,
    /// The chance of winning a backgammon.
    pub win_backgammon: i32,
    /// The chance of losing a gammon or a backgammon.
    pub lose_gammon: i32,
    /// The chance of losing a backgammon.
    pub lose_backgammon: i32,
}

impl Chances {
    /// Returns the opponent's chances.
    pub fn for_opponent(self) -> Chances {
        Chances {
            win: CERTAIN - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// Returns the cubeless equity, in 1/65536 points.
    pub fn points(self) -> i32 {
        2 * self.win - CERTAIN + self.win_gammon + self.win_backgammon - self.lose_gammon - self.lose_backgammon
    }

    /// Returns the chances of a side that has won a game of this kind: 1 is a single game, 2 a gammon, 3 a backgammon.
    pub fn won(kind: u32) -> Chances {
        let certain = |least: u32| if kind >= least { CERTAIN } else { 0 };
        Chances { win: CERTAIN, win_gammon: certain(2), win_backgammon: certain(3), ..Chances::default() }
    }

    /// Returns consistent chances from the outputs of a net: gammons never exceed wins, nor backgammons gammons.
    pub fn from_net([win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]: [i32; 5]) -> Chances {
        let win = win.clamp(0, CERTAIN);
        let win_gammon = win_gammon.clamp(0, win);
        let lose_gammon = lose_gammon.clamp(0, CERTAIN - win);
        Chances {
            win,
            win_gammon,
            win_backgammon: win_backgammon.clamp(0, win_gammon),
            lose_gammon,
            lose_backgammon: lose_backgammon.clamp(0, lose_gammon),
        }
    }
}
