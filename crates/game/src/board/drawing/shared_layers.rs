//! What is the same in all drawings of a game, from one side of the board: it is drawn for the first one, and the others share it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::board::drawing::{Drawing, Layer, Shape};

/// The layers and the symbols that were drawn already, by their names. A name says all about what it names, as long as it is the
/// same game.
#[derive(Debug, Default)]
pub struct SharedLayers {
    layers: RefCell<HashMap<&'static str, Rc<Layer>>>,
    symbols: RefCell<HashMap<String, Rc<str>>>,
}

impl SharedLayers {
    /// Adds a layer on top of a drawing: its style and its shapes are asked for once.
    pub fn add_layer(&self, drawing: &mut Drawing, name: &'static str, make: &dyn Fn() -> (String, Vec<Shape>)) {
        let mut layers = self.layers.borrow_mut();
        let layer = layers.entry(name).or_insert_with(|| {
            let (style, shapes) = make();
            Rc::new(Layer { style, shapes })
        });
        drawing.layers.push(Rc::clone(layer));
    }

    /// Adds a symbol to a drawing, once: its line is asked for once.
    pub fn add_symbol(&self, drawing: &mut Drawing, id: &str, make: &dyn Fn() -> String) {
        let mut symbols = self.symbols.borrow_mut();
        if !symbols.contains_key(id) {
            symbols.insert(id.to_owned(), make().into());
        }
        if let Some(line) = symbols.get(id) {
            drawing.add_symbol(Rc::clone(line));
        }
    }
}
