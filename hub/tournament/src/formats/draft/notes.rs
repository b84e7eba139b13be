//! Comment lines for data without a record in the format: board and match numbers, late entries, withdrawals. Other
//! programs skip comments; this one reads them back. Owns the syntax of these comments, and of the lines that an event
//! keeps for export.

use crate::formats::trf::report::{Kept, KeptLine};

const OURS: &str = "### Flagfall ";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// The board numbers of a round, each with one player at the board.
    Boards(u16, Vec<(u16, u16)>),
    /// The match numbers of a round, each with the first-named team.
    Matches(u16, Vec<(u16, u16)>),
    /// A late entry: the player's number and first round.
    Enters(u16, u16),
    /// A withdrawal: the player's number and last round.
    Leaves(u16, u16),
}

impl Note {
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix(OURS)?.split_ascii_whitespace();
        let kind = words.next()?;
        let mut number = || words.next()?.parse::<u16>().ok();
        match kind {
            "enters" => Some(Self::Enters(number()?, number()?)),
            "leaves" => Some(Self::Leaves(number()?, number()?)),
            "boards" | "matches" => {
                let round = number()?;
                let pairs = words.map(|word| {
                    let (board, player) = word.split_once('=')?;
                    Some((board.parse().ok()?, player.parse().ok()?))
                });
                let note = match kind {
                    "boards" => Self::Boards,
                    _ => Self::Matches,
                };
                Some(note(round, pairs.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    pub(super) fn write(&self) -> String {
        match self {
            Self::Enters(player, round) => format!("{OURS}enters {player} {round}"),
            Self::Leaves(player, round) => format!("{OURS}leaves {player} {round}"),
            Self::Boards(round, boards) => format!("{OURS}boards {round}{}", listed(boards)),
            Self::Matches(round, matches) => format!("{OURS}matches {round}{}", listed(matches)),
        }
    }
}

fn listed(pairs: &[(u16, u16)]) -> String {
    let pairs = pairs.iter();
    pairs.map(|(no, who)| format!(" {no}={who}")).collect()
}

/// Converts kept lines to the form that the event stores: first the order of the records, then each line with the
/// record that it follows.
pub(super) fn to_event(kept: &Kept) -> Vec<String> {
    let others = kept.lines.iter();
    let others = others.filter(|line| Note::read(&line.text).is_none());
    let mut lines = vec![format!("order {}", kept.order.join(","))];
    lines.extend(others.map(|line| {
        let after = match line.after.as_str() {
            "" => "-",
            tag => tag,
        };
        format!("after {after} {} {}", line.nth, line.text)
    }));
    lines
}

pub(super) fn from_event(lines: &[String]) -> Kept {
    let mut kept = Kept::default();
    for line in lines {
        if let Some(order) = line.strip_prefix("order ") {
            kept.order = order.split(',').map(str::to_owned).collect();
            kept.order.retain(|tag| !tag.is_empty());
        } else if let Some(line) = placed(line) {
            kept.lines.push(line);
        }
    }
    kept
}

fn placed(line: &str) -> Option<KeptLine> {
    let mut words = line.strip_prefix("after ")?.splitn(3, ' ');
    let after = Some(words.next()?).filter(|after| *after != "-");
    Some(KeptLine {
        after: after.unwrap_or_default().to_owned(),
        nth: words.next()?.parse().ok()?,
        text: words.next().unwrap_or_default().to_owned(),
    })
}

pub(super) fn records(lines: &[String]) -> Vec<&str> {
    let raw = lines.iter().filter_map(|line| line.strip_prefix("record "));
    raw.collect()
}
