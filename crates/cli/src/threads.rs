use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::Failure;

/// So many threads; 0 takes all processors.
pub fn pool(threads: u16) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build()
        .map_err(|error| Failure::usage(format!("--threads {threads}: {error}")))
}
