//! Records 240, 250, 260 and 299: byes, accelerations, forbidden pairings and abnormal points. Owns their columns; must
//! never apply a rule.

use super::line::{Field, Layout, Line, written_points};
use super::player::{MAX_NUMBER, points};
use super::report::{Byes, LineNo};
use super::value::Letter;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::omission::Omission;
use crate::formats::wording::shown;
use crate::numbers::MAX_ROUNDS;
use crate::{AbnormalPoints, Acceleration, Bye, Forbidden, ResultKind, RoundNo};

const WHO: &str = "the number of a player or a team";

/// The letters of results whose points record 299 can replace. A blank instead of a letter means a bonus or a penalty.
const REPLACED: [&str; 8] = ["W", "D", "L", "F", "H", "Z", "+", "-"];

pub(super) fn read_byes(line: &Line) -> Result<Byes, Fault> {
    line.gaps(&[4, 6, 10])?;
    let kind = line.field(5, 5);
    let bye = Letter::read(&kind.text).and_then(Letter::bye);
    let requested = bye.filter(|bye| *bye != Bye::PairingAllocated);
    Ok(Byes {
        kind: requested.ok_or_else(|| kind.fault(Expected::OneOf(&["F", "H", "Z"])))?,
        round: round(&line.field(7, 9))?,
        who: some(line, 11)?,
        line: LineNo(line.number),
    })
}

pub(super) fn write_byes(byes: &Byes, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new("240");
    layout.left(5, 5, &Letter::Bye(byes.kind).letter().to_string());
    layout.right(7, 9, byes.round);
    write_numbers(&mut layout, 11, &byes.who);
    layout.record("240", lost)
}

pub(super) fn read_acceleration(line: &Line) -> Result<Acceleration, Fault> {
    line.gaps(&[4, 9, 14, 18, 22, 27])?;
    line.blank(32, line.width().max(32))?;
    let rounds = rounds(line, [(15, 17), (19, 21)])?;
    let who = |from: usize| line.field(from, from + 3).required(WHO, 1, MAX_NUMBER);
    let participants = (who(23)?, who(28)?);
    if rounds.0 > rounds.1 || participants.0 > participants.1 {
        return Err(line.fault(Expected::RangeInOrder));
    }
    Ok(Acceleration {
        match_points: points(&line.field(5, 8))?,
        points: points(&line.field(10, 13))?,
        rounds,
        participants,
    })
}

pub(super) fn write_acceleration(acceleration: &Acceleration, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new("250");
    layout.points(5, 8, acceleration.match_points);
    layout.points(10, 13, acceleration.points);
    layout.right(15, 17, acceleration.rounds.0);
    layout.right(19, 21, acceleration.rounds.1);
    layout.right(23, 26, acceleration.participants.0);
    layout.right(28, 31, acceleration.participants.1);
    layout.record("250", lost)
}

pub(super) fn read_prohibited(line: &Line) -> Result<Forbidden, Fault> {
    line.gaps(&[4, 8, 12])?;
    let rounds = rounds(line, [(5, 7), (9, 11)])?;
    let participants = numbers(line, 13, WHO, 1, MAX_NUMBER)?;
    if rounds.0 > rounds.1 {
        return Err(line.fault(Expected::RangeInOrder));
    }
    if participants.len() < 2 {
        let end = line.width() + 1;
        return Err(Fault::new(line.number, end, Expected::TwoParticipants, ""));
    }
    Ok(Forbidden {
        rounds,
        participants,
    })
}

pub(super) fn write_prohibited(prohibited: &Forbidden, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new("260");
    layout.right(5, 7, prohibited.rounds.0);
    layout.right(9, 11, prohibited.rounds.1);
    write_numbers(&mut layout, 13, &prohibited.participants);
    layout.record("260", lost)
}

