//! Tests of table blocks: every link plays its move, and no block exceeds its size limit.

use answers::block::{MAX_BLOCK, MAX_LIST_BLOCK, block, block_without_table};
use answers::{Links, percent_encode};
use expect_test::expect_file;
use game::notation::normalize;
use games::GameKind;
use pulldown_cmark::{Event, Options, Parser, Tag};
use table::{Command, IssueNumber, ParsedComment, Table, parse_issue_body, state_file};
use testkit::{quick_or_full, short_or_long};

use super::{LINKS, TestRandom, apply_comment, legal_moves, play_comments};

/// Setups with options.
const SETUPS: [&str; 9] = [
    "tic-tac-toe size=9",
    "tic-tac-toe 15x15",
    "tic-tac-toe 19x19",
    "backgammon match=3",
    "backgammon cube=on jacoby=on",
    "backgammon overshoot=on",
    "backgammon match=2 cube=off",
    "chess chess960=random",
    "chess fen=7k/PPPP4/8/8/8/8/4pppp/K7_w_-_-_0_1",
];

/// The longest names that GitHub allows, and a branch that needs encoding.
const LONG_LINKS: Links<'static> = Links {
    server: "https://github.a-company-with-a-name-of-some-length.example",
    repository: concat!(
        "an-organisation-with-the-longest-name-ab/",
        "a-repository-with-the-longest-name-that-one-can-give-to-a-repository-which-is-one-hundred-characters"
    ),
    branch: "games/日本語#1 \"x\">(y)",
    state_dir: "state/of the games",
    use_form: false,
};

fn hex(byte: u8) -> u8 {
    char::from(byte).to_digit(16).expect("two hexadecimal digits") as u8
}

fn decode(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut decoded = Vec::new();
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' { hex(bytes.next().unwrap()) * 16 + hex(bytes.next().unwrap()) } else { byte });
    }
    String::from_utf8(decoded).unwrap()
}

/// Returns the URLs of all links of a page, as a browser would see them.
fn links(markdown: &str) -> Vec<String> {
    let mut links = Vec::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.into_string()),
            Event::Html(html) | Event::InlineHtml(html) => {
                let hrefs = html.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
                links.extend(hrefs.map(|href| href.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&")));
            }
            _ => {}
        }
    }
    links
}

/// Returns the title and the body that a link fills a new issue with.
fn issue_form(link: &str, target: &Links<'_>) -> Option<(String, String)> {
    let query = link.strip_prefix(&format!("{}/{}/issues/new?", target.server, target.repository))?;
    let (title, body) = query.split_once('&').unwrap();
    let (title, body) = (title.strip_prefix("title=").unwrap(), body.strip_prefix("body=").unwrap());
    for part in [title, body] {
        let unreserved = |b: u8| b.is_ascii_alphanumeric() || b"-._~%".contains(&b);
        assert!(part.bytes().all(unreserved), "strictly encoded: {part}");
    }
    Some((decode(title), decode(body)))
}

/// Returns the moves that an open game's block links to, read from the issue bodies. The first link asks the computer
/// to move.
fn linked_moves(text: &str, target: &Links<'_>) -> Vec<String> {
    let mut forms = links(text).into_iter().filter_map(|link| issue_form(&link, target));
    let (title, body) = forms.next().unwrap();
    assert_eq!(title, "Table 42: the computer");
    assert_eq!(parse_issue_body(&body), ParsedComment::Command(Command::Computer(None), Some(IssueNumber::new(42))));
    let moves = forms.map(|(title, body)| match parse_issue_body(&body) {
        ParsedComment::Command(Command::MoveAt(notation, Some(_)), Some(number)) if number == IssueNumber::new(42) => {
            let titled = if notation.is_empty() { "a move" } else { &notation };
            assert_eq!(title, format!("Table 42: {titled}"));
            notation
        }
        other => panic!("{body:?} is {other:?}"),
    });
    moves.collect()
}

