//! The settings of a game, its state, and the rules that end it.

use std::borrow::Cow;

use cozy_chess::{BitBoard, Board, Color, Move as RawMove, Piece, Square};
use game::{
    DiceRules, Ending, InvalidOption, InvalidState, OptionInfo, Options, Outcome, Phrase, PositionJson, Rules, Seat,
    say, spans, take_switch,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::chess::fen::{Fen, without_unusable_en_passant};
use crate::chess::notation::{to_color, to_seat};
use crate::chess::{Move, fen};
use crate::orientation::Orientation;

/// The light squares.
pub(super) const LIGHT_SQUARES: BitBoard = BitBoard(0x55aa_55aa_55aa_55aa);
/// Plies without a capture or pawn move after which a player may claim a draw (fifty-move rule).
const FIFTY_MOVE_PLIES: u16 = 100;
/// Plies without a capture or pawn move after which the game is drawn (seventy-five-move rule).
const SEVENTY_FIVE_MOVE_PLIES: u16 = 150;
/// Occurrences of a position that allow a player to claim a draw.
const THREEFOLD: usize = 3;
/// Occurrences of a position that end the game in a draw.
const FIVEFOLD: usize = 5;
/// The number of earlier positions to keep. With more, a player can claim a draw anyway.
const MAX_EARLIER: usize = SEVENTY_FIVE_MOVE_PLIES as usize;

/// A position, with the earlier positions that may repeat.
#[derive(Clone, Debug, PartialEq)]
pub struct Chess {
    /// The board. Its en passant square is set only if an en passant capture is legal.
    pub(super) board: Board,
    /// Plies since the last capture or pawn move.
    pub(super) halfmove_clock: u16,
    /// The positions since the last irreversible move, oldest first.
    pub(super) earlier: Vec<Board>,
    /// The settings.
    pub(super) config: GameConfig,
    /// The number of pieces in the starting position, by color and kind.
    pub(super) initial_pieces: [[u32; Piece::NUM]; 2],
    /// Why the game is over; `None` while it is in progress.
    pub(super) end_reason: Option<EndReason>,
}

/// The ways a game can end on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndReason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move isn't in check and has no legal move.
    Stalemate,
    /// Neither side has enough material to checkmate.
    InsufficientMaterial,
    /// The position occurred for the fifth time.
    FivefoldRepetition,
    /// Each side made 75 moves without a capture or pawn move.
    SeventyFiveMoves,
}

impl EndReason {
    /// Returns the reason as a short phrase.
    pub(super) fn describe(self) -> &'static str {
        match self {
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::InsufficientMaterial => "insufficient material",
            EndReason::FivefoldRepetition => "fivefold repetition",
            EndReason::SeventyFiveMoves => "75 moves without a capture or a pawn move",
        }
    }
}

impl Chess {
    /// Returns the legal moves, sorted by piece kind (pawns first), then by square.
    pub(super) fn legal_raw_moves(&self) -> Vec<RawMove> {
        let mut moves = Vec::with_capacity(48);
        if self.end_reason.is_none() {
            self.board.generate_moves(|piece_moves| {
                moves.extend(piece_moves);
                false
            });
            let sort_key = |mv: &RawMove| {
                // The strongest promotion comes first.
                (self.board.piece_on(mv.from), mv.from, mv.to, std::cmp::Reverse(mv.promotion))
            };
            moves.sort_unstable_by_key(sort_key);
        }
        moves
    }

    /// Returns the position with `end_reason` filled in.
    fn with_outcome(mut self) -> Chess {
        let has_moves = self.board.generate_moves(|_| true);
        let draws_by_itself = !self.config.claimed_draws;
        self.end_reason = if !has_moves && !self.board.checkers().is_empty() {
            Some(EndReason::Checkmate)
        } else if draws_by_itself && is_insufficient_material(&self.board) {
            Some(EndReason::InsufficientMaterial)
        } else if !has_moves {
            Some(EndReason::Stalemate)
        } else if !draws_by_itself {
            None
        } else if self.halfmove_clock >= SEVENTY_FIVE_MOVE_PLIES {
            Some(EndReason::SeventyFiveMoves)
        } else if self.count_repetitions() >= FIVEFOLD {
            Some(EndReason::FivefoldRepetition)
        } else {
            None
        };
        self
    }

