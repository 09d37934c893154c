//! Ctrl-C: finish what is in hand, say what is known, exit with 130.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::stderr::say;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static INSTALLED: Once = Once::new();

/// A flag that Ctrl-C sets from the first call on; a second Ctrl-C ends the process at once.
pub fn interrupted() -> &'static AtomicBool {
    INSTALLED.call_once(|| {
        // Without a handler Ctrl-C ends the process at once, which is no worse than it was.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                #[expect(clippy::exit, reason = "the user asks for it, and nothing here may not be killed")]
                std::process::exit(130);
            }
            say("\ninterrupted: finishing what is in hand; once more stops at once");
        });
    });
    &INTERRUPTED
}
