//! Checks the repository's rules against the repository itself.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use cargo_metadata::MetadataCommand;
use tests::tidy::{self, Source};

#[track_caller]
fn none(found: Vec<String>) {
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn each(rule: fn(&Source) -> Vec<String>) -> Vec<String> {
    let sources = tidy::sources(&tidy::root()).unwrap();
    assert!(
        sources
            .iter()
            .any(|source| source.path == "timing/src/lib.rs"),
        "the walk found nothing"
    );
    sources.iter().flat_map(rule).collect()
}

fn metadata() -> cargo_metadata::Metadata {
    MetadataCommand::new()
        .manifest_path(tidy::root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap()
}

#[test]
fn dependencies_point_one_way() {
    none(tidy::direction(&metadata()));
}

#[test]
fn pure_crates_use_no_shell_library() {
    none(tidy::purity(&metadata()));
}

#[test]
fn every_crate_has_its_licence() {
    none(tidy::licences(&metadata()));
}

#[test]
fn there_is_one_tls_provider() {
    none(tidy::tls_provider(
        &std::fs::read_to_string(tidy::root().join("Cargo.lock")).unwrap(),
    ));
}

#[test]
fn files_are_short() {
    none(each(tidy::file_length));
}

#[test]
fn functions_are_short() {
    none(each(tidy::function_length));
}

#[test]
fn every_module_says_what_it_owns() {
    none(each(tidy::opens_with_a_description));
}

#[test]
fn no_banned_words() {
    none(each(tidy::banned_words));
}

#[test]
fn prose_is_plain_english() {
    none(each(tidy::plain_english));
}

#[test]
fn one_file_of_a_program_reads_the_clock() {
    none(each(tidy::os_clock));
}

#[test]
fn every_vector_is_run() {
    none(each(tidy::vector_is_a_script));
}

#[test]
fn at_most_three_files_of_a_crate_import_each_other() {
    none(tidy::import_cycles(&tidy::sources(&tidy::root()).unwrap()));
}

#[test]
fn there_are_no_mod_files() {
    let named = |source: &Source| {
        source
            .path
            .ends_with("/mod.rs")
            .then(|| source.path.clone())
            .into_iter()
            .collect()
    };
    none(each(named));
}

#[test]
fn the_hub_uses_the_agents_library_only_for_the_demonstration() {
    none(each(|source| {
        let ours = source.path.starts_with("hub/src/") && !source.path.contains("demo");
        let used = ours
            && source
                .text
                .lines()
                .any(|line| !line.trim_start().starts_with("//") && line.contains("clock_agent::"));
        used.then(|| format!("{}: uses clock_agent", source.path))
            .into_iter()
            .collect()
    }));
}

#[test]
fn paths_and_headings_in_documents_exist() {
    let root = tidy::root();
    let sources = tidy::sources(&root).unwrap();
    let documents: Vec<&Source> = sources.iter().filter(|source| source.is(&["md"])).collect();
    for known in ["README.md", "docs/contributor.md"] {
        assert!(
            documents.iter().any(|document| document.path == known),
            "the repository has no {known}"
        );
    }
    let mut missing = Vec::new();
    for document in documents {
        let here = root.join(&document.path);
        let here = here.parent().unwrap();
        let exists = |path: &str| here.join(path).exists() || root.join(path).exists();
        let text_of = |path: &str| {
            let text = std::fs::read_to_string(here.join(path)).ok();
            text.filter(|_| path.ends_with(".md"))
        };
        missing.extend(tidy::missing_paths(&document.path, &document.text, exists));
        missing.extend(tidy::missing_headings(
            &document.path,
            &document.text,
            text_of,
        ));
    }
    none(missing);
}

#[test]
fn tests_named_in_documents_exist() {
    let sources = tidy::sources(&tidy::root()).unwrap();
    let rust = sources.iter().filter(|source| source.is(&["rs"]));
    let functions = rust.flat_map(|source| tidy::functions(&source.text));
    let functions = functions.map(str::to_owned).collect();
    let documents = sources.iter().filter(|source| source.is(&["md"]));
    none(
        documents
            .flat_map(|document| tidy::missing_tests(&document.path, &document.text, &functions))
            .collect(),
    );
}
