use std::io::Write;

/// Tells the user something on standard error. If nobody listens there, the work goes on. Control characters, which come out of names and files, are shown and not obeyed.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", shown(text));
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
