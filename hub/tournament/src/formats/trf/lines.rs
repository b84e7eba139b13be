//! The line numbers of records in a file, for faults and remarks.

use std::collections::BTreeMap;

/// The line numbers of each record, by tag, in the order of the file.
pub(super) type Lines = BTreeMap<String, Vec<usize>>;

/// Returns the line of the nth record with a tag, counted from 0; 1 if there is no such record.
pub(super) fn line_of(lines: &Lines, tag: &str, nth: usize) -> usize {
    let of_tag = lines.get(tag).and_then(|lines| lines.get(nth));
    of_tag.copied().unwrap_or(1)
}
