//! The bytes of a file as lines of text: what encoding it is in, where its lines end. Owns both guesses; never looks at
//! what the lines say.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use timing::text::{hidden_in, without_hidden};

use super::fault::Fault;

mod dos;

/// The largest file that is read: a thousand players of thirty rounds take less than a tenth of it.
pub const LARGEST: usize = 8 << 20;

/// A file as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The whole text, without a byte-order mark.
    pub text: String,
    /// The encoding it was in, by its usual name.
    pub encoding: &'static str,
    /// The lines with characters that are left out of every name, in sentences.
    pub remarks: Vec<String>,
}

impl Text {
    /// The text without hidden characters, but with its lines and columns.
    pub fn without_hidden(&self) -> String {
        let layout = ['\t', '\r', '\n'];
        self.text
            .split_inclusive(layout)
            .map(|part| {
                let end = part
                    .chars()
                    .next_back()
                    .filter(|char| layout.contains(char));
                let mut plain = without_hidden(part);
                plain.extend(end);
                plain
            })
            .collect()
    }
}

/// Reads bytes: by their byte-order mark if there is one, as UTF-8 if they are UTF-8, in the DOS code page if their
/// letters are there, as Windows-1252 (which every Latin-1 text is too) otherwise.
///
/// # Errors
/// A fault if the file is too large, does not fit its own mark, or holds characters no text has.
pub fn decode(bytes: &[u8]) -> Result<Text, Fault> {
    if bytes.len() > LARGEST {
        let found = format!("{} bytes", bytes.len());
        return Err(Fault::because(
            1,
            1,
            format!("a file of at most {LARGEST} bytes"),
            found,
        ));
    }
    let (encoding, rest) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, bytes.get(mark..).unwrap_or_default()),
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, bytes),
        None if dos::is_likely(bytes) => return dos_text(bytes),
        None => (WINDOWS_1252, bytes),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(rest);
    let Some(text) = text else {
        let expected = format!(
            "{} all through, as the mark at its start says",
            encoding.name()
        );
        return Err(Fault::because(1, 1, expected, "bytes that are none"));
    };
    no_control_characters(&text)?;
    Ok(Text {
        remarks: hidden_remarks(&text),
        text: text.into_owned(),
        encoding: encoding.name(),
    })
}

/// Reads bytes in the DOS code page, and says so: it is a guess.
fn dos_text(bytes: &[u8]) -> Result<Text, Fault> {
    let text = dos::decode(bytes);
    no_control_characters(&text)?;
    let mut remarks = vec![
        "the file is read in DOS code page 850 (437): check names with accents, or save it as UTF-8"
            .to_owned(),
    ];
    remarks.extend(hidden_remarks(&text));
    Ok(Text {
        remarks,
        text,
        encoding: dos::NAME,
    })
}

/// Names come out of other programs with marks of direction that a person never wrote. They are left out and said, so that a name is
/// the same whether it was typed or read.
fn hidden_remarks(text: &str) -> Vec<String> {
    /// Lines that are named one by one.
    const TOLD: usize = 20;
    let text = text.trim_end_matches('\u{1a}');
    let mut odd = lines(text).filter_map(|(number, line)| {
        let line = line.replace('\t', " ");
        hidden_in(&line).map(|found| (number, u32::from(found)))
    });
    let mut remarks: Vec<String> = odd
        .by_ref()
        .take(TOLD)
        .map(|(line, found)| {
            format!("line {line}: the invisible character U+{found:04X} was left out")
        })
        .collect();
    match odd.count() {
        0 => (),
        more => remarks.push(format!(
            "invisible characters were left out of {more} more lines"
        )),
    }
    remarks
}

/// The lines of a text with their numbers from 1; CR, LF and CR LF end a line, and so does the end of the text.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    let next = move || {
        let text = rest?;
        let Some(at) = text.find(['\r', '\n']) else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(at);
        let after = after
            .strip_prefix("\r\n")
            .or_else(|| after.strip_prefix(['\r', '\n']))
            .unwrap_or_default();
        rest = Some(after).filter(|after| !after.is_empty());
        Some(line)
    };
    std::iter::from_fn(next)
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

fn no_control_characters(text: &str) -> Result<(), Fault> {
    let strange = |char: char| char.is_control() && !matches!(char, '\t' | '\r' | '\n');
    // DOS programs end a file with this character.
    let text = text.trim_end_matches('\u{1a}');
    if !text.contains(strange) {
        return Ok(());
    }
    for (number, line) in lines(text) {
        if let Some(at) = line.chars().position(strange) {
            let found = line
                .chars()
                .nth(at)
                .map_or(String::new(), |char| format!("U+{:04X}", u32::from(char)));
            return Err(Fault::because(
                number,
                at + 1,
                "text",
                format!("the control character {found}"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_as_any_system_ends_it() {
        let of = |text: &'static str| lines(text).collect::<Vec<_>>();
        assert_eq!(of("a\rb\r\nc\nd"), [(1, "a"), (2, "b"), (3, "c"), (4, "d")]);
        assert_eq!(of("a\r\r\nb\n"), [(1, "a"), (2, ""), (3, "b")]);
        assert_eq!(of(""), []);
    }

    #[test]
    fn the_encoding_is_found() {
        let of = |bytes: &[u8]| decode(bytes).map(|text| (text.text, text.encoding));
        assert_eq!(of(b"\xef\xbb\xbfa"), Ok(("a".to_owned(), "UTF-8")));
        assert_eq!(of("Müller".as_bytes()), Ok(("Müller".to_owned(), "UTF-8")));
        assert_eq!(
            of(b"M\xfcller \x8aik"),
            Ok(("Müller Šik".to_owned(), "windows-1252"))
        );
        let dos = Ok(("Schröder, José, Muñoz, Weiß".to_owned(), "IBM850"));
        assert_eq!(of(b"Schr\x94der, Jos\x82, Mu\xa4oz, Wei\xe1"), dos);
        // Windows-1252 has an apostrophe, quotes and dashes where DOS has letters.
        let quoted = Ok(("O’Connor “Pat” – Öst".to_owned(), "windows-1252"));
        assert_eq!(of(b"O\x92Connor \x93Pat\x94 \x96 \xd6st"), quoted);
        assert_eq!(of(b"\xff\xfea\x00;\x00"), Ok(("a;".to_owned(), "UTF-16LE")));
        assert!(of(b"\xff\xfea").is_err());
        assert!(of(b"\xef\xbb\xbf\xff").is_err());
    }

    #[test]
    fn a_guess_of_the_dos_code_page_is_said() {
        let remarks = |bytes: &[u8]| decode(bytes).unwrap().remarks;
        let said = &remarks(b"Schr\x94der")[0];
        assert!(said.contains("DOS code page 850"), "{said}");
        assert_eq!(remarks(b"Schr\xf6der"), [""; 0]);
    }

    #[test]
    fn a_file_that_is_no_text_is_refused_with_the_place() {
        let fault = decode(b"012 Cup\n02\x002 x").unwrap_err();
        assert_eq!((fault.line, fault.column), (2, 3));
    }
}
