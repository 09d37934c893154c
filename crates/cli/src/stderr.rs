//! Standard error, where progress and errors are told.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use indicatif::MultiProgress;

use crate::terminal::columns;
use crate::words::wrapped;

/// The bars that are on the terminal: what is said meanwhile goes above them.
static BARS: Mutex<Option<MultiProgress>> = Mutex::new(None);

/// From now on these bars are on the terminal.
pub fn bars(bars: &MultiProgress) {
    *BARS.lock().unwrap_or_else(PoisonError::into_inner) = Some(bars.clone());
}

/// Tells the user something on standard error. If nobody listens there, the work goes on. Control characters, which come out of names and files, are shown and not obeyed. On a terminal
/// lines are broken between words.
pub fn say(text: &str) {
    let print = || {
        let text = wrapped(&shown(text), columns(&std::io::stderr()));
        let _ = writeln!(std::io::stderr(), "{text}");
    };
    match BARS.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        Some(bars) => bars.suspend(print),
        None => print(),
    }
}

fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && character != '\n' && character != '\t' {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(shown("no model `\u{1b}[2Jx`\nés"), "no model `\\u{1b}[2Jx`\nés");
    }
}
