use std::borrow::Cow;

/// The first characters of a text, at most so many, and `...` where it goes on: for messages, which a text of any length may get into.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]).into(),
        None => text.into(),
    }
}

/// What somebody has written, as an error says it: in backticks, at most 40 characters of it; `nothing` where nothing stands.
pub fn quoted(found: &str) -> String {
    const SHOWN: usize = 40;
    if found.is_empty() { "nothing".to_owned() } else { format!("`{}`", shortened(found, SHOWN)) }
}

#[cfg(test)]
mod tests {
    use crate::{Board, OpenTurn, Play, Position, Roll, Rules};

    use super::*;

    #[test]
    fn no_error_is_longer_than_a_sentence() {
        assert_eq!(quoted(""), "nothing");
        assert_eq!(quoted("24/25"), "`24/25`");
        assert_eq!(quoted(&"\u{e9}".repeat(40)), format!("`{}`", "\u{e9}".repeat(40)));
        assert_eq!(quoted(&"\u{e9}".repeat(41)), format!("`{}...`", "\u{e9}".repeat(40)));

        let long = "9".repeat(1_000_000);
        let turn = OpenTurn::new(Rules::MAHBUSA, &Board::start(Rules::MAHBUSA), "64".parse().unwrap());
        for error in [
            long.parse::<Position>().unwrap_err().to_string(),
            format!("mahbusa:{long}").parse::<Position>().unwrap_err().to_string(),
            long.parse::<Play>().unwrap_err().to_string(),
            long.parse::<Roll>().unwrap_err().to_string(),
            long.parse::<Rules>().unwrap_err().to_string(),
            format!("tapa,checkers={long}").parse::<Rules>().unwrap_err().to_string(),
            turn.typed(&long).unwrap_err().to_string(),
        ] {
            assert!(error.len() < 250, "{error}");
        }
    }
}
