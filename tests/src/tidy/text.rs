//! Rules about the text of a single file: lengths, words, openings, clock reads, and the form of vectors.
//!
//! Owns the list of banned words, each written in two parts so that this file passes its own rules.

use super::Source;

pub struct Rule {
    /// The banned text; in lower case if case is ignored.
    pub word: &'static str,
    pub any_case: bool,
    pub applies: fn(&Source) -> bool,
    pub because: &'static str,
}

fn everywhere(_: &Source) -> bool {
    true
}
fn rust(source: &Source) -> bool {
    source.is(&["rs"])
}
fn engine(source: &Source) -> bool {
    source.path.starts_with("timing/")
}
fn code(source: &Source) -> bool {
    source.is(&["rs", "js", "mjs", "ts", "html", "css", "proto", "toml"])
        || source.path.ends_with("run")
}
fn test_code(source: &Source) -> bool {
    source.is(&["rs", "js", "mjs", "ts"]) && source.is_test()
}

pub const RULES: [Rule; 16] = [
    rule(
        concat!("time", "out"),
        engine,
        "a flag falls; the other word is kept for networks",
    )
    .in_any_case(),
    rule(
        concat!("struct Clo", "ck "),
        rust,
        "nothing is called a bare clock: say which",
    ),
    rule(
        concat!("enum Clo", "ck "),
        rust,
        "nothing is called a bare clock: say which",
    ),
    rule(
        concat!("trait Clo", "ck "),
        rust,
        "nothing is called a bare clock: say which",
    ),
    rule(
        concat!("type Clo", "ck "),
        rust,
        "nothing is called a bare clock: say which",
    ),
    rule(
        concat!("struct Tim", "er "),
        rust,
        "nothing is called a bare timer: say which",
    ),
    rule(concat!("TO", "DO"), code, "finish it, or leave it out"),
    rule(concat!("FIX", "ME"), code, "finish it, or leave it out"),
    rule(concat!("todo", "!("), rust, "finish it, or leave it out"),
    rule(
        concat!("unimpl", "emented!("),
        rust,
        "finish it, or leave it out",
    ),
    rule(concat!("#[ign", "ore"), rust, "a test runs or is deleted"),
    rule(
        concat!("#[should_", "panic"),
        rust,
        "check the error that is returned",
    ),
    rule(
        concat!("thread::sl", "eep"),
        test_code,
        "wait for what is meant, not for a while",
    ),
    rule(
        concat!("time::sl", "eep"),
        test_code,
        "wait for what is meant, not for a while",
    ),
    rule(concat!("/wo", "rk/"), everywhere, "the path of one machine"),
    rule(
        concat!("/tmp/", "contracts"),
        everywhere,
        "the path of one machine",
    ),
];

const fn rule(word: &'static str, applies: fn(&Source) -> bool, because: &'static str) -> Rule {
    Rule {
        word,
        any_case: false,
        applies,
        because,
    }
}

impl Rule {
    const fn in_any_case(self) -> Self {
        Self {
            any_case: true,
            ..self
        }
    }
}

pub fn banned_words(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| (rule.applies)(source)) {
        for (index, line) in source.text.lines().enumerate() {
            let hit = if rule.any_case {
                line.to_lowercase().contains(rule.word)
            } else {
                line.contains(rule.word)
                    || line.ends_with(rule.word.trim_end()) && rule.word.ends_with(' ')
            };
            if hit {
                found.push(format!(
                    "{}:{}: `{}`: {}",
                    source.path,
                    index + 1,
                    rule.word.trim(),
                    rule.because
                ));
            }
        }
    }
    found
}

pub fn file_length(source: &Source) -> Vec<String> {
    const MAX_LINES: usize = 600;
    let lines = source.text.lines().count();
    let counted = source.is(&["rs", "js", "mjs", "ts", "css", "html", "proto", "svelte"]);
    if counted && lines > MAX_LINES {
        return vec![format!(
            "{}: {lines} lines; split it (at most {MAX_LINES}, aim for 60 to 300)",
            source.path
        )];
    }
    Vec::new()
}

/// Checks that a function has at most 70 lines. Relies on rustfmt: a function ends at the closing brace with its own indentation.
pub fn function_length(source: &Source) -> Vec<String> {
    const MAX_LINES: usize = 70;
    if !rust(source) {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        let plain = words
            .split_whitespace()
            .take_while(|word| *word != "fn")
            .all(|word| {
                ["pub", "const", "async", "unsafe", "extern", "\"C\""].contains(&word)
                    || word.starts_with("pub(")
            });
        if !plain || !words.split_whitespace().any(|word| word == "fn") {
            continue;
        }
        let end = lines[start..].iter().position(|line| {
            line.len() - line.trim_start().len() == indent
                && (line.trim_start() == "}" || line.ends_with(';'))
        });
        if let Some(length) = end.map(|end| end + 1)
            && length > MAX_LINES
        {
            found.push(format!(
                "{}:{}: a function of {length} lines (at most {MAX_LINES})",
                source.path,
                start + 1
            ));
        }
    }
    found
}

/// Checks that a Rust file opens with a `//!` comment, or takes its description from a README. The description should say what the module owns and
/// must never do.
pub fn opens_with_a_description(source: &Source) -> Vec<String> {
    if !rust(source) {
        return Vec::new();
    }
    let mut lines = source.text.lines();
    let described = source.text.contains("#![doc = include_str!(");
    if described
        || lines
            .next()
            .is_some_and(|line| line.starts_with("//!") && line.len() > 10)
    {
        return Vec::new();
    }
    vec![format!("{}:1: does not open with `//!`", source.path)]
}

