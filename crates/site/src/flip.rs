//! The changes that turn an animated board around, as text that the script reads.
//!
//! A second drawing would take a third of a site of chess games. The same shapes appear in the same frames from both
//! sides, so a few numbers for each shape are enough.

use std::collections::{BTreeMap, HashMap};

/// A shape of a drawing: the layer, the markup without its class, and the class that says in which frames it is visible.
struct Shape<'a> {
    layer: usize,
    markup: String,
    class: &'a str,
}

/// Returns the changes from one animated board to the same board from the other side; `None` if the boards don't have
/// the same shapes in the same frames.
///
/// Each line belongs to a shape of the first board, in document order. It is empty if the shape stays, `"` if the line
/// before it applies, a list of new attributes (`x=107;y=97`), or a new element.
pub fn flip_changes(board: &str, flipped: &str) -> Option<String> {
    let (symbols, shapes) = parse(board);
    let (_, flipped) = parse(flipped);
    let (from, to) = (by_frames(&shapes), by_frames(&flipped));
    let mut changes: HashMap<(usize, &str), String> = HashMap::new();
    if !from.keys().eq(to.keys()) {
        return None;
    }
    for ((key, from), to) in from.iter().zip(to.values()) {
        if from.len() != to.len() {
            return None;
        }
        // Shapes that are on both boards stay. The others are sorted by their markup, so equal symbols become pairs.
        let leaving = from.iter().filter(|markup| !to.contains(markup));
        let moved = leaving.zip(to.iter().filter(|markup| !from.contains(markup)));
        changes.extend(moved.map(|(from, to)| ((key.0, *from), change(from, to, &symbols))));
    }
    let mut last = "";
    let lines = shapes.iter().map(|shape| {
        let line = changes.get(&(shape.layer, shape.markup.as_str())).map_or("", String::as_str);
        let is_same = line == std::mem::replace(&mut last, line) && !line.is_empty();
        if is_same { "\"\n".to_owned() } else { format!("{line}\n") }
    });
    Some(lines.collect())
}

/// Returns the sorted markup of the shapes in each group. Shapes of the same layer that are visible in the same frames
/// form a group.
fn by_frames<'a>(shapes: &'a [Shape<'a>]) -> BTreeMap<(usize, Vec<&'a str>), Vec<&'a str>> {
    let mut frames: BTreeMap<(usize, &str), Vec<&str>> = BTreeMap::new();
    for shape in shapes {
        frames.entry((shape.layer, &shape.markup)).or_default().push(shape.class);
    }
    let mut groups: BTreeMap<(usize, Vec<&str>), Vec<&str>> = BTreeMap::new();
    for ((layer, markup), mut classes) in frames {
        classes.sort_unstable();
        groups.entry((layer, classes)).or_default().push(markup);
    }
    groups
}

/// Parses an animated board, which has one element per line: its symbols by their markup, and its shapes.
fn parse(svg: &str) -> (HashMap<String, String>, Vec<Shape<'_>>) {
    let (mut symbols, mut names) = (HashMap::new(), HashMap::new());
    let (mut shapes, mut layer, mut depth) = (Vec::new(), 0, 0);
    let mut lines = svg.lines().skip_while(|line| *line != "</style>").skip(1).peekable();
    if lines.next_if_eq(&"<defs>").is_some() {
        for line in lines.by_ref().take_while(|line| *line != "</defs>") {
            let Some((start, rest)) = line.split_once(" id=\"") else { continue };
            let Some((id, rest)) = rest.split_once('"') else { continue };
            names.insert(format!("<use href=\"#{id}\"/>"), format!("{start}{rest}"));
            symbols.insert(format!("{start}{rest}"), format!("#{id}"));
        }
    }
    for line in lines {
        match line {
            "</g>" => depth -= 1,
            // A better move: a group of paths on a line of its own.
            _ if line.starts_with("<g class=\"b") && line.ends_with("</g>") => {
                let paths =
                    line.split_inclusive("/>").filter_map(|part| part.split_once("<path ").map(|(_, path)| path));
                shapes.extend(paths.enumerate().map(|(at, path)| Shape {
                    layer: usize::MAX - at,
                    markup: format!("<path {path}"),
                    class: line.split('"').nth(1).unwrap_or_default(),
                }));
            }
            _ if line.starts_with("<g ") && !line.ends_with("</g>") => {
                layer += usize::from(depth == 0);
                depth += 1;
            }
            _ if depth > 0 => {
                let (class, markup) = split_class(line);
                // The other board may use another name for the same symbol.
                let markup = names.get(&markup).cloned().unwrap_or(markup);
                shapes.push(Shape { layer, markup, class });
            }
            _ => {}
        }
    }
    (symbols, shapes)
}

/// Separates the class of an element from the rest of it.
fn split_class(line: &str) -> (&str, String) {
    match line.split_once(" class=\"") {
        Some((start, rest)) if !start.contains('>') => {
            let (class, rest) = rest.split_once('"').unwrap_or((rest, ""));
            (class, format!("{start}{rest}"))
        }
        _ => ("", line.to_owned()),
    }
}

/// Returns the shortest line that changes one element to another.
fn change(from: &str, to: &str, symbols: &HashMap<String, String>) -> String {
    match (symbols.get(from), symbols.get(to)) {
        (Some(_), Some(symbol)) => format!("href={symbol}"),
        (Some(_), None) => to.to_owned(),
        (None, _) => attributes_changed(from, to).unwrap_or_else(|| to.to_owned()),
    }
}

/// Returns the attributes that differ, if nothing else does.
fn attributes_changed(from: &str, to: &str) -> Option<String> {
    let ((from, content), (to, other)) = (from.split_once('>')?, to.split_once('>')?);
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('"').collect(), to.split('"').collect());
    if content != other || from.len() != to.len() {
        return None;
    }
    let mut changed = Vec::new();
    for (names, values) in from.chunks(2).zip(to.chunks(2)) {
        match (names, values) {
            ([name, from], [other, to]) if name == other => {
                if from != to {
                    let name = name.rsplit(' ').next()?;
                    changed.push(format!("{name}{to}"));
                }
            }
            ([end], [other]) if end == other => {}
            _ => return None,
        }
    }
    if changed.iter().any(|change| change.contains(';')) { None } else { Some(changed.join(";")) }
}
