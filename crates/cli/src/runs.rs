use std::io::Write;

use indicatif::DecimalBytes;
use mahbusa_net::files::check_folder;
use mahbusa_train::{Cleaning, Run, RunFolder, State, is_run, runs_in};
use serde_json::json;

use crate::args::{RunsArgs, RunsCleanArgs, RunsListArgs, RunsVerb};
use crate::failure::Failure;
use crate::terminal::columns;
use crate::train::within;
use crate::watch::watch;
use crate::words::{counted, table, wrapped};

/// `mahbusa runs`.
pub fn runs(args: &RunsArgs) -> Result<(), Failure> {
    match &args.verb {
        RunsVerb::List(args) => list(args),
        RunsVerb::Watch(args) => watch(args),
        RunsVerb::Clean(args) => clean(args),
    }
}

fn list(args: &RunsListArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    check_folder(folder)
        .map_err(|error| Failure::of_place(error).about(format!("{} holds no run folders", folder.display())))?;
    let runs = if is_run(folder) { vec![Run::at(folder)] } else { runs_in(folder)? };
    let bytes: u64 = runs.iter().map(|run| run.bytes).sum();
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        writeln!(out, "{}", json!({"runs": runs, "bytes": bytes}))?;
        return Ok(());
    }
    // What matters least comes last, where a narrow terminal has no room.
    let header = ["run", "state", "games", "heuristic", "rules", "net", "size"];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(runs.iter().map(row));
    let columns = columns(&std::io::stdout());
    for line in table(&rows, columns) {
        writeln!(out, "{line}")?;
    }
    let mut say = |text: &str| writeln!(out, "{}", wrapped(text, columns));
    for Run { path, state, .. } in &runs {
        if let State::Broken { why } = state {
            say(&format!("{} is broken: {why}", path.display()))?;
        }
    }
    say(&format!("{}, {}", counted(runs.len() as u64, "run"), DecimalBytes(bytes)))?;
    if runs.iter().any(|run| run.strength.is_some()) {
        say("heuristic: points a game of the best net against it, +- their 95 % interval")?;
    }
    Ok(())
}

fn row(run: &Run) -> [String; 7] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    [
        run.path.display().to_string(),
        match run.state {
            State::Running => "running",
            State::Paused => "paused",
            State::Stopped => "stopped",
            State::Complete => "complete",
            State::Broken { .. } => "broken",
        }
        .to_owned(),
        run.of.map_or_else(|| run.games.to_string(), |of| format!("{}/{of}", run.games)),
        or_dash(run.strength.as_ref().map(within)),
        or_dash(run.rules.clone()),
        or_dash(run.layers.clone()),
        DecimalBytes(run.bytes).to_string(),
    ]
}

fn clean(args: &RunsCleanArgs) -> Result<(), Failure> {
    let folders: Vec<RunFolder> = args.runs.iter().map(|run| RunFolder::open(run)).collect::<Result<_, _>>()?;
    // One that cannot be cleaned leaves the others as they are.
    let cleanings: Vec<Cleaning<'_>> = folders.iter().map(Cleaning::of).collect::<Result<_, _>>()?;
    let mut out = std::io::stdout().lock();
    for (run, cleaning) in args.runs.iter().zip(cleanings) {
        let would = if args.yes { "removed" } else { "would remove" };
        let text = format!(
            "{}: {would} {}, {}",
            run.display(),
            counted(cleaning.checkpoints.len() as u64, "checkpoint"),
            DecimalBytes(cleaning.bytes)
        );
        let rescued = match cleaning.rescued.len() {
            0 => String::new(),
            1 => "; 1 net that was only in them goes to nets/".to_owned(),
            nets => format!("; {nets} nets that were only in them go to nets/"),
        };
        if args.yes {
            cleaning.carry_out()?;
        }
        writeln!(out, "{text}{rescued}")?;
    }
    if !args.yes {
        writeln!(out, "nothing was removed; --yes does it")?;
    }
    Ok(())
}
