//! Fixed-point math, with the same results on every machine.

/// One, in fixed point.
pub const ONE: u32 = 1 << 16;

/// Returns the natural logarithm of an integer in fixed point, with an error of at most 0.06; 0 for 0.
pub fn ln(number: u32) -> u32 {
    let Some(power) = number.checked_ilog2() else { return 0 };
    // Interpolate linearly between powers of two.
    let rest = ((u64::from(number) << 16) >> power) - u64::from(ONE);
    let binary = (u64::from(power) << 16) + rest;
    // The natural logarithm of two, in fixed point.
    u32::try_from((binary * 45_426) >> 16).unwrap_or(u32::MAX)
}

/// Returns the square root of a fixed-point number, in fixed point.
pub fn sqrt(number: u32) -> u32 {
    u32::try_from((u64::from(number) << 16).isqrt()).unwrap_or(u32::MAX)
}
