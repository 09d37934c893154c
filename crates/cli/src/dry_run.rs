//! `mahbusa train --dry-run`.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use indicatif::{DecimalBytes, HumanDuration};
use mahbusa_net::NetFile;
use mahbusa_train::{Config, Given, Hashes, Plan, RunFolder, Speed};
use serde_json::json;

use crate::args::TrainArgs;
use crate::failure::Failure;
use crate::model;
use crate::stderr::say;
use crate::words::counted;

/// How long training is tried; measuring takes a third of it more.
const TRIED: Duration = Duration::from_secs(2);

/// Says what a run in this folder would do and take. Nothing is written, but for the bear-off table of the user's cache if it is not there yet.
pub fn dry_run(path: &Path, config: &Config, given: &Given, args: &TrainArgs) -> Result<(), Failure> {
    RunFolder::check_new(path, config, given)?;
    let plan = Plan::of(config, given);
    if !args.pause.progress.quiet {
        say("measuring the speed of this machine for about three seconds");
    }
    let speed = Speed::measure(config, given, &model::endings(), TRIED)?;
    let seconds = plan.seconds(&speed);
    let mut out = std::io::stdout().lock();
    if args.json {
        let json = json!({
            "run_folder": path,
            "config": config,
            "init": given.init.as_ref().map(NetFile::hash),
            "teacher": Hashes::of(&given.teachers),
            "plan": plan,
            "speed": speed,
            "seconds": seconds,
        });
        writeln!(out, "{json}")?;
        return Ok(());
    }
    let Config { rules, seed, evaluation, train, output, .. } = config;
    let weights = match &given.init {
        Some(init) => format!("the weights of a net after {} games", init.games),
        None => "random weights".to_owned(),
    };
    let for_good = if output.keep_every > 0 { " with those kept for good" } else { "" };
    let memory = match speed.memory {
        Some(bytes) => format!("about {}, which this measurement took", DecimalBytes(bytes)),
        None => "not known on this system".to_owned(),
    };
    let [saved, kept] = [plan.checkpoints, plan.checkpoints_kept];
    let [checkpoint, net, disk] = [plan.checkpoint_bytes, plan.net_bytes, plan.disk_bytes].map(DecimalBytes);
    for (what, text) in [
        ("run folder", format!("{}, new", path.display())),
        ("rules", format!("{rules}, seed {seed}")),
        ("net", format!("{}, {} numbers, from {weights}", config.net.shape(), plan.parameters)),
        (
            "learns",
            match given.teachers.as_slice() {
                [] => format!("how its games go on, by TD({})", train.lambda),
                [teacher] => format!("what a net after {} games says of the positions", teacher.games),
                teachers => {
                    let games: Vec<String> = teachers.iter().map(|teacher| teacher.games.to_string()).collect();
                    format!("the mean of what nets after {} games say of the positions", games.join(", "))
                }
            },
        ),
        ("games", format!("{} in {} of {}", plan.games, counted(plan.generations, "generation"), train.generation)),
        (
            "strength",
            format!(
                "measured {} by {} games against heuristic and as many against the best net so far; at the end {} games",
                counted(plan.measurements, "time"),
                evaluation.games,
                evaluation.final_games
            ),
        ),
        ("checkpoints", format!("{saved} saved, at most {kept} left at the end{for_good}, {checkpoint} each")),
        ("nets", format!("{} kept, {net} each", plan.nets_kept)),
        ("disk", format!("at most {disk}")),
        ("memory", memory),
        (
            "time",
            format!(
                "about {}: {:.0} games a second with learning, and {:.0} of measurements, on {}",
                HumanDuration(Duration::from_secs_f64(seconds.min(1e12))),
                speed.games,
                speed.measured_games,
                counted(speed.threads as u64, "thread")
            ),
        ),
    ] {
        writeln!(out, "{what:<12} {text}")?;
    }
    writeln!(out, "This is an estimate, for a machine as busy as it was just now. Nothing was written.")?;
    Ok(())
}
