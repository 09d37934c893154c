//! Event files, as TensorBoard reads them.
//!
//! Such a file is a sequence of records: the length of the data as `u64`, its masked CRC-32C, the data, its masked CRC-32C, all little-endian. The
//! data are messages of protocol buffers, `Event` with a `Summary`, of which only plain values are written here. The format is that of
//! TensorFlow's `tfrecord` and `event.proto`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::crc::crc32c;
use crate::file::{check_replaceable, write};
use crate::line::Line;
use crate::{MARK, Report, ReportError, Run};

/// The name of the file in the folder of a run; TensorBoard looks for `tfevents`.
const NAME: &str = "events.out.tfevents.0.mahbusa";

/// Writes the metrics of every run into a folder of its own below `folder`; the files.
///
/// The step is the number of games learnt, the time that of the run, from 0.
///
/// # Errors
/// When a file cannot be written, or one is there that this crate has not made, unless `replace` says that it does not matter.
pub fn write_events(report: &Report, folder: &Path, replace: bool) -> Result<Vec<PathBuf>, ReportError> {
    let place = |run: &Run| {
        // Names may be whole paths.
        let name: String =
            run.name.chars().map(|letter| if matches!(letter, '/' | '\\' | ':') { '-' } else { letter }).collect();
        folder.join(name.trim_start_matches(['.', '-'])).join(NAME)
    };
    let files: Vec<PathBuf> = report.runs.iter().map(place).collect();
    if !replace {
        files.iter().try_for_each(|file| check_replaceable(file))?;
    }
    for (file, run) in files.iter().zip(&report.runs) {
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(|source| ReportError::Io {
                what: "cannot make the folder",
                path: parent.to_owned(),
                source,
            })?;
        }
        write(file, &events(run))?;
    }
    Ok(files)
}

/// The event file of a run.
fn events(run: &Run) -> Vec<u8> {
    let mut file =
        record(&[double(1, 0.0), bytes(3, b"brain.Event:2"), bytes(10, &bytes(1, MARK.as_bytes()))].concat());
    for line in &run.lines {
        let summary: Vec<u8> = values(line)
            .into_iter()
            .filter(|(_, value)| value.is_finite())
            .flat_map(|(tag, value)| bytes(1, &[bytes(1, tag.as_bytes()), float(2, value as f32)].concat()))
            .collect();
        let event = [double(1, line.seconds.unwrap_or(0.0)), number(2, line.games), bytes(5, &summary)];
        file.extend(record(&event.concat()));
    }
    file
}

/// What a line says, by names with the group before them.
fn values(line: &Line) -> Vec<(&'static str, f64)> {
    let mut values = Vec::new();
    if let Some(strength) = &line.strength {
        let verdict = &strength.heuristic;
        let points = &verdict.points_per_game;
        values.extend([
            ("strength/heuristic", points.mean),
            ("strength/heuristic_low", points.low),
            ("strength/heuristic_high", points.high),
            ("strength/heuristic_wins", verdict.win_rate.mean),
        ]);
        if let Some(best) = &strength.best {
            let points = &best.points_per_game;
            values.extend([
                ("strength/best", points.mean),
                ("strength/best_low", points.low),
                ("strength/best_high", points.high),
            ]);
        }
    }
    if let Some([lose2, lose1, draw, win1, win2]) = line.outcomes {
        values.extend([
            ("outcomes/lose_2", lose2),
            ("outcomes/lose_1", lose1),
            ("outcomes/draw", draw),
            ("outcomes/win_1", win1),
            ("outcomes/win_2", win2),
        ]);
    }
    let plain = [
        ("learning/loss", line.loss),
        ("learning/rate", line.learning_rate),
        ("games/plies", line.plies),
        ("games/passes", line.passes),
        ("games/mother", line.mother),
        ("games/mars", line.mars),
        ("games/first_mover", line.first_mover),
        ("speed/games_per_second", line.games_per_second),
        ("speed/learner_positions_per_second", line.learner_positions_per_second),
    ];
    values.extend(plain.into_iter().filter_map(|(tag, value)| Some((tag, value?))));
    values
}

fn record(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    [&length, masked(&length).as_slice(), data, &masked(data)].concat()
}

/// The checksum as records have it, rotated and shifted so that a checksum of checksums is no weak one.
fn masked(bytes: &[u8]) -> [u8; 4] {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

/// The head of a field: its number and how it is coded.
fn head(field: u64, coding: u64) -> Vec<u8> {
    varint(field << 3 | coding)
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut coded = Vec::new();
    while value >= 0x80 {
        coded.push(value as u8 | 0x80);
        value >>= 7;
    }
    coded.push(value as u8);
    coded
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [head(field, 0), varint(value)].concat()
}

fn double(field: u64, value: f64) -> Vec<u8> {
    [head(field, 1).as_slice(), &value.to_le_bytes()].concat()
}

fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    [head(field, 2).as_slice(), &varint(value.len() as u64), value].concat()
}

fn float(field: u64, value: f32) -> Vec<u8> {
    [head(field, 5).as_slice(), &value.to_le_bytes()].concat()
}
