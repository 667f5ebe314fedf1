//! Layers and symbols that all drawings of a game share.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::board::drawing::{Drawing, Layer, Shape};

/// A cache of layers and symbols by name. Use one for each game and viewer, so that equal names mean equal content.
#[derive(Debug, Default)]
pub struct SharedLayers {
    layers: RefCell<HashMap<&'static str, Rc<Layer>>>,
    symbols: RefCell<HashMap<String, Rc<str>>>,
}

impl SharedLayers {
    /// Adds a layer on top of a drawing. Calls `make` for its style and shapes only the first time.
    pub fn add_layer(&self, drawing: &mut Drawing, name: &'static str, make: &dyn Fn() -> (String, Vec<Shape>)) {
        let mut layers = self.layers.borrow_mut();
        let layer = layers.entry(name).or_insert_with(|| {
            let (style, shapes) = make();
            Rc::new(Layer { style, shapes })
        });
        drawing.layers.push(Rc::clone(layer));
    }

    /// Adds a symbol to a drawing, unless it has the symbol already. Calls `make` only the first time.
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
