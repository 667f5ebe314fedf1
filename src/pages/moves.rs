//! A link for every legal move: on the board itself where that is small, else in lists that can be folded.

use crate::game::board::Panel;
use crate::game::board::drawing::escape;
use crate::game::contract::Game;
use crate::pages::links::Links;
use crate::pages::markup::{any_move_link, code, move_link};
use crate::tables::table::Table;

/// The widest board whose cells are links.
const MAX_COLUMNS: usize = 9;
/// The most moves of a list that is not folded.
const MAX_UNFOLDED: usize = 12;

/// A legal move.
struct Choice {
    notation: String,
    /// The cell that it belongs to; `None` for a move without one.
    cell: Option<usize>,
    /// The group that it stands in.
    group: String,
    link: String,
}

/// Returns links for the legal moves, in at most `room` bytes: with a note in each if there is room for that, else without;
/// if that is still too much the rest is counted, and there is a link for any move.
pub(super) fn moves<G: Game>(table: &Table<G>, links: &Links<'_>, room: usize) -> String {
    let panels = table.game().board(table.plies().rev().find_map(|ply| ply.played).map(|(mv, _)| mv)).panels();
    for note in [true, false] {
        let all = layout(&panels, &choices(table, links, &panels, note));
        if all.len() <= room {
            return all;
        }
    }
    let choices = choices(table, links, &panels, false);
    let some = |shown: usize| {
        let left = choices.len() - shown;
        format!(
            "{}\n\n{left} more moves are possible: [write any move]({}) as {} in a new issue.",
            layout(&panels, &choices[..shown]),
            any_move_link(table, links),
            code(&format!("/move MOVE #{}", table.issue)),
        )
    };
    let counts: Vec<usize> = (0..choices.len()).collect();
    let fitting = counts.partition_point(|shown| some(*shown).len() <= room);
    some(fitting.saturating_sub(1))
}

fn choices<G: Game>(table: &Table<G>, links: &Links<'_>, panels: &[Panel], note: bool) -> Vec<Choice> {
    let choice = |mv: &G::Move| {
        let (notation, cell) = (table.game().notation(mv), table.game().cell(mv));
        let row = cell.and_then(|cell| panels.iter().find_map(|panel| panel.row(cell)));
        let row = row.map(|row| format!("Row {row}"));
        let group = table.game().group(mv).or(row).unwrap_or_default();
        let link = move_link(table, links, &notation, note);
        Choice { notation, cell, group, link }
    };
    table.game().legal_moves().iter().map(choice).collect()
}

fn layout(panels: &[Panel], choices: &[Choice]) -> String {
    let (cells, others): (Vec<_>, Vec<_>) = choices.iter().partition(|choice| choice.cell.is_some());
    match panels {
        [panel] if panel.columns <= MAX_COLUMNS && !cells.is_empty() => {
            let board = board(panel, &cells);
            if others.is_empty() { board } else { format!("{board}\n\n{}", list(&others)) }
        }
        [_, _, ..] if others.is_empty() => several(panels, &cells),
        _ => list(&choices.iter().collect::<Vec<_>>()),
    }
}

/// Returns a board whose free cells are links. It is HTML, because a table of Markdown would need a row of headings.
fn board(panel: &Panel, choices: &[&Choice]) -> String {
    let mut board = String::from("<table>\n");
    for row in panel.cells.chunks(panel.columns.max(1)) {
        board.push_str("<tr>");
        for (index, mark) in row {
            let choice = choices.iter().find(|choice| choice.cell == Some(*index));
            let inside = match choice {
                Some(Choice { notation, link, .. }) => format!("<a href=\"{}\">{}</a>", escape(link), escape(notation)),
                None if mark.is_empty() => "&nbsp;".to_owned(),
                None => format!("<b>{}</b>", escape(mark)),
            };
            board.push_str(&format!("<td align=\"center\" width=\"46\">{inside}</td>"));
        }
        board.push_str("</tr>\n");
    }
    board.push_str("</table>");
    board
}

/// Returns those of several boards that can be played in.
fn several(panels: &[Panel], choices: &[&Choice]) -> String {
    let parts = groups(choices).into_iter().filter_map(|(name, group)| {
        let here = |panel: &&Panel| group[0].cell.is_some_and(|cell| panel.row(cell).is_some());
        Some((name, group.len(), board(panels.iter().find(here)?, &group)))
    });
    folded(choices.len(), parts.collect())
}

/// Returns moves as a list: one line a group if they are few, else each group folded.
fn list(choices: &[&Choice]) -> String {
    let line = |group: &[&Choice]| {
        // Spaces that do not break keep a move on one line.
        let label = |notation: &str| code(notation).replace(' ', "\u{a0}");
        let links = group.iter().map(|Choice { notation, link, .. }| format!("[{}]({link})", label(notation)));
        links.collect::<Vec<_>>().join(" · ")
    };
    let groups = groups(choices);
    if choices.len() <= MAX_UNFOLDED {
        let lines = groups.iter().map(|(name, group)| match *name {
            "" => format!("- {}", line(group)),
            name => format!("- {name}: {}", line(group)),
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    folded(choices.len(), groups.into_iter().map(|(name, group)| (name, group.len(), line(&group))).collect())
}

/// Returns groups (their names, numbers of moves and Markdown) one below the other, folded if there are many moves.
fn folded(moves: usize, groups: Vec<(&str, usize, String)>) -> String {
    let fold = moves > MAX_UNFOLDED;
    let parts = groups.into_iter().map(|(name, count, inside)| {
        let name = escape(if name.is_empty() { "All moves" } else { name });
        let count = if count == 1 { "1 move".to_owned() } else { format!("{count} moves") };
        if fold {
            format!("<details><summary>{name}: {count}</summary>\n\n{inside}\n\n</details>")
        } else {
            format!("{name}:\n\n{inside}")
        }
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// Returns the moves by their groups, in the order in which the groups first appear.
fn groups<'a>(choices: &[&'a Choice]) -> Vec<(&'a str, Vec<&'a Choice>)> {
    let mut groups: Vec<(&str, Vec<&Choice>)> = Vec::new();
    for choice in choices {
        match groups.iter_mut().find(|(name, _)| *name == choice.group) {
            Some((_, group)) => group.push(choice),
            None => groups.push((&choice.group, vec![choice])),
        }
    }
    groups
}
