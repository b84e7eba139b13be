//! A file as a [`Report`]: each line to the record it is, everything at once or nothing. Owns the order of records and what is
//! kept of unknown lines; never knows a record's columns.

use std::collections::BTreeMap;

use super::line::{Columns, Line};
use super::report::{KeptLine, National, Report};
use super::{check, extension, header, player, rules, team};
use crate::formats::fault::{Fault, Faults};
use crate::formats::text::{decode, lines};
use proto::text::without_hidden;

/// A file that was read, and what its reader ought to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// All of the file.
    pub report: Report,
    /// The encoding it was in.
    pub encoding: &'static str,
    /// What is odd about the file and did not prevent its reading, in sentences with line and column.
    pub remarks: Vec<String>,
}

/// Reads a report in either edition of the format, with the extensions of the pairing programs.
///
/// # Errors
/// What is wrong, with lines and columns; then nothing of the file is taken.
pub fn read(bytes: &[u8]) -> Result<Read, Faults> {
    let text = decode(bytes)?;
    let by_characters = read_text(&text.text, Columns::Characters);
    let (mut report, mut remarks) = match by_characters {
        Ok(report) => (report, Vec::new()),
        Err(faults) => {
            // A program that counts bytes shifts the columns behind every accent.
            let by_bytes = (!text.text.is_ascii()).then(|| read_text(&text.text, Columns::Bytes));
            if let Some(Ok(report)) = by_bytes {
                let remark =
                    "the file counts columns in bytes of UTF-8, not in characters; it was read so";
                (report, vec![remark.to_owned()])
            } else if text.remarks.is_empty() {
                return Err(faults);
            } else {
                // Or one that does not count what nobody sees.
                let shown = read_text(&text.without_hidden(), Columns::Characters);
                (shown.map_err(|_| faults)?, Vec::new())
            }
        }
    };
    let rounds = report.rounds_reported();
    for player in &mut report.players {
        player.cells.resize(rounds, Default::default());
    }
    remarks.extend(text.remarks);
    remarks.extend(check::remarks(&report));
    Ok(Read {
        report,
        encoding: text.encoding,
        remarks,
    })
}

/// Reads single records, of which nothing is required but that each can be read.
///
/// # Errors
/// The lines that cannot.
pub(in crate::formats) fn records(lines: &[&str]) -> Result<Report, Faults> {
    let mut reader = Reader::default();
    for (text, number) in lines.iter().zip(1..) {
        let line = Line::new(number, text, Columns::Characters);
        if let Err(fault) = reader.take(&line, text) {
            reader.faults.push(fault);
        }
    }
    Faults::none_or(reader.report, reader.faults)
}

fn read_text(text: &str, columns: Columns) -> Result<Report, Faults> {
    let mut reader = Reader::default();
    for (number, text) in lines(text) {
        let line = Line::new(number, text, columns);
        if let Err(fault) = reader.take(&line, text) {
            reader.faults.push(fault);
        }
    }
    if reader.report.players.is_empty() && reader.faults.is_empty() {
        let fault = Fault::because(1, 1, "a player's line, 001", "none in the whole file");
        return Err(fault.into());
    }
    // A trailing blank round of one line says nothing about the round.
    for player in &mut reader.report.players {
        while player.cells.last().is_some_and(|cell| cell.is_blank()) {
            player.cells.pop();
        }
    }
    // Records of one tag go out together, so what stands between them is held in the order of their tags.
    let order = reader.report.kept.order.clone();
    let place = |line: &KeptLine| {
        let tag = order.iter().position(|tag| *tag == line.after);
        (tag.map_or(0, |index| index + 1), line.nth)
    };
    reader.report.kept.lines.sort_by_key(place);
    let place = |national: &National| order.iter().position(|tag| *tag == national.federation);
    reader.report.national.sort_by_key(place);
    if reader.faults.is_empty() {
        reader.faults = check::faults(&reader.report, &reader.lines);
    }
    Faults::none_or(reader.report, reader.faults)
}

