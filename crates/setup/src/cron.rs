//! Checks the `cron:` of a schedule by the
//! [rules of GitHub](https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#schedule).

use anyhow::{Result, bail};

/// A field of a cron expression: its range, and the names of its values, the first for `min`.
struct CronField {
    name: &'static str,
    min: u32,
    max: u32,
    names: &'static [&'static str],
}

const FIELDS: [CronField; 5] = [
    CronField { name: "minute", min: 0, max: 59, names: &[] },
    CronField { name: "hour", min: 0, max: 23, names: &[] },
    CronField { name: "day of the month", min: 1, max: 31, names: &[] },
    CronField {
        name: "month",
        min: 1,
        max: 12,
        names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    },
    CronField { name: "day of the week", min: 0, max: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
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
    for (field, part) in FIELDS.iter().zip(parts) {
        if !part.split(',').all(|item| field.accepts(item)) {
            let CronField { name, min, max, .. } = field;
            let part: String = part.chars().filter(|c| *c != '`').take(20).collect();
            bail!("its {name} is `{part}`, and must be from {min} to {max}");
        }
    }
    Ok(())
}

impl CronField {
    /// Whether an item is `*`, a value or a range, with or without a step.
    fn accepts(&self, item: &str) -> bool {
        let (range, step) = match item.split_once('/') {
            Some((range, step)) => (range, parse_number(step)),
            None => (item, Some(1)),
        };
        let is_in_range = match range.split_once('-') {
            Some((from, to)) => {
                matches!((self.parse_value(from), self.parse_value(to)), (Some(from), Some(to)) if from <= to)
            }
            None => range == "*" || self.parse_value(range).is_some(),
        };
        is_in_range && step.is_some_and(|step| (1..=self.max).contains(&step))
    }

    /// Parses a number or a name; returns `None` if it isn't in range.
    fn parse_value(&self, text: &str) -> Option<u32> {
        let named = self.names.iter().zip(self.min..).find(|(name, _)| text.eq_ignore_ascii_case(name));
        let value = named.map(|(_, value)| value).or_else(|| parse_number(text))?;
        if (self.min..=self.max).contains(&value) { Some(value) } else { None }
    }
}

fn parse_number(text: &str) -> Option<u32> {
    if text.chars().all(|c| c.is_ascii_digit()) { text.parse().ok() } else { None }
}
