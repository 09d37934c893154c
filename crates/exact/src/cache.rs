use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs, io};

use mahbusa_net::Outcomes;
use mahbusa_net::container::{Format, pack, unpack};
use mahbusa_net::files::{read, write_atomically};
use mahbusa_rules::{Board, Rules};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{BearOff, Placements, Solution};

/// A folder that keeps tables which take a while to compute.
///
/// A file is used only when its checksum and its contents fit; a damaged one, or one of another version, is computed anew and replaced. Where nothing can be
/// kept everything works all the same, only slower.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
}

/// A table and where it came from.
#[derive(Debug)]
pub struct Cached<T> {
    /// The table.
    pub table: T,
    /// Where it came from.
    pub origin: Origin,
}

/// Where a table came from.
#[derive(Debug)]
pub enum Origin {
    /// Out of this file, which has so many bytes.
    File(PathBuf, u64),
    /// Computed, and kept in this file now, which has so many bytes.
    Computed(PathBuf, u64),
    /// Computed, and kept in this file now, which has so many bytes and was damaged before, or of another version.
    Repaired(PathBuf, u64),
    /// Computed, and not kept, for this reason.
    Lost(io::Error),
}

const BEAR_OFF: Format = Format { kind: *b"boff", version: 1, name: "bear-off table" };
const SOLUTION: Format = Format { kind: *b"solv", version: 1, name: "solved game" };

impl Cache {
    /// The environment variable that names the folder.
    pub const VARIABLE: &str = "MAHBUSA_CACHE";

    /// The folder of the user: that of [`Cache::VARIABLE`] if it is set, else `mahbusa` in the cache folder of the system
    /// (`$XDG_CACHE_HOME` or `~/.cache`, `~/Library/Caches` on macOS, `%LOCALAPPDATA%` on Windows).
    pub fn of_user() -> Cache {
        let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = |below: &str| env::home_dir().map(|home| home.join(below));
        let system = if cfg!(windows) {
            variable("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            home("Library/Caches")
        } else {
            variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()).or_else(|| home(".cache"))
        };
        Cache { folder: variable(Cache::VARIABLE).or_else(|| system.map(|system| system.join("mahbusa"))) }
    }

    /// A folder, which is made when it is needed.
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: Some(folder.into()) }
    }

    /// No folder: everything is computed whenever it is needed.
    pub fn none() -> Cache {
        Cache { folder: None }
    }

    /// The bear-off table, read or built.
    pub fn bear_off(&self) -> Cached<BearOff> {
        // The table serves all rules.
        let kept = Kept { format: BEAR_OFF, rules: Rules::MAHBUSA, name: "bear-off".to_owned() };
        if let Some((table, origin)) = self.read(&kept, BearOff::is_whole) {
            return Cached { table, origin };
        }
        let table = BearOff::build();
        Cached { origin: self.keep(&kept, &table), table }
    }

    /// The solution of a whole game, read or computed; while it is computed, `progress` hears now and then how many more placements are done.
    pub fn solution(&self, placements: Placements, progress: impl Fn(usize)) -> Cached<Solution> {
        let rules = placements.rules();
        let kept = Kept { format: SOLUTION, rules, name: rules.to_string() };
        let fits = |parts: &(Vec<f32>, Vec<Outcomes>)| [parts.0.len(), parts.1.len()] == [placements.len(); 2];
        if let Some(((equities, outcomes), origin)) = self.read(&kept, fits) {
            return Cached { table: Solution::from_parts(placements, equities, outcomes), origin };
        }
        let table = Solution::solve(placements, progress);
        Cached { origin: self.keep(&kept, &table.parts()), table }
    }

    fn read<T: DeserializeOwned>(&self, kept: &Kept, fits: impl Fn(&T) -> bool) -> Option<(T, Origin)> {
        let path = self.path(kept)?;
        let bytes = read(&path).ok()?;
        let (rules, table) = unpack(kept.format, &bytes).ok()?;
        (rules == kept.rules && fits(&table)).then_some((table, Origin::File(path, bytes.len() as u64)))
    }

    fn keep(&self, kept: &Kept, table: &impl Serialize) -> Origin {
        let Some(path) = self.path(kept) else {
            return Origin::Lost(io::Error::new(
                io::ErrorKind::NotFound,
                format!("there is no cache folder; {} can name one", Cache::VARIABLE),
            ));
        };
        let bytes = pack(kept.format, kept.rules, table);
        let there_before = path.is_file();
        let folder = path.parent().unwrap_or(Path::new(""));
        match fs::create_dir_all(folder).and_then(|()| write_atomically(&path, &bytes)) {
            Ok(()) if there_before => Origin::Repaired(path, bytes.len() as u64),
            Ok(()) => Origin::Computed(path, bytes.len() as u64),
            Err(error) => Origin::Lost(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
        }
    }

    fn path(&self, kept: &Kept) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}.{}", kept.name, EXTENSION)))
    }
}

