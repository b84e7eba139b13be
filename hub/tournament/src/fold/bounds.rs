//! What an entry of the event can be, so that it can be computed with and written into every report. Owns the bounds and their words.

use super::super::abnormal_points::AbnormalPoints;
use super::super::change::Refusal;
use super::super::event::{Contest, Event, System};
use super::super::player::Player;
use super::super::points::Points;
use super::super::round::RoundNo;
use super::super::stated::StatedStandings;
use super::super::team::Team;

/// The most rounds an event can have.
pub const MOST_ROUNDS: u16 = 200;
/// The most boards a match of teams can have.
pub const MOST_BOARDS: u16 = 100;
/// The most cycles a round robin can have.
pub const MOST_CYCLES: u8 = 8;
/// The most a single result can be worth: with the bounds above, no sum of products leaves 64 bits.
pub const MOST_POINTS: Points = Points::whole(1_000);
/// The highest number of a player: FIDE's column has four digits.
pub const LAST_PLAYER: u16 = 9_999;
/// The highest number of a team: its column has three.
pub const LAST_TEAM: u16 = 999;
/// The highest rating: its column has four.
pub const MOST_RATING: u16 = 9_999;
/// The most forbidden pairs, the most accelerations and the most abnormal points of an event: more than players of a large open could have.
const MOST_RULES: usize = 2_000;
/// The least and the most abnormal points, in hundredths: their columns have four characters.
const ABNORMAL: std::ops::RangeInclusive<i64> = -9_990..=99_990;
/// The highest FIDE number: its column has eleven.
const LAST_FIDE_ID: u64 = 99_999_999_999;
/// Characters of a title, and of a federation's code.
const MOST_CODE: usize = 3;

/// Whether an event's numbers are ones that can be computed with, and its names ones that can be written.
pub(super) fn of_event(event: &Event) -> Result<(), Refusal> {
    for text in [
        &event.name,
        &event.city,
        &event.federation,
        &event.chief_arbiter,
    ] {
        plain(text)?;
    }
    if event.rounds == 0 || event.rounds > MOST_ROUNDS {
        return fault(format!(
            "an event has 1 to {MOST_ROUNDS} rounds, not {}",
            event.rounds
        ));
    }
    if let Contest::Teams { boards } = event.contest
        && (boards == 0 || boards > MOST_BOARDS)
    {
        return fault(format!(
            "a match has 1 to {MOST_BOARDS} boards, not {boards}"
        ));
    }
    if let System::RoundRobin { cycles } = event.system
        && (cycles == 0 || cycles > MOST_CYCLES)
    {
        return fault(format!(
            "a round robin has 1 to {MOST_CYCLES} cycles, not {cycles}"
        ));
    }
    of_pairing_rules(event)?;
    let scorings = [event.scoring, event.match_scoring];
    let of_byes = event
        .team_bye_points
        .map(|points| (points, i64::from(MOST_BOARDS)));
    let mut all = scorings
        .iter()
        .flat_map(|scoring| scoring.all())
        .map(|points| (points, 1))
        .chain(of_byes);
    match all.find(|(points, times)| points.hundredths().abs() > MOST_POINTS.hundredths() * times) {
        Some((points, _)) => fault(format!(
            "a result is worth at most {MOST_POINTS} points, not {points}"
        )),
        None => Ok(()),
    }
}

/// Whether forbidden pairs, accelerations and abnormal points name rounds and participants that an event can have.
fn of_pairing_rules(event: &Event) -> Result<(), Refusal> {
    let rounds = |(first, last): (RoundNo, RoundNo)| {
        of_round(first, MOST_ROUNDS)?;
        of_round(last, MOST_ROUNDS)?;
        match first <= last {
            true => Ok(()),
            false => fault(format!("rounds {first} to {last} are none")),
        }
    };
    let participant = |no: u16| match (1..=LAST_PLAYER).contains(&no) {
        true => Ok(()),
        false => fault(format!(
            "a participant has a number from 1 to {LAST_PLAYER}, not {no}"
        )),
    };
    for rule in &event.forbidden {
        rounds(rule.rounds)?;
        rule.participants
            .iter()
            .try_for_each(|no| participant(*no))?;
        if rule.participants.len() < 2 {
            return fault("a forbidden pair names two participants at least".to_owned());
        }
    }
    for acceleration in &event.accelerations {
        rounds(acceleration.rounds)?;
        let (first, last) = acceleration.participants;
        participant(first)?;
        participant(last)?;
        if first > last {
            return fault(format!("participants {first} to {last} are none"));
        }
    }
    for given in &event.abnormal_points {
        given
            .round
            .map_or(Ok(()), |round| of_round(round, MOST_ROUNDS))?;
        given
            .participants
            .iter()
            .try_for_each(|no| participant(*no))?;
        of_abnormal_points(given)?;
    }
    let longest = event.forbidden.len().max(event.accelerations.len());
    match longest.max(event.abnormal_points.len()) > MOST_RULES {
        true => fault(format!(
            "an event has at most {MOST_RULES} forbidden pairs, accelerations and abnormal points"
        )),
        false => Ok(()),
    }
}

