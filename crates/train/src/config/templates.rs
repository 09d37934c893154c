use std::fs;
use std::path::Path;

use super::nearest::nearest;

/// The configs that come with the program, by the name of their file in `configs/`.
pub const TEMPLATES: [(&str, &str); 5] = [
    ("quick", include_str!("../../../../configs/quick.toml")),
    ("release", include_str!("../../../../configs/release.toml")),
    ("td-200k", include_str!("../../../../configs/td-200k.toml")),
    ("three-checkers", include_str!("../../../../configs/three-checkers.toml")),
    ("tiny", include_str!("../../../../configs/tiny.toml")),
];

/// The config that a name or a path that leads nowhere was perhaps meant to be: one that comes with the program, or a file beside the path.
pub fn nearest_config(name: &str) -> Option<String> {
    let path = Path::new(name);
    let word = path.file_stem()?.to_str()?;
    if path.components().count() == 1 && path.extension().is_none() {
        return nearest(word, TEMPLATES.map(|(template, _)| template)).map(str::to_owned);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut stems: Vec<String> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| {
            let file = entry.ok()?.path();
            let stem = file.file_stem()?.to_str()?.to_owned();
            file.extension().is_some_and(|ending| ending == "toml").then_some(stem)
        })
        .collect();
    // The folder has an order of its own.
    stems.sort();
    let meant = nearest(word, stems.iter().map(String::as_str))?;
    Some(path.with_file_name(format!("{meant}.toml")).display().to_string())
}
