//! The tic-tac-toe engine: alpha-beta search, and threat-space search on large boards.
//!
//! Up to 5x5 the search tries every move. On larger boards it first looks for forced wins of either side, then searches the most
//! promising moves.

mod search_board;

use game::{Engine, EngineMove, Level, Seat};

use crate::search::choose_weakly;
use crate::search::sort_by_key;
use crate::tic_tac_toe::computer::search_board::{MAX_CANDIDATES, SearchBoard};
use crate::tic_tac_toe::{Move, TicTacToe};
use crate::{Limits, Random, SearchPosition, Tuning, WIN_VALUE, search};

/// The most cells of a board on which the search tries every move.
const SMALL_BOARD_CELLS: usize = 25;
/// The most cells of a board that [`TINY_BOARD_NODES`] are enough to solve.
const TINY_BOARD_CELLS: usize = 9;
/// The node budget for 3x3.
const TINY_BOARD_NODES: u64 = 10_000;
/// How many of 100 moves level 0 chooses like level 1, on small boards and on larger ones.
const LEARNING_SKILL: [usize; 2] = [15, 30];

/// The search parameters of a level.
struct LevelProfile {
    /// The limits of the alpha-beta search.
    limits: Limits,
    /// How far to look for the engine's own forced wins.
    budget: Budget,
    /// The longest forced win of the opponent to look for, in marks.
    defense_marks: u8,
    /// The node budget of the threat search.
    threat_nodes: u64,
}

/// Returns the search parameters of a level on a board with `cells` cells.
///
/// Level 7 searches deeper than 6 with fewer nodes: with more nodes it would be as strong as level 8 on 15x15.
fn level_profile(level: Level, cells: usize) -> LevelProfile {
    let (depth, nodes, margin, marks, defense_marks, quiet_marks, threat_nodes) = match level.number() {
        1 => (1, 1_000, 1_000, 1, 0, 0, 0),
        2 => (1, 2_000, 60, 1, 1, 0, 1_000),
        3 => (2, 5_000, 1_000, 1, 1, 0, 2_000),
        4 => (2, 10_000, 150, 2, 1, 1, 4_000),
        5 => (3, 20_000, 85, 2, 2, 1, 10_000),
        6 => (4, 40_000, 45, 2, 2, 1, 20_000),
        7 => (6, 25_000, 12, 3, 3, 2, 40_000),
        _ => (40, 150_000, 0, 4, 4, 2, 120_000),
    };
    // The highest level solves small boards. A node takes longer on a larger board.
    let max_nodes = match cells {
        0..=TINY_BOARD_CELLS => TINY_BOARD_NODES,
        10..=16 if level == Level::MAX => 1_200_000,
        17..=SMALL_BOARD_CELLS if level == Level::MAX => 500_000,
        _ => nodes * 225 / cells.max(225) as u64,
    };
    let nodes = if level == Level::MAX { max_nodes } else { nodes.min(max_nodes) };
    LevelProfile {
        limits: Limits { nodes, depth, margin },
        budget: Budget { marks, quiet_marks },
        defense_marks,
        threat_nodes,
    }
}

impl Engine for TicTacToe {
    const ENGINE_VERSION: u32 = 4;

    const LOWEST_LEVEL: Level = Level::LEARNING;

    // Only a proven win predicts the result: most games are drawn, and the evaluation says little.
    const SCORE_SCALE: i32 = 300_000;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Self::Move>> {
        if level == Level::LEARNING {
            let [small, large] = LEARNING_SKILL;
            let skill = if self.cell_count() <= SMALL_BOARD_CELLS { small } else { large };
            return choose_weakly(self, skill, seed);
        }
        choose_with(self, level, &level_profile(level, self.cell_count()), seed)
    }

    fn analyze(&self, nodes: u64, _memory: &mut ()) -> Option<EngineMove<Self::Move>> {
        let mut profile = level_profile(Level::MAX, self.cell_count());
        (profile.limits.nodes, profile.threat_nodes) = (nodes / 2, nodes / 2);
        choose_with(self, Level::MAX, &profile, 0)
    }
}

