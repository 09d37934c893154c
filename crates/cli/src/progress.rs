//! Progress on standard error: a bar on a terminal, else a line every few seconds.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{
    HumanCount, HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use crate::stderr::{self, say};
use crate::terminal::{USUAL, columns};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Columns of the bar.
const BAR: usize = 10;

/// How far a long task is, in games unless another unit was named.
pub struct Progress {
    /// Bars that are shown one below the other.
    bars: MultiProgress,
    bar: ProgressBar,
    unit: &'static str,
    told: Arc<Mutex<Told>>,
    /// When a line was printed, where there is no terminal.
    printed: Option<Mutex<Instant>>,
}

/// What is being done, how fast, and more about it, what matters most first.
struct Told {
    stage: String,
    pace: Pace,
    details: Vec<String>,
}

/// How fast it has gone since it began here: what was done before, as by a run that is resumed, is not counted.
#[derive(Clone, Copy)]
struct Pace {
    started: Instant,
    first: u64,
}

impl Pace {
    /// From now on, with `first` done before.
    fn from(first: u64) -> Pace {
        Pace { started: Instant::now(), first }
    }

    /// How many a second.
    fn speed(self, done: u64) -> f64 {
        done.saturating_sub(self.first) as f64 / self.started.elapsed().as_secs_f64().max(1e-9)
    }

    /// The time that the rest takes at that speed, if there is any.
    fn left(self, done: u64, total: u64) -> Option<Duration> {
        let seconds = total.saturating_sub(done) as f64 / self.speed(done);
        seconds.is_finite().then(|| Duration::from_secs_f64(seconds.min(1e9)))
    }
}

impl Progress {
    /// For `total` games.
    pub fn new(total: u64, quiet: bool) -> Progress {
        Progress::counting("games", total, quiet)
    }

    /// For `total` of something else.
    pub fn counting(unit: &'static str, total: u64, quiet: bool) -> Progress {
        let shown = !quiet && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        if shown {
            stderr::bars(&bars);
        }
        Progress::within(bars, unit, total, quiet)
    }

    /// For a part of the task that takes `total` of its own.
    pub fn part(&self, total: u64, quiet: bool) -> Progress {
        Progress::within(self.bars.clone(), self.unit, total, quiet)
    }

