//! The opening book and the facts of a game: what its first plays and replies are worth, how its games go, what is true of the traditional advice.
//!
//! A [`Book`] is made part by part, always in the same order: [`Book::next`] says what is to be done, [`Maker::make`] does it, and [`SaveFile`] keeps
//! it, so that a process that was killed goes on. Parts depend on the settings and on parts before them only, never on threads or time.

mod cuts;
mod make;
mod save;

use std::num::NonZeroU32;
use std::ops::Range;

use mahbusa_rules::{Play, Position, Roll, Rules};
use serde::{Deserialize, Serialize};

use crate::advice::{Advice, Decision, Tally, UNITS};
use crate::benchmark::JudgeNet;
use crate::{Estimate, Facts, Mean, text};

pub use cuts::{Bias, CutOpinion};
pub use make::{Maker, Prospect};
pub use save::SaveFile;

/// How a book is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The seed of everything.
    pub seed: u64,
    /// How many plies the players of rollouts look ahead.
    pub ply: u8,
    /// The standard error that the equity of each opening play is to have at most, in points.
    pub opening_error: f64,
    /// Plies after which the net's value ends a trial of an opening play; null plays to the end.
    pub opening_cut: Option<NonZeroU32>,
    /// The standard error that the equity of each reply is to have at most, in points.
    pub reply_error: f64,
    /// Plies after which the net's value ends a trial of a reply; null plays to the end.
    pub reply_cut: Option<NonZeroU32>,
    /// Games that the facts are counted in.
    pub games: u64,
    /// Games that decisions about the traditional advice are drawn from.
    pub advice_games: u64,
    /// Decisions of each piece of advice that are rolled out, at most.
    pub advice_checks: u64,
}

/// What a book is and how it is made: the first line of its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The game.
    #[serde(with = "text")]
    pub rules: Rules,
    /// The net that plays and judges.
    pub net: JudgeNet,
    /// How.
    pub settings: Settings,
}

/// A play and what it is worth to the side that plays it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Valued {
    /// The play, in wire form.
    #[serde(with = "text")]
    pub play: Play,
    /// Its equity.
    pub equity: f64,
    /// The standard error of the equity.
    pub error: f64,
    /// What it is worth less than the best play.
    pub behind: f64,
    /// The standard error of that.
    pub behind_error: f64,
    /// The probabilities of lose 2, lose 1, draw, win 1, win 2; as measured, so each perhaps a little outside 0..=1.
    pub outcomes: [f64; 5],
}

/// One of the 21 opening rolls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The roll.
    #[serde(with = "text")]
    pub roll: Roll,
    /// Trials made of each play.
    pub trials: u64,
    /// All its plays, the best first.
    pub plays: Vec<Valued>,
    /// What cutting the trials would have changed.
    pub cuts: Vec<CutOpinion>,
}

/// A roll that answers the best play of an opening roll.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The opening roll.
    #[serde(with = "text")]
    pub opening: Roll,
    /// The roll that answers.
    #[serde(with = "text")]
    pub roll: Roll,
    /// Trials made of each play.
    pub trials: u64,
    /// Legal plays in all.
    pub legal: usize,
    /// The best of them, as far as they were rolled out, the best first.
    pub plays: Vec<Valued>,
}

/// A decision about a piece of advice, rolled out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What the play that follows the advice is worth more than the one that goes against it, in points.
    pub gain: f64,
    /// The standard error of that.
    pub error: f64,
}

/// What rollouts of decisions about a piece of advice showed, in millipoints; 95 % intervals over decisions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CheckSummary {
    /// Decisions.
    pub decisions: u64,
    /// The gain of following, by the look-ahead that chose the plays.
    pub look_ahead: Estimate,
    /// The same by rollouts.
    pub rolled_out: Estimate,
    /// By how much rollouts see more of it.
    pub difference: Estimate,
}

