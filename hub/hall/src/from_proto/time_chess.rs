//! Decodes the players' actions and the rule for the press.

use ::time_chess::Attempt;
use proto::event;

use super::{BadInput, bad, side};
use crate::same_variants::SameVariants;
use crate::{CommandKind, PlayerAct, PressRule};

/// Decodes a player's action.
///
/// # Errors
/// Returns an error if the kind of action is unknown, or if its move is not given in coordinates.
pub fn player_act(kind: event::PlayerActKind, text: &str) -> Result<PlayerAct, BadInput> {
    use event::PlayerActKind as Kind;
    Ok(match kind {
        Kind::Move => {
            let attempt: Result<Attempt, _> = text.parse();
            PlayerAct::Move(attempt.map_err(|error| bad(error.to_string()))?)
        }
        Kind::Press => PlayerAct::Press,
        Kind::OfferDraw => PlayerAct::OfferDraw,
        Kind::AcceptDraw => PlayerAct::AcceptDraw,
        Kind::DeclineDraw => PlayerAct::DeclineDraw,
        Kind::ClaimDraw => PlayerAct::ClaimDraw,
        Kind::Resign => PlayerAct::Resign,
        Kind::Unspecified => return Err(bad("a player's action of an unknown kind")),
    })
}

pub(super) fn player(act: &event::PlayerAct) -> Result<CommandKind, BadInput> {
    let side = side(act.side()).ok_or_else(|| bad("a player's action without a side"))?;
    Ok(CommandKind::Player(
        side,
        player_act(act.kind(), &act.r#move)?,
    ))
}

/// Decodes a rule for the press.
///
/// # Errors
/// Returns an error if there is no such rule.
pub fn press_rule(rule: i32) -> Result<PressRule, BadInput> {
    let rule = event::PressRule::try_from(rule).ok();
    rule.and_then(PressRule::decoded)
        .ok_or_else(|| bad("a rule for the press of an unknown kind"))
}
