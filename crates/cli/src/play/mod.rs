//! `mahbusa play`: a match against a net in the terminal.

mod command;
mod screen;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use mahbusa_net::NetFile;
use mahbusa_players::Ply;
use mahbusa_rules::{OpenTurn, Play, Position, PositionPlay, Rules, Side};
use mahbusa_transcript::{DiceSource, Head, Judge, NetSeat, Now, Opponent, Rescue, Seat, TranscriptFile, read};

use crate::args::{LevelFileArgs, PlayArgs, SideArg};
use crate::failure::Failure;
use crate::model::{self, Found, Manner, called, net_seat};
use crate::stream::next_line;
use crate::words::{command, counted};
use crate::{interrupt, level};

use self::command::{Command, HELP};
use screen::{Screen, dice, ended, hints, log, numbered};

/// Plays that a hint shows.
const HINTS: usize = 5;

/// What the person at the keyboard is called.
const YOU: &str = "you";

/// `mahbusa play`.
pub fn play(args: &PlayArgs) -> Result<(), Failure> {
    let mut session = match &args.resume {
        Some(path) => resumed(path, args)?,
        None => begun(args)?,
    };
    let place = Arc::clone(&session.place);
    interrupt::ends_saying(move || {
        let place = place.lock().unwrap_or_else(PoisonError::into_inner);
        format!("\n{}", saved(&place))
    });
    session.run()
}

/// What is said when a match is left.
fn saved(path: &Path) -> String {
    format!("saved in {}; `{}` goes on", path.display(), command("mahbusa play --resume", path))
}

/// A match that begins.
fn begun(args: &PlayArgs) -> Result<Session, Failure> {
    let model = model::or_released(args.model.as_deref(), args.rules.unwrap_or(Rules::MAHBUSA));
    let found = model::find(model)?;
    let rules = args.rules.unwrap_or(found.net.rules);
    model::check_rules(found.net.rules, rules, args.force_rules).map_err(Failure::usage)?;
    let called = called(model);
    let adviser = Judge::new(model::player(&found.net), Ply::Two, rules);
    let (net, seat, name) = match args.level {
        None => {
            let seat = net_seat(model, &found.net, args.ply, None);
            let name = Manner::Ply(args.ply).called(&called);
            (found.net, seat, name)
        }
        Some(number) => {
            let (net, level) = level::find(model, number, &args.level_files)?;
            let seat = net_seat(model, &net, level.ply, Some(&level));
            (net, seat, Manner::Level(number, level.ply).called(&called))
        }
    };
    let you = match args.side {
        SideArg::White => Side::White,
        SideArg::Black => Side::Black,
    };
    let seed = args.seed.unwrap_or_else(new_seed);
    let opponent = opponent(&net, &seat, rules, seed);
    let [yours, theirs] = [Seat { name: YOU.to_owned(), net: None }, Seat { name, net: Some(seat) }];
    let [white, black] = if you == Side::White { [yours, theirs] } else { [theirs, yours] };
    let head = Head { rules, length: args.length, dice: DiceSource::Seed(seed), white, black };
    let file = match &args.save {
        Some(path) => TranscriptFile::create(path, head)?,
        None => create_somewhere(head, seed)?,
    };
    let screen = Screen::new(args.ascii);
    screen.say(&welcome(&file, seed))?;
    let place = Arc::new(Mutex::new(file.path().to_owned()));
    Ok(Session { file, place, you, adviser, opponent, screen, told: Told::default() })
}

