//! Corpora as text files: one input per line, with escapes as in a Rust byte string.
//!
//! Owns the format and the folder. Must never skip an unreadable input: a damaged corpus is an error.

use std::path::PathBuf;

use anyhow::Context as _;

fn path(target: &str) -> PathBuf {
    crate::tidy::root().join(format!("tests/corpora/{target}.corpus"))
}

pub fn load(target: &str) -> anyhow::Result<Vec<Vec<u8>>> {
    let path = path(target);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let inputs = text.lines().zip(1..).map(|(line, number)| {
        unescaped(line).with_context(|| format!("{}:{number}: a bad escape", path.display()))
    });
    inputs.collect()
}

/// Writes the corpus of a target, sorted by length and without duplicates.
pub fn save(target: &str, mut inputs: Vec<Vec<u8>>) -> anyhow::Result<()> {
    inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    inputs.dedup();
    let lines: String = inputs.iter().map(|input| escaped(input) + "\n").collect();
    let path = path(target);
    std::fs::write(&path, lines).with_context(|| path.display().to_string())
}

pub fn escaped(input: &[u8]) -> String {
    input.escape_ascii().to_string()
}

/// Returns the input that a line of a corpus encodes; `None` if an escape is malformed.
pub fn unescaped(line: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(line.len());
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                plain @ (b'\\' | b'\'' | b'"') => plain,
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_as_text() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(unescaped(&escaped(&all)), Some(all));
        for bad in ["\\", "\\x1", "\\q", "\\xzz"] {
            assert_eq!(unescaped(bad), None, "{bad}");
        }
    }
}
