//! The board in plain words, for those who hear it.

use game::seat::Seat;

use crate::backgammon::points::{Points, ShownCube, ShownScore};
use crate::backgammon::side::capital;

/// Returns the whole position as one paragraph.
pub fn words(points: &Points) -> String {
    let mut sentences = vec![format!("Points are numbered for {}.", capital(points.view))];
    for seat in Seat::BOTH {
        let own = (1..=24).rev().filter_map(|point: u32| match points.points[point as usize - 1] {
            Some((owner, count)) if owner == seat => Some(format!("{count} on {point}")),
            _ => None,
        });
        let (bar, off) = (points.bar[seat.index()], points.off[seat.index()]);
        let bar = (bar > 0).then(|| format!("{bar} on the bar"));
        let off = (off > 0).then(|| format!("{off} borne off"));
        let all: Vec<String> = own.chain(bar).chain(off).collect();
        let all = if all.is_empty() { "no checkers".to_owned() } else { all.join(", ") };
        sentences.push(format!("{}: {all}; pips {}.", capital(seat), points.pips(seat)));
    }
    sentences.extend(points.dice.map(|[one, two]| format!("{} rolled {one} and {two}.", capital(points.turn))));
    sentences.extend(points.cube.map(|ShownCube { value, owner, offered }| {
        let whose = owner.map_or("The".to_owned(), |owner| format!("{}'s", capital(owner)));
        let offer =
            if offered { format!(", and {} is offered {}", capital(points.turn), value * 2) } else { String::new() };
        format!("{whose} cube is at {value}{offer}.")
    }));
    sentences.extend(points.score.map(|ShownScore { points: [white, black], length }| {
        format!("The score is White {white}, Black {black} in a match to {length}.")
    }));
    if !points.last.is_empty() {
        let mut last = points.last.clone();
        last.sort_unstable_by(|one, two| two.cmp(one));
        last.dedup();
        let last: Vec<String> = last.iter().map(u32::to_string).collect();
        sentences.push(format!("The last move ended on {}.", last.join(", ")));
    }
    sentences.join(" ")
}