/// A match that goes on.
fn resumed(path: &Path, args: &PlayArgs) -> Result<Session, Failure> {
    let shown = path.display();
    // Nothing is written before it is known that the match can go on.
    let transcript = read(path)?;
    let head = transcript.head();
    let (you, seat) = match (&head.white.net, &head.black.net) {
        (None, Some(net)) => (Side::White, net),
        (Some(net), None) => (Side::Black, net),
        _ => return Err(Failure::usage(format!("{shown} is no match of a person against a net"))),
    };
    let seed = match head.dice {
        DiceSource::Seed(seed) => seed,
        DiceSource::Pair { .. } => {
            return Err(Failure::usage(format!("{shown} is a game of a measurement, which nobody plays on")));
        }
        DiceSource::Elsewhere => {
            return Err(Failure::usage(format!(
                "{shown}: its dice were not thrown by this program, which cannot go on with them"
            )));
        }
    };
    let found = model::find(model::or_released(args.model.as_deref().or(seat.model.as_deref()), head.rules))?;
    let full = model::player(&found.net);
    let net = net_of_match(&found, seat, &args.level_files).map_err(|failure| failure.about(shown.to_string()))?;
    let opponent = opponent(&net, seat, head.rules, seed);
    let adviser = Judge::new(full, Ply::Two, head.rules);
    let file = TranscriptFile::open(path)?;
    let told = Told { begun: 0, ended: file.transcript().games().len().saturating_sub(1) };
    let screen = Screen::new(args.ascii);
    screen.say(&welcome(&file, seed))?;
    let place = Arc::new(Mutex::new(file.path().to_owned()));
    Ok(Session { file, place, you, adviser, opponent, screen, told })
}

/// What is said first.
fn welcome(file: &TranscriptFile, seed: u64) -> String {
    let Head { rules, length, .. } = file.transcript().head();
    let what = match length {
        0 => "a single game".to_owned(),
        length => format!("a match to {}", counted(*length, "point")),
    };
    let path = file.path().display();
    format!(
        "{rules}, {what}, seed {seed}; saved in {path}\n\
         You move from your 24-point, top right, to your home, bottom right, and off.\n\
         `help` says what can be typed."
    )
}

/// The net that plays a match: the model, or the small one beside it.
fn net_of_match(found: &Found, seat: &NetSeat, files: &LevelFileArgs) -> Result<NetFile, Failure> {
    model::net_of_seat(found, seat, files.small.as_deref()).ok_or_else(|| {
        Failure::usage(format!(
            "the match is played by the net {}, and the model is the net {}; --model MODEL names another",
            seat.sha256,
            found.net.hash()
        ))
    })
}

fn opponent(net: &NetFile, seat: &NetSeat, rules: Rules, seed: u64) -> Opponent {
    Opponent::new(Judge::new(model::player(net), seat.ply, rules), seat.as_level(), seed)
}

/// Another seed each time, short enough to be typed.
fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    (now / 1000 % 1_000_000_000) as u64
}

/// The file of a match that was given none.
fn create_somewhere(head: Head, seed: u64) -> Result<TranscriptFile, Failure> {
    let folder = PathBuf::from("games");
    std::fs::create_dir_all(&folder).map_err(|error| {
        Failure::Io(anyhow::Error::new(error).context("cannot create the folder games; --save FILE names a file"))
    })?;
    let free = (1..)
        .map(|number| match number {
            1 => folder.join(format!("{}-{seed}.jsonl", head.rules)),
            _ => folder.join(format!("{}-{seed}-{number}.jsonl", head.rules)),
        })
        .find(|path| !path.exists());
    Ok(TranscriptFile::create(&free.unwrap_or_default(), head)?)
}

/// A match that is being played.
struct Session {
    file: TranscriptFile,
    /// Where the file is, for who ends the process.
    place: Arc<Mutex<PathBuf>>,
    you: Side,
    /// Who gives hints.
    adviser: Judge,
    opponent: Opponent,
    screen: Screen,
    told: Told,
}

/// What has been said of the games.
#[derive(Default)]
struct Told {
    /// Games whose beginning was.
    begun: usize,
    /// Games whose end was.
    ended: usize,
}

/// Whether the player goes on.
enum Next {
    Turn,
    Leave,
}

