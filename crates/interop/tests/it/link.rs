//! Links to lichess's analysis board and to HexWorld, read by second readers.

use game::{Notation, Rules, Seat};
use games::chess::pgn::parse_games;
use games::hex::{self, Hex};
use interop::import::import_game;
use interop::{GameLink, link};
use proptest::prelude::*;
use table::{IssueNumber, Table, UserId};
use testkit::Scenario;

use super::played::play;

const WHOLE_GAME: &str = "Analyze it on lichess";

fn linked(opened: &str, moves: &[&str]) -> (Table, GameLink) {
    let turns = ["alice", "bob"].into_iter().cycle().zip(moves).map(|(login, mv)| format!("{login}: {mv}"));
    let turns: Vec<String> = turns.collect();
    let scenario = Scenario::played(opened, &turns.iter().map(String::as_str).collect::<Vec<_>>());
    let table = scenario.table(1);
    let link = link(&table).unwrap();
    (table, link)
}

/// Returns the PGN that lichess reads: it decodes the path, and reads underscores as spaces.
fn decoded(url: &str) -> String {
    let text = url.strip_prefix("https://lichess.org/analysis/pgn/").unwrap_or_else(|| panic!("{url}"));
    text.replace("%5B", "[").replace("%5D", "]\n").replace("%22", "\"").replace('_', " ") + "\n"
}

/// Imports the PGN in a link, and checks that the game ends in the same position.
fn assert_same_game(table: &Table, url: &str) {
    let text = decoded(url);
    let game = parse_games(&text).next().unwrap().unwrap_or_else(|error| panic!("{error:?} in {text}"));
    let people = [(UserId::new(1), "ann".to_owned()), (UserId::new(2), "ben".to_owned())];
    let imported =
        import_game(&game, IssueNumber::new(7), &people).unwrap_or_else(|error| panic!("{error:?} in {text}"));
    assert_eq!((imported.plies().len(), imported.game().fen()), (table.plies().len(), table.game().fen()), "{url}");
}

