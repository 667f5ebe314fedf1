//! The setup of a table from the words behind `/new`.

use std::ops::RangeInclusive;

use game::choice::Level;
use game::contract::{Game, Rules};
use game::options::Options;
use game::seat::Seat;
use games::registry::{Kind, with_game};

use crate::any::{AnyTable, with_table};
use crate::decisions::append::begin;
use crate::decisions::house::{HouseRules, OpeningPolicy};
use crate::decisions::named_setups::{NamedSetup, expanded};
use crate::decisions::refusal::{BadTableOption, Refusal, SetupRefusal};
use crate::decisions::verdict::{Pending, Verdict};
use crate::dice::public_seed;
use crate::history::{EventKind, Sitter};
use crate::refusal::TableRefusal;
use crate::table::Table;
use crate::talk::command::is_computer;
use crate::talk::comment::{Millis, is_login};
use crate::talk::utterance::Utterance;
use crate::terms::{Open, Terms};

/// The options that tables of all games have, by their keys.
pub const TABLE_OPTIONS: [&str; 5] = ["as", "seats", "gap", "level", "per-move"];

/// A minute, in milliseconds.
const MINUTE: Millis = 60_000;
/// The shortest and the longest time for a move.
const PER_MOVE: RangeInclusive<Millis> = MINUTE..=366 * 24 * 60 * MINUTE;
/// The most people that may have to move between two moves of one person.
const MAX_GAP: u32 = 100;

/// Opens a table, or the next one after the end of a game.
///
/// # Errors
/// The fault of the words, or the missing right of their author.
pub fn open(
    table: Option<&AnyTable>,
    issue: u64,
    words: &[String],
    said: &Utterance,
    house: &HouseRules,
) -> Result<Verdict, Refusal> {
    let player =
        table.is_some_and(|table| with_table!(table, table => table.occupants().seat_for(&said.author).is_some()));
    match house.tables {
        _ if said.maintainer => {}
        OpeningPolicy::Maintainers => return Err(SetupRefusal::OnlyMaintainers.into()),
        OpeningPolicy::Author if !said.opener && !player => return Err(SetupRefusal::NotYourIssue.into()),
        OpeningPolicy::Author | OpeningPolicy::Anyone => {}
    }
    if table.is_some_and(AnyTable::is_playing) {
        return Err(TableRefusal::TableTaken.into());
    }
    let words = expanded(words);
    let (kind, words) = game(&words, house)?;
    let (round, settled_through) =
        table.map_or((1, 0), |table| (table.round().saturating_add(1), table.settled_through()));
    let finished = table.cloned();
    with_game!(kind, G => {
        let (table, opening, seat) = set_up::<G>(issue, round, words, said)?;
        let (table, key) = begin(table.settled_to(settled_through), opening, seat, said, house)?;
        Ok(Verdict::Accept(Pending::new(table.into(), key, finished)))
    })
}

/// Returns the refusal of a game that is not there.
pub fn unknown_game(name: &str, house: &HouseRules) -> SetupRefusal {
    let nearest = Kind::nearest(name).filter(|kind| house.allows(*kind)).map(|kind| kind.info().name);
    let allowed = |setup: &&NamedSetup| setup.kind().is_some_and(|kind| house.allows(kind));
    let nearest = NamedSetup::beginning(name).filter(allowed).map(|setup| setup.words).or(nearest);
    SetupRefusal::UnknownGame(name.to_owned(), nearest, house.game_names())
}

/// Returns the seat of a game by its name, compared without case.
///
/// # Errors
/// No seat has that name.
pub fn seat<G: Game>(name: &str) -> Result<Seat, SetupRefusal> {
    let named = |seat: &Seat| G::INFO.seats[seat.index()].eq_ignore_ascii_case(name);
    Seat::BOTH.into_iter().find(named).ok_or_else(|| SetupRefusal::NoSeat(name.to_owned(), G::INFO.seats))
}

