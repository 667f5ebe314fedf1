//! Time away, during which a person's clocks stand still.
//!
//! With `/away`, a person stops their clocks in all their games here. The person's own file, `away/583231.json`, keeps
//! the times. The summary of each of their games, `running/42.json`, repeats them, because a run reads that file
//! anyway.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::comments::phrases::Meaning;
use crate::decisions::option_words::parse_duration;
use crate::{Author, AwayRefusal, CommentRef, InvalidFile, Timestamp, UserId, is_login, json};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The shortest time away.
const MIN_TIME: Duration = DAY;
/// The maximum number of days away in any period of 365 days.
pub const MAX_DAYS: u32 = 35;
/// The period to which [`MAX_DAYS`] applies.
const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// The maximum size of a file, in bytes. A file has at most one entry for each day of a year.
pub const MAX_BYTES: usize = 12_000;

/// A time during which a person's clocks stand still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absence {
    /// When it began.
    pub from: Timestamp,
    /// When it ends.
    pub until: Timestamp,
}

impl Absence {
    /// Whether it covers a time.
    pub fn covers(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }

    /// Returns how much of the time between two points in time it covers.
    fn overlap(&self, from: Timestamp, until: Timestamp) -> Duration {
        self.until.min(until).since(self.from.max(from))
    }
}

/// Returns the time away between two points in time. The absences must not overlap.
pub fn time_away<'a>(absences: impl IntoIterator<Item = &'a Absence>, from: Timestamp, until: Timestamp) -> Duration {
    absences.into_iter().map(|absence| absence.overlap(from, until)).sum()
}

/// Returns the time at which a clock runs out if it starts at `start` with this much time. The absences must be in
/// order. An absence that begins after that doesn't revive the clock.
pub fn run_out<'a>(absences: impl IntoIterator<Item = &'a Absence>, start: Timestamp, time: Duration) -> Timestamp {
    let mut end = start + time;
    for absence in absences.into_iter().filter(|absence| absence.until > start) {
        if absence.from >= end {
            break;
        }
        end = end + absence.until.since(absence.from.max(start));
    }
    end
}

/// A person's time away, as `away/583231.json` keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AwayFile {
    /// The numeric user ID.
    pub id: UserId,
    /// The username, for display only.
    pub login: String,
    /// The absences of the last year, in order.
    away: Vec<Absence>,
    /// The last comment that changed the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_change: Option<Change>,
}

/// A comment that changed a file, and when it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    comment: CommentRef,
    at: Timestamp,
}

/// A request with `/away`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwayRequest {
    /// Show the time away.
    Show,
    /// Be away for this long, starting now.
    For(Duration),
    /// Come back.
    Off,
}

impl AwayRequest {
    /// Parses the words of `/away`: none, `off`, or a duration such as `14d` or `2 weeks`. Returns `None` for any other words.
    pub fn parse(words: &[String]) -> Option<AwayRequest> {
        let text = words.concat();
        if text.is_empty() {
            return Some(AwayRequest::Show);
        }
        if Meaning::Off.has(&text) {
            return Some(AwayRequest::Off);
        }
        let text = text.strip_prefix("for").unwrap_or(&text);
        parse_duration(text).filter(|time| *time >= MIN_TIME).map(AwayRequest::For)
    }
}

impl AwayFile {
    /// Creates the file of a person who has never been away.
    pub fn new(person: &Author) -> AwayFile {
        AwayFile { id: person.id, login: person.login.clone(), away: Vec::new(), last_change: None }
    }

