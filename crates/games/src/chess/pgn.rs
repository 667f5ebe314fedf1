//! Games in [Portable Game Notation](https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm) (PGN).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use cozy_chess::{Board, Color, File};
use game::notation::to_plain_characters;
use game::notation::{normalize, truncate_bytes};

use crate::chess::fen::Fen;
use crate::chess::game::CHESS960_SETUPS;
use crate::chess::{GameConfig, fen};

/// The result of an unfinished game.
pub const UNFINISHED: &str = "*";
/// The results of won games, by the seat that won.
pub const WINS: [&str; 2] = ["1-0", "0-1"];
/// The result of a drawn game.
pub const DRAW: &str = "1/2-1/2";

// The starting position of a PGN game: the tags `FEN`, `SetUp` and `Variant`.

/// The number of the standard position in Chess960.
const STANDARD_SETUP: u16 = 518;
/// Names of standard chess, normalized.
const CHESS_NAMES: [&str; 6] = ["", "chess", "standard", "normal", "fromposition", "classical"];
/// Names of Chess960, normalized.
const CHESS960_NAMES: [&str; 6] =
    ["chess960", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "960"];

/// Returns the settings of a game with these tags.
///
/// # Errors
/// Returns an error if the variant or the position isn't supported.
pub fn config_from_tags(variant: &str, position: Option<&str>) -> Result<GameConfig, String> {
    let name = normalize(variant);
    let chess960 = CHESS960_NAMES.contains(&name.as_str());
    if !chess960 && !CHESS_NAMES.contains(&name.as_str()) {
        return Err("the bot plays only chess and Chess960".to_owned());
    }
    let Some(text) = position else {
        // Other programs omit the standard position in Chess960, too.
        return Ok(GameConfig {
            chess960: if chess960 { Some(STANDARD_SETUP) } else { None },
            chosen: chess960,
            ..GameConfig::default()
        });
    };
    let (start, _) =
        fen::parse_leniently(text).map_err(|problem| format!("`FEN` isn't a valid position: {problem}"))?;
    if !chess960 && start.board == Board::startpos() && start.halfmove_clock == 0 {
        return Ok(GameConfig::default());
    }
    let is_setup = |number: &u16| start == Fen { board: Board::chess960_startpos((*number).into()), halfmove_clock: 0 };
    let setup = (0..CHESS960_SETUPS).find(is_setup);
    let fen = if setup.is_none() { Some(fen::format(&start)) } else { None };
    // A PGN file doesn't say whether the position was random.
    Ok(GameConfig { chess960: setup, chosen: setup.is_some(), fen, ..GameConfig::default() })
}

/// Returns the move number at the end of a FEN.
pub fn move_number(position: &str) -> u16 {
    position.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// Whether castling differs from standard chess, so that the PGN needs a `Variant` tag.
pub fn needs_chess960_castling(position: &str) -> bool {
    let Ok(Fen { board, .. }) = fen::parse(position) else { return false };
    Color::ALL.into_iter().any(|color| {
        let rights = board.castle_rights(color);
        let has_rights = rights.short.is_some() || rights.long.is_some();
        let is_standard = board.king(color).file() == File::E
            && rights.short.is_none_or(|rook| rook == File::H)
            && rights.long.is_none_or(|rook| rook == File::A);
        has_rights && !is_standard
    })
}

// Parses games in PGN.
//
// The reader skips variations and annotations. It reads only clocks from comments. It returns the moves as text, because only
// the caller can play them.

/// The most moves in a game.
const MAX_MOVES: usize = 5_000;
/// The most tags in a game.
const MAX_TAGS: usize = 200;
/// The longest word, in bytes. Moves are shorter.
const MAX_WORD: usize = 60;
/// The longest tag, in bytes.
const MAX_TAG: usize = 4096;
/// The characters of signs that can stand alone after a move, such as `+=`, `±` and `□`.
const SIGNS: &str = "+-−=/#±∓⩲⩱∞□☐⊕⨁⟳↻↑→⇆⇄△∆∇▽⌓≤≥†‡";
/// Words that can stand alone after a move: en passant, check, checkmate, a novelty.
const IGNORED_WORDS: [&str; 9] = ["e.p.", "ep", "ch", "check", "checkmate", "mate", "matt", "mat", "n"];

/// A parsed game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame<'a> {
    /// The tags: name, value, line.
    pub tags: Vec<(&'a str, String, usize)>,
    /// The moves as written, with their lines.
    pub moves: Vec<(&'a str, usize)>,
    /// The time that a player had left after a move, by the number of moves so far: `[%clk 71:59:30]`.
    pub clocks: BTreeMap<usize, Duration>,
    /// The result after the moves, if there is one.
    pub result: Option<&'static str>,
    /// The last line of the game.
    pub end_line: usize,
}

impl PgnGame<'_> {
    /// Returns the value of a tag and its line, or `None` if it is missing, empty or `?`. Ignores case.
    pub fn tag(&self, name: &str) -> Option<(&str, usize)> {
        let (_, value, line) = self.tags.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
        match value.trim() {
            "" | "?" => None,
            value => Some((value, *line)),
        }
    }
}

/// An error in a PGN file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The message, without a period.
    pub message: Cow<'static, str>,
}

