use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use mahbusa_export::games::{Columns, Source, json_line};
use mahbusa_export::{Bundle, BundleError, CARD, ExportNet, LEVELS, check_place, onnx, safetensors, verify};
use mahbusa_net::files::{read_text, write_atomically, write_atomically_with};
use mahbusa_players::{Levels, NetSize};
use mahbusa_selfplay::{GameSource, SelfPlay};

use crate::args::{ExportArgs, ExportFormat, ExportGamesArgs, GamesFormat};
use crate::failure::Failure;
use crate::interrupt;
use crate::level;
use crate::model::{self, Found, Home};
use crate::place;
use crate::progress::Progress;
use crate::stderr::say;
use crate::words::counted;

/// `mahbusa export`.
pub fn export(args: &ExportArgs) -> Result<(), Failure> {
    if let Some(folder) = &args.verify {
        return check(folder, args.json);
    }
    // The arguments are there, else there would be something to verify.
    let (Some(name), Some(format), Some(out)) = (&args.model, args.format, &args.out) else {
        return Err(Failure::usage("expected MODEL, --format and --out, or --verify DIR"));
    };
    match format {
        ExportFormat::Bundle => check_place(out, args.force)?,
        ExportFormat::Onnx | ExportFormat::Safetensors => place::check(out, args.force)?,
    }
    let found = model::find(name)?;
    let usual = match found.home {
        Home::Released(_) | Home::Baseline => "CC0-1.0",
        Home::Folder(_) => "unstated",
    };
    let net = ExportNet { file: found.net.clone(), licence: args.licence.clone().unwrap_or_else(|| usual.to_owned()) };
    match format {
        ExportFormat::Bundle => bundle(args, out, &found, &net),
        ExportFormat::Onnx => file(out, &onnx::model(&net)),
        ExportFormat::Safetensors => file(out, &safetensors::write(&net)),
    }
}

fn file(out: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomically(out, bytes)
        .map_err(|error| Failure::of_place(error).about(format!("cannot write {}", out.display())))?;
    writeln!(io::stdout().lock(), "{}: {} bytes", out.display(), bytes.len())?;
    Ok(())
}

fn bundle(args: &ExportArgs, out: &Path, found: &Found, net: &ExportNet) -> Result<(), Failure> {
    let levels = match belonging(found, LEVELS)? {
        Some((text, place)) => {
            let levels = Levels::from_json(&text)
                .map_err(|error| Failure::Io(anyhow::Error::new(error).context(place.clone())))?;
            level::check(&levels, NetSize::Full, &found.net, &place, "the one to be exported")?;
            Some(levels)
        }
        None => None,
    };
    let card = belonging(found, CARD)?.map(|(text, _)| text);
    if !args.progress.quiet {
        for (missing, file) in [(levels.is_none(), LEVELS), (card.is_none(), CARD)] {
            if missing {
                say(&format!(
                    "no {file} beside the net: the bundle has {}",
                    if file == LEVELS { "none" } else { "a short one" }
                ));
            }
        }
        say("playing games for golden positions");
    }
    let bundle = args.workers.pool()?.install(|| Bundle::make(net, levels.as_ref(), card))?;
    bundle.write(out, args.force)?;
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{}: {}", out.display(), net.name())?;
    for (name, contents) in bundle.files() {
        writeln!(stdout, "  {name:<18} {:>9} bytes", contents.len())?;
    }
    Ok(())
}

/// The text of a file that belongs to a model, and where it stands, if it is there.
fn belonging(found: &Found, name: &str) -> Result<Option<(String, String)>, Failure> {
    match &found.home {
        Home::Folder(folder) => {
            let path = folder.join(name);
            if !path.is_file() {
                return Ok(None);
            }
            let place = path.display().to_string();
            let text = read_text(&path).map_err(|error| Failure::of_place(error).about(place.clone()))?;
            Ok(Some((text, place)))
        }
        Home::Released(released) => {
            let text = if name == CARD { Some(released.card) } else { released.levels };
            Ok(text.map(|text| (text.to_owned(), format!("{name} of {}", released.name))))
        }
        Home::Baseline => Ok(None),
    }
}

/// `mahbusa export --verify`.
fn check(folder: &Path, as_json: bool) -> Result<(), Failure> {
    let found = verify(folder)?;
    let mut out = io::stdout().lock();
    if as_json {
        let object = serde_json::json!({
            "name": found.name, "files": found.files, "positions": found.positions, "plays": found.largest.plays,
            "largest_difference": found.largest, "findings": found.findings,
        });
        writeln!(out, "{object}")?;
    } else {
        let mahbusa_export::golden::Differences { outcomes, equity, logits, plays } = found.largest;
        writeln!(out, "{}: {}, {} files", folder.display(), found.name, found.files)?;
        if found.positions > 0 {
            writeln!(
                out,
                "{} positions, {plays} plays: largest difference {outcomes:.1e} in outcomes, {equity:.1e} in equity, {logits:.1e} in logits",
                found.positions
            )?;
        }
        for finding in &found.findings {
            writeln!(out, "wrong: {finding}")?;
        }
    }
    if found.findings.is_empty() { Ok(()) } else { Err(Failure::Negative) }
}

/// `mahbusa export-games`.
pub fn export_games(args: &ExportGamesArgs) -> Result<(), Failure> {
    place::check(&args.out, args.force)?;
    let net = model::load(&args.model)?;
    let pool = args.workers.pool()?;
    let source = Source { rules: net.rules, net: net.hash(), seed: args.chance.seed };
    let selfplay = SelfPlay { rules: net.rules, seed: args.chance.seed, endings: Some(model::endings()) };
    let stop = interrupt::interrupted("leaving the games; no file is written");
    let progress = Progress::new(args.games, args.progress.quiet);
    progress.stage("playing");
    write_atomically_with(&args.out, |out| {
        let mut columns = Columns::default();
        const AT_ONCE: u64 = 256;
        for first in (0..args.games).step_by(AT_ONCE as usize) {
            if stop.load(Ordering::Relaxed) {
                progress.finish();
                return Err(Unwritten::Interrupted);
            }
            let numbers = first..(first + AT_ONCE).min(args.games);
            let games = pool.install(|| selfplay.games(&net.weights, numbers.clone()));
            for (number, game) in numbers.zip(&games) {
                match args.format {
                    GamesFormat::Jsonl => {
                        let line = json_line(&source, number, game).map_err(io::Error::from)?;
                        writeln!(out, "{line}")?;
                    }
                    GamesFormat::Npz => columns.push(number, game),
                }
            }
            progress.advance(games.len() as u64);
        }
        progress.finish();
        match args.format {
            GamesFormat::Jsonl => Ok(()),
            GamesFormat::Npz => Ok(columns.write(&source, out)?),
        }
    })
    .map_err(|why| match why {
        Unwritten::Interrupted => Failure::Interrupted,
        Unwritten::Io(error) => Failure::of_place(error).about(format!("cannot write {}", args.out.display())),
    })?;
    writeln!(io::stdout().lock(), "{}: {}", args.out.display(), counted(args.games, "game"))?;
    Ok(())
}

/// Why a file of games is not written.
enum Unwritten {
    Interrupted,
    Io(io::Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Unwritten {
        Unwritten::Io(error)
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Failure {
        match error {
            BundleError::Occupied(_)
            | BundleError::IsFile(_)
            | BundleError::Foreign { .. }
            | BundleError::OtherLevels(_) => Failure::Usage(error.into()),
            BundleError::Io { .. } | BundleError::Manifest { .. } | BundleError::Json(_) => Failure::of_place(error),
        }
    }
}
