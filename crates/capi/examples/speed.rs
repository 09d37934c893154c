//! Evaluations a second through the C library beside those of the Rust crate, with one thread and with two.
//!
//! ```text
//! cargo run --release -p mahbusa-capi --example speed [NET]
//! ```
//!
//! All rates are for all threads together: by the clock, and in CPU-seconds as if each thread had a core of its own, which is what to compare on a
//! machine with other work. Every figure is the best of ten rounds, in which all ways take turns.

#![allow(unsafe_code, reason = "it calls what C calls")]
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a small program for one purpose")]

use std::ffi::CString;
use std::hint::black_box;
use std::ptr;
use std::time::{Duration, Instant};

use mahbusa::{
    CBoard, CPosition, MAHBUSA_OK, Model, mahbusa_evaluate, mahbusa_model_free, mahbusa_model_open,
    mahbusa_position_parse,
};
use mahbusa_net::{Evaluations, Evaluator, NetFile};
use mahbusa_rules::Position;

const POSITIONS: &str = include_str!("../../cli/bench/positions.txt");
const NET: &str = "models/mahbusa-1-small/net.mnet";
const ROUNDS: usize = 10;
const ROUND: Duration = Duration::from_millis(200);

/// A model that threads share.
#[derive(Clone, Copy)]
struct Shared(*const Model);

// SAFETY: any number of threads may use a model at a time, as the header says.
unsafe impl Sync for Shared {}

impl Shared {
    /// Through the C interface, `batch` boards a call.
    fn evaluate(&self, boards: &[CBoard], batch: usize, equities: &mut [f32]) {
        for boards in boards.chunks(batch) {
            let (boards, count) = (boards.as_ptr(), boards.len());
            // SAFETY: the model is open, there are `count` boards and room for as many equities.
            let status = unsafe { mahbusa_evaluate(self.0, 1, boards, count, ptr::null_mut(), equities.as_mut_ptr()) };
            assert_eq!(status, MAHBUSA_OK);
        }
    }
}

/// Evaluations of all threads together, by the clock and by CPU time.
#[derive(Clone, Copy, Default)]
struct Rate {
    clock: f64,
    processor: f64,
}

/// CPU time of this thread, in seconds.
#[cfg(unix)]
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Time by the clock, where the time of a thread is not to be had.
#[cfg(not(unix))]
fn processor_time() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64())
}

/// How fast so many threads are that do the same, `count` evaluations a time.
fn measure<W: FnMut()>(threads: usize, count: usize, work: impl Fn() -> W + Sync) -> Rate {
    let begun = Instant::now();
    let rates: Vec<(usize, f64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut work = work();
                    let (begun, used) = (Instant::now(), processor_time());
                    let mut done = 0;
                    while begun.elapsed() < ROUND {
                        work();
                        done += count;
                    }
                    (done, done as f64 / (processor_time() - used))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    let done: usize = rates.iter().map(|(done, _)| done).sum();
    Rate { clock: done as f64 / begun.elapsed().as_secs_f64(), processor: rates.iter().map(|(_, rate)| rate).sum() }
}

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| NET.to_owned());
    let net = NetFile::read(path.as_ref()).expect("a net");
    let evaluator = Evaluator::new(&net.weights);
    let boards: Vec<_> = POSITIONS.lines().map(|line| line.parse::<Position>().expect("a position").board).collect();
    let of_c: Vec<CBoard> = POSITIONS.lines().map(parse).collect();
    let path = CString::new(path).expect("a path without zeros");
    let mut model = ptr::null_mut();
    // SAFETY: the path ends with a 0, and there is a place for the model.
    assert_eq!(unsafe { mahbusa_model_open(path.as_ptr(), ptr::null(), &raw mut model) }, MAHBUSA_OK);
    let shared = Shared(model);

    let rust = |batch: usize| {
        let (evaluator, boards) = (&evaluator, &boards);
        move || {
            let mut evaluations = Evaluations::default();
            move || {
                for boards in boards.chunks(batch) {
                    evaluator.evaluate_all(boards, &mut evaluations);
                    black_box(evaluations.outcomes());
                }
            }
        }
    };
    let c = |batch: usize| {
        let (shared, of_c) = (&shared, &of_c);
        move || {
            let mut equities = vec![0.0; of_c.len()];
            move || {
                shared.evaluate(of_c, batch, &mut equities);
                black_box(&equities);
            }
        }
    };
    let count = boards.len();
    let mut best = [[Rate::default(); 2]; 4];
    for _ in 0..ROUNDS {
        for threads in [1, 2] {
            let rates = [
                measure(threads, count, rust(count)),
                measure(threads, count, c(count)),
                measure(threads, count, rust(1)),
                measure(threads, count, c(1)),
            ];
            for (best, rate) in best.iter_mut().zip(rates) {
                let best = &mut best[threads - 1];
                best.clock = best.clock.max(rate.clock);
                best.processor = best.processor.max(rate.processor);
            }
        }
    }
    println!("million evaluations a second      1 thread          2 threads");
    println!("                                clock     CPU     clock     CPU");
    for (name, [one, two]) in
        ["Rust, 1,000 a call", "C, 1,000 a call", "Rust, one a call", "C, one a call"].into_iter().zip(best)
    {
        let [a, b, c, d] = [one.clock, one.processor, two.clock, two.processor].map(|rate| rate / 1e6);
        println!("{name:<28} {a:>8.2} {b:>7.2} {c:>9.2} {d:>7.2}");
    }
    // SAFETY: it was opened above, and nobody uses it any more.
    assert_eq!(unsafe { mahbusa_model_free(model) }, MAHBUSA_OK);
}

/// A board of the C interface.
fn parse(line: &str) -> CBoard {
    let text = CString::new(line).expect("a text without zeros");
    let mut position = std::mem::MaybeUninit::<CPosition>::uninit();
    // SAFETY: the text ends with a 0, and there is a place for the position, which has been written when the call has worked.
    unsafe {
        assert_eq!(mahbusa_position_parse(text.as_ptr(), position.as_mut_ptr()), MAHBUSA_OK);
        position.assume_init().board
    }
}
