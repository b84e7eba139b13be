//! An event as a report. Owns every translation for the export. Data that the format cannot express becomes one of this
//! program's comments or is listed as lost.

use timing::Side;

use super::import::{self, without_layout};
use super::model::{Draft, DraftRound};
use super::notes::{self, Note};
use super::totals::{Seating, Totals, next_round, own_points};
use super::{abnormal, cells, kind, pairing_rules, stated};
use crate::formats::omission::Omission;
use crate::formats::trf::report::{self, Cell, KeptLine, Report};
use crate::formats::trf::value::{Date, Letter};
use crate::formats::trf::{self, Edition, Written, plain_order, records, scoring, write};
use crate::formats::wording::shown;
use crate::tie_break::begins_with_score;
use crate::{
    Bye, Contest, Event, GameResult, Outcome, Player, RoundNo, Team, TieBreak, Tournament,
};

mod teams;

/// Writes an event as a report, with its current standings.
pub fn export(tournament: &Tournament, edition: Edition) -> Written {
    let draft = Draft::of(tournament);
    let (mut report, lost) = report(&draft, &Totals::of(tournament));
    if edition == Edition::Trf16 {
        pairing_rules::for_trf16(&mut report, next_round(&draft));
    }
    write(&report, edition).after(lost)
}

/// Converts an event to a report, and returns the data that the report cannot hold.
pub fn report(draft: &Draft, totals: &Totals) -> (Report, Vec<Omission>) {
    let (mut report, lost) = without_notes(draft, totals);
    own_notes(draft, &mut report);
    (report, lost)
}

/// Returns a player as read back from a report, which may shorten the name. Returns the player unchanged if no report
/// can hold them.
pub(in crate::formats) fn player_as_written(player: &Player) -> Player {
    let mut alone = Draft::empty(Event::new("few", 1));
    alone.players.insert(player.no, player.clone());
    let back = reimported(&alone).and_then(|mut back| back.players.remove(&player.no));
    back.unwrap_or_else(|| player.clone())
}

pub(in crate::formats) fn team_as_written(team: &Team) -> Team {
    let mut alone = Draft::empty(Event::new("few", 1));
    alone.event.contest = Contest::Teams { boards: 1 };
    alone.teams.insert(team.no, team.clone());
    let members = team.players.iter();
    let members = members.map(|no| (*no, Player::new(*no, "member")));
    alone.players = members.collect();
    let back = reimported(&alone).and_then(|mut back| back.teams.remove(&team.no));
    back.unwrap_or_else(|| team.clone())
}

/// Returns the kept lines of an event as read back from a TRF16 report. That edition holds the records of TRF26 in
/// comments, and therefore in a different order.
pub(in crate::formats) fn kept_lines_as_trf16(draft: &Draft) -> Vec<String> {
    let (mut report, _) = report(draft, &Totals::default());
    pairing_rules::for_trf16(&mut report, next_round(draft));
    let text = write(&report, Edition::Trf16).text;
    let read = trf::read(text.as_bytes());
    let lines = read.map(|read| import::import(&read.report).draft.event.kept_lines);
    lines.unwrap_or_default()
}

fn reimported(draft: &Draft) -> Option<Draft> {
    let (report, _) = without_notes(draft, &Totals::default());
    let text = write(&report, Edition::Trf26).text;
    let read = import::import_file(text.as_bytes()).ok()?;
    Some(read.draft)
}

pub(super) fn without_notes(draft: &Draft, totals: &Totals) -> (Report, Vec<Omission>) {
    let mut lost = Vec::new();
    let event = &draft.event;
    let raw = notes::records(&event.kept_lines);
    let mut report = records(&raw).unwrap_or_else(|faults| {
        lost.push(Omission::KeptRecords(faults));
        Report::default()
    });
    report.kept = notes::from_event(&event.kept_lines);
    report.rules = import::rules_from(&report.rules, draft.rounds.len());
    header(draft, &mut report, &mut lost);
    let seating = Seating::new(draft);
    let line = |player| line(draft, &seating, player, totals, &mut lost);
    report.players = draft.players.values().map(line).collect();
    cells::restore(draft, &mut report.players);
    rank(&mut report.players);
    pairing_rules::write(draft, &mut report, &mut lost);
    abnormal::write(draft, &mut report);
    match event.contest {
        Contest::Teams { .. } => teams::teams(draft, totals, &mut report, &mut lost),
        Contest::Individual => {
            report.rules.byes = pairing_rules::requested_byes(draft);
        }
    }
    stated::restore(draft, &mut report);
    if report.kept.has("XXR") {
        report.extensions.rounds = report.header.rounds;
    }
    if report.kept.has("XXC") {
        report.extensions.initial_colour = report.header.initial_colour;
    }
    if report.kept.has("XXZ") {
        report.extensions.absent = absent(draft);
    }
    if report.kept.order == plain_order(&report) {
        report.kept.order = Vec::new();
    }
    (report, lost)
}

