//! Whole kinds of spellings: a legal move is played or answered however it's written, and a move in a sentence isn't played.
//!
//! With `--nocapture`, each test prints how many spellings it tried for each game.

use std::collections::BTreeMap;

use games::GameKind;
use table::{
    Author, CommentContext, CommentId, Decision, Done, HostPolicy, IssueNumber, Permission, Table, Timestamp, UserId,
    decide_at_once, parse_comment, parse_issue_body,
};
use testkit::{place, short_or_long};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The players, in the order of their seats.
const PLAYERS: [(u64, &str); 2] = [(1, "alice"), (2, "bob")];
/// The moves that are played before and between the checks.
const PLIES: usize = 6;
/// The legal moves that are spelled at each position.
const MOVES: [usize; 2] = [2, 8];

/// Decides a comment by one of the players, as the newest one of the table's thread.
fn decide_comment(table: Option<&Table>, player: usize, text: &str) -> Option<Decision<Done>> {
    let comment = table.map_or(0, |table| table.newest_own_comment().get() + 1);
    let (id, login) = PLAYERS[player];
    let context = CommentContext {
        parsed: if comment == 0 { parse_issue_body(text) } else { parse_comment(text) },
        author: Author { id: UserId::new(id), login: login.to_owned(), is_bot: false },
        permission: Some(Permission::Read),
        by_issue_author: player == 0,
        source: place(1, comment),
        table: IssueNumber::new(1),
        issue_has_table: table.is_some(),
        follows_question: false,
        refused_attempt: None,
        uses_french_letters: false,
        updated_at: Timestamp::from_millis(1_760_000_000_000 + comment),
        settled_through: CommentId::new(comment),
        entropy: [7; 32],
    };
    decide_at_once(table, &context, &HostPolicy::default())
}

fn apply(table: Option<&Table>, player: usize, text: &str) -> Table {
    match decide_comment(table, player, text) {
        Some(Decision::Apply(Done { table, .. })) => *table,
        other => panic!("{text}: {other:?}"),
    }
}

fn player_to_move(table: &Table) -> usize {
    table.player_to_move().index()
}

fn legal_moves(table: &Table) -> Vec<String> {
    let game = table.game();
    game.legal_moves().iter().map(|mv| game.notation(mv)).collect()
}

fn last_move(table: &Table) -> String {
    table.plies().next_back().unwrap().played.unwrap().1.to_owned()
}

/// Runs a check at several positions of every game, with some of the legal moves there. The check returns how many spellings it
/// tried.
#[expect(clippy::print_stdout, reason = "the counts are for people who run these tests by hand")]
fn at_many_positions(mut check: impl FnMut(&Table, usize, &str) -> usize) {
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for kind in GameKind::ALL {
        let table = apply(None, 0, &format!("/new {} @bob", kind.info().name));
        let mut table = apply(Some(&table), 1, "/join");
        for ply in 0..PLIES {
            let (player, moves) = (player_to_move(&table), legal_moves(&table));
            if moves.is_empty() {
                break;
            }
            let step = moves.len().div_ceil(short_or_long(MOVES[0], MOVES[1])).max(1);
            for mv in moves.iter().skip(ply % step).step_by(step) {
                *tried.entry(kind.info().name).or_default() += check(&table, player, mv);
            }
            let next = &moves[(ply * 7 + 3) % moves.len()];
            table = apply(Some(&table), player, &format!("/move {next}"));
        }
    }
    println!("{tried:?}");
}

#[track_caller]
fn check_played(table: &Table, player: usize, mv: &str, text: &str) {
    match decide_comment(Some(table), player, text) {
        Some(Decision::Apply(Done { table, .. })) => {
            assert_eq!(last_move(&table), mv, "{text:?} at {:?}", table.kind());
        }
        other => panic!("{text:?} at {:?}: {other:?}", table.kind()),
    }
}

fn full_width(text: &str) -> String {
    let wide = |c: char| if c.is_ascii_graphic() { char::from_u32(c as u32 + 0xFEE0).unwrap() } else { c };
    text.chars().map(wide).collect()
}

/// Returns a text with other characters for some of its own: each of `from` becomes the one at the same place in `to`.
fn replace_characters(text: &str, from: &str, to: &str) -> String {
    let replace = |c: char| from.chars().position(|known| known == c).and_then(|at| to.chars().nth(at)).unwrap_or(c);
    text.chars().map(replace).collect()
}

