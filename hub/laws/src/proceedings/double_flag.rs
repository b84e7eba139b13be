//! The draw that the double flag gives to the player with main time left. The clock engine decides whether the draw is
//! due; a claim only asks for it.

use timing::{Command, Side};

use super::{Actor, Proceedings, Steps, name, step};
use crate::rule_set::ClaimRule;

impl Proceedings {
    pub(super) fn double_flag_draw(rule: &ClaimRule, by: Side) -> Steps {
        let text = format!(
            "{} claims the draw: the opponent's main time is used up",
            name(by)
        );
        let draw = Command::ClaimDraw(by);
        vec![step(Actor::Player(by), &rule.article, text, [draw])]
    }
}
