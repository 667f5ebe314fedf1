//! Stories with clocks, where people are slow, away or late, and daily runs come late or not at all.

use crate::Millis;
use crate::simulator::generator::{Generator, PEOPLE};
use crate::simulator::story::{Action, Mode, Person, Text};

const HOUR: Millis = 60 * 60_000;

/// Commands that open tables with clocks, with weights.
const CLOCKED_OPENINGS: &[(u64, &str)] = &[
    (4, "/new tic-tac-toe @bob per-move=1d"),
    (4, "/new tic-tac-toe @bob per-move=1d bank=2d"),
    (2, "/new tic-tac-toe boardSize=4 kInRow=4 @bob per-move=4d"),
    (2, "/new tic-tac-toe boardSize=5 kInRow=4 @bob per-move=5d bank=3d"),
    (1, "/new tic-tac-toe per-move=1d"),
    (2, "/new chess @bob per-move=1d bank=1d fen=4k3/8/8/8/8/8/8/K5Q1_b_-_-_0_1"),
    (1, "/new backgammon @bob per-move=2d bank=1d"),
];
/// The hours that pass before someone does something, with weights. 0 is a moment.
const HOURS: &[(u64, u64)] = &[(10, 0), (6, 12), (6, 25), (3, 50), (2, 100), (1, 300)];
const ABSENCES: &[&str] = &["/away 1d", "/away 3d", "/away 14d", "/away 30d", "/away off", "/away", "/away forever"];

impl Generator {
    /// Players take their time at one table.
    pub(super) fn take_time(&mut self) {
        if !self.rng.percent(15) {
            return;
        }
        let table = self.tables[0];
        let opening = *self.rng.choose_weighted(CLOCKED_OPENINGS);
        if let Some(step) = self.steps.first_mut()
            && let Action::OpenIssue { text, .. } = &mut step.action
        {
            *text = Text::literal(opening);
        }
        self.now = self.steps.iter().map(|step| step.at).max().unwrap_or_default();
        for _ in 0..4 + self.rng.below(14) {
            self.act_slowly(table);
        }
    }

    fn act_slowly(&mut self, table: u64) {
        self.pass_time();
        self.now += *self.rng.choose_weighted(HOURS) * HOUR;
        let nth = self.rng.next_u64() >> 40;
        let kinds = if self.mode == Mode::Calm { 20 } else { 24 };
        match self.rng.below(kinds) {
            0..8 => self.say(table, Person::ToMove(table), Text::Move { table, nth, phrase: "{}".to_owned() }),
            8..10 => self.say(table, Person::Waiting(table), Text::literal("/claim")),
            10 if self.mode != Mode::Calm => {
                // A claim and a move in the same second.
                self.say(table, Person::ToMove(table), Text::Move { table, nth, phrase: "{}".to_owned() });
                self.say(table, Person::Waiting(table), Text::literal("/claim"));
            }
            10..13 => {
                let author = Person::named(self.rng.choose(PEOPLE));
                let text = *self.rng.choose::<&str>(ABSENCES);
                self.say(table, author, Text::literal(text));
            }
            13 => {
                let text = Text::literal(self.rng.choose::<&str>(&["/time", "/undo", "/accept"]));
                self.say(table, Person::ToMove(table), text);
            }
            14 => self.say(table, Person::Waiting(table), Text::literal("/undo")),
            20 => {
                // The bot is down, or no event arrives: the daily run announces the move.
                let text = Text::Move { table, nth, phrase: "{}".to_owned() };
                let id = self.add(self.now, Action::Comment { issue: table, author: Person::ToMove(table), text });
                self.comments.push(id);
            }
            21 => {
                let until = self.now + (1 + self.rng.below(100)) * HOUR;
                self.add(self.now, Action::LockIssue { issue: table, locked: true });
                self.add(until, Action::LockIssue { issue: table, locked: false });
            }
            22 => {
                // The runner's clock is wrong for a while.
                let by = *self.rng.choose(&[-30, 25, 26, 50]) * 3_600_000;
                self.add(self.now, Action::ShiftClock { by });
                self.add(self.now + 30 * HOUR, Action::ShiftClock { by: 0 });
            }
            23 if self.rng.percent(40) => {
                // Nobody sees the issue for some days.
                let days = 1 + self.rng.below(6);
                self.add(self.now, Action::HideIssue { issue: table, hidden: true });
                for day in 0..days {
                    let faults = self.faults();
                    let at = self.now + day * 24 * HOUR + 1 + self.rng.below(HOUR);
                    self.add(at, Action::Sweep { faults });
                }
                self.now += days * 24 * HOUR;
                self.add(self.now, Action::HideIssue { issue: table, hidden: false });
            }
            _ => {
                let faults = if self.mode == Mode::Calm { Vec::new() } else { self.faults() };
                self.add(self.now, Action::Sweep { faults });
                // Another daily run may start at once.
                if self.mode != Mode::Calm && self.rng.percent(20) {
                    let at = self.now + self.rng.below(20_000);
                    let faults = self.faults();
                    self.add(at, Action::Sweep { faults });
                }
            }
        }
    }
}
