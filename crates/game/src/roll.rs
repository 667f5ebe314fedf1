//! A roll of two dice.

/// Two dice from 1 to 6, in roll order.
pub type Roll = [u8; 2];
