//! Generates a story from a seed.

use table::talk::comment::Millis;

use crate::simulator::chance::Chance;
use crate::simulator::story::{Hit, Mode, Setting, Step, Story, Trouble, What, Who, Words};

/// Commands that open tables, with weights. Most games are short so that stories reach their ends.
const OPENINGS: &[(u64, &str)] = &[
    (30, "/new tic-tac-toe @bob"),
    (12, "/new tic-tac-toe"),
    (6, "/new tic-tac-toe @bob as=O"),
    (4, "/new tic-tac-toe boardSize=4 kInRow=3 @bob per-move=1d"),
    (8, "/new tic-tac-toe seats=open gap=0"),
    (5, "/new tic-tac-toe seats=open"),
    (4, "### Game\n\ntic-tac-toe\n\n### Opponent\n\nbob\n\n### Options\n\n_No response_\n"),
    (8, "/new ultimate-tic-tac-toe @bob"),
    (12, "/new backgammon @bob"),
    (4, "/new backgammon @bob match=3"),
    (8, "/new tic-tac-toe computer"),
    (4, "/new tic-tac-toe computer level=1 as=O"),
    (2, "/new ultimate-tic-tac-toe bot easy"),
    (4, "/new backgammon computer level=1 match=3"),
    (3, "A place to talk."),
];

/// Comments other than legal moves.
const SAYINGS: &[&str] = &[
    "/undo",
    "/undo",
    "/accept",
    "/accept",
    "/draw",
    "/draw",
    "/decline",
    "/resign",
    "/resign",
    "/rematch",
    "/rematch",
    "/rematch",
    "/abort",
    "/claim",
    "/computer 2",
    "/computer easy",
    "/hint",
    "/join",
    "/join O",
    "/board",
    "/board",
    "/moves",
    "/history",
    "/help",
    "/help backgammon",
    "/roll",
    "/double",
    "/take",
    "/drop",
    "/resing",
    "/move",
    "/move b2\n/move c3",
    "/new tic-tac-toe",
    "/new tic-tac-toe @bob",
    "/new shogi",
    "/move z9",
    "a1",
    "a1",
    "b2",
    "b2",
    "c3",
    "/move a1",
    "/move b2",
    "/move c2",
    "/assign",
    "/lgtm",
    "> /resign",
    "`/resign`",
];

/// The commands that wait in a crowd. Each may need a search at a table with the computer.
const WAITING: &[&str] = &["/move a1", "/move c3", "b1", "/move a3", "c2", "/draw", "/computer 1", "/hint", "/board"];

const CHAT: &[&str] =
    &["Nice!", "hello", "I think b2 was a mistake.", "👍", "Thanks @alice\n\nOn Monday bob wrote:\n/resign"];
const PEOPLE: &[&str] = &["alice", "bob", "alice", "bob", "carol", "host"];

struct Teller {
    chance: Chance,
    mode: Mode,
    steps: Vec<Step>,
    now: Millis,
    /// Issues that may have a table.
    tables: Vec<u64>,
    issues: Vec<u64>,
    /// The comments so far, by step.
    said: Vec<u32>,
    /// The probability of another fault in a run, in percent.
    rough: u64,
    /// The probability that an event never arrives, in percent.
    missed: u64,
}

/// Generates the story of a seed.
pub fn tell(seed: u64) -> Story {
    let mut chance = Chance::new(seed);
    let mode = *chance.weighed(&[(2, Mode::Calm), (12, Mode::Strict), (4, Mode::Harsh), (1, Mode::Wrecked)]);
    let setting = Setting {
        secret: chance.percent(50),
        branch: chance.percent(20),
        personal: chance.percent(10),
        anyone: chance.percent(30),
        full: if chance.percent(4) && mode != Mode::Calm { 6 + chance.below(20) as usize } else { 2_500 },
        page: if chance.percent(20) && mode == Mode::Strict { 2 + chance.below(5) as usize } else { 100 },
        reply: (chance.percent(10) && mode != Mode::Calm).then_some(64 << 10),
        account: chance.percent(10),
    };
    let rough = *chance.one_of(&[0, 10, 25, 40, 60]);
    let missed = *chance.one_of(&[0, 5, 20, 40]);
    let mut teller = Teller {
        chance,
        mode,
        steps: Vec::new(),
        now: 0,
        tables: Vec::new(),
        issues: Vec::new(),
        said: Vec::new(),
        rough,
        missed,
    };
    teller.tell();
    let mut steps = teller.steps;
    steps.sort_by_key(|step| step.at);
    Story { seed, mode, setting, steps }
}

impl Teller {
    fn tell(&mut self) {
        let tables = *self.chance.weighed(&[(6, 1), (3, 2), (1, 3)]);
        for issue in 1..=tables {
            let words = Words::These((*self.chance.weighed(OPENINGS)).to_owned());
            self.open(issue, "alice", words);
            self.tables.push(issue);
            self.pass();
        }
        let acts = *self.chance.weighed(&[(4, 3), (5, 6), (3, 12), (1, 30)]);
        for _ in 0..acts + self.chance.below(4) {
            self.act();
            self.pass();
        }
        if self.mode != Mode::Calm {
            self.meddle();
        }
    }

