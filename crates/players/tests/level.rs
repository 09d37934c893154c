//! Levels: what they take is decided by seed and position, never costs more than the cap, and is as likely as it should be.

#![allow(clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

mod common;

use mahbusa_net::Outcomes;
use mahbusa_players::{
    Aim, Chance, Level, LevelNumber, LevelPlayer, MatchTable, NetPlayer, NetSize, Player, Ply, Rated, Search, Turn,
    TurnNoise, Workspace,
};
use mahbusa_rules::{Board, Ending, Position, Roll, Rules, plays};

use common::{decisions, weights};

fn level(ply: Ply, noise: f64, cap: f64) -> Level {
    Level { number: LevelNumber::ALL[0], name: "test".to_owned(), net: NetSize::Full, ply, noise, cap }
}

fn net() -> NetPlayer {
    NetPlayer::new(&weights())
}

fn afterstates(rules: Rules, board: &Board, roll: Roll) -> Vec<Board> {
    plays(rules, board, roll).into_iter().map(|result| result.board).collect()
}

fn choose(player: &dyn Player, (board, roll): &(Board, Roll), seed: u64) -> Board {
    let rules = Rules::MAHBUSA;
    let afterstates = afterstates(rules, board, *roll);
    let chance = Chance { seed, pair: 0, ply: 0 };
    let turn = Turn { rules, board, roll: *roll, afterstates: &afterstates, chance };
    afterstates[player.choose(&turn, &mut Workspace::default())]
}

#[test]
fn the_same_position_gets_the_same_play_and_another_seed_others() {
    let decisions = decisions(Rules::MAHBUSA, &net(), 200, 1);
    let player = LevelPlayer::new(net(), level(Ply::One, 0.1, 0.5));
    let all = |seed: u64| -> Vec<Board> { decisions.iter().map(|decision| choose(&player, decision, seed)).collect() };
    assert_eq!(all(1), all(1));
    let other = all(1).iter().zip(all(2)).filter(|(one, other)| *one != other).count();
    assert!((20..200).contains(&other), "{other}");
}

#[test]
fn without_noise_it_plays_as_the_search_does() {
    for (ply, count) in [(Ply::One, 1000), (Ply::Two, 100)] {
        let (player, search) = (LevelPlayer::new(net(), level(ply, 0.0, 0.3)), Search::new(net(), ply));
        for decision in decisions(Rules::MAHBUSA, search.net(), count, 2) {
            assert_eq!(choose(&player, &decision, 1), choose(&search, &decision, 1));
        }
        // Nor does a cap of nothing leave a choice, but between plays of equal worth.
        let player = LevelPlayer::new(net(), level(ply, 0.5, 0.0));
        let mut workspace = Workspace::default();
        for decision in decisions(Rules::MAHBUSA, search.net(), count, 3) {
            let (board, roll) = &decision;
            let afterstates = afterstates(Rules::MAHBUSA, board, *roll);
            let rated = search.rate(Rules::MAHBUSA, board, &afterstates, Aim::Points, &mut workspace);
            let worth = |chosen: Board| {
                let index = afterstates.iter().position(|after| *after == chosen).unwrap();
                rated[index].outcomes.equity()
            };
            assert_eq!(worth(choose(&player, &decision, 1)), worth(choose(&search, &decision, 1)));
        }
    }
}

#[test]
fn no_play_loses_more_than_the_cap() {
    let table = MatchTable::new(&net().evaluate(&Board::start(Rules::MAHBUSA)));
    let score = "mahbusa:O22o:0.0:w:-:1.2.3".parse::<Position>().unwrap();
    let aims = [Aim::Points, Aim::Match(table.stakes(score.score, score.turn).unwrap())];
    let mut workspace = Workspace::default();
    for (ply, count) in [(Ply::One, 1000), (Ply::Two, 60)] {
        let search = Search::new(net(), ply);
        for (seed, (board, roll)) in (0..).zip(decisions(Rules::MAHBUSA, search.net(), count, 4)) {
            let afterstates = afterstates(Rules::MAHBUSA, &board, roll);
            let noise = TurnNoise::new(seed, Rules::MAHBUSA, &board, roll);
            for aim in aims {
                let rated = search.rate(Rules::MAHBUSA, &board, &afterstates, aim, &mut workspace);
                let worth = |rated: &Rated| f64::from(aim.worth(&rated.outcomes));
                let best = rated.iter().filter(|rated| rated.ply == ply).map(worth).fold(f64::NEG_INFINITY, f64::max);
                for (scale, cap) in [(0.01, 0.05), (0.1, 0.1), (1.0, 0.02), (1e6, 0.3), (0.3, 4.0)] {
                    let taken = &rated[level(ply, scale, cap).pick(&noise, &afterstates, rated, aim)];
                    assert_eq!(taken.ply, ply);
                    let lost = best - worth(taken);
                    assert!(lost <= cap * f64::from(aim.of_a_point()) + 1e-12, "{scale} {cap}: {lost}");
                }
            }
        }
    }
}

#[test]
fn a_game_that_can_be_won_at_once_is_won() {
    // White pins the mother, or plays on as the clear favourite.
    let position: Position = "mahbusa:n15MB5a:0.0:w:61:0.0.0".parse().unwrap();
    let (board, roll) = (position.board, position.dice.unwrap());
    let player = LevelPlayer::new(net(), level(Ply::One, 10.0, 4.0));
    for seed in 0..100 {
        let after = choose(&player, &(board, roll), seed);
        assert_eq!(after.ending(Rules::MAHBUSA).map(Ending::points), Some(2));
    }
}

/// Plays that are worth so much.
fn rated(points: &[f32]) -> Vec<Rated> {
    let outcomes = |points: f32| Outcomes::new([0.0, 0.5 - points / 2.0, 0.0, 0.5 + points / 2.0, 0.0]);
    points.iter().map(|&points| Rated { outcomes: outcomes(points), ply: Ply::One }).collect()
}

#[test]
fn a_play_is_as_likely_as_the_exponential_of_its_worth() {
    let position: Position = "mahbusa:J5C4A~6A4n:0.0:w:31:0.0.0".parse().unwrap();
    let (board, roll) = (position.board, position.dice.unwrap());
    let afterstates: Vec<Board> = afterstates(Rules::MAHBUSA, &board, roll).into_iter().take(4).collect();
    let points = [0.2, 0.3, 0.25, -0.3];
    let rated = rated(&points);
    let level = level(Ply::One, 0.1, 0.4);
    let mut taken = [0; 4];
    let seeds = 40_000;
    for seed in 0..seeds {
        let noise = TurnNoise::new(seed, Rules::MAHBUSA, &board, roll);
        taken[level.pick(&noise, &afterstates, &rated, Aim::Points)] += 1;
    }
    let weights = points.map(|points| if points < -0.1 { 0.0 } else { (points / 0.1).exp() });
    for (taken, weight) in taken.into_iter().zip(weights) {
        let expected = f64::from(weight / weights.iter().sum::<f32>());
        let share = f64::from(taken) / seeds as f64;
        // Four standard errors at most.
        assert!((share - expected).abs() < 0.01, "{share} {expected}");
    }
    assert_eq!(taken[3], 0);
}
