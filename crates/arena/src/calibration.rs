//! How strong a level is made: [`designs`] says what it is made of, [`NoiseSearch`] finds the noise at which it loses as often to the level above as it
//! should, by what each [`Probe`] shows.

use std::ops::{ControlFlow, RangeInclusive};

use mahbusa_players::{Level, LevelNumber, NetSize, Ply};

use crate::{Estimate, LOOK_EVERY, Mean, Pair};

/// The share of games that a level is to win against the one below.
pub const STEP: RangeInclusive<f64> = 0.65..=0.70;

/// The middle of it, which is aimed at.
const AIM: f64 = 0.675;

/// How near to it is near enough, before the games that measure it.
const NEAR: f64 = 0.01;

/// How finely noise is looked for: parts of a point, its decimals in the file.
const PARTS: f64 = 10_000.0;

/// More noise than so many times the cap changes little: all plays that the cap allows are then about equally likely.
const MOST_BY_CAP: f64 = 2.0;

/// What the levels are made of, from the weakest on: all but their noise, which is a first guess here.
///
/// The caps leave room: with them the noise that makes a step of [`STEP`] is less than half the cap (see `docs/levels.md`).
pub fn designs() -> [Level; LevelNumber::ALL.len()] {
    let parts = [
        ("beginner", NetSize::Small, Ply::One, 0.35, 0.8),
        ("casual", NetSize::Small, Ply::One, 0.25, 0.6),
        ("intermediate", NetSize::Small, Ply::One, 0.15, 0.4),
        ("advanced", NetSize::Full, Ply::One, 0.1, 0.3),
        ("expert", NetSize::Full, Ply::One, 0.05, 0.2),
        ("full", NetSize::Full, Ply::Two, 0.0, 0.0),
    ];
    LevelNumber::ALL.map(|number| {
        let (name, net, ply, noise, cap) = parts[number.index()];
        Level { number, name: name.to_owned(), net, ply, noise, cap }
    })
}

/// Games of a level against another, until it is clear that it wins more often or less often than a level should, or there are as many as were
/// asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probe(Mean);

