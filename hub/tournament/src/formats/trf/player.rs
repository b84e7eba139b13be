//! The lines of players: record 001 and the records of national federations. Owns their columns; must never compare
//! players.

use super::header::date;
use super::line::{Field, Layout, Line};
use super::report::{Cell, LineNo, National, Player};
use super::rules::within;
use super::value::{Date, Letter, colour_letter, read_colour, read_points};
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::omission::Omission;
use crate::formats::remark::{FieldTreatment, Remark};
use crate::formats::wording::shown;
use crate::{Bye, Outcome, Points, Sex, TITLES};

pub(super) const MAX_NUMBER: u16 = 9999;

const RESULTS: [&str; 12] = ["1", "=", "0", "+", "-", "W", "D", "L", "H", "F", "U", "Z"];

fn cell_column(round: usize) -> usize {
    82 + 10 * round
}

/// The blank columns between the fields, up to the rank, except column 14, which is checked separately.
const GAPS: [usize; 8] = [4, 9, 48, 53, 57, 69, 80, 85];

/// Reads record 001. Adds a remark for each oddity that does not prevent reading the line.
pub(super) fn read(line: &Line, remarks: &mut Vec<Remark>) -> Result<Player, Fault> {
    let (title_field, name) = title_and_name(line)?;
    line.gaps(&GAPS)?;
    line.blank(90, 91)?;
    let (line, comment) = &line.without_comment(92);
    let comment = comment.as_ref();
    remarks.extend(comment.map(|field| field.remark(FieldTreatment::Comment)));
    let mut cells = Vec::new();
    while cell_column(cells.len() + 1) <= line.width() {
        within(line, cells.len(), cell_column(cells.len() + 1))?;
        cells.push(cell(line, cells.len() + 1, remarks)?);
    }
    Ok(Player {
        number: line
            .field(5, 8)
            .required("a pairing number", 1, MAX_NUMBER)?,
        sex: sex(&line.field(10, 10))?,
        title: title(&title_field)?,
        name: named(&name)?,
        rating: line.field(49, 52).number("a rating", 0, 9999)?,
        federation: federation(&line.field(54, 56), remarks),
        fide_id: fide_id(&line.field(58, 68), remarks),
        birth: birth(&line.field(70, 79), remarks)?,
        points: points(&line.field(81, 84))?,
        rank: line.field(86, 89).number("a rank", 0, 9999)?,
        cells,
        line: LineNo(line.number),
    })
}

pub(super) fn read_national(line: &Line) -> Result<National, Fault> {
    line.gaps(&GAPS)?;
    line.blank(14, 14)?;
    let player = Player {
        number: line
            .field(5, 8)
            .required("a pairing number", 1, MAX_NUMBER)?,
        sex: sex(&line.field(10, 10))?,
        title: title(&line.field(11, 13))?,
        name: plain(&line.field(15, 47))?,
        rating: line.field(49, 52).number("a rating", 0, 9999)?,
        federation: plain(&line.field(54, 56))?,
        fide_id: code(&line.field(58, 68), Expected::NationalNumber)?,
        birth: birth(&line.field(70, 79), &mut Vec::new())?,
        ..Player::default()
    };
    Ok(National {
        federation: line.tag(),
        player,
    })
}

/// Returns true if an unknown line may be a national federation's record: three capitals, a pairing number, and at
/// least 49 columns.
pub(super) fn is_national(line: &Line) -> bool {
    let tag = line.tag();
    let number = line.field(4, 8).text;
    tag.len() == 3
        && tag.bytes().all(|byte| byte.is_ascii_uppercase())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && line.width() >= 49
}

