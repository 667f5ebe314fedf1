//! What every game has to keep to, checked for each one in the registry.

// The whole game that CONTRIBUTING.md shows, to be copied as it stands.
#[allow(unreachable_pub)]
#[path = "../../docs/domineering.rs"]
mod domineering;
mod drop_four;

use std::any::Any;
use std::collections::HashSet;
use std::rc::Rc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use kit::often;
use play_by_commit::answers::render::text;
use play_by_commit::game::board::Board;
use play_by_commit::game::board::drawing::still::Still;
use play_by_commit::game::board::drawing::strip::{Side, Standing, Strip};
use play_by_commit::game::board::drawing::{Drawing, Shape};
use play_by_commit::game::board::grid::Grid;
use play_by_commit::game::board::mosaic::Tile;
use play_by_commit::game::board::piece::{Look, Piece, piece};
use play_by_commit::game::contract::{Game, Interop, Rules, turn};
use play_by_commit::game::options::Options;
use play_by_commit::game::seat::Seat;
use play_by_commit::games::backgammon::game::Backgammon;
use play_by_commit::games::backgammon::points::Points;
use play_by_commit::games::checkers::board::{Checkered, Man as Draughtsman};
use play_by_commit::games::chess::config::GameConfig;
use play_by_commit::games::chess::game::Chess;
use play_by_commit::games::chess::squares::{Man, Squares};
use play_by_commit::games::hex::board::Hexagons;
use play_by_commit::games::marks::LOOKS;
use play_by_commit::games::registry::Kind;
use play_by_commit::games::registry::with_game;
use play_by_commit::games::ultimate_tic_tac_toe::boards::{Boards, Fate};

/// No playout of any game may go on for longer than this.
const MAX_PLIES: usize = 5_000;

fn default_config<G: Game>() -> G::Config {
    G::configure(&mut Options::default()).expect("a game can be set up without options")
}

/// Plays one game by the given choices, checking everything at each ply.
fn playout<G: Game>(config: &G::Config, choose: &mut impl FnMut(usize) -> usize) {
    let mut game = G::start(config).expect("the default setup can be started");
    let (mut last, mut told, mut named) = (None, false, [false; 2]);
    for ply in 0..MAX_PLIES {
        let legal = game.legal_moves();
        let waiting = game.awaits_throw();
        let nothing = game.outcome().is_some() || waiting;
        assert_eq!(legal.is_empty(), nothing, "no legal moves exactly at the end, and before a throw: {game:?}");
        check_position(config, &game);
        check_moves(&game, &legal);
        let board = game.board(last.as_ref());
        check_cells(&game, &legal, &*board);
        // To draw is most of the work, so some plies have to do.
        told |= (game.outcome().is_some() || ply % 5 == 2) && tells_seats_apart::<G>(&*board);
        let words = board.words();
        let said = |name: &str| words.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(name));
        named = [0, 1].map(|seat| named[seat] || said(G::INFO.seats[seat]));
        if waiting {
            game = game.thrown([1, 2].map(|_| 1 + choose(6) as u8));
            continue;
        }
        if legal.is_empty() {
            assert!(told, "the pieces of the two seats can be told apart");
            assert_eq!(named, [true; 2], "the words name the seats");
            return;
        }
        let mv = legal[choose(legal.len())].clone();
        game = turn(&game, &mv).expect("a legal move can be played");
        last = Some(mv);
    }
    panic!("{} does not end", G::INFO.name);
}

/// The words around a board that people at these seats would see.
fn strip(seats: [&'static str; 2]) -> Strip {
    let side = |seat: &'static str| Side {
        seat: seat.to_owned(),
        name: Some(seat.to_owned()),
        standing: Standing::Waiting,
        word: String::new(),
    };
    Strip { sides: seats.map(side), facts: String::new(), last: String::new() }
}

