//! Parses text into move patterns, without looking at the board.
//!
//! People write `Nf3`, `nf3`, `Sf3`, `Ng1-f3`, `g1f3`, `♘f3`, `12. Nf3!?`, `knight to f3`. The text is tokenized, and
//! the tokens are matched against the shapes that a move can have. All tokens must match, so ordinary conversation
//! isn't read as a move.

use cozy_chess::{File, Piece, Rank};
use game::notation::latin_letter;
use game::notation::strip_decoration;

/// The most tokens in a move.
const MAX_TOKENS: usize = 9;

/// Words for pieces, in English, German, French, Spanish, Italian, Portuguese and Dutch.
const PIECE_WORDS: &[(Piece, &[&str])] = &[
    (Piece::King, &["king", "kings", "könig", "koenig", "roi", "rey", "koning"]),
    (Piece::Queen, &["queen", "queens", "dame", "dama", "reine", "reina", "regina", "rainha"]),
    (Piece::Rook, &["rook", "rooks", "turm", "tour", "torre", "toren"]),
    (Piece::Bishop, &["bishop", "bishops", "läufer", "laeufer", "fou", "alfil", "alfiere", "bispo", "loper"]),
    (
        Piece::Knight,
        &[
            "knight", "knights", "horse", "horses", "horsey", "horsie", "springer", "cavalier", "caballo", "cavallo",
            "cavalo", "paard",
        ],
    ),
    (Piece::Pawn, &["pawn", "pawns", "bauer", "pion", "peón", "peon", "pedone", "peão", "peao"]),
];
/// The words in moves, for which typos are noticed.
pub(super) const WORDS: &[&str] = &[
    "king",
    "queen",
    "rook",
    "bishop",
    "knight",
    "horse",
    "pawn",
    "takes",
    "captures",
    "castle",
    "castles",
    "kingside",
    "queenside",
];
/// Words for a capture.
const CAPTURE_WORDS: &[&str] = &[
    "takes", "take", "captures", "capture", "schlägt", "schlaegt", "nimmt", "prend", "captura", "toma", "come",
    "cattura", "slaat",
];
/// Words for a promotion.
const PROMOTION_WORDS: &[&str] = &["becomes", "promotes", "promote", "promoting"];
/// Words to skip.
const FILLER_WORDS: &[&str] = &[
    "to", "from", "on", "at", "moves", "goes", "into", "nach", "auf", "zieht", "geht", "von", "vers", "en", "sur",
    "va", "al", "in", "para", "em", "naar", "op", "do", "till", "til",
];
/// A word to skip after a piece, before a square. Elsewhere it's a file.
const TO_IN_SPANISH: &[&str] = &["a", "à"];
/// Text to strip after a move: check, checkmate, en passant. The board shows whether they apply.
const SUFFIXES: &[&str] =
    &["checkmate", "check", "mate", "matt", "mat", "schach", "ch", "en passant", "e.p", "ep", "++", "+", "#", "†", "‡"];
/// Words for castling, and for its side.
const CASTLING_WORDS: &[&str] = &["castles", "castling", "castle", "rochade", "rochiert", "roque", "enroque"];
const KINGSIDE_WORDS: &[&str] = &["kingside", "kingsside", "king", "short", "small", "kurze", "kurz", "petit", "corto"];
const QUEENSIDE_WORDS: &[&str] =
    &["queenside", "queensside", "queen", "long", "big", "lange", "lang", "grand", "largo"];

/// A partial description of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MovePattern {
    /// The kind of piece; `None` if the origin square determines it.
    pub(super) piece: Option<Piece>,
    /// The origin's file, if given.
    pub(super) from_file: Option<File>,
    /// The origin's rank, if given.
    pub(super) from_rank: Option<Rank>,
    /// Whether the text says that the move captures.
    pub(super) captures: bool,
    /// The target's file.
    pub(super) to_file: File,
    /// The target's rank; `None` in `exd`.
    pub(super) to_rank: Option<Rank>,
    /// The promotion piece, if given.
    pub(super) promotion: Option<Piece>,
}