/// What can be made in one go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Part {
    /// An opening roll.
    Opening(Opening),
    /// What some games were like.
    Games(Facts),
    /// A reply.
    Reply(Reply),
    /// Decisions about the advice, drawn from some games.
    Survey {
        /// All of them, added up.
        tally: Tally,
        /// Those that are to be rolled out.
        samples: Vec<Decision>,
    },
    /// One of those rolled out.
    Check(Check),
}

/// What is to be made next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// The opening roll with this number.
    Opening(usize),
    /// The games with these numbers.
    Games(Range<u64>),
    /// The reply to this roll's best play by that roll.
    Reply(Roll, Roll),
    /// The decisions of the games with these numbers.
    Survey(Range<u64>),
    /// The sample with this number.
    Check(usize),
}

/// Games of a part.
const GAMES_AT_ONCE: u64 = 2000;
/// Games of a part that is looked through for decisions.
const SURVEYED_AT_ONCE: u64 = 250;
/// Plays of a reply that are rolled out.
pub const REPLIES_ROLLED_OUT: usize = 3;

/// A book in the making.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    header: Header,
    openings: Vec<Opening>,
    replies: Vec<Reply>,
    facts: Facts,
    surveyed: u64,
    tally: Tally,
    samples: Vec<Decision>,
    checks: Vec<Check>,
}

impl Book {
    /// A book of which nothing has been made.
    pub fn new(header: Header) -> Book {
        Book {
            header,
            openings: Vec::new(),
            replies: Vec::new(),
            facts: Facts::default(),
            surveyed: 0,
            tally: Tally::default(),
            samples: Vec::new(),
            checks: Vec::new(),
        }
    }

    /// What is to be made next; `None` if the book is whole.
    pub fn next(&self) -> Option<Task> {
        let settings = &self.header.settings;
        if self.openings.len() < Roll::ALL.len() {
            return Some(Task::Opening(self.openings.len()));
        }
        let games = self.facts.games();
        if games < settings.games {
            return Some(Task::Games(games..(games + GAMES_AT_ONCE).min(settings.games)));
        }
        if let Some(&(opening, roll)) = self.answers().get(self.replies.len()) {
            return Some(Task::Reply(opening, roll));
        }
        if self.surveyed < settings.advice_games {
            let end = (self.surveyed + SURVEYED_AT_ONCE).min(settings.advice_games);
            return Some(Task::Survey(self.surveyed..end));
        }
        (self.checks.len() < self.samples.len()).then_some(Task::Check(self.checks.len()))
    }

    /// Adds what was made next.
    ///
    /// # Errors
    /// When something else is to be made next; says what.
    pub fn add(&mut self, part: Part) -> Result<(), String> {
        match (self.next(), part) {
            (Some(Task::Opening(number)), Part::Opening(opening))
                if opening.roll == Roll::ALL[number] && !opening.plays.is_empty() =>
            {
                self.openings.push(opening);
            }
            (Some(Task::Games(numbers)), Part::Games(facts)) if facts.games() == numbers.end - numbers.start => {
                self.facts.add(&facts);
            }
            (Some(Task::Reply(opening, roll)), Part::Reply(reply))
                if (reply.opening, reply.roll) == (opening, roll) && !reply.plays.is_empty() =>
            {
                self.replies.push(reply);
            }
            (Some(Task::Survey(numbers)), Part::Survey { tally, samples }) => {
                self.tally.merge(&tally);
                self.samples.extend(samples);
                self.surveyed = numbers.end;
            }
            (Some(Task::Check(_)), Part::Check(check)) => self.checks.push(check),
            (Some(task), _) => return Err(format!("expected {}", task.describe())),
            (None, _) => return Err("expected nothing more".to_owned()),
        }
        Ok(())
    }

    /// The replies that there are: the opening roll and the roll that answers its best play, unless that ends the game.
    pub fn answers(&self) -> Vec<(Roll, Roll)> {
        let open = |opening: &&Opening| self.after(opening).is_some_and(|position| position.ending().is_none());
        let rolls = self.openings.iter().filter(open).map(|opening| opening.roll);
        rolls.flat_map(|opening| Roll::ALL.into_iter().map(move |roll| (opening, roll))).collect()
    }

