//! The rules: the product against the slow referee of [`mahbusa_tests::reference`], the fixtures and the known figures.
//!
//! Meant for `--release`, where all of it takes about half a minute on one core; without, some minutes.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "this is a test as a whole, its helpers included"
)]

use std::collections::{BTreeMap, BTreeSet, HashSet};

use mahbusa_rules::{Board, Ending, OpenTurn, Play, Position, PositionPlay, Roll, Rules, perft};
use mahbusa_tests::reference::{self, Line, Point, Side, State, Step, wire};
use serde_json::Value;

const FIXTURES: &str = include_str!("../fixtures/rules-cases.jsonl");

/// The reference is slow; a build without optimisation looks at a tenth of the positions.
const THINNER: usize = if cfg!(debug_assertions) { 10 } else { 1 };

/// A turn cap that only a bug can reach.
const GUARD: usize = 5_000;

/// The generator splitmix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Two dice, the higher first.
    fn dice(&mut self) -> [u8; 2] {
        let (first, second) = (self.below(6) as u8 + 1, self.below(6) as u8 + 1);
        [first.max(second), first.min(second)]
    }
}

fn product(text: &str) -> Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn referee(text: &str) -> State {
    State::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

// ---------------------------------------------------------------------------------------------------------------------
// Fixtures

#[test]
fn all_fixtures_hold_for_the_product_and_for_the_reference() {
    let mut cases = 0;
    for line in FIXTURES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["position"].as_str().unwrap();
        let expected: BTreeSet<(String, Option<i64>)> = case["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| (result["position"].as_str().unwrap().to_owned(), result["points"].as_i64()))
            .collect();
        // Empty results mean a forced pass, which both list as one play of no steps.
        let of_product: Vec<(String, String, Option<i64>)> = product(text)
            .plays()
            .iter()
            .map(|p| (p.play.to_string(), p.position.to_string(), p.ending.map(|end| end.points().into())))
            .collect();
        let of_reference: Vec<(String, String, Option<i64>)> =
            referee(text).plays().iter().map(|p| (p.wire(), p.state.to_string(), p.points.map(i64::from))).collect();
        for (who, found) in [("product", of_product), ("reference", of_reference)] {
            if expected.is_empty() {
                assert_eq!(found.len(), 1, "{who}, {line}");
                assert_eq!((found[0].0.as_str(), found[0].2), ("-", None), "{who}, {line}");
                continue;
            }
            assert_eq!(found.len(), expected.len(), "{who}, {line}");
            let found: BTreeSet<_> = found.into_iter().map(|(_, position, points)| (position, points)).collect();
            assert_eq!(found, expected, "{who}, {line}");
        }
        cases += 1;
    }
    assert_eq!(cases, 100);
}

// ---------------------------------------------------------------------------------------------------------------------
// The product against the reference

/// What the compared positions were like, so that a change of the players cannot empty the comparison unseen.
#[derive(Default)]
struct Seen {
    positions: usize,
    plays: usize,
    orders: usize,
    sequences: usize,
    features: BTreeMap<&'static str, usize>,
}

impl Seen {
    fn note(&mut self, feature: &'static str, holds: bool) {
        *self.features.entry(feature).or_default() += usize::from(holds);
    }

    /// Compares all that both say about a position with dice. Returns the reference's plays.
    fn compare(&mut self, state: &State) -> Vec<reference::Play> {
        let text = state.to_string();
        let position = product(&text);
        assert_eq!(position.to_string(), text);
        let plays = state.plays();
        let listed = position.plays();
        let of_reference: Vec<(String, String, Option<i8>)> =
            plays.iter().map(|p| (p.wire(), p.state.to_string(), p.points)).collect();
        let of_product: Vec<(String, String, Option<i8>)> =
            listed.iter().map(|p| (p.play.to_string(), p.position.to_string(), p.ending.map(Ending::points))).collect();
        assert_eq!(of_product, of_reference, "{text}: product left, reference right");

        assert_eq!(position.board.flip().flip(), position.board, "{text}");
        for (play, (wire, after, points)) in listed.iter().zip(&of_reference) {
            let board = play.position.board;
            let checkers = u32::from(state.checkers);
            assert_eq!((board.my_checkers(), board.flip().my_checkers()), (checkers, checkers), "{text} {wire}");
            assert_eq!(board.flip().flip(), board, "{after}");
            assert_eq!(product(after), play.position, "{text} {wire}");
            assert_eq!(referee(after).to_string(), *after);
            assert_eq!(wire.parse(), Ok(play.play), "{text}");
            assert_eq!(play.position.ending(), play.ending, "{after}");
            let off = u32::from(board.flip().my_off()) == checkers;
            let mother = *points == Some(2) && !off;
            assert_eq!(play.ending == Some(Ending::Mother), mother, "{after}");
            assert_eq!(play.ending == Some(Ending::Mars), *points == Some(2) && off, "{after}");
            assert_eq!(referee(after).finished(), *points, "{after}");
        }
        if self.positions.is_multiple_of(8) {
            self.compare_every_order(state, &position);
        }
        if self.positions % 8 == 4 {
            self.compare_step_by_step(state, &position);
        }
        self.positions += 1;
        self.plays += plays.len();
        self.note_features(state, &plays);
        plays
    }

    /// Every legal order of every play is found and leads where the reference says; what is not legal is refused.
    ///
    /// Not compared: an illegal sequence that leads where a legal play leads, see
    /// [`a_sequence_that_loses_a_die_is_refused_even_where_a_legal_play_leads_to_the_same_position`].
    fn compare_every_order(&mut self, state: &State, position: &Position) {
        let read = |steps: &[Step]| wire(steps).parse::<Play>().unwrap();
        let after = |state: &State| State { turn: state.turn.enemy(), dice: None, ..state.clone() };
        let legal = state.legal_lines();
        let reached: HashSet<&State> = legal.iter().map(|line| &line.state).collect();
        for play in position.plays() {
            assert_eq!(position.find_play(play.play), Ok(play), "{position}");
        }
        for line in legal.iter().step_by(legal.len() / 24 + 1) {
            let found = position.find_play(read(&line.steps));
            let found = found.map(|p| (p.position.to_string(), p.ending.map(Ending::points)));
            let expected = (after(&line.state).to_string(), line.points);
            assert_eq!(found, Ok(expected), "{position} {}", wire(&line.steps));
            self.orders += 1;
        }
        // Lines that the dice duty forbids, and lines that stop short.
        let mut illegal: Vec<(Vec<Step>, State)> = Vec::new();
        for line in state.lines().iter().step_by(legal.len() / 24 + 1) {
            let mut now = state.clone();
            for taken in 0..line.steps.len() {
                illegal.push((line.steps[..taken].to_vec(), now.clone()));
                now = now.step(line.steps[taken].from, line.dice[taken]).expect("a step of a line").1;
            }
            illegal.push((line.steps.clone(), now));
        }
        illegal.retain(|(_, end)| !reached.contains(end));
        for (steps, _) in &illegal {
            assert!(position.find_play(read(steps)).is_err(), "{position}: `{}` is illegal", wire(steps));
            self.orders += 1;
        }
    }

    /// Whoever takes legal steps until there are none comes to the reference's lines, and to all of them.
    fn compare_step_by_step(&mut self, state: &State, position: &Position) {
        fn walk(turn: &mut OpenTurn, lines: &mut BTreeSet<(String, Option<i8>)>) {
            let before = *turn.board();
            let steps = turn.steps();
            if steps.is_empty() {
                assert!(lines.insert((turn.play().to_string(), turn.ending().map(Ending::points))), "{turn:?}");
            }
            for legal in steps {
                assert_eq!(turn.take(legal.step), Ok(legal));
                assert_eq!((*turn.board(), turn.ending()), (legal.board, legal.ending));
                let trapped = |board: &Board| board.their_trapped() >> legal.step.to.saturating_sub(1) & 1;
                assert_eq!(legal.pins, legal.step.to > 0 && trapped(&legal.board) > trapped(&before), "{turn:?}");
                walk(turn, lines);
                assert_eq!((turn.undo(), *turn.board()), (Some(legal.step), before));
            }
        }
        let mut found = BTreeSet::new();
        walk(&mut position.open_turn().expect("dice, and a game that goes on"), &mut found);
        let expected: BTreeSet<_> = state.legal_lines().iter().map(|line| (wire(&line.steps), line.points)).collect();
        assert_eq!(found, expected, "{position}: product left, reference right");
        let results = |plays: Vec<PositionPlay>| plays.into_iter().map(|play| play.play).collect::<BTreeSet<_>>();
        let written = found.iter().map(|(play, _)| position.find_play(play.parse().unwrap()).unwrap()).collect();
        assert_eq!(results(written), results(position.plays()), "{position}");
        self.sequences += found.len();
    }

    fn note_features(&mut self, state: &State, plays: &[reference::Play]) {
        let (me, enemy) = (state.turn, state.turn.enemy());
        let Some([high, low]) = state.dice else { unreachable!("compared with dice") };
        let two = high != low;
        self.note("mahbusa", state.mother);
        self.note("tapa", !state.mother);
        self.note("checkers 1..=5", state.checkers <= 5);
        self.note("checkers 6..=14", (6..=14).contains(&state.checkers));
        self.note("white", me == Side::White);
        let longest = plays.iter().map(|play| play.steps.len()).max().unwrap_or(0);
        self.note("pass", longest == 0);
        self.note("double, 1 step", !two && longest == 1);
        self.note("double, 2 steps", !two && longest == 2);
        self.note("double, 3 steps", !two && longest == 3);
        self.note("double, 4 steps", !two && longest == 4);
        if two {
            let all: Vec<Line> = state.lines();
            let ordinary = |dice: &[u8]| all.iter().any(|line| line.points.is_none() && line.dice == dice);
            let ends_by = |die: u8| all.iter().any(|line| line.points.is_some() && line.dice == [die]);
            let alone = |die: u8| ordinary(&[die]);
            let both = all.iter().any(|line| line.dice.len() == 2);
            let full = ordinary(&[high, low]) || ordinary(&[low, high]);
            let early = ends_by(high) || ends_by(low);
            self.note("one die, the higher out of both", !both && !early && alone(high) && alone(low));
            self.note("one die, only the higher", !both && !early && alone(high) && !alone(low));
            self.note("one die, only the lower", !both && !early && !alone(high) && alone(low));
            self.note("a line that loses a die is illegal", both && (alone(high) || alone(low)));
            self.note("an early end is compulsory", early && !full && (alone(high) || alone(low)));
            self.note(
                "an early end by the lower die is compulsory",
                !full && !ends_by(high) && ends_by(low) && alone(high),
            );
            self.note("an early end beside full plays", early && full);
        }
        self.note("a compulsory draw", plays.len() == 1 && plays[0].points == Some(0));
        for play in plays {
            let after = &play.state;
            let mother = after.is_trapped(enemy, 24);
            self.note("play ends in a draw", play.points == Some(0));
            self.note("play wins by the mother", play.points == Some(2) && mother);
            self.note("play wins the mother by leaving the own start", {
                play.points == Some(2) && mother && state.is_trapped(enemy, 24)
            });
            self.note("play wins mars", play.points == Some(2) && !mother);
            self.note("play wins one point", play.points == Some(1));
            self.note("mother pinned, play goes on", mother && play.points.is_none());
            self.note("own start pinned", after.is_trapped(me, 24));
            self.note("bears off", after.off(me) > state.off(me));
            let pins = |state: &State| (1..=24).filter(|&point| state.is_trapped(enemy, point)).count();
            self.note("bears off, holding a pin", after.off(me) > state.off(me) && pins(state) > 0);
            self.note("makes a pin", pins(after) > pins(state));
            self.note("frees a prisoner", pins(after) < pins(state));
        }
        let caught = (1..=24).any(|point| state.is_trapped(me, point));
        let home = (7..=24).all(|point| state.free(me, point) == 0 && !state.is_trapped(me, point));
        self.note("home, but a checker is pinned", home && caught);
        self.note("caught after bearing off began", state.off(me) > 0 && caught);
        self.note("pins on both sides", caught && (1..=24).any(|point| state.is_trapped(enemy, point)));
    }
}

/// How a player chooses, so that the games reach what random play rarely does.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// Any play.
    Random,
    /// Pins, above all on the enemy's start.
    Pinner,
    /// Keeps one checker, its last, on its own start for as long as it can.
    Hermit,
    /// Runs home and bears off.
    Racer,
    /// Leaves lone checkers about, and pins.
    Scatterer,
}

