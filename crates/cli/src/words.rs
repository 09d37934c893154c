//! How things are said.

use std::fmt::Display;
use std::path::Path;

/// So many of something: `1 run`, `2 runs`.
pub fn counted<N: Copy + Display + PartialEq + TryFrom<u8>>(count: N, one: &str) -> String {
    let is_one = N::try_from(1).is_ok_and(|single| single == count);
    format!("{count} {one}{}", if is_one { "" } else { "s" })
}

/// A command on a file or folder, as it can be typed.
pub fn command(verb: &str, path: &Path) -> String {
    format!("{verb} {}", for_a_shell(&path.display().to_string()))
}

/// A name as a shell takes it: in quotes, where there is anything in it that a shell might not take as it is.
pub fn for_a_shell(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/.-_@+=:,%\\".contains(c);
    if !name.is_empty() && name.chars().all(|c| plain(c) && (c != '\\' || cfg!(windows))) {
        return name.to_owned();
    }
    if cfg!(windows) { format!("\"{name}\"") } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::{counted, for_a_shell};

    #[cfg(unix)]
    #[test]
    fn names_are_quoted_where_a_shell_would_take_them_apart() {
        for (name, shown) in [
            ("runs/quick-2", "runs/quick-2"),
            ("new file.toml", "'new file.toml'"),
            ("it's", "'it'\\''s'"),
            ("a;b", "'a;b'"),
            ("a\\b", "'a\\b'"),
            ("é", "é"),
            ("", "''"),
        ] {
            assert_eq!(for_a_shell(name), shown);
        }
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count: u64| counted(count, "run")), ["0 runs", "1 run", "2 runs"]);
    }
}
