//! Monte Carlo tree search with UCT and a solver.
//!
//! Each simulation descends the tree by UCT ([Kocsis and Szepesvári, 2006](https://doi.org/10.1007/11871842_29)),
//! expands a leaf, and finishes the game with random moves. Proven wins and losses propagate up the tree ([Winands,
//! Björnsson and Saito, 2008](https://doi.org/10.1007/978-3-540-87608-3_3)). Each simulation rolls its own dice, and
//! each distinct roll is a child node of its own.

use game::contract::{DiceRules, Outcome};
use game::roll::Roll;
use game::seat::Seat;

use crate::search::fixed_point::{ONE, ln, sqrt};
use crate::search::order;
use crate::search::random::Random;

/// The number of nodes after which the tree stops growing.
const MAX_NODES: usize = 400_000;

/// The most plies of a rollout. A longer game counts as a draw.
const MAX_ROLLOUT_PLIES: usize = 400;

/// The exploration constant of UCT in hundredths, for values from -1 to 1.
const EXPLORATION: u64 = 140;

/// A root move after a search.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// The number of simulations through this move.
    pub visits: u32,
    /// The mean value for the side that plays it, from -[`ONE`] to [`ONE`].
    pub value: i32,
    /// The proven result, if there is one: 1 for a win, 0 for a draw, -1 for a loss.
    pub proven: Option<i32>,
}

/// The step that leads to a node.
#[derive(Clone, Debug)]
enum Step<M> {
    Move(M),
    Roll(Roll),
}

#[derive(Clone, Debug)]
struct Node<M> {
    step: Step<M>,
    /// The first child and the number of children. Rolls form a linked list through `next` instead.
    first: u32,
    count: u32,
    next: u32,
    visits: u32,
    /// The sum of the values for the side that made the step.
    total: i64,
    /// The proven result for the side that made the step.
    proven: Option<i8>,
    is_expanded: bool,
}

/// The index that stands for no node.
const NONE: u32 = u32::MAX;

impl<M> Node<M> {
    fn new(step: Step<M>) -> Node<M> {
        Node { step, first: NONE, count: 0, next: NONE, visits: 0, total: 0, proven: None, is_expanded: false }
    }

    fn value(&self) -> i32 {
        match self.proven {
            Some(result) => i32::from(result) * ONE as i32,
            None => i32::try_from(self.total / i64::from(self.visits.max(1))).unwrap_or_default(),
        }
    }
}

struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// The number of positions visited so far.
    positions: u64,
}

