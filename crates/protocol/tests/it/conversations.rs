//! Conversations as data: transcripts of comments and the bot's reactions, over a fake GitHub in memory.
//!
//! Each file in `tests/conversations/` is a transcript. A line without indentation is an input:
//!
//! ```text
//! # a note for the reader
//! alice opens: /new tic-tac-toe        opens an issue, which becomes the current one
//! alice titles: A game\n/new chess     opens an issue with this title, and a text if there are more lines
//! bob: /move b2                        writes a comment there
//! mona (maintainer): /abort            mona is a collaborator from then on
//! bob in 1: /board                     writes in another issue, which becomes the current one
//! bob reacts: heart                    adds a reaction to the newest ballot there; `-heart` takes it back
//! mona deletes the ballot              deletes that comment
//! wait 7d                              lets time pass
//! daily run                            runs the daily sweep
//! outage begins / outage ends          while the bot is down, comments don't start a run
//! house games= / house tables=anyone / house dice-secret=...   sets inputs of the action
//! ```
//!
//! `\n` and `\r` in an input are line ends. The indented lines below an input are the bot's reaction: the commit, the reaction,
//! the answers. A board is written in full after `/board` and in the last answer; elsewhere a placeholder stands for it.
//! `UPDATE_EXPECT=1 cargo test -p play-by-commit-protocol conversations` updates the transcripts; read the diff.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::condition::starts_job;
use answers::{Marker, Notice, NoticeKind};
use expect_test::expect_file;
use games::GameKind;
use protocol::settle::settle;
use protocol::{RepoConfig, Trigger, table_to_read};
use serde_json::{Value, json};
use table::dice::parse_secret;
use table::{CommentRef, IssueNumber, WhoMayStart};
use testkit::world::{Request, World, default_config, run};
use testkit::{Millis, place};

struct Transcript {
    world: World,
    config: RepoConfig,
    issue: u64,
    /// Whether boards are written in full, or only mentioned.
    shows_boards: bool,
    /// Whether the workflow starts a job for the last comment.
    starts_job: bool,
    /// Whether the bot is down, so that comments don't start a run.
    is_down: bool,
    out: String,
}

impl Transcript {
    fn play_line(&mut self, line: &str, last: bool) {
        writeln!(self.out, "{line}").unwrap();
        if line.trim().is_empty() || line.starts_with('#') {
            return;
        }
        if let Some(time) = line.strip_prefix("wait ") {
            self.world.change(|state| state.now += parse_duration(time));
            return;
        }
        if line == "daily run" {
            self.shows_boards = last;
            return self.sweep();
        }
        if let Some(change) = line.strip_prefix("outage ") {
            self.is_down = change == "begins";
            return;
        }
        if let Some(rule) = line.strip_prefix("house ") {
            return self.set_policy(rule);
        }
        if let Some(login) = line.strip_suffix(" deletes the ballot") {
            assert!(self.world.with_state(|state| state.people.contains_key(login)), "{login} is unknown");
            let ballot = self.ballot();
            return self.world.delete_comment(self.issue, ballot);
        }
        if let Some((login, reactions)) = line.split_once(" reacts: ") {
            return self.react(login, reactions);
        }
        let (who, text) = line.split_once(": ").or_else(|| line.split_once(':')).expect("a line is `login: comment`");
        let text = text.replace("\\n", "\n").replace("\\r", "\r");
        self.shows_boards = last || text.contains("/board");
        let mut words = who.split(' ');
        let login = words.next().unwrap();
        let (mut opens, mut title) = (false, false);
        while let Some(word) = words.next() {
            match word {
                "opens" => opens = true,
                "titles" => (opens, title) = (true, true),
                "in" => self.issue = words.next().unwrap().parse().unwrap(),
                "(maintainer)" => self.world.as_maintainer(login),
                other => panic!("{other}?"),
            }
        }
        let comment = if opens {
            let (heading, below) = text.split_once('\n').unwrap_or((&text, ""));
            self.issue = self.world.open_issue(login, if title { below } else { &text });
            if title {
                self.world.issue(self.issue, |issue| issue.title = heading.to_owned());
            }
            0
        } else {
            self.world.comment(self.issue, login, &text)
        };
        let body = self.world.with_state(|state| state.issues[&self.issue].body.text.clone());
        let table = table_to_read(&body, if opens { None } else { Some(&text) });
        let (title, labels) = self.world.with_state(|state| {
            let issue = &state.issues[&self.issue];
            (issue.title.clone(), issue.labels.clone())
        });
        let labels: Vec<Value> = labels.iter().map(|label| json!({ "name": label })).collect();
        let issue = json!({ "title": title, "body": body, "labels": labels });
        self.starts_job = starts_job(if opens { None } else { Some(&text) }, &issue);
        if !self.is_down {
            self.settle(place(self.issue, comment), table);
        }
    }

