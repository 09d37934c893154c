//! The dice are fair, as far as a million rolls can tell, and one roll says nothing of the next.
//!
//! Two tests by Pearson's chi-square. All 36 throws are equally likely: 36 cells, 35 degrees of freedom. A throw and the one after it are independent: 36 times 36 cells, and, since
//! both margins are taken from the data, 35 times 35 degrees of freedom. A value of chi-square is turned into a standard normal score by the cube root of Wilson and Hilferty (1931); a
//! score beyond 3.29 on either side, which fair dice reach in one test of a thousand, fails. Dice that are too even fail like those that are not even enough. Seeds are
//! fixed, so what passes once passes always.

use mahbusa_net::random::{Generator, Purpose, generator};
use mahbusa_players::GameDice;
use mahbusa_rules::Side;
use rand::RngExt;

const ROLLS: usize = 1_000_000;
const THROWS: usize = 36;
/// What a standard normal number exceeds, on either side, once in a thousand times.
const LIMIT: f64 = 3.29;

/// The scores of a sequence of throws, 0..36: all equally likely, and independent of the one before.
fn scores(throws: impl Iterator<Item = usize>) -> [f64; 2] {
    let mut cells = [0.0; THROWS];
    let mut pairs = [[0.0; THROWS]; THROWS];
    let mut before = None;
    for throw in throws.take(ROLLS) {
        cells[throw] += 1.0;
        if let Some(before) = before.replace(throw) {
            pairs[before][throw] += 1.0;
        }
    }
    let rolls: f64 = cells.iter().sum();
    assert_eq!(rolls as usize, ROLLS);
    let even = rolls / THROWS as f64;
    let uniform: f64 = cells.iter().map(|cell| (cell - even).powi(2) / even).sum();

    let total = rolls - 1.0;
    let rows = pairs.map(|row| row.iter().sum::<f64>());
    let columns: [f64; THROWS] = std::array::from_fn(|column| pairs.iter().map(|row| row[column]).sum());
    let mut independent = 0.0;
    for (row, in_row) in pairs.iter().zip(rows) {
        for (cell, in_column) in row.iter().zip(columns) {
            let expected = in_row * in_column / total;
            independent += (cell - expected).powi(2) / expected;
        }
    }
    let freedom = THROWS as f64 - 1.0;
    [normal_score(uniform, freedom), normal_score(independent, freedom * freedom)]
}

/// About the standard normal score of a chi-square with so many degrees of freedom.
fn normal_score(chi_square: f64, freedom: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - variance)) / variance.sqrt()
}

fn passes(scores: [f64; 2]) -> [bool; 2] {
    scores.map(|score| score.abs() < LIMIT)
}

/// One stream of dice of the engine.
fn stream(purpose: Purpose, seed: u64) -> impl Iterator<Item = usize> {
    let mut dice = generator(purpose, seed, 0);
    std::iter::repeat_with(move || usize::from(dice.random_range(0..THROWS as u8)))
}

/// The first rolls of many games, one game after the other: what players really meet.
fn games(purpose: Purpose, seed: u64, rolls: usize) -> impl Iterator<Item = usize> {
    (0..).flat_map(move |number| {
        let mut dice = generator(purpose, seed, number);
        std::iter::repeat_with(move || usize::from(dice.random_range(0..THROWS as u8))).take(rolls)
    })
}

/// Computed by the program in `docs/formats.md`, which shares nothing with this one.
#[test]
fn the_streams_have_not_changed() {
    for (purpose, throws) in [
        (Purpose::SelfPlay, [4, 8, 28, 27, 2, 34, 2, 7]),
        (Purpose::Dice, [9, 15, 15, 11, 24, 21, 1, 32]),
        (Purpose::Opening, [19, 14, 17, 17, 34, 25, 35, 5]),
    ] {
        let mut dice = generator(purpose, 7, 1);
        assert_eq!([(); 8].map(|()| dice.random_range(0..THROWS as u8)), throws, "{purpose:?}");
    }
}

#[test]
fn a_million_rolls_are_fair_and_independent() {
    for purpose in [Purpose::SelfPlay, Purpose::Dice, Purpose::Rollout, Purpose::Opening] {
        let found = scores(stream(purpose, 1));
        println!("{purpose:?}, one stream: scores {found:?}");
        assert_eq!(passes(found), [true; 2], "{purpose:?}: {found:?}");
        for rolls in [1, 2, 93] {
            let found = scores(games(purpose, 1, rolls));
            println!("{purpose:?}, {rolls} rolls a game: scores {found:?}");
            assert_eq!(passes(found), [true; 2], "{purpose:?}, {rolls} rolls a game: {found:?}");
        }
    }
}

#[test]
fn the_dice_of_matches_are_fair_and_favour_nobody_in_the_opening() {
    let rolls = (1..).flat_map(|game| {
        let mut dice = GameDice::new(3, game);
        (0..93).map(move |turn| dice.roll(turn))
    });
    let doubles = rolls.take(ROLLS).filter(|roll| roll.is_double()).count() as f64;
    let expected = ROLLS as f64 / 6.0;
    assert!((doubles - expected).abs() < LIMIT * (expected * 5.0 / 6.0).sqrt(), "{doubles} doubles");

    let games = 100_000u64;
    let white = (1..=games).filter(|&game| GameDice::opening(3, game).opener == Side::White);
    let opened = white.count() as f64;
    let games = games as f64;
    assert!((opened - games / 2.0).abs() < LIMIT * games.sqrt() / 2.0, "White opens {opened}");
}

/// Dice with a fault; what is drawn comes from the engine's own generator.
fn faulty(fault: impl Fn(&mut Generator, usize) -> usize) -> [f64; 2] {
    let mut dice = generator(Purpose::Dice, 1, 0);
    let mut before = 0;
    scores(std::iter::repeat_with(move || {
        before = fault(&mut dice, before);
        before
    }))
}

#[test]
fn unfair_dice_fail() {
    let draw = |dice: &mut Generator| dice.random_range(0..THROWS);
    // 6-6 falls in three of a hundred rolls instead of 2.8.
    let loaded = faulty(|dice, _| if dice.random_range(0..500) == 0 { 35 } else { draw(dice) });
    assert_eq!(passes(loaded), [false, true], "{loaded:?}");
    // One roll in a hundred repeats the one before.
    let sticky = faulty(|dice, before| if dice.random_range(0..100) == 0 { before } else { draw(dice) });
    assert_eq!(passes(sticky), [true, false], "{sticky:?}");
    // A die that is never twice the same in a row: too even in pairs.
    let shuffled = faulty(|dice, before| (before + dice.random_range(1..THROWS)) % THROWS);
    assert!(!passes(shuffled)[1], "{shuffled:?}");
    // All throws in turn: as even as can be.
    let counted = faulty(|_, before| (before + 1) % THROWS);
    assert_eq!(passes(counted), [false, false], "{counted:?}");
}