/// Every piece, likeliest first.
const ANY_PIECE: &str = "PNBRQK";

/// Returns the letters of the pieces that a picture or a Greek letter before a square may stand for; empty for other characters.
fn sign_pieces(sign: char) -> &'static str {
    match sign {
        '🐴' | '🐎' | '🏇' | '🎠' => "N",
        '🏰' | '🏯' | '🗼' => "R",
        '⛪' => "B",
        '👸' => "Q",
        '🤴' => "K",
        '👑' | '🫅' => "KQ",
        // Greek: Β is the queen, and Ρ the king.
        'Β' => "BQ",
        'Ρ' => "PK",
        // Animals, people, buildings and vehicles.
        '🐀'..='🐿' | '🦀'..='🦮' | '👤'..='👷' | '🤵' | '🧑'..='🧟' | '🏔'..='🏟' | '🚀'..='🛿' => {
            ANY_PIECE
        }
        _ => "",
    }
}

/// The meaning of a text as a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ParsedText {
    /// Castling: kingside (`Some(true)`), queenside (`Some(false)`), or unspecified.
    Castling(Option<bool>),
    /// Groups of patterns, likeliest first. The first group that matches a legal move counts. Empty if the text isn't
    /// a move.
    Patterns(Vec<Vec<MovePattern>>),
}

/// A token of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A letter, which can be a file or a piece.
    Letter(char),
    Rank(Rank),
    Piece(Piece),
    Capture,
    Promotion,
}

/// Parses a text.
pub(super) fn parse(text: &str) -> ParsedText {
    let text = normalize(text);
    if let Some(castling) = parse_castling(&text) {
        return castling;
    }
    let text = from_numeric_notation(&text).or_else(|| with_piece_first(&text)).unwrap_or(text);
    ParsedText::Patterns(tokenize(&text).map(|tokens| match_shapes(&tokens)).unwrap_or_default())
}

/// Returns a move in [ICCF numeric notation](https://en.wikipedia.org/wiki/ICCF_numeric_notation) with letters for files: `5254` is
/// `e2e4`, and a fifth digit names the promotion piece. `None` for any other text.
fn from_numeric_notation(text: &str) -> Option<String> {
    let digits: Vec<char> = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let (squares, promotion) = digits.split_at_checked(4)?;
    let file = |c: char| ('a'..='h').nth(c.to_digit(9)?.checked_sub(1)? as usize);
    let rank = |c: char| Some(c).filter(|c| matches!(c, '1'..='8'));
    let promotion = match promotion {
        [] => "",
        ['1'] => "q",
        ['2'] => "r",
        ['3'] => "b",
        ['4'] => "n",
        _ => return None,
    };
    let [from_file, from_rank, to_file, to_rank] = squares.try_into().ok()?;
    Some(format!("{}{}{}{}{promotion}", file(from_file)?, rank(from_rank)?, file(to_file)?, rank(to_rank)?))
}

/// Returns a move with its piece first: `c4 with the knight` is `knight c4`. `None` for any other text.
fn with_piece_first(text: &str) -> Option<String> {
    let (target, piece) = text.split_once(" with ")?;
    let word = piece.rsplit(' ').next()?.to_lowercase();
    let is_piece = PIECE_WORDS.iter().any(|(_, words)| words.contains(&word.as_str()));
    let is_short = matches!(piece.split(' ').collect::<Vec<_>>()[..], [_] | ["the" | "my" | "a", _]);
    (is_piece && is_short).then(|| format!("{word} {target}"))
}

