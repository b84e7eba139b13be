//! Bounds of an event's entries, which keep computations exact and every report writable. Owns the bounds and their
//! error texts.

use crate::numbers::MAX_ROUNDS;
use crate::{
    AbnormalPoints, Contest, Event, Invalid, Player, Points, Refusal, RoundNo, StatedStandings,
    System, Team,
};

/// Maximum number of boards in a team match.
pub const MAX_BOARDS: u16 = 100;

/// Maximum number of cycles in a round robin.
pub const MAX_CYCLES: u8 = 8;

/// The maximum points for a single result. With the bounds above, no sum of products exceeds 64 bits.
pub const MAX_POINTS: Points = Points::whole(1_000);

/// The highest player number: FIDE's column has four digits.
pub const MAX_PLAYER_NO: u16 = 9_999;

/// The highest team number: its column has three digits.
pub const MAX_TEAM_NO: u16 = 999;

/// The highest rating: its column has four digits.
pub const MAX_RATING: u16 = 9_999;

/// Maximum number of forbidden pairs, of accelerations and of abnormal points in an event: more than a large open could need.
const MAX_RULES: u16 = 2_000;

/// The range of abnormal points, in hundredths: their columns have four characters.
const ABNORMAL: std::ops::RangeInclusive<i64> = -9_990..=99_990;

/// The highest FIDE ID: its column has eleven digits.
const MAX_FIDE_ID: u64 = 99_999_999_999;

/// Maximum length of a title or of a federation's code, in characters.
const MAX_CODE_LENGTH: usize = 3;

/// Checks that an event's numbers can be computed with and its names written into reports.
pub(super) fn check_event(event: &Event) -> Result<(), Refusal> {
    for text in [
        &event.name,
        &event.city,
        &event.federation,
        &event.chief_arbiter,
    ] {
        plain(text)?;
    }
    if event.rounds == 0 || event.rounds > MAX_ROUNDS {
        return invalid(Invalid::Rounds {
            most: MAX_ROUNDS,
            given: event.rounds,
        });
    }
    if let Contest::Teams { boards } = event.contest
        && (boards == 0 || boards > MAX_BOARDS)
    {
        return invalid(Invalid::MatchBoards {
            most: MAX_BOARDS,
            given: boards,
        });
    }
    if let System::RoundRobin { cycles } = event.system
        && (cycles == 0 || cycles > MAX_CYCLES)
    {
        return invalid(Invalid::Cycles {
            most: MAX_CYCLES.into(),
            given: cycles.into(),
        });
    }
    check_pairing_rules(event)?;
    let scorings = [event.scoring, event.match_scoring];
    let of_byes = event
        .team_bye_points
        .map(|points| (points, i64::from(MAX_BOARDS)));
    let mut all = scorings
        .iter()
        .flat_map(|scoring| scoring.all())
        .map(|points| (points, 1))
        .chain(of_byes);
    match all.find(|(points, times)| points.hundredths().abs() > MAX_POINTS.hundredths() * times) {
        Some((points, _)) => invalid(Invalid::ResultPoints {
            most: MAX_POINTS,
            given: points,
        }),
        None => Ok(()),
    }
}

/// Checks that forbidden pairs, accelerations and abnormal points name possible rounds and participants.
fn check_pairing_rules(event: &Event) -> Result<(), Refusal> {
    let rounds = |(first, last): (RoundNo, RoundNo)| {
        check_round(first, MAX_ROUNDS)?;
        check_round(last, MAX_ROUNDS)?;
        match first <= last {
            true => Ok(()),
            false => invalid(Invalid::RoundRange(first, last)),
        }
    };
    let participant = |no: u16| match (1..=MAX_PLAYER_NO).contains(&no) {
        true => Ok(()),
        false => invalid(Invalid::ParticipantNo {
            most: MAX_PLAYER_NO,
            given: no,
        }),
    };
    for rule in &event.forbidden {
        rounds(rule.rounds)?;
        rule.participants
            .iter()
            .try_for_each(|no| participant(*no))?;
        if rule.participants.len() < 2 {
            return invalid(Invalid::LoneForbidden);
        }
    }
    for acceleration in &event.accelerations {
        rounds(acceleration.rounds)?;
        let (first, last) = acceleration.participants;
        participant(first)?;
        participant(last)?;
        if first > last {
            return invalid(Invalid::ParticipantRange(first, last));
        }
    }
    for given in &event.abnormal_points {
        given
            .round
            .map_or(Ok(()), |round| check_round(round, MAX_ROUNDS))?;
        given
            .participants
            .iter()
            .try_for_each(|no| participant(*no))?;
        check_abnormal_points(given)?;
    }
    let longest = event.forbidden.len().max(event.accelerations.len());
    match longest.max(event.abnormal_points.len()) > usize::from(MAX_RULES) {
        true => invalid(Invalid::TooManyRules(MAX_RULES)),
        false => Ok(()),
    }
}

