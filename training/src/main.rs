//! How the nets of the computer are made. [`docs/STRENGTH.md`] says which commands make them.

mod label;
mod learner;
mod positions;
mod random;
mod sample;
mod serve;
mod teacher;
mod train;

use std::path::Path;

use anyhow::{Result, bail};
use play_by_commit::games::backgammon::engine::evaluate::Evaluator;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["positions", player, out, count, seed] => {
            let player = Path::new(player);
            let [count, seed] = [count.parse()?, seed.parse()?];
            if player.join("contact.onnx").exists() {
                let mut teacher = teacher::Teacher::read(player)?;
                positions::positions(&mut |board, seat| teacher.chances(board, seat), Path::new(out), count, seed)
            } else {
                let mut nets = nets(player)?;
                positions::positions(&mut |board, seat| nets.chances(board, seat).into(), Path::new(out), count, seed)
            }
        }
        ["label", teacher, nets, from, to, first, last] => {
            let mut teacher = teacher::Teacher::read(Path::new(teacher))?;
            let mut filter = crate::nets(Path::new(nets))?;
            let range = [first.parse()?, last.parse()?];
            label::label(&mut teacher, &mut filter, Path::new(from), Path::new(to), range)
        }
        ["time", file] => {
            let samples = sample::read(Path::new(file))?;
            let samples = &samples[..50000.min(samples.len())];
            let mut e = Evaluator::new();
            let start = std::time::Instant::now();
            let mut sum = 0;
            for _ in 0..4 {
                for s in samples {
                    sum += e.chances(&s.board, play_by_commit::game::seat::Seat::First).win;
                }
            }
            println!("{:?} {sum}", start.elapsed() / (4 * samples.len() as u32));
            use play_by_commit::games::backgammon::engine::inputs::*;
            let mut i = Inputs::default();
            let esc = Escapes::new();
            let start = std::time::Instant::now();
            let mut n = 0;
            for _ in 0..4 {
                for s in samples {
                    let [a, b] = play_by_commit::game::seat::Seat::BOTH.map(|x| counts(&s.board, x));
                    i.contact(&a, &b, &esc);
                    n += i.set().len();
                }
            }
            println!("inputs {:?} {}", start.elapsed() / (4 * samples.len() as u32), n / 4 / samples.len());
            Ok(())
        }
        ["serve"] => serve::serve(&mut Evaluator::new()),
        ["serve", nets] => serve::serve(&mut crate::nets(Path::new(nets))?),
        ["train", net, state, begin, epochs, first, last, ref files @ ..] => train::train(&train::Plan {
            net,
            state: state.into(),
            epochs: epochs.parse()?,
            rates: [first.parse()?, last.parse()?],
            files,
            begin: (begin != "-").then(|| begin.into()),
        }),
        _ => bail!(
            "usage: training serve [NETS] | positions PLAYER OUT COUNT SEED | label TEACHER NETS FROM TO FIRST LAST | train NET STATE BEGIN EPOCHS RATE RATE FILES"
        ),
    }
}

/// Reads nets of our own from a folder.
fn nets(folder: &Path) -> Result<Evaluator> {
    let read = |name: &str| std::fs::read(folder.join(name));
    Ok(Evaluator::with(&read("contact.bin")?, &read("race.bin")?))
}
