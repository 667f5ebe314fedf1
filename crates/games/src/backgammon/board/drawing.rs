//! The board as a drawing.
//!
//! The viewer's home board is at the bottom right, with the trays beyond it. The cube is on the left, near its owner.
//! All lengths are in pixels.

use game::{
    Caption, CaptionLine, CaptionShapes, Drawing, Seat, Shape, SharedLayers, chip, corners_symbol, heading_size,
    palette, paper, regular_width, small_size, source_symbol, spaced_letters,
};

use crate::backgammon::{BackgammonBoard, CubeView, OWN_BAR};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 628;
/// The top and bottom edges of the board.
const TOP: u32 = 94;
const BOTTOM: u32 = 510;
const MIDDLE: u32 = (TOP + BOTTOM) / 2;
/// The left edges of the two halves, and of the trays.
const HALVES: [u32; 2] = [70, 342];
const TRAYS: [u32; 2] = [16, 574];
const TRAY: u32 = 50;
const BAR: u32 = 298;
/// The width of a point. A checker is slightly narrower.
const POINT: u32 = 38;
const RADIUS: u32 = 17;
/// The distance between neighboring checkers of a stack.
const STEP: u32 = 36;
/// The most checkers drawn in a stack. A taller stack shows its count on the top checker.
const MAX_HEIGHT: u32 = 5;
const LARGE_FONT: u32 = heading_size(WIDTH);
const SMALL_FONT: u32 = small_size(WIDTH);

/// Draws the board with its captions.
pub(crate) fn draw(view: &BackgammonBoard, caption: &Caption, layers: &SharedLayers) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT, [TRAYS[0], TOP, TRAYS[1] + TRAY - TRAYS[0], BOTTOM - TOP]);
    for (id, make) in SYMBOLS {
        layers.add_symbol(&mut drawing, id, &make);
    }
    layers.add_layer(&mut drawing, "board", &|| {
        ("stroke-width=\"2\" stroke-linejoin=\"round\"".to_owned(), empty_board())
    });
    let mut pieces = Pieces::default();
    for (at, stack) in view.points.iter().enumerate() {
        let point = at as u32 + 1;
        let Some((seat, count)) = stack else { continue };
        let place = |height| on_point(point, height);
        pieces.stack(*seat, *count, place);
        if view.last_targets.contains(&point) {
            let top = u32::from(*count).min(MAX_HEIGHT) - 1;
            pieces.marks.push(Shape::mark("last", place(top * STEP)));
        }
    }
    for seat in Seat::BOTH {
        let below = seat == view.viewer;
        pieces.stack(seat, view.bar[seat.index()], |height| on_bar(below, height));
        pieces.borne_off(seat, view.off[seat.index()], below);
        if view.bore_off == Some(seat) {
            let (x, y) = in_tray(below);
            pieces.marks.push(Shape::mark("last", (x, y - SMALL_FONT * 7 / 20)));
        }
    }
    pieces.mark_sources(view);
    for point in &view.movable {
        pieces.marks.push(pointer(*point));
    }
    if let Some(roll) = view.dice {
        pieces.dice(roll, view.side_to_move, view.side_to_move == view.viewer, &mut drawing, layers);
    }
    if let Some(cube) = view.cube {
        pieces.cube(cube, view);
    }
    let words = captions(view, caption, &mut pieces);
    drawing.add_layer(format!("stroke=\"{}\" stroke-width=\"2\"", palette::EBONY), pieces.checkers);
    drawing.add_layer(format!("fill=\"{}\"", palette::INK), pieces.marks);
    layers.add_layer(&mut drawing, "numbers", &|| {
        (format!("font-size=\"{SMALL_FONT}\" fill=\"{}\" text-anchor=\"middle\"", palette::MUTED), point_numbers())
    });
    let style =
        format!("font-size=\"{SMALL_FONT}\" fill=\"{}\" text-anchor=\"middle\" font-weight=\"bold\"", palette::INK);
    drawing.add_layer(style, pieces.counts);
    drawing.add_layer(format!("font-size=\"{LARGE_FONT}\" fill=\"{}\"", palette::INK), words.left_text);
    drawing.add_layer(
        format!("font-size=\"{LARGE_FONT}\" fill=\"{}\" text-anchor=\"end\"", palette::INK),
        words.right_text,
    );
    drawing
}

/// The shapes drawn on top of the empty board.
#[derive(Default)]
struct Pieces {
    checkers: Vec<Shape>,
    marks: Vec<Shape>,
    counts: Vec<Shape>,
}

