//! Plain characters for the many that keyboards, phones and other programs write instead.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

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
    let find = |(from, to): &(&str, &str)| to.chars().nth(from.chars().position(|letter| letter == c)?);
    LOOK_ALIKES.iter().find_map(find).unwrap_or(c)
}