const STYLES: [Style; 5] = [Style::Random, Style::Pinner, Style::Hermit, Style::Racer, Style::Scatterer];

fn choose(style: Style, me: Side, plays: &[reference::Play], rng: &mut Rng) -> usize {
    let enemy = me.enemy();
    let any = rng.below(plays.len());
    if matches!(style, Style::Random) || rng.below(6) == 0 {
        return any;
    }
    let value = |state: &State| -> i64 {
        let pins = (1..=24).filter(|&point| state.is_trapped(enemy, point)).count() as i64;
        let pips: i64 = (1..=24).map(|point| i64::from(point) * i64::from(state.free(me, point))).sum();
        let blots = (1..=24).filter(|&point| state.at(me, point) == lone(me)).count() as i64;
        let mother = i64::from(state.is_trapped(enemy, 24));
        let at_start = i64::from(state.free(me, 24));
        match style {
            Style::Random => 0,
            Style::Pinner => 10 * pins + 200 * mother + 30 * at_start.min(1) - blots,
            Style::Hermit => 5 * pins + 50 * mother + if at_start == 1 { 60 } else { 20 * at_start.min(1) },
            Style::Racer => -pips - 2 * blots,
            Style::Scatterer => 6 * blots + 4 * pins,
        }
    };
    (0..plays.len()).map(|i| (value(&plays[i].state) * 4 + rng.below(4) as i64, i)).max().map_or(any, |(_, best)| best)
}

