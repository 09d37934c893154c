//! The terminal, as far as it is known.

/// How many columns it has that a stream goes to; `None` if it goes elsewhere, or nobody knows.
#[cfg(unix)]
pub fn columns(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    (size.ws_col > 0).then(|| size.ws_col.into())
}

/// How many columns it has that a stream goes to, which nobody knows here.
#[cfg(not(unix))]
pub fn columns<T>(_: &T) -> Option<usize> {
    None
}
