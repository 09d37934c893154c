//! `encoding.md`: every input of a net with its formula and its range, out of the table that numbers them.

use std::fmt::Write;

use mahbusa_net::encoding::{Definition, ENCODING, INPUTS, define, describe, encode};
use mahbusa_rules::{Position, PositionError};

const BOARD: &str = include_str!("encoding/board.md");
const POINTS: &str = include_str!("encoding/points.md");
const OUTPUTS: &str = include_str!("encoding/outputs.md");

/// The functions that the formulas use, in Python.
const FUNCTIONS: &str = include_str!("encoding/functions.py");

/// A position with pins of both kinds in reach.
const EXAMPLE: &str = "mahbusa:J5C4A~6A4n:0.0:w:-:0.0.0";

/// The text of `encoding.md`, the same for all nets; `docs/encoding.md` is a copy of it.
pub fn text() -> String {
    format!(
        "# What a net sees: the encoding `{ENCODING}`\n\n\
         {INPUTS} numbers, of which about 30 are not zero, all computed from the board alone. (This text is written by the program: \
         `mahbusa export` puts it into every bundle. A test computes all inputs by the formulas at its end.)\n\n\
         A net that was trained with `net.inputs = \"raw\"` is of the same encoding. The rows of its expert inputs are exactly zero: they begin so and\n\
         are left out of learning, so it does not see them.\n\n\
         Every input is plain arithmetic on the counts of the board (compare, shift, sum, multiply, min, max): `model.onnx` of a bundle holds the whole\n\
         encoding. The name of the encoding stands in every net file; a change of any input gets a new name, and\n\
         a net of another name is refused.\n\n\
         {BOARD}\n{POINTS}\n{example}\n{OUTPUTS}\n{formulas}",
        example = example().unwrap_or_default(),
        formulas = formulas(),
    )
}

/// The inputs of a position.
fn example() -> Result<String, PositionError> {
    let mut active = Vec::new();
    encode(&EXAMPLE.parse::<Position>()?.board, &mut active);
    let mut text = format!("## An example\n\n`{EXAMPLE}` has these inputs that are not zero:\n\n");
    text += "| input | value | what |\n| --- | --- | --- |\n";
    for input in active {
        let index = usize::from(input.index);
        // Writing to a text cannot fail.
        let _ = writeln!(text, "| {index} | {} | {} |", input.value, describe(index));
    }
    Ok(text)
}

/// All inputs, one a line.
fn formulas() -> String {
    let mut text = format!(
        "## All inputs by formula\n\n\
         The formulas are Python over the lists `points`, `pins` and `off` above, and these functions, which take the lists of one side:\n\n\
         ```python\n{FUNCTIONS}```\n\n\
         | input | formula | lowest | highest | what |\n| --- | --- | --- | --- | --- |\n"
    );
    for index in 0..INPUTS {
        let Definition { formula, low, high } = define(index);
        let _ = writeln!(text, "| {index} | `{formula}` | {low} | {high} | {} |", describe(index));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_is_what_the_program_writes() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/encoding.md");
        if std::env::var_os("WRITE_DOCS").is_some() {
            std::fs::write(path, text()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap();
        assert!(
            written == text(),
            "docs/encoding.md is out of date: WRITE_DOCS=1 cargo test -p mahbusa-export writes it"
        );
    }

    #[test]
    fn every_input_has_a_formula_of_its_own_and_the_example_is_there() {
        let mut formulas: Vec<_> = (0..INPUTS).map(|index| define(index).formula).collect();
        formulas.sort();
        formulas.dedup();
        assert_eq!(formulas.len(), INPUTS);
        assert!(text().contains("| 376 | 0.41666666 | chance that they could pin a lone checker next roll |"));
        assert!(text().contains(
            "| 4 | `max(points[0] - 4, 0) / 4` | 0 | 2.75 | 1-point: my free checkers, (n - 4) / 4 above 4 |"
        ));
    }
}
