use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mahbusa_arena::{Estimate, Verdict};
use mahbusa_net::instruction_set;
use mahbusa_train::{Control, Ended, Event, Given, LostLines, Observer, RunFolder, chain, final_verdict, net_of_run};

use crate::args::{PauseArgs, ResumeArgs, TrainArgs};
use crate::config;
use crate::dry_run;
use crate::evaluate::{interval, wins};
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::model;
use crate::progress::Progress;
use crate::report;
use crate::stderr::say;
use crate::words::{command, counted};

/// `mahbusa train`.
pub fn train(args: &TrainArgs) -> Result<(), Failure> {
    let config = config::load(&args.config, &args.changes.assignments)?;
    let given = Given {
        init: args.init.as_deref().map(model::load).transpose()?,
        teachers: args.teachers.iter().map(|name| model::load(name)).collect::<Result<_, _>>()?,
    };
    let path = args.run_dir.clone().unwrap_or_else(|| free_run_dir(&args.config));
    if args.dry_run {
        return dry_run::dry_run(&path, &config, &given, args);
    }
    let folder = RunFolder::create(&path, config, given)?;
    run(&folder, &args.pause)
}

/// `mahbusa resume`.
pub fn resume(args: &ResumeArgs) -> Result<(), Failure> {
    let folder = RunFolder::open(&args.run)?;
    if !folder.is_complete() && !folder.has_checkpoints()? {
        say("there is no checkpoint: the run begins again, with the same games");
    }
    run(&folder, &args.pause)
}

/// `runs/<name of the config>`, with a number where that is taken.
fn free_run_dir(config: &str) -> PathBuf {
    let name = Path::new(config).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let named = |suffix: String| Path::new("runs").join(format!("{name}{suffix}"));
    std::iter::once(named(String::new()))
        .chain((2u32..).map(|number| named(format!("-{number}"))))
        .find(|path| !path.exists())
        .unwrap_or_else(|| named(String::new()))
}

fn run(folder: &RunFolder, pause: &PauseArgs) -> Result<(), Failure> {
    let config = folder.config();
    let shown = folder.path().display();
    let interrupted = interrupted("finishing what has begun, and saving");
    let watch = Watch::new(folder, pause.progress.quiet);
    watch.say(&format!(
        "run folder {shown}: {}, {}, {}",
        config.rules,
        config.net.shape(),
        counted(config.train.games, "game")
    ));
    let made_with = &folder.manifest().instruction_set;
    if *made_with != instruction_set() {
        watch.say(&format!(
            "this run began with {made_with} and goes on with {}: the final net will not be the same to the last bit",
            instruction_set()
        ));
    }
    let endings = model::endings();
    let control = Control { interrupted, stop_after: pause.stop_after, endings: &endings };
    let ended = mahbusa_train::train(folder, control, &watch);
    watch.close();
    if !matches!(ended, Ok(Ended::Complete | Ended::WasComplete)) {
        watch.show(false);
    }
    match ended? {
        Ended::Paused { games } => {
            // Nobody is to take it for complete.
            let resume = command("mahbusa resume", folder.path());
            say(&format!("paused after {}; go on with: {resume}", counted(games, "game")));
            return if interrupted.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) };
        }
        Ended::WasComplete => watch.say(&format!("the run {shown} is complete")),
        Ended::Complete => {}
    }
    let best = net_of_run(folder.path())?;
    let verdict = match folder.verdict() {
        Some(verdict) => verdict,
        None => {
            let verdict = final_verdict(config, &best.weights, &endings, &watch);
            watch.close();
            let verdict = verdict.inspect_err(|_| watch.show(false))?;
            folder.write_verdict(&verdict)?;
            verdict
        }
    };
    watch.show(false);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", conclusion(&verdict))?;
    writeln!(out, "best net: {}, after {}", folder.path().join("best.mnet").display(), counted(best.games, "game"))?;
    let play = command("mahbusa play --model", folder.path());
    writeln!(out, "pictures: {}; play it: {play}", folder.path().join("report.html").display())?;
    Ok(())
}

