//! Checks that the paths, headings and tests to which a document refers exist.
//!
//! Owns the extraction of their names from Markdown. Judges only words that are clearly paths or tests in the repository.

use std::collections::BTreeSet;

/// Endings that mark a word with a slash as a path in the repository.
const ENDINGS: [&str; 15] = [
    ".rs", ".proto", ".toml", ".md", ".txt", ".js", ".mjs", ".html", ".css", ".sh", ".service",
    ".png", ".svg", ".trf", "/",
];

/// Returns a message for each path named in `markdown` that does not exist. Paths are link targets, words in back-ticks, and the first word of each
/// line in a code block. They may be relative to a folder named on the same line.
pub fn missing_paths(name: &str, markdown: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut block = false;
    for (index, line) in markdown.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            block = !block;
            continue;
        }
        let named = named_paths(line, block);
        let folders: Vec<&str> = named
            .iter()
            .filter_map(|path| path.rsplit_once('/'))
            .map(|(folder, _)| folder)
            .collect();
        for path in &named {
            let there = exists(path)
                || folders
                    .iter()
                    .any(|folder| exists(&format!("{folder}/{path}")));
            if !there {
                found.push(format!(
                    "{name}:{}: names {path}, which is not there",
                    index + 1
                ));
            }
        }
    }
    found
}

/// Returns a message for each link in `markdown` whose heading does not exist. `text_of` returns the text of a linked document if it exists and is
/// Markdown.
pub fn missing_headings(
    name: &str,
    markdown: &str,
    text_of: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut found = Vec::new();
    for (index, line) in markdown.lines().enumerate() {
        for target in link_targets(line).filter(|target| !target.contains("://")) {
            let Some((path, anchor)) = target.split_once('#') else {
                continue;
            };
            let text = match path {
                "" => Some(markdown.to_owned()),
                path => text_of(path),
            };
            if text.is_some_and(|text| !anchors(&text).any(|one| one == anchor)) {
                found.push(format!(
                    "{name}:{}: links to {target}, which has no such heading",
                    index + 1
                ));
            }
        }
    }
    found
}

/// Returns the anchors of the document's headings: lower case, hyphens for spaces, no punctuation.
fn anchors(markdown: &str) -> impl Iterator<Item = String> {
    let outside_blocks = markdown.split("```").step_by(2);
    outside_blocks.flat_map(str::lines).filter_map(|line| {
        let title = line.trim_start_matches('#').strip_prefix(' ')?;
        line.starts_with('#').then(|| {
            title
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
    })
}

fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
}

/// Returns a message for each test named in `markdown` that is not among `functions`. Names of tests are words in back-ticks with at least four
/// underscores, other than names of metrics. The beginning of a name counts too: at least two words, followed by `_…`.
pub fn missing_tests(name: &str, markdown: &str, functions: &BTreeSet<String>) -> Vec<String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let begins = |part: &str| {
        let mut from = functions.range(part.to_owned()..);
        from.next().is_some_and(|found| found.starts_with(part))
    };
    let is_missing = |word: &str| match word.strip_suffix("_…") {
        Some(part) => part.chars().all(plain) && part.contains('_') && !begins(&format!("{part}_")),
        None => {
            word.chars().all(plain)
                && !word.starts_with("flagfall_")
                && word.matches('_').count() >= 4
                && !functions.contains(word)
        }
    };
    let mut found = Vec::new();
    for (index, line) in markdown.lines().enumerate() {
        for word in line.split('`').skip(1).step_by(2) {
            let test = word.rsplit("::").next().unwrap_or(word);
            if is_missing(test) {
                found.push(format!(
                    "{name}:{}: names the test {test}, which does not exist",
                    index + 1
                ));
            }
        }
    }
    found
}

pub fn functions(rust: &str) -> impl Iterator<Item = &str> {
    rust.lines().filter_map(|line| {
        let (_, after) = line.trim_start().split_once("fn ")?;
        after.split(['(', '<']).next()
    })
}

fn named_paths(line: &str, block: bool) -> Vec<String> {
    let mut words: Vec<&str> = if block {
        line.split_whitespace().take(1).collect()
    } else {
        line.split('`').skip(1).step_by(2).collect()
    };
    words.extend(link_targets(line));
    words
        .into_iter()
        .flat_map(spread)
        .filter(|path| is_path(path))
        .collect()
}

/// Expands a word such as `a/{b,c}.rs` into one path for each alternative.
fn spread(word: &str) -> Vec<String> {
    if let (Some(open), Some(close)) = (word.find('{'), word.find('}'))
        && open < close
    {
        let (before, after) = (&word[..open], &word[close + 1..]);
        return word[open + 1..close]
            .split(',')
            .map(|part| format!("{before}{part}{after}"))
            .collect();
    }
    vec![word.to_owned()]
}

fn is_path(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    word.contains('/')
        && !word.starts_with('/')
        && !word.starts_with("./")
        && word.chars().all(plain)
        && !word.starts_with("target/")
        && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_path_is_caught() {
        let there = |path: &str| ["hub/src/log.rs", "hub/src/log/", "tests/"].contains(&path);
        let text = "See `hub/src/log.rs`, `hub/src/gone.rs`.\n```\ntests/  the tests\ngone/  what was\n```\n`hub/src/{log,left}.rs`";
        let missing = missing_paths("README.md", text, there);
        assert_eq!(missing.len(), 3, "{missing:?}");
        let row = "| [hub/](hub/README.md) | `src/log.rs`, `src/gone.rs` |";
        let missing = missing_paths("README.md", row, |path| {
            ["hub/README.md", "hub/src/log.rs"].contains(&path)
        });
        assert_eq!(
            missing,
            ["README.md:1: names src/gone.rs, which is not there"]
        );
    }

    #[test]
    fn a_missing_heading_is_caught() {
        let page = "# A page\n[own](#a-page) [gone](#gone)\n## Its `second` part, told\n```\n# no heading\n```\n";
        let missing = |text: &str| {
            missing_headings("README.md", text, |path| {
                (path == "page.md").then(|| page.to_owned())
            })
        };
        assert_eq!(
            missing(page),
            ["README.md:2: links to #gone, which has no such heading"]
        );
        assert_eq!(
            missing(
                "[second](page.md#its-second-part-told) [other](other.md#x) [far](https://a.b/page.md#x)"
            ),
            Vec::<String>::new()
        );
        assert_eq!(missing("[block](page.md#no-heading)").len(), 1);
    }

    #[test]
    fn a_missing_test_is_caught() {
        let rust = "    async fn a_press_is_never_lost() {}\npub fn other<T>(of: T) {}\n";
        let known = functions(rust).map(str::to_owned).collect();
        let missing = |text: &str| missing_tests("README.md", text, &known);
        let named = "`a_press_is_never_lost` `shell::a_press_is_never_lost` `a_press_…` `max_frame_size` `tb_…` `flagfall_a_metric_of_clocks` `A_NAME_OF_A_CONSTANT`";
        assert_eq!(missing(named), Vec::<String>::new());
        assert_eq!(missing("`a_press_is_always_lost` `a_pause_…`").len(), 2);
    }

    #[test]
    fn words_that_are_not_paths_are_ignored() {
        let text = "`/live/boards.json` `flagfall://host:port` `tests/run` `image/png` `./target/x.rs` `40/2h : 20/1h`";
        assert_eq!(
            missing_paths("README.md", text, |_| false),
            Vec::<String>::new()
        );
    }
}
