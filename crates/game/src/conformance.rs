//! Checks of a game's traits. They panic if the game breaks a rule of a trait, so call them from tests.

#![allow(clippy::expect_used, clippy::panic, reason = "only tests call these checks")]

use std::collections::HashSet;
use std::rc::Rc;

use serde_json::Value;

use crate::{
    Board, Caption, CaptionSide, Display, Drawing, Explain, Game, Notation, Options, PositionJson, Shape, SharedLayers,
    SideStatus, Tile, apply_move,
};

/// The maximum length of a playout, in plies and rolls.
const MAX_PLIES: usize = 5_000;

/// Returns the configuration of a table opened without options.
pub fn default_config<G: Game>() -> G::Config {
    G::configure(&mut Options::default()).expect("a game can be set up without options")
}

/// Plays one game, checks every position, and returns them. `choose(n)` returns a number below `n`.
pub fn play_out<G: Game>(config: &G::Config, choose: &mut dyn FnMut(usize) -> usize) -> Vec<G> {
    let mut game = G::start(config).expect("a default configuration can be started");
    let (mut last, mut positions) = (None, Vec::new());
    let (mut seats_differ, mut seats_named) = (false, [false; 2]);
    for ply in 0..MAX_PLIES {
        let legal = game.legal_moves();
        let must_wait = game.outcome().is_some() || game.needs_roll();
        assert_eq!(legal.is_empty(), must_wait, "no legal moves exactly at the end and before a roll: {game:?}");
        check_position(config, &game);
        positions.push(game.clone());
        check_moves(&game, &legal);
        let board = game.board(last.as_ref());
        check_cells(&game, &legal, &*board);
        // Drawing is slow, so check only some plies.
        if game.outcome().is_some() || ply % 5 == 2 {
            seats_differ |= distinguishes_seats::<G>(&*board);
        }
        let description = board.description();
        let words = description.split(|c: char| !c.is_alphanumeric());
        for (is_named, name) in seats_named.iter_mut().zip(G::INFO.seats) {
            *is_named |= words.clone().any(|word| word.eq_ignore_ascii_case(name));
        }
        if game.needs_roll() {
            game = game.with_roll([1, 2].map(|_| 1 + choose(6) as u8));
            continue;
        }
        if legal.is_empty() {
            assert!(seats_differ, "swapping the seats changes the board");
            assert_eq!(seats_named, [true; 2], "descriptions name both seats");
            return positions;
        }
        let mv = legal[choose(legal.len())].clone();
        game = apply_move(&game, &mv).expect("a legal move can be played");
        last = Some(mv);
    }
    panic!("{} doesn't end", G::INFO.name);
}

/// Checks that a parsed move is either legal or explained as illegal, and that parsing doesn't panic.
pub fn check_parsing<G: Game>(text: &str) {
    let game = G::start(&default_config::<G>()).expect("a default configuration can be started");
    if let Ok(mv) = game.parse_move(text) {
        assert_eq!(game.legal_moves().contains(&mv), game.is_legal(&mv));
        if !game.is_legal(&mv) {
            assert_ne!(game.why_illegal(&mv).message, "");
        }
    }
}

/// Checks that an arbitrary JSON position or configuration doesn't cause a panic.
pub fn check_json<G: Game>(value: &Value) {
    if let Ok(position) = serde_json::from_value::<G::Position>(value.clone()) {
        drop(G::from_position(&default_config::<G>(), &position));
    }
    if let Ok(config) = serde_json::from_value::<G::Config>(value.clone()) {
        drop(G::start(&config));
    }
}

/// Returns the caption of a table with these seats.
pub fn sample_caption(seats: [&'static str; 2]) -> Caption {
    let side = |seat: &'static str| CaptionSide {
        seat_name: seat.to_owned(),
        player: Some(seat.to_owned()),
        status: SideStatus::Waiting,
        status_text: String::new(),
    };
    Caption { sides: seats.map(side), setup: String::new(), last_move: String::new() }
}

/// Whether the board looks different with the seats swapped. Checks that either text, description and drawing all
/// differ, or none of them does.
fn distinguishes_seats<G: Game>(board: &dyn Board) -> bool {
    let swapped = board.with_seats_swapped();
    let [drawing, swapped_drawing] = [board, &*swapped].map(|board| {
        let mut drawing = board.drawing(&sample_caption(G::INFO.seats), &SharedLayers::default());
        // The shapes have to differ, not just the labels around the board.
        let is_text = |shape: &Shape| matches!(shape, Shape::Element(line) if line.starts_with("<text"));
        drawing.layers.iter_mut().for_each(|layer| Rc::make_mut(layer).shapes.retain(|shape| !is_text(shape)));
        drawing
    });
    check_symbols(&drawing);
    let text_differs = board.text().plain() != swapped.text().plain();
    let description_differs = board.description() != swapped.description();
    assert_eq!(
        [description_differs, drawing != swapped_drawing],
        [text_differs; 2],
        "text, description and drawing all differ or all agree: {}",
        board.description()
    );
    text_differs
}