impl Probe {
    /// Adds pairs in order until it is clear; those after it are left out.
    pub fn extend(&mut self, pairs: &[Pair]) -> ControlFlow<()> {
        for pair in pairs {
            self.0.add(pair.half_wins());
            let Estimate { mean, low, high } = self.win_rate();
            // Four standard errors, since it is looked at again and again.
            if self.0.count().is_multiple_of(LOOK_EVERY) && (mean - AIM).abs() > high - low {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Pairs that it has taken.
    pub fn pairs(&self) -> u64 {
        self.0.count()
    }

    /// The share of games won, a draw counting half.
    pub fn win_rate(&self) -> Estimate {
        // A pair adds up half wins, four at most.
        self.0.estimate(4.0, 0.0..=1.0)
    }
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Games at this noise.
    Try(f64),
    /// This noise makes the step that is aimed at.
    Found(f64),
    /// No noise does; this one comes nearest.
    OutOfReach(f64),
}

/// Looks for the noise at which a level loses as often as it should to the level above, by games at one noise after the other.
///
/// From a first guess on noise is doubled or halved until the aim lies between two of them; then the next one is where a straight line through both
/// meets it, in the logarithm of the odds.
#[derive(Clone, Debug)]
pub struct NoiseSearch {
    guess: f64,
    most: f64,
    /// The most noise with which the level above still wins too seldom.
    little: Option<Point>,
    /// The least noise with which it wins too often.
    much: Option<Point>,
    found: Option<f64>,
}

/// How the level above does against some noise.
#[derive(Clone, Copy, Debug)]
struct Point {
    noise: f64,
    /// The logarithm of the odds that it wins, less that of the aim.
    beyond: f64,
}

impl NoiseSearch {
    /// A search for the noise of this level, from the noise that it has.
    pub fn new(level: &Level) -> NoiseSearch {
        let most = rounded(level.cap * MOST_BY_CAP);
        NoiseSearch { guess: level.noise, most, little: None, much: None, found: None }
    }

    /// What is to be done next.
    pub fn next(&self) -> Next {
        if let Some(noise) = self.found {
            return Next::Found(noise);
        }
        match (self.little, self.much) {
            (None, None) => Next::Try(rounded(self.guess.min(self.most))),
            (Some(little), None) if little.noise >= self.most => Next::OutOfReach(little.noise),
            (Some(little), None) => Next::Try((2.0 * little.noise).clamp(1.0 / PARTS, self.most)),
            (None, Some(much)) if much.noise == 0.0 => Next::OutOfReach(0.0),
            (None, Some(much)) => Next::Try(if much.noise > 20.0 / PARTS { rounded(much.noise / 2.0) } else { 0.0 }),
            (Some(little), Some(much)) => between(little, much),
        }
    }

    /// Takes how often the level above won at some noise.
    pub fn add(&mut self, noise: f64, win_rate: f64) {
        if (win_rate - AIM).abs() <= NEAR {
            self.found = Some(noise);
        } else {
            self.exclude(noise, win_rate);
        }
    }

    /// The same for a noise that was found, and did not stand the test.
    pub fn exclude(&mut self, noise: f64, win_rate: f64) {
        self.found = None;
        let odds = |rate: f64| (rate / (1.0 - rate)).ln();
        let point = Point { noise, beyond: odds(win_rate.clamp(0.01, 0.99)) - odds(AIM) };
        // What was seen last is believed: by chance, less noise can seem too much.
        if point.beyond < 0.0 {
            self.little = Some(point);
            self.much = self.much.filter(|much| much.noise > noise);
        } else {
            self.much = Some(point);
            self.little = self.little.filter(|little| little.noise < noise);
        }
    }
}

/// What is to be done when it lies between these two.
fn between(little: Point, much: Point) -> Next {
    // Not so near to either end that nothing is learnt.
    let share = (-little.beyond / (much.beyond - little.beyond)).clamp(0.1, 0.9);
    let noise = rounded(little.noise + share * (much.noise - little.noise));
    let narrow = much.noise - little.noise <= 0.02 * much.noise;
    if narrow || noise <= little.noise || noise >= much.noise {
        let nearer = if much.beyond < -little.beyond { much } else { little };
        return Next::Found(nearer.noise);
    }
    Next::Try(noise)
}

fn rounded(noise: f64) -> f64 {
    (noise * PARTS).round() / PARTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Finish;

    fn level(noise: f64, cap: f64) -> Level {
        let [level, ..] = designs();
        Level { noise, cap, ..level }
    }

    /// Searches where `odds` are the logarithm of the odds; what came out, and after how many tries.
    fn search(level: &Level, odds: impl Fn(f64) -> f64) -> (Next, usize) {
        let mut search = NoiseSearch::new(level);
        for tries in 0..100 {
            match search.next() {
                Next::Try(noise) => search.add(noise, 1.0 / (1.0 + (-odds(noise)).exp())),
                end => return (end, tries),
            }
        }
        panic!("no end: {search:?}");
    }

    #[test]
    fn the_noise_is_found_from_any_guess_in_few_tries() {
        for guess in [0.0003, 0.01, 0.05, 0.4] {
            for (scale, power) in [(4.0, 1.0), (30.0, 1.5), (100.0, 2.0), (2.5, 0.8)] {
                let odds = |noise: f64| 0.15 + scale * noise.powf(power);
                let (next, tries) = search(&level(guess, 0.4), odds);
                let Next::Found(noise) = next else { panic!("{next:?}") };
                let rate = 1.0 / (1.0 + (-odds(noise)).exp());
                assert!((rate - AIM).abs() <= NEAR && tries <= 14, "{guess} {scale}: {rate} after {tries}");
                assert_eq!(noise, rounded(noise));
            }
        }
    }

    #[test]
    fn what_cannot_be_reached_is_said() {
        assert_eq!(search(&level(0.05, 0.2), |noise| noise).0, Next::OutOfReach(0.4));
        assert_eq!(search(&level(0.05, 0.2), |noise| 1.0 + noise).0, Next::OutOfReach(0.0));
        for cap in [0.0, 0.000_01] {
            assert_eq!(search(&level(0.0, cap), |_| 0.0).0, Next::OutOfReach(0.0));
        }
    }

    #[test]
    fn a_jump_ends_at_the_side_that_is_nearer() {
        let (next, _) = search(&level(0.05, 0.2), |noise| if noise < 0.1234 { 0.5 } else { 0.8 });
        let Next::Found(noise) = next else { panic!("{next:?}") };
        assert!((0.1234..0.127).contains(&noise), "{noise}");
    }

    #[test]
    fn what_did_not_stand_the_test_is_not_found_again() {
        let mut search = NoiseSearch::new(&level(0.05, 0.2));
        search.add(0.05, 0.68);
        assert_eq!(search.next(), Next::Found(0.05));
        search.exclude(0.05, 0.71);
        assert_eq!(search.next(), Next::Try(0.025));
        search.exclude(0.025, 0.64);
        let Next::Try(noise) = search.next() else { panic!("{search:?}") };
        assert!(0.025 < noise && noise < 0.05);
    }

    #[test]
    fn a_probe_ends_when_it_is_clear_and_not_before() {
        let won = Pair { games: [Finish::WinSingle, Finish::WinSingle], plies: 1 };
        let even = Pair { games: [Finish::WinSingle, Finish::LoseSingle], plies: 1 };
        let mut clear = Probe::default();
        assert!(clear.extend(&[won; 1000]).is_break());
        assert_eq!((clear.pairs(), clear.win_rate().mean), (LOOK_EVERY, 1.0));
        // Two wins in three.
        let pairs: Vec<Pair> = (0..900).map(|i| if i % 3 == 0 { won } else { even }).collect();
        let mut close = Probe::default();
        assert!(close.extend(&pairs).is_continue());
        assert_eq!(close.pairs(), 900);
    }
}
