//! JSON as a person would write it down: what fits on a line stands on one, and a square board stands as a square.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// How long a line may get before what is on it is broken up.
const WIDTH: usize = 170;
/// How much of a value a sentence quotes.
const BRIEF: usize = 60;
/// How much is told of what a parser says, in characters.
const REASON: usize = 200;

/// A JSON text with a newline at the end.
#[must_use]
pub fn print<T: Serialize>(value: &T) -> String {
    let line = line(value);
    let blocks = blocks(line.as_bytes());
    let mut page = Page { line: &line, blocks: &blocks, at: 0, text: String::with_capacity(line.len() * 5 / 4) };
    page.value(0, 0);
    page.text.push('\n');
    page.text
}

/// A value on one line, cut where it gets long, in a code span that it cannot end.
#[must_use]
pub fn brief(value: &Value) -> String {
    let clean: String = value.to_string().chars().filter(|c| !c.is_control() && *c != '`').collect();
    match clean.char_indices().nth(BRIEF) {
        None => format!("`{clean}`"),
        Some((end, _)) => format!("`{}...`", &clean[..end]),
    }
}

/// What a parser says, for a sentence: it quotes the file, so it is cut and keeps to its line.
#[must_use]
pub fn reason(error: &serde_json::Error) -> String {
    error.to_string().chars().filter(|c| !c.is_control()).take(REASON).collect()
}

/// A value on one line, with a space after each colon and comma.
fn line<T: Serialize>(value: &T) -> String {
    let mut line = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut line, OneLine { empty: true }));
    // What can't be written as JSON is nothing.
    written.ok().and_then(|()| String::from_utf8(line).ok()).unwrap_or_else(|| "null".to_owned())
}

/// How a line is written.
struct OneLine {
    /// Nothing has been written since the last opening brace.
    empty: bool,
}

impl Formatter for OneLine {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.empty = true;
        writer.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.empty = false;
        writer.write_all(if first { b" " } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(if std::mem::take(&mut self.empty) { b"}" } else { b" }" })
    }
}

/// An array or an object in a line.
struct Block {
    start: usize,
    end: usize,
    items: usize,
    /// Each item is a mark or nothing.
    cells: bool,
    /// It is a square board, or there is one in it.
    square: bool,
}

impl Block {
    /// The side of a square board: at least three by three cells, each a mark or nothing.
    fn side(&self) -> Option<usize> {
        let side = self.items.isqrt();
        (self.cells && side >= 3 && side * side == self.items).then_some(side)
    }
}

/// The blocks of a line, in the order in which they begin.
fn blocks(line: &[u8]) -> Vec<Block> {
    let (mut blocks, mut open): (Vec<Block>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        let stands_between = matches!(byte, b',' | b':' | b' ' | b']' | b'}');
        if !stands_between && let Some(around) = open.last() {
            let around = &mut blocks[*around];
            around.items += 1;
            around.cells &= matches!(byte, b'"' | b'n');
        }
        match byte {
            b'[' | b'{' => {
                open.push(blocks.len());
                blocks.push(Block { start: at, end: at, items: 0, cells: *byte == b'[', square: false });
            }
            b']' | b'}' => {
                let Some(block) = open.pop().map(|block| &mut blocks[block]) else { break };
                block.end = at + 1;
                block.square |= block.side().is_some();
                if block.square
                    && let Some(around) = open.last()
                {
                    blocks[*around].square = true;
                }
            }
            _ => {}
        }
        at = if stands_between || matches!(byte, b'[' | b'{') { at + 1 } else { scalar_end(line, at) };
    }
    blocks
}

/// Where a text, a number or a word ends that begins here.
fn scalar_end(line: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    if line[start] != b'"' {
        return line[at..]
            .iter()
            .position(|byte| matches!(byte, b',' | b' ' | b']' | b'}'))
            .map_or(line.len(), |n| at + n);
    }
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte == b'"' {
            break;
        }
    }
    at.min(line.len())
}

/// A line on its way to a page.
struct Page<'a> {
    line: &'a str,
    /// The blocks that have not begun yet.
    blocks: &'a [Block],
    /// What has been written of the line.
    at: usize,
    text: String,
}

impl Page<'_> {
    /// Copies the line up to here.
    fn copy(&mut self, end: usize) {
        self.text.push_str(self.line.get(self.at..end).unwrap_or_default());
        self.at = end;
    }

    fn next_is(&self, byte: u8) -> bool {
        self.line.as_bytes().get(self.at) == Some(&byte)
    }

    fn begin_line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes a value that starts `column` characters into its line, in a block that is indented by `indent`.
    fn value(&mut self, indent: usize, column: usize) {
        let Some((block, inner)) = self.blocks.split_first().filter(|(block, _)| block.start == self.at) else {
            return self.copy(scalar_end(self.line.as_bytes(), self.at));
        };
        let whole = indent > 0 && column + (block.end - block.start) <= WIDTH && !block.square;
        if whole || block.items == 0 {
            let inside = inner.iter().take_while(|inner| inner.start < block.end).count();
            self.blocks = &inner[inside..];
            return self.copy(block.end);
        }
        self.blocks = inner;
        let (object, row) = (self.next_is(b'{'), block.side().unwrap_or(1));
        self.copy(block.start + 1);
        self.at += usize::from(object);
        let mut items = 0;
        loop {
            if items % row == 0 {
                self.begin_line(indent + 2);
            } else {
                self.text.push(' ');
            }
            items += 1;
            let key = self.at;
            if object {
                self.copy(scalar_end(self.line.as_bytes(), key) + 2);
            }
            self.value(indent + 2, indent + 2 + self.at - key);
            if !self.next_is(b',') {
                break;
            }
            self.copy(self.at + 1);
            self.at += 1;
        }
        self.at = block.end - 1;
        self.begin_line(indent);
        self.copy(block.end);
    }
}
