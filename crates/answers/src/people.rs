//! People in sentences. The only person at a terminal is addressed as "you".

use game::phrase::{Phrase, Span, by_place, phrase};

use crate::terminal::YOU;

/// Returns words after a person's name, which can differ after "you".
pub(super) fn after_name(login: &str, if_you: impl Into<Phrase>, otherwise: impl Into<Phrase>) -> Phrase {
    // A GitHub user may be called "You", so the other words are only for a terminal.
    if login == YOU { by_place(if_you, otherwise) } else { otherwise.into() }
}

/// Returns a person's side after their name: " (X)". You know your own side.
pub(super) fn side_after(login: &str, side: &str) -> Phrase {
    after_name(login, "", format!(" ({side})"))
}

/// Returns the possessive of a name: "alice's", or "your".
pub(super) fn possessive(login: &str) -> Phrase {
    let theirs = phrase![Span::Person(login.to_owned()), "'s"];
    if login == YOU { by_place("your", theirs) } else { theirs }
}

/// Returns whose turn it is, without a period: "It's alice's turn (X)".
pub(super) fn turn_of(login: &str, side: &str) -> Phrase {
    phrase!["It's ", possessive(login), " turn", side_after(login, side)]
}

/// Returns "Black is reserved for bob", without a period. A terminal has no invitations, so there it's "bob plays Black".
pub(super) fn reserved_for(side: &str, person: Span) -> Phrase {
    let at_terminal = phrase![person.clone(), format!(" plays {side}")];
    by_place(at_terminal, phrase![side.to_owned(), " is reserved for ", person])
}
