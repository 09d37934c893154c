use std::fmt;

use crate::{Board, Ending, MatchScore, Play, PlayError, Roll, Rules, Step, plays};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// White, upper case in the notation.
    White,
    /// Black, lower case in the notation.
    Black,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl fmt::Display for Side {
    /// What people call it: `White` or `Black`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// A position as it is written down: the rules, the board, whose turn it is, the dice and the match.
///
/// Reads and writes PPN: `<rules>:<board>:<off>:<turn>:<dice>:<match>`, see [`Position::from_str`](std::str::FromStr).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The rule set.
    pub rules: Rules,
    /// The board as the side in turn sees it.
    pub board: Board,
    /// The side to roll, or to move when there are dice.
    pub turn: Side,
    /// The dice to be played; `None` when they are still to be rolled.
    pub dice: Option<Roll>,
    /// The score of the match.
    pub score: MatchScore,
}

/// A legal play of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionPlay {
    /// The play, in wire form.
    pub play: Play,
    /// The position after it: the turn passed, no dice.
    pub position: Position,
    /// How the play ended the game for the side that played, if it did.
    pub ending: Option<Ending>,
}

impl Position {
    /// The start of a single game, White to roll.
    pub fn start(rules: Rules) -> Position {
        Position { rules, board: Board::start(rules), turn: Side::White, dice: None, score: MatchScore::SINGLE_GAME }
    }

    /// If the game is over: how the side ended it that played last, which is not the side in turn.
    pub fn ending(&self) -> Option<Ending> {
        self.board.flip().ending(self.rules)
    }

    /// The same position with these dice.
    #[must_use]
    pub fn with_dice(self, roll: Roll) -> Position {
        Position { dice: Some(roll), ..self }
    }

    /// All legal plays with the dice, in wire order; a forced pass is one entry. Empty when the game is over or there are no dice.
    pub fn plays(&self) -> Vec<PositionPlay> {
        let Some(roll) = self.dice.filter(|_| self.ending().is_none()) else {
            return Vec::new();
        };
        let after = |board: Board| Position { board: board.flip(), turn: self.turn.other(), dice: None, ..*self };
        plays(self.rules, &self.board, roll)
            .into_iter()
            .map(|result| PositionPlay { play: result.play, position: after(result.board), ending: result.ending })
            .collect()
    }

    /// The legal play that leads to the same position as `play`, whose steps may stand in any legal order.
    ///
    /// # Errors
    /// [`PlayError::Illegal`] when there is none.
    pub fn find_play(&self, play: Play) -> Result<PositionPlay, PlayError> {
        let legal = self.plays();
        if play == Play::PASS {
            return legal.into_iter().find(|candidate| candidate.play == play).ok_or(PlayError::Illegal(play));
        }
        let steps: Vec<_> = play.steps().collect();
        let dice = match self.dice {
            Some(roll) if roll.is_double() => vec![vec![roll.high(); 4]],
            Some(roll) => vec![vec![roll.high(), roll.low()], vec![roll.low(), roll.high()]],
            None => Vec::new(),
        };
        let walk = |dice: &[u8]| {
            let mut board = self.board;
            for (step, &die) in steps.iter().zip(dice) {
                let from = usize::from(step.from - 1);
                let fits = step.to == step.from.saturating_sub(die);
                let movable = board.movable(board.my_free(), board.open(), die) >> from & 1 == 1;
                if !fits || !movable || board.ending(self.rules).is_some() {
                    return None;
                }
                board = board.stepped(from, from.checked_sub(usize::from(die)));
            }
            Some(board.flip())
        };
        let results: Vec<Board> =
            dice.iter().filter(|dice| steps.len() <= dice.len()).filter_map(|dice| walk(dice)).collect();
        legal
            .into_iter()
            // A step less may lead to the same position, but wastes a die, unless it ends the game.
            .filter(|candidate| candidate.ending.is_some() || candidate.play.len() as usize == steps.len())
            .find(|candidate| results.contains(&candidate.position.board))
            .ok_or(PlayError::Illegal(play))
    }

