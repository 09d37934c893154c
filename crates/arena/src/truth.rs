//! A net held against the truth: a solved game, or the exact bear-off table.

use mahbusa_exact::{After, Placements, Solution, TwoSided};
use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{OUTCOMES, Outcomes};
use mahbusa_players::{NetPlayer, Workspace};
use mahbusa_rules::{Afterstates, Board, Roll, Rules, generate};
use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

/// How far a net is from the truth over some positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Accuracy {
    /// Positions looked at, the side to roll not having lost or won yet.
    pub positions: u64,
    /// Mean absolute error of the equity, in points.
    pub mean_error: f64,
    /// Largest absolute error of the equity, in points.
    pub largest_error: f64,
    /// Equity lost per turn by taking the play that the net likes best, in points; a forced turn loses nothing.
    pub lost_per_turn: f64,
    /// Each outcome's probability, in the order lose 2, lose 1, draw, win 1, win 2.
    pub outcomes: [Calibration; OUTCOMES],
}

/// How the probability of one outcome fits the truth, over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Calibration {
    /// Mean of what the net says.
    pub predicted: f64,
    /// Mean of the truth.
    pub exact: f64,
    /// Mean absolute difference.
    pub mean_error: f64,
}

/// A net against a solved game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truth {
    /// Placements of the game.
    pub placements: u64,
    /// Weighted by the chance that a game of best play reaches the position.
    pub weighted: Accuracy,
    /// Positions that best play can reach, all counted alike.
    pub reachable: Accuracy,
    /// A random sample of all other positions.
    pub others: Accuracy,
    /// What the net loses against a player who makes no mistake.
    pub lost_per_game: LostPerGame,
}

/// Points that a net gets less, in a game against the perfect player, than the perfect player would in its seat; computed, not sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct LostPerGame {
    /// When the net opens the game.
    pub opening: f64,
    /// When the other side opens it.
    pub replying: f64,
    /// The mean of both.
    pub mean: f64,
}

/// Weighted sums for an [`Accuracy`].
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: u64,
    weight: f64,
    error: f64,
    largest: f64,
    lost: f64,
    outcomes: [Calibration; OUTCOMES],
}

impl Sums {
    fn add(&mut self, weight: f64, net: &Outcomes, exact: &Outcomes, lost: f64) {
        let error = f64::from((net.equity() - exact.equity()).abs());
        self.positions += 1;
        self.weight += weight;
        self.error += weight * error;
        self.largest = self.largest.max(error);
        self.lost += weight * lost;
        for (sum, (&net, &exact)) in self.outcomes.iter_mut().zip(net.probabilities().iter().zip(exact.probabilities()))
        {
            sum.predicted += weight * f64::from(net);
            sum.exact += weight * f64::from(exact);
            sum.mean_error += weight * f64::from((net - exact).abs());
        }
    }

    fn accuracy(&self) -> Accuracy {
        let mean = |sum: f64| if self.weight > 0.0 { sum / self.weight } else { 0.0 };
        Accuracy {
            positions: self.positions,
            mean_error: mean(self.error),
            largest_error: self.largest,
            lost_per_turn: mean(self.lost),
            outcomes: self.outcomes.map(|sum| Calibration {
                predicted: mean(sum.predicted),
                exact: mean(sum.exact),
                mean_error: mean(sum.mean_error),
            }),
        }
    }
}

const THROWS: f64 = Roll::THROWS as f64;

/// Games that are followed at once, by who is to move: the chance that they come to a placement.
///
/// The first follows two perfect players, the others the net against a perfect player: with the net in the seat that opened and to move, in that
/// seat and not to move, then the same for the other seat.
type Chances = [f64; 5];
const PERFECT: usize = 0;
const NET_TO_MOVE: [usize; 2] = [1, 3];
const NET_WAITS: [usize; 2] = [2, 4];

/// The same games when the turn has passed to the other side.
fn turned([perfect, a, b, c, d]: Chances) -> Chances {
    [perfect, b, a, d, c]
}

