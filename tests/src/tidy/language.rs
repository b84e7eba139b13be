//! Plain English in comments, documents and screen texts: finds words and phrases that betray a translation.
//!
//! Owns the list of words. Each word is written in two parts, so that this file passes its own check.

use super::Source;

const WORDS: [&str; 9] = [
    concat!("who", "ever"),
    concat!("whoso", "ever"),
    concat!("no", "body"),
    concat!("a", "new"),
    concat!("there", "of"),
    concat!("of o", "urs"),
    concat!("at all ev", "ents"),
    // As a future tense. Better: "the board that will be paired", or "the next board".
    concat!("is to", " be"),
    concat!("are to", " be"),
];

/// Words that must not begin a doc comment, which should name the thing that it documents.
const OPENINGS: [&str; 5] = ["Who", "What", "Whose", "Whether", "That which"];

/// Words that must not end a sentence of a comment: write "its log", not "the log it belongs to". Words that are often adverbs, such as "before" and
/// "over", are not in the list, nor is "on" ("from now on").
const PREPOSITIONS: [&str; 12] = [
    "against", "at", "by", "for", "from", "into", "of", "onto", "than", "to", "upon", "with",
];

/// Files whose text is not the project's own prose, each with the reason.
const EXCEPTIONS: [(&str, &str); 1] = [(
    "tests/clock-text.txt",
    "the texts of clocks that were released",
)];

/// Returns a message for each word, opening or ending that betrays a translation. Checks comments, documents and English screen texts.
pub fn plain_english(source: &Source) -> Vec<String> {
    if EXCEPTIONS.iter().any(|(path, _)| *path == source.path) || is_built(source) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, prose) in prose(source) {
        let lower = prose.to_lowercase();
        for word in WORDS.iter().filter(|word| has_word(&lower, word)) {
            found.push(format!("{}:{}: `{word}`", source.path, index + 1));
        }
    }
    found.extend(headless(source));
    found.extend(stranded(source));
    found
}

/// Returns true if the file is generated. The source from which it is generated is checked instead.
fn is_built(source: &Source) -> bool {
    source.path.starts_with("hub/assets/") || source.path.contains("/gen/")
}

/// Returns the lines of the file that contain prose, with their indices.
fn prose(source: &Source) -> Vec<(usize, &str)> {
    let lines = source.text.lines().enumerate();
    if source.is(&["md"]) {
        let mut block = false;
        return lines
            .filter(|(_, line)| {
                let fence = line.trim_start().starts_with("```");
                block ^= fence;
                !block && !fence
            })
            .collect();
    }
    if source.path.ends_with("messages/en.json") {
        return lines.collect();
    }
    let marks: &[&str] = if source.is(&["rs", "ts", "js", "mjs", "svelte", "css", "proto"]) {
        &["//", "/*", "* ", "<!--"]
    } else if source.is(&["toml", "sh", "service"]) || source.path.ends_with("/run") {
        &["# "]
    } else {
        return Vec::new();
    };
    lines
        .filter(|(_, line)| {
            let line = line.trim_start();
            marks.iter().any(|mark| line.starts_with(mark))
        })
        .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    let letter = |end: Option<char>| end.is_some_and(|end| end.is_alphanumeric() || end == '_');
    text.match_indices(word).any(|(at, _)| {
        let quoted = text[..at].matches('`').count() % 2 == 1;
        !quoted
            && !letter(text[..at].chars().next_back())
            && !letter(text[at + word.len()..].chars().next())
    })
}

fn headless(source: &Source) -> Vec<String> {
    if !source.is(&["rs"]) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut inside = false;
    for (index, line) in source.text.lines().enumerate() {
        let line = line.trim_start();
        let doc = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"));
        let begins = doc.filter(|_| !inside).map(str::trim_start);
        inside = doc.is_some();
        let opening = OPENINGS.iter().find(|opening| {
            begins
                .and_then(|text| text.strip_prefix(**opening))
                .is_some_and(|rest| rest.starts_with(' '))
        });
        if let Some(opening) = opening {
            found.push(format!(
                "{}:{}: a doc comment begins with `{opening}`: name the thing",
                source.path,
                index + 1
            ));
        }
    }
    found
}

fn stranded(source: &Source) -> Vec<String> {
    if source.is(&["md", "json"]) {
        return Vec::new();
    }
    let prose = prose(source);
    let mut found = Vec::new();
    for (place, (index, line)) in prose.iter().enumerate() {
        let continues = prose
            .get(place + 1)
            .is_some_and(|(next, _)| *next == index + 1);
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let word = word.trim_end_matches([')', '"', '*', '/']);
            let bare = word.trim_end_matches(['.', ';', '!', '?']);
            let ends = bare.len() < word.len() || (at + 1 == words.len() && !continues);
            if ends && PREPOSITIONS.contains(&bare.to_lowercase().as_str()) {
                found.push(format!(
                    "{}:{}: a sentence ends in `{bare}`: name the thing",
                    source.path,
                    index + 1
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn count(path: &str, text: &str) -> usize {
        plain_english(&Source::new(path, text)).len()
    }

    #[test]
    fn each_word_is_caught_in_prose_but_allowed_in_code() {
        for word in WORDS {
            assert_eq!(count("hub/src/a.rs", &format!("// Then {word}.\n")), 1);
            assert_eq!(count("docs/a.md", &format!("Then {word}.\n")), 1);
            assert_eq!(
                count("companion-app/messages/en.json", &format!("\"{word}\"\n")),
                1
            );
            assert_eq!(count("hub/src/a.rs", &format!("let x = \"{word}\";\n")), 0);
            assert_eq!(count("docs/a.md", &format!("```\n{word}\n```\n")), 0);
            assert_eq!(count("docs/a.md", &format!("The value `{word}`.\n")), 0);
            assert_eq!(count("docs/a.md", &format!("Then x{word}.\n")), 0);
        }
    }

    #[test]
    fn a_doc_comment_names_the_thing() {
        for opening in OPENINGS {
            assert_eq!(
                count(
                    "hub/src/a.rs",
                    &format!("/// {opening} it is.\nfn a() {{}}\n")
                ),
                1
            );
            assert_eq!(
                count(
                    "hub/src/a.rs",
                    &format!("/// The board.\n/// {opening} it is.\n")
                ),
                0
            );
        }
        assert_eq!(count("hub/src/a.rs", "/// Whatever.\n"), 0);
    }

    #[test]
    fn no_sentence_of_a_comment_ends_in_a_preposition() {
        for word in PREPOSITIONS {
            for comment in [
                format!("/// The log it speaks {word}.\nfn a() {{}}\n"),
                format!("/// The log it speaks {word}\nfn a() {{}}\n"),
                format!("/// The log it speaks {word}; empty at first.\n"),
                format!("// (The log it speaks {word}.) Then this\n// goes on here.\n"),
            ] {
                assert_eq!(count("hub/src/a.rs", &comment), 1, "{comment}");
            }
            for comment in [
                format!("/// The log {word}\n/// which it speaks.\n"),
                format!("/// The word `{word}`.\n"),
                format!("let x = \"It speaks {word}.\";\n"),
            ] {
                assert_eq!(count("hub/src/a.rs", &comment), 0, "{comment}");
            }
        }
        assert_eq!(count("hub/src/a.rs", "/// Once the round is over.\n"), 0);
    }
}
