//! Board selectors, such as `1-40,A3` or `all`.

use proto::grpc::{Board, Hall};

use crate::cli::output::{Failure, Result, failed, listed, usage};

const RANGE: u64 = 10_000;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    All,
    Name(String),
    Range(u64, u64),
}

fn parse(selector: &str) -> Result<Vec<Part>> {
    selector
        .split(',')
        .map(|part| part_of(selector, part.trim()))
        .collect()
}

fn part_of(selector: &str, part: &str) -> Result<Part> {
    if part.is_empty() {
        return Err(usage!(
            "boards {selector:?}: a name is missing before or after a comma; write 1-40,A3 or all"
        ));
    }
    if part == "all" {
        return Ok(Part::All);
    }
    let ends = part
        .split_once('-')
        .and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    match ends {
        None => Ok(Part::Name(part.to_owned())),
        Some((first, last)) if first <= last && last - first < RANGE => {
            Ok(Part::Range(first, last))
        }
        Some(_) => Err(usage!(
            "boards {part:?}: a range must run upwards and contain at most {RANGE} boards"
        )),
    }
}

/// Returns the boards of the hall that `selector` names, each once, in the order of the selector.
pub(in crate::cli) fn existing<'a>(hall: &'a Hall, selector: &str) -> Result<Vec<&'a Board>> {
    let mut chosen: Vec<&Board> = Vec::new();
    let mut missing = Vec::new();
    let mut take = |name: &str| match find(hall, name) {
        Some(board) if chosen.iter().any(|known| known.board == board.board) => (),
        Some(board) => chosen.push(board),
        None => missing.push(name.to_owned()),
    };
    // A board may be called "1-40"; its own name takes precedence.
    if find(hall, selector).is_some() {
        take(selector);
    } else {
        for part in parse(selector)? {
            match part {
                Part::All => hall.boards.iter().for_each(|board| take(&board.board)),
                Part::Name(name) => take(&name),
                Part::Range(first, last) => (first..=last).for_each(|n| take(&n.to_string())),
            }
        }
    }
    if missing.is_empty() {
        return Ok(chosen);
    }
    let boards = if missing.len() == 1 {
        "board"
    } else {
        "boards"
    };
    Err(failed!(
        "the hall has no {boards} {}; `flagfall ctl list` shows the boards, `flagfall ctl add` adds new ones",
        short_list(&missing)
    ))
}

pub(super) fn one<'a>(hall: &'a Hall, name: &str) -> Result<&'a Board> {
    find(hall, name).ok_or_else(|| {
        failed!("the hall has no board {name}; `flagfall ctl list` shows the boards")
    })
}

pub(super) fn new(hall: &Hall, selector: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for part in parse(selector)? {
        match part {
            Part::All => {
                return Err(Failure::usage(
                    "`all` means the existing boards; name new boards one by one or by a range, such as 1-40",
                ));
            }
            Part::Name(name) => names.push(name),
            Part::Range(first, last) => names.extend((first..=last).map(|n| n.to_string())),
        }
    }
    let is_there = |name: &&String| find(hall, name).is_some();
    let there: Vec<String> = names.iter().filter(is_there).cloned().collect();
    if there.is_empty() {
        return Ok(names);
    }
    Err(failed!(
        "the hall already has {}; nothing was added",
        short_list(&there)
    ))
}

fn find<'a>(hall: &'a Hall, name: &str) -> Option<&'a Board> {
    hall.boards.iter().find(|board| board.board == name)
}

fn short_list(names: &[String]) -> String {
    match names {
        [first, .., last] if names.len() > 8 => {
            format!("{first} … {last} ({} in all)", names.len())
        }
        _ => listed(names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hall(names: &[&str]) -> Hall {
        Hall {
            boards: names
                .iter()
                .map(|name| Board {
                    board: (*name).to_owned(),
                    ..Board::default()
                })
                .collect(),
            ..Hall::default()
        }
    }

    #[track_caller]
    fn chosen(selector: &str, expected: &[&str]) {
        let hall = hall(&["1", "2", "3", "A3", "1-2"]);
        let boards = existing(&hall, selector).unwrap();
        let names: Vec<_> = boards.iter().map(|board| board.board.as_str()).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn names_ranges_and_all() {
        chosen("2", &["2"]);
        chosen("1-3,A3", &["1", "2", "3", "A3"]);
        chosen("2, 1-3", &["2", "1", "3"]);
        chosen("all", &["1", "2", "3", "A3", "1-2"]);
        chosen("1-2", &["1-2"]);
    }

    #[test]
    fn the_refusal_of_a_selector_names_the_missing_boards() {
        let hall = hall(&["1"]);
        for (selector, said) in [
            ("1-3", "2 and 3"),
            ("1-40", "2 … 40 (39 in all)"),
            ("B", "board B"),
        ] {
            match existing(&hall, selector) {
                Err(Failure::Failed(text)) => assert!(text.contains(said), "{text}"),
                other => panic!("{other:?}"),
            }
        }
        for selector in ["", "1,,2", "9-1", "1-99999"] {
            assert!(
                matches!(existing(&hall, selector), Err(Failure::Usage(_))),
                "{selector}"
            );
        }
        assert!(matches!(new(&hall, "1-2"), Err(Failure::Failed(_))));
        assert!(matches!(new(&hall, "all"), Err(Failure::Usage(_))));
        assert_eq!(new(&hall, "2-3,X").unwrap(), ["2", "3", "X"]);
    }
}