/// Checks properties of every block.
fn check_block(text: &str) {
    assert!(text.len() <= MAX_BLOCK, "{} bytes", text.len());
    assert!(!text.contains('@'), "no mentions: {text}");
    assert!(text.lines().all(|line| line.trim_end() == line), "no trailing spaces");
    assert!(!text.contains("<!--"), "no comment that could be a marker");
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
        if let Event::Text(text) = event {
            let raw = ["**", "](", "<a", "`", "</"].into_iter().find(|sign| text.contains(sign));
            assert_eq!(raw, None, "all Markdown renders: {text}");
        }
    }
    let (opened, closed) = (text.matches("<details").count(), text.matches("</details>").count());
    assert_eq!(opened, closed);
    assert_eq!(text.matches("<table>").count(), text.matches("</table>").count());
}

/// Checks that the links of a running game's block are exactly the legal moves. Returns the block.
fn check_playing(table: &Table, target: &Links<'_>) -> String {
    let text = block(table, target).text;
    check_block(&text);
    let mut wanted = legal_moves(table);
    let mut linked_moves = linked_moves(&text, target);
    let has_more = linked_moves.last().is_some_and(String::is_empty);
    if has_more {
        linked_moves.pop();
        let left = wanted.len() - linked_moves.len();
        assert!(left > 0 && text.contains(&format!("\nThere are {left} more legal moves.")), "{left} are left: {text}");
        // One more link, perhaps with a heading, would not fit.
        assert!(
            (MAX_LIST_BLOCK - 600..=MAX_LIST_BLOCK).contains(&text.len()),
            "not as many moves as fit: {}",
            text.len()
        );
        assert!(linked_moves.iter().all(|notation| wanted.contains(notation)));
    } else {
        wanted.sort();
        linked_moves.sort();
        assert_eq!(linked_moves, wanted);
    }
    text
}

/// Returns the notation of the last event of a table.
fn last_notation(table: &Table) -> String {
    let record: serde_json::Value = serde_json::from_str(&state_file::to_json(table)).unwrap();
    record["history"].as_array().unwrap().last().unwrap()["notation"].as_str().unwrap().to_owned()
}

/// Plays up to `moves` random moves through the links of the blocks. Returns the size of the largest block.
fn play_through_links(setup: &str, seed: u64, moves: usize) -> usize {
    let mut random = TestRandom(seed);
    let open = parse_issue_body(&format!("/new {setup} seats=open gap=0"));
    let mut table = apply_comment(None, "alice", open, random.below(250) as u8).unwrap();
    let mut longest = 0;
    for ply in 0..moves {
        if !table.is_playing() {
            break;
        }
        let text = check_playing(&table, &LINKS);
        longest = longest.max(text.len()).max(check_playing(&table, &LONG_LINKS).len());
        let forms: Vec<_> = links(&text).iter().filter_map(|link| issue_form(link, &LINKS)).skip(1).collect();
        let (_, body) = &forms[random.below(legal_moves(&table).len().min(forms.len()))];
        let login = ["alice", "bob", "carol"][ply % 3];
        let ParsedComment::Command(Command::MoveAt(notation, Some(_)), _) = parse_issue_body(body) else {
            panic!("{body}")
        };
        if notation.is_empty() {
            continue;
        }
        table = apply_comment(Some(&table), login, parse_issue_body(body), random.below(250) as u8).expect(body);
        assert_eq!(last_notation(&table), notation, "the link played its move");
    }
    check_block(&block(&table, &LINKS).text);
    check_block(&block(&table, &LONG_LINKS).text);
    longest
}

#[test]
fn every_link_plays_its_move_in_every_game() {
    for kind in GameKind::ALL {
        for seed in 0..short_or_long(1, 3) {
            let longest = play_through_links(kind.info().name, seed + 1, short_or_long(quick_or_full(12, 25), 60));
            println!("{}: at most {longest} bytes", kind.info().name);
        }
    }
    for (setup, seed) in SETUPS.iter().zip(10..) {
        let longest = play_through_links(setup, seed, 12);
        println!("{setup}: at most {longest} bytes");
    }
}