    /// Whether the game is a draw that a player would have to claim with [`GameConfig::claimed_draws`].
    pub fn is_drawn_by_itself(&self) -> bool {
        use EndReason::{FivefoldRepetition, InsufficientMaterial, SeventyFiveMoves};
        matches!(self.end_reason, Some(InsufficientMaterial | FivefoldRepetition | SeventyFiveMoves))
    }

    /// Returns how often this position has occurred, including now.
    fn count_repetitions(&self) -> usize {
        // A position can repeat after two moves by each side at the earliest, with the same side to move.
        let candidates = self.earlier.iter().rev().skip(3).step_by(2);
        1 + candidates.filter(|board| is_same_position(board, &self.board)).count()
    }

    /// Returns the square of the side to move's king if it is in check.
    pub(super) fn checked_king(&self) -> Option<Square> {
        if self.board.checkers().is_empty() {
            return None;
        }
        Some(self.board.king(self.board.side_to_move()))
    }
}

impl Rules for Chess {
    type Config = GameConfig;
    type Move = Move;

    fn start(config: &GameConfig) -> Result<Chess, InvalidState> {
        let Fen { board, halfmove_clock } = config.initial_position()?;
        let count = |color: Color| Piece::ALL.map(|piece| board.colored_pieces(color, piece).len());
        let initial_pieces = [count(Color::White), count(Color::Black)];
        let config = config.clone();
        let game = Chess { board, halfmove_clock, earlier: Vec::new(), config, initial_pieces, end_reason: None };
        let game = game.with_outcome();
        if let Some(reason) = game.end_reason {
            let message = format!("Invalid fen: the game is already over in this position: {}", reason.describe());
            return Err(InvalidState::new("fen", message));
        }
        Ok(game)
    }

    fn side_to_move(&self) -> Seat {
        to_seat(self.board.side_to_move())
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.legal_raw_moves().into_iter().map(Move::from).collect()
    }

    fn play(&self, mv: &Move) -> Chess {
        let mut board = self.board.clone();
        // Callers play only legal moves; ignore anything else.
        if board.try_play(mv.uci.0).is_err() {
            return self.clone();
        }
        let board = without_unusable_en_passant(board);
        let keeps_rights =
            Color::ALL.into_iter().all(|color| self.board.castle_rights(color) == board.castle_rights(color));
        let halfmove_clock = if board.halfmove_clock() == 0 { 0 } else { self.halfmove_clock.saturating_add(1) };
        let mut earlier = Vec::new();
        if halfmove_clock > 0 && keeps_rights {
            let kept = &self.earlier[(self.earlier.len() + 1).saturating_sub(MAX_EARLIER)..];
            earlier.reserve_exact(kept.len() + 1);
            earlier.extend_from_slice(kept);
            earlier.push(self.board.clone());
        }
        let (config, initial_pieces) = (self.config.clone(), self.initial_pieces);
        Chess { board, halfmove_clock, earlier, config, initial_pieces, end_reason: None }.with_outcome()
    }

    fn ending(&self) -> Option<Ending> {
        let reason = self.end_reason?.describe();
        Some(Ending { outcome: self.outcome()?, reason: Some(reason.into()) })
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.end_reason? {
            EndReason::Checkmate => Some(Outcome::Won(to_seat(!self.board.side_to_move()))),
            _ => Some(Outcome::Draw),
        }
    }

    fn claimable_draw(&self) -> Option<Cow<'static, str>> {
        Some(match draw_claim(self)? {
            DrawClaim::Threefold => "threefold repetition".into(),
            DrawClaim::FiftyMoves => "50 moves without a capture or a pawn move".into(),
            DrawClaim::Material => "insufficient material".into(),
        })
    }

    /// Judges by material, as lichess does for FIDE's rule on time (article 6.9). It doesn't look for blocked positions.
    fn can_win(&self, seat: Seat) -> bool {
        has_mating_material(&self.board, to_color(seat))
    }

    /// Ignores draws, as published perft results do.
    fn perft(&self, depth: u32) -> u64 {
        perft(&self.board, depth)
    }
}

