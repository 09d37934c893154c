//! Runs as pictures.
//!
//! Run folders go in and become a [`Report`]: per run what its files say, and for each [`Measure`] of it curves with units and intervals. Out of
//! a report comes a [page](Report::page) of HTML that needs nothing else, a [`Chart`] of one measure as SVG or PNG, or the events that
//! TensorBoard reads. What a [terminal] shows of a run that goes on is text, line by line.
//!
//! Everything that is drawn is a [`Scene`](scene::Scene) first, which [`svg`] and [`png`] write down; so is a [`board`].

pub mod board;
mod chart;
mod crc;
mod error;
mod events;
mod file;
mod font;
mod json;
mod line;
mod measure;
mod openings;
mod page;
pub mod png;
mod run;
pub mod scene;
pub mod svg;
pub mod terminal;
mod unit;

use std::path::PathBuf;

pub use chart::{Chart, Curve, Drawn, Kind, Places, Point, Role, Size};
pub use error::ReportError;
pub use events::write_events;
pub use file::{check_replaceable, write};
pub use line::{Line, Measured};
pub use measure::{Measure, UnknownMeasure};
pub use openings::{Opening, Openings};
pub use page::Refresh;
pub use run::Run;
pub use unit::Unit;

/// What every file of this crate has near its beginning, by which it is known again.
const MARK: &str = "mahbusa report";

/// Some runs, to be looked at together.
#[derive(Clone, Debug)]
pub struct Report {
    /// The runs, in the order in which they were named.
    pub runs: Vec<Run>,
}

impl Report {
    /// Reads what the folders of runs hold; runs that go on meanwhile too.
    ///
    /// # Errors
    /// When a folder is no run, or a file in it cannot be read or is damaged: the file, the line, and what is wrong.
    pub fn of(folders: &[PathBuf]) -> Result<Report, ReportError> {
        let mut runs = folders.iter().map(|folder| Run::read(folder)).collect::<Result<Vec<Run>, _>>()?;
        let names = run::names(folders);
        runs.iter_mut().zip(names).for_each(|(run, name)| run.name = name);
        Ok(Report { runs })
    }
}
