//! What a text can mean as a move, before a look at the board.
//!
//! People write `Nf3`, `nf3`, `Sf3`, `Ng1-f3`, `g1f3`, `♘f3`, `12. Nf3!?`, `knight to f3`. A text becomes a row of signs, and the
//! row is held against the few shapes that a move can have; it has to fit from its first sign to its last, so that talk is none.

use cozy_chess::{File, Piece, Rank};
use game::notation::bare;

/// The most signs that a move can have.
const MOST_SIGNS: usize = 9;

/// Words for pieces, in English, German, French and Spanish.
const PIECES: &[(Piece, &[&str])] = &[
    (Piece::King, &["king", "könig", "koenig", "roi", "rey"]),
    (Piece::Queen, &["queen", "dame", "dama", "reine"]),
    (Piece::Rook, &["rook", "turm", "tour", "torre"]),
    (Piece::Bishop, &["bishop", "läufer", "laeufer", "fou", "alfil"]),
    (Piece::Knight, &["knight", "horse", "springer", "cavalier", "caballo"]),
    (Piece::Pawn, &["pawn", "bauer", "pion", "peón", "peon"]),
];
/// Words for a capture.
const CAPTURES: &[&str] = &["takes", "take", "captures", "capture", "schlägt", "prend"];
/// Words for what a pawn becomes.
const BECOMES: &[&str] = &["becomes", "promotes", "promote", "promoting"];
/// Words that join the others.
const JOINS: &[&str] = &["to", "from", "on", "at", "moves", "goes", "into"];
/// What may stand behind a move: signs and words for a check or an en passant capture, which the board knows better.
const ENDINGS: &[&str] =
    &["checkmate", "check", "mate", "matt", "mat", "schach", "ch", "en passant", "e.p", "ep", "++", "+", "#", "†", "‡"];
/// Words for castling, and on which side.
const CASTLES: &[&str] = &["castles", "castling", "castle", "rochade", "rochiert", "roque", "enroque"];
const SHORT: &[&str] = &["kingside", "kingsside", "king", "short", "small", "kurze", "kurz", "petit", "corto"];
const LONG: &[&str] = &["queenside", "queensside", "queen", "long", "big", "lange", "lang", "grand", "largo"];

/// A move as a text describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The kind of piece; `None` where the square that it leaves says it.
    pub(super) piece: Option<Piece>,
    /// The file that it leaves, if it is named.
    pub(super) from_file: Option<File>,
    /// The rank that it leaves, if it is named.
    pub(super) from_rank: Option<Rank>,
    /// Whether it captures, if that is said.
    pub(super) captures: bool,
    /// The file that it goes to.
    pub(super) to_file: File,
    /// The rank that it goes to; `None` in `exd`.
    pub(super) to_rank: Option<Rank>,
    /// The piece that a pawn becomes, if it is named.
    pub(super) promotion: Option<Piece>,
}

/// The meaning of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Castling: on the king's side, on the queen's, or on whichever is possible.
    Castling(Option<bool>),
    /// A move of the first of these groups in which one is legal. There may be none.
    Moves(Vec<Vec<Wanted>>),
}

/// A sign of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// A letter, which can name a file or a piece.
    Letter(char),
    Rank(Rank),
    Piece(Piece),
    Captures,
    Becomes,
}

/// Reads a text.
pub(super) fn read(text: &str) -> Spelling {
    let text = clean(text);
    if let Some(castling) = castling(&text) {
        return castling;
    }
    Spelling::Moves(signs(&text).map(|signs| readings(&signs)).unwrap_or_default())
}

/// Returns the text of a move alone: without its number, what stands around it, and what follows; with Latin letters for
/// figurines and Russian pieces.
pub(super) fn clean(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().filter(|c| !matches!(c, '\u{fe0e}' | '\u{fe0f}')).peekable();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '♔' | '♚' => 'K',
            'К' if chars.next_if_eq(&'р').is_some() => 'K',
            '♕' | '♛' | 'Ф' => 'Q',
            '♖' | '♜' | 'Л' => 'R',
            '♗' | '♝' | 'С' => 'B',
            '♘' | '♞' | 'К' => 'N',
            // At the end the pawn of the emoji is no piece to become.
            '♙' | '♟' if !plain.is_empty() => ' ',
            '♙' | '♟' => 'P',
            'О' | 'о' => 'O',
            c => c,
        });
    }
    let mut text = bare(without_number(bare(&plain)));
    while let Some(before) = ENDINGS.iter().find_map(|ending| without_ending(text, ending)) {
        text = before;
    }
    text.to_owned()
}