/// One checker of `side` that pins nothing.
fn lone(side: Side) -> Point {
    Point { owner: Some(side), count: 1, trapped: None }
}

/// Plays a game to its end, comparing every position.
fn play_game(seen: &mut Seen, mother: bool, checkers: u8, styles: [Style; 2], rng: &mut Rng) {
    let mut state = State::start(mother, checkers);
    for _ in 0..GUARD {
        state.dice = Some(rng.dice());
        let plays = seen.compare(&state);
        let chosen = choose(styles[state.turn as usize], state.turn, &plays, rng);
        let play = &plays[chosen];
        if play.points.is_some() {
            return;
        }
        state = play.state.clone();
    }
    panic!("no end after {GUARD} plies: {state}");
}

/// The side in turn has won already, though it has not moved last: `rules.md` does not say what that would mean, and the
/// product refuses to read it.
fn won_by_the_side_in_turn(state: &State) -> bool {
    state.ending(state.turn).is_some_and(|points| points > 0)
}

/// A placement that no game need ever reach: checkers dropped anywhere, trapped where they fall on a lone enemy.
fn random_placement(checkers: u8, highest: usize, rng: &mut Rng) -> State {
    let mut state = State::start(rng.below(2) == 0, checkers);
    state.points = [Point::EMPTY; 25];
    state.score = [[0, 0, 0], [1, 2, 3], [0, 6, 7]][rng.below(3)];
    state.turn = [Side::White, Side::Black][rng.below(2)];
    let crowd = 1 + rng.below(6);
    let off = [rng.below(usize::from(checkers)), rng.below(usize::from(checkers))].map(|n| n as u8 * (crowd % 2) as u8);
    state.off = off;
    let mut left = off.map(|off| checkers - off);
    while left != [0, 0] {
        let side = [Side::White, Side::Black][rng.below(2)];
        if left[side as usize] == 0 {
            continue;
        }
        let range = if rng.below(8) == 0 { 24 } else { highest };
        let there = &mut state.points[side.place(rng.below(range) as u8 + 1)];
        let added = if there.owner.is_none() || there.owner == Some(side) {
            let added = left[side as usize].min(1 + rng.below(crowd) as u8);
            *there = Point { owner: Some(side), count: there.count + added, ..*there };
            added
        } else if there.count == 1 && there.trapped.is_none() {
            *there = Point { owner: Some(side), count: 1, trapped: there.owner };
            1
        } else {
            0
        };
        left[side as usize] -= added;
    }
    state.dice = Some(rng.dice());
    state
}

