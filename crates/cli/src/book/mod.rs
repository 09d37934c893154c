//! `mahbusa book`.

mod advice;
mod document;
mod report;

use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;

use mahbusa_arena::benchmark::JudgeNet;
use mahbusa_arena::book::{Book, Header, Maker, Prospect, SaveFile, Settings, Task};
use mahbusa_net::files::write_atomically;
use mahbusa_players::{Ply, Search};

use crate::args::BookArgs;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::model;
use crate::place;
use crate::progress::Progress;
use crate::stderr::say;
use report::Report;

/// `mahbusa book`.
pub fn book(args: &BookArgs) -> Result<(), Failure> {
    let net = model::load(&args.model)?;
    let pool = args.workers.pool()?;
    let header = Header {
        rules: net.rules,
        net: JudgeNet { sha256: net.hash(), games: net.games },
        settings: Settings {
            seed: args.chance.seed,
            ply: args.ply.number(),
            opening_error: args.opening_error,
            opening_cut: args.opening_cut.plies(),
            reply_error: args.reply_error,
            reply_cut: args.reply_cut.plies(),
            games: args.games,
            advice_games: args.advice_games,
            advice_checks: args.advice_checks,
        },
    };
    if let Some(out) = &args.out {
        place::check(out, args.force)?;
    }
    place::check_apart(&[("--out", args.out.as_deref()), ("--save", args.save.as_deref())])?;
    let (mut save, mut book) = match &args.save {
        Some(path) => {
            let (save, book) = SaveFile::open(path, &header)?;
            (Some(save), book)
        }
        None => (None, Book::new(header)),
    };
    let player = Search::new(model::player(&net), args.ply);
    let scout = Search::new(model::player(&net), Ply::Two);
    let maker = Maker { weights: &net.weights, player: &player, scout: &scout };
    let flag = interrupted(match &args.save {
        Some(_) => "leaving what has begun; the rest is saved",
        None => "nothing is kept without --save",
    });

    let mut shown: Option<(Stage, Progress)> = None;
    while let Some(task) = book.next() {
        let stage = Stage::of(&task);
        if shown.as_ref().is_none_or(|(showing, _)| *showing != stage) {
            if let Some((_, progress)) = shown.take() {
                progress.finish();
            }
            let prospect = Prospect::of(&book, &task);
            let progress = Progress::counting(stage.unit(), prospect.total, args.progress.quiet);
            progress.begin(prospect.done);
            progress.stage(stage.name());
            shown = Some((stage, progress));
        }
        let Some((_, progress)) = &shown else { continue };
        let prospect = Prospect::of(&book, &task);
        progress.total(prospect.total);
        progress.set(prospect.done);
        let Some(part) = pool.install(|| maker.make(&book, &task, flag, || progress.advance(1))) else { break };
        if let Some(save) = &mut save {
            save.append(&part)?;
        }
        book.add(part).map_err(|problem| Failure::usage(format!("the book cannot go on: {problem}")))?;
    }
    if let Some((_, progress)) = shown {
        progress.finish();
    }
    if flag.load(Ordering::Relaxed) && book.next().is_some() {
        if let Some(path) = args.save.as_ref().filter(|_| !args.progress.quiet) {
            say(&format!("what is done is saved in {}; the same command goes on", path.display()));
        }
        return Err(Failure::Interrupted);
    }

    let report = Report::new(&book, name(&args.model), command(args));
    let document = document::write(&book, &report);
    let written = args.out.as_ref().map(|out| {
        write_atomically(out, document.as_bytes()).map_err(|error| {
            Failure::of_place(error).about(format!("cannot write {}; on standard output is all of it", out.display()))
        })
    });
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string(&report)?)?;
    } else if let (Some(out), Some(Ok(()))) = (&args.out, &written) {
        let (openings, replies) = (report.openings.len(), report.replies.len());
        writeln!(stdout, "{}: {openings} opening rolls, {replies} replies", out.display())?;
    } else {
        // Hours are in it: it is not lost where there is no room for it.
        stdout.write_all(document.as_bytes())?;
    }
    written.unwrap_or(Ok(()))
}

/// The net as the document calls it: a path that is the reader's too stays whole, of any other the last part.
fn name(model: &str) -> String {
    let path = Path::new(model);
    let last = path.file_name().filter(|_| path.is_absolute() || path.starts_with(".."));
    last.map_or_else(|| model.to_owned(), |last| last.to_string_lossy().into_owned())
}

/// The command that makes the document again, without what changes nothing.
fn command(args: &BookArgs) -> String {
    format!(
        "mahbusa book {} --opening-error {} --opening-cut {} --reply-error {} --reply-cut {} --ply {} --games {} \
         --advice-games {} --advice-checks {} --seed {}",
        name(&args.model),
        args.opening_error,
        args.opening_cut,
        args.reply_error,
        args.reply_cut,
        args.ply,
        args.games,
        args.advice_games,
        args.advice_checks,
        args.chance.seed
    )
}

/// What is shown as one piece of work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Openings,
    Games,
    Replies,
    Survey,
    Checks,
}

impl Stage {
    fn of(task: &Task) -> Stage {
        match task {
            Task::Opening(_) => Stage::Openings,
            Task::Games(_) => Stage::Games,
            Task::Reply(..) => Stage::Replies,
            Task::Survey(_) => Stage::Survey,
            Task::Check(_) => Stage::Checks,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Stage::Openings => "1 of 5: rolling out the openings",
            Stage::Games => "2 of 5: playing games",
            Stage::Replies => "3 of 5: rolling out the replies",
            Stage::Survey => "4 of 5: asking about the advice",
            Stage::Checks => "5 of 5: rolling out some of the answers",
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Stage::Openings | Stage::Replies => "trials",
            Stage::Games | Stage::Survey => "games",
            Stage::Checks => "decisions",
        }
    }
}
