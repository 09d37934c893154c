//! What C sees: constants and plain structs, and how they are checked and made.

use std::ffi::c_char;

use mahbusa_players::{Aim, LevelNumber, Rated};
use mahbusa_rules::{
    Ending, LegalStep, MatchOutcome, MatchScore, OpenTurn, Play, Position, PositionPlay, RawBoard, Roll, Rules, Side,
    Step,
};

use crate::fault::Fault;

/// What a function returns: `MAHBUSA_OK`, or one of the errors.
pub type Status = i32;

/// It worked.
pub const MAHBUSA_OK: i32 = 0;
/// An argument cannot be: a null pointer, a number out of its range, a text that is not UTF-8, a handle of another sort.
pub const MAHBUSA_ERROR_ARGUMENT: i32 = 1;
/// A text, a position or a board that is none.
pub const MAHBUSA_ERROR_POSITION: i32 = 2;
/// A play or a step that is malformed or not legal here, or a position in which nothing can be played: it has no dice, or its game is over.
pub const MAHBUSA_ERROR_PLAY: i32 = 3;
/// There is too little room for the answer. Nothing has been written but `count`, which is the room that is needed, or `length`, which is one less: a text
/// needs room for its closing 0 too.
pub const MAHBUSA_ERROR_CAPACITY: i32 = 4;
/// A file cannot be read.
pub const MAHBUSA_ERROR_IO: i32 = 5;
/// A file, or what was given in its stead, is damaged, something else, or of another version.
pub const MAHBUSA_ERROR_FILE: i32 = 6;
/// Things that do not belong together: a net and a position of other rules, levels and the nets of others.
pub const MAHBUSA_ERROR_MISMATCH: i32 = 7;
/// A fault of the library; please report it. It is in order otherwise, and so are its handles.
pub const MAHBUSA_ERROR_INTERNAL: i32 = 8;

/// Raised whenever a program that was compiled with an older header would not work any more; see `mahbusa_abi`.
pub const MAHBUSA_ABI: u32 = 1;

/// Room for any position or play as a text, its closing 0 included.
pub const MAHBUSA_TEXT_SIZE: usize = 128;
/// No position has more legal plays: 15 checkers share the four steps of a double.
pub const MAHBUSA_MAX_PLAYS: usize = 3060;
/// No turn has more legal steps at a time: 15 checkers, two dice.
pub const MAHBUSA_MAX_STEPS: usize = 30;
/// Strength levels are numbered from 1, the weakest, to this, the net as strong as it is meant to play.
pub const MAHBUSA_MAX_LEVEL: u32 = 6;
/// A net looks 1 to so many plies ahead.
pub const MAHBUSA_MAX_PLY: u32 = 3;
/// A roll has a number below this within its game. No game is as long.
pub const MAHBUSA_MAX_TURN: u32 = 100_000;

/// The side of upper-case letters.
pub const MAHBUSA_WHITE: u8 = 0;
/// The side of lower-case letters.
pub const MAHBUSA_BLACK: u8 = 1;

/// The game goes on.
pub const MAHBUSA_ENDING_NONE: u8 = 0;
/// Both starts are pinned: nobody wins.
pub const MAHBUSA_ENDING_DRAW: u8 = 1;
/// All checkers of one side are off, and some of the other: 1 point.
pub const MAHBUSA_ENDING_SINGLE: u8 = 2;
/// All checkers of one side are off, and none of the other: 2 points.
pub const MAHBUSA_ENDING_MARS: u8 = 3;
/// The last checker of a side is trapped on its start, in Mahbusa: 2 points for the other.
pub const MAHBUSA_ENDING_MOTHER: u8 = 4;

/// A board as one side, "I", sees it: the side to roll or to move. 50 bytes without gaps.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CBoard {
    /// Free checkers on my 1-point, ..., my 24-point: positive mine, negative theirs. All of mine start on my 24-point.
    pub points: [i8; 24],
    /// Trapped checkers on the same points: 1 mine, -1 theirs, 0 none.
    pub pins: [i8; 24],
    /// Checkers borne off: mine, theirs.
    pub off: [i8; 2],
}

