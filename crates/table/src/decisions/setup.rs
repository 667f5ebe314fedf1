//! Sets up a table from the words after `/new`.

use std::ops::RangeInclusive;
use std::time::Duration;

use game::{Level, Options, Seat};
use games::{GameKind, GameVariant};

use crate::comments::game_names::{
    MAX_NAME_WORDS, ends_phrase, expand_variant, find_variant_by_prefix, is_computer_word, is_connective,
    is_crowd_word, is_one_of, with_game_first,
};
use crate::comments::phrases::Meaning;
use crate::decisions::append::begin_event;
use crate::decisions::option_words::{
    MINUTE, PER_MOVE_ALIASES, SIDE_ALIASES, is_key, is_value, parse_duration, parse_seat, setup_words,
};
use crate::dice::public_seed;
use crate::offers::mentioned_so_far;
use crate::{
    CommentContext, CommentId, CrowdRule, Decision, EventKind, InvalidTableOption, IssueNumber, OpenRule, Pending,
    Permission, Player, Refusal, Secret, SetupRefusal, TABLE_OPTIONS, Table, TableRefusal, Terms, is_login,
};

/// Accounts that are bots even though their names don't end in `[bot]`.
const BOTS: [&str; 4] = ["github-actions", "dependabot", "renovate", "copilot"];
/// The shortest and the longest time limit for a move, and for a bank.
const TIME_LIMITS: RangeInclusive<Duration> = MINUTE..=Duration::from_secs(366 * 24 * 60 * 60);
/// The largest `gap`: the number of other moves required between two moves by the same person.
const MAX_GAP: u32 = 100;

/// Opens a table, or starts the next game after one has ended.
///
/// # Errors
/// Returns an error if the words are invalid, or if their author may not open a table.
pub(super) fn open_table(
    table: Option<&Table>,
    words: &[String],
    context: &CommentContext,
    policy: &HostPolicy,
) -> Result<Decision<Pending>, Refusal> {
    check_may_open(table, context, policy)?;
    if table.is_some_and(Table::is_playing) {
        return Err(TableRefusal::GameInProgress.into());
    }
    let words = expand_variant(&with_game_first(words));
    let (kind, words) = split_game(&words, policy)?;
    let (round, settled_through) =
        table.map_or((1, CommentId::default()), |table| (table.round().saturating_add(1), table.settled_through()));
    let mentioned = table.map_or(Vec::new(), mentioned_so_far);
    let repository = table.and_then(Table::repository);
    let previous = table.cloned();
    let (table, opponent, seat) = set_up(kind, context.table, round, &words, context)?;
    if table.terms().crowd.is_some() && !policy.has_reactions {
        return Err(SetupRefusal::from(InvalidTableOption::CrowdInTerminal).into());
    }
    let opening = EventKind::New { opponent, commitment: None, mentioned };
    let table = table.with_repository(repository).with_settled_through(settled_through);
    Ok(Decision::Apply(begin_event(table, opening, seat, context, policy)?.replacing(previous)))
}

/// Checks that a person may begin a game in the issue of their comment. `table` is the one in that issue, if there is one.
pub(super) fn check_may_open(
    table: Option<&Table>,
    context: &CommentContext,
    policy: &HostPolicy,
) -> Result<(), Refusal> {
    let player = table.is_some_and(|table| table.players().seat_of_author(&context.author).is_some());
    match policy.opening {
        WhoMayStart::Maintainers => context.require(Permission::Write, SetupRefusal::OnlyMaintainers),
        WhoMayStart::Author if !context.by_issue_author && !player => {
            context.require(Permission::Write, SetupRefusal::NotYourIssue)
        }
        WhoMayStart::Author | WhoMayStart::Anyone => Ok(()),
    }
}

/// Returns the refusal of an unknown game. It suggests the name that is nearest to as many of the first words as possible.
pub(crate) fn unknown_game(words: &[&str], policy: &HostPolicy) -> SetupRefusal {
    let near = (1..=words.len().min(MAX_NAME_WORDS)).rev().find_map(|length| {
        let name = words[..length].join(" ");
        Some((nearest_game(&name, policy)?, name))
    });
    let (nearest, name) = near.map_or_else(|| (None, words.join(" ")), |(nearest, name)| (Some(nearest), name));
    SetupRefusal::UnknownGame(name, nearest, policy.game_names())
}