/// Returns an iterator over the games of a text. It ends after the first error.
pub fn parse_games(text: &str) -> Games<'_> {
    let rest = text.trim_start_matches('\u{feff}');
    Games { rest, line: 1, at_line_start: true, follows_blank_line: false, clock: None }
}

/// An iterator over the games of a text.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    rest: &'a str,
    line: usize,
    /// Whether `rest` begins at the start of a line.
    at_line_start: bool,
    /// Whether an empty line precedes `rest`.
    follows_blank_line: bool,
    /// The clock in the comments that were skipped last.
    clock: Option<Duration>,
}

impl<'a> Iterator for Games<'a> {
    type Item = Result<PgnGame<'a>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.parse_game() {
            Ok(game) => game.map(Ok),
            Err(error) => {
                self.rest = "";
                Some(Err(error))
            }
        }
    }
}

impl<'a> Games<'a> {
    /// Parses the next game; `None` at the end of the text.
    fn parse_game(&mut self) -> Result<Option<PgnGame<'a>>, PgnError> {
        let mut game = PgnGame::default();
        // The lines where the open variations begin.
        let mut variations: Vec<usize> = Vec::new();
        loop {
            self.skip_blanks_and_comments()?;
            if let Some(clock) = self.clock.take().filter(|_| variations.is_empty()) {
                game.clocks.insert(game.moves.len(), clock);
            }
            let line = self.line;
            game.end_line = line;
            let Some(next) = self.rest.chars().next() else { break };
            match next {
                '[' if !variations.is_empty() => break,
                // A tag after moves begins the next game; this one has no result.
                '[' if !game.moves.is_empty() => return Ok(Some(game)),
                '[' if game.tags.len() == MAX_TAGS => return error(line, "a game can have at most 200 tags"),
                '[' => {
                    let before = self.clone();
                    let tag = self.parse_tag()?;
                    // A game may consist of tags alone. Its tags don't repeat after an empty line.
                    if before.follows_blank_line && game.tags.iter().any(|(name, ..)| *name == tag.0) {
                        *self = before;
                        return Ok(Some(game));
                    }
                    game.tags.push(tag);
                }
                '(' => {
                    self.advance(1);
                    variations.push(line);
                }
                ')' => {
                    self.advance(1);
                    if variations.pop().is_none() {
                        return error(line, "unexpected `)`: no variation is open");
                    }
                }
                '}' => return error(line, "unexpected `}`: no comment is open"),
                ']' | '<' | '>' => return error(line, format!("expected a move, but found `{next}`")),
                '$' => self.skip_annotation()?,
                '.' | '!' | '?' => self.advance(1),
                _ => {
                    let word = self.take_move();
                    if word.len() > MAX_WORD {
                        return error(line, "this word is too long for a move");
                    }
                    if !variations.is_empty() || is_ignored_word(word) {
                        continue;
                    }
                    if let Some(result) = parse_result(word) {
                        game.result = Some(result);
                        return Ok(Some(game));
                    }
                    if game.moves.len() == MAX_MOVES {
                        return error(line, "a game can have at most 5,000 moves");
                    }
                    game.moves.push((word, line));
                }
            }
        }
        if let Some(line) = variations.first() {
            return error(*line, "the variation that begins here never ends");
        }
        if game.tags.is_empty() && game.moves.is_empty() { Ok(None) } else { Ok(Some(game)) }
    }

    /// Skips bytes that contain no newline.
    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
        self.at_line_start = false;
    }

    /// Skips the rest of the line.
    fn skip_line(&mut self) {
        self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
    }

    /// Skips whitespace and comments.
    fn skip_blanks_and_comments(&mut self) -> Result<(), PgnError> {
        self.follows_blank_line = false;
        loop {
            match self.rest.chars().next() {
                Some('\n') => {
                    self.follows_blank_line |= self.at_line_start;
                    self.advance(1);
                    self.line += 1;
                    self.at_line_start = true;
                }
                Some('%') if self.at_line_start => self.skip_line(),
                Some(';') => self.skip_line(),
                Some('{') => {
                    let Some(end) = self.rest.find('}') else {
                        return error(self.line, "the comment that begins here never ends");
                    };
                    let comment = &self.rest[..end];
                    self.line += comment.matches('\n').count();
                    self.clock = parse_clock(comment).or(self.clock);
                    self.advance(end + 1);
                }
                // A line of spaces is empty, too.
                Some(blank) if is_blank(blank) => self.rest = &self.rest[blank.len_utf8()..],
                _ => return Ok(()),
            }
        }
    }

    /// Parses a tag: `[White "Carlsen, Magnus"]`. A quotation mark closes the value only if a bracket follows it.
    fn parse_tag(&mut self) -> Result<(&'a str, String, usize), PgnError> {
        const SHAPE: &str = "a tag is a name and a value in quotation marks: `[White \"Carlsen, Magnus\"]`";
        let line = self.line;
        let text = truncate_bytes(self.rest, MAX_TAG).split('\n').next().unwrap_or_default();
        let malformed = || PgnError { line, message: SHAPE.into() };
        let (name, value) = text[1..].split_once('"').ok_or_else(malformed)?;
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-');
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(malformed());
        }
        let (mut is_escaped, mut unescaped) = (false, String::new());
        for (index, c) in value.char_indices() {
            let rest = value[index + c.len_utf8()..].trim_start();
            if c == '"' && !is_escaped && rest.starts_with(']') {
                self.advance(text.len() - rest.len() + 1);
                return Ok((name, unescaped, line));
            }
            is_escaped = c == '\\' && !is_escaped;
            if !is_escaped {
                unescaped.push(c);
            }
        }
        Err(malformed())
    }

    /// Skips a numeric annotation glyph: `$13`.
    fn skip_annotation(&mut self) -> Result<(), PgnError> {
        let digits = self.rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        self.advance(1 + digits);
        if digits == 0 { error(self.line, "a number is missing after `$`") } else { Ok(()) }
    }

    /// Takes a word, and the piece in parentheses after a pawn's move to the last rank: `e8(Q)`.
    fn take_move(&mut self) -> &'a str {
        let (start, word) = (self.rest, self.take_word());
        let promotion = self.rest.trim_start_matches(' ').as_bytes();
        let is_promotion =
            word.ends_with(['1', '8']) && matches!(promotion, [b'(', piece, b')', ..] if b"QRBNqrbn".contains(piece));
        if is_promotion {
            let blanks = self.rest.len() - promotion.len();
            self.advance(blanks + "(Q)".len());
        }
        strip_signs(&start[..start.len() - self.rest.len()])
    }

    /// Takes a word of at least one character.
    fn take_word(&mut self) -> &'a str {
        let is_end = |c: char| is_blank(c) || "{}()[]<>;$.*".contains(c);
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let has_en_passant = self.rest.get(..4).is_some_and(|text| text.eq_ignore_ascii_case("e.p."));
        let length = if has_en_passant {
            4
        } else if self.rest.starts_with('*') {
            first
        } else {
            self.rest[first..].find(is_end).map_or(self.rest.len(), |end| first + end)
        };
        let word = &self.rest[..length];
        self.advance(length);
        word
    }
}

