//! Pictures (PNG) of boards, which chats show under a link. A feature of its own: the library that makes them is as large as the
//! whole program, and only a site needs it.

use anyhow::Result;

/// Makes a picture (PNG) of an SVG file.
pub type PngRenderer = fn(&str) -> Result<Vec<u8>>;

/// Returns the painter; `None` in a program without the feature `previews`.
pub fn png_renderer() -> Option<PngRenderer> {
    #[cfg(feature = "previews")]
    let painter: Option<Painter> = Some(paint::paint);
    #[cfg(not(feature = "previews"))]
    let painter = None;
    painter
}

#[cfg(feature = "previews")]
mod paint {
    use std::sync::{Arc, LazyLock};

    use anyhow::{Context, Result};
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::fontdb::{Database, Family, Query};
    use resvg::usvg::{Options, Tree};

    /// The width of a picture, in pixels: enough for a phone, and far below what any chat refuses.
    const WIDTH: f32 = 800.0;
    /// Common fonts without serifs, the best first.
    const FONTS: [&str; 8] =
        ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Ubuntu", "Open Sans", "Arial", "Helvetica", "Segoe UI"];

    /// The options for reading drawings, with this machine's fonts. Without any, a board has no words around it.
    static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let is_known =
            |name: &&str| fonts.query(&Query { families: &[Family::Name(name)], ..Query::default() }).is_some();
        let any = || fonts.faces().next().and_then(|face| Some(face.families.first()?.0.clone()));
        if let Some(name) = FONTS.into_iter().find(is_known).map(str::to_owned).or_else(any) {
            fonts.set_sans_serif_family(name);
        }
        Options { fontdb: Arc::new(fonts), ..Options::default() }
    });

    /// Returns an SVG file as a PNG file.
    ///
    /// # Errors
    /// Returns an error if it isn't an SVG file, or has no size.
    pub(super) fn paint(svg: &str) -> Result<Vec<u8>> {
        // The painter drops a space at the beginning of a span, but not one that doesn't break.
        let tree = Tree::from_str(&svg.replace("\"> ", "\">\u{a0}"), &OPTIONS)?;
        let scale = WIDTH / tree.size().width();
        let size = tree.size().to_int_size().scale_by(scale).context("it has no size")?;
        let mut picture = Pixmap::new(size.width(), size.height()).context("it has no size")?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
        Ok(picture.encode_png()?)
    }
}
