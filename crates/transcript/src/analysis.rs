use mahbusa_players::{Aim, Lookahead};
use mahbusa_rules::{Board, Play, Position, Side};
use serde::{Serialize, Serializer};

use crate::lines::SideName;
use crate::{Game, Judge, Now, Transcript, Turn};

/// What a net says of a match: of each turn, and in sums a side. `docs/analysis.md` says what the figures mean.
///
/// Everything is in points of the game, -2..=2, also in a match: there what is lost or won of the chance to win the match is divided by what a point is
/// worth at that score on average.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Who began each game, and how lucky that was.
    pub openings: Vec<Opening>,
    /// Every turn that was not taken back.
    pub turns: Vec<JudgedTurn>,
    /// Turns that were played and taken back, which are in no sum.
    pub taken_back: u32,
    /// The sums of White.
    pub white: SideTotals,
    /// The sums of Black.
    pub black: SideTotals,
    /// How it ended, if it has, and how it would have with even luck.
    pub score: Option<Score>,
}

/// The beginning of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Opening {
    /// The number of the game, from 1.
    pub game: u32,
    /// Who began.
    #[serde(serialize_with = "side")]
    pub opener: Side,
    /// What it is worth to have won the opening roll, in points; 0 where the winner of the last game began.
    pub luck: f64,
    /// The same as a chance to win the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_luck: Option<f64>,
}

/// A turn and what the judge says of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JudgedTurn {
    /// The number of the game, from 1.
    pub game: u32,
    /// The number of the turn in it, from 1.
    pub turn: u32,
    /// Who played.
    #[serde(serialize_with = "side")]
    pub side: Side,
    /// The position with its dice.
    #[serde(serialize_with = "text")]
    pub position: Position,
    /// Plays there were to choose from.
    pub choices: usize,
    /// What was played.
    #[serde(serialize_with = "text")]
    pub played: Play,
    /// The best play.
    #[serde(serialize_with = "text")]
    pub best: Play,
    /// What the play lost against it, in points, from 0 on.
    pub lost: f64,
    /// How bad that is.
    pub grade: Grade,
    /// How much better the roll was than the mean of all rolls, in points.
    pub luck: f64,
    /// What the play lost of the chance to win the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_lost: Option<f64>,
    /// The luck as a chance to win the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_luck: Option<f64>,
}

/// How bad an error is, by what it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Less than anything below.
    Fine,
    /// From 0.03 points on.
    Doubtful,
    /// From 0.06 points on.
    Mistake,
    /// From 0.12 points on.
    Blunder,
}

impl Grade {
    /// The grades that are errors, and what they lose at least, in points.
    pub const THRESHOLDS: [(Grade, f64); 3] = [(Grade::Doubtful, 0.03), (Grade::Mistake, 0.06), (Grade::Blunder, 0.12)];

    /// Of a play that lost so many points.
    pub fn of(lost: f64) -> Grade {
        let reached = Grade::THRESHOLDS.into_iter().rfind(|&(_, least)| lost >= least);
        reached.map_or(Grade::Fine, |(grade, _)| grade)
    }
}

/// Sums over the turns of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SideTotals {
    /// Turns, passes included.
    pub turns: u32,
    /// Turns that left a choice.
    pub decisions: u32,
    /// Of these, the ones in which the best play was taken, or one as good.
    pub best: u32,
    /// Points lost by plays.
    pub lost: f64,
    /// Millipoints lost a decision.
    pub error_rate: Option<f64>,
    /// Plays of each grade.
    pub doubtful: u32,
    /// From 0.06 points on.
    pub mistakes: u32,
    /// From 0.12 points on.
    pub blunders: u32,
    /// Points gained by the luck of rolls, the opening rolls included.
    pub luck: f64,
    /// What plays lost of the chance to win the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_lost: Option<f64>,
    /// What the luck of rolls gained of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_luck: Option<f64>,
}

/// How a match ended for White, and how without luck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Points that White won in a single game, or 1 for a match won and 0 for one lost.
    pub result: f64,
    /// The same less White's luck, more Black's. Luck is 0 on average, so this has the same mean as the result, with less chance in it.
    pub without_luck: f64,
    /// Whether it is a chance to win the match, in which 0.5 is even; else points, in which 0 is.
    pub of_match: bool,
}

/// Goes through a match. After each turn that was judged `judged` is called.
///
/// Luck is judged at one ply, as rollouts do: what a roll is worth is the best play of it as the net rates it. Plays are judged as deep as the judge looks.
pub fn analyze(transcript: &Transcript, judge: &mut Judge, mut judged: impl FnMut()) -> Analysis {
    let mut openings = Vec::new();
    let mut turns = Vec::new();
    let mut lookahead = Lookahead::default();
    for game in transcript.games() {
        openings.push(opening(game, judge));
        for (turn, number) in game.turns.iter().zip(1..) {
            turns.push(judge_turn(turn, game.number, number, judge, &mut lookahead));
            judged();
        }
    }
    let taken_back = transcript.games().iter().map(|game| game.taken_back).sum();
    let [white, black] = [Side::White, Side::Black].map(|side| SideTotals::of(side, &openings, &turns));
    let score = Score::of(transcript, &white, &black);
    Analysis { openings, turns, taken_back, white, black, score }
}

