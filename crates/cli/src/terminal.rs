//! The terminal, as far as it is known.

use std::env;
use std::io::{self, IsTerminal};

/// Columns and rows of a terminal where nobody knows them.
pub const USUAL: (usize, usize) = (80, 24);

/// How many columns it has that a stream goes to; `None` if it goes elsewhere, or nobody knows.
#[cfg(unix)]
pub fn columns(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    size(stream).map(|(columns, _)| columns)
}

/// How many columns it has that a stream goes to, which nobody knows here.
#[cfg(not(unix))]
pub fn columns<T>(_: &T) -> Option<usize> {
    None
}

/// The same with its rows.
#[cfg(unix)]
pub fn size(stream: &impl std::os::fd::AsFd) -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    (size.ws_col > 0).then(|| (size.ws_col.into(), size.ws_row.into()))
}

/// The same with its rows.
#[cfg(not(unix))]
pub fn size<T>(_: &T) -> Option<(usize, usize)> {
    None
}

/// Whether standard output goes to a terminal on which the cursor can be moved.
pub fn can_be_drawn_upon() -> bool {
    io::stdout().is_terminal() && set("TERM").is_none_or(|term| term != "dumb")
}

/// Whether standard output is to have colours: only where it can be drawn upon, and nobody has set NO_COLOR.
pub fn has_colours() -> bool {
    can_be_drawn_upon() && set("NO_COLOR").is_none()
}

/// Whether the locale has more than ASCII.
pub fn has_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default().to_lowercase();
    cfg!(any(windows, target_os = "macos")) || locale.contains("utf-8") || locale.contains("utf8")
}

/// A variable of the environment, if it says anything.
fn set(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
