//! A tree of moves that is grown by games played on from its leaves. A move is judged by the games that went through it and,
//! as long as those are few, by all in which its side laid a stone there at any time: the order of stones counts for little
//! in Hex ([Gelly and Silver, 2011](https://doi.org/10.1016/j.artint.2011.03.007), rapid action value estimation).

use crate::hex::computer::search_board::SearchBoard;
use crate::search::fixed_point::{ONE, ln, sqrt};
use crate::search::random::Random;

/// The most nodes of a tree; after that games go on from its leaves.
const MAX_NODES: usize = 1_200_000;
/// How often a leaf is visited before its moves are added.
const EXPAND_AFTER: u32 = 6;
/// The number of visits at which a move's own games count as much as all games with its stone.
const RAVE_EQUIVALENCE: u64 = 800;
/// How much is tried out against how much is made sure of, in hundredths.
const EXPLORATION: u64 = 16;
/// The visits for which quotients are looked up.
const TABLE_SIZE: usize = 1 << 12;

#[derive(Clone, Copy, Default)]
struct Node {
    place: u16,
    /// The nodes behind this one: how many, and the first.
    child_count: u16,
    first_child: u32,
    /// The games through this move, and those that its side won.
    visits: u32,
    wins: u32,
    /// The games in which its side laid a stone there, from the node above on.
    rave_visits: u32,
    rave_wins: u32,
}

/// What a search has found.
pub(super) struct SearchResult {
    /// The place of the best move.
    pub(super) place: u16,
    /// Its value for the side that moves: from 0, lost, to [`ONE`].
    pub(super) value: u32,
    /// The positions that were looked at; a game that is played on counts as one.
    pub(super) nodes: u64,
}

pub(super) struct Tree {
    nodes: Vec<Node>,
    quotients: Quotients,
}

/// Quotients that are needed often.
struct Quotients {
    inverse: Vec<u32>,
    /// The weight of all games with a stone, by the visits of the move.
    rave_weight: Vec<u32>,
    /// One by the square root of the visits.
    inverse_sqrt: Vec<u32>,
}

impl Quotients {
    fn new() -> Quotients {
        let by = |of: &dyn Fn(u64) -> u64| (0..TABLE_SIZE as u64).map(|visits| of(visits) as u32).collect();
        Quotients {
            inverse: by(&|visits| (1 << 20) / visits.max(1)),
            rave_weight: by(&|visits| RAVE_EQUIVALENCE * u64::from(ONE) / (RAVE_EQUIVALENCE + visits)),
            inverse_sqrt: by(&|visits| u64::from(sqrt(ONE / (visits as u32 + 1)))),
        }
    }

    /// Returns a share of some games, at most [`ONE`].
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

    /// Returns the best move after so many games; `None` on a full board.
    pub(super) fn search(&mut self, start: &SearchBoard, games: u32, random: &mut Random) -> Option<SearchResult> {
        self.expand(0, start);
        let mut field = start.clone();
        let mut nodes = 0;
        let mut way = Vec::new();
        for _ in 0..games {
            field.copy_from(start);
            way.clear();
            way.push((0, field.side_to_move));
            let mut at = 0;
            while let Some(child) = self.select(at) {
                field.play(self.nodes[child].place);
                at = child;
                way.push((at, field.side_to_move));
                if self.nodes[at].child_count == 0 && self.nodes[at].visits >= EXPAND_AFTER {
                    self.expand(at, &field);
                }
            }
            nodes += way.len() as u64;
            let last = (at > 0).then(|| self.nodes[at].place);
            let winner = field.rollout(last, random);
            self.backpropagate(&way, &field, winner);
        }
        let best = self.children(0).iter().max_by_key(|node| (node.visits, node.wins))?;
        let value = self.quotients.win_rate(best.wins, best.visits) as u32;
        Some(SearchResult { place: best.place, value, nodes })
    }

    fn children(&self, at: usize) -> &[Node] {
        let Node { first_child: first, child_count: count, .. } = self.nodes[at];
        &self.nodes[first as usize..first as usize + usize::from(count)]
    }

    /// Adds the moves of a leaf.
    fn expand(&mut self, at: usize, field: &SearchBoard) {
        if self.nodes.len() + field.free.len() > MAX_NODES {
            return;
        }
        (self.nodes[at].first_child, self.nodes[at].child_count) = (self.nodes.len() as u32, field.free.len() as u16);
        self.nodes.extend(field.free.iter().map(|place| Node { place: *place, ..Node::default() }));
    }

    /// Returns the move that is tried next; `None` at a leaf.
    fn select(&self, at: usize) -> Option<usize> {
        let quotients = &self.quotients;
        let urge = u64::from(sqrt(ln(self.nodes[at].visits))) * EXPLORATION / 100;
        let urgency = |node: &Node| {
            let known = (node.visits as usize).min(TABLE_SIZE - 1);
            let (trust, rare) = (u64::from(quotients.rave_weight[known]), u64::from(quotients.inverse_sqrt[known]));
            // What nobody has tried yet is taken for good.
            let all = if node.rave_visits == 0 {
                u64::from(ONE)
            } else {
                quotients.win_rate(node.rave_wins, node.rave_visits)
            };
            let own = quotients.win_rate(node.wins, node.visits);
            (all * trust + own * (u64::from(ONE) - trust) + urge * rare) >> 16
        };
        let mut best: Option<(u64, usize)> = None;
        for (nth, node) in self.children(at).iter().enumerate() {
            let urgency = urgency(node);
            if best.is_none_or(|(most, _)| urgency > most) {
                best = Some((urgency, nth));
            }
        }
        best.map(|(_, nth)| self.nodes[at].first_child as usize + nth)
    }

    /// Tells all nodes on the way, and the moves beside it, who won.
    fn backpropagate(&mut self, way: &[(usize, u8)], field: &SearchBoard, winner: u8) {
        for &(at, turn) in way {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.wins += u32::from(turn != winner);
            let (first, count) = (node.first_child as usize, usize::from(node.child_count));
            let won = u32::from(turn == winner);
            for node in &mut self.nodes[first..first + count] {
                // On the full board a stone lies where its side has laid one.
                let laid = u32::from(field.owner(node.place) == turn);
                node.rave_visits += laid;
                node.rave_wins += laid * won;
            }
        }
    }
}
