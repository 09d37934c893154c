//! Progress on standard error: a bar on a terminal, else a line every few seconds.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::stderr::{self, say};
use crate::terminal::columns;

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Columns that the whole bar needs, without what stands behind it; on narrower terminals it has the numbers alone.
const WIDE: usize = 76;

/// How far a long task is, in games unless another unit was named.
pub struct Progress {
    /// Bars that are shown one below the other.
    bars: MultiProgress,
    bar: ProgressBar,
    unit: &'static str,
    pace: Arc<Mutex<Pace>>,
    plain: Option<Mutex<Plain>>,
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

/// What is printed where there is no terminal.
struct Plain {
    printed: Instant,
    stage: String,
    detail: String,
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
        // What does not fit into the width of the terminal is left out of the end: a line that wraps is not taken away whole.
        let template = if columns(&std::io::stderr()).is_some_and(|columns| columns < WIDE) {
            "{prefix} {human_pos}/{human_len}{wide_msg}".to_owned()
        } else {
            format!("{{prefix}} {{bar:10}} {{human_pos}}/{{human_len}} {unit}, {{pace}}{{wide_msg}}")
        };
        let pace = Arc::new(Mutex::new(Pace::from(0)));
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let pace = Arc::clone(&pace);
            bar.set_style(style.with_key("pace", move |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                let (pace, done) = (*lock(&pace), state.pos());
                let left = pace.left(done, state.len().unwrap_or(done));
                let left = left.map_or(String::new(), |left| format!(", {:#} left", HumanDuration(left)));
                // What cannot be written is not shown.
                let _ = write!(text, "{}{left}", per_second(pace.speed(done)));
            }));
        }
        if terminal && !quiet {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let plain = Plain { printed: Instant::now(), stage: String::new(), detail: String::new() };
        Progress { bars, bar, unit, pace, plain: (!terminal && !quiet).then(|| Mutex::new(plain)) }
    }

    /// Begins to count at `done` games.
    pub fn begin(&self, done: u64) {
        *lock(&self.pace) = Pace::from(done);
        self.bar.set_position(done);
    }

    /// It will be so many in all, as is known by now.
    pub fn total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// Says what is being done.
    pub fn stage(&self, stage: &str) {
        self.bar.set_prefix(stage.to_owned());
        if let Some(mut plain) = self.plain() {
            plain.stage = stage.to_owned();
        }
    }

    /// Says more about it.
    pub fn detail(&self, detail: String) {
        if let Some(mut plain) = self.plain() {
            plain.detail.clone_from(&detail);
        }
        self.bar.set_message(detail);
    }

    /// More games are done.
    pub fn advance(&self, games: u64) {
        self.set(self.bar.position() + games);
    }

    /// So many games are done.
    pub fn set(&self, games: u64) {
        self.bar.set_position(games);
        if let Some(mut plain) = self.plain()
            && plain.printed.elapsed() >= LINE_EVERY
        {
            plain.printed = Instant::now();
            let pace = *lock(&self.pace);
            let total = self.bar.length().unwrap_or(games);
            let left = pace.left(games, total).map_or(String::new(), |left| format!(", {} left", HumanDuration(left)));
            let speed = per_second(pace.speed(games));
            say(&format!("{}: {games}/{total} {}, {speed}{}{left}", plain.stage, self.unit, plain.detail));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn plain(&self) -> Option<MutexGuard<'_, Plain>> {
        self.plain.as_ref().map(lock)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A speed in words; few a second with one decimal.
fn per_second(speed: f64) -> String {
    if speed < 10.0 { format!("{speed:.1}/s") } else { format!("{speed:.0}/s") }
}

#[cfg(test)]
mod tests {
    use super::*;

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
