//! A complete game in this file: red and yellow drop discs into four columns, and four in a row win.
//!
//! It tests that the shared code isn't tied to the games in the registry.

use game::board::ordinary_piece;
use game::{
    Board, BoardStyle, DiceRules, Display, Ending, Engine, EngineMove, Explain, Form, Game, Glyph, Grid, IllegalMove,
    Info, Ink, Interchange, InvalidOption, InvalidState, Level, Notation, Options, Outcome, PieceStyle, Rules, Seat,
    SharedLayers, play_out, sample_caption, spans,
};
use games::tic_tac_toe::lines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const SIZE: usize = 4;

const STYLES: [PieceStyle; 2] = [
    PieceStyle { ink: Ink::RED, glyph: Glyph { name: "red", letter: 'R', form: Form::Disc } },
    PieceStyle { ink: Ink::YELLOW, glyph: Glyph { name: "yellow", letter: 'Y', form: Form::Disc } },
];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Config {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Move {
    column: usize,
}

/// A position: the columns where the discs were dropped, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct DropFour {
    moves: Vec<usize>,
}

impl DropFour {
    /// Returns the cell where a disc lands; `None` if the column is full or off the board.
    fn landing_cell(&self, column: usize) -> Option<usize> {
        let height = self.moves.iter().filter(|dropped| **dropped == column).count();
        if height < SIZE && column < SIZE { Some((SIZE - 1 - height) * SIZE + column) } else { None }
    }

    fn cells(&self) -> Vec<Option<Seat>> {
        let mut cells = vec![None; SIZE * SIZE];
        let mut before = DropFour::default();
        for column in &self.moves {
            if let Some(cell) = before.landing_cell(*column) {
                cells[cell] = Some(before.side_to_move());
            }
            before = before.play(&Move { column: *column });
        }
        cells
    }
}

impl Game for DropFour {
    const INFO: Info = Info {
        name: "drop-four",
        title: "Drop four",
        aliases: &[],
        seats: ["red", "yellow"],
        tagline: "four in a row",
        summary: "Drop discs.",
        details: "",
        moves: spans!["The column."],
        numbers: &[],
        options: &[],
        verbs: &[],
        variants: &[],
    };

    fn configure(_options: &mut Options) -> Result<Config, InvalidOption> {
        Ok(Config {})
    }
}

impl Rules for DropFour {
    type Config = Config;
    type Move = Move;

    fn start(_config: &Config) -> Result<DropFour, InvalidState> {
        Ok(DropFour::default())
    }

    fn side_to_move(&self) -> Seat {
        Seat::BOTH[self.moves.len() % 2]
    }

    fn legal_moves(&self) -> Vec<Move> {
        let columns = if self.outcome().is_some() { 0 } else { SIZE };
        (0..columns).filter(|column| self.landing_cell(*column).is_some()).map(|column| Move { column }).collect()
    }

    fn play(&self, mv: &Move) -> DropFour {
        DropFour { moves: self.moves.iter().copied().chain([mv.column]).collect() }
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = if !self.winning_lines().is_empty() {
            Outcome::Won(self.side_to_move().other())
        } else if self.moves.len() == SIZE * SIZE {
            Outcome::Draw
        } else {
            return None;
        };
        Some(Ending { outcome, reason: None })
    }
}

impl DiceRules for DropFour {}

impl Notation for DropFour {
    fn notation(&self, mv: &Move) -> String {
        ["a", "b", "c", "d"][mv.column].to_owned()
    }
}

impl Explain for DropFour {
    fn illegality(&self, mv: &Move) -> IllegalMove {
        IllegalMove::new("FULL", format!("column {} is full", mv.column), serde_json::Value::Null)
    }
}

impl Display for DropFour {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let top_disc =
            |mv: &Move| (0..SIZE * SIZE).find(|cell| cell % SIZE == mv.column && self.cells()[*cell].is_some());
        Box::new(Grid {
            columns: SIZE,
            cells: self.cells().into_iter().map(|seat| Some(ordinary_piece(&STYLES, seat?))).collect(),
            styles: STYLES,
            last_move: last.and_then(top_disc).into_iter().collect(),
            changed: Vec::new(),
            lines: self.winning_lines(),
            style: BoardStyle::default(),
        })
    }

    fn target_cell(&self, mv: &Move) -> Option<usize> {
        self.landing_cell(mv.column)
    }

    fn winning_lines(&self) -> Vec<Vec<usize>> {
        let cells = self.cells();
        lines::completed_lines(SIZE, SIZE, |cell| cells[cell])
    }
}