/// Writes record 001, or a national federation's record if `tag` is the federation's code.
pub(super) fn write(tag: &str, player: &Player, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new(tag);
    layout.right(5, 8, player.number);
    layout.left(10, 10, sex_letter(player.sex));
    layout.right(11, 13, &player.title);
    layout.left(15, 47, &player.name);
    layout.right(49, 52, shown(player.rating));
    layout.left(54, 56, &player.federation);
    layout.right(58, 68, &player.fide_id);
    layout.left(70, 79, &shown(player.birth));
    layout.points(81, 84, player.points);
    layout.right(86, 89, shown(player.rank));
    for (index, cell) in player.cells.iter().enumerate() {
        write_cell(&mut layout, cell_column(index + 1), cell);
    }
    layout.done(lost, |text| Omission::CutPlayer {
        player: player.number,
        text,
    })
}

fn write_cell(layout: &mut Layout, from: usize, cell: &Cell) {
    if cell.is_blank() {
        return;
    }
    match cell.opponent {
        Some(opponent) => layout.right(from, from + 3, opponent),
        None => layout.left(from, from + 3, "0000"),
    };
    let colour = cell.colour.map_or('-', colour_letter);
    layout.left(from + 5, from + 5, &colour.to_string());
    if let Some(letter) = cell.letter {
        layout.left(from + 7, from + 7, &letter.letter().to_string());
    }
}

fn cell(line: &Line, round: usize, remarks: &mut Vec<Remark>) -> Result<Cell, Fault> {
    let from = cell_column(round);
    line.gaps(&[from + 4, from + 6, from + 8, from + 9])?;
    let opponent = line.field(from, from + 3);
    let colour = line.field(from + 5, from + 5);
    let result = line.field(from + 7, from + 7);
    let cell = Cell {
        opponent: opponent
            .number("an opponent's number", 0, MAX_NUMBER)?
            .filter(|number| *number > 0),
        colour: match colour.text.as_str() {
            "" | "-" => None,
            letter => {
                let read = read_colour(letter);
                Some(read.ok_or_else(|| colour.fault(Expected::OneOf(&["w", "b", "-"])))?)
            }
        },
        letter: match result.text.as_str() {
            "" => None,
            "*" | "?" => {
                remarks.push(result.remark(FieldTreatment::ReadAsNoResult));
                None
            }
            letter => {
                Some(Letter::read(letter).ok_or_else(|| result.fault(Expected::OneOf(&RESULTS)))?)
            }
        },
    };
    let cell = without_opponent(cell, &colour, &result, remarks);
    fits(cell, &opponent, &colour)
}

/// Converts the result letter of a cell without an opponent to the letter of a bye. Older formats had no letters
/// for byes and used those of results.
fn without_opponent(cell: Cell, colour: &Field, result: &Field, remarks: &mut Vec<Remark>) -> Cell {
    if cell.opponent.is_some() {
        return cell;
    }
    if cell.colour.is_some() {
        remarks.push(colour.remark(FieldTreatment::ColourWithoutOpponent));
    }
    let bye = match cell.letter.and_then(Letter::outcome) {
        Some(Outcome::Win) => Some(Bye::Full),
        Some(Outcome::Draw) => Some(Bye::Half),
        Some(Outcome::Loss) => Some(Bye::Zero),
        None => None,
    };
    if let Some(bye) = bye {
        remarks.push(result.remark(FieldTreatment::ReadAsBye(bye)));
    }
    Cell {
        colour: None,
        letter: bye.map(Letter::Bye).or(cell.letter),
        ..cell
    }
}

/// Checks that a cell is consistent: a bye has no opponent, and a played game has a colour.
fn fits(cell: Cell, opponent: &Field, colour: &Field) -> Result<Cell, Fault> {
    match (cell.opponent, cell.letter) {
        (Some(_), Some(Letter::Bye(_))) => Err(opponent.fault(Expected::NoOpponent)),
        (Some(_), Some(letter)) if !letter.is_forfeit() && cell.colour.is_none() => {
            Err(colour.fault(Expected::Colour))
        }
        (Some(_) | None, _) => Ok(cell),
    }
}

