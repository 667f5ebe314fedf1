//! The standings in memory, and how a result changes them.
//!
//! The crate `skillratings` computes the [Glicko-2](http://www.glicko.net/glicko/glicko2.pdf) ratings.

use std::collections::BTreeMap;

use game::{Level, Seat};
use games::GameVariant;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use table::{Mover, Person, RatingChange, ResultNumber, Timestamp, UserId, json};

use crate::files::{
    ComputerScore, DEVIATIONS, OpenScore, RANKING_SIZE, RATINGS, SCHEMA_VERSION, VOLATILITIES, clamp_and_round,
    file_path,
};
use crate::result::TableResult;
use crate::{
    COMPUTER_KIND, ComputerRow, GameScore, OPEN_KIND, OpenRow, Participants, PlayerFile, Ranking, RankingRow, RatedRow,
    files,
};
use table::InvalidFile;

/// The initial rating.
const INITIAL_RATING: Glicko2Rating = Glicko2Rating { rating: 1500.0, deviation: 350.0, volatility: 0.06 };
/// The system constant, which limits how much volatilities change, and the tolerance of the iteration.
const GLICKO: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 0.000_001 };

/// The files of the standings: all of them, or the ones that one result changes.
#[derive(Debug, Default)]
pub(super) struct Standings {
    players: BTreeMap<UserId, PlayerFile>,
    rated: BTreeMap<&'static str, Ranking<RatedRow>>,
    open: Option<Ranking<OpenRow>>,
    computer: Option<Ranking<ComputerRow>>,
}

impl Standings {
    /// Parses a file and adds it.
    ///
    /// # Errors
    /// Returns an error that names the file if it is damaged.
    pub(super) fn load_file(&mut self, name: &str, text: &str) -> Result<(), InvalidFile> {
        if name == OPEN_KIND {
            self.open = Some(files::parse_file(name, text)?);
        } else if name == COMPUTER_KIND {
            self.computer = Some(files::parse_file(name, text)?);
        } else if let Some(game) = GameVariant::from_name(name) {
            self.rated.insert(game.name(), files::parse_file(name, text)?);
        } else {
            let player: PlayerFile = files::parse_file(name, text)?;
            self.players.insert(player.id, player);
        }
        Ok(())
    }

