//! Monte Carlo tree search: a tree of the moves that went well, grown by games that are played on from its leaves.
//!
//! Each simulation goes down the tree by UCT ([Kocsis and Szepesvári, 2006](https://doi.org/10.1007/11871842_29)), adds the
//! moves of the leaf, and plays on at random. Won and lost positions are proven as they are met and go up the tree
//! ([Winands, Björnsson and Saito, 2008](https://doi.org/10.1007/978-3-540-87608-3_3)). Dice are thrown anew in every
//! simulation: a throw is a branch of its own, taken as often as it falls.

use game::contract::{Outcome, Rules};
use game::roll::Roll;
use game::seat::Seat;

use crate::search::fixed_point::{ONE, ln, sqrt};
use crate::search::order;
use crate::search::random::Random;

/// The most nodes of a tree; after that simulations go on from its leaves.
const MOST: usize = 400_000;

/// The most plies of a game that is played on at random; what goes on after that counts as a draw.
const PLIES: usize = 400;

/// How much is tried out against how much is made sure of, in hundredths: the constant of UCT, where a game is worth -1 to 1.
const CURIOSITY: u64 = 140;

/// A move of the root after a search.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The simulations that went through it.
    pub visits: u32,
    /// The value for the side that makes it, -[`ONE`] to [`ONE`].
    pub value: i32,
    /// What the move leads to for certain, if that is known: 1 if it wins, 0 for a draw, -1 if it loses.
    pub proven: Option<i32>,
}

/// How a node came about.
#[derive(Clone, Debug)]
enum Step<M> {
    Move(M),
    Throw(Roll),
}

#[derive(Clone, Debug)]
struct Node<M> {
    step: Step<M>,
    /// The nodes behind this one: the first, and how many. Throws are joined one by one, by `next`.
    first: u32,
    count: u32,
    next: u32,
    visits: u32,
    /// The sum of the values, for whoever made the step.
    total: i64,
    /// What is certain, for whoever made the step.
    proven: Option<i8>,
    opened: bool,
}

/// No node.
const NONE: u32 = u32::MAX;

impl<M> Node<M> {
    fn new(step: Step<M>) -> Node<M> {
        Node { step, first: NONE, count: 0, next: NONE, visits: 0, total: 0, proven: None, opened: false }
    }

    fn value(&self) -> i32 {
        match self.proven {
            Some(sure) => i32::from(sure) * ONE as i32,
            None => i32::try_from(self.total / i64::from(self.visits.max(1))).unwrap_or_default(),
        }
    }
}

struct Tree<M> {
    nodes: Vec<Node<M>>,
    looked_at: u64,
}

/// Returns the moves of a position as simulations have tried them, the best first, and how many positions were looked at. There
/// are so many nodes and simulations at most.
pub fn search<G: Rules>(game: &G, nodes: u64, most: u32, random: &mut Random) -> (Vec<RootMove<G::Move>>, u64) {
    let root = Node::new(Step::Throw([0; 2]));
    let mut tree = Tree { nodes: vec![root], looked_at: 1 };
    if game.outcome().is_some() || game.needs_roll() {
        return (Vec::new(), 0);
    }
    tree.open(0, game);
    let mut simulations = 0;
    while simulations < most && tree.looked_at < nodes && tree.nodes[0].proven.is_none() {
        tree.simulate(game.clone(), random);
        simulations += 1;
    }
    let moves = tree.nodes[0].children().filter_map(|child| {
        let node = &tree.nodes[child];
        let Step::Move(mv) = &node.step else { return None };
        let proven = node.proven.map(i32::from);
        Some(RootMove { mv: mv.clone(), visits: node.visits, value: node.value(), proven })
    });
    let mut moves: Vec<RootMove<G::Move>> = moves.collect();
    // What wins for certain comes first, what loses last; a draw that is sure is no better than it has looked.
    let rank =
        |tried: &RootMove<G::Move>| (tried.proven.filter(|sure| *sure != 0).unwrap_or(0), tried.visits, tried.value);
    order::sort_by_key(&mut moves, |tried| std::cmp::Reverse(rank(tried)));
    (moves, tree.looked_at)
}

impl<M> Node<M> {
    fn children(&self) -> std::ops::Range<usize> {
        if self.first == NONE { 0..0 } else { self.first as usize..(self.first + self.count) as usize }
    }
}

impl<M: Clone + PartialEq> Tree<M> {
    /// Adds the moves of a leaf, and sees which of them end the game.
    fn open<G: Rules<Move = M>>(&mut self, at: usize, game: &G) {
        self.nodes[at].opened = true;
        if self.nodes.len() >= MOST {
            return;
        }
        let (mover, moves) = (game.side_to_move(), game.legal_moves());
        self.looked_at += moves.len() as u64;
        (self.nodes[at].first, self.nodes[at].count) = (self.nodes.len() as u32, moves.len() as u32);
        for mv in moves {
            let after = game.play(&mv);
            let proven = after.outcome().map(|outcome| match outcome {
                Outcome::Won(seat) if seat == mover => 1,
                Outcome::Won(_) => -1,
                Outcome::Draw => 0,
            });
            self.nodes.push(Node { proven, ..Node::new(Step::Move(mv)) });
        }
    }

