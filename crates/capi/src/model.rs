use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use mahbusa_exact::{Cache, Endings};
use mahbusa_net::{NetFile, NetFileError, OUTCOMES, Outcomes};
use mahbusa_players::{Aim, Level, MatchTable, NetPlayer, Ply, Rated, Search, TurnNoise, Workspace};
use mahbusa_rules::{Board, POINTS, Position, PositionPlay, Roll, Rules};

use crate::fault::Fault;
use crate::types::{CBoard, CModelInfo, CRankedPlay, MAHBUSA_MAX_PLY, field};

/// The net in a folder of a release.
const NET: &str = "net.mnet";

/// Boards that are converted before they are evaluated; few, so that they stay in the cache of the processor.
const CHUNK: usize = 256;

/// The file that a path means: itself, or the one of this name in a folder.
pub(crate) fn file_at(path: &Path, name: &str) -> PathBuf {
    if path.is_dir() { path.join(name) } else { path.to_owned() }
}

/// The bear-off table, read or built now, kept in this folder if there is one.
pub(crate) fn endings(folder: Option<&Path>) -> Result<Arc<Endings>, Fault> {
    let endings = Endings::new(folder.map_or_else(Cache::none, Cache::at));
    // Threads of our own, which are gone afterwards: those of the host are not ours to start.
    let threads = rayon::ThreadPoolBuilder::new().build().map_err(Fault::internal)?;
    threads.install(|| endings.table());
    Ok(Arc::new(endings))
}

/// A net that many threads may ask at a time.
pub(crate) struct Model {
    rules: Rules,
    games: u64,
    hash: String,
    hidden: usize,
    second: usize,
    searches: [Search; Ply::ALL.len()],
    /// Computed when a position of a match is first ranked.
    matches: OnceLock<MatchTable>,
}

/// Memory that is used again from call to call, one a thread.
#[derive(Default)]
pub(crate) struct Desk {
    boards: Vec<Board>,
    afterstates: Vec<Board>,
    workspace: Workspace,
}

/// Where the results of a batch go.
pub(crate) struct Answers<'a> {
    /// Five a board.
    pub outcomes: Option<&'a mut [MaybeUninit<f32>]>,
    /// One a board.
    pub equities: Option<&'a mut [MaybeUninit<f32>]>,
}

/// The plays of a turn as a level sees them, the best first.
pub(crate) struct Ranking {
    pub plays: Vec<CRankedPlay>,
    /// The place of the one that it takes.
    pub chosen: usize,
}

impl Model {
    /// Reads the file at a path, or `net.mnet` in the folder there.
    pub fn open(path: &Path, endings: Option<&Arc<Endings>>) -> Result<Model, Fault> {
        let path = file_at(path, NET);
        match NetFile::read(&path) {
            Ok(net) => Ok(Model::new(&net, endings)),
            Err(NetFileError::Io(error)) => Err(Fault::unread(&path, &error)),
            Err(error) => Err(Fault::file(path.display(), error)),
        }
    }

    /// Out of the bytes of a file.
    pub fn from_bytes(bytes: &[u8], endings: Option<&Arc<Endings>>) -> Result<Model, Fault> {
        let net = NetFile::from_bytes(bytes).map_err(|error| Fault::file("bytes", error))?;
        Ok(Model::new(&net, endings))
    }

