//! What the documents say that the program answers.

use crate::command::{root, run, stdout};

/// The blocks of a page that begin with a position: it, and the lines below it.
fn positions(page: &str) -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let blocks = text.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks
        .filter_map(|block| {
            let (position, answers) = block.split_once('\n')?;
            let is_position = position.matches(':').count() == 5 && !position.contains(' ');
            is_position.then(|| (position.to_owned(), answers.lines().map(spaced).collect()))
        })
        .collect()
}

/// A line with single spaces between its words.
fn spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn plays_that_documents_show_are_what_the_program_answers() {
    for (page, least) in [("docs/rules.md", 5), ("docs/notation.md", 3)] {
        let blocks = positions(page);
        assert!(blocks.len() >= least, "{page}");
        for (position, shown) in blocks {
            let answered: Vec<String> = stdout(&run(["plays", &position])).lines().skip(1).map(spaced).collect();
            // A page may add a remark behind an answer.
            for line in shown {
                assert!(
                    answered.iter().any(|answer| line.starts_with(answer)),
                    "{page}: {position}: {line}: {answered:?}"
                );
            }
        }
    }
}
