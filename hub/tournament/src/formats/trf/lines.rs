//! The places of records in a file, for faults and remarks about them.

use std::collections::BTreeMap;

/// The line numbers of each record, by tag, in the order of the file.
pub(super) type Lines = BTreeMap<String, Vec<usize>>;

/// Returns the line of the nth record of a tag, counted from 0.
pub(super) fn line_of(lines: &Lines, tag: &str, nth: usize) -> usize {
    let of_tag = lines.get(tag).and_then(|lines| lines.get(nth));
    of_tag.copied().unwrap_or(1)
}
