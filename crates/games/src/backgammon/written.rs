//! Plays as the books write them: points counted from the mover's own side, `8/5 6/5`, `bar/22`, `6/off`, `13/7*`, `8/5(2)`.

use game::contract::Notation;
use game::notation::fold;
use game::rule::Unread;
use game::seat::Seat;

use crate::backgammon::checkers::{Checkers, OWN_BAR, Step, landing, point, step};
use crate::backgammon::game::Backgammon;
use crate::backgammon::moves::{CubeAction, Deed, Move, Steps};
use crate::backgammon::plays::{Dice, plays};

/// The most moves of single checkers that a text may name.
const MAX_CHAINS: usize = 8;

impl Notation for Backgammon {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Play(Steps { moves }) => write(&self.board, self.to_move, moves),
            Move::Cube(CubeAction { cube }) => cube.word().to_owned(),
        }
    }

    fn entry(&self, mv: &Move) -> String {
        match (mv, self.throw) {
            (Move::Play(_), Some([one, two])) => format!("{}{}: {}", one.max(two), one.min(two), self.notation(mv)),
            _ => self.notation(mv),
        }
    }

    fn group(&self, mv: &Move) -> Option<String> {
        let Move::Play(_) = mv else { return Some("The cube".to_owned()) };
        let notation = self.notation(mv);
        let from = notation.split('/').next().filter(|from| *from != "bar");
        Some(from.map_or("From the bar".to_owned(), |point| format!("From {point}")))
    }

    fn deed(mv: &Move) -> Option<&'static str> {
        let Move::Cube(CubeAction { cube }) = mv else { return None };
        Some(match cube {
            Deed::Roll => "rolled",
            Deed::Double => "doubled",
            Deed::Take => "took the double",
            Deed::Drop => "dropped the double",
        })
    }

    fn read(&self, text: &str) -> Result<Move, Unread> {
        let wanted = fold(text);
        if let Some(cube) = Deed::ALL.into_iter().find(|deed| deed.word() == wanted) {
            return Ok(Move::Cube(CubeAction { cube }));
        }
        let moves = read(&self.board, self.to_move, self.dice, self.overshoot(), text)?;
        Ok(Move::Play(Steps { moves }))
    }
}

/// Returns a play as gnubg prints it: the rearmost checker first, the moves of one checker in one, hits marked, repeats
/// counted.
pub fn write(board: &Checkers, seat: Seat, steps: &[Step]) -> String {
    let mut chains: Vec<Vec<u32>> =
        steps.iter().map(|step| vec![point(seat, step.from), landing(seat, step.to)]).collect();
    chains.sort_by_key(|chain| (std::cmp::Reverse(chain[0]), std::cmp::Reverse(chain[1])));
    let blot = |point: u32| point > 0 && board.count(seat.other(), OWN_BAR - point) == 1;
    let mut at = 0;
    while at < chains.len() {
        let end = chains[at][chains[at].len() - 1];
        match (at + 1..chains.len()).find(|next| chains[*next][0] == end && end > 0) {
            Some(next) => {
                let goes_on = chains.remove(next)[1];
                if !blot(end) {
                    chains[at].pop();
                }
                chains[at].push(goes_on);
            }
            None => at += 1,
        }
    }
    let mut hit = 0_u32;
    let mut parts: Vec<(String, usize)> = Vec::new();
    let mut seen: Vec<Vec<u32>> = Vec::new();
    for chain in chains {
        if let Some(same) = seen.iter().position(|there| *there == chain) {
            parts[same].1 += 1;
            continue;
        }
        let mut text = name(chain[0]);
        for &to in &chain[1..] {
            text = format!("{text}/{}", name(to));
            if blot(to) && hit >> to & 1 == 0 {
                hit |= 1 << to;
                text.push('*');
            }
        }
        parts.push((text, 1));
        seen.push(chain);
    }
    let parts = parts.into_iter().map(|(text, count)| if count > 1 { format!("{text}({count})") } else { text });
    parts.collect::<Vec<_>>().join(" ")
}

