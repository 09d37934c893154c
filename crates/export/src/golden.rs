//! `golden.jsonl`: positions with everything that a program must get right, to test it against.

mod corners;

use mahbusa_arena::benchmark::choose;
use mahbusa_net::encoding::{Active, INPUTS, encode};
use mahbusa_net::{Evaluator, NetFile, OUTCOMES, Outcomes, Weights};
use mahbusa_rules::{Ending, Position, PositionPlay};
use serde::{Deserialize, Serialize, Serializer};

use crate::RawBoard;

/// Positions out of self-play, as many of each phase as of the others.
const DRAWN: u64 = 560;
/// How many of them come with dice and plays; so do all corner cases.
const WITH_PLAYS: usize = 180;
/// The seed of their games.
const SEED: u64 = 1;

/// A position, and what the net makes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The phase of the game that it was drawn from, or what is special about it.
    pub case: String,
    /// In PPN; with dice where plays are listed.
    pub position: String,
    /// The board, seen by the side to roll.
    pub board: RawBoard,
    /// All inputs of the net.
    #[serde(serialize_with = "short")]
    pub features: Vec<f32>,
    /// What the softmax is taken of, outcomes that are ruled out included.
    pub logits: [f32; OUTCOMES],
    /// The probabilities of the five outcomes for the side to roll, before the roll.
    pub outcomes: Outcomes,
    /// Its expected points.
    pub equity: f32,
    /// With dice: all legal plays, the best first; of equal ones the first in wire order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plays: Option<Vec<GoldenPlay>>,
}

/// A legal play, and what it is worth to the side that plays, one ply deep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenPlay {
    /// In wire form.
    pub play: String,
    /// The position after it, in PPN.
    pub position: String,
    /// The board after it, seen by the side now to roll.
    pub board: RawBoard,
    /// What the side that played has won if the play ended the game.
    pub points: Option<i8>,
    /// The five outcomes; certain if the play ended the game.
    pub outcomes: Outcomes,
    /// Expected points.
    pub equity: f32,
}

/// The golden positions of a net, always the same for the same net on the same kind of processor.
pub fn draw(net: &NetFile) -> Vec<Golden> {
    let mut wanted = DRAWN;
    let drawn = loop {
        match choose(net.rules, &net.weights, wanted, SEED) {
            Ok(drawn) => break drawn,
            // Games of very few checkers.
            Err(_) => wanted /= 2,
        }
    };
    let drawn = drawn.into_iter().enumerate().map(|(number, one)| {
        let dice = one.position.dice.filter(|_| number < WITH_PLAYS);
        (one.phase.to_string(), Position { dice, ..one.position })
    });
    let corners = corners::of(net.rules).into_iter().map(|(case, position)| (case.to_owned(), position));
    corners.chain(drawn).map(|(case, position)| Golden::of(&net.weights, case, &position)).collect()
}

impl Golden {
    /// What a net makes of a position that is not finished.
    fn of(weights: &Weights, case: String, position: &Position) -> Golden {
        let outcomes = weights.evaluate_plainly(&position.board);
        let plays = position.dice.map(|_| {
            let rate = |play: PositionPlay| match play.ending {
                Some(ending) => GoldenPlay::of(&play, Outcomes::certain(ending.outcome())),
                None => GoldenPlay::of(&play, weights.evaluate_plainly(&play.position.board).flip()),
            };
            let mut plays: Vec<GoldenPlay> = position.plays().into_iter().map(rate).collect();
            // Stable: equal ones stay in wire order.
            plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
            plays
        });
        Golden {
            case,
            position: position.to_string(),
            board: RawBoard::from(&position.board),
            features: features(position),
            logits: weights.logits_plainly(&position.board),
            outcomes,
            equity: outcomes.equity(),
            plays,
        }
    }

    /// Computes everything again with the fast evaluator, as the program plays.
    ///
    /// # Errors
    /// What is not as it should be, in words.
    pub fn check(&self, net: &NetFile, evaluator: &Evaluator) -> Result<Differences, String> {
        let position: Position = self.position.parse().map_err(|error| format!("{error}"))?;
        if position.ending().is_some() {
            return Err("the game is over in this position".to_owned());
        }
        same("board", &self.board, &RawBoard::from(&position.board))?;
        same("features", &self.features, &features(&position))?;
        let outcomes = evaluator.evaluate(&position.board);
        let mut differences = Differences::between(&self.outcomes, self.equity, &outcomes);
        let logits = net.weights.logits_plainly(&position.board);
        differences.logits = largest(&self.logits, &logits);
        let Some(plays) = &self.plays else { return Ok(differences) };

        let legal = position.plays();
        same("number of plays", &plays.len(), &legal.len())?;
        let mut last: Option<(f32, usize)> = None;
        for play in plays {
            let place = legal
                .iter()
                .position(|legal| legal.play.to_string() == play.play)
                .ok_or_else(|| format!("play {} is not legal", play.play))?;
            let legal = &legal[place];
            let name = |what: &str| format!("{what} of {}", play.play);
            same(&name("position"), &play.position, &legal.position.to_string())?;
            same(&name("board"), &play.board, &RawBoard::from(&legal.position.board))?;
            same(&name("points"), &play.points, &legal.ending.map(Ending::points))?;
            let outcomes = match legal.ending {
                Some(ending) => Outcomes::certain(ending.outcome()),
                None => evaluator.evaluate(&legal.position.board).flip(),
            };
            differences.widen(&Differences::between(&play.outcomes, play.equity, &outcomes));
            let follows =
                last.is_none_or(|(equity, before)| play.equity < equity || play.equity == equity && before < place);
            if !follows {
                return Err(format!("play {} stands in the wrong place", play.play));
            }
            last = Some((play.equity, place));
        }
        differences.plays = plays.len() as u64;
        Ok(differences)
    }
}