impl Pieces {
    /// Draws the checkers on a point or on the bar. `place` maps a distance from the base of the stack to coordinates.
    fn stack(&mut self, seat: Seat, count: u8, place: impl Fn(u32) -> (u32, u32)) {
        let count = u32::from(count);
        for height in 0..count.min(MAX_HEIGHT) {
            let numbered = count > MAX_HEIGHT && height == MAX_HEIGHT - 1;
            let at = place(height * STEP);
            let symbol = match seat {
                Seat::First if numbered => "wn",
                Seat::Second if numbered => "bn",
                _ => checker_id(seat),
            };
            self.checkers.push(Shape::mark(symbol, at));
            if numbered {
                let fill = if seat == Seat::First { palette::EBONY } else { palette::IVORY };
                let (x, y) = (at.0, at.1 + SMALL_FONT * 7 / 20);
                self.counts.push(format!("<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\">{count}</text>").into());
            }
        }
    }

    /// Marks the sources of the last play, above any checkers still there.
    fn mark_sources(&mut self, view: &BackgammonBoard) {
        let mut sources = view.last_sources.clone();
        sources.sort_unstable();
        sources.dedup();
        for point in sources {
            let center = match point {
                0 | OWN_BAR => {
                    let below = point == OWN_BAR;
                    let seat = if below { view.viewer } else { view.viewer.other() };
                    on_bar(below, u32::from(view.bar[seat.index()]).min(MAX_HEIGHT - 1) * STEP)
                }
                _ => {
                    let count = view.points.get(point as usize - 1).copied().flatten().map_or(0, |(_, count)| count);
                    on_point(point, u32::from(count).min(MAX_HEIGHT - 1) * STEP)
                }
            };
            self.marks.push(Shape::mark("from", center));
        }
    }

    /// Draws the checkers borne off, on edge and in groups of five.
    fn borne_off(&mut self, seat: Seat, count: u8, below: bool) {
        let x = TRAYS[1] + 4;
        for at in 0..u32::from(count) {
            let far = 3 + at * 11 + at / 5 * 4;
            let y = if below { BOTTOM - far - 9 } else { TOP + far };
            self.checkers.push(format!("<use href=\"#{}e\" x=\"{x}\" y=\"{y}\"/>", checker_id(seat)).into());
        }
        if count > 0 {
            let (x, y) = in_tray(below);
            self.counts.push(format!("<text x=\"{x}\" y=\"{y}\">{count}</text>").into());
        }
    }

    /// Draws the dice, to the right of the side that rolled them.
    fn dice(&mut self, roll: [u8; 2], seat: Seat, below: bool, drawing: &mut Drawing, layers: &SharedLayers) {
        let middle = HALVES[usize::from(below)] + 3 * POINT;
        let kind = checker_id(seat);
        for (die, x) in roll.into_iter().zip([middle - DIE - 7, middle + 7]) {
            let id = format!("{kind}{die}");
            layers.add_symbol(drawing, &id, &|| face(&id, seat == Seat::First, die));
            let y = MIDDLE - DIE / 2;
            self.checkers.push(format!("<use href=\"#{kind}{die}\" x=\"{x}\" y=\"{y}\"/>").into());
        }
    }

    /// Draws the cube beside the board near its owner, or in front of the side it is offered to.
    fn cube(&mut self, cube: CubeView, view: &BackgammonBoard) {
        let size = 44;
        let half = HALVES[usize::from(view.side_to_move == view.viewer)] + 3 * POINT;
        if cube.offered {
            let (x, y) = (half + 30, MIDDLE + SMALL_FONT * 7 / 20);
            self.counts.push(format!("<text x=\"{x}\" y=\"{y}\">offered</text>").into());
        }
        let (x, y) = match cube.owner {
            _ if cube.offered => (half - size - 22, MIDDLE - size / 2),
            None => (TRAYS[0] + 3, MIDDLE - size / 2),
            Some(owner) if owner == view.viewer => (TRAYS[0] + 3, BOTTOM - 3 - size),
            Some(_) => (TRAYS[0] + 3, TOP + 3),
        };
        let value = if cube.offered { cube.value * 2 } else { cube.value };
        let fill = palette::IVORY;
        self.checkers.push(
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"6\" fill=\"{fill}\"/>").into(),
        );
        let font = if value < 100 { LARGE_FONT } else { SMALL_FONT };
        // Four digits only fit when squeezed.
        let narrow = if value < 1000 {
            String::new()
        } else {
            format!(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", size - 4)
        };
        let (x, y) = (x + size / 2, y + size / 2 + font * 7 / 20);
        let style = format!("font-size=\"{font}\" fill=\"{}\"{narrow}", palette::EBONY);
        self.counts.push(format!("<text x=\"{x}\" y=\"{y}\" {style}>{value}</text>").into());
    }
}