    /// Goes down to a leaf, plays on from there, and tells all nodes on the way what came of it.
    fn simulate<G: Rules<Move = M>>(&mut self, mut game: G, random: &mut Random) {
        // Each node on the way, with the side that made the step to it; nobody throws the dice.
        let mut way: Vec<(usize, Option<Seat>)> = vec![(0, None)];
        let mut at = 0;
        let value = loop {
            if let Some(outcome) = game.outcome() {
                break worth(outcome);
            }
            if game.needs_roll() {
                let throw = random.roll();
                game = game.with_roll(throw);
                self.looked_at += 1;
                at = self.behind_throw(at, throw);
                way.push((at, None));
            } else {
                if !self.nodes[at].opened && (at == 0 || self.nodes[at].visits > 0) {
                    self.open(at, &game);
                }
                let Some(child) = self.select(at) else {
                    let (looked_at, value) = play_on(game, random);
                    self.looked_at += looked_at;
                    break value;
                };
                let mover = game.side_to_move();
                if let Step::Move(mv) = &self.nodes[child].step {
                    game = game.play(mv);
                }
                self.looked_at += 1;
                at = child;
                way.push((at, Some(mover)));
            }
            if let (Some(sure), Some((_, Some(mover)))) = (self.nodes[at].proven, way.last()) {
                let won = i32::from(sure) * ONE as i32;
                break if *mover == Seat::First { won } else { -won };
            }
        };
        self.tell(&way, value);
    }

    /// Returns the node behind a throw, a new one if it has not fallen here before.
    fn behind_throw(&mut self, at: usize, throw: Roll) -> usize {
        let throw = [throw[0].max(throw[1]), throw[0].min(throw[1])];
        let mut child = self.nodes[at].first;
        while let Some(node) = self.nodes.get(child as usize) {
            if matches!(node.step, Step::Throw(other) if other == throw) {
                return child as usize;
            }
            child = node.next;
        }
        let new = self.nodes.len();
        self.nodes.push(Node { next: self.nodes[at].first, ..Node::new(Step::Throw(throw)) });
        self.nodes[at].first = new as u32;
        new
    }

    /// Returns the child to be tried next: one that has not been tried, or else the best by UCT. `None` at a leaf.
    fn select(&self, at: usize) -> Option<usize> {
        let log = u64::from(ln(self.nodes[at].visits));
        let urgency = |child: &usize| {
            let node = &self.nodes[*child];
            match (node.proven, node.visits) {
                (Some(1), _) => i64::MAX,
                (Some(-1), _) => i64::MIN,
                (_, 0) => i64::MAX - 1,
                (_, visits) => {
                    let wide = u32::try_from(log / u64::from(visits)).unwrap_or(u32::MAX);
                    i64::from(node.value()) + (u64::from(sqrt(wide)) * CURIOSITY / 100).cast_signed()
                }
            }
        };
        // The first of equals.
        self.nodes[at].children().rev().max_by_key(urgency)
    }

    /// Adds a value for the first seat to all nodes on the way, and what is certain now.
    fn tell(&mut self, way: &[(usize, Option<Seat>)], value: i32) {
        for (nth, &(at, mover)) in way.iter().enumerate().rev() {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.total += match mover {
                Some(Seat::First) => i64::from(value),
                Some(Seat::Second) => -i64::from(value),
                None => 0,
            };
            // The side that moves from here is the one that made the next step on the way.
            if let Some((_, Some(next))) = way.get(nth + 1)
                && node.proven.is_none()
            {
                self.nodes[at].proven = self.proof(at, mover.is_none_or(|mover| mover != *next));
            }
        }
    }

    /// Returns what is certain at a node for the side that moved to it, or for the other one at the root; `None` if that
    /// follows from no move behind it.
    fn proof(&self, at: usize, turned: bool) -> Option<i8> {
        let mut best = -1;
        for child in self.nodes[at].children() {
            match self.nodes[child].proven {
                Some(1) => return Some(if turned { -1 } else { 1 }),
                Some(sure) => best = best.max(sure),
                None => best = 2,
            }
        }
        (best < 2).then_some(if turned { -best } else { best })
    }
}

/// Plays on at random to the end. Returns how many positions were looked at, and the value for the first seat.
fn play_on<G: Rules>(mut game: G, random: &mut Random) -> (u64, i32) {
    let mut looked_at = 0;
    for _ in 0..PLIES {
        if let Some(outcome) = game.outcome() {
            return (looked_at, worth(outcome));
        }
        looked_at += 1;
        if game.needs_roll() {
            game = game.with_roll(random.roll());
            continue;
        }
        let moves = game.legal_moves();
        // To list moves is what takes the time.
        looked_at += moves.len() as u64;
        let Some(mv) = moves.get(random.below(moves.len())) else { break };
        game = game.play(mv);
    }
    (looked_at, 0)
}

/// Returns what an outcome is worth to the first seat.
fn worth(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Won(Seat::First) => ONE as i32,
        Outcome::Won(Seat::Second) => -(ONE as i32),
        Outcome::Draw => 0,
    }
}
