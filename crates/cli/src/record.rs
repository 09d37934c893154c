//! Games of a measurement, written down as matches.

use std::path::Path;

use mahbusa_arena::{Contest, Pair};
use mahbusa_net::files::NewFolder;
use mahbusa_players::Workspace;
use mahbusa_rules::Side;
use mahbusa_transcript::{DiceSource, Head, Seat, write_game};
use rayon::prelude::*;

use crate::failure::Failure;
use crate::meeting::Host;
use crate::progress::Progress;
use crate::stderr::say;
use crate::words::{command, counted};

/// Plays pairs 0, 1, 2, ... of a contest, which have been counted as given, once more, and writes their games to a new folder, one file each; of no pairs
/// none is made. The player is White.
pub fn record(
    folder: &Path,
    contest: Contest<'_>,
    seats: [&Seat; 2],
    counted_pairs: &[Pair],
    host: &Host,
) -> Result<(), Failure> {
    if counted_pairs.is_empty() {
        return Ok(());
    }
    let shown = folder.display();
    let progress = Progress::new(2 * counted_pairs.len() as u64, host.quiet);
    progress.stage("recording");
    let games = host.pool.install(|| {
        let pairs = counted_pairs.par_iter().enumerate();
        let written = pairs.map_init(Workspace::default, |workspace, (number, counted)| {
            let games = games_of_pair(contest, seats, number as u64, counted, workspace);
            progress.advance(2);
            games
        });
        written.collect::<Result<Vec<_>, Failure>>()
    });
    progress.finish();
    let files = games?.into_iter().flatten().collect::<Vec<_>>();
    NewFolder::beside(folder)
        .and_then(|new| new.write_all(&files)?.put())
        .map_err(|error| Failure::of_place(anyhow::Error::new(error).context(format!("cannot write {shown}"))))?;
    if let Some((first, _)) = files.first().filter(|_| !host.quiet) {
        let path = folder.join(first);
        say(&format!(
            "{} in {shown}; `{}` goes through one",
            counted(files.len() as u64, "game"),
            command("mahbusa analyze-game", &path)
        ));
    }
    Ok(())
}

/// The files of both games of a pair: their names and what is in them.
fn games_of_pair(
    contest: Contest<'_>,
    [player, opponent]: [&Seat; 2],
    number: u64,
    counted: &Pair,
    workspace: &mut Workspace,
) -> Result<[(String, Vec<u8>); 2], Failure> {
    let (pair, [opened, answered]) = contest.show_pair(number, workspace);
    if pair != *counted {
        return Err(Failure::Io(anyhow::anyhow!(
            "pair {number} goes otherwise now than it was counted, as saved games of another kind of processor may: no games are recorded"
        )));
    }
    let dice = DiceSource::Pair { seed: contest.seed, pair: number };
    let head = || Head { rules: contest.rules, length: 0, dice, white: player.clone(), black: opponent.clone() };
    Ok([
        (format!("pair-{number:06}-a.jsonl"), write_game(head(), Side::White, &opened)?.into_bytes()),
        (format!("pair-{number:06}-b.jsonl"), write_game(head(), Side::Black, &answered)?.into_bytes()),
    ])
}