/// Returns the text behind the number of a move: `12. `, `12...`, or dots alone.
fn without_number(text: &str) -> &str {
    let is_dot = |c: char| matches!(c, '.' | '…' | ')');
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let (digits, rest) = (text.len() - rest.len(), rest.trim_start());
    if digits <= 3 && rest.starts_with(is_dot) { rest.trim_start_matches(is_dot) } else { text }
}

/// Returns the text before an ending; `None` if it has another one, or nothing stands before.
fn without_ending<'a>(text: &'a str, ending: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(ending.len()).filter(|at| *at > 0 && text.is_char_boundary(*at))?;
    let (before, behind) = text.split_at(at);
    // A word is a whole one.
    let joined = before.ends_with(char::is_alphabetic) && ending.starts_with(char::is_alphabetic);
    let before = bare(before).trim_end_matches(['(', '[', ' ']);
    (behind.eq_ignore_ascii_case(ending) && !joined && !before.is_empty()).then_some(before)
}

/// Reads castling: `O-O`, `0-0-0`, `castles long`.
fn castling(text: &str) -> Option<Spelling> {
    let dash = |c: char| matches!(c, '-' | '–' | '—' | ' ');
    let rings: Vec<&str> = text.split(dash).filter(|part| !part.is_empty()).collect();
    let all = |zero: &str| rings.iter().all(|ring| ring.eq_ignore_ascii_case(zero));
    let short = match rings.len() {
        2 if all("0") || all("o") => Some(true),
        3 if all("0") || all("o") => Some(false),
        1 if rings[0] == "00" => Some(true),
        1 if rings[0] == "000" => Some(false),
        _ => None,
    };
    if short.is_some() {
        return Some(Spelling::Castling(short));
    }
    let words: Vec<String> = rings.iter().map(|word| word.to_lowercase()).collect();
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    let at = words.iter().position(|word| is(CASTLES, word))?;
    let filler = |word: &&String| !matches!(word.as_str(), "side" | "the" | "on" | "to" | "i");
    let others: Vec<&String> =
        words.iter().enumerate().filter(|(nth, _)| *nth != at).map(|(_, word)| word).filter(filler).collect();
    match others[..] {
        [] => Some(Spelling::Castling(None)),
        [word] if is(SHORT, word) => Some(Spelling::Castling(Some(true))),
        [word] if is(LONG, word) => Some(Spelling::Castling(Some(false))),
        _ => None,
    }
}

/// Returns the signs of a text; `None` if there is anything else in it, or too much.
fn signs(text: &str) -> Option<Vec<Sign>> {
    let mut signs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        let lower = word.to_lowercase();
        let is = |list: &[&str]| list.contains(&lower.as_str());
        let mut taken = word.len();
        if let Some((piece, _)) = PIECES.iter().find(|(_, words)| is(words)) {
            signs.push(Sign::Piece(*piece));
        } else if is(CAPTURES) {
            signs.push(Sign::Captures);
        } else if is(BECOMES) {
            signs.push(Sign::Becomes);
        } else if !is(JOINS) {
            taken = first.len_utf8();
            match first {
                'x' | 'X' | '×' | ':' => signs.push(Sign::Captures),
                '=' | '(' | '/' => signs.push(Sign::Becomes),
                ' ' | '-' | '–' | '—' | '→' | '>' => {}
                '1'..='8' => signs.push(Sign::Rank(Rank::try_from(first).ok()?)),
                _ if first.is_ascii_alphabetic() => signs.push(Sign::Letter(first)),
                _ => return None,
            }
        }
        rest = &rest[taken..];
        if signs.len() > MOST_SIGNS {
            return None;
        }
    }
    Some(signs)
}

/// Returns everything that signs can mean, the likeliest first. What is in one group is equally likely.
fn readings(signs: &[Sign]) -> Vec<Vec<Wanted>> {
    // Where nothing is in lower case a capital says nothing.
    let capitals = !signs.iter().any(|sign| matches!(sign, Sign::Letter(letter) if letter.is_lowercase()));
    let readings = (0..64).filter_map(|shape| shaped(signs, shape, capitals));
    let (pieces, squares): (Vec<Wanted>, Vec<Wanted>) = readings.partition(|wanted| wanted.piece.is_some());
    let groups = match signs {
        // A telephone may have begun `b5c6` with a capital.
        [Sign::Letter('B'), Sign::Rank(_), ..] if !capitals => vec![pieces, squares],
        // `bxc6` is a pawn's move where a pawn has it.
        [Sign::Letter('b'), Sign::Captures, ..] => {
            let (pawn, bishop) = pieces.into_iter().partition(|wanted| wanted.piece == Some(Piece::Pawn));
            vec![pawn, bishop]
        }
        // Two whole squares say everything: `b2b4` is no bishop's move from the second rank.
        _ if !squares.is_empty() => vec![squares],
        _ => vec![pieces],
    };
    groups.into_iter().filter(|group| !group.is_empty()).collect()
}

