//! Reports to the host about records that a run can't use.

use table::ids::IssueNumber;
use table::talk::comment::Source;

use crate::plan::unreachable_floor;
use crate::run::Run;
use crate::view::{RecordFault, View};

impl Run<'_> {
    /// Reports a record whose floor is above every comment of its thread.
    pub(super) fn warn_unreachable_floor(&mut self, view: &View) {
        let Some(source) = self.reader.trigger_comment() else { return };
        let Some(floor) = unreachable_floor(view, source) else { return };
        self.ledger.record_failure(format!(
            "{}: `through` is {floor}, beyond every comment of issue {}, so the bot ignores comment {} and \
             all others before {floor}. Set it to the highest `comment` of that issue in its `history`",
            self.config.record_path(source.issue),
            source.issue,
            source.comment
        ));
    }

    /// Reports a record that can't be used, and the command that was refused because of it.
    pub(super) fn report_record_fault(&mut self, table: IssueNumber, source: Source, fault: &RecordFault) {
        let message = match fault {
            RecordFault::Damaged(why) => self.config.damaged_record_message(table, why),
            RecordFault::Missing(commit) => self.config.missing_record_message(table, commit),
        };
        self.ledger
            .record_failure(format!("{message}. The bot refused a command in issue {} because of that", source.issue));
    }
}
