use std::cell::RefCell;
use std::rc::Rc;

use mahbusa_net::Outcomes;
use mahbusa_players::{Aim, Level, LevelNumber, MatchTable, Ply, Rated, Search, TurnNoise, Workspace};
use mahbusa_rules::{Board, Play, Position, PositionPlay, Rules};

use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::level;
use crate::model;
use crate::stream::{Answer, Entry, Object, Value, answer, ending, finished, plays_of};

/// `mahbusa analyze`.
pub fn analyze(args: &AnalyzeArgs) -> Result<(), Failure> {
    let known: RefCell<Vec<(&str, Rc<Analyst>)>> = RefCell::default();
    let analyst = |rules| {
        let name = model::or_released(args.model.as_deref(), rules);
        if let Some((_, analyst)) = known.borrow().iter().find(|(other, _)| *other == name) {
            return Ok(Rc::clone(analyst));
        }
        let analyst = Rc::new(Analyst::new(name, args)?);
        known.borrow_mut().push((name, Rc::clone(&analyst)));
        Ok::<_, Failure>(analyst)
    };
    if args.model.is_some() {
        // What is wrong with it is said before a position is read.
        analyst(Rules::MAHBUSA)?;
    }
    let analyst = |rules| {
        let analyst = analyst(rules)?;
        model::check_rules(analyst.rules, rules, args.force_rules).map_err(Failure::usage)?;
        Ok::<_, Failure>(analyst)
    };
    // Where no position of the command can be answered by its net, it is the command that is wrong.
    let named = args.positions.iter().filter_map(|text| text.trim().parse::<Position>().ok());
    let answered = named
        .map(|position| analyst(position.rules))
        .reduce(|one, other| one.or_else(|first| other.map_err(|_| first)));
    answered.transpose()?;
    answer(&args.positions, args.answer.json, |position| {
        analyst(position.rules).map_err(|failure| failure.to_string())?.analyze(position)
    })
}

/// A net, and what is kept from position to position.
struct Analyst {
    /// The rules that it was trained on.
    rules: Rules,
    player: Search,
    /// How plays are taken, if that is asked.
    doubt: Option<Doubt>,
    /// Whether points count in a match too.
    points: bool,
    /// How many plays are shown.
    best: usize,
    workspace: RefCell<Workspace>,
    /// The match table that was used last, and its game.
    table: RefCell<Option<(Rules, MatchTable)>>,
}

/// A level and its seed.
struct Doubt {
    level: Level,
    seed: u64,
}

impl Analyst {
    fn new(name: &str, args: &AnalyzeArgs) -> Result<Analyst, Failure> {
        let (net, doubt) = match args.level {
            Some(number) => {
                let (net, level) = level::find(name, number, &args.level_files)?;
                (net, Some(Doubt { level, seed: args.seed }))
            }
            None => (model::load(name)?, None),
        };
        let ply = doubt.as_ref().map_or(args.ply, |doubt| doubt.level.ply);
        Ok(Analyst {
            rules: net.rules,
            player: Search::new(model::player(&net), ply),
            doubt,
            points: args.points,
            best: args.best.map_or(usize::MAX, usize::from),
            workspace: RefCell::default(),
            table: RefCell::default(),
        })
    }

    fn analyze(&self, position: &Position) -> Result<Answer, String> {
        if let Some(finished) = finished(position) {
            return Ok(finished);
        }
        let aim = self.aim(position)?;
        let (rules, board) = (position.rules, &position.board);
        let workspace = &mut *self.workspace.borrow_mut();
        if position.dice.is_none() {
            let outcomes = self.player.evaluate(rules, board, aim, workspace);
            return Ok(valued(position, Value::rated(Rated { outcomes, ply: self.player.ply() }, aim)));
        }
        let plays = plays_of(position)?;
        let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
        let rated = self.player.rate(rules, board, &afterstates, aim, workspace);
        let taken = self.doubt.as_ref().zip(position.dice).map(|(doubt, roll)| {
            let noise = TurnNoise::new(doubt.seed, rules, board, roll);
            let index = doubt.level.pick(&noise, &afterstates, rated, aim);
            Taken { level: doubt.level.number, play: plays[index].play }
        });
        Ok(ranked(position, &plays, rated, aim, |rated| Value::rated(rated, aim), self.best, taken))
    }

    /// What the side in turn wants: points, or to win the match.
    fn aim(&self, position: &Position) -> Result<Aim, String> {
        let score = position.score;
        if self.points || score.length() == 0 {
            return Ok(Aim::Points);
        }
        let mut table = self.table.borrow_mut();
        let known = table.take().filter(|(rules, _)| *rules == position.rules);
        let start = || self.player.net().evaluate(&Board::start(position.rules));
        let (_, table) = table.insert(known.unwrap_or_else(|| (position.rules, MatchTable::new(&start()))));
        table.stakes(score, position.turn).map(Aim::Match).ok_or_else(|| {
            let longest = MatchTable::LONGEST;
            format!("position {position}, field match: expected a match to at most {longest} points; --points ranks by equity")
        })
    }
}