/// Reads a play, legal or not. A legal one comes back in the canonical steps of [`plays`]; of another one the steps are as
/// near to the dice as they can be, so that it can be told what is wrong with it.
///
/// Omitted intermediate points are never hits: `24/13` takes the route without a blot, if one exists.
///
/// # Errors
/// The reason why the text is no play at all.
pub fn read(board: &Checkers, seat: Seat, dice: Dice, overshoot: bool, text: &str) -> Result<Vec<Step>, Unread> {
    let chains = chains(&without_throw(text, dice)?)?;
    // Where each checker ends up settles everything but what was hit on the way.
    let mut change = [0_i32; 26];
    let mut named = 0_u32;
    for chain in &chains {
        for pair in chain.windows(2) {
            change[pair[0] as usize] -= 1;
            change[pair[1] as usize] += 1;
            named |= 1 << pair[1];
        }
    }
    let legal = plays(board, seat, dice, overshoot);
    let moved =
        |after: &Checkers, point: u32| i32::from(after.count(seat, point)) - i32::from(board.count(seat, point));
    let theirs = |board: &Checkers, number: u8| {
        let points = (1..OWN_BAR).filter(|point| board.count(seat.other(), OWN_BAR - point) == number);
        points.fold(0_u32, |mask, point| mask | 1 << point)
    };
    let blots = theirs(board, 1);
    let hits = |after: &Checkers| blots & theirs(after, 0);
    let meant: Vec<_> = legal
        .iter()
        .filter(|play| (0..=OWN_BAR).all(|point| moved(&play.after, point) == change[point as usize]))
        .filter(|play| named & blots & !hits(&play.after) == 0)
        .collect();
    let quiet: Vec<_> = meant.iter().filter(|play| hits(&play.after) & !named == 0).collect();
    match (quiet.as_slice(), meant.as_slice()) {
        ([only], _) => Ok(only.steps.clone()),
        (_, [only]) => Ok(only.steps.clone()),
        (_, []) => Ok(nearest(board, seat, dice, &chains)),
        (_, several) => Err(Unread::Ambiguous(several.iter().map(|play| write(board, seat, &play.steps)).collect())),
    }
}

fn name(point: u32) -> String {
    match point {
        OWN_BAR => "bar".to_owned(),
        0 => "off".to_owned(),
        point => point.to_string(),
    }
}

/// Returns the text without the throw that people put before a play, `31:`. It has to be the throw that is to be
/// played.
fn without_throw(text: &str, dice: Dice) -> Result<String, Unread> {
    let Some((before, rest)) = text.split_once(':') else { return Ok(text.to_owned()) };
    let thrown: Vec<u8> = before.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let plain = before.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | ','));
    let [one, two] = thrown[..] else { return Err(Unread::Strange) };
    if !plain {
        return Err(Unread::Strange);
    }
    let mut said = Dice::thrown([one, two]).faces().to_vec();
    let mut there = dice.faces().to_vec();
    said.sort_unstable();
    there.sort_unstable();
    if said == there {
        return Ok(rest.to_owned());
    }
    let there: Vec<String> = dice.faces().iter().take(2).map(u8::to_string).collect();
    let sentence = format!("The dice show {}", there.join("-"));
    Err(Unread::OffBoard(("INVALID_MOVE_POSITION", sentence)))
}