/// Returns the nearest name of a game or variant, if the host allows it.
fn nearest_game(name: &str, policy: &HostPolicy) -> Option<&'static str> {
    let variant = find_variant_by_prefix(name).filter(|game| policy.allows(game.kind)).map(GameVariant::name);
    let nearest = || GameKind::nearest(name).filter(|kind| policy.allows(*kind)).map(|kind| kind.info().name);
    variant.or_else(nearest)
}

/// Returns the game that the first words name ("Tic Tac Toe" is three of them), and the words after it. A comma after the name
/// becomes a word of its own.
fn split_game(words: &[String], policy: &HostPolicy) -> Result<(GameKind, Vec<String>), SetupRefusal> {
    let is_name = |word: &&String| is_value(word);
    let name: Vec<&str> = words.iter().take(MAX_NAME_WORDS).take_while(is_name).map(String::as_str).collect();
    if name.is_empty() {
        return Err(SetupRefusal::MissingGame(policy.game_names()));
    }
    let meant = |length: usize| GameKind::parse(&name[..length].concat()).map(|kind| (kind, words.split_at(length)));
    let (kind, (name, rest)) = (1..=name.len()).rev().find_map(meant).ok_or_else(|| unknown_game(&name, policy))?;
    if !policy.allows(kind) {
        return Err(SetupRefusal::GameNotAllowed(kind.info().title, policy.game_names()));
    }
    let stop = name.last().filter(|word| ends_phrase(word)).map(|_| ",".to_owned());
    Ok((kind, stop.into_iter().chain(rest.iter().cloned()).collect()))
}

/// The shortest and the longest time for a vote.
const VOTING_TIMES: RangeInclusive<Duration> = Duration::from_secs(60 * 60)..=Duration::from_secs(7 * 24 * 60 * 60);
/// The time for a vote without the option `votes`: 20 hours, so that the next daily run counts it even if it comes early.
const USUAL_VOTING_TIME: Duration = Duration::from_secs(20 * 60 * 60);
/// The largest quorum of a vote.
const MAX_QUORUM: u32 = 1_000;

/// A new table, the opponent, and the seat of the opener or the crowd.
type NewTable = (Table, Option<Player>, Option<Seat>);

/// Sets up a table from the words.
fn set_up(
    kind: GameKind,
    issue: IssueNumber,
    round: u32,
    words: &[String],
    context: &CommentContext,
) -> Result<NewTable, SetupRefusal> {
    let Named { mut options, mut opponent, has_crowd } = sort_words(&setup_words(words, kind), context)?;
    options.seed = public_seed(round, 0, context.source);
    let crowd = take_crowd(&mut options, has_crowd, opponent.as_ref())?;
    take_level(&mut options, &mut opponent, kind)?;
    let own = take_side(&mut options, kind)?;
    let per_move = take_time(&mut options, "per-move", &PER_MOVE_ALIASES, InvalidTableOption::PerMove)?;
    let bank = take_time(&mut options, "bank", &[], InvalidTableOption::Bank)?;
    let open = take_open_rule(&mut options)?;
    let casual = take_casual(&mut options)?;
    let autoplay = take_autoplay(&mut options)?;
    if open.is_some() && (own.is_some() || per_move.is_some() || bank.is_some() || opponent.is_some()) {
        return Err(InvalidTableOption::OpenWithPlayers.into());
    }
    if crowd.is_some() {
        check_crowd(kind, per_move.or(bank).is_some(), open.is_some(), autoplay)?;
        // `crowd` alone is a crowd at both seats.
        opponent = opponent.or(Some(Player::Crowd));
    }
    if (per_move.is_some() || bank.is_some()) && matches!(opponent, Some(Player::Computer(_))) {
        return Err(InvalidTableOption::TimeLimitWithComputer.into());
    }
    if autoplay && open.is_some() {
        return Err(InvalidTableOption::AutoplayInOpenGame.into());
    }
    if autoplay && kind.has_dice() {
        return Err(InvalidTableOption::AutoplayWithDice.into());
    }
    if bank.is_some() && per_move.is_none() {
        return Err(InvalidTableOption::BankWithoutPerMove.into());
    }
    let start = kind.configure(&mut options).map_err(|bad| SetupRefusal::InvalidOption(bad.message))?;
    if let Some((key, _)) = options.pairs.first() {
        return Err(unknown_option(key, kind));
    }
    if let Some(word) = options.words.first() {
        if is_key(word, kind) {
            return Err(SetupRefusal::MissingValue(word.to_lowercase()));
        }
        let unknown = unknown_option(word, kind);
        let is_person = matches!(unknown, SetupRefusal::UnknownOption(_, None, _))
            && opponent.is_none()
            && is_login(word)
            && word.contains(|c: char| c.is_ascii_alphabetic());
        return Err(if is_person { SetupRefusal::OpponentWithoutAt(word.clone()) } else { unknown });
    }
    let table = Table::new(issue, round, start?, Terms { per_move, bank, open, casual, autoplay, crowd });
    let seat = if open.is_some() { None } else { Some(own.unwrap_or(Seat::First)) };
    Ok((table, opponent, seat))
}

