//! Checks that a game keeps to the contract. Tests call them, and they panic where it does not.

#![allow(clippy::expect_used, clippy::panic, reason = "a check that fails is a test that fails")]

use std::collections::HashSet;
use std::rc::Rc;

use serde_json::Value;

use crate::board::Board;
use crate::board::drawing::caption::{Caption, CaptionSide, SideStatus};
use crate::board::drawing::shared_layers::SharedLayers;
use crate::board::drawing::{Drawing, Shape};
use crate::board::tile_board::Tile;
use crate::contract::{Display, Explain, Game, Interop, Notation, apply_move};
use crate::options::Options;

/// No playout of any game may go on for longer than this.
const MAX_PLIES: usize = 5_000;

/// Returns the setup of a table that was opened without options.
pub fn default_config<G: Game>() -> G::Config {
    G::configure(&mut Options::default()).expect("a game can be set up without options")
}

/// Plays one game, checks everything at each ply, and returns the positions. `choose` picks a number below the given one.
pub fn play_out<G: Game>(config: &G::Config, choose: &mut dyn FnMut(usize) -> usize) -> Vec<G> {
    let mut game = G::start(config).expect("the default setup can be started");
    let (mut last, mut told, mut named, mut positions) = (None, false, [false; 2], Vec::new());
    for ply in 0..MAX_PLIES {
        let legal = game.legal_moves();
        let waiting = game.needs_roll();
        let nothing = game.outcome().is_some() || waiting;
        assert_eq!(legal.is_empty(), nothing, "no legal moves exactly at the end, and before a throw: {game:?}");
        check_position(config, &game);
        positions.push(game.clone());
        check_moves(&game, &legal);
        let board = game.board(last.as_ref());
        check_cells(&game, &legal, &*board);
        // To draw is most of the work, so some plies have to do.
        told |= (game.outcome().is_some() || ply % 5 == 2) && tells_seats_apart::<G>(&*board);
        let words = board.description();
        let said = |name: &str| words.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(name));
        named = [0, 1].map(|seat| named[seat] || said(G::INFO.seats[seat]));
        if waiting {
            game = game.with_roll([1, 2].map(|_| 1 + choose(6) as u8));
            continue;
        }
        if legal.is_empty() {
            assert!(told, "the pieces of the two seats can be told apart");
            assert_eq!(named, [true; 2], "the words name the seats");
            return positions;
        }
        let mv = legal[choose(legal.len())].clone();
        game = apply_move(&game, &mv).expect("a legal move can be played");
        last = Some(mv);
    }
    panic!("{} does not end", G::INFO.name);
}

/// Whatever is read is legal, or there is an objection to it; nothing panics.
pub fn check_parsing<G: Game>(text: &str) {
    let game = G::start(&default_config::<G>()).expect("the default setup can be started");
    if let Ok(mv) = game.parse_move(text) {
        assert_eq!(game.legal_moves().contains(&mv), game.legality_error(&mv).is_none());
        assert_eq!(apply_move(&game, &mv).is_ok(), game.legality_error(&mv).is_none());
    }
}

/// A damaged position or setup is refused or is one; it never panics.
pub fn check_json<G: Game>(value: &Value) {
    if let Ok(position) = serde_json::from_value::<G::Position>(value.clone()) {
        drop(G::from_position(&default_config::<G>(), &position));
    }
    if let Ok(config) = serde_json::from_value::<G::Config>(value.clone()) {
        drop(G::start(&config));
    }
}

/// The words around a board that people at these seats would see.
pub fn sample_caption(seats: [&'static str; 2]) -> Caption {
    let side = |seat: &'static str| CaptionSide {
        seat_name: seat.to_owned(),
        player: Some(seat.to_owned()),
        status: SideStatus::Waiting,
        status_text: String::new(),
    };
    Caption { sides: seats.map(side), setup: String::new(), last_move: String::new() }
}

/// Whether a board says whose its pieces are. If text, words or drawing does, all three do: with the owners exchanged each
/// is another one. None does where there are no pieces, or both sides stand alike.
fn tells_seats_apart<G: Game>(board: &dyn Board) -> bool {
    let other = board.with_seats_swapped();
    let [drawing, exchanged] = [board, &*other].map(|board| {
        let mut drawing = board.drawing(&sample_caption(G::INFO.seats), &SharedLayers::default());
        // The words around a drawing may tell the sides apart, too, but its shapes have to.
        let word = |shape: &Shape| matches!(shape, Shape::Element(line) if line.starts_with("<text"));
        drawing.layers.iter_mut().for_each(|layer| Rc::make_mut(layer).shapes.retain(|shape| !word(shape)));
        drawing
    });
    check_symbols(&drawing);
    let text = board.text().plain() != other.text().plain();
    let words = board.description() != other.description();
    assert_eq!([text, words, drawing != exchanged], [text; 3], "text, words and drawing: {}", board.description());
    text
}