/// The side in turn, all at home, may pin the enemy's last start checker with the lower die, or bear the same checker
/// off with the higher and perhaps lose the lower: where the dice duty asks for an early end by the lower die.
fn siege(rng: &mut Rng) -> State {
    let checkers = 5 + rng.below(11) as u8;
    let mut state = State::start(true, checkers);
    let me = [Side::White, Side::Black][rng.below(2)];
    let enemy = me.enemy();
    let low = 1 + rng.below(4) as u8;
    state.turn = me;
    state.dice = Some([low + 1, low]);
    state.points = [Point::EMPTY; 25];
    state.points[me.place(1)] = lone(enemy);
    state.points[me.place(1 + low)] = lone(me);
    let mut left = [checkers - 1; 2];
    // More of mine above it, as a rule with the lower die barred.
    for point in low + 2..=6 {
        let (from, to) = (me.place(point), me.place(point - low));
        if state.points[from].owner.is_none() && left[me as usize] > 0 && rng.below(2) == 0 {
            state.points[from] = lone(me);
            left[me as usize] -= 1;
            if state.points[to].owner.is_none() && left[enemy as usize] > 1 && rng.below(4) > 0 {
                state.points[to] = Point { owner: Some(enemy), count: 2, trapped: None };
                left[enemy as usize] -= 2;
            }
        }
    }
    state.off[me as usize] = left[me as usize];
    while left[enemy as usize] > 0 {
        let there = &mut state.points[me.place(2 + rng.below(20) as u8)];
        if there.owner != Some(me) {
            *there = Point { owner: Some(enemy), count: there.count + 1, trapped: None };
            left[enemy as usize] -= 1;
        }
    }
    state
}

