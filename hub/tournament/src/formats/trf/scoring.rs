//! Converts a report's records 162, 320 and 362 and its extensions to an event's scoring, and a scoring to records 162
//! and 362. Must never add points up.

use super::report::{PointCode, Report};
use crate::formats::omission::{Award, Omission};
use crate::{Outcome, Points, Scoring};

/// Returns the points if a report can hold them: reports have only one decimal.
pub(in crate::formats) fn writable(points: Points) -> Option<Points> {
    Some(points).filter(|points| points.hundredths() % 10 == 0)
}

pub(in crate::formats) fn writable_or_lost(
    points: Points,
    lost: &mut Vec<Omission>,
) -> Option<Points> {
    let written = writable(points);
    if written.is_none() {
        lost.push(Omission::Decimals(points));
    }
    written
}

pub(in crate::formats) fn of_games(report: &Report) -> Scoring {
    let mut scoring = Scoring::STANDARD;
    for (letter, &value) in &report.extensions.bbp_points {
        match letter {
            'W' => win(&mut scoring, value),
            'D' => draw(&mut scoring, value),
            'L' => scoring.loss = value,
            'Z' => scoring.zero_bye = value,
            'F' => scoring.forfeit_loss = value,
            'U' => scoring.pairing_bye = value,
            _ => (),
        }
    }
    for (code, value) in &report.extensions.points {
        let value = *value;
        match code.as_str() {
            "W" => win(&mut scoring, value),
            "WW" | "BW" | "FW" => scoring.win = value,
            "D" => draw(&mut scoring, value),
            "WD" | "BD" => scoring.draw = value,
            "WL" | "BL" => scoring.loss = value,
            "ZPB" => scoring.zero_bye = value,
            "HPB" => scoring.half_bye = value,
            "FPB" => scoring.full_bye = value,
            "PAB" => scoring.pairing_bye = value,
            "FL" => scoring.forfeit_loss = value,
            _ => (),
        }
    }
    let points = &report.header.points;
    // If record 162 states points for a win but not for a pairing-allocated bye, the bye is worth a win. The codes can
    // come in any order, so the points for a win are looked up first.
    if let Some((_, value)) = points.iter().find(|(code, _)| *code == PointCode::Win) {
        scoring.pairing_bye = *value;
    }
    for &(code, value) in points {
        match code {
            PointCode::Win => win(&mut scoring, value),
            PointCode::Draw => draw(&mut scoring, value),
            PointCode::Loss => scoring.loss = value,
            PointCode::Absence => (scoring.zero_bye, scoring.forfeit_loss) = (value, value),
            PointCode::PairingBye => scoring.pairing_bye = value,
            PointCode::Unknown => (),
        }
    }
    scoring
}

fn win(scoring: &mut Scoring, value: Points) {
    scoring.win = value;
    scoring.full_bye = value;
}

fn draw(scoring: &mut Scoring, value: Points) {
    scoring.draw = value;
    scoring.half_bye = value;
}

pub(in crate::formats) fn of_matches(report: &Report) -> Scoring {
    let of = |outcome: Outcome| {
        let mut points_given = report.header.match_points.iter();
        let pair = points_given.find(|(known, _)| *known == outcome);
        pair.map_or(Scoring::MATCH.game(outcome), |(_, value)| *value)
    };
    let mut scoring = Scoring::of(of(Outcome::Win), of(Outcome::Draw), of(Outcome::Loss));
    let given = report.rules.team_byes.as_ref();
    if let Some(value) = given.and_then(|byes| byes.match_points) {
        scoring.pairing_bye = value;
    }
    scoring
}

/// Returns record 162 for a scoring, and adds to `lost` the points that the record cannot express.
pub(in crate::formats) fn record(
    scoring: &Scoring,
    lost: &mut Vec<Omission>,
) -> Vec<(PointCode, Points)> {
    let mut record = Vec::new();
    let mut say = |code: PointCode, value: Points, always: bool| {
        let value = writable_or_lost(value, lost).filter(|_| always);
        record.extend(value.map(|value| (code, value)));
    };
    say(PointCode::Win, scoring.win, true);
    say(PointCode::Draw, scoring.draw, true);
    say(PointCode::Loss, scoring.loss, scoring.loss != Points::ZERO);
    let absence = scoring.zero_bye != Points::ZERO;
    say(PointCode::Absence, scoring.zero_bye, absence);
    let bye = scoring.pairing_bye != scoring.win;
    say(PointCode::PairingBye, scoring.pairing_bye, bye);
    let like = [
        (Award::FullBye, scoring.full_bye, scoring.win),
        (Award::HalfBye, scoring.half_bye, scoring.draw),
        (Award::ForfeitLoss, scoring.forfeit_loss, scoring.zero_bye),
    ];
    for (award, points, in_file) in like {
        if points != in_file {
            lost.push(Omission::Points {
                award,
                points,
                in_file,
            });
        }
    }
    record
}

/// Returns record 362 for a scoring, and adds to `lost` the points that the record cannot express.
pub(in crate::formats) fn match_record(
    scoring: &Scoring,
    lost: &mut Vec<Omission>,
) -> Vec<(Outcome, Points)> {
    let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter();
    outcomes
        .filter_map(|outcome| Some((outcome, writable_or_lost(scoring.game(outcome), lost)?)))
        .collect()
}