/// A position: a board, whose turn it is, the dice, the rules and the match. Begin with `mahbusa_position_start` or `mahbusa_position_parse`;
/// you may change any field. Whatever gets a position checks it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CPosition {
    /// The board as the side in turn sees it.
    pub board: CBoard,
    /// The side in turn, to roll or to move: `MAHBUSA_WHITE` or `MAHBUSA_BLACK`.
    pub turn: u8,
    /// The dice to be played, in any order, or 0 and 0 when they are still to be rolled.
    pub dice: [u8; 2],
    /// 1 in Mahbusa (Plakoto), where pinning the mother wins; 0 in Tapa.
    pub mother: u8,
    /// Checkers a side, 15 in the usual game.
    pub checkers: u8,
    /// Points of White, points of Black, length of the match; all 0 in a single game.
    pub score: [u16; 3],
}

/// One checker moved by one die, in the numbers of the side that moves.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CStep {
    /// The point left, 1 to 24.
    pub from: u8,
    /// The point reached, 1 to 23; 0 is off the board.
    pub to: u8,
}

/// All steps of a turn, or the first ones; none at all is a pass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CPlay {
    /// How many there are, 0 to 4.
    pub count: u8,
    /// They, in the order in which they are taken; the rest is not looked at.
    pub steps: [CStep; 4],
}

/// A legal play and what it leads to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CLegalPlay {
    /// The play, as it is written.
    pub play: CPlay,
    /// The position after it: the other side is in turn, and sees the board; no dice; the score of the match as before.
    pub after: CPosition,
    /// Whether and how it has ended the game, one of the constants `MAHBUSA_ENDING_...`.
    pub ending: u8,
    /// The points that it has won for the side that played, 0 to 2.
    pub points: u8,
}

/// A step that may be taken now.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CLegalStep {
    /// The step.
    pub step: CStep,
    /// The die that it uses.
    pub die: u8,
    /// 1 if it traps an enemy checker, else 0.
    pub pins: u8,
    /// Whether and how it ends the game, one of the constants `MAHBUSA_ENDING_...`.
    pub ending: u8,
}

/// A turn of which some steps are taken: what a board with drag and drop needs to know.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CTurn {
    /// The board as it stands after these steps, seen by the side that moves.
    pub board: CBoard,
    /// 1 if the turn may be ended now, and then there are no more legal steps; else 0.
    pub complete: u8,
    /// Whether and how the steps have ended the game, one of the constants `MAHBUSA_ENDING_...`.
    pub ending: u8,
    /// The dice that are not used yet, the higher first, then zeros. Some may stay unused.
    pub dice_left: [u8; 4],
    /// How many steps may be taken now, 0 to `MAHBUSA_MAX_STEPS`.
    pub count: u8,
    /// They: the ones from the highest point first, and of these the ones to the lowest.
    pub steps: [CLegalStep; MAHBUSA_MAX_STEPS],
}

/// A legal play and what a net thinks of it, for the side that plays.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CRankedPlay {
    /// The play.
    pub legal: CLegalPlay,
    /// The probabilities to lose 2, lose 1, draw, win 1, win 2.
    pub outcomes: [f32; 5],
    /// The expected points, -2 to 2.
    pub equity: f32,
    /// In a match the chance to win it, 0 to 1; in a single game -1.
    pub match_chance: f32,
    /// How many plies deep the play was looked at. Less than was asked for where it seemed hopeless.
    pub ply: u8,
}

/// What a match has come to after a game.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CMatch {
    /// Points of White, points of Black, length; points beyond the length do not count.
    pub score: [u16; 3],
    /// 1 if the match is decided, else 0. A single game always is.
    pub over: u8,
    /// The side that has won the match, or in a single game the game; 255 when nobody has.
    pub winner: u8,
    /// The side that begins the next game, rolling both dice; 255 when it is to be rolled for, or there is none.
    pub opener: u8,
}

/// What a net is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CModelInfo {
    /// Self-play games that it was trained on.
    pub games: u64,
    /// Units of its first hidden layer.
    pub hidden: u32,
    /// Units of its second hidden layer, 0 without one.
    pub second: u32,
    /// The rules that it was trained on, as in a position; it is refused for others.
    pub mother: u8,
    /// The checkers a side that it was trained on.
    pub checkers: u8,
    /// The SHA-256 of its file in 64 hexadecimal digits and a closing 0: equal for equal nets.
    pub hash: [c_char; 65],
}

