//! The tournament section of a report, records `??2`. Owns the layout of these records; must never compare them
//! with the rest of the report.

use super::control;
use super::line::{Field, Layout, Line, without_control, written_points};
use super::report::{Header, PointCode};
use super::rules::within;
use super::value::{Date, colour_letter, read_colour, read_points};
use crate::formats::ReadError;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::omission::Omission;
use crate::formats::remark::{FieldTreatment, Remark};
use crate::numbers::MAX_ROUNDS;
use crate::{Outcome, Points, RoundNo, Side};

/// The records of this section, in the order in which they are written.
pub(super) const TAGS: [&str; 24] = [
    "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132",
    "142", "152", "162", "172", "182", "192", "202", "212", "222", "352", "362",
];

/// The records without which players, pairings and points can still be read. A file is read even if one of them is
/// unreadable.
pub(super) const OPTIONAL: [&str; 10] = [
    "062", "072", "082", "132", "142", "152", "172", "202", "212", "222",
];

pub(super) fn read(
    tag: &str,
    line: &Line,
    header: &mut Header,
    remarks: &mut Vec<Remark>,
) -> Result<(), Fault> {
    line.blank(4, 4)?;
    let rest = line.from(5);
    match tag {
        "012" => header.name = text(&rest),
        "022" => header.city = text(&rest),
        "032" => header.federation = text(&rest),
        "042" => header.start = date(&rest, remarks),
        "052" => header.end = date(&rest, remarks),
        "062" => header.players = count(line, "a number of players")?,
        "072" => header.rated = count(line, "a number of rated players")?,
        "082" => header.teams = count(line, "a number of teams")?,
        "092" => header.kind = text(&rest),
        "102" => header.chief_arbiter = text(&rest),
        "112" => header.deputies.extend(text(&rest)),
        "122" => header.times = text(&rest),
        "132" => round_dates(line, &mut header.round_dates, remarks)?,
        "142" => header.rounds = rest.number("a number of rounds", 1, MAX_ROUNDS)?,
        "152" => header.initial_colour = colour(&rest)?,
        "162" => {
            header.points = pairs(line, &["W", "D", "L", "A", "P", "X"], PointCode::from_word)?
        }
        "172" => header.ranking = ranking(line)?,
        "182" => header.program = text(&rest),
        "192" => header.coded_kind = text(&rest),
        "202" => header.tie_breaks = codes(&rest)?,
        "212" => header.standings = codes(&rest)?,
        "222" => header.time_control = time_control(&rest)?,
        "352" => header.team_colours = colours(&rest)?,
        "362" => header.match_points = pairs(line, &["TW", "TD", "TL"], match_outcome)?,
        _ => (),
    }
    Ok(())
}

pub(super) fn write(tag: &str, header: &Header, lost: &mut Vec<Omission>) -> Vec<String> {
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let body = match tag {
        "012" => header.name.clone(),
        "022" => header.city.clone(),
        "032" => header.federation.clone(),
        "042" => header.start.map(|date| date.to_string()),
        "052" => header.end.map(|date| date.to_string()),
        "062" => number(header.players),
        "072" => number(header.rated),
        "082" => number(header.teams),
        "092" => header.kind.clone(),
        "102" => header.chief_arbiter.clone(),
        "112" => {
            let deputies = header.deputies.iter();
            let lines = deputies.map(|name| format!("112 {}", clean(name)));
            return lines.collect();
        }
        "122" => header.times.clone(),
        "132" => return round_dates_line(&header.round_dates, lost),
        "142" => number(header.rounds.map(u32::from)),
        "152" => header.initial_colour.map(|colour| capitals(&[colour])),
        "162" => {
            let points = header.points.iter();
            let points = points.map(|(code, value)| (code.as_str(), *value));
            return points_line(tag, 6, points.collect(), lost);
        }
        "172" => {
            let ranking = header.ranking.as_ref();
            ranking.map(|(federation, method)| format!("{federation} {method}"))
        }
        "182" => header.program.clone(),
        "192" => header.coded_kind.clone(),
        "202" => Some(header.tie_breaks.join(",")).filter(|codes| !codes.is_empty()),
        "212" => Some(header.standings.join(",")).filter(|codes| !codes.is_empty()),
        "222" => header.time_control.clone(),
        "352" => Some(capitals(&header.team_colours)).filter(|letters| !letters.is_empty()),
        "362" => {
            let points = header.match_points.iter();
            let points = points.map(|(outcome, value)| (match_code(*outcome), *value));
            return points_line(tag, 5, points.collect(), lost);
        }
        _ => None,
    };
    let line = body.map(|body| format!("{tag} {}", clean(&body)).trim_end().to_owned());
    line.into_iter().collect()
}

