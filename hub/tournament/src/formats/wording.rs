//! Words that several texts of the formats share: lists, counts, byes.

use std::fmt::Display;

use crate::Bye;

/// Joins values with commas.
pub(super) fn listed<T: Display>(values: &[T]) -> String {
    let words: Vec<String> = values.iter().map(ToString::to_string).collect();
    words.join(", ")
}

/// Returns the first five names.
pub(super) fn first_of(mut names: impl Iterator<Item = String>) -> String {
    let first: Vec<String> = names.by_ref().take(5).collect();
    let more = match names.next() {
        Some(_) => " …",
        None => "",
    };
    first.join("; ") + more
}

pub(super) fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Returns the name of a bye.
pub(super) const fn kind_of_bye(bye: Bye) -> &'static str {
    match bye {
        Bye::Zero => "absent",
        Bye::Full | Bye::Half | Bye::PairingAllocated => bye.words(),
    }
}