/// Chooses a move with these parameters, which need not be those of the level.
fn choose_with(game: &TicTacToe, level: Level, profile: &LevelProfile, seed: u64) -> Option<EngineMove<Move>> {
    if game.outcome.is_some() {
        return None;
    }
    let marks: Vec<Option<Seat>> = (0..game.cell_count()).map(|index| game.mark(index).map(Seat::from)).collect();
    let mut board = SearchBoard::new(game.size, game.k, &marks, game.side_to_move);
    let EngineMove { mv, nodes, score } = choose_cell(&mut board, level, profile, seed)?;
    Some(EngineMove { mv: Move { position: mv.into() }, nodes, score })
}

/// Returns the cell to mark on a board without a winner; `None` if the board is full.
fn choose_cell(board: &mut SearchBoard, level: Level, profile: &LevelProfile, seed: u64) -> Option<EngineMove<u16>> {
    let mut random = Random::new(seed);
    let mut moves = Vec::new();
    if level == Level::ALL[0] {
        // Like a beginner, the lowest level overlooks that its opponent is about to win.
        board.ignores_threats = true;
        board.promising_moves(&mut moves);
    } else {
        board.moves(&mut moves);
    }
    if !board.is_small() {
        let mut threats = ThreatSearch { nodes: 0, max_nodes: profile.threat_nodes };
        if let Some(win) = threats.shortest_win(board, profile.budget) {
            let score = WIN_VALUE - 2 * i32::from(win.marks) + 1;
            return Some(EngineMove { mv: win.cell, nodes: threats.nodes + 1, score });
        }
        // An extra mark never hurts. So if the opponent can't force a win after a pass, it can't after any move.
        let threat = with_turn_passed(board, |board| {
            threats.shortest_win(board, Budget { marks: profile.defense_marks, ..profile.budget })
        });
        if let Some(threat) = threat {
            moves = defenses(board, &threat, profile, &mut threats);
        }
        let chosen = choose_by_search(board, moves, profile.limits, &mut random)?;
        return Some(EngineMove { nodes: chosen.nodes + threats.nodes, ..chosen });
    }
    choose_by_search(board, moves, profile.limits, &mut random)
}

fn choose_by_search(
    board: &mut SearchBoard,
    moves: Vec<u16>,
    limits: Limits,
    random: &mut Random,
) -> Option<EngineMove<u16>> {
    let result = search(board, moves, limits, random);
    let (mv, score) = result.pick(limits.margin, random)?;
    Some(EngineMove { mv, nodes: result.nodes, score })
}

/// Calls a function as if the side to move had passed.
fn with_turn_passed<T>(board: &mut SearchBoard, f: impl FnOnce(&mut SearchBoard) -> T) -> T {
    board.pass();
    let result = f(board);
    board.pass();
    result
}

/// Returns the moves that refute the opponent's forced win, or else those that delay it the longest.
fn defenses(board: &mut SearchBoard, threat: &Win, profile: &LevelProfile, threats: &mut ThreatSearch) -> Vec<u16> {
    let budget = Budget { marks: profile.defense_marks, ..profile.budget };
    let (mut longest, mut found) = (0, Vec::new());
    let replies = relevant_replies(board, &threat.relevant);
    // Many replies share the nodes, so that they don't take longer than a few.
    let max_nodes = (profile.threat_nodes / 8).min(2 * profile.threat_nodes / replies.len().max(1) as u64);
    for cell in replies {
        let mut reply_search = ThreatSearch { nodes: 0, max_nodes };
        board.place(cell);
        let win = reply_search.shortest_win(board, budget);
        board.remove(cell);
        threats.nodes += reply_search.nodes;
        let marks = win.map_or(u8::MAX, |win| win.marks);
        if marks > longest {
            (longest, found) = (marks, Vec::new());
        }
        if marks == longest {
            found.push(cell);
        }
    }
    found.truncate(2 * MAX_CANDIDATES);
    found
}

