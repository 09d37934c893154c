//! Drawings made of a few kinds of shapes, before they are SVG or PNG.

/// A place in a drawing: right and down from its upper left corner, in pixels.
pub type At = (f64, f64);

/// A drawing.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it shows, in a few words, for those who cannot see it.
    pub title: String,
    /// Its width in pixels.
    pub width: f64,
    /// Its height in pixels.
    pub height: f64,
    /// What is drawn, the lowest first.
    pub shapes: Vec<Shape>,
}

/// What a drawing is made of.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A line through places.
    Line {
        /// Where it goes; two places at least.
        through: Vec<At>,
        /// Its colour.
        ink: Ink,
        /// Its width in pixels.
        width: f64,
        /// How it is broken.
        dash: Dash,
    },
    /// An area with corners.
    Area {
        /// Its corners in turn; three at least.
        corners: Vec<At>,
        /// Its colour.
        ink: Ink,
    },
    /// A disc.
    Disc {
        /// Its centre.
        centre: At,
        /// Its radius in pixels.
        radius: f64,
        /// Its colour.
        ink: Ink,
        /// The colour and the width of the line round it, if there is one.
        rim: Option<(Ink, f64)>,
    },
    /// A line of text.
    Text {
        /// Where the baseline begins, has its middle or ends.
        at: At,
        /// The height of the letters, as fonts are measured, in pixels.
        size: f64,
        /// Which part of it is at the place.
        anchor: Anchor,
        /// Its colour.
        ink: Ink,
        /// Whether it is bold.
        bold: bool,
        /// What it says.
        text: String,
    },
}

/// Which part of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It has its middle there.
    Middle,
    /// It ends there.
    End,
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    Solid,
    /// Into strokes.
    Dashed,
    /// Into dots.
    Dotted,
}

impl Dash {
    /// Lengths of line and gap in pixels; none if it is not broken.
    pub fn pattern(self) -> Option<[f64; 2]> {
        match self {
            Dash::Solid => None,
            Dash::Dashed => Some([7.0, 4.0]),
            Dash::Dotted => Some([2.0, 3.0]),
        }
    }
}

/// What something is drawn in: a role, to which a [`Theme`] gives the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// What is behind everything.
    Paper,
    /// Lines to read values by.
    Grid,
    /// Axes, and values to compare with.
    Axis,
    /// Text to be read.
    Text,
    /// Text that explains.
    Muted,
    /// The line of a run, by the number of its colour, below [`RUN_COLOURS`].
    Run(u8),
    /// The interval of a run's line, likewise.
    Band(u8),
    /// An outcome for the first mover, from lose 2, which is 0, to win 2, which is 4.
    Outcome(u8),
    /// The surface of a board.
    Felt,
    /// The frame of a board and its bar.
    Frame,
    /// Every other point of a board.
    PalePoint,
    /// The points between.
    DeepPoint,
    /// Checkers of the side that sees the board.
    White,
    /// Text on them and the line round them.
    OnWhite,
    /// Checkers of the other side.
    Black,
    /// Text on them and the line round them.
    OnBlack,
    /// What has just moved.
    Moved,
    /// A checker that is trapped.
    Trapped,
}

/// How many colours runs have.
pub const RUN_COLOURS: usize = 6;

/// The surroundings that colours are chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white.
    Light,
    /// Light on black.
    Dark,
}

/// A colour: red, green, blue and how much it covers, 255 being all.
pub type Colour = [u8; 4];

impl Ink {
    /// All of them.
    pub fn all() -> Vec<Ink> {
        let runs = (0..RUN_COLOURS as u8).flat_map(|run| [Ink::Run(run), Ink::Band(run)]);
        [Ink::Paper, Ink::Grid, Ink::Axis, Ink::Text, Ink::Muted]
            .into_iter()
            .chain(runs)
            .chain((0..5).map(Ink::Outcome))
            .chain([Ink::Felt, Ink::Frame, Ink::PalePoint, Ink::DeepPoint, Ink::White, Ink::OnWhite])
            .chain([Ink::Black, Ink::OnBlack, Ink::Moved, Ink::Trapped])
            .collect()
    }