fn opening(game: &Game, judge: &mut Judge) -> Opening {
    let Game { number, score, opener, .. } = *game;
    let none = Opening { game: number, opener, luck: 0.0, match_luck: None };
    let point = f64::from(judge.aim(score, opener).of_a_point());
    match (judge.chance(score, opener, Some(opener)), judge.chance(score, opener, None)) {
        (Some(_), Some(_)) if game.opening.is_empty() => Opening { match_luck: Some(0.0), ..none },
        _ if game.opening.is_empty() => none,
        (Some(opens), Some(even)) => Opening { luck: (opens - even) / point, match_luck: Some(opens - even), ..none },
        _ => {
            let start = judge.net().evaluate(&Board::start(judge.rules()));
            Opening { luck: f64::from(start.equity()), ..none }
        }
    }
}

fn judge_turn(turn: &Turn, game: u32, number: u32, judge: &mut Judge, lookahead: &mut Lookahead) -> JudgedTurn {
    let Turn { position, played } = turn;
    let aim = judge.aim(position.score, position.turn);
    let ranked = judge.ranked(position);
    let (mut best, mut lost) = (played.play, 0.0);
    if let (Some(first), Some(taken)) = (ranked.first(), ranked.iter().find(|judged| judged.play == *played)) {
        lost = (first.worth - judge.worth_in_depth(position, taken)).max(0.0);
        if lost > 0.0 {
            best = first.play.play;
        }
    }
    let luck = position.dice.map_or(0.0, |roll| {
        lookahead.see(judge.rules(), judge.net(), &position.board, aim);
        let (_, fell) = lookahead.best(roll);
        f64::from(aim.worth(&fell)) - f64::from(aim.worth(&lookahead.outcomes()))
    });
    let point = f64::from(aim.of_a_point());
    let of_match = |chance: f64| matches!(aim, Aim::Match(_)).then_some(chance);
    JudgedTurn {
        game,
        turn: number,
        side: position.turn,
        position: *position,
        choices: ranked.len(),
        played: played.play,
        best,
        lost: lost / point,
        grade: Grade::of(lost / point),
        luck: luck / point,
        match_lost: of_match(lost),
        match_luck: of_match(luck),
    }
}

impl SideTotals {
    /// Turns whose play is of this grade.
    pub fn graded(&self, grade: Grade) -> u32 {
        match grade {
            Grade::Fine => self.turns - self.doubtful - self.mistakes - self.blunders,
            Grade::Doubtful => self.doubtful,
            Grade::Mistake => self.mistakes,
            Grade::Blunder => self.blunders,
        }
    }

    fn of(side: Side, openings: &[Opening], turns: &[JudgedTurn]) -> SideTotals {
        let mut totals = SideTotals::default();
        let add = |sum: &mut Option<f64>, more: Option<f64>| {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or_default() + more);
            }
        };
        for turn in turns.iter().filter(|turn| turn.side == side) {
            totals.turns += 1;
            totals.luck += turn.luck;
            totals.lost += turn.lost;
            if turn.choices > 1 {
                totals.decisions += 1;
                totals.best += u32::from(turn.lost == 0.0);
            }
            match turn.grade {
                Grade::Fine => {}
                Grade::Doubtful => totals.doubtful += 1,
                Grade::Mistake => totals.mistakes += 1,
                Grade::Blunder => totals.blunders += 1,
            }
            add(&mut totals.match_lost, turn.match_lost);
            add(&mut totals.match_luck, turn.match_luck);
        }
        // Won by the opener, and so not by the other side: counted once.
        for opening in openings.iter().filter(|opening| opening.opener == side) {
            totals.luck += opening.luck;
            add(&mut totals.match_luck, opening.match_luck);
        }
        totals.error_rate = (totals.decisions > 0).then(|| 1000.0 * totals.lost / f64::from(totals.decisions));
        totals
    }
}

impl Score {
    fn of(transcript: &Transcript, white: &SideTotals, black: &SideTotals) -> Option<Score> {
        let Now::Over(winner) = transcript.now() else { return None };
        let (result, luck, of_match) = match (white.match_luck, black.match_luck) {
            (Some(white), Some(black)) => (f64::from(u8::from(winner == Some(Side::White))), white - black, true),
            _ => {
                let points = |side| f64::from(transcript.points(side));
                (points(Side::White) - points(Side::Black), white.luck - black.luck, false)
            }
        };
        Some(Score { result, without_luck: result - luck, of_match })
    }
}

fn side<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    SideName::from(*side).serialize(serializer)
}

fn text<T: std::fmt::Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
