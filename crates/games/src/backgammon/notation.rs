//! Standard play notation, with points in the mover's own numbers: `8/5 6/5`, `bar/22`, `6/off`, `13/7*`, `8/5(2)`.

use game::notation::normalize;
use game::{Notation, ParseMoveError, Seat};

use crate::backgammon::position::step;
use crate::backgammon::{
    Backgammon, CubeAction, CubeMove, Dice, GameEvent, Move, OWN_BAR, Placement, Step, Steps, legal_plays, own_point,
    own_target,
};

/// The most checker movements that a text may contain.
const MAX_CHAINS: usize = 8;

impl Notation for Backgammon {
    fn notation(&self, mv: &Move) -> String {
        match mv {
            Move::Play(Steps { moves }) => format_play(&self.board, self.side_to_move, moves),
            Move::Cube(CubeMove { cube }) => cube.word().to_owned(),
        }
    }

    fn move_list_entry(&self, mv: &Move) -> String {
        match (mv, self.roll) {
            (Move::Play(_), Some([one, two])) => format!("{}{}: {}", one.max(two), one.min(two), self.notation(mv)),
            _ => self.notation(mv),
        }
    }

    fn automatic_turns(&self) -> Vec<(Seat, String)> {
        let turn = |event: &GameEvent| match event {
            GameEvent::Passed(seat, [one, two]) => Some((*seat, format!("{}{}: no play", one.max(two), one.min(two)))),
            GameEvent::ForcedPlay(seat, [one, two], board, steps) => {
                Some((*seat, format!("{}{}: {}", one.max(two), one.min(two), format_play(board, *seat, steps))))
            }
            _ => None,
        };
        self.events.iter().filter_map(turn).collect()
    }

    fn move_list_heading(&self, mv: &Move) -> Option<String> {
        let Move::Play(_) = mv else { return Some("The cube".to_owned()) };
        let notation = self.notation(mv);
        let from = notation.split('/').next().filter(|from| *from != "bar");
        Some(from.map_or("From the bar".to_owned(), |point| format!("From {point}")))
    }

    fn action_phrase(mv: &Move) -> Option<&'static str> {
        let Move::Cube(CubeMove { cube }) = mv else { return None };
        Some(match cube {
            CubeAction::Roll => "rolled",
            CubeAction::Double => "doubled",
            CubeAction::Take => "took the double",
            CubeAction::Drop => "dropped the double",
        })
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let normalized = normalize(text);
        if let Some(cube) = CubeAction::ALL.into_iter().find(|action| action.word() == normalized) {
            return Ok(Move::Cube(CubeMove { cube }));
        }
        let moves = parse_play(&self.board, self.side_to_move, self.dice, self.allows_overshoot(), text)?;
        Ok(Move::Play(Steps { moves }))
    }
}

