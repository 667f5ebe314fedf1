//! Faults of requests, and what the host does to the repository.

use crate::Millis;
use crate::simulator::generator::{Generator, PEOPLE};
use crate::simulator::{Action, InjectedFault, Mode, Person, Step, Text, TimedFault};
use table::VoteReaction;

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

// Stories with clocks, where people are slow, away or late, and daily runs come late or not at all.

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

    /// Players give each other time at a table with a clock.
    pub(super) fn give_time(&mut self) {
        let is_clocked = |step: &Step| match &step.action {
            Action::OpenIssue { text: Text::Literal(text), .. } => text.contains("per-move"),
            _ => false,
        };
        if !self.steps.first().is_some_and(is_clocked) || self.rng.percent(40) {
            return;
        }
        let (table, end) = (self.tables[0], self.steps.iter().map(|step| step.at).max().unwrap_or_default());
        for _ in 0..1 + self.rng.below(5) {
            // In a calm story people don't talk at once.
            self.now = if self.mode == Mode::Calm { self.now.max(end) } else { self.rng.below(end.max(1)) };
            self.pass_time();
            let author = if self.rng.percent(80) { Person::Waiting(table) } else { Person::ToMove(table) };
            let text = *self.rng.choose::<&str>(&["/extend 1d", "/extend 1d", "/extend 3d", "/extend 25d", "/extend"]);
            self.say(table, author, Text::literal(text));
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
                self.sweep(20);
            }
        }
    }

    /// Starts a daily run. With this probability in percent, another one starts within seconds.
    fn sweep(&mut self, second: u64) {
        let faults = if self.mode == Mode::Calm { Vec::new() } else { self.faults() };
        self.add(self.now, Action::Sweep { faults });
        if self.mode != Mode::Calm && self.rng.percent(second) {
            let at = self.now + self.rng.below(20_000);
            let faults = self.faults();
            self.add(at, Action::Sweep { faults });
        }
    }
}

// Stories with a crowd that votes.

/// Commands that open tables with a crowd.
const CROWD_OPENINGS: &[&str] = &[
    "/new tic-tac-toe computer level=1 crowd votes=1h",
    "/new tic-tac-toe computer level=auto crowd votes=2h quorum=2",
    "/new tic-tac-toe @bob crowd votes=1h",
    "/new tic-tac-toe crowd votes=1h quorum=2",
    "/new connect-four @bob crowd as=yellow votes=1h",
];
/// People who vote. Alice may also be the bot, and bob the crowd's opponent.
const VOTERS: &[&str] = &["alice", "bob", "carol", "dave", "erin", "fred"];

impl Generator {
    /// A crowd plays at the first table.
    pub(super) fn vote(&mut self) {
        let is_chosen = self.rng.percent(12);
        let opening = *self.rng.choose(CROWD_OPENINGS);
        let (Some(step), true) = (self.steps.first_mut(), is_chosen) else { return };
        let Action::OpenIssue { text, .. } = &mut step.action else { return };
        *text = Text::literal(opening);
        let table = self.tables[0];
        self.now = self.steps.iter().map(|step| step.at).max().unwrap_or_default();
        for _ in 0..3 + self.rng.below(6) {
            for _ in 0..self.rng.below(6) {
                self.pass_time();
                self.act_in_crowd(table);
            }
            self.now += *self.rng.choose_weighted(&[(8, 1), (3, 0), (2, 24), (1, 200)]) * HOUR;
            self.sweep(25);
            self.pass_time();
        }
    }

    fn act_in_crowd(&mut self, table: u64) {
        let voter = *self.rng.choose(VOTERS);
        let nth = self.rng.next_u64() >> 40;
        let written = |phrase: &str| Text::Move { table, nth, phrase: phrase.to_owned() };
        match self.rng.below(20) {
            0..10 => {
                let count = self.rng.below(3) as usize;
                let reactions = VoteReaction::ALL.into_iter().cycle().skip(self.rng.below(6) as usize);
                let reactions = reactions.step_by(1 + self.rng.below(3) as usize).take(count).collect();
                self.add(self.now, Action::Vote { issue: table, login: voter.to_owned(), reactions });
            }
            10..15 => self.say(table, Person::named(voter), written("{}")),
            15 => self.say(table, Person::named(voter), written("/move {}")),
            16 => self.say(table, Person::named("bob"), written("{}")),
            17 if self.mode != Mode::Calm => _ = self.add(self.now, Action::DeleteBallot { issue: table }),
            18 => {
                let text =
                    *self.rng.choose::<&str>(&["/board", "/draw", "/undo", "/join", "z9", "nice move!", "/rematch"]);
                self.say(table, Person::named(voter), Text::literal(text));
            }
            _ => self.say(table, Person::named("bob"), Text::literal("/join")),
        }
    }
}