const CLOCK_READERS: [&str; 5] = [
    "hub/src/time_source.rs",
    "hub/conformance/src/time_source.rs",
    "clock-agent/src/time_source.rs",
    "tests/src/stopwatch.rs",
    "timing/benches/press.rs",
];

/// Checks that no file outside `CLOCK_READERS` reads the operating system's clocks: elsewhere, time is an argument.
pub fn os_clock(source: &Source) -> Vec<String> {
    const READS: [&str; 6] = [
        concat!("clock_get", "time"),
        concat!("Instant::n", "ow("),
        concat!("SystemTime::n", "ow("),
        concat!("Timestamp::n", "ow("),
        concat!("Zoned::n", "ow("),
        concat!("UNIX_EP", "OCH"),
    ];
    if !rust(source) || CLOCK_READERS.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let said = line.trim_start().starts_with("//");
        for read in READS.iter().filter(|read| !said && line.contains(**read)) {
            found.push(format!(
                "{}:{}: `{read}` outside time_source.rs",
                source.path,
                index + 1
            ));
        }
    }
    found
}

/// Checks that a file among the vectors is a script with a control and at least one expectation, and ends in `.txt`: the runners read no other files.
pub fn vector_is_a_script(source: &Source) -> Vec<String> {
    if !source.path.starts_with("tests/vectors/") || source.is(&["md"]) {
        return Vec::new();
    }
    if !source.is(&["txt"]) {
        return vec![format!(
            "{}: no runner reads it: scripts end in .txt",
            source.path
        )];
    }
    let has = |start: &str| source.text.lines().any(|line| line.starts_with(start));
    let expects = source
        .text
        .lines()
        .any(|line| line.starts_with("at ") && line.contains(" expect "));
    if has("control ") && expects {
        return Vec::new();
    }
    vec![format!(
        "{}: a script without a control or without an expect",
        source.path
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn caught(rule: fn(&Source) -> Vec<String>, path: &str, bad: &str, good: &str) {
        assert!(
            !rule(&Source::new(path, bad)).is_empty(),
            "not caught in {path}: {bad}"
        );
        assert_eq!(rule(&Source::new(path, good)), Vec::<String>::new());
    }

    #[test]
    fn every_banned_word_is_caught_where_it_applies() {
        for rule in &RULES {
            let bad = format!("//! Fine.\n    pub {}{{\n", rule.word);
            let path = if (rule.applies)(&Source::new("timing/src/a.rs", "")) {
                "timing/src/a.rs"
            } else {
                "tests/src/a.rs"
            };
            caught(banned_words, path, &bad, "//! Fine.\nstruct BoardClock {\n");
        }
        caught(
            banned_words,
            "timing/README.md",
            concat!("A Time", "out."),
            "A flag fall.",
        );
        caught(
            banned_words,
            "hub/src/a.rs",
            concat!("pub struct Clo", "ck"),
            "pub struct ClockFace",
        );
    }

    #[test]
    fn words_are_allowed_where_they_do_no_harm() {
        let wait = Source::new(
            "hub/src/links.rs",
            concat!("tokio::time::sl", "eep(back_off)"),
        );
        assert!(banned_words(&wait).is_empty());
        let network = Source::new("hub/src/links.rs", concat!("idle_time", "out"));
        assert!(banned_words(&network).is_empty());
    }

    #[test]
    fn long_files_and_functions_are_caught() {
        caught(
            file_length,
            "hub/src/a.rs",
            &"x\n".repeat(601),
            &"x\n".repeat(600),
        );
        let body = |lines: usize| {
            format!(
                "impl A {{\n    pub async fn f() {{\n{}    }}\n}}\n",
                "        g();\n".repeat(lines)
            )
        };
        caught(function_length, "hub/src/a.rs", &body(69), &body(68));
        let several = format!(
            "    fn f(\n        a: u8,\n    ) {{\n{}    }}\n",
            "        g();\n".repeat(70)
        );
        caught(
            function_length,
            "hub/src/a.rs",
            &several,
            "    fn f(\n        a: u8,\n    );\n",
        );
    }

    #[test]
    fn a_module_without_a_description_is_caught() {
        caught(
            opens_with_a_description,
            "hub/src/a.rs",
            "use std::fmt;\n",
            "//! Owns the text.\n",
        );
        caught(
            opens_with_a_description,
            "hub/src/a.rs",
            "//!\n",
            "//! Owns the text.\n",
        );
        caught(
            opens_with_a_description,
            "hub/src/a.rs",
            "",
            "#![doc = include_str!(\"../README.md\")]\n",
        );
    }

    #[test]
    fn reading_the_clock_is_caught() {
        let reads = concat!("let now = std::time::Instant::n", "ow();");
        caught(
            os_clock,
            "hub/src/links.rs",
            reads,
            "let now = time.hub_now();",
        );
        caught(
            os_clock,
            "timing/src/a.rs",
            concat!("rustix::time::clock_get", "time(x)"),
            "// it never calls it\n",
        );
        assert!(os_clock(&Source::new("hub/src/time_source.rs", reads)).is_empty());
    }

    #[test]
    fn a_vector_that_nothing_runs_is_caught() {
        let good = "# a\ncontrol 5m\nat 0 expect white=300\n";
        caught(
            vector_is_a_script,
            "tests/vectors/a.txt",
            "control 5m\nat 0 start\n",
            good,
        );
        caught(
            vector_is_a_script,
            "tests/vectors/a.txt",
            "at 0 expect white=1\n",
            good,
        );
        assert_eq!(
            vector_is_a_script(&Source::new("tests/vectors/a.script", good)).len(),
            1
        );
    }
}