/// No two symbols of a drawing have one id, and none looks like another one.
fn check_symbols(drawing: &Drawing) {
    let parts = drawing.symbols.iter().map(|symbol| {
        let (before, rest) = symbol.split_once(" id=\"").expect("a symbol has an id");
        let (id, after) = rest.split_once('"').expect("an id ends");
        (id, format!("{before}{after}"))
    });
    let (ids, shapes): (HashSet<&str>, HashSet<String>) = parts.unzip();
    assert_eq!([ids.len(), shapes.len()], [drawing.symbols.len(); 2], "{:?}", drawing.symbols);
}

/// A move that belongs to a cell has it for itself, and whatever can be clicked is one picture of the board. Its rows are equally
/// wide, and each picture is a drawing as wide as it says; pictures of a row are equally high.
fn check_cells<G: Display>(game: &G, legal: &[G::Move], board: &dyn Board) {
    let cells: Vec<usize> = legal.iter().filter_map(|mv| game.target_cell(mv)).collect();
    let Some(mosaic) = board.tile_board(&|cell| cells.contains(&cell)) else {
        assert!(legal.iter().all(|mv| game.target_cell(mv).or(game.source_cell(mv)).is_none()), "no picture to click");
        return;
    };
    let tiles = || mosaic.rows.iter().flat_map(|row| &row.tiles);
    for (at, cell) in cells.iter().enumerate() {
        assert!(!cells[..at].contains(cell), "two moves belong to cell {cell}");
    }
    for cell in cells.iter().copied().chain(legal.iter().filter_map(|mv| game.source_cell(mv))) {
        let here: Vec<_> = tiles().filter(|tile| tile.cell == Some(cell)).collect();
        assert_eq!(here.len(), 1, "cell {cell} is somewhere, once");
        assert!(!here[0].alt_text.is_empty(), "cell {cell} has words");
    }
    for row in &mosaic.rows {
        assert_eq!(row.tiles.iter().map(|tile| tile.width).sum::<u32>(), mosaic.width());
        let heights: HashSet<Option<&str>> = row.tiles.iter().map(check_tile).collect();
        assert_eq!(heights.len(), 1, "{heights:?}");
    }
}

/// A picture is a document with all that it refers to, of the width that it says. Returns its height.
fn check_tile(tile: &Tile) -> Option<&str> {
    assert!(tile.svg.contains(&format!(" width=\"{}\"", tile.width)), "{}", tile.svg);
    assert!(!["href", "url(", "\n\n"].iter().any(|strange| tile.svg.contains(strange)), "{}", tile.svg);
    tile.svg.split("height=\"").nth(1)?.split('"').next()
}

/// A position goes through JSON and comes back as the same game.
fn check_position<G: Interop>(config: &G::Config, game: &G) {
    let value = serde_json::to_value(game.position()).expect("a position can be written");
    let read: G::Position = serde_json::from_value(value).expect("a position can be read back");
    let back = G::from_position(config, &read).expect("a position that was reached can be set up");
    assert_eq!(back.position(), game.position());
    assert_eq!(back.legal_moves(), game.legal_moves());
    assert_eq!(back.side_to_move(), game.side_to_move());
    assert_eq!(back.outcome(), game.outcome());
}

/// Every legal move is accepted, is read from its own notation, and goes through JSON; no two are written alike.
fn check_moves<G: Notation + Explain>(game: &G, legal: &[G::Move]) {
    let case = |name: String| if G::CASE_SENSITIVE { name } else { name.to_lowercase() };
    let mut names: Vec<String> = legal.iter().map(|mv| case(game.notation(mv))).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), legal.len(), "no two moves are written alike");
    for mv in legal {
        let notation = game.notation(mv);
        assert_eq!(game.legality_error(mv), None, "{notation} is legal");
        let shouted = if G::CASE_SENSITIVE { notation.clone() } else { notation.to_uppercase() };
        for spelling in [notation.clone(), shouted, format!(" {notation}! ")] {
            assert_eq!(game.parse_move(&spelling).as_ref(), Ok(mv), "{spelling:?}");
        }
        let json = serde_json::to_value(mv).expect("a move can be written");
        assert!(json.is_object(), "the fields of a move stand beside its notation: {json}");
        assert_eq!(&serde_json::from_value::<G::Move>(json).expect("a move can be read back"), mv);
    }
}
