//! A tree of moves that is grown by games played on from its leaves. A move is judged by the games that went through it and,
//! as long as those are few, by all in which its side laid a stone there at any time: the order of stones counts for little
//! in Hex ([Gelly and Silver, 2011](https://doi.org/10.1016/j.artint.2011.03.007), rapid action value estimation).

use crate::hex::computer::field::Field;
use crate::search::random::Random;
use crate::search::whole::{ONE, logarithm, root};

/// The most nodes of a tree; after that games go on from its leaves.
const MOST: usize = 1_200_000;
/// How often a leaf is visited before its moves are added.
const PATIENCE: u32 = 6;
/// The number of visits at which a move's own games count as much as all games with its stone.
const EVEN: u64 = 800;
/// How much is tried out against how much is made sure of, in hundredths.
const CURIOSITY: u64 = 16;
/// The visits for which quotients are looked up.
const KNOWN: usize = 1 << 12;

#[derive(Clone, Copy, Default)]
struct Node {
    place: u16,
    /// The nodes behind this one: how many, and the first.
    count: u16,
    first: u32,
    /// The games through this move, and those that its side won.
    visits: u32,
    wins: u32,
    /// The games in which its side laid a stone there, from the node above on.
    all: u32,
    all_wins: u32,
}

/// What a search has found.
pub(super) struct Found {
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
    trust: Vec<u32>,
    /// One by the square root of the visits.
    rare: Vec<u32>,
}

impl Quotients {
    fn new() -> Quotients {
        let by = |of: &dyn Fn(u64) -> u64| (0..KNOWN as u64).map(|visits| of(visits) as u32).collect();
        Quotients {
            inverse: by(&|visits| (1 << 20) / visits.max(1)),
            trust: by(&|visits| EVEN * u64::from(ONE) / (EVEN + visits)),
            rare: by(&|visits| u64::from(root(ONE / (visits as u32 + 1)))),
        }
    }

    /// Returns a share of some games, at most [`ONE`].
    #[inline]
    fn share(&self, wins: u32, games: u32) -> u64 {
        let mut shift = 0;
        while games >> shift >= KNOWN as u32 {
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
    pub(super) fn grow(&mut self, start: &Field, games: u32, random: &mut Random) -> Option<Found> {
        self.open(0, start);
        let mut field = start.clone();
        let mut nodes = 0;
        let mut way = Vec::new();
        for _ in 0..games {
            field.copy(start);
            way.clear();
            way.push((0, field.turn));
            let mut at = 0;
            while let Some(child) = self.select(at) {
                field.play(self.nodes[child].place);
                at = child;
                way.push((at, field.turn));
                if self.nodes[at].count == 0 && self.nodes[at].visits >= PATIENCE {
                    self.open(at, &field);
                }
            }
            nodes += way.len() as u64;
            let last = (at > 0).then(|| self.nodes[at].place);
            let winner = field.fill(last, random);
            self.tell(&way, &field, winner);
        }
        let best = self.children(0).iter().max_by_key(|node| (node.visits, node.wins))?;
        let value = self.quotients.share(best.wins, best.visits) as u32;
        Some(Found { place: best.place, value, nodes })
    }

    fn children(&self, at: usize) -> &[Node] {
        let Node { first, count, .. } = self.nodes[at];
        &self.nodes[first as usize..first as usize + usize::from(count)]
    }

    /// Adds the moves of a leaf.
    fn open(&mut self, at: usize, field: &Field) {
        if self.nodes.len() + field.free.len() > MOST {
            return;
        }
        (self.nodes[at].first, self.nodes[at].count) = (self.nodes.len() as u32, field.free.len() as u16);
        self.nodes.extend(field.free.iter().map(|place| Node { place: *place, ..Node::default() }));
    }

    /// Returns the move that is tried next; `None` at a leaf.
    fn select(&self, at: usize) -> Option<usize> {
        let quotients = &self.quotients;
        let urge = u64::from(root(logarithm(self.nodes[at].visits))) * CURIOSITY / 100;
        let urgency = |node: &Node| {
            let known = (node.visits as usize).min(KNOWN - 1);
            let (trust, rare) = (u64::from(quotients.trust[known]), u64::from(quotients.rare[known]));
            // What nobody has tried yet is taken for good.
            let all = if node.all == 0 { u64::from(ONE) } else { quotients.share(node.all_wins, node.all) };
            let own = quotients.share(node.wins, node.visits);
            (all * trust + own * (u64::from(ONE) - trust) + urge * rare) >> 16
        };
        let mut best: Option<(u64, usize)> = None;
        for (nth, node) in self.children(at).iter().enumerate() {
            let urgency = urgency(node);
            if best.is_none_or(|(most, _)| urgency > most) {
                best = Some((urgency, nth));
            }
        }
        best.map(|(_, nth)| self.nodes[at].first as usize + nth)
    }

    /// Tells all nodes on the way, and the moves beside it, who won.
    fn tell(&mut self, way: &[(usize, u8)], field: &Field, winner: u8) {
        for &(at, turn) in way {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.wins += u32::from(turn != winner);
            let (first, count) = (node.first as usize, usize::from(node.count));
            let won = u32::from(turn == winner);
            for node in &mut self.nodes[first..first + count] {
                // On the full board a stone lies where its side has laid one.
                let laid = u32::from(field.owner(node.place) == turn);
                node.all += laid;
                node.all_wins += laid * won;
            }
        }
    }
}
