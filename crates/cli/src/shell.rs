//! What the system wants to know of the command: completions and manual pages.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory};
use mahbusa_net::files::{NewFolder, write_atomically};

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::failure::Failure;
use crate::place;

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
    let failed = |error: io::Error| {
        Failure::of_place(anyhow::Error::new(error).context(format!("cannot write the pages to {}", folder.display())))
    };
    let pages = pages(&command, "mahbusa").map_err(failed)?;
    if !folder.is_dir() {
        let outer = folder.parent().unwrap_or(Path::new(""));
        let begun = std::fs::create_dir_all(outer).and_then(|()| NewFolder::beside(folder));
        return begun.and_then(|new| new.write_all(&pages)?.put()).map_err(failed);
    }
    let files: Vec<(PathBuf, &Vec<u8>)> = pages.iter().map(|(name, page)| (folder.join(name), page)).collect();
    // All or nothing.
    files.iter().try_for_each(|(file, _)| place::check(file, args.force))?;
    files.iter().try_for_each(|(file, page)| write_atomically(file, page)).map_err(failed)
}

/// The page of a verb and those of all below it, by the names of their files.
fn pages(command: &Command, name: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut all = vec![(format!("{name}.1"), page(command, name)?)];
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        all.extend(pages(verb, &format!("{name}-{}", verb.get_name()))?);
    }
    Ok(all)
}

fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    // Without a usage of its own the page would name options without their values.
    let usage = synopsis(command);
    clap_mangen::Man::new(command.clone().override_usage(usage)).title(name).render(&mut text)?;
    Ok(text)
}

/// What can be typed after the name of a verb, every option with its value.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let (given, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().partition(|argument| argument.is_positional());
    let mut words = vec![name.to_owned()];
    words.extend(options.into_iter().filter(|option| !option.is_hide_set()).map(option));
    // clap writes what must be given as <NAME>, and what may be as [NAME].
    words.extend(given.into_iter().map(ToString::to_string));
    if command.has_subcommands() {
        words.push("<COMMAND>".to_owned());
    }
    words.join(" ")
}

/// `[-q|--quiet]`, `[--seed <SEED>]`, `--games <GAMES>`.
fn option(option: &Arg) -> String {
    let short = option.get_short().map_or(String::new(), |short| format!("-{short}|"));
    let text = format!("{short}{option}");
    if option.is_required_set() { text } else { format!("[{text}]") }
}
