//! Reads a file as a [`Report`]. Owns the assignment of lines to records, their order, and the treatment of unknown
//! lines; must never know a record's columns. A file with a fault is refused as a whole.

use std::collections::{BTreeMap, BTreeSet};

use super::line::{Columns, Line};
use super::lines::{Lines, line_of};
use super::report::{KeptLine, National, Report, Team};
use super::write::{COMMENTED, tags};
use super::{check, extension, header, player, rules, team};
use crate::formats::expected::Expected;
use crate::formats::fault::{Fault, Faults, MAX_FAULTS};
use crate::formats::remark::{GamesRemark, ReadingRemark, Remark};
use crate::formats::text::{decode, lines};
use timing::text::without_hidden;

/// A file that was read, with remarks on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The contents of the file.
    pub report: Report,
    /// Remarks on oddities that did not prevent reading.
    pub remarks: Vec<Remark>,
}

/// Reads a report in either edition of the format, with the extensions of the pairing programs.
///
/// # Errors
/// Returns the errors with their lines and columns; the file is then refused as a whole.
pub fn read(bytes: &[u8]) -> Result<Read, Faults> {
    let text = decode(bytes)?;
    let by_characters = read_text(&text.text, Columns::Characters);
    let (mut report, mut remarks) = match by_characters {
        Ok(read) => read,
        Err(faults) => {
            // A program that counts bytes shifts the columns after every accented letter.
            let by_bytes = (!text.text.is_ascii()).then(|| read_text(&text.text, Columns::Bytes));
            if let Some(Ok((report, mut remarks))) = by_bytes {
                remarks.insert(0, ReadingRemark::ColumnsInBytes.into());
                (report, remarks)
            } else if text.remarks.is_empty() {
                return Err(faults);
            } else {
                // Some programs do not count invisible characters.
                let shown = read_text(&text.without_hidden(), Columns::Characters);
                shown.map_err(|_| faults)?
            }
        }
    };
    let rounds = report.rounds_reported();
    for player in &mut report.players {
        player.cells.resize(rounds, Default::default());
    }
    remarks.extend(text.remarks);
    Ok(Read { report, remarks })
}

/// Reads single records, and does not check them as a whole report.
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

fn read_text(text: &str, columns: Columns) -> Result<(Report, Vec<Remark>), Faults> {
    let mut reader = Reader::default();
    for (number, text) in lines(text) {
        let line = Line::new(number, text, columns);
        if let Err(fault) = reader.take(&line, text) {
            reader.faults.push(fault);
        }
        if reader.faults.len() >= MAX_FAULTS {
            break;
        }
    }
    if reader.report.players.is_empty() && reader.faults.is_empty() {
        return Err(Fault::of_file(Expected::PlayerLine, "none in the whole file").into());
    }
    // Blank rounds at the end of a player's line carry no data.
    for player in &mut reader.report.players {
        while player.cells.last().is_some_and(|cell| cell.is_blank()) {
            player.cells.pop();
        }
    }
    reader.drop_stale_teams();
    reader.adopt();
    // Records with the same tag are written together, so kept lines are sorted by the records that they follow.
    let order = reader.report.kept.order.clone();
    let place = |line: &KeptLine| {
        let tag = order.iter().position(|tag| *tag == line.after);
        (tag.map_or(0, |index| index + 1), line.nth)
    };
    reader.report.kept.lines.sort_by_key(place);
    let place = |national: &National| order.iter().position(|tag| *tag == national.federation);
    reader.report.national.sort_by_key(place);
    let mut lines = reader.commented;
    lines.append(&mut reader.lines);
    if reader.faults.is_empty() {
        reader.faults = check::faults(&reader.report, &lines);
        let remarks = check::remarks(&reader.report, &lines);
        reader.remarks.extend(remarks);
    }
    Faults::none_or((reader.report, reader.remarks), reader.faults)
}