/// The bear-off table, got out of its cache when it is first asked; for many threads.
#[derive(Debug)]
pub struct Endings {
    cache: Cache,
    table: OnceLock<BearOff>,
}

impl Endings {
    /// Out of this cache.
    pub fn new(cache: Cache) -> Endings {
        Endings { cache, table: OnceLock::new() }
    }

    /// The outcomes for the side to roll, if [`BearOff::covers`] the board.
    #[inline]
    pub fn outcomes(&self, board: &Board) -> Option<Outcomes> {
        if BearOff::covers(board) { self.table().outcomes(board) } else { None }
    }

    /// The table.
    pub fn table(&self) -> &BearOff {
        self.table.get_or_init(|| self.cache.bear_off().table)
    }
}

/// Of all files in the cache.
const EXTENSION: &str = "table";

/// What is kept, and by which name.
struct Kept {
    format: Format,
    rules: Rules,
    name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            Folder(env::temp_dir().join(format!("mahbusa-cache-{name}-{}", std::process::id())))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn solve(cache: &Cache) -> Cached<Solution> {
        cache.solution(Placements::new("tapa,checkers=1".parse().unwrap()).unwrap(), |_| {})
    }

    #[test]
    fn a_table_is_computed_once() {
        let folder = Folder::new("once");
        let cache = Cache::at(&folder.0);
        let first = solve(&cache);
        let second = solve(&cache);
        assert!(matches!((first.origin, second.origin), (Origin::Computed(..), Origin::File(..))));
        assert_eq!(first.table.parts(), second.table.parts());
    }

    #[test]
    fn a_damaged_table_is_computed_anew() {
        let folder = Folder::new("damaged");
        let cache = Cache::at(&folder.0);
        let good = solve(&cache);
        let Origin::Computed(path, size) = good.origin else { panic!("not kept") };
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.len() as u64, size);
        let mut changed = bytes.clone();
        changed[bytes.len() - 3] ^= 1;
        let of_other_rules = pack(SOLUTION, Rules::MAHBUSA, &good.table.parts());
        let too_short = pack(SOLUTION, good.table.rules(), &(vec![0f32; 3], Vec::<Outcomes>::new()));
        for damaged in [&changed, &bytes[..100], &[], &of_other_rules, &too_short] {
            fs::write(&path, damaged).unwrap();
            let again = solve(&cache);
            assert!(matches!(again.origin, Origin::Repaired(..)));
            assert_eq!(again.table.parts(), good.table.parts());
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn without_a_folder_everything_works() {
        let folder = Folder::new("file");
        fs::write(&folder.0, "in the way").unwrap();
        for cache in [Cache::none(), Cache::at(&folder.0)] {
            let cached = solve(&cache);
            assert!(matches!(cached.origin, Origin::Lost(_)));
            assert_eq!(cached.table.equities().len(), cached.table.placements().len());
        }
        fs::remove_file(&folder.0).unwrap();
    }

    #[test]
    fn the_bear_off_table_survives_its_file() {
        let folder = Folder::new("bear-off");
        let cache = Cache::at(&folder.0);
        let (built, read) = (cache.bear_off(), cache.bear_off());
        assert!(matches!((&built.origin, &read.origin), (Origin::Computed(..), Origin::File(..))));
        assert!(built.table == read.table);
    }
}