/// Whether a board says whose its pieces are. If text, words or drawing does, all three do: with the owners exchanged each
/// is another one. None does where there are no pieces, or both sides stand alike.
fn tells_seats_apart<G: Game>(board: &dyn Board) -> bool {
    let other = exchanged(board);
    let [drawing, exchanged] = [board, &*other].map(|board| {
        let mut drawing = board.drawing(&strip(G::INFO.seats), &Still::default());
        // The words around a drawing may tell the sides apart, too, but its shapes have to.
        let word = |shape: &Shape| matches!(shape, Shape::Element(line) if line.starts_with("<text"));
        drawing.layers.iter_mut().for_each(|layer| Rc::make_mut(layer).shapes.retain(|shape| !word(shape)));
        drawing
    });
    check_symbols(&drawing);
    let text = board.text().plain() != other.text().plain();
    let words = board.words() != other.words();
    assert_eq!([text, words, drawing != exchanged], [text; 3], "text, words and drawing: {}", board.words());
    text
}

/// Returns the board with the pieces of both seats exchanged, which must look, read and sound different.
fn exchanged(board: &dyn Board) -> Box<dyn Board> {
    let board: &dyn Any = board;
    if let Some(grid) = board.downcast_ref::<Grid>() {
        return Box::new(Grid { cells: pieces(&grid.cells, &grid.looks), ..grid.clone() });
    }
    if let Some(boards) = board.downcast_ref::<Boards>() {
        let won = |fate: &Fate| if let Fate::Won(seat) = fate { Fate::Won(seat.other()) } else { *fate };
        let fates = boards.fates.iter().map(won).collect();
        return Box::new(Boards { cells: pieces(&boards.cells, &LOOKS), fates, ..boards.clone() });
    }
    if let Some(squares) = board.downcast_ref::<Squares>() {
        let men = squares.men.map(|man| man.map(|man| Man { seat: man.seat.other(), ..man }));
        return Box::new(Squares { men, ..squares.clone() });
    }
    if let Some(hexagons) = board.downcast_ref::<Hexagons>() {
        let cells = hexagons.cells.iter().map(|seat| seat.map(Seat::other)).collect();
        return Box::new(Hexagons { cells, ..hexagons.clone() });
    }
    if let Some(board) = board.downcast_ref::<Checkered>() {
        let man = |man: &Option<Draughtsman>| man.map(|man| Draughtsman { seat: man.seat.other(), ..man });
        return Box::new(Checkered { squares: board.squares.iter().map(man).collect(), ..board.clone() });
    }
    let points: &Points = board.downcast_ref().expect("a kind of board whose pieces can be exchanged here");
    let stacks = points.points.map(|stack| stack.map(|(seat, count)| (seat.other(), count)));
    let ([first, second], [one, two]) = (points.bar, points.off);
    Box::new(Points { points: stacks, bar: [second, first], off: [two, one], ..points.clone() })
}

/// Returns the pieces on cells, each with its owner exchanged; the ordinary piece of a seat becomes that of the other.
fn pieces(cells: &[Option<Piece>], looks: &[Look; 2]) -> Vec<Option<Piece>> {
    let exchange = |one: Piece| {
        let other = piece(looks, one.seat.other());
        if one == piece(looks, one.seat) { other } else { Piece { seat: other.seat, ..one } }
    };
    cells.iter().map(|cell| cell.map(exchange)).collect()
}

/// No two symbols of a drawing have one id, and none looks like another one.
fn check_symbols(drawing: &Drawing) {
    let parts = drawing.symbols.iter().map(|symbol| {
        let (before, rest) = symbol.split_once(" id=\"").expect("a symbol has an id");
        let (id, after) = rest.split_once('"').unwrap();
        (id, format!("{before}{after}"))
    });
    let (ids, shapes): (HashSet<&str>, HashSet<String>) = parts.unzip();
    assert_eq!([ids.len(), shapes.len()], [drawing.symbols.len(); 2], "{:?}", drawing.symbols);
}

