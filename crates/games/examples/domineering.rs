//! Domineering: a complete game in one file.
//!
//! Two players place dominoes on a square board, one vertically and one horizontally. The first who can't place one
//! loses.

use game::board::ordinary_piece;
use game::{
    Board, DiceRules, Display, Ending, Engine, EngineMove, Explain, Form, Game, Grid, IllegalMove, Info, InvalidOption,
    InvalidState, Level, Notation, Options, Outcome, PaletteColor, ParseMoveError, PieceKind, PieceStyle, PositionJson,
    Rules, Seat, apply_move, cell, say, spans,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use games::{Limits, Random, SearchPosition, Tuning, search};

/// The number of rows and columns.
const SIZE: usize = 6;

const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::BLUE, kind: PieceKind { name: "upright", letter: 'U', form: Form::Disc } },
    PieceStyle { color: PaletteColor::RED, kind: PieceKind { name: "flat", letter: 'F', form: Form::Disc } },
];

/// The settings of a game: there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "DomineeringConfig")]
pub struct Config {}

/// A domino that covers a cell and the one below it (upright) or to its right (flat).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "DomineeringMove")]
pub struct Move {
    /// The upper or left cell, from 0 at the top left, row by row.
    pub cell: usize,
}

/// A position: the upper or left cells of the dominoes, in the order they were placed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Domineering {
    laid: Vec<usize>,
}

/// Returns the two cells of a domino, or `None` if it is off the board.
fn covered_cells(seat: Seat, cell: usize) -> Option<[usize; 2]> {
    match seat {
        Seat::First if cell < SIZE * (SIZE - 1) => Some([cell, cell + SIZE]),
        Seat::Second if cell < SIZE * SIZE && cell % SIZE < SIZE - 1 => Some([cell, cell + 1]),
        _ => None,
    }
}

impl Domineering {
    /// Returns the owner of the domino on each cell.
    fn cells(&self) -> Vec<Option<Seat>> {
        let mut cells = vec![None; SIZE * SIZE];
        for (cell, seat) in self.laid.iter().zip(Seat::BOTH.into_iter().cycle()) {
            for covered in covered_cells(seat, *cell).into_iter().flatten() {
                cells[covered] = Some(seat);
            }
        }
        cells
    }

    /// Returns the cells where a side has room for a domino.
    fn room(&self, seat: Seat) -> Vec<usize> {
        let cells = self.cells();
        let are_free = |covered: [usize; 2]| covered.iter().all(|cell| cells[*cell].is_none());
        (0..SIZE * SIZE).filter(|cell| covered_cells(seat, *cell).is_some_and(are_free)).collect()
    }
}

impl Game for Domineering {
    const INFO: Info = Info {
        name: "domineering",
        title: "Domineering",
        aliases: &["crosscram"],
        seats: ["upright", "flat"],
        tagline: "lay dominoes",
        summary: "Lay dominoes on a board, one side upright and the other flat; the first to find no room loses.",
        details: "Upright moves first. A domino covers two cells that touch.",
        moves: spans!("The upper or left cell of the domino, column letter and row number: `b4`."),
        numbers: &[],
        options: &[],
        verbs: &[],
        variants: &[],
    };

    fn configure(_options: &mut Options) -> Result<Config, InvalidOption> {
        Ok(Config {})
    }
}

impl Rules for Domineering {
    type Config = Config;
    type Move = Move;

    fn start(_config: &Config) -> Result<Domineering, InvalidState> {
        Ok(Domineering::default())
    }

    fn side_to_move(&self) -> Seat {
        Seat::BOTH[self.laid.len() % 2]
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.room(self.side_to_move()).into_iter().map(|cell| Move { cell }).collect()
    }

    fn play(&self, mv: &Move) -> Domineering {
        Domineering { laid: self.laid.iter().copied().chain([mv.cell]).collect() }
    }

    fn ending(&self) -> Option<Ending> {
        if !self.legal_moves().is_empty() {
            return None;
        }
        let outcome = Outcome::Won(self.side_to_move().other());
        Some(Ending { outcome, reason: Some("there is no room for another domino".into()) })
    }
}

impl DiceRules for Domineering {}

impl Notation for Domineering {
    fn notation(&self, mv: &Move) -> String {
        cell::name(mv.cell, SIZE, SIZE)
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        cell::parse(text, SIZE, SIZE).map(|cell| Move { cell })
    }
}

