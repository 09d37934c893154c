use std::fmt;

use mahbusa_rules::{POINTS, PointView, Position, Roll, Side};

/// A board as text, seen by one side: its 24-point at the top right, its home at the bottom right.
///
/// A trapped checker lies beneath, in brackets and by the letter of its owner, at the edge of the board; the free checkers stand on it. Where more than five
/// checkers stand on a point, the number of free ones is written at the end of the stack.
///
/// ```
/// use mahbusa_rules::{Rules, Position, Side};
/// use mahbusa_transcript::{Diagram, Glyphs, Paint};
///
/// let position = Position::start(Rules::MAHBUSA);
/// let diagram =
///     Diagram { position: &position, viewer: Side::White, names: ["you", "a net"], glyphs: Glyphs::Ascii, paint: Paint::None };
/// println!("{diagram}");
/// ```
pub struct Diagram<'a> {
    /// What is drawn.
    pub position: &'a Position,
    /// Who sees it, and whose numbers the points have.
    pub viewer: Side,
    /// What White and Black are called.
    pub names: [&'a str; 2],
    /// How checkers are drawn.
    pub glyphs: Glyphs,
    /// Whether there are colours.
    pub paint: Paint,
}

/// How checkers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// `O` is White, `X` is Black.
    Ascii,
    /// `○` is White, `●` is Black, and the frame has lines.
    Unicode,
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// None.
    None,
    /// ANSI escapes.
    Ansi,
}

impl Glyphs {
    /// The checker of a side.
    pub fn checker(self, side: Side) -> char {
        match (self, side) {
            (Glyphs::Ascii, Side::White) => 'O',
            (Glyphs::Ascii, Side::Black) => 'X',
            (Glyphs::Unicode, Side::White) => '○',
            (Glyphs::Unicode, Side::Black) => '●',
        }
    }

    fn frame(self) -> Frame {
        match self {
            Glyphs::Ascii => {
                Frame { top: ["+", "+", "+"], bottom: ["+", "+", "+"], across: "-", down: "|", empty: "." }
            }
            Glyphs::Unicode => {
                Frame {
                    top: ["┌", "┬", "┐"], bottom: ["└", "┴", "┘"], across: "─", down: "│", empty: "·"
                }
            }
        }
    }
}

