//! How the tests call the binary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A folder of one test, gone when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mahbusa-black-box-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and says where it is.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.join(name), contents).unwrap();
        self.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The binary with arguments.
pub fn mahbusa<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mahbusa"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    // Apart from the user's own tables, and kept from run to run.
    command.env("MAHBUSA_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command
}

/// Runs it to the end.
pub fn run<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Output {
    mahbusa(arguments).output().unwrap()
}

/// Runs it with something on standard input.
pub fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start(mahbusa(arguments).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may stop reading.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Starts it with its output kept.
pub fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for its end, which it is helped to after two minutes: it waits for what never comes.
pub fn finished(mut child: Child) -> Output {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// Waits until something is so, which it is within two minutes on the slowest machine.
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(120), "it never came to that");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How many lines there are in a file that another process writes; none before there is one.
pub fn lines_in(file: &Path) -> usize {
    std::fs::read(file).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Sends a signal by name.
pub fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill").args(["-s", name, &pid]).stderr(Stdio::null()).status().unwrap();
    assert!(status.success());
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The JSON objects of the output, one a line.
pub fn json(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asserts an exit code and that nothing panicked; what was said.
pub fn assert_code(output: &Output, code: i32) -> String {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// Arguments of a small training run: `configs/tiny.toml` in this folder, with these changes.
pub fn tiny(run: &Path, changes: &[&str]) -> Vec<String> {
    let mut arguments = vec!["train".to_owned(), "configs/tiny.toml".to_owned(), "--run-dir".to_owned()];
    arguments.push(run.to_str().unwrap().to_owned());
    for change in changes {
        arguments.extend(["--set".to_owned(), (*change).to_owned()]);
    }
    arguments
}

/// A net trained for a second, and its run folder.
pub fn trained(folder: &Folder, changes: &[&str]) -> PathBuf {
    let path = folder.join("trained");
    assert_code(&run(tiny(&path, changes)), 0);
    path
}
