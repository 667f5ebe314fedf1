//! Faults of requests, and what the host does to the repository.

use crate::simulator::generator::Generator;
use crate::simulator::story::{Action, InjectedFault, Mode, TimedFault};

impl Generator {
    pub(super) fn faults(&mut self) -> Vec<InjectedFault> {
        let mut faults = Vec::new();
        while self.rng.percent(self.fault_rate) && faults.len() < 4 {
            let nth =
                *self.rng.choose_weighted(&[(6, 0), (6, 1), (6, 2), (5, 3), (3, 4), (3, 5), (2, 6), (2, 8), (1, 12)]);
            faults.push(InjectedFault { request: nth, fault: self.fault() });
        }
        faults
    }

    fn fault(&mut self) -> TimedFault {
        let late = match self.mode {
            Mode::Harsh | Mode::Wrecked => *self.rng.choose(&[500, 15_000, 60_000, 240_000]),
            _ => *self.rng.choose(&[300, 3_000, 15_000]),
        };
        let mut applied = if self.rng.percent(60) { Some(1 + self.rng.below(late)) } else { None };
        match self.rng.below(100) {
            0..25 => {
                let reported_after = *self.rng.choose(&[500, 10_000, 30_000]);
                TimedFault::Lost { applied, reported_after: 1 + self.rng.below(reported_after) }
            }
            25..45 => TimedFault::Killed { applied: applied.take() },
            45..55 => TimedFault::KilledAfterwards,
            55..65 => TimedFault::RetryAfter(1_000 * self.rng.below(90)),
            65..69 => TimedFault::Fatal,
            69..78 => TimedFault::Slow(self.rng.below(late)),
            82..84 => TimedFault::Partial,
            78..82 => TimedFault::PartFails { part: *self.rng.choose(&[0, 0, 1, 2]), runs_rest: self.rng.percent(50) },
            _ => {
                let most = *self.rng.choose(&[400, 1_500, 3_500]);
                let threads = self.rng.below(most);
                let head = if self.rng.percent(60) { threads } else { self.rng.below(most) };
                TimedFault::Stale { threads, head }
            }
        }
    }

    /// Adds what the host and other people with access do to the repository.
    pub(super) fn add_interference(&mut self) {
        let end = self.now.max(1);
        let for_a_while = |generator: &mut Generator, percent: u64, begin: Action, back: Action| {
            if generator.rng.percent(percent) {
                let from = generator.rng.below(end);
                let to = from + 1 + generator.rng.below(60_000);
                generator.add(from, begin);
                generator.add(to, back);
            }
        };
        let issue = *self.rng.choose(&self.tables.clone());
        for_a_while(self, 8, Action::ChangePermissions { revoked: true }, Action::ChangePermissions { revoked: false });
        if self.mode != Mode::Wrecked {
            for_a_while(self, 6, Action::DamageRecord { issue }, Action::RestoreRecord { issue });
        }
        let by = *self.rng.choose(&[-90_000_000, -3_600_000, -5_000, 5_000, 600_000, 200_000_000]);
        for_a_while(self, 10, Action::ShiftClock { by }, Action::ShiftClock { by: 0 });
        for_a_while(self, 6, Action::LockIssue { issue, locked: true }, Action::LockIssue { issue, locked: false });
        for_a_while(self, 4, Action::LimitInteractions { limited: true }, Action::LimitInteractions { limited: false });
        let issue = *self.rng.choose(&self.issues.clone());
        if self.rng.percent(4) {
            let at = self.rng.below(end);
            self.add(at, Action::DeleteIssue { issue });
        }
        if self.rng.percent(15) {
            let issue = *self.rng.choose(&self.tables.clone());
            // Late enough that a rematch may have begun long before.
            let at = end + self.rng.below(55_000);
            self.add(at, Action::CloseIssue { issue });
        }
        if self.rng.percent(5) {
            let (at, login) = (self.rng.below(end), (*self.rng.choose(&["bob", "carol"])).to_owned());
            self.add(at, Action::DeleteAccount { login });
        }
        if self.mode == Mode::Wrecked {
            for_a_while(self, 60, Action::DeleteBranch, Action::RestoreBranch);
            if self.rng.percent(50) {
                let at = self.rng.below(end);
                let commits = 1 + u32::try_from(self.rng.below(3)).unwrap_or(0);
                self.add(at, Action::RemoveCommits { commits });
            }
        }
        for _ in 0..self.rng.below(3) {
            let at = self.rng.below(end + 60_000);
            let faults = self.faults();
            self.add(at, Action::Sweep { faults });
        }
    }
}
