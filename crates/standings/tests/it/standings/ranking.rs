//! The best hundred: what the rule is, what it can and what it cannot do.

use std::collections::BTreeMap;

use testkit::short_or_long;

use testkit::standings_fixture::{game, open_games, value};
use testkit::{End, StandingsFixture};

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Two different people.
    fn pair(&mut self, people: u64) -> [u64; 2] {
        let one = self.below(people);
        [one + 1, (one + 1 + self.below(people - 1)) % people + 1]
    }
}

/// The cautious rating of everybody, from their own files: in hundredths, so that equals are equal.
fn places(fixture: &StandingsFixture, ids: impl Iterator<Item = u64>) -> BTreeMap<u64, i64> {
    let place = |id: u64| {
        let score = value(fixture.files.get(&format!("players/{id}.json"))?)["games"]["tic-tac-toe"].clone();
        let hundredths = |key: &str| (score[key].as_f64().unwrap() * 100.0).round() as i64;
        Some((id, hundredths("rating") - 2 * hundredths("deviation")))
    };
    ids.filter_map(place).collect()
}

fn in_order(places: &BTreeMap<u64, i64>, ids: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut ids: Vec<u64> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids.sort_by_key(|id| (-places[id], *id));
    ids
}

fn ranking(fixture: &StandingsFixture, kind: &str) -> Vec<u64> {
    let top = value(&fixture.files[&format!("players/{kind}.json")])["top"].clone();
    top.as_array().unwrap().iter().map(|line| line["id"].as_u64().unwrap()).collect()
}

/// The stronger of two wins mostly, so that people rise and fall. Gives how often the ranking was not the true one.
fn season(people: u64, games: u64) -> (StandingsFixture, u64) {
    let (mut fixture, mut chance) = (StandingsFixture::default(), Chance(7));
    let (mut before, mut places_now) = (Vec::new(), BTreeMap::new());
    let mut other = 0;
    for issue in 1..=games {
        let [one, two] = chance.pair(people);
        // At half-time everything is turned round.
        let stronger = usize::from((one < two) == (issue > games / 2));
        let winner = if chance.below(5) > 0 { stronger } else { 1 - stronger };
        let logins = [one, two].map(|id| format!("p{id}"));
        let seats = [(one, logins[0].as_str()), (two, logins[1].as_str())];
        fixture.finish(game("tic-tac-toe", issue, 4000 + issue, seats, End::Won(winner)));
        places_now.extend(places(&fixture, [one, two].into_iter()));
        let now = ranking(&fixture, "tic-tac-toe");
        let mut rule = in_order(&places_now, before.iter().copied().chain([one, two]));
        rule.truncate(100);
        assert_eq!(now, rule, "of those who were there and the two who have played, the best hundred");
        let mut truth = in_order(&places_now, places_now.keys().copied());
        assert_eq!(value(&fixture.files["players/tic-tac-toe.json"])["players"], truth.len());
        truth.truncate(100);
        other += u64::from(now != truth);
        before = now;
    }
    (fixture, other)
}

#[test]
fn up_to_a_hundred_people_are_all_there_in_order() {
    let (fixture, other) = season(100, short_or_long(300, 700));
    assert_eq!(other, 0);
    assert_eq!(ranking(&fixture, "tic-tac-toe").len(), 100);
    fixture.holds();
}

/// The one thing that a bounded ranking cannot know is that somebody outside has been overtaken from above.
#[test]
fn of_more_the_best_of_those_who_have_been_near_stay() {
    let games = short_or_long(300, 1500);
    let (fixture, other) = season(140, games);
    assert_eq!(ranking(&fixture, "tic-tac-toe").len(), 100);
    assert!(other > 0 && other < games, "{other} of {games}");
    fixture.holds();
}

/// Nobody loses moves, so here the hundred are exactly the busiest.
#[test]
fn the_busiest_hundred_are_exact() {
    let (mut fixture, mut chance) = (StandingsFixture::default(), Chance(11));
    let mut moves: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for issue in 1..=500 {
        let pair = chance.pair(150);
        let logins = pair.map(|id| format!("p{id}"));
        let people = [(pair[0], logins[0].as_str()), (pair[1], logins[1].as_str())];
        let table = open_games(issue, 4000 + issue, &people);
        for mover in table.movers() {
            let (games, all) = moves.entry(mover.id.get()).or_default();
            (*games, *all) = (*games + 1, *all + mover.moves as u64);
        }
        fixture.finish(table);
        let mut truth: Vec<u64> = moves.keys().copied().collect();
        truth.sort_by_key(|id| (std::cmp::Reverse((moves[id].1, moves[id].0)), *id));
        truth.truncate(100);
        assert_eq!(ranking(&fixture, "open"), truth);
    }
    assert!(moves.len() > 100);
    fixture.holds();
}
