//! Drawings as SVG: for a page that has the style sheet, or on its own.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::MARK;
use crate::scene::{Anchor, At, Ink, Scene, Shape, Theme};

/// A text as it may stand in HTML, SVG and their attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Not allowed in XML, even escaped.
            letter if letter.is_control() && !letter.is_whitespace() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// An `svg` element for a page that has the [`style_sheet`]; attributes are put into its tag as they are.
pub fn inline(scene: &Scene, attributes: &str) -> String {
    let Scene { title, width, height, .. } = scene;
    let title = escape(title);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{title}\"{}{attributes}>",
        Short(*width),
        Short(*height),
        if attributes.is_empty() { "" } else { " " }
    );
    scene.shapes.iter().for_each(|shape| draw(&mut svg, shape));
    svg.push_str("</svg>");
    svg
}

/// A file of its own, which follows the reader's choice of light or dark.
pub fn file(scene: &Scene) -> String {
    let Scene { title, width, height, shapes } = scene;
    let (width, height, title) = (Short(*width), Short(*height), escape(title));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\">\n<!-- {MARK} -->\n<title>{title}</title>\n"
    );
    let used: BTreeSet<Ink> = std::iter::once(Ink::Paper).chain(shapes.iter().flat_map(inks)).collect();
    let used: Vec<Ink> = used.into_iter().collect();
    let _ = writeln!(svg, "<style>\n{}</style>", style_sheet(&used));
    let _ = writeln!(svg, "<rect class=\"f-paper\" width=\"{width}\" height=\"{height}\"/>");
    for shape in shapes {
        draw(&mut svg, shape);
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}

/// What the classes of shapes look like: `f-NAME` fills with an ink, `s-NAME` draws lines in it.
pub fn style_sheet(inks: &[Ink]) -> String {
    let rules = |theme| -> String {
        inks.iter()
            .map(|&ink| {
                let (name, colour) = (ink.name(), hex(ink, theme));
                format!(".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour}}}\n")
            })
            .collect()
    };
    format!(
        ".l{{fill:none;stroke-linejoin:round;stroke-linecap:round}}.b{{font-weight:600}}\n{}@media screen and (prefers-color-scheme:dark){{\n{}}}\n",
        rules(Theme::Light),
        rules(Theme::Dark)
    )
}

/// A colour as style sheets have it.
pub fn hex(ink: Ink, theme: Theme) -> String {
    let [red, green, blue, cover] = ink.colour(theme);
    let cover = if cover == u8::MAX { String::new() } else { format!("{cover:02x}") };
    format!("#{red:02x}{green:02x}{blue:02x}{cover}")
}

fn inks(shape: &Shape) -> Vec<Ink> {
    match shape {
        Shape::Line { ink, .. } | Shape::Area { ink, .. } | Shape::Text { ink, .. } => vec![*ink],
        Shape::Disc { ink, rim, .. } => std::iter::once(*ink).chain(rim.map(|(ink, _)| ink)).collect(),
    }
}

fn draw(svg: &mut String, shape: &Shape) {
    // Writing to a text cannot fail.
    let _ = match shape {
        Shape::Line { through, ink, width, dash } => {
            let dash =
                dash.pattern().map_or(String::new(), |[line, gap]| format!(" stroke-dasharray=\"{line} {gap}\""));
            let (path, width) = (path(through), Short(*width));
            write!(svg, "<path class=\"l s-{}\" stroke-width=\"{width}\"{dash} d=\"{path}\"/>", ink.name())
        }
        Shape::Area { corners, ink } => write!(svg, "<path class=\"f-{}\" d=\"{}Z\"/>", ink.name(), path(corners)),
        Shape::Disc { centre, radius, ink, rim } => {
            let (class, rim) = rim.map_or((String::new(), String::new()), |(ink, width)| {
                (format!(" s-{}", ink.name()), format!(" stroke-width=\"{}\"", Short(width)))
            });
            let (x, y, radius) = (Short(centre.0), Short(centre.1), Short(*radius));
            write!(svg, "<circle class=\"f-{}{class}\"{rim} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>", ink.name())
        }
        Shape::Text { at, size, anchor, ink, bold, text } => {
            let bold = if *bold { " b" } else { "" };
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let (x, y, size, text) = (Short(at.0), Short(at.1), Short(*size), escape(text));
            let name = ink.name();
            write!(svg, "<text class=\"f-{name}{bold}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}>{text}</text>")
        }
    };
}

fn path(through: &[At]) -> String {
    let mut path = String::new();
    for (number, (x, y)) in through.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if number == 0 { 'M' } else { 'L' }, Short(*x), Short(*y));
    }
    path
}

/// A number with one digit after the point at most.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (10.0 * self.0).round();
        // No minus before a nought.
        write!(f, "{}", if tenths == 0.0 { 0.0 } else { tenths / 10.0 })
    }
}
