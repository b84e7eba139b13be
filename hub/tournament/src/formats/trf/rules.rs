//! Records about rounds beyond the players' lines: 240, 250, 260, 299. Owns their columns; must never apply a rule.

use super::header::MAX_ROUNDS;
use super::line::{Field, Layout, Line};
use super::player::{MAX_NUMBER, points, shown};
use super::report::{Abnormal, Acceleration, Byes, Prohibited};
use super::value::Letter;
use crate::Bye;
use crate::formats::fault::Fault;

const WHO: &str = "the number of a player or a team";

/// Reads record 240.
pub(super) fn read_byes(line: &Line) -> Result<Byes, Fault> {
    line.gaps(&[4, 6, 10])?;
    let kind = line.field(5, 5);
    let bye = Letter::read(&kind.text).and_then(Letter::bye);
    let requested = bye.filter(|bye| *bye != Bye::PairingAllocated);
    Ok(Byes {
        kind: requested.ok_or_else(|| kind.fault("F, H or Z"))?,
        round: round(&line.field(7, 9))?,
        who: some(line, 11)?,
    })
}

/// Writes record 240.
pub(super) fn write_byes(byes: &Byes) -> String {
    let mut layout = Layout::default();
    layout.left(1, 3, "240");
    layout.left(5, 5, &Letter::Bye(byes.kind).letter().to_string());
    layout.right(7, 9, &byes.round.to_string());
    write_numbers(&mut layout, 11, &byes.who);
    layout.done().0
}

/// Reads record 250.
pub(super) fn read_acceleration(line: &Line) -> Result<Acceleration, Fault> {
    line.gaps(&[4, 9, 14, 18, 22, 27])?;
    line.blank(32, line.width().max(32))?;
    let rounds = (round(&line.field(15, 17))?, round(&line.field(19, 21))?);
    let first = line.field(23, 26);
    let last = line.field(28, 31);
    let who = (
        first.needed(WHO, 1, MAX_NUMBER)?,
        last.needed(WHO, 1, MAX_NUMBER)?,
    );
    if rounds.0 > rounds.1 || who.0 > who.1 {
        return Err(line.fault("a first round and player that do not come after the last"));
    }
    Ok(Acceleration {
        match_points: points(&line.field(5, 8))?,
        points: points(&line.field(10, 13))?,
        rounds,
        who,
    })
}

/// Writes record 250.
pub(super) fn write_acceleration(acceleration: &Acceleration) -> String {
    let mut layout = Layout::default();
    layout.left(1, 3, "250");
    layout.right(5, 8, &shown(acceleration.match_points));
    layout.right(10, 13, &shown(acceleration.points));
    layout.right(15, 17, &acceleration.rounds.0.to_string());
    layout.right(19, 21, &acceleration.rounds.1.to_string());
    layout.right(23, 26, &acceleration.who.0.to_string());
    layout.right(28, 31, &acceleration.who.1.to_string());
    layout.done().0
}

/// Reads record 260.
pub(super) fn read_prohibited(line: &Line) -> Result<Prohibited, Fault> {
    line.gaps(&[4, 8, 12])?;
    let rounds = (round(&line.field(5, 7))?, round(&line.field(9, 11))?);
    let who = numbers(line, 13, WHO, 1, MAX_NUMBER)?;
    if rounds.0 > rounds.1 {
        return Err(line.fault("a first round that does not come after the last"));
    }
    if who.len() < 2 {
        let end = line.width() + 1;
        return Err(Fault::new(
            line.number,
            end,
            "at least two players or teams",
            "",
        ));
    }
    Ok(Prohibited { rounds, who })
}

/// Writes record 260.
pub(super) fn write_prohibited(prohibited: &Prohibited) -> String {
    let mut layout = Layout::default();
    layout.left(1, 3, "260");
    layout.right(5, 7, &prohibited.rounds.0.to_string());
    layout.right(9, 11, &prohibited.rounds.1.to_string());
    write_numbers(&mut layout, 13, &prohibited.who);
    layout.done().0
}