fn capitals(colours: &[Side]) -> String {
    let letters = colours.iter().map(|colour| colour_letter(*colour));
    letters.collect::<String>().to_ascii_uppercase()
}

fn clean(text: &str) -> String {
    without_control(text).trim().to_owned()
}

fn text(field: &Field) -> Option<String> {
    Some(clean(&field.text)).filter(|text| !text.is_empty())
}

/// Reads a date in any known form. Adds a remark if the form is unusual, or if the date is unreadable and left out.
pub(super) fn date(field: &Field, remarks: &mut Vec<Remark>) -> Option<Date> {
    if let Ok(date) = Date::read(&field.text) {
        return date;
    }
    let date = Date::read_other_form(&field.text);
    remarks.push(field.remark(match date {
        Some(date) => FieldTreatment::ReadAsDate(date),
        None => FieldTreatment::NoDate,
    }));
    date
}

/// Reads the first word as a number; some programs add an explanation after it.
fn count(line: &Line, what: &'static str) -> Result<Option<u32>, Fault> {
    match line.words(4).first() {
        Some(word) => word.number(what, 0, 99_999),
        None => Ok(None),
    }
}

fn colour(field: &Field) -> Result<Option<Side>, Fault> {
    match read_colour(&field.text) {
        None if !field.is_blank() => Err(field.fault(Expected::OneOf(&["W", "B"]))),
        colour => Ok(colour),
    }
}

fn colours(field: &Field) -> Result<Vec<Side>, Fault> {
    let read = |char: char| read_colour(&char.to_string());
    let colours: Option<Vec<Side>> = field.text.chars().map(read).collect();
    let max = 200;
    let colours = colours.filter(|colours| colours.len() <= max);
    colours.ok_or_else(|| field.fault(Expected::Colours(max)))
}

fn codes(field: &Field) -> Result<Vec<String>, Fault> {
    if field.is_blank() {
        return Ok(Vec::new());
    }
    let codes = field.text.split(',').map(|code| code.trim().to_owned());
    let codes: Vec<String> = codes.collect();
    if codes.iter().any(String::is_empty) {
        return Err(field.fault(Expected::CodeList));
    }
    Ok(codes)
}

fn ranking(line: &Line) -> Result<Option<(String, String)>, Fault> {
    let words = line.words(5);
    match words.as_slice() {
        [] => Ok(None),
        [method] => Ok(Some((String::new(), method.text.clone()))),
        [federation, method] => Ok(Some((federation.text.clone(), method.text.clone()))),
        [..] => Err(line.from(5).fault(Expected::RankingMethod)),
    }
}

fn time_control(field: &Field) -> Result<Option<String>, Fault> {
    if field.is_blank() {
        return Ok(None);
    }
    match control::read(&field.text) {
        Ok(_) => Ok(Some(field.text.clone())),
        Err(ReadError::Malformed { column, expected }) => {
            let rest: String = field.text.chars().skip(column - 1).collect();
            let (at, expected) = (field.column + column - 1, Expected::TimeControl(expected));
            Err(Fault::new(field.line, at, expected, &rest))
        }
        Err(error @ (ReadError::NoControl(_) | ReadError::Impossible(_))) => {
            let expected = Expected::TimeControl("an encoded time control, for example 5400+30");
            let (line, column) = (field.line, field.column);
            Err(Fault::because(line, column, expected, error.to_string()))
        }
    }
}

const SHORT_DATE: Expected = Expected::Date("26/11/20");

fn date_column(round: usize) -> usize {
    82 + 10 * round
}

