//! `mahbusa report`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mahbusa_report::{Report, ReportError, Size, check_replaceable, png, svg, write, write_events};

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::place;

/// The page in a run folder.
const PAGE: &str = "report.html";

/// Time after which a browser loads the page of a run anew that goes on.
const REFRESH: Duration = Duration::from_secs(30);

/// `mahbusa report`.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let page = page(args);
    let files = [("--out", page.as_deref()), ("--svg", args.svg.as_deref()), ("--png", args.png.as_deref())];
    place::check_apart(&files)?;
    let asked = args.out.iter().chain(&args.svg).chain(&args.png);
    asked.clone().try_for_each(|file| place::check_open(file))?;
    if !args.force {
        asked.chain(&page).try_for_each(|file| check_replaceable(file))?;
    }
    let report = Report::of(&args.runs)?;
    let mut written = Vec::new();
    let mut keep = |file: &Path, bytes: &[u8]| {
        write(file, bytes)?;
        written.push(file.to_owned());
        Ok::<_, Failure>(())
    };
    if let Some(file) = &page {
        keep(file, report.page(None).as_bytes())?;
    }
    let picture = || report.chart(args.chart).draw(Size::PICTURE).scene;
    if let Some(file) = &args.svg {
        keep(file, svg::file(&picture()).as_bytes())?;
    }
    if let Some(file) = &args.png {
        keep(file, &png::file(&picture()))?;
    }
    if let Some(folder) = &args.tensorboard {
        written.extend(write_events(&report, folder, args.force)?);
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let mut answer = report.json();
        answer["files"] = serde_json::json!(written);
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    for file in &written {
        writeln!(out, "{}", file.display())?;
    }
    Ok(())
}

/// Where the page goes, if there is to be one.
fn page(args: &ReportArgs) -> Option<PathBuf> {
    let others = args.json || args.svg.is_some() || args.png.is_some() || args.tensorboard.is_some();
    args.out.clone().or_else(|| match args.runs.as_slice() {
        _ if others => None,
        [run] => Some(run.join(PAGE)),
        _ => Some(PAGE.into()),
    })
}

/// Writes the page of a run into its folder; browsers load it anew from time to time until the run is complete.
pub fn refresh(run: &Path) -> Result<(), ReportError> {
    let report = Report::of(&[run.to_owned()])?;
    let complete = report.runs.iter().all(|run| run.complete);
    write(&run.join(PAGE), report.page((!complete).then_some(REFRESH)).as_bytes())
}
