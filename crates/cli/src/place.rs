use std::path::Path;

use crate::failure::Failure;

/// Refuses a file that could not be written when all is done, or that stands there already, unless it may be replaced.
pub fn check(out: &Path, force: bool) -> Result<(), Failure> {
    let shown = out.display();
    if !force && out.exists() {
        return Err(Failure::usage(format!("{shown} is there already; --force replaces it")));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Failure::usage(format!("--out {shown}: there is no folder {}", folder.display())));
    }
    if out.is_dir() { Err(Failure::usage(format!("--out {shown}: expected a file, found a folder"))) } else { Ok(()) }
}
