//! The standings in memory, and the one way in which a result changes them.
//!
//! Ratings are kept with two decimals, volatilities with eight (the first games move them in the seventh). Ratings stay
//! within 0 and 5000, deviations within 30 (so that nobody stops moving) and 350 (nobody is less known than a
//! newcomer), volatilities within 0.01 and 0.2.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use crate::game::seat::Seat;
use crate::games::registry::Kind;
use crate::pages::standings::sheet::{self, Busy, Effort, Line, PlayerSheet, Ranking, Rated, SCHEMA, Score, TOP, path};
use crate::pages::standings::{OPEN, Person, Played, Who};
use crate::tables::terms::Mover;
use crate::talk::comment::Millis;

/// The bounds of a number and how many parts of one are kept.
pub(super) type Precision = f64;
/// The bounds of a rating, which is kept in hundredths.
pub(super) const RATINGS: (RangeInclusive<f64>, Precision) = (0.0..=5000.0, 100.0);
/// The bounds of a deviation, which is kept in hundredths.
pub(super) const DEVIATIONS: (RangeInclusive<f64>, Precision) = (30.0..=350.0, 100.0);
/// The bounds of a volatility, which is kept with eight decimals.
pub(super) const VOLATILITIES: (RangeInclusive<f64>, Precision) = (0.01..=0.2, 100_000_000.0);
/// How everybody starts, and how fast volatilities may change.
const START: Glicko2Rating = Glicko2Rating { rating: 1500.0, deviation: 350.0, volatility: 0.06 };
const GLICKO: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 0.000_001 };

/// Files of the standings: all of them, or those that one result touches.
#[derive(Debug, Default)]
pub(super) struct Standings {
    players: BTreeMap<u64, PlayerSheet>,
    rated: BTreeMap<&'static str, Ranking<Rated>>,
    open: Option<Ranking<Busy>>,
}

impl Standings {
    /// Takes a file in.
    pub(super) fn read(&mut self, name: &str, text: &str) -> Result<(), String> {
        if name == OPEN {
            self.open = Some(sheet::read(name, text)?);
        } else if let Some(kind) = Kind::named(name) {
            self.rated.insert(kind.info().name, sheet::read(name, text)?);
        } else {
            let player: PlayerSheet = sheet::read(name, text)?;
            self.players.insert(player.id, player);
        }
        Ok(())
    }

    /// Every file, with its path below the state directory.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let rated = self.rated.iter().map(|(name, ranking)| (path(name), sheet::write(ranking)));
        let open = self.open.iter().map(|ranking| (path(OPEN), sheet::write(ranking)));
        let players = self.players.values().map(|player| (path(&player.id.to_string()), sheet::write(player)));
        rated.chain(open).chain(players).collect()
    }

    /// How many people there are.
    pub(super) fn people(&self) -> usize {
        self.players.len()
    }

    /// How many results of a kind have been counted.
    pub(super) fn counted(&self, kind: &str) -> u64 {
        let rated = self.rated.get(kind).map(|ranking| ranking.counted);
        let open = self.open.as_ref().filter(|_| kind == OPEN).map(|ranking| ranking.counted);
        rated.or(open).unwrap_or(0)
    }

    /// Counts a result under its number.
    pub(super) fn add(&mut self, number: u64, played: &Played) {
        match &played.who {
            Who::Seated { kind, players, winner } => {
                self.rate(number, kind.info().name, players, *winner, played.ended);
            }
            Who::Open(movers) => self.credit(number, movers, played.ended),
        }
    }

    /// Whether the files say the same about those who have played. A lost or older file shows here.
    pub(super) fn agree(&self, played: &Played) -> Result<(), String> {
        let kind = played.kind();
        match &played.who {
            Who::Seated { players, .. } => players.iter().try_for_each(|Person { id, .. }| {
                let own = self.players.get(id).and_then(|player| player.games.get(kind));
                agree(self.rated.get(kind), kind, *id, |login| own.map(|score| Rated::of(*id, login, score)))
            }),
            Who::Open(movers) => movers.iter().try_for_each(|Mover { id, .. }| {
                let own = self.players.get(id).and_then(|player| player.open.as_ref());
                agree(self.open.as_ref(), kind, *id, |login| own.map(|effort| Busy::of(*id, login, effort)))
            }),
        }
    }

    /// A result between two people.
    fn rate(&mut self, number: u64, kind: &'static str, people: &[Person; 2], winner: Option<Seat>, ended: Millis) {
        let before = [0, 1].map(|at| {
            let score = self.players.get(&people[at].id).and_then(|player| player.games.get(kind));
            score.cloned().unwrap_or_else(newcomer)
        });
        let outcome = match winner {
            Some(Seat::First) => Outcomes::WIN,
            Some(Seat::Second) => Outcomes::LOSS,
            None => Outcomes::DRAW,
        };
        let (first, second) = glicko2(&rating(&before[0]), &rating(&before[1]), &outcome, &GLICKO);
        let ranking = self.rated.entry(kind).or_insert_with(|| empty(kind));
        ranking.counted = number;
        for (seat, (old, new)) in Seat::BOTH.into_iter().zip(before.into_iter().zip([first, second])) {
            let Person { id, login } = &people[seat.index()];
            let won = winner.map(|winner| winner == seat);
            let score = Score {
                games: old.games + 1,
                wins: old.wins + u64::from(won == Some(true)),
                draws: old.draws + u64::from(won.is_none()),
                losses: old.losses + u64::from(won == Some(false)),
                rating: kept(new.rating, RATINGS),
                deviation: kept(new.deviation, DEVIATIONS),
                volatility: kept(new.volatility, VOLATILITIES),
            };
            ranking.players += u64::from(old.games == 0);
            put(ranking, Rated::of(*id, login, &score));
            seen(&mut self.players, *id, login, ended).games.insert(kind.to_owned(), score);
        }
        ranking.top.truncate(TOP);
    }

    /// The end of an open game.
    fn credit(&mut self, number: u64, movers: &[Mover], ended: Millis) {
        let ranking = self.open.get_or_insert_with(|| empty(OPEN));
        ranking.counted = number;
        for Mover { id, login, moves } in movers {
            let player = seen(&mut self.players, *id, login, ended);
            ranking.players += u64::from(player.open.is_none());
            let effort = player.open.get_or_insert(Effort { games: 0, moves: 0 });
            effort.games += 1;
            effort.moves += *moves as u64;
            put(ranking, Busy::of(*id, login, effort));
        }
        ranking.top.truncate(TOP);
    }
}