/// What a position is worth to the side to roll, or with dice what each play is worth, the best first; given what boards are worth to the side
/// to roll, for certain.
pub fn known(position: &Position, worth: impl Fn(&Board) -> Outcomes) -> Result<Answer, String> {
    if let Some(finished) = finished(position) {
        return Ok(finished);
    }
    if position.dice.is_none() {
        return Ok(valued(position, Value::of(worth(&position.board))));
    }
    let plays = plays_of(position)?;
    // All are known alike.
    let rated = |play: &PositionPlay| Rated {
        outcomes: match play.ending {
            Some(ending) => Outcomes::certain(ending.outcome()),
            None => worth(&play.position.board).flip(),
        },
        ply: Ply::One,
    };
    let rated: Vec<Rated> = plays.iter().map(rated).collect();
    Ok(ranked(position, &plays, &rated, Aim::Points, |rated| Value::of(rated.outcomes), usize::MAX, None))
}

/// The answer for a position without dice.
fn valued(position: &Position, value: Value) -> Answer {
    let columns = Columns::of(&value);
    let [head, row] = [columns.head(), columns.row("", &value)];
    let text = format!("{position}\n{}\n{}", &head[PLAY_COLUMN..], &row[PLAY_COLUMN..]);
    let object = Object { value: Some(value), ..Object::of(position) };
    Answer { object, text }
}

/// The play that a level takes.
struct Taken {
    level: LevelNumber,
    play: Play,
}

/// The answer for a position with dice: its plays, given in wire order with what they are worth, in the order of their worth, each with what is said of it;
/// the `best` first ones, and the one that a level takes wherever it stands.
fn ranked(
    position: &Position,
    plays: &[PositionPlay],
    rated: &[Rated],
    aim: Aim,
    says: impl Fn(Rated) -> Value,
    best: usize,
    taken: Option<Taken>,
) -> Answer {
    let taken_as = |play: &PositionPlay| taken.as_ref().filter(|taken| taken.play == play.play);
    let order = Rated::order(rated, aim).into_iter().enumerate();
    let shown = order.filter(|&(place, index)| place < best || taken_as(&plays[index]).is_some());
    let plays: Vec<(&PositionPlay, Value)> = shown.map(|(_, index)| (&plays[index], says(rated[index]))).collect();
    let columns = plays.iter().map(|(_, value)| Columns::of(value)).next().unwrap_or_default();
    let mut text = format!("{position}\n{}", columns.head());
    for (play, value) in &plays {
        text += &format!("\n{}{}", columns.row(&play.play.to_string(), value), ending(play));
        if let Some(taken) = taken_as(play) {
            text += &format!("  <- level {}", taken.level);
        }
    }
    let entries = plays.into_iter().map(|(play, value)| Entry::new(play, Some(value))).collect();
    let chosen = taken.map(|taken| taken.play.to_string());
    Answer { object: Object { plays: Some(entries), chosen, ..Object::of(position) }, text }
}

/// Which columns a table has beside equity and outcomes, where they say anything.
#[derive(Clone, Copy, Default)]
struct Columns {
    match_chance: bool,
    ply: bool,
}

impl Columns {
    /// Of a table whose first row says this, which was looked at deepest.
    fn of(value: &Value) -> Columns {
        Columns {
            match_chance: value.match_chance.is_some(),
            ply: value.ply.is_some_and(|ply| ply > Ply::One.number()),
        }
    }

    fn head(self) -> String {
        format!("{HEAD}{}{}", if self.match_chance { "   match" } else { "" }, if self.ply { "  ply" } else { "" })
    }

    fn row(self, play: &str, value: &Value) -> String {
        let chance = value.match_chance.map_or(String::new(), |chance| format!("{:>7.2}%", 100.0 * chance));
        let ply = value.ply.filter(|_| self.ply).map_or(String::new(), |ply| format!("{ply:>5}"));
        format!("{}{chance}{ply}", row(play, &value.outcomes))
    }
}

const HEAD: &str = "  play                       equity   lose 2  lose 1    draw   win 1   win 2";

/// Columns that the play takes.
const PLAY_COLUMN: usize = 26;

/// What a position without dice is worth: without the column of plays, there being none.
pub fn table_of_one(outcomes: &Outcomes) -> String {
    format!("{}\n{}", &HEAD[PLAY_COLUMN..], &row("", outcomes)[PLAY_COLUMN..])
}

fn row(play: &str, outcomes: &Outcomes) -> String {
    let percent: String = outcomes.probabilities().iter().map(|p| format!("{:>7.2}%", 100.0 * p)).collect();
    format!("  {play:<24} {:>+8.4} {percent}", outcomes.equity())
}
