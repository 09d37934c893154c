//! `mahbusa report`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use mahbusa_report::{Refresh, Report, ReportError, Size, check_replaceable, png, svg, write, write_events};

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::place;

/// The page in a run folder.
const PAGE: &str = "report.html";

/// Time after which a browser loads the page of a run anew that goes on.
const EVERY: Duration = Duration::from_secs(30);

/// Time without a new page, beyond three times that between measurements, after which a browser no longer does.
const PATIENCE: Duration = Duration::from_mins(10);

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

/// Writes the page of a run into its folder, by the process that works on it. While that goes on, browsers load it anew from time to time.
pub fn refresh(run: &Path, goes_on: bool) -> Result<(), ReportError> {
    let mut report = Report::of(&[run.to_owned()])?;
    report.runs.iter_mut().for_each(|run| run.running = goes_on);
    let pace = report.runs.iter().filter_map(mahbusa_report::Run::seconds_between_measurements).fold(0.0, f64::max);
    // No run lasts a hundred years.
    let until = SystemTime::now() + PATIENCE + Duration::from_secs_f64(3.0 * pace.min(1e9));
    write(&run.join(PAGE), report.page(goes_on.then_some(Refresh { every: EVERY, until })).as_bytes())
}
