//! Drawings as PNG.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use crate::MARK;
use crate::crc::crc32;
use crate::font;
use crate::scene::{Anchor, At, Ink, Scene, Shape, Theme};

/// Pixels of the picture for one of the drawing, so that it is sharp on fine screens.
const SCALE: f32 = 2.0;

/// The bytes of a PNG before its second chunk: the signature and the header.
const HEAD: usize = 33;

/// A PNG file, light, twice as many pixels wide and high as the drawing has.
pub fn file(scene: &Scene) -> Vec<u8> {
    let pixels = |length: f64| (length as f32 * SCALE).ceil().max(1.0) as u32;
    let Some(mut picture) = Pixmap::new(pixels(scene.width), pixels(scene.height)) else {
        unreachable!("drawings are neither empty nor huge: {} x {}", scene.width, scene.height)
    };
    let [red, green, blue, cover] = Ink::Paper.colour(Theme::Light);
    picture.fill(tiny_skia::Color::from_rgba8(red, green, blue, cover));
    scene.shapes.iter().for_each(|shape| draw(&mut picture, shape));
    match picture.encode_png() {
        Ok(bytes) => marked(&bytes),
        Err(error) => unreachable!("pixels always become a PNG: {error}"),
    }
}

/// The same file with a chunk of text that says what made it.
fn marked(bytes: &[u8]) -> Vec<u8> {
    let chunk = [b"tEXtSoftware\0", MARK.as_bytes()].concat();
    let length = (chunk.len() - 4) as u32;
    let sum = crc32(&chunk);
    [&bytes[..HEAD], &length.to_be_bytes(), &chunk, &sum.to_be_bytes(), &bytes[HEAD..]].concat()
}

fn draw(picture: &mut Pixmap, shape: &Shape) {
    match shape {
        Shape::Line { through, ink, width, dash } => {
            let dash = dash.pattern().and_then(|pattern| StrokeDash::new(pattern.map(|p| p as f32).to_vec(), 0.0));
            stroke(picture, path(through, false), *ink, *width, dash);
        }
        Shape::Area { corners, ink } => fill(picture, path(corners, true), *ink),
        Shape::Disc { centre: (x, y), radius, ink, rim } => {
            let disc = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
            fill(picture, disc.clone(), *ink);
            if let Some((ink, width)) = rim {
                stroke(picture, disc, *ink, *width, None);
            }
        }
        Shape::Text { at: (x, y), size, anchor, ink, bold, text } => {
            let x = match anchor {
                Anchor::Start => *x,
                Anchor::Middle => x - font::width(text, *size) / 2.0,
                Anchor::End => x - font::width(text, *size),
            };
            let letters = font::outline(text, (x, *y), *size);
            if *bold {
                stroke(picture, letters.clone(), *ink, size / 20.0, None);
            }
            fill(picture, letters, *ink);
        }
    }
}

fn path(through: &[At], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (number, &(x, y)) in through.iter().enumerate() {
        let (x, y) = (x as f32, y as f32);
        if number == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn fill(picture: &mut Pixmap, path: Option<Path>, ink: Ink) {
    if let Some(path) = path {
        picture.fill_path(&path, &paint(ink), FillRule::Winding, Transform::from_scale(SCALE, SCALE), None);
    }
}

fn stroke(picture: &mut Pixmap, path: Option<Path>, ink: Ink, width: f64, dash: Option<StrokeDash>) {
    if let Some(path) = path {
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash,
            ..Stroke::default()
        };
        picture.stroke_path(&path, &paint(ink), &stroke, Transform::from_scale(SCALE, SCALE), None);
    }
}

fn paint(ink: Ink) -> Paint<'static> {
    let [red, green, blue, cover] = ink.colour(Theme::Light);
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, cover);
    paint
}
