//! Monte Carlo tree search with rapid action value estimation (RAVE).
//!
//! The order of stones matters little in Hex. So while a move has few visits, its value comes mostly from all rollouts in which
//! its side had a stone there at any time. See [Gelly and Silver, 2011](https://doi.org/10.1016/j.artint.2011.03.007).

use crate::Random;
use crate::hex::computer::SearchBoard;
use crate::search::{ONE, ln, sqrt};

/// The most nodes of a tree. After that, leaves aren't expanded anymore.
const MAX_NODES: usize = 1_200_000;
/// The number of visits after which a leaf is expanded.
const EXPAND_AFTER: u32 = 6;
/// The number of visits at which a move's own rollouts count as much as its RAVE rollouts.
const RAVE_EQUIVALENCE: u64 = 800;
/// The UCT exploration constant, in hundredths.
const EXPLORATION: u64 = 16;
/// The number of visits with precomputed quotients.
const TABLE_SIZE: usize = 1 << 12;

/// A move in the tree.
#[derive(Clone, Copy, Default)]
struct Node {
    cell: u16,
    child_count: u16,
    /// The index of the first child. The others follow it.
    first_child: u32,
    /// The number of rollouts through this move.
    visits: u32,
    /// The number of these rollouts that the move's side won.
    wins: u32,
    /// The number of rollouts through the parent in which the move's side had a stone in the cell.
    rave_visits: u32,
    /// The number of these rollouts that the move's side won.
    rave_wins: u32,
}

/// The result of a search.
#[derive(Clone, Copy)]
pub(super) struct SearchResult {
    /// The cell of the best move.
    pub(super) cell: u16,
    /// The win rate of the side to move, from 0 to [`ONE`].
    pub(super) value: u32,
    /// The win rate of the side to move in all rollouts.
    pub(super) mean: u32,
    /// The number of positions visited. A rollout counts as one.
    pub(super) nodes: u64,
}

/// A search tree.
pub(super) struct Tree {
    nodes: Vec<Node>,
    quotients: Quotients,
}

/// Precomputed quotients by the number of visits, in fixed point.
struct Quotients {
    /// 16 times [`ONE`] divided by the visits.
    inverse: Vec<u32>,
    /// The weight of the RAVE rollouts.
    rave_weight: Vec<u32>,
    /// One divided by the square root of the visits plus 1.
    inverse_sqrt: Vec<u32>,
}

impl Quotients {
    fn new() -> Quotients {
        let table = |f: &dyn Fn(u64) -> u64| (0..TABLE_SIZE as u64).map(|visits| f(visits) as u32).collect();
        Quotients {
            inverse: table(&|visits| (1 << 20) / visits.max(1)),
            rave_weight: table(&|visits| RAVE_EQUIVALENCE * u64::from(ONE) / (RAVE_EQUIVALENCE + visits)),
            inverse_sqrt: table(&|visits| u64::from(sqrt(ONE / (visits as u32 + 1)))),
        }
    }

    /// Returns the share of games won, from 0 to [`ONE`].
    #[inline]
    fn win_rate(&self, wins: u32, games: u32) -> u64 {
        let mut shift = 0;
        while games >> shift >= TABLE_SIZE as u32 {
            shift += 1;
        }
        (u64::from(wins >> shift) * u64::from(self.inverse[(games >> shift) as usize])) >> 4
    }
}

impl Tree {
    pub(super) fn new() -> Tree {
        Tree { nodes: vec![Node::default()], quotients: Quotients::new() }
    }

    /// Returns the best move to one of these cells after this many rollouts; `None` without cells.
    pub(super) fn search(
        &mut self,
        start: &SearchBoard,
        cells: &[u16],
        rollouts: u32,
        random: &mut Random,
    ) -> Option<SearchResult> {
        self.expand(0, cells);
        let mut board = start.clone();
        let mut nodes = 0;
        let mut path = Vec::new();
        for _ in 0..rollouts {
            board.copy_from(start);
            path.clear();
            path.push((0, board.side_to_move));
            let mut node = 0;
            while let Some(child) = self.select(node) {
                board.play(self.nodes[child].cell);
                node = child;
                path.push((node, board.side_to_move));
                if self.nodes[node].child_count == 0 && self.nodes[node].visits >= EXPAND_AFTER {
                    self.expand(node, &board.free);
                }
            }
            nodes += path.len() as u64;
            let last_move = if node > 0 { Some(self.nodes[node].cell) } else { None };
            let winner = board.rollout(last_move, random);
            self.backpropagate(&path, &board, winner);
        }
        let best = self.children(0).iter().max_by_key(|node| (node.visits, node.wins))?;
        let value = self.quotients.win_rate(best.wins, best.visits) as u32;
        // The root counts the opponent's wins.
        let mean = ONE - self.quotients.win_rate(self.nodes[0].wins, self.nodes[0].visits) as u32;
        Some(SearchResult { cell: best.cell, value, mean, nodes })
    }

    fn children(&self, node: usize) -> &[Node] {
        let Node { first_child: first, child_count: count, .. } = self.nodes[node];
        &self.nodes[first as usize..first as usize + usize::from(count)]
    }

    /// Adds a child to a leaf for each of these cells, unless the tree is full.
    fn expand(&mut self, node: usize, cells: &[u16]) {
        let first_child = self.nodes.len();
        if first_child + cells.len() > MAX_NODES {
            return;
        }
        self.nodes[node].first_child = first_child as u32;
        self.nodes[node].child_count = cells.len() as u16;
        self.nodes.extend(cells.iter().map(|cell| Node { cell: *cell, ..Node::default() }));
    }

    /// Returns the child with the highest UCT and RAVE score; `None` at a leaf.
    fn select(&self, node: usize) -> Option<usize> {
        let quotients = &self.quotients;
        let exploration = u64::from(sqrt(ln(self.nodes[node].visits))) * EXPLORATION / 100;
        let score = |child: &Node| {
            let index = (child.visits as usize).min(TABLE_SIZE - 1);
            let rave_weight = u64::from(quotients.rave_weight[index]);
            let inverse_sqrt = u64::from(quotients.inverse_sqrt[index]);
            // Try every move: one without RAVE rollouts counts as a win.
            let rave_value = if child.rave_visits == 0 {
                u64::from(ONE)
            } else {
                quotients.win_rate(child.rave_wins, child.rave_visits)
            };
            let value = quotients.win_rate(child.wins, child.visits);
            (rave_value * rave_weight + value * (u64::from(ONE) - rave_weight) + exploration * inverse_sqrt) >> 16
        };
        let mut best: Option<(u64, usize)> = None;
        for (index, child) in self.children(node).iter().enumerate() {
            let score = score(child);
            if best.is_none_or(|(best_score, _)| score > best_score) {
                best = Some((score, index));
            }
        }
        best.map(|(_, index)| self.nodes[node].first_child as usize + index)
    }

    /// Adds the result of a rollout to the nodes of the path, and to the RAVE counts of their children.
    ///
    /// The path holds the side to move at each node, and `board` is full.
    fn backpropagate(&mut self, path: &[(usize, u8)], board: &SearchBoard, winner: u8) {
        for &(node, side_to_move) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.wins += u32::from(side_to_move != winner);
            let (first, count) = (node.first_child as usize, usize::from(node.child_count));
            let is_win = u32::from(side_to_move == winner);
            for child in &mut self.nodes[first..first + count] {
                let has_stone = u32::from(board.owner(child.cell) == side_to_move);
                child.rave_visits += has_stone;
                child.rave_wins += has_stone * is_win;
            }
        }
    }
}