/// A move that belongs to a cell has it for itself, and whatever can be clicked is one picture of the board. Its rows are equally
/// wide, and each picture is a drawing as wide as it says; pictures of a row are equally high.
fn check_cells<G: Game>(game: &G, legal: &[G::Move], board: &dyn Board) {
    let cells: Vec<usize> = legal.iter().filter_map(|mv| game.cell(mv)).collect();
    let Some(mosaic) = board.mosaic(&|cell| cells.contains(&cell)) else {
        assert!(legal.iter().all(|mv| game.cell(mv).or(game.origin(mv)).is_none()), "no picture to click");
        return;
    };
    let tiles = || mosaic.rows.iter().flat_map(|row| &row.tiles);
    for (at, cell) in cells.iter().enumerate() {
        assert!(!cells[..at].contains(cell), "two moves belong to cell {cell}");
    }
    for cell in cells.iter().copied().chain(legal.iter().filter_map(|mv| game.origin(mv))) {
        let here: Vec<_> = tiles().filter(|tile| tile.cell == Some(cell)).collect();
        assert_eq!(here.len(), 1, "cell {cell} is somewhere, once");
        assert!(!here[0].words.is_empty(), "cell {cell} has words");
    }
    for row in &mosaic.rows {
        assert_eq!(row.tiles.iter().map(|tile| tile.width).sum::<u32>(), mosaic.width());
        let heights: HashSet<&str> = row.tiles.iter().map(check_tile).collect();
        assert_eq!(heights.len(), 1, "{heights:?}");
    }
}

/// A picture is a document with all that it refers to, of the width that it says. Its height.
fn check_tile(tile: &Tile) -> &str {
    let svg = roxmltree::Document::parse(&tile.picture).expect("it is XML");
    assert_eq!(svg.root_element().attribute("width"), Some(tile.width.to_string().as_str()));
    assert!(!["href", "url(", "\n\n"].iter().any(|strange| tile.picture.contains(strange)), "{}", tile.picture);
    tile.picture.split("height=\"").nth(1).unwrap().split('"').next().unwrap()
}

/// A position goes through JSON and comes back as the same game.
fn check_position<G: Game>(config: &G::Config, game: &G) {
    let text = serde_json::to_string(&game.position()).unwrap();
    let read: G::Position = serde_json::from_str(&text).expect("a position can be read back");
    let back = G::at(config, &read).expect("a position that was reached can be set up");
    assert_eq!(back.position(), game.position());
    assert_eq!(back.legal_moves(), game.legal_moves());
    assert_eq!(back.to_move(), game.to_move());
    assert_eq!(back.outcome(), game.outcome());
}

/// Every legal move is accepted, is read from its own notation, and goes through JSON; no two are written alike.
fn check_moves<G: Game>(game: &G, legal: &[G::Move]) {
    let case = |name: String| if G::CASE_COUNTS { name } else { name.to_lowercase() };
    let mut names: Vec<String> = legal.iter().map(|mv| case(game.notation(mv))).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), legal.len(), "no two moves are written alike");
    for mv in legal {
        let notation = game.notation(mv);
        assert_eq!(game.objection(mv), None, "{notation} is legal");
        let shouted = if G::CASE_COUNTS { notation.clone() } else { notation.to_uppercase() };
        for spelling in [notation.clone(), shouted, format!(" {notation}! ")] {
            assert_eq!(game.read(&spelling).as_ref(), Ok(mv), "{spelling:?}");
        }
        let json = serde_json::to_value(mv).unwrap();
        assert!(json.is_object(), "the fields of a move stand beside its notation: {json}");
        assert_eq!(&serde_json::from_value::<G::Move>(json).unwrap(), mv);
    }
}

/// Whatever is read is legal, or there is an objection to it; nothing panics.
fn check_text<G: Game>(text: &str) {
    let game = G::start(&default_config::<G>()).unwrap();
    if let Ok(mv) = game.read(text) {
        assert_eq!(game.legal_moves().contains(&mv), game.objection(&mv).is_none());
        assert_eq!(turn(&game, &mv).is_ok(), game.objection(&mv).is_none());
    }
    // Damaged JSON is refused or is a position; it never panics.
    if let Ok(position) = serde_json::from_str::<G::Position>(text) {
        drop(G::at(&default_config::<G>(), &position));
    }
    if let Ok(config) = serde_json::from_str::<G::Config>(text) {
        drop(G::start(&config));
    }
}