/// Applies the computer's level, from the option `level` or from a level's name after the computer: `computer hard`.
fn take_level(options: &mut Options, opponent: &mut Option<Player>, kind: GameKind) -> Result<(), SetupRefusal> {
    let is_level_name = |word: &String| word.parse::<u8>().is_err() && Level::parse(word).is_some();
    let is_computer = matches!(opponent, Some(Player::Computer(_)));
    let at = if is_computer { options.words.iter().position(is_level_name) } else { None };
    let named = options.take("level", &[]).or_else(|| at.map(|at| options.words.remove(at)));
    let Some(name) = named else { return Ok(()) };
    let level = Level::parse(&name).ok_or(SetupRefusal::UnknownLevel(name, kind))?;
    if opponent.is_some() && !is_computer {
        return Err(InvalidTableOption::LevelWithoutComputer.into());
    }
    *opponent = Some(Player::Computer(level));
    Ok(())
}

/// Removes a crowd's rule from the options and returns it; `None` without a crowd.
fn take_crowd(
    options: &mut Options,
    has_crowd: bool,
    opponent: Option<&Player>,
) -> Result<Option<CrowdRule>, SetupRefusal> {
    let time = take_time(options, "votes", &[], InvalidTableOption::Votes)?;
    let quorum = options.take("quorum", &[]);
    let is_auto = |(key, value): &mut (String, String)| is_one_of(key, &["level"]) && is_one_of(value, &["auto"]);
    let adaptive = options.pairs.extract_if(.., is_auto).next().is_some();
    if !has_crowd {
        let is_set = time.is_some() || quorum.is_some() || adaptive;
        return if is_set { Err(InvalidTableOption::WithoutCrowd.into()) } else { Ok(None) };
    }
    let voting_time = time.unwrap_or(USUAL_VOTING_TIME);
    if !VOTING_TIMES.contains(&voting_time) {
        return Err(InvalidTableOption::Votes.into());
    }
    let quorum =
        quorum.map_or(Some(1), |quorum| quorum.parse().ok().filter(|quorum| (1..=MAX_QUORUM).contains(quorum)));
    let quorum = quorum.ok_or(InvalidTableOption::Quorum(MAX_QUORUM))?;
    if adaptive && !matches!(opponent, Some(Player::Computer(_))) {
        return Err(InvalidTableOption::LevelWithoutComputer.into());
    }
    Ok(Some(CrowdRule { voting_time, quorum, adaptive }))
}

/// Checks that a crowd can play a game with these options.
fn check_crowd(kind: GameKind, has_clock: bool, is_open: bool, autoplay: bool) -> Result<(), InvalidTableOption> {
    match () {
        () if kind.has_dice() => Err(InvalidTableOption::CrowdWithDice),
        () if has_clock => Err(InvalidTableOption::CrowdWithClock),
        () if is_open => Err(InvalidTableOption::CrowdInOpenGame),
        () if autoplay => Err(InvalidTableOption::AutoplayWithCrowd),
        () => Ok(()),
    }
}

