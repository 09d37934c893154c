//! Progress on standard error: a bar on a terminal, else a line every few seconds.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::stderr::say;

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// How far a long task is, in games.
pub struct Progress {
    bar: ProgressBar,
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
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if terminal && !quiet {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        if let Ok(style) = ProgressStyle::with_template(
            "{prefix:<12} {bar:24} {human_pos}/{human_len} games  {per_sec}{msg}, {eta} left",
        ) {
            bar.set_style(style);
        }
        let now = Instant::now();
        let plain = Plain { printed: now, started: now, first: 0, stage: String::new(), detail: String::new() };
        Progress { bar, plain: (!terminal && !quiet).then(|| Mutex::new(plain)) }
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
                "{}: {games}/{total} games, {speed:.0}/s{}, {} left",
                plain.stage,
                plain.detail,
                indicatif::HumanDuration(Duration::from_secs_f64(left.min(1e9)))
            ));
        }
    }

    /// Prints a line above the bar.
    pub fn line(&self, text: &str) {
        if self.plain.is_some() {
            say(text);
        } else {
            self.bar.println(text);
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