/// Holds a net against a solved game of the same rules. One sweep over the placements, most pips first, follows the games; `progress` hears how many more
/// placements are done now and then.
///
/// Needs 90 bytes for each placement besides the solution: 1 GB for 3 checkers. `sample` is about how many positions out of best play's reach are looked at.
pub fn truth(solution: &Solution, net: &NetPlayer, sample: u64, seed: u64, progress: impl Fn(usize)) -> Truth {
    let placements = solution.placements();
    let opinions = Opinions::of(placements, net);
    let share = sample as f64 / placements.len() as f64;
    let mut chances: Vec<Chances> = vec![[0.0; 5]; placements.len()];
    let start = placements.number(&Board::start(placements.rules()));
    chances[start][PERFECT] = 1.0;
    chances[start][NET_TO_MOVE[0]] = 1.0;
    chances[start][NET_WAITS[1]] = 1.0;
    let mut points = [0.0; 2];
    let [mut weighted, mut reachable, mut others] = [Sums::default(); 3];
    for pips in (0..=placements.most_pips()).rev() {
        let visits: Vec<Visit> = placements
            .with_pips(pips)
            .filter_map(|(number, board)| {
                let mut random = generator(Purpose::Sample, seed, number as u64);
                let sampled = random.random::<f64>() < share;
                Visit::new(solution, &opinions, &chances, number, &board, sampled)
            })
            .collect();
        for visit in &visits {
            let (net, exact) = (&opinions.outcomes[visit.number], &solution.outcomes()[visit.number]);
            if visit.reached > 0.0 {
                weighted.add(visit.reached, net, exact, visit.lost);
                reachable.add(1.0, net, exact, visit.lost);
            } else if visit.sampled {
                others.add(1.0, net, exact, visit.lost);
            }
            for (seat, points) in points.iter_mut().enumerate() {
                *points += visit.points[seat];
            }
            for &(number, ref flow) in &visit.flows {
                chances[number as usize].iter_mut().zip(flow).for_each(|(sum, chance)| *sum += chance);
            }
        }
        progress(visits.len());
    }
    let opening = f64::from(solution.equities()[start]);
    let lost = [opening - points[0], -opening - points[1]];
    Truth {
        placements: placements.len() as u64,
        weighted: weighted.accuracy(),
        reachable: reachable.accuracy(),
        others: others.accuracy(),
        lost_per_game: LostPerGame { opening: lost[0], replying: lost[1], mean: (lost[0] + lost[1]) / 2.0 },
    }
}

/// What the net thinks of every placement.
struct Opinions {
    equities: Vec<f32>,
    outcomes: Vec<Outcomes>,
}

impl Opinions {
    fn of(placements: &Placements, net: &NetPlayer) -> Opinions {
        let mut opinions = Opinions {
            equities: vec![0.0; placements.len()],
            outcomes: vec![Outcomes::new([0.0; OUTCOMES]); placements.len()],
        };
        for pips in 0..=placements.most_pips() {
            let (numbers, boards): (Vec<usize>, Vec<Board>) = placements.with_pips(pips).unzip();
            let outcomes: Vec<Outcomes> = boards
                .par_chunks(256)
                .map_init(Workspace::default, |workspace, boards| {
                    net.evaluate_all(boards, workspace).collect::<Vec<_>>()
                })
                .flatten_iter()
                .collect();
            for (number, outcomes) in numbers.into_iter().zip(outcomes) {
                opinions.equities[number] = outcomes.equity();
                opinions.outcomes[number] = outcomes;
            }
        }
        opinions
    }

    /// The index of the result that the net likes best; of equal ones the first.
    fn best(&self, results: &[After]) -> usize {
        let mut best = (0, f32::NEG_INFINITY);
        for (index, &after) in results.iter().enumerate() {
            let equity = match after {
                After::Ended(ending) => f32::from(ending.points()),
                After::Placement(number) => -self.equities[number as usize],
            };
            if equity > best.1 {
                best = (index, equity);
            }
        }
        best.0
    }
}

/// What happens at one placement.
struct Visit {
    number: usize,
    /// The chance that a game of best play comes here.
    reached: f64,
    sampled: bool,
    /// Equity that the net's plays lose in a turn from here.
    lost: f64,
    /// Points won by the net in games that end with this turn, by its seat, times their chance.
    points: [f64; 2],
    /// Where games go from here, and with which chances.
    flows: Vec<(u32, Chances)>,
}

