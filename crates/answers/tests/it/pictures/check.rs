//! Properties of every drawing: it refers to nothing outside, runs nothing, and stays inside its frame.

use std::collections::HashSet;

use game::palette::{
    ACTIVE, BLUE, CLOSED_CELL, CLOTH, CRIMSON, CRIMSON_RIM, DARK_MODE, DARK_POINT, EBONY, EDGE, FELT, FELT_LINE, FRAME,
    FRAME_EDGE, GLOW, GLOW_RIM, GOLD, GRID_LINE, HALO, INK, IVORY, LIGHT_POINT, MUTED, OPEN_CELL, PAPER, POINT_EDGE,
    RED, RIM, WOOD, YELLOW,
};
use game::{escape_xml, truncate_to_width};
use roxmltree::{Document, Node};

/// Text colors with their backgrounds.
const WORDS: &[(&str, &str)] =
    &[(INK, PAPER), (MUTED, PAPER), (EBONY, IVORY), (IVORY, EBONY), (INK, WOOD), (INK, CLOTH)];

/// Colors of signs with their backgrounds.
const SIGNS: &[(&str, &str)] = &[
    (GRID_LINE, OPEN_CELL),
    (GRID_LINE, PAPER),
    (BLUE, OPEN_CELL),
    (RED, OPEN_CELL),
    (BLUE, PAPER),
    (RED, PAPER),
    (BLUE, GLOW),
    (RED, GLOW),
    (BLUE, CLOSED_CELL),
    (RED, CLOSED_CELL),
    (MUTED, CLOSED_CELL),
    (GLOW_RIM, OPEN_CELL),
    (GLOW_RIM, PAPER),
    (GLOW_RIM, GLOW),
    (ACTIVE, PAPER),
    (ACTIVE, OPEN_CELL),
    (INK, OPEN_CELL),
    (INK, GLOW),
    (INK, CLOSED_CELL),
    (INK, DARK_POINT),
    (INK, LIGHT_POINT),
    (INK, HALO),
    (POINT_EDGE, LIGHT_POINT),
    (POINT_EDGE, CLOTH),
    (GRID_LINE, IVORY),
    (GRID_LINE, EBONY),
    (EBONY, IVORY),
    (EDGE, PAPER),
    (INK, FELT),
    (FELT_LINE, FELT),
    (FRAME, PAPER),
    (FRAME_EDGE, PAPER),
    (OPEN_CELL, FRAME),
];

/// Fill and rim colors of pieces with their backgrounds. One of the two must contrast with each.
const PIECES: &[(&str, &str, &[&str])] = &[
    (IVORY, EBONY, &[CLOTH, WOOD, DARK_POINT, LIGHT_POINT, PAPER, OPEN_CELL]),
    (EBONY, RIM, &[CLOTH, WOOD, DARK_POINT, LIGHT_POINT, PAPER, OPEN_CELL]),
    (YELLOW, GLOW_RIM, &[OPEN_CELL, PAPER]),
    (CRIMSON, CRIMSON_RIM, &[OPEN_CELL, PAPER, GLOW]),
    (GOLD, GLOW_RIM, &[OPEN_CELL, PAPER, GLOW]),
    (EBONY, RIM, &[FELT]),
    (IVORY, EBONY, &[FELT]),
];

const SVG: &str = "http://www.w3.org/2000/svg";
const ELEMENTS: &[&str] =
    &["svg", "title", "style", "defs", "marker", "g", "path", "rect", "circle", "use", "text", "tspan"];

/// Checks an SVG file.
#[track_caller]
pub(crate) fn check_svg(text: &str) {
    let document = Document::parse(text).unwrap();
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
    let title = root.first_element_child().unwrap();
    assert!(title.has_tag_name((SVG, "title")) && title.text().is_some_and(|title| !title.is_empty()));
    let size = ["width", "height"].map(|name| root.attribute(name).unwrap().parse::<f64>().unwrap());
    assert_eq!(root.attribute("viewBox").unwrap(), format!("0 0 {} {}", size[0], size[1]));
    assert!((360.0..=640.0).contains(&size[0]) && size[1] <= size[0] * 1.3, "fits a page: {size:?}");
    let ids: HashSet<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    check_colors(text, root);
    for node in root.descendants().filter(Node::is_element) {
        check_element(node, &ids);
        check_font_size(node, size[0]);
        if !node.ancestors().any(|above| above.has_tag_name("defs") || above.has_tag_name("marker")) {
            check_bounds(node, size);
        }
    }
    check_text_overlap(root, size);
}

