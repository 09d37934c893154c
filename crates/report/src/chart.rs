//! Curves over an axis: what is drawn, and where.

use crate::font;
use crate::scene::{Anchor, At, Dash, Ink, RUN_COLOURS, Scene, Shape};
use crate::unit::Unit;

/// A chart: curves with intervals, or shares that add up to one.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What goes to the right; it begins at 0.
    pub x: Unit,
    /// What goes up.
    pub y: Unit,
    /// A value to compare with, drawn where it lies within the others.
    pub reference: Option<f64>,
    /// How curves are drawn.
    pub kind: Kind,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// How the curves of a chart are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As lines.
    Lines,
    /// As areas one on the other, from 0 to 1, the first at the bottom.
    Stack,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// What it is drawn as.
    pub role: Role,
    /// Its values, from left to right.
    pub points: Vec<Point>,
    /// A value measured in another way, which the line does not go through.
    pub apart: Option<Point>,
}

/// What a curve stands for, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The run of this number.
    Run(usize),
    /// An outcome, from lose 2, which is 0.
    Outcome(u8),
}

/// A value of a curve. What is not finite leaves a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// How far to the right.
    pub x: f64,
    /// How high.
    pub y: f64,
    /// The lower and the upper end of its interval.
    pub interval: Option<(f64, f64)>,
}

/// How large a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its width in pixels.
    pub width: f64,
    /// Its height in pixels.
    pub height: f64,
    /// The height of its letters in pixels.
    pub letters: f64,
    /// Whether the title is part of it.
    pub titled: bool,
}

impl Size {
    /// As a picture of its own.
    pub const PICTURE: Size = Size { width: 860.0, height: 460.0, letters: 14.0, titled: true };
    /// Across a page.
    pub const WIDE: Size = Size { width: 1120.0, height: 400.0, letters: 13.0, titled: false };
    /// One of several side by side, or alone on a phone.
    pub const SMALL: Size = Size { width: 430.0, height: 268.0, letters: 12.0, titled: false };
}

/// A chart that has been drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The drawing.
    pub scene: Scene,
    /// Where the values are, for who points at them.
    pub places: Vec<Places>,
}

/// Where the values of a curve are in a drawing.
#[derive(Clone, Debug)]
pub struct Places {
    /// The name of the curve.
    pub name: String,
    /// Its colour.
    pub ink: Ink,
    /// The place of each value, and what it is, to the right and up.
    pub values: Vec<(At, String, String)>,
}

impl Role {
    fn ink(self) -> Ink {
        match self {
            Role::Run(number) => Ink::Run((number % RUN_COLOURS) as u8),
            Role::Outcome(number) => Ink::Outcome(number),
        }
    }

    fn band(self) -> Ink {
        match self {
            Role::Run(number) => Ink::Band((number % RUN_COLOURS) as u8),
            Role::Outcome(number) => Ink::Outcome(number),
        }
    }

    /// Runs that share a colour differ in this.
    fn dash(self) -> Dash {
        match self {
            Role::Run(number) => [Dash::Solid, Dash::Dashed, Dash::Dotted][number / RUN_COLOURS % 3],
            Role::Outcome(_) => Dash::Solid,
        }
    }
}

impl Point {
    /// A value without an interval.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, interval: None }
    }

    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// Everything that it reaches upwards and downwards.
    fn extent(&self) -> impl Iterator<Item = f64> {
        let (low, high) = self.interval.unwrap_or((self.y, self.y));
        [self.y, low, high].into_iter().filter(|value| value.is_finite())
    }
}

