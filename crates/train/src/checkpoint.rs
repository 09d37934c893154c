//! Everything that a run needs to go on as if it had never stopped.

use mahbusa_net::Weights;
use mahbusa_net::container::{ContainerError, Format, pack, unpack};
use mahbusa_rules::Rules;
use serde::{Deserialize, Serialize};

use crate::learner::OptimiserState;

const FORMAT: Format = Format { kind: *b"ckpt", version: 2, name: "checkpoint" };

/// The state of a run after a generation has been learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Generations learnt.
    pub generation: u64,
    /// Games learnt.
    pub games: u64,
    /// Positions learnt.
    pub positions: u64,
    /// Seconds that the run has taken so far.
    pub seconds: f64,
    /// The weights now.
    pub weights: Weights,
    /// The weights one generation before: those that play the next one.
    pub previous: Weights,
    /// Adam's memory.
    pub optimiser: OptimiserState,
    /// The strongest net measured so far.
    pub best: Option<Best>,
}

/// A net that was stronger than those before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The games it had learnt.
    pub games: u64,
    /// Its weights.
    pub weights: Weights,
}

impl Checkpoint {
    /// The bytes of the file.
    pub fn to_bytes(&self, rules: Rules) -> Vec<u8> {
        pack(FORMAT, rules, self)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When they are no checkpoint, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Rules, Checkpoint), ContainerError> {
        let (rules, checkpoint): (Rules, Checkpoint) = unpack(FORMAT, bytes)?;
        let nets = [&checkpoint.weights, &checkpoint.previous];
        let sound = nets.into_iter().chain(checkpoint.best.iter().map(|best| &best.weights)).all(|w| w.check().is_ok());
        if sound { Ok((rules, checkpoint)) } else { Err(ContainerError::Damaged(FORMAT.name)) }
    }
}
