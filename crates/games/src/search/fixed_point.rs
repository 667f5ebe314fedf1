//! The few functions of real numbers that a search needs, in whole numbers: the same on every machine.

/// One, in the fixed point of this file.
pub const ONE: u32 = 1 << 16;

/// Returns the natural logarithm of a number, times [`ONE`], to two digits; 0 for 0.
pub fn ln(number: u32) -> u32 {
    let Some(power) = number.checked_ilog2() else { return 0 };
    // Between two powers of two it is taken to be straight, which is wrong by 0.06 at most.
    let rest = ((u64::from(number) << 16) >> power) - u64::from(ONE);
    let binary = (u64::from(power) << 16) + rest;
    // The natural logarithm of two, times ONE.
    u32::try_from((binary * 45_426) >> 16).unwrap_or(u32::MAX)
}

/// Returns the square root of a number that is times [`ONE`], times [`ONE`].
pub fn sqrt(number: u32) -> u32 {
    u32::try_from((u64::from(number) << 16).isqrt()).unwrap_or(u32::MAX)
}
