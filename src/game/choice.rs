//! What the computer chooses, and how well.

/// A level of play, from 1, which loses to somebody who learned the game today, to 8, which is as good as it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

/// A move that was chosen, and what choosing it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<M> {
    /// The move.
    pub mv: M,
    /// The number of positions that were valued.
    pub nodes: u64,
    /// The value of the position for the seat on turn. Its unit is the game's own.
    pub value: i32,
}

impl Level {
    /// The level that is called easy.
    pub const EASY: Level = Level(2);
    /// The level that is called medium, and that is meant where none is named.
    pub const MEDIUM: Level = Level(4);
    /// The level that is called hard.
    pub const HARD: Level = Level(6);
    /// The highest level.
    pub const MAX: Level = Level(8);

    /// Returns the level of a number; `None` unless it is 1 to 8.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= Level::MAX.0 { Some(Level(number)) } else { None }
    }

    /// Returns the number, 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }
}