/// What a strength level is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CLevelInfo {
    /// How much it doubts what it sees, in points of the game.
    pub noise: f64,
    /// How much worse than the best play, as it sees it, a play may be that it takes, in points of the game.
    pub cap: f64,
    /// What its plays lose on average, in thousandths of a point a decision.
    pub loss: f64,
    /// The share of games that it wins against the level below; -1 for the weakest.
    pub win_rate: f64,
    /// Its number, 1 to `MAHBUSA_MAX_LEVEL`.
    pub level: u8,
    /// How many plies it looks ahead, 1 to `MAHBUSA_MAX_PLY`.
    pub ply: u8,
    /// 1 if it asks the small net, else 0.
    pub small: u8,
    /// What people call it, in small English letters, with a closing 0; cut if it is longer.
    pub name: [c_char; 32],
}

/// Nobody, where a side is named.
const NOBODY: u8 = 255;

impl From<RawBoard> for CBoard {
    fn from(raw: RawBoard) -> CBoard {
        CBoard { points: raw.points, pins: raw.pins, off: raw.off }
    }
}

impl CBoard {
    pub(crate) fn raw(&self) -> RawBoard {
        RawBoard { points: self.points, pins: self.pins, off: self.off }
    }

    /// The same board seen by the other side.
    pub(crate) fn flipped(&self) -> CBoard {
        let mirrored = |numbers: &[i8; 24]| std::array::from_fn(|i| numbers[23 - i].saturating_neg());
        CBoard { points: mirrored(&self.points), pins: mirrored(&self.pins), off: [self.off[1], self.off[0]] }
    }
}

/// A side as C names it.
pub(crate) fn side(side: Side) -> u8 {
    match side {
        Side::White => MAHBUSA_WHITE,
        Side::Black => MAHBUSA_BLACK,
    }
}

fn score(score: MatchScore) -> [u16; 3] {
    [score.of(Side::White), score.of(Side::Black), score.length()]
}

fn ending(ending: Option<Ending>) -> u8 {
    match ending {
        None => MAHBUSA_ENDING_NONE,
        Some(Ending::Draw) => MAHBUSA_ENDING_DRAW,
        Some(Ending::Single) => MAHBUSA_ENDING_SINGLE,
        Some(Ending::Mars) => MAHBUSA_ENDING_MARS,
        Some(Ending::Mother) => MAHBUSA_ENDING_MOTHER,
    }
}

impl From<&Position> for CPosition {
    fn from(position: &Position) -> CPosition {
        CPosition {
            board: RawBoard::from(&position.board).into(),
            turn: side(position.turn),
            dice: position.dice.map_or([0, 0], |roll| [roll.high(), roll.low()]),
            mother: position.rules.mother().into(),
            checkers: position.rules.checkers(),
            score: score(position.score),
        }
    }
}

impl CPosition {
    /// The position, checked as the notation is.
    pub(crate) fn position(&self) -> Result<Position, Fault> {
        let wrong = |field: &str, expected: &str, found: &dyn std::fmt::Debug| {
            Fault::position(format!("position, field {field}: expected {expected}, found {found:?}"))
        };
        let rules = match self.mother {
            0 => Rules::TAPA,
            1 => Rules::MAHBUSA,
            other => return Err(wrong("mother", "0 or 1", &other)),
        };
        let rules = rules.with_checkers(self.checkers).map_err(|_| wrong("checkers", "1..=15", &self.checkers))?;
        let turn = match self.turn {
            MAHBUSA_WHITE => Side::White,
            MAHBUSA_BLACK => Side::Black,
            other => return Err(wrong("turn", "MAHBUSA_WHITE or MAHBUSA_BLACK", &other)),
        };
        let dice = match self.dice {
            [0, 0] => None,
            [first, second] => {
                Some(Roll::new(first, second).map_err(|_| wrong("dice", "two of 1..=6, or 0 and 0", &self.dice))?)
            }
        };
        let [white, black, length] = self.score;
        let score = MatchScore::new(white, black, length)
            .ok_or_else(|| wrong("score", "a match that is not decided, or 0, 0, 0 for a single game", &self.score))?;
        let board = self.board.raw().board(rules).map_err(|error| Fault::position(format!("board: {error}")))?;
        let position = Position { rules, board, turn, dice, score };
        if position.ending().is_some() && dice.is_some() {
            return Err(wrong("dice", "0 and 0, since the game is over", &self.dice));
        }
        Ok(position)
    }
}

impl From<Step> for CStep {
    fn from(step: Step) -> CStep {
        CStep { from: step.from, to: step.to }
    }
}

impl From<Play> for CPlay {
    fn from(play: Play) -> CPlay {
        play.steps().take(4).fold(CPlay::default(), |mut all, step| {
            all.steps[usize::from(all.count)] = step.into();
            all.count += 1;
            all
        })
    }
}

