//! Threat-space search: forced wins by moves that leave the defender few replies.
//!
//! A mark that makes a threat (a line that lacks one mark) allows a single reply. Any other mark is a quiet threat if the
//! attacker would win after a pass of the defender. Then only some replies can refute it: a mark in a cell that the win depends
//! on, or a mark that helps the defender make a threat along the way. See [Allis,
//! 1994](https://cris.maastrichtuniversity.nl/en/publications/searching-for-solutions-in-games-and-artificial-intelligence), and
//! the relevance zones of [Thomsen's lambda search](https://doi.org/10.3233/ICG-2000-23403). A win found here is proven. Within
//! its node budget, the search finds every win of up to four own marks.

use crate::search::order::sort_by_key;
use crate::tic_tac_toe::computer::search_board::SearchBoard;

/// The free cells that a forced win depends on: the relevance zone of lambda search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RelevantCells([u64; 6]);

impl RelevantCells {
    pub(super) fn add(&mut self, cell: u16) {
        if let Some(bits) = self.0.get_mut(usize::from(cell / 64)) {
            *bits |= 1 << (cell % 64);
        }
    }

    pub(super) fn contains(&self, cell: u16) -> bool {
        self.0.get(usize::from(cell / 64)).is_some_and(|bits| bits >> (cell % 64) & 1 == 1)
    }

    fn add_all(&mut self, other: &RelevantCells) {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
    }
}

/// A forced win.
#[derive(Clone, Copy, Debug)]
pub(super) struct Win {
    /// The first move.
    pub(super) cell: u16,
    pub(super) relevant: RelevantCells,
    /// The number of the winner's marks until the end.
    pub(super) marks: u8,
}

/// How long a forced win may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// The most marks of the attacker.
    pub(super) marks: u8,
    /// The most marks that leave the defender more than one reply.
    pub(super) quiet_marks: u8,
}

/// A search for forced wins.
pub(super) struct ThreatSearch {
    /// The number of marks tried so far.
    pub(super) nodes: u64,
    /// The number of marks after which the search gives up.
    pub(super) max_nodes: u64,
}

impl ThreatSearch {
    /// Returns the shortest forced win of the side to move.
    pub(super) fn shortest_win(&mut self, board: &mut SearchBoard, budget: Budget) -> Option<Win> {
        (1..=budget.marks).find_map(|marks| self.find_win(board, Budget { marks, ..budget }))
    }

    /// Returns a forced win of the side to move.
    fn find_win(&mut self, board: &mut SearchBoard, budget: Budget) -> Option<Win> {
        let (own, other) = (board.side_to_move, board.side_to_move.other());
        if let Some(cell) = board.winning_moves(own).next() {
            let mut relevant = RelevantCells::default();
            relevant.add(cell);
            return Some(Win { cell, relevant, marks: 1 });
        }
        let threat_count = board.winning_cell_count(other);
        if budget.marks < 2 || threat_count > 1 || self.nodes >= self.max_nodes {
            return None;
        }
        let forced = board.winning_moves(other).next();
        for cell in candidates(board, budget) {
            if forced.is_some_and(|forced| forced != cell) {
                continue;
            }
            self.nodes += 1;
            board.place(cell);
            let proof = self.prove_threat(board, budget);
            board.remove(cell);
            if let Some((mut relevant, marks)) = proof {
                relevant.add(cell);
                return Some(Win { cell, relevant, marks: marks + 1 });
            }
        }
        None
    }

    /// Returns the cells that the attacker's win depends on and the marks it still takes, or `None` if a reply of the side to
    /// move refutes the attacker's last mark.
    fn prove_threat(&mut self, board: &mut SearchBoard, budget: Budget) -> Option<(RelevantCells, u8)> {
        let (defender, attacker) = (board.side_to_move, board.side_to_move.other());
        if board.winning_cell_count(defender) > 0 {
            return None;
        }
        let rest = Budget { marks: budget.marks - 1, ..budget };
        match board.winning_cell_count(attacker) {
            0 => self.prove_quiet_threat(board, rest),
            1 => {
                let reply = board.winning_moves(attacker).next()?;
                board.place(reply);
                let win = self.find_win(board, rest);
                board.remove(reply);
                let mut win = win?;
                win.relevant.add(reply);
                Some((win.relevant, win.marks))
            }
            _ => {
                let mut relevant = RelevantCells::default();
                board.winning_moves(attacker).for_each(|cell| relevant.add(cell));
                Some((relevant, 1))
            }
        }
    }

    /// Does the same as [`Self::prove_threat`], after a mark that leaves the defender more than one reply.
    fn prove_quiet_threat(&mut self, board: &mut SearchBoard, rest: Budget) -> Option<(RelevantCells, u8)> {
        let rest = Budget { quiet_marks: rest.quiet_marks.checked_sub(1)?, ..rest };
        if rest.marks < 2 {
            return None;
        }
        board.pass();
        let win = self.find_win(board, rest);
        board.pass();
        let Win { mut relevant, mut marks, .. } = win?;
        for reply in relevant_replies(board, &relevant) {
            self.nodes += 1;
            board.place(reply);
            let win = self.find_win(board, rest);
            board.remove(reply);
            let win = win?;
            relevant.add_all(&win.relevant);
            relevant.add(reply);
            marks = marks.max(win.marks);
        }
        Some((relevant, marks))
    }
}

/// Returns the cells that can be part of a win within the budget, best first.
fn candidates(board: &SearchBoard, budget: Budget) -> Vec<u16> {
    // Without quiet marks, every mark makes a threat.
    let lacking = if budget.quiet_marks == 0 { 2 } else { usize::from(budget.marks) };
    let mut seen = RelevantCells::default();
    let mut found = Vec::new();
    for line in board.open_lines(board.side_to_move, board.k.saturating_sub(lacking)) {
        for &cell in line.iter().filter(|cell| board.is_free(**cell)) {
            if !seen.contains(cell) {
                seen.add(cell);
                found.push((cell, (-board.mark_value(cell), board.distance_from_center(cell))));
            }
        }
    }
    sort_by_key(&mut found, |(_, rank)| *rank);
    found.into_iter().map(|(cell, _)| cell).collect()
}

/// Returns the replies that can refute an opponent's win, best first.
///
/// These are the relevant cells, and the free cells of certain lines. Such a line would become a threat if the side to move
/// got every relevant cell and one more cell of the line.
pub(super) fn relevant_replies(board: &SearchBoard, relevant: &RelevantCells) -> Vec<u16> {
    let mut all = *relevant;
    for line in board.open_lines(board.side_to_move, 0) {
        let free = line.iter().filter(|cell| board.is_free(**cell));
        let relevant_count = free.clone().filter(|cell| relevant.contains(**cell)).count();
        // The reply adds one mark, and a threat lacks one.
        if board.k - free.clone().count() + relevant_count + 2 >= board.k {
            free.for_each(|cell| all.add(*cell));
        }
    }
    let mut found: Vec<u16> = board.free_cells().filter(|cell| all.contains(*cell)).collect();
    sort_by_key(&mut found, |cell| -board.mark_value(*cell));
    found
}
