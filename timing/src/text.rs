//! The characters that a name or display text may contain. Owns that decision for hub and clocks, the type of a checked text, and the
//! escaping of hidden characters for terminals and logs.

mod display;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

pub use display::{DisplayText, TextError};

/// Returns true for an invisible character that changes or splits the text around it. These are control characters (including line breaks and
/// escapes), line and paragraph separators, direction controls, fillers, and other invisible format characters.
///
/// The joiners U+200C and U+200D do not count as hidden: Persian and the scripts of India need them inside words (see [`hidden_in`]). Variation
/// selectors, which choose the form of the preceding character, do not count either.
pub const fn is_hidden(char: char) -> bool {
    matches!(
        char,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}'
    )
}

/// Returns the first forbidden character in `text`: a hidden character, or a joiner that is not between two non-ASCII characters.
pub fn hidden_in(text: &str) -> Option<char> {
    hidden(text).map(|(_, char)| char).next()
}

/// Returns `text` without the characters that [`hidden_in`] forbids.
pub fn without_hidden(text: &str) -> String {
    let hidden: Vec<usize> = hidden(text).map(|(at, _)| at).collect();
    text.char_indices()
        .filter(|(at, _)| hidden.binary_search(at).is_err())
        .map(|(_, char)| char)
        .collect()
}

/// Returns the forbidden characters in `text`, each with its byte position.
fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut before = None;
    text.char_indices().filter(move |&(at, char)| {
        let after = text[at + char.len_utf8()..].chars().next();
        let joins = |beside: Option<char>| beside.is_some_and(|beside| !beside.is_ascii());
        // Beside an ASCII character, a joiner serves only to make two different names look alike.
        let alone = matches!(char, '\u{200c}' | '\u{200d}') && !(joins(before) && joins(after));
        before = Some(char);
        is_hidden(char) || alone
    })
}

/// Escapes a string for a terminal or a log: hidden characters become `\u202e` and the like, as in JSON. Line feeds and tabs stay.
pub fn escaped(text: &str) -> String {
    escaped_but(text, |char| matches!(char, '\n' | '\t'))
}

/// Escapes a string for one cell or field of a line: all hidden characters, including line breaks and tabs.
pub fn escaped_field(text: &str) -> String {
    escaped_but(text, |_| false)
}

/// Escapes a log message so that it stays one line: only a final line break remains. If `coloured` is true, the escape character of colour sequences
/// remains too, so the caller must already have escaped all untrusted text.
pub fn escaped_line(message: &str, coloured: bool) -> String {
    let (line, end) = match message.strip_suffix('\n') {
        Some(line) => (line, "\n"),
        None => (message, ""),
    };
    escaped_but(line, |char| coloured && char == '\u{1b}') + end
}

fn escaped_but(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if !is_hidden(char) || stays(char) {
            out.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    /// Every direction control, and examples of most other kinds.
    const HIDDEN: [char; 24] = [
        '\u{202a}',
        '\u{202b}',
        '\u{202c}',
        '\u{202d}',
        '\u{202e}',
        '\u{2066}',
        '\u{2067}',
        '\u{2068}',
        '\u{2069}',
        '\u{200e}',
        '\u{200f}',
        '\u{61c}',
        '\u{200b}',
        '\u{2060}',
        '\u{feff}',
        '\u{ad}',
        '\u{2028}',
        '\u{2029}',
        '\n',
        '\t',
        '\u{1b}',
        '\u{85}',
        '\u{e0041}',
        '\0',
    ];

    #[test]
    fn hidden_characters_are_found_removed_and_escaped() {
        for char in HIDDEN {
            let text = format!("Ada{char} Byron");
            assert_eq!(hidden_in(&text), Some(char), "U+{:04X}", u32::from(char));
            assert_eq!(without_hidden(&text), "Ada Byron");
            let shown = escaped(&text);
            let stays = matches!(char, '\n' | '\t');
            assert_eq!(hidden_in(&shown).is_some(), stays, "{shown}");
        }
        assert_eq!(escaped("a\u{202e}b\u{1b}[2J"), "a\\u202eb\\u001b[2J");
        assert_eq!(escaped("\u{e0041}"), "\\udb40\\udc41");
        assert_eq!(escaped_field("a\tb\n"), "a\\u0009b\\u000a");
        let log = "\u{1b}[31mWARN\u{1b}[0m a\nb\u{2067}\n";
        assert_eq!(
            escaped_line(log, true),
            "\u{1b}[31mWARN\u{1b}[0m a\\u000ab\\u2067\n"
        );
        assert_eq!(
            escaped_line(log, false),
            "\\u001b[31mWARN\\u001b[0m a\\u000ab\\u2067\n"
        );
    }

    #[test]
    fn names_in_every_script_pass() {
        for name in [
            "Müller, Jörg",
            "محمد صلاح",
            "נועה קירל",
            "علی\u{200c}رضا فیروزجا",
            "क्\u{200d}ष",
            "葛\u{e0100}城",
            "O’Brien (W) №\u{a0}7",
        ] {
            assert_eq!(hidden_in(name), None, "{name}");
            assert_eq!(without_hidden(name), name);
            assert_eq!(escaped(name), name);
        }
        for name in ["Ada\u{200d}", "\u{200c}Ada", "An\u{200c}na"] {
            assert!(hidden_in(name).is_some(), "{name}");
        }
    }
}