/// Returns a text whose letters and digits begin at other code points: `A`, `a` and `0`.
fn shift(text: &str, upper: u32, lower: u32, zero: u32) -> String {
    let at = |start: u32, c: char, first: char| char::from_u32(start + u32::from(c) - u32::from(first)).unwrap();
    let shift = |c: char| match c {
        'A'..='Z' => at(upper, c, 'A'),
        'a'..='z' => at(lower, c, 'a'),
        '0'..='9' => at(zero, c, '0'),
        c => c,
    };
    text.chars().map(shift).collect()
}

/// Returns a move in letters of other alphabets that look like Latin ones, and in other forms of Latin letters and digits.
fn in_other_letters(mv: &str) -> Vec<String> {
    vec![
        full_width(mv),
        // A Russian К and С are pieces of their own.
        replace_characters(mv, "aceoxBOT", "асеохВОТ"),
        replace_characters(mv, "abdeoxABEO", "αβδεοχΑΒΕΟ").replace('Β', "B"),
        // Mathematical bold, sans-serif and monospace.
        shift(mv, 0x1d400, 0x1d41a, 0x1d7ce),
        shift(mv, 0x1d5a0, 0x1d5ba, 0x1d7e2),
        shift(mv, 0x1d670, 0x1d68a, 0x1d7f6),
        // Circled letters, and the digits of Arabic, Persian and Devanagari.
        shift(mv, 0x24b6, 0x24d0, 0x30),
        shift(mv, 0x41, 0x61, 0x660),
        shift(mv, 0x41, 0x61, 0x6f0),
        shift(mv, 0x41, 0x61, 0x966),
    ]
}

/// Returns spellings of a move that all mean this move, if anything.
fn spellings(mv: &str) -> Vec<String> {
    let mut all = vec![mv.to_owned(), mv.replace('-', "–"), mv.replace('-', "−")];
    all.extend(in_other_letters(mv));
    let is_coordinate = mv.len() <= 3 && mv[..1].chars().all(char::is_alphabetic) && mv[1..].parse::<u32>().is_ok();
    if is_coordinate && mv.len() > 1 {
        let (letter, digits) = mv.split_at(1);
        let separators = ["-", ".", "/", " ", ",", ": ", "_"];
        all.extend(separators.map(|separator| format!("{letter}{separator}{digits}")));
        all.extend([format!("{digits}{letter}"), format!("{digits} {letter}"), mv.to_uppercase()]);
    }
    let beside = [
        "{}!",
        "{}.",
        "**{}**",
        "`{}`",
        "({})",
        "{} 🙂",
        "  {}  ",
        "1. {}",
        "17... {}",
        "{}, good luck!",
        "{} thanks",
        "{}\n\nI like this one.",
        "Hi Alice!\n{}",
        "@alice\n\n{}",
        "{}\\",
        "{}\\\nGood luck\\",
        "{}\\!",
        "> a quote\n\n{}",
        "/move {}",
        "/move {}, sorry for the delay",
        "/play {} please",
        "/{}",
        "/ {}",
        "/{}!",
        "/{}, sorry for the delay",
        "/{}\n\nI like this one.",
    ];
    all.extend(beside.iter().map(|pattern| pattern.replace("{}", mv)));
    all
}

#[test]
fn a_legal_move_is_played_or_answered_however_it_is_written() {
    at_many_positions(|table, player, mv| {
        let spellings = spellings(mv);
        for text in &spellings {
            match decide_comment(Some(table), player, text) {
                Some(Decision::Apply(Done { table, .. })) => {
                    assert_eq!(last_move(&table), mv, "{text:?} at {:?}", table.kind());
                }
                Some(Decision::Refuse(_)) => {}
                other => panic!("{text:?} at {:?}: {other:?}", table.kind()),
            }
        }
        spellings.len()
    });
}

#[test]
fn a_move_in_other_letters_is_played() {
    at_many_positions(|table, player, mv| {
        let spellings = in_other_letters(mv);
        spellings.iter().for_each(|text| check_played(table, player, mv, text));
        spellings.len()
    });
}

