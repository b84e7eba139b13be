//! Checks that every path named in a README exists.
//!
//! Owns the extraction of paths from Markdown. It judges only words that are clearly paths of the repository.

/// Endings that mark a word with a slash as a file of the repository.
const ENDINGS: [&str; 15] = [
    ".rs", ".proto", ".toml", ".md", ".txt", ".js", ".mjs", ".html", ".css", ".sh", ".service",
    ".png", ".svg", ".trf", "/",
];

/// Returns the paths named in `markdown` that do not exist: link targets, words in back-ticks, and the first word of a
/// code block's line. A path may be relative to a folder named in the same line.
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

fn named_paths(line: &str, block: bool) -> Vec<String> {
    let mut words: Vec<&str> = if block {
        line.split_whitespace().take(1).collect()
    } else {
        line.split('`').skip(1).step_by(2).collect()
    };
    words.extend(
        line.split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next()),
    );
    words
        .into_iter()
        .flat_map(spread)
        .filter(|path| is_path(path))
        .collect()
}

/// Expands `a/{b,c}.rs` to two paths.
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
    fn a_path_that_is_not_there_is_caught() {
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
    fn what_is_no_path_is_left_alone() {
        let text = "`/live/boards.json` `flagfall://host:port` `tests/run` `image/png` `./target/x.rs` `40/2h : 20/1h`";
        assert_eq!(
            missing_paths("README.md", text, |_| false),
            Vec::<String>::new()
        );
    }
}
