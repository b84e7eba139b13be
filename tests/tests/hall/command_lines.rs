//! Checks that the programs accept every command line in the examples of their help texts and in the code blocks of the listed documents.
//!
//! Owns the extraction of command lines from prose. Each line is only parsed, never run.

use clap::CommandFactory as _;

const READMES: [(&str, &str); 12] = [
    ("README.md", include_str!("../../../README.md")),
    (
        "docs/organiser.md",
        include_str!("../../../docs/organiser.md"),
    ),
    ("docs/trust.md", include_str!("../../../docs/trust.md")),
    ("docs/arbiter.md", include_str!("../../../docs/arbiter.md")),
    (
        "docs/broadcaster.md",
        include_str!("../../../docs/broadcaster.md"),
    ),
    (
        "docs/clock-maker.md",
        include_str!("../../../docs/clock-maker.md"),
    ),
    (
        "docs/administrator.md",
        include_str!("../../../docs/administrator.md"),
    ),
    (
        "docs/contributor.md",
        include_str!("../../../docs/contributor.md"),
    ),
    ("hub/README.md", include_str!("../../../hub/README.md")),
    (
        "timing/README.md",
        include_str!("../../../timing/README.md"),
    ),
    ("tests/README.md", include_str!("../../README.md")),
    (
        "clock-agent/README.md",
        include_str!("../../../clock-agent/README.md"),
    ),
];

/// A complete code in place of the placeholder `CODE` and of codes that the text abbreviates.
const CODE: &str =
    "flagfall://hub.local:7464#47663c175127d98f2e91f0eb9182184e.51ae0f7d14c1bf5dd67c2fbba849080c";

#[test]
fn every_command_line_in_the_help_texts_is_accepted() {
    let mut lines = Vec::new();
    helps_of(&mut hub::cli::command(), &mut lines);
    helps_of(&mut clock_agent::cli::Cli::command(), &mut lines);
    assert!(lines.len() >= 30, "helps have examples: {lines:?}");
    lines.iter().for_each(|line| check("help", line));
}

#[test]
fn every_command_line_in_the_readmes_is_accepted() {
    let mut seen = 0;
    for (name, text) in READMES {
        for block in text.split("```").skip(1).step_by(2) {
            for line in block.lines().filter(|line| starts_a_command(line)) {
                check(name, line);
                seen += 1;
            }
        }
    }
    assert!(seen >= 15, "{seen} lines were found");
}

fn helps_of(command: &mut clap::Command, lines: &mut Vec<String>) {
    let below = command.get_after_help().map(ToString::to_string);
    for line in below.iter().flat_map(|help| help.lines()) {
        // "On the clock: clock-agent run …" is an example; "run `flagfall presets`" is prose.
        let line = line.split_once(": ").map_or(line, |(_, said)| said);
        if starts_a_command(line) {
            lines.push(line.to_owned());
        }
    }
    for command in command.get_subcommands_mut() {
        helps_of(command, lines);
    }
}

fn starts_a_command(line: &str) -> bool {
    program_and_rest(line).is_some()
}

/// Returns the program's name and its unparsed arguments. Skips `NAME=VALUE` words before the program, and the folder in its path.
fn program_and_rest(line: &str) -> Option<(&str, &str)> {
    let mut rest = line.trim_start();
    while let Some((word, after)) = rest.split_once(' ') {
        let program = word.rsplit('/').next().unwrap_or(word);
        if ["flagfall", "clock-agent"].contains(&program) {
            return Some((program, after));
        }
        if !word.contains('=') {
            return None;
        }
        rest = after;
    }
    None
}

#[track_caller]
fn check(place: &str, line: &str) {
    let Some((program, rest)) = program_and_rest(line) else {
        panic!("{place}: no command line: {line:?}");
    };
    let words = [program.to_owned()].into_iter().chain(words(rest));
    let command = if program == "flagfall" {
        hub::cli::command()
    } else {
        clock_agent::cli::Cli::command()
    };
    if let Err(fault) = command.try_get_matches_from(words) {
        panic!("{place} says {:?}: {fault}", line.trim());
    }
}

/// Splits a shell line into words, up to a comment (`#` or two spaces), a pipe or a redirection. Handles quotes, but no escapes. Puts
/// [`CODE`] in place of codes, and drops `…`.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut last = ' ';
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' && last == ' ' => break,
            None if ['|', '>', '#'].contains(&c) && last == ' ' => break,
            None if c == ' ' => words.push(std::mem::take(&mut word)),
            None | Some(_) => word.push(c),
        }
        last = c;
    }
    words.push(word);
    let code = |word: String| match word.as_str() {
        "CODE" => CODE.to_owned(),
        cut if cut.starts_with("flagfall://") => CODE.to_owned(),
        _ => word,
    };
    words
        .into_iter()
        .filter(|word| !word.is_empty() && word != "…")
        .map(code)
        .collect()
}
