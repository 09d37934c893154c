use rand::RngExt;

use crate::{Player, Turn, Workspace};

/// Plays any of the distinct results of a roll, all equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Player for Random {
    fn choose(&self, turn: &Turn<'_>, _: &mut Workspace) -> usize {
        turn.chance.generator().random_range(0..turn.afterstates.len())
    }
}
