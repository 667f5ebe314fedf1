//! Begins events at a table with the key for its dice, and ends games that no comment ends.

use game::Seat;

use crate::{
    CommentContext, CommentId, Event, EventKind, HostPolicy, Key, Pending, RoundContext, Table, TableRefusal,
    Timestamp, UserId, VoteCount,
};

/// The kind of an event, and whether it offers a draw.
pub(super) struct Action {
    /// The kind of the event.
    pub(super) kind: EventKind,
    /// Whether a draw offer comes with the move.
    pub(super) offers_draw: bool,
}

impl From<EventKind> for Action {
    fn from(kind: EventKind) -> Action {
        Action { kind, offers_draw: false }
    }
}

/// Returns the change of a table by one more event. If the comment is in the table's own thread, this also marks the thread
/// as settled up to that comment.
///
/// # Errors
/// Returns an error if a rule of the game or of the table forbids the event.
pub(super) fn begin_event(
    table: Table,
    action: impl Into<Action>,
    seat: Option<Seat>,
    context: &CommentContext,
    policy: &HostPolicy,
) -> Result<Pending, TableRefusal> {
    let Action { mut kind, offers_draw } = action.into();
    let is_own_thread = context.source.issue == table.issue();
    let had_ballot = table.ballot().is_some();
    let key = round_key(&table, context, policy);
    if let EventKind::New { commitment, .. } = &mut kind {
        let is_verifiable = policy.dice_secret.is_some() && table.game().has_dice();
        *commitment = if is_verifiable { key.as_ref().map(Key::commitment) } else { None };
    }
    let time_away = table.state().away_for(&kind, context.updated_at);
    let clock_start = table.state().clock_start_for(&kind, context.updated_at);
    let event = Event {
        kind,
        offers_draw,
        votes: Vec::new(),
        effects: Vec::new(),
        key: None,
        seat,
        author: context.author.id,
        source: context.source,
        timestamp: context.updated_at,
        time_away,
        clock_start,
    };
    let table = table.begin_event(event, &context.author.login)?;
    // Until the votes of a crowd are counted, runs read the written ones again.
    let is_settled = is_own_thread && !(had_ballot && table.ballot().is_some());
    let table = if is_settled { table.with_settled_through(context.settled_through) } else { table };
    Ok(Pending::new(table, key))
}

/// Ends a game without a result, because its issue has disappeared. `at` is the time when the bot
/// noticed. Returns `None` if the game isn't in progress, or if nobody has played since the host imported or moved it.
pub fn end_without_issue(table: &Table, at: Timestamp, policy: &HostPolicy) -> Option<Table> {
    table.source_to_answer().filter(|_| table.is_playing())?;
    append_by_itself(table, EventKind::IssueGone, Vec::new(), at, policy)
}

/// Returns a table after the flag of the player to move has fallen, which ends the game. The event has the time of the
/// deadline, so it's the same in every run. The caller checks that the deadline has passed. Returns `None` if no flag
/// can fall, for example before the player's first move.
pub fn let_flag_fall(table: &Table, policy: &HostPolicy) -> Option<Table> {
    let deadline = table.state().turn_clock().filter(|_| table.is_playing())?.deadline();
    append_by_itself(table, EventKind::Flag, Vec::new(), deadline, policy)
}

/// Returns a table after a crowd's move: the one with the most votes, which come first. Returns `None` if there are too few votes, or
/// if it isn't time to count them.
pub fn play_voted_move(table: &Table, votes: Vec<VoteCount>, at: Timestamp, policy: &HostPolicy) -> Option<Table> {
    let game = table.game();
    let notation = votes.first()?.notation.clone();
    let mv = game.legal_moves().into_iter().find(|mv| game.notation(mv) == notation)?;
    append_by_itself(table, EventKind::Move { notation, mv }, votes, at, policy)
}

/// Returns a table after an event that no comment caused; `None` if it can't happen.
fn append_by_itself(
    table: &Table,
    kind: EventKind,
    votes: Vec<VoteCount>,
    at: Timestamp,
    policy: &HostPolicy,
) -> Option<Table> {
    let last = table.history().last()?;
    let at = at.max(last.timestamp);
    let event = Event {
        time_away: table.state().away_for(&kind, at),
        clock_start: table.state().clock_start_for(&kind, at),
        kind,
        offers_draw: false,
        effects: Vec::new(),
        key: None,
        seat: (!votes.is_empty()).then(|| table.player_to_move()),
        votes,
        author: UserId::default(),
        source: last.source,
        timestamp: at,
    };
    let key = committed_key(table, policy);
    table.clone().append(event, "", key.as_ref()).ok()
}

/// Returns the key for the dice. A round with a commitment has its own key, and so has a new round of a host with a
/// secret. All other events get a fresh key. Returns `None` if the secret from the start of the round is gone.
fn round_key(table: &Table, context: &CommentContext, policy: &HostPolicy) -> Option<Key> {
    let opening = table.history().first();
    if opening.is_some() && table.state().dice().commitment().is_none()
        || opening.is_none() && policy.dice_secret.is_none()
    {
        return Some(Key::from_entropy(context.entropy));
    }
    let begins = (context.author.id, context.source.comment, context.updated_at);
    derive_key(table, opening.map_or(begins, |event| (event.author, event.source.comment, event.timestamp)), policy)
}

/// Returns the key of a round that has a commitment to it; `None` without one, or if the secret is gone.
fn committed_key(table: &Table, policy: &HostPolicy) -> Option<Key> {
    table.state().dice().commitment()?;
    let opening = table.history().first()?;
    derive_key(table, (opening.author, opening.source.comment, opening.timestamp), policy)
}

/// Returns the key of the round that this person began with this comment, at this time; `None` if the host has no secret.
fn derive_key(
    table: &Table,
    (author, comment, time): (UserId, CommentId, Timestamp),
    policy: &HostPolicy,
) -> Option<Key> {
    let round_context = RoundContext { issue: table.first_issue(), round: table.round(), author, comment, time };
    policy.dice_secret.as_ref().map(|secret| Key::derive(secret, &round_context))
}
