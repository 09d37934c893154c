//! `mahbusa runs watch`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use mahbusa_report::terminal::{Seen, Terminal};
use mahbusa_train::newest_run_in;

use crate::args::RunsWatchArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{USUAL, can_be_drawn_upon, has_colours, has_unicode, size};
use crate::words::command;

/// Time between two looks.
const EVERY: Duration = Duration::from_secs(2);

/// `mahbusa runs watch`.
pub fn watch(args: &RunsWatchArgs) -> Result<(), Failure> {
    let run = args.run.clone().map_or_else(newest, Ok)?;
    let resume = command("mahbusa resume", &run);
    let look = || {
        let (columns, rows) = size(&io::stdout()).unwrap_or(USUAL);
        let terminal = Terminal { columns, rows, unicode: has_unicode(), colours: has_colours() };
        Seen::at(&run).map(|seen| (seen.is_complete(), seen.draw(terminal, &resume), rows))
    };
    let (mut complete, mut lines, rows) = look()?;
    if args.once || !can_be_drawn_upon() {
        writeln!(io::stdout().lock(), "{}", lines.join("\n"))?;
        return Ok(());
    }
    interrupt::ends_saying(|| {
        // Never in the middle of a picture.
        let _whole = io::stdout().lock();
        "\nno longer watching, which changes nothing for the run".to_owned()
    });
    // What is on the screen is kept above it.
    show(&"\n".repeat(rows))?;
    loop {
        show(&picture(&lines))?;
        if complete {
            return Ok(());
        }
        sleep(EVERY);
        (complete, lines, _) = look()?;
    }
}

/// The run that is looked at where none is named.
fn newest() -> Result<PathBuf, Failure> {
    let folder = Path::new("runs");
    let run = if folder.is_dir() { newest_run_in(folder)? } else { None };
    run.ok_or_else(|| {
        Failure::usage("no run in the folder runs: expected one there, or its folder: mahbusa runs watch RUN")
    })
}

/// What puts lines in the place of whatever the terminal shows. They are not wrapped, so that each has its row; a row is cleared before it is written, since behind
/// a full one the cursor stands on its last letter.
fn picture(lines: &[String]) -> String {
    let mut text = "\x1b[?7l\x1b[H".to_owned();
    for line in lines {
        // A text takes everything.
        let _ = writeln!(text, "\x1b[K{line}");
    }
    text + "\x1b[J\x1b[?7h"
}

fn show(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
