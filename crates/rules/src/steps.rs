//! A turn step by step, as people play it on a board.

use crate::{Board, Ending, Play, PlayError, Position, Roll, Rules, Step};

/// A turn that is being played, one step at a time: what a board with drag and drop needs.
///
/// A step is legal when some legal play goes on with it, its steps in any legal order. So whoever takes legal steps until there are none has made
/// a legal play, and may end the turn exactly then; a turn that must be passed is complete from the beginning.
///
/// ```
/// use mahbusa_rules::Position;
///
/// let position: Position = "mahbusa:O22o:0.0:w:64:0.0.0".parse()?;
/// let mut turn = position.open_turn().ok_or("no dice, or the game is over")?;
/// let steps: Vec<String> = turn.steps().iter().map(|legal| legal.step.to_string()).collect();
/// assert_eq!(steps, ["24/18", "24/20"]);
/// turn.take("24/20".parse()?)?;
/// assert!(!turn.is_complete());
/// turn.take("20/14".parse()?)?;
/// assert!(turn.is_complete());
/// // The same play as 24/18 18/14, which is how it is written.
/// assert_eq!(position.find_play(turn.play())?.play.to_string(), "24/18 18/14");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenTurn {
    rules: Rules,
    begun: State,
    /// The steps taken, and where each has led.
    taken: Vec<(Step, State)>,
    /// Dice that a legal play uses.
    most: u8,
    /// The only die that may be played, if the dice duty says so.
    only: Option<u8>,
}

/// A step that may be taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalStep {
    /// The step.
    pub step: Step,
    /// The die that it uses. If both would do, a checker is borne off, it makes no difference, and this is the lower.
    pub die: u8,
    /// Whether it traps an enemy checker.
    pub pins: bool,
    /// The board after it, still seen by the side that plays.
    pub board: Board,
    /// How it ends the game for the side that plays, if it does.
    pub ending: Option<Ending>,
}

/// Where a turn stands.
#[derive(Clone, Copy, Debug)]
struct State {
    board: Board,
    left: Dice,
}

impl OpenTurn {
    /// A turn of which nothing is played yet, by the side that sees the board. The board must not be that of a finished game.
    pub fn new(rules: Rules, board: &Board, roll: Roll) -> OpenTurn {
        let left = Dice::of(roll);
        let most = playable(rules, board, left);
        // One die of two: the higher one if it can be played.
        let only = (!roll.is_double() && most == 1).then(|| {
            let high_fits = board.movable(board.my_free(), board.open(), roll.high()) != 0;
            if high_fits { roll.high() } else { roll.low() }
        });
        OpenTurn { rules, begun: State { board: *board, left }, taken: Vec::new(), most, only }
    }

    /// The board as it stands now, seen by the side that plays.
    pub fn board(&self) -> &Board {
        &self.now().board
    }

    /// The dice that are not used yet, the higher first. Some may stay so; all do when the game has ended.
    pub fn dice_left(&self) -> impl Iterator<Item = u8> {
        self.now().left.iter()
    }

    /// The steps that may be taken now, each once, higher `from` first, then lower `to`. None when the turn is complete.
    pub fn steps(&self) -> Vec<LegalStep> {
        let State { board, left } = *self.now();
        if board.ending(self.rules).is_some() {
            return Vec::new();
        }
        let mut steps: Vec<LegalStep> = Vec::new();
        for (die, rest) in left.each().filter(|&(die, _)| self.only.is_none_or(|only| only == die)) {
            for (step, next) in steps_with(&board, die) {
                let ending = next.ending(self.rules);
                let used = self.taken.len() as u8 + 1;
                let complete = ending.is_some() || used + playable(self.rules, &next, rest) == self.most;
                // Where both dice bear off the same checker, it is the highest one, and each of them would bear off the next one too.
                if complete && steps.iter().all(|known| known.step != step) {
                    let pins = step.to > 0 && board.their_blots() >> (step.to - 1) & 1 == 1;
                    steps.push(LegalStep { step, die, pins, board: next, ending });
                }
            }
        }
        steps.sort_by_key(|legal| Play::PASS.then(legal.step));
        steps
    }

    /// Whether the turn may be ended now: there is no legal step, since all dice are played that can be, or the game is over.
    pub fn is_complete(&self) -> bool {
        self.steps().is_empty()
    }

    /// How the steps taken have ended the game for the side that plays, if they have.
    pub fn ending(&self) -> Option<Ending> {
        self.taken.last().and_then(|(_, state)| state.board.ending(self.rules))
    }

    /// Takes a step.
    ///
    /// # Errors
    /// [`PlayError::IllegalStep`] when no legal play goes on with it; the turn is unchanged then.
    pub fn take(&mut self, step: Step) -> Result<LegalStep, PlayError> {
        let legal = self
            .steps()
            .into_iter()
            .find(|legal| legal.step == step)
            .ok_or(PlayError::IllegalStep(self.play(), step))?;
        let left = self.now().left.without(legal.die);
        self.taken.push((step, State { board: legal.board, left }));
        Ok(legal)
    }

    /// Takes the last step back and says which it was; `None` when none was taken.
    pub fn undo(&mut self) -> Option<Step> {
        self.taken.pop().map(|(step, _)| step)
    }

