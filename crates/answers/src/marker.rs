//! The hidden first line that identifies the bot's answers and notices.

use game::notation::truncate_bytes;
use table::{CommentRef, IssueNumber, Oid};

/// The maximum size of an answer, in bytes. GitHub allows 65,536 characters per comment.
pub const MAX_ANSWER: usize = 60_000;

const MARKER: &str = "<!-- play-by-commit ";
/// The beginning of a notice's hidden line. [`Marker::parse`] rejects it.
const NOTICE: &str = "<!-- play-by-commit notice ";

/// The hidden first line of an answer. It names the answered comment, the table, and the commit, and says whether there is a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The answered comment.
    pub source: CommentRef,
    /// The issue number of the table.
    pub table: IssueNumber,
    /// The commit with the record that the answer describes; `None` if nothing changed.
    pub commit: Option<Oid>,
    /// Whether the answer shows the board of a game in progress, which a newer one makes outdated.
    pub has_board: bool,
    /// Whether the answer confirms that its author's time away has changed.
    pub sets_away: bool,
}

impl Marker {
    /// Returns the marker as an HTML comment, without a line break.
    pub fn line(&self) -> String {
        let CommentRef { issue, comment } = self.source;
        let commit = self.commit.as_ref().map_or(String::new(), |commit| format!(" commit={commit}"));
        let board = if self.has_board { " board" } else { "" };
        let away = if self.sets_away { " away" } else { "" };
        format!("{MARKER}{issue}/{comment} table={}{commit}{board}{away} -->", self.table)
    }

    /// Parses the first line of a comment; `None` if it isn't a marker.
    ///
    /// Anyone can type a marker, so the caller must check the comment's author.
    pub fn parse(text: &str) -> Option<Marker> {
        let line = text.lines().next()?.trim_end();
        let mut words = line.strip_prefix(MARKER)?.strip_suffix(" -->")?.split(' ').peekable();
        let (issue, comment) = words.next()?.split_once('/')?;
        let source = CommentRef { issue: issue.parse().ok()?, comment: comment.parse().ok()? };
        let table = words.next()?.strip_prefix("table=")?.parse().ok()?;
        let commit = match words.next_if(|word| !matches!(*word, "board" | "away")) {
            None => None,
            Some(word) => Some(Oid::parse(word.strip_prefix("commit=")?)?),
        };
        let has_board = words.next_if_eq(&"board").is_some();
        let sets_away = words.next_if_eq(&"away").is_some();
        if words.next().is_some() {
            return None;
        }
        Some(Marker { source, table, commit, has_board, sets_away })
    }

    /// Returns the whole answer: the marker, then the text, truncated to [`MAX_ANSWER`] bytes.
    pub fn prepend_to(&self, text: &str) -> String {
        format!("{}\n{}\n", self.line(), truncate_bytes(text, MAX_ANSWER))
    }
}

/// The hidden first line of a notice, a comment that no command asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The kind.
    pub kind: NoticeKind,
    /// The issue number of the table.
    pub table: IssueNumber,
    /// The round.
    pub round: u32,
    /// For a flag or a ballot, the index of its event in the history. For a reminder, the number of the turn and of the
    /// times that an opponent gave more time.
    pub event: usize,
    /// The commit with the record that it reports; `None` for a reminder.
    pub commit: Option<Oid>,
    /// The blob of the settings file whose mistakes it lists; `None` for other kinds.
    pub settings: Option<Oid>,
}

/// The kind of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeKind {
    /// A player ran out of time, which ended the game.
    Flag,
    /// A player is running out of time.
    Reminder,
    /// A player has used half of their time.
    HalfTime,
    /// A player without a clock has been silent for a week.
    Silence,
    /// A crowd votes on its move, or its move ended the game.
    Ballot,
    /// Nobody has voted for a week.
    NoVotes,
    /// The settings file has mistakes. The round and the event are 0.
    Settings,
}

impl NoticeKind {
    const ALL: [NoticeKind; 7] = [
        NoticeKind::Flag,
        NoticeKind::Reminder,
        NoticeKind::HalfTime,
        NoticeKind::Silence,
        NoticeKind::Ballot,
        NoticeKind::NoVotes,
        NoticeKind::Settings,
    ];

    fn name(self) -> &'static str {
        match self {
            NoticeKind::Flag => "flag",
            NoticeKind::Reminder => "reminder",
            NoticeKind::HalfTime => "half-time",
            NoticeKind::Silence => "silence",
            NoticeKind::Ballot => "ballot",
            NoticeKind::NoVotes => "no-votes",
            NoticeKind::Settings => "settings",
        }
    }
}

impl Notice {
    /// Returns the marker as an HTML comment, without a line break.
    pub fn line(&self) -> String {
        let Notice { kind, table, round, event, commit, settings } = self;
        let commit = commit.as_ref().map_or(String::new(), |commit| format!(" commit={commit}"));
        let settings = settings.as_ref().map_or(String::new(), |blob| format!(" settings={blob}"));
        format!("{NOTICE}{} {table}/{round}/{event}{commit}{settings} -->", kind.name())
    }

    /// Parses the first line of a comment; `None` if it isn't the marker of a notice.
    ///
    /// Anyone can type a marker, so the caller must check the comment's author.
    pub fn parse(text: &str) -> Option<Notice> {
        let line = text.lines().next()?.trim_end();
        let mut words = line.strip_prefix(NOTICE)?.strip_suffix(" -->")?.split(' ').peekable();
        let name = words.next()?;
        let kind = NoticeKind::ALL.into_iter().find(|kind| kind.name() == name)?;
        let mut place = words.next()?.split('/');
        let (table, round) = (place.next()?.parse().ok()?, place.next()?.parse().ok()?);
        let event = place.next()?.parse().ok()?;
        let mut oid = |name: &str| match words.next_if(|word| word.starts_with(name)) {
            None => Some(None),
            Some(word) => Oid::parse(&word[name.len()..]).map(Some),
        };
        let (commit, settings) = (oid("commit=")?, oid("settings=")?);
        let is_whole = place.next().is_none() && words.next().is_none();
        is_whole.then_some(Notice { kind, table, round, event, commit, settings })
    }

    /// Returns a notice in this issue about the mistakes in a settings file.
    pub fn of_settings(issue: IssueNumber, blob: Oid) -> Notice {
        Notice { kind: NoticeKind::Settings, table: issue, round: 0, event: 0, commit: None, settings: Some(blob) }
    }

    /// Whether another notice is about the same event, or the same settings.
    pub fn is_about_same(&self, other: &Notice) -> bool {
        let subject = |notice: &Notice| (notice.kind, notice.table, notice.round, notice.event);
        subject(self) == subject(other) && self.settings == other.settings
    }

    /// Returns the place where the notice is posted: below the body of the table's issue.
    pub fn place(&self) -> CommentRef {
        CommentRef::body_of(self.table)
    }

    /// Returns the whole notice: the marker, then the text, truncated to [`MAX_ANSWER`] bytes.
    pub fn prepend_to(&self, text: &str) -> String {
        format!("{}\n{}\n", self.line(), truncate_bytes(text, MAX_ANSWER))
    }
}