impl Engine for DropFour {
    const ENGINE_VERSION: u32 = 1;

    type Memory = ();

    fn choose(&self, _level: Level, _seed: u64) -> Option<EngineMove<Self::Move>> {
        Some(EngineMove { mv: self.legal_moves().into_iter().next()?, nodes: 1, score: 0 })
    }
}

impl Interchange for DropFour {
    type Position = DropFour;

    fn from_position(_config: &Config, position: &DropFour) -> Result<DropFour, InvalidState> {
        Ok(position.clone())
    }

    fn position(&self) -> DropFour {
        self.clone()
    }
}

fn board_after(moves: &str) -> Box<dyn Board> {
    let moves: Vec<usize> = moves.bytes().map(|column| usize::from(column - b'a')).collect();
    let last = moves.last().map(|column| Move { column: *column });
    DropFour { moves }.board(last.as_ref())
}

#[test]
fn passes_the_conformance_checks() {
    for seed in 0..20 {
        let mut state = seed;
        play_out::<DropFour>(&Config {}, &mut |count| {
            state = (state * 5 + 3) % 64;
            state / 3 % count
        });
    }
}

#[test]
fn text_and_description_name_the_owner_of_each_disc() {
    expect_test::expect![[r#"
        4  .  .  .  .
        3  .  .  .  .
        2 (R) .  .  .
        1  R  Y  .  .
           a  b  c  d
        Red is R, Yellow is Y"#]]
    .assert_eq(&board_after("aba").text().plain());
    assert!(board_after("abacada").text().plain().starts_with("4 [R]"), "a column of four is a completed line");
    let colored = board_after("ab").text().colored();
    let [red, yellow] = STYLES.map(|style| style.ink.ansi_code);
    assert!(colored.contains(&format!("\u{1b}[{red}m R ")) && colored.contains(&format!("\u{1b}[1;{yellow}m(Y)")));
    expect_test::expect![["4 by 4 cells; red on a2, a1; yellow on b1; 13 cells free; the last move is a2."]]
        .assert_eq(&board_after("aba").description());
}

#[test]
fn drawing_uses_the_colors_of_the_seats() {
    let svg =
        board_after("aba").drawing(&sample_caption(DropFour::INFO.seats), &SharedLayers::default()).to_svg("Drop four");
    for PieceStyle { ink, glyph } in STYLES {
        let begin = svg.find(&format!("<g id=\"{}\"><circle ", glyph.letter)).expect("each seat's disc is a symbol");
        let symbol = svg[begin..].lines().next().unwrap();
        assert!(symbol.contains(ink.fill) && symbol.contains(ink.stroke), "{symbol}");
        assert!(svg.contains(&format!(">{}<", glyph.name)), "the margin names the seat");
    }
    assert_eq!([svg.matches("href=\"#R\"").count(), svg.matches("href=\"#Y\"").count()], [2, 1]);
    // Discs differ in shape, too, not only in color.
    let circles = |letter: char| {
        let begin = svg.find(&format!("<g id=\"{letter}\">")).unwrap();
        svg[begin..].lines().next().unwrap().matches("<circle").count()
    };
    assert_ne!(circles('R'), circles('Y'));
}

#[test]
fn maps_moves_to_the_landing_cell() {
    let game = DropFour { moves: vec![0, 1, 0] };
    let cells: Vec<Option<usize>> = game.legal_moves().iter().map(|mv| game.target_cell(mv)).collect();
    assert_eq!(cells, [Some(4), Some(9), Some(14), Some(15)]);
    let mosaic = game.board(Some(&Move { column: 0 })).tile_board(&|cell| cells.contains(&Some(cell))).unwrap();
    assert_eq!(mosaic.rows.len(), SIZE + 1, "the letters are below");
    let words = |cell: usize| {
        let tiles = || mosaic.rows.iter().flat_map(|row| &row.tiles);
        tiles().find(|tile| tile.cell == Some(cell)).unwrap().alt_text.as_str()
    };
    assert_eq!([8, 12, 13, 4].map(words), ["a2: red, last move", "a1: red", "b1: yellow", "a3: free"]);
    let row = |cell: usize| mosaic.row_of(cell).and_then(|row| row.name.as_deref());
    assert_eq!([0, 4, 15, 16].map(row), [Some("Row 4"), Some("Row 3"), Some("Row 1"), None]);
}
