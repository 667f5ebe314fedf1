//! Stories that begin in a copy: their repository has records of another one, whose issues aren't here.

use std::sync::{Arc, LazyLock};

use table::{GameSummary, RepositoryId, Table};

use crate::Scenario;
use crate::simulator::core::Violate;
use crate::simulator::rng::mix;
use crate::simulator::table_history::Files;
use crate::simulator::{Core, Mode, Story};
use crate::world::{FIRST_REPOSITORY, Issue, Note};

/// The issue before the foreign ones. Stories have fewer.
const LAST_ISSUE: u64 = 9_000;
/// The players of the foreign games, who never write in a story.
const PLAYERS: [&str; 2] = ["zelda", "yusuf"];

/// The files of two games: the clock of the first has long run out, and the second isn't bound to a repository.
static FILES: LazyLock<Files> = LazyLock::new(|| {
    let [zelda, yusuf] = PLAYERS;
    let other = Scenario::new();
    other.change(|state| {
        state.repository_id += 1;
        // They are nobody in the story.
        for (login, id) in PLAYERS.into_iter().zip(8_001..) {
            state.person(login).id = id;
        }
        let (author, text) = (Some("host".to_owned()), String::new());
        let body = Note { id: 0, author, text, created: state.now, edited: None, editor: None, minimized: false };
        state.issues.insert(LAST_ISSUE, Arc::new(Issue::new(body)));
    });
    let bound = other.open(zelda, &format!("/new tic-tac-toe @{yusuf} per-move=1d"));
    let unbound = other.open(zelda, &format!("/new tic-tac-toe @{yusuf}"));
    let tables = [bound, unbound].map(|issue| {
        other.post(issue, zelda, "b2");
        other.post(issue, yusuf, "a1");
        other.table(issue)
    });
    let [bound, unbound] = tables;
    let games = [bound, unbound.with_repository(None)];
    games.iter().flat_map(files_of).collect()
});

fn files_of(table: &Table) -> [(String, String); 2] {
    let game = GameSummary::from_table(table).expect("a game in progress");
    let issue = table.issue();
    [
        (format!("state/{issue}.json"), table::state_file::to_json(table)),
        (format!("state/running/{issue}.json"), game.to_json()),
    ]
}

/// Returns the files of another repository that a story begins with. Most stories have none.
pub(super) fn files(story: &Story) -> impl Iterator<Item = (String, String)> {
    let is_copy = mix(story.seed, 53).is_multiple_of(4);
    let files = FILES.iter().map(|(path, text)| (path.clone(), text.clone()));
    files.filter(move |_| is_copy)
}

/// Whether a record or a summary is bound to the other repository.
pub(super) fn is_foreign(repository: Option<RepositoryId>) -> bool {
    repository.is_some_and(|id| id.get() != FIRST_REPOSITORY)
}

/// Checks that the other repository's files are as they were, and that the bot wrote to nobody because of them.
pub(super) fn check(story: &Story, core: &Core, violate: &mut Violate<'_>) {
    let Some(head) = core.state.head_files() else { return };
    for (path, text) in files(story) {
        // The games' own branch may have begun without them.
        let is_same = head.get(&path).is_some_and(|now| *now == text);
        let was_there = story.mode != Mode::Wrecked || head.contains_key(&path);
        if !is_same && was_there {
            violate("copy", format!("{path} belongs to another repository, and it changed"));
        }
    }
    for answer in &core.ledger.answers {
        if PLAYERS.iter().any(|login| answer.body.contains(login)) {
            violate("copy", format!("the bot wrote to a player of another repository: {}", answer.body));
        }
    }
}