    /// Lets time pass, often so little that events overlap.
    fn pass(&mut self) {
        let scale = match self.mode {
            Mode::Calm => 60_000,
            _ => *self.chance.weighed(&[(30, 300), (30, 2_000), (25, 10_000), (12, 40_000), (3, 300_000)]),
        };
        self.now += if self.mode == Mode::Calm { 30_000 } else { 1 } + self.chance.below(scale);
    }

    fn add(&mut self, at: Millis, what: What) -> u32 {
        let id = u32::try_from(self.steps.len()).expect("a short story");
        self.steps.push(Step { id, at, what });
        id
    }

    fn act(&mut self) {
        let table = *self.chance.one_of(&self.tables);
        let issue = if self.chance.percent(85) { table } else { *self.chance.one_of(&self.issues) };
        match self.chance.below(100) {
            0..55 => self.play(table),
            55..76 => {
                let mut text = (*self.chance.one_of(SAYINGS)).to_owned();
                if text.starts_with('/') && !text.contains('\n') && self.chance.percent(12) {
                    text.push_str(&format!(" #{table}"));
                }
                let who = (*self.chance.one_of(PEOPLE)).to_owned();
                self.say(issue, Who::Named(who), Words::These(text));
            }
            76..82 => {
                let who = (*self.chance.one_of(PEOPLE)).to_owned();
                let text = (*self.chance.one_of(CHAT)).to_owned();
                self.say(issue, Who::Named(who), Words::These(text));
            }
            82..84 => self.say(issue, Who::Named("carol".to_owned()), Words::Forged { issue }),
            84..88 if !self.said.is_empty() => {
                let of = *self.chance.one_of(&self.said);
                let words = self.chance.weighed(&[(3, "a1"), (3, "/move b3"), (2, "hello"), (1, "/resign")]);
                let words = Words::These((*words).to_owned());
                self.add(self.now, What::Edit { of, words });
            }
            88..91 if !self.said.is_empty() => {
                let of = *self.chance.one_of(&self.said);
                self.add(self.now, What::Delete { of });
            }
            91 if !self.said.is_empty() => {
                let of = *self.chance.one_of(&self.said);
                let words = self.chance.weighed(&[(2, "/resign"), (2, "a1"), (1, "Nothing to see here.")]);
                let words = Words::These((*words).to_owned());
                self.add(self.now, What::Overwrite { of, words });
            }
            92 if self.mode != Mode::Calm => {
                let count = 1 + u32::try_from(self.chance.below(30)).unwrap_or(0);
                self.add(self.now, What::Flood { issue, count });
            }
            91..94 => _ = self.add(self.now, What::Elsewhere),
            94 => self.take_along(table),
            95 => _ = self.add(self.now, What::Page),
            97 if self.mode != Mode::Calm => self.crowd(table),
            _ => self.say(issue, Who::Named("bob".to_owned()), Words::These("b3".to_owned())),
        }
    }

    /// One person posts dozens of commands at once. Most of them wait while the game moves on.
    fn crowd(&mut self, table: u64) {
        let who = Who::Named((*self.chance.one_of(PEOPLE)).to_owned());
        let refused = 20 + self.chance.below(4);
        let waiting = 10 + self.chance.below(20);
        for nth in 0..refused + waiting {
            let text = if nth < refused { "/move z9" } else { *self.chance.one_of(WAITING) };
            let words = Words::These(text.to_owned());
            let id = self.add(self.now, What::Say { issue: table, who: who.clone(), words });
            self.said.push(id);
        }
        let phrase = "{}".to_owned();
        let nth = self.chance.any() >> 40;
        self.say(table, Who::OnTurn(table), Words::Move { table, nth, phrase });
    }

    /// Somebody moves: in the table's issue, in another one, or in a new one.
    fn play(&mut self, table: u64) {
        let nth = self.chance.any() >> 40;
        let phrase = |phrase: &str| Words::Move { table, nth, phrase: phrase.to_owned() };
        match self.chance.below(20) {
            0..8 => self.say(table, Who::OnTurn(table), phrase("{}")),
            8..15 => self.say(table, Who::OnTurn(table), phrase("/move {}")),
            15 => self.say(table, Who::OnTurn(table), phrase("/play {}!\n\nand some words")),
            16 | 17 => {
                let issue = *self.chance.one_of(&self.issues);
                self.say(issue, Who::OnTurn(table), phrase(&format!("/move {{}} #{table}")));
            }
            _ => {
                let issue = self.issues.iter().max().map_or(1, |last| last + 1);
                let words = phrase(&format!("/move {{}} #{table}"));
                let id = self.add(self.now, What::Open { issue, who: Who::OnTurn(table), words });
                self.issues.push(issue);
                self.wakes(id);
            }
        }
    }