impl CPlay {
    /// The play, if its numbers can be one.
    pub(crate) fn play(&self) -> Result<Play, Fault> {
        let steps = self
            .steps
            .get(..usize::from(self.count))
            .ok_or_else(|| Fault::play(format!("play, field count: expected at most 4 steps, found {}", self.count)))?;
        steps.iter().try_fold(Play::PASS, |play, &CStep { from, to }| {
            let one_die = (1..=24).contains(&from) && to < from && from - to <= 6;
            one_die.then(|| play.then(Step { from, to })).ok_or_else(|| {
                Fault::play(format!(
                    "play: expected a step from 1..=24, by 1 to 6 down, to 0 when off; found {from}/{to}"
                ))
            })
        })
    }
}

impl From<&PositionPlay> for CLegalPlay {
    fn from(play: &PositionPlay) -> CLegalPlay {
        CLegalPlay {
            play: play.play.into(),
            after: (&play.position).into(),
            ending: ending(play.ending),
            points: play.ending.map_or(0, |ending| ending.points().unsigned_abs()),
        }
    }
}

impl From<&LegalStep> for CLegalStep {
    fn from(legal: &LegalStep) -> CLegalStep {
        CLegalStep { step: legal.step.into(), die: legal.die, pins: legal.pins.into(), ending: ending(legal.ending) }
    }
}

impl From<&OpenTurn> for CTurn {
    fn from(turn: &OpenTurn) -> CTurn {
        let legal = turn.steps();
        let mut all = CTurn {
            board: RawBoard::from(turn.board()).into(),
            complete: legal.is_empty().into(),
            ending: ending(turn.ending()),
            dice_left: [0; 4],
            count: 0,
            steps: [CLegalStep::default(); MAHBUSA_MAX_STEPS],
        };
        for (slot, die) in all.dice_left.iter_mut().zip(turn.dice_left()) {
            *slot = die;
        }
        for (slot, step) in all.steps.iter_mut().zip(&legal) {
            *slot = step.into();
            all.count += 1;
        }
        all
    }
}

impl CRankedPlay {
    pub(crate) fn new(play: &PositionPlay, rated: &Rated, aim: Aim) -> CRankedPlay {
        CRankedPlay {
            legal: play.into(),
            outcomes: *rated.outcomes.probabilities(),
            equity: rated.outcomes.equity(),
            match_chance: match aim {
                Aim::Points => -1.0,
                Aim::Match(stakes) => stakes.chance(&rated.outcomes),
            },
            ply: rated.ply.number(),
        }
    }
}

impl CMatch {
    /// What a match has come to after its game has ended in this position.
    pub(crate) fn after(position: &Position) -> Result<CMatch, Fault> {
        let ending =
            position.ending().ok_or_else(|| Fault::play("expected a position whose game is over: this one goes on"))?;
        let played = position.turn.other();
        Ok(match position.score.after(played, ending.outcome()) {
            MatchOutcome::GoesOn { score: next, opener } => {
                CMatch { score: score(next), over: 0, winner: NOBODY, opener: opener.map_or(NOBODY, side) }
            }
            MatchOutcome::Over(winner) => {
                let mut score = score(position.score);
                if let Some(winner) = winner.filter(|_| position.score.length() > 0) {
                    score[usize::from(side(winner))] = position.score.length();
                }
                CMatch { score, over: 1, winner: winner.map_or(NOBODY, side), opener: NOBODY }
            }
        })
    }
}

/// How a finished game ended, and what it brought the side that played last, which is not the side in turn.
pub(crate) fn ended(position: &Position) -> (u8, u8) {
    let found = position.ending();
    (ending(found), found.map_or(0, |ending| ending.points().unsigned_abs()))
}

/// A text with its closing 0 in a field, cut if it is too long.
pub(crate) fn field<const N: usize>(text: &str) -> [c_char; N] {
    let mut letters = [0; N];
    for (letter, byte) in letters[..N - 1].iter_mut().zip(text.bytes()) {
        *letter = byte as c_char;
    }
    letters
}

/// The level of this number.
pub(crate) fn level_number(level: u32) -> Result<LevelNumber, Fault> {
    u8::try_from(level)
        .ok()
        .and_then(LevelNumber::new)
        .ok_or_else(|| Fault::argument(format!("level: expected 1 to {MAHBUSA_MAX_LEVEL}, found {level}")))
}