/// Promotions with check, whose URLs need encoding.
const CHECKS: &str = "chess fen=3r3k/4P3/8/8/8/8/8/4K3_w_-_-_0_1";

/// The game must parse each link's notation as the move itself.
#[test]
fn each_link_of_a_position_plays_its_own_move() {
    for setup in ["ultimate-tic-tac-toe", "backgammon", "tic-tac-toe size=9", "chess", CHECKS] {
        let table = play_comments(&[&format!("alice: /new {setup} seats=open")]);
        for notation in linked_moves(&block(&table, &LINKS).text, &LINKS) {
            let body = format!("/move {notation} #42");
            let after = apply_comment(Some(&table), "bob", parse_issue_body(&body), 9).expect(&notation);
            assert_eq!(last_notation(&after), notation);
        }
    }
}

#[track_caller]
fn check_golden(name: &str, lines: &[&str]) {
    let text = block(&play_comments(lines), &LINKS).text;
    check_block(&text);
    expect_file![format!("{}/tests/pages/{name}.md", env!("CARGO_MANIFEST_DIR"))].assert_eq(&format!("{text}\n"));
}

#[test]
fn blocks_match_golden_files() {
    check_golden(
        "open_table",
        &["alice: /new tic-tac-toe seats=open", "bob: /move b2", "carol: /move a1", "dave: /move c3"],
    );
    check_golden("open_seat", &["alice: /new tic-tac-toe 4x4", "alice: b2"]);
    check_golden("reserved_seat", &["alice_octo: /new tic-tac-toe @bob_octo", "alice_octo: b2"]);
    check_golden("won", &["alice: /new ttt @bob", "alice: b2", "bob: a1", "alice: a2", "bob: b1", "alice: c2"]);
    check_golden(
        "open_won",
        &[
            "alice: /new ttt seats=open gap=0",
            "bob: /move b2",
            "carol: /move a1",
            "bob: /move a2",
            "carol: /move b1",
            "dave: /move c2",
        ],
    );
    check_golden("drawn_by_word", &["alice: /new ttt @bob", "alice: b2", "bob: /draw", "alice: /accept"]);
    check_golden("ultimate", &["alice: /new ultimate-tic-tac-toe seats=open", "bob: /move e5", "carol: /move d6"]);
    check_golden("ultimate_start", &["alice: /new ultimate-tic-tac-toe seats=open"]);
    check_golden("backgammon", &["alice: /new backgammon @bob"]);
    check_golden("cube", &["alice: /new backgammon match=3 seats=open", "bob: /move *", "carol: /move double"]);
    check_golden("chess", &["alice: /new chess seats=open", "bob: /move e4", "carol: /move c5"]);
    check_golden("checkers", &["alice: /new checkers @bob", "alice: 11-15"]);
    check_golden("connect_four", &["alice: /new connect-four seats=open", "bob: /move d"]);
    check_golden("hex", &["alice: /new hex size=5 @bob", "alice: c3"]);
    check_golden("hex_wide", &["alice: /new hex size=14 @bob", "alice: c3"]);
    check_golden("othello", &["alice: /new othello @bob", "alice: d3"]);
    check_golden("gomoku", &["alice: /new tic-tac-toe 15x15 @bob", "alice: h8"]);
    check_golden("round_two", &["alice: /new ttt @bob", "alice: b2", "bob: a1", "alice: /resign", "bob: /rematch"]);
    let text = block_without_table(IssueNumber::new(42), &LINKS, GameKind::ALL);
    check_block(&text);
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pages/nobody.md")].assert_eq(&format!("{text}\n"));
}

