//! Checks notices and time away against the records: the bot announces each fallen flag once, and a person's games agree with
//! their file.

use std::collections::BTreeSet;

use answers::{Notice, NoticeKind};
use table::{Absence, AwayFile, GameSummary, IssueNumber};

use crate::simulator::checks::tables;
use crate::simulator::core::Violate;
use crate::simulator::table_history::Files;
use crate::simulator::{Core, Mode, Story, table_history};

/// Checks the comments that are left at the end.
pub(crate) fn check(story: &Story, core: &Core, violate: &mut Violate<'_>) {
    let Some(files) = core.state.head_files() else { return };
    for (number, issue) in &core.state.issues {
        let notices = issue.comments.iter().filter(|note| note.author.as_ref() == Some(&core.state.bot));
        let notices: Vec<Notice> = notices.filter_map(|note| Notice::parse(&note.text)).collect();
        let mut seen = BTreeSet::new();
        for notice in &notices {
            let is_new = seen.insert((notice.kind, notice.round, notice.event));
            // Runs may no longer see a second reminder after later events.
            if !is_new
                && matches!(notice.kind, NoticeKind::Flag | NoticeKind::Ballot)
                && story.mode != Mode::Harsh
                && story.mode != Mode::Wrecked
            {
                violate("two notices", format!("issue {number} has {} twice", notice.line()));
            }
        }
        let table = table_history::find(files, *number);
        let news = table.and_then(|table| match (table.fallen_flag(), table.ballot_place()) {
            (Some((round, event)), _) => Some((NoticeKind::Flag, round, event)),
            (None, Some((round, event))) => Some((NoticeKind::Ballot, round, event)),
            (None, None) => None,
        });
        let Some(news) = news else { continue };
        let can_be_announced = !issue.locked
            && !core.state.is_full(*number)
            && !story.setting.switches_account
            && story.mode != Mode::Wrecked;
        if can_be_announced && !seen.contains(&news) {
            violate("no notice", format!("issue {number} lacks its notice {news:?}"));
        }
    }
    for (path, table) in tables(core) {
        let (false, Ok(table)) = (path.contains("/archive/"), table) else { continue };
        let terms = table.terms();
        let bank_is_full =
            game::Seat::BOTH.into_iter().all(|seat| table.state().bank(seat) <= terms.bank.unwrap_or_default());
        if !bank_is_full {
            violate("bank", format!("{path} has more in a bank than it began with"));
        }
        if table.is_playing() && table.has_clock() && story.mode != Mode::Wrecked {
            time_away(files, table.issue().get(), violate);
        }
    }
}

/// Checks that the summary of a game with a clock has the same time away as its players' own files.
fn time_away(files: &Files, number: u64, violate: &mut Violate<'_>) {
    let text = files.get(&format!("state/running/{number}.json"));
    let game = text.and_then(|text| GameSummary::parse(text, IssueNumber::new(number)).ok());
    let Some(game) = game else { return };
    for player in game.players.iter().flatten().flatten() {
        let Some(id) = player.id else { continue };
        let file = files.get(&format!("state/away/{id}.json")).and_then(|text| AwayFile::parse(text, id).ok());
        let away = file.map_or(Vec::new(), |file| file.absences().to_vec());
        let away: Vec<Absence> = away.into_iter().filter(|absence| absence.until > game.since).collect();
        if player.away != away {
            let shown = &player.away;
            violate("away", format!("{} is away {away:?}, but game {number} has {shown:?}", player.name));
        }
    }
}
