use crate::{Board, Play, Position, PositionPlay, Step};

/// A turn that is played step by step, as people play it: the steps taken so far, and which may follow so that the whole still becomes a legal play.
///
/// ```
/// use mahbusa_rules::{PartialPlay, Position};
///
/// let position: Position = "mahbusa:O22o:0.0:w:64:0.0.0".parse()?;
/// let begun = PartialPlay::new(&position).typed("24/18")?;
/// assert_eq!(begun.next_steps().len(), 2);
/// let whole = begun.typed("18/14")?;
/// assert_eq!(whole.finished().map(|legal| legal.play.to_string()).as_deref(), Some("24/18 18/14"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartialPlay {
    start: Position,
    /// All legal plays of the turn.
    legal: Vec<PositionPlay>,
    taken: Vec<Step>,
}

/// One way to have taken the steps: a checker that is borne off may have used either die.
#[derive(Clone, Debug)]
struct Way {
    board: Board,
    /// Dice that are left.
    dice: Vec<u8>,
}

impl PartialPlay {
    /// The turn of a position with dice, no step taken.
    pub fn new(position: &Position) -> PartialPlay {
        PartialPlay { start: *position, legal: position.plays(), taken: Vec::new() }
    }

    /// All legal plays of the turn, in wire order, whatever has been taken.
    pub fn legal(&self) -> &[PositionPlay] {
        &self.legal
    }

    /// The steps taken, in their order.
    pub fn taken(&self) -> &[Step] {
        &self.taken
    }

    /// The position after the steps taken, with the dice of the turn, the same side to move.
    pub fn position(&self) -> Position {
        let board = self.ways().first().map_or(self.start.board, |way| way.board);
        Position { board, ..self.start }
    }

    /// The legal play that has been made, once no step may follow. A forced pass is made at once.
    pub fn finished(&self) -> Option<PositionPlay> {
        self.ways().iter().find_map(|way| self.result(way, self.taken.len()))
    }

    /// The steps that may follow, in wire order; none once the play is made.
    pub fn next_steps(&self) -> Vec<Step> {
        let taken = self.taken.len() + 1;
        let mut steps: Vec<Step> = Vec::new();
        for (step, way) in self.ways().iter().flat_map(|way| self.steps(way)) {
            if !steps.contains(&step) && self.leads_to_a_play(&way, taken) {
                steps.push(step);
            }
        }
        steps.sort_by_key(|&step| Play::PASS.then(step));
        steps
    }

    /// The turn with one more step; `None` when it may not follow.
    #[must_use]
    pub fn then(&self, step: Step) -> Option<PartialPlay> {
        let mut longer = self.clone();
        longer.taken.push(step);
        longer.ways().iter().any(|way| self.leads_to_a_play(way, longer.taken.len())).then_some(longer)
    }

    /// The turn without its last step; `None` when none was taken.
    #[must_use]
    pub fn back(&self) -> Option<PartialPlay> {
        let mut shorter = self.clone();
        shorter.taken.pop().map(|_| shorter)
    }

    /// The turn with the steps that a person types: words such as `24/18`, `24/18/14` over a point between, `24/14` with both dice, `13/10(2)` twice,
    /// `6/off`. A pin may be marked, `24/20~`.
    ///
    /// # Errors
    /// When a word is none of these, or when a step may not follow.
    pub fn typed(&self, text: &str) -> Result<PartialPlay, TypedError> {
        let mut so_far = vec![self.clone()];
        for word in text.split_whitespace() {
            let (stops, times) = stops(word).ok_or_else(|| TypedError::Word(word.to_owned()))?;
            for leg in (0..times).flat_map(|_| stops.windows(2)) {
                so_far = so_far.iter().flat_map(|partial| partial.travelled(leg[0], leg[1])).collect();
            }
            if so_far.is_empty() {
                return Err(TypedError::Impossible(word.to_owned()));
            }
        }
        // The points between make no difference to the position, unless the game ends there. A step of one die comes first.
        Ok(so_far.swap_remove(0))
    }

