//! What the system wants to know of the command: completions and manual pages.

use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory};
use mahbusa_net::container::write_atomically;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::failure::Failure;

/// `mahbusa completions`.
pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "mahbusa", &mut text);
    io::stdout().lock().write_all(&text)?;
    Ok(())
}

/// `mahbusa man`.
pub fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut command = Args::command();
    command.build();
    let Some(folder) = &args.out else {
        io::stdout().lock().write_all(&page(&command, "mahbusa")?)?;
        return Ok(());
    };
    let io = |error: io::Error| {
        Failure::Io(anyhow::Error::new(error).context(format!("cannot write the pages to {}", folder.display())))
    };
    std::fs::create_dir_all(folder).map_err(io)?;
    write_pages(&command, "mahbusa", folder).map_err(io)
}

/// A page for a verb and each of those below it.
fn write_pages(command: &Command, name: &str, folder: &Path) -> io::Result<()> {
    write_atomically(&folder.join(format!("{name}.1")), &page(command, name)?)?;
    command
        .get_subcommands()
        .filter(|verb| verb.get_name() != "help")
        .try_for_each(|verb| write_pages(verb, &format!("{name}-{}", verb.get_name()), folder))
}

fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name).render(&mut text)?;
    Ok(text)
}
