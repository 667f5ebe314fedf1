//! The list of a game's moves, numbered the way its players number them. Each move links to the board after it.

use answers::{MoveNumber, sentences};
use games::backgammon::Backgammon;
use maud::{Markup, PreEscaped, html};
use table::timestamp::format_to_minute;
use table::{MadeBy, Player, Ply, Table, Timestamp, VoteCount};

use game::Seat;

use crate::Evaluation;
use crate::evaluation::EvaluatedPly;
use crate::page::count;

/// The maximum size of a list of moves, in bytes, so that a page stays below 60 KB. Longer games list their last moves.
const MAX_BYTES: usize = 44_000;

/// Returns the list of moves, with the mistakes that the analysis found.
pub fn move_list(table: &Table, evaluation: Option<&Evaluation>) -> Markup {
    let is_open = table.terms().open.is_some();
    // Each move of a crowd has a line of its own, with the person who made it.
    let is_paired = table.timeline().start_position().first_move_number().is_some() && !is_open;
    // With rolls, or with the people who moved at an open table, entries are too long for a grid.
    let layout = if is_paired {
        "pairs"
    } else if table.game().has_dice() || is_open {
        "lines"
    } else {
        "grid"
    };
    let mut last_note = String::new();
    let mut last_at = table.history().first().map(|event| event.timestamp);
    let mut last_game = None;
    let mut lines: Vec<String> = Vec::new();
    for (index, ply) in table.plies().enumerate() {
        let number = MoveNumber::of_ply(table, index + 1);
        let note = note(table, &ply);
        let evaluated = evaluation.and_then(|evaluation| evaluation.plies.get(index));
        let time = last_at.and_then(|last| time_taken(&ply, last));
        let link = html! {
            span {
                (move_link(&ply, index + 1, if note == last_note { None } else { Some(&note) }, evaluated))
                @if is_open { small.who { (mover(table, &ply)) } " " }
                @if let Some(time) = time { small { (time) } }
            }
        };
        (last_note, last_at) = (note, Some(ply.event.timestamp));
        let game = match_game(&ply);
        if game.is_some() && game != last_game {
            lines.extend(game.as_ref().map(|game| html! { li.heading { (game) } }.into_string()));
        }
        last_game = game;
        let automatic = ply.after.automatic_turns();
        match lines.last_mut() {
            Some(line) if is_paired && number.is_second => line.push_str(&link.into_string()),
            _ => lines.push(start_line(table, &ply, number, &link).into_string()),
        }
        for (later, (seat, turn)) in automatic.into_iter().enumerate() {
            let number = automatic_number(index + 1, later);
            let line = html! {
                li { b { (number) "." } i { (table.info().side_name(seat)) " " } a href={ "#p" (number) } id={ "p" (number) } { (turn) } " " }
            };
            lines.push(line.into_string());
        }
    }
    let mut bytes = 0;
    let kept = lines.iter().rev().take_while(|line| {
        bytes += line.len();
        bytes <= MAX_BYTES
    });
    let omitted = lines.len() - kept.count();
    html! {
        @if omitted > 0 { p { "The list leaves out the beginning. The board and the files below have all moves." } }
        ol class={ "moves " (layout) } tabindex="0" { @for line in &lines[omitted..] { (PreEscaped(line)) } }
    }
}

/// The steps of a game: its plies, and the automatic turns between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The step of each ply.
    pub of_plies: Vec<usize>,
    /// The number of all steps.
    pub count: usize,
}

impl Steps {
    /// Counts the steps of a game.
    pub fn of_game(table: &Table) -> Steps {
        let mut steps = Steps { of_plies: Vec::new(), count: 0 };
        for ply in table.plies() {
            steps.of_plies.push(steps.count + 1);
            steps.count += 1 + ply.after.automatic_turns().len();
        }
        steps
    }

    /// Returns the step just before each ply.
    pub fn before_plies(&self) -> impl Iterator<Item = usize> {
        self.of_plies.iter().map(|step| step - 1)
    }

    /// Returns the first side's winning chances at each step, start first, in thousandths.
    pub fn chances(&self, evaluation: &Evaluation) -> Vec<u16> {
        let after_plies = evaluation.chances().into_iter().skip(1);
        let lengths = self.of_plies.iter().skip(1).copied().chain([self.count + 1]).zip(&self.of_plies);
        let lengths = lengths.map(|(next, own)| next - own);
        let start = evaluation.plies.first().map_or(evaluation.end, |ply| ply.chance);
        let later = after_plies.zip(lengths).flat_map(|(chance, length)| std::iter::repeat_n(chance, length));
        [start].into_iter().chain(later).collect()
    }
}

