//! What the format has no record for, as comment lines of our own: board numbers, late arrivals, withdrawals. Other programs
//! skip comments; this one finds everything again. Owns their spelling, and that of lines an event keeps for its export.

use crate::formats::trf::report::{Kept, KeptLine};

/// How our comments begin.
const OURS: &str = "### Flagfall ";

/// One of our comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// The board numbers of a round: number, one player of the board.
    Boards(u16, Vec<(u16, u16)>),
    /// The numbers of a round's matches: number, White's team.
    Matches(u16, Vec<(u16, u16)>),
    /// A player's first round.
    Enters(u16, u16),
    /// A player's last round.
    Leaves(u16, u16),
}

impl Note {
    /// The comment a line is, if it is one of ours.
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
                let pairs = pairs.collect::<Option<Vec<_>>>()?;
                Some(match kind {
                    "boards" => Self::Boards(round, pairs),
                    _ => Self::Matches(round, pairs),
                })
            }
            _ => None,
        }
    }

    /// The comment as a line.
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
    pairs
        .iter()
        .map(|(no, who)| format!(" {no}={who}"))
        .collect()
}

/// Kept lines as an event holds them: each with the record it came after, and the order of the records first.
pub(super) fn to_event(kept: &Kept) -> Vec<String> {
    let mut lines = vec![format!("order {}", kept.order.join(","))];
    for line in kept
        .lines
        .iter()
        .filter(|line| Note::read(&line.text).is_none())
    {
        let after = if line.after.is_empty() {
            "-"
        } else {
            &line.after
        };
        lines.push(format!("after {after} {} {}", line.nth, line.text));
    }
    lines
}

/// Kept lines from an event; a line that is none of these is kept at the end of the file.
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
    let after = words.next()?;
    let nth = words.next()?.parse().ok()?;
    Some(KeptLine {
        after: if after == "-" {
            String::new()
        } else {
            after.to_owned()
        },
        nth,
        text: words.next().unwrap_or_default().to_owned(),
    })
}

/// The records an event does not look into, as it holds them: each a line of the file.
pub(super) fn records(lines: &[String]) -> Vec<&str> {
    let raw = lines.iter().filter_map(|line| line.strip_prefix("record "));
    raw.collect()
}