impl Chart {
    /// Draws it.
    pub fn draw(&self, size: Size) -> Drawn {
        let mut scene = Scene::new(&self.title, size.width, size.height);
        let letters = size.letters;
        let mut top = letters * 0.6;
        if size.titled {
            top += letters * 1.5;
            let text = self.title.clone();
            let (at, size) = ((letters, top - letters * 0.3), letters * 1.2);
            scene.shapes.push(Shape::Text { at, size, anchor: Anchor::Start, ink: Ink::Text, bold: true, text });
            top += letters * 0.4;
        }
        if self.curves.len() > 1 {
            top = self.legend(&mut scene, size, top);
        }
        let Some(frame) = Frame::new(self, size, top) else {
            let middle = (size.width / 2.0, (top + size.height) / 2.0);
            scene.text(middle, letters, Anchor::Middle, Ink::Muted, "nothing measured yet");
            return Drawn { scene, places: Vec::new() };
        };
        let places = match self.kind {
            Kind::Lines => {
                frame.grid(&mut scene);
                self.lines(&mut scene, &frame)
            }
            Kind::Stack => {
                let places = self.stack(&mut scene, &frame);
                frame.grid(&mut scene);
                places
            }
        };
        Drawn { scene, places }
    }

    /// Names the curves in rows from `top` on; where the rows end.
    fn legend(&self, scene: &mut Scene, size: Size, top: f64) -> f64 {
        let letters = size.letters;
        let (mark, gap, row) = (letters * 1.3, letters * 1.2, letters * 1.5);
        let (mut x, mut y) = (letters, top + letters);
        for curve in &self.curves {
            let width = mark + letters * 0.4 + font::width(&curve.name, letters);
            if x > letters && x + width > size.width - letters {
                (x, y) = (letters, y + row);
            }
            let middle = y - letters * 0.35;
            match self.kind {
                Kind::Lines => {
                    let through = vec![(x, middle), (x + mark, middle)];
                    scene.shapes.push(Shape::Line {
                        through,
                        ink: curve.role.ink(),
                        width: 3.0,
                        dash: curve.role.dash(),
                    });
                }
                Kind::Stack => {
                    let half = letters * 0.42;
                    scene.rectangle((x, middle - half), (x + mark, middle + half), curve.role.ink());
                }
            }
            scene.text((x + mark + letters * 0.4, y), letters, Anchor::Start, Ink::Text, curve.name.clone());
            x += width + gap;
        }
        y + letters * 0.7
    }