impl Explain for Domineering {
    fn why_illegal(&self, mv: &Move) -> IllegalMove {
        let message = format!("There is no room for a domino at cell {}", mv.cell);
        let side = Self::INFO.seats[self.side_to_move().index()];
        let explanation = say!("No {side} domino has room at `{cell}`", cell = self.notation(mv));
        IllegalMove::new("NO_ROOM", message, json!({ "cell": mv.cell })).explained(explanation)
    }
}

impl Display for Domineering {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let mover = self.side_to_move().other();
        let cells = self.cells().into_iter().map(|seat| Some(ordinary_piece(&STYLES, seat?))).collect();
        let last_move = last.and_then(|mv| covered_cells(mover, mv.cell)).into_iter().flatten().collect();
        Box::new(Grid { last_move, ..Grid::new(SIZE, cells, STYLES) })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        Some(mv.cell)
    }
}

impl Engine for Domineering {
    const ENGINE_VERSION: u32 = 1;

    type Memory = ();

    fn choose(&self, level: Level, seed: u64) -> Option<EngineMove<Move>> {
        let number = level.number();
        let limits = Limits { nodes: 1_000 << number, depth: number.into(), margin: 8 - i32::from(number) };
        let (mut board, mut moves, mut random) = (SearchBoard(self.clone()), Vec::new(), Random::new(seed));
        board.moves(&mut moves);
        let result = search(&mut board, moves, limits, &mut random);
        let (cell, score) = result.pick(limits.margin, &mut random)?;
        Some(EngineMove { mv: Move { cell }, nodes: result.nodes, score })
    }
}

/// A position in the computer's search. A move is the upper or left cell of a domino.
struct SearchBoard(Domineering);

impl SearchPosition for SearchBoard {
    type Move = usize;
    type Undo = Domineering;

    const TUNING: Tuning = Tuning::without_lmr(SIZE * SIZE);

    fn moves(&self, found: &mut Vec<usize>) {
        found.extend(self.0.room(self.0.side_to_move()));
    }

    fn history_slot(cell: usize) -> usize {
        cell
    }

    fn play(&mut self, cell: usize) -> Domineering {
        let next = self.0.play(&Move { cell });
        std::mem::replace(&mut self.0, next)
    }

    fn undo(&mut self, before: Domineering) {
        self.0 = before;
    }

    fn game_result(&self) -> Option<i32> {
        if self.0.room(self.0.side_to_move()).is_empty() { Some(-1) } else { None }
    }

    fn evaluate(&self) -> i32 {
        let room = |seat: Seat| self.0.room(seat).len() as i32;
        room(self.0.side_to_move()) - room(self.0.side_to_move().other())
    }

    fn key(&self) -> u64 {
        // The covered cells also tell whose turn it is.
        let bit = |(cell, seat): (usize, &Option<Seat>)| if seat.is_some() { 1 << cell } else { 0 };
        Random::new(self.0.cells().iter().enumerate().map(bit).sum()).next_u64()
    }
}

impl PositionJson for Domineering {
    type Position = Domineering;

    fn from_position(config: &Config, position: &Domineering) -> Result<Domineering, InvalidState> {
        let play = |game, cell: &usize| apply_move(&game, &Move { cell: *cell });
        let game = position.laid.iter().try_fold(Domineering::start(config)?, play);
        game.map_err(|illegal| InvalidState::new("laid", illegal.message))
    }

    fn position(&self) -> Domineering {
        self.clone()
    }
}

