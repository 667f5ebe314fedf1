//! Makes the nets and the book of the computer opponents. `training/make.sh` and `training/connect_four.sh` run all
//! steps.

mod connect_four;
mod connect_four_check;
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
use games::backgammon::Evaluator;

/// The commands.
const USAGE: &str = "usage:
training positions PLAYER OUT COUNT SEED      positions of games that PLAYER plays against itself
training copy TEACHER IN OUT                  what TEACHER says of positions
training label TEACHER NETS IN OUT FROM TO    what TEACHER says of positions, a roll ahead; NETS sort out most plays
training train NET STATE BEGIN EPOCHS RATE RATE FILES    learns `contact` or `race`; BEGIN is a state, or `-`
training connect-four FOLDER DISCS OUT        the books of connect four, up to so many discs
training connect-four-check DISCS SAMPLE SEED    plays and looks after its own games, with at most so many discs
training connect-four-handed DISCS SAMPLE SEED   plays where a seat is handed over, with so many discs
training serve [NETS]                         answers the scripts below tests/strength
PLAYER is the folder of the teacher's two ONNX files, or a folder of nets.";

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
        ["copy", teacher, from, to] => {
            label::copy(&mut teacher::Teacher::read(Path::new(teacher))?, Path::new(from), Path::new(to))
        }
        ["label", teacher, nets, from, to, first, last] => {
            let mut teacher = teacher::Teacher::read(Path::new(teacher))?;
            let mut filter = crate::nets(Path::new(nets))?;
            let range = [first.parse()?, last.parse()?];
            label::label(&mut teacher, &mut filter, Path::new(from), Path::new(to), range)
        }
        ["connect-four", folder, discs, out] => connect_four::make(Path::new(folder), discs.parse()?, Path::new(out)),
        ["connect-four-check", discs, sample, seed] => {
            connect_four_check::check(discs.parse()?, sample.parse()?, seed.parse()?)
        }
        ["connect-four-handed", discs, sample, seed] => {
            connect_four_check::handed_over(discs.parse()?, sample.parse()?, seed.parse()?)
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
        _ => bail!(USAGE),
    }
}

/// Reads our own nets from a folder.
fn nets(folder: &Path) -> Result<Evaluator> {
    let read = |name: &str| std::fs::read(folder.join(name));
    Ok(Evaluator::from_weights(&read("contact.bin")?, &read("race.bin")?))
}