/// Checks that no two symbols of a drawing share an id or a shape.
fn check_symbols(drawing: &Drawing) {
    let parts = drawing.symbols.iter().map(|symbol| {
        let (before, rest) = symbol.split_once(" id=\"").expect("a symbol has an id");
        let (id, after) = rest.split_once('"').expect("an id ends");
        (id, format!("{before}{after}"))
    });
    let (ids, shapes): (HashSet<&str>, HashSet<String>) = parts.unzip();
    assert_eq!([ids.len(), shapes.len()], [drawing.symbols.len(); 2], "{:?}", drawing.symbols);
}

/// Checks that distinct moves have distinct target cells, that each linked cell has exactly one tile, that all rows are
/// equally wide, and that the tiles of a row are equally high.
fn check_cells<G: Display>(game: &G, legal: &[G::Move], board: &dyn Board) {
    let cells: Vec<usize> = legal.iter().filter_map(|mv| game.target_cell(mv)).collect();
    let Some(tile_board) = board.tile_board(&|cell| cells.contains(&cell)) else {
        let has_cell = |mv| game.target_cell(mv).is_some() || game.source_cell(mv).is_some();
        assert!(!legal.iter().any(has_cell), "a board without tiles can't link moves");
        return;
    };
    for (nth, cell) in cells.iter().enumerate() {
        assert!(!cells[..nth].contains(cell), "two moves have target cell {cell}");
    }
    for cell in cells.iter().copied().chain(legal.iter().filter_map(|mv| game.source_cell(mv))) {
        let tiles = tile_board.rows.iter().flat_map(|row| &row.tiles);
        let tiles: Vec<_> = tiles.filter(|tile| tile.cell == Some(cell)).collect();
        assert_eq!(tiles.len(), 1, "cell {cell} has exactly one tile");
        assert!(!tiles[0].alt_text.is_empty(), "cell {cell} has an alt text");
    }
    for row in &tile_board.rows {
        assert_eq!(row.tiles.iter().map(|tile| tile.width).sum::<u32>(), tile_board.width());
        let heights: HashSet<Option<&str>> = row.tiles.iter().map(check_tile).collect();
        assert_eq!(heights.len(), 1, "{heights:?}");
    }
}

/// Checks that a tile is a self-contained SVG file of the stated width. Returns its height.
fn check_tile(tile: &Tile) -> Option<&str> {
    assert!(tile.svg.contains(&format!(" width=\"{}\"", tile.width)), "{}", tile.svg);
    assert!(!["href", "url(", "\n\n"].iter().any(|forbidden| tile.svg.contains(forbidden)), "{}", tile.svg);
    tile.svg.split("height=\"").nth(1)?.split('"').next()
}

/// Checks that a position survives a round trip through JSON.
fn check_position<G: PositionJson>(config: &G::Config, game: &G) {
    let json = serde_json::to_value(game.position()).expect("a position serializes");
    let position: G::Position = serde_json::from_value(json).expect("a position deserializes");
    let restored = G::from_position(config, &position).expect("a reachable position can be set up");
    assert_eq!(restored.position(), game.position());
    assert_eq!(restored.legal_moves(), game.legal_moves());
    assert_eq!(restored.side_to_move(), game.side_to_move());
    assert_eq!(restored.outcome(), game.outcome());
}

/// Checks that every legal move is accepted, parses from its own notation, and survives a round trip through JSON, and
/// that no two moves share a notation.
fn check_moves<G: Notation + Explain>(game: &G, legal: &[G::Move]) {
    let fold_case = |notation: String| if G::CASE_SENSITIVE { notation } else { notation.to_lowercase() };
    let notations: HashSet<String> = legal.iter().map(|mv| fold_case(game.notation(mv))).collect();
    assert_eq!(notations.len(), legal.len(), "all moves have distinct notations");
    for mv in legal {
        let notation = game.notation(mv);
        assert!(game.is_legal(mv), "{notation} is legal");
        let upper_case = if G::CASE_SENSITIVE { notation.clone() } else { notation.to_uppercase() };
        for spelling in [notation.clone(), upper_case, format!(" {notation}! ")] {
            assert_eq!(game.parse_move(&spelling).as_ref(), Ok(mv), "{spelling:?}");
        }
        let json = serde_json::to_value(mv).expect("a move serializes");
        assert!(json.is_object(), "a move serializes to an object: {json}");
        assert_eq!(&serde_json::from_value::<G::Move>(json).expect("a move deserializes"), mv);
    }
}