fn sex(field: &Field) -> Result<Option<Sex>, Fault> {
    match field.text.as_str() {
        "" => Ok(None),
        "m" | "M" => Ok(Some(Sex::Male)),
        "w" | "W" | "f" | "F" => Ok(Some(Sex::Female)),
        // FIDE's own tournament generator writes `u` if the sex is unknown.
        "u" | "U" => Ok(None),
        _ => Err(field.fault(Expected::OneOf(&["m", "w"]))),
    }
}

fn sex_letter(sex: Option<Sex>) -> &'static str {
    match sex {
        Some(Sex::Male) => "m",
        Some(Sex::Female) => "w",
        None => "",
    }
}

/// Returns the fields of the title and the name. Some programs write both one column too far to the right.
fn title_and_name(line: &Line) -> Result<(Field, Field), Fault> {
    let shifted = line.field(12, 14);
    let is_title = TITLES.contains(&shifted.text.to_ascii_uppercase().as_str());
    if is_title && line.blank(14, 14).is_err() && line.gaps(&[11, 15]).is_ok() {
        return Ok((shifted, line.field(16, 47)));
    }
    line.blank(14, 14)?;
    Ok((line.field(11, 13), line.field(15, 47)))
}

/// Reads a title and returns it in capitals. Converts the older forms, such as `g` for GM and `wf` for WFM.
fn title(field: &Field) -> Result<String, Fault> {
    if !field.text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(field.fault(Expected::Title));
    }
    let title = match field.text.to_ascii_lowercase().as_str() {
        "g" => "GM",
        "m" => "IM",
        "f" => "FM",
        "c" => "CM",
        "wg" => "WGM",
        "wm" => "WIM",
        "wf" => "WFM",
        "wc" => "WCM",
        _ => return Ok(field.text.to_ascii_uppercase()),
    };
    Ok(title.to_owned())
}

fn named(field: &Field) -> Result<String, Fault> {
    if field.is_blank() {
        return Err(field.fault(Expected::PlayerName));
    }
    plain(field)
}

fn plain(field: &Field) -> Result<String, Fault> {
    match field.text.contains('\t') {
        true => Err(field.fault(Expected::PlainText)),
        false => Ok(field.text.clone()),
    }
}

fn federation(field: &Field, remarks: &mut Vec<Remark>) -> String {
    code(field, Expected::Federation).unwrap_or_else(|_| {
        remarks.push(field.remark(FieldTreatment::NoFederation));
        String::new()
    })
}

fn code(field: &Field, expected: Expected) -> Result<String, Fault> {
    let fits = |char: char| char.is_alphanumeric() || matches!(char, '-' | '/' | '.');
    match field.text.chars().all(fits) {
        true => Ok(field.text.clone()),
        false => Err(field.fault(expected)),
    }
}

/// Reads a date of birth in any form. Letters that do not name a month must belong to a neighbouring field and are a
/// fault.
fn birth(field: &Field, remarks: &mut Vec<Remark>) -> Result<Option<Date>, Fault> {
    let letters = field.text.chars().any(char::is_alphabetic);
    let known = Date::read(&field.text).is_ok() || Date::read_other_form(&field.text).is_some();
    match letters && !known {
        true => Err(field.fault(Expected::Birth("1990/01/31"))),
        false => Ok(date(field, remarks)),
    }
}

pub(super) fn points(field: &Field) -> Result<Option<Points>, Fault> {
    if field.is_blank() {
        return Ok(None);
    }
    let points = read_points(&field.text);
    points
        .map(Some)
        .ok_or_else(|| field.fault(Expected::Points("11.5")))
}

fn fide_id(field: &Field, remarks: &mut Vec<Remark>) -> String {
    if field.text.bytes().all(|byte| byte.is_ascii_digit()) {
        return field.text.clone();
    }
    remarks.push(field.remark(FieldTreatment::NoFideId));
    String::new()
}
