//! Decodes the bytes of a file as lines of text. Owns the detection of the encoding and of line ends; must never
//! interpret a line.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use timing::text::{hidden_in, without_hidden};

use super::expected::Expected;
use super::fault::Fault;
use super::remark::{ReadingRemark, Remark};

mod dos;

/// Maximum size of a file, in bytes. A report of a thousand players and thirty rounds needs less than a tenth of that.
pub const MAX_FILE_BYTES: usize = 8 << 20;

/// A decoded file: its text, the name of its encoding, and remarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The whole text, without a byte-order mark.
    pub text: String,
    /// The name of the file's encoding, such as `UTF-8` or `IBM850`.
    pub encoding: &'static str,
    /// Remarks on a guessed encoding and on hidden characters.
    pub remarks: Vec<Remark>,
}

impl Text {
    /// Returns the text without hidden characters; line breaks and tabs are kept.
    pub fn without_hidden(&self) -> String {
        let layout = ['\t', '\r', '\n'];
        let parts = self.text.split_inclusive(layout).map(|part| {
            let end = part.chars().next_back();
            let mut plain = without_hidden(part);
            plain.extend(end.filter(|char| layout.contains(char)));
            plain
        });
        parts.collect()
    }
}

/// Decodes bytes. The byte-order mark decides the encoding. Without a mark it is UTF-8 if valid, else the DOS code page
/// if the letters suggest it, else Windows-1252 (which includes Latin-1).
///
/// # Errors
/// Returns a fault if the file is too large, is invalid in the encoding that its byte-order mark states, or contains
/// control characters other than tabs and line breaks.
pub fn decode(bytes: &[u8]) -> Result<Text, Fault> {
    if bytes.len() > MAX_FILE_BYTES {
        let found = format!("{} bytes", bytes.len());
        return Err(Fault::of_file(Expected::FileSize(MAX_FILE_BYTES), found));
    }
    let (encoding, rest) = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => (encoding, bytes.get(mark..).unwrap_or_default()),
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, bytes),
        None if dos::is_likely(bytes) => return dos_text(bytes),
        None => (WINDOWS_1252, bytes),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(rest);
    let Some(text) = text else {
        let expected = Expected::Encoding(encoding.name());
        return Err(Fault::of_file(expected, "invalid bytes"));
    };
    no_control_characters(&text)?;
    Ok(Text {
        remarks: hidden_remarks(&text),
        text: text.into_owned(),
        encoding: encoding.name(),
    })
}

fn dos_text(bytes: &[u8]) -> Result<Text, Fault> {
    let text = dos::decode(bytes);
    no_control_characters(&text)?;
    let mut remarks = vec![ReadingRemark::DosCodePage.into()];
    remarks.extend(hidden_remarks(&text));
    Ok(Text {
        remarks,
        text,
        encoding: dos::NAME,
    })
}

/// Returns remarks on hidden characters, such as the direction marks that some programs put into names. Reports, tables
/// of pairings and lists of players are read without them. A name from a file then equals the same name typed by an
/// arbiter.
fn hidden_remarks(text: &str) -> Vec<Remark> {
    const MAX_LISTED: usize = 20;
    let text = text.trim_end_matches('\u{1a}');
    let mut odd = lines(text).filter_map(|(number, line)| {
        let line = line.replace('\t', " ");
        hidden_in(&line).map(|found| (number, found))
    });
    let listed = odd.by_ref().take(MAX_LISTED);
    let listed = listed.map(|(line, character)| ReadingRemark::HiddenCharacter { line, character });
    let mut remarks: Vec<Remark> = listed.map(Remark::from).collect();
    match odd.count() {
        0 => (),
        more => remarks.push(ReadingRemark::MoreHiddenCharacters(more).into()),
    }
    remarks
}

/// Returns the lines of `text`, numbered from 1. CR, LF, CR LF and the end of `text` end a line.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    let next = move || {
        let text = rest?;
        let Some(at) = text.find(['\r', '\n']) else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(at);
        let single = || after.strip_prefix(['\r', '\n']);
        let after = after.strip_prefix("\r\n").or_else(single);
        rest = after.filter(|after| !after.is_empty());
        Some(line)
    };
    (1..).zip(std::iter::from_fn(next))
}

fn no_control_characters(text: &str) -> Result<(), Fault> {
    let strange = |char: char| char.is_control() && !matches!(char, '\t' | '\r' | '\n');
    // DOS programs end a file with this character.
    let text = text.trim_end_matches('\u{1a}');
    if !text.contains(strange) {
        return Ok(());
    }
    for (number, line) in lines(text) {
        if let Some((column, char)) = (1..).zip(line.chars()).find(|(_, char)| strange(*char)) {
            let found = format!("the control character U+{:04X}", u32::from(char));
            return Err(Fault::because(number, column, Expected::PlainText, found));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end() {
        let of = |text: &'static str| lines(text).collect::<Vec<_>>();
        assert_eq!(of("a\rb\r\nc\nd"), [(1, "a"), (2, "b"), (3, "c"), (4, "d")]);
        assert_eq!(of("a\r\r\nb\n"), [(1, "a"), (2, ""), (3, "b")]);
        assert_eq!(of(""), []);
    }

    #[test]
    fn encoding_is_detected() {
        let of = |bytes: &[u8]| decode(bytes).map(|text| (text.text, text.encoding));
        assert_eq!(of(b"\xef\xbb\xbfa"), Ok(("a".to_owned(), "UTF-8")));
        assert_eq!(of("Müller".as_bytes()), Ok(("Müller".to_owned(), "UTF-8")));
        assert_eq!(
            of(b"M\xfcller \x8aik"),
            Ok(("Müller Šik".to_owned(), "windows-1252"))
        );
        let dos = Ok(("Schröder, José, Muñoz, Weiß".to_owned(), "IBM850"));
        assert_eq!(of(b"Schr\x94der, Jos\x82, Mu\xa4oz, Wei\xe1"), dos);
        // Windows-1252 has an apostrophe, quotes and dashes at byte values where DOS has letters.
        let quoted = Ok(("O’Connor “Pat” – Öst".to_owned(), "windows-1252"));
        assert_eq!(of(b"O\x92Connor \x93Pat\x94 \x96 \xd6st"), quoted);
        assert_eq!(of(b"\xff\xfea\x00;\x00"), Ok(("a;".to_owned(), "UTF-16LE")));
        assert!(of(b"\xff\xfea").is_err());
        assert!(of(b"\xef\xbb\xbf\xff").is_err());
    }

    #[test]
    fn guessed_dos_code_page_gets_a_remark() {
        let remarks = |bytes: &[u8]| decode(bytes).unwrap().remarks;
        let said = &remarks(b"Schr\x94der")[0].to_string();
        assert!(said.contains("DOS text (code page 850)"), "{said}");
        assert_eq!(remarks(b"Schr\xf6der"), []);
    }

    #[test]
    fn binary_file_is_refused_with_the_place() {
        let fault = decode(b"012 Cup\n02\x002 x").unwrap_err();
        assert_eq!((fault.line, fault.column), (2, 3));
    }
}