fn main() {
    #![allow(clippy::print_stdout)]
    let mut game = Domineering::default();
    while let Some(EngineMove { mv, .. }) = game.choose(Level::EASY, 1) {
        let next = game.play(&mv);
        println!(
            "{} plays {}\n{}\n",
            Domineering::INFO.side_name(game.side_to_move()),
            game.notation(&mv),
            next.board(Some(&mv)).text().plain()
        );
        game = next;
    }
    println!("{} loses: there is no room for another domino.", Domineering::INFO.side_name(game.side_to_move()));
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use game::{
        Board, Display, Engine, Game, Level, Notation, PieceStyle, Rules, Seat, SharedLayers, check_json,
        check_parsing, play_out, sample_caption,
    };
    use serde_json::json;

    use super::{Config, Domineering, SIZE, STYLES};

    /// Returns the board after an upright domino on a6 and a5, and a flat one on b6 and c6.
    fn board_after_two() -> Box<dyn Board> {
        let start = Domineering::default();
        let [first, second] = ["a6", "b6"].map(|text| start.parse_move(text).unwrap());
        start.play(&first).play(&second).board(Some(&second))
    }

    #[test]
    fn passes_the_conformance_checks() {
        for seed in 0..3 {
            let mut state = seed;
            play_out::<Domineering>(&Config {}, &mut |count| {
                state += 7;
                state % count
            });
        }
        for text in ["b4", "B 4!", "a7", "z9", ""] {
            check_parsing::<Domineering>(text);
        }
        for laid in [[0, 0], [0, 99]] {
            check_json::<Domineering>(&json!({ "laid": laid }));
        }
    }

    #[test]
    fn matches_perft_counted_by_hand() {
        assert_eq!([1, 2, 3].map(|depth| Domineering::default().perft(depth)), [30, 800, 19_360]);
    }

    #[test]
    fn text_and_description_name_the_owner_of_each_cell() {
        let board = board_after_two();
        expect![[r#"
            6  U (F)(F) .  .  .
            5  U  .  .  .  .  .
            4  .  .  .  .  .  .
            3  .  .  .  .  .  .
            2  .  .  .  .  .  .
            1  .  .  .  .  .  .
               a  b  c  d  e  f
            Upright is U, Flat is F"#]]
        .assert_eq(&board.text().plain());
        expect![["6 by 6 cells; upright on a6, a5; flat on b6, c6; 32 cells free; the last moves are b6, c6."]]
            .assert_eq(&board.description());
        let [blue, red] = STYLES.map(|style| style.color.ansi_code);
        let colored = board.text().colored();
        assert!(colored.contains(&format!("\u{1b}[{blue}m U ")) && colored.contains(&format!("\u{1b}[1;{red}m(F)")));
    }

    #[test]
    fn drawing_uses_the_colors_of_the_seats() {
        let caption = sample_caption(Domineering::INFO.seats);
        let svg = board_after_two().drawing(&caption, &SharedLayers::default()).to_svg("Domineering");
        let symbol = |letter: char| {
            let begin = svg.find(&format!("<g id=\"{letter}\"><circle ")).expect("each seat's disc is a symbol");
            svg[begin..].lines().next().unwrap()
        };
        for PieceStyle { color, kind } in STYLES {
            let drawn = symbol(kind.letter);
            assert!(drawn.contains(color.fill) && drawn.contains(color.stroke), "{drawn}");
            assert!(svg.contains(&format!(">{}<", kind.name)), "the margin names the seat");
            assert_eq!(svg.matches(&format!("href=\"#{}\"", kind.letter)).count(), 2);
        }
        // Discs differ in shape, too, not only in color.
        assert_ne!(symbol('U').matches("<circle").count(), symbol('F').matches("<circle").count());
    }

    #[test]
    fn tiles_name_their_cells_and_rows() {
        let tiles = board_after_two().tile_board(&|cell| cell == 12).unwrap();
        assert_eq!(tiles.rows.len(), SIZE + 1, "the letters are below");
        let words = |cell: usize| {
            let all = || tiles.rows.iter().flat_map(|row| &row.tiles);
            all().find(|tile| tile.cell == Some(cell)).unwrap().alt_text.as_str()
        };
        assert_eq!([0, 6, 1, 12].map(words), ["a6: upright", "a5: upright", "b6: flat, last move", "a4: free"]);
        let row = |cell: usize| tiles.row_of(cell).and_then(|row| row.name.as_deref());
        assert_eq!([0, 6, 35, 36].map(row), [Some("Row 6"), Some("Row 5"), Some("Row 1"), None]);
    }

    /// On six by six, the first player wins with good play (Breuker, Uiterwijk and van den Herik, "Solving 8×8 Domineering", 2000).
    #[test]
    fn the_computer_wins_a_won_game() {
        let mut game = Domineering::default();
        while game.ending().is_none() {
            game = game.play(&game.choose(Level::HARD, 1).unwrap().mv);
        }
        assert_eq!(game.side_to_move(), Seat::Second, "flat can't move");
        assert_eq!(game.choose(Level::MAX, 1), None);
    }
}
