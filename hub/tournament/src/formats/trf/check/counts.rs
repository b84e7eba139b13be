//! The numbers that the tournament section announces. Fewer lines than announced mean a truncated file, which is a
//! fault; any other difference is a remark. Must never look into a line.

use super::{Lines, line_of};
use crate::formats::fault::{Fault, remark};
use crate::formats::trf::report::Report;

/// The most teams of an event: their numbers have three digits.
const MAX_TEAMS: usize = 999;

/// Returns the counts of records 062 and 082: tag, announced number, actual number, and the plural of what is counted.
fn counted(report: &Report) -> [(&'static str, Option<u32>, usize, &'static str); 2] {
    let teams = report.teams.len().max(report.old_teams.len());
    let players = report.players.len();
    [
        ("062", report.header.players, players, "players"),
        ("082", report.header.teams, teams, "teams"),
    ]
}

/// Returns faults for announced counts that a truncated file does not reach.
pub(super) fn faults(report: &Report, lines: &Lines) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (tag, announced, actual, what) in counted(report) {
        let more =
            announced.filter(|number| usize::try_from(*number).is_ok_and(|number| number > actual));
        if let Some(announced) = more.filter(|_| actual > 0) {
            let expected = format!("the number of {what} in the file, {actual}");
            let line = line_of(lines, tag, 0);
            faults.push(Fault::because(line, 5, expected, announced.to_string()));
        }
    }
    let teams = report.teams.len().max(report.old_teams.len());
    if teams > MAX_TEAMS {
        let expected = format!("at most {MAX_TEAMS} teams");
        faults.push(Fault::because(1, 1, expected, format!("{teams} teams")));
    }
    faults
}

/// Returns remarks on odd numbers, each with the number that applies instead.
pub(super) fn remarks(report: &Report, lines: &Lines) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut say = |tag: &str, words: String| {
        remarks.push(remark(line_of(lines, tag, 0), 5, words));
    };
    for (tag, announced, actual, what) in counted(report) {
        let other = announced.filter(|number| usize::try_from(*number) != Ok(actual));
        if let Some(announced) = other.filter(|number| actual > 0 || *number > 0) {
            say(
                tag,
                format!("{announced} {what} are announced, but {actual} are in the file"),
            );
        }
    }
    let teams = report.teams.len().max(report.old_teams.len());
    let coded = report.header.coded_kind.as_deref();
    if let Some(code) = coded.filter(|code| teams == 0 && code.contains("_TEAM")) {
        say(
            "192",
            format!("{code} is the type of a team event, but the file has no teams (310, 013)"),
        );
    }
    let played = report.rounds_reported();
    for (tag, rounds) in [
        ("142", report.header.rounds),
        ("XXR", report.extensions.rounds),
    ] {
        let fewer =
            rounds.filter(|rounds| usize::try_from(*rounds).is_ok_and(|count| count < played));
        if let Some(rounds) = fewer {
            say(
                tag,
                format!(
                    "{rounds} rounds are announced, but the players' lines have {played}, which applies"
                ),
            );
        }
    }
    if let (Some(trf), Some(extension)) = (report.header.rounds, report.extensions.rounds)
        && trf != extension
    {
        say(
            "XXR",
            format!("record 142 announces {trf} rounds and XXR {extension}: 142 applies"),
        );
    }
    if let (Some(start), Some(end)) = (report.header.start, report.header.end)
        && end < start
    {
        say(
            "052",
            format!("the event ends on {end}, before its start on {start}"),
        );
    }
    remarks
}
