//! The arithmetic, against the paper and against a second way to solve its equations.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use proptest::prelude::*;
use serde_json::json;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use standings::count_result;

use testkit::End;
use testkit::standings_fixture::{ALICE, BOB, game, value};

/// A rating, its deviation, its volatility.
type Skill = [f64; 3];

/// The worked example of Glickman, "Example of the Glicko-2 system".
#[test]
fn the_example_of_the_paper() {
    let of = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
    let results =
        [(of(1400.0, 30.0), Outcomes::WIN), (of(1550.0, 100.0), Outcomes::LOSS), (of(1700.0, 300.0), Outcomes::LOSS)];
    let new = glicko2_rating_period(&of(1500.0, 200.0), &results, &Glicko2Config { tau: 0.5, ..Default::default() });
    assert_eq!(format!("{:.2} {:.2} {:.5}", new.rating, new.deviation, new.volatility), "1464.05 151.52 0.06000");
    // The paper rounds on its way and has 1464.06 and 0.05999.
    assert!((new.rating - 1464.06).abs() < 0.02 && (new.volatility - 0.05999).abs() < 0.000_01);
    // The oracle below solves the same.
    let own = oracle([1500.0, 200.0, 0.06], &[([1400.0, 30.0], 1.0), ([1550.0, 100.0], 0.0), ([1700.0, 300.0], 0.0)]);
    assert!((own[0] - new.rating).abs() < 0.001 && (own[2] - new.volatility).abs() < 0.000_000_1, "{own:?}");
}

/// Two newcomers, and each of them against the other again.
#[test]
fn the_first_games() {
    let one = played([1500.0, 350.0, 0.06], [1500.0, 350.0, 0.06], End::Won(0));
    assert_eq!(one, [[1662.31, 290.32, 0.059_999_68], [1337.69, 290.32, 0.059_999_68]]);
    let drawn = played([1500.0, 350.0, 0.06], [1500.0, 350.0, 0.06], End::Drawn);
    assert_eq!(drawn[0][0], 1500.0);
    assert_eq!(drawn[0], drawn[1]);
}

/// What a result makes of two players who are given by their files.
fn played(one: Skill, two: Skill, end: End) -> [Skill; 2] {
    let table = game("tic-tac-toe", 1, 5000, [ALICE, BOB], end);
    let score = |[rating, deviation, volatility]: Skill| {
        json!({ "games": 1, "wins": 0, "draws": 1, "losses": 0,
                "rating": rating, "deviation": deviation, "volatility": volatility })
    };
    let mut files = BTreeMap::new();
    let mut lines = Vec::new();
    for ((id, login), skill) in [(ALICE, one), (BOB, two)] {
        let player = json!({ "schema": 1, "id": id, "login": login, "lastResult": 4000,
                             "games": { "tic-tac-toe": score(skill) } });
        files.insert(format!("players/{id}.json"), player.to_string());
        let mut line = score(skill);
        line["id"] = id.into();
        line["login"] = login.into();
        line.as_object_mut().unwrap().remove("volatility");
        lines.push((-((skill[0] * 100.0).round() - 2.0 * (skill[1] * 100.0).round()) as i64, id, line));
    }
    lines.sort_by_key(|(place, id, _)| (*place, *id));
    let lines: Vec<_> = lines.into_iter().map(|(.., line)| line).collect();
    let ranking = json!({ "schema": 1, "game": "tic-tac-toe", "counted": 1, "players": 2, "top": lines });
    files.insert("players/tic-tac-toe.json".to_owned(), ranking.to_string());
    let counted: BTreeMap<_, _> = count_result(&table, &files).unwrap().files.into_iter().collect();
    [ALICE, BOB].map(|(id, _)| {
        let score = &value(&counted[&format!("players/{id}.json")])["games"]["tic-tac-toe"];
        ["rating", "deviation", "volatility"].map(|key| score[key].as_f64().unwrap())
    })
}

/// One rating period by the steps of the paper; the volatility by halving an interval, which is slow and sure.
fn oracle([rating, deviation, volatility]: Skill, results: &[([f64; 2], f64)]) -> Skill {
    const SCALE: f64 = 173.7178;
    let (mu, phi) = ((rating - 1500.0) / SCALE, deviation / SCALE);
    let (mut inverse, mut sum) = (0.0, 0.0);
    for ([other, uncertain], score) in results {
        let g = 1.0 / (1.0 + 3.0 * (uncertain / SCALE).powi(2) / (PI * PI)).sqrt();
        let expected = 1.0 / (1.0 + (-g * (mu - (other - 1500.0) / SCALE)).exp());
        inverse += g * g * expected * (1.0 - expected);
        sum += g * (score - expected);
    }
    let v = 1.0 / inverse;
    let a = (volatility * volatility).ln();
    let f = |x: f64| {
        let wide = phi * phi + v + x.exp();
        x.exp() * ((v * sum).powi(2) - wide) / (2.0 * wide * wide) - (x - a) / 0.25
    };
    // Where a weak player wins against the odds there is a second, absurd solution far off: the nearest one is meant.
    let step = if f(a) > 0.0 { 0.02 } else { -0.02 };
    let mut far = a;
    while (f(far) > 0.0) == (step > 0.0) {
        far += step;
    }
    let (mut low, mut high) = (far.min(far - step), far.max(far - step));
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    let volatility = (low / 2.0).exp();
    let before = phi * phi + volatility * volatility;
    let after = 1.0 / (1.0 / before + inverse);
    [SCALE * (mu + after * sum) + 1500.0, SCALE * after.sqrt(), volatility]
}

fn skill() -> impl Strategy<Value = Skill> {
    let rating = prop_oneof![8 => 90_000..250_000_u32, 1 => 0..=500_000_u32, 1 => Just(0), 1 => Just(500_000)];
    (rating, 3000..=35000_u32, 1_000_000..=20_000_000_u32).prop_map(|(rating, deviation, volatility)| {
        [rating as f64 / 100.0, deviation as f64 / 100.0, volatility as f64 / 1e8]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Both players move as the paper says, wherever they stand; at the bounds they stay within.
    #[test]
    fn every_game_is_a_period_of_its_own(one in skill(), two in skill(), end in 0..3_usize) {
        let new = played(one, two, [End::Won(0), End::Won(1), End::Drawn][end]);
        let score = [1.0, 0.0, 0.5][end];
        for (old, other, score, new) in [(one, two, score, new[0]), (two, one, 1.0 - score, new[1])] {
            let [rating, deviation, volatility] = oracle(old, &[([other[0], other[1]], score)]);
            prop_assert!((new[0] - rating.clamp(0.0, 5000.0)).abs() < 0.02, "{new:?} {rating}");
            prop_assert!((new[1] - deviation.clamp(30.0, 350.0)).abs() < 0.02, "{new:?} {deviation}");
            prop_assert!((new[2] - volatility.clamp(0.01, 0.2)).abs() < 0.000_002, "{new:?} {volatility}");
        }
    }
}