    fn within(bars: MultiProgress, unit: &'static str, total: u64, quiet: bool) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        let bar = bars.add(ProgressBar::new(total));
        let told = Arc::new(Mutex::new(Told { stage: String::new(), pace: Pace::from(0), details: Vec::new() }));
        if let Ok(style) = ProgressStyle::with_template("{told}") {
            let told = Arc::clone(&told);
            bar.set_style(style.with_key("told", move |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                let columns = columns(&std::io::stderr()).unwrap_or(USUAL.0);
                // What cannot be written is not shown.
                let _ = text.write_str(&fitting(&pieces(state, unit, &lock(&told)), columns));
            }));
        }
        if terminal && !quiet {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bars, bar, unit, told, printed: (!terminal && !quiet).then(|| Mutex::new(Instant::now())) }
    }

    /// Begins to count at `done` games.
    pub fn begin(&self, done: u64) {
        lock(&self.told).pace = Pace::from(done);
        self.bar.set_position(done);
    }

    /// It will be so many in all, as is known by now.
    pub fn total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// Says what is being done.
    pub fn stage(&self, stage: &str) {
        stage.clone_into(&mut lock(&self.told).stage);
    }

    /// Says more about it, what matters most first.
    pub fn details(&self, details: Vec<String>) {
        lock(&self.told).details = details;
    }

    /// More games are done.
    pub fn advance(&self, games: u64) {
        self.set(self.bar.position() + games);
    }

    /// So many games are done.
    pub fn set(&self, games: u64) {
        self.bar.set_position(games);
        if let Some(mut printed) = self.printed.as_ref().map(lock)
            && printed.elapsed() >= LINE_EVERY
        {
            *printed = Instant::now();
            say(&self.line(games));
        }
    }

    /// What is printed where there is no terminal.
    fn line(&self, done: u64) -> String {
        let total = self.bar.length().unwrap_or(done);
        let Told { stage, pace, details } = &*lock(&self.told);
        let details: String = details.iter().map(|detail| format!(", {detail}")).collect();
        let left = pace.left(done, total).map_or(String::new(), |left| format!(", {} left", HumanDuration(left)));
        format!("{stage}: {done}/{total} {}, {}{details}{left}", self.unit, per_second(pace.speed(done)))
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece of a line, and how soon it is left out: the higher, the sooner.
type Piece = (usize, String);

/// What there is to say of a task, in the order in which it is shown.
fn pieces(state: &ProgressState, unit: &str, told: &Told) -> Vec<Piece> {
    let (done, total) = (state.pos(), state.len().unwrap_or(state.pos()));
    let filled = (BAR as f32 * state.fraction().clamp(0.0, 1.0)) as usize;
    let bar = "\u{2588}".repeat(filled) + &"\u{2591}".repeat(BAR - filled);
    let mut pieces = vec![
        (1, told.stage.clone()),
        (5, format!(" {bar}")),
        (0, format!(" {}/{} {unit}", HumanCount(done), HumanCount(total))),
        (3, format!(", {}", per_second(told.pace.speed(done)))),
    ];
    pieces.extend(told.pace.left(done, total).map(|left| (2, format!(", {:#} left", HumanDuration(left)))));
    // The first is worth more than the bar.
    let details = told.details.iter().enumerate();
    pieces.extend(details.map(|(number, detail)| (if number == 0 { 4 } else { 5 + number }, format!(", {detail}"))));
    pieces
}

/// A line of so many columns at most: a piece that does not fit beside those that matter more is left out whole.
fn fitting(pieces: &[Piece], columns: usize) -> String {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&index| pieces[index].0);
    let mut shown = vec![false; pieces.len()];
    let mut taken = 0;
    for index in order {
        let width = pieces[index].1.chars().count();
        shown[index] = taken + width <= columns;
        taken += if shown[index] { width } else { 0 };
    }
    let line: String =
        pieces.iter().zip(shown).filter(|(_, shown)| *shown).map(|((_, text), _)| text.as_str()).collect();
    line.trim_start().to_owned()
}

/// A speed in words; few a second with one decimal.
fn per_second(speed: f64) -> String {
    if speed < 10.0 { format!("{speed:.1}/s") } else { format!("{speed:.0}/s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_into_a_line_is_left_out_whole() {
        let pieces = [
            (1, "training"),
            (5, " ##########"),
            (0, " 50,048/350,000 games"),
            (3, ", 700/s"),
            (2, ", 8m left"),
            (4, ", +0.760 a game"),
            (6, ", loss 0.8489"),
        ]
        .map(|(rank, text)| (rank, text.to_owned()));
        for (columns, line) in [
            (84, "training ########## 50,048/350,000 games, 700/s, 8m left, +0.760 a game, loss 0.8489"),
            (80, "training ########## 50,048/350,000 games, 700/s, 8m left, +0.760 a game"),
            (70, "training 50,048/350,000 games, 700/s, 8m left, +0.760 a game"),
            (50, "training 50,048/350,000 games, 700/s, 8m left"),
            (40, "training 50,048/350,000 games, 8m left"),
            (30, "training 50,048/350,000 games"),
            (22, "50,048/350,000 games"),
            (5, ""),
        ] {
            assert_eq!(fitting(&pieces, columns), line);
        }
    }

    #[test]
    fn what_was_done_before_is_not_counted_as_fast() {
        let second_ago = Instant::now() - Duration::from_secs(1);
        let pace = Pace { started: second_ago, first: 330_000 };
        assert_eq!(pace.left(330_000, 340_000), None);
        assert!((400.0..=500.0).contains(&pace.speed(330_500)), "{}", pace.speed(330_500));
        let left = pace.left(330_500, 340_000).unwrap().as_secs_f64();
        assert!((19.0..24.0).contains(&left), "{left}");
        assert_eq!(pace.left(340_000, 340_000), Some(Duration::ZERO));
    }
}