/// Returns the ways to read a text: one for each piece that a sign before a square may stand for, such as 🐴 or 👑.
pub(super) fn readings(text: &str) -> Vec<String> {
    let read = || {
        let at = text.find(|c| !sign_pieces(c).is_empty())?;
        let (before, sign) = (&text[..at], text[at..].chars().next()?);
        let rest = text[at + sign.len_utf8()..].trim_start_matches(|c| matches!(c, '♀' | '♂' | '🏻'..='🏿'));
        let pieces = sign_pieces(sign);
        // Any other picture before a space is decoration.
        let square = if pieces == ANY_PIECE { rest } else { rest.trim_start() };
        let is_square = square.starts_with(|c| latin_letter(c).is_ascii_alphanumeric());
        let is_first = !before.contains(char::is_alphabetic);
        let read = pieces.chars().map(|piece| format!("{before}{piece}{square}"));
        Some(read.collect()).filter(|_| is_square && is_first)
    };
    read().unwrap_or_else(|| vec![text.to_owned()])
}

/// Strips the move number, decoration and suffixes from a move, and replaces figurines, Russian letters and letters that look
/// like Latin ones.
pub(super) fn normalize(text: &str) -> String {
    let latin = to_latin(text);
    let mut text = strip_decoration(strip_move_number(strip_decoration(&latin)));
    while let Some(before) = SUFFIXES.iter().find_map(|suffix| strip_suffix(text, suffix)) {
        text = before;
    }
    text.to_owned()
}

/// Returns a text with Latin letters. Cyrillic letters that name a piece in Russian are that piece, even if they look like another
/// one: `К` is the knight, and `Кр` the king. Other letters are the ones that they look like.
fn to_latin(text: &str) -> String {
    let chars: Vec<char> = text.chars().filter(|c| !matches!(c, '\u{fe0e}' | '\u{fe0f}')).collect();
    let mut latin = String::with_capacity(text.len());
    let mut skips = false;
    for (at, &c) in chars.iter().enumerate() {
        if std::mem::take(&mut skips) {
            continue;
        }
        let next = chars.get(at + 1).copied();
        latin.push(match c {
            '♔' | '♚' | 'Ц' => 'K',
            'К' | 'к' if matches!(next, Some('р' | 'Р' | 'p' | 'P')) => {
                skips = true;
                'K'
            }
            '♕' | '♛' | 'Ф' | 'ф' | 'Д' => 'Q',
            '♖' | '♜' | 'Л' | 'л' => 'R',
            '♗' | '♝' => 'B',
            'С' if is_bishop(&chars, at) => 'B',
            '♘' | '♞' | 'К' | 'к' => 'N',
            // A trailing pawn emoji isn't a promotion piece.
            '♙' | '♟' if !latin.is_empty() => ' ',
            '♙' | '♟' | 'П' | 'п' => 'P',
            c => latin_letter(c),
        });
    }
    latin
}

/// Whether the `С` at an index is a Russian bishop rather than the c-file: at the beginning, unless a square follows in capitals as
/// in `С2С4`, or as a promotion.
fn is_bishop(chars: &[char], at: usize) -> bool {
    let is_promotion = at > 0 && matches!(chars[at - 1], '1' | '8' | '=');
    let is_first = !chars[..at].iter().any(|c| c.is_alphabetic());
    match chars[at + 1..] {
        [] => is_promotion,
        ['1'..='8', after, ..] => is_first && after.is_lowercase(),
        ['1'..='8'] => false,
        _ => is_first || is_promotion,
    }
}

/// Strips a move number: `12. `, `12...`, or only dots.
fn strip_move_number(text: &str) -> &str {
    let is_dot = |c: char| matches!(c, '.' | '…' | ')');
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let (digits, rest) = (text.len() - rest.len(), rest.trim_start());
    if digits <= 3 && rest.starts_with(is_dot) { rest.trim_start_matches(is_dot) } else { text }
}

/// Strips a suffix; `None` if the text doesn't end with it or consists of nothing else.
fn strip_suffix<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    let (before, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
    // `schach` doesn't end with the word `ch`.
    let splits_word = before.ends_with(char::is_alphabetic) && suffix.starts_with(char::is_alphabetic);
    if splits_word || !end.eq_ignore_ascii_case(suffix) {
        return None;
    }
    let before = strip_decoration(before).trim_end_matches(['(', '[', ' ']);
    if before.is_empty() { None } else { Some(before) }
}