/// Reads record 299.
pub(super) fn read_abnormal(line: &Line) -> Result<Abnormal, Fault> {
    line.gaps(&[4, 6, 7, 12, 13, 18, 19, 23])?;
    let kind = line.field(5, 5);
    let letter = match kind.text.as_str() {
        "" => None,
        text => {
            let letter = Letter::read(text).map(Letter::rated);
            let letter = letter.filter(|letter| letter.bye() != Some(Bye::PairingAllocated));
            Some(letter.ok_or_else(|| kind.fault("one of W D L F H Z + - or a blank"))?)
        }
    };
    let (of_match, of_game) = (line.field(8, 11), line.field(14, 17));
    let (match_points, game_points) = (points(&of_match)?, points(&of_game)?);
    if match_points.is_none() && game_points.is_none() {
        return Err(of_game.fault("points such as 0.5"));
    }
    Ok(Abnormal {
        kind: letter,
        match_points,
        points: game_points,
        round: line
            .field(20, 22)
            .number("a round", 0, MAX_ROUNDS)?
            .filter(|round| *round > 0),
        // Without numbers the record applies to everyone; some programs write zeros in that case.
        who: numbers(line, 24, WHO, 0, MAX_NUMBER)?
            .into_iter()
            .filter(|number| *number > 0)
            .collect(),
    })
}

/// Writes record 299.
pub(super) fn write_abnormal(abnormal: &Abnormal) -> String {
    let kind = abnormal.kind.map(|letter| letter.unrated().letter());
    let mut layout = Layout::default();
    layout.left(1, 3, "299").left(5, 5, &shown(kind));
    layout.right(8, 11, &shown(abnormal.match_points));
    layout.right(14, 17, &shown(abnormal.points));
    layout.right(20, 22, &format!("{:03}", abnormal.round.unwrap_or(0)));
    write_numbers(&mut layout, 24, &abnormal.who);
    layout.done().0
}

/// Reads the numbers of players or teams, at least one.
fn some(line: &Line, from: usize) -> Result<Vec<u32>, Fault> {
    let who = numbers(line, from, WHO, 1, MAX_NUMBER)?;
    match who.is_empty() {
        true => Err(Fault::new(line.number, from, WHO, "")),
        false => Ok(who),
    }
}

/// Refuses a line with more rounds than an event can have.
pub(super) fn within(line: &Line, rounds: usize, column: usize) -> Result<(), Fault> {
    let max = usize::try_from(MAX_ROUNDS).unwrap_or(usize::MAX);
    if rounds < max {
        return Ok(());
    }
    let expected = format!("the end of the line, since an event has at most {max} rounds");
    Err(Fault::new(
        line.number,
        column,
        expected,
        &line.from(column).text,
    ))
}

/// Reads a round's number.
pub(super) fn round(field: &Field) -> Result<u32, Fault> {
    field.needed("a round", 1, MAX_ROUNDS)
}

/// Reads numbers in columns of four, separated by one blank, up to the end of the line.
pub(super) fn numbers(
    line: &Line,
    from: usize,
    what: &str,
    low: u32,
    high: u32,
) -> Result<Vec<u32>, Fault> {
    let mut numbers = Vec::new();
    let mut column = from;
    while column <= line.width() {
        let field = line.field(column, column + 3);
        line.blank(column + 4, column + 4)?;
        numbers.extend(field.number(what, low, high)?);
        column += 5;
    }
    Ok(numbers)
}

/// Writes numbers in columns of four, from a column onwards.
pub(super) fn write_numbers(layout: &mut Layout, from: usize, numbers: &[u32]) {
    for (index, number) in numbers.iter().enumerate() {
        let from = from + 5 * index;
        layout.right(from, from + 3, &number.to_string());
    }
}
