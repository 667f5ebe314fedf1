//! A player for scripts: reads a request per line from standard input, and writes an answer per line to standard
//! output.
//!
//! A side's checkers are 25 numbers: its own points from 1 to 24, then its bar. The side on roll comes first.
//!
//! - `play WHO DIE DIE OWN THEIRS`: returns the checkers after the play, in the same order. `WHO` is a level, or `0`
//!   for the nets alone, which only evaluate the boards after each play.
//! - `luck DIE DIE OWN THEIRS`: returns how many points better than average the roll is, as the nets evaluate it.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use game::{Level, Rules, Seat};
use games::backgammon::{
    Backgammon, CHECKERS, Dice, Evaluator, GameConfig, LevelProfile, Move, Phase, Placement, PlayGenerator, Steps,
    choose_with, counts,
};

/// The profile of the nets alone.
const ALONE: LevelProfile = LevelProfile { rolls_ahead: 0, noise: 0, is_beginner: false };

/// Answers requests until the input ends.
pub fn serve(evaluator: &mut Evaluator) -> Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["play", who, one, two, ref rest @ ..] => {
                let profile = match who.parse()? {
                    0 => ALONE,
                    level => LevelProfile::for_level(Level::new(level).context("a level is 1 to 8")?),
                };
                let game = game(rest, [one.parse()?, two.parse()?])?;
                let after = played(evaluator, &game, &profile)?;
                let numbers: Vec<String> = Seat::BOTH
                    .into_iter()
                    .flat_map(|seat| counts(&after, seat).into_iter().skip(1))
                    .map(|count| count.to_string())
                    .collect();
                writeln!(output, "{}", numbers.join(" "))?;
            }
            ["luck", one, two, ref rest @ ..] => {
                let game = game(rest, [one.parse()?, two.parse()?])?;
                writeln!(output, "{}", luck_of_roll(evaluator, &game))?;
            }
            _ => bail!("what is {line:?}?"),
        }
        output.flush()?;
    }
    Ok(())
}

fn game(words: &[&str], roll: [u8; 2]) -> Result<Backgammon> {
    let numbers = words.iter().map(|word| word.parse::<i8>()).collect::<Result<Vec<i8>, _>>()?;
    let (own, theirs) = numbers.split_at_checked(25).filter(|(_, theirs)| theirs.len() == 25).context("50 numbers")?;
    let points = std::array::from_fn(|at| own[at] - theirs[23 - at]);
    let off = |side: &[i8]| (CHECKERS as i8 - side.iter().sum::<i8>()).max(0) as u8;
    let board = Placement::new(points, [own[24] as u8, theirs[24] as u8], [off(own), off(theirs)]);
    let mut game = Backgammon::start(&GameConfig::default()).ok().context("a game")?;
    game.board = board.ok().context("a board that cannot be")?;
    game.side_to_move = Seat::First;
    game.phase = Phase::Play;
    game.dice = Dice::from_roll(roll);
    Ok(game)
}

fn played(evaluator: &mut Evaluator, game: &Backgammon, profile: &LevelProfile) -> Result<Placement> {
    let Some(chosen) = choose_with(evaluator, game, profile, 1) else { return Ok(game.board) };
    let Move::Play(Steps { moves }) = chosen.mv else { bail!("no play") };
    Ok(moves.iter().fold(game.board, |board, step| board.with_step(game.side_to_move, *step)))
}

fn luck_of_roll(evaluator: &mut Evaluator, game: &Backgammon) -> f64 {
    let mut generator = PlayGenerator::default();
    let mut value = |dice| {
        generator.generate(&game.board, Seat::First, dice, false);
        let afters = generator.boards(&game.board, Seat::First);
        let best = afters.map(|after| -evaluator.chances(&after, Seat::Second).points()).max();
        f64::from(best.unwrap_or_else(|| -evaluator.chances(&game.board, Seat::Second).points())) / 65_536.0
    };
    let rolls = (1..=6).flat_map(|one| (1..=one).map(move |two| [one, two]));
    let mean: f64 =
        rolls.map(|[one, two]| value(Dice::from_roll([one, two])) * if one == two { 1.0 } else { 2.0 }).sum();
    value(game.dice) - mean / 36.0
}
