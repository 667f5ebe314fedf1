//! Preview images of boards (PNG), which chats show for a link.
//!
//! This is a Cargo feature because the renderer doubles the size of the program.

use anyhow::Result;

/// Renders an SVG file as a PNG file.
pub type PngRenderer = fn(&str) -> Result<Vec<u8>>;

/// Returns the renderer; `None` without the feature `previews`.
pub fn png_renderer() -> Option<PngRenderer> {
    #[cfg(feature = "previews")]
    let renderer: Option<PngRenderer> = Some(resvg_renderer::render_png);
    #[cfg(not(feature = "previews"))]
    let renderer = None;
    renderer
}

#[cfg(feature = "previews")]
mod resvg_renderer {
    use std::sync::{Arc, LazyLock};

    use anyhow::{Context, Result};
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::fontdb::{Database, Family, Query};
    use resvg::usvg::{Options, Tree};

    /// The width of an image, in pixels: enough for phones, and far below the limits of chats.
    const WIDTH: f32 = 800.0;
    /// Common sans-serif fonts, best first.
    const FONTS: [&str; 8] =
        ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Ubuntu", "Open Sans", "Arial", "Helvetica", "Segoe UI"];

    /// Parser options with the system's fonts. Without fonts, boards have no text.
    static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let is_known =
            |name: &&str| fonts.query(&Query { families: &[Family::Name(name)], ..Query::default() }).is_some();
        let any_font = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
        if let Some(name) = FONTS.into_iter().find(is_known).map(str::to_owned).or_else(any_font) {
            fonts.set_sans_serif_family(name);
        }
        Options { fontdb: Arc::new(fonts), ..Options::default() }
    });

    /// Renders an SVG file as a PNG file.
    ///
    /// # Errors
    /// Returns an error if it isn't a valid SVG file, or has no size.
    pub(super) fn render_png(svg: &str) -> Result<Vec<u8>> {
        // resvg drops a space at the start of a span, except a non-breaking one.
        let tree = Tree::from_str(&svg.replace("\"> ", "\">\u{a0}"), &OPTIONS)?;
        let scale = WIDTH / tree.size().width();
        let size = tree.size().to_int_size().scale_by(scale).context("it has no size")?;
        let mut pixmap = Pixmap::new(size.width(), size.height()).context("it has no size")?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        Ok(pixmap.encode_png()?)
    }
}