/// Formats a play as gnubg does: the rearmost checker first, one movement per checker, hits marked, and repeats
/// counted.
pub fn format_play(board: &Placement, seat: Seat, steps: &[Step]) -> String {
    let mut chains: Vec<Vec<u32>> =
        steps.iter().map(|step| vec![own_point(seat, step.from), own_target(seat, step.to)]).collect();
    chains.sort_by_key(|chain| (std::cmp::Reverse(chain[0]), std::cmp::Reverse(chain[1])));
    let is_blot = |point: u32| point > 0 && board.count(seat.other(), OWN_BAR - point) == 1;
    let mut index = 0;
    while index < chains.len() {
        let end = chains[index][chains[index].len() - 1];
        match (index + 1..chains.len()).find(|next| chains[*next][0] == end && end > 0) {
            Some(next) => {
                let next_target = chains.remove(next)[1];
                if !is_blot(end) {
                    chains[index].pop();
                }
                chains[index].push(next_target);
            }
            None => index += 1,
        }
    }
    let mut hit = 0_u32;
    let mut parts: Vec<(String, usize)> = Vec::new();
    let mut seen: Vec<Vec<u32>> = Vec::new();
    for chain in chains {
        if let Some(same) = seen.iter().position(|other| *other == chain) {
            parts[same].1 += 1;
            continue;
        }
        let mut text = point_name(chain[0]);
        for &to in &chain[1..] {
            text = format!("{text}/{}", point_name(to));
            if is_blot(to) && hit >> to & 1 == 0 {
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

/// Parses a play, legal or not. A legal play becomes the canonical steps of [`legal_plays`]. The steps of an illegal
/// one match the dice as well as they can, so that the bot can explain what is wrong with it.
///
/// An omitted intermediate point is never a hit: `24/13` takes the route without a blot, if there is one.
///
/// # Errors
/// Returns an error if the text isn't a play, matches several plays, or names a wrong roll or point.
pub fn parse_play(
    board: &Placement,
    seat: Seat,
    dice: Dice,
    overshoot: bool,
    text: &str,
) -> Result<Vec<Step>, ParseMoveError> {
    let chains = parse_chains(&strip_roll(text, dice)?)?;
    // The end points determine the play, except for hits on the way.
    let mut change = [0_i32; 26];
    let mut named = 0_u32;
    for chain in &chains {
        for pair in chain.windows(2) {
            change[pair[0] as usize] -= 1;
            change[pair[1] as usize] += 1;
            named |= 1 << pair[1];
        }
    }
    let legal = legal_plays(board, seat, dice, overshoot);
    let change_at =
        |after: &Placement, point: u32| i32::from(after.count(seat, point)) - i32::from(board.count(seat, point));
    let points_with = |board: &Placement, number: u8| {
        let points = (1..OWN_BAR).filter(|point| board.count(seat.other(), OWN_BAR - point) == number);
        points.fold(0_u32, |mask, point| mask | 1 << point)
    };
    let blots = points_with(board, 1);
    let hits = |after: &Placement| blots & points_with(after, 0);
    let matching: Vec<_> = legal
        .iter()
        .filter(|play| (0..=OWN_BAR).all(|point| change_at(&play.board_after, point) == change[point as usize]))
        .filter(|play| named & blots & !hits(&play.board_after) == 0)
        .collect();
    let without_unnamed_hits: Vec<_> = matching.iter().filter(|play| hits(&play.board_after) & !named == 0).collect();
    match (without_unnamed_hits.as_slice(), matching.as_slice()) {
        ([only], _) => Ok(only.steps.clone()),
        (_, [only]) => Ok(only.steps.clone()),
        (_, []) => Ok(nearest_steps(board, seat, dice, &chains)),
        (_, several) => {
            Err(ParseMoveError::Ambiguous(several.iter().map(|play| format_play(board, seat, &play.steps)).collect()))
        }
    }
}

fn point_name(point: u32) -> String {
    match point {
        OWN_BAR => "bar".to_owned(),
        0 => "off".to_owned(),
        point => point.to_string(),
    }
}

/// Strips the roll that people write before a play, as in `31: 8/5 6/5`. It has to match the current roll.
fn strip_roll(text: &str, dice: Dice) -> Result<String, ParseMoveError> {
    let Some((before, rest)) = text.split_once(':') else { return Ok(text.to_owned()) };
    let rolled: Vec<u8> = before.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let is_roll = before.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | ','));
    let [one, two] = rolled[..] else { return Err(ParseMoveError::NotAMove) };
    if !is_roll {
        return Err(ParseMoveError::NotAMove);
    }
    let mut written = Dice::from_roll([one, two]).faces().to_vec();
    let mut rolled_faces = dice.faces().to_vec();
    written.sort_unstable();
    rolled_faces.sort_unstable();
    if written == rolled_faces {
        return Ok(rest.to_owned());
    }
    let rolled_faces: Vec<String> = dice.faces().iter().take(2).map(u8::to_string).collect();
    let sentence = format!("The dice show {}", rolled_faces.join("-"));
    Err(ParseMoveError::out_of_range("INVALID_MOVE_POSITION", sentence))
}

/// Parses the checker movements of a text, each as its points in the mover's numbers.
fn parse_chains(text: &str) -> Result<Vec<Vec<u32>>, ParseMoveError> {
    let text = text.to_lowercase().replace(['–', '—', '-', '→', '>', '\\'], "/").replace(" to ", "/");
    let clean: String = text
        .chars()
        .map(|c| if matches!(c, ',' | ';' | '+' | '&') { ' ' } else { c })
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '(' | ')' | '*' | ' ') || c.is_alphabetic())
        .collect();
    // An `x` hits, unless it counts: `8/4x` and `8/5x2`.
    let clean = clean.replace(" (", "(").replace("/ ", "/").replace(" /", "/").replace("x/", "*/");
    let is_filler = |word: &&str| matches!(*word, "and" | "then" | "from" | "the" | "point");
    let words: Vec<&str> = clean.split_whitespace().filter(|word| !is_filler(word)).collect();
    let mut chains = Vec::new();
    for word in join_points(&words) {
        let (path, count) = split_repeat_count(&word).ok_or(ParseMoveError::NotAMove)?;
        let chain = path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(parse_point)
            .collect::<Result<Vec<u32>, ParseMoveError>>()?;
        let starts = chain.first().is_some_and(|point| *point > 0);
        if chain.len() < 2 || chain.len() > 5 || !starts {
            return Err(ParseMoveError::NotAMove);
        }
        chains.extend(std::iter::repeat_n(chain, count));
        if chains.len() > MAX_CHAINS {
            return Err(ParseMoveError::NotAMove);
        }
    }
    if chains.is_empty() { Err(ParseMoveError::NotAMove) } else { Ok(chains) }
}

