//! Decodes the event's own data, players and teams.

use proto::event as wire;

use super::{board_no, bye, date, known, number, optional, player_no, round_no, side};
use crate::from_proto::{BadInput, bad};
use crate::same_variants::SameVariants;
use tournament::player::Sex;
use tournament::{
    AbnormalPoints, Acceleration, Contest, Event, Forbidden, Game, Player, Points, ResultKind,
    RoundNo, Scoring, Sector, System, Team, TeamNo, TieBreak,
};

/// Decodes the event's own data.
///
/// # Errors
/// Returns an error that describes the invalid part.
pub fn event(event: wire::Event) -> Result<Event, BadInput> {
    let system = match event.round_robin_cycles {
        0 => System::Swiss,
        cycles => System::RoundRobin {
            cycles: u8::try_from(cycles).map_err(|_| bad(format!("{cycles} cycles")))?,
        },
    };
    let contest = match event.team_boards {
        0 => Contest::Individual,
        boards => Contest::Teams {
            boards: number(boards, "boards of a match")?,
        },
    };
    let game = Game::decoded(known(event.game, "a game")?);
    let round_dates = event.round_dates.iter().map(|day| {
        let on = date(&day.date)?.ok_or_else(|| bad("a round's day is missing"))?;
        Ok((round_no(day.round)?, on))
    });
    let tie_breaks = event.tie_breaks.iter().map(|text| {
        TieBreak::parse(text).map_err(|error| bad(format!("tie-break {text:?}: {error}")))
    });
    let sectors = event.sectors.into_iter().map(sector);
    let round_rules = event.round_rules.into_iter();
    let round_rules = round_rules.map(|of| Ok((round_no(of.round)?, of.rules)));
    let forbidden = event.forbidden.into_iter().map(forbidden);
    let accelerations = event.accelerations.iter().map(acceleration);
    let abnormal_points = event.abnormal_points.into_iter().map(abnormal_points);
    Ok(Event {
        starts: date(&event.starts)?,
        ends: date(&event.ends)?,
        system,
        contest,
        game: game.ok_or_else(|| bad("an event without a game"))?,
        rounds: number(event.rounds, "rounds")?,
        round_dates: round_dates.collect::<Result<_, BadInput>>()?,
        initial_colour: side(event.initial_colour)?,
        scoring: event
            .scoring
            .map_or(Scoring::STANDARD, |given| scoring(&given)),
        match_scoring: event
            .match_scoring
            .map_or(Scoring::MATCH, |given| scoring(&given)),
        tie_breaks: tie_breaks.collect::<Result<_, _>>()?,
        unrated_as: optional(event.unrated_as, "a rating")?,
        team_bye_points: event.team_bye_points.map(Points::from_hundredths),
        sectors: sectors.collect::<Result<_, BadInput>>()?,
        rules: event.rules,
        round_rules: round_rules.collect::<Result<_, BadInput>>()?,
        name: event.name,
        city: event.city,
        federation: event.federation,
        chief_arbiter: event.chief_arbiter,
        deputies: event.deputies,
        time_control: event.time_control,
        time_control_code: event.time_control_code,
        type_text: event.type_text,
        type_code: event.type_code,
        pairing_program: event.pairing_program,
        kept_lines: event.kept_lines,
        forbidden: forbidden.collect::<Result<_, BadInput>>()?,
        accelerations: accelerations.collect::<Result<_, BadInput>>()?,
        abnormal_points: abnormal_points.collect::<Result<_, BadInput>>()?,
    })
}

fn sector(sector: wire::Sector) -> Result<(String, Sector), BadInput> {
    let boards = Sector {
        from: board_no(sector.from_board)?,
        to: board_no(sector.to_board)?,
        control: sector.control,
    };
    Ok((sector.name, boards))
}

fn forbidden(rule: wire::Forbidden) -> Result<Forbidden, BadInput> {
    let participants = rule.participants.into_iter();
    let participants = participants.map(|no| number(no, "a participant"));
    Ok(Forbidden {
        rounds: (round_no(rule.from_round)?, round_no(rule.to_round)?),
        participants: participants.collect::<Result<_, BadInput>>()?,
    })
}

fn acceleration(given: &wire::Acceleration) -> Result<Acceleration, BadInput> {
    let participant = |no: u32| number(no, "a participant");
    Ok(Acceleration {
        points: given.points.map(Points::from_hundredths),
        match_points: given.match_points.map(Points::from_hundredths),
        rounds: (round_no(given.from_round)?, round_no(given.to_round)?),
        participants: (
            participant(given.from_participant)?,
            participant(given.to_participant)?,
        ),
    })
}

fn abnormal_points(given: wire::AbnormalPoints) -> Result<AbnormalPoints, BadInput> {
    let round = match given.round {
        0 => None,
        round => Some(round_no(round)?),
    };
    let participants = given.participants.into_iter();
    let participants = participants.map(|no| number(no, "a participant"));
    Ok(AbnormalPoints {
        replaces: ResultKind::decoded(known(given.replaces, "a result")?),
        match_points: given.match_points.map(Points::from_hundredths),
        points: given.points.map(Points::from_hundredths),
        round,
        participants: participants.collect::<Result<_, BadInput>>()?,
    })
}

fn scoring(scoring: &wire::Scoring) -> Scoring {
    Scoring {
        win: Points::from_hundredths(scoring.win),
        draw: Points::from_hundredths(scoring.draw),
        loss: Points::from_hundredths(scoring.loss),
        forfeit_loss: Points::from_hundredths(scoring.forfeit_loss),
        pairing_bye: Points::from_hundredths(scoring.pairing_bye),
        full_bye: Points::from_hundredths(scoring.full_bye),
        half_bye: Points::from_hundredths(scoring.half_bye),
        zero_bye: Points::from_hundredths(scoring.zero_bye),
    }
}

/// Decodes a player.
///
/// # Errors
/// Returns an error if a number is invalid, the sex is unknown, or a bye has no known kind.
pub fn player(player: wire::Player) -> Result<Player, BadInput> {
    let byes = player
        .byes
        .iter()
        .map(|granted| Ok((round_no(granted.round)?, bye(granted.bye())?)));
    Ok(Player {
        no: player_no(player.no)?,
        sex: Sex::decoded(known(player.sex, "a sex")?),
        rating: optional(player.rating, "a rating")?,
        fide_id: player.fide_id,
        enters: round_no(player.enters.max(1))?,
        leaves: optional(player.leaves, "a round")?.map(RoundNo),
        byes: byes.collect::<Result<_, BadInput>>()?,
        name: player.name,
        title: player.title,
        federation: player.federation,
        birth: player.birth,
        kept_lines: player.kept_lines,
        club: player.club,
    })
}

/// Decodes a team.
///
/// # Errors
/// Returns an error if a number is invalid.
pub fn team(team: wire::Team) -> Result<Team, BadInput> {
    let players = team.players.into_iter().map(player_no);
    Ok(Team {
        no: TeamNo(number(team.no, "a team")?),
        players: players.collect::<Result<_, _>>()?,
        name: team.name,
        short_name: team.short_name,
        federation: team.federation,
    })
}
