//! Faults of requests, and what the host does to the repository.

use crate::simulator::generator::Generator;
use crate::simulator::story::{Hit, Mode, Trouble, What};

impl Generator {
    pub(super) fn troubles(&mut self) -> Vec<Hit> {
        let mut hits = Vec::new();
        while self.rng.percent(self.fault_rate) && hits.len() < 4 {
            let nth =
                *self.rng.choose_weighted(&[(6, 0), (6, 1), (6, 2), (5, 3), (3, 4), (3, 5), (2, 6), (2, 8), (1, 12)]);
            hits.push(Hit { nth, trouble: self.trouble() });
        }
        hits
    }

    fn trouble(&mut self) -> Trouble {
        let late = match self.mode {
            Mode::Harsh | Mode::Wrecked => *self.rng.choose(&[500, 15_000, 60_000, 240_000]),
            _ => *self.rng.choose(&[300, 3_000, 15_000]),
        };
        let mut applied = if self.rng.percent(60) { Some(1 + self.rng.below(late)) } else { None };
        match self.rng.below(100) {
            0..25 => {
                let told = *self.rng.choose(&[500, 10_000, 30_000]);
                Trouble::Lost { applied, told: 1 + self.rng.below(told) }
            }
            25..45 => Trouble::Dies { applied: applied.take() },
            45..55 => Trouble::DiesAfter,
            55..65 => Trouble::Later(1_000 * self.rng.below(90)),
            65..69 => Trouble::Host,
            69..78 => Trouble::Slow(self.rng.below(late)),
            78..82 => Trouble::PartFails { part: *self.rng.choose(&[0, 0, 1, 2]), runs_rest: self.rng.percent(50) },
            _ => {
                let most = *self.rng.choose(&[400, 1_500, 3_500]);
                let threads = self.rng.below(most);
                let head = if self.rng.percent(60) { threads } else { self.rng.below(most) };
                Trouble::Stale { threads, head }
            }
        }
    }

    /// Adds what the host and other people with access do to the repository.
    pub(super) fn add_interference(&mut self) {
        let end = self.now.max(1);
        let for_a_while = |generator: &mut Generator, percent: u64, begin: What, back: What| {
            if generator.rng.percent(percent) {
                let from = generator.rng.below(end);
                let to = from + 1 + generator.rng.below(60_000);
                generator.add(from, begin);
                generator.add(to, back);
            }
        };
        let issue = *self.rng.choose(&self.tables.clone());
        for_a_while(self, 8, What::Forbid { on: true }, What::Forbid { on: false });
        if self.mode != Mode::Wrecked {
            for_a_while(self, 6, What::Damage { issue }, What::Repair { issue });
        }
        let by = *self.rng.choose(&[-3_600_000, -5_000, 5_000, 600_000]);
        for_a_while(self, 10, What::Clock { by }, What::Clock { by: 0 });
        for_a_while(self, 6, What::Lock { issue, on: true }, What::Lock { issue, on: false });
        let issue = *self.rng.choose(&self.issues.clone());
        if self.rng.percent(4) {
            let at = self.rng.below(end);
            self.add(at, What::Vanish { issue });
        }
        if self.rng.percent(15) {
            let issue = *self.rng.choose(&self.tables.clone());
            // Late enough that a rematch may have begun long before.
            let at = end + self.rng.below(55_000);
            self.add(at, What::Close { issue });
        }
        if self.rng.percent(5) {
            let (at, who) = (self.rng.below(end), (*self.rng.choose(&["bob", "carol"])).to_owned());
            self.add(at, What::Leave { who });
        }
        if self.mode == Mode::Wrecked {
            for_a_while(self, 60, What::BranchGone, What::BranchBack);
            if self.rng.percent(50) {
                let at = self.rng.below(end);
                let commits = 1 + u32::try_from(self.rng.below(3)).unwrap_or(0);
                self.add(at, What::Rewind { commits });
            }
        }
        for _ in 0..self.rng.below(3) {
            let at = self.rng.below(end + 60_000);
            let troubles = self.troubles();
            self.add(at, What::Sweep { troubles });
        }
    }
}