// Stories in which players announce conditional moves.

impl Generator {
    /// The player who waits announces moves, and the other one often plays along.
    pub(super) fn announce(&mut self) {
        if self.rng.percent(30) {
            let table = *self.rng.choose(&self.tables.clone());
            let end = self.steps.iter().map(|step| step.at).max().unwrap_or_default();
            // In a calm story people don't talk at once.
            self.now = if self.mode == Mode::Calm { end } else { self.rng.below(end.max(1)) };
            for _ in 0..3 + self.rng.below(12) {
                self.pass_time();
                let nth = self.rng.next_u64() >> 40;
                let along = |phrase: &str| Text::AlongLine { table, nth, phrase: phrase.to_owned() };
                let (author, text) = match self.rng.below(20) {
                    0..9 => (Person::Waiting(table), Text::Line { table, nth, moves: 2 + 2 * self.rng.below(3) }),
                    9 => (Person::ToMove(table), Text::Line { table, nth, moves: 1 + self.rng.below(4) }),
                    10..15 => (Person::ToMove(table), along("{}")),
                    15 => (Person::ToMove(table), along("{}, draw?")),
                    16 => (Person::ToMove(table), along("{}\n\nif b2 then a1")),
                    17 => (
                        Person::Waiting(table),
                        Text::literal(self.rng.choose::<&str>(&["/if none", "/undo", "/draw"])),
                    ),
                    18 => (
                        Person::ToMove(table),
                        Text::literal(self.rng.choose::<&str>(&["/accept", "/decline", "/undo"])),
                    ),
                    _ => (Person::named(self.rng.choose(PEOPLE)), Text::literal("/if")),
                };
                let announces = matches!(text, Text::Line { .. }) && author == Person::Waiting(table);
                self.say(table, author, text);
                if announces && self.rng.percent(60) {
                    self.pass_time();
                    self.say(table, Person::ToMove(table), along("{}"));
                }
            }
        }
        // Someone fills the record with lines.
        if self.rng.percent(3) {
            let table = *self.rng.choose(&self.tables.clone());
            for _ in 0..30 {
                self.pass_time();
                let nth = self.rng.next_u64() >> 40;
                self.say(table, Person::Waiting(table), Text::Line { table, nth, moves: 8 });
            }
        }
    }
}

// Stories in which servers play.

impl Generator {
    /// Servers are killed, often in the middle of something, and some limits last longer than a run waits.
    pub(super) fn restart_servers(&mut self) {
        for at in 0..self.steps.len() {
            for nth in 0..self.steps[at].action.faults().len() {
                let (is_long, more) = (self.rng.percent(40), 150_000 + self.rng.below(300_000));
                let fault = self.steps[at].action.faults_mut().and_then(|faults| faults.get_mut(nth));
                if let Some(InjectedFault { fault: TimedFault::RetryAfter(time), .. }) = fault.filter(|_| is_long) {
                    *time += more;
                }
            }
        }
        let times: Vec<Millis> = self.steps.iter().map(|step| step.at).collect();
        for _ in 0..*self.rng.choose_weighted(&[(3, 0), (4, 1), (3, 3), (1, 8)]) {
            let soon = *self.rng.choose(&[100, 3_000, 10_000]);
            let at = *self.rng.choose(&times) + self.rng.below(soon);
            let server = u32::from(self.rng.percent(50));
            let longest = *self.rng.choose_weighted(&[(6, 5_000), (4, 60_000), (1, 900_000)]);
            let down = 200 + self.rng.below(longest);
            let faults = self.faults();
            self.add(at, Action::RestartServer { server, down, faults });
        }
    }
}
