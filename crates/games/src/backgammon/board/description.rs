//! The board in words, for screen readers.

use game::seat::Seat;

use crate::backgammon::board::{BackgammonBoard, CubeView, ScoreView};
use crate::backgammon::side::display_name;

/// Returns a description of the whole position in one paragraph.
pub fn describe(view: &BackgammonBoard) -> String {
    let mut sentences = vec![format!("Points are numbered for {}.", display_name(view.viewer))];
    for seat in Seat::BOTH {
        let own = (1..=24).rev().filter_map(|point: u32| match view.points[point as usize - 1] {
            Some((owner, count)) if owner == seat => Some(format!("{count} on {point}")),
            _ => None,
        });
        let (bar, off) = (view.bar[seat.index()], view.off[seat.index()]);
        let bar = (bar > 0).then(|| format!("{bar} on the bar"));
        let off = (off > 0).then(|| format!("{off} borne off"));
        let all: Vec<String> = own.chain(bar).chain(off).collect();
        let all = if all.is_empty() { "no checkers".to_owned() } else { all.join(", ") };
        sentences.push(format!("{}: {all}; pips {}.", display_name(seat), view.pips(seat)));
    }
    sentences.extend(view.dice.map(|[one, two]| {
        format!("{} rolled {} and {}.", display_name(view.side_to_move), one.max(two), one.min(two))
    }));
    sentences.extend(view.cube.map(|CubeView { value, owner, offered }| {
        let whose = owner.map_or("The".to_owned(), |owner| format!("{}'s", display_name(owner)));
        let offer = if offered {
            format!(", and {} is offered {}", display_name(view.side_to_move), value * 2)
        } else {
            String::new()
        };
        format!("{whose} cube is at {value}{offer}.")
    }));
    sentences.extend(view.score.map(|ScoreView { points: [white, black], length }| {
        format!("The score is White {white}, Black {black} in a match to {length}.")
    }));
    if !view.last_targets.is_empty() {
        let mut last = view.last_targets.clone();
        last.sort_unstable_by(|one, two| two.cmp(one));
        last.dedup();
        let last: Vec<String> = last.iter().map(u32::to_string).collect();
        sentences.push(format!("The last move ended on {}.", last.join(", ")));
    }
    sentences.join(" ")
}