    /// Its name in style sheets.
    pub fn name(self) -> String {
        match self {
            Ink::Run(run) => format!("run-{run}"),
            Ink::Band(run) => format!("band-{run}"),
            Ink::Outcome(outcome) => format!("outcome-{outcome}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    /// Its colour. Those of runs and outcomes can be told apart by people who see few colours: runs after Okabe and Ito, outcomes from red
    /// through grey to blue.
    pub fn colour(self, theme: Theme) -> Colour {
        const LIGHT_RUNS: [u32; RUN_COLOURS] = [0x0072b2, 0xd55e00, 0x009e73, 0xaa4499, 0xb07c00, 0x56b4e9];
        const DARK_RUNS: [u32; RUN_COLOURS] = [0x58b0ea, 0xff8f52, 0x3fcf9f, 0xe48fd0, 0xe9bb4c, 0xa8dcfa];
        let (light, dark) = match self {
            Ink::Paper => (0xffffff, 0x1a1e23),
            Ink::Grid => (0xe7e9ec, 0x2d333b),
            Ink::Axis => (0x9aa3ad, 0x6b7683),
            Ink::Text => (0x1f2328, 0xe8ebee),
            Ink::Muted => (0x5b6570, 0x9ba6b2),
            Ink::Run(run) | Ink::Band(run) => {
                let run = usize::from(run) % RUN_COLOURS;
                (LIGHT_RUNS[run], DARK_RUNS[run])
            }
            Ink::Outcome(outcome) => match outcome {
                0 => (0xb2452b, 0xc4583e),
                1 => (0xeaa587, 0xd9a086),
                2 => (0x8a929b, 0x8f98a3),
                3 => (0x8fc0e4, 0x7fb0d8),
                _ => (0x2166ac, 0x3a7fc4),
            },
            Ink::Felt => (0xf4ecdc, 0x2b2722),
            Ink::Frame => (0x8a6a48, 0x5d4a36),
            Ink::PalePoint => (0xe2c9a0, 0x4b4034),
            Ink::DeepPoint => (0xc49a6a, 0x6d573f),
            Ink::White => (0xfffdf8, 0xece6d8),
            Ink::OnWhite => (0x5f4f3c, 0x4a3d2d),
            Ink::Black => (0x343a40, 0x0d0f11),
            Ink::OnBlack => (0xe9e4da, 0xb9b2a4),
            Ink::Moved => (0x0072b2, 0x58b0ea),
            Ink::Trapped => (0xd55e00, 0xff8f52),
        };
        let [_, red, green, blue] = u32::to_be_bytes(match theme {
            Theme::Light => light,
            Theme::Dark => dark,
        });
        [red, green, blue, if matches!(self, Ink::Band(_)) { 44 } else { 255 }]
    }
}

impl Scene {
    /// An empty drawing.
    pub fn new(title: impl Into<String>, width: f64, height: f64) -> Scene {
        Scene { title: title.into(), width, height, shapes: Vec::new() }
    }

    /// Draws a line between two places.
    pub fn line(&mut self, from: At, to: At, ink: Ink, width: f64) {
        self.shapes.push(Shape::Line { through: vec![from, to], ink, width, dash: Dash::Solid });
    }

    /// Fills a rectangle between two opposite corners.
    pub fn rectangle(&mut self, (left, top): At, (right, bottom): At, ink: Ink) {
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        self.shapes.push(Shape::Area { corners, ink });
    }

    /// Writes something.
    pub fn text(&mut self, at: At, size: f64, anchor: Anchor, ink: Ink, text: impl Into<String>) {
        self.shapes.push(Shape::Text { at, size, anchor, ink, bold: false, text: text.into() });
    }
}
