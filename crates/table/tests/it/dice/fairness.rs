//! Rolls, counted: a million in the long run of the tests. The keys are fixed, so the figures are the same on every machine and on every day. The bounds are
//! those that fair dice leave once in a thousand experiments, half of it on either side: results that are too even aren't random, either.
//! `byte % 6` without the skipped bytes gives about 120 for the faces of one die of a million, where 22 is the bound.

#![allow(clippy::print_stdout)]

use game::Roll;
use table::{CommentId, CommentRef, IssueNumber, Key};
use testkit::short_or_long;

const KEYS: u8 = 10;

/// With every other key all rolls have one cause; with the others the comment's number rises as in a game.
fn rolls() -> Vec<Roll> {
    let of_key = |key: u8| {
        let dice = Key::from_entropy([key; 32]);
        (1..=short_or_long(10_000, 100_000)).map(move |number| {
            let comment = 5_000_000_000 + u64::from(number) * u64::from(key % 2) * 3;
            dice.roll(1, number, CommentRef { issue: IssueNumber::new(42), comment: CommentId::new(comment) })
        })
    };
    (0..KEYS).flat_map(of_key).collect()
}

/// How far the counts are from all being the same.
fn chi_squared(counts: &[u32]) -> f64 {
    let total: u32 = counts.iter().sum();
    let expected = f64::from(total) / counts.len() as f64;
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

fn counts<const N: usize>(outcomes: impl Iterator<Item = usize>) -> [u32; N] {
    let mut counts = [0; N];
    outcomes.for_each(|outcome| counts[outcome] += 1);
    counts
}

#[allow(clippy::print_stdout)]
#[track_caller]
fn within(what: &str, figure: f64, low: f64, high: f64) {
    println!("{what}: {figure:.3} (from {low} to {high})");
    assert!((low..=high).contains(&figure), "{what}: {figure:.3} is not from {low} to {high}");
}

/// The correlation of each value with the next, in standard deviations from none.
fn serial(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let covariance: f64 = values.windows(2).map(|next| (next[0] - mean) * (next[1] - mean)).sum();
    covariance / variance * n.sqrt()
}

#[test]
fn many_throws_are_fair() {
    let rolls = rolls();
    assert_eq!(rolls.len(), short_or_long(100_000, 1_000_000));
    let face = |die: u8| usize::from(die) - 1;
    let pair = |roll: &Roll| face(roll[0]) * 6 + face(roll[1]);
    // 5 degrees of freedom: six faces.
    within("first die", chi_squared(&counts::<6>(rolls.iter().map(|roll| face(roll[0])))), 0.158, 22.11);
    within("second die", chi_squared(&counts::<6>(rolls.iter().map(|roll| face(roll[1])))), 0.158, 22.11);
    // 35: the two dice of a roll together.
    within("both dice", chi_squared(&counts::<36>(rolls.iter().map(pair))), 13.78, 69.20);
    // 1295: a roll and the one after it, each roll counted once.
    let successive = rolls.chunks_exact(2).map(|two| pair(&two[0]) * 36 + pair(&two[1]));
    within("two rolls", chi_squared(&counts::<1296>(successive)), 1134.0, 1469.1);
    // One die with the same die of the next roll, and all dice in the order in which they fall: a normal deviate.
    let of_die = |at: usize| rolls.iter().map(|roll| f64::from(roll[at])).collect::<Vec<_>>();
    within("first die, serial", serial(&of_die(0)), -3.29, 3.29);
    within("second die, serial", serial(&of_die(1)), -3.29, 3.29);
    within(
        "all dice, serial",
        serial(&rolls.iter().flatten().map(|die| f64::from(*die)).collect::<Vec<_>>()),
        -3.29,
        3.29,
    );
}
