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

/// From now on Ctrl-C ends the process with 130 at once: for work of a minute that is not worth keeping in parts. To be called once a process, instead of
/// [`interrupted`].
pub fn ends_at_once() {
    // Without a handler the system does the same, with another exit code.
    let _ = ctrlc::set_handler(|| {
        say("\ninterrupted: nothing is kept of what was not finished");
        #[expect(clippy::exit, reason = "the user asks for it, and any command may be killed at any moment")]
        std::process::exit(130);
    });
}

/// From now on Ctrl-C says what `message` then is and ends the process with 130 at once: for what is saved step by step. To be called once a process, instead of
/// [`interrupted`].
pub fn ends_saying(message: impl Fn() -> String + Send + 'static) {
    let _ = ctrlc::set_handler(move || {
        say(&message());
        #[expect(clippy::exit, reason = "the user asks for it, and everything has been saved")]
        std::process::exit(130);
    });
}
