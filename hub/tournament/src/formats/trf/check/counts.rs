//! The counts, dates and type that the tournament section states. Fewer players or teams than stated, but at least one,
//! mean a truncated file, which is a fault. So are too many teams; any other contradiction is a remark. Must never read
//! the contents of a line.

use crate::fold::MAX_TEAM_NO;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::remark::{Counted, HeaderRemark, Remark};
use crate::formats::trf::lines::{Lines, line_of};
use crate::formats::trf::report::Report;

/// Returns the counts of records 062 and 082: tag, stated number, actual number, and kind of participant.
fn counted(report: &Report) -> [(&'static str, Option<u32>, usize, Counted); 2] {
    let (players, teams) = (report.players.len(), report.team_count());
    [
        ("062", report.header.players, players, Counted::Players),
        ("082", report.header.teams, teams, Counted::Teams),
    ]
}

/// Returns a fault for each actual number below the stated one, because the file is probably truncated. If there are no
/// players or no teams at all, the number only gets a remark. Also returns a fault if there are too many teams.
pub(super) fn faults(report: &Report, lines: &Lines) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (tag, announced, actual, of) in counted(report) {
        let is_more = |number: &u32| usize::try_from(*number).is_ok_and(|number| number > actual);
        if let Some(announced) = announced.filter(|number| actual > 0 && is_more(number)) {
            let expected = Expected::Count { of, actual };
            let line = line_of(lines, tag, 0);
            faults.push(Fault::because(line, 5, expected, announced.to_string()));
        }
    }
    let teams = report.team_count();
    // Team numbers have three digits.
    let most = usize::from(MAX_TEAM_NO);
    if teams > most {
        let expected = Expected::TeamLimit(most);
        faults.push(Fault::of_file(expected, format!("{teams} teams")));
    }
    faults
}

pub(super) fn remarks(report: &Report, lines: &Lines) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let line = |tag: &str| line_of(lines, tag, 0);
    for (tag, announced, found, of) in counted(report) {
        let other = announced.filter(|number| usize::try_from(*number) != Ok(found));
        if let Some(announced) = other.filter(|number| found > 0 || *number > 0) {
            remarks.push(HeaderRemark::AnnouncedCount {
                line: line(tag),
                of,
                announced,
                found,
            });
        }
    }
    let teams = report.team_count();
    let coded = report.header.coded_kind.as_deref();
    if let Some(code) = coded.filter(|code| teams == 0 && code.contains("_TEAM")) {
        remarks.push(HeaderRemark::NoTeams {
            line: line("192"),
            code: code.to_owned(),
        });
    }
    let found = report.rounds_reported();
    for (tag, rounds) in [
        ("142", report.header.rounds),
        ("XXR", report.extensions.rounds),
    ] {
        let fewer = rounds.filter(|rounds| usize::from(*rounds) < found);
        if let Some(announced) = fewer {
            remarks.push(HeaderRemark::AnnouncedRounds {
                line: line(tag),
                announced,
                found,
            });
        }
    }
    if let (Some(trf), Some(extension)) = (report.header.rounds, report.extensions.rounds)
        && trf != extension
    {
        remarks.push(HeaderRemark::TwoRoundCounts {
            line: line("XXR"),
            trf,
            extension,
        });
    }
    if let (Some(start), Some(end)) = (report.header.start, report.header.end)
        && end < start
    {
        remarks.push(HeaderRemark::EndBeforeStart {
            line: line("052"),
            start,
            end,
        });
    }
    remarks.into_iter().map(Remark::from).collect()
}