/// A rule that lets either player claim a draw.
pub(super) enum DrawClaim {
    Threefold,
    FiftyMoves,
    Material,
}

/// Returns the rule that lets either player claim a draw now.
pub(super) fn draw_claim(game: &Chess) -> Option<DrawClaim> {
    if game.end_reason.is_some() {
        None
    } else if game.count_repetitions() >= THREEFOLD {
        Some(DrawClaim::Threefold)
    } else if game.halfmove_clock >= FIFTY_MOVE_PLIES {
        Some(DrawClaim::FiftyMoves)
    } else if is_insufficient_material(&game.board) {
        Some(DrawClaim::Material)
    } else {
        None
    }
}

impl DiceRules for Chess {}

/// Whether two boards have the same pieces, side to move, castling rights and en passant square.
fn is_same_position(one: &Board, other: &Board) -> bool {
    one.hash() == other.hash() && one.same_position(other)
}

/// Whether neither side can checkmate by any sequence of moves, judging by material: bare kings, a single knight, or
/// only bishops on squares of one color.
pub(super) fn is_insufficient_material(board: &Board) -> bool {
    let kings = board.pieces(Piece::King);
    let [knights, bishops] = [Piece::Knight, Piece::Bishop].map(|piece| board.pieces(piece));
    if board.occupied() != kings | knights | bishops {
        return false;
    }
    if bishops.is_empty() {
        return knights.len() <= 1;
    }
    knights.is_empty() && (bishops.is_subset(LIGHT_SQUARES) || bishops.is_disjoint(LIGHT_SQUARES))
}

/// Whether a side could mate by some sequence of moves, judging by material.
///
/// A lone knight needs a piece of the opponent's, other than a queen, to block their king. Bishops on squares of one color
/// need a knight, a pawn, or a bishop on the other color.
fn has_mating_material(board: &Board, color: Color) -> bool {
    let (own, other) = (board.colors(color), board.colors(!color));
    let [kings, queens, rooks, pawns, knights, bishops] =
        [Piece::King, Piece::Queen, Piece::Rook, Piece::Pawn, Piece::Knight, Piece::Bishop]
            .map(|piece| board.pieces(piece));
    if !(own & (queens | rooks | pawns)).is_empty() {
        return true;
    }
    if !(own & knights).is_empty() {
        return own.len() > 2 || !(other & !(kings | queens)).is_empty();
    }
    if !(own & bishops).is_empty() {
        let on_one_color = bishops.is_subset(LIGHT_SQUARES) || bishops.is_disjoint(LIGHT_SQUARES);
        return !on_one_color || !(knights | pawns).is_empty();
    }
    false
}

/// Counts the leaf positions at `depth`. The last ply is counted without playing its moves.
fn perft(board: &Board, depth: u32) -> u64 {
    let mut count = 0;
    match depth {
        0 => return 1,
        1 => {
            board.generate_moves(|moves| {
                count += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    count += perft(&child, depth - 1);
                }
                false
            });
        }
    }
    count
}

// The settings of a game: the starting position and how the board is shown.

/// The number of Chess960 starting positions.
pub(super) const CHESS960_SETUPS: u16 = 960;

/// The `/new` option for the starting position.
pub(super) const FEN: OptionInfo = OptionInfo {
    key: "fen",
    aliases: &["position"],
    description: spans!(
        "starts from this position, with underscores instead of spaces: `fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1` (not \
         rated)"
    ),
};

/// The `/new` option for a Chess960 starting position.
pub(super) const CHESS960: OptionInfo = OptionInfo {
    key: "chess960",
    aliases: &["fischerandom", "fischer-random"],
    description: spans!(
        "`chess960=random` starts from a random Chess960 position, `chess960=0` to `chess960=959` from the one with \
         that number (not rated)"
    ),
};

