//! What is known for certain: the end of every game, and the whole of small ones.
//!
//! * [`BearOff`]: when both sides are home, nobody can disturb the other, and the rest is arithmetic.
//! * [`Solution`]: games of a few checkers a side, solved backwards over the pip count; [`Placements`] numbers their positions.
//! * [`Cache`]: where both are kept, so that they are computed once; [`Endings`]: the bear-off table when it is needed.
//!
//! ```
//! use mahbusa_exact::{Placements, Solution};
//! use mahbusa_rules::Board;
//!
//! let rules = "mahbusa,checkers=1".parse()?;
//! let solution = Solution::solve(Placements::new(rules).ok_or("too many checkers")?, |_| {});
//! let start = solution.placements().number(&Board::start(rules));
//! assert!((solution.equities()[start] - 0.6514).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bearoff;
mod cache;
mod layout;
mod placements;
mod solve;

pub use bearoff::{BearOff, OneSided, RaceError, TwoSided};
pub use cache::{Cache, Cached, Endings, Origin};
pub use placements::{After, Placements, Results};
pub use solve::Solution;