/// Whether a character separates words. Old programs end a file with Ctrl-Z or NUL bytes.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1a}' | '\0')
}

/// Strips signs such as `±` from the end of a move, but not those of check and checkmate.
fn strip_signs(word: &str) -> &str {
    let mv = word.trim_end_matches(|c| SIGNS.contains(c));
    let is_check = word[mv.len()..].chars().all(|c| matches!(c, '+' | '#'));
    if mv.is_empty() || is_check { word } else { mv }
}

/// Whether a word is a move number, or says something about the move before it.
fn is_ignored_word(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?']);
    // `--` is a null move.
    let is_sign = word.chars().all(|c| SIGNS.contains(c)) && !word.bytes().all(|byte| byte == b'-');
    is_sign
        || word.bytes().all(|byte| byte.is_ascii_digit())
        || IGNORED_WORDS.iter().any(|ignored| word.eq_ignore_ascii_case(ignored))
}

/// Parses a result, with any dash or a colon; `None` for any other text.
pub fn parse_result(text: &str) -> Option<&'static str> {
    let text = to_plain_characters(text).replace(':', "-");
    match text.as_str() {
        "1/2" | "0.5-0.5" => Some(DRAW),
        text => [WINS[0], WINS[1], DRAW, UNFINISHED].into_iter().find(|known| *known == text),
    }
}

