//! Helpers that normalize text typed by people.

pub mod words;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Returns the longest prefix of at most `max_bytes` bytes that ends at a character boundary.
pub fn truncate_bytes(text: &str, max_bytes: usize) -> &str {
    let end = (0..=max_bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// Strips surrounding spaces, punctuation, emphasis and emoji.
///
/// Keeps signs that change the meaning: `-1`, `#4`, `@b2`, and the strikethrough in `~~b2~~`.
pub fn strip_decoration(text: &str) -> &str {
    let mut text = text.trim_start_matches(|c| is_blank(c) || is_leading_decoration(c) || is_emoji(c));
    loop {
        text = text.trim_end_matches(is_blank);
        if let Some(before) = strip_shortcode(text) {
            text = before;
            continue;
        }
        match text.chars().next_back() {
            Some(c) if is_trailing_decoration(c) || is_emoji(c) => text = &text[..text.len() - c.len_utf8()],
            _ => return text,
        }
    }
}

/// Strips a trailing GitHub emoji shortcode such as `:tada:`. `None` if there isn't one.
fn strip_shortcode(text: &str) -> Option<&str> {
    let (before, code) = text.strip_suffix(':')?.rsplit_once(':')?;
    let is_code = !code.is_empty() && code.bytes().all(|b| b.is_ascii_alphanumeric() || b"_+-".contains(&b));
    // Only after a space or another emoji, so that `10:30:` stays as it is.
    let is_separate = before.ends_with(|c| is_blank(c) || c == ':' || is_emoji(c));
    if is_code && is_separate { Some(before) } else { None }
}

/// Whether a character is whitespace, or an invisible character that comes with copied text.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

fn is_leading_decoration(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '"' | '\'' | '*' | '_' | '`' | '“' | '„' | '‘' | '«' | '¡' | '¿')
}

fn is_trailing_decoration(c: char) -> bool {
    matches!(c, '.' | ',' | '!' | '?' | ';' | ':' | ')' | ']' | '}' | '"' | '\'' | '*' | '_' | '`' | '-')
        || matches!(c, '“' | '”' | '’' | '»' | '…' | '‼' | '⁉' | '。' | '，' | '！' | '？')
}

/// Whether a character is an emoji or part of an emoji sequence. Squared letters such as 🅰 are alphanumeric in Unicode
/// and don't count.
fn is_emoji(c: char) -> bool {
    let is_symbol = matches!(c, '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{2600}'..='\u{27BF}')
        || matches!(c, '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}');
    let is_modifier = matches!(c, '\u{200D}' | '\u{20E3}' | '\u{FE0E}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}');
    (is_symbol || is_modifier) && !c.is_alphanumeric()
}

/// Returns the letters and digits of a text in lowercase.
///
/// ```
/// assert_eq!(game::notation::normalize("Tic Tac-Toe!"), "tictactoe");
/// ```
pub fn normalize(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

// Keyboards, phones and other programs write many characters in place of the plain ones.

/// Cyrillic and Greek letters, and the Latin ones that they look like.
const LOOK_ALIKES: [(&str, &str); 2] = [
    ("АВЕЅІЈКМНОРСТУХаеѕіјкорсухвԁһԛԝ", "ABESIJKMHOPCTYXaesijkopcyxbdhqw"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβδεικνορτυχ", "ABEZHIKMNOPTYXabdeikvoptux"),
];

/// Whether a character is a control character or invisible: Unicode's format characters, among them the marks that change the
/// direction of text, its [default ignorable code
/// points](https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point), and the blank braille pattern.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || c.general_category() == GeneralCategory::Format
        || matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}' | '\u{3164}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}')
        || matches!(c, '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns a line in plain characters: without invisible ones, and with ASCII for full-width, mathematical, circled and
/// superscript letters and digits, for the digits of other scripts, for dashes and for keycap emoji.
pub fn to_plain_characters(line: &str) -> String {
    if line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return line.to_owned();
    }
    let visible = line.chars().filter(|c| c.is_whitespace() || *c != '\u{20e3}' && !is_invisible(*c));
    visible.nfkc().map(to_plain_character).collect()
}

fn to_plain_character(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2044}' | '\u{2215}' => '/',
        // Circled and squared letters in white on black, which have no compatible form.
        '\u{1f150}'..='\u{1f169}' => letter(u32::from(c) - 0x1f150).unwrap_or(c),
        '\u{1f170}'..='\u{1f189}' => letter(u32::from(c) - 0x1f170).unwrap_or(c),
        _ if c.is_ascii() => c,
        _ => decimal_digit(c).unwrap_or(c),
    }
}

fn letter(index: u32) -> Option<char> {
    char::from_u32(u32::from('A') + index)
}

/// Returns the ASCII digit for a decimal digit of any script; `None` for other characters. Each script has its ten digits in a
/// row, from zero.
fn decimal_digit(c: char) -> Option<char> {
    let is_digit =
        |code: u32| char::from_u32(code).is_some_and(|c| c.general_category() == GeneralCategory::DecimalNumber);
    let code = u32::from(c);
    let before = (0..10).take_while(|distance| is_digit(code - distance)).count() as u32;
    before.checked_sub(1).and_then(|digit| char::from_digit(digit % 10, 10))
}

/// Returns a text with Latin letters for the Cyrillic and Greek ones that look like them.
pub fn with_latin_letters(text: &str) -> String {
    text.chars().map(latin_letter).collect()
}

/// Returns the Latin letter that a Cyrillic or Greek one looks like, and any other character as it is.
pub fn latin_letter(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let find = |(from, to): &(&str, &str)| to.chars().nth(from.chars().position(|letter| letter == c)?);
    LOOK_ALIKES.iter().find_map(find).unwrap_or(c)
}
