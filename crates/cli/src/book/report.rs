use mahbusa_arena::Phase;
use mahbusa_arena::advice::{Advice, Row, Verdict};
use mahbusa_arena::book::{Bias, Book, Check, CheckSummary, Opening, Reply, Settings};
use mahbusa_arena::facts::Summary;
use serde::Serialize;

/// Everything that is known, for programs.
#[derive(Serialize)]
pub struct Report {
    pub rules: String,
    pub net: Net,
    pub settings: Settings,
    /// The command that makes it again.
    pub command: String,
    /// What the start is worth to the side that opens, by the best plays of all rolls.
    pub start: Option<Equity>,
    pub openings: Vec<Opening>,
    pub replies: Vec<Reply>,
    /// What cutting trials changes, measured on the openings.
    pub cuts: Vec<Bias>,
    pub facts: Option<Summary>,
    pub advice: Vec<AdviceReport>,
}

#[derive(Serialize)]
pub struct Net {
    pub name: String,
    pub sha256: String,
    pub games: u64,
}

#[derive(Serialize)]
pub struct Equity {
    pub equity: f64,
    pub error: f64,
}

/// What there is to say of a piece of advice.
#[derive(Serialize)]
pub struct AdviceReport {
    pub advice: Advice,
    pub verdict: Verdict,
    pub all: Row,
    pub phases: Vec<PhaseRow>,
    pub groups: Vec<GroupRow>,
    /// Rolled out.
    pub checked: Option<CheckSummary>,
    /// One in which following is clearly right, and one in which it is clearly wrong, as far as there are such.
    pub examples: Vec<Example>,
}

#[derive(Serialize)]
pub struct PhaseRow {
    pub phase: Phase,
    #[serde(flatten)]
    pub row: Row,
}

#[derive(Serialize)]
pub struct GroupRow {
    pub group: &'static str,
    #[serde(flatten)]
    pub row: Row,
}

/// A decision that was rolled out.
#[derive(Serialize)]
pub struct Example {
    pub position: String,
    pub phase: Phase,
    /// The best play that follows the advice, as people write it.
    pub follows: String,
    /// The best that goes against it.
    pub against: String,
    #[serde(flatten)]
    pub check: Check,
}

impl Report {
    pub fn new(book: &Book, name: String, command: String) -> Report {
        let header = book.header();
        let facts = (book.facts().games() > 0).then(|| book.facts().summary());
        let asked = Advice::ALL.into_iter().filter(|&advice| book.tally().row(advice, None, None).decisions > 0);
        Report {
            rules: header.rules.to_string(),
            net: Net { name, sha256: header.net.sha256.clone(), games: header.net.games },
            settings: header.settings.clone(),
            command,
            start: book.start().map(|(equity, error)| Equity { equity, error }),
            openings: book.openings().to_vec(),
            replies: book.replies().to_vec(),
            cuts: book.biases(),
            facts,
            advice: asked.map(|advice| AdviceReport::new(book, advice)).collect(),
        }
    }
}

impl AdviceReport {
    fn new(book: &Book, advice: Advice) -> AdviceReport {
        let tally = book.tally();
        let phases = Phase::ALL.into_iter().map(|phase| PhaseRow { phase, row: tally.row(advice, Some(phase), None) });
        let groups = (advice.groups().iter().zip(0..))
            .map(|(&group, number)| GroupRow { group, row: tally.row(advice, None, Some(number)) });
        let examples = book.examples(advice).into_iter().flatten().map(|(decision, check)| Example {
            position: decision.position.to_string(),
            phase: decision.phase,
            follows: decision.position.display(decision.follows),
            against: decision.position.display(decision.against),
            check: *check,
        });
        AdviceReport {
            advice,
            verdict: tally.verdict(advice),
            all: tally.row(advice, None, None),
            phases: phases.filter(|phase| phase.row.decisions > 0).collect(),
            groups: groups.filter(|group| group.row.decisions > 0).collect(),
            checked: book.check_of(advice),
            examples: examples.collect(),
        }
    }
}
