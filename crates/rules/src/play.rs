use std::fmt;
use std::str::FromStr;

use crate::quote::quoted;

/// One checker moved by one die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The mover's number of the point left, 1..=24.
    pub from: u8,
    /// The mover's number of the point reached; 0 is off the board.
    pub to: u8,
}

const STEP_BITS: u32 = 10;
const STEPS: u32 = 4;

/// All steps of a turn, at most four; none is a pass.
///
/// The order of plays is that of the wire form: compared step by step, higher `from` first, then lower `to`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Play(u64);

impl Play {
    /// The turn is passed.
    pub const PASS: Play = Play(0);

    /// The play with one more step at its end. The step is not checked against any position.
    ///
    /// # Panics
    /// When the play has four steps already.
    #[inline]
    #[must_use]
    pub fn then(self, step: Step) -> Play {
        let taken = self.len();
        assert!(taken < STEPS, "a play has at most four steps");
        Play(self.0 | step.code() << ((STEPS - 1 - taken) * STEP_BITS))
    }

    /// The play of two steps, built at once.
    #[inline]
    pub(crate) fn of_two(first: Step, second: Step) -> Play {
        Play((first.code() << STEP_BITS | second.code()) << (2 * STEP_BITS))
    }

    /// The number of steps, 0..=4.
    pub(crate) fn len(self) -> u32 {
        match self.0 {
            0 => 0,
            code => STEPS - code.trailing_zeros() / STEP_BITS,
        }
    }

    /// The steps in the order in which they are taken.
    pub fn steps(self) -> impl Iterator<Item = Step> {
        (0..self.len()).map(move |i| Step::from_code(self.0 >> ((STEPS - 1 - i) * STEP_BITS)))
    }
}

impl Step {
    /// Ten bits that order steps as the wire form does. Never zero, which stands for no step: it would be 24/off.
    fn code(self) -> u64 {
        u64::from(24 - self.from) << 5 | u64::from(self.to)
    }

    fn from_code(code: u64) -> Step {
        Step { from: 24 - (code >> 5 & 31) as u8, to: (code & 31) as u8 }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            0 => write!(f, "{}/off", self.from),
            to => write!(f, "{}/{to}", self.from),
        }
    }
}

impl FromStr for Step {
    type Err = PlayError;

    /// Reads the wire form, `24/20` or `6/off`.
    fn from_str(text: &str) -> Result<Step, PlayError> {
        match read_step(text) {
            Some((step, 1)) if step.to_string() == text => Ok(step),
            _ => Err(PlayError::Step(text.to_owned())),
        }
    }
}

impl fmt::Display for Play {
    /// The wire form: every step written out, `24/20 20/18`; a pass is `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Play::PASS {
            return f.write_str("-");
        }
        for (i, step) in self.steps().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Play({self})")
    }
}

impl FromStr for Play {
    type Err = PlayError;

    /// Reads the wire form, and of the display form the mark of a pin (`24/20~`) and a count (`13/10(2)`). Merged steps are refused.
    fn from_str(text: &str) -> Result<Play, PlayError> {
        let mut play = Play::PASS;
        if text.trim() == "-" {
            return Ok(play);
        }
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return Err(PlayError::Empty);
        }
        for word in words {
            let (step, times) = read_step(word).ok_or_else(|| PlayError::Step(word.to_owned()))?;
            for _ in 0..times {
                if play.len() == STEPS {
                    return Err(PlayError::TooLong);
                }
                play = play.then(step);
            }
        }
        Ok(play)
    }
}

/// A step, `6/off`, perhaps with a mark and a count, and how often it is taken.
fn read_step(word: &str) -> Option<(Step, u8)> {
    let (word, times) = match word.strip_suffix(')') {
        Some(counted) => {
            let (word, count) = counted.split_once('(')?;
            (word, count.parse().ok().filter(|n| (1..=STEPS as u8).contains(n))?)
        }
        None => (word, 1),
    };
    let (from, to) = word.strip_suffix('~').unwrap_or(word).split_once('/')?;
    let point = |text: &str| text.parse().ok().filter(|n| (1..=24).contains(n) && !text.starts_with(['0', '+']));
    let from = point(from)?;
    let to = if to == "off" { 0 } else { point(to)? };
    (to < from && from - to <= 6).then_some((Step { from, to }, times))
}

/// A text that is no play, or a play that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// Nothing was written.
    #[error("expected a play such as `24/20 20/18`, or `-` for a pass, found nothing")]
    Empty,
    /// A step is malformed.
    #[error("expected a step of one die such as `24/20` or `6/off`, found {}", quoted(.0))]
    Step(String),
    /// More steps than a double allows.
    #[error("expected at most four steps")]
    TooLong,
    /// The play cannot be made in the position.
    #[error("`{0}` is not a legal play here")]
    Illegal(Play),
    /// After these steps no legal play goes on with this one.
    #[error("after `{0}`, `{1}` is not a legal step")]
    IllegalStep(Play, Step),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_form_round_trips() {
        for text in ["-", "24/20", "24/20 20/18", "6/off 5/off", "8/4 8/4 8/4 4/off"] {
            assert_eq!(text.parse::<Play>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn marks_and_counts_are_read() {
        assert_eq!("13/10(2) 24/20~".parse::<Play>().unwrap().to_string(), "13/10 13/10 24/20");
        assert_eq!("13/10~(2)".parse::<Play>().unwrap().to_string(), "13/10 13/10");
    }

    #[test]
    fn malformed_and_merged_plays_are_refused() {
        for text in [
            "", " ", "24", "24/", "24/20/18", "24/17", "25/20", "24/24", "4/5", "04/1", "24/off", "6/0", "6/off(5)",
            "6/3(0)", "bar/20",
        ] {
            assert!(text.parse::<Play>().is_err(), "{text}");
        }
        assert_eq!("6/5(3) 5/4(2)".parse::<Play>(), Err(PlayError::TooLong));
    }

    #[test]
    fn plays_are_ordered_step_by_step() {
        let mut plays = ["23/22 24/18", "24/22 22/18", "24/20 20/18", "24/18 23/22", "24/20 24/22"]
            .map(|p| p.parse::<Play>().unwrap());
        plays.sort();
        let sorted: Vec<String> = plays.iter().map(Play::to_string).collect();
        assert_eq!(sorted, ["24/18 23/22", "24/20 24/22", "24/20 20/18", "24/22 22/18", "23/22 24/18"]);
    }
}
