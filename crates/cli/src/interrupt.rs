//! Ctrl-C and SIGTERM: the first asks the work to come to an end, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::stderr::say;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C sets the flag that is returned and says `message`, what will be finished before the end; the second exits
/// with 130 at once. To be called once a process: a later call changes nothing and returns the same flag.
pub fn interrupted(message: &'static str) -> &'static AtomicBool {
    // Without a handler Ctrl-C ends the process at once, which no command takes harm from.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            #[expect(clippy::exit, reason = "the user asks for it, and any command may be killed at any moment")]
            std::process::exit(130);
        }
        say(&format!("\ninterrupted: {message}; once more stops at once"));
    });
    &INTERRUPTED
}