    /// All ways to bring a checker from one point to another, one step or more; 0 is off the board.
    fn travelled(&self, from: u8, to: u8) -> Vec<PartialPlay> {
        let mut found = Vec::new();
        for step in self.next_steps().into_iter().filter(|step| step.from == from && step.to >= to) {
            let Some(longer) = self.then(step) else { continue };
            if step.to == to {
                found.push(longer);
            } else {
                found.extend(longer.travelled(step.to, to));
            }
        }
        found
    }

    /// How the steps can have been taken; none if they cannot.
    fn ways(&self) -> Vec<Way> {
        let dice = match self.start.dice {
            Some(roll) if roll.is_double() => vec![roll.high(); 4],
            Some(roll) => vec![roll.high(), roll.low()],
            None => Vec::new(),
        };
        let mut ways = vec![Way { board: self.start.board, dice }];
        for taken in &self.taken {
            ways = ways
                .iter()
                .flat_map(|way| self.steps(way))
                .filter(|(step, _)| step == taken)
                .map(|(_, way)| way)
                .collect();
        }
        ways
    }

    /// The steps that the rules allow with a die that is left, whether or not they lead to a legal play.
    fn steps(&self, way: &Way) -> Vec<(Step, Way)> {
        let Way { board, dice } = way;
        let mut steps = Vec::new();
        if !self.taken.is_empty() && board.ending(self.start.rules).is_some() {
            return steps;
        }
        for (index, &die) in dice.iter().enumerate() {
            if dice[..index].contains(&die) {
                continue;
            }
            let mut dice = dice.clone();
            dice.remove(index);
            let mut movable = board.movable(board.my_free(), board.open(), die);
            while movable != 0 {
                let from = movable.trailing_zeros() as u8;
                movable &= movable - 1;
                let to = from.checked_sub(die);
                let step = Step { from: from + 1, to: to.map_or(0, |to| to + 1) };
                steps.push((
                    step,
                    Way { board: board.stepped(usize::from(from), to.map(usize::from)), dice: dice.clone() },
                ));
            }
        }
        steps
    }

    /// The legal play that leads to the same board with as many steps; one that ends the game may take fewer.
    fn result(&self, way: &Way, steps: usize) -> Option<PositionPlay> {
        let board = way.board.flip();
        let mut same = self.legal.iter().filter(|legal| legal.position.board == board);
        same.find(|legal| legal.ending.is_some() || legal.play.len() as usize == steps).copied()
    }

