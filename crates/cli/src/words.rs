//! How things are said.

use std::fmt::Display;

/// So many of something: `1 run`, `2 runs`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, one: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {one}{ending}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count: u64| counted(count, "run")), ["0 runs", "1 run", "2 runs"]);
    }
}