#[test]
fn the_link_has_the_moves_of_the_game() {
    let (table, GameLink { label, url }) =
        linked("/new chess @bob", &["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]);
    assert_eq!((url.as_str(), label), ("https://lichess.org/analysis/pgn/e4_e5_Bc4_Nc6_Qh5_Nf6_Qxf7", WHOLE_GAME));
    assert_same_game(&table, &url);
}

#[test]
fn another_start_is_in_the_tags() {
    let (table, GameLink { label, url }) = linked("/new chess @bob fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", &["e4"]);
    let expected = "https://lichess.org/analysis/pgn/%5BFEN_%224k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1%22%5D_e4";
    assert_eq!((url.as_str(), label), (expected, WHOLE_GAME));
    assert_same_game(&table, &url);
    let (table, GameLink { label, url }) = linked("/new chess960 7 @bob", &["d4", "d5"]);
    let expected = "https://lichess.org/analysis/pgn/%5BVariant_%22Chess960%22%5D_%5BFEN_%22";
    assert!(url.starts_with(expected) && url.ends_with("_0_1%22%5D_d4_d5") && label == WHOLE_GAME, "{url}");
    assert_same_game(&table, &url);
}

#[test]
fn a_game_without_moves_is_only_a_position() {
    let (_, GameLink { label, url }) = linked("/new chess960 7 @bob", &[]);
    assert!(url.starts_with("https://lichess.org/analysis/chess960/"), "{url}");
    assert_eq!(label, "Analyze the final position on lichess");
}

/// A cell as its column and row, from 0.
type Cell = (usize, usize);

/// Replays a link as [HexWorld's documentation](https://hexworld.org/board/about.html) says, and returns the size, the stones of
/// both players, and who gave up, if anyone did: `b` or `w`.
fn read_hexworld(url: &str) -> (usize, [Vec<Cell>; 2], Option<char>) {
    let hash = url.strip_prefix("https://hexworld.org/board/#").unwrap_or_else(|| panic!("{url}"));
    let (head, mut rest) = hash.split_once(',').unwrap();
    let size: usize = head.strip_suffix("c1").unwrap().parse().unwrap();
    let (mut stones, mut plies, mut loser) = ([Vec::new(), Vec::new()], 0, None);
    while !rest.is_empty() {
        assert_eq!(loser, None, "{url}");
        let end = rest.char_indices().skip(2).find(|(_, c)| !c.is_ascii_digit() && !rest.starts_with(':'));
        let length = if rest.starts_with(":s") {
            2
        } else if rest.starts_with(':') {
            3
        } else {
            end.map_or(rest.len(), |(at, _)| at)
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        match word.strip_prefix(':') {
            Some("s") => {
                assert_eq!(plies, 1, "{url}");
                let (column, row) = stones[0].pop().unwrap();
                stones[1].push((row, column));
            }
            Some(ending) => {
                assert!(ending.starts_with(['r', 'f']), "{url}");
                loser = ending.chars().nth(1);
                continue;
            }
            None => {
                let column = usize::from(word.as_bytes()[0] - b'a');
                let row = word[1..].parse::<usize>().unwrap() - 1;
                let is_taken = stones.iter().flatten().any(|stone| *stone == (column, row));
                assert!(column < size && row < size && !is_taken, "{word} in {url}");
                stones[plies % 2].push((column, row));
            }
        }
        plies += 1;
    }
    (size, stones, loser)
}

/// The first link is in a test of [PlayHex](https://github.com/alcalyn/hex), which has its own writer of these links.
#[test]
fn hexworld_gets_the_swap_and_the_end() {
    let moves = ["b3", "swap", "c6", "i9", "c4"];
    let (_, GameLink { label, url }) = linked("/new hex 9x9 @bob", &moves);
    assert_eq!((url.as_str(), label), ("https://hexworld.org/board/#9c1,b3:sc6i9c4", "Explore it on HexWorld"));
    let (_, resigned) = linked("/new hex 9x9 @bob", &[&moves[..], &["/resign"]].concat());
    assert_eq!(resigned.url, format!("{url}:rw"));
    // Without moves, it's an empty board.
    assert_eq!(linked("/new hex @bob", &[]).1.url, "https://hexworld.org/board/#11c1,");
}

#[test]
fn a_game_lost_on_time_is_forfeited() {
    let scenario = Scenario::played("/new hex 5x5 @bob per-move=1d", &["alice: a1", "bob: b2"]);
    scenario.change(|state| state.now += 25 * 60 * 60_000);
    scenario.post(1, "bob", "/claim");
    assert_eq!(link(&scenario.table(1)).unwrap().url, "https://hexworld.org/board/#5c1,a1b2:fb");
}

#[test]
fn other_games_have_no_link() {
    let scenario = Scenario::played("/new othello @bob", &["alice: d3"]);
    assert_eq!(link(&scenario.table(1)), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn another_reader_finds_the_stones_of_a_hex_game(
        size in 3usize..=19,
        swaps in any::<bool>(),
        moves in prop::collection::vec(any::<usize>(), 0..80),
        resigns in any::<bool>(),
    ) {
        let config = hex::GameConfig { board_size: size, swap: true };
        let mut moves = moves;
        // The swap is the last legal move of the second ply.
        if let Some(second) = moves.get_mut(1).filter(|_| swaps) {
            *second = size * size - 1;
        }
        let table = play::<Hex>(config, &moves, resigns);
        let (read_size, stones, loser) = read_hexworld(&link(&table).unwrap().url);
        let hex = table.game().downcast::<Hex>().unwrap();
        prop_assert_eq!(read_size, size);
        for cell in 0..size * size {
            let stone = (cell % size, cell / size);
            let owner = Seat::BOTH.into_iter().find(|seat| stones[seat.index()].contains(&stone));
            prop_assert_eq!(owner, hex.stone(cell), "{}", hex.notation(&hex::Move { position: cell as u32, swap: false }));
        }
        let expected = if resigns && hex.outcome().is_none() { Some(['b', 'w'][hex.side_to_move().index()]) } else { None };
        prop_assert_eq!(loser, expected);
    }

    #[test]
    fn lichess_gets_the_whole_game_from_any_chess960_position(
        chess960 in 0u16..960,
        moves in prop::collection::vec(any::<usize>(), 1..120),
    ) {
        let config = games::chess::GameConfig { chess960: Some(chess960), chosen: true, ..Default::default() };
        let table = play::<games::chess::Chess>(config, &moves, false);
        let GameLink { label, url } = link(&table).unwrap();
        prop_assert_eq!(label, WHOLE_GAME);
        assert_same_game(&table, &url);
    }
}
