//! Tests of turning a board around.

use std::collections::{BTreeSet, HashMap};

use games::{GameKind, Random, with_game};
use site::evaluation::evaluate;
use site::{animated_boards, flip_changes};
use table::Table;
use testkit::quick_or_full;
use testkit::records::game;

/// The shapes of a board with their classes, in document order, by layer.
fn shapes(svg: &str) -> Vec<(usize, String)> {
    let body = svg.split("</defs>\n").last().unwrap();
    let mut layer = 0;
    let mut shapes = Vec::new();
    let mut is_hidden = false;
    for line in body.lines() {
        match line {
            "<g visibility=\"hidden\">" => is_hidden = true,
            "</g>" if is_hidden => is_hidden = false,
            "</g>" => layer += 1,
            _ if line.starts_with("<g ") && !line.ends_with("</g>") => {}
            _ if line.starts_with("</svg") || line.starts_with("<path class=\"p\"") => {}
            // A better move: a group of paths.
            _ if line.starts_with("<g class=\"b") => {
                let class = line.split('"').nth(1).unwrap();
                let paths = line.split("<path ").skip(1).map(|path| path.trim_end_matches("</g>"));
                shapes.extend(paths.map(|path| (layer, format!("<path class=\"{class}\" {path}"))));
            }
            _ => shapes.push((layer, line.to_owned())),
        }
    }
    shapes
}

/// Returns the symbols that long shapes became, without their IDs, by ID.
fn symbols(svg: &str) -> HashMap<&str, String> {
    fn symbol(line: &str) -> Option<(&str, String)> {
        let id = line.split_once(" id=\"")?.1.split_once('"')?.0;
        Some((id, line.replace(&format!(" id=\"{id}\""), "")))
    }
    svg.lines().filter_map(symbol).collect()
}

/// Separates the class of a shape from its markup. A symbol that a long shape became is the shape again.
fn expand(symbols: &HashMap<&str, String>, shape: &str) -> (String, String) {
    let (class, shape) = match shape.split_once(" class=\"").filter(|(start, _)| !start.contains('>')) {
        Some((start, rest)) => {
            let (class, rest) = rest.split_once('"').unwrap();
            (class.to_owned(), format!("{start}{rest}"))
        }
        None => (String::new(), shape.to_owned()),
    };
    let id = shape.strip_prefix("<use href=\"#").and_then(|rest| rest.strip_suffix("\"/>"));
    let symbol = id.and_then(|id| symbols.get(id)).cloned();
    (class, symbol.unwrap_or(shape))
}

/// Applies the changes as the script does.
fn turn(svg: &str, changes: &str) -> BTreeSet<(usize, (String, String))> {
    let symbols = symbols(svg);
    let mut last = "";
    let lines = changes.lines().chain(std::iter::repeat(""));
    let turned = shapes(svg).into_iter().zip(lines).map(|((layer, mut shape), line)| {
        last = if line == "\"" { last } else { line };
        if last.starts_with('<') {
            return (layer, (expand(&symbols, &shape).0, last.to_owned()));
        }
        for change in last.split(';').filter(|change| !change.is_empty()) {
            let (name, value) = change.split_once('=').unwrap();
            let (start, rest) = shape.split_once(&format!(" {name}=\"")).unwrap();
            shape = format!("{start} {name}=\"{value}{}", &rest[rest.find('"').unwrap()..]);
        }
        (layer, expand(&symbols, &shape))
    });
    turned.collect()
}

#[test]
fn a_turned_board_is_the_one_that_the_game_draws() {
    let (mut flipped_kinds, mut has_better_moves) = (0, false);
    for kind in GameKind::ALL {
        for seed in 0..quick_or_full(4, 6) {
            let table: Table = with_game!(*kind, G => game::<G>(&mut Random::new(seed), seed, 0));
            if animated_boards(&table, None).1.is_none() {
                break;
            }
            let evaluation = evaluate(&table, 20_000);
            let (replay, flipped, _) = animated_boards(&table, evaluation.as_ref());
            let (replay, Some(flipped)) = (replay.svg, flipped) else { continue };
            has_better_moves |= replay.contains("<g class=\"b");
            let changes = flip_changes(&replay, &flipped.svg).unwrap_or_else(|| panic!("{kind:?}, seed {seed}"));
            let symbols = symbols(&flipped.svg);
            let expected: BTreeSet<(usize, (String, String))> =
                shapes(&flipped.svg).into_iter().map(|(layer, shape)| (layer, expand(&symbols, &shape))).collect();
            let turned = turn(&replay, &changes);
            let missing: Vec<_> = expected.difference(&turned).collect();
            assert!(missing.is_empty(), "{kind:?}, seed {seed}: {missing:#?} of {:#?}", turned.difference(&expected));
            assert_eq!(turned.len(), expected.len());
            assert!(changes.len() * 5 < flipped.svg.len(), "{kind:?}: {} of {}", changes.len(), flipped.svg.len());
            flipped_kinds += usize::from(seed == 0);
        }
    }
    assert_eq!(flipped_kinds, 2, "backgammon and chess");
    assert!(has_better_moves);
}
