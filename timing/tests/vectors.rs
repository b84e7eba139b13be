//! Runs every script in the repository's `tests/vectors/` on the engine.

use std::path::{Path, PathBuf};

use timing::script::Script;

fn vectors() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
    let entries = std::fs::read_dir(&folder)
        .expect("the folder of vectors")
        .map(|entry| entry.expect("a vector").path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    files.sort();
    assert!(
        files.len() >= 95,
        "{} vectors in {}",
        files.len(),
        folder.display()
    );
    files
}

#[test]
fn every_vector_holds() {
    let mut wrong = String::new();
    for path in vectors() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        match text.parse::<Script>() {
            Ok(script) => script
                .run()
                .iter()
                .for_each(|failure| wrong += &format!("{name}:{failure}\n")),
            Err(error) => wrong += &format!("{name}:{error}\n"),
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
