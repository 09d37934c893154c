//! Verbs for the system: `completions`, `man`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Print what a shell needs to complete the arguments of this program.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa completions bash > ~/.local/share/bash-completion/completions/mahbusa
  mahbusa completions zsh > ~/.zfunc/_mahbusa
  mahbusa completions fish > ~/.config/fish/completions/mahbusa.fish")]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Print the manual page, or write one page a verb to a folder.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa man > mahbusa.1
  mahbusa man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder for mahbusa.1, mahbusa-train.1 and so on; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace pages that are there.
    #[arg(long, requires = "out")]
    pub force: bool,
}
