//! Positions in, answers out, line by line.

use std::io::{self, BufRead, IsTerminal, Write};

use mahbusa_net::Outcomes;
use mahbusa_players::{Aim, Rated};
use mahbusa_rules::{Ending, Position, PositionPlay, quoted};
use serde::Serialize;
use serde_json::json;

use crate::args::PlaysArgs;
use crate::failure::Failure;
use crate::stderr::say;
use crate::words::counted;

/// Longer lines are no position; they are skipped without being kept in memory.
const LONGEST_LINE: usize = 4096;

/// What some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// One answer: an object for programs, and text for people.
pub struct Answer {
    pub object: Object,
    pub text: String,
}

/// What is said of a position. Fields that do not apply are left out.
#[derive(Serialize)]
pub struct Object {
    pub position: String,
    /// Of the side that played last, when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<Vec<Entry>>,
    /// The play that a level takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// What the position is worth to the side to roll.
    #[serde(flatten)]
    pub value: Option<Value>,
}

impl Object {
    /// The position, and nothing said of it yet.
    pub fn of(position: &Position) -> Object {
        Object { position: position.to_string(), points: None, plays: None, chosen: None, value: None }
    }
}

/// A legal play.
#[derive(Serialize)]
pub struct Entry {
    play: String,
    position: String,
    /// Of the side that played, if that ended the game, else null.
    points: Option<i8>,
    /// What the play is worth to the side that played.
    #[serde(flatten)]
    value: Option<Value>,
}

/// What is known or thought of a position, for one side.
#[derive(Serialize)]
pub struct Value {
    pub outcomes: Outcomes,
    pub equity: f32,
    /// The chance of winning the match, where there is one and it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_chance: Option<f32>,
    /// How many plies deep a net has looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u8>,
}

impl Value {
    /// What is known for certain.
    pub fn of(outcomes: Outcomes) -> Value {
        Value { equity: outcomes.equity(), outcomes, match_chance: None, ply: None }
    }

    /// What a net says, given what it is asked for.
    pub fn rated(rated: Rated, aim: Aim) -> Value {
        let match_chance = match aim {
            Aim::Points => None,
            Aim::Match(stakes) => Some(stakes.chance(&rated.outcomes)),
        };
        Value { match_chance, ply: Some(rated.ply.number()), ..Value::of(rated.outcomes) }
    }
}

impl Entry {
    pub fn new(play: &PositionPlay, value: Option<Value>) -> Entry {
        Entry {
            play: play.play.to_string(),
            position: play.position.to_string(),
            points: play.ending.map(Ending::points),
            value,
        }
    }
}

/// Where a position comes from.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// It was named on the command line.
    Named(&'a str),
    /// A line of standard input, from 1.
    Line(usize),
}

/// Answers the positions given, or those on standard input, one at a time. Blanks around a position and a byte order mark before the first are passed over.
pub fn answer(
    positions: &[String],
    as_json: bool,
    respond: impl Fn(&Position) -> Result<Answer, String>,
) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut bad = false;
    let mut one = |source: Source<'_>, text: Result<&str, String>| -> io::Result<()> {
        let answer = text.and_then(|text| {
            let position = text.trim().parse::<Position>().map_err(|error| error.to_string())?;
            respond(&position)
        });
        match answer {
            Ok(answer) if as_json => writeln!(out, "{}", serde_json::to_string(&answer.object)?)?,
            Ok(answer) => writeln!(out, "{}", answer.text)?,
            Err(error) => {
                bad = true;
                match source {
                    Source::Named(text) if as_json => {
                        writeln!(out, "{}", json!({"error": error, "position": text}))?;
                    }
                    Source::Line(line) if as_json => writeln!(out, "{}", json!({"error": error, "line": line}))?,
                    Source::Named(text) => say(&format!("{}: {error}", quoted(text))),
                    Source::Line(line) => say(&format!("line {line}: {error}")),
                }
            }
        }
        out.flush()
    };
    if positions.is_empty() {
        if io::stdin().is_terminal() {
            say("reading positions from the terminal, one a line; the end of the input (Ctrl-D) ends it");
        }
        let mut input = io::stdin().lock();
        let mut line = 0;
        while let Some(text) = next_line(&mut input, "a position")? {
            line += 1;
            let text = text.as_deref().map_err(Clone::clone);
            one(
                Source::Line(line),
                text.map(|text| if line == 1 { text.trim_start_matches(BYTE_ORDER_MARK) } else { text }),
            )?;
        }
    } else {
        for text in positions {
            one(Source::Named(text), Ok(text))?;
        }
    }
    if bad { Err(Failure::Negative) } else { Ok(()) }
}

/// The next line without its end, or why it is none, given what was expected; `None` at the end of the input.
pub fn next_line(input: &mut impl BufRead, expected: &str) -> Result<Option<Result<String, String>>, Failure> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let chunk = input.fill_buf().map_err(|error| Failure::of_place(error).about("standard input"))?;
        if chunk.is_empty() {
            break;
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        length += part.len();
        if length <= LONGEST_LINE {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            length += 1;
            break;
        }
    }
    if length == 0 {
        return Ok(None);
    }
    if length > LONGEST_LINE {
        return Ok(Some(Err(format!("expected {expected}, found a line of more than {LONGEST_LINE} bytes"))));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    let text = String::from_utf8(line).map_err(|_| format!("expected {expected}, found bytes that are not UTF-8"));
    // An arrow key sends some, and in an answer they would move the cursor.
    let text = text.and_then(|text| match text.chars().find(|&c| c.is_control() && c != '\t') {
        Some(control) => Err(format!("expected {expected}, found the control character {}", control.escape_default())),
        None => Ok(text),
    });
    Ok(Some(text))
}

/// `mahbusa plays`.
pub fn plays(args: &PlaysArgs) -> Result<(), Failure> {
    answer(&args.positions, args.answer.json, |position| {
        if let Some(finished) = finished(position) {
            return Ok(finished);
        }
        let plays = plays_of(position)?;
        let entries = plays.iter().map(|play| Entry::new(play, None)).collect();
        let mut text = position.to_string();
        for play in &plays {
            text += &format!("\n  {:<24} {}{}", play.play.to_string(), play.position, ending(play));
        }
        Ok(Answer { object: Object { plays: Some(entries), ..Object::of(position) }, text })
    })
}

/// The answer for a finished game.
pub fn finished(position: &Position) -> Option<Answer> {
    let points = position.ending()?.points();
    let text = format!("{position}\n  the game is over: {} for the side that played last", counted(points, "point"));
    Some(Answer { object: Object { points: Some(points), plays: Some(Vec::new()), ..Object::of(position) }, text })
}

/// The legal plays of a position, which must have dice.
pub fn plays_of(position: &Position) -> Result<Vec<PositionPlay>, String> {
    if position.dice.is_none() {
        return Err(format!("position {position}, field dice: expected two dice, found `-`"));
    }
    Ok(position.plays())
}

/// How a play ended the game, for people.
pub fn ending(play: &PositionPlay) -> String {
    play.ending.map_or(String::new(), |ending| format!("  ends the game: {}", counted(ending.points(), "point")))
}
