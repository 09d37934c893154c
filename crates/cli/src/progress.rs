//! Progress on standard error: a bar on a terminal, else a line every few seconds.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

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
    plain: Option<Mutex<Plain>>,
}

/// What is printed where there is no terminal.
struct Plain {
    printed: Instant,
    started: Instant,
    first: u64,
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
            format!("{{prefix}} {{bar:10}} {{human_pos}}/{{human_len}} {unit}, {{speed}}, {{eta}} left{{wide_msg}}")
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.with_key("speed", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                // What cannot be written is not shown.
                let _ = text.write_str(&per_second(state.per_sec()));
            }));
        }
        if terminal && !quiet {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let now = Instant::now();
        let plain = Plain { printed: now, started: now, first: 0, stage: String::new(), detail: String::new() };
        Progress { bars, bar, unit, plain: (!terminal && !quiet).then(|| Mutex::new(plain)) }
    }

    /// Begins to count at `done` games.
    pub fn begin(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
        if let Some(mut plain) = self.plain() {
            plain.first = done;
            plain.started = Instant::now();
        }
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
            let speed = (games.saturating_sub(plain.first)) as f64 / plain.started.elapsed().as_secs_f64();
            let total = self.bar.length().unwrap_or(games);
            let left = total.saturating_sub(games) as f64 / speed.max(1e-9);
            say(&format!(
                "{}: {games}/{total} {}, {}{}, {} left",
                plain.stage,
                self.unit,
                per_second(speed),
                plain.detail,
                indicatif::HumanDuration(Duration::from_secs_f64(left.min(1e9)))
            ));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn plain(&self) -> Option<std::sync::MutexGuard<'_, Plain>> {
        self.plain.as_ref().map(|plain| plain.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// A speed in words; few a second with one decimal.
fn per_second(speed: f64) -> String {
    if speed < 10.0 { format!("{speed:.1}/s") } else { format!("{speed:.0}/s") }
}