    fn new(net: &NetFile, endings: Option<&Arc<Endings>>) -> Model {
        let player = NetPlayer::new(&net.weights);
        let player = match endings {
            Some(endings) => player.with_endings(Arc::clone(endings)),
            None => player,
        };
        Model {
            rules: net.rules,
            games: net.games,
            hash: net.hash(),
            hidden: net.weights.shape.hidden,
            second: net.weights.shape.second,
            searches: Ply::ALL.map(|ply| Search::new(player.clone(), ply)),
            matches: OnceLock::new(),
        }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub fn info(&self) -> CModelInfo {
        CModelInfo {
            games: self.games,
            hidden: self.hidden as u32,
            second: self.second as u32,
            mother: self.rules.mother().into(),
            checkers: self.rules.checkers(),
            hash: field(&self.hash),
        }
    }

    /// What boards are worth to the side to roll, looking so deep.
    pub fn evaluate(
        &self,
        ply: Ply,
        boards: &[CBoard],
        mut answers: Answers<'_>,
        desk: &mut Desk,
    ) -> Result<(), Fault> {
        let search = self.search(ply);
        for (number, chunk) in boards.chunks(CHUNK).enumerate() {
            let begin = number * CHUNK;
            desk.boards.clear();
            for (index, board) in chunk.iter().enumerate() {
                let board = board.raw().board(self.rules);
                let at = begin + index;
                desk.boards.push(board.map_err(|error| Fault::position(format!("board number {at}: {error}")))?);
            }
            let Desk { boards, workspace, .. } = desk;
            // How the side that is not to roll has ended the game already: by its last checker, or by a pin on the start of the other.
            let over = |board: &Board| {
                let perhaps = board.their_off() == self.rules.checkers() || board.my_trapped() >> (POINTS - 1) == 1;
                let ending = if perhaps { board.flip().ending(self.rules) } else { None };
                ending.map(|ending| Outcomes::certain(ending.outcome()).flip())
            };
            if ply == Ply::One {
                let thought = search.net().evaluate_all(boards, workspace);
                for (index, (outcomes, board)) in thought.zip(boards.iter()).enumerate() {
                    answers.write(begin + index, &over(board).unwrap_or(outcomes));
                }
            } else {
                for (index, board) in boards.iter().enumerate() {
                    let outcomes =
                        over(board).unwrap_or_else(|| search.evaluate(self.rules, board, Aim::Points, workspace));
                    answers.write(begin + index, &outcomes);
                }
            }
        }
        Ok(())
    }

    /// What the net thinks of the legal plays of a position, looking so deep, the best first.
    pub fn rank(
        &self,
        ply: Ply,
        position: &Position,
        plays: &[PositionPlay],
        desk: &mut Desk,
    ) -> Result<Vec<CRankedPlay>, Fault> {
        let aim = self.aim(position)?;
        let rated = self.rate(ply, position, plays, aim, desk);
        Ok(Rated::order(rated, aim).into_iter().map(|at| CRankedPlay::new(&plays[at], &rated[at], aim)).collect())
    }

    /// The same as a level sees them for which this is the net, and which of them it takes.
    pub fn rank_at(
        &self,
        level: &Level,
        seed: u64,
        position: &Position,
        plays: &[PositionPlay],
        desk: &mut Desk,
    ) -> Result<Ranking, Fault> {
        let aim = self.aim(position)?;
        let noise = TurnNoise::new(seed, position.rules, &position.board, in_turn(position)?);
        let rated = self.rate(level.ply, position, plays, aim, desk).to_vec();
        let taken = level.pick(&noise, &desk.afterstates, &rated, aim);
        let order = Rated::order(&rated, aim);
        Ok(Ranking {
            chosen: order.iter().take_while(|&&at| at != taken).count(),
            plays: order.into_iter().map(|at| CRankedPlay::new(&plays[at], &rated[at], aim)).collect(),
        })
    }

    fn rate<'a>(
        &self,
        ply: Ply,
        position: &Position,
        plays: &[PositionPlay],
        aim: Aim,
        desk: &'a mut Desk,
    ) -> &'a [Rated] {
        let Desk { afterstates, workspace, .. } = desk;
        afterstates.clear();
        afterstates.extend(plays.iter().map(|play| play.position.board.flip()));
        self.search(ply).rate(position.rules, &position.board, afterstates, aim, workspace)
    }

    /// The chance of the side in turn to win the match if the game ends with these outcomes.
    pub fn match_chance(&self, position: &Position, outcomes: &Outcomes) -> Result<f32, Fault> {
        match self.aim(position)? {
            Aim::Match(stakes) => Ok(stakes.chance(outcomes)),
            Aim::Points => Err(Fault::play("expected a position of a match: this is a single game")),
        }
    }

    /// What the side in turn wants: points, or to win the match.
    pub fn aim(&self, position: &Position) -> Result<Aim, Fault> {
        if position.rules != self.rules {
            return Err(Fault::mismatch(format!("the net was trained on {}, not on {}", self.rules, position.rules)));
        }
        if position.score.length() == 0 {
            return Ok(Aim::Points);
        }
        let net = self.search(Ply::One).net();
        let table = self.matches.get_or_init(|| MatchTable::new(&net.evaluate(&Board::start(self.rules))));
        table.stakes(position.score, position.turn).map(Aim::Match).ok_or_else(|| {
            Fault::position(format!(
                "position, field score: expected a match to at most {} points",
                MatchTable::LONGEST
            ))
        })
    }

    fn search(&self, ply: Ply) -> &Search {
        &self.searches[usize::from(ply.number() - 1)]
    }
}

impl Answers<'_> {
    fn write(&mut self, index: usize, outcomes: &Outcomes) {
        if let Some(all) = &mut self.outcomes {
            let slots = &mut all[index * OUTCOMES..(index + 1) * OUTCOMES];
            for (slot, &probability) in slots.iter_mut().zip(outcomes.probabilities()) {
                slot.write(probability);
            }
        }
        if let Some(all) = &mut self.equities {
            all[index].write(outcomes.equity());
        }
    }
}

/// The legal plays of a position in which there is something to be played.
pub(crate) fn plays(position: &Position) -> Result<Vec<PositionPlay>, Fault> {
    in_turn(position)?;
    Ok(position.plays())
}

/// The dice that are to be played; refuses a position in which nobody is to play.
pub(crate) fn in_turn(position: &Position) -> Result<Roll, Fault> {
    if position.ending().is_some() {
        return Err(Fault::play("expected a position whose game goes on: this one is over"));
    }
    position.dice.ok_or_else(|| Fault::play("expected a position with dice: they are still to be rolled"))
}

/// Outcomes out of five numbers.
pub(crate) fn outcomes(numbers: &[f32]) -> Result<Outcomes, Fault> {
    /// By how much their sum may be off 1, by rounding.
    const SLACK: f32 = 1e-3;
    // No number at all is not in the range either.
    if let Some(wrong) = numbers.iter().find(|number| !(0.0..=1.0).contains(*number)) {
        return Err(Fault::argument(format!("outcomes: expected probabilities, 0 to 1, found {wrong}")));
    }
    let sum: f32 = numbers.iter().sum();
    if (sum - 1.0).abs() > SLACK {
        return Err(Fault::argument(format!("outcomes: expected probabilities whose sum is 1, found the sum {sum}")));
    }
    Ok(Outcomes::new(std::array::from_fn(|i| numbers[i])))
}

/// How deep, as a number.
pub(crate) fn ply(number: u32) -> Result<Ply, Fault> {
    Ply::ALL
        .into_iter()
        .find(|ply| u32::from(ply.number()) == number)
        .ok_or_else(|| Fault::argument(format!("ply: expected 1 to {MAHBUSA_MAX_PLY}, found {number}")))
}