#[track_caller]
fn check_element(node: Node<'_, '_>, ids: &HashSet<&str>) {
    let name = node.tag_name();
    assert_eq!(name.namespace(), Some(SVG));
    assert!(ELEMENTS.contains(&name.name()), "<{}>", name.name());
    for attribute in node.attributes() {
        let (key, value) = (attribute.name(), attribute.value());
        assert_eq!(attribute.namespace(), None, "{key}");
        assert!(!key.starts_with("on"), "{key}={value}");
        assert!(key != "id" || ids.contains(value));
        if key == "href" {
            assert!(value.strip_prefix('#').is_some_and(|id| ids.contains(id)), "{value}");
        }
        if let Some((_, reference)) = value.split_once("url(") {
            let id = reference.strip_prefix('#').and_then(|rest| rest.strip_suffix(')'));
            assert!(id.is_some_and(|id| ids.contains(id)), "{value}");
        }
        assert!(!value.contains("//") && !value.contains("data:") && !value.contains("javascript"), "{value}");
    }
    if name.name() == "style" {
        let text = node.text().unwrap();
        for word in ["url", "@import", "http", "expression", "<", "\\"] {
            assert!(!text.contains(word), "{word} in a style sheet");
        }
    }
}

/// Every color is in the palette, and the style sheet has exactly the dark colors it needs.
#[track_caller]
fn check_colors(text: &str, root: Node<'_, '_>) {
    let style = root.children().find(|node| node.has_tag_name((SVG, "style"))).and_then(|node| node.text()).unwrap();
    let (_, style) = style.split_once("@media (prefers-color-scheme:dark){\n").unwrap();
    let style = style.strip_suffix("}\n").unwrap();
    let mut expected = HashSet::new();
    for attribute in root.descendants().flat_map(|node| node.attributes()) {
        let (key, value) = (attribute.name(), attribute.value());
        if key == "href" || !value.starts_with('#') {
            assert!(!["fill", "stroke"].contains(&key) || value == "none", "{key} is {value}");
            continue;
        }
        let found = DARK_MODE.iter().find(|(day, _)| *day == value);
        let (day, night) = found.unwrap_or_else(|| panic!("{value} isn't in the palette"));
        if day != night {
            expected.insert(format!("[{key}=\"{day}\"]{{{key}:{night}}}"));
        }
    }
    assert_eq!(style.lines().map(ToOwned::to_owned).collect::<HashSet<_>>(), expected, "{text}");
}

/// Text has one of two sizes, each a fixed share of the width, and is readable on a phone.
#[track_caller]
fn check_font_size(node: Node<'_, '_>, width: f64) {
    let is_text = ["text", "tspan"].contains(&node.tag_name().name());
    if !is_text {
        return;
    }
    let size = node.ancestors().find_map(|above| above.attribute("font-size")).expect("a font size");
    let size: f64 = size.parse().unwrap();
    assert!(size * 320.0 / width >= 10.0, "{size} of {width} is too small if the picture is 320 pixels wide");
    let is_near = |share: f64| (size - width / share).abs() < 1.0;
    assert!(is_near(25.0) || is_near(30.0), "{size} isn't a standard font size for a picture {width} wide");
}

/// Every element starts inside the picture, and ends inside it if its size is given.
#[track_caller]
fn check_bounds(node: Node<'_, '_>, [width, height]: [f64; 2]) {
    let number = |name: &str| node.attribute(name).and_then(|value| value.parse::<f64>().ok()).unwrap_or(0.0);
    let assert_inside =
        |x: f64, y: f64| assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{node:?}: {x} {y}");
    match node.tag_name().name() {
        "rect" => {
            assert_inside(number("x"), number("y"));
            assert_inside(number("x") + number("width"), number("y") + number("height"));
        }
        "circle" => {
            assert_inside(number("cx") - number("r"), number("cy") - number("r"));
            assert_inside(number("cx") + number("r"), number("cy") + number("r"));
        }
        "use" | "text" => assert_inside(number("x"), number("y")),
        "path" => {
            for (x, y) in corners(node.attribute("d").unwrap()) {
                assert_inside(x, y);
            }
        }
        _ => {}
    }
}

/// Returns the corners of a path.
fn corners(path: &str) -> Vec<(f64, f64)> {
    let mut corners = Vec::new();
    let (mut x, mut y) = (0.0, 0.0);
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let numbers: Vec<f64> = rest[1..end]
            .replace('-', " -")
            .split([' ', ','])
            .filter(|number| !number.is_empty())
            .map(|number| number.parse().unwrap())
            .collect();
        for pair in numbers.chunks(if "hv".contains(command) { 1 } else { 2 }) {
            (x, y) = match (command, pair) {
                ('M' | 'L', [to_x, to_y]) => (*to_x, *to_y),
                ('m' | 'l', [by_x, by_y]) => (x + by_x, y + by_y),
                ('h', [by]) => (x + by, y),
                ('v', [by]) => (x, y + by),
                _ => panic!("{command} in {path}"),
            };
            corners.push((x, y));
        }
        rest = &rest[end..];
    }
    corners
}

/// Returns the maximum width of a text: the smallest room that it fits.
fn max_text_width(text: &str, font: u32) -> f64 {
    let (mut too_small, mut enough) = (0, 5_000);
    while too_small < enough {
        let room = u32::midpoint(too_small, enough);
        if truncate_to_width(text, room, font) == text {
            enough = room;
        } else {
            too_small = room + 1;
        }
    }
    f64::from(enough)
}