/// Reads signs in a shape: each bit says whether a part is there. `None` if they are not of this shape.
fn shaped(signs: &[Sign], shape: u8, capitals: bool) -> Option<Wanted> {
    let has = |part: u8| shape & (1 << part) != 0;
    let mut signs = signs.iter().copied().peekable();
    let piece = if has(0) { Some(piece(signs.next()?)?) } else { None };
    let whole = piece.is_none() && has(1) && has(2);
    let from_file = if has(1) { Some(file(signs.next()?, capitals || whole)?) } else { None };
    let from_rank = if has(2) { Some(rank(signs.next()?)?) } else { None };
    let captures = has(3);
    if captures && signs.next()? != Sign::Captures {
        return None;
    }
    let to_file = file(signs.next()?, capitals)?;
    let to_rank = if has(4) { Some(rank(signs.next()?)?) } else { None };
    let promotion = if has(5) {
        // A letter alone behind another square, as in `b2b`, is talk.
        let ahead = to_rank.is_none_or(|rank| matches!(rank, Rank::First | Rank::Eighth));
        if signs.peek() != Some(&Sign::Becomes) && !ahead {
            return None;
        }
        while signs.next_if_eq(&Sign::Becomes).is_some() {}
        Some(officer(signs.next()?)?)
    } else {
        None
    };
    let adjacent = |from: File| (from as i8 - to_file as i8).abs() == 1;
    let sense = match (piece, from_file, from_rank) {
        (None, Some(_), Some(_)) => to_rank.is_some(),
        (None, Some(from), None) => adjacent(from) && (captures || to_rank.is_some()),
        (None, None, None) => !captures && to_rank.is_some(),
        (None, None, Some(_)) => false,
        (Some(_), ..) => to_rank.is_some(),
    };
    // Without a piece and without the square that it leaves a move is a pawn's.
    let piece = piece.or((from_rank.is_none()).then_some(Piece::Pawn));
    let wanted = Wanted { piece, from_file, from_rank, captures, to_file, to_rank, promotion };
    (sense && signs.next().is_none()).then_some(wanted)
}

/// Reads a sign as a file. A capital `B` is the bishop's.
fn file(sign: Sign, capitals: bool) -> Option<File> {
    match sign {
        Sign::Letter('B') if !capitals => None,
        Sign::Letter(letter) => File::try_from(letter.to_ascii_lowercase()).ok(),
        _ => None,
    }
}

fn rank(sign: Sign) -> Option<Rank> {
    if let Sign::Rank(rank) = sign { Some(rank) } else { None }
}

/// Reads a sign as a piece. In lower case only the letters that name no file are pieces of other languages.
fn piece(sign: Sign) -> Option<Piece> {
    match sign {
        Sign::Piece(piece) => Some(piece),
        Sign::Letter('a' | 'c' | 'd' | 'f') => None,
        Sign::Letter(letter) => named(letter.to_ascii_uppercase()),
        _ => None,
    }
}

/// Reads a sign as what a pawn becomes.
fn officer(sign: Sign) -> Option<Piece> {
    let piece = match sign {
        Sign::Piece(piece) => Some(piece),
        Sign::Letter(letter) => named(letter.to_ascii_uppercase()),
        _ => None,
    };
    piece.filter(|piece| !matches!(piece, Piece::King | Piece::Pawn))
}

/// Returns the piece of a capital letter: as in English, and in languages whose letters are free.
fn named(letter: char) -> Option<Piece> {
    match letter {
        'K' => Some(Piece::King),
        'Q' | 'D' => Some(Piece::Queen),
        'R' | 'T' | 'W' => Some(Piece::Rook),
        'B' | 'L' | 'F' | 'A' => Some(Piece::Bishop),
        'N' | 'S' | 'C' | 'J' => Some(Piece::Knight),
        'P' => Some(Piece::Pawn),
        _ => None,
    }
}