/// Reads the dates of the rounds from their columns. If the dates are not in those columns, or if an earlier record
/// 132 has dates, they are assigned to the next rounds in order.
fn round_dates(
    line: &Line,
    dates: &mut Vec<Option<Date>>,
    remarks: &mut Vec<Remark>,
) -> Result<(), Fault> {
    let before = dates.len();
    let in_columns = match before {
        0 => dates_in_columns(line),
        _ => Err(line.fault(Expected::SingleRecord("132".to_owned()))),
    };
    if let Ok(found) = in_columns {
        *dates = found;
        return Ok(());
    }
    for word in line.words(4) {
        within(line, dates.len(), word.column)?;
        let usual = Date::read_short(&word.text).or_else(|_| Date::read(&word.text));
        let date = usual
            .ok()
            .or_else(|| Date::read_other_form(&word.text).map(Some));
        dates.push(date.ok_or_else(|| word.fault(SHORT_DATE))?);
    }
    let first = line.words(4).into_iter().next();
    let next = RoundNo(u16::try_from(before + 1).unwrap_or(u16::MAX));
    remarks.extend(first.map(|word| word.remark(FieldTreatment::DatesInOrder(next))));
    Ok(())
}

fn dates_in_columns(line: &Line) -> Result<Vec<Option<Date>>, Fault> {
    line.blank(4, 91)?;
    let mut dates = Vec::new();
    while date_column(dates.len() + 1) <= line.width() {
        let from = date_column(dates.len() + 1);
        within(line, dates.len(), from)?;
        let field = line.field(from, from + 7);
        line.blank(from + 8, from + 9)?;
        let date = match field.is_blank() {
            true => Ok(None),
            false => Date::read_short(&field.text),
        };
        dates.push(date.map_err(|_| field.fault(SHORT_DATE))?);
    }
    Ok(dates)
}

fn round_dates_line(dates: &[Option<Date>], lost: &mut Vec<Omission>) -> Vec<String> {
    if dates.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut layout = Layout::new("132");
    for (index, date) in dates.iter().enumerate() {
        let from = date_column(index + 1);
        if let Some(date) = date {
            layout.left(from, from + 7, &date.short());
        }
    }
    vec![layout.record("132", lost)]
}

/// Reads alternating codes and values; a value may touch its code (`W10.0`).
fn pairs<C: Copy + PartialEq>(
    line: &Line,
    codes: &'static [&'static str],
    code: impl Fn(&str) -> Option<C>,
) -> Result<Vec<(C, Points)>, Fault> {
    let mut words = Vec::new();
    for word in line.words(4) {
        match word.text.find(|char: char| !char.is_ascii_alphabetic()) {
            None | Some(0) => words.push(word),
            Some(letters) => {
                let (code, value) = word.text.split_at(letters);
                let part = |text: &str, column: usize| Field {
                    text: text.to_owned(),
                    line: word.line,
                    column,
                };
                words.push(part(code, word.column));
                words.push(part(value, word.column + letters));
            }
        }
    }
    let mut pairs: Vec<(C, Points)> = Vec::new();
    for pair in words.chunks(2) {
        let [letters, value] = pair else {
            let end = line.width() + 1;
            return Err(Fault::new(line.number, end, Expected::PointsOfCode, ""));
        };
        let code = code(&letters.text).ok_or_else(|| letters.fault(Expected::OneOf(codes)))?;
        if pairs.iter().any(|(known, _)| *known == code) {
            return Err(letters.fault(Expected::CodeOnce));
        }
        let value = read_points(&value.text).ok_or_else(|| value.fault(Expected::Points("0.5")))?;
        pairs.push((code, value));
    }
    Ok(pairs)
}

/// Writes pairs of a code and its points. The first code begins at column `from`.
fn points_line(
    tag: &str,
    from: usize,
    points: Vec<(&str, Points)>,
    lost: &mut Vec<Omission>,
) -> Vec<String> {
    if points.is_empty() {
        return Vec::new();
    }
    let mut layout = Layout::new(tag);
    for ((code, value), index) in points.into_iter().zip(0..) {
        let from = from + 9 * index;
        let end = from + code.len();
        // A code without points would make the record unreadable.
        if written_points(value, 4).is_some() {
            layout.left(from, end - 1, code);
        }
        layout.points(end, end + 3, Some(value));
    }
    vec![layout.record(tag, lost)]
}

fn match_code(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "TW",
        Outcome::Draw => "TD",
        Outcome::Loss => "TL",
    }
}

fn match_outcome(code: &str) -> Option<Outcome> {
    let mut all = [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter();
    all.find(|outcome| match_code(*outcome) == code)
}