    fn lines(&self, scene: &mut Scene, frame: &Frame) -> Vec<Places> {
        for curve in &self.curves {
            let bands = |point: &Point| {
                point.is_finite() && point.interval.is_some_and(|(l, h)| l.is_finite() && h.is_finite())
            };
            for stretch in stretches(&curve.points, bands).filter(|stretch| stretch.len() > 1) {
                let end = |pick: fn((f64, f64)) -> f64| {
                    move |point: &Point| frame.at(point.x, point.interval.map_or(point.y, pick))
                };
                let corners =
                    stretch.iter().map(end(|(_, high)| high)).chain(stretch.iter().rev().map(end(|(low, _)| low)));
                scene.shapes.push(Shape::Area { corners: corners.collect(), ink: curve.role.band() });
            }
        }
        for curve in &self.curves {
            let (ink, dash) = (curve.role.ink(), curve.role.dash());
            let few = curve.points.len() <= 32;
            for stretch in stretches(&curve.points, Point::is_finite) {
                let through: Vec<At> = stretch.iter().map(|point| frame.at(point.x, point.y)).collect();
                if let [only] = stretch {
                    frame.bar(scene, only, ink);
                }
                if few || through.len() == 1 {
                    let radius = if through.len() == 1 { 3.5 } else { 2.2 };
                    scene.shapes.extend(through.iter().map(|&centre| Shape::Disc { centre, radius, ink, rim: None }));
                }
                if through.len() > 1 {
                    scene.shapes.push(Shape::Line { through, ink, width: 2.0, dash });
                }
            }
            if let Some(apart) = curve.apart.filter(Point::is_finite) {
                frame.bar(scene, &apart, ink);
                let (x, y) = frame.at(apart.x, apart.y);
                let diamond = |half: f64| vec![(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
                scene.shapes.push(Shape::Area { corners: diamond(8.0), ink: Ink::Paper });
                scene.shapes.push(Shape::Area { corners: diamond(6.0), ink });
            }
        }
        self.curves.iter().map(|curve| frame.places(curve, |point| frame.at(point.x, point.y))).collect()
    }

    fn stack(&self, scene: &mut Scene, frame: &Frame) -> Vec<Places> {
        let points = self.curves.iter().map(|curve| curve.points.len()).min().unwrap_or(0);
        let mut below = vec![0.0; points];
        let mut places = Vec::new();
        for curve in &self.curves {
            let above: Vec<f64> = below.iter().zip(&curve.points).map(|(below, point)| below + point.y).collect();
            let layers: Vec<(Point, f64, f64)> = curve
                .points
                .iter()
                .zip(below.iter().zip(&above))
                .map(|(&point, (&low, &high))| (point, low, high))
                .collect();
            for stretch in
                stretches(&layers, |(point, low, high)| point.x.is_finite() && low.is_finite() && high.is_finite())
            {
                // One value alone is shown as if it had been so from the beginning on.
                let first = stretch
                    .first()
                    .filter(|_| stretch.len() == 1)
                    .map(|&(point, low, high)| (Point { x: 0.0, ..point }, low, high));
                let all: Vec<_> = first.into_iter().chain(stretch.iter().copied()).collect();
                let upper = all.iter().map(|(point, _, high)| frame.at(point.x, *high));
                let lower = all.iter().rev().map(|(point, low, _)| frame.at(point.x, *low));
                scene.shapes.push(Shape::Area { corners: upper.chain(lower).collect(), ink: curve.role.ink() });
            }
            let mut middles = below.iter().zip(&above).map(|(low, high)| (low + high) / 2.0);
            places.push(frame.places(curve, |point| frame.at(point.x, middles.next().unwrap_or(point.y))));
            below = above;
        }
        places
    }
}

/// The stretches of neighbours that fulfil a condition.
fn stretches<T>(items: &[T], condition: impl Fn(&T) -> bool) -> impl Iterator<Item = &[T]> {
    items.split(move |item| !condition(item)).filter(|stretch| !stretch.is_empty())
}

/// Where values are drawn.
struct Frame {
    x: Axis,
    y: Axis,
    reference: Option<f64>,
    letters: f64,
}

/// An axis: which values it has, and where they are in pixels.
struct Axis {
    unit: Unit,
    low: f64,
    high: f64,
    /// The place of the low end and of the high one.
    ends: (f64, f64),
    ticks: Vec<f64>,
    step: f64,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let logarithmic = self.unit.is_logarithmic();
        let scaled = |value: f64| if logarithmic { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let (low, high) = (scaled(self.low), scaled(self.high));
        let share = (scaled(value) - low) / (high - low);
        self.ends.0 + share * (self.ends.1 - self.ends.0)
    }
}

impl Frame {
    /// The room below `top`; none if no curve has a value.
    fn new(chart: &Chart, size: Size, top: f64) -> Option<Frame> {
        let Size { width, height, letters, .. } = size;
        let points = || {
            let all = chart.curves.iter().flat_map(|curve| curve.points.iter().chain(&curve.apart));
            all.filter(|point| point.is_finite())
        };
        let right = points().map(|point| point.x).reduce(f64::max)?;
        let right = if right > 0.0 { right } else { 1.0 };
        let (low, high) = match chart.kind {
            Kind::Stack => (0.0, 1.0),
            Kind::Lines => {
                range(points().flat_map(Point::extent).filter(|&y| !chart.y.is_logarithmic() || y > 0.0), chart.y)?
            }
        };
        let (top, bottom) = (top + letters * 1.5, height - letters * 3.1);
        let (ticks, step) = chart.y.ticks(low, high, ((bottom - top) / (letters * 2.6)) as usize);
        let labels = ticks.iter().map(|&tick| font::width(&chart.y.tick(tick, step), letters));
        let left = letters * 1.2 + labels.fold(0.0, f64::max);
        let y = Axis { unit: chart.y, low, high, ends: (bottom, top), ticks, step };
        let end = width - letters * 1.6;
        let (ticks, step) = chart.x.ticks(0.0, right, ((end - left) / (letters * 6.0)) as usize);
        let x = Axis { unit: chart.x, low: 0.0, high: right, ends: (left, end), ticks, step };
        Some(Frame { x, y, reference: chart.reference.filter(|value| (low..=high).contains(value)), letters })
    }

    fn at(&self, x: f64, y: f64) -> At {
        (self.x.place(x), self.y.place(y))
    }

    /// Lines, ticks and units.
    fn grid(&self, scene: &mut Scene) {
        let Frame { x, y, letters, .. } = self;
        let ((left, right), (bottom, top)) = (x.ends, y.ends);
        for &tick in &y.ticks {
            let place = y.place(tick);
            scene.line((left, place), (right, place), Ink::Grid, 1.0);
            scene.text(
                (left - letters * 0.5, place + letters * 0.35),
                *letters,
                Anchor::End,
                Ink::Muted,
                y.unit.tick(tick, y.step),
            );
        }
        if let Some(value) = self.reference {
            let place = y.place(value);
            let through = vec![(left, place), (right, place)];
            scene.shapes.push(Shape::Line { through, ink: Ink::Axis, width: 1.2, dash: Dash::Dashed });
        }
        for &tick in &x.ticks {
            let place = x.place(tick);
            let text = x.unit.tick(tick, x.step);
            let half = font::width(&text, *letters) / 2.0;
            let middle = place.min(scene.width - half - 2.0);
            scene.line((place, bottom), (place, bottom + letters * 0.35), Ink::Axis, 1.0);
            scene.text((middle, bottom + letters * 1.5), *letters, Anchor::Middle, Ink::Muted, text);
        }
        scene.line((left, bottom), (right, bottom), Ink::Axis, 1.0);
        scene.text((left, top - letters * 0.7), *letters, Anchor::Start, Ink::Muted, y.unit.name());
        scene.text((right, bottom + letters * 2.8), *letters, Anchor::End, Ink::Muted, x.unit.name());
    }

    /// The interval of a value that stands alone.
    fn bar(&self, scene: &mut Scene, point: &Point, ink: Ink) {
        if let Some((low, high)) = point.interval.filter(|(low, high)| low.is_finite() && high.is_finite()) {
            scene.line(self.at(point.x, low), self.at(point.x, high), ink, 2.0);
        }
    }

    fn places(&self, curve: &Curve, mut at: impl FnMut(&Point) -> At) -> Places {
        let (x, y) = (self.x.unit, self.y.unit);
        let value = |point: &Point| match point.interval {
            Some((low, high)) => format!("{} [{} .. {}]", y.value(point.y), y.value(low), y.value(high)),
            None => y.value(point.y),
        };
        let values = curve.points.iter().map(|point| (at(point), point)).filter(|(_, point)| point.is_finite());
        Places {
            name: curve.name.clone(),
            ink: curve.role.ink(),
            values: values.map(|(at, point)| (at, x.value(point.x), value(point))).collect(),
        }
    }
}

/// The values that an axis has to have, with some air.
fn range(values: impl Iterator<Item = f64>, unit: Unit) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    if low > high {
        return None;
    }
    if unit.is_logarithmic() {
        return Some(if high / low < 2.0 { (low / 2.0, high * 2.0) } else { (low / 1.15, high * 1.15) });
    }
    let span = high - low;
    if span < 1e-9 * high.abs().max(1e-9) {
        let air = if high == 0.0 { 1.0 } else { 0.1 * high.abs() };
        return Some((low - air, high + air));
    }
    // Nought belongs to it when it is near.
    let floor = if low >= 0.0 && low < 0.5 * span { 0.0 } else { low - 0.06 * span };
    Some((floor, high + 0.06 * span))
}