/// Even in a wide font, text stays inside the picture and doesn't overlap other text on its line.
#[track_caller]
fn check_text_overlap(root: Node<'_, '_>, [width, _]: [f64; 2]) {
    let mut lines: Vec<(&str, f64, f64, String)> = Vec::new();
    for node in root.descendants().filter(|node| node.has_tag_name((SVG, "text"))) {
        // In a replay, text elements alternate, and repeated ones are symbols.
        if node.attribute("class").is_some() || node.ancestors().any(|above| above.has_tag_name("defs")) {
            continue;
        }
        let group = node.parent_element().unwrap();
        let attribute = |name| node.attribute(name).or_else(|| group.attribute(name));
        let font: f64 = attribute("font-size").unwrap().parse().unwrap();
        let share = if attribute("font-weight") == Some("bold") { 1.0 } else { 0.92 };
        let text: String = node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
        let places: Vec<f64> = attribute("x").unwrap().split(' ').map(|x| x.parse().unwrap()).collect();
        if let [first, .., last] = places[..] {
            // One letter per position, with enough room.
            assert_eq!((text.len(), attribute("text-anchor")), (places.len(), Some("middle")));
            assert!(places.windows(2).all(|two| (two[0] - two[1]).abs() >= font), "{places:?}");
            assert!([first, last].iter().all(|x| (font..width - font).contains(x)), "{places:?}");
            continue;
        }
        let (x, max_text_width) = (places[0], max_text_width(&text, font as u32) * share);
        let from = match attribute("text-anchor") {
            None => x,
            Some("middle") => x - max_text_width / 2.0,
            Some("end") => x - max_text_width,
            Some(other) => panic!("{other}"),
        };
        let to = from + max_text_width;
        assert!(from >= 0.0 && to <= width, "{text} is from {from} to {to}");
        let y = node.attribute("y").unwrap();
        let other = lines.iter().find(|(line, left, right, _)| *line == y && from < *right && *left < to);
        assert!(other.is_none(), "{text} touches {other:?}");
        lines.push((y, from, to, text));
    }
}

/// Returns the relative luminance of a color, as defined by WCAG.
fn luminance(color: &str) -> f64 {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, two: &str) -> f64 {
    let (one, two) = (luminance(one), luminance(two));
    (one.max(two) + 0.05) / (one.min(two) + 0.05)
}

#[test]
fn colors_have_enough_contrast() {
    assert!(
        (contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9 && (contrast("#777777", "#ffffff") - 4.48).abs() < 0.01
    );
    let light_colors: HashSet<&str> = DARK_MODE.iter().map(|(day, _)| *day).collect();
    assert_eq!(light_colors.len(), DARK_MODE.len(), "each light color is listed once");
    for is_dark in [false, true] {
        let seen = |color| if is_dark { DARK_MODE.iter().find(|(day, _)| *day == color).unwrap().1 } else { color };
        for (pairs, min_contrast) in [(WORDS, 4.5), (SIGNS, 3.0)] {
            for (above, below) in pairs.iter().map(|(above, below)| (seen(above), seen(below))) {
                let contrast = contrast(above, below);
                assert!(contrast >= min_contrast, "{above} on {below}: {contrast:.2} is below {min_contrast}");
            }
        }
        for (fill, rim, backgrounds) in PIECES {
            for background in *backgrounds {
                let [fill, rim] = [fill, rim].map(|color| contrast(seen(color), seen(background)));
                assert!(fill.max(rim) >= 3.0, "{fill:.2} and {rim:.2} on {background}, dark mode: {is_dark}");
            }
        }
        // The edge is visible on GitHub's light and dark pages.
        for page in ["#ffffff", "#0d1117", "#f6f8fa", "#151b23"] {
            assert!(contrast(seen(EDGE), page) >= 3.0, "{page}");
        }
    }
}

#[test]
fn escapes_markup() {
    let text = "<script>\"&'</title>\u{0}\u{1b}\u{ffff}é";
    assert_eq!(escape_xml(text), "&lt;script&gt;&quot;&amp;&#39;&lt;/title&gt;  é");
    let document = format!("<a b=\"{0}\">{0}</a>", escape_xml(text));
    let document = Document::parse(&document).unwrap();
    assert_eq!(document.root_element().text(), Some("<script>\"&'</title>  é"));
    assert_eq!(document.root_element().attribute("b"), Some("<script>\"&'</title>  é"));
}

#[test]
fn truncates_text_that_does_not_fit() {
    assert_eq!(truncate_to_width("alice", 100, 18), "alice");
    assert_eq!(truncate_to_width("a-very-long-login-indeed", 100, 18), "a-very-…");
    assert_eq!(truncate_to_width("WWWWWWWWWWWW", 100, 18), "WWWW…");
    assert_eq!(truncate_to_width("alice", 10, 18), "");
}
