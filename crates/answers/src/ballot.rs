//! The comment with which a crowd votes on its move.

use game::{Phrase, say};
use table::timestamp::{format_deadline, format_duration};
use table::{Ballot, Table, Timestamp, total_votes};

use crate::{OutputFormat, announce, board};

/// Returns a ballot: what happened before, the board, the candidates, and how to vote. `now` is when the bot posts it.
pub fn ballot(table: &Table, ballot: &Ballot, now: Timestamp, format: OutputFormat<'_>) -> String {
    let news = table.history().last().filter(|event| event.has_votes()).map(|_| announce::sentence(table));
    let side = table.info().side_name(table.player_to_move());
    let end = table.clone().announced_at(now).votes_end().and_then(format_deadline).unwrap_or_default();
    let candidates = ballot.candidates.iter().map(|candidate| {
        let (emoji, notation) = (candidate.reaction.emoji(), &candidate.notation);
        say!("{emoji} `{notation}`")
    });
    let candidates = Phrase::join(candidates, " · ");
    let rule = table.terms().crowd;
    let time = rule.map(|rule| format_duration(rule.voting_time)).unwrap_or_default();
    let quorum = rule.map(|rule| rule.quorum).filter(|quorum| *quorum > 1);
    let quorum = quorum.map(|quorum| say!(", if at least {quorum} people have voted"));
    let how = say!(
        "**Vote for {side}'s move** for {time}, until {end}. Then the move with the most votes is played{quorum}.\n\nTap one of \
         these emoji at the bottom of this comment:\n\n{candidates}\n\nTo vote for another move, comment with just that move. \
         👀 shows that your vote is in. You have one vote: if you tap several, the first one in this list counts, and a move \
         that you write replaces them."
    );
    let news = news.map_or(String::new(), |news| format!("{}\n\n", format.render(&news)));
    format!("{news}{}\n{}", board::render_board(table, format), format.render(&how))
}

/// Returns the notice that a game waits for a vote.
pub fn waiting(table: &Table) -> Phrase {
    let side = table.info().side_name(table.player_to_move());
    say!(
        "Nobody has voted for {side}'s move for a week, so the game waits. The next vote on the ballot above continues it."
    )
}

/// Returns how a crowd chose its last move, after a space: "with 12 of 20 votes". `None` if a crowd didn't make the last move.
pub(super) fn result(table: &Table) -> Option<String> {
    let event = table.history().last()?;
    let (votes, total) = (event.votes.first()?.votes, total_votes(&event.votes));
    Some(match total {
        1 => " with the only vote".to_owned(),
        total => format!(" with {votes} of {total} votes"),
    })
}
