//! Bounds on an event's data, which keep computations exact and make the data fit into the columns of a report.

use crate::numbers::MAX_ROUNDS;
use crate::{
    AbnormalPoints, Contest, Event, Invalid, Player, Points, Refusal, RoundNo, StatedStandings,
    System, Team,
};

/// Maximum number of boards in a team match.
pub const MAX_BOARDS: u16 = 100;

/// Maximum number of cycles in a round robin.
pub const MAX_CYCLES: u8 = 8;

/// The maximum points for a single result. Together with [`MAX_BOARDS`] and [`MAX_CYCLES`], ensures that no sum of
/// products exceeds 64 bits.
pub const MAX_POINTS: Points = Points::whole(1_000);

/// The highest player number: FIDE's column has four digits.
pub const MAX_PLAYER_NO: u16 = 9_999;

/// The highest team number: its column has three digits.
pub const MAX_TEAM_NO: u16 = 999;

/// The highest rating: its column has four digits.
pub const MAX_RATING: u16 = 9_999;

/// Maximum number of forbidden pairings, of accelerations and of abnormal points, each.
const MAX_RULES: u16 = 2_000;

/// The range of abnormal points, in hundredths. Some of these values do not fit their columns, but older logs may contain
/// them: [`check_abnormal_points`] refuses them in new changes.
const ABNORMAL: std::ops::RangeInclusive<i64> = -9_990..=99_990;

/// The highest FIDE ID: its column has eleven digits.
pub(crate) const MAX_FIDE_ID: u64 = 99_999_999_999;

/// Maximum length of a title or of a federation's code, in characters.
const MAX_CODE_LENGTH: usize = 3;

pub(super) fn check_event(event: &Event) -> Result<(), Refusal> {
    for text in [
        &event.name,
        &event.city,
        &event.federation,
        &event.chief_arbiter,
    ] {
        check_no_control(text)?;
    }
    let (most, given) = (MAX_ROUNDS, event.rounds);
    require((1..=most).contains(&given), Invalid::Rounds { most, given })?;
    if let Contest::Teams { boards: given } = event.contest {
        let most = MAX_BOARDS;
        let fits = (1..=most).contains(&given);
        require(fits, Invalid::MatchBoards { most, given })?;
    }
    if let System::RoundRobin { cycles } = event.system {
        let (most, given) = (MAX_CYCLES.into(), cycles.into());
        require((1..=most).contains(&given), Invalid::Cycles { most, given })?;
    }
    check_pairing_rules(event)?;
    let scorings = [event.scoring, event.match_scoring];
    let results = scorings.iter().flat_map(|scoring| scoring.all());
    for given in results {
        within(given, MAX_POINTS)?;
    }
    let of_byes = event.team_bye_points.unwrap_or_default();
    within(of_byes, MAX_POINTS.times(MAX_BOARDS.into()))
}

/// Checks that a report can hold abnormal points: their columns in record 299 have four characters. For new changes only,
/// because older logs may contain points that do not fit.
///
/// # Errors
/// Returns the first points that do not fit.
pub fn check_abnormal_points(given: &AbnormalPoints) -> Result<(), Refusal> {
    for points in given.match_points.into_iter().chain(given.points) {
        let hundredths = points.hundredths();
        let fits = (-990..=9_990).contains(&hundredths) && hundredths % 10 == 0;
        let whole = (-9_900..=99_900).contains(&hundredths) && hundredths % 100 == 0;
        require(fits || whole, Invalid::AbnormalPoints(points))?;
    }
    Ok(())
}

fn within(given: Points, most: Points) -> Result<(), Refusal> {
    let fits = given.hundredths().abs() <= most.hundredths();
    require(fits, Invalid::ResultPoints { most, given })
}