impl Visit {
    /// `None` when no game comes here and the placement is not looked at either.
    fn new(
        solution: &Solution,
        opinions: &Opinions,
        chances: &[Chances],
        number: usize,
        board: &Board,
        sampled: bool,
    ) -> Option<Visit> {
        let placements = solution.placements();
        let flipped = board.flip();
        let [here, there] = [chances[number], chances[placements.number(&flipped)]];
        let never = |chances: &Chances| chances.iter().all(|&chance| chance == 0.0);
        if never(&here) && never(&there) && !sampled || placements.ending(board).is_some() {
            return None;
        }
        let passes_there = if never(&there) { 0.0 } else { passes(placements.rules(), &flipped) };
        // A game comes to a board and its flip from above at most once. From the flip it gets here by a pass.
        let from_there = turned(there);
        let arrivals: Chances = std::array::from_fn(|i| here[i] + passes_there * from_there[i]);
        if never(&arrivals) && !sampled {
            return None;
        }
        let mut results = placements.results(board);
        let mut passes_here = 0.0;
        let mut turns = Vec::with_capacity(Roll::ALL.len());
        for roll in Roll::ALL {
            let share = f64::from(roll.weight()) / THROWS;
            match results.of(board, roll) {
                [] => passes_here += share,
                results => turns.push((share, results[solution.best(results)], results[opinions.best(results)])),
            }
        }
        // By two passes it is back, and by two more again.
        let times = arrivals.map(|chance| chance / (1.0 - passes_here * passes_there));
        let reached = arrivals[PERFECT];
        let mut visit = Visit { number, reached, sampled, lost: 0.0, points: [0.0; 2], flows: Vec::new() };
        for (share, perfect, net) in turns {
            visit.play(solution, perfect, net, share, &times);
        }
        Some(visit)
    }

    fn play(&mut self, solution: &Solution, perfect: After, net: After, share: f64, times: &Chances) {
        let [best, taken] = [perfect, net].map(|after| f64::from(solution.equity_after(after)));
        self.lost += share * (best - taken).max(0.0);
        let mut flow = |after: After, kinds: &[usize], sign: f64| match after {
            After::Ended(ending) => {
                for (seat, points) in self.points.iter_mut().enumerate() {
                    for &kind in kinds {
                        if kind == NET_TO_MOVE[seat] || kind == NET_WAITS[seat] {
                            *points += sign * share * times[kind] * f64::from(ending.points());
                        }
                    }
                }
            }
            After::Placement(number) => {
                let mut chances = [0.0; 5];
                kinds.iter().for_each(|&kind| chances[kind] = share * times[kind]);
                if chances.iter().any(|&chance| chance > 0.0) {
                    self.flows.push((number, turned(chances)));
                }
            }
        };
        flow(perfect, &[PERFECT, NET_WAITS[0], NET_WAITS[1]], -1.0);
        flow(net, &NET_TO_MOVE, 1.0);
    }
}

/// The chance that a turn must be passed.
fn passes(rules: Rules, board: &Board) -> f64 {
    let mut afterstates = Afterstates::default();
    let throws: u8 = Roll::ALL
        .into_iter()
        .filter(|&roll| {
            afterstates.boards.clear();
            generate(rules, board, roll, &mut afterstates);
            afterstates.boards.is_empty()
        })
        .map(Roll::weight)
        .sum();
    f64::from(throws) / THROWS
}

/// Holds a net against the exact bear-off table, over positions that the table holds; others are left out.
pub fn bear_off_truth(table: &TwoSided, rules: Rules, net: &NetPlayer, boards: &[Board]) -> Accuracy {
    let looked_at: Vec<(Outcomes, Outcomes, f64)> = boards
        .par_iter()
        .map_init(Workspace::default, |workspace, board| {
            let exact = table.outcomes(board)?;
            let mut afterstates = Afterstates::default();
            let mut lost = 0.0;
            for roll in Roll::ALL {
                afterstates.boards.clear();
                generate(rules, board, roll, &mut afterstates);
                if afterstates.boards.len() > 1 {
                    let after = |board: &Board| match board.ending(rules) {
                        Some(ending) => f64::from(ending.points()),
                        None => table.outcomes(&board.flip()).map_or(0.0, |outcomes| -f64::from(outcomes.equity())),
                    };
                    let best = afterstates.boards.iter().map(after).fold(f64::NEG_INFINITY, f64::max);
                    let taken = net.best(rules, board, &afterstates.boards, workspace).index;
                    lost += f64::from(roll.weight()) / THROWS * (best - after(&afterstates.boards[taken]));
                }
            }
            Some((net.evaluate(board), exact, lost))
        })
        .flatten()
        .collect();
    let mut sums = Sums::default();
    looked_at.iter().for_each(|(net, exact, lost)| sums.add(1.0, net, exact, *lost));
    sums.accuracy()
}