/// Checks that a report can hold the points.
fn check_abnormal_points(given: &AbnormalPoints) -> Result<(), Refusal> {
    let mut points = given.match_points.into_iter().chain(given.points);
    let unfit = |points: &Points| {
        let hundredths = points.hundredths();
        hundredths % 10 != 0 || !ABNORMAL.contains(&hundredths)
    };
    match points.find(unfit) {
        Some(points) => invalid(Invalid::AbnormalPoints(points)),
        None => Ok(()),
    }
}

/// Checks that the reports of an event with this many rounds can hold a player.
pub(super) fn check_player(player: &Player, rounds: u16) -> Result<(), Refusal> {
    if player.no.0 == 0 || player.no.0 > MAX_PLAYER_NO || player.name.trim().is_empty() {
        return invalid(Invalid::Player {
            most: MAX_PLAYER_NO,
        });
    }
    plain(&player.name)?;
    plain(&player.club)?;
    if !player.title.bytes().all(|byte| byte.is_ascii_alphabetic())
        || player.title.len() > MAX_CODE_LENGTH
    {
        return invalid(Invalid::Title(player.title.clone()));
    }
    code(&player.federation)?;
    if let Some(rating) = player.rating.filter(|rating| *rating > MAX_RATING) {
        return invalid(Invalid::Rating {
            most: MAX_RATING,
            given: rating,
        });
    }
    if let Some(id) = player.fide_id.filter(|id| *id > MAX_FIDE_ID) {
        return invalid(Invalid::FideId(id));
    }
    if player.enters.0 == 0 {
        return invalid(Invalid::RoundZero);
    }
    player
        .byes
        .keys()
        .try_for_each(|round| check_round(*round, rounds))
}

/// Checks that the reports can hold a team.
pub(super) fn check_team(team: &Team) -> Result<(), Refusal> {
    if team.no.0 == 0 || team.no.0 > MAX_TEAM_NO || team.name.trim().is_empty() {
        return invalid(Invalid::Team { most: MAX_TEAM_NO });
    }
    plain(&team.name)?;
    plain(&team.short_name)?;
    code(&team.federation)
}

/// Checks that a report can hold the places and points that a file states.
pub(super) fn check_stated(stated: &StatedStandings) -> Result<(), Refusal> {
    plain(&stated.file)?;
    let most = MAX_POINTS.hundredths() * i64::from(MAX_ROUNDS);
    for row in stated.rows.values() {
        if let Some(rank) = row.rank.filter(|rank| !(1..=MAX_PLAYER_NO).contains(rank)) {
            return invalid(Invalid::Place {
                most: MAX_PLAYER_NO,
                given: rank,
            });
        }
        let mut points = row.points.into_iter().chain(row.match_points);
        if let Some(points) = points.find(|points| points.hundredths().abs() > most) {
            return invalid(Invalid::StatedPoints(points));
        }
    }
    Ok(())
}

/// Checks that an event with this many rounds has this round.
pub(super) fn check_round(round: RoundNo, rounds: u16) -> Result<(), Refusal> {
    if round.0 == 0 || round.0 > rounds {
        return invalid(Invalid::Round {
            rounds,
            given: round,
        });
    }
    Ok(())
}

/// Checks that a federation's code fits into the reports.
fn code(text: &str) -> Result<(), Refusal> {
    let fits = |char: char| char.is_alphanumeric() || matches!(char, '-' | '/' | '.');
    if text.chars().count() > MAX_CODE_LENGTH || !text.chars().all(fits) {
        return invalid(Invalid::Federation(text.to_owned()));
    }
    Ok(())
}

/// Refuses control characters: a line break or a tab inside a name would end its line or column.
fn plain(text: &str) -> Result<(), Refusal> {
    if text.chars().any(char::is_control) {
        return invalid(Invalid::ControlCharacter(text.to_owned()));
    }
    Ok(())
}

fn invalid(why: Invalid) -> Result<(), Refusal> {
    Err(Refusal::Invalid(why))
}