    /// A legal play as people write it: steps of equal checkers are counted, `13/10(2)`, and those that pin are marked, `24/20~`.
    ///
    /// ```
    /// use mahbusa_rules::Position;
    ///
    /// let position: Position = "mahbusa:O3a18n:0.0:w:44:0.0.0".parse()?;
    /// let play = position.find_play("24/20(2) 20/16(2)".parse()?)?.play;
    /// assert_eq!(position.display(play), "24/20~(2) 20/16(2)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn display(&self, play: Play) -> String {
        let mut board = self.board;
        let mut shown: Vec<(Step, bool, u8)> = Vec::new();
        for step in play.steps() {
            let to = usize::from(step.to).checked_sub(1);
            let pins = to.is_some_and(|to| board.their_blots() >> to & 1 == 1);
            match shown.last_mut() {
                Some((last, _, times)) if *last == step => *times += 1,
                _ => shown.push((step, pins, 1)),
            }
            board = board.stepped(usize::from(step.from - 1), to);
        }
        if shown.is_empty() {
            return play.to_string();
        }
        let words = shown.into_iter().map(|(step, pins, times)| {
            let mark = if pins { "~" } else { "" };
            let count = if times > 1 { format!("({times})") } else { String::new() };
            format!("{step}{mark}{count}")
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        text.parse().unwrap()
    }

    #[test]
    fn a_play_is_found_in_any_legal_order_of_its_steps() {
        let start = position("mahbusa:O22o:0.0:w:64:0.0.0");
        let by_the_four = start.find_play("24/20 20/14".parse().unwrap()).unwrap();
        assert_eq!(by_the_four.play.to_string(), "24/18 18/14");
        for illegal in ["24/18", "24/14", "24/20 24/20", "24/19 19/14", "-"] {
            if let Ok(play) = illegal.parse() {
                assert_eq!(start.find_play(play), Err(PlayError::Illegal(play)), "{illegal}");
            }
        }
    }

    #[test]
    fn a_pass_is_found_only_when_it_is_forced() {
        let stuck = position("mahbusa:4k6A1b2b6N:0.0:w:52:0.0.0");
        assert_eq!(stuck.find_play(Play::PASS).unwrap().play, Play::PASS);
    }

    #[test]
    fn what_is_displayed_reads_back() {
        for (text, play, shown) in [
            ("mahbusa:O3a18n:0.0:w:41:0.0.0", "24/20 24/23", "24/20~ 24/23"),
            // Pinned on the way, and freed again.
            ("mahbusa:O3a18n:0.0:w:41:0.0.0", "24/20 20/19", "24/20~ 20/19"),
            ("mahbusa:O22o:0.0:w:33:0.0.0", "24/21 24/21 24/21 21/18", "24/21(3) 21/18"),
            ("mahbusa:4k6A1b2b6N:0.0:w:52:0.0.0", "-", "-"),
            ("mahbusa,checkers=2:b21AA:0.0:w:61:0.0.0", "2/off 1/off", "2/off 1/off"),
        ] {
            let position = position(text);
            let play = play.parse().unwrap();
            assert_eq!(position.display(play), shown);
            assert_eq!(position.find_play(shown.parse().unwrap()).unwrap().play, play);
        }
    }

    #[test]
    fn sides_are_called_by_their_colours() {
        assert_eq!(format!("{}|{:>6}", Side::White, Side::Black), "White| Black");
    }

    #[test]
    fn a_finished_position_has_no_plays_and_a_score() {
        let drawn = position("mahbusa:n~21MA~:0.0:b:-:0.0.0");
        assert_eq!(drawn.ending(), Some(Ending::Draw));
        assert!(drawn.plays().is_empty());
    }
}