    /// Returns the newest ballot in the current issue.
    fn ballot(&self) -> u64 {
        let is_ballot = |text: &str| Notice::parse(text).is_some_and(|notice| notice.kind == NoticeKind::Ballot);
        self.world.with_state(|state| {
            let notes = state.issues[&self.issue].comments.iter();
            notes.rev().find(|note| is_ballot(&note.text)).expect("a ballot").id
        })
    }

    fn react(&self, login: &str, reactions: &str) {
        let ballot = place(self.issue, self.ballot());
        let person = self.world.id_of(login);
        self.world.change(|state| {
            for reaction in reactions.split(' ') {
                match reaction.strip_prefix('-') {
                    Some(taken) => _ = state.reactions.remove(&(ballot, person, taken.to_owned())),
                    None => _ = state.reactions.insert((ballot, person, reaction.to_owned())),
                }
            }
        });
    }

    /// Writes a comment that no command asked for.
    fn write_notice(&mut self, issue: u64, comment: &str) {
        assert!(Notice::parse(comment).is_some() || Marker::parse(comment).is_some(), "{comment}");
        let text = self.without_commits(comment.split_once('\n').unwrap().1);
        let text = if self.shows_boards { text } else { without_boards(&text) };
        self.write(&format!("in issue {issue}:\n{}", text.trim_end()));
    }

    fn set_policy(&mut self, rule: &str) {
        match rule.split_once('=').unwrap() {
            ("tables", "anyone") => self.config.policy.opening = WhoMayStart::Anyone,
            ("tables", "maintainers") => self.config.policy.opening = WhoMayStart::Maintainers,
            ("dice-secret", "none") => self.config.policy.dice_secret = None,
            ("dice-secret", text) => self.config.policy.dice_secret = Some(parse_secret(text).unwrap()),
            ("games", names) => self.config.policy.games = names.split(',').filter_map(GameKind::from_name).collect(),
            other => panic!("{other:?}?"),
        }
    }

    fn sweep(&mut self) {
        let seen: Vec<(u64, usize)> = self.issues().map(|issue| (issue, self.world.answers(issue).len())).collect();
        let commits = self.world.headlines().len();
        run(settle(&self.world, &self.config, Trigger::Sweep)).unwrap().unwrap();
        for headline in self.world.headlines().split_off(commits) {
            self.write(&format!("commit: {headline}"));
        }
        for (issue, before) in seen {
            for notice in self.world.answers(issue).split_off(before) {
                self.write_notice(issue, &notice);
            }
        }
    }

    fn settle(&mut self, source: CommentRef, table: Option<IssueNumber>) {
        let seen: Vec<(u64, usize)> = self.issues().map(|issue| (issue, self.world.answers(issue).len())).collect();
        let commits = self.world.headlines().len();
        self.world.clear_log();
        run(settle(&self.world, &self.config, Trigger::Comment { source, table })).unwrap().unwrap();
        for headline in self.world.headlines().split_off(commits) {
            self.write(&format!("commit: {headline}"));
        }
        for reaction in self.world.reactions(source.issue.get(), source.comment.get()) {
            self.write(&format!("reaction: {reaction}"));
        }
        let mut answered = false;
        for (issue, before) in seen {
            for answer in self.world.answers(issue).split_off(before) {
                if Notice::parse(&answer).is_some() {
                    self.write_notice(issue, &answer);
                    continue;
                }
                let marker = Marker::parse(&answer).expect("every answer begins with a marker");
                assert_eq!(marker.source, source, "an answer is to the comment that was written");
                let (_, text) = answer.split_once('\n').unwrap();
                if issue != source.issue.get() {
                    self.write(&format!("in issue {issue}:"));
                }
                let text = self.without_commits(text);
                let text = if self.shows_boards { text } else { without_boards(&text) };
                self.write(text.trim_end());
                answered = true;
            }
        }
        if self.world.with_state(|state| state.issues[&source.issue.get()].closed) {
            self.write("(closed)");
        }
        assert!(self.starts_job || !answered, "the workflow's condition keeps this from the bot");
        if !answered {
            self.write("(no answer)");
            assert_eq!(self.world.count(Request::Commit), 0, "nothing is changed without an answer");
        }
        let requests = self.world.count(Request::Any);
        // Read the thread and perhaps the table, commit, answer. The end of a game reads the standings, and a rematch reopens its issue.
        // A claim of a win on time also reads when the opponent is away, and lists the issues since the turn began.
        // `/away` also reads the person's file and the games in progress.
        let most = if self.world.count(Request::Folder) > 0 {
            9
        } else if self.world.count(Request::Sweep) > 0 {
            6
        } else {
            // A ballot is a comment of its own, and its reactions take another request.
            5 + 2 * usize::from(self.world.count(Request::Answer) > 1)
        };
        assert!(requests <= most, "{requests} requests: {:#?}", self.world.log());
    }