/// Returns the root moves, the best first, and the number of positions visited.
///
/// The search stops at the limit of positions or of simulations, whichever comes first.
pub fn search<G: DiceRules>(
    game: &G,
    max_positions: u64,
    max_simulations: u32,
    random: &mut Random,
) -> (Vec<RootMove<G::Move>>, u64) {
    let root = Node::new(Step::Roll([0; 2]));
    let mut tree = Tree { nodes: vec![root], positions: 1 };
    if game.outcome().is_some() || game.needs_roll() {
        return (Vec::new(), 0);
    }
    tree.expand(0, game);
    let mut simulations = 0;
    while simulations < max_simulations && tree.positions < max_positions && tree.nodes[0].proven.is_none() {
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
    // Proven wins come first and proven losses last. A proven draw ranks by its visits.
    let rank = |root_move: &RootMove<G::Move>| {
        (root_move.proven.filter(|result| *result != 0).unwrap_or(0), root_move.visits, root_move.value)
    };
    order::sort_by_key(&mut moves, |root_move| std::cmp::Reverse(rank(root_move)));
    (moves, tree.positions)
}

impl<M> Node<M> {
    fn children(&self) -> std::ops::Range<usize> {
        if self.first == NONE { 0..0 } else { self.first as usize..(self.first + self.count) as usize }
    }
}

impl<M: Clone + PartialEq> Tree<M> {
    /// Expands a leaf, and marks the moves that end the game as proven.
    fn expand<G: DiceRules<Move = M>>(&mut self, at: usize, game: &G) {
        self.nodes[at].is_expanded = true;
        if self.nodes.len() >= MAX_NODES {
            return;
        }
        let (mover, moves) = (game.side_to_move(), game.legal_moves());
        self.positions += moves.len() as u64;
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

    /// Runs one simulation: selection, expansion, rollout and backpropagation.
    fn simulate<G: DiceRules<Move = M>>(&mut self, mut game: G, random: &mut Random) {
        // Each node of the path with the side that made its step; `None` for a roll.
        let mut path: Vec<(usize, Option<Seat>)> = vec![(0, None)];
        let mut at = 0;
        let value = loop {
            if let Some(outcome) = game.outcome() {
                break outcome_value(outcome);
            }
            if game.needs_roll() {
                let roll = random.roll();
                game = game.with_roll(roll);
                self.positions += 1;
                at = self.roll_child(at, roll);
                path.push((at, None));
            } else {
                if !self.nodes[at].is_expanded && (at == 0 || self.nodes[at].visits > 0) {
                    self.expand(at, &game);
                }
                let Some(child) = self.select(at) else {
                    let (positions, value) = rollout(game, random);
                    self.positions += positions;
                    break value;
                };
                let mover = game.side_to_move();
                if let Step::Move(mv) = &self.nodes[child].step {
                    game = game.play(mv);
                }
                self.positions += 1;
                at = child;
                path.push((at, Some(mover)));
            }
            if let (Some(result), Some((_, Some(mover)))) = (self.nodes[at].proven, path.last()) {
                let won = i32::from(result) * ONE as i32;
                break if *mover == Seat::First { won } else { -won };
            }
        };
        self.backpropagate(&path, value);
    }

    /// Returns the child for a roll, and adds it if it's new.
    fn roll_child(&mut self, at: usize, roll: Roll) -> usize {
        let roll = [roll[0].max(roll[1]), roll[0].min(roll[1])];
        let mut child = self.nodes[at].first;
        while let Some(node) = self.nodes.get(child as usize) {
            if matches!(node.step, Step::Roll(other) if other == roll) {
                return child as usize;
            }
            child = node.next;
        }
        let new = self.nodes.len();
        self.nodes.push(Node { next: self.nodes[at].first, ..Node::new(Step::Roll(roll)) });
        self.nodes[at].first = new as u32;
        new
    }

    /// Returns the child to visit next: an unvisited one, or else the best by UCT. `None` at a leaf.
    fn select(&self, at: usize) -> Option<usize> {
        let log = u64::from(ln(self.nodes[at].visits));
        let uct = |child: &usize| {
            let node = &self.nodes[*child];
            match (node.proven, node.visits) {
                (Some(1), _) => i64::MAX,
                (Some(-1), _) => i64::MIN,
                (_, 0) => i64::MAX - 1,
                (_, visits) => {
                    let ratio = u32::try_from(log / u64::from(visits)).unwrap_or(u32::MAX);
                    i64::from(node.value()) + (u64::from(sqrt(ratio)) * EXPLORATION / 100).cast_signed()
                }
            }
        };
        // `max_by_key` returns the last maximum, and reversing the children makes that the first one.
        self.nodes[at].children().rev().max_by_key(uct)
    }

    /// Adds a value for the first seat to the nodes of a path, and propagates proven results.
    fn backpropagate(&mut self, path: &[(usize, Option<Seat>)], value: i32) {
        for (nth, &(at, mover)) in path.iter().enumerate().rev() {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.total += match mover {
                Some(Seat::First) => i64::from(value),
                Some(Seat::Second) => -i64::from(value),
                None => 0,
            };
            // The side to move at this node made the next step of the path.
            if let Some((_, Some(next))) = path.get(nth + 1)
                && node.proven.is_none()
            {
                self.nodes[at].proven = self.proven_result(at, mover.is_none_or(|mover| mover != *next));
            }
        }
    }

    /// Returns the proven result of a node, or `None` if its children don't prove one.
    ///
    /// The result is for the side that moved to the node if `is_negated`, or else for the side to move.
    fn proven_result(&self, at: usize, is_negated: bool) -> Option<i8> {
        let mut best = -1;
        for child in self.nodes[at].children() {
            match self.nodes[child].proven {
                Some(1) => return Some(if is_negated { -1 } else { 1 }),
                Some(result) => best = best.max(result),
                None => best = 2,
            }
        }
        if best < 2 { Some(if is_negated { -best } else { best }) } else { None }
    }
}

/// Plays random moves to the end. Returns the number of positions visited, and the value for the first seat.
fn rollout<G: DiceRules>(mut game: G, random: &mut Random) -> (u64, i32) {
    let mut positions = 0;
    for _ in 0..MAX_ROLLOUT_PLIES {
        if let Some(outcome) = game.outcome() {
            return (positions, outcome_value(outcome));
        }
        positions += 1;
        if game.needs_roll() {
            game = game.with_roll(random.roll());
            continue;
        }
        let moves = game.legal_moves();
        // Generating the moves takes most of the time, so they count as visited positions.
        positions += moves.len() as u64;
        let Some(mv) = moves.get(random.below(moves.len())) else { break };
        game = game.play(mv);
    }
    (positions, 0)
}

/// Returns the value of an outcome for the first seat.
fn outcome_value(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Won(Seat::First) => ONE as i32,
        Outcome::Won(Seat::Second) => -(ONE as i32),
        Outcome::Draw => 0,
    }
}
