//! A throw of two dice.

/// The faces of two dice, each 1 to 6, in the order in which they were thrown.
pub type Roll = [u8; 2];