/// Positions of the exact bear-off table, all layouts of both sides being equally likely.
pub fn bear_off_sample(rules: Rules, count: usize, seed: u64) -> Vec<Board> {
    let mut random = generator(Purpose::Sample, seed, 0);
    let mut layout = || random.random_range(0..TwoSided::layouts());
    let boards = std::iter::repeat_with(|| TwoSided::board(rules, layout(), layout()));
    // With few checkers, or none left, there is no such position; of a two-checker game some pairs of layouts still are.
    boards.take(100 * count).flatten().take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_exact::{Cache, Endings};
    use mahbusa_net::{Shape, Weights};

    fn solution(text: &str) -> Solution {
        Solution::solve(Placements::new(text.parse().unwrap()).unwrap(), |_| {})
    }

    /// Points per game of the net in each seat, by value iteration over the games of the net and the perfect player: `worth[who][placement]` is what
    /// the side to roll gets, who is 0 when the net is to roll.
    fn lost_slowly(solution: &Solution, net: &NetPlayer) -> [f64; 2] {
        let placements = solution.placements();
        let opinions = Opinions::of(placements, net);
        let mut worth = vec![vec![0.0; placements.len()]; 2];
        for pips in 0..=placements.most_pips() {
            let boards: Vec<(usize, Board)> = placements.with_pips(pips).collect();
            // Only a pass leads to a board of as many pips.
            loop {
                let mut change = 0f64;
                for &(number, board) in &boards {
                    for who in 0..2 {
                        let value = match placements.ending(&board) {
                            Some(ending) => -f64::from(ending.points()),
                            None => {
                                let mut results = placements.results(&board);
                                Roll::ALL
                                    .into_iter()
                                    .map(|roll| {
                                        let results = results.of(&board, roll);
                                        let after = match results {
                                            [] => After::Placement(placements.number(&board.flip()) as u32),
                                            _ if who == 0 => results[opinions.best(results)],
                                            _ => results[solution.best(results)],
                                        };
                                        f64::from(roll.weight()) / THROWS
                                            * match after {
                                                After::Ended(ending) => f64::from(ending.points()),
                                                After::Placement(next) => -worth[1 - who][next as usize],
                                            }
                                    })
                                    .sum()
                            }
                        };
                        change = change.max((worth[who][number] - value).abs());
                        worth[who][number] = value;
                    }
                }
                if change < 1e-9 {
                    break;
                }
            }
        }
        let start = placements.number(&Board::start(placements.rules()));
        let opening = f64::from(solution.equities()[start]);
        [opening - worth[0][start], worth[1][start] - opening]
    }

    #[test]
    fn what_a_net_loses_is_what_value_iteration_says() {
        let solution = solution("mahbusa,checkers=2");
        let net = NetPlayer::new(&Weights::random(Shape::of(16), 7));
        let truth = truth(&solution, &net, 1000, 1, |_| {});
        let [opening, replying] = lost_slowly(&solution, &net);
        assert!(opening > 0.01 && replying > 0.01, "{opening} {replying}");
        assert!((truth.lost_per_game.opening - opening).abs() < 1e-5, "{opening} {truth:?}");
        assert!((truth.lost_per_game.replying - replying).abs() < 1e-5, "{replying} {truth:?}");
        assert!(truth.weighted.mean_error > 0.0 && truth.weighted.mean_error <= truth.reachable.largest_error);
        assert_eq!(truth.weighted.positions, truth.reachable.positions);
    }

    #[test]
    fn the_table_finds_no_fault_with_itself() {
        let endings = std::sync::Arc::new(Endings::new(Cache::none()));
        let table = &endings.table().two_sided;
        let net = NetPlayer::new(&Weights::random(Shape::of(16), 7));
        let boards = bear_off_sample(Rules::MAHBUSA, 300, 1);
        assert_eq!(boards.len(), 300);
        let plain = bear_off_truth(table, Rules::MAHBUSA, &net, &boards);
        assert!(plain.mean_error > 0.05 && plain.lost_per_turn > 0.001, "{plain:?}");
        let knowing = net.with_endings(std::sync::Arc::clone(&endings));
        let exact = bear_off_truth(table, Rules::MAHBUSA, &knowing, &boards);
        assert_eq!((exact.positions, exact.mean_error, exact.lost_per_turn), (300, 0.0, 0.0));
    }
}
