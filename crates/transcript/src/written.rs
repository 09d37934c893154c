use mahbusa_rules::{Board, Side};

use crate::lines::{GameLine, Line, write_head};
use crate::{Head, Now, Transcript, TranscriptError};

/// The file of a single game that players have played on known dice, given the board after each turn as the side sees it that played; a pass leaves it as
/// it was.
///
/// # Errors
/// When somebody else opens by the head, a board is not reached by a legal play of the dice, or the game has not ended with the last one.
pub fn write_game(head: Head, opener: Side, afterstates: &[Board]) -> Result<String, TranscriptError> {
    let first = write_head(&head);
    let mut transcript = Transcript::new(head);
    write_turns(&mut transcript, opener, afterstates).map(|turns| first + &turns).map_err(TranscriptError::Refused)
}

fn write_turns(transcript: &mut Transcript, opener: Side, afterstates: &[Board]) -> Result<String, String> {
    let begun = Line::Game(GameLine { opener: opener.into(), ..transcript.game_line() });
    let mut text = transcript.add(&begun)?;
    for (after, turn) in afterstates.iter().zip(1..) {
        let Now::Play(position) = transcript.now() else { return Err(format!("turn {turn}: nobody is in turn")) };
        let plays = position.plays();
        let played = plays.iter().find(|play| play.position.board.flip() == *after);
        let played = played.ok_or_else(|| format!("turn {turn}: no legal play of {position} leads to the next one"))?;
        let line = Line::Turn(transcript.turn_line(&position, played.play));
        text += &transcript.add(&line)?;
    }
    match transcript.now() {
        Now::Over(_) => Ok(text),
        _ => Err(format!("the game goes on after turn {}", afterstates.len())),
    }
}