/// The `/new` option for figurines on text boards.
pub(super) const FIGURINES: OptionInfo = OptionInfo {
    key: "figurines",
    aliases: &["figurine"],
    description: spans!("`figurines=on` shows ♔♕♖♗♘♙ instead of letters on text boards"),
};

/// The settings of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "ChessConfig")]
pub struct GameConfig {
    /// The number of the Chess960 starting position, 0 to 959; 518 is the standard one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<u16>,
    /// Whether a player chose that number. A random position omits this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chosen: bool,
    /// The starting position, as FEN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Whether players have to claim draws by repetition, by the number of moves, and by material. An import sets this
    /// if the game continued after such a draw, as games before 2014 did.
    #[serde(rename = "claimedDraws", skip_serializing_if = "std::ops::Not::not")]
    pub claimed_draws: bool,
    /// The side that the board is shown from; white if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Orientation>,
    /// Whether text boards show figurines instead of letters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub figurines: bool,
}

impl GameConfig {
    /// Takes the options of this game from a `/new` command. It doesn't check that the game isn't over at the start.
    ///
    /// # Errors
    /// Returns an error if an option has an invalid value.
    pub(super) fn from_options(options: &mut Options) -> Result<GameConfig, InvalidOption> {
        let fen = parse_fen(options)?;
        let (chess960, chosen) =
            parse_chess960(options)?.map_or((None, false), |(number, chosen)| (Some(number), chosen));
        if fen.is_some() && chess960.is_some() {
            let message = say!("`fen` already sets up every piece, so leave out `chess960`.");
            return Err(InvalidOption { key: FEN.key, message });
        }
        let view = Orientation::take(options)?;
        let figurines = take_switch(options, &FIGURINES)?.unwrap_or(false);
        Ok(GameConfig { chess960, chosen, fen, claimed_draws: false, view, figurines })
    }

    /// Returns the seat that the board is shown from.
    pub(super) fn viewer(&self, side_to_move: Seat) -> Seat {
        match self.view {
            None | Some(Orientation::White) => Seat::First,
            Some(Orientation::Black) => Seat::Second,
            Some(Orientation::Turn) => side_to_move,
        }
    }

    /// Returns the starting position.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid or if two settings exclude each other.
    pub(super) fn initial_position(&self) -> Result<Fen, InvalidState> {
        match (&self.fen, self.chess960) {
            (Some(_), Some(_)) => Err(InvalidState::new("fen", "Invalid fen: it can't be combined with chess960")),
            (Some(text), None) => {
                fen::parse(text).map_err(|problem| InvalidState::new("fen", format!("Invalid fen: {problem}")))
            }
            (None, Some(number)) if number >= CHESS960_SETUPS => Err(InvalidState::new(
                "chess960",
                format!("Invalid chess960: {number}. Expected 0 to {}", CHESS960_SETUPS - 1),
            )),
            (None, Some(number)) => Ok(Fen { board: Board::chess960_startpos(number.into()), halfmove_clock: 0 }),
            (None, None) => Ok(Fen { board: Board::startpos(), halfmove_clock: 0 }),
        }
    }
}

/// Takes the starting position. An unquoted FEN may have left its other fields in `words`.
fn parse_fen(options: &mut Options) -> Result<Option<String>, InvalidOption> {
    let Some(mut text) = options.take(FEN.key, FEN.aliases) else { return Ok(None) };
    let side = options.words.iter().position(|word| matches!(word.as_str(), "w" | "b"));
    if let Some(side) = side
        && !text.contains(['_', ' '])
    {
        let end = options.words.len().min(side + 5);
        text = [text].into_iter().chain(options.words.drain(side..end)).collect::<Vec<_>>().join(" ");
    }
    match fen::parse(&text) {
        Ok(position) => Ok(Some(fen::format(&position))),
        Err(problem) => Err(bad_fen(&say!("`fen` isn't a valid position: {why}.", why = problem.to_string()))),
    }
}