#[derive(Debug, Default)]
struct Reader {
    report: Report,
    faults: Vec<Fault>,
    remarks: Vec<Remark>,
    lines: Lines,
    /// Lines of the records found in comments, where Flagfall writes the records that TRF16 does not have.
    commented: Lines,
    once: BTreeMap<String, String>,
    last: Option<(String, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineOutcome {
    Read,
    /// The line has no usable data.
    LeftOut,
    Unknown,
}

impl Reader {
    fn take(&mut self, line: &Line, text: &str) -> Result<(), Fault> {
        if let Some(record) = text.strip_prefix(COMMENTED) {
            self.read_comment(line.number, record);
            return Ok(());
        }
        let tag = line.tag();
        let ruler = is_ruler(line) && !is_tag(&tag, line);
        if line.width() == 0 || tag.starts_with('#') || ruler {
            self.keep(text);
            return Ok(());
        }
        if is_single(&tag) && self.is_repeated(&tag, line)? {
            return Ok(());
        }
        match self.record(&tag, line)? {
            LineOutcome::Unknown => self.keep(text),
            LineOutcome::LeftOut => (),
            LineOutcome::Read => self.place(tag, line),
        }
        Ok(())
    }

    /// Stores the position of a record: it determines the order of the written file and the places of kept lines.
    fn place(&mut self, tag: String, line: &Line) {
        let seen = self.lines.entry(tag.clone()).or_default();
        seen.push(line.number);
        // Each of these tags is written as one record, even if a file spreads it over several lines.
        let joined = matches!(tag.as_str(), "132" | "XXC" | "XXS" | "XXZ");
        let nth = if joined { 1 } else { seen.len() };
        if seen.len() == 1 {
            self.report.kept.order.push(tag.clone());
        }
        self.last = Some((tag, u32::try_from(nth).unwrap_or(u32::MAX)));
    }

    /// Returns true if a record that may occur only once repeats an earlier one word for word. Any other repetition is
    /// a fault.
    fn is_repeated(&mut self, tag: &str, line: &Line) -> Result<bool, Fault> {
        let text = line.from(1).text;
        match self.once.get(tag) {
            None => {
                self.once.insert(tag.to_owned(), text);
                Ok(false)
            }
            Some(before) if *before == text => {
                self.remark(ReadingRemark::RepeatedRecord {
                    line: line.number,
                    tag: tag.to_owned(),
                });
                Ok(true)
            }
            Some(_) => Err(line.fault(Expected::SingleRecord(tag.to_owned()))),
        }
    }

    /// Adds players without a team to the team for which a record 300 lists them.
    fn adopt(&mut self) {
        let report = &mut self.report;
        let teams = report.teams.iter();
        let mut members: BTreeSet<u16> = teams.flat_map(|team| team.players.clone()).collect();
        let known: BTreeSet<u16> = report.players.iter().map(|player| player.number).collect();
        for order in &report.rules.orders {
            for player in order.players.iter().flatten() {
                let mut teams = report.teams.iter_mut();
                if let Some(team) = teams.find(|team| team.number == order.team)
                    && known.contains(player)
                    && members.insert(*player)
                {
                    team.players.push(*player);
                    let remark = GamesRemark::JoinsTeam {
                        player: *player,
                        team: team.number,
                        round: order.round,
                    };
                    self.remarks.push(remark.into());
                }
            }
        }
    }

    /// Reads a record from a comment, unless an earlier line has that record outside comments. An unreadable record in
    /// a comment is left out, with a remark.
    fn read_comment(&mut self, number: usize, record: &str) {
        let line = Line::new(number, record, Columns::Characters);
        let tag = line.tag();
        if self.lines.contains_key(&tag) {
            return;
        }
        match self.record(&tag, &line) {
            Ok(LineOutcome::Read) => self.commented.entry(tag).or_default().push(number),
            Ok(LineOutcome::LeftOut | LineOutcome::Unknown) => (),
            Err(fault) => self.remark(ReadingRemark::CommentLeftOut(fault)),
        }
    }

    /// Drops the team records read from comments if another program has since changed the teams in records 013.
    fn drop_stale_teams(&mut self) {
        let rosters = |teams: &[Team]| -> BTreeSet<Vec<u16>> {
            teams.iter().map(|team| team.players.clone()).collect()
        };
        let old = rosters(&self.report.old_teams);
        let new = rosters(&self.report.teams);
        if old.is_empty() || old == new || !self.commented.contains_key("310") {
            return;
        }
        let line = line_of(&self.commented, "310", 0);
        self.remark(ReadingRemark::OutdatedTeams { line });
        self.report.teams.clear();
        let rules = &mut self.report.rules;
        rules.orders.clear();
        rules.team_byes = None;
        rules.forfeited.clear();
        rules.byes.clear();
        for tag in ["310", "300", "320", "330", "240"] {
            self.commented.remove(tag);
        }
    }

    /// Marks an unreadable record to be kept unchanged for the export, and adds a remark.
    fn keep_unreadable(&mut self, tag: &str, fault: Fault) -> LineOutcome {
        let tag = tag.to_owned();
        self.remark(ReadingRemark::RecordKept { tag, fault });
        LineOutcome::Unknown
    }

    fn record(&mut self, tag: &str, line: &Line) -> Result<LineOutcome, Fault> {
        let report = &mut self.report;
        match tag {
            "001" => report.players.push(player::read(line, &mut self.remarks)?),
            "013" => {
                let number = u16::try_from(report.old_teams.len() + 1).unwrap_or(u16::MAX);
                let team = team::read_old(line)?;
                report.old_teams.push(Team { number, ..team });
            }
            "310" => report.teams.push(team::read(line)?),
            "240" => report.rules.byes.push(rules::read_byes(line)?),
            "250" => match rules::read_acceleration(line) {
                Ok(acceleration) => report.rules.accelerations.push(acceleration),
                Err(fault) => return Ok(self.keep_unreadable(tag, fault)),
            },
            "260" => match rules::read_prohibited(line) {
                Ok(prohibited) => report.rules.prohibited.push(prohibited),
                Err(fault) => return Ok(self.keep_unreadable(tag, fault)),
            },
            "299" => match rules::read_abnormal(line) {
                Ok(abnormal) => report.rules.abnormal.push(abnormal),
                Err(fault) => return Ok(self.keep_unreadable(tag, fault)),
            },
            "300" => report.rules.orders.push(team::read_order(line)?),
            "320" => report.rules.team_byes = Some(team::read_byes(line)?),
            "330" => report.rules.forfeited.push(team::read_forfeit(line)?),
            _ if header::TAGS.contains(&tag) => return self.header(tag, line),
            _ if extension::TAGS.contains(&tag) => {
                extension::read(tag, line, &mut report.extensions)?;
            }
            _ if player::is_national(line) => match player::read_national(line) {
                Ok(national) => report.national.push(national),
                Err(fault) => return Ok(self.keep_unreadable(tag, fault)),
            },
            _ => return self.unknown(tag, line),
        }
        Ok(match line.width() {
            0..=3 => LineOutcome::LeftOut,
            _ => LineOutcome::Read,
        })
    }

    /// Reads a record of the tournament section. An unreadable optional record is left out, with a remark.
    fn header(&mut self, tag: &str, line: &Line) -> Result<LineOutcome, Fault> {
        let before = self.report.header.clone();
        let header = &mut self.report.header;
        if let Err(fault) = header::read(tag, line, header, &mut self.remarks) {
            if !header::OPTIONAL.contains(&tag) {
                return Err(fault);
            }
            *header = before;
            let tag = tag.to_owned();
            self.remark(ReadingRemark::RecordLeftOut { tag, fault });
            return Ok(LineOutcome::LeftOut);
        }
        let written = header::write(tag, header, &mut Vec::new());
        Ok(match line.width() <= 3 || written.is_empty() {
            true => LineOutcome::LeftOut,
            false => LineOutcome::Read,
        })
    }

    /// Accepts other programs' lines and free text. A line that looks like a damaged record is a fault, since the event
    /// would otherwise be missing its data.
    fn unknown(&mut self, tag: &str, line: &Line) -> Result<LineOutcome, Fault> {
        if is_damaged(tag, line) {
            return Err(line.fault(Expected::Tag));
        }
        if !is_tag(tag, line) {
            self.remark(ReadingRemark::NotARecord {
                line: line.number,
                text: line.from(1).text,
            });
        }
        Ok(LineOutcome::Unknown)
    }

    fn keep(&mut self, text: &str) {
        let (after, nth) = self.last.clone().unwrap_or_default();
        let text = without_hidden(&text.replace('\t', " "));
        let text = text.trim_end().to_owned();
        self.report.kept.lines.push(KeptLine { after, nth, text });
    }

    fn remark(&mut self, remark: ReadingRemark) {
        self.remarks.push(remark.into());
    }
}

fn is_single(tag: &str) -> bool {
    (header::TAGS.contains(&tag) && !matches!(tag, "112" | "132"))
        || tag == "320"
        || tag == "XXR"
        || tag.starts_with("BB")
}

/// Returns true if a line begins like a record: three digits, or a capital and two capitals or digits, then a space.
fn is_tag(tag: &str, line: &Line) -> bool {
    let mut chars = tag.chars();
    let digits = tag.chars().all(|char| char.is_ascii_digit());
    let capital = chars.next().is_some_and(|char| char.is_ascii_uppercase());
    let word = capital && chars.all(|char| char.is_ascii_uppercase() || char.is_ascii_digit());
    tag.len() == 3 && (digits || word) && line.blank(4, 4).is_ok()
}

/// Returns true if a line is a ruler, which only numbers the columns for people.
fn is_ruler(line: &Line) -> bool {
    let text = line.from(1).text;
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b' '))
}

/// Returns true if an unknown line is a damaged record: it has a tag in other columns, or the columns of a player.
fn is_damaged(tag: &str, line: &Line) -> bool {
    if is_tag(tag, line) {
        return false;
    }
    let words = line.words(1);
    let moved = words.first().is_some_and(|word| {
        let tag: String = word.text.chars().take(3).collect();
        let alone = word.text.len() == 3 || word.column == 1;
        alone && tags().any(|known| known == tag)
    });
    let number = line.field(5, 8).text;
    let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    moved || (numbered && line.width() >= 80)
}