/// Removes the rule of an open table from the options and returns it; `None` if two players have a seat each.
fn take_open_rule(options: &mut Options) -> Result<Option<OpenRule>, SetupRefusal> {
    let gap = options.take("gap", &[]);
    let open = match options.take("seats", &[]).as_deref().map(str::to_lowercase).as_deref() {
        None | Some("named") => false,
        Some("open") => true,
        Some(_) => return Err(InvalidTableOption::Seats.into()),
    };
    let Some(gap) = gap else { return Ok(open.then_some(OpenRule { gap: 1 })) };
    let gap = gap.parse().ok().filter(|gap| open && *gap <= MAX_GAP).ok_or(InvalidTableOption::Gap(MAX_GAP))?;
    Ok(Some(OpenRule { gap }))
}

/// Removes `rated` from the options, and returns whether the game is casual.
fn take_casual(options: &mut Options) -> Result<bool, SetupRefusal> {
    match options.take("rated", &[]).as_deref() {
        None => Ok(false),
        Some(value) if Meaning::On.has(value) => Ok(false),
        Some(value) if Meaning::Off.has(value) => Ok(true),
        Some(_) => Err(InvalidTableOption::Rated.into()),
    }
}

/// Removes `autoplay` from the options, and returns whether it's on.
fn take_autoplay(options: &mut Options) -> Result<bool, SetupRefusal> {
    match options.take("autoplay", &[]).as_deref() {
        None => Ok(false),
        Some(value) if Meaning::Off.has(value) => Ok(false),
        Some(value) if Meaning::On.has(value) => Ok(true),
        Some(_) => Err(InvalidTableOption::Autoplay.into()),
    }
}

/// Takes the opener's side out of the options: `as=black`, `color=black`, or just `black`. `random` picks one.
fn take_side(options: &mut Options, kind: GameKind) -> Result<Option<Seat>, SetupRefusal> {
    let is_random = |name: &str| name.eq_ignore_ascii_case("random");
    let is_side = |word: &str| is_random(word) || parse_seat(word, kind).is_ok();
    let pairs = options.pairs.extract_if(.., |(key, _)| is_one_of(key, &["as"]) || is_one_of(key, &SIDE_ALIASES));
    let mut names: Vec<String> = pairs.map(|(_, name)| name).collect();
    names.extend(options.words.extract_if(.., |word| is_side(word)));
    let mut sides = Vec::new();
    for name in names {
        let side = if is_random(&name) { None } else { Some(parse_seat(&name, kind)?) };
        if !sides.contains(&side) {
            sides.push(side);
        }
    }
    // Random setups use the seed's low bits and the side uses the highest one, so they're independent.
    let random = if options.seed >> 63 == 0 { Seat::First } else { Seat::Second };
    match sides[..] {
        [] => Ok(None),
        [side] => Ok(Some(side.unwrap_or(random))),
        _ => Err(SetupRefusal::TwoSides(kind.info().seats)),
    }
}

/// The words of a `/new`, sorted.
#[derive(Default)]
struct Named {
    options: Options,
    opponent: Option<Player>,
    /// Whether a crowd plays.
    has_crowd: bool,
}

/// Sorts the words into options, other words and the players.
fn sort_words(words: &[String], context: &CommentContext) -> Result<Named, SetupRefusal> {
    let has_crowd = words.iter().any(|word| is_crowd_word(word));
    let mut options = Options::default();
    let mut opponent: Option<Player> = None;
    for word in words.iter().filter(|word| !is_crowd_word(word)) {
        let named = if let Some(login) = word.strip_prefix('@') {
            match login.eq_ignore_ascii_case(&context.author.login) {
                // The opener can play against the crowd.
                true if has_crowd => Player::person(context.author.id, &context.author.login),
                _ => parse_opponent(login, context)?,
            }
        } else if is_computer_word(word) {
            Player::Computer(Level::MEDIUM)
        } else {
            match word.split_once('=') {
                Some((key, value)) => options.pairs.push((key.to_owned(), value.to_owned())),
                None if is_connective(word) => {}
                None => options.words.push(word.to_owned()),
            }
            continue;
        };
        if opponent.as_ref().is_some_and(|opponent| !opponent.name().eq_ignore_ascii_case(named.name())) {
            return Err(SetupRefusal::TwoOpponents);
        }
        opponent = Some(named);
    }
    Ok(Named { options, opponent, has_crowd })
}

