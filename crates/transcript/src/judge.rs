use mahbusa_players::{Aim, Level, MatchTable, NetPlayer, Ply, Rated, Search, TurnNoise, Workspace};
use mahbusa_rules::{Board, MatchScore, Position, PositionPlay, Rules, Side};

/// A net that looks at positions of a match: in a single game it wants points, in a match to win it.
pub struct Judge {
    search: Search,
    rules: Rules,
    table: MatchTable,
    workspace: Workspace,
}

/// A legal play and what it is worth to the side that plays it.
#[derive(Clone, Copy, Debug)]
pub struct JudgedPlay {
    /// The play, and the position after it.
    pub play: PositionPlay,
    /// What the net says of it, and how deep it has looked.
    pub rated: Rated,
    /// What that is worth: points, or the chance to win the match.
    pub worth: f64,
}

impl Judge {
    /// A net that looks so deep at a game.
    pub fn new(net: NetPlayer, ply: Ply, rules: Rules) -> Judge {
        let table = MatchTable::new(&net.evaluate(&Board::start(rules)));
        Judge { search: Search::new(net, ply), rules, table, workspace: Workspace::default() }
    }

    /// How deep it looks.
    pub fn ply(&self) -> Ply {
        self.search.ply()
    }

    /// Its net.
    pub fn net(&self) -> &NetPlayer {
        self.search.net()
    }

    /// The game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What a side wants at a score: to win the match, or points in a single game and in a match longer than [`MatchTable::LONGEST`].
    pub fn aim(&self, score: MatchScore, side: Side) -> Aim {
        self.table.stakes(score, side).map_or(Aim::Points, Aim::Match)
    }

    /// The chance of a side to win a match before a game, given who opens it, if anybody does yet; `None` where points are wanted.
    pub fn chance(&self, score: MatchScore, side: Side, opener: Option<Side>) -> Option<f64> {
        self.table.chance(score, side, opener)
    }

    /// All legal plays of a position with dice in wire order, judged.
    pub fn plays(&mut self, position: &Position) -> Vec<JudgedPlay> {
        let plays = position.plays();
        let Some(afterstates) = afterstates(&plays) else { return Vec::new() };
        let aim = self.aim(position.score, position.turn);
        let rated = self.search.rate(self.rules, &position.board, &afterstates, aim, &mut self.workspace);
        let judged = |(play, &rated): (PositionPlay, &Rated)| {
            let worth = f64::from(aim.worth(&rated.outcomes));
            JudgedPlay { play, rated, worth }
        };
        plays.into_iter().zip(rated).map(judged).collect()
    }

    /// The same, the best first; of equal ones the first in wire order. What was not looked at as deep as others seemed worse, and stands behind.
    pub fn ranked(&mut self, position: &Position) -> Vec<JudgedPlay> {
        let plays = self.plays(position);
        let rated: Vec<Rated> = plays.iter().map(|judged| judged.rated).collect();
        let aim = self.aim(position.score, position.turn);
        Rated::order(&rated, aim).into_iter().map(|index| plays[index]).collect()
    }

    /// What a play of a position is worth to the side that plays it, looked at as deep as the judge looks, even if it seems bad at a glance.
    pub fn worth_in_depth(&mut self, position: &Position, judged: &JudgedPlay) -> f64 {
        if judged.rated.ply == self.ply() || judged.play.ending.is_some() {
            return judged.worth;
        }
        let aim = self.aim(position.score, position.turn);
        let theirs = self.search.evaluate(self.rules, &judged.play.position.board, aim.flip(), &mut self.workspace);
        f64::from(aim.worth(&theirs.flip()))
    }
}

/// The boards after some plays as the side that plays sees them; `None` if there are none.
fn afterstates(plays: &[PositionPlay]) -> Option<Vec<Board>> {
    (!plays.is_empty()).then(|| plays.iter().map(|play| play.position.board.flip()).collect())
}

/// A net that people play against.
pub struct Opponent {
    judge: Judge,
    level: Option<Level>,
    seed: u64,
}

impl Opponent {
    /// A player who plays the best as the judge sees it or, at a level, doubts it. The level looks as deep as the judge does.
    ///
    /// The seed of a level's doubts in a game is this one plus the number of the game in the match.
    pub fn new(judge: Judge, level: Option<Level>, seed: u64) -> Opponent {
        Opponent { judge, level, seed }
    }

    /// The play that it takes in a position with dice, in the game of this number; `None` when there is none.
    pub fn choose(&mut self, position: &Position, game: u32) -> Option<PositionPlay> {
        let roll = position.dice?;
        let Some(level) = &self.level else {
            return self.judge.ranked(position).first().map(|best| best.play);
        };
        let plays = self.judge.plays(position);
        let rated: Vec<Rated> = plays.iter().map(|judged| judged.rated).collect();
        let boards: Vec<Board> = plays.iter().map(|judged| judged.play.position.board.flip()).collect();
        if let [only] = plays.as_slice() {
            return Some(only.play);
        }
        let seed = self.seed.wrapping_add(u64::from(game));
        let noise = TurnNoise::new(seed, position.rules, &position.board, roll);
        let aim = self.judge.aim(position.score, position.turn);
        (!plays.is_empty()).then(|| plays[level.pick(&noise, &boards, &rated, aim)].play)
    }
}
