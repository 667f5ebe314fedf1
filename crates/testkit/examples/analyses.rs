//! Plays games for measuring the analysis, and analyzes them.
//!
//! ```text
//! cargo build --release -p play-by-commit-testkit --example analyses
//! analyses GAME [KEY=VALUE ...] [--games 20] [--seed 1] [--levels 345678] >GAMES
//! analyses GAME [KEY=VALUE ...] --read GAMES [--nodes 500000 [--per-ply 0]] [--judge NODES [--quick NODES]] >PLIES
//! analyses GAME [KEY=VALUE ...] --positions POSITIONS [--nodes 500000] >CHANCES
//! ```
//!
//! The first line plays games and prints a JSON array of moves for each; a roll is two digits. The levels of both sides are
//! random. The second analyzes games in that form, and prints a JSON object for each ply. A game gets `--nodes`, or `--per-ply` for
//! each ply if that is more, as on the site with 1,000,000 and 9,000. `--judge` compares the
//! listed mistakes with our own searches of that many nodes, and prints a summary. It searches the other positions with the nodes
//! of `--quick`, by default a 25th. The third prints winning chances. `tests/strength/own_analysis.py` runs both steps, and `tests/strength/analysis.py` asks
//! other programs.

use std::io::BufRead;

use game::{Game, Level, Options, Seat};
use games::{GameKind, PlayedPly, Random, analyze, outcome_chance, with_game};
use serde_json::{Value, json};

/// The number of moves at the beginning that are random.
const RANDOM_PLIES: usize = 2;
/// The smallest loss of a blunder, in thousandths of a win.
const BLUNDER: i32 = 200;
/// The largest loss of a move that is as good as the judge's first choice.
const AS_GOOD: i32 = 28;
/// By default, the judge's nodes are divided by this for a move that isn't listed and whose loss isn't [`UNCLEAR`].
const QUICKER: u64 = 25;
/// The losses for which the judge looks deeper.
const UNCLEAR: std::ops::Range<i32> = 120..300;
/// The fall of the chart that shows a blunder.
const VISIBLE: i32 = 100;

fn main() {
    let mut options = Options::default();
    let (mut kind, mut games, mut seed, mut levels) = (None, 20, 1, "345678".to_owned());
    let (mut read, mut positions, mut nodes, mut judge, mut quick) = (None, None, 500_000, None, None);
    let mut per_ply = 0;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("a value after the option");
        match word.as_str() {
            "--games" => games = value().parse().expect("a number of games"),
            "--seed" => seed = value().parse().expect("a seed"),
            "--levels" => levels = value(),
            "--read" => read = Some(value()),
            "--positions" => positions = Some(value()),
            "--nodes" => nodes = value().parse().expect("a number of nodes"),
            "--per-ply" => per_ply = value().parse().expect("a number of nodes"),
            "--judge" => judge = Some(value().parse().expect("a number of nodes")),
            "--quick" => quick = Some(value().parse().expect("a number of nodes")),
            _ => match word.split_once('=') {
                Some((key, value)) => options.pairs.push((key.to_owned(), value.to_owned())),
                None => kind = Some(GameKind::from_name(&word).expect("a game")),
            },
        }
    }
    let levels: Vec<Level> =
        levels.bytes().map(|digit| Level::new(digit - b'0').expect("a level from 1 to 8")).collect();
    with_game!(kind.expect("a game"), G => {
        let config = G::configure(&mut options).expect("options of this game");
        if let Some(path) = positions {
            return analyze_positions::<G>(&config, &path, nodes);
        }
        match read {
            None => (0..games).for_each(|number| println!("{}", play::<G>(&config, &levels, seed * 10_000 + number))),
            Some(path) => {
                let judge = judge.map(|judge: u64| (judge, quick.unwrap_or(judge / QUICKER)));
                analyze_games::<G>(&config, &path, |plies| nodes.max(per_ply * plies as u64), judge);
            }
        }
    });
}

/// Prints the winning chances of the side to move, in thousandths, for each line of a file with positions as JSON.
fn analyze_positions<G: Game>(config: &G::Config, path: &str, nodes: u64) {
    for line in std::fs::read_to_string(path).expect("a file of positions").lines() {
        let position = serde_json::from_str(line).expect("a position");
        let game = G::from_position(config, &position).expect("a position of this game");
        let chance = analyze(&[], &game, nodes).expect("enough nodes").end;
        println!("{}", if game.side_to_move() == Seat::First { chance } else { 1000 - chance });
    }
}

/// Plays a game between two levels, and returns its moves.
fn play<G: Game>(config: &G::Config, levels: &[Level], seed: u64) -> Value {
    let mut random = Random::new(seed);
    let levels = Seat::BOTH.map(|_| levels[random.below(levels.len())]);
    let (mut game, mut moves, mut plies) = (G::start(config).expect("a game"), Vec::new(), 0);
    while game.outcome().is_none() && game.claimable_draw().is_none() {
        if game.needs_roll() {
            let roll = random.roll();
            moves.push(format!("{}{}", roll[0], roll[1]));
            game = game.with_roll(roll);
            continue;
        }
        let legal = game.legal_moves();
        let mv = if plies < RANDOM_PLIES {
            legal[random.below(legal.len())].clone()
        } else {
            game.choose(levels[game.side_to_move().index()], random.next_u64()).expect("a move").mv
        };
        moves.push(game.notation(&mv));
        game = game.play(&mv);
        plies += 1;
    }
    json!(moves)
}

