//! Encodes the event's own data, players and teams.

use proto::event as wire;

use super::{bye, date, side};
use crate::same_variants::SameVariants;
use tournament::player::Sex;
use tournament::{
    AbnormalPoints, Acceleration, Contest, Event, Forbidden, Player, Points, ResultKind, Scoring,
    System, Team,
};

pub fn event(event: &Event) -> wire::Event {
    wire::Event {
        name: event.name.clone(),
        city: event.city.clone(),
        federation: event.federation.clone(),
        starts: date(event.starts),
        ends: date(event.ends),
        chief_arbiter: event.chief_arbiter.clone(),
        deputies: event.deputies.clone(),
        time_control: event.time_control.clone(),
        time_control_code: event.time_control_code.clone(),
        type_text: event.type_text.clone(),
        type_code: event.type_code.clone(),
        pairing_program: event.pairing_program.clone(),
        round_robin_cycles: match event.system {
            System::Swiss => 0,
            System::RoundRobin { cycles } => cycles.into(),
        },
        team_boards: match event.contest {
            Contest::Individual => 0,
            Contest::Teams { boards } => boards.into(),
        },
        game: event.game.encoded().into(),
        rounds: event.rounds.into(),
        round_dates: event
            .round_dates
            .iter()
            .map(|(round, day)| wire::RoundDate {
                round: round.0.into(),
                date: day.to_string(),
            })
            .collect(),
        initial_colour: side(event.initial_colour).into(),
        scoring: Some(scoring(&event.scoring)),
        match_scoring: Some(scoring(&event.match_scoring)),
        tie_breaks: event.tie_breaks.iter().map(ToString::to_string).collect(),
        unrated_as: event.unrated_as.map(u32::from),
        team_bye_points: event.team_bye_points.map(Points::hundredths),
        sectors: event
            .sectors
            .iter()
            .map(|(name, sector)| wire::Sector {
                name: name.clone(),
                from_board: sector.from.0.into(),
                to_board: sector.to.0.into(),
                control: sector.control.clone(),
            })
            .collect(),
        rules: event.rules.clone(),
        round_rules: event
            .round_rules
            .iter()
            .map(|(round, rules)| wire::RoundRules {
                round: round.0.into(),
                rules: rules.clone(),
            })
            .collect(),
        kept_lines: event.kept_lines.clone(),
        forbidden: event.forbidden.iter().map(forbidden).collect(),
        accelerations: event.accelerations.iter().map(acceleration).collect(),
        abnormal_points: event.abnormal_points.iter().map(abnormal_points).collect(),
    }
}

fn forbidden(rule: &Forbidden) -> wire::Forbidden {
    wire::Forbidden {
        from_round: rule.rounds.0.0.into(),
        to_round: rule.rounds.1.0.into(),
        participants: rule.participants.iter().map(|no| (*no).into()).collect(),
    }
}

fn acceleration(acceleration: &Acceleration) -> wire::Acceleration {
    wire::Acceleration {
        points: acceleration.points.map(Points::hundredths),
        match_points: acceleration.match_points.map(Points::hundredths),
        from_round: acceleration.rounds.0.0.into(),
        to_round: acceleration.rounds.1.0.into(),
        from_participant: acceleration.participants.0.into(),
        to_participant: acceleration.participants.1.into(),
    }
}

fn abnormal_points(given: &AbnormalPoints) -> wire::AbnormalPoints {
    let replaces = given.replaces.map(ResultKind::encoded);
    wire::AbnormalPoints {
        replaces: replaces.unwrap_or_default().into(),
        match_points: given.match_points.map(Points::hundredths),
        points: given.points.map(Points::hundredths),
        round: given.round.map_or(0, |round| round.0.into()),
        participants: given.participants.iter().map(|no| (*no).into()).collect(),
    }
}

fn scoring(scoring: &Scoring) -> wire::Scoring {
    wire::Scoring {
        win: scoring.win.hundredths(),
        draw: scoring.draw.hundredths(),
        loss: scoring.loss.hundredths(),
        forfeit_loss: scoring.forfeit_loss.hundredths(),
        pairing_bye: scoring.pairing_bye.hundredths(),
        full_bye: scoring.full_bye.hundredths(),
        half_bye: scoring.half_bye.hundredths(),
        zero_bye: scoring.zero_bye.hundredths(),
    }
}

pub fn player(player: &Player) -> wire::Player {
    wire::Player {
        no: player.no.0.into(),
        name: player.name.clone(),
        sex: player.sex.map(Sex::encoded).unwrap_or_default().into(),
        title: player.title.clone(),
        rating: player.rating.map(u32::from),
        federation: player.federation.clone(),
        fide_id: player.fide_id,
        birth: player.birth.clone(),
        enters: player.enters.0.into(),
        leaves: player.leaves.map(|round| round.0.into()),
        byes: player
            .byes
            .iter()
            .map(|(round, bye)| wire::RoundBye {
                round: round.0.into(),
                bye: self::bye(Some(*bye)).into(),
            })
            .collect(),
        kept_lines: player.kept_lines.clone(),
        club: player.club.clone(),
    }
}

pub fn team(team: &Team) -> wire::Team {
    wire::Team {
        no: team.no.0.into(),
        name: team.name.clone(),
        short_name: team.short_name.clone(),
        federation: team.federation.clone(),
        players: team.players.iter().map(|player| player.0.into()).collect(),
    }
}
