//! Solved games against two methods that know nothing of pip counts: value iteration and games of chance.

#![expect(clippy::unwrap_used, reason = "a test that has nothing to work with fails")]

use std::collections::HashMap;

use mahbusa_exact::{Placements, Solution};
use mahbusa_net::random::{Purpose, generator};
use mahbusa_rules::{Afterstates, Board, Outcome, Roll, Rules, generate, plays};
use rand::RngExt;

const GAMES: [&str; 4] = ["mahbusa,checkers=1", "tapa,checkers=1", "mahbusa,checkers=2", "tapa,checkers=2"];

fn solve(rules: Rules) -> Solution {
    Solution::solve(Placements::new(rules).unwrap(), |_| {})
}

/// What one play leads to: the game is over, for the side that played, or the board with this number is to be rolled on.
enum Next {
    Over(Outcome),
    Board(usize),
}

/// All positions that can come up, each with the results of all rolls in wire order, found by walking from the start.
fn walk(rules: Rules) -> (Vec<Board>, Vec<Vec<Vec<Next>>>) {
    let mut boards = vec![Board::start(rules)];
    let mut numbers = HashMap::from([(boards[0], 0)]);
    let mut nexts = Vec::new();
    while nexts.len() < boards.len() {
        let board = boards[nexts.len()];
        let of_roll = |roll| {
            plays(rules, &board, roll)
                .into_iter()
                .map(|play| match play.ending {
                    Some(ending) => Next::Over(ending.outcome()),
                    None => Next::Board(*numbers.entry(play.board.flip()).or_insert_with(|| {
                        boards.push(play.board.flip());
                        boards.len() - 1
                    })),
                })
                .collect()
        };
        let rolls = Roll::ALL.into_iter().map(of_roll).collect();
        nexts.push(rolls);
    }
    (boards, nexts)
}

/// Outcomes for the side to roll, by value iteration until nothing moves.
fn iterate(boards: &[Board], nexts: &[Vec<Vec<Next>>]) -> Vec<[f64; 5]> {
    let equity = |outcomes: &[f64; 5]| 2.0 * (outcomes[4] - outcomes[0]) + outcomes[3] - outcomes[1];
    let mut values = vec![[0.0; 5]; nexts.len()];
    // Any order would do; from the end of the game backwards it is soon over.
    let mut order: Vec<usize> = (0..boards.len()).collect();
    order.sort_by_key(|&number| boards[number].my_pips() + boards[number].their_pips());
    loop {
        let mut change = 0f64;
        for &number in &order {
            let rolls = &nexts[number];
            let mut value = [0.0; 5];
            for (roll, results) in Roll::ALL.into_iter().zip(rolls) {
                let worth = |next: &Next| match *next {
                    Next::Over(outcome) => std::array::from_fn(|i| if i == outcome.index() { 1.0 } else { 0.0 }),
                    Next::Board(number) => {
                        let mut outcomes: [f64; 5] = values[number];
                        outcomes.reverse();
                        outcomes
                    }
                };
                let highest = results.iter().map(|next| equity(&worth(next))).fold(f64::NEG_INFINITY, f64::max);
                let best = results.iter().map(worth).find(|outcomes| equity(outcomes) >= highest - 1e-9).unwrap();
                value.iter_mut().zip(best).for_each(|(sum, p)| *sum += f64::from(roll.weight()) / 36.0 * p);
            }
            for (old, new) in values[number].iter().zip(value) {
                change = change.max((old - new).abs());
            }
            values[number] = value;
        }
        if change < 1e-8 {
            return values;
        }
    }
}

#[test]
fn solutions_are_those_of_value_iteration() {
    for game in GAMES {
        let rules = game.parse().unwrap();
        let solution = solve(rules);
        let (boards, nexts) = walk(rules);
        for (board, expected) in boards.iter().zip(iterate(&boards, &nexts)) {
            let number = solution.placements().number(board);
            let outcomes = solution.outcomes()[number].probabilities();
            for (&outcome, expected) in outcomes.iter().zip(expected) {
                assert!((f64::from(outcome) - expected).abs() < 1e-6, "{game} {board:?}: {outcomes:?}, {expected:?}");
            }
            assert!((solution.equities()[number] - solution.outcomes()[number].equity()).abs() < 1e-6);
        }
    }
}

#[test]
fn games_of_the_optimal_player_end_as_the_solution_says() {
    const PLAYED: u64 = 20_000;
    for game in GAMES {
        let rules: Rules = game.parse().unwrap();
        let solution = solve(rules);
        let placements = solution.placements();
        let mut ended = [0.0; 5];
        for number in 0..PLAYED {
            let mut dice = generator(Purpose::Dice, 1, number);
            let mut board = Board::start(rules);
            let mut afterstates = Afterstates::default();
            let mut plies = 0;
            let outcome = loop {
                let roll = Roll::from_uniform(dice.random_range(0..36));
                afterstates.boards.clear();
                generate(rules, &board, roll, &mut afterstates);
                if !afterstates.boards.is_empty() {
                    let mut results = placements.results(&board);
                    board = afterstates.boards[solution.best(results.of(&board, roll))];
                    if let Some(ending) = board.ending(rules) {
                        break if plies % 2 == 0 { ending.outcome() } else { ending.outcome().flip() };
                    }
                }
                board = board.flip();
                plies += 1;
            };
            ended[outcome.index()] += 1.0;
        }
        let start = solution.outcomes()[placements.number(&Board::start(rules))];
        for (&chance, ended) in start.probabilities().iter().zip(ended) {
            let chance = f64::from(chance);
            let error = (chance * (1.0 - chance) / PLAYED as f64).sqrt();
            assert!((ended / PLAYED as f64 - chance).abs() <= 3.0 * error, "{game}: {ended} of {PLAYED}, {start:?}");
        }
    }
}