/// Returns the name of the step before a ply, as links write it: `p12`, or `p12b` if an automatic turn came in between.
pub(crate) fn step_name_before(table: &Table, ply: usize) -> String {
    let earlier = ply.saturating_sub(1);
    let played = earlier.checked_sub(1).and_then(|index| table.timeline().ply_at(index));
    let automatic: usize = played.map_or(0, |ply| ply.after.automatic_turns().len());
    match automatic.checked_sub(1) {
        Some(last) => format!("p{}", automatic_number(earlier, last)),
        None => format!("p{earlier}"),
    }
}

/// Returns the number of an automatic turn: `13b` for the second one after ply 13.
fn automatic_number(number: usize, index: usize) -> String {
    // There are never more than a few in a row.
    let letter = ('a'..='z').nth(index.min(25)).unwrap_or('z');
    format!("{number}{letter}")
}

/// Returns a ply with its number, without a link: `13... Rh3#`.
pub fn numbered_ply(table: &Table, ply: usize) -> String {
    sentences::numbered_ply(table, ply).unwrap_or_default()
}

/// Returns the beginning of a list item: the number, the side if it isn't clear, and the move.
fn start_line(table: &Table, ply: &Ply<'_>, number: MoveNumber, link: &Markup) -> Markup {
    // The end tag is left out, because another move may follow. HTML doesn't need it.
    html! {
        (PreEscaped("<li>"))
        b { (number) }
        @if table.game().has_dice() { i { (table.info().side_name(ply.seat)) " " } }
        (link)
    }
}

/// Returns a ply as a link to the board after it.
fn move_link(ply: &Ply<'_>, index: usize, note: Option<&String>, evaluated: Option<&EvaluatedPly>) -> Markup {
    let better = evaluated.and_then(|evaluated| evaluated.better.as_ref());
    let glyph = evaluated.map_or("", EvaluatedPly::glyph);
    html! {
        a href={ "#p" (index) } id={ "p" (index) } title=[note] data-better=[better] {
            (ply.move_list_entry())
            @if !glyph.is_empty() { span.bad { (glyph) } }
        }
        " "
    }
}

/// Returns the heading of a game within a match: `Game 2: White 1, Black 0`. `None` outside of a match.
fn match_game(ply: &Ply<'_>) -> Option<String> {
    let game = ply.before.downcast::<Backgammon>()?;
    let [white, black] = [Seat::First, Seat::Second].map(|seat| game.score[seat.index()]);
    game.config.length.map(|_| format!("Game {}: White {white}, Black {black}", game.game_number))
}

/// Returns how long a player thought, in the largest unit that fits: `5 h`. `None` for replies, and for less than a second.
fn time_taken(ply: &Ply<'_>, last: Timestamp) -> Option<String> {
    let seconds = ply.event.timestamp.since(last).as_secs();
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let (size, unit) = units.into_iter().find(|(size, _)| seconds >= *size)?;
    Some(format!("{} {unit}", seconds / size))
}

/// Returns who made a ply and when. Imported games have only a date, so it is left out.
fn note(table: &Table, ply: &Ply<'_>) -> String {
    let opened_at = table.history().first().map(|event| event.timestamp);
    let has_time = table.imported().is_none() || opened_at != Some(ply.event.timestamp);
    let time = if has_time { format_to_minute(ply.event.timestamp) } else { None };
    let mover = mover(table, ply);
    let mover = if ply.made_by == MadeBy::Force { format!("{mover}, only legal move") } else { mover.to_owned() };
    let votes = if ply.made_by == MadeBy::Player { vote_counts(&ply.event.votes) } else { None };
    let time = time.map(|time| format!("{time} UTC"));
    [Some(mover), votes, time].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the votes for a crowd's moves: `e4 12 votes, d4 8`. `None` for any other move.
fn vote_counts(votes: &[VoteCount]) -> Option<String> {
    let (first, rest) = votes.split_first()?;
    let rest = rest.iter().map(|count| format!(", {} {}", count.notation, count.votes)).collect::<String>();
    Some(format!("{} {}{rest}", first.notation, count(first.votes as usize, "vote")))
}

/// Returns the name of the person who made a ply, or `computer`.
fn mover<'a>(table: &'a Table, ply: &Ply<'a>) -> &'a str {
    match table.player(ply.seat) {
        _ if ply.made_by == MadeBy::Computer => "computer",
        Some(Player::Person(person)) => &person.login,
        Some(Player::Crowd) => "crowd",
        _ => table.login_of(ply.event.author).unwrap_or_default(),
    }
}
