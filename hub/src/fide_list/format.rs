//! Reads a list in any of FIDE's formats: detects the format and calls its reader.

use std::io::{BufRead, BufReader, Read, Seek};

use super::{ListInfo, ListedPlayer, Month, text_list, xml_list, zip_file};
use crate::fide_list::read::{ListError, Sink};

const BUFFER: usize = 256 * 1024;

/// Reads a list and passes each player to `take`, in the order of the file. Returns the description of the list.
///
/// # Errors
/// Returns any [`ListError`], including errors from `take`.
pub fn read(
    mut source: impl Read + Seek,
    file_name: &str,
    take: &mut dyn FnMut(ListedPlayer) -> Result<(), ListError>,
) -> Result<ListInfo, ListError> {
    let mut sink = Sink {
        take,
        info: ListInfo {
            file_name: file_name.to_owned(),
            month: Month::in_text(file_name),
            ..ListInfo::default()
        },
    };
    let names = if zip_file::is_zip(&mut source)? {
        let mut archive = zip_file::open(source)?;
        let entry = zip_file::list(&mut archive)?;
        sink.info.file_date.clone_from(&entry.dated);
        sink.info.month = sink.info.month.or_else(|| Month::in_text(&entry.name));
        let names = format!("{file_name} {}", entry.name);
        list(BufReader::with_capacity(BUFFER, entry), &names, &mut sink)?;
        names
    } else {
        let source = BufReader::with_capacity(BUFFER, source);
        list(source, file_name, &mut sink)?;
        file_name.to_owned()
    };
    let info = sink.info;
    if info.players == 0 || info.unreadable > info.players {
        let faults = info.faults.first();
        let first = faults.map_or(String::new(), |fault| {
            format!(", the first in line {}: {}", fault.line, fault.why)
        });
        return Err(ListError::NotAList(format!(
            "{names} has {} readable players and {} unreadable lines{first}",
            info.players, info.unreadable
        )));
    }
    Ok(info)
}

fn list(mut source: impl BufRead, names: &str, sink: &mut Sink<'_>) -> Result<(), ListError> {
    if source.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        source.consume(3);
    }
    let start = source.fill_buf()?;
    match start.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'<') => xml_list::read(source, names, sink),
        Some(_) => text_list::read(source, names, sink),
        None => Err(ListError::NotAList("the file is empty".to_owned())),
    }
}
