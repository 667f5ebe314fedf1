//! Generates stories from seeds.

use crate::Millis;

mod faults;

use crate::simulator::rng::Rng;
use crate::simulator::{Action, Mode, Person, Setting, Step, Story, Text};

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
    (2, "/new tic-tac-toe @nobody-here"),
];

/// Comments other than legal moves.
const COMMENTS: &[&str] = &[
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
    "/review",
    "/review",
    "/join",
    "/join O",
    "/board",
    "/board",
    "/moves",
    "/history",
    "/time",
    "/standings",
    "/mine",
    "/games",
    "/standings all",
    "/rating",
    "/rating @bob",
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
const WAITING: &[&str] =
    &["/move a1", "/move c3", "b1", "/move a3", "c2", "/draw", "/computer 1", "/hint", "/review", "/board"];

const CHAT: &[&str] =
    &["Nice!", "hello", "I think b2 was a mistake.", "👍", "Thanks @alice\n\nOn Monday bob wrote:\n/resign"];
/// What people write who annoy others: answers that nobody asked for, seats taken and left again, and words of other bots.
const PESTERING: &[&[&str]] = &[
    &["yes", "ok", "no thanks", "yes", "sure", "no"],
    &["yes"; 24],
    &["{}", "/leave", "{}", "/leave", "join", "/leave"],
    &["join", "/leave", "/move {}", "/leave", "{}"],
    &["{}", "/{}", "{}", "/{}"],
    &["{}, good luck!", "{}, or maybe not", "I play {}", "{}\n\nand so on"],
    &[
        "/assign @bob",
        "/flip",
        "/kind bug",
        "/takeback",
        "/quit",
        "/sit",
        "/start hex",
        "/usr/bin/env",
        "/fen",
        "/rules",
    ],
    &["/decline", "/draw", "no", "/undo", "yes", "/takeback please", "ok"],
    &["I resign", "can I take that back?", "GG! rematch?", "/rematch please", "/resign now :)"],
    &["/draw", "<!-- play-by-commit 1/0 table=1 -->\nShall we play on Friday?", "/undo", "Do you like this game?"],
    &["/abort", "/new tic-tac-toe @dave", "/abort", "/new tic-tac-toe @erin", "/abort", "/new tic-tac-toe @dave"],
    &["/decline", "/new tic-tac-toe @erin", "/abort", "/new tic-tac-toe @fred", "/abort", "/new tic-tac-toe @gina"],
    &["/draw", "/accept", "yes", "/rematch", "/draw", "yes, again", "/rematch"],
    &["{}, draw?", "{} /draw", "{}\n/draw", "{} (=)", "/accept", "{}, draw?", "yes"],
    &[
        "/move {} (round 1, turn 1)",
        "/move {} (round 1, turn 3)",
        "/move {} (round 2, turn 2)",
        "/move {} (round 9, turn 99)",
    ],
    &["I'm in!", "challenge accepted", "let's go!", "no, sorry", "not now", "join", "I decline"],
    &["/nudge", "/nudge", "{}", "/nudge", "/remind", "/nudge", "/nudge"],
    &["/review", "{}", "/resign", "/review", "/review #1", "/analysis", "/rematch", "/review"],
    &["/autoroll", "/autoroll off", "/autoroll", "/autoroll off", "/roll", "/autoroll off"],
    &["/{}", "/{}", "/ {}", "/{}, good luck!", "/{}?"],
    &["Good luck, {}!", "thanks {}", "your turn {}", "{}\nthanks", "yes {}", "no {}", "{} ok"],
    &["Hi Alice!\n{}", "{} thanks!", "{}, not today", "yes", "Did you see {}?", "move {}", "yes please", "42", "swap"],
];
/// What people write below the answer in an issue that a link opened. None of it names the table.
const BELOW_LINKS: &[(u64, &str)] = &[
    (4, "{}"),
    (4, "/move {}"),
    (2, "{}, or maybe not"),
    (2, "I think {} is good."),
    (1, "{}\n\nand some words"),
    (2, "hello"),
    (2, "/board"),
    (1, "/moves"),
    (2, "/undo"),
    (1, "/accept"),
    (1, "yes"),
    (1, "/draw"),
    (1, "/join"),
    (1, "/leave"),
    (1, "/resign"),
    (1, "/rematch"),
    (1, "/help"),
    (1, "/mvoe {}"),
    (1, "/{}"),
    (1, "/lgtm"),
    (1, "/continue"),
    (1, "/new tic-tac-toe"),
];
/// Commands that open tables with `autoplay`.
const FORCED_OPENINGS: &[&str] = &[
    "/new tic-tac-toe @bob autoplay",
    "/new tic-tac-toe computer level=1 autoplay",
    "/new checkers @bob autoplay",
    "/new chess @bob autoplay per-move=1d bank=1d fen=7k/6p1/6P1/8/8/8/8/K4R2_w_-_-_0_1",
    "/new othello computer level=1 autoplay",
];
/// Commands of other bots, and a few for this one.
const OTHER_BOTS: &[&str] = &[
    "/help",
    "/claim",
    "/claim #1",
    "/take",
    "/review",
    "/review #12",
    "/time",
    "/assign",
    "/close",
    "/lgtm",
    "/start",
    "/mine",
    "/board",
    "/join",
    "/help chess",
    "/nwe chess",
];
const PEOPLE: &[&str] = &["alice", "bob", "alice", "bob", "carol", "host"];

struct Generator {
    rng: Rng,
    mode: Mode,
    steps: Vec<Step>,
    now: Millis,
    /// Issues that may have a table.
    tables: Vec<u64>,
    issues: Vec<u64>,
    /// The comments so far, by step.
    comments: Vec<u32>,
    /// The probability of another fault in a run, in percent.
    fault_rate: u64,
    /// The probability that an event never arrives, in percent.
    miss_rate: u64,
}

/// Generates the story of a seed. It is the same on every machine.
pub fn generate_story(seed: u64) -> Story {
    let mut rng = Rng::new(seed);
    let mode = *rng.choose_weighted(&[(2, Mode::Calm), (12, Mode::Strict), (4, Mode::Harsh), (1, Mode::Wrecked)]);
    let setting = Setting {
        has_dice_secret: rng.percent(50),
        has_state_branch: rng.percent(20),
        uses_token_of_player: rng.percent(10),
        lets_anyone_open: rng.percent(30),
        max_comments: if rng.percent(4) && mode != Mode::Calm { 6 + rng.below(20) as usize } else { 2_500 },
        comments_per_page: if rng.percent(20) && mode == Mode::Strict { 2 + rng.below(5) as usize } else { 100 },
        max_reply_bytes: if rng.percent(10) && mode != Mode::Calm { Some(64 << 10) } else { None },
        switches_account: rng.percent(10),
        needs_label: Rng::new(seed ^ 0x1abe_1000_0000).percent(12),
        servers: *Rng::new(seed ^ 0x5e2_7e25_0000_0000).choose_weighted(&[(8, 0), (1, 1), (1, 2)]),
    };
    let fault_rate = *rng.choose(&[0, 10, 25, 40, 60]);
    let miss_rate = *rng.choose(&[0, 5, 20, 40]);
    let mut generator = Generator {
        rng,
        mode,
        steps: Vec::new(),
        now: 0,
        tables: Vec::new(),
        issues: Vec::new(),
        comments: Vec::new(),
        fault_rate,
        miss_rate,
    };
    generator.generate();
    // Each addition has its own random numbers, so that it leaves the rest of the story as it is.
    generator.add_with(seed ^ PESTERING.len() as u64, Generator::pester);
    generator.add_with(seed ^ 0x0011_4e7a_0000_0000, Generator::play_below_link);
    generator.add_with(seed ^ 0x1f1f_0000_0000, Generator::announce);
    generator.add_with(seed ^ 0x0c10_cc00_0000, Generator::take_time);
    generator.add_with(seed ^ 0x91f7_0000_0000, Generator::give_time);
    generator.add_with(seed ^ 0xa070_0000_0000, Generator::play_forced_moves);
    generator.add_with(seed ^ 0xc407_d000_0000, Generator::vote);
    generator.add_with(seed ^ 0x0074_e2b0_7500_0000, Generator::command_other_bots);
    generator.add_with(seed ^ 0xb0a2_d000_0000, Generator::show_boards);
    if setting.servers > 0 && mode != Mode::Calm {
        generator.add_with(seed ^ 0x2e57_a270_0000_0000, Generator::restart_servers);
    }
    let mut steps = generator.steps;
    steps.sort_by_key(|step| step.at);
    Story { seed, mode, setting, steps }
}

impl Generator {
    fn generate(&mut self) {
        let tables = *self.rng.choose_weighted(&[(6, 1), (3, 2), (1, 3)]);
        for issue in 1..=tables {
            let text = Text::literal(self.rng.choose_weighted(OPENINGS));
            self.open(issue, "alice", text);
            self.tables.push(issue);
            self.pass_time();
        }
        let acts = *self.rng.choose_weighted(&[(4, 3), (5, 6), (3, 12), (1, 30)]);
        for _ in 0..acts + self.rng.below(4) {
            self.act();
            self.pass_time();
        }
        if self.mode != Mode::Calm {
            self.add_interference();
        }
    }

    /// Adds steps with the random numbers of another seed.
    fn add_with(&mut self, seed: u64, add: impl FnOnce(&mut Generator)) {
        let story_rng = std::mem::replace(&mut self.rng, Rng::new(seed));
        add(self);
        self.rng = story_rng;
    }

    /// One person pesters a table.
    fn pester(&mut self) {
        if self.rng.percent(30) {
            let table = *self.rng.choose(&self.tables.clone());
            let author = (*self.rng.choose(&["carol", "carol", "bob", "alice"])).to_owned();
            let comments = *self.rng.choose(PESTERING);
            // In a calm story people don't talk at once.
            if self.mode != Mode::Calm {
                self.now = self.rng.below(self.now.max(1));
            }
            for phrase in comments {
                let nth = self.rng.next_u64() >> 40;
                let text = Text::Move { table, nth, phrase: (*phrase).to_owned() };
                // Alice may own the account that the bot runs as, so a marker of hers isn't forged.
                let author = if phrase.starts_with("<!--") { "carol" } else { author.as_str() };
                self.say(table, Person::named(author), text);
                self.pass_time();
            }
        }
    }

    /// The first table plays forced moves, and its players often have only one.
    fn play_forced_moves(&mut self) {
        let is_chosen = self.rng.percent(10);
        let opening = *self.rng.choose(FORCED_OPENINGS);
        if let Some(step) = self.steps.first_mut().filter(|_| is_chosen)
            && let Action::OpenIssue { text, .. } = &mut step.action
        {
            *text = Text::literal(opening);
            let (table, end) = (self.tables[0], self.steps.iter().map(|step| step.at).max().unwrap_or_default());
            self.now = end;
            for _ in 0..4 + self.rng.below(12) {
                self.pass_time();
                let nth = self.rng.next_u64() >> 40;
                let phrase = *self.rng.choose(&["{}", "{}", "{}", "{}, draw?", "/undo", "/accept"]);
                self.say(table, Person::ToMove(table), Text::Move { table, nth, phrase: phrase.to_owned() });
            }
        }
    }

    /// The host shows old boards again.
    fn show_boards(&mut self) {
        let end = self.steps.iter().map(|step| step.at).max().unwrap_or_default();
        for issue in self.tables.clone() {
            if self.rng.percent(20) {
                let at = self.rng.below(end.max(1));
                self.add(at, Action::ShowBoard { issue });
            }
        }
    }

    /// People write commands of other bots in an issue of their own.
    fn command_other_bots(&mut self) {
        if !self.rng.percent(25) {
            return;
        }
        let end = self.steps.iter().map(|step| step.at).max().unwrap_or_default();
        self.now = if self.mode == Mode::Calm { end + 60_000 } else { self.rng.below(end.max(1)) };
        let issue = self.issues.iter().max().map_or(1, |last| last + 1);
        self.open(issue, "carol", Text::literal("It crashes."));
        for _ in 0..2 + self.rng.below(5) {
            self.pass_time();
            let author = Person::named(self.rng.choose(PEOPLE));
            let text = Text::literal(self.rng.choose(OTHER_BOTS));
            self.say(issue, author, text);
        }
    }

    /// People write in an issue that a link opened.
    fn play_below_link(&mut self) {
        let opened = self.steps.iter().filter_map(|step| match &step.action {
            Action::OpenIssue { issue, text: Text::Move { table, .. }, .. } => Some((step.at, *issue, *table)),
            _ => None,
        });
        let links: Vec<(Millis, u64, u64)> = opened.collect();
        if !links.is_empty() && self.rng.percent(60) {
            let (at, issue, table) = *self.rng.choose(&links);
            // In a calm story, comments come one at a time.
            let end = self.steps.iter().map(|step| step.at).max().unwrap_or(at);
            self.now = if self.mode == Mode::Calm { end } else { at };
            for _ in 0..2 + self.rng.below(7) {
                self.pass_time();
                let named = Person::named(self.rng.choose(PEOPLE));
                let author = if self.rng.percent(60) { Person::ToMove(table) } else { named };
                let phrase = (*self.rng.choose_weighted(BELOW_LINKS)).to_owned();
                let nth = self.rng.next_u64() >> 40;
                self.say(issue, author, Text::Move { table, nth, phrase });
            }
        }
    }

    /// Lets time pass, often so little that events overlap.
    fn pass_time(&mut self) {
        let scale = match self.mode {
            Mode::Calm => 60_000,
            _ => *self.rng.choose_weighted(&[(30, 300), (30, 2_000), (25, 10_000), (12, 40_000), (3, 300_000)]),
        };
        self.now += if self.mode == Mode::Calm { 30_000 } else { 1 } + self.rng.below(scale);
    }

    fn add(&mut self, at: Millis, action: Action) -> u32 {
        let id = u32::try_from(self.steps.len()).expect("a short story");
        self.steps.push(Step { id, at, action });
        id
    }

    fn act(&mut self) {
        let table = *self.rng.choose(&self.tables);
        let issue = if self.rng.percent(85) { table } else { *self.rng.choose(&self.issues) };
        match self.rng.below(100) {
            0..55 => self.play(table),
            55..76 => {
                let mut text = (*self.rng.choose(COMMENTS)).to_owned();
                if text.starts_with('/') && !text.contains('\n') && self.rng.percent(12) {
                    text.push_str(&format!(" #{table}"));
                }
                let author = Person::named(self.rng.choose(PEOPLE));
                self.say(issue, author, Text::Literal(text));
            }
            76..82 => {
                let author = Person::named(self.rng.choose(PEOPLE));
                let text = Text::literal(self.rng.choose(CHAT));
                self.say(issue, author, text);
            }
            82 => {
                let names_commit = self.rng.percent(50);
                self.say(issue, Person::named("carol"), Text::Forged { issue, names_commit });
            }
            83 => {
                let is_flag = self.rng.percent(50);
                self.say(issue, Person::named("carol"), Text::ForgedNotice { issue, is_flag });
            }
            84..88 if !self.comments.is_empty() => {
                let comment = *self.rng.choose(&self.comments);
                let text = self.rng.choose_weighted(&[(3, "a1"), (3, "/move b3"), (2, "hello"), (1, "/resign")]);
                let text = Text::literal(text);
                self.add(self.now, Action::EditComment { comment, text });
            }
            88..91 if !self.comments.is_empty() => {
                let comment = *self.rng.choose(&self.comments);
                self.add(self.now, Action::DeleteComment { comment });
            }
            91 if !self.comments.is_empty() => {
                let comment = *self.rng.choose(&self.comments);
                let text = self.rng.choose_weighted(&[(2, "/resign"), (2, "a1"), (1, "Nothing to see here.")]);
                let text = Text::literal(text);
                self.add(self.now, Action::OverwriteComment { comment, text });
            }
            92 if self.mode != Mode::Calm => {
                let count = 1 + u32::try_from(self.rng.below(30)).unwrap_or(0);
                self.add(self.now, Action::PostMany { issue, count });
            }
            91..94 => _ = self.add(self.now, Action::UnrelatedCommit),
            94 => self.continue_elsewhere(table),
            95 => _ = self.add(self.now, Action::EditReadme),
            97 if self.mode != Mode::Calm => self.crowd(table),
            _ => self.say(issue, Person::named("bob"), Text::literal("b3")),
        }
    }

    /// One person posts dozens of commands at once. Most of them wait while the game moves on.
    fn crowd(&mut self, table: u64) {
        let author = Person::named(self.rng.choose(PEOPLE));
        let refused = 20 + self.rng.below(4);
        let waiting = 10 + self.rng.below(20);
        for nth in 0..refused + waiting {
            let text = if nth < refused { "/move z9" } else { *self.rng.choose(WAITING) };
            let text = Text::literal(text);
            let id = self.add(self.now, Action::Comment { issue: table, author: author.clone(), text });
            self.comments.push(id);
        }
        let phrase = "{}".to_owned();
        let nth = self.rng.next_u64() >> 40;
        self.say(table, Person::ToMove(table), Text::Move { table, nth, phrase });
    }

    /// Someone moves: in the table's issue, in another one, or in a new one.
    fn play(&mut self, table: u64) {
        let nth = self.rng.next_u64() >> 40;
        let phrase = |phrase: &str| Text::Move { table, nth, phrase: phrase.to_owned() };
        match self.rng.below(20) {
            0..7 => self.say(table, Person::ToMove(table), phrase("{}")),
            7 => self.say(table, Person::ToMove(table), phrase("/{}")),
            8..15 => self.say(table, Person::ToMove(table), phrase("/move {}")),
            15 => self.say(table, Person::ToMove(table), phrase("/play {}!\n\nand some words")),
            16 | 17 => {
                let issue = *self.rng.choose(&self.issues);
                self.say(issue, Person::ToMove(table), phrase(&format!("/move {{}} #{table}")));
            }
            _ => {
                let issue = self.issues.iter().max().map_or(1, |last| last + 1);
                let text = phrase(&format!("/move {{}} #{table}"));
                let id = self.add(self.now, Action::OpenIssue { issue, author: Person::ToMove(table), text });
                self.issues.push(issue);
                self.add_events(id);
            }
        }
    }

    /// Someone asks to continue a table in a new issue, or in one that may have a table already.
    fn continue_elsewhere(&mut self, table: u64) {
        let fresh = self.issues.iter().max().map_or(1, |last| last + 1);
        let text = Text::Literal(format!("/continue #{table}\n\nThe game goes on in this issue."));
        let author = *self.rng.choose_weighted(&[(8, "alice"), (6, "bob"), (2, "carol"), (2, "host")]);
        if self.rng.percent(75) {
            self.open(fresh, author, text);
            self.tables.push(fresh);
        } else {
            // This issue may already have a table, even this one.
            let issue = *self.rng.choose(&self.issues);
            self.say(issue, Person::named(author), text);
        }
    }

    fn open(&mut self, issue: u64, author: &str, text: Text) {
        let id = self.add(self.now, Action::OpenIssue { issue, author: Person::named(author), text });
        self.issues.push(issue);
        self.add_events(id);
    }

    fn say(&mut self, issue: u64, author: Person, text: Text) {
        let id = self.add(self.now, Action::Comment { issue, author, text });
        self.comments.push(id);
        self.add_events(id);
    }

    /// Adds the events of a comment. Most arrive once and soon; some arrive late, twice or never.
    fn add_events(&mut self, comment: u32) {
        if self.mode == Mode::Calm {
            self.add(self.now + 1_000, Action::StartRun { comment, faults: Vec::new() });
            return;
        }
        let mut more = !self.rng.percent(self.miss_rate);
        while more {
            let late = *self.rng.choose_weighted(&[(40, 500), (40, 5_000), (15, 30_000), (5, 240_000)]);
            let at = self.now + self.rng.below(late);
            let faults = self.faults();
            self.add(at, Action::StartRun { comment, faults });
            more = self.rng.percent(12);
        }
    }
}
