//! The first list in a zip file, unpacked while it is read and verified by its checksum.

use std::io::{self, Read, Seek};

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::read::ListError;

pub(super) struct Entry<'a, R: Read> {
    pub(super) name: String,
    /// The list's date in the zip, such as `2026-10-09`; empty if the zip contains no date.
    pub(super) dated: String,
    content: ZipFile<'a, R>,
}

/// Checks for the signature of a zip file, and rewinds the source.
pub(super) fn is_zip(source: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut start = Vec::new();
    source.by_ref().take(4).read_to_end(&mut start)?;
    source.rewind()?;
    Ok(start == b"PK\x03\x04" || start == b"PK\x05\x06")
}

pub(super) fn open<R: Read + Seek>(source: R) -> Result<ZipArchive<R>, ListError> {
    ZipArchive::new(source).map_err(unreadable)
}

pub(super) fn list<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Result<Entry<'_, R>, ListError> {
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    let is_list = |name: &String| {
        let name = name.to_ascii_lowercase();
        name.ends_with(".xml") || name.ends_with(".txt")
    };
    let Some(nth) = names.iter().position(is_list) else {
        return Err(ListError::NotAList(match names.is_empty() {
            true => "the zip file is empty".to_owned(),
            false => format!(
                "the zip file contains no .xml or .txt file, only {}",
                names.join(", ")
            ),
        }));
    };
    let content = archive.by_index(nth).map_err(unreadable)?;
    let dated = content.last_modified().map_or_else(String::new, |at| {
        format!("{:04}-{:02}-{:02}", at.year(), at.month(), at.day())
    });
    Ok(Entry {
        name: names[nth].clone(),
        dated,
        content,
    })
}

fn unreadable(error: ZipError) -> ListError {
    if let ZipError::Io(error) = error {
        return ListError::Io(error);
    }
    ListError::Zip(format!("the zip file cannot be read ({error})"))
}

impl<R: Read> Read for Entry<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.content.read(into).map_err(|error| {
            let why = format!(
                "{} in the zip file is damaged or incomplete: {error}: download it again",
                self.name
            );
            io::Error::new(error.kind(), why)
        })
    }
}
