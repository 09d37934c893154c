use std::ops::Range;
use std::sync::Arc;

use mahbusa_exact::Endings;
use mahbusa_net::Weights;
use mahbusa_players::NetPlayer;
use mahbusa_selfplay::{Game, GameSource, SelfPlay};
use rayon::prelude::*;

use crate::config::{Config, Taught};
use crate::folder::Given;

/// The games of a run; with a teacher, what it says of each position stands in them as known, so that this is learnt instead of how the game went on.
pub(crate) struct Lessons {
    source: SelfPlay,
    teacher: Option<NetPlayer>,
}

impl Lessons {
    /// As the configuration says, by the teacher that the run is given, if it is given one.
    pub fn new(config: &Config, given: &Given, endings: &Arc<Endings>) -> Lessons {
        let endings = (config.train.endings == Taught::Exact).then(|| Arc::clone(endings));
        let source = SelfPlay { rules: config.rules, seed: config.seed, endings };
        Lessons { source, teacher: given.teacher.as_ref().map(|net| NetPlayer::new(&net.weights)) }
    }
}

impl GameSource for Lessons {
    fn games(&self, weights: &Weights, numbers: Range<u64>) -> Vec<Game> {
        let mut games = self.source.games(weights, numbers);
        if let Some(teacher) = &self.teacher {
            games.par_iter_mut().flat_map_iter(|game| &mut game.turns).filter(|turn| !turn.known).for_each(|turn| {
                turn.value = teacher.evaluate(&turn.board);
                turn.known = true;
            });
        }
        games
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Shape;
    use mahbusa_rules::Rules;

    use crate::targets::samples;

    #[test]
    fn the_values_of_a_teacher_are_the_targets_and_change_no_game() {
        let source = SelfPlay { rules: Rules::TAPA, seed: 5, endings: None };
        let weights = Weights::random(Shape::of(16), 1);
        let teacher = NetPlayer::new(&Weights::random(Shape::of(32), 2));
        let plain = source.games(&weights, 3..6);
        let lessons = Lessons { source, teacher: Some(teacher) };
        let taught = lessons.games(&weights, 3..6);
        for (plain, taught) in plain.iter().zip(&taught) {
            assert!(plain.turns.iter().map(|turn| turn.board).eq(taught.turns.iter().map(|turn| turn.board)));
            for sample in samples(taught, 0.7) {
                assert_eq!(
                    Some(sample.target),
                    lessons.teacher.as_ref().map(|teacher| teacher.evaluate(&sample.board))
                );
            }
        }
    }
}