#[test]
fn the_product_agrees_with_the_reference() {
    let mut seen = Seen::default();
    let mut rng = Rng(0x6d61_6862_7573_6121);
    for mother in [true, false] {
        for first in STYLES {
            for second in STYLES {
                for _ in 0..(9 / THINNER).max(1) {
                    play_game(&mut seen, mother, 15, [first, second], &mut rng);
                }
                for checkers in 1..=14 {
                    for _ in 0..(if checkers <= 5 { 10 } else { 1 }) / THINNER {
                        play_game(&mut seen, mother, checkers, [first, second], &mut rng);
                    }
                }
            }
        }
    }
    let mut placements = 0;
    while placements < 30_000 / THINNER {
        let highest = [24, 24, 12, 6, 6][rng.below(5)];
        let checkers = rng.below(15) as u8 + 1;
        let state = random_placement(checkers, highest, &mut rng);
        if state.finished().is_none() && !won_by_the_side_in_turn(&state) {
            seen.compare(&state);
            placements += 1;
        }
    }
    for _ in 0..10_000 / THINNER {
        let state = siege(&mut rng);
        assert!(state.finished().is_none() && !won_by_the_side_in_turn(&state));
        seen.compare(&state);
    }
    println!(
        "{} positions, {} plays, {} orders, {} step by step",
        seen.positions, seen.plays, seen.orders, seen.sequences
    );
    for (feature, count) in &seen.features {
        println!("{count:9} {feature}");
    }
    assert!(seen.positions >= 100_000 / THINNER, "{}", seen.positions);
    for (feature, &count) in &seen.features {
        assert!(count >= if THINNER == 1 { 100 } else { 1 }, "only {count} with: {feature}");
    }
}

#[test]
fn a_sequence_that_loses_a_die_is_refused_even_where_a_legal_play_leads_to_the_same_position() {
    // With 5-1 the legal lines are 3/off 1/off, 1/off 3/off and 3/2 2/off; 3/off alone uses one die of two.
    let text = "mahbusa,checkers=2:1a19A1A:0.1:w:51:0.0.0";
    let short = [Step { from: 3, to: 0 }];
    assert!(referee(text).legal_lines().iter().all(|line| line.steps != short));
    assert!(product(text).find_play(wire(&short).parse().unwrap()).is_err());
}

// ---------------------------------------------------------------------------------------------------------------------
// Random games of the product alone

struct Statistics {
    games: f64,
    mothers: f64,
    draws: f64,
    plies: f64,
}

