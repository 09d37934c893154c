use std::fmt;
use std::str::FromStr;

use crate::quote::quoted;

/// A roll of two dice, the higher first; one of 21.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// Equally likely throws of two dice, of which each roll is one or two: the sum of all [weights](Roll::weight).
    pub const THROWS: u8 = 36;

    /// All 21 rolls, from 1-1 to 6-6.
    pub const ALL: [Roll; 21] = all_rolls();

    /// The roll of two dice, in any order.
    ///
    /// # Errors
    /// When a die is not in 1..=6.
    pub fn new(first: u8, second: u8) -> Result<Roll, RollError> {
        if (1..=6).contains(&first) && (1..=6).contains(&second) {
            Ok(Roll { high: first.max(second), low: first.min(second) })
        } else {
            Err(RollError(format!("{first}{second}")))
        }
    }

    /// The roll that a fair random number below 36 stands for: a double once, any other roll twice.
    ///
    /// # Panics
    /// When `number` is not below 36.
    pub fn from_uniform(number: u8) -> Roll {
        assert!(number < 36, "a roll is one of 36, got {number}");
        let (first, second) = (number / 6 + 1, number % 6 + 1);
        Roll { high: first.max(second), low: first.min(second) }
    }

    /// The higher die, 1..=6.
    pub fn high(self) -> u8 {
        self.high
    }

    /// The lower die, 1..=6.
    pub fn low(self) -> u8 {
        self.low
    }

    /// Whether both dice are equal, so that the die is played four times.
    pub fn is_double(self) -> bool {
        self.high == self.low
    }

    /// How many of the 36 throws give this roll: 1 for a double, else 2.
    pub fn weight(self) -> u8 {
        if self.is_double() { 1 } else { 2 }
    }
}

const fn all_rolls() -> [Roll; 21] {
    let mut rolls = [Roll { high: 1, low: 1 }; 21];
    let (mut index, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[index] = Roll { high, low };
            index += 1;
            low += 1;
        }
        high += 1;
    }
    rolls
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl FromStr for Roll {
    type Err = RollError;

    /// Reads two digits, the higher first.
    fn from_str(text: &str) -> Result<Roll, RollError> {
        match text.as_bytes() {
            &[high @ b'1'..=b'6', low @ b'1'..=b'6'] if high >= low => Ok(Roll { high: high - b'0', low: low - b'0' }),
            _ => Err(RollError(text.to_owned())),
        }
    }
}

/// A text that is no roll.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected two dice 1..6, the higher first, found {}", quoted(.0))]
pub struct RollError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_21_rolls_weigh_36() {
        assert_eq!(Roll::ALL.iter().map(|roll| u32::from(roll.weight())).sum::<u32>(), 36);
        for roll in Roll::ALL {
            let count = (0..36).filter(|&n| Roll::from_uniform(n) == roll).count();
            assert_eq!(count, usize::from(roll.weight()), "{roll}");
            assert_eq!(roll.to_string().parse(), Ok(roll));
        }
    }

    #[test]
    fn malformed_rolls_are_refused() {
        for text in ["", "6", "46", "07", "70", "611", "6-4"] {
            assert!(text.parse::<Roll>().is_err(), "{text}");
        }
        assert!(Roll::new(0, 3).is_err());
        assert!(Roll::new(3, 7).is_err());
    }
}
