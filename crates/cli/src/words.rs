//! How things are said.

use std::fmt::Display;

/// So many of something: `1 run`, `2 runs`.
pub fn counted<N: Copy + Display + PartialEq + TryFrom<u8>>(count: N, one: &str) -> String {
    let is_one = N::try_from(1).is_ok_and(|single| single == count);
    format!("{count} {one}{}", if is_one { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count: u64| counted(count, "run")), ["0 runs", "1 run", "2 runs"]);
    }
}
