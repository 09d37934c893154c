//! Rollouts against plain games, which take no luck out and spread no dice.

#![allow(clippy::print_stderr, clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use mahbusa_arena::{Budget, RolledOut, Rollout};
use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{NetFile, Shape, Weights};
use mahbusa_players::{Aim, NetPlayer, Ply, Search, Workspace};
use mahbusa_rules::{Afterstates, Board, Position, Roll, Rules, generate};
use rand::RngExt;

/// A small trained net.
fn trained() -> Search {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/mahbusa-1-small/net.mnet");
    NetPlayer::new(&NetFile::read(&path).unwrap().weights).into()
}

fn untrained() -> Search {
    NetPlayer::new(&Weights::random(Shape::of(16), 3)).into()
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

/// The boards after all plays, seen by the side that played.
fn afterstates(position: &Position) -> Vec<Board> {
    position.plays().iter().map(|play| play.position.board.flip()).collect()
}

/// Truncated after so many plies; 0 plays to the end.
fn rollout(rules: Rules, player: &Search, truncate: u32) -> Rollout<'_> {
    Rollout { rules, player, seed: 5, truncate: NonZeroU32::new(truncate) }
}

fn trials(trials: u64) -> Budget {
    Budget { trials, max_error: None }
}

static NEVER: AtomicBool = AtomicBool::new(false);

fn roll_out(rollout: Rollout<'_>, board: &Board, budget: Budget) -> RolledOut {
    rollout.position(board, budget, &NEVER, || {})
}

/// The mean of plain games and the standard deviation of one game.
fn plain(rules: Rules, player: &Search, start: &Board, games: u64) -> (f64, f64) {
    let mut workspace = Workspace::default();
    let mut replies = Afterstates::default();
    let mut play = |game: u64| -> f64 {
        let mut dice = generator(Purpose::Dice, 77, game);
        let mut board = *start;
        let mut sign = 1.0;
        loop {
            replies.boards.clear();
            generate(rules, &board, Roll::from_uniform(dice.random_range(0..36)), &mut replies);
            if !replies.boards.is_empty() {
                board = replies.boards[player.net().best(rules, &board, &replies.boards, &mut workspace).index];
                if let Some(ending) = board.ending(rules) {
                    return sign * f64::from(ending.points());
                }
            }
            board = board.flip();
            sign = -sign;
        }
    };
    let results: Vec<f64> = (0..games).map(&mut play).collect();
    let mean = results.iter().sum::<f64>() / games as f64;
    let variance = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / (games - 1) as f64;
    (mean, variance.sqrt())
}

#[test]
fn the_mean_is_that_of_plain_games() {
    let cases = [
        (trained(), "mahbusa:m17O4b:0.0:w:-:0.0.0", 2000, 216),
        (trained(), "mahbusa:2bd~b1A2aDcA~2AAA1AB~A~A1:0.0:w:-:0.0.0", 2000, 216),
        // What the net believes is wrong, and it does not matter.
        (untrained(), "mahbusa,checkers=3:C22c:0.0:w:-:0.0.0", 20_000, 1296),
        (untrained(), "tapa,checkers=2:A5a3A12a:0.0:b:-:0.0.0", 20_000, 1296),
    ];
    for (player, text, games, budget) in cases {
        let Position { rules, board, .. } = position(text);
        let (mean, deviation) = plain(rules, &player, &board, games);
        let error = deviation / (games as f64).sqrt();
        let rolled = roll_out(rollout(rules, &player, 0), &board, trials(budget));
        let (equity, its_error) = (rolled.equity(), rolled.error());
        let compared = format!("{text}: plain {mean:+.4} +-{error:.4}, rolled out {equity:+.4} +-{its_error:.4}");
        eprintln!("{compared}");
        assert!((equity - mean).abs() < 3.0 * its_error.hypot(error), "{compared}");
        assert!((rolled.outcomes().iter().sum::<f64>() - 1.0).abs() < 1e-5, "{text}: {:?}", rolled.outcomes());
    }
}

