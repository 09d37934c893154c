use std::io::{ErrorKind, Write};
use std::path::Path;

use mahbusa_net::container::write_atomically;
use mahbusa_train::{Config, ConfigError, TEMPLATES};

use crate::args::{ConfigArgs, ConfigCheckArgs, ConfigInitArgs, ConfigShowArgs, ConfigVerb};
use crate::failure::Failure;
use crate::stderr::say;

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
    if path.exists() && !args.force {
        return Err(Failure::usage(format!("{} exists; --force replaces it", path.display())));
    }
    write_atomically(path, text.as_bytes())
        .map_err(|error| Failure::Io(anyhow::Error::new(error).context(format!("cannot write {}", path.display()))))?;
    let path = path.display();
    say(&format!("wrote {path}; train with: mahbusa train {path}"));
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
    for path in &args.configs {
        match Config::load(path, &args.changes.assignments) {
            Ok(_) => writeln!(out, "{}: nothing is wrong", path.display())?,
            Err(ConfigError::Mistakes(more)) => mistakes.extend(more),
            Err(error) => return Err(error.into()),
        }
    }
    if mistakes.is_empty() { Ok(()) } else { Err(ConfigError::Mistakes(mistakes).into()) }
}

/// A file, else a config that comes with the program.
pub fn load(name: &str, assignments: &[String]) -> Result<Config, Failure> {
    let path = Path::new(name);
    let template = TEMPLATES.iter().find(|(template, _)| *template == name);
    match template {
        Some((_, text)) if !path.exists() => Ok(Config::from_text(name, text, assignments)?),
        _ => Config::load(path, assignments).map_err(|error| {
            let missing = matches!(&error, ConfigError::Io { source, .. } if source.kind() == ErrorKind::NotFound);
            let failure = Failure::from(error);
            if !missing {
                return failure;
            }
            let names = TEMPLATES.map(|(template, _)| template).join(", ");
            failure.about(format!("no config {name}: expected a TOML file, or one of {names}"))
        }),
    }
}
