//! Steps as people type them.

use crate::OpenTurn;
use crate::quote::quoted;

/// What a person typed is no part of a legal play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypedError {
    /// A word names no way of a checker.
    #[error("expected the way of a checker such as `24/18`, `24/18/14` or `6/off`, found {}", quoted(.0))]
    Word(String),
    /// The rules do not allow it.
    #[error("{} cannot be played here", quoted(.0))]
    Impossible(String),
}

impl OpenTurn {
    /// The turn with the steps that a person types: words such as `24/18`, `24/18/14` over a point between, `24/14` with both dice, `13/10(2)` twice,
    /// `6/off`. A pin may be marked, `24/20~`.
    ///
    /// # Errors
    /// When a word is none of these, or when a step may not follow.
    pub fn typed(&self, text: &str) -> Result<OpenTurn, TypedError> {
        let mut so_far = vec![self.clone()];
        for word in text.split_whitespace() {
            let (stops, times) = stops(word).ok_or_else(|| TypedError::Word(word.to_owned()))?;
            for leg in (0..times).flat_map(|_| stops.windows(2)) {
                so_far = so_far.iter().flat_map(|turn| travelled(turn, leg[0], leg[1])).collect();
            }
            if so_far.is_empty() {
                return Err(TypedError::Impossible(word.to_owned()));
            }
        }
        // The points between make no difference to the position, unless the game ends there. A step of one die comes first.
        Ok(so_far.swap_remove(0))
    }
}

/// All ways to bring a checker from one point to another, one step or more; 0 is off the board.
fn travelled(turn: &OpenTurn, from: u8, to: u8) -> Vec<OpenTurn> {
    let mut found = Vec::new();
    for step in turn.steps().into_iter().map(|legal| legal.step).filter(|step| step.from == from && step.to >= to) {
        let mut longer = turn.clone();
        if longer.take(step).is_err() {
            continue;
        }
        if step.to == to {
            found.push(longer);
        } else {
            found.extend(travelled(&longer, step.to, to));
        }
    }
    found
}

/// The points that a word names, from the first to the last, 0 being off, and how often the whole is done.
fn stops(word: &str) -> Option<(Vec<u8>, usize)> {
    let (word, times) = match word.strip_suffix(')') {
        Some(counted) => {
            let (word, count) = counted.split_once('(')?;
            (word, count.parse().ok().filter(|n| (1..=4).contains(n))?)
        }
        None => (word, 1),
    };
    let stop = |text: &str| match text.strip_suffix('~').unwrap_or(text) {
        "off" | "0" => Some(0),
        number => number.parse().ok().filter(|n| (1..=24).contains(n) && !number.starts_with(['0', '+'])),
    };
    let stops: Vec<u8> = word.split('/').map(stop).collect::<Option<_>>()?;
    (stops.len() > 1 && stops.is_sorted_by(|a, b| a > b)).then_some((stops, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Roll, Rules};
    use proptest::prelude::*;

    fn turn(text: &str) -> OpenTurn {
        text.parse::<Position>().unwrap().open_turn().unwrap()
    }

    fn made(turn: &OpenTurn, typed: &str) -> Result<String, TypedError> {
        let turn = turn.typed(typed)?;
        Ok(if turn.is_complete() { turn.play().to_string() } else { format!("{} ...", turn.play()) })
    }

    #[test]
    fn people_write_plays_as_they_like() {
        let start = turn("mahbusa:O22o:0.0:w:64:0.0.0");
        assert_eq!(made(&start, "24/18 24/20").unwrap(), "24/18 24/20");
        assert_eq!(made(&start, " 24/20  24/18 ").unwrap(), "24/20 24/18");
        for typed in ["24/18 18/14", "24/18/14", "24/14", "24/14~"] {
            assert_eq!(made(&start, typed).unwrap(), "24/18 18/14", "{typed}");
        }
        assert_eq!(made(&start, "24/20/14").unwrap(), "24/20 20/14");
        assert_eq!(made(&start, "24/18").unwrap(), "24/18 ...");
        assert_eq!(made(&turn("mahbusa:O22o:0.0:w:33:0.0.0"), "24/18(2)").unwrap(), "24/21 21/18 24/21 21/18");
        // Pinned and freed again on the way.
        assert_eq!(made(&turn("mahbusa:O3a18n:0.0:w:41:0.0.0"), "24/20/19").unwrap(), "24/20 20/19");
        // By the 6 alone, not by both dice.
        assert_eq!(made(&turn("mahbusa,checkers=2:b21AA:0.0:w:61:0.0.0"), "2/0").unwrap(), "2/off ...");
        assert_eq!(made(&turn("mahbusa,checkers=2:b21AA:0.0:w:61:0.0.0"), "2/1/off").unwrap(), "2/1 1/off");
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let start = turn("mahbusa:O22o:0.0:w:64:0.0.0");
        assert_eq!(made(&start, "").unwrap(), "- ...");
        for word in ["24", "24/", "18/24", "24/24", "25/20", "04/1", "24/18(5)", "bar/18", "24/x", "24/18*"] {
            assert_eq!(start.typed(word).unwrap_err(), TypedError::Word(word.to_owned()));
        }
        for word in ["24/23", "24/18 24/18", "24/18 24/20 24/20", "24/off", "6/off"] {
            assert!(matches!(start.typed(word), Err(TypedError::Impossible(_))), "{word}");
        }
        // Both dice must be used, and no 6 could follow 9/8.
        let duty = turn("mahbusa:A5bb7A6bi:13.0:w:61:0.0.0");
        assert_eq!(made(&duty, "9/3 24/23").unwrap(), "9/3 24/23");
        assert_eq!(made(&duty, "9/8"), Err(TypedError::Impossible("9/8".to_owned())));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Every legal play can be typed as it is written, in full and with each checker's way in one word.
        #[test]
        fn every_play_can_be_typed_as_it_is_written(choices in prop::collection::vec(any::<u16>(), 1..120), small in any::<bool>()) {
            let rules: Rules = if small { "mahbusa,checkers=4" } else { "tapa" }.parse().unwrap();
            let mut position = Position::start(rules);
            for choice in choices.into_iter().map(usize::from) {
                let rolled = position.with_dice(Roll::from_uniform((choice % 36) as u8));
                let turn = rolled.open_turn().unwrap();
                let plays = rolled.plays();
                for legal in &plays {
                    if legal.play.len() > 0 {
                        for text in [legal.play.to_string(), rolled.display(legal.play)] {
                            let typed = turn.typed(&text).unwrap();
                            prop_assert!(typed.is_complete());
                            prop_assert_eq!(rolled.find_play(typed.play()).unwrap().play, legal.play, "{}", text);
                        }
                    }
                }
                let legal = plays[choice / 36 % plays.len()];
                if legal.ending.is_some() {
                    break;
                }
                position = legal.position;
            }
        }
    }
}