/// Returns the error for an unusable starting position.
pub(super) fn bad_fen(problem: &Phrase) -> InvalidOption {
    let message = say!("{problem} For example, write `fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1`.");
    InvalidOption { key: FEN.key, message }
}

/// Takes the number of a Chess960 position, and whether the player chose it. A random number is derived from the seed
/// of the comment.
fn parse_chess960(options: &mut Options) -> Result<Option<(u16, bool)>, InvalidOption> {
    let is_key =
        |word: &String| [CHESS960.key].iter().chain(CHESS960.aliases).any(|key| word.eq_ignore_ascii_case(key));
    let bare_key = options.words.iter().position(is_key).map(|index| options.words.remove(index));
    let value = options.take(CHESS960.key, CHESS960.aliases).or(bare_key.map(|_| "random".to_owned()));
    let Some(value) = value else { return Ok(None) };
    let mut value = value.to_lowercase();
    let parse_number = |text: &String| text.parse().ok().filter(|number| *number < CHESS960_SETUPS);
    if matches!(value.as_str(), "random" | "on" | "yes" | "any") {
        // `chess960 17` means the same as `chess960=17`.
        let Some(index) = options.words.iter().position(|word| parse_number(word).is_some()) else {
            let number = u16::try_from(options.seed % u64::from(CHESS960_SETUPS)).ok();
            return Ok(number.map(|number| (number, false)));
        };
        value = options.words.remove(index);
    }
    match parse_number(&value) {
        Some(number) => Ok(Some((number, true))),
        None => {
            let most = CHESS960_SETUPS - 1;
            let message = say!("`chess960` has to be a number from 0 to {most}, or `chess960=random`.");
            Err(InvalidOption { key: CHESS960.key, message })
        }
    }
}

// The JSON format of positions.

/// A position, with the earlier positions that may repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ChessPosition")]
pub struct Position {
    /// The position as FEN. The en passant square is present only if an en passant capture is legal.
    pub fen: String,
    /// The positions since the last irreversible move, oldest first, as the first four fields of their FEN. They are
    /// used to count repetitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
}

impl PositionJson for Chess {
    type Position = Position;

    fn from_position(config: &GameConfig, position: &Position) -> Result<Chess, InvalidState> {
        let parse = |field: &str, text: &str| {
            fen::parse(text).map_err(|problem| InvalidState::new(field, format!("Invalid {field}: {problem}")))
        };
        let Fen { board, halfmove_clock } = parse("fen", &position.fen)?;
        if position.earlier.len() > MAX_EARLIER {
            return Err(InvalidState::new(
                "earlier",
                format!("Invalid earlier: it can have at most {MAX_EARLIER} entries"),
            ));
        }
        let earlier = position.earlier.iter().map(|text| Ok(parse("earlier", text)?.board));
        let earlier = earlier.collect::<Result<Vec<_>, InvalidState>>()?;
        Ok(Chess { board, halfmove_clock, earlier, ..Chess::start(config)? }.with_outcome())
    }

    fn position(&self) -> Position {
        Position { fen: current_fen(self), earlier: self.earlier.iter().map(fen::epd).collect() }
    }

    fn fen(&self) -> Option<String> {
        Some(current_fen(self))
    }

    fn position_after_json(&self, mv: &Move) -> Value {
        json!({ "fen": current_fen(&self.play(mv)) })
    }

    fn status_json(&self) -> Map<String, Value> {
        let check = ("check".to_owned(), self.checked_king().is_some().into());
        let ending = ("ending".to_owned(), self.end_reason.map(EndReason::describe).into());
        let can_win: Map<String, Value> = ["white", "black"]
            .into_iter()
            .zip(Seat::BOTH)
            .map(|(name, seat)| (name.to_owned(), self.can_win(seat).into()))
            .collect();
        let claimable_draw = ("claimableDraw".to_owned(), self.claimable_draw().into());
        [check, ending, claimable_draw, ("canWin".to_owned(), can_win.into())].into_iter().collect()
    }
}

fn current_fen(game: &Chess) -> String {
    fen::format(&Fen { board: game.board.clone(), halfmove_clock: game.halfmove_clock })
}