    fn leads_to_a_play(&self, way: &Way, steps: usize) -> bool {
        self.result(way, steps).is_some()
            || self.steps(way).iter().any(|(_, further)| self.leads_to_a_play(further, steps + 1))
    }
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

/// What a person typed is no part of a legal play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypedError {
    /// A word names no way of a checker.
    #[error("expected the way of a checker such as `24/18`, `24/18/14` or `6/off`, found `{0}`")]
    Word(String),
    /// The rules do not allow it.
    #[error("`{0}` cannot be played here")]
    Impossible(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Roll;
    use proptest::prelude::*;

    fn turn(text: &str) -> PartialPlay {
        PartialPlay::new(&text.parse().unwrap())
    }

    fn made(turn: &PartialPlay, typed: &str) -> Result<String, TypedError> {
        let played = turn.typed(typed)?;
        let begun = played.taken().iter().fold(Play::PASS, |play, &step| play.then(step));
        Ok(played.finished().map_or_else(|| format!("{begun} ..."), |legal| legal.play.to_string()))
    }

    #[test]
    fn people_write_plays_as_they_like() {
        let start = turn("mahbusa:O22o:0.0:w:64:0.0.0");
        for typed in ["24/18 24/20", "24/20 24/18", " 24/20  24/18 "] {
            assert_eq!(made(&start, typed).unwrap(), "24/18 24/20");
        }
        for typed in ["24/18 18/14", "24/18/14", "24/20/14", "24/14", "24/14~"] {
            assert_eq!(made(&start, typed).unwrap(), "24/18 18/14", "{typed}");
        }
        assert_eq!(made(&start, "24/18").unwrap(), "24/18 ...");
        assert_eq!(made(&turn("mahbusa:O22o:0.0:w:33:0.0.0"), "24/18(2)").unwrap(), "24/21 24/21 21/18 21/18");
        // Pinned and freed again on the way.
        assert_eq!(made(&turn("mahbusa:O3a18n:0.0:w:41:0.0.0"), "24/19").unwrap(), "24/20 20/19");
        // By the 6 alone, not by both dice.
        assert_eq!(made(&turn("mahbusa,checkers=2:b21AA:0.0:w:61:0.0.0"), "2/0").unwrap(), "2/off ...");
        assert_eq!(made(&turn("mahbusa,checkers=2:b21AA:0.0:w:61:0.0.0"), "2/1/off").unwrap(), "2/1 1/off");
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let start = turn("mahbusa:O22o:0.0:w:64:0.0.0");
        for word in ["", "24", "24/", "18/24", "24/24", "25/20", "04/1", "24/18(5)", "bar/18", "24/x", "24/18*"] {
            if word.is_empty() {
                assert!(start.typed(word).unwrap().taken().is_empty());
            } else {
                assert_eq!(start.typed(word).unwrap_err(), TypedError::Word(word.to_owned()));
            }
        }
        for word in ["24/23", "24/18 24/18", "24/18 24/20 24/20", "24/off", "6/off"] {
            assert!(matches!(start.typed(word), Err(TypedError::Impossible(_))), "{word}");
        }
        // Both dice must be used, and no 6 could follow 9/8.
        let duty = turn("mahbusa:A5bb7A6bi:13.0:w:61:0.0.0");
        assert_eq!(made(&duty, "9/3 24/23").unwrap(), "24/23 9/3");
        assert_eq!(made(&duty, "9/8"), Err(TypedError::Impossible("9/8".to_owned())));
    }

    #[test]
    fn steps_are_taken_and_taken_back() {
        let start = turn("mahbusa:O22o:0.0:w:11:0.0.0");
        let mut begun = start.clone();
        for _ in 0..4 {
            assert!(begun.finished().is_none());
            let step = begun.next_steps()[0];
            begun = begun.then(step).unwrap();
        }
        assert_eq!(begun.finished().unwrap().play.to_string(), "24/23 24/23 24/23 24/23");
        assert!(begun.next_steps().is_empty());
        assert_eq!(begun.back().unwrap().taken().len(), 3);
        assert!(start.back().is_none());
        assert!(start.then(Step { from: 24, to: 22 }).is_none());
    }

    #[test]
    fn a_forced_pass_is_made_at_once() {
        let stuck = turn("mahbusa:4k6A1b2b6N:0.0:w:52:0.0.0");
        assert_eq!(stuck.finished().unwrap().play, Play::PASS);
        assert!(stuck.next_steps().is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Whatever steps people take, they end with a legal play, and every legal play can be made so.
        #[test]
        fn step_by_step_makes_the_legal_plays_and_no_other(choices in prop::collection::vec(any::<u16>(), 1..120), small in any::<bool>()) {
            let rules = if small { "mahbusa,checkers=4" } else { "tapa" };
            let mut position = Position::start(rules.parse().unwrap());
            let mut choices = choices.into_iter().map(usize::from);
            while let Some(choice) = choices.next() {
                let rolled = position.with_dice(Roll::from_uniform((choice % 36) as u8));
                let mut turn = PartialPlay::new(&rolled);
                prop_assert_eq!(turn.legal(), rolled.plays());
                for legal in turn.legal() {
                    if legal.play != Play::PASS {
                        let typed = turn.typed(&legal.play.to_string()).unwrap();
                        prop_assert_eq!(typed.finished(), Some(*legal));
                    }
                }
                while turn.finished().is_none() {
                    let steps = turn.next_steps();
                    prop_assert!(!steps.is_empty());
                    turn = turn.then(steps[choices.next().unwrap_or(7) % steps.len()]).unwrap();
                }
                let legal = turn.finished().unwrap();
                if legal.ending.is_some() {
                    break;
                }
                position = legal.position;
            }
        }
    }
}
