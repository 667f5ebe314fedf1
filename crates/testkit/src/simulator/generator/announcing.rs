//! Stories in which players announce conditional moves.

use crate::simulator::generator::{Generator, PEOPLE};
use crate::simulator::story::{Mode, Person, Text};

impl Generator {
    /// The player who waits announces moves, and the other one often plays along.
    pub(super) fn announce(&mut self) {
        if self.rng.percent(30) {
            let table = *self.rng.choose(&self.tables.clone());
            let end = self.steps.iter().map(|step| step.at).max().unwrap_or_default();
            // In a calm story people don't talk at once.
            self.now = if self.mode == Mode::Calm { end } else { self.rng.below(end.max(1)) };
            for _ in 0..3 + self.rng.below(12) {
                self.pass_time();
                let nth = self.rng.next_u64() >> 40;
                let along = |phrase: &str| Text::AlongLine { table, nth, phrase: phrase.to_owned() };
                let (author, text) = match self.rng.below(20) {
                    0..9 => (Person::Waiting(table), Text::Line { table, nth, moves: 2 + 2 * self.rng.below(3) }),
                    9 => (Person::ToMove(table), Text::Line { table, nth, moves: 1 + self.rng.below(4) }),
                    10..15 => (Person::ToMove(table), along("{}")),
                    15 => (Person::ToMove(table), along("{}, draw?")),
                    16 => (Person::ToMove(table), along("{}\n\nif b2 then a1")),
                    17 => (
                        Person::Waiting(table),
                        Text::literal(self.rng.choose::<&str>(&["/if none", "/undo", "/draw"])),
                    ),
                    18 => (
                        Person::ToMove(table),
                        Text::literal(self.rng.choose::<&str>(&["/accept", "/decline", "/undo"])),
                    ),
                    _ => (Person::named(self.rng.choose(PEOPLE)), Text::literal("/if")),
                };
                let announces = matches!(text, Text::Line { .. }) && author == Person::Waiting(table);
                self.say(table, author, text);
                if announces && self.rng.percent(60) {
                    self.pass_time();
                    self.say(table, Person::ToMove(table), along("{}"));
                }
            }
        }
        // Someone fills the record with lines.
        if self.rng.percent(3) {
            let table = *self.rng.choose(&self.tables.clone());
            for _ in 0..30 {
                self.pass_time();
                let nth = self.rng.next_u64() >> 40;
                self.say(table, Person::Waiting(table), Text::Line { table, nth, moves: 8 });
            }
        }
    }
}
