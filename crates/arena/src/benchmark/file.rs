use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use mahbusa_net::files::read;
use mahbusa_net::json::fault_of_line;
use mahbusa_rules::quoted;
use serde::Deserialize;

use super::{Decision, FORMAT, Header, VERSION};
use crate::{LinesError, Phase};

/// A whole benchmark set.
#[derive(Clone, Debug, PartialEq)]
pub struct Benchmark {
    pub(super) header: Header,
    pub(super) decisions: Vec<Decision>,
}

/// A set that cannot be used, or cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    /// What the operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not what it ought to be.
    #[error("line {line}: {problem}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong there, and what was expected.
        problem: String,
    },
    /// The file is there and holds something else.
    #[error("{0} is there already and was made with other settings; choose another file, or remove it")]
    Occupied(PathBuf),
    /// The file is there and is no set.
    #[error("{0} is there already and is no benchmark set; choose another file, or remove it")]
    Foreign(PathBuf),
    /// An unfinished set cannot be made on.
    #[error(transparent)]
    Unfinished(#[from] LinesError),
}

impl Benchmark {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`BenchmarkError::Line`] when a line is damaged or decisions are missing.
    pub fn from_text(text: &str) -> Result<Benchmark, BenchmarkError> {
        let mut lines = text.lines();
        let header = read_header(lines.next().unwrap_or_default())?;
        let read = |(line, number): (&str, u64)| {
            let wrong = |problem| BenchmarkError::Line { line: number as usize + 2, problem };
            read_decision(line, &header, number).map_err(wrong)
        };
        let decisions = lines.zip(0..).map(read).collect::<Result<Vec<_>, _>>()?;
        let (found, wanted) = (decisions.len() as u64, header.settings.decisions);
        if found != wanted {
            let problem = format!("expected {wanted} decisions in all, found {found}");
            return Err(BenchmarkError::Line { line: decisions.len() + 1, problem });
        }
        Ok(Benchmark { header, decisions })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or as [`Benchmark::from_text`].
    pub fn read(path: &Path) -> Result<Benchmark, BenchmarkError> {
        let text = String::from_utf8(read(path)?);
        Benchmark::from_text(&text.map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            BenchmarkError::Line { line, problem: "expected text in UTF-8".to_owned() }
        })?)
    }

    /// What the set is and how it was made.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The decisions, in the order of their numbers.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }
}

/// What tells a file of another kind or version.
#[derive(Deserialize)]
struct Kind {
    format: String,
    version: u32,
}

/// Reads the first line of a file.
pub(super) fn read_header(line: &str) -> Result<Header, BenchmarkError> {
    let problem = |problem: String| BenchmarkError::Line { line: 1, problem };
    let kind: Kind = serde_json::from_str(line).map_err(|error| {
        problem(format!("expected the header of a benchmark set ({})", fault_of_line(line, &error)))
    })?;
    if (kind.format.as_str(), kind.version) != (FORMAT, VERSION) {
        let (format, version) = (kind.format, kind.version);
        return Err(problem(format!(
            "expected `{FORMAT}` of version {VERSION}, found {} of version {version}",
            quoted(&format)
        )));
    }
    let header: Header = serde_json::from_str(line).map_err(|error| problem(fault_of_line(line, &error)))?;
    if header.settings.decisions == 0 {
        return Err(problem("expected at least one decision, found 0".to_owned()));
    }
    Ok(header)
}

/// Reads the line of the decision with this number, and checks that it is whole.
pub(super) fn read_decision(text: &str, header: &Header, number: u64) -> Result<Decision, String> {
    let decision: Decision = serde_json::from_str(text).map_err(|error| fault_of_line(text, &error))?;
    check(&decision, header, number)?;
    Ok(decision)
}

/// Numbers, position and plays must fit together, so that nothing has to be doubted later.
fn check(decision: &Decision, header: &Header, number: u64) -> Result<(), String> {
    if decision.number != number {
        return Err(format!("expected decision {number}, found {}", decision.number));
    }
    if decision.trials == 0 {
        return Err("expected at least one trial, found 0".to_owned());
    }
    let position = &decision.position;
    if position.rules != header.rules {
        return Err(format!("expected a position of {}, found one of {}", header.rules, position.rules));
    }
    let phase = Phase::of(position.rules, &position.board);
    if decision.phase != phase {
        return Err(format!("expected phase {phase}, found {}", decision.phase));
    }
    let candidates = decision.candidates.iter().flat_map(|play| {
        let [even, odd] = play.halves;
        [play.equity, play.look_ahead, even, odd].map(|equity| (play.play, equity))
    });
    let others = decision.not_rolled_out.iter().map(|play| (play.play, play.look_ahead));
    // A measured equity can lie a little beyond 2 points.
    if let Some((play, equity)) = candidates.chain(others).find(|(_, equity)| !(-4.0..=4.0).contains(equity)) {
        return Err(format!("expected equities in -4..=4 for `{play}`, found {equity}"));
    }
    let mut listed = HashSet::new();
    let candidates = decision.candidates.iter().map(|play| play.play);
    if let Some(twice) =
        candidates.chain(decision.not_rolled_out.iter().map(|play| play.play)).find(|&play| !listed.insert(play))
    {
        return Err(format!("expected each play once, found `{twice}` twice"));
    }
    let plays = position.plays();
    if let Some(missing) = plays.iter().find(|play| !listed.contains(&play.play)) {
        return Err(format!("expected all legal plays of {position}, `{}` is missing", missing.play));
    }
    if plays.len() < 2 || listed.len() != plays.len() {
        return Err(format!("expected the {} legal plays of {position}, found {}", plays.len(), listed.len()));
    }
    if decision.candidates.is_empty() || !decision.candidates.is_sorted_by(|a, b| a.equity >= b.equity) {
        return Err("expected candidates, the best first".to_owned());
    }
    Ok(())
}
