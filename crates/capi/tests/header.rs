//! The header in the repository is the one that belongs to the sources.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

use std::fs;
use std::path::{Path, PathBuf};

use cbindgen::{Builder, Config};

const RENEW: &str = "cargo test --release -p mahbusa-capi --test header -- --ignored";

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// What C sees, in the order in which the header has its functions.
const SOURCES: [&str; 8] =
    ["types", "ffi/handles", "ffi/library", "ffi/positions", "ffi/plays", "ffi/dice", "ffi/nets", "ffi/levels"];

/// The header as the sources have it.
fn header() -> String {
    let builder = Builder::new().with_config(Config::from_file(place("cbindgen.toml")).unwrap());
    let sources = SOURCES.map(|name| place(&format!("src/{name}.rs")));
    let bindings = sources.into_iter().fold(builder, Builder::with_src).generate().unwrap();
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_header_is_up_to_date() {
    let kept = fs::read_to_string(place("include/mahbusa.h")).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        kept == header(),
        "crates/capi/include/mahbusa.h is not what the sources say; this writes it anew:\n  {RENEW}"
    );
}

#[test]
#[ignore = "writes the header"]
fn renew_the_header() {
    fs::write(place("include/mahbusa.h"), header()).unwrap();
}