/// Returns the game that the first words name ("Tic Tac Toe" is three of them), and the words behind.
fn game<'a>(words: &'a [String], house: &HouseRules) -> Result<(Kind, &'a [String]), SetupRefusal> {
    let is_name = |word: &&String| !word.starts_with('@') && !word.contains('=');
    let name: Vec<&str> = words.iter().take(6).take_while(is_name).map(String::as_str).collect();
    if name.is_empty() {
        return Err(SetupRefusal::WhichGame(house.game_names()));
    }
    let meant = |length: usize| Kind::meant(&name[..length].concat()).map(|kind| (kind, &words[length..]));
    let (kind, rest) = (1..=name.len()).rev().find_map(meant).ok_or_else(|| unknown_game(&name.join(" "), house))?;
    if !house.allows(kind) {
        return Err(SetupRefusal::GameNotHere(kind.info().title, house.game_names()));
    }
    Ok((kind, rest))
}

/// The table that the words ask for, its opening event, and the seat of its opener.
type SetUp<G> = (Table<G>, EventKind<<G as Rules>::Move>, Option<Seat>);

/// Sets a table up as the words ask for.
fn set_up<G: Game>(issue: u64, round: u32, words: &[String], said: &Utterance) -> Result<SetUp<G>, SetupRefusal> {
    let (mut options, mut opponent) = sort(&paired::<G>(words), said)?;
    options.seed = public_seed(round, 0, said.source);
    take_level(&mut options, &mut opponent)?;
    let own = options.take("as", &[]).map(|name| seat::<G>(&name)).transpose()?;
    let per_move = options.take("per-move", &["permove", "per_move"]).map(|text| duration(&text)).transpose()?;
    let open = open_rule(&mut options)?;
    if open.is_some() && (own.is_some() || per_move.is_some() || opponent.is_some()) {
        return Err(BadTableOption::OpenWithPlayers.into());
    }
    if per_move.is_some() && opponent.as_ref().is_some_and(|sitter| sitter.computer.is_some()) {
        return Err(BadTableOption::LimitForComputer.into());
    }
    let config = G::configure(&mut options).map_err(|bad| SetupRefusal::BadOption(bad.expected))?;
    if let Some((key, _)) = options.pairs.first() {
        return Err(unknown_option::<G>(key));
    }
    if let Some(word) = options.words.first() {
        let unknown = unknown_option::<G>(word);
        if matches!(unknown, SetupRefusal::UnknownOption(_, Some(key), _) if key.eq_ignore_ascii_case(word)) {
            return Err(SetupRefusal::NoValue(word.to_lowercase()));
        }
        let is_person =
            matches!(unknown, SetupRefusal::UnknownOption(_, None, _)) && opponent.is_none() && is_login(word);
        return Err(if is_person { SetupRefusal::Opponent(word.clone()) } else { unknown });
    }
    let table = Table::<G>::set_up(issue, round, config, Terms { per_move, open })?;
    let seat = if open.is_some() { None } else { Some(own.unwrap_or(Seat::First)) };
    Ok((table, EventKind::New { opponent, commitment: None }, seat))
}

/// Gives the computer the level that is named: as an option, or by its name alone where the computer is named, too.
fn take_level(options: &mut Options, opponent: &mut Option<Sitter>) -> Result<(), SetupRefusal> {
    let alone = |word: &String| word.parse::<u8>().is_err() && Level::named(word).is_some();
    let seated = opponent.as_ref().is_some_and(|sitter| sitter.computer.is_some());
    let at = options.words.iter().position(alone).filter(|_| seated);
    let named = options.take("level", &[]).or_else(|| at.map(|at| options.words.remove(at)));
    let Some(name) = named else { return Ok(()) };
    let level = Level::named(&name).ok_or(SetupRefusal::NoLevel(name))?;
    if opponent.as_ref().is_some_and(|sitter| sitter.computer.is_none()) {
        return Err(BadTableOption::LevelWithoutComputer.into());
    }
    *opponent = Some(Sitter::computer(level));
    Ok(())
}

