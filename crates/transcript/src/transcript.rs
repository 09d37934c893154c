use mahbusa_net::possible;
use mahbusa_players::{GameDice, OpeningRoll};
use mahbusa_rules::{
    Board, Ending, MatchOutcome, MatchScore, Outcome, Play, Position, PositionPlay, Roll, Side, opener, quoted,
};
use serde::{Deserialize, Serialize};

use crate::lines::{BackLine, EndLine, GameLine, Line, TurnLine};
use crate::{DiceSource, Head};

/// A match, turn by turn. Nothing gets into it that the rules, the dice and the score do not allow.
#[derive(Clone, Debug)]
pub struct Transcript {
    head: Head,
    games: Vec<Game>,
    /// The dice of the last game, if they follow from a seed.
    dice: Option<GameDice>,
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its number in the match, from 1.
    pub number: u32,
    /// The score that it began with.
    pub score: MatchScore,
    /// White's die and Black's of each throw of the opening roll; none if the winner of the last game opens.
    pub opening: Vec<[u8; 2]>,
    /// Who has the first turn.
    pub opener: Side,
    /// What was played and not taken back.
    pub turns: Vec<Turn>,
    /// Turns that were played and taken back.
    pub taken_back: u32,
    /// How it ended, if it has.
    pub end: Option<GameEnd>,
}

/// A turn that was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The position with its dice.
    pub position: Position,
    /// What was played, and what that led to.
    pub played: PositionPlay,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    /// In which way.
    pub how: How,
    /// Who won it; `None` for a draw.
    pub winner: Option<Side>,
    /// Points that it brought, 0..=2.
    pub points: u8,
}

/// In which way a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Both starts are pinned.
    Draw,
    /// Won by one point.
    Single,
    /// Won by mars.
    Mars,
    /// Won by pinning the mother.
    Mother,
    /// Given up.
    Resigned,
}

/// What comes next in a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Now {
    /// A game is to begin.
    Begin,
    /// A position is to be played; without dice if they are thrown elsewhere.
    Play(Position),
    /// The last turn has ended the game, which is to be written down.
    End(GameEnd),
    /// The match is over; `None` is a drawn single game.
    Over(Option<Side>),
}

impl GameEnd {
    /// By the last play of a side.
    fn by_play(ending: Ending, side: Side) -> GameEnd {
        let how = match ending {
            Ending::Draw => How::Draw,
            Ending::Single => How::Single,
            Ending::Mars => How::Mars,
            Ending::Mother => How::Mother,
        };
        let points = ending.points().unsigned_abs();
        GameEnd { how, winner: (points > 0).then_some(side), points }
    }

    /// The outcome for a side.
    pub fn outcome(self, side: Side) -> Outcome {
        let outcome = match self.points {
            0 => Outcome::Draw,
            1 => Outcome::Win1,
            _ => Outcome::Win2,
        };
        if self.winner == Some(side) { outcome } else { outcome.flip() }
    }
}

impl Game {
    /// The position after the turns played, without dice.
    pub fn position(&self, head: &Head) -> Position {
        let start = Position {
            board: Board::start(head.rules),
            turn: self.opener,
            score: self.score,
            ..Position::start(head.rules)
        };
        self.turns.last().map_or(start, |turn| turn.played.position)
    }

    /// Where the match stands after the game, if it has ended.
    pub fn after(&self) -> Option<MatchOutcome> {
        Some(self.score.after(Side::White, self.end?.outcome(Side::White)))
    }
}

impl Transcript {
    /// A match that is to begin.
    pub fn new(head: Head) -> Transcript {
        Transcript { head, games: Vec::new(), dice: None }
    }

    /// What the match is.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The games, the last of which may be going on.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// What comes next.
    pub fn now(&self) -> Now {
        let Some(game) = self.games.last() else { return Now::Begin };
        match game.after() {
            Some(MatchOutcome::Over(winner)) => return Now::Over(winner),
            Some(MatchOutcome::GoesOn { .. }) => return Now::Begin,
            None => {}
        }
        match game.turns.last() {
            Some(Turn { position, played: PositionPlay { ending: Some(ending), .. } }) => {
                Now::End(GameEnd::by_play(*ending, position.turn))
            }
            _ => Now::Play(Position { dice: self.roll(), ..game.position(&self.head) }),
        }
    }

    /// The points of a side, those of the games that have ended.
    pub fn points(&self, side: Side) -> u32 {
        let ends = self.games.iter().filter_map(|game| game.end);
        ends.filter(|end| end.winner == Some(side)).map(|end| u32::from(end.points)).sum()
    }

