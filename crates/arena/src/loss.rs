use mahbusa_net::Weights;
use mahbusa_net::random::{Purpose, generator};
use mahbusa_players::{Aim, Chance, Estimate, Player, Search, Turn, Workspace};
use mahbusa_rules::{Afterstates, Board, Rules, generate};
use mahbusa_selfplay::{Game, GameSource, GameTurn, SelfPlay};
use rand::RngExt;
use rayon::prelude::*;

use crate::Mean;

/// In what losses are added up: a hundredth of a millipoint.
const UNITS_A_POINT: f64 = 100_000.0;

/// Where decisions come from, and who says what their plays are worth.
pub struct Losses<'a> {
    /// The game.
    pub rules: Rules,
    /// The net that plays itself.
    pub weights: &'a Weights,
    /// Who judges.
    pub judge: &'a Search,
    /// Games, of each of which a turn with a choice is taken.
    pub games: u64,
    /// The seed of games and players.
    pub seed: u64,
}

impl Losses<'_> {
    /// What each of these players loses a decision, in millipoints, on the same decisions and the threads of the current rayon pool; with 95 %
    /// intervals over decisions.
    pub fn of<const N: usize>(&self, players: [&dyn Player; N]) -> [Estimate; N] {
        let source = SelfPlay { rules: self.rules, seed: self.seed, endings: None };
        let games: Vec<(u64, Game)> = (0..).zip(source.games(self.weights, 0..self.games)).collect();
        let lost: Vec<[i64; N]> = games
            .par_iter()
            .map_init(Workspace::default, |workspace, (number, game)| self.lost(*number, game, players, workspace))
            .flatten()
            .collect();
        let mean = |player: usize| {
            let mut mean = Mean::default();
            lost.iter().for_each(|lost| mean.add(lost[player]));
            mean.estimate(UNITS_A_POINT / 1000.0, 0.0..=4000.0)
        };
        std::array::from_fn(mean)
    }

    /// What each player loses in a turn of the game, in units, if a turn with a choice was hit upon.
    fn lost<const N: usize>(
        &self,
        number: u64,
        game: &Game,
        players: [&dyn Player; N],
        workspace: &mut Workspace,
    ) -> Option<[i64; N]> {
        let (GameTurn { board, roll, .. }, afterstates) = self.decision(number, game)?;
        let rated = self.judge.rate(self.rules, &board, &afterstates, Aim::Points, workspace).to_vec();
        let deepest = rated.iter().filter(|rated| rated.ply == self.judge.ply());
        let best = deepest.map(|rated| rated.outcomes.equity()).fold(f32::NEG_INFINITY, f32::max);
        let turn = Turn {
            rules: self.rules,
            board: &board,
            roll,
            afterstates: &afterstates,
            chance: Chance { seed: self.seed, pair: number, ply: 0 },
        };
        Some(players.map(|player| {
            let chosen = player.choose(&turn, workspace);
            let after = &afterstates[chosen];
            let worth = if rated[chosen].ply == self.judge.ply() || after.ending(self.rules).is_some() {
                rated[chosen].outcomes.equity()
            } else {
                // The judge has left it out at a glance.
                -self.judge.evaluate(self.rules, &after.flip(), Aim::Points, workspace).equity()
            };
            (f64::from(best - worth).max(0.0) * UNITS_A_POINT).round() as i64
        }))
    }

    /// A turn of the game that leaves a choice, each as likely as any other, and what it leaves.
    fn decision(&self, number: u64, game: &Game) -> Option<(GameTurn, Vec<Board>)> {
        let mut chance = generator(Purpose::Sample, self.seed, number);
        let mut afterstates = Afterstates::default();
        game.turns.iter().find_map(|_| {
            let turn = game.turns[chance.random_range(0..game.turns.len())];
            afterstates.boards.clear();
            generate(self.rules, &turn.board, turn.roll, &mut afterstates);
            (afterstates.boards.len() > 1).then(|| (turn, std::mem::take(&mut afterstates.boards)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Shape;
    use mahbusa_players::{NetPlayer, Ply, Random};

    #[test]
    fn the_judge_loses_nothing_and_chance_loses_a_lot() {
        let weights = Weights::random(Shape::of(16), 1);
        for (ply, games) in [(Ply::One, 100), (Ply::Two, 10)] {
            let judge = Search::new(NetPlayer::new(&weights), ply);
            let losses = Losses { rules: Rules::MAHBUSA, weights: &weights, judge: &judge, games, seed: 3 };
            let [itself, random] = losses.of([&judge, &Random]);
            assert_eq!((itself.mean, itself.low), (0.0, 0.0));
            assert!(random.mean > 0.0 && random.low <= random.mean, "{random:?}");
            assert_eq!(losses.of([&Random]), [random], "whoever else is measured");
        }
    }
}