    /// Returns the path of every file below the state directory, with its text.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let rated = self.rated.iter().map(|(name, ranking)| (file_path(name), json::to_text(ranking)));
        let open = self.open.iter().map(|ranking| (file_path(OPEN_KIND), json::to_text(ranking)));
        let players = self.players.values().map(|player| (file_path(&player.id.to_string()), json::to_text(player)));
        let computer = self.computer.iter().map(|ranking| (file_path(COMPUTER_KIND), json::to_text(ranking)));
        rated.chain(open).chain(computer).chain(players).collect()
    }

    /// Returns a person's results; `None` if they have none.
    pub(super) fn player(&self, id: UserId) -> Option<&PlayerFile> {
        self.players.get(&id)
    }

    /// Returns a game's ranking; `None` if it has no results.
    pub(super) fn rated(&self, game: &str) -> Option<&Ranking<RatedRow>> {
        self.rated.get(game)
    }

    /// Returns the ranking of the open tables; `None` if they have no results.
    pub(super) fn open(&self) -> Option<&Ranking<OpenRow>> {
        self.open.as_ref()
    }

    /// Returns the ranking of the people who have beaten the computer; `None` if nobody has.
    pub(super) fn computer(&self) -> Option<&Ranking<ComputerRow>> {
        self.computer.as_ref()
    }

    /// Returns the number of people who have a result.
    pub(super) fn player_count(&self) -> usize {
        self.players.len()
    }

    /// Returns the number of counted results of a kind.
    pub(super) fn result_count(&self, kind: &str) -> u64 {
        let counted = match kind {
            OPEN_KIND => self.open.as_ref().map(|ranking| ranking.counted),
            COMPUTER_KIND => self.computer.as_ref().map(|ranking| ranking.counted),
            _ => self.rated.get(kind).map(|ranking| ranking.counted),
        };
        counted.unwrap_or(0)
    }

    /// Counts a result under its number. Returns the changes of the ratings, in the order of the seats; `None` if the result
    /// changes none.
    pub(super) fn add_result(&mut self, number: ResultNumber, result: &TableResult) -> Option<[RatingChange; 2]> {
        match &result.participants {
            Participants::Seated { game, players, winner } => {
                return Some(self.add_rated_result(number, game.name(), players, *winner, result.ended_at));
            }
            Participants::Open(movers) => self.add_open_result(number, movers, result.ended_at),
            Participants::Computer { kind, player, level, .. } => {
                self.add_computer_win(number, kind.info().name, player, *level, result.ended_at);
            }
        }
        None
    }

    /// Checks that the ranking and each participant's own file agree. This finds lost and outdated files.
    ///
    /// # Errors
    /// Returns an error that names the two files if they disagree.
    pub(super) fn check_agreement(&self, result: &TableResult) -> Result<(), InvalidFile> {
        let kind = result.kind();
        match &result.participants {
            Participants::Seated { players, .. } => players.iter().try_for_each(|Person { id, .. }| {
                let own = self.players.get(id).and_then(|player| player.games.get(kind));
                check_row(self.rated.get(kind), kind, *id, |login| own.map(|score| RatedRow::new(*id, login, score)))
            }),
            Participants::Open(movers) => movers.iter().try_for_each(|Mover { id, .. }| {
                let own = self.players.get(id).and_then(|player| player.open.as_ref());
                check_row(self.open.as_ref(), kind, *id, |login| own.map(|score| OpenRow::new(*id, login, score)))
            }),
            Participants::Computer { player: Person { id, .. }, .. } => {
                let own = self.players.get(id).and_then(|player| player.computer.as_ref());
                check_row(self.computer.as_ref(), kind, *id, |login| own.map(|own| ComputerRow::new(*id, login, own)))
            }
        }
    }

    /// Counts a result between two people, and returns the changes of their ratings.
    fn add_rated_result(
        &mut self,
        number: ResultNumber,
        kind: &'static str,
        people: &[Person; 2],
        winner: Option<Seat>,
        ended: Timestamp,
    ) -> [RatingChange; 2] {
        let before = [0, 1].map(|at| {
            let score = self.players.get(&people[at].id).and_then(|player| player.games.get(kind));
            score.cloned().unwrap_or_else(initial_score)
        });
        let outcome = match winner {
            Some(Seat::First) => Outcomes::WIN,
            Some(Seat::Second) => Outcomes::LOSS,
            None => Outcomes::DRAW,
        };
        let old_ratings = before.each_ref().map(|score| score.rating);
        let mut changes = old_ratings.map(|rating| RatingChange { before: rating, after: rating, deviation: 0.0 });
        let (first, second) = glicko2(&to_glicko(&before[0]), &to_glicko(&before[1]), &outcome, &GLICKO);
        let ranking = self.rated.entry(kind).or_insert_with(|| empty_ranking(kind));
        ranking.counted = number.get();
        for (seat, (old, new)) in Seat::BOTH.into_iter().zip(before.into_iter().zip([first, second])) {
            let Person { id, login } = &people[seat.index()];
            let won = winner.map(|winner| winner == seat);
            let score = GameScore {
                games: old.games + 1,
                wins: old.wins + u64::from(won == Some(true)),
                draws: old.draws + u64::from(won.is_none()),
                losses: old.losses + u64::from(won == Some(false)),
                rating: clamp_and_round(new.rating, RATINGS),
                deviation: clamp_and_round(new.deviation, DEVIATIONS),
                volatility: clamp_and_round(new.volatility, VOLATILITIES),
            };
            let change = &mut changes[seat.index()];
            (change.after, change.deviation) = (score.rating, score.deviation);
            ranking.players += u64::from(old.games == 0);
            update_row(ranking, RatedRow::new(*id, login, &score));
            player_file(&mut self.players, *id, login, ended).games.insert(kind.to_owned(), score);
        }
        ranking.top.truncate(RANKING_SIZE);
        changes
    }

    /// Counts a win against the computer.
    fn add_computer_win(&mut self, number: ResultNumber, kind: &str, person: &Person, level: Level, ended: Timestamp) {
        let Person { id, login } = person;
        let ranking = self.computer.get_or_insert_with(|| empty_ranking(COMPUTER_KIND));
        ranking.counted = number.get();
        let player = player_file(&mut self.players, *id, login, ended);
        ranking.players += u64::from(player.computer.is_none());
        let score = player.computer.get_or_insert_with(ComputerScore::default);
        score.wins += 1;
        let highest = score.beaten.entry(kind.to_owned()).or_insert(level);
        *highest = level.max(*highest);
        update_row(ranking, ComputerRow::new(*id, login, score));
        ranking.top.truncate(RANKING_SIZE);
    }

    /// Counts the end of an open game.
    fn add_open_result(&mut self, number: ResultNumber, movers: &[Mover], ended: Timestamp) {
        let ranking = self.open.get_or_insert_with(|| empty_ranking(OPEN_KIND));
        ranking.counted = number.get();
        for Mover { id, login, moves } in movers {
            let player = player_file(&mut self.players, *id, login, ended);
            ranking.players += u64::from(player.open.is_none());
            let score = player.open.get_or_insert(OpenScore { games: 0, moves: 0 });
            score.games += 1;
            score.moves += *moves as u64;
            update_row(ranking, OpenRow::new(*id, login, score));
        }
        ranking.top.truncate(RANKING_SIZE);
    }
}