/// Parses the username of an opponent.
fn parse_opponent(login: &str, context: &CommentContext) -> Result<Player, SetupRefusal> {
    let mention = || format!("@{login}");
    if is_computer_word(login) {
        return Err(SetupRefusal::ComputerMention(mention()));
    }
    if login.ends_with("[bot]") || is_one_of(login, &BOTS) {
        return Err(SetupRefusal::OpponentIsBot(mention()));
    }
    if !is_login(login) {
        return Err(SetupRefusal::InvalidLogin(mention()));
    }
    if login.eq_ignore_ascii_case(&context.author.login) {
        return Err(SetupRefusal::OpponentIsYou);
    }
    Ok(Player::invited(login))
}

/// Returns the refusal of an unknown option. A number or a very short word isn't a typo of an option.
fn unknown_option(read: &str, kind: GameKind) -> SetupRefusal {
    let keys: Vec<&'static str> = kind.info().options.iter().map(|option| option.key).chain(TABLE_OPTIONS).collect();
    let wanted: String = read.to_lowercase().chars().take(40).collect();
    let distance = |key: &&&str| strsim::damerau_levenshtein(&wanted, key);
    let length = wanted.chars().filter(|c| c.is_alphabetic()).count();
    let is_near = |key: &&&str| distance(key) <= 2 && distance(key) * 2 < length;
    let nearest =
        keys.iter().chain(&SIDE_ALIASES[..1]).chain(&["casual"]).min_by_key(distance).filter(is_near).copied();
    SetupRefusal::UnknownOption(read.to_owned(), nearest, kind)
}

/// Removes a duration from the options and returns it; `None` if the option is missing.
fn take_time(
    options: &mut Options,
    key: &str,
    aliases: &[&str],
    invalid: InvalidTableOption,
) -> Result<Option<Duration>, InvalidTableOption> {
    let Some(text) = options.take(key, aliases) else { return Ok(None) };
    parse_duration(&text).filter(|time| TIME_LIMITS.contains(time)).map(Some).ok_or(invalid)
}

// The host's policy: settings that apply to all tables.

/// The host's settings for all tables.
#[derive(Clone, Debug)]
pub struct HostPolicy {
    /// The games that people may play; an empty list allows all of them.
    pub games: Vec<GameKind>,
    /// Who may open a table.
    pub opening: WhoMayStart,
    /// The names of the labels of issues in which the bot listens, besides those with a table; an empty list means all issues.
    pub only_labels: Vec<String>,
    /// The secret that makes the dice of new tables verifiable.
    pub dice_secret: Option<Secret>,
    /// Whether the bot closes a table's issue when its game is over.
    pub close_finished: bool,
    /// Whether the bot minimizes its answers with older boards.
    pub minimize_boards: bool,
    /// Whether issues are assigned to the player whose turn it is.
    pub assign_turns: bool,
    /// Whether a crowd can vote with reactions. A terminal has none.
    pub has_reactions: bool,
}

impl Default for HostPolicy {
    fn default() -> HostPolicy {
        HostPolicy {
            games: Vec::new(),
            opening: WhoMayStart::default(),
            only_labels: Vec::new(),
            dice_secret: None,
            close_finished: true,
            minimize_boards: true,
            assign_turns: false,
            has_reactions: true,
        }
    }
}

/// Who may open a table in an issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhoMayStart {
    /// The issue's author and maintainers.
    #[default]
    Author,
    /// Anyone.
    Anyone,
    /// Maintainers only.
    Maintainers,
}

impl HostPolicy {
    /// Returns the names of the allowed games.
    pub fn game_names(&self) -> Vec<&'static str> {
        GameKind::ALL.iter().filter(|kind| self.allows(**kind)).map(|kind| kind.info().name).collect()
    }

    /// Whether the bot listens in an issue without a table that has these labels. GitHub ignores the case of labels.
    pub fn is_invited(&self, labels: &[String]) -> bool {
        let is_named = |label: &String| self.only_labels.iter().any(|name| name.to_lowercase() == label.to_lowercase());
        self.only_labels.is_empty() || labels.iter().any(is_named)
    }

    /// Whether the host allows a game.
    pub fn allows(&self, kind: GameKind) -> bool {
        self.games.is_empty() || self.games.contains(&kind)
    }
}