    /// What a side would lose by giving the game up: two points, unless it cannot lose two any more.
    pub fn price_of_resigning(&self, side: Side) -> u8 {
        let Some(game) = self.games.last() else { return 0 };
        let position = game.position(&self.head);
        let board = if position.turn == side { position.board } else { position.board.flip() };
        if possible(&board) >> Outcome::Lose2.index() & 1 == 1 { 2 } else { 1 }
    }

    /// The turn, from 1, that a side would take back to play otherwise: its last one that left a choice. `None` if there is none in this game.
    pub fn last_choice(&self, side: Side) -> Option<u32> {
        let game = self.games.last().filter(|game| game.end.is_none())?;
        let choice = |turn: &Turn| turn.position.turn == side && turn.position.plays().len() > 1;
        game.turns.iter().rposition(choice).map(|index| index as u32 + 1)
    }

    /// The line of the game that is to begin.
    pub(crate) fn game_line(&self) -> GameLine {
        let number = self.games.len() as u32 + 1;
        let opener_known = match self.games.last().and_then(Game::after) {
            Some(MatchOutcome::GoesOn { opener, .. }) => opener,
            _ => None,
        };
        let rolled = opener_known.is_none().then(|| self.head.dice.opening(number)).flatten();
        let throws = rolled.iter().flat_map(OpeningRoll::throws);
        GameLine {
            game: number,
            opening: throws.map(|[white, black]| format!("{white}{black}")).collect(),
            opener: opener_known.or(rolled.as_ref().map(|rolled| rolled.opener)).unwrap_or(Side::White).into(),
        }
    }

    /// The line of a play.
    pub(crate) fn turn_line(&self, position: &Position, play: Play) -> TurnLine {
        let turns = self.games.last().map_or(0, |game| game.turns.len());
        TurnLine { turn: turns as u32 + 1, position: position.to_string(), play: play.to_string() }
    }

    /// The line of an end.
    pub(crate) fn end_line(&self, end: GameEnd) -> EndLine {
        let points = |side| {
            let of_this = if end.winner == Some(side) { u32::from(end.points) } else { 0 };
            u16::try_from(self.points(side) + of_this).unwrap_or(u16::MAX)
        };
        EndLine {
            end: end.how,
            winner: end.winner.map(Into::into),
            points: end.points,
            white: points(Side::White),
            black: points(Side::Black),
        }
    }

    /// Takes a line, if it may follow, and what must follow it; the text of all that.
    pub(crate) fn add(&mut self, line: &Line) -> Result<String, String> {
        self.take(line)?;
        Ok(line.write() + &self.settle()?)
    }

    /// Takes what must follow now, whoever plays; the text of it.
    pub(crate) fn settle(&mut self) -> Result<String, String> {
        let mut text = String::new();
        while let Some(line) = self.due() {
            self.take(&line)?;
            text += &line.write();
        }
        Ok(text)
    }

    /// The line that must follow now, whoever plays: the end of a game, the beginning of the next one. Only a seed says who begins a match.
    fn due(&self) -> Option<Line> {
        match self.now() {
            Now::Begin => matches!(self.head.dice, DiceSource::Seed(_)).then(|| Line::Game(self.game_line())),
            Now::End(end) => Some(Line::End(self.end_line(end))),
            Now::Play(_) | Now::Over(_) => None,
        }
    }

    /// Takes a line, if it may follow.
    pub(crate) fn take(&mut self, line: &Line) -> Result<(), String> {
        match line {
            Line::Game(line) => self.take_game(line),
            Line::Turn(line) => self.take_turn(line),
            Line::Back(line) => self.take_back(line),
            Line::End(line) => self.take_end(line),
        }
    }