    /// Somebody asks to continue a table in a new issue, or in one that may have a table already.
    fn take_along(&mut self, table: u64) {
        let fresh = self.issues.iter().max().map_or(1, |last| last + 1);
        let words = Words::These(format!("/continue #{table}\n\nThe game goes on in this issue."));
        let who = *self.chance.weighed(&[(8, "alice"), (6, "bob"), (2, "carol"), (2, "host")]);
        if self.chance.percent(75) {
            self.open(fresh, who, words);
            self.tables.push(fresh);
        } else {
            // This issue may already have a table, even this one.
            let issue = *self.chance.one_of(&self.issues);
            self.say(issue, Who::Named(who.to_owned()), words);
        }
    }

    fn open(&mut self, issue: u64, who: &str, words: Words) {
        let id = self.add(self.now, What::Open { issue, who: Who::Named(who.to_owned()), words });
        self.issues.push(issue);
        self.wakes(id);
    }

    fn say(&mut self, issue: u64, who: Who, words: Words) {
        let id = self.add(self.now, What::Say { issue, who, words });
        self.said.push(id);
        self.wakes(id);
    }

    /// Adds the events of a comment. Most arrive once and soon; some arrive late, twice or never.
    fn wakes(&mut self, of: u32) {
        if self.mode == Mode::Calm {
            self.add(self.now + 1_000, What::Wake { of, troubles: Vec::new() });
            return;
        }
        let mut more = !self.chance.percent(self.missed);
        while more {
            let late = *self.chance.weighed(&[(40, 500), (40, 5_000), (15, 30_000), (5, 240_000)]);
            let at = self.now + self.chance.below(late);
            let troubles = self.troubles();
            self.add(at, What::Wake { of, troubles });
            more = self.chance.percent(12);
        }
    }

    fn troubles(&mut self) -> Vec<Hit> {
        let mut hits = Vec::new();
        while self.chance.percent(self.rough) && hits.len() < 4 {
            let nth = *self.chance.weighed(&[(6, 0), (6, 1), (6, 2), (5, 3), (3, 4), (3, 5), (2, 6), (2, 8), (1, 12)]);
            hits.push(Hit { nth, trouble: self.trouble() });
        }
        hits
    }

    fn trouble(&mut self) -> Trouble {
        let late = match self.mode {
            Mode::Harsh | Mode::Wrecked => *self.chance.one_of(&[500, 15_000, 60_000, 240_000]),
            _ => *self.chance.one_of(&[300, 3_000, 15_000]),
        };
        let mut applied = self.chance.percent(60).then(|| 1 + self.chance.below(late));
        match self.chance.below(100) {
            0..25 => {
                let told = *self.chance.one_of(&[500, 10_000, 30_000]);
                Trouble::Lost { applied, told: 1 + self.chance.below(told) }
            }
            25..45 => Trouble::Dies { applied: applied.take() },
            45..55 => Trouble::DiesAfter,
            55..65 => Trouble::Later(1_000 * self.chance.below(90)),
            65..69 => Trouble::Host,
            69..82 => Trouble::Slow(self.chance.below(late)),
            _ => {
                let most = *self.chance.one_of(&[400, 1_500, 3_500]);
                let threads = self.chance.below(most);
                let head = if self.chance.percent(60) { threads } else { self.chance.below(most) };
                Trouble::Stale { threads, head }
            }
        }
    }

    /// Adds what the host and other people with access do to the repository.
    fn meddle(&mut self) {
        let end = self.now.max(1);
        let spell = |teller: &mut Teller, percent: u64, begin: What, back: What| {
            if teller.chance.percent(percent) {
                let from = teller.chance.below(end);
                let to = from + 1 + teller.chance.below(60_000);
                teller.add(from, begin);
                teller.add(to, back);
            }
        };
        let issue = *self.chance.one_of(&self.tables.clone());
        spell(self, 8, What::Forbid { on: true }, What::Forbid { on: false });
        if self.mode != Mode::Wrecked {
            spell(self, 6, What::Damage { issue }, What::Repair { issue });
        }
        let by = *self.chance.one_of(&[-3_600_000, -5_000, 5_000, 600_000]);
        spell(self, 10, What::Clock { by }, What::Clock { by: 0 });
        spell(self, 6, What::Lock { issue, on: true }, What::Lock { issue, on: false });
        let issue = *self.chance.one_of(&self.issues.clone());
        if self.chance.percent(4) {
            let at = self.chance.below(end);
            self.add(at, What::Vanish { issue });
        }
        if self.chance.percent(5) {
            let (at, who) = (self.chance.below(end), (*self.chance.one_of(&["bob", "carol"])).to_owned());
            self.add(at, What::Leave { who });
        }
        if self.mode == Mode::Wrecked {
            spell(self, 60, What::BranchGone, What::BranchBack);
            if self.chance.percent(50) {
                let at = self.chance.below(end);
                let commits = 1 + u32::try_from(self.chance.below(3)).unwrap_or(0);
                self.add(at, What::Rewind { commits });
            }
        }
        for _ in 0..self.chance.below(3) {
            let at = self.chance.below(end + 60_000);
            let troubles = self.troubles();
            self.add(at, What::Sweep { troubles });
        }
    }
}