/// Parses castling: `O-O`, `0-0-0`, `castles long`.
fn parse_castling(text: &str) -> Option<ParsedText> {
    let is_separator = |c: char| matches!(c, '-' | '–' | '—' | ' ');
    let parts: Vec<&str> = text.split(is_separator).filter(|part| !part.is_empty()).collect();
    let all = |zero: &str| parts.iter().all(|part| part.eq_ignore_ascii_case(zero));
    // `Ooo` is an exclamation.
    let kingside = match parts.len() {
        2 if all("0") || all("o") => Some(true),
        3 if all("0") || all("o") => Some(false),
        1 if matches!(parts[0], "00" | "oo" | "OO") => Some(true),
        1 if matches!(parts[0], "000" | "ooo" | "OOO") => Some(false),
        _ => None,
    };
    if kingside.is_some() {
        return Some(ParsedText::Castling(kingside));
    }
    let mut words: Vec<String> = parts.iter().map(|word| word.to_lowercase()).collect();
    let verb = words.iter().position(|word| CASTLING_WORDS.contains(&word.as_str()))?;
    words.remove(verb);
    words.retain(|word| !matches!(word.as_str(), "side" | "the" | "on" | "to" | "i"));
    match &words[..] {
        [] => Some(ParsedText::Castling(None)),
        [side] if KINGSIDE_WORDS.contains(&side.as_str()) => Some(ParsedText::Castling(Some(true))),
        [side] if QUEENSIDE_WORDS.contains(&side.as_str()) => Some(ParsedText::Castling(Some(false))),
        _ => None,
    }
}

/// Splits a text into tokens; `None` if it contains anything else or more than [`MAX_TOKENS`].
fn tokenize(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        let lowercase = word.to_lowercase();
        let is_in = |words: &[&str]| words.contains(&lowercase.as_str());
        let is_to_in_spanish = is_in(TO_IN_SPANISH)
            && matches!(tokens.last(), Some(Token::Piece(_)))
            && rest[word.len()..].starts_with(' ');
        let mut length = word.len();
        if let Some((piece, _)) = PIECE_WORDS.iter().find(|(_, words)| is_in(words)) {
            tokens.push(Token::Piece(*piece));
        } else if is_in(CAPTURE_WORDS) {
            tokens.push(Token::Capture);
        } else if is_in(PROMOTION_WORDS) {
            tokens.push(Token::Promotion);
        } else if !is_in(FILLER_WORDS) && !is_to_in_spanish {
            length = first.len_utf8();
            match first {
                'x' | 'X' | '×' | ':' | '*' => tokens.push(Token::Capture),
                '=' | '(' | '/' => tokens.push(Token::Promotion),
                ' ' | '-' | '–' | '—' | '→' | '>' => {}
                '1'..='8' => tokens.push(Token::Rank(Rank::try_from(first).ok()?)),
                _ if first.is_ascii_alphabetic() => tokens.push(Token::Letter(first)),
                _ => return None,
            }
        }
        rest = &rest[length..];
        if tokens.len() > MAX_TOKENS {
            return None;
        }
    }
    Some(tokens)
}

/// Returns every pattern that the tokens match, in groups of equal likelihood, likeliest first.
fn match_shapes(tokens: &[Token]) -> Vec<Vec<MovePattern>> {
    // If everything is uppercase, a capital doesn't mean a piece.
    let is_uppercase = !tokens.iter().any(|token| matches!(token, Token::Letter(letter) if letter.is_lowercase()));
    let patterns = (0..64).filter_map(|shape| match_shape(tokens, shape, is_uppercase));
    let (with_piece, by_squares): (Vec<MovePattern>, Vec<MovePattern>) =
        patterns.partition(|pattern| pattern.piece.is_some());
    let mut groups = match tokens {
        // A phone keyboard may capitalize the first letter of `b5c6`.
        [Token::Letter('B'), Token::Rank(_), ..] if !is_uppercase => vec![with_piece, by_squares],
        // `bxc6` is a pawn move if one is legal, else a bishop move.
        [Token::Letter('b'), Token::Capture, ..] => {
            let (pawn, bishop) = with_piece.into_iter().partition(|pattern| pattern.piece == Some(Piece::Pawn));
            vec![pawn, bishop]
        }
        // Two complete squares are unambiguous: `b2b4` isn't a bishop move from the second rank.
        _ if !by_squares.is_empty() => vec![by_squares],
        _ => vec![with_piece],
    };
    groups.retain(|group| !group.is_empty());
    groups
}

