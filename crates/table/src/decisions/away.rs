//! Parses the words of `/away`.

use std::time::Duration;

use crate::absence::AwayRequest;
use crate::comments::words::is_one_of;
use crate::decisions::option_words::{OFF, parse_duration};
use crate::decisions::refusal::Refusal;

/// The shortest time away.
const MIN_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Parses the words of `/away`: none, `off`, or a duration such as `14d` or `2 weeks`.
///
/// # Errors
/// Returns an error for any other words.
pub fn read_away(words: &[String]) -> Result<AwayRequest, Refusal> {
    let text = words.concat();
    if text.is_empty() {
        return Ok(AwayRequest::Show);
    }
    if is_one_of(&text, &OFF) {
        return Ok(AwayRequest::Off);
    }
    let text = text.strip_prefix("for").unwrap_or(&text);
    let time = parse_duration(text).filter(|time| *time >= MIN_TIME);
    time.map(AwayRequest::For).ok_or_else(|| Refusal::InvalidAway(words.join(" ")))
}
