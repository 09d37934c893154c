//! The fast evaluator against the plain one, on positions out of random games.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "this is a test as a whole, its helpers included"
)]

use mahbusa_net::random::{Generator, Purpose, generator};
use mahbusa_net::{Activation, Evaluations, Evaluator, Outcomes, Shape, Weights, possible};
use mahbusa_rules::{Board, Roll, Rules, plays};
use rand::RngExt;

/// Calls `check` with every position before a roll of some random games, the roll and the boards that it may lead to.
fn walk(games: u64, mut check: impl FnMut(&Board, &[Board])) {
    for number in 0..games {
        let rules = if number % 2 == 0 { Rules::MAHBUSA } else { Rules::TAPA };
        let rules = if number % 3 == 0 { rules.with_checkers(3 + (number % 9) as u8).unwrap() } else { rules };
        let mut random: Generator = generator(Purpose::Dice, 7, number);
        let mut board = Board::start(rules);
        loop {
            let roll = Roll::from_uniform(random.random_range(0..36));
            let results = plays(rules, &board, roll);
            let boards: Vec<Board> = results.iter().map(|result| result.board).collect();
            check(&board, &boards);
            let chosen = results[random.random_range(0..results.len())];
            if chosen.ending.is_some() {
                break;
            }
            board = chosen.board.flip();
        }
    }
}

fn largest_gap(a: &Outcomes, b: &Outcomes) -> f32 {
    a.probabilities().iter().zip(b.probabilities()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Random weights with an output layer strong enough to make opinions differ.
fn opinionated(shape: Shape) -> Weights {
    let mut weights = Weights::random(shape, 3);
    weights.w3.iter_mut().for_each(|weight| *weight *= 8.0);
    weights.b1.iter_mut().enumerate().for_each(|(i, bias)| *bias = (i % 7) as f32 / 10.0 - 0.3);
    weights.b2.iter_mut().enumerate().for_each(|(i, bias)| *bias = (i % 5) as f32 / 10.0 - 0.2);
    weights.b3 = vec![0.3, -0.1, -0.5, 0.2, 0.1];
    weights
}

#[test]
fn fast_equals_plain() {
    let rectified = [16, 128].map(|hidden| Shape { activation: Activation::Rectified, ..Shape::of(hidden) });
    let squared = [16, 48, 128, 272].map(Shape::of);
    let deeper =
        [(16, 16), (144, 32), (128, 48), (256, 64)].map(|(hidden, second)| Shape { second, ..Shape::of(hidden) });
    for shape in rectified.into_iter().chain(squared).chain(deeper) {
        let weights = opinionated(shape);
        let evaluator = Evaluator::new(&weights);
        walk(30, |board, _| {
            let gap = largest_gap(&evaluator.evaluate(board), &weights.evaluate_plainly(board));
            assert!(gap < 5e-6, "{shape}: {gap}");
        });
    }
}

#[test]
fn incremental_equals_from_scratch() {
    let evaluator = Evaluator::new(&opinionated(Shape::of(128)));
    let (mut incremental, mut scratch) = (Evaluations::default(), Evaluations::default());
    let mut compared = 0;
    walk(60, |board, results| {
        evaluator.evaluate_afterstates(board, results, &mut incremental);
        let seen_by_the_other: Vec<Board> = results.iter().map(Board::flip).collect();
        evaluator.evaluate_all(&seen_by_the_other, &mut scratch);
        for (a, b) in incremental.outcomes().iter().zip(scratch.outcomes()) {
            let gap = largest_gap(a, b);
            assert!(gap < 1e-6, "{gap}");
            compared += 1;
        }
    });
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn impossible_outcomes_are_zero_and_the_rest_sums_to_one() {
    let evaluator = Evaluator::new(&opinionated(Shape { second: 32, ..Shape::of(64) }));
    let mut ruled_out = 0;
    walk(60, |board, _| {
        let outcomes = evaluator.evaluate(board);
        let possible = possible(board);
        for (i, &probability) in outcomes.probabilities().iter().enumerate() {
            if possible >> i & 1 == 0 {
                assert_eq!(probability, 0.0);
                ruled_out += 1;
            }
        }
        assert!((outcomes.probabilities().iter().sum::<f32>() - 1.0).abs() < 1e-6);
    });
    assert!(ruled_out > 1000, "{ruled_out}");
}

#[test]
fn a_position_and_its_mirror_image_are_worth_the_same() {
    let evaluator = Evaluator::new(&opinionated(Shape { second: 32, ..Shape::of(64) }));
    walk(20, |board, _| {
        let position = |turn: &str, board: Board| mahbusa_rules::Position {
            board,
            turn: if turn == "w" { mahbusa_rules::Side::White } else { mahbusa_rules::Side::Black },
            ..mahbusa_rules::Position::start(Rules::MAHBUSA)
        };
        // The mirror image: colours exchanged and the board turned round, the other side in turn.
        let white = position("w", *board).to_string();
        let black = position("b", *board).to_string();
        let points = |text: &str| text.split(':').nth(1).unwrap().to_owned();
        let swapped: String = points(&white)
            .chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect();
        assert_eq!(reverse(&swapped), points(&black));
        let read = |text: &str| text.parse::<mahbusa_rules::Position>().map(|p| p.board);
        if let (Ok(a), Ok(b)) = (read(&white), read(&black)) {
            assert_eq!(evaluator.evaluate(&a), evaluator.evaluate(&b));
        }
    });
}

/// The board field read from the other end: marks stay behind their letters and runs stay numbers.
fn reverse(board: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for c in board.chars() {
        let digit = c.is_ascii_digit();
        match parts.last_mut() {
            Some(last) if c == '~' || digit && last.ends_with(|l: char| l.is_ascii_digit()) => last.push(c),
            _ => parts.push(c.to_string()),
        }
    }
    parts.into_iter().rev().collect()
}
