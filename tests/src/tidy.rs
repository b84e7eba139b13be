//! The rules of the repository that the compiler does not check, each as a function.
//!
//! Owns the rules and the walk over the files.

mod cycles;
mod language;
mod packages;
mod readme;
mod text;

use std::path::{Path, PathBuf};

pub use cycles::import_cycles;
pub use language::plain_english;
pub use packages::{direction, licences, purity, tls_provider};
pub use readme::{functions, missing_headings, missing_paths, missing_tests};
pub use text::{
    RULES, Rule, banned_words, file_length, function_length, opens_with_a_description, os_clock,
    vector_is_a_script,
};

pub struct Source {
    /// Path relative to the repository's root, with `/` as the separator.
    pub path: String,
    pub text: String,
}

impl Source {
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

    pub fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.ends_with("/tests.rs")
    }
}

pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Returns every text file of the repository, sorted by path, except build output, dependencies, licences and Git's own files.
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
