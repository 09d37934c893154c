use std::fmt;
use std::str::FromStr;

use crate::quote::quoted;

/// Which game is played: what pinning the mother is worth, and how many checkers a side has.
///
/// Written as an identifier and options: `mahbusa`, `tapa`, `mahbusa,checkers=3`. `plakoto` is read as an
/// alias of `mahbusa`, `mother=on|off` is read and never written (`mahbusa,mother=off` is `tapa`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    mother: bool,
    checkers: u8,
}

impl Rules {
    /// Mahbusa, also called Plakoto: pinning the last enemy checker on its start wins two points.
    pub const MAHBUSA: Rules = Rules { mother: true, checkers: 15 };
    /// Tapa: the start is a point like any other, but for the draw.
    pub const TAPA: Rules = Rules { mother: false, checkers: 15 };

    /// The same game with fewer checkers a side.
    ///
    /// # Errors
    /// When `checkers` is not in 1..=15.
    pub fn with_checkers(self, checkers: u8) -> Result<Rules, RulesError> {
        if (1..=15).contains(&checkers) {
            Ok(Rules { checkers, ..self })
        } else {
            Err(RulesError::new(0, "checkers=1 to checkers=15", &checkers.to_string()))
        }
    }

    /// Whether pinning the enemy's last checker on its start wins the game.
    pub fn mother(self) -> bool {
        self.mother
    }

    /// Checkers a side, 1..=15.
    pub fn checkers(self) -> u8 {
        self.checkers
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.mother { "mahbusa" } else { "tapa" })?;
        if self.checkers != 15 {
            write!(f, ",checkers={}", self.checkers)?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        let mut parts = text.split(',');
        let id = parts.next().unwrap_or_default();
        let mut rules = match id {
            "mahbusa" | "plakoto" => Rules::MAHBUSA,
            "tapa" => Rules::TAPA,
            _ => return Err(RulesError::new(0, "`mahbusa`, `plakoto` or `tapa`", id)),
        };
        let mut column = id.len() + 1;
        let mut previous = "";
        for option in parts {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let value_column = column + key.len() + usize::from(key.len() < option.len());
            if key <= previous && matches!(key, "checkers" | "mother") {
                return Err(RulesError::new(column, "options in alphabetical order, each once", option));
            }
            match key {
                "checkers" => {
                    let canonical = !value.starts_with('0') && value.bytes().all(|b| b.is_ascii_digit());
                    rules.checkers =
                        value.parse().ok().filter(|n| canonical && (1..=14).contains(n)).ok_or_else(|| {
                            RulesError::new(value_column, "1 to 14 (15 is the default and not written)", value)
                        })?;
                }
                "mother" => {
                    rules.mother = match value {
                        "on" => true,
                        "off" => false,
                        _ => return Err(RulesError::new(value_column, "`on` or `off`", value)),
                    }
                }
                _ => return Err(RulesError::new(column, "`checkers=N` or `mother=on|off`", option)),
            }
            previous = key;
            column += option.len() + 1;
        }
        Ok(rules)
    }
}

/// A rule set that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rules, column {}: expected {expected}, found {}", .offset + 1, quoted(.found))]
pub struct RulesError {
    /// Bytes before the fault.
    pub(crate) offset: usize,
    pub(crate) expected: &'static str,
    pub(crate) found: String,
}

impl RulesError {
    fn new(offset: usize, expected: &'static str, found: &str) -> RulesError {
        RulesError { offset, expected, found: found.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_read_and_the_canonical_form_is_written() {
        for (text, canonical) in [
            ("mahbusa", "mahbusa"),
            ("plakoto", "mahbusa"),
            ("plakoto,mother=off", "tapa"),
            ("tapa,mother=on", "mahbusa"),
            ("mahbusa,mother=on", "mahbusa"),
            ("tapa,checkers=3", "tapa,checkers=3"),
            ("tapa,checkers=1,mother=on", "mahbusa,checkers=1"),
        ] {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), canonical);
        }
    }

    #[test]
    fn malformed_rules_are_refused_at_their_column() {
        for (text, column) in [
            ("", 1),
            ("Mahbusa", 1),
            ("mahbusa,", 9),
            ("mahbusa,checkers", 17),
            ("mahbusa,checkers=", 18),
            ("mahbusa,checkers=0", 18),
            ("mahbusa,checkers=03", 18),
            ("mahbusa,checkers=15", 18),
            ("mahbusa,checkers=16", 18),
            ("mahbusa,checkers=+3", 18),
            ("mahbusa,mother=yes", 16),
            ("mahbusa,mother=on,checkers=3", 19),
            ("mahbusa,checkers=3,checkers=3", 20),
            ("mahbusa,doubling=on", 9),
        ] {
            let error = text.parse::<Rules>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("rules, column {column}:")), "{text}: {error}");
        }
    }
}
