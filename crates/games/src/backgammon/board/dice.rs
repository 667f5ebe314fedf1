//! The drawings of the dice.

use game::board::drawing::palette;

/// The edge length of a die, in pixels.
pub const DIE: u32 = 40;

/// Returns the symbol for one face of a die, with its top left corner at the origin.
pub fn face(id: &str, white: bool, face: u8) -> String {
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