/// Joins the two points of each movement that has only a space between them: `bar 22` is `bar/22`.
fn join_points(words: &[&str]) -> Vec<String> {
    let mut joined = Vec::new();
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let to = after.first().filter(|to| !word.contains('/') && !to.contains('/'));
        joined.push(to.map_or_else(|| (*word).to_owned(), |to| format!("{word}/{to}")));
        rest = &after[usize::from(to.is_some())..];
    }
    joined
}

/// Splits off the repeat count of a movement, as in `8/5(2)` or `8/5x2`.
fn split_repeat_count(word: &str) -> Option<(&str, usize)> {
    let word = word.trim_end_matches(['*', 'x']);
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

fn parse_point(part: &str) -> Result<u32, ParseMoveError> {
    match part.trim_end_matches(['*', 'x']) {
        "bar" | "b" => Ok(OWN_BAR),
        "off" | "o" | "0" => Ok(0),
        digits if digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            let point = digits.parse().map_err(|_| ParseMoveError::NotAMove)?;
            if point > OWN_BAR {
                let sentence = "The points are 1 to 24, `bar` and `off`";
                return Err(ParseMoveError::out_of_range("INVALID_MOVE_POSITION", sentence));
            }
            Ok(point)
        }
        _ => Err(ParseMoveError::NotAMove),
    }
}

/// Returns the steps of an illegal play. Each movement uses one die, or several if no single die is long enough.
fn nearest_steps(board: &Placement, seat: Seat, dice: Dice, chains: &[Vec<u32>]) -> Vec<Step> {
    let mut left = dice;
    let mut steps = Vec::new();
    for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
        let (from, to) = (pair[0], pair[1]);
        for (from, to, die) in split_step(board, seat, left, from, to) {
            left = left.without(die);
            steps.push(step(seat, from, to, die));
        }
    }
    steps
}

/// Splits a movement into steps, each with its source, target and die. Prefers the order of dice with fewer blocked
/// points.
fn split_step(board: &Placement, seat: Seat, left: Dice, from: u32, to: u32) -> Vec<(u32, u32, u8)> {
    let faces = left.faces();
    let Some(distance) = from.checked_sub(to).filter(|distance| *distance > 0) else {
        return vec![(from, to, faces.first().copied().unwrap_or(1))];
    };
    let fits = |die: &&u8| u32::from(**die) == distance || (to == 0 && u32::from(**die) > distance);
    if let Some(die) = faces.iter().filter(fits).min() {
        return vec![(from, to, *die)];
    }
    let blocked = |point: u32| board.count(seat.other(), OWN_BAR - point) > 1;
    let reversed: Vec<u8> = faces.iter().rev().copied().collect();
    let routes = [faces.to_vec(), reversed].into_iter().filter_map(|order| {
        let mut route = Vec::new();
        let mut point = from;
        for die in order {
            let next = point.saturating_sub(u32::from(die)).max(to);
            route.push((point, next, die));
            point = next;
            if point == to {
                let exact = to == 0 || route.iter().map(|hop| u32::from(hop.2)).sum::<u32>() == distance;
                return if exact { Some(route) } else { None };
            }
        }
        None
    });
    let obstacles = |route: &Vec<(u32, u32, u8)>| route.iter().filter(|hop| hop.1 > 0 && blocked(hop.1)).count();
    routes.min_by_key(obstacles).unwrap_or_else(|| vec![(from, to, u8::try_from(distance).unwrap_or(0))])
}
