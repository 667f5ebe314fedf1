//! What a text can mean as a move, before a look at the board.
//!
//! People write `Nf3`, `nf3`, `Sf3`, `Ng1-f3`, `g1f3`, `♘f3`, `12. Nf3!?`, `knight to f3`. A text becomes a row of signs, and the
//! row is held against the few shapes that a move can have; it has to fit from its first sign to its last, so that talk is none.

use cozy_chess::{File, Piece, Rank};
use game::notation::strip_decoration;

/// The most signs that a move can have.
const MAX_TOKENS: usize = 9;

/// Words for pieces, in English, German, French and Spanish.
const PIECE_WORDS: &[(Piece, &[&str])] = &[
    (Piece::King, &["king", "könig", "koenig", "roi", "rey"]),
    (Piece::Queen, &["queen", "dame", "dama", "reine"]),
    (Piece::Rook, &["rook", "turm", "tour", "torre"]),
    (Piece::Bishop, &["bishop", "läufer", "laeufer", "fou", "alfil"]),
    (Piece::Knight, &["knight", "horse", "springer", "cavalier", "caballo"]),
    (Piece::Pawn, &["pawn", "bauer", "pion", "peón", "peon"]),
];
/// Words for a capture.
const CAPTURE_WORDS: &[&str] = &["takes", "take", "captures", "capture", "schlägt", "prend"];
/// Words for what a pawn becomes.
const PROMOTION_WORDS: &[&str] = &["becomes", "promotes", "promote", "promoting"];
/// Words that join the others.
const FILLER_WORDS: &[&str] = &["to", "from", "on", "at", "moves", "goes", "into"];
/// What may stand behind a move: signs and words for a check or an en passant capture, which the board knows better.
const SUFFIXES: &[&str] =
    &["checkmate", "check", "mate", "matt", "mat", "schach", "ch", "en passant", "e.p", "ep", "++", "+", "#", "†", "‡"];
/// Words for castling, and on which side.
const CASTLING_WORDS: &[&str] = &["castles", "castling", "castle", "rochade", "rochiert", "roque", "enroque"];
const KINGSIDE_WORDS: &[&str] = &["kingside", "kingsside", "king", "short", "small", "kurze", "kurz", "petit", "corto"];
const QUEENSIDE_WORDS: &[&str] =
    &["queenside", "queensside", "queen", "long", "big", "lange", "lang", "grand", "largo"];

/// A move as a text describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MovePattern {
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
pub(super) enum ParsedText {
    /// Castling: on the king's side, on the queen's, or on whichever is possible.
    Castling(Option<bool>),
    /// A move of the first of these groups in which one is legal. There may be none.
    Patterns(Vec<Vec<MovePattern>>),
}

/// A sign of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A letter, which can name a file or a piece.
    Letter(char),
    Rank(Rank),
    Piece(Piece),
    Capture,
    Promotion,
}

/// Reads a text.
pub(super) fn parse(text: &str) -> ParsedText {
    let text = normalize(text);
    if let Some(castling) = parse_castling(&text) {
        return castling;
    }
    ParsedText::Patterns(tokenize(&text).map(|signs| match_shapes(&signs)).unwrap_or_default())
}

/// Returns the text of a move alone: without its number, what stands around it, and what follows; with Latin letters for
/// figurines and Russian pieces.
pub(super) fn normalize(text: &str) -> String {
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
    let mut text = strip_decoration(strip_move_number(strip_decoration(&plain)));
    while let Some(before) = SUFFIXES.iter().find_map(|ending| strip_suffix(text, ending)) {
        text = before;
    }
    text.to_owned()
}

/// Returns the text behind the number of a move: `12. `, `12...`, or dots alone.
fn strip_move_number(text: &str) -> &str {
    let is_dot = |c: char| matches!(c, '.' | '…' | ')');
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let (digits, rest) = (text.len() - rest.len(), rest.trim_start());
    if digits <= 3 && rest.starts_with(is_dot) { rest.trim_start_matches(is_dot) } else { text }
}

/// Returns the text before an ending; `None` if it has another one, or nothing stands before.
fn strip_suffix<'a>(text: &'a str, ending: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(ending.len()).filter(|at| *at > 0 && text.is_char_boundary(*at))?;
    let (before, behind) = text.split_at(at);
    // A word is a whole one.
    let joined = before.ends_with(char::is_alphabetic) && ending.starts_with(char::is_alphabetic);
    let before = strip_decoration(before).trim_end_matches(['(', '[', ' ']);
    (behind.eq_ignore_ascii_case(ending) && !joined && !before.is_empty()).then_some(before)
}

/// Reads castling: `O-O`, `0-0-0`, `castles long`.
fn parse_castling(text: &str) -> Option<ParsedText> {
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
        return Some(ParsedText::Castling(short));
    }
    let words: Vec<String> = rings.iter().map(|word| word.to_lowercase()).collect();
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    let at = words.iter().position(|word| is(CASTLING_WORDS, word))?;
    let filler = |word: &&String| !matches!(word.as_str(), "side" | "the" | "on" | "to" | "i");
    let others: Vec<&String> =
        words.iter().enumerate().filter(|(nth, _)| *nth != at).map(|(_, word)| word).filter(filler).collect();
    match others[..] {
        [] => Some(ParsedText::Castling(None)),
        [word] if is(KINGSIDE_WORDS, word) => Some(ParsedText::Castling(Some(true))),
        [word] if is(QUEENSIDE_WORDS, word) => Some(ParsedText::Castling(Some(false))),
        _ => None,
    }
}

