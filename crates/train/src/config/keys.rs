use std::fmt;

use mahbusa_rules::Rules;
use toml::de::DeValue;

use super::nearest::nearest;

/// A key of the configuration, as it was declared together with its field.
#[derive(Debug)]
pub(crate) struct Key {
    /// With its section, such as `train.games`; the name of a section itself is a key, too.
    pub name: &'static str,
    /// What it may be.
    pub allowed: Allowed,
    /// The doc comment of the field, with its line ends.
    pub doc: &'static str,
}

/// What a key may be.
#[derive(Debug)]
pub(crate) enum Allowed {
    /// A rule set in its notation.
    Rules,
    /// A multiple of `step` in a range, ends included.
    Whole { least: u64, most: u64, step: u64 },
    /// A number in a range, ends included.
    Number { least: f64, most: f64 },
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Yes or no.
    Truth,
    /// More keys.
    Section(&'static [Key]),
}

/// Any whole number in a range, ends included.
pub(crate) const fn whole(least: u64, most: u64) -> Allowed {
    Allowed::Whole { least, most, step: 1 }
}

/// A value that a key may not have.
#[derive(Debug, PartialEq)]
pub(crate) struct Refused {
    /// What would have been right.
    pub expected: String,
    /// What was perhaps meant.
    pub nearest: Option<&'static str>,
}

impl Key {
    /// Its name without that of the section.
    pub fn short(&self) -> &'static str {
        self.name.rsplit_once('.').map_or(self.name, |(_, short)| short)
    }

    /// What it means, in one line.
    pub fn meaning(&self) -> String {
        self.doc.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Allowed {
    /// Whether a key may have this value.
    pub fn check(&self, value: &DeValue<'_>) -> Result<(), Refused> {
        let (fits, nearest) = match (self, value) {
            (Allowed::Rules, DeValue::String(text)) => match text.parse::<Rules>() {
                Ok(_) => return Ok(()),
                Err(error) => {
                    let id = text.split(',').next().unwrap_or_default();
                    let nearest = nearest(id, ["mahbusa", "tapa", "plakoto"]).filter(|name| *name != id);
                    return Err(Refused { expected: format!("{self} ({error})"), nearest });
                }
            },
            (&Allowed::Whole { least, most, step }, DeValue::Integer(number)) => {
                let number = u64::from_str_radix(number.as_str(), number.radix());
                (number.is_ok_and(|n| (least..=most).contains(&n) && n % step == 0), None)
            }
            (&Allowed::Number { least, most }, value) => {
                let number = match value {
                    DeValue::Integer(number) => {
                        i64::from_str_radix(number.as_str(), number.radix()).map(|n| n as f64).ok()
                    }
                    DeValue::Float(number) => number.as_str().parse().ok(),
                    _ => None,
                };
                (number.is_some_and(|n| (least..=most).contains(&n)), None)
            }
            (Allowed::OneOf(words), DeValue::String(text)) => {
                (words.contains(&text.as_ref()), nearest(text, words.iter().copied()))
            }
            (Allowed::Truth, DeValue::Boolean(_)) | (Allowed::Section(_), DeValue::Table(_)) => return Ok(()),
            _ => (false, None),
        };
        if fits { Ok(()) } else { Err(Refused { expected: self.to_string(), nearest }) }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Allowed::Rules => f.write_str("`\"mahbusa\"` or `\"tapa\"`, with options such as `\"mahbusa,checkers=3\"`"),
            Allowed::Whole { least, most, step } => match step {
                1 => write!(f, "a whole number, {least} to {}", Large(most)),
                2 => write!(f, "an even number, {least} to {}", Large(most)),
                _ => write!(f, "a multiple of {step}, {least} to {}", Large(most)),
            },
            Allowed::Number { least, most } => write!(f, "a number, {} to {most}", Small(least)),
            Allowed::OneOf(words) => {
                for (i, word) in words.iter().enumerate() {
                    let before = if i == 0 { "" } else { " or " };
                    write!(f, "{before}`\"{word}\"`")?;
                }
                Ok(())
            }
            Allowed::Truth => f.write_str("`true` or `false`"),
            Allowed::Section(_) => f.write_str("a section of keys"),
        }
    }
}

/// A number as people write it: 2^50.
struct Large(u64);

impl fmt::Display for Large {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n >= 1 << 30 && n.is_power_of_two() => write!(f, "2^{}", n.trailing_zeros()),
            n if n > 1 << 30 && (n + 1).is_power_of_two() => write!(f, "2^{} - 1", (n + 1).trailing_zeros()),
            n => n.fmt(f),
        }
    }
}

/// A number as people write it: 1e-30.
struct Small(f64);

impl fmt::Display for Small {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 { f.write_str("0") } else { write!(f, "{:e}", self.0) }
    }
}