fn absent(draft: &Draft) -> Vec<u16> {
    let next = next_round(draft);
    let misses = |player: &&Player| player.byes.get(&next) == Some(&Bye::Zero);
    let players = draft.players.values().filter(misses);
    players.map(|player| player.no.0).collect()
}

fn header(draft: &Draft, report: &mut Report, lost: &mut Vec<Omission>) {
    let event = &draft.event;
    let header = &mut report.header;
    let text = |text: &String| Some(text.clone()).filter(|text| !text.trim().is_empty());
    header.name = text(&event.name);
    header.city = text(&event.city);
    header.federation = text(&event.federation);
    header.start = event.starts.map(Date::from);
    header.end = event.ends.map(Date::from);
    header.players = u32::try_from(draft.players.len()).ok();
    let rated = draft.players.values();
    let rated = rated.filter(|player| player.rating.is_some());
    header.rated = u32::try_from(rated.count()).ok();
    let teams = u32::try_from(draft.teams.len()).ok();
    header.teams = teams.filter(|teams| *teams > 0);
    (header.kind, header.coded_kind) = kind::records(event);
    header.chief_arbiter = text(&event.chief_arbiter);
    header.deputies = event.deputies.clone();
    header.times = text(&event.time_control);
    let last = event.round_dates.keys().next_back();
    let last = last.map_or(0, |round| round.0);
    let dates = (1..=last).map(|round| event.round_dates.get(&RoundNo(round)).copied());
    header.round_dates = dates.map(|date| date.map(Date::from)).collect();
    header.rounds = Some(event.rounds);
    header.initial_colour = event.initial_colour;
    header.program = text(&event.pairing_program);
    header.time_control = text(&event.time_control_code);
    keep_given_form(draft, report, lost);
}

/// Keeps the file's form of a record that can be written in several ways, as long as the record agrees with the event.
fn keep_given_form(draft: &Draft, report: &mut Report, lost: &mut Vec<Omission>) {
    let event = &draft.event;
    if report.header.points.is_empty() || scoring::of_games(report) != event.scoring {
        report.header.points = scoring::record(&event.scoring, lost);
    }
    if !matches!(event.contest, Contest::Teams { .. }) {
        report.header.match_points = Vec::new();
    } else if report.header.match_points.is_empty()
        || scoring::of_matches(report) != event.match_scoring
    {
        report.header.match_points = scoring::match_record(&event.match_scoring, lost);
    }
    let header = &mut report.header;
    let given = import::tie_breaks(header, &mut Vec::new());
    let said = !header.tie_breaks.is_empty() || !header.standings.is_empty();
    if said && given == event.tie_breaks {
        return;
    }
    (header.tie_breaks, header.standings) = tie_break_records(&event.tie_breaks);
}

/// Returns records 202 and 212 for a list of tie-breaks. Record 212 is written only if the list begins with the points,
/// which 202 leaves out.
pub(super) fn tie_break_records(list: &[TieBreak]) -> (Vec<String>, Vec<String>) {
    let written = |list: &[TieBreak]| list.iter().map(ToString::to_string).collect();
    match list.split_first() {
        Some((_, breaks)) if begins_with_score(list) => (written(breaks), written(list)),
        Some(_) | None => (written(list), Vec::new()),
    }
}

