//! Where files are to go.

use std::path::{Path, PathBuf};

use mahbusa_net::files::check_writable;
use mahbusa_train::run_of_file;

use crate::failure::Failure;

/// Refuses a file that could not be written when all is done, or that stands there already, unless it may be replaced.
pub fn check(out: &Path, force: bool) -> Result<(), Failure> {
    if !force && out.exists() {
        return Err(Failure::usage(format!("{} is there already; --force replaces it", out.display())));
    }
    check_open(out)
}

/// The same for a file that may be replaced: but none that a training run has written for itself, which no other file can stand for.
pub fn check_open(out: &Path) -> Result<(), Failure> {
    let names_folder = out.to_string_lossy().ends_with(std::path::is_separator) || out.file_name().is_none();
    if names_folder || out.is_dir() {
        return Err(Failure::usage(format!("cannot write {}: expected a file, found a folder", out.display())));
    }
    check_room(out)
}

/// Refuses a place in which nothing could be made.
fn check_room(out: &Path) -> Result<(), Failure> {
    let shown = out.display();
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Failure::usage(format!("cannot write {shown}: there is no folder {}", folder.display())));
    }
    check_no_run(out)?;
    check_writable(out).map_err(|error| Failure::of_place(error).about(format!("cannot write {shown}")))
}

/// Refuses a folder that could not be made when all is done, since something stands there, or nothing to put it in.
pub fn check_new_folder(out: &Path) -> Result<(), Failure> {
    if out.symlink_metadata().is_ok() {
        return Err(Failure::usage(format!("{} is there already: expected the name of a new folder", out.display())));
    }
    check_room(out)
}

/// Refuses what belongs to a training run.
fn check_no_run(out: &Path) -> Result<(), Failure> {
    match run_of_file(&settled(out)) {
        Some(run) => Err(Failure::usage(format!(
            "{} belongs to the run {}, which would be damaged: choose another place",
            out.display(),
            run.display()
        ))),
        None => Ok(()),
    }
}

/// Refuses two files that are one, given the option of each.
pub fn check_apart(files: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let named: Vec<(&str, PathBuf)> =
        files.iter().filter_map(|(option, file)| Some((*option, settled((*file)?)))).collect();
    for (index, (option, file)) in named.iter().enumerate() {
        if let Some((other, _)) = named[..index].iter().find(|(_, other)| other == file) {
            return Err(Failure::usage(format!("{other} and {option} name the same file, {}", file.display())));
        }
    }
    Ok(())
}

/// A path without links and dots, as far as it leads to something.
fn settled(path: &Path) -> PathBuf {
    let whole = || path.canonicalize().ok();
    let by_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    whole().or_else(by_folder).unwrap_or_else(|| path.to_owned())
}
