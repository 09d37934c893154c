use std::io::Write;

/// Tells the user something on standard error. If nobody listens there, the work goes on.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