fn initial_score() -> GameScore {
    let Glicko2Rating { rating, deviation, volatility } = INITIAL_RATING;
    GameScore { games: 0, wins: 0, draws: 0, losses: 0, rating, deviation, volatility }
}

fn to_glicko(score: &GameScore) -> Glicko2Rating {
    Glicko2Rating { rating: score.rating, deviation: score.deviation, volatility: score.volatility }
}

fn empty_ranking<E>(kind: &str) -> Ranking<E> {
    Ranking { schema: SCHEMA_VERSION, game: kind.to_owned(), counted: 0, players: 0, top: Vec::new() }
}

/// Moves a person's row to its new place in the ranking, or inserts it.
fn update_row<E: RankingRow>(ranking: &mut Ranking<E>, row: E) {
    ranking.top.retain(|other| other.id() != row.id());
    let at = ranking.top.partition_point(|other| other.sort_key() < row.sort_key());
    ranking.top.insert(at, row);
}

/// Returns the file of a person whose game ended, and creates it if necessary. Its username comes from the game that
/// ended last, even if that game was counted earlier.
fn player_file<'a>(
    players: &'a mut BTreeMap<UserId, PlayerFile>,
    id: UserId,
    login: &str,
    ended: Timestamp,
) -> &'a mut PlayerFile {
    let player = players.entry(id).or_insert_with(|| PlayerFile {
        schema: SCHEMA_VERSION,
        id,
        login: login.to_owned(),
        last_result: ended,
        games: BTreeMap::new(),
        open: None,
        computer: None,
    });
    if (ended, login) > (player.last_result, &player.login) {
        player.last_result = ended;
        login.clone_into(&mut player.login);
    }
    player
}

/// Checks that a ranking agrees with a person's own file. Their usernames may differ. `own` converts the file to a row
/// with the given username.
///
/// # Errors
/// Returns an error that names the two files if they disagree.
fn check_row<E: RankingRow>(
    ranking: Option<&Ranking<E>>,
    kind: &str,
    id: UserId,
    own: impl Fn(&str) -> Option<E>,
) -> Result<(), InvalidFile> {
    let (file, ranking_file) = (file_path(&id.to_string()), file_path(kind));
    let row = ranking.and_then(|ranking| ranking.top.iter().find(|row| row.id() == id));
    let counted = ranking.map_or(0, |ranking| ranking.counted);
    // Until a ranking is full, it holds everyone who has a result.
    let full = ranking.is_some_and(|ranking| ranking.players > RANKING_SIZE as u64);
    match (row, own(row.map_or("", RankingRow::login))) {
        (Some(row), Some(own)) if *row != own => {
            Err(format!("`{file}` and `{ranking_file}` disagree about {id}").into())
        }
        (Some(_), None) => {
            Err(format!("`{file}` has no results of {kind}, but `{ranking_file}` has some for {id}").into())
        }
        (None, Some(_)) if !full => {
            Err(format!("`{file}` has results of {kind}, but `{ranking_file}` has none for {id}").into())
        }
        (None, Some(own)) if own.games() > counted => {
            Err(format!("`{file}` has more results of {kind} than `{ranking_file}` has counted").into())
        }
        _ => Ok(()),
    }
}
