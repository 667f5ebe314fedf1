//! Checks the `cron:` of a schedule by the
//! [rules of GitHub](https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#schedule).

use std::ops::RangeInclusive;

use anyhow::{Result, bail};

/// The fields of a cron expression: the name, the range, and the names of its values in order.
const FIELDS: [(&str, RangeInclusive<u32>, &str); 5] = [
    ("minute", 0..=59, ""),
    ("hour", 0..=23, ""),
    ("day of the month", 1..=31, ""),
    ("month", 1..=12, "jan feb mar apr may jun jul aug sep oct nov dec"),
    ("day of the week", 0..=6, "sun mon tue wed thu fri sat"),
];

/// Checks a cron expression.
///
/// # Errors
/// Returns an error with the reason, without a period, if GitHub would reject the expression.
pub fn check_cron(cron: &str) -> Result<()> {
    let parts: Vec<&str> = cron.split_whitespace().collect();
    match parts.len() {
        5 => {}
        1 => bail!("it has 1 field instead of 5"),
        count => bail!("it has {count} fields instead of 5"),
    }
    for ((name, range, value_names), part) in FIELDS.into_iter().zip(parts) {
        if !part.split(',').all(|item| accepts(&range, value_names, item)) {
            let part: String = part.chars().filter(|c| *c != '`').take(20).collect();
            bail!("its {name} is `{part}`, and must be from {} to {}", range.start(), range.end());
        }
    }
    Ok(())
}

/// Whether an item is `*`, a value or a range, with or without a step.
fn accepts(range: &RangeInclusive<u32>, value_names: &str, item: &str) -> bool {
    let value = |text: &str| {
        let named =
            value_names.split_whitespace().zip(*range.start()..).find(|(name, _)| text.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value).or_else(|| parse_number(text)).filter(|value| range.contains(value))
    };
    let (values, step) = match item.split_once('/') {
        Some((values, step)) => (values, parse_number(step)),
        None => (item, Some(1)),
    };
    let is_in_range = match values.split_once('-') {
        Some((from, to)) => matches!((value(from), value(to)), (Some(from), Some(to)) if from <= to),
        None => values == "*" || value(values).is_some(),
    };
    is_in_range && step.is_some_and(|step| (1..=*range.end()).contains(&step))
}

fn parse_number(text: &str) -> Option<u32> {
    if text.chars().all(|c| c.is_ascii_digit()) { text.parse().ok() } else { None }
}