impl Session {
    /// Looks after the file, which somebody else may have touched; where it is.
    fn keep(&mut self) -> Result<PathBuf, Failure> {
        let rescue = self.file.keep()?;
        let path = self.file.path().to_owned();
        let shown = path.display();
        if let Some(rescue) = rescue {
            self.place.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&path);
            self.screen.say(&match rescue {
                Rescue::Restored => format!("{shown} was gone: the whole match has been written there again"),
                Rescue::Moved { from } => format!(
                    "{} was changed by somebody else and is left alone: the whole match is in {shown} now",
                    from.display()
                ),
            })?;
        }
        Ok(path)
    }

    /// Plays until the match is over or the player leaves.
    fn run(&mut self) -> Result<(), Failure> {
        let mut input = io::stdin().lock();
        let transcript = self.file.transcript();
        if let Now::Play(position) = transcript.now()
            && let Some(text) = self.screen.too_narrow(transcript.head(), &position, self.you)
        {
            self.screen.say(&text)?;
        }
        loop {
            let path = self.keep()?;
            self.tell()?;
            let position = match self.file.transcript().now() {
                Now::Play(position) => position,
                Now::Over(_) | Now::Begin | Now::End(_) => {
                    let analyze = command("mahbusa analyze-game", &path);
                    self.screen.say(&format!("saved in {}; `{analyze}` goes through it", path.display()))?;
                    return Ok(());
                }
            };
            if position.turn != self.you {
                self.answer(&position)?;
            } else if let Next::Leave = self.your_turn(&position, &mut input)? {
                let path = self.keep()?;
                self.screen.say(&saved(&path))?;
                return Ok(());
            }
        }
    }

    /// Says which games have ended and begun since.
    fn tell(&mut self) -> Result<(), Failure> {
        let transcript = self.file.transcript();
        let head = transcript.head();
        for game in &transcript.games()[self.told.ended..] {
            let points = [self.you, self.you.other()].map(|side| transcript.points(side));
            if let Some(text) = ended(head, game, self.you, points) {
                // Of a game that was given up the board has just been seen.
                if let Some(position) =
                    game.turns.last().map(|turn| turn.played.position).filter(|last| last.ending().is_some())
                {
                    self.screen.show(&self.screen.board(head, &position, self.you))?;
                }
                self.screen.say(&text)?;
                self.told.ended += 1;
            }
        }
        if let Some(game) = transcript.games().last().filter(|game| game.number as usize > self.told.begun) {
            self.told.begun = game.number as usize;
            if game.end.is_none() {
                self.screen.say(&screen::begins(game, self.you))?;
            }
        }
        Ok(())
    }

    /// The net plays.
    fn answer(&mut self, position: &Position) -> Result<(), Failure> {
        let game = self.file.transcript().games().len() as u32;
        let Some(chosen) = self.opponent.choose(position, game) else {
            return Err(Failure::Io(anyhow::anyhow!("the net finds no play in {position}, which has dice")));
        };
        self.file.play(chosen.play)?;
        let played = match chosen.play {
            Play::PASS => "cannot move".to_owned(),
            play => position.display(play),
        };
        self.screen.say(&format!("{} rolls {}: {played}", position.turn, dice(position)))?;
        Ok(())
    }

    /// You play.
    fn your_turn(&mut self, position: &Position, input: &mut impl io::BufRead) -> Result<Next, Failure> {
        let Some(start) = position.open_turn().filter(|turn| !turn.is_complete()) else {
            self.file.play(Play::PASS)?;
            self.screen.say(&format!("You roll {} and cannot move.", dice(position)))?;
            return Ok(Next::Turn);
        };
        let plays = position.plays();
        let mut turn = start.clone();
        self.show(position, &plays, &turn)?;
        loop {
            if turn.is_complete() {
                // People take steps in any order; written is the first in wire order that leads there.
                let made = position.find_play(turn.play()).map_err(|error| Failure::Io(error.into()))?;
                self.file.play(made.play)?;
                self.screen.say(&format!("You play {}", position.display(made.play)))?;
                return Ok(Next::Turn);
            }
            self.screen.ask()?;
            let Some(line) = next_line(input, "a move or a command")? else {
                self.screen.nothing_typed()?;
                return Ok(Next::Leave);
            };
            let command = match line.and_then(|line| line.parse::<Command>()) {
                Ok(command) => command,
                Err(error) => {
                    self.screen.say(&error)?;
                    continue;
                }
            };
            match command {
                Command::Nothing => match &plays[..] {
                    [only] => turn = whole(&start, only.play).unwrap_or(turn),
                    plays => {
                        let plays = counted(plays.len() as u64, "play");
                        self.screen.say(&format!("{plays}; `moves` lists them, `help` says more"))?;
                    }
                },
                Command::Steps(text) => match turn.typed(&text) {
                    Ok(longer) => {
                        turn = longer;
                        if !turn.is_complete() {
                            self.show(position, &plays, &turn)?;
                        }
                    }
                    Err(error) => self.screen.say(&error.to_string())?,
                },
                Command::Number(number) => {
                    let play = number.checked_sub(1).and_then(|index| plays.get(index)).map(|legal| legal.play);
                    match play.and_then(|play| whole(&start, play)) {
                        Some(made) => turn = made,
                        None => {
                            let plays = plays.len();
                            self.screen.say(&format!("expected a number from 1 to {plays}, as `moves` lists them"))?;
                        }
                    }
                }
                Command::Hint => {
                    let aim = self.adviser.aim(position.score, position.turn);
                    let ranked = self.adviser.ranked(position);
                    self.screen.say(&hints(position, &ranked, aim, HINTS))?;
                }
                Command::Undo => match turn.undo() {
                    Some(_) => self.show(position, &plays, &turn)?,
                    None => match self.file.transcript().last_choice(self.you) {
                        Some(number) => {
                            self.file.take_back(number)?;
                            self.screen.say("Taken back: your last turn, and what followed.")?;
                            return Ok(Next::Turn);
                        }
                        None => self.screen.say("there is no turn of yours in this game to take back")?,
                    },
                },
                Command::Board => self.show(position, &plays, &turn)?,
                Command::Moves if turn.play() == Play::PASS => self.screen.say(&numbered(position, &plays))?,
                Command::Moves => self.screen.say(&format!("next: {}", next_steps(&turn)))?,
                Command::Pips => {
                    let board = position.board;
                    self.screen.say(&format!("pips: you {}, they {}", board.my_pips(), board.their_pips()))?;
                }
                Command::Position => self.screen.say(&position.to_string())?,
                Command::Log => {
                    let text = self.file.transcript().games().last().map(log).unwrap_or_default();
                    self.screen.say(if text.is_empty() { "nothing has been played in this game" } else { &text })?;
                }
                Command::Save => {
                    let path = self.keep()?;
                    self.screen.say(&saved(&path))?;
                }
                Command::Help => self.screen.say(HELP)?,
                Command::Resign { sure: false } => {
                    let points = self.file.transcript().price_of_resigning(self.you);
                    self.screen.say(&format!(
                        "giving up costs what you can still lose, {points} of 2 points; `resign yes` does it"
                    ))?;
                }
                Command::Resign { sure: true } => {
                    self.file.resign(self.you)?;
                    return Ok(Next::Turn);
                }
                Command::Quit => return Ok(Next::Leave),
            }
        }
    }

    /// Shows the board and what can be done.
    fn show(&self, position: &Position, plays: &[PositionPlay], turn: &OpenTurn) -> Result<(), Failure> {
        let head = self.file.transcript().head();
        self.screen.show(&self.screen.board(head, &Position { board: *turn.board(), ..*position }, self.you))?;
        let text = match (turn.play(), plays) {
            (Play::PASS, [only]) => {
                let play = position.display(only.play);
                format!("You roll {}. The only play is {play}: Enter plays it.", dice(position))
            }
            (Play::PASS, plays) => format!("You roll {}: {}.", dice(position), counted(plays.len() as u64, "play")),
            (taken, _) => format!("You have moved {taken}; next: {}", next_steps(turn)),
        };
        self.screen.say(&text)?;
        Ok(())
    }
}

/// The steps that may follow.
fn next_steps(turn: &OpenTurn) -> String {
    turn.steps().iter().map(|legal| legal.step.to_string()).collect::<Vec<_>>().join(", ")
}

/// A turn with all steps of a legal play.
fn whole(turn: &OpenTurn, play: Play) -> Option<OpenTurn> {
    play.steps().try_fold(turn.clone(), |mut turn, step| turn.take(step).ok().map(|_| turn))
}