/// Returns a number below 40 in words.
fn number_in_words(number: usize) -> String {
    const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                        seventeen eighteen nineteen";
    let ones: Vec<&str> = ONES.split(' ').collect();
    let tens = |number: usize| if number < 30 { "twenty" } else { "thirty" };
    match number {
        0..20 => ones[number].to_owned(),
        20 | 30 => tens(number).to_owned(),
        _ => format!("{}-{}", tens(number), ones[number % 10]),
    }
}

/// Returns a move with its numbers in words: `Nf three`, `eleven-fifteen`.
fn in_words(mv: &str) -> String {
    let mut text = String::new();
    let mut rest = mv;
    while let Some(first) = rest.chars().next() {
        let (part, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()).max(1));
        match part.parse() {
            Ok(number) => {
                let is_after_letter = text.ends_with(char::is_alphabetic);
                text.push_str(if is_after_letter { " " } else { "" });
                text.push_str(&number_in_words(number));
                text.push_str(if after.starts_with(char::is_alphabetic) { " " } else { "" });
            }
            // `twenty six` would be one number.
            Err(_) if first == ' ' => text.push_str(", "),
            Err(_) => text.push_str(part),
        }
        rest = after;
    }
    text
}

#[test]
fn a_move_with_numbers_in_words_is_played() {
    at_many_positions(|table, player, mv| {
        check_played(table, player, mv, &in_words(mv));
        1
    });
}

#[test]
fn invisible_characters_change_nothing() {
    let is_format = |c: &char| c.general_category() == GeneralCategory::Format;
    let mut invisible: Vec<char> = ('\0'..=char::MAX).filter(is_format).collect();
    invisible.extend(['\u{2800}', '\u{3164}', '\u{fe0e}', '\u{fe0f}', '\u{e0100}']);
    let mut next = invisible.iter().cycle();
    at_many_positions(|table, player, mv| {
        for c in next.by_ref().take(10) {
            let between: String = mv.chars().flat_map(|letter| [letter, *c]).collect();
            for text in [
                format!("{c}{mv}"),
                format!("{c}{mv}{c}"),
                between,
                format!("{c}\n{mv}\n{c}"),
                format!("/move {c}{mv}"),
            ] {
                check_played(table, player, mv, &text);
            }
        }
        50
    });
}

#[test]
fn the_usual_spellings_are_played() {
    at_many_positions(|table, player, mv| {
        let patterns =
            ["{}", "{}!", "`{}`", "{}, good luck!", "{} thanks, Alice", "Hi Alice!\n{}", "/move {}", "1. {}"];
        for pattern in patterns.into_iter().chain(["/{}", "/ {}", "/{}!", "/{}, good luck!", "/{} thanks"]) {
            let text = pattern.replace("{}", mv);
            let played = matches!(decide_comment(Some(table), player, &text), Some(Decision::Apply(_)));
            assert!(played, "{text:?} at {:?}", table.kind());
        }
        13
    });
}

#[test]
fn a_move_in_a_sentence_is_not_played() {
    let sentences = [
        "I think {} is the best move here",
        "What about {}?",
        "{} would be a blunder",
        "If you play {} I resign",
        "{} or something else",
        "{}, not today",
        "{}, just kidding",
        "{}, if you let me",
        "{}? I don't know",
        "Yesterday I played {} and won",
        "not {}",
        "no, {} is better",
        "Should I play {}?",
        "My engine says {}",
        "{} was played in 1851",
        "I'd never play\n{}",
        "Look at this:\n> {}\n\nNice, isn't it?",
        "{} and then I win",
        "{}, right?",
        "{} maybe",
        "I wrote {} in my notebook\n\nWhat do you think?",
        "```\n{}\n```",
        "/{} is the best move here",
        "/{} or something else",
        "/assign {}",
        "/usr/{}",
        "/{}/README.md",
        "`/{}`",
        "Thanks! How was your week?\n\n{} looks strong.",
    ];
    at_many_positions(|table, player, mv| {
        for sentence in sentences {
            let text = sentence.replace("{}", mv);
            let decision = decide_comment(Some(table), player, &text);
            assert!(!matches!(decision, Some(Decision::Apply(_))), "{text:?} at {:?}", table.kind());
        }
        sentences.len()
    });
}
