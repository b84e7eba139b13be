//! Lists the files of `rules/`, so that adding a rule set means adding a file and nothing else.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let folder = Path::new(&root).join("rules");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "toml") {
            files.push(path);
        }
    }
    files.sort();
    let mut list = String::from("&[\n");
    for path in files {
        let key = path.file_stem().unwrap_or_default().to_string_lossy();
        writeln!(
            list,
            "({key:?}, include_str!({:?})),",
            path.to_string_lossy()
        )
        .map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&out).join("rule_files.rs"), list)
}
