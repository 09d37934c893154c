//! How the match is shown.

use std::io::{self, IsTerminal, Write};

use mahbusa_players::Aim;
use mahbusa_rules::{Position, PositionPlay, Side};
use mahbusa_transcript::{Diagram, Game, Glyphs, Head, How, JudgedPlay, Paint};

use crate::terminal::{can_be_drawn_upon, columns, has_colours, has_unicode};
use crate::words::{counted, wrapped};

/// Columns of the narrowest terminal that is thought of.
const COLUMNS: usize = 78;

/// Standard output, as it can be drawn upon.
pub struct Screen {
    glyphs: Glyphs,
    paint: Paint,
    /// Whether somebody sits there.
    prompt: bool,
}

impl Screen {
    /// What standard output is: colours only on a terminal where nobody has set NO_COLOR, lines and circles only where the locale has them.
    pub fn new(ascii: bool) -> Screen {
        Screen {
            glyphs: if has_unicode() && !ascii { Glyphs::Unicode } else { Glyphs::Ascii },
            paint: if has_colours() { Paint::Ansi } else { Paint::None },
            prompt: io::stdin().is_terminal() && can_be_drawn_upon(),
        }
    }

    /// Says something; on a terminal lines are broken between words.
    pub fn say(&self, text: &str) -> io::Result<()> {
        self.show(&wrapped(text, columns(&io::stdout())))
    }

    /// Shows something as it is, such as a board.
    pub fn show(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()
    }

    /// Asks for a command, where somebody sits.
    pub fn ask(&self) -> io::Result<()> {
        if !self.prompt {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        write!(out, "> ")?;
        out.flush()
    }

    /// Ends the line of the prompt, after which nothing was typed.
    pub fn nothing_typed(&self) -> io::Result<()> {
        if self.prompt { self.say("") } else { Ok(()) }
    }

    /// What is wrong with the width of the terminal, if the board does not fit into it.
    pub fn too_narrow(&self, head: &Head, position: &Position, viewer: Side) -> Option<String> {
        let columns = columns(&io::stdout())?;
        let plain = Screen { paint: Paint::None, ..*self };
        let needed = plain.board(head, position, viewer).lines().map(|line| line.chars().count()).max()?;
        (columns < needed).then(|| format!("The board needs {needed} columns, and this terminal has {columns}."))
    }

    /// The board of a position as a side sees it.
    pub fn board(&self, head: &Head, position: &Position, viewer: Side) -> String {
        let names = [head.white.name.as_str(), head.black.name.as_str()];
        Diagram { position, viewer, names, glyphs: self.glyphs, paint: self.paint }.to_string()
    }
}

/// The dice of a position.
pub fn dice(position: &Position) -> String {
    position.dice.map_or_else(String::new, |dice| format!("{}-{}", dice.high(), dice.low()))
}

/// All plays with their numbers, in columns.
pub fn numbered(position: &Position, plays: &[PositionPlay]) -> String {
    let entries: Vec<String> =
        plays.iter().zip(1..).map(|(play, number)| format!("{number:>4}. {}", position.display(play.play))).collect();
    let width = entries.iter().map(String::len).max().unwrap_or(1) + 2;
    let rows = entries.len().div_ceil((COLUMNS / width).max(1));
    let line = |row: usize| {
        let cells: String =
            entries.iter().skip(row).step_by(rows.max(1)).map(|entry| format!("{entry:<width$}")).collect();
        cells.trim_end().to_owned()
    };
    (0..rows).map(line).collect::<Vec<_>>().join("\n")
}

/// The best plays with what they are worth, and their numbers in the list.
pub fn hints(position: &Position, ranked: &[JudgedPlay], aim: Aim, most: usize) -> String {
    let wire = position.plays();
    let row = |judged: &JudgedPlay| {
        let number = wire.iter().position(|play| play == &judged.play).map_or(0, |index| index + 1);
        let [_, _, _, win1, win2] = judged.rated.outcomes.probabilities();
        let wins = 100.0 * (win1 + win2);
        let match_chance = match aim {
            Aim::Points => String::new(),
            Aim::Match(_) => format!(", the match {:.1} %", 100.0 * judged.worth),
        };
        let equity = judged.rated.outcomes.equity();
        format!(
            "{number:>4}. {:<26} {equity:>+7.3} points, wins {wins:.1} %{match_chance}",
            position.display(judged.play.play)
        )
    };
    ranked.iter().take(most).map(row).collect::<Vec<_>>().join("\n")
}

/// How a game begins, or that it goes on.
pub fn begins(game: &Game, you: Side) -> String {
    let number = game.number;
    if !game.turns.is_empty() {
        return format!("Game {number} goes on at turn {}. You are {you}.", game.turns.len() + 1);
    }
    let who = if game.opener == you { "you" } else { "they" };
    match game.opening.last() {
        Some(&[white, black]) => {
            let [mine, theirs] = if you == Side::White { [white, black] } else { [black, white] };
            format!("Game {number}. You are {you}. Opening roll: you {mine}, they {theirs}: {who} begin.")
        }
        None => format!("Game {number}. You are {you}. The winner of the last game begins: {who} do."),
    }
}

/// How a game has ended, and the score of the match.
pub fn ended(head: &Head, game: &Game, you: Side, points: [u32; 2]) -> Option<String> {
    let end = game.end?;
    let winner = end.winner.map(|side| if side == you { "you win" } else { "you lose" });
    let number = counted(end.points, "point");
    let how = match end.how {
        How::Draw => "both starts are pinned",
        How::Single => "the last checker is off",
        How::Mars => "mars: no checker of the other side is off",
        How::Mother => "the mother is pinned",
        How::Resigned => "given up",
    };
    let result = winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{winner} {number}"));
    let [mine, theirs] = points;
    let score =
        if head.length == 0 { String::new() } else { format!(" You {mine}, they {theirs}, of {}.", head.length) };
    Some(format!("Game {}: {result} ({how}).{score}", game.number))
}

/// The turns of a game in wire notation.
pub fn log(game: &Game) -> String {
    let row = |(turn, number): (&mahbusa_transcript::Turn, usize)| {
        let dice = turn.position.dice.map_or_else(String::new, |dice| dice.to_string());
        format!("{number:>4}. {} {dice}: {}", turn.position.turn, turn.played.play)
    };
    game.turns.iter().zip(1..).map(row).collect::<Vec<_>>().join("\n")
}
