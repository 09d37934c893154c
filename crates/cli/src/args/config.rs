//! `config`: the settings of runs.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::shared::{JsonArg, SetArg};

/// Make, show and check the settings of a run.
///
/// A config is a TOML file in which every key has a default. docs/config.md lists all keys.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa config init --out my.toml
  mahbusa config check my.toml
  mahbusa config show my.toml --set train.games=50000")]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub verb: ConfigVerb,
}

#[derive(Subcommand)]
pub enum ConfigVerb {
    Init(ConfigInitArgs),
    Show(ConfigShowArgs),
    Check(ConfigCheckArgs),
    Schema(ConfigSchemaArgs),
}

/// Write a config with every key, what it means and what it may be.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa config init
  mahbusa config init --from quick --out my.toml")]
pub struct ConfigInitArgs {
    /// The file to make [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Begin with the values of a file, or of a config that comes with the program, such as `quick` [default: the defaults].
    #[arg(long, value_name = "FILE|NAME", value_hint = clap::ValueHint::FilePath)]
    pub from: Option<String>,
    #[command(flatten)]
    pub changes: SetArg,
    /// Replace the file if there is one.
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Print a config as a run would take it, defaults and changes written out.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa config show configs/quick.toml --set rules=tapa")]
pub struct ConfigShowArgs {
    /// The config: a TOML file, or the name of one that comes with the program.
    #[arg(value_name = "FILE|NAME", value_hint = clap::ValueHint::FilePath)]
    pub config: String,
    #[command(flatten)]
    pub changes: SetArg,
    #[command(flatten)]
    pub answer: JsonArg,
}

/// Say what is wrong with configs: every mistake with its line, what is allowed, and what was perhaps meant.
///
/// All of them are judged. The exit code is 0 when nothing is wrong, 2 when something is, 3 when nothing is wrong but one cannot be read.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa config check my.toml configs/quick.toml")]
pub struct ConfigCheckArgs {
    /// The configs: TOML files, or names of such that come with the program.
    #[arg(required = true, value_name = "FILE|NAME", value_hint = clap::ValueHint::FilePath)]
    pub configs: Vec<String>,
    #[command(flatten)]
    pub changes: SetArg,
}

/// Print the JSON schema (draft 7) of a config, from which editors know keys and ranges.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa config schema > schema.json

An editor that knows TOML schemas takes it from a first line `#:schema ./schema.json`.")]
pub struct ConfigSchemaArgs {}