impl GoldenPlay {
    fn of(play: &PositionPlay, outcomes: Outcomes) -> GoldenPlay {
        GoldenPlay {
            play: play.play.to_string(),
            position: play.position.to_string(),
            board: RawBoard::from(&play.position.board),
            points: play.ending.map(Ending::points),
            outcomes,
            equity: outcomes.equity(),
        }
    }
}

/// By how much numbers of a file differ from what was computed, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Differences {
    /// Of probabilities.
    pub outcomes: f32,
    /// Of equities, in points.
    pub equity: f32,
    /// Of logits.
    pub logits: f32,
    /// Plays that were looked at.
    #[serde(skip)]
    pub plays: u64,
}

impl Differences {
    fn between(outcomes: &Outcomes, equity: f32, computed: &Outcomes) -> Differences {
        Differences {
            outcomes: largest(outcomes.probabilities(), computed.probabilities()),
            equity: (equity - computed.equity()).abs(),
            ..Differences::default()
        }
    }

    /// Takes the larger of both, and counts the plays together.
    pub fn widen(&mut self, other: &Differences) {
        self.outcomes = self.outcomes.max(other.outcomes);
        self.equity = self.equity.max(other.equity);
        self.logits = self.logits.max(other.logits);
        self.plays += other.plays;
    }
}

fn largest(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: expected {expected:?}, found {found:?}")) }
}

/// All inputs of a position, zeros included.
fn features(position: &Position) -> Vec<f32> {
    let mut active = Vec::new();
    encode(&position.board, &mut active);
    let mut features = vec![0.0; INPUTS];
    for Active { index, value } in active {
        features[usize::from(index)] = value;
    }
    features
}

/// Writes whole numbers without a fraction, which makes the file a third shorter.
fn short<S: Serializer>(numbers: &[f32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(|&number| Short(number)))
}

struct Short(f32);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 { serializer.serialize_i64(self.0 as i64) } else { serializer.serialize_f32(self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Shape;
    use mahbusa_rules::Rules;

    fn net(rules: Rules) -> NetFile {
        NetFile { rules, games: 0, weights: Weights::random(Shape { second: 16, ..Shape::of(16) }, 1) }
    }

    #[test]
    fn there_are_enough_of_all_phases_and_they_check() {
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            let net = net(rules);
            let golden = draw(&net);
            assert!(golden.len() >= 500, "{}", golden.len());
            assert!(golden.iter().filter(|one| one.plays.is_some()).count() >= 200);
            for case in ["start", "opening", "contact", "mother-fight", "bear-off", "race"] {
                assert!(golden.iter().any(|one| one.case == case), "{case}");
            }
            let evaluator = Evaluator::new(&net.weights);
            for one in &golden {
                let text = serde_json::to_string(one).unwrap();
                let read: Golden = serde_json::from_str(&text).unwrap();
                assert_eq!(&read, one);
                let differences = one.check(&net, &evaluator).unwrap();
                assert!(differences.outcomes < 1e-5 && differences.equity < 1e-5, "{differences:?}");
                assert_eq!(differences.logits, 0.0);
            }
        }
    }

    #[test]
    fn whatever_is_wrong_is_named() {
        let net = net(Rules::MAHBUSA);
        let evaluator = Evaluator::new(&net.weights);
        let position = "mahbusa:O22o:0.0:w:64:0.0.0".parse().unwrap();
        let good = Golden::of(&net.weights, "start".to_owned(), &position);
        let says = |change: &dyn Fn(&mut Golden)| {
            let mut bad = good.clone();
            change(&mut bad);
            bad.check(&net, &evaluator).unwrap_err()
        };
        assert!(says(&|bad| bad.position = "mahbusa:O21o:0.0:w:64:0.0.0".to_owned()).contains("24 points in all"));
        assert!(says(&|bad| bad.position = "mahbusa:n~21MA~:0.0:b:-:0.0.0".to_owned()).contains("over"));
        assert!(says(&|bad| bad.board.off[1] = 1).starts_with("board: expected"));
        assert!(says(&|bad| bad.features[3] += 1.0).starts_with("features: expected"));
        let plays = |change: &dyn Fn(&mut Vec<GoldenPlay>)| says(&|bad| change(bad.plays.as_mut().unwrap()));
        assert!(plays(&|plays| drop(plays.pop())).starts_with("number of plays: expected 2, found 1"));
        assert!(plays(&|plays| plays.swap(0, 1)).ends_with("stands in the wrong place"));
        assert!(plays(&|plays| plays[1] = plays[0].clone()).ends_with("stands in the wrong place"));
        assert!(plays(&|plays| plays[0].points = Some(2)).starts_with("points of 24/18"));
        assert!(plays(&|plays| plays[0].play = "24/14".to_owned()).ends_with("is not legal"));
        let mut off = good.clone();
        off.equity += 0.5;
        let differences = off.check(&net, &evaluator).unwrap();
        assert!((differences.equity - 0.5).abs() < 1e-4 && differences.outcomes < 1e-5, "{differences:?}");
    }

    #[test]
    fn games_of_few_checkers_have_fewer() {
        let rules = Rules::TAPA.with_checkers(1).unwrap();
        assert!(!draw(&net(rules)).is_empty());
    }
}
