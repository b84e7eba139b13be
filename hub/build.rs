//! Lists the files in `assets/ui` (the arbiters' page) and `assets/pages` (for the public pages), so that they become
//! part of the program. A bundler renames most files of the arbiters' page when they change, so their names cannot be
//! fixed here. The Brotli version of such a file (`NAME.br`), if there is one, is in the same directory.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The bundle's directory, relative to this file.
const BUNDLE: &str = "assets/ui";
const PAGES: &str = "assets/pages";
const BROTLI: &str = ".br";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={BUNDLE}");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join(BUNDLE);
    let mut files = Vec::new();
    walk(&root, &root, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for name in files.iter().filter(|name| !name.ends_with(BROTLI)) {
        let path = root.join(name);
        let brotli = root.join(format!("{name}{BROTLI}"));
        let brotli = if brotli.is_file() {
            format!("Some(include_bytes!({brotli:?}) as &[u8])")
        } else {
            "None".to_owned()
        };
        writeln!(
            list,
            "({name:?}, include_bytes!({path:?}) as &[u8], {brotli}),"
        )?;
    }
    list.push(']');
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("bundle.rs"), list)?;
    std::fs::write(out.join("pages.rs"), pages()?)?;
    Ok(())
}

/// Returns a Rust array of the files in [`PAGES`]: each name with the file's text.
fn pages() -> Result<String, Box<dyn Error>> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join(PAGES);
    let mut files = Vec::new();
    walk(&root, &root, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for name in files {
        writeln!(list, "({name:?}, include_str!({:?})),", root.join(&name))?;
    }
    list.push(']');
    Ok(list)
}

/// Adds the files under `dir` to `files`, named relative to `root`, with slashes.
fn walk(root: &Path, dir: &Path, files: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={}", dir.display());
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(root, &path, files)?;
        } else {
            let name = path.strip_prefix(root)?;
            let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            files.push(parts.join("/"));
        }
    }
    Ok(())
}
