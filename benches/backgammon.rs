//! Compares our play generator with the fastest open-source one that we know, and with a plain one.
//!
//! `cargo bench --package benches --bench backgammon`
//!
//! An item is a roll in a position, with all its distinct resulting positions. All generators run on the same 50
//! positions and must find the same number of results.
//!
//! Instruction counts don't depend on the load of the machine. The difference between two runs cancels the setup:
//!
//! ```text
//! cargo bench --package benches --bench backgammon --no-run      # prints the path of the program
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null PROGRAM --count ours mixed 1
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null PROGRAM --count ours mixed 21
//! ```
//!
//! Then compute (instructions of the second - of the first) / (20 x 750 rolls). The generators are `ours`, `ours_made`,
//! `bkgm` and `plain`; the rolls are `mixed` (750 per round) and `doubles` (300).

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::BTreeSet;

use bkgm::{ClassicRules, legal_positions_with};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::Seat;
use games::backgammon::{Dice, Placement, PlayGenerator};

fn main() {
    let words: Vec<String> = std::env::args().filter(|word| word != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [_, "--count", who, "mixed", rounds] => count(who, &mixed(), rounds.parse().unwrap()),
        [_, "--count", who, "doubles", rounds] => count(who, &doubles(), rounds.parse().unwrap()),
        _ => divan::main(),
    }
}

/// The number of positions.
const POSITIONS: usize = 50;

#[divan::bench_group(name = "mixed", sample_count = 40)]
mod two_different_dice {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        bench(bencher, &super::mixed(), Ours::round);
    }

    #[divan::bench]
    fn ours_made(bencher: Bencher) {
        bench(bencher, &super::mixed(), Ours::round_made);
    }

    #[divan::bench]
    fn bkgm(bencher: Bencher) {
        bench(bencher, &super::mixed(), Theirs::round);
    }

    #[divan::bench]
    fn plain(bencher: Bencher) {
        bench(bencher, &super::mixed(), Plain::round);
    }
}

#[divan::bench_group(name = "doubles", sample_count = 40)]
mod four_equal_dice {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        bench(bencher, &super::doubles(), Ours::round);
    }

    #[divan::bench]
    fn ours_made(bencher: Bencher) {
        bench(bencher, &super::doubles(), Ours::round_made);
    }

    #[divan::bench]
    fn bkgm(bencher: Bencher) {
        bench(bencher, &super::doubles(), Theirs::round);
    }

    #[divan::bench(sample_count = 5)]
    fn plain(bencher: Bencher) {
        bench(bencher, &super::doubles(), Plain::round);
    }
}

/// A generator, with the positions and rolls in its own format.
trait Contender {
    fn ready(positions: &[(Placement, Seat)], rolls: &[[u8; 2]]) -> Self;
}

fn bench<C: Contender>(bencher: Bencher, rolls: &[[u8; 2]], round: impl Fn(&mut C) -> usize) {
    let positions = positions();
    let expected = Plain::round(&mut Plain::ready(&positions, rolls));
    let mut contender = C::ready(&positions, rolls);
    let items = ItemsCount::new(positions.len() * rolls.len());
    bencher.counter(items).bench_local(|| assert_eq!(round(black_box(&mut contender)), expected));
}

fn count(who: &str, rolls: &[[u8; 2]], rounds: usize) {
    fn all<C: Contender>(rolls: &[[u8; 2]], rounds: usize, round: impl Fn(&mut C) -> usize) -> usize {
        let mut contender = C::ready(&positions(), rolls);
        (0..rounds).map(|_| round(black_box(&mut contender))).sum()
    }
    let found = match who {
        "ours" => all(rolls, rounds, Ours::round),
        "ours_made" => all(rolls, rounds, Ours::round_made),
        "bkgm" => all(rolls, rounds, Theirs::round),
        _ => all(rolls, rounds, Plain::round),
    };
    println!("{} rolls, {found} results", rounds * POSITIONS * rolls.len());
}

fn mixed() -> Vec<[u8; 2]> {
    (1..=6).flat_map(|one| (one + 1..=6).map(move |two| [one, two])).collect()
}

fn doubles() -> Vec<[u8; 2]> {
    (1..=6).map(|die| [die, die]).collect()
}

/// Returns positions with contact from the middle of random games, and their sides to move. The plain generator makes
/// them, so they don't depend on the one we measure.
fn positions() -> Vec<(Placement, Seat)> {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let (mut sides, mut seat) = (sides(&Placement::START, Seat::First), Seat::First);
        let plies = 8 + chance.below(40);
        for _ in 0..plies {
            let roll = [chance.below(6) as u8 + 1, chance.below(6) as u8 + 1];
            let results: Vec<Sides> = results(&sides, roll).into_iter().collect();
            let [own, theirs] = *results.get(chance.below(results.len().max(1))).unwrap_or(&sides);
            sides = [theirs, own];
            seat = seat.other();
        }
        let board = board(&sides, seat);
        if board.has_contact() && !board.has_won(seat.other()) {
            positions.push((board, seat));
        }
    }
    positions
}

/// Our own generator. `round` only counts the results, and `round_made` also turns them into boards.
struct Ours {
    generator: PlayGenerator,
    rolls: Vec<(Placement, Seat, Dice)>,
}

impl Contender for Ours {
    fn ready(positions: &[(Placement, Seat)], rolls: &[[u8; 2]]) -> Ours {
        let rolls =
            positions.iter().flat_map(|(board, seat)| rolls.iter().map(|&t| (*board, *seat, Dice::from_roll(t))));
        Ours { generator: PlayGenerator::default(), rolls: rolls.collect() }
    }
}

