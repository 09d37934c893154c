use std::io::{ErrorKind, Write};
use std::path::Path;

use mahbusa_net::files::write_atomically;
use mahbusa_train::{Config, ConfigError, TEMPLATES, nearest_config};

use crate::args::{ConfigArgs, ConfigCheckArgs, ConfigInitArgs, ConfigShowArgs, ConfigVerb};
use crate::failure::Failure;
use crate::place;
use crate::stderr::say;
use crate::words::command;

/// `mahbusa config`.
pub fn config(args: &ConfigArgs) -> Result<(), Failure> {
    match &args.verb {
        ConfigVerb::Init(args) => init(args),
        ConfigVerb::Show(args) => show(args),
        ConfigVerb::Check(args) => check(args),
        ConfigVerb::Schema(_) => {
            writeln!(std::io::stdout().lock(), "{}", serde_json::to_string_pretty(&Config::schema())?)?;
            Ok(())
        }
    }
}

fn init(args: &ConfigInitArgs) -> Result<(), Failure> {
    let config = match &args.from {
        Some(name) => load(name, &args.changes.assignments)?,
        None => Config::from_text("", "", &args.changes.assignments)?,
    };
    let text = config.commented();
    let Some(path) = &args.out else {
        write!(std::io::stdout().lock(), "{text}")?;
        return Ok(());
    };
    place::check(path, args.force)?;
    write_atomically(path, text.as_bytes())
        .map_err(|error| Failure::Io(anyhow::Error::new(error).context(format!("cannot write {}", path.display()))))?;
    say(&format!("wrote {}; train with: {}", path.display(), command("mahbusa train", path)));
    Ok(())
}

fn show(args: &ConfigShowArgs) -> Result<(), Failure> {
    let config = load(&args.config, &args.changes.assignments)?;
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        writeln!(out, "{}", serde_json::to_string(&config)?)?;
    } else {
        write!(out, "{}", config.to_toml())?;
    }
    Ok(())
}

fn check(args: &ConfigCheckArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut mistakes = Vec::new();
    let mut unreadable = Vec::new();
    for name in &args.configs {
        match read(name, &args.changes.assignments) {
            Ok(_) => writeln!(out, "{name}: nothing is wrong")?,
            Err(Unusable::Wrong(ConfigError::Mistakes(more))) => mistakes.extend(more),
            Err(error) => unreadable.push(Failure::from(error)),
        }
    }
    // All is told; the exit code is that of the mistakes, if there are any.
    let last = if mistakes.is_empty() { unreadable.pop() } else { Some(ConfigError::Mistakes(mistakes).into()) };
    for failure in unreadable {
        say(&format!("mahbusa: {failure}"));
    }
    last.map_or(Ok(()), Err)
}

/// A file, else a config that comes with the program.
pub fn load(name: &str, assignments: &[String]) -> Result<Config, Failure> {
    Ok(read(name, assignments)?)
}

/// Why a name brings no config.
enum Unusable {
    /// Nothing is called so.
    Unknown(String),
    /// Something in it is wrong, or it cannot be read.
    Wrong(ConfigError),
}

impl From<Unusable> for Failure {
    fn from(unusable: Unusable) -> Failure {
        match unusable {
            Unusable::Unknown(message) => Failure::usage(message),
            Unusable::Wrong(error) => error.into(),
        }
    }
}

fn read(name: &str, assignments: &[String]) -> Result<Config, Unusable> {
    let path = Path::new(name);
    let template = TEMPLATES.iter().find(|(template, _)| *template == name);
    let read = match template {
        Some((_, text)) if !path.exists() => Config::from_text(name, text, assignments),
        _ => Config::load(path, assignments),
    };
    read.map_err(|error| match error {
        ConfigError::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
            let meant = nearest_config(name).map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            let names = TEMPLATES.map(|(template, _)| template).join(", ");
            Unusable::Unknown(format!("no config {name}: expected a TOML file, or one of {names}{meant}"))
        }
        error => Unusable::Wrong(error),
    })
}
