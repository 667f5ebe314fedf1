//! Plays a year of ten moves a day, and prints its commits for `git fast-import`, to measure what the lists cost in git.
//!
//! ```text
//! for lists in with without; do
//!   git init -q --bare $lists.git
//!   cargo run --profile test -p play-by-commit-testkit --example year_in_git -- $lists | git -C $lists.git fast-import --quiet
//!   git -C $lists.git repack -adfq && ls -l $lists.git/objects/pack/*.pack
//! done
//! ```
//!
//! Up to twenty games are in progress, each between two of ten people, and a page shows the list of tables. `without` leaves out
//! the files of the games in progress and the file of that list.

use std::collections::BTreeMap;
use std::io::{Write, stdout};

use games::Random;
use testkit::Scenario;
use testkit::world::Commit;

const COMMITS: usize = 3_650;
const GAMES_AT_ONCE: usize = 20;
/// The time between two moves, in milliseconds.
const PAUSE: u64 = 24 * 3_600_000 / 10;
const PAGE: &str = "# Games\n\n<!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n";
const GAMES: [&str; 7] = ["chess", "checkers", "connect-four", "hex size=7", "othello", "tic-tac-toe", "ultimate"];

fn main() {
    let with_lists = std::env::args().nth(1).is_none_or(|word| word != "without");
    let world = play();
    world.with_state(|state| {
        let mut commits: Vec<&Commit> = Vec::new();
        let mut at = state.branches.get(state.state_branch());
        while let Some(commit) = at.map(|oid| &state.commits[oid]) {
            commits.push(commit);
            at = commit.parent.as_ref();
        }
        let none = BTreeMap::new();
        let (mut out, mut before) = (stdout().lock(), &none);
        for (number, commit) in commits.into_iter().rev().enumerate() {
            let is_kept =
                |path: &&String| with_lists || !path.starts_with("state/running/") && *path != "state/tables.json";
            let message = format!("{}\n\n{}", commit.headline, commit.body);
            let time = 1_760_000_000 + number as u64 * PAUSE / 1_000;
            let mut text = format!("commit refs/heads/main\ncommitter Bot <bot@example.org> {time} +0000\n");
            text.push_str(&format!("data {}\n{message}\n", message.len()));
            for (path, file) in commit.files.iter().filter(|(path, _)| is_kept(path)) {
                if before.get(path) != Some(file) {
                    text.push_str(&format!("M 100644 inline {path}\ndata {}\n{file}\n", file.len()));
                }
            }
            for path in before.keys().filter(|path| is_kept(path) && !commit.files.contains_key(*path)) {
                text.push_str(&format!("D {path}\n"));
            }
            before = &commit.files;
            out.write_all(text.as_bytes()).expect("a reader");
        }
    });
}

/// Plays random games until there are enough commits.
fn play() -> Scenario {
    let world = Scenario::new();
    world.land(&[("README.md", PAGE)]);
    let (mut random, mut running) = (Random::new(1), Vec::new());
    while world.with_state(|state| state.commits.len()) < COMMITS {
        world.change(|state| state.now += PAUSE);
        if running.len() < GAMES_AT_ONCE {
            let (one, game) = (random.below(10), GAMES[random.below(GAMES.len())]);
            let players = [format!("player-{one}"), format!("player-{}", (one + 1 + random.below(9)) % 10)];
            let issue = world.open(&players[0], &format!("/new {game} @{}", players[1]));
            running.push((issue, players));
            continue;
        }
        let at = random.below(running.len());
        let (issue, players) = &running[at];
        let table = world.table(*issue);
        let moves = table.game().legal_moves();
        let mv = &moves[random.below(moves.len())];
        let (side, mv) = (table.player_to_move().index(), table.game().notation(mv));
        world.post(*issue, &players[side], &format!("/move {mv}"));
        if !world.table(*issue).is_playing() {
            running.remove(at);
        }
    }
    world
}