/// Where the records stood: the line of each record, by tag, in the order of the file.
pub(super) type Lines = BTreeMap<String, Vec<usize>>;

#[derive(Debug, Default)]
struct Reader {
    report: Report,
    faults: Vec<Fault>,
    lines: Lines,
    last: Option<(String, u32)>,
}

impl Reader {
    fn take(&mut self, line: &Line, text: &str) -> Result<(), Fault> {
        let tag = line.tag();
        if line.width() == 0 || tag == "###" || !self.record(&tag, line)? {
            self.keep(text);
            return Ok(());
        }
        if self.lines.contains_key(&tag) && single(&tag) {
            return Err(line.fault(format!("one record {tag} only, and there was one before")));
        }
        let seen = self.lines.entry(tag.clone()).or_default();
        seen.push(line.number);
        // These are one record however many lines a file gives them.
        let joined = matches!(tag.as_str(), "XXC" | "XXS" | "XXZ");
        let nth = if joined { 1 } else { seen.len() };
        let nth = u32::try_from(nth).unwrap_or(u32::MAX);
        let first = seen.len() == 1;
        if line.width() <= 3 {
            // A record that says nothing is not written again.
            return Ok(());
        }
        if first {
            self.report.kept.order.push(tag.clone());
        }
        self.last = Some((tag, nth));
        Ok(())
    }

    /// Reads a line as the record it is; `false` if this program does not know its tag.
    fn record(&mut self, tag: &str, line: &Line) -> Result<bool, Fault> {
        let report = &mut self.report;
        match tag {
            "001" => report.players.push(player::read(line)?),
            "013" => report.old_teams.push(team::read_old(line)?),
            "310" => report.teams.push(team::read(line)?),
            "240" => report.rules.byes.push(rules::read_byes(line)?),
            "250" => report
                .rules
                .accelerations
                .push(rules::read_acceleration(line)?),
            "260" => report.rules.prohibited.push(rules::read_prohibited(line)?),
            "299" => report.rules.abnormal.push(rules::read_abnormal(line)?),
            "300" => report.rules.orders.push(team::read_order(line)?),
            "320" => report.rules.team_byes = Some(team::read_byes(line)?),
            "330" => report.rules.forfeited.push(team::read_forfeit(line)?),
            _ if header::TAGS.contains(&tag) => {
                return header::read(tag, line, &mut report.header);
            }
            _ if extension::TAGS.contains(&tag) => {
                return extension::read(tag, line, &mut report.extensions);
            }
            _ if player::is_national(line) => {
                report.national.push(player::read_national(line)?);
            }
            _ => return unknown(tag, line),
        }
        Ok(true)
    }

    fn keep(&mut self, text: &str) {
        let (after, nth) = self.last.clone().unwrap_or_default();
        self.report.kept.lines.push(KeptLine {
            after,
            nth,
            text: without_hidden(&text.replace('\t', " "))
                .trim_end()
                .to_owned(),
        });
    }
}

/// Whether a record comes once at most.
fn single(tag: &str) -> bool {
    (header::TAGS.contains(&tag) && tag != "112")
        || tag == "320"
        || tag == "XXR"
        || tag.starts_with("BB")
}

/// A line of another program is kept if its tag is a tag: three digits, or three letters and digits that begin with a
/// letter. Anything else is a damaged line, and keeping it would lose what it was.
fn unknown(tag: &str, line: &Line) -> Result<bool, Fault> {
    let mut chars = tag.chars();
    let digits = tag.chars().all(|char| char.is_ascii_digit());
    let capital = chars.next().is_some_and(|char| char.is_ascii_uppercase());
    let word = capital && chars.all(|char| char.is_ascii_uppercase() || char.is_ascii_digit());
    let whole = tag.len() == 3 && (digits || word);
    if !whole || line.blank(4, 4).is_err() {
        return Err(line.fault("the tag of a record, such as 001 or XXR, and a blank"));
    }
    Ok(false)
}
