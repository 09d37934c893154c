//! The font of PNG files, which also says how much room a text needs elsewhere.

use std::sync::LazyLock;

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, OutlineBuilder};

/// DejaVu Sans with the letters that names of runs may have; see `font/LICENSE`.
static BYTES: &[u8] = include_bytes!("../font/sans.ttf");

static FACE: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(BYTES, 0).ok());

/// The width of a text in pixels, if its letters are so high.
pub fn width(text: &str, size: f64) -> f64 {
    let Some(face) = FACE.as_ref() else { return 0.6 * size * text.chars().count() as f64 };
    let units: f64 = text.chars().map(|letter| advance(face, letter)).sum();
    units * size / f64::from(face.units_per_em())
}

/// The letters of a text whose baseline begins at a place; none if there is nothing to be seen.
pub fn outline(text: &str, (x, y): (f64, f64), size: f64) -> Option<Path> {
    let face = FACE.as_ref()?;
    let scale = size / f64::from(face.units_per_em());
    let mut pen = Pen { path: PathBuilder::new(), x, y, scale };
    for letter in text.chars() {
        if let Some(glyph) = face.glyph_index(letter).or_else(|| face.glyph_index('?')) {
            face.outline_glyph(glyph, &mut pen);
        }
        pen.x += advance(face, letter) * scale;
    }
    pen.path.finish()
}

/// How far a letter takes the pen, in units of the font.
fn advance(face: &Face<'_>, letter: char) -> f64 {
    let glyph = face.glyph_index(letter).or_else(|| face.glyph_index('?'));
    f64::from(glyph.and_then(|glyph| face.glyph_hor_advance(glyph)).unwrap_or(0))
}

/// Follows the outline of a letter; fonts count upwards, pictures downwards.
struct Pen {
    path: PathBuilder,
    x: f64,
    y: f64,
    scale: f64,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        ((self.x + f64::from(x) * self.scale) as f32, (self.y - f64::from(y) * self.scale) as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_width_and_shape_also_those_that_the_font_lacks() {
        assert!(FACE.is_some());
        assert!(width("mm", 10.0) > width("ii", 10.0));
        assert!((width("loss", 20.0) - 2.0 * width("loss", 10.0)).abs() < 1e-9);
        for text in ["+0.5", "Πλακωτό", "тапа", "محبوسة"] {
            assert!(outline(text, (0.0, 20.0), 12.0).is_some() && width(text, 12.0) > 0.0, "{text}");
        }
        assert!(outline("", (0.0, 0.0), 12.0).is_none());
    }
}