    /// The position after the best play of an opening roll.
    pub fn after(&self, opening: &Opening) -> Option<Position> {
        let best = opening.plays.first()?.play;
        let plays = Position::start(self.header.rules).with_dice(opening.roll).plays();
        plays.iter().find(|play| play.play == best).map(|play| play.position)
    }

    /// What the book is and how it is made.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The opening rolls that were made, from 1-1 on.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// The replies that were made.
    pub fn replies(&self) -> &[Reply] {
        &self.replies
    }

    /// How games go.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What decisions say of the advice.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The decisions of a piece of advice that were rolled out, and what that showed.
    pub fn checked(&self, advice: Advice) -> impl Iterator<Item = (&Decision, &Check)> {
        self.samples.iter().zip(&self.checks).filter(move |(decision, _)| decision.advice == advice)
    }

    /// What the rollouts of a piece of advice showed beside the look-ahead; `None` if there were none.
    pub fn check_of(&self, advice: Advice) -> Option<CheckSummary> {
        let (mut look_ahead, mut rolled, mut difference) = (Mean::default(), Mean::default(), Mean::default());
        for (decision, check) in self.checked(advice) {
            let gain = (check.gain * UNITS).round() as i64;
            look_ahead.add(decision.gain);
            rolled.add(gain);
            difference.add(gain - decision.gain);
        }
        let millipoints = |mean: Mean| mean.estimate(UNITS / 1000.0, -8000.0..=8000.0);
        (rolled.count() > 0).then(|| CheckSummary {
            decisions: rolled.count(),
            look_ahead: millipoints(look_ahead),
            rolled_out: millipoints(rolled),
            difference: millipoints(difference),
        })
    }

    /// Two decisions of a piece of advice that were rolled out and are clear: one in which following it wins more than in nine of ten, and one in which it
    /// loses more than in nine of ten; if those are not clear, the clearest of their kind. `None` where following, or going against it, is never clearly better.
    pub fn examples(&self, advice: Advice) -> [Option<(&Decision, &Check)>; 2] {
        let mut checked: Vec<(&Decision, &Check)> = self.checked(advice).collect();
        // Stable: of equal ones the first.
        checked.sort_by(|a, b| b.1.gain.total_cmp(&a.1.gain));
        let clear = |sign: f64| {
            let is_clear = move |example: &(&Decision, &Check)| sign * example.1.gain > 3.0 * example.1.error;
            let place = checked.len() / 10;
            let tenth = if sign > 0.0 { checked.get(place) } else { checked.iter().rev().nth(place) };
            let by_margin = |example: &&(&Decision, &Check)| sign * example.1.gain - 3.0 * example.1.error;
            let clearest = || checked.iter().max_by(|a, b| by_margin(a).total_cmp(&by_margin(b)));
            tenth.copied().filter(is_clear).or_else(|| clearest().copied().filter(is_clear))
        };
        [clear(1.0), clear(-1.0)]
    }

    /// What the start is worth to the side that opens, before its roll, if it always takes the best of the opening plays; and the standard
    /// error of that. `None` before all rolls are there.
    pub fn start(&self) -> Option<(f64, f64)> {
        if self.openings.len() < Roll::ALL.len() {
            return None;
        }
        let (mut mean, mut variance) = (0.0, 0.0);
        for opening in &self.openings {
            let share = f64::from(opening.roll.weight()) / f64::from(Roll::THROWS);
            let best = opening.plays.first()?;
            mean += share * best.equity;
            // Rolls share no dice.
            variance += (share * best.error).powi(2);
        }
        Some((mean, variance.sqrt()))
    }

    /// What cutting trials after so many plies changes, as the trials of all opening plays say, which were played to the end. Of each number of
    /// plies that was looked at; nothing if they were cut themselves.
    pub fn biases(&self) -> Vec<Bias> {
        cuts::biases(&self.openings)
    }

