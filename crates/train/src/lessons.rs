use std::ops::Range;
use std::sync::Arc;

use mahbusa_exact::Endings;
use mahbusa_net::{OUTCOMES, Outcomes, Weights};
use mahbusa_players::{NetPlayer, Workspace};
use mahbusa_rules::Board;
use mahbusa_selfplay::{Game, GameSource, GameTurn, SelfPlay};
use rayon::prelude::*;

use crate::config::{Config, Taught};
use crate::folder::Given;

/// The games of a run; with teachers, the mean of what they say of each position stands in them as known, so that this is learnt instead of how the
/// game went on.
pub(crate) struct Lessons {
    source: SelfPlay,
    teachers: Vec<NetPlayer>,
}

impl Lessons {
    /// As the configuration says, by the teachers that the run is given, if it is given any.
    pub fn new(config: &Config, given: &Given, endings: &Arc<Endings>) -> Lessons {
        let endings = (config.train.endings == Taught::Exact).then(|| Arc::clone(endings));
        let source = SelfPlay { rules: config.rules, seed: config.seed, endings };
        Lessons { source, teachers: given.teachers.iter().map(|net| NetPlayer::new(&net.weights)).collect() }
    }

    /// Writes the mean of what the teachers say over the values that are not known.
    fn teach(&self, game: &mut Game, desk: &mut Desk) {
        let Desk { boards, sums, workspace } = desk;
        let unknown = |turn: &&mut GameTurn| !turn.known;
        boards.clear();
        boards.extend(game.turns.iter_mut().filter(unknown).map(|turn| turn.board));
        sums.clear();
        sums.resize(boards.len(), [0.0; OUTCOMES]);
        // One teacher after the other: what a net needs to have at hand would push out that of the one before.
        for teacher in &self.teachers {
            for (sum, said) in sums.iter_mut().zip(teacher.evaluate_all(boards, workspace)) {
                sum.iter_mut().zip(said.probabilities()).for_each(|(sum, probability)| *sum += probability);
            }
        }
        let count = self.teachers.len() as f32;
        for (turn, sum) in game.turns.iter_mut().filter(unknown).zip(sums) {
            turn.value = Outcomes::new(sum.map(|sum| sum / count));
            turn.known = true;
        }
    }
}

/// Memory reused from game to game.
#[derive(Default)]
struct Desk {
    boards: Vec<Board>,
    /// What the teachers say of each board, added up.
    sums: Vec<[f32; OUTCOMES]>,
    workspace: Workspace,
}

impl GameSource for Lessons {
    fn games(&self, weights: &Weights, numbers: Range<u64>) -> Vec<Game> {
        let mut games = self.source.games(weights, numbers);
        if !self.teachers.is_empty() {
            games.par_iter_mut().for_each_init(Desk::default, |desk, game| self.teach(game, desk));
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

    fn lessons(teachers: &[&NetPlayer]) -> Lessons {
        let source = SelfPlay { rules: Rules::TAPA, seed: 5, endings: None };
        Lessons { source, teachers: teachers.iter().copied().cloned().collect() }
    }

    #[test]
    fn the_values_of_a_teacher_are_the_targets_and_change_no_game() {
        let weights = Weights::random(Shape::of(16), 1);
        let teacher = NetPlayer::new(&Weights::random(Shape::of(32), 2));
        let plain = lessons(&[]).games(&weights, 3..6);
        let taught = lessons(&[&teacher]).games(&weights, 3..6);
        for (plain, taught) in plain.iter().zip(&taught) {
            assert!(plain.turns.iter().map(|turn| turn.board).eq(taught.turns.iter().map(|turn| turn.board)));
            for sample in samples(taught, 0.7) {
                assert_eq!(sample.target, teacher.evaluate(&sample.board), "to the last bit, however many at a time");
            }
        }
    }

    #[test]
    fn of_several_teachers_the_mean_is_learnt() {
        let weights = Weights::random(Shape::of(16), 1);
        let teachers =
            [(32, 2), (64, 3), (16, 4)].map(|(units, seed)| NetPlayer::new(&Weights::random(Shape::of(units), seed)));
        let [a, b, c] = &teachers;
        let games = lessons(&[a, b, c]).games(&weights, 3..6);
        for turn in games.iter().flat_map(|game| &game.turns) {
            let said = teachers.each_ref().map(|teacher| teacher.evaluate(&turn.board));
            let mean = |i: usize| said.iter().map(|said| said.probabilities()[i]).sum::<f32>() / 3.0;
            for (i, probability) in turn.value.probabilities().iter().enumerate() {
                assert!((probability - mean(i)).abs() < 1e-6, "{:?} of {said:?}", turn.value);
            }
            assert!(turn.known && (turn.value.probabilities().iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        assert_eq!(lessons(&[a, a]).games(&weights, 3..6), lessons(&[a]).games(&weights, 3..6), "nothing is added");
    }

    #[test]
    fn what_is_known_is_not_asked() {
        let endings = Arc::new(Endings::new(mahbusa_exact::Cache::none()));
        let teacher = NetPlayer::new(&Weights::random(Shape::of(32), 2));
        let mut lessons = lessons(&[&teacher]);
        lessons.source.endings = Some(Arc::clone(&endings));
        let games = lessons.games(&Weights::random(Shape::of(16), 1), 3..20);
        let known: Vec<&GameTurn> =
            games.iter().flat_map(|game| &game.turns).filter(|turn| endings.outcomes(&turn.board).is_some()).collect();
        assert!(!known.is_empty() && known.iter().all(|turn| endings.outcomes(&turn.board) == Some(turn.value)));
    }
}
