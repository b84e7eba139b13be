//! Whether the numbers that the tournament section announces are those of the file. Fewer lines than announced are a file that was
//! cut short, a fault; every other number is odd and no more. Never looks into a line.

use super::{Lines, line_of};
use crate::formats::fault::{Fault, remark};
use crate::formats::trf::report::Report;

/// Most teams of an event: their numbers have three digits.
const MOST_TEAMS: usize = 999;

/// How many there are of what records 062 and 082 count: the tag, what it says, what is there, and what that is.
fn counted(report: &Report) -> [(&'static str, Option<u32>, usize, &'static str); 2] {
    let teams = report.teams.len().max(report.old_teams.len());
    let players = report.players.len();
    [
        ("062", report.header.players, players, "players"),
        ("082", report.header.teams, teams, "teams"),
    ]
}

/// Counts that a file cut short does not reach.
pub(super) fn faults(report: &Report, lines: &Lines) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (tag, said, there, what) in counted(report) {
        let more = said.filter(|said| usize::try_from(*said).is_ok_and(|said| said > there));
        if let Some(said) = more.filter(|_| there > 0) {
            let expected = format!("the number of {what} in the file, {there}");
            let line = line_of(lines, tag, 0);
            faults.push(Fault::because(line, 5, expected, said.to_string()));
        }
    }
    let teams = report.teams.len().max(report.old_teams.len());
    if teams > MOST_TEAMS {
        let expected = format!("at most {MOST_TEAMS} teams");
        faults.push(Fault::because(1, 1, expected, format!("{teams} teams")));
    }
    faults
}

/// Numbers that are odd, each with what counts instead.
pub(super) fn remarks(report: &Report, lines: &Lines) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut say = |tag: &str, words: String| {
        remarks.push(remark(line_of(lines, tag, 0), 5, words));
    };
    for (tag, said, there, what) in counted(report) {
        let other = said.filter(|said| usize::try_from(*said) != Ok(there));
        if let Some(said) = other.filter(|said| there > 0 || *said > 0) {
            say(
                tag,
                format!("{said} {what} are announced, and {there} are in the file"),
            );
        }
    }
    let teams = report.teams.len().max(report.old_teams.len());
    let coded = report.header.coded_kind.as_deref();
    if let Some(code) = coded.filter(|code| teams == 0 && code.contains("_TEAM")) {
        say(
            "192",
            format!("{code} is the type of an event of teams, and the file has none (310, 013)"),
        );
    }
    let played = report.rounds_reported();
    for (tag, rounds) in [
        ("142", report.header.rounds),
        ("XXR", report.extensions.rounds),
    ] {
        let fewer =
            rounds.filter(|rounds| usize::try_from(*rounds).is_ok_and(|most| most < played));
        if let Some(rounds) = fewer {
            say(
                tag,
                format!(
                    "{rounds} rounds are announced, and the players' lines have {played}, which count"
                ),
            );
        }
    }
    if let (Some(trf), Some(extension)) = (report.header.rounds, report.extensions.rounds)
        && trf != extension
    {
        say(
            "XXR",
            format!("record 142 announces {trf} rounds and XXR {extension}; 142 counts"),
        );
    }
    if let (Some(start), Some(end)) = (report.header.start, report.header.end)
        && end < start
    {
        say(
            "052",
            format!("the event ends on {end}, before it starts on {start}"),
        );
    }
    remarks
}