pub(super) fn read_abnormal(line: &Line) -> Result<AbnormalPoints, Fault> {
    line.gaps(&[4, 6, 7, 12, 13, 18, 19, 23])?;
    let kind = line.field(5, 5);
    let replaces = match kind.text.as_str() {
        "" => None,
        text => {
            let kind_of = Letter::read(text).and_then(result_kind);
            Some(kind_of.ok_or_else(|| kind.fault(Expected::OneOf(&REPLACED)))?)
        }
    };
    let (of_match, of_game) = (line.field(8, 11), line.field(14, 17));
    let (match_points, game_points) = (points(&of_match)?, points(&of_game)?);
    if match_points.is_none() && game_points.is_none() {
        return Err(of_game.fault(Expected::Points("0.5")));
    }
    // Without numbers the record applies to everyone; some programs write zeros in that case.
    let mut participants = numbers(line, 24, WHO, 0, MAX_NUMBER)?;
    participants.retain(|number| *number > 0);
    let round = line.field(20, 22).number("a round", 0, MAX_ROUNDS)?;
    Ok(AbnormalPoints {
        replaces,
        match_points,
        points: game_points,
        round: round.filter(|round| *round > 0).map(RoundNo),
        participants,
    })
}

/// Returns `None` if the record can hold none of the points.
pub(super) fn write_abnormal(
    abnormal: &AbnormalPoints,
    lost: &mut Vec<Omission>,
) -> Option<String> {
    let kind = abnormal.replaces.map(kind_letter);
    let mut layout = Layout::new("299");
    layout.left(5, 5, &shown(kind));
    layout.points(8, 11, abnormal.match_points);
    layout.points(14, 17, abnormal.points);
    let round = abnormal.round.map_or(0, |round| round.0);
    layout.right(20, 22, format!("{round:03}"));
    write_numbers(&mut layout, 24, &abnormal.participants);
    let line = layout.record("299", lost);
    let mut given = abnormal.match_points.into_iter().chain(abnormal.points);
    given
        .any(|points| written_points(points, 4).is_some())
        .then_some(line)
}

/// Returns the result kind for a letter. Record 299 has no kind for a pairing-allocated bye.
const fn result_kind(letter: Letter) -> Option<ResultKind> {
    match letter {
        Letter::Game(outcome) | Letter::Unrated(outcome) => Some(ResultKind::of_outcome(outcome)),
        Letter::ForfeitWin => Some(ResultKind::ForfeitWin),
        Letter::ForfeitLoss => Some(ResultKind::ForfeitLoss),
        Letter::Bye(bye) => ResultKind::of_bye(bye),
    }
}

/// Returns the letter for a result kind. The record writes games over the board as W, D and L, not as 1, = and 0.
fn kind_letter(kind: ResultKind) -> char {
    let mut letters = Letter::ALL.into_iter().rev();
    let found = letters.find(|(letter, _)| result_kind(*letter) == Some(kind));
    found.map_or(' ', |(_, char)| char)
}

fn some(line: &Line, from: usize) -> Result<Vec<u16>, Fault> {
    let who = numbers(line, from, WHO, 1, MAX_NUMBER)?;
    match who.is_empty() {
        true => Err(Fault::new(line.number, from, Expected::Participant, "")),
        false => Ok(who),
    }
}

/// Returns a fault at `column` if the line already has entries for the maximum number of rounds before that column.
pub(super) fn within(line: &Line, rounds: usize, column: usize) -> Result<(), Fault> {
    if rounds < usize::from(MAX_ROUNDS) {
        return Ok(());
    }
    Err(line.fault_from(column, Expected::RoundLimit(MAX_ROUNDS)))
}

fn rounds(line: &Line, [first, last]: [(usize, usize); 2]) -> Result<(RoundNo, RoundNo), Fault> {
    let read = |(from, to): (usize, usize)| round(&line.field(from, to)).map(RoundNo);
    Ok((read(first)?, read(last)?))
}

pub(super) fn round(field: &Field) -> Result<u16, Fault> {
    field.required("a round", 1, MAX_ROUNDS)
}

/// Reads numbers in fields of four columns, separated by one space, up to the end of the line.
pub(super) fn numbers(
    line: &Line,
    from: usize,
    what: &'static str,
    low: u16,
    high: u16,
) -> Result<Vec<u16>, Fault> {
    let mut numbers = Vec::new();
    for column in (from..=line.width()).step_by(5) {
        let field = line.field(column, column + 3);
        line.blank(column + 4, column + 4)?;
        numbers.extend(field.number(what, low, high)?);
    }
    Ok(numbers)
}

pub(super) fn write_numbers(layout: &mut Layout, from: usize, numbers: &[u16]) {
    for (index, number) in numbers.iter().enumerate() {
        let from = from + 5 * index;
        layout.right(from, from + 3, number);
    }
}