fn check_pairing_rules(event: &Event) -> Result<(), Refusal> {
    let rounds = |(first, last): (RoundNo, RoundNo)| {
        check_round(first, MAX_ROUNDS)?;
        check_round(last, MAX_ROUNDS)?;
        require(first <= last, Invalid::RoundRange(first, last))
    };
    let participant = |given: u16| {
        let most = MAX_PLAYER_NO;
        let fits = (1..=most).contains(&given);
        require(fits, Invalid::ParticipantNo { most, given })
    };
    for rule in &event.forbidden {
        rounds(rule.rounds)?;
        let mut participants = rule.participants.iter();
        participants.try_for_each(|no| participant(*no))?;
        require(rule.participants.len() > 1, Invalid::LoneForbidden)?;
    }
    for acceleration in &event.accelerations {
        rounds(acceleration.rounds)?;
        let (first, last) = acceleration.participants;
        participant(first)?;
        participant(last)?;
        require(first <= last, Invalid::ParticipantRange(first, last))?;
    }
    for given in &event.abnormal_points {
        if let Some(round) = given.round {
            check_round(round, MAX_ROUNDS)?;
        }
        let mut participants = given.participants.iter();
        participants.try_for_each(|no| participant(*no))?;
        for points in given.match_points.into_iter().chain(given.points) {
            let hundredths = points.hundredths();
            let fits = hundredths % 10 == 0 && ABNORMAL.contains(&hundredths);
            require(fits, Invalid::AbnormalPoints(points))?;
        }
    }
    let longest = event.forbidden.len().max(event.accelerations.len());
    let longest = longest.max(event.abnormal_points.len());
    let few = longest <= usize::from(MAX_RULES);
    require(few, Invalid::TooManyRules(MAX_RULES))
}

pub(super) fn check_player(player: &Player, rounds: u16) -> Result<(), Refusal> {
    let most = MAX_PLAYER_NO;
    let named = !player.name.trim().is_empty();
    let known = (1..=most).contains(&player.no.0) && named;
    require(known, Invalid::Player { most })?;
    check_no_control(&player.name)?;
    check_no_control(&player.club)?;
    let title = &player.title;
    let letters = title.bytes().all(|byte| byte.is_ascii_alphabetic());
    let fits = letters && title.len() <= MAX_CODE_LENGTH;
    require(fits, Invalid::Title(title.clone()))?;
    check_federation(&player.federation)?;
    let (most, given) = (MAX_RATING, player.rating.unwrap_or(0));
    require(given <= most, Invalid::Rating { most, given })?;
    let id = player.fide_id.unwrap_or(0);
    require(id <= MAX_FIDE_ID, Invalid::FideId(id))?;
    require(player.enters.0 > 0, Invalid::RoundZero)?;
    let mut byes = player.byes.keys();
    byes.try_for_each(|round| check_round(*round, rounds))
}

pub(super) fn check_team(team: &Team) -> Result<(), Refusal> {
    let most = MAX_TEAM_NO;
    let known = (1..=most).contains(&team.no.0) && !team.name.trim().is_empty();
    require(known, Invalid::Team { most })?;
    check_no_control(&team.name)?;
    check_no_control(&team.short_name)?;
    check_federation(&team.federation)
}

pub(super) fn check_stated(stated: &StatedStandings) -> Result<(), Refusal> {
    check_no_control(&stated.file)?;
    let most_points = MAX_POINTS.hundredths() * i64::from(MAX_ROUNDS);
    for row in stated.rows.values() {
        let (most, given) = (MAX_PLAYER_NO, row.rank.unwrap_or(1));
        require((1..=most).contains(&given), Invalid::Place { most, given })?;
        for points in row.points.into_iter().chain(row.match_points) {
            let fits = points.hundredths().abs() <= most_points;
            require(fits, Invalid::StatedPoints(points))?;
        }
    }
    Ok(())
}

pub(super) fn check_round(round: RoundNo, rounds: u16) -> Result<(), Refusal> {
    let (given, fits) = (round, (1..=rounds).contains(&round.0));
    require(fits, Invalid::Round { rounds, given })
}

fn check_federation(text: &str) -> Result<(), Refusal> {
    let known = |char: char| char.is_alphanumeric() || matches!(char, '-' | '/' | '.');
    let fits = text.chars().count() <= MAX_CODE_LENGTH && text.chars().all(known);
    require(fits, Invalid::Federation(text.to_owned()))
}

/// Refuses control characters: a line break or a tab inside a name would end its line or column.
fn check_no_control(text: &str) -> Result<(), Refusal> {
    let fits = !text.chars().any(char::is_control);
    require(fits, Invalid::ControlCharacter(text.to_owned()))
}

fn require(holds: bool, otherwise: Invalid) -> Result<(), Refusal> {
    match holds {
        true => Ok(()),
        false => Err(otherwise.into()),
    }
}
