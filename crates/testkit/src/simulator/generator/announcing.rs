//! Stories in which players announce conditional moves.

use crate::simulator::generator::{Generator, PEOPLE};
use crate::simulator::rng::Rng;
use crate::simulator::story::{Mode, Who, Words};

impl Generator {
    /// The player who waits announces moves, and the other one often plays along. Its own random numbers leave the rest of the
    /// story as it is.
    pub(super) fn announce(&mut self, seed: u64) {
        let story_rng = std::mem::replace(&mut self.rng, Rng::new(seed ^ 0x1f1f_0000_0000));
        if self.rng.percent(30) {
            let table = *self.rng.choose(&self.tables.clone());
            let end = self.steps.iter().map(|step| step.at).max().unwrap_or_default();
            // In a calm story people don't talk at once.
            self.now = if self.mode == Mode::Calm { end } else { self.rng.below(end.max(1)) };
            for _ in 0..3 + self.rng.below(12) {
                self.pass_time();
                let nth = self.rng.next_u64() >> 40;
                let along = |phrase: &str| Words::Along { table, nth, phrase: phrase.to_owned() };
                let these = |text: &str| Words::These(text.to_owned());
                let (who, words) = match self.rng.below(20) {
                    0..9 => (Who::Waiting(table), Words::Line { table, nth, moves: 2 + 2 * self.rng.below(3) }),
                    9 => (Who::OnTurn(table), Words::Line { table, nth, moves: 1 + self.rng.below(4) }),
                    10..15 => (Who::OnTurn(table), along("{}")),
                    15 => (Who::OnTurn(table), along("{}, draw?")),
                    16 => (Who::OnTurn(table), along("{}\n\nif b2 then a1")),
                    17 => (Who::Waiting(table), these(self.rng.choose::<&str>(&["/if none", "/undo", "/draw"]))),
                    18 => (Who::OnTurn(table), these(self.rng.choose::<&str>(&["/accept", "/decline", "/undo"]))),
                    _ => (Who::Named((*self.rng.choose(PEOPLE)).to_owned()), these("/if")),
                };
                let announces = matches!(words, Words::Line { .. }) && who == Who::Waiting(table);
                self.say(table, who, words);
                if announces && self.rng.percent(60) {
                    self.pass_time();
                    self.say(table, Who::OnTurn(table), along("{}"));
                }
            }
        }
        // Somebody fills the record with lines.
        if self.rng.percent(3) {
            let table = *self.rng.choose(&self.tables.clone());
            for _ in 0..30 {
                self.pass_time();
                let nth = self.rng.next_u64() >> 40;
                self.say(table, Who::Waiting(table), Words::Line { table, nth, moves: 8 });
            }
        }
        self.rng = story_rng;
    }
}