/// Returns the moves of single checkers that a text names: points as the mover counts them, from where to where.
fn chains(text: &str) -> Result<Vec<Vec<u32>>, Unread> {
    let text = text.to_lowercase().replace(['–', '—', '-', '→', '>', '\\'], "/").replace(" and ", " ");
    let clean: String = text
        .chars()
        .map(|c| if matches!(c, ',' | ';' | '+' | '&') { ' ' } else { c })
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '(' | ')' | '*' | ' ') || c.is_alphabetic())
        .collect();
    let clean = clean.replace(" (", "(").replace("/ ", "/").replace(" /", "/");
    let mut chains = Vec::new();
    for word in clean.split_whitespace() {
        let (path, count) = repeated(word).ok_or(Unread::Strange)?;
        let chain =
            path.split('/').filter(|part| !part.is_empty()).map(read_point).collect::<Result<Vec<u32>, Unread>>()?;
        let starts = chain.first().is_some_and(|point| *point > 0);
        if chain.len() < 2 || chain.len() > 5 || !starts {
            return Err(Unread::Strange);
        }
        chains.extend(std::iter::repeat_n(chain, count));
        if chains.len() > MAX_CHAINS {
            return Err(Unread::Strange);
        }
    }
    if chains.is_empty() { Err(Unread::Strange) } else { Ok(chains) }
}

/// Returns a move without its count: `8/5(2)`, `8/5x2`.
fn repeated(word: &str) -> Option<(&str, usize)> {
    let word = word.trim_end_matches('*');
    let (path, count) = match word.split_once('(') {
        Some((path, count)) => (path, count.strip_suffix(')')?),
        None => match word.rsplit_once('x') {
            Some((path, count)) => (path, count),
            None => return Some((word, 1)),
        },
    };
    match count {
        "1" | "2" | "3" | "4" => Some((path.trim_end_matches('*'), usize::from(count.as_bytes()[0] - b'0'))),
        _ => None,
    }
}

fn read_point(part: &str) -> Result<u32, Unread> {
    match part.trim_end_matches('*') {
        "bar" | "b" => Ok(OWN_BAR),
        "off" | "o" | "0" => Ok(0),
        digits if digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            let point = digits.parse().map_err(|_| Unread::Strange)?;
            if point > OWN_BAR {
                let sentence = "The points are 1 to 24, `bar` and `off`".to_owned();
                return Err(Unread::OffBoard(("INVALID_MOVE_POSITION", sentence)));
            }
            Ok(point)
        }
        _ => Err(Unread::Strange),
    }
}

/// Returns steps for a play that is not legal: each move is made of one die, or of several where no die is that long.
fn nearest(board: &Checkers, seat: Seat, dice: Dice, chains: &[Vec<u32>]) -> Vec<Step> {
    let mut left = dice;
    let mut steps = Vec::new();
    for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
        let (from, to) = (pair[0], pair[1]);
        for (from, to, die) in hops(board, seat, left, from, to) {
            left = left.without(die);
            steps.push(step(seat, from, to, die));
        }
    }
    steps
}

fn hops(board: &Checkers, seat: Seat, left: Dice, from: u32, to: u32) -> Vec<(u32, u32, u8)> {
    let faces = left.faces();
    let Some(distance) = from.checked_sub(to).filter(|distance| *distance > 0) else {
        return vec![(from, to, faces.first().copied().unwrap_or(1))];
    };
    let fits = |die: &&u8| u32::from(**die) == distance || (to == 0 && u32::from(**die) > distance);
    if let Some(die) = faces.iter().filter(fits).min() {
        return vec![(from, to, *die)];
    }
    let blocked = |point: u32| board.count(seat.other(), OWN_BAR - point) > 1;
    let turned: Vec<u8> = faces.iter().rev().copied().collect();
    let ways = [faces.to_vec(), turned].into_iter().filter_map(|order| {
        let mut way = Vec::new();
        let mut at = from;
        for die in order {
            let next = at.saturating_sub(u32::from(die)).max(to);
            way.push((at, next, die));
            at = next;
            if at == to {
                let exact = to == 0 || way.iter().map(|hop| u32::from(hop.2)).sum::<u32>() == distance;
                return exact.then_some(way);
            }
        }
        None
    });
    let obstacles = |way: &Vec<(u32, u32, u8)>| way.iter().filter(|hop| hop.1 > 0 && blocked(hop.1)).count();
    ways.min_by_key(obstacles).unwrap_or_else(|| vec![(from, to, u8::try_from(distance).unwrap_or(0))])
}
