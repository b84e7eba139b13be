//! Encodes the players' acts and the rule for the press.

use ::time_chess::Phase;
use proto::{event, wire};
use timing::Side;

use super::side;
use crate::{PlayerAct, PressRule};

pub(crate) fn player_act(of: Side, act: PlayerAct) -> event::PlayerAct {
    use event::PlayerActKind as Kind;
    let kind = match act {
        PlayerAct::Move(_) => Kind::Move,
        PlayerAct::Press => Kind::Press,
        PlayerAct::OfferDraw => Kind::OfferDraw,
        PlayerAct::AcceptDraw => Kind::AcceptDraw,
        PlayerAct::DeclineDraw => Kind::DeclineDraw,
        PlayerAct::ClaimDraw => Kind::ClaimDraw,
        PlayerAct::Resign => Kind::Resign,
    };
    let attempt = if let PlayerAct::Move(attempt) = act {
        attempt.to_string()
    } else {
        String::new()
    };
    event::PlayerAct {
        side: side(of).into(),
        kind: kind.into(),
        r#move: attempt,
    }
}

/// Encodes the phase of the day; `None` for another game.
pub(crate) fn day_phase(phase: Option<Phase>) -> wire::DayPhase {
    match phase {
        None => wire::DayPhase::Unspecified,
        Some(Phase::Dawn) => wire::DayPhase::Dawn,
        Some(Phase::Midday) => wire::DayPhase::Midday,
        Some(Phase::Evening) => wire::DayPhase::Evening,
        Some(Phase::Dusk) => wire::DayPhase::Dusk,
        Some(Phase::Midnight) => wire::DayPhase::Midnight,
        Some(Phase::Morning) => wire::DayPhase::Morning,
    }
}

/// Encodes a rule for the press.
pub fn press_rule(rule: PressRule) -> event::PressRule {
    match rule {
        PressRule::Clock => event::PressRule::Clock,
        PressRule::Page => event::PressRule::Page,
        PressRule::Move => event::PressRule::Move,
    }
}
