//! Writing a game in the export format of PGN: the roster of seven tags, the other tags by their names, and lines of less than
//! 80 characters.

/// The longest line of moves, in characters.
const MAX_LINE: usize = 79;

/// A game to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnOutput {
    /// The roster: event, site, date, round, white, black, result.
    pub roster: [String; 7],
    /// The other tags, in any order.
    pub tags: Vec<(&'static str, String)>,
    /// The number of the first move.
    pub first_move_number: u16,
    /// Whether black makes the first move.
    pub black_moves_first: bool,
    /// The moves in canonical notation.
    pub moves: Vec<String>,
    /// What is told behind the last move.
    pub comment: Option<String>,
}

const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Returns the text of a game, with an empty line at its end.
pub fn format(game: &PgnOutput) -> String {
    let mut tags = game.tags.clone();
    tags.sort_unstable();
    let all = ROSTER.into_iter().zip(game.roster.iter().cloned()).chain(tags);
    let mut text: String = all.map(|(name, value)| format!("[{name} \"{}\"]\n", escape(&value))).collect();
    text.push('\n');
    let mut width = 0;
    for word in movetext(game) {
        let long = word.chars().count();
        if width > 0 && width + 1 + long > MAX_LINE {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width += long;
    }
    text.push_str("\n\n");
    text
}

/// Returns the words of the moves, the comment and the result.
fn movetext(game: &PgnOutput) -> Vec<String> {
    let mut words = Vec::with_capacity(game.moves.len() * 3 / 2 + 20);
    let black = usize::from(game.black_moves_first);
    for (ply, san) in game.moves.iter().enumerate() {
        let number = usize::from(game.first_move_number) + (ply + black) / 2;
        match (ply + black) % 2 {
            0 => words.push(format!("{number}.")),
            _ if ply == 0 => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(san.clone());
    }
    if let Some(comment) = &game.comment {
        // Nothing in it can end it.
        let clean = format!("{{{}}}", comment.replace(['{', '}'], ""));
        words.extend(clean.split_whitespace().map(str::to_owned));
    }
    words.push(game.roster[6].clone());
    words
}

/// Returns the value of a tag as it stands between quotation marks.
fn escape(value: &str) -> String {
    let plain: String = value.chars().filter(|c| !c.is_control()).collect();
    plain.replace('\\', "\\\\").replace('"', "\\\"")
}