    /// Checks that each thread shows at most one board of each game in progress.
    fn check_boards(&self) {
        for issue in self.issues() {
            let mut shown = BTreeSet::new();
            self.world.with_state(|state| {
                let notes = state.issues[&issue].comments.iter().filter(|note| !note.minimized);
                for marker in notes.filter_map(|note| Marker::parse(&note.text)).filter(|marker| marker.has_board) {
                    assert!(shown.insert(marker.table), "issue {issue} shows two boards of table {}", marker.table);
                }
            });
        }
    }

    /// Checks that the pictures in an answer exist at the commits in their URLs, and replaces the commits' IDs.
    fn without_commits(&self, text: &str) -> String {
        let mut parts = text.split("/host/games/blob/");
        let mut out = parts.next().unwrap().to_owned();
        for part in parts {
            let (oid, rest) = part.split_at(40);
            let (path, _) = rest[1..].split_once("?raw=true)").expect("a picture is linked with `raw=true`");
            let there = self.world.with_state(|state| state.commits[oid].files.contains_key(path));
            assert!(there, "{path} is not in the commit that the answer links");
            out += "/host/games/blob/COMMIT";
            out += rest;
        }
        out
    }

    fn issues(&self) -> impl Iterator<Item = u64> + use<> {
        self.world.with_state(|state| state.issues.keys().copied().collect::<Vec<_>>()).into_iter()
    }

    fn write(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.is_empty()) {
            writeln!(self.out, "    {}", line.trim_end()).unwrap();
        }
    }
}

/// Returns an answer with a placeholder for its folded board.
fn without_boards(text: &str) -> String {
    let Some((before, part)) = text.split_once("<details><summary>The board as text</summary>") else {
        return text.to_owned();
    };
    let (board, rest) = part.split_once("</details>").expect("a folded board has an end");
    assert!(board.contains("```text\n"), "no board: {board}");
    format!("{before}(board){rest}")
}

fn parse_duration(text: &str) -> Millis {
    let (number, unit) = text.split_at(text.len() - 1);
    let unit = match unit {
        "d" => 86_400_000,
        "h" => 3_600_000,
        _ => 60_000,
    };
    number.parse::<u64>().unwrap() * unit
}

#[track_caller]
fn check_transcript(name: &str) {
    let path = format!("{}/../../tests/conversations/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let script = std::fs::read_to_string(&path).unwrap();
    let mut transcript = Transcript {
        world: World::new(),
        config: default_config(),
        issue: 0,
        shows_boards: false,
        starts_job: false,
        is_down: false,
        out: String::new(),
    };
    let lines: Vec<&str> = script.lines().filter(|line| !line.starts_with("    ") && *line != "...").collect();
    for (at, line) in lines.iter().enumerate() {
        transcript.play_line(line, at + 1 == lines.len());
    }
    transcript.check_boards();
    expect_file![path].assert_eq(&transcript.out);
}

macro_rules! conversations {
    ($($name:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            check_transcript(stringify!($name));
        })+

        #[test]
        fn plays_every_transcript() {
            let there = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conversations")).unwrap();
            let mut there: Vec<_> = there.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
            there.sort();
            let mut played = [$(concat!(stringify!($name), ".txt")),+];
            played.sort_unstable();
            assert_eq!(there, played);
        }
    };
}

conversations! {
    a_week_of_thirty_games,
    agreements,
    answers,
    other_alphabets,
    other_notations,
    away,
    banks,
    flags,
    nudges,
    reminders,
    time_in_chess,
    moves_in_words,
    moves_with_chat,
    open_seats,
    slash_moves,
    slash_words,
    a_whole_game,
    autoplay,
    backgammon,
    automatic_rolls,
    backgammon_cube,
    checkers,
    chess,
    chess_draws,
    hex,
    setups,
    attempts,
    computer,
    bare_moves,
    between_players,
    casual,
    confirmed_suggestions,
    questions_in_words,
    castling,
    clicks,
    conditional_moves,
    conditional_moves_and_rules,
    conditional_moves_any,
    conditional_moves_dropped,
    conditional_moves_elsewhere,
    conditional_moves_in_lines,
    conditional_moves_refused,
    conditional_resignations,
    connect_four,
    connect_four_computer,
    continued,
    crowds,
    crowd_against_a_person,
    crowd_levels,
    crowd_setups,
    chat,
    draw_offers,
    draws,
    friendly,
    endings,
    extensions,
    first_words,
    forms,
    guests,
    hints,
    hints_backgammon,
    help,
    help_at_tables,
    new_tables,
    kind_words,
    levels,
    linked_issues,
    low_items,
    mentions,
    open_tables,
    option_words,
    options,
    othello,
    othello_computer,
    other_tables,
    other_websites,
    forced_ending,
    refused_moves,
    rematches,
    reviews,
    resigning,
    seats,
    same_moves,
    small_boards,
    spellings,
    standings,
    time,
    two_commands,
    ultimate,
    unagreed,
    undo,
    variants,
    words_behind,
    player_to_move,
    players_chat,
    words_for_answers,
    asking_to_join,
    titles,
    checkmate,
    french_letters,
}
