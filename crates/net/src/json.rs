//! What is said of lines of JSON that cannot be read.

use std::fmt::Display;

/// What a reader of JSON says of a line of a file. It counts lines within the line, and of an empty one it says that it ends too early.
pub fn fault_of_line(line: impl AsRef<[u8]>, error: &impl Display) -> String {
    if line.as_ref().trim_ascii().is_empty() {
        return "expected a JSON object, found an empty line".to_owned();
    }
    let text = error.to_string();
    match text.rsplit_once(" at line 1 column ") {
        Some((what, column)) => format!("{what} at column {column}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::fault_of_line;

    #[test]
    fn a_column_is_enough_within_a_line() {
        let said = "expected value at line 1 column 7";
        assert_eq!(fault_of_line("{\"a\": x", &said), "expected value at column 7");
        assert_eq!(fault_of_line(" \r\n", &said), "expected a JSON object, found an empty line");
        assert_eq!(fault_of_line("{}", &"missing field"), "missing field");
    }
}