/// Matches tokens against a shape. Each bit of `shape` says whether an optional part is present.
fn match_shape(tokens: &[Token], shape: u8, is_uppercase: bool) -> Option<MovePattern> {
    let has = |part: u8| shape & (1 << part) != 0;
    let mut tokens = tokens.iter().copied().peekable();
    let piece = if has(0) { Some(parse_piece(tokens.next()?)?) } else { None };
    let has_origin = piece.is_none() && has(1) && has(2);
    let from_file = if has(1) { Some(parse_file(tokens.next()?, is_uppercase || has_origin)?) } else { None };
    let from_rank = if has(2) { Some(parse_rank(tokens.next()?)?) } else { None };
    let captures = has(3);
    if captures && tokens.next()? != Token::Capture {
        return None;
    }
    let to_file = parse_file(tokens.next()?, is_uppercase)?;
    let to_rank = if has(4) { Some(parse_rank(tokens.next()?)?) } else { None };
    let promotion = if has(5) {
        // Without a promotion sign, a letter after a square that isn't on a last rank, as in `b2b`, isn't a promotion.
        let may_promote = to_rank.is_none_or(|rank| matches!(rank, Rank::First | Rank::Eighth));
        if tokens.peek() != Some(&Token::Promotion) && !may_promote {
            return None;
        }
        while tokens.next_if_eq(&Token::Promotion).is_some() {}
        Some(promotion_piece(tokens.next()?)?)
    } else {
        None
    };
    let is_adjacent = |from: File| (from as i8 - to_file as i8).abs() == 1;
    let makes_sense = match (piece, from_file, from_rank) {
        (None, Some(_), Some(_)) => to_rank.is_some(),
        (None, Some(from), None) => is_adjacent(from) && (captures || to_rank.is_some()),
        (None, None, None) => !captures && to_rank.is_some(),
        (None, None, Some(_)) => false,
        (Some(_), ..) => to_rank.is_some(),
    };
    if !makes_sense || tokens.next().is_some() {
        return None;
    }
    // Without a piece and an origin square, it's a pawn move.
    let piece = if piece.is_none() && from_rank.is_none() { Some(Piece::Pawn) } else { piece };
    Some(MovePattern { piece, from_file, from_rank, captures, to_file, to_rank, promotion })
}

/// Parses a token as a file. A capital `B` is a bishop.
fn parse_file(token: Token, is_uppercase: bool) -> Option<File> {
    match token {
        Token::Letter('B') if !is_uppercase => None,
        Token::Letter(letter) => File::try_from(letter.to_ascii_lowercase()).ok(),
        _ => None,
    }
}

fn parse_rank(token: Token) -> Option<Rank> {
    if let Token::Rank(rank) = token { Some(rank) } else { None }
}

/// Parses a token as a piece. A lowercase letter that can name a file isn't read as a piece letter of another language.
fn parse_piece(token: Token) -> Option<Piece> {
    match token {
        Token::Piece(piece) => Some(piece),
        Token::Letter('a' | 'c' | 'd' | 'f') => None,
        Token::Letter(letter) => piece_from_letter(letter.to_ascii_uppercase()),
        _ => None,
    }
}

/// Parses a token as a promotion piece.
fn promotion_piece(token: Token) -> Option<Piece> {
    let piece = match token {
        Token::Piece(piece) => piece,
        Token::Letter(letter) => piece_from_letter(letter.to_ascii_uppercase())?,
        _ => return None,
    };
    if matches!(piece, Piece::King | Piece::Pawn) { None } else { Some(piece) }
}

/// Returns the piece that a capital letter stands for in English, or in another language unless English uses the letter.
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