/// Returns the x coordinate of a point's middle.
fn point_x(point: u32) -> u32 {
    let from_left = if point > 12 { point - 13 } else { 12 - point };
    HALVES[usize::from(from_left >= 6)] + from_left % 6 * POINT + POINT / 2
}

/// Returns the coordinates of a checker on a point, by its distance from the base of the stack.
fn on_point(point: u32, height: u32) -> (u32, u32) {
    (point_x(point), if point > 12 { TOP + 18 + height } else { BOTTOM - 18 - height })
}

/// Returns the coordinates of a checker on the bar, where stacks grow from the middle.
fn on_bar(below: bool, height: u32) -> (u32, u32) {
    (WIDTH / 2, if below { MIDDLE + 26 + height } else { MIDDLE - 26 - height })
}

/// Returns the coordinates of a tray's checker count.
fn in_tray(below: bool) -> (u32, u32) {
    (TRAYS[1] + TRAY / 2, if below { MIDDLE + 25 } else { MIDDLE - 11 })
}

/// Returns the symbol id of a seat's checkers. The suffix `n` is for a checker under a number, `e` for one seen on
/// edge.
pub(super) fn checker_id(seat: Seat) -> &'static str {
    if seat == Seat::First { "w" } else { "b" }
}

/// A function that writes one symbol.
type Symbol = fn() -> String;

/// The symbols of all checkers. White ones have an inner ring, black ones a bright center.
const SYMBOLS: [(&str, Symbol); 8] = [
    ("wn", || format!("<circle id=\"wn\" r=\"{RADIUS}\" fill=\"{}\"/>", palette::IVORY)),
    ("bn", || format!("<circle id=\"bn\" r=\"{RADIUS}\" fill=\"{}\" stroke=\"{}\"/>", palette::EBONY, palette::RIM)),
    ("w", || {
        format!("<g id=\"w\"><use href=\"#wn\"/><circle r=\"11\" fill=\"none\" stroke=\"{}\"/></g>", palette::GRID_LINE)
    }),
    ("b", || {
        format!("<g id=\"b\"><use href=\"#bn\"/><circle r=\"5\" fill=\"{}\" stroke=\"none\"/></g>", palette::GRID_LINE)
    }),
    ("we", || format!("<rect id=\"we\" width=\"42\" height=\"9\" rx=\"3\" fill=\"{}\"/>", palette::IVORY)),
    ("be", || {
        let (ebony, rule) = (palette::EBONY, palette::GRID_LINE);
        format!(
            "<rect id=\"be\" width=\"42\" height=\"9\" rx=\"3\" fill=\"{ebony}\" stroke=\"{rule}\" stroke-width=\"1\"/>"
        )
    }),
    ("last", || corners_symbol("last", RADIUS + 1, 3, true)),
    ("from", source_symbol),
];

/// Returns the empty board.
fn empty_board() -> Vec<Shape> {
    let (tall, wide) = (BOTTOM - TOP, 6 * POINT);
    let rect = |x: u32, width: u32, fill: &str, round: bool| {
        let (rx, stroke) = if round { (" rx=\"6\"", palette::GRID_LINE) } else { ("", palette::POINT_EDGE) };
        Shape::from(format!(
            "<rect x=\"{x}\" y=\"{TOP}\" width=\"{width}\" height=\"{tall}\"{rx} fill=\"{fill}\" stroke=\"{stroke}\"/>"
        ))
    };
    // The upper points are the lower ones rotated by 180 degrees.
    let triangles = |dark: bool| {
        let point = |point: u32| format!("M{} {BOTTOM}h{POINT}l-{}-168z", point_x(point) - POINT / 2, POINT / 2);
        let (id, fill) = if dark { ("dark", palette::DARK_POINT) } else { ("light", palette::LIGHT_POINT) };
        let path: String = (1..=12).filter(|at| (at % 2 == 1) == dark).map(point).collect();
        let turned = format!("rotate(180 {} {MIDDLE})", WIDTH / 2);
        let edge = palette::POINT_EDGE;
        [
            Shape::from(format!("<path id=\"{id}\" d=\"{path}\" fill=\"{fill}\" stroke=\"{edge}\"/>")),
            Shape::from(format!("<use href=\"#{id}\" transform=\"{turned}\"/>")),
        ]
    };
    let ([light, light_above], [dark, dark_above]) = (triangles(false), triangles(true));
    vec![
        paper(WIDTH, HEIGHT),
        rect(TRAYS[0], TRAY, palette::WOOD, true),
        rect(TRAYS[1], TRAY, palette::WOOD, true),
        rect(HALVES[0], wide, palette::CLOTH, false),
        rect(HALVES[1], wide, palette::CLOTH, false),
        rect(BAR, HALVES[1] - BAR, palette::WOOD, false),
        light,
        light_above,
        dark,
        dark_above,
        // Each side has one half of the tray.
        format!("<path d=\"M{} {MIDDLE}h{TRAY}\" stroke=\"{}\"/>", TRAYS[1], palette::GRID_LINE).into(),
    ]
}