/// What the last measurement allows to be said, in lines of 80 columns at most.
fn conclusion(verdict: &Verdict) -> String {
    let estimate = &verdict.points_per_game;
    let says = if estimate.low > 0.0 {
        "beats heuristic by"
    } else if estimate.high < 0.0 {
        "is beaten by heuristic:"
    } else {
        "cannot be told from heuristic:"
    };
    format!(
        "{says} {:+.3} points a game {}\nwins {} of {} games on dice not used before",
        estimate.mean,
        interval(estimate),
        wins(&verdict.win_rate),
        verdict.games,
    )
}

/// Points a game, and how far the ends of their 95 % interval are away.
pub fn within(estimate: &Estimate) -> String {
    format!("{:+.3} +-{:.3}", estimate.mean, (estimate.high - estimate.low) / 2.0)
}

/// Shows a run as it goes.
struct Watch<'a> {
    run: &'a Path,
    quiet: bool,
    training: Progress,
    measuring: Mutex<Option<Progress>>,
    /// Points a game against the heuristic player, once they have been measured.
    strength: Mutex<Option<String>>,
    /// Whether it has been said that the report cannot be written.
    unshown: AtomicBool,
}

impl<'a> Watch<'a> {
    fn new(folder: &'a RunFolder, quiet: bool) -> Watch<'a> {
        Watch {
            run: folder.path(),
            quiet,
            training: Progress::new(folder.config().train.games, quiet),
            measuring: Mutex::new(None),
            strength: Mutex::new(None),
            unshown: AtomicBool::new(false),
        }
    }

    /// Writes the report of the run, without which it goes on as well; `goes_on` is whether another will follow.
    fn show(&self, goes_on: bool) {
        if let Err(error) = report::refresh(self.run, goes_on)
            && !self.unshown.swap(true, Ordering::Relaxed)
        {
            let why = chain(&error);
            self.say(&format!("the report cannot be written, and the run goes on without: {why}"));
        }
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    fn close(&self) {
        *lock(&self.measuring) = None;
        self.training.finish();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Watch<'_> {
    fn observe(&self, event: Event<'_>) {
        match event {
            Event::Begun { games } => {
                if games > 0 {
                    self.say(&format!("going on after {}", counted(games, "game")));
                }
                self.training.begin(games);
                self.training.stage("training");
            }
            Event::Skipped { error } => say(&format!("passed over: {}", chain(error))),
            Event::LinesLost { lost: LostLines { path, first, lines } } => say(&format!(
                "{}:{first}: the line is damaged; {} from there on that do not come again are dropped",
                path.display(),
                counted(*lines, "line")
            )),
            Event::Learnt { games, loss } => {
                let loss = loss.map(|loss| format!("loss {loss:.4}"));
                self.training.details(lock(&self.strength).iter().cloned().chain(loss).collect());
                self.training.set(games);
            }
            Event::Measuring { opponent, games } => {
                let progress = self.training.part(games, self.quiet);
                progress.stage(&format!("against {opponent}"));
                *lock(&self.measuring) = Some(progress);
            }
            Event::PairPlayed => {
                if let Some(progress) = lock(&self.measuring).as_ref() {
                    progress.advance(2);
                }
            }
            Event::Measured { games, strength, best } => {
                if let Some(progress) = lock(&self.measuring).take() {
                    progress.finish();
                }
                let against_best = strength
                    .best
                    .as_ref()
                    .map_or(String::new(), |verdict| format!(", best {}", within(&verdict.points_per_game)));
                let note = if best { ", new best" } else { "" };
                let against_heuristic = within(&strength.heuristic.points_per_game);
                // Short enough for a terminal of 80 columns.
                self.say(&format!("{games:>7} games: against heuristic {against_heuristic}{against_best}{note}"));
                *lock(&self.strength) = Some(format!("{:+.3} a game", strength.heuristic.points_per_game.mean));
            }
            Event::Noted { metrics } => {
                if metrics.strength.is_some() {
                    self.show(true);
                }
            }
        }
    }
}
