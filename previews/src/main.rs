//! The program once more, and it can paint: `site` puts a PNG beside each board, which chats show under a link.

use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};

/// The width of a picture, in pixels: enough for a phone of today, and far below what any chat refuses.
const WIDTH: f32 = 800.0;
/// Fonts without serifs that are found on machines, the best first.
const FONTS: [&str; 8] =
    ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Ubuntu", "Open Sans", "Arial", "Helvetica", "Segoe UI"];

fn main() -> ExitCode {
    // Only a site asks for them.
    let options = LazyLock::new(options);
    play_by_commit::cli::program::main(Some(&|svg| paint(svg, &options)))
}

/// Returns what drawings are read with: the fonts of this machine. Without any a board has no words around it.
fn options() -> Options<'static> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let known = |name: &&&str| fonts.query(&Query { families: &[Family::Name(name)], ..Query::default() }).is_some();
    let any = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
    if let Some(name) = FONTS.iter().find(known).map(|name| (*name).to_owned()).or_else(any) {
        fonts.set_sans_serif_family(name);
    }
    Options { fontdb: Arc::new(fonts), ..Options::default() }
}

/// Returns an SVG file as a PNG file.
///
/// # Errors
/// It is no SVG, or has no size.
fn paint(svg: &str, options: &Options) -> Result<Vec<u8>> {
    // What paints drops a space with which a span begins; one that does not break stays.
    let tree = Tree::from_str(&svg.replace("\"> ", "\">\u{a0}"), options)?;
    let scale = WIDTH / tree.size().width();
    let size = tree.size().to_int_size().scale_by(scale).context("it has no size")?;
    let mut picture = Pixmap::new(size.width(), size.height()).context("it has no size")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    Ok(picture.encode_png()?)
}