    /// The steps taken so far, in their order. When the turn is complete they are a legal play, though perhaps not as it is usually written:
    /// see [`Position::find_play`].
    pub fn play(&self) -> Play {
        self.taken.iter().fold(Play::PASS, |play, &(step, _)| play.then(step))
    }

    fn now(&self) -> &State {
        self.taken.last().map_or(&self.begun, |(_, state)| state)
    }
}

impl Position {
    /// The turn with the dice, to be played step by step; `None` when the game is over or there are no dice.
    pub fn open_turn(&self) -> Option<OpenTurn> {
        let roll = self.dice.filter(|_| self.ending().is_none())?;
        Some(OpenTurn::new(self.rules, &self.board, roll))
    }
}

/// How many of the dice can be played at most; all of them if that ends the game.
fn playable(rules: Rules, board: &Board, left: Dice) -> u8 {
    let all = left.count();
    let mut most = 0;
    for (die, rest) in left.each() {
        for (_, next) in steps_with(board, die) {
            let used = if next.ending(rules).is_some() { all } else { 1 + playable(rules, &next, rest) };
            most = most.max(used);
            if most == all {
                return all;
            }
        }
    }
    most
}

/// All steps with a die, and the boards after them.
fn steps_with(board: &Board, die: u8) -> impl Iterator<Item = (Step, Board)> {
    let movable = board.movable(board.my_free(), board.open(), die);
    (0..24u8).filter(move |from| movable >> from & 1 == 1).map(move |from| {
        let step = Step { from: from + 1, to: (from + 1).saturating_sub(die) };
        (step, board.stepped(usize::from(from), usize::from(from).checked_sub(usize::from(die))))
    })
}

/// Dice that are still to be played: how often the lower one and the higher one.
#[derive(Clone, Copy, Debug)]
struct Dice {
    faces: [u8; 2],
    times: [u8; 2],
}

impl Dice {
    fn of(roll: Roll) -> Dice {
        Dice { faces: [roll.low(), roll.high()], times: if roll.is_double() { [0, 4] } else { [1, 1] } }
    }

    fn count(self) -> u8 {
        self.times[0] + self.times[1]
    }

    /// Each different die, the lower first, and what is left without it.
    fn each(self) -> impl Iterator<Item = (u8, Dice)> {
        (0..2).filter(move |&i| self.times[i] > 0).map(move |i| {
            let mut rest = self;
            rest.times[i] -= 1;
            (self.faces[i], rest)
        })
    }

    /// What is left without a die that is there.
    fn without(self, die: u8) -> Dice {
        self.each().find(|&(known, _)| known == die).map_or(self, |(_, rest)| rest)
    }

    /// All of them, the higher first.
    fn iter(self) -> impl Iterator<Item = u8> {
        (0..2).rev().flat_map(move |i| std::iter::repeat_n(self.faces[i], usize::from(self.times[i])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(text: &str) -> OpenTurn {
        text.parse::<Position>().unwrap().open_turn().unwrap()
    }

    fn legal(turn: &OpenTurn) -> Vec<String> {
        turn.steps().iter().map(|legal| format!("{} by {}", legal.step, legal.die)).collect()
    }

    fn step(text: &str) -> Step {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_taken_can_be_undone() {
        let mut turn = turn("mahbusa:O3a18n:0.0:w:44:0.0.0");
        assert_eq!(turn.dice_left().collect::<Vec<_>>(), [4, 4, 4, 4]);
        let begun = *turn.board();
        assert!(turn.take(step("24/20")).unwrap().pins);
        assert!(!turn.take(step("24/20")).unwrap().pins);
        let refused = turn.take(step("24/21"));
        assert_eq!(refused.unwrap_err().to_string(), "after `24/20 24/20`, `24/21` is not a legal step");
        assert_eq!(turn.dice_left().count(), 2);
        assert_eq!((turn.undo(), turn.undo(), turn.undo()), (Some(step("24/20")), Some(step("24/20")), None));
        assert_eq!((*turn.board(), turn.play()), (begun, Play::PASS));
    }

    #[test]
    fn a_step_after_which_a_die_would_be_lost_is_not_legal() {
        // 24/23 would leave no six.
        let loose = turn("mahbusa,checkers=4:A6b6A5b3:2.0:w:61:0.0.0");
        assert_eq!(legal(&loose), ["24/18 by 6", "10/9 by 1"]);
        let stuck = turn("mahbusa:4k6A1b2b6N:0.0:w:52:0.0.0");
        assert!(stuck.is_complete() && stuck.play() == Play::PASS);
    }

    #[test]
    fn a_step_that_ends_the_game_ends_the_turn() {
        let mut turn = turn("mahbusa,checkers=2:b21AA:0.0:w:61:0.0.0");
        assert_eq!(legal(&turn), ["2/off by 6", "2/1 by 1", "1/off by 1"]);
        turn.take(step("2/off")).unwrap();
        assert_eq!(legal(&turn), ["1/off by 1"]);
        turn.take(step("1/off")).unwrap();
        assert_eq!((turn.ending(), turn.is_complete()), (Some(Ending::Mars), true));
    }

    #[test]
    fn without_dice_there_is_no_turn() {
        for text in ["mahbusa:O22o:0.0:w:-:0.0.0", "mahbusa:n~21MA~:0.0:b:-:0.0.0"] {
            assert!(text.parse::<Position>().unwrap().open_turn().is_none(), "{text}");
        }
    }
}