#[test]
fn taking_luck_out_leaves_a_small_part_of_the_noise() {
    let player = trained();
    for text in ["mahbusa:O22o:0.0:w:-:0.0.0", "mahbusa:m17O4b:0.0:w:-:0.0.0"] {
        let position = position(text);
        let (_, deviation) = plain(position.rules, &player, &position.board, 400);
        let rolled = roll_out(rollout(position.rules, &player, 0), &position.board, trials(144));
        let left = rolled.error() * (rolled.trials() as f64).sqrt() / deviation;
        eprintln!("{text}: {left:.2} of a standard deviation of {deviation:.2}");
        assert!(left < 0.6, "{text}: {left} of {deviation}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let player = trained();
    let position = position("mahbusa:O22o:0.0:w:64:0.0.0");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let budget = Budget { trials: 1000, max_error: Some(0.02) };
        let rollout = rollout(position.rules, &player, 4);
        pool.install(|| rollout.plays(&afterstates(&position), budget, &NEVER, || {}))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn it_stops_when_the_differences_are_precise_enough() {
    let player = trained();
    let position = position("mahbusa:O22o:0.0:w:64:0.0.0");
    let measure = |max_error, most| {
        let budget = Budget { trials: most, max_error: Some(max_error) };
        let all = rollout(position.rules, &player, 5).plays(&afterstates(&position), budget, &NEVER, || {});
        (all[0].trials(), all[0].error_of_difference(&all[1]))
    };
    let (made, error) = measure(0.005, 100_000);
    assert!(error <= 0.005 && made > 144 && made < 5000 && made % 72 == 0, "{made} trials, {error}");
    assert_eq!(measure(1.0, 100_000).0, 144);
    assert_eq!(measure(1e-6, 100).0, 144);
}

#[test]
fn trials_note_on_their_way_what_a_cut_would_have_shown() {
    let player = trained();
    let position = position("mahbusa:O22o:0.0:w:64:0.0.0");
    let boards = afterstates(&position);
    let cuts = [3, 8].map(|plies| NonZeroU32::new(plies).unwrap());
    let all = rollout(position.rules, &player, 12).each_play(&boards, &cuts, trials(144), &NEVER, || {});
    let cut_after = |plies| rollout(position.rules, &player, plies).plays(&boards, trials(144), &NEVER, || {});
    let (short, middle, long) = (cut_after(3), cut_after(8), cut_after(12));
    for (one, play) in all.iter().zip(0..) {
        assert_eq!((&one.whole, &one.cuts), (&long[play], &vec![short[play].clone(), middle[play].clone()]));
    }

    // A game of a few plies is over before some cuts, and then they cut nothing.
    let end = self::position("mahbusa:a22A:14.14:w:31:0.0.0");
    let cuts = [NonZeroU32::MIN, NonZeroU32::MAX];
    for one in rollout(end.rules, &player, 0).each_play(&afterstates(&end), &cuts, trials(72), &NEVER, || {}) {
        assert_eq!(one.cuts, [one.whole.clone(), one.whole]);
    }
}

#[test]
fn each_play_is_measured_to_the_error_that_was_asked_for() {
    let player = trained();
    let position = position("mahbusa:O22o:0.0:w:64:0.0.0");
    let budget = Budget { trials: 100_000, max_error: Some(0.004) };
    let all = rollout(position.rules, &player, 5).each_play(&afterstates(&position), &[], budget, &NEVER, || {});
    let largest = all.iter().map(|one| one.whole.error()).fold(0.0, f64::max);
    assert!((0.0035..=0.004).contains(&largest), "{largest}");
    assert!(all.iter().all(|one| one.whole.trials() == all[0].whole.trials() && one.cuts.is_empty()));
}

#[test]
fn after_one_ply_it_is_the_look_ahead_whatever_the_dice() {
    let player = trained();
    let position = position("mahbusa:O22o:0.0:w:31:0.0.0");
    let rollout = rollout(position.rules, &player, 1);
    let rolled = rollout.plays(&afterstates(&position), trials(72), &NEVER, || {});
    for (rolled, glance) in rolled.iter().zip(rollout.look_ahead(&afterstates(&position))) {
        assert!((rolled.equity() - glance).abs() < 1e-6 && rolled.error() < 1e-6, "{rolled:?} {glance}");
    }
}

#[test]
fn after_one_ply_of_a_deeper_player_it_is_what_that_player_sees() {
    let deeper = Search::new(NetPlayer::new(&Weights::random(Shape::of(16), 3)), Ply::Two);
    let position = position("mahbusa:MAA16a1a1m:0.0:w:31:0.0.0");
    let rolled = roll_out(rollout(position.rules, &deeper, 1), &position.board, trials(36 * 36));
    // All 36 throws fall equally often: the mean over them of what the best reply is worth, two plies deep.
    let mut workspace = Workspace::default();
    let mut mean = 0.0;
    for roll in Roll::ALL {
        let mut replies = Afterstates::default();
        generate(position.rules, &position.board, roll, &mut replies);
        let best = deeper.best(position.rules, &position.board, &replies.boards, Aim::Points, &mut workspace);
        mean += f64::from(roll.weight()) * f64::from(best.outcomes.equity()) / 36.0;
    }
    assert!((rolled.equity() - mean).abs() < 1e-6, "{} {mean}", rolled.equity());
}

#[test]
fn what_is_certain_has_no_error() {
    let player = untrained();
    // One of the plays pins Black's mother and ends the game.
    let position = position("mahbusa:n15MB5a:0.0:w:61:0.0.0");
    let ended = position.plays().iter().position(|play| play.ending.is_some()).unwrap();
    let rolled = rollout(position.rules, &player, 0).plays(&afterstates(&position), trials(72), &NEVER, || {});
    assert_eq!((rolled[ended].equity(), rolled[ended].error()), (2.0, 0.0));
    assert_eq!(rolled[ended].outcomes(), [0.0, 0.0, 0.0, 0.0, 1.0]);

    // One checker each left, on its 1-point: whoever rolls wins.
    let last: Position = "mahbusa:a22A:14.14:w:-:0.0.0".parse().unwrap();
    let rolled = roll_out(rollout(last.rules, &player, 0), &last.board, trials(72));
    assert_eq!((rolled.equity(), rolled.error()), (1.0, 0.0));
}

#[test]
fn turns_that_must_be_passed_are_passed() {
    let player = untrained();
    let stuck = position("mahbusa:4k6A1b2b6N:0.0:w:-:0.0.0");
    let rolled = roll_out(rollout(stuck.rules, &player, 0), &stuck.board, trials(72));
    assert!(rolled.equity().is_finite() && rolled.trials() == 72);
}

#[test]
fn halves_are_halves_and_an_interruption_ends_with_the_round() {
    let player = untrained();
    let start = Board::start(Rules::TAPA);
    let rolled = roll_out(rollout(Rules::TAPA, &player, 6), &start, trials(360));
    let [even, odd] = rolled.halves();
    assert!(((even + odd) / 2.0 - rolled.equity()).abs() < 1e-12 && even != odd);
    let interrupted = AtomicBool::new(true);
    let rolled = rollout(Rules::TAPA, &player, 6).position(&start, trials(100_000), &interrupted, || {});
    assert_eq!(rolled.trials(), 72);
}