/// Whether a report can hold the points.
fn of_abnormal_points(given: &AbnormalPoints) -> Result<(), Refusal> {
    let mut points = given.match_points.into_iter().chain(given.points);
    let unfit = |points: &Points| {
        let hundredths = points.hundredths();
        hundredths % 10 != 0 || !ABNORMAL.contains(&hundredths)
    };
    match points.find(unfit) {
        Some(points) => fault(format!(
            "abnormal points are from -99.9 to 999.9 with one decimal, not {points}"
        )),
        None => Ok(()),
    }
}

/// Whether a player can stand in the reports of an event with so many rounds.
pub(super) fn of_player(player: &Player, rounds: u16) -> Result<(), Refusal> {
    if player.no.0 == 0 || player.no.0 > LAST_PLAYER || player.name.trim().is_empty() {
        return fault(format!(
            "a player has a number from 1 to {LAST_PLAYER} and a name"
        ));
    }
    plain(&player.name)?;
    plain(&player.club)?;
    if !player.title.bytes().all(|byte| byte.is_ascii_alphabetic())
        || player.title.len() > MOST_CODE
    {
        return fault(format!(
            "a title is at most three letters, as in WGM, not {:?}",
            player.title
        ));
    }
    code(&player.federation)?;
    if let Some(rating) = player.rating.filter(|rating| *rating > MOST_RATING) {
        return fault(format!("a rating is at most {MOST_RATING}, not {rating}"));
    }
    if let Some(id) = player.fide_id.filter(|id| *id > LAST_FIDE_ID) {
        return fault(format!("a FIDE number has at most 11 digits: {id}"));
    }
    if player.enters.0 == 0 {
        return fault("rounds count from 1".to_owned());
    }
    player
        .byes
        .keys()
        .try_for_each(|round| of_round(*round, rounds))
}

/// Whether a team can stand in the reports.
pub(super) fn of_team(team: &Team) -> Result<(), Refusal> {
    if team.no.0 == 0 || team.no.0 > LAST_TEAM || team.name.trim().is_empty() {
        return fault(format!(
            "a team has a number from 1 to {LAST_TEAM} and a name"
        ));
    }
    plain(&team.name)?;
    plain(&team.short_name)?;
    code(&team.federation)
}

/// Checks that a report can hold places and points that a file states.
pub(super) fn of_stated(stated: &StatedStandings) -> Result<(), Refusal> {
    plain(&stated.file)?;
    let most = MOST_POINTS.hundredths() * i64::from(MOST_ROUNDS);
    for row in stated.rows.values() {
        if let Some(rank) = row.rank.filter(|rank| !(1..=LAST_PLAYER).contains(rank)) {
            return fault(format!("a place is from 1 to {LAST_PLAYER}, not {rank}"));
        }
        let mut points = row.points.into_iter().chain(row.match_points);
        if let Some(points) = points.find(|points| points.hundredths().abs() > most) {
            return fault(format!("no event brings {points} points"));
        }
    }
    Ok(())
}

/// Whether a round is one of so many.
pub(super) fn of_round(round: RoundNo, rounds: u16) -> Result<(), Refusal> {
    if round.0 == 0 || round.0 > rounds {
        return fault(format!("the event has rounds 1 to {rounds}, not {round}"));
    }
    Ok(())
}

/// A federation's code as the reports read it.
fn code(text: &str) -> Result<(), Refusal> {
    let fits = |char: char| char.is_alphanumeric() || matches!(char, '-' | '/' | '.');
    if text.chars().count() > MOST_CODE || !text.chars().all(fits) {
        return fault(format!(
            "a federation is at most three letters, as in NOR, not {text:?}"
        ));
    }
    Ok(())
}

/// A line break or a tab inside a name would end its line, or its column.
fn plain(text: &str) -> Result<(), Refusal> {
    if text.chars().any(char::is_control) {
        return fault(format!(
            "a name has no line breaks, tabs or other control characters: {text:?}"
        ));
    }
    Ok(())
}

fn fault(words: String) -> Result<(), Refusal> {
    Err(Refusal::Invalid(words))
}