/// Games of uniformly random plays; each position is checked for what must hold whatever the rules say.
fn random_games(rules: Rules, seed: u64) -> Statistics {
    const GAMES: usize = 10_000;
    let mut rng = Rng(seed);
    let mut sums = Statistics { games: GAMES as f64, mothers: 0.0, draws: 0.0, plies: 0.0 };
    let checkers = u32::from(rules.checkers());
    for _ in 0..GAMES {
        let mut position = Position::start(rules);
        let mut plies = 0;
        loop {
            assert!(plies < GUARD, "no end after {plies} plies: {position}");
            plies += 1;
            let [high, low] = rng.dice();
            let rolled = position.with_dice(Roll::new(high, low).unwrap());
            let plays = rolled.plays();
            let chosen = &plays[rng.below(plays.len())];
            assert!(plays.is_sorted_by_key(|p| p.play), "{rolled}");
            assert_eq!(rolled.find_play(chosen.play).as_ref(), Ok(chosen), "{rolled}");
            position = chosen.position;
            let board = position.board;
            assert_eq!((board.my_checkers(), board.flip().my_checkers()), (checkers, checkers), "{position}");
            assert_eq!(board.flip().flip(), board, "{position}");
            for written in [rolled, position] {
                let text = written.to_string();
                assert_eq!(text.parse(), Ok(written));
                assert_eq!(product(&text).to_string(), text);
            }
            if let Some(ending) = chosen.ending {
                assert!(position.plays().is_empty(), "{position}");
                assert_eq!(position.ending(), Some(ending), "{position}");
                sums.mothers += f64::from(u8::from(ending == Ending::Mother));
                sums.draws += f64::from(u8::from(ending == Ending::Draw));
                sums.plies += plies as f64;
                break;
            }
        }
    }
    println!(
        "{rules}: {:.1} % mother, {:.1} % draws, {:.1} plies",
        sums.mothers / sums.games * 100.0,
        sums.draws / sums.games * 100.0,
        sums.plies / sums.games
    );
    sums
}

fn assert_near(what: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 3.0, "{what}: {found}, expected about {expected}");
}

#[test]
fn random_games_of_mahbusa_end_as_they_should() {
    let sums = random_games(Rules::MAHBUSA, 1);
    assert_near("% mother", sums.mothers / sums.games * 100.0, 47.0);
    assert_near("% draws", sums.draws / sums.games * 100.0, 20.0);
    assert_near("plies", sums.plies / sums.games, 70.0);
}

