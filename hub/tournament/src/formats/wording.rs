//! Text helpers shared by the formats: lists, optional values, counts, byes.

use std::fmt::Display;

use crate::Bye;

pub(super) fn joined<T: Display>(values: impl IntoIterator<Item = T>, separator: &str) -> String {
    let words: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    words.join(separator)
}

pub(super) fn listed<T: Display>(values: &[T]) -> String {
    joined(values, ", ")
}

pub(super) fn shown<T: Display>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

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

pub(super) const fn kind_of_bye(bye: Bye) -> &'static str {
    match bye {
        Bye::Zero => "absent",
        Bye::Full | Bye::Half | Bye::PairingAllocated => bye.words(),
    }
}
