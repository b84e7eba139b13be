//! Compares the event's own data and merges the file's values into it. Owns the rule that a missing record changes
//! nothing; must never clear a field for that reason.

use super::item::{Difference, DifferenceKind};
use super::words;
use crate::formats::draft::{Draft, kept_lines_as_trf16};
use crate::formats::remark::EventRemark;
use crate::{Change, Contest, Event, Scoring, System};

pub(super) fn event(known: &Draft, file: &Draft, difference: &mut Difference) {
    let before = &known.event;
    let merged = merged(known, file);
    if file.event.rounds < before.rounds {
        let remark = EventRemark::FewerRounds {
            in_file: file.event.rounds,
            here: before.rounds,
        };
        difference.remarks.push(remark.into());
    }
    if merged.scoring != file.event.scoring {
        difference.remarks.push(EventRemark::PointsKept.into());
    }
    if merged != *before {
        let words = words::event(before, &merged);
        difference.add(
            DifferenceKind::Event,
            words,
            vec![Change::SetEvent(Box::new(merged))],
        );
    }
}

/// Returns the event with the file's data. A missing record changes nothing, because many files leave out tie-breaks,
/// the encoded time control, points or the number of rounds.
pub(super) fn merged(known: &Draft, draft: &Draft) -> Event {
    let before = &known.event;
    let file = &draft.event;
    let text = |said: &String, before: &String| match said.trim() {
        "" => before.clone(),
        _ => said.clone(),
    };
    let has = |tag: &str| has_kept_record(file, |of| of.starts_with(tag));
    let points = file.scoring != Scoring::STANDARD || has("162") || has("XXS") || has("BB");
    let match_points = file.match_scoring != Scoring::MATCH || has("362");
    let mut round_dates = before.round_dates.clone();
    round_dates.extend(&file.round_dates);
    Event {
        name: text(&file.name, &before.name),
        city: text(&file.city, &before.city),
        federation: text(&file.federation, &before.federation),
        starts: file.starts.or(before.starts),
        ends: file.ends.or(before.ends),
        chief_arbiter: text(&file.chief_arbiter, &before.chief_arbiter),
        deputies: listed(&file.deputies, &before.deputies),
        time_control: text(&file.time_control, &before.time_control),
        time_control_code: text(&file.time_control_code, &before.time_control_code),
        type_text: text(&file.type_text, &before.type_text),
        type_code: text(&file.type_code, &before.type_code),
        pairing_program: text(&file.pairing_program, &before.pairing_program),
        system: system(before, file),
        contest: contest(before, draft),
        game: before.game,
        rounds: file.rounds.max(before.rounds),
        round_dates,
        initial_colour: file.initial_colour.or(before.initial_colour),
        scoring: if points { file.scoring } else { before.scoring },
        match_scoring: match match_points {
            true => file.match_scoring,
            false => before.match_scoring,
        },
        tie_breaks: listed(&file.tie_breaks, &before.tie_breaks),
        unrated_as: before.unrated_as,
        team_bye_points: file.team_bye_points.or(before.team_bye_points),
        forbidden: listed(&file.forbidden, &before.forbidden),
        accelerations: match file.accelerations.is_empty() && !file.is_baku() {
            true => before.accelerations.clone(),
            false => file.accelerations.clone(),
        },
        abnormal_points: listed(&file.abnormal_points, &before.abnormal_points),
        sectors: before.sectors.clone(),
        rules: before.rules.clone(),
        round_rules: before.round_rules.clone(),
        kept_lines: match file.kept_lines == kept_lines_as_trf16(known) {
            true => before.kept_lines.clone(),
            false => kept(before, file),
        },
    }
}

fn listed<T: Clone>(said: &[T], before: &[T]) -> Vec<T> {
    match said {
        [] => before.to_vec(),
        said => said.to_vec(),
    }
}

/// Returns the merged contest. The file's number of boards may be no more than a guess from its games or teams. The
/// known number therefore stays unless a match has more boards.
fn contest(before: &Event, draft: &Draft) -> Contest {
    let rounds = draft.rounds.values();
    let boards = rounds.flat_map(|round| round.boards.values());
    let places = boards.filter_map(|seats| seats.of_match.map(|(_, place)| place));
    match (before.contest, draft.event.contest) {
        (Contest::Teams { boards }, Contest::Teams { .. }) => Contest::Teams {
            boards: boards.max(places.max().unwrap_or(0)),
        },
        (Contest::Individual, Contest::Teams { boards }) => Contest::Teams { boards },
        (known, Contest::Individual) => known,
    }
}

/// Returns the merged system. A file states its system with its encoded type or its type as text. The number of cycles
/// follows from the number of rounds, which a file may understate.
fn system(before: &Event, file: &Event) -> System {
    let silent = file.type_code.trim().is_empty() && file.type_text.trim().is_empty();
    match (before.system, file.system) {
        // A round robin set up in this program has a system but no type.
        (known, System::Swiss) if silent => known,
        (System::RoundRobin { .. }, System::RoundRobin { .. }) if file.rounds < before.rounds => {
            before.system
        }
        (System::Swiss | System::RoundRobin { .. }, said) => said,
    }
}

fn has_kept_record(file: &Event, is: impl Fn(&str) -> bool) -> bool {
    let records = file.kept_lines.iter();
    let mut records = records.filter_map(|line| line.strip_prefix("record "));
    records.any(is)
}

/// Returns the lines kept for the export: the file's lines, and known records whose tag the file does not have.
fn kept(before: &Event, file: &Event) -> Vec<String> {
    if file.kept_lines.is_empty() {
        return before.kept_lines.clone();
    }
    let missing = before.kept_lines.iter().filter(|line| {
        let record = line.strip_prefix("record ");
        let tag = record.and_then(|record| record.get(..3));
        tag.is_some_and(|tag| !has_kept_record(file, |record| record.starts_with(tag)))
    });
    file.kept_lines.iter().chain(missing).cloned().collect()
}
