//! Fits `Engine::SCORE_SCALE` for each game: the score at which the side to move wins 75 % of its games.
//!
//! ```text
//! cargo run --profile test -p play-by-commit-testkit --example score_scale -- [GAMES] [GAME ...]
//! ```
//!
//! Level 4 plays itself, and level 5 evaluates every fourth position. The result is the maximum-likelihood fit of a logistic
//! model to the scores and results.

use game::{Game, Level, Options, Outcome, apply_move};
use games::{GameKind, Random, with_game};

fn main() {
    let mut words = std::env::args().skip(1);
    let games = words.next().map_or(200, |games| games.parse().expect("a number of games"));
    let named: Vec<GameKind> = words.map(|name| GameKind::from_name(&name).expect("a game")).collect();
    for kind in GameKind::ALL.iter().filter(|kind| named.is_empty() || named.contains(kind)) {
        let values = with_game!(*kind, G => collect_samples::<G>(games));
        let scale = (0..120)
            .map(|step| 2.0 * 1.12_f64.powi(step))
            .max_by(|one, other| likelihood(&values, *one).total_cmp(&likelihood(&values, *other)));
        println!("{}: {:.0} by {} positions", kind.info().name, scale.unwrap_or_default(), values.len());
    }
}

/// The score of a position for the side to move, and the points that side made.
type Sample = (f64, f64);

fn likelihood(samples: &[Sample], scale: f64) -> f64 {
    let terms = samples.iter().map(|(value, points)| {
        let chance = 1.0 / (1.0 + 3_f64.powf(-value / scale));
        let chance = chance.clamp(0.001, 0.999);
        points * chance.ln() + (1.0 - points) * (1.0 - chance).ln()
    });
    terms.sum()
}

fn collect_samples<G: Game>(games: u64) -> Vec<Sample> {
    let config = G::configure(&mut Options::default()).expect("the usual options");
    let [player, judge] = [4, 5].map(|level| Level::new(level).expect("a level"));
    let mut all = Vec::new();
    for seed in 0..games {
        let mut random = Random::new(seed);
        let (mut game, mut samples, mut ply) = (G::start(&config).expect("a game"), Vec::new(), 0);
        let outcome = loop {
            if let Some(outcome) = game.outcome() {
                break outcome;
            }
            if game.needs_roll() {
                game = game.with_roll(random.roll());
                continue;
            }
            if ply % 4 == 3 {
                samples.extend(game.choose(judge, 0).map(|chosen| (game.side_to_move(), chosen.score)));
            }
            // Start with random moves, so that the games differ.
            let mv = match ply {
                0..4 => {
                    let moves = game.legal_moves();
                    moves[random.below(moves.len())].clone()
                }
                _ => game.choose(player, random.next_u64()).expect("a choice").mv,
            };
            game = apply_move(&game, &mv).expect("a legal move");
            ply += 1;
        };
        all.extend(samples.into_iter().map(|(seat, value)| {
            let points = match outcome {
                Outcome::Won(winner) => f64::from(u8::from(winner == seat)),
                Outcome::Draw => 0.5,
            };
            (f64::from(value), points)
        }));
    }
    all
}