/// Returns the signs of a text; `None` if there is anything else in it, or too much.
fn tokenize(text: &str) -> Option<Vec<Token>> {
    let mut signs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        let lower = word.to_lowercase();
        let is = |list: &[&str]| list.contains(&lower.as_str());
        let mut taken = word.len();
        if let Some((piece, _)) = PIECE_WORDS.iter().find(|(_, words)| is(words)) {
            signs.push(Token::Piece(*piece));
        } else if is(CAPTURE_WORDS) {
            signs.push(Token::Capture);
        } else if is(PROMOTION_WORDS) {
            signs.push(Token::Promotion);
        } else if !is(FILLER_WORDS) {
            taken = first.len_utf8();
            match first {
                'x' | 'X' | '×' | ':' => signs.push(Token::Capture),
                '=' | '(' | '/' => signs.push(Token::Promotion),
                ' ' | '-' | '–' | '—' | '→' | '>' => {}
                '1'..='8' => signs.push(Token::Rank(Rank::try_from(first).ok()?)),
                _ if first.is_ascii_alphabetic() => signs.push(Token::Letter(first)),
                _ => return None,
            }
        }
        rest = &rest[taken..];
        if signs.len() > MAX_TOKENS {
            return None;
        }
    }
    Some(signs)
}

/// Returns everything that signs can mean, the likeliest first. What is in one group is equally likely.
fn match_shapes(signs: &[Token]) -> Vec<Vec<MovePattern>> {
    // Where nothing is in lower case a capital says nothing.
    let capitals = !signs.iter().any(|sign| matches!(sign, Token::Letter(letter) if letter.is_lowercase()));
    let readings = (0..64).filter_map(|shape| match_shape(signs, shape, capitals));
    let (pieces, squares): (Vec<MovePattern>, Vec<MovePattern>) = readings.partition(|wanted| wanted.piece.is_some());
    let groups = match signs {
        // A telephone may have begun `b5c6` with a capital.
        [Token::Letter('B'), Token::Rank(_), ..] if !capitals => vec![pieces, squares],
        // `bxc6` is a pawn's move where a pawn has it.
        [Token::Letter('b'), Token::Capture, ..] => {
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
fn match_shape(signs: &[Token], shape: u8, capitals: bool) -> Option<MovePattern> {
    let has = |part: u8| shape & (1 << part) != 0;
    let mut signs = signs.iter().copied().peekable();
    let piece = if has(0) { Some(parse_piece(signs.next()?)?) } else { None };
    let whole = piece.is_none() && has(1) && has(2);
    let from_file = if has(1) { Some(parse_file(signs.next()?, capitals || whole)?) } else { None };
    let from_rank = if has(2) { Some(parse_rank(signs.next()?)?) } else { None };
    let captures = has(3);
    if captures && signs.next()? != Token::Capture {
        return None;
    }
    let to_file = parse_file(signs.next()?, capitals)?;
    let to_rank = if has(4) { Some(parse_rank(signs.next()?)?) } else { None };
    let promotion = if has(5) {
        // A letter alone behind another square, as in `b2b`, is talk.
        let ahead = to_rank.is_none_or(|rank| matches!(rank, Rank::First | Rank::Eighth));
        if signs.peek() != Some(&Token::Promotion) && !ahead {
            return None;
        }
        while signs.next_if_eq(&Token::Promotion).is_some() {}
        Some(promotion_piece(signs.next()?)?)
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
    let wanted = MovePattern { piece, from_file, from_rank, captures, to_file, to_rank, promotion };
    (sense && signs.next().is_none()).then_some(wanted)
}

/// Reads a sign as a file. A capital `B` is the bishop's.
fn parse_file(sign: Token, capitals: bool) -> Option<File> {
    match sign {
        Token::Letter('B') if !capitals => None,
        Token::Letter(letter) => File::try_from(letter.to_ascii_lowercase()).ok(),
        _ => None,
    }
}

fn parse_rank(sign: Token) -> Option<Rank> {
    if let Token::Rank(rank) = sign { Some(rank) } else { None }
}

/// Reads a sign as a piece. In lower case only the letters that name no file are pieces of other languages.
fn parse_piece(sign: Token) -> Option<Piece> {
    match sign {
        Token::Piece(piece) => Some(piece),
        Token::Letter('a' | 'c' | 'd' | 'f') => None,
        Token::Letter(letter) => piece_from_letter(letter.to_ascii_uppercase()),
        _ => None,
    }
}

/// Reads a sign as what a pawn becomes.
fn promotion_piece(sign: Token) -> Option<Piece> {
    let piece = match sign {
        Token::Piece(piece) => Some(piece),
        Token::Letter(letter) => piece_from_letter(letter.to_ascii_uppercase()),
        _ => None,
    };
    piece.filter(|piece| !matches!(piece, Piece::King | Piece::Pawn))
}

/// Returns the piece of a capital letter: as in English, and in languages whose letters are free.
fn piece_from_letter(letter: char) -> Option<Piece> {
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