    /// Returns the file with these absences, too, unless they overlap with one that it has.
    pub fn with_absences<'a>(mut self, absences: impl IntoIterator<Item = &'a Absence>) -> AwayFile {
        for absence in absences {
            let is_other =
                |known: &Absence| known.from != absence.from && known.overlap(absence.from, absence.until).is_zero();
            if self.away.iter().all(is_other) {
                self.away.push(*absence);
                self.away.sort_by_key(|absence| absence.from);
            }
        }
        self
    }

    /// Parses a person's file.
    ///
    /// # Errors
    /// Returns an error if this program couldn't have written the file for this person.
    pub fn parse(text: &str, id: UserId) -> Result<AwayFile, InvalidFile> {
        if text.len() > MAX_BYTES {
            return Err(format!("it has more than {MAX_BYTES} bytes").into());
        }
        let file: AwayFile =
            serde_json::from_str(text).map_err(|error| InvalidFile::from(json::error_message(&error)))?;
        let is_ordered = file.away.windows(2).all(|pair| pair[0].until <= pair[1].from);
        let is_possible = file.away.iter().all(|absence| absence.from <= absence.until);
        if file.id == id && is_login(&file.login) && is_ordered && is_possible {
            Ok(file)
        } else {
            Err("it isn't a list of times away".into())
        }
    }

    /// Returns the file's text.
    pub fn to_json(&self) -> String {
        json::to_text(self)
    }

    /// Returns the absences, in order.
    pub fn absences(&self) -> &[Absence] {
        &self.away
    }

    /// Returns the end of the absence that covers a time; `None` if the person isn't away then.
    pub fn away_until(&self, at: Timestamp) -> Option<Timestamp> {
        self.away.iter().find(|absence| absence.covers(at)).map(|absence| absence.until)
    }

    /// Returns the number of whole days that the person may be away, starting at a time.
    pub fn days_left(&self, at: Timestamp) -> u32 {
        (0..=MAX_DAYS).rev().find(|days| self.days_used(at, DAY * *days) + days <= MAX_DAYS).unwrap_or_default()
    }

    /// Returns the number of days away before `at`, counting only the year that ends `ahead` after `at`. A short
    /// absence counts as a whole day, so nobody can fill the file.
    fn days_used(&self, at: Timestamp, ahead: Duration) -> u32 {
        let year = at + ahead - YEAR;
        let past = self.away.iter().filter(|absence| absence.from < at && absence.until > year);
        past.map(|absence| {
            let days = absence.overlap(year, at).as_secs().div_ceil(DAY.as_secs());
            u32::try_from(days).unwrap_or(u32::MAX).max(1)
        })
        .fold(0, u32::saturating_add)
    }

    /// Whether the file already includes this comment's change, or a later one.
    pub fn is_past(&self, comment: CommentRef, at: Timestamp) -> bool {
        self.is_from(comment) || self.last_change.is_some_and(|last| last.at > at)
    }

    /// Whether this comment was the last one to change the file.
    pub fn is_from(&self, comment: CommentRef) -> bool {
        self.last_change.is_some_and(|last| last.comment == comment)
    }

    /// Returns the file after a comment that announces or ends an absence. A new absence replaces the rest of the one in progress.
    ///
    /// # Errors
    /// Returns an error if the absence is too long, or if the person wants to come back and isn't away.
    pub fn after(
        &self,
        person: &Author,
        request: AwayRequest,
        comment: CommentRef,
        at: Timestamp,
    ) -> Result<AwayFile, AwayRefusal> {
        let mut away: Vec<Absence> = self.away.iter().filter(|absence| absence.until > at - YEAR).copied().collect();
        let current = away.last_mut().filter(|absence| absence.covers(at));
        match (request, current) {
            (AwayRequest::Show, _) => return Ok(self.clone()),
            (AwayRequest::Off, Some(current)) => current.until = at,
            (AwayRequest::Off, None) => return Err(AwayRefusal::NotAway),
            (AwayRequest::For(time), current) => {
                let left = self.days_left(at);
                if time > DAY * left {
                    return Err(AwayRefusal::TooLong(left));
                }
                match current {
                    // Repeating the request doesn't lengthen the absence.
                    Some(current) if (current.until..current.until + DAY).contains(&(at + time)) => {}
                    Some(current) => current.until = at + time,
                    None => away.push(Absence { from: at, until: at + time }),
                }
            }
        }
        Ok(AwayFile { id: person.id, login: person.login.clone(), away, last_change: Some(Change { comment, at }) })
    }
}

/// The absences of the people at a table that affect its clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absences(Vec<(UserId, Absence)>);

impl Absences {
    /// Adds a person's absences.
    pub fn extend(&mut self, id: UserId, absences: impl IntoIterator<Item = Absence>) {
        self.0.extend(absences.into_iter().map(|absence| (id, absence)));
        self.0.sort_by_key(|(id, absence)| (absence.from, absence.until, *id));
        self.0.dedup();
    }

    /// Returns a person's absences, in order.
    pub fn by_person(&self, id: UserId) -> impl Iterator<Item = &Absence> {
        self.0.iter().filter(move |(person, _)| *person == id).map(|(_, absence)| absence)
    }
}
