//! Reading games in PGN, whoever has written them. Comments, variations and marks of annotators are passed over; what the moves
//! mean is found out by whoever plays them.

use std::borrow::Cow;

use game::notation::truncate_bytes;

use crate::chess::pgn::{DRAW, UNFINISHED, WINS};

/// The most moves of one game.
const MAX_MOVES: usize = 5_000;
/// The most tags of one game.
const MAX_TAGS: usize = 200;
/// The most bytes of a word: a move takes less.
const MAX_WORD: usize = 60;
/// The most bytes of a tag.
const MAX_TAG: usize = 4096;

/// A game as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame<'a> {
    /// The tags: name, value, and the line of each.
    pub tags: Vec<(&'a str, String, usize)>,
    /// The moves as they are written, and the line of each.
    pub moves: Vec<(&'a str, usize)>,
    /// The result behind the moves, if there is one.
    pub result: Option<&'static str>,
    /// The line on which it ends.
    pub end_line: usize,
}

impl PgnGame<'_> {
    /// Returns the value of a tag with its line; `None` where it is missing, empty or a question mark. Case does not count.
    pub fn tag(&self, name: &str) -> Option<(&str, usize)> {
        let (_, value, line) = self.tags.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
        let value = value.trim();
        (!matches!(value, "" | "?")).then_some((value, *line))
    }
}

/// What is wrong with a file: the line, counted from 1, and the reason as a sentence without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line.
    pub line: usize,
    /// The reason.
    pub message: Cow<'static, str>,
}

/// Reads the games of a text one after the other. Nothing follows a fault.
pub fn parse_games(text: &str) -> Games<'_> {
    Games { rest: text.trim_start_matches('\u{feff}'), line: 1, at_line_start: true }
}

/// The games of a text that have not been read yet.
#[derive(Debug)]
pub struct Games<'a> {
    rest: &'a str,
    line: usize,
    /// Whether nothing stands before the rest on its line.
    at_line_start: bool,
}

impl<'a> Iterator for Games<'a> {
    type Item = Result<PgnGame<'a>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.parse_game() {
            Ok(game) => game.map(Ok),
            Err(fault) => {
                self.rest = "";
                Some(Err(fault))
            }
        }
    }
}

impl<'a> Games<'a> {
    /// Reads a game; `None` at the end of the text.
    fn parse_game(&mut self) -> Result<Option<PgnGame<'a>>, PgnError> {
        let mut game = PgnGame::default();
        // The lines on which the variations begin that are still open.
        let mut open: Vec<usize> = Vec::new();
        loop {
            self.skip_blanks_and_comments()?;
            let line = self.line;
            game.end_line = line;
            let Some(next) = self.rest.chars().next() else { break };
            match next {
                '[' if !open.is_empty() => break,
                // The next game: this one has no result.
                '[' if !game.moves.is_empty() => return Ok(Some(game)),
                '[' if game.tags.len() == MAX_TAGS => return error(line, "a game can have at most 200 tags"),
                '[' => game.tags.push(self.tag()?),
                '(' => {
                    self.advance(1);
                    open.push(line);
                }
                ')' => {
                    self.advance(1);
                    open.pop().map_or_else(|| error(line, "unexpected `)`: no variation is open"), Ok)?;
                }
                '}' => return error(line, "unexpected `}`: no comment is open"),
                ']' | '<' | '>' => return error(line, format!("expected a move, but found `{next}`")),
                '$' => self.skip_annotation()?,
                '.' | '!' | '?' => self.advance(1),
                _ => {
                    let word = self.take_word();
                    if word.len() > MAX_WORD {
                        return error(line, "this word is too long for a move");
                    }
                    let result = parse_result(word);
                    match result {
                        _ if !open.is_empty() || is_ignored_word(word) => {}
                        Some(_) => {
                            game.result = result;
                            return Ok(Some(game));
                        }
                        None if game.moves.len() == MAX_MOVES => {
                            return error(line, "a game can have at most 5,000 moves");
                        }
                        None => game.moves.push((word, line)),
                    }
                }
            }
        }
        match open.first() {
            Some(line) => error(*line, "the variation that begins here never ends"),
            None => Ok((!game.tags.is_empty() || !game.moves.is_empty()).then_some(game)),
        }
    }

    /// Takes so many bytes, which end no line.
    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
        self.at_line_start = false;
    }

    /// Takes the rest of a line.
    fn skip_line(&mut self) {
        self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
    }

    /// Goes past spaces and comments.
    fn skip_blanks_and_comments(&mut self) -> Result<(), PgnError> {
        loop {
            match self.rest.chars().next() {
                Some('\n') => {
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
                    self.line += self.rest[..end].matches('\n').count();
                    self.advance(end + 1);
                }
                Some(space) if space.is_whitespace() || space == '\u{feff}' => self.advance(space.len_utf8()),
                _ => return Ok(()),
            }
        }
    }

    /// Reads a tag: `[White "Carlsen, Magnus"]`. A quotation mark is the last one if the bracket follows it.
    fn tag(&mut self) -> Result<(&'a str, String, usize), PgnError> {
        const SHAPE: &str = "a tag is a name and a value in quotation marks: `[White \"Carlsen, Magnus\"]`";
        let line = self.line;
        let all = truncate_bytes(self.rest, MAX_TAG).split('\n').next().unwrap_or_default();
        let wrong = || PgnError { line, message: SHAPE.into() };
        let (name, value) = all[1..].split_once('"').ok_or_else(wrong)?;
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '#' | '=' | ':' | '-');
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(wrong());
        }
        let (mut escaped, mut read) = (false, String::new());
        for (at, sign) in value.char_indices() {
            let behind = value[at + sign.len_utf8()..].trim_start();
            if sign == '"' && !escaped && behind.starts_with(']') {
                self.advance(all.len() - behind.len() + 1);
                return Ok((name, read, line));
            }
            escaped = sign == '\\' && !escaped;
            if !escaped {
                read.push(sign);
            }
        }
        Err(wrong())
    }

    /// Goes past the mark of an annotator: `$13`.
    fn skip_annotation(&mut self) -> Result<(), PgnError> {
        let digits = self.rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        self.advance(1 + digits);
        if digits == 0 { error(self.line, "a number is missing after `$`") } else { Ok(()) }
    }

    /// Takes a word, of one sign at least.
    fn take_word(&mut self) -> &'a str {
        let ends = |c: char| c.is_whitespace() || "{}()[]<>;$.*".contains(c);
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let passing = self.rest.get(..4).filter(|text| text.eq_ignore_ascii_case("e.p."));
        let long = match passing {
            Some(text) => text.len(),
            None if self.rest.starts_with('*') => first,
            None => self.rest[first..].find(ends).map_or(self.rest.len(), |at| first + at),
        };
        let word = &self.rest[..long];
        self.advance(long);
        word
    }
}

/// Tests if a word is the number of a move, or tells of an en passant capture.
fn is_ignored_word(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
        || word.eq_ignore_ascii_case("e.p.")
        || word.eq_ignore_ascii_case("ep")
}

/// Returns the result that a text means; `None` for any other.
pub fn parse_result(text: &str) -> Option<&'static str> {
    match text {
        "1/2" | "\u{bd}-\u{bd}" => Some(DRAW),
        _ => [WINS[0], WINS[1], DRAW, UNFINISHED].into_iter().find(|known| *known == text),
    }
}

fn error<T>(line: usize, why: impl Into<Cow<'static, str>>) -> Result<T, PgnError> {
    Err(PgnError { line, message: why.into() })
}