fn error<T>(line: usize, message: impl Into<Cow<'static, str>>) -> Result<T, PgnError> {
    Err(PgnError { line, message: message.into() })
}

/// Returns the clock in a comment: `[%clk 71:59:30]`.
fn parse_clock(comment: &str) -> Option<Duration> {
    let (_, clock) = comment.split_once("[%clk")?;
    let (clock, _) = clock.split_once(']')?;
    // Some programs write fractions of a second.
    let (clock, _) = clock.trim().split_once('.').unwrap_or((clock.trim(), ""));
    let mut parts = clock.splitn(3, ':').map(|part| part.parse::<u32>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    Some(Duration::from_secs(u64::from(hours) * 3600 + u64::from(minutes) * 60 + u64::from(seconds)))
}

// Formats games in PGN's export format: the seven tag roster, the other tags in alphabetical order, and lines under
// 80 characters.

/// The longest line of movetext, in characters.
const MAX_LINE: usize = 79;

/// The contents of a PGN game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnOutput {
    /// The seven tag roster: event, site, date, round, white, black, result.
    pub roster: [String; 7],
    /// The other tags, in any order.
    pub tags: Vec<(&'static str, String)>,
    /// The number of the first move.
    pub first_move_number: u16,
    /// Whether black makes the first move.
    pub black_moves_first: bool,
    /// The moves in SAN, each with the time that its player had left, if there was a clock.
    pub moves: Vec<(String, Option<Duration>)>,
    /// A comment after the last move.
    pub comment: Option<String>,
}

const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Formats a game, ending with an empty line.
pub fn format(game: &PgnOutput) -> String {
    let mut tags = game.tags.clone();
    tags.sort_unstable();
    let tags = ROSTER.into_iter().zip(game.roster.iter().cloned()).chain(tags);
    let mut text: String = tags.map(|(name, value)| format!("[{name} \"{}\"]\n", escape(&value))).collect();
    text.push('\n');
    let mut width = 0;
    for word in movetext(game) {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > MAX_LINE {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width += length;
    }
    text.push_str("\n\n");
    text
}

/// Returns the words of the movetext: moves, comment, result.
fn movetext(game: &PgnOutput) -> Vec<String> {
    let mut words = Vec::with_capacity(game.moves.len() * 3 / 2 + 20);
    let offset = usize::from(game.black_moves_first);
    let mut follows_comment = true;
    for (ply, (san, clock)) in game.moves.iter().enumerate() {
        let number = usize::from(game.first_move_number) + (ply + offset) / 2;
        if (ply + offset).is_multiple_of(2) {
            words.push(format!("{number}."));
        } else if follows_comment {
            words.push(format!("{number}..."));
        }
        words.push(san.clone());
        if let Some(clock) = clock {
            let seconds = clock.as_secs();
            words.push("{[%clk".to_owned());
            words.push(format!("{}:{:02}:{:02}]}}", seconds / 3600, seconds / 60 % 60, seconds % 60));
        }
        follows_comment = clock.is_some();
    }
    if let Some(comment) = &game.comment {
        // A brace would end the comment.
        let comment = format!("{{{}}}", comment.replace(['{', '}'], ""));
        words.extend(comment.split_whitespace().map(str::to_owned));
    }
    words.push(game.roster[6].clone());
    words
}

/// Escapes a tag value for its quotation marks.
fn escape(value: &str) -> String {
    let printable: String = value.chars().filter(|c| !c.is_control()).collect();
    printable.replace('\\', "\\\\").replace('"', "\\\"")
}