struct Frame {
    top: [&'static str; 3],
    bottom: [&'static str; 3],
    across: &'static str,
    down: &'static str,
    empty: &'static str,
}

/// What is painted.
#[derive(Clone, Copy)]
enum Ink {
    Checker(Side),
    Trapped,
    Faint,
}

impl Paint {
    fn ink(self, ink: Ink, text: &str) -> String {
        let code = match (self, ink) {
            (Paint::None, _) => return text.to_owned(),
            (Paint::Ansi, Ink::Checker(Side::White)) => "1;33",
            (Paint::Ansi, Ink::Checker(Side::Black)) => "1;36",
            (Paint::Ansi, Ink::Trapped) => "31",
            (Paint::Ansi, Ink::Faint) => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// Checkers of a point that are drawn one by one.
const HEIGHT: usize = 5;

/// Columns of a point.
const WIDTH: usize = 4;

impl fmt::Display for Diagram<'_> {
    /// Lines without an end after the last one, at most 60 columns wide but for the names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let upper: Vec<usize> = (12..POINTS).collect();
        let lower: Vec<usize> = (0..12).rev().collect();
        let Frame { top, bottom, .. } = self.glyphs.frame();
        writeln!(f, "{}", self.line_of(self.viewer.other()))?;
        writeln!(f, "{}", self.numbers(&upper))?;
        writeln!(f, "{}", self.edge(top))?;
        for row in 0..=HEIGHT {
            writeln!(f, "{}", self.row(&upper, row))?;
        }
        writeln!(f, "{}", self.middle())?;
        for row in (0..=HEIGHT).rev() {
            writeln!(f, "{}", self.row(&lower, row))?;
        }
        writeln!(f, "{}", self.edge(bottom))?;
        writeln!(f, "{}", self.numbers(&lower))?;
        write!(f, "{}", self.line_of(self.viewer))
    }
}

impl Diagram<'_> {
    /// Who a side is, and how far.
    fn line_of(&self, side: Side) -> String {
        let board = if self.position.turn == side { self.position.board } else { self.position.board.flip() };
        let [white, black] = self.names;
        let name = match side {
            Side::White => white,
            Side::Black => black,
        };
        let checker = self.paint.ink(Ink::Checker(side), &self.glyphs.checker(side).to_string());
        let points = match self.position.score.length() {
            0 => String::new(),
            length => format!("   {} of {length} points", self.position.score.of(side)),
        };
        format!("  {checker} {side}: {name}   off {}   pips {}{points}", board.my_off(), board.my_pips())
    }

    fn numbers(&self, points: &[usize]) -> String {
        let number = |point: &usize| format!("{:^WIDTH$}", format!("{:>2}", point + 1));
        let halves: Vec<String> = points.chunks(6).map(|half| half.iter().map(number).collect()).collect();
        let line = format!("    {}  {}", halves[0], halves[1]);
        self.paint.ink(Ink::Faint, line.trim_end())
    }

    fn edge(&self, [left, middle, right]: [&str; 3]) -> String {
        let half = self.glyphs.frame().across.repeat(6 * WIDTH + 1);
        self.paint.ink(Ink::Faint, &format!("  {left}{half}{middle}{half}{right}"))
    }

    /// The line between the halves, with the dice of the side in turn.
    fn middle(&self) -> String {
        let down = self.paint.ink(Ink::Faint, self.glyphs.frame().down);
        let said = |dice: Roll| format!("{} to play {}-{}", self.position.turn, dice.high(), dice.low());
        let said = self.position.dice.map_or_else(String::new, said);
        let half = 6 * WIDTH + 1;
        format!("  {down}{}{down}{said:^half$}{down}", " ".repeat(half))
    }

    /// A row of one half of the board, 0 being at the edge.
    fn row(&self, points: &[usize], row: usize) -> String {
        let down = self.paint.ink(Ink::Faint, self.glyphs.frame().down);
        let halves: Vec<String> =
            points.chunks(6).map(|half| half.iter().map(|&point| self.cell(point, row)).collect()).collect();
        format!("  {down}{} {down}{} {down}", halves[0], halves[1])
    }

    fn cell(&self, point: usize, row: usize) -> String {
        let PointView { free, mine_trapped, theirs_trapped } = self.point(point);
        let owner = if free > 0 { self.viewer } else { self.viewer.other() };
        let trapped = mine_trapped || theirs_trapped;
        let free = usize::from(free.unsigned_abs());
        let standing = free + usize::from(trapped);
        let checker = |side| self.glyphs.checker(side);
        match row {
            0 if standing == 0 => self.paint.ink(Ink::Faint, &format!("  {} ", self.glyphs.frame().empty)),
            0 if trapped => self.paint.ink(Ink::Trapped, &format!(" ({})", checker(owner.other()))),
            HEIGHT if standing > HEIGHT => self.paint.ink(Ink::Checker(owner), &format!("{free:>3} ")),
            _ if row < standing.min(HEIGHT) => self.paint.ink(Ink::Checker(owner), &format!("  {} ", checker(owner))),
            _ => " ".repeat(WIDTH),
        }
    }

    /// What stands on a point, by the viewer's numbers.
    fn point(&self, index: usize) -> PointView {
        if self.position.turn == self.viewer {
            self.position.board.point(index)
        } else {
            self.position.board.flip().point(index)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, viewer: Side, glyphs: Glyphs) -> String {
        let position = text.parse().unwrap();
        Diagram { position: &position, viewer, names: ["you", "a net"], glyphs, paint: Paint::None }.to_string()
    }

    fn golden(drawn: &str, expected: &str) {
        let expected = expected.trim_matches('\n');
        assert_eq!(
            drawn.lines().map(str::trim_end).collect::<Vec<_>>(),
            expected.lines().collect::<Vec<_>>(),
            "\n{drawn}"
        );
    }

    #[test]
    fn the_start() {
        golden(
            &drawn("mahbusa:O22o:0.0:w:64:0.0.0", Side::White, Glyphs::Ascii),
            "
  X Black: a net   off 0   pips 360
     13  14  15  16  17  18    19  20  21  22  23  24
  +-------------------------+-------------------------+
  |  .   .   .   .   .   .  |  .   .   .   .   .   O  |
  |                         |                      O  |
  |                         |                      O  |
  |                         |                      O  |
  |                         |                      O  |
  |                         |                     15  |
  |                         |    White to play 6-4    |
  |                         |                     15  |
  |                         |                      X  |
  |                         |                      X  |
  |                         |                      X  |
  |                         |                      X  |
  |  .   .   .   .   .   .  |  .   .   .   .   .   X  |
  +-------------------------+-------------------------+
     12  11  10   9   8   7     6   5   4   3   2   1
  O White: you   off 0   pips 360
",
        );
    }

    #[test]
    fn a_pin_is_seen_from_both_sides() {
        golden(
            &drawn("mahbusa:J5C4A~6A4n:0.0:b:31:2.1.3", Side::White, Glyphs::Ascii),
            "
  X Black: a net   off 0   pips 348   1 of 3 points
     13  14  15  16  17  18    19  20  21  22  23  24
  +-------------------------+-------------------------+
  | (X)  .   .   .   .   O  |  .   .   .   .   .   O  |
  |  O                   O  |                      O  |
  |                      O  |                      O  |
  |                         |                      O  |
  |                         |                      O  |
  |                         |                     10  |
  |                         |    Black to play 3-1    |
  |                         |                     14  |
  |                         |                      X  |
  |                         |                      X  |
  |                         |                      X  |
  |                         |                      X  |
  |  .   .   .   .   .   .  |  O   .   .   .   .   X  |
  +-------------------------+-------------------------+
     12  11  10   9   8   7     6   5   4   3   2   1
  O White: you   off 0   pips 313   2 of 3 points
",
        );
        golden(
            &drawn("mahbusa:J5C4A~6A4n:0.0:b:31:2.1.3", Side::Black, Glyphs::Unicode),
            "
  ○ White: you   off 0   pips 313   2 of 3 points
     13  14  15  16  17  18    19  20  21  22  23  24
  ┌─────────────────────────┬─────────────────────────┐
  │  ·   ·   ·   ·   ·   ·  │  ○   ·   ·   ·   ·   ●  │
  │                         │                      ●  │
  │                         │                      ●  │
  │                         │                      ●  │
  │                         │                      ●  │
  │                         │                     14  │
  │                         │    Black to play 3-1    │
  │                         │                     10  │
  │                         │                      ○  │
  │                         │                      ○  │
  │                      ○  │                      ○  │
  │  ○                   ○  │                      ○  │
  │ (●)  ·   ·   ·   ·   ○  │  ·   ·   ·   ·   ·   ○  │
  └─────────────────────────┴─────────────────────────┘
     12  11  10   9   8   7     6   5   4   3   2   1
  ● Black: a net   off 0   pips 348   1 of 3 points
",
        );
    }

    #[test]
    fn without_paint_there_are_no_escapes_and_with_it_the_text_is_the_same() {
        let position = "tapa:J5C4A~6A4n:0.0:b:31:0.0.0".parse().unwrap();
        for glyphs in [Glyphs::Ascii, Glyphs::Unicode] {
            let [plain, painted] = [Paint::None, Paint::Ansi].map(|paint| {
                Diagram { position: &position, viewer: Side::Black, names: ["a", "b"], glyphs, paint }.to_string()
            });
            assert!(!plain.contains('\x1b') && painted.contains('\x1b'));
            let mut bare = String::new();
            let mut rest = painted.as_str();
            while let Some((before, escape)) = rest.split_once('\x1b') {
                bare += before;
                rest = escape.split_once('m').unwrap().1;
            }
            assert_eq!(bare + rest, plain);
            assert!(plain.lines().all(|line| line.chars().count() <= 60));
        }
    }
}
