//! The records that JaVaFo (XX.) and bbpPairings (BB.) add to the format. Owns their syntax; must never make a
//! pairing.

use super::line::{Field, Layout, Line};
use super::player::{MAX_NUMBER, points};
use super::report::Extensions;
use super::rules::within;
use super::value::read_points;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::omission::Omission;
use crate::formats::wording::{joined, shown};
use crate::numbers::MAX_ROUNDS;
use crate::{Points, Side};

/// The supported extensions, in the order in which they are written.
pub(super) const TAGS: [&str; 12] = [
    "XXR", "XXC", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "XXA", "XXP", "XXZ",
];

/// The codes to which record XXS assigns points.
const POINTS: [&str; 14] = [
    "WW", "BW", "WD", "BD", "WL", "BL", "ZPB", "HPB", "FPB", "PAB", "FW", "FL", "W", "D",
];

/// Reads the record of an extension. Returns false if no extension has this tag.
pub(super) fn read(tag: &str, line: &Line, into: &mut Extensions) -> Result<bool, Fault> {
    if !TAGS.contains(&tag) {
        return Ok(false);
    }
    line.blank(4, 4)?;
    match tag {
        "XXR" => into.rounds = only(line)?.number("a number of rounds", 1, MAX_ROUNDS)?,
        "XXC" => configuration(line, into)?,
        "XXS" => {
            for word in line.words(5) {
                into.points.push(value_of_code(&word)?);
            }
        }
        "XXA" => into.accelerations.push(acceleration(line)?),
        "XXP" => into.prohibited.push(players(line)?),
        "XXZ" => into.absent.extend(players(line)?),
        _ => {
            let word = only(line)?;
            let value = read_points(&word.text);
            let value = value.ok_or_else(|| word.fault(Expected::Points("1.0")))?;
            let letter = tag.chars().nth(2).unwrap_or(' ');
            into.bbp_points.insert(letter, value);
        }
    }
    Ok(true)
}

pub(super) fn write(tag: &str, from: &Extensions, lost: &mut Vec<Omission>) -> Vec<String> {
    let bodies: Vec<String> = match tag {
        "XXR" => vec![shown(from.rounds)],
        "XXC" => vec![configuration_words(from)],
        "XXS" => {
            let pairs = from.points.iter();
            let pairs = pairs.map(|(code, value)| format!("{code}={value}"));
            vec![joined(pairs, " ")]
        }
        "XXA" => {
            let lines = from.accelerations.iter();
            return lines.map(|line| acceleration_line(line, lost)).collect();
        }
        "XXP" => {
            let rules = from.prohibited.iter();
            return rules
                .map(|players| format!("XXP {}", joined(players, " ")))
                .collect();
        }
        "XXZ" => vec![joined(&from.absent, " ")],
        _ => {
            let points = from.bbp_points.iter();
            let of_tag =
                points.filter(|(letter, _)| tag.starts_with("BB") && tag.ends_with(**letter));
            of_tag.map(|(_, value)| format!("{value:>4}")).collect()
        }
    };
    let bodies = bodies.into_iter().filter(|body| !body.is_empty());
    bodies.map(|body| format!("{tag} {body}")).collect()
}

fn only(line: &Line) -> Result<Field, Fault> {
    let mut words = line.words(5).into_iter();
    let word = words.next();
    if let Some(more) = words.next() {
        return Err(more.fault(Expected::NoMoreText));
    }
    word.ok_or_else(|| Fault::new(line.number, 5, Expected::Value, ""))
}

fn configuration(line: &Line, into: &mut Extensions) -> Result<(), Fault> {
    for word in line.words(5) {
        match word.text.as_str() {
            "white1" => into.initial_colour = Some(Side::White),
            "black1" => into.initial_colour = Some(Side::Black),
            "rank" => into.by_rank = true,
            _ => return Err(word.fault(Expected::OneOf(&["rank", "white1", "black1"]))),
        }
    }
    Ok(())
}

fn configuration_words(from: &Extensions) -> String {
    let colour = from.initial_colour.map(|colour| match colour {
        Side::White => "white1",
        Side::Black => "black1",
    });
    let rank = from.by_rank.then_some("rank");
    joined(rank.into_iter().chain(colour), " ")
}

fn value_of_code(word: &Field) -> Result<(String, Points), Fault> {
    let fault = || word.fault(Expected::CodeWithPoints);
    let (code, value) = word.text.split_once('=').ok_or_else(fault)?;
    if !POINTS.contains(&code) {
        return Err(word.fault(Expected::OneOf(&POINTS)));
    }
    let value = read_points(value).ok_or_else(fault)?;
    Ok((code.to_owned(), value))
}

fn players(line: &Line) -> Result<Vec<u16>, Fault> {
    line.words(5).iter().map(player).collect()
}

fn player(field: &Field) -> Result<u16, Fault> {
    field.required("a player's number", 1, MAX_NUMBER)
}

fn acceleration(line: &Line) -> Result<(u16, Vec<Option<Points>>), Fault> {
    line.blank(9, 9)?;
    let player = player(&line.field(5, 8))?;
    let mut rounds = Vec::new();
    while 10 + 5 * rounds.len() <= line.width() {
        let from = 10 + 5 * rounds.len();
        within(line, rounds.len(), from)?;
        line.blank(from + 4, from + 4)?;
        rounds.push(points(&line.field(from, from + 3))?);
    }
    Ok((player, rounds))
}

fn acceleration_line(
    (player, rounds): &(u16, Vec<Option<Points>>),
    lost: &mut Vec<Omission>,
) -> String {
    let mut layout = Layout::new("XXA");
    layout.right(5, 8, player);
    for (index, points) in rounds.iter().enumerate() {
        let from = 10 + 5 * index;
        layout.points(from, from + 3, *points);
    }
    layout.record("XXA", lost)
}
