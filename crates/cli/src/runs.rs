use std::io::Write;

use indicatif::DecimalBytes;
use mahbusa_net::container::check_folder;
use mahbusa_train::{Cleaning, Run, RunFolder, State, is_run, runs_in};
use serde_json::json;

use crate::args::{RunsArgs, RunsCleanArgs, RunsListArgs, RunsVerb};
use crate::evaluate::points;
use crate::failure::Failure;
use crate::watch::watch;
use crate::words::counted;

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
    let header = ["run", "rules", "net", "games", "against heuristic, points a game", "state", "size"];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(runs.iter().map(row));
    let widths: Vec<usize> =
        (0..header.len()).map(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0)).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    for Run { path, state, .. } in &runs {
        if let State::Broken { why } = state {
            writeln!(out, "{} is broken: {why}", path.display())?;
        }
    }
    writeln!(out, "{}, {}", counted(runs.len() as u64, "run"), DecimalBytes(bytes))?;
    Ok(())
}

fn row(run: &Run) -> [String; 7] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    [
        run.path.display().to_string(),
        or_dash(run.rules.clone()),
        or_dash(run.net.clone()),
        run.of.map_or_else(|| run.games.to_string(), |of| format!("{}/{of}", run.games)),
        or_dash(run.strength.as_ref().map(points)),
        match run.state {
            State::Running => "running",
            State::Paused => "paused",
            State::Complete => "complete",
            State::Broken { .. } => "broken",
        }
        .to_owned(),
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
