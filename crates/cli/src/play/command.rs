//! What a player can type.

use std::str::FromStr;

use mahbusa_rules::{quoted, shortened};

/// Something typed at the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Nothing but the end of the line.
    Nothing,
    /// The ways of checkers.
    Steps(String),
    /// The number of a play in the list, from 1.
    Number(usize),
    Hint,
    Undo,
    Board,
    Moves,
    Pips,
    Position,
    Log,
    Save,
    Help,
    Resign {
        sure: bool,
    },
    Quit,
}

/// What `help` says.
pub const HELP: &str = concat!(
    "  24/18 13/9     move checkers; 24/18/14 or 24/14 is one checker with both dice,\n",
    "                 13/10(2) two checkers, 6/off bears off\n",
    "  7              play number 7 of the list that `moves` shows\n",
    "  hint           what the net thinks of the best plays\n",
    "  undo           take back the last step; or your last turn and the reply to it,\n",
    "                 and play again on the same dice\n",
    "  moves          all plays, numbered\n",
    "  board, pips, log, position\n",
    "  save           where the match is saved; every turn is, as it is played\n",
    "  resign         what giving the game up would cost; `resign yes` does it\n",
    "  quit           leave, and resume it later; so do Ctrl-D and Ctrl-C\n",
    "The first letters of a word are enough, such as `res`, if no other begins so.\n",
    "Each side counts points from its own home: your 24-point is their 1-point. A\n",
    "checker in brackets is trapped by those on top of it, and ~ marks a move that\n",
    "traps one.",
);

const WORDS: [(&str, Command); 12] = [
    ("hint", Command::Hint),
    ("undo", Command::Undo),
    ("board", Command::Board),
    ("moves", Command::Moves),
    ("pips", Command::Pips),
    ("position", Command::Position),
    ("log", Command::Log),
    ("save", Command::Save),
    ("help", Command::Help),
    ("resign", Command::Resign { sure: false }),
    ("quit", Command::Quit),
    ("exit", Command::Quit),
];

impl FromStr for Command {
    type Err = String;

    fn from_str(text: &str) -> Result<Command, String> {
        let text = text.trim().to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [] => return Ok(Command::Nothing),
            ["?"] => return Ok(Command::Help),
            [number] if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                return number
                    .parse()
                    .map(Command::Number)
                    .map_err(|_| format!("there is no play number {}", shortened(number, 20)));
            }
            [word] => {
                if let Some(command) = meant(word)? {
                    return Ok(command);
                }
            }
            [word, "yes"] => {
                if let Some(Command::Resign { .. }) = meant(word)? {
                    return Ok(Command::Resign { sure: true });
                }
            }
            _ => {}
        }
        if text.contains('/') {
            return Ok(Command::Steps(text));
        }
        Err(format!("{} is neither a move such as `24/18 13/9` nor a command; `help` lists them", quoted(&text)))
    }
}

/// The command that begins so, if there is one.
fn meant(word: &str) -> Result<Option<Command>, String> {
    let known: Vec<&(&str, Command)> = WORDS.iter().filter(|(known, _)| known.starts_with(word)).collect();
    match known.as_slice() {
        [] => Ok(None),
        [(_, command)] => Ok(Some(command.clone())),
        several => {
            let names: Vec<String> = several.iter().map(|(name, _)| format!("`{name}`")).collect();
            Err(format!("`{word}` may be {}: a letter more says which", names.join(" or ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_type_what_they_like() {
        for (text, command) in [
            ("", Command::Nothing),
            ("  ", Command::Nothing),
            (" 24/18  13/9", Command::Steps("24/18  13/9".to_owned())),
            ("6/OFF", Command::Steps("6/off".to_owned())),
            ("12", Command::Number(12)),
            ("Hint", Command::Hint),
            ("hi", Command::Hint),
            ("he", Command::Help),
            ("?", Command::Help),
            ("q", Command::Quit),
            ("EXIT", Command::Quit),
            ("resign", Command::Resign { sure: false }),
            ("resig", Command::Resign { sure: false }),
            ("resign  yes", Command::Resign { sure: true }),
            ("r yes", Command::Resign { sure: true }),
        ] {
            assert_eq!(text.parse(), Ok(command), "{text}");
        }
        for wrong in ["yes", "hints", "hint yes", "hint me", "99999999999999999999999", "24-18"] {
            assert!(wrong.parse::<Command>().is_err(), "{wrong}");
        }
        for (short, names) in [("h", "`hint` or `help`"), ("p", "`pips` or `position`")] {
            assert!(short.parse::<Command>().unwrap_err().contains(names));
        }
    }
}