    fn take_game(&mut self, line: &GameLine) -> Result<(), String> {
        if self.now() != Now::Begin {
            return Err(self.unexpected("game"));
        }
        let expected = self.game_line();
        if line.game != expected.game {
            return Err(format!("game: expected {}, found {}", expected.game, line.game));
        }
        let after = self.games.last().and_then(Game::after);
        let (score, opener_known) = match after {
            Some(MatchOutcome::GoesOn { score, opener }) => (score, opener),
            _ => (MatchScore::new(0, 0, self.head.length).unwrap_or(MatchScore::SINGLE_GAME), None),
        };
        let opening: Vec<[u8; 2]> = line.opening.iter().map(|text| throw(text)).collect::<Result<_, _>>()?;
        let differs =
            |index: usize, [white, black]: [u8; 2]| opener(white, black).is_some() == (index + 1 == opening.len());
        if !opening.iter().enumerate().all(|(index, &throw)| differs(index, throw)) {
            return Err("opening: expected throws of equal dice, then one of different dice".to_owned());
        }
        if self.head.dice != DiceSource::Elsewhere && line.opening != expected.opening {
            return Err(format!("opening: expected {:?} by the seed, found {:?}", expected.opening, line.opening));
        }
        if opener_known.is_some() && !opening.is_empty() {
            return Err("opening: expected no throws, since the winner of the last game opens".to_owned());
        }
        let rolled = opening.last().and_then(|&[white, black]| opener(white, black));
        if let Some(opens) = opener_known.or(rolled).filter(|&opens| opens != line.opener.into()) {
            return Err(format!("opener: expected {}", opens.to_string().to_lowercase()));
        }
        self.dice = self.head.dice.of_game(line.game);
        let opener = line.opener.into();
        self.games.push(Game {
            number: line.game,
            score,
            opening,
            opener,
            turns: Vec::new(),
            taken_back: 0,
            end: None,
        });
        self.throw();
        Ok(())
    }

    fn take_turn(&mut self, line: &TurnLine) -> Result<(), String> {
        let (Now::Play(mut expected), Some(game)) = (self.now(), self.games.last()) else {
            return Err(self.unexpected("turn"));
        };
        let turn = game.turns.len() as u32 + 1;
        if line.turn != turn {
            return Err(format!("turn: expected {turn}, found {}", line.turn));
        }
        let position: Position = line.position.parse().map_err(|error| format!("{error}"))?;
        if position.dice.is_none() {
            return Err("position, field dice: expected two dice, found `-`".to_owned());
        }
        expected.dice = expected.dice.or(position.dice);
        if position != expected {
            return Err(format!("position: expected {expected}, found {position}"));
        }
        let play: Play = line.play.parse().map_err(|error| format!("play: {error}"))?;
        let played = position.find_play(play).map_err(|error| format!("play: {error}"))?;
        if let Some(game) = self.games.last_mut() {
            game.turns.push(Turn { position, played });
        }
        self.throw();
        Ok(())
    }

    fn take_back(&mut self, line: &BackLine) -> Result<(), String> {
        match self.games.last_mut().filter(|game| game.end.is_none()) {
            Some(game) if (1..=game.turns.len()).contains(&(line.back as usize)) => {
                let left = line.back as usize - 1;
                game.taken_back += (game.turns.len() - left) as u32;
                game.turns.truncate(left);
                Ok(())
            }
            _ => Err(format!("back: expected a turn of a game that goes on, found {}", line.back)),
        }
    }

    fn take_end(&mut self, line: &EndLine) -> Result<(), String> {
        let winner = line.winner.map(Side::from);
        let end = match (self.now(), winner) {
            (Now::End(end), _) => end,
            (Now::Play(_), Some(winner)) if line.end == How::Resigned => {
                GameEnd { how: How::Resigned, winner: Some(winner), points: self.price_of_resigning(winner.other()) }
            }
            _ => return Err(self.unexpected("end")),
        };
        let expected = self.end_line(end);
        if *line != expected {
            let shown = Line::End(expected).write();
            return Err(format!("end: expected {}", shown.trim_end()));
        }
        if let Some(game) = self.games.last_mut() {
            game.end = Some(end);
        }
        Ok(())
    }

    /// The roll of the turn to come; thrown already, since that is done whenever a turn has been added.
    fn roll(&self) -> Option<Roll> {
        self.dice.as_ref()?.rolled(self.games.last()?.turns.len())
    }

    /// Throws the dice of the turn to come.
    fn throw(&mut self) {
        let turn = self.games.last().map_or(0, |game| game.turns.len());
        if let Some(dice) = &mut self.dice {
            dice.roll(turn);
        }
    }

    fn unexpected(&self, found: &str) -> String {
        let expected = match self.now() {
            Now::Begin => "a line with `game`",
            Now::Play(_) => "a line with `turn`",
            Now::End(_) => "a line with `end`",
            Now::Over(_) => "nothing after the end of the match",
        };
        format!("expected {expected}, found `{found}`")
    }
}

/// Reads a throw of the opening roll.
fn throw(text: &str) -> Result<[u8; 2], String> {
    match text.as_bytes() {
        &[white @ b'1'..=b'6', black @ b'1'..=b'6'] => Ok([white - b'0', black - b'0']),
        _ => Err(format!("opening: expected White's die and Black's such as `62`, found {}", quoted(text))),
    }
}
