//! Tests of the number of legal plays of a roll.

use game::Seat;
use games::backgammon::{Dice, Placement, legal_plays};

#[test]
fn the_start_has_as_many_plays_as_the_books_say() {
    let counts: Vec<usize> = (1..=6)
        .flat_map(|one| (one..=6).map(move |two| [one, two]))
        .map(|roll| legal_plays(&Placement::START, Seat::First, Dice::from_roll(roll), false).len())
        .collect();
    assert_eq!(counts, [42, 15, 16, 14, 8, 10, 75, 17, 18, 8, 14, 73, 17, 9, 14, 52, 9, 14, 4, 7, 11]);
    assert_eq!(counts.iter().sum::<usize>(), 447);
}
