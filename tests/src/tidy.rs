//! The rules of the repository that the compiler does not check, each as a function.
//!
//! Owns the rules and the walk over the files. Must not be lenient: every exception is listed here with its reason.

mod cycles;
mod language;
mod packages;
mod readme;
mod text;

use std::path::{Path, PathBuf};

pub use cycles::import_cycles;
pub use language::plain_english;
pub use packages::{direction, licences, purity, tls_provider};
pub use readme::{missing_headings, missing_paths};
pub use text::{
    RULES, Rule, banned_words, file_length, function_length, opens_with_a_description, os_clock,
    vector_is_a_script,
};

/// A text file of the repository.
pub struct Source {
    /// Path relative to the repository's root, with `/` as the separator.
    pub path: String,
    /// Content of the file.
    pub text: String,
}

impl Source {
    /// Creates a source from the given text; the file need not exist.
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Returns true if the file's extension is one of `endings` (without the dot); case is ignored.
    pub fn is(&self, endings: &[&str]) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|end| endings.iter().any(|known| end.eq_ignore_ascii_case(known)))
    }

    /// Returns true if the file belongs to the crate `tests` or to the tests of another crate.
    pub fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.ends_with("/tests.rs")
    }
}

/// Returns the repository's root: the folder above the crate `tests`.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns every text file of the repository, sorted by path, except build output, dependencies, licences and Git's own files.
///
/// # Errors
/// Returns an error if a folder or a file cannot be read.
pub fn sources(root: &Path) -> std::io::Result<Vec<Source>> {
    const SKIPPED: [&str; 4] = ["target", ".git", "node_modules", "LICENSES"];
    let (mut folders, mut found) = (vec![root.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if SKIPPED.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = String::from_utf8(std::fs::read(&path)?) {
                let short = path
                    .strip_prefix(root)
                    .unwrap_or(&path)
                    .to_string_lossy()
                    .replace('\\', "/");
                found.push(Source { path: short, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}
