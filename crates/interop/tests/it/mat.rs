//! Reads exported matches with a second parser. It knows how checkers step, and shares no code with the program.

use interop::export::export;
use proptest::prelude::*;
use serde_json::Value;
use table::Table;
use testkit::{Scenario, short_or_long};

/// The start, from each player's own side; 25 is the bar and 0 is off.
const START: [(usize, i64); 4] = [(24, 2), (13, 5), (8, 3), (6, 5)];
const PLAYERS: [&str; 2] = ["alice", "bob"];

/// The state of a match after the text read so far.
#[derive(Default)]
struct Reader {
    /// The checkers of each player by their own points.
    checkers: [[i64; 26]; 2],
    cube: i64,
    /// Whether the last word was a drop.
    dropped: bool,
    score: [i64; 2],
    games: usize,
}

impl Reader {
    fn read(text: &str) -> Reader {
        let mut reader = Reader::default();
        for line in text.lines().filter(|line| !line.starts_with(';')) {
            if let Some(number) = line.strip_prefix(" Game ") {
                reader.games += 1;
                assert_eq!(number.parse(), Ok(reader.games), "{text}");
                (reader.cube, reader.dropped) = (1, false);
                let mut start = [0; 26];
                for (point, count) in START {
                    start[point] = count;
                }
                reader.checkers = [start; 2];
            } else if line.contains("Wins ") {
                reader.end_game(line);
            } else if line.contains(" : ") {
                let scores = line.split(" : ").skip(1).map(|part| part.split(' ').next().unwrap().parse().unwrap());
                assert_eq!(scores.collect::<Vec<i64>>(), reader.score, "{text}");
            } else if let Some((number, turns)) = line.split_once(") ") {
                assert!(number.trim().parse::<u32>().is_ok(), "{line}");
                let (left, right) = turns.split_at(right_column(turns));
                reader.turn(0, left.trim());
                reader.turn(1, right.trim());
            }
        }
        reader
    }

    fn turn(&mut self, player: usize, turn: &str) {
        match turn {
            "" | "Takes" => return,
            "Drops" => return self.dropped = true,
            _ => {}
        }
        if let Some(value) = turn.strip_prefix("Doubles => ") {
            // Its text says the stakes if the opponent takes.
            self.cube *= 2;
            return assert_eq!(value.parse(), Ok(self.cube));
        }
        let (roll, steps) = turn.split_once(':').unwrap();
        let mut dice: Vec<usize> = roll.chars().map(|die| die.to_digit(10).unwrap() as usize).collect();
        if dice[0] == dice[1] {
            dice = vec![dice[0]; 4];
        }
        dice.sort_unstable();
        let mut off = Vec::new();
        for step in steps.split_whitespace() {
            let is_hit = step.ends_with('*');
            let (from, to) = step.trim_end_matches('*').split_once('/').unwrap();
            let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
            self.checkers[player][from] -= 1;
            self.checkers[player][to] += 1;
            assert!(self.checkers[player][from] >= 0, "{turn}");
            if to == 0 {
                off.push(from);
                continue;
            }
            let die = dice.iter().position(|die| *die == from - to);
            dice.remove(die.unwrap_or_else(|| panic!("no die for {step} in {turn}")));
            let theirs = &mut self.checkers[1 - player];
            assert_eq!(theirs[25 - to], i64::from(is_hit), "{turn}");
            theirs[25 - to] -= i64::from(is_hit);
            theirs[25] += i64::from(is_hit);
        }
        off.sort_unstable();
        for from in off {
            let die = dice.iter().position(|die| *die >= from);
            dice.remove(die.unwrap_or_else(|| panic!("no die to bear off from {from} in {turn}")));
            assert!(self.checkers[player][7..].iter().all(|count| *count == 0), "{turn}");
        }
    }

    fn end_game(&mut self, line: &str) {
        let winner = usize::from(line.starts_with(&" ".repeat(34)));
        let points: i64 = line.trim().split(' ').nth(1).unwrap().parse().unwrap();
        let loser = &self.checkers[1 - winner];
        let lost = if loser[0] > 0 { 1 } else { 2 + i64::from(loser[19..].iter().any(|count| *count > 0)) };
        if self.dropped {
            assert_eq!(points, self.cube / 2, "{line}");
        } else if self.checkers[winner][0] == 15 {
            assert_eq!(points, self.cube * lost, "{line}");
        } else {
            assert!([1, 2, 3].contains(&(points / self.cube)), "{line}");
        }
        self.score[winner] += points;
    }
}

/// Returns where the second player's half of a row begins: at the first roll or word after column 20. A long play of the
/// first player moves it to the right.
fn right_column(turns: &str) -> usize {
    let is_start = |index: &usize| {
        let rest = &turns.as_bytes()[*index..];
        matches!(rest, [b'1'..=b'6', b'1'..=b'6', b':', ..]) || matches!(rest, [b'D' | b'T', b'a'..=b'z', ..])
    };
    (20..turns.len()).find(is_start).unwrap_or(turns.len())
}

/// Plays a match by moves from the bot's own lists. Games end early by drops and resignations, so that there are several.
fn played(opened: &str, choices: &[prop::sample::Index]) -> Table {
    let scenario = Scenario::played(opened, &[]);
    for (turn, choice) in choices.iter().enumerate() {
        let table = scenario.table(1);
        if !table.is_playing() {
            break;
        }
        let player = PLAYERS[table.player_to_move().index()];
        let mv = choice.get(&table.game().legal_moves()).clone();
        let text = table.game().notation(&mv);
        scenario.post(1, player, if turn % 25 == 24 { "/resign gammon" } else { &text });
    }
    scenario.table(1)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: short_or_long(6, 80), failure_persistence: None, max_shrink_iters: 50, ..ProptestConfig::default()
    })]

    #[test]
    fn another_reader_finds_the_board_and_the_score(
        opened in prop::sample::select(vec!["/new backgammon match=5 @bob", "/new backgammon @bob"]),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 100),
    ) {
        let table = played(opened, &choices);
        let text = export(&table, "", None).unwrap().text;
        let reader = Reader::read(&text);
        let position = table.game().position_json();
        let number = |value: &Value| value.as_i64().unwrap_or_default();
        for (player, color) in ["white", "black"].into_iter().enumerate() {
            if opened.contains("match") {
                prop_assert_eq!(reader.score[player], number(&position["match"]["score"][color]), "{}", text);
            }
            let expected: [i64; 26] = std::array::from_fn(|point| match point {
                0 => number(&position["borneOff"][color]),
                25 => number(&position["bar"][color]),
                _ if player == 0 => number(&position["board"][point - 1]).max(0),
                _ => (-number(&position["board"][24 - point])).max(0),
            });
            prop_assert_eq!(reader.checkers[player], expected, "{} of {}", color, text);
        }
    }
}