    /// What cutting the trials of replies changes, if it is known; nothing if they are not cut.
    pub fn reply_bias(&self) -> Option<Bias> {
        let cut = self.header.settings.reply_cut?;
        self.biases().into_iter().find(|bias| bias.plies == cut)
    }
}

impl Task {
    fn describe(&self) -> String {
        match self {
            Task::Opening(number) => format!("the opening roll {}", Roll::ALL[*number]),
            Task::Games(numbers) => format!("the games {} to {}", numbers.start, numbers.end - 1),
            Task::Reply(opening, roll) => format!("the reply to {opening} by {roll}"),
            Task::Survey(numbers) => format!("decisions of the games {} to {}", numbers.start, numbers.end - 1),
            Task::Check(number) => format!("the rollout of sample {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            rules: Rules::MAHBUSA,
            net: JudgeNet { sha256: "0".repeat(64), games: 0 },
            settings: Settings {
                seed: 1,
                ply: 1,
                opening_error: 0.1,
                opening_cut: None,
                reply_error: 0.1,
                reply_cut: NonZeroU32::new(8),
                games: 2500,
                advice_games: 10,
                advice_checks: 1,
            },
        }
    }

    /// An opening roll with its first play alone.
    fn opening(number: usize) -> Part {
        let roll = Roll::ALL[number];
        let play = Position::start(Rules::MAHBUSA).with_dice(roll).plays()[0].play;
        let best = Valued { play, equity: 0.36, error: 0.06, behind: 0.0, behind_error: 0.0, outcomes: [0.2; 5] };
        Part::Opening(Opening { roll, trials: 144, plays: vec![best], cuts: Vec::new() })
    }

    #[test]
    fn parts_are_made_in_one_order_only() {
        let mut book = Book::new(header());
        assert_eq!(book.add(opening(1)), Err("expected the opening roll 11".to_owned()));
        for number in 0..21 {
            assert_eq!(book.next(), Some(Task::Opening(number)));
            book.add(opening(number)).unwrap();
        }
        assert_eq!(book.next(), Some(Task::Games(0..2000)));
        assert!(book.add(Part::Games(Facts::default())).unwrap_err().contains("the games 0 to 1999"));
        assert_eq!(book.answers().len(), 441);
        let (equity, error) = book.start().unwrap();
        // 15 rolls of 2/36 and 6 of 1/36, each with an error of 0.06.
        assert!((equity - 0.36).abs() < 1e-12 && (error - 0.06 * 66f64.sqrt() / 36.0).abs() < 1e-12);
        assert!(book.check_of(Advice::Pairs).is_none() && book.examples(Advice::Pairs) == [None, None]);
    }

    #[test]
    fn examples_are_clear_and_not_the_most_extreme() {
        let mut book = Book::new(header());
        let position: Position = "mahbusa:O22o:0.0:w:64:0.0.0".parse().unwrap();
        let (follows, against) = ("24/18 24/20".parse().unwrap(), "24/18 18/14".parse().unwrap());
        for place in 0..20 {
            let best = crate::advice::Stance::Follows;
            let phase = crate::Phase::Opening;
            book.samples.push(Decision {
                advice: Advice::Pairs,
                group: 0,
                phase,
                position,
                follows,
                against,
                best,
                gain: 0,
            });
            book.checks.push(Check { gain: f64::from(place) / 100.0 - 0.02, error: 0.005 });
        }
        let [right, wrong] = book.examples(Advice::Pairs).map(|example| example.map(|(_, check)| check.gain));
        // The third best; of those in which it is wrong, the third worst is not clear, and the worst is.
        assert!((right.unwrap() - 0.15).abs() < 1e-12 && (wrong.unwrap() + 0.02).abs() < 1e-12, "{right:?} {wrong:?}");
        let summary = book.check_of(Advice::Pairs).unwrap();
        assert!(summary.decisions == 20 && (summary.rolled_out.mean - 75.0).abs() < 1e-9, "{summary:?}");
    }
}