#[derive(Default)]
struct Summary {
    games: usize,
    skipped: usize,
    nodes: u64,
    plies: usize,
    listed: usize,
    wrong: usize,
    better: usize,
    blunders: usize,
    found: usize,
    off: i32,
}

fn analyze_games<G: Game>(config: &G::Config, path: &str, nodes: impl Fn(usize) -> u64, judge: Option<(u64, u64)>) {
    let mut summary = Summary::default();
    let file = std::fs::File::open(path).expect("a file of games");
    for (number, line) in std::io::BufReader::new(file).lines().enumerate() {
        let moves: Vec<String> = serde_json::from_str(&line.expect("a line")).expect("a list of moves");
        analyze_game::<G>(config, number, &moves, &nodes, judge, &mut summary);
    }
    let Summary { games, skipped, nodes, plies, listed, wrong, better, blunders, found, off } = summary;
    eprintln!(
        "{games} games and {skipped} too long, {plies} plies, {} nodes a game, {listed} listed",
        nodes / games.max(1) as u64
    );
    if judge.is_some() {
        let off = f64::from(off) / 10.0 / plies.max(1) as f64;
        eprintln!("{wrong} wrong, {better} with a better move, {found} of {blunders} blunders found, off by {off:.1}");
    }
}

fn analyze_game<G: Game>(
    config: &G::Config,
    number: usize,
    moves: &[String],
    nodes: impl Fn(usize) -> u64,
    judge: Option<(u64, u64)>,
    summary: &mut Summary,
) {
    let (mut game, mut plies) = (G::start(config).expect("a game"), Vec::new());
    for text in moves {
        if game.needs_roll() {
            let digits: Vec<u8> = text.bytes().map(|digit| digit - b'0').collect();
            game = game.with_roll([digits[0], digits[1]]);
        } else {
            let mv = game.parse_move(text).expect("a move");
            let next = game.play(&mv);
            plies.push((std::mem::replace(&mut game, next), mv));
        }
    }
    let played: Vec<_> = plies.iter().map(|(before, mv)| PlayedPly { before, mv: Some(mv) }).collect();
    let Some(analysis) = analyze(&played, &game, nodes(played.len())) else {
        summary.skipped += 1;
        return;
    };
    summary.games += 1;
    summary.nodes += analysis.nodes;
    summary.listed += analysis.plies.iter().filter(|ply| ply.mistake.is_some()).count();
    summary.plies += plies.len();
    let mut chances: Vec<u16> = analysis.plies.iter().map(|ply| ply.chance).collect();
    chances.push(analysis.end);
    for (at, ((before, mv), analyzed)) in plies.iter().zip(&analysis.plies).enumerate() {
        let own = |chance: u16| {
            if before.side_to_move() == Seat::First { i32::from(chance) } else { 1000 - i32::from(chance) }
        };
        let fall = own(chances[at]) - own(chances[at + 1]);
        let better = analyzed.mistake.as_ref().map(|mistake| &mistake.better);
        println!(
            "{}",
            json!({
                "game": number, "ply": at + 1, "position": before.position(), "first": before.side_to_move() == Seat::First,
                "played": before.notation(mv), "better": better.map(|better| before.notation(better)),
                "after": before.play(mv).position(), "afterBetter": better.map(|better| before.play(better).position()),
                "chance": own(chances[at]), "fall": fall, "lost": analyzed.lost,
            })
        );
        let Some((judge, quick)) = judge else { continue };
        let compared = |nodes: u64| {
            let ((choice, best), after) = (judge_position(before, nodes), judge_after(before, mv, nodes));
            let best = best.max(after);
            (best, after, if choice.as_ref() == Some(mv) { 0 } else { best - after })
        };
        let (mut best, mut after, mut loss) = compared(quick);
        if better.is_some() || UNCLEAR.contains(&loss) {
            (best, after, loss) = compared(judge);
        }
        summary.off += (own(chances[at]) - best).abs();
        if loss > BLUNDER {
            summary.blunders += 1;
            summary.found += usize::from(better.is_some() || fall > VISIBLE);
        }
        if let Some(better) = better {
            let after_better = judge_after(before, better, judge);
            summary.wrong += usize::from(loss <= AS_GOOD);
            summary.better += usize::from(after_better > after);
            eprintln!(
                "{number}/{}: {} lost {}, judge {loss}; {} {} {}",
                at + 1,
                before.notation(mv),
                analyzed.lost,
                before.notation(better),
                best - after_better,
                if loss <= AS_GOOD { "WRONG" } else { "" }
            );
        }
    }
}

/// Returns the judge's move and the chances of the side to move, in thousandths.
fn judge_position<G: Game>(game: &G, nodes: u64) -> (Option<G::Move>, i32) {
    let found = game.analyze(nodes, &mut Default::default()).expect("a move");
    (Some(found.mv), i32::from(game.win_chance(found.score)))
}

/// Returns the chances after a move, of the side that plays it, in thousandths.
fn judge_after<G: Game>(before: &G, mv: &G::Move, nodes: u64) -> i32 {
    let after = before.play(mv);
    let side = before.side_to_move();
    let own = |first: i32| if side == Seat::First { first } else { 1000 - first };
    if let Some(outcome) = after.outcome() {
        return own(i32::from(outcome_chance(outcome)));
    }
    let chance = judge_position(&after, nodes).1;
    if after.side_to_move() == side { chance } else { 1000 - chance }
}
