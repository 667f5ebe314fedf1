//! The scratch branch: commits, races, and the addresses of pictures.

use std::time::{Duration, Instant};

use answers::board::picture_address;
use answers::pages::links::Links;
use github::scratch::{self, TriedCommit};
use github::web::visit;
use protocol::forge::{Change, Committed, Environment, Fault, Forge};
use table::talk::comment::Author;
use table::talk::thread::{File, Head, Oid};

use crate::probe::bench::{BEARABLE, Bench, Made, Scratch, millis, until};
use crate::probe::rows::Rows;
use crate::probe::things::{self, Thing};
use crate::probe::threads::behind;

/// The picture that is committed.
const PICTURE: &str = "probe.svg";
const DRAWING: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><rect width=\"8\" height=\"8\"/></svg>\n";
/// The time limit of a visit to a picture.
const VISIT: Duration = Duration::from_secs(8);

/// The tests of a branch.
pub(super) struct BranchTrial<'a> {
    bench: &'a Bench,
    made: &'a mut Made,
    rows: &'a mut Rows,
}

impl<'a> BranchTrial<'a> {
    pub(super) fn new(bench: &'a Bench, made: &'a mut Made, rows: &'a mut Rows) -> BranchTrial<'a> {
        BranchTrial { bench, made, rows }
    }

    /// Makes the scratch branch and tries what befalls one.
    pub(super) async fn branch(&mut self) {
        let Some(base) = self.make().await else { return };
        if let Some(head) = self.commit(&base).await {
            self.commit_lag(&head).await;
            self.stale(&base).await;
            self.missing_branch(&base).await;
            self.picture(&head).await;
        } else {
            self.missing_branch(&base).await;
        }
    }

    async fn make(&mut self) -> Option<Oid> {
        let since = Instant::now();
        let base = match self.bench.github.read(&[], &[], 1).await.map(|read| read.head) {
            Ok(Head::Missing(Some(base))) => base,
            Ok(Head::Missing(None)) => {
                self.rows.note(things::BRANCH, false, "The repository is empty: it needs a first commit.", None);
                return None;
            }
            // Whatever has this name is not the probe's to touch.
            Ok(Head::At(_)) => {
                self.rows.note(things::BRANCH, false, "A branch of that name already exists.", None);
                return None;
            }
            Err(fault) => {
                self.rows.fault(things::BRANCH, &fault, None);
                return None;
            }
        };
        self.made.note(Scratch::Branch);
        match self.bench.github.make_branch(&base).await {
            Ok(()) => {
                self.rows.note(things::BRANCH, true, "201", Some(millis(since)));
                Some(base)
            }
            Err(fault) => {
                self.rows.fault(things::BRANCH, &fault, Some(millis(since)));
                None
            }
        }
    }

    /// Commits as a move does. A note in the message keeps other workflows of the host from starting.
    async fn try_on(&self, base: &Oid, drawing: &str, branch: &str) -> Result<TriedCommit, Fault> {
        let change = Change {
            on: Some(base.clone()),
            files: vec![(self.picture_path(), drawing.to_owned())],
            headline: "The probe of Play by Commit tries a commit [skip ci]".to_owned(),
            body: String::new(),
            author: Author { id: 0, login: String::new(), bot: true },
            time: self.bench.github.now(),
        };
        scratch::try_commit(&self.bench.github, &change, branch).await
    }

    async fn commit(&mut self, base: &Oid) -> Option<Oid> {
        let since = Instant::now();
        let tried = self.try_on(base, DRAWING, &self.bench.name).await;
        let took = Some(millis(since));
        match tried.map(|tried| (told(&tried), tried.outcome)) {
            Ok((_, Ok(Committed::Landed(oid)))) => {
                self.rows.note(things::COMMIT, true, "It landed", took);
                return Some(oid);
            }
            Ok((told, Ok(Committed::Raced))) => self.rows.note(things::COMMIT, false, told, took),
            Ok((_, Err(fault))) | Err(fault) => self.rows.fault(things::COMMIT, &fault, took),
        }
        None
    }

    async fn commit_lag(&mut self, head: &Oid) {
        let (github, paths) = (&self.bench.github, [self.picture_path()]);
        let shown = until(async || {
            let read = github.read(&[], &paths, 1).await?;
            let file = read.pages.get(&paths[0]).cloned();
            Ok((read.head == Head::At(head.clone())).then_some(file))
        });
        match shown.await {
            Ok(Some((Some(File::Text(text)), late))) if text == DRAWING => {
                self.rows.note(things::COMMIT_LAG, late <= BEARABLE, behind(late), Some(late));
            }
            Ok(Some((_, late))) => self.rows.differs(
                things::COMMIT_LAG,
                "The new head, without the file of that very commit",
                "A run could use a position from another commit than the one it names. Don't play until this is \
                 understood.",
                Some(late),
            ),
            Ok(None) => self.rows.note(things::COMMIT_LAG, false, "It didn't show up within 8 seconds.", None),
            Err(fault) => self.rows.fault(things::COMMIT_LAG, &fault, None),
        }
    }

    async fn stale(&mut self, base: &Oid) {
        let tried = self.try_on(base, "<svg/>\n", &self.bench.name).await;
        self.refused(things::STALE_COMMIT, tried, Some("STALE_DATA"));
    }

    async fn missing_branch(&mut self, base: &Oid) {
        self.made.note(Scratch::MissingBranch);
        let branch = self.bench.missing();
        let tried = self.try_on(base, DRAWING, &branch).await;
        if tried.as_ref().is_ok_and(|tried| !matches!(tried.outcome, Ok(Committed::Landed(_)))) {
            self.made.forget(Scratch::MissingBranch);
        }
        self.refused(things::MISSING_BRANCH, tried, None);
    }

    /// Notes a commit that had to be refused as a lost race; by this type of error, if there is one to expect.
    fn refused(&mut self, thing: Thing, tried: Result<TriedCommit, Fault>, kind: Option<&str>) {
        let tried = match tried {
            Ok(tried) => tried,
            Err(fault) => return self.rows.fault(thing, &fault, None),
        };
        let told = told(&tried);
        match tried.outcome {
            Ok(Committed::Raced) if kind.is_none() || tried.kind.as_deref() == kind => {
                self.rows.note(thing, true, told, None);
            }
            Ok(Committed::Raced) => self.rows.differs(
                thing,
                told,
                "The bot knows a lost race by the words of the sentence alone. Once they change, a move that loses a race waits for the \
                 daily run.",
                None,
            ),
            Ok(Committed::Landed(_)) => self.rows.differs(
                thing,
                "It landed",
                "Two moves at once can overwrite each other. Don't play until this is understood.",
                None,
            ),
            Err(fault) => self.rows.differs(thing, format!("{told} ({fault})"), thing.consequence, None),
        }
    }

    async fn picture(&mut self, head: &Oid) {
        let links = Links {
            server: &self.bench.web.server,
            repository: &self.bench.web.repository,
            branch: &self.bench.name,
            state_dir: &self.bench.state_dir,
        };
        let in_answer = picture_address(&self.bench.web.pictures(head, &self.bench.state_dir), PICTURE);
        let since = Instant::now();
        let mut seen = Vec::new();
        for (place, address) in [("in answers", in_answer), ("on pages", links.picture(PICTURE, "1"))] {
            match visit(&address, VISIT).await {
                Ok(reply) => seen.push((
                    place,
                    reply.status == 200 && reply.kind == "image/svg+xml",
                    format!("{} {}", reply.status, reply.kind),
                )),
                Err(fault) => seen.push((place, false, fault.to_string())),
            }
        }
        let words: Vec<String> = seen.iter().map(|(place, _, what)| format!("{place}: {what}")).collect();
        let good = seen.iter().all(|(_, good, _)| *good);
        if !good && scratch::is_private(&self.bench.github).await.unwrap_or_default() {
            let told =
                format!("{}; the repository is private, so only people with access see pictures", words.join("; "));
            return self.rows.note(things::PICTURE, true, told, Some(millis(since)));
        }
        self.rows.note(things::PICTURE, good, words.join("; "), Some(millis(since)));
    }

    fn picture_path(&self) -> String {
        format!("{}/{PICTURE}", self.bench.state_dir)
    }
}

/// Returns GitHub's words about a commit.
fn told(tried: &TriedCommit) -> String {
    match (&tried.kind, tried.said.as_str()) {
        (None, "") => "No error".to_owned(),
        (None, said) => format!("An error without a type: {said}"),
        (Some(kind), said) => format!("`{kind}`: {said}"),
    }
}