#[test]
fn random_games_of_tapa_end_as_they_should() {
    let sums = random_games(Rules::TAPA, 2);
    assert_eq!(sums.mothers, 0.0);
    assert_near("% draws", sums.draws / sums.games * 100.0, 18.0);
    assert_near("plies", sums.plies / sums.games, 93.0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Counts

#[test]
fn perft_agrees_with_the_reference() {
    let depth = if cfg!(debug_assertions) { 2 } else { 3 };
    for (rules, mother) in [(Rules::MAHBUSA, true), (Rules::TAPA, false)] {
        let of_reference = reference::perft(mother, depth);
        let of_product: Vec<(u64, u64)> = perft(rules).take(depth).map(|p| (p.nodes, p.distinct)).collect();
        println!("{rules}: {of_reference:?}");
        assert_eq!(of_product, of_reference, "{rules}");
        assert_eq!(of_reference[..2], [(59, 49), (3_474, 2_394)], "{rules}");
    }
}

#[test]
fn the_opening_rolls_have_the_known_numbers_of_results() {
    for roll in Roll::ALL {
        let expected = match (roll.high(), roll.low()) {
            (6, 6) => 4,
            (high, low) if high == low => 5,
            _ => 2,
        };
        for (rules, mother) in [(Rules::MAHBUSA, true), (Rules::TAPA, false)] {
            let dice = Some([roll.high(), roll.low()]);
            assert_eq!(State { dice, ..State::start(mother, 15) }.plays().len(), expected, "{rules} {roll}");
            assert_eq!(Position::start(rules).with_dice(roll).plays().len(), expected, "{rules} {roll}");
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Malformed notation

/// One byte of the text replaced, inserted or deleted.
fn mutate(text: &str, rng: &mut Rng) -> String {
    // Mostly what the notation is made of, to come close to what is accepted.
    let alphabet: Vec<u8> = b"0123456789ABNOPabnop~:.,-=wb".to_vec();
    let byte = if rng.below(3) == 0 { rng.below(128) as u8 } else { alphabet[rng.below(alphabet.len())] };
    let mut bytes = text.as_bytes().to_vec();
    match rng.below(3) {
        0 => {
            let at = rng.below(bytes.len());
            bytes[at] = byte;
        }
        1 => bytes.insert(rng.below(bytes.len() + 1), byte),
        _ => {
            bytes.remove(rng.below(bytes.len()));
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The text with the documented aliases of the rules spelled out.
fn without_alias(text: &str) -> String {
    let (rules, rest) = text.split_once(':').unwrap_or((text, ""));
    let mut words: Vec<&str> = rules.split(',').collect();
    let mut mother = words[0] != "tapa";
    words.retain(|&word| match word {
        "mother=on" => {
            mother = true;
            false
        }
        "mother=off" => {
            mother = false;
            false
        }
        _ => true,
    });
    words[0] = if mother { "mahbusa" } else { "tapa" };
    format!("{}:{rest}", words.join(","))
}

/// Positions of all kinds in canonical form, and some with aliases.
fn written_positions(rng: &mut Rng) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for _ in 0..500 {
        let checkers = if rng.below(2) == 0 { 15 } else { rng.below(15) as u8 + 1 };
        let mut state = random_placement(checkers, [24, 6][rng.below(2)], rng);
        if state.finished().is_some() || rng.below(3) == 0 {
            state.dice = None;
        }
        if won_by_the_side_in_turn(&state) {
            continue;
        }
        let text = state.to_string();
        texts.push(match rng.below(4) {
            0 => text.replacen("mahbusa", "plakoto", 1),
            1 => text.replacen(':', if state.mother { ",mother=on:" } else { ",mother=off:" }, 1),
            _ => text,
        });
    }
    texts.extend(FIXTURES.lines().map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        case["position"].as_str().unwrap().to_owned()
    }));
    texts
}

#[test]
fn malformed_positions_are_refused_and_accepted_ones_are_canonical() {
    let mut rng = Rng(3);
    let texts = written_positions(&mut rng);
    for text in &texts {
        assert_eq!(product(text).to_string(), without_alias(text));
        assert_eq!(referee(text).to_string(), without_alias(text));
    }
    let mut accepted = 0;
    let mut panics = Vec::new();
    for _ in 0..200_000 {
        let text = mutate(&texts[rng.below(texts.len())], &mut rng);
        let read = std::panic::catch_unwind(|| text.parse::<Position>());
        let Ok(read) = read else {
            panics.push(text);
            continue;
        };
        if let Ok(position) = &read {
            accepted += 1;
            assert_eq!(position.to_string(), without_alias(&text), "{text:?}");
        }
        if let Err(error) = &read {
            let shown = error.to_string();
            assert!(shown.contains(&format!("field {}", error.field)), "{text:?}: {shown}");
            assert!((1..=text.chars().count() + 1).contains(&error.column), "{text:?}: {shown}");
            assert!(!error.expected.is_empty(), "{text:?}: {shown}");
        }
        let expected = State::read(&text);
        if expected.as_ref().is_ok_and(won_by_the_side_in_turn) {
            assert!(read.is_err(), "{text:?}");
        } else {
            assert_eq!(read.is_ok(), expected.is_ok(), "{text:?}: {read:?}, {expected:?}");
        }
    }
    println!("{accepted} accepted");
    assert!(panics.is_empty(), "panics on {panics:#?}");
    assert!(accepted > 1_000, "{accepted}");
}

#[test]
fn malformed_plays_are_refused_and_accepted_ones_are_canonical() {
    let mut rng = Rng(4);
    let mut texts: Vec<String> =
        ["-", "24/20~ 20/18", "13/10(2)", "6/off(3) 5/off", "24/20~(2)"].map(str::to_owned).to_vec();
    for _ in 0..100 {
        let state = random_placement(15, [24, 6][rng.below(2)], &mut rng);
        texts.extend(state.plays().iter().take(3).map(reference::Play::wire));
    }
    let mut accepted = 0;
    for _ in 0..200_000 {
        let text = mutate(&texts[rng.below(texts.len())], &mut rng);
        let Ok(play) = text.parse::<Play>() else { continue };
        accepted += 1;
        // Marks, counts and the width of the space are display form; all else is written as it was read.
        let mut words: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let (word, count) = word.strip_suffix(')').and_then(|w| w.split_once('(')).unwrap_or((word, "1"));
            let word = word.strip_suffix('~').unwrap_or(word);
            words.extend((0..count.parse::<usize>().unwrap()).map(|_| word.to_owned()));
        }
        assert_eq!(play.to_string(), words.join(" "), "{text:?}");
        assert_eq!(play.to_string().parse(), Ok(play), "{text:?}");
    }
    println!("{accepted} accepted");
    assert!(accepted > 1_000, "{accepted}");
}