/// Takes the rule of an open table out of the options; `None` where two players have a seat each.
fn open_rule(options: &mut Options) -> Result<Option<Open>, SetupRefusal> {
    let gap = options.take("gap", &[]);
    let open = match options.take("seats", &[]).as_deref().map(str::to_lowercase).as_deref() {
        None | Some("named") => false,
        Some("open") => true,
        Some(_) => return Err(BadTableOption::Seats.into()),
    };
    let Some(gap) = gap else { return Ok(open.then_some(Open { gap: 1 })) };
    let gap = gap.parse().ok().filter(|gap| open && *gap <= MAX_GAP).ok_or(BadTableOption::Gap(MAX_GAP))?;
    Ok(Some(Open { gap }))
}

/// Returns the words with the options that are written as people say them, `match to 3` or `cube on`, as pairs.
fn paired<G: Game>(words: &[String]) -> Vec<String> {
    let is_key = |word: &str| {
        let own = G::INFO.options.iter().any(|option| option.key.eq_ignore_ascii_case(word));
        own || TABLE_OPTIONS.iter().any(|key| key.eq_ignore_ascii_case(word))
    };
    let is_value = |word: &&String| !word.starts_with('@') && !word.contains('=');
    let mut paired = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        if is_key(word) {
            _ = words.next_if(|next| matches!(next.as_str(), "to" | "of" | "is" | ":"));
            if let Some(value) = words.next_if(is_value) {
                paired.push(format!("{word}={value}"));
                continue;
            }
        }
        paired.push(word.clone());
    }
    paired
}

/// Sorts the words into options, loose words and the opponent.
fn sort(words: &[String], said: &Utterance) -> Result<(Options, Option<Sitter>), SetupRefusal> {
    let mut options = Options::default();
    let mut opponent = None;
    for word in words {
        let word = word.trim_end_matches([',', ';']);
        if let Some(login) = word.strip_prefix('@') {
            if is_computer(login) {
                return Err(SetupRefusal::ComputerIsNoAccount(word.to_owned()));
            }
            if !is_login(login) {
                return Err(SetupRefusal::NoLogin(word.to_owned()));
            }
            if login.eq_ignore_ascii_case(&said.author.login) {
                return Err(SetupRefusal::OpponentIsYou);
            }
            if opponent.is_some() {
                return Err(SetupRefusal::OneOpponent);
            }
            opponent = Some(Sitter::reserved(login));
        } else if is_computer(word) {
            if opponent.is_some() {
                return Err(SetupRefusal::OneOpponent);
            }
            opponent = Some(Sitter::computer(Level::MEDIUM));
        } else if let Some((key, value)) = word.split_once('=') {
            options.pairs.push((key.to_owned(), value.to_owned()));
        } else if !matches!(word.to_lowercase().as_str(), "" | "vs" | "vs." | "with" | "against") {
            options.words.push(word.to_owned());
        }
    }
    Ok((options, opponent))
}

/// Returns the refusal of an option that is not there.
fn unknown_option<G: Game>(read: &str) -> SetupRefusal {
    let keys: Vec<&'static str> = G::INFO.options.iter().map(|option| option.key).chain(TABLE_OPTIONS).collect();
    let wanted: String = read.to_lowercase().chars().take(40).collect();
    let distance = |key: &&&str| strsim::damerau_levenshtein(&wanted, key);
    let nearest = keys.iter().min_by_key(distance).filter(|key| distance(key) <= 2).copied();
    SetupRefusal::UnknownOption(read.to_owned(), nearest, keys)
}

/// Reads a span of time as people write it: `7d`, `12h`, `90m`, `2w`.
fn duration(text: &str) -> Result<Millis, SetupRefusal> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit = match unit.to_lowercase().as_str() {
        "m" | "min" => MINUTE,
        "h" => 60 * MINUTE,
        "d" | "day" | "days" => 24 * 60 * MINUTE,
        "w" => 7 * 24 * 60 * MINUTE,
        _ => return Err(BadTableOption::PerMove.into()),
    };
    let span = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    Ok(span.filter(|span| PER_MOVE.contains(span)).ok_or(BadTableOption::PerMove)?)
}