/// A number as it is kept: rounded, so that what is read back is what was written.
pub(super) fn rounded(value: f64, parts: Precision) -> f64 {
    (value * parts).round() / parts
}

fn kept(value: f64, (bounds, parts): (RangeInclusive<f64>, Precision)) -> f64 {
    rounded(value.clamp(*bounds.start(), *bounds.end()), parts)
}

fn newcomer() -> Score {
    let Glicko2Rating { rating, deviation, volatility } = START;
    Score { games: 0, wins: 0, draws: 0, losses: 0, rating, deviation, volatility }
}

fn rating(score: &Score) -> Glicko2Rating {
    Glicko2Rating { rating: score.rating, deviation: score.deviation, volatility: score.volatility }
}

fn empty<E>(kind: &str) -> Ranking<E> {
    Ranking { schema: SCHEMA, game: kind.to_owned(), counted: 0, players: 0, top: Vec::new() }
}

/// Puts somebody where they belong now.
fn put<E: Line>(ranking: &mut Ranking<E>, line: E) {
    ranking.top.retain(|other| other.id() != line.id());
    let at = ranking.top.partition_point(|other| other.place() < line.place());
    ranking.top.insert(at, line);
}

/// Somebody who was there when a game ended. Whichever game is counted first, the one that ended last gives the login.
fn seen<'a>(players: &'a mut BTreeMap<u64, PlayerSheet>, id: u64, login: &str, ended: Millis) -> &'a mut PlayerSheet {
    let player = players.entry(id).or_insert_with(|| PlayerSheet {
        schema: SCHEMA,
        id,
        login: login.to_owned(),
        last_result: ended,
        games: BTreeMap::new(),
        open: None,
    });
    if (ended, login) > (player.last_result, &player.login) {
        player.last_result = ended;
        login.clone_into(&mut player.login);
    }
    player
}

/// Whether a ranking and somebody's own file, read as a line of it, say the same. The logins may differ.
fn agree<E: Line>(
    ranking: Option<&Ranking<E>>,
    kind: &str,
    id: u64,
    own: impl Fn(&str) -> Option<E>,
) -> Result<(), String> {
    let (file, table) = (path(&id.to_string()), path(kind));
    let line = ranking.and_then(|ranking| ranking.top.iter().find(|line| line.id() == id));
    let counted = ranking.map_or(0, |ranking| ranking.counted);
    // Whoever is not in a ranking that has room for everybody has no result.
    let full = ranking.is_some_and(|ranking| ranking.players > TOP as u64);
    match (line, own(line.map_or("", Line::login))) {
        (Some(line), Some(own)) if *line != own => Err(format!("`{file}` does not say what `{table}` says about {id}")),
        (Some(_), None) => Err(format!("`{file}` has no results of {kind}, and `{table}` has some of {id}")),
        (None, Some(_)) if !full => Err(format!("`{file}` has results of {kind}, and `{table}` has none of {id}")),
        (None, Some(own)) if own.games() > counted => {
            Err(format!("`{file}` has more results of {kind} than `{table}` has counted"))
        }
        _ => Ok(()),
    }
}