impl SearchPosition for SearchBoard {
    type Move = u16;
    type Undo = u16;

    const TUNING: Tuning = Tuning::without_lmr(361);

    fn moves(&self, found: &mut Vec<u16>) {
        if self.winner.is_some() {
            return;
        }
        if let Some(cell) = self.winning_moves(self.side_to_move).next() {
            found.push(cell);
            return;
        }
        if self.winning_cell_count(self.side_to_move.other()) > 0 {
            found.extend(self.winning_moves(self.side_to_move.other()));
            return;
        }
        self.promising_moves(found);
    }

    fn history_slot(mv: u16) -> usize {
        mv.into()
    }

    fn play(&mut self, mv: u16) -> u16 {
        SearchBoard::place(self, mv);
        mv
    }

    fn undo(&mut self, mv: u16) {
        self.remove(mv);
    }

    fn game_result(&self) -> Option<i32> {
        match self.winner {
            Some(seat) => Some(if seat == self.side_to_move { 1 } else { -1 }),
            None if self.free_count == 0 || self.is_dead() => Some(0),
            None => None,
        }
    }

    fn evaluate(&self) -> i32 {
        SearchBoard::evaluate(self)
    }

    fn key(&self) -> u64 {
        SearchBoard::key(self)
    }

    fn result_bounds(&self) -> (i32, i32) {
        (-i32::from(self.can_win(self.side_to_move.other())), i32::from(self.can_win(self.side_to_move)))
    }

    fn is_forced(&self) -> bool {
        !self.ignores_threats && self.winning_cell_count(Seat::First) + self.winning_cell_count(Seat::Second) > 0
    }

    fn plies_left(&self) -> i16 {
        self.free_count as i16
    }
}

// Threat-space search: forced wins by moves that leave the defender few replies.
//
// A mark that makes a threat (a line that lacks one mark) allows a single reply. Any other mark is a quiet threat if the
// attacker would win after a pass of the defender. Then only some replies can refute it: a mark in a cell that the win depends
// on, or a mark that helps the defender make a threat along the way. See [Allis,
// 1994](https://cris.maastrichtuniversity.nl/en/publications/searching-for-solutions-in-games-and-artificial-intelligence), and
// the relevance zones of [Thomsen's lambda search](https://doi.org/10.3233/ICG-2000-23403). A win found here is proven. Within
// its node budget, the search finds every win of up to four own marks.

/// The free cells that a forced win depends on: the relevance zone of lambda search.
#[derive(Clone, Copy, Debug, Default)]
struct RelevantCells([u64; 6]);

impl RelevantCells {
    fn add(&mut self, cell: u16) {
        if let Some(bits) = self.0.get_mut(usize::from(cell / 64)) {
            *bits |= 1 << (cell % 64);
        }
    }

    fn contains(&self, cell: u16) -> bool {
        self.0.get(usize::from(cell / 64)).is_some_and(|bits| bits >> (cell % 64) & 1 == 1)
    }

    fn add_all(&mut self, other: &RelevantCells) {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
    }
}

/// A forced win.
#[derive(Clone, Copy, Debug)]
struct Win {
    /// The first move.
    cell: u16,
    relevant: RelevantCells,
    /// The number of the winner's marks until the end.
    marks: u8,
}

/// How long a forced win may be.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// The most marks of the attacker.
    marks: u8,
    /// The most marks that leave the defender more than one reply.
    quiet_marks: u8,
}

/// A search for forced wins.
struct ThreatSearch {
    /// The number of marks tried so far.
    nodes: u64,
    /// The number of marks after which the search gives up.
    max_nodes: u64,
}

impl ThreatSearch {
    /// Returns the shortest forced win of the side to move.
    fn shortest_win(&mut self, board: &mut SearchBoard, budget: Budget) -> Option<Win> {
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
fn relevant_replies(board: &SearchBoard, relevant: &RelevantCells) -> Vec<u16> {
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