impl Ours {
    fn round(&mut self) -> usize {
        let search = |(board, seat, dice): &(Placement, Seat, Dice)| {
            self.generator.generate(black_box(board), *seat, *dice, false)
        };
        self.rolls.iter().map(search).sum()
    }

    fn round_made(&mut self) -> usize {
        let search = |(board, seat, dice): &(Placement, Seat, Dice)| {
            self.generator.generate(black_box(board), *seat, *dice, false);
            self.generator.boards(board, *seat).map(black_box).count()
        };
        self.rolls.iter().map(search).sum()
    }
}

/// The generator of the crate `bkgm`. Without a legal play it returns the same position again, which we don't count.
struct Theirs {
    rolls: Vec<(bkgm::Position<15>, bkgm::Dice)>,
}

impl Contender for Theirs {
    fn ready(positions: &[(Placement, Seat)], rolls: &[[u8; 2]]) -> Theirs {
        let theirs = |(board, seat): &(Placement, Seat)| {
            let [own, other] = sides(board, *seat);
            let mut pips: [i8; 26] = std::array::from_fn(|n| if n == 0 { -other[25] } else { own[n] });
            (1..25).for_each(|point| pips[point] -= other[25 - point]);
            bkgm::Position::try_from(pips).unwrap()
        };
        let dice = |&[one, two]: &[u8; 2]| bkgm::Dice::new(usize::from(one), usize::from(two));
        let rolls = positions.iter().flat_map(|position| rolls.iter().map(move |roll| (theirs(position), dice(roll))));
        Theirs { rolls: rolls.collect() }
    }
}

impl Theirs {
    fn round(&mut self) -> usize {
        let search = |(position, dice): &(bkgm::Position<15>, bkgm::Dice)| {
            let found = black_box(legal_positions_with::<ClassicRules, 15>(*black_box(position), dice));
            let moved = found.len() > 1 || bkgm::State::flip(&found[0]) != *position;
            if moved { found.len() } else { 0 }
        };
        self.rolls.iter().map(search).sum()
    }
}

/// A naive version of the rules: every order of the dice, and a set of the results.
struct Plain {
    rolls: Vec<(Sides, [u8; 2])>,
}

/// The checkers of the mover and the opponent, in their owner's numbers: 1 to 24, 25 for the bar, 0 for checkers borne
/// off.
type Sides = [[i8; 26]; 2];

impl Contender for Plain {
    fn ready(positions: &[(Placement, Seat)], rolls: &[[u8; 2]]) -> Plain {
        let all = positions.iter().flat_map(|(board, seat)| rolls.iter().map(|roll| (sides(board, *seat), *roll)));
        Plain { rolls: all.collect() }
    }
}

impl Plain {
    fn round(&mut self) -> usize {
        self.rolls.iter().map(|(sides, roll)| results(black_box(sides), *roll).len()).sum()
    }
}

fn results(sides: &Sides, [one, two]: [u8; 2]) -> BTreeSet<Sides> {
    let orders = if one == two { vec![vec![one; 4]] } else { vec![vec![one, two], vec![two, one]] };
    let mut ends = Vec::new();
    orders.iter().for_each(|order| walk(sides, order, &mut Vec::new(), &mut ends));
    let most = ends.iter().map(|(dice, _)| dice.len()).max().unwrap_or(0);
    let larger = ends.iter().filter(|(dice, _)| dice.len() == most).map(|(dice, _)| dice.first()).max().flatten();
    let best = ends.iter().filter(|(dice, _)| dice.len() == most && most > 0 && (most > 1 || dice.first() == larger));
    best.map(|(_, sides)| *sides).collect()
}

fn walk(sides: &Sides, order: &[u8], used: &mut Vec<u8>, ends: &mut Vec<(Vec<u8>, Sides)>) {
    let mut moved = false;
    if let [die, rest @ ..] = order {
        for from in 1..=25 {
            if let Some(after) = step(sides, from, usize::from(*die)) {
                moved = true;
                used.push(*die);
                walk(&after, rest, used, ends);
                used.pop();
            }
        }
    }
    if !moved {
        ends.push((used.clone(), *sides));
    }
}

fn step(&[mut own, mut other]: &Sides, from: usize, die: usize) -> Option<Sides> {
    let to = from.saturating_sub(die);
    let rearmost = own.iter().rposition(|count| *count > 0).unwrap_or(0);
    let off = to == 0 && (rearmost > 6 || (from < die && rearmost > from));
    if own[from] == 0 || (own[25] > 0 && from != 25) || off || (to > 0 && other[25 - to] > 1) {
        return None;
    }
    own[from] -= 1;
    own[to] += 1;
    if to > 0 && other[25 - to] == 1 {
        other[25 - to] = 0;
        other[25] += 1;
    }
    Some([own, other])
}

fn sides(board: &Placement, seat: Seat) -> Sides {
    [seat, seat.other()].map(|seat| std::array::from_fn(|point| board.count(seat, point as u32) as i8))
}

fn board(&[own, other]: &Sides, seat: Seat) -> Placement {
    let [white, black] = if seat == Seat::First { [own, other] } else { [other, own] };
    let points = std::array::from_fn(|index| white[index + 1] - black[24 - index]);
    let two = |point: usize| [white[point].unsigned_abs(), black[point].unsigned_abs()];
    Placement::new(points, two(25), two(0)).unwrap()
}

/// A seeded pseudorandom number generator.
struct Chance(u64);

impl Chance {
    fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % many as u64) as usize
    }
}