/// Returns the point numbers.
fn point_numbers() -> Vec<Shape> {
    let below = BOTTOM + 15 + SMALL_FONT * 7 / 10;
    let number = |point: u32| {
        let y = if point > 12 { TOP - 15 } else { below };
        Shape::from(format!("<text x=\"{}\" y=\"{y}\">{point}</text>", point_x(point)))
    };
    let figures = (1..).zip('1'..='9').map(|(point, figure)| (point_x(point), figure));
    std::iter::once(spaced_letters(figures, below)).chain((10..=24).map(number)).collect()
}

/// Returns an arrow at a point, or at the bar, with a checker that can move.
fn pointer(point: u32) -> Shape {
    let x = if (1..=24).contains(&point) { point_x(point) } else { WIDTH / 2 };
    let path = if point > 12 && point != 25 || point == 0 {
        format!("M{} {}h16l-8 8z", x - 8, TOP - 11)
    } else {
        format!("M{} {}h16l-8-8z", x - 8, BOTTOM + 11)
    };
    format!("<path d=\"{path}\" fill=\"{}\"/>", palette::ACTIVE).into()
}

/// Returns the captions above and below the board. The viewer's is below.
fn captions(view: &BackgammonBoard, caption: &Caption, pieces: &mut Pieces) -> CaptionShapes {
    let mut words = CaptionShapes::default();
    let (from, to) = (TRAYS[0] + 24, TRAYS[1] + TRAY);
    let notes = Seat::BOTH.map(|seat| {
        let score = view.score.map(|score| format!("{} of {}", score.points[seat.index()], score.length));
        [Some(format!("pips {}", view.pips(seat))), score]
    });
    // The notes above and below the board share columns.
    let columns = [0, 1]
        .map(|at| notes.iter().flat_map(|notes| &notes[at]).map(|note| regular_width(note, SMALL_FONT) + 14).max());
    for (seat, notes) in Seat::BOTH.into_iter().zip(notes) {
        let base = if seat == view.viewer { BOTTOM + 64 } else { TOP - 49 };
        let row = CaptionLine {
            left: from,
            right: to,
            baseline: base,
            font_size: LARGE_FONT,
            small_size: SMALL_FONT,
            status_width: caption.status_width(LARGE_FONT),
        };
        let notes: Vec<(u32, String)> =
            columns.iter().zip(notes).filter_map(|(room, note)| Some(((*room)?, note?))).collect();
        words.add_player(&row, &caption.sides[seat.index()], &notes);
        let symbol = checker_id(seat);
        let at = format!("translate({} {})scale(.8)", from + 14, base - 9);
        pieces.checkers.push(chip((from + 14, base - 9), 17));
        pieces.checkers.push(format!("<use href=\"#{symbol}\" transform=\"{at}\"/>").into());
    }
    let row = CaptionLine {
        left: TRAYS[0],
        right: to,
        baseline: BOTTOM + 98,
        font_size: SMALL_FONT,
        small_size: SMALL_FONT,
        status_width: 0,
    };
    words.add_footer(&row, caption);
    pieces.marks.append(&mut words.icons);
    words
}

// The drawings of the dice.

/// The edge length of a die, in pixels.
const DIE: u32 = 40;

/// Returns the symbol for one face of a die, with its top left corner at the origin.
pub(crate) fn face(id: &str, white: bool, face: u8) -> String {
    let (fill, pips, edge) = if white {
        (palette::IVORY, palette::EBONY, palette::EBONY)
    } else {
        (palette::EBONY, palette::IVORY, palette::RIM)
    };
    let (near, middle, far) = (DIE * 27 / 100, DIE / 2, DIE - DIE * 27 / 100);
    let falling = [(near, near), (far, far)];
    let rising = [(near, far), (far, near)];
    let sides = [(near, middle), (far, middle)];
    let mut at: Vec<(u32, u32)> = Vec::new();
    if face % 2 == 1 {
        at.push((middle, middle));
    }
    if face >= 2 {
        at.extend(rising);
    }
    if face >= 4 {
        at.extend(falling);
    }
    if face >= 6 {
        at.extend(sides);
    }
    let dots: String = at.into_iter().map(|(x, y)| format!("M{x} {y}h0")).collect();
    format!(
        "<g id=\"{id}\"><rect width=\"{DIE}\" height=\"{DIE}\" rx=\"8\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"2\"/>\
         <path d=\"{dots}\" stroke=\"{pips}\" stroke-width=\"8\" stroke-linecap=\"round\"/></g>"
    )
}