#[test]
fn playouts_end_and_everything_round_trips() {
    for kind in Kind::ALL {
        let mut runner =
            TestRunner::new(Config { cases: often(1, 12), failure_persistence: None, ..Config::default() });
        let choices = proptest::collection::vec(any::<usize>(), 64);
        let ran = runner.run(&choices, |choices| {
            let mut at = 0;
            let mut choose = |from: usize| {
                at += 1;
                choices[at % choices.len()].wrapping_add(at) % from
            };
            with_game!(*kind, G => playout::<G>(&default_config::<G>(), &mut choose));
            Ok(())
        });
        assert!(ran.is_ok(), "{kind:?}: {ran:?}");
    }
}

/// The setups that change how a game goes on, beside the default one.
#[test]
fn matches_and_cubes_round_trip_as_well() {
    for setup in ["match=3", "match=5", "cube=on", "match=2 cube=off", "cube=on jacoby=on", "overshoot=on"]
        .iter()
        .step_by(often(2, 1))
    {
        let pairs = setup.split(' ').filter_map(|pair| pair.split_once('='));
        let mut options =
            Options { pairs: pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect(), ..Options::default() };
        let config = Backgammon::configure(&mut options).expect("these are options");
        for seed in 1..=often(1, 12_u64) {
            let mut state = seed;
            playout::<Backgammon>(&config, &mut |from| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % from
            });
        }
    }
}

/// Kings and rooks that begin anywhere, and pawns that are about to become pieces.
#[test]
fn setups_of_chess_round_trip_as_well() {
    let promoting = GameConfig { fen: Some("7k/PPPP4/8/8/8/8/4pppp/K7 w - - 0 1".to_owned()), ..GameConfig::default() };
    let numbered = |number| GameConfig { chess960: Some(number), ..GameConfig::default() };
    for (at, config) in
        [promoting].into_iter().chain((0..often(1, 13)).map(|nth| numbered(nth * 397 % 960))).enumerate()
    {
        let mut state = at;
        playout::<Chess>(&config, &mut |from| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % from
        });
    }
}

#[test]
fn the_game_of_the_guide_is_one() {
    use domineering::{Config, Domineering};
    let start = Domineering::start(&Config {}).unwrap();
    assert_eq!([1, 2, 3].map(|depth| start.perft(depth)), [30, 800, 19_360]);
    for seed in 0..often(3, 40) {
        let mut at = seed;
        playout::<Domineering>(&Config {}, &mut |from| {
            at += 7;
            at % from
        });
    }
    for text in ["b4", "B 4!", "a7", "z9", "", "{}", r#"{"laid":[0,0]}"#, r#"{"laid":[99]}"#] {
        check_text::<Domineering>(text);
    }
}

#[test]
fn no_text_and_no_damage_makes_a_game_panic() {
    for kind in Kind::ALL {
        let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
        let position = with_game!(*kind, G => {
            let start = G::start(&default_config::<G>()).unwrap();
            serde_json::to_string(&start.position()).unwrap()
        });
        let damage = (any::<prop::sample::Index>(), ".{0,3}", 0_usize..6);
        let ran = runner.run(&(".{0,40}", damage), |(text, (at, put, cut))| {
            let at = at.index(position.len());
            let mut damaged = position.clone();
            damaged.replace_range(at..(at + cut).min(position.len()), &put);
            with_game!(*kind, G => {
                check_text::<G>(&text);
                check_text::<G>(&damaged);
            });
            Ok(())
        });
        assert!(ran.is_ok(), "{kind:?}: {ran:?}");
    }
}

#[test]
fn what_a_game_says_about_itself_can_be_shown() {
    for kind in Kind::ALL {
        let info = kind.info();
        assert!(info.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", info.name);
        assert_ne!(info.seats[0].to_lowercase(), info.seats[1].to_lowercase());
        for sentence in [info.summary.to_owned(), text(&info.how_to_move())] {
            assert!(sentence.ends_with('.'), "a sentence: {sentence}");
        }
        for name in [info.name].iter().chain(info.aliases) {
            assert_eq!(Kind::meant(name), Some(*kind), "no two games share the name {name}");
        }
    }
}
