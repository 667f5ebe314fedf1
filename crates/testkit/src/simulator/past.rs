//! The tables as they were at every moment, from the commits alone.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use table::any_table::AnyTable;
use table::decisions::decide::decide;
use table::decisions::decision::Decision;
use table::decisions::host_policy::HostPolicy;
use table::talk::command;
use table::talk::command::ParsedComment;
use table::talk::comment::{Author, Millis, Source};
use table::talk::context::{CommentContext, Entropy};

use crate::simulator::core::{Core, Spoken, Version};
use crate::simulator::known::{self, Known};

/// A table from one commit that changed it to the next.
pub struct Stage {
    pub from: Millis,
    /// When the next one began.
    pub to: Millis,
    /// Nothing: there was no record.
    pub table: Option<Rc<Known>>,
    pub text: Option<String>,
    /// The command that led to it; nothing where somebody has only put a damaged record right again.
    pub source: Option<Source>,
}

/// Every table, stage by stage.
#[derive(Default)]
pub struct Past {
    pub tables: BTreeMap<u64, Vec<Stage>>,
}

impl Past {
    /// Reads the past of the state branch; a record that does not replay is a stage without a table.
    pub fn of(core: &Core) -> Past {
        let mut past = Past::default();
        let issues: BTreeSet<u64> = core.ledger.spoken.keys().map(|source| source.issue).collect();
        for &issue in &issues {
            past.tables.insert(issue, Vec::new());
        }
        for (at, head) in &core.ledger.heads {
            let files = head.as_ref().map(|head| &core.state.commits[head].files);
            for &issue in &issues {
                let text = files.and_then(|files| files.get(&format!("state/{issue}.json")));
                let stages = past.tables.get_mut(&issue).expect("it was put there");
                if stages.last().is_some_and(|stage| stage.text.as_ref() == text) {
                    continue;
                }
                if let Some(last) = stages.last_mut() {
                    last.to = *at;
                }
                let table = text.and_then(|text| known::load(text, issue).ok());
                let source = table.as_ref().and_then(|table| table.last_source());
                let source = source.filter(|source| stages.iter().all(|stage| stage.source != Some(*source)));
                stages.push(Stage { from: *at, to: Millis::MAX, table, text: text.cloned(), source });
            }
        }
        past
    }

    /// Whether there is a record of this table at any time between two.
    pub fn is_table(&self, issue: u64, from: Millis, to: Millis) -> [bool; 2] {
        let mut seen = [self.stages(issue).first().is_none_or(|first| first.from > from), false];
        for stage in self.stages(issue).iter().filter(|stage| stage.to > from && stage.from <= to) {
            seen[usize::from(stage.text.is_some())] = true;
        }
        seen
    }

    pub fn stages(&self, issue: u64) -> &[Stage] {
        self.tables.get(&issue).map_or(&[], Vec::as_slice)
    }
}

/// A version of a comment as the bot hears it; nothing where it is deleted, or chat by its looks alone.
pub fn hear(
    core: &Core,
    source: Source,
    spoken: &Spoken,
    version: &Version,
    luck: Entropy,
    settles_through: u64,
) -> Option<CommentContext> {
    let text = version.text.as_ref()?;
    // What somebody writes into a comment late is none of the bot's business.
    if version.time - spoken.versions[0].time > 5 * 60_000 {
        return None;
    }
    let reading = if source.comment == 0 { command::parse_issue_body(text) } else { command::parse_comment(text) };
    if reading == ParsedComment::Chat {
        return None;
    }
    let person = core.state.people.get(&spoken.login)?;
    let opener = core.ledger.spoken.get(&Source { issue: source.issue, comment: 0 });
    Some(CommentContext {
        parsed: reading,
        author: Author { id: person.id, login: person.login.clone(), is_bot: person.bot },
        by_maintainer: person.maintainer,
        by_issue_author: opener.is_some_and(|opener| opener.login == spoken.login),
        source,
        // For the caller to say, who knows when it is decided.
        issue_has_table: false,
        attempted_new: false,
        updated_at: version.time,
        settles_through,
        entropy: luck,
    })
}

impl Stage {
    pub fn table(&self) -> Option<&AnyTable> {
        self.table.as_deref().map(|known| &**known)
    }

    /// Somebody has damaged the record: nothing is decided before it is put right.
    pub fn is_damaged(&self) -> bool {
        self.table.is_none() && self.text.is_some()
    }
}

/// What the pure function makes of a version of a comment at the table that it is meant for.
pub fn judge(said: &CommentContext, table: Option<&AnyTable>, house: &HostPolicy) -> Decision {
    decide(table, target(said), said, house)
}

/// The table that a comment is meant for.
pub fn target(said: &CommentContext) -> u64 {
    said.parsed.table_number().unwrap_or(said.source.issue)
}