fn line(
    draft: &Draft,
    seating: &Seating<'_>,
    player: &Player,
    totals: &Totals,
    lost: &mut Vec<Omission>,
) -> report::Player {
    let cells: Vec<Cell> = (1..=seating.rounds)
        .map(|round| cell(draft, seating, player, RoundNo(round)))
        .collect();
    let birth = Date::read(&player.birth).unwrap_or_else(|_| {
        lost.push(Omission::Birth {
            player: player.no,
            text: player.birth.clone(),
        });
        None
    });
    let total = totals.players.get(&player.no);
    let points = match total {
        Some((points, _)) => *points,
        None => own_points(draft, seating, player.no),
    };
    report::Player {
        number: player.no.0,
        sex: player.sex,
        title: player.title.clone(),
        name: player.name.clone(),
        rating: Some(player.rating.unwrap_or(0)),
        federation: player.federation.clone(),
        fide_id: shown(player.fide_id),
        birth,
        points: scoring::writable(points),
        rank: total.map(|(_, rank)| *rank),
        cells,
        line: report::LineNo::default(),
    }
}

/// Ranks by points the players without a place in the standings; players on equal points share a rank.
fn rank(players: &mut [report::Player]) {
    let mut points: Vec<_> = players.iter().map(|player| player.points).collect();
    points.sort_by(|one, other| other.cmp(one));
    for player in players.iter_mut().filter(|player| player.rank.is_none()) {
        let better = points.partition_point(|points| *points > player.points);
        player.rank = u16::try_from(better + 1).ok();
    }
}

fn cell(draft: &Draft, seating: &Seating<'_>, player: &Player, no: RoundNo) -> Cell {
    let bye = |bye: &Bye| Cell {
        letter: Some(Letter::Bye(*bye)),
        ..Cell::default()
    };
    let Some(round) = draft.rounds.get(&no) else {
        let given = player.byes.get(&no);
        let given = given.filter(|_| pairing_rules::is_in_line(draft, no));
        return given.map(bye).unwrap_or_default();
    };
    let Some(seats) = seating.of(no, player.no) else {
        return round.byes.get(&player.no).map(bye).unwrap_or_default();
    };
    let Some(side) = seats.side_of(player.no) else {
        return Cell::default();
    };
    let opponent = seats.player(side.other()).map(|no| no.0);
    Cell {
        opponent,
        colour: opponent.map(|_| side),
        letter: seats.result.and_then(|result| letter(result, side)),
    }
}

fn letter(result: GameResult, side: Side) -> Option<Letter> {
    let outcome = result.outcome(side)?;
    Some(match result {
        GameResult::Forfeit { .. } => match outcome {
            Outcome::Win => Letter::ForfeitWin,
            Outcome::Draw | Outcome::Loss => Letter::ForfeitLoss,
        },
        GameResult::Played { rated: true, .. } => Letter::Game(outcome),
        GameResult::Played { rated: false, .. } => Letter::Unrated(outcome),
        GameResult::Adjourned => return None,
    })
}

fn own_notes(draft: &Draft, report: &mut Report) {
    let mut notes = Vec::new();
    for player in draft.players.values() {
        if player.enters != RoundNo(1) {
            notes.push(Note::Enters(player.no.0, player.enters.0));
        }
        if let Some(last) = player.leaves {
            notes.push(Note::Leaves(player.no.0, last.0));
        }
    }
    let again = without_layout(report).draft;
    for (no, round) in &draft.rounds {
        let found = again.rounds.get(no);
        if found.is_none_or(|found| found.matches != round.matches) && !round.matches.is_empty() {
            let matches = round.matches.iter();
            let matches = matches.map(|(no, paired)| (no.0, paired.white.0));
            notes.push(Note::Matches(no.0, matches.collect()));
        }
        let numbers = |round: &DraftRound| -> Vec<(u16, u16)> {
            let boards = round.boards.iter().filter_map(|(board, seats)| {
                let player = seats.white.or(seats.black)?;
                Some((board.0, player.0))
            });
            boards.collect()
        };
        if found.is_none_or(|found| numbers(found) != numbers(round)) && !round.boards.is_empty() {
            notes.push(Note::Boards(no.0, numbers(round)));
        }
    }
    let nth = u32::try_from(report.players.len()).unwrap_or(u32::MAX);
    let lines = notes.iter().map(|note| KeptLine {
        after: "001".to_owned(),
        nth,
        text: note.write(),
    });
    let kept = &mut report.kept.lines;
    let at = kept.partition_point(|line| !(line.after == "001" && line.nth == nth));
    kept.splice(at..at, lines);
}