/// Returns the tiles of a line: the link, if any, the width in hundredths of a percent, and the alternative text.
fn tiles(line: &str) -> Vec<(Option<String>, u32, String)> {
    let tiles = line.split("</a>").filter(|part| part.contains("<img "));
    let attribute = |tile: &str, name: &str| {
        let value = tile.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0;
        Some(value.replace("&amp;", "&"))
    };
    let read = |tile: &str| {
        assert!(tile.starts_with("<a"), "GitHub would link an image without a link: {tile}");
        let width = attribute(tile, "width").unwrap();
        let (whole, part) =
            width.strip_suffix('%').unwrap().split_once('.').unwrap_or((width.trim_end_matches('%'), "0"));
        let width = whole.parse::<u32>().unwrap() * 100 + format!("{part:0<2}").parse::<u32>().unwrap();
        (attribute(tile, "href"), width, attribute(tile, "alt").unwrap())
    };
    tiles.map(read).collect()
}

/// A row is as wide as the board and never wider, and a tile names the move that its link plays.
#[test]
fn a_tile_plays_the_move_it_names() {
    for (setup, cells) in [
        ("tic-tac-toe", 9),
        ("tic-tac-toe 19x19", 361),
        ("ultimate-tic-tac-toe", 81),
        ("connect-four", 7),
        ("othello", 4),
        ("hex", 121),
    ] {
        let table = play_comments(&[&format!("alice: /new {setup} seats=open")]);
        let block = block(&table, &LINKS);
        let mut links = 0;
        for line in block.text.lines().filter(|line| line.contains("/state/tiles/")) {
            assert!(line.ends_with("</a><br>") && !line.contains("</a> "), "no space between tiles: {line}");
            let tiles = tiles(line);
            let width: u32 = tiles.iter().map(|(_, width, _)| width).sum();
            assert!((9_970..=10_000).contains(&width), "{setup}: {width}");
            for (link, _, words) in &tiles {
                let Some((_, body)) = link.as_ref().and_then(|link| issue_form(link, &LINKS)) else { continue };
                let ParsedComment::Command(Command::MoveAt(notation, Some(_)), Some(number)) = parse_issue_body(&body)
                else {
                    panic!("{body}")
                };
                assert_eq!(number, IssueNumber::new(42));
                let cell = words.split(':').next().unwrap();
                // In connect four, a move is a column.
                let expected = if setup == "connect-four" { format!("{notation}1") } else { notation };
                assert_eq!(cell, expected);
                links += 1;
            }
        }
        assert_eq!(links, cells, "{setup}");
        assert!(block.tiles.len() <= 50, "{setup}: {} tiles", block.tiles.len());
    }
}

/// A piece links to its moves, which link back to the board. Nothing else on the board is a link.
#[test]
fn a_piece_links_to_its_moves() {
    let (chess, checkers) = (["bob: /move e4"], ["bob: /move 11-15"]);
    for (setup, lines, pieces) in [("chess", &chess, 10), ("checkers", &checkers, 4)] {
        let open = format!("alice: /new {setup} seats=open");
        let lines: Vec<&str> = std::iter::once(open.as_str()).chain(lines.iter().copied()).collect();
        let text = block(&play_comments(&lines), &LINKS).text;
        let board = text.lines().filter(|line| line.contains("/state/tiles/")).flat_map(tiles);
        let links: Vec<(String, String)> = board.filter_map(|(link, _, words)| Some((link?, words))).collect();
        assert_eq!(links.len(), pieces, "{links:?}");
        for (link, words) in links {
            let name = link.strip_prefix("#user-content-").expect("an anchor with GitHub's prefix");
            let moves: Vec<&str> =
                text.lines().filter(|line| line.starts_with(&format!("<a name=\"{name}\"></a>"))).collect();
            assert_eq!(moves.len(), 1, "{name}");
            let square = words.split(':').next().unwrap();
            assert!(moves[0].split(": ").next().unwrap().ends_with(&format!(" {square}")), "{words}: {}", moves[0]);
            let count = moves[0].matches("issues/new").count();
            assert!(
                words.ends_with(&format!(", {count} move{}", if count == 1 { "" } else { "s" })),
                "{words}: {count}"
            );
            assert!(moves[0].ends_with(" · [the board](#user-content-table-42)"));
        }
        assert_eq!(text.matches("<a name=\"table-42\"></a>").count(), 1);
    }
}

