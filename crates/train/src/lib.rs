//! The learner: TD(lambda) from self-play.
//!
//! * [`Config`] says what is trained and how; [`RunFolder`] holds everything that a run is.
//! * [`train`] runs the main loop: generation `k` is played with the weights after generation `k - 2`, while generation
//!   `k - 1` is learnt, so that playing and learning overlap and the result is the same on any number of threads.
//! * [`samples`] are the targets; [`Learner`] is the only place that knows burn.

mod batch;
mod checkpoint;
mod config;
mod cycle;
mod folder;
mod learner;
mod lessons;
mod metrics;
mod plan;
mod runs;
mod sparse;
mod targets;
mod trainer;

pub use batch::Batch;
pub use burn::tensor::Device;
pub use checkpoint::{Best, Checkpoint};
pub use config::{
    Config, ConfigError, EvaluationConfig, Mistake, NetConfig, OutputConfig, Place, Problem, Schedule, TEMPLATES,
    Taught, TrainConfig, nearest_config,
};
pub use folder::{
    FolderError, Given, Hashes, Kept, LostLines, Manifest, RunFolder, check_run, config_of_run, history_of_run, is_run,
    kept_by_run, net_of_run, run_of_file, saved_by_run, verdict_of_run,
};
pub use learner::{AdamSettings, Learner, OptimiserState};
pub use metrics::{Metrics, Strength};
pub use plan::{Plan, Speed};
pub use runs::{Cleaning, Run, State, chain, is_worked_on, newest_run_in, runs_in};
pub use targets::{Sample, samples};
pub use trainer::{Control, Ended, Event, Observer, TrainError, final_verdict, train};