/// The links of a finished game's block.
#[test]
fn finished_games_link_to_the_next_game() {
    let over = play_comments(&["alice: /new ttt @bob", "alice: b2", "bob: a1", "alice: /resign"]);
    let forms: Vec<_> = links(&block(&over, &LINKS).text).iter().filter_map(|link| issue_form(link, &LINKS)).collect();
    let commands: Vec<_> = forms.iter().map(|(_, body)| parse_issue_body(body)).collect();
    let new =
        |words: &[&str]| ParsedComment::Command(Command::New(words.iter().map(|w| (*w).to_owned()).collect()), None);
    assert_eq!(commands, [ParsedComment::Command(Command::Rematch, Some(IssueNumber::new(42))), new(&["tic-tac-toe"])]);

    let open = play_comments(&["alice: /new ttt seats=open", "bob: /move b2"]);
    let won = {
        let mut table = open.clone();
        for (login, cell) in [("carol", "a1"), ("bob", "a2"), ("carol", "b1"), ("bob", "c2")] {
            table = apply_comment(Some(&table), login, parse_issue_body(&format!("/move {cell}")), 1).unwrap();
        }
        table
    };
    let forms: Vec<_> = links(&block(&won, &LINKS).text).iter().filter_map(|link| issue_form(link, &LINKS)).collect();
    assert_eq!(parse_issue_body(&forms[1].1), new(&["tic-tac-toe", "seats=open"]));

    let new_game_forms: Vec<_> = links(&block_without_table(IssueNumber::new(7), &LINKS, GameKind::ALL))
        .iter()
        .filter_map(|link| issue_form(link, &LINKS))
        .collect();
    assert_eq!(new_game_forms.len(), GameKind::ALL.len());
    for ((title, body), kind) in new_game_forms.iter().zip(GameKind::ALL) {
        assert!(normalize(title).ends_with(&normalize(kind.info().title)));
        assert_eq!(parse_issue_body(body), new(&[kind.info().name]));
    }
}

/// A picture's URL changes after each event, including a takeback.
#[test]
fn a_picture_gets_a_new_url_after_each_event() {
    // This board is too wide to be clickable.
    let lines =
        ["alice: /new hex size=19 seats=open", "bob: /move b2", "bob: /undo", "carol: /move a1", "carol: /undo"];
    let picture_url = |lines: &[&str]| {
        let text = block(&play_comments(lines), &LINKS).text;
        let from = text.find("src=\"").unwrap() + 5;
        text[from..].split('"').next().unwrap().to_owned()
    };
    let mut all: Vec<_> = (1..=lines.len()).map(|count| picture_url(&lines[..count])).collect();
    assert_eq!(all[1], "https://github.com/octo-org/games/blob/main/state/42.svg?raw=true&amp;v=1.2");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), lines.len());
}

#[test]
fn encodes_urls() {
    assert_eq!(percent_encode("/move 13/7* #42\n\n~é\"<>`"), "%2Fmove%2013%2F7%2A%20%2342%0A%0A~%C3%A9%22%3C%3E%60");
    let picture = LONG_LINKS.picture("42.svg", "1.2");
    assert!(
        picture.ends_with("/blob/games/%E6%97%A5%E6%9C%AC%E8%AA%9E%231%20%22x%22%3E%28y%29/state/of%20the%20games/42.svg?raw=true&v=1.2"),
        "{picture}"
    );
    let odd = Links { server: "https://x.example/\"><script>", repository: "a b/c)d", ..LINKS };
    assert_eq!(odd.issue(IssueNumber::new(3)), "https://x.example/script/a%20b/c%29d/issues/3");
}
