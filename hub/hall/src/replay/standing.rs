//! The state of a game at one instant, or at one move's press.

use serde::Serialize;
use timing::Duration;

use super::moment::{Basis, Clocks, Moment, MomentDetail, Pending};
use super::supposition::MoveName;
use super::timeline::{Timeline, clocks};
use crate::play::view_side;
use crate::view::Side;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Hub instant, in microseconds.
    pub at_us: i64,
    pub clocks: Clocks,
    /// Index of the newest moment up to this instant, in the list of moments.
    pub moment: Option<usize>,
    pub pending: Vec<Pending>,
    /// Each side's newest press up to this instant; their stamps determine the clocks.
    #[serde(rename = "rests_on")]
    pub depends_on: Vec<BasisPress>,
}

/// A press whose stamp determines a clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BasisPress {
    pub side: Side,
    pub number: u32,
    pub basis: Basis,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveStanding {
    /// The state when the button went down.
    pub pressed: Standing,
    /// The state after the press, with any addition for the move.
    pub after: Standing,
}

impl Timeline {
    /// Returns the state at a hub instant; `None` before the game's first step.
    pub fn at(&self, at_us: i64) -> Option<Standing> {
        let found = self.steps.partition_point(|step| step.hub_us <= at_us);
        let step = self.steps.get(found.checked_sub(1)?)?;
        let since = Duration::from_micros(at_us - step.hub_us);
        let mut at = step.at + since;
        if let Some(next) = self.steps.get(found)
            && !next.moved
        {
            // Estimates of hub time are less precise than the clock's own time, so the clock must not run past the next
            // step.
            at = at.min(next.at - Duration::MICROSECOND).max(step.at);
        }
        let drawn = clocks(&step.clock, at, self.names());
        Some(self.standing(at_us, drawn))
    }

    /// Returns the clocks at the newest press that completed this move; `None` if the game has no such move.
    pub fn at_move(&self, name: MoveName) -> Option<MoveStanding> {
        let index = self.moments.iter().rposition(|moment| {
            matches!(moment.what, MomentDetail::Move { side, number, .. }
                if side == view_side(name.side) && number == name.number)
        })?;
        let moment = &self.moments[index];
        let found = self.steps.partition_point(|step| step.moments <= index);
        let (step, before) = (
            self.steps.get(found)?,
            self.steps.get(found.checked_sub(1)?)?,
        );
        let pressed = clocks(&before.clock, step.at.max(before.clock.now()), self.names());
        let mut pressed = self.standing(moment.at_us, pressed);
        pressed.moment = index.checked_sub(1);
        let mut after = self.standing(moment.at_us, moment.clocks.clone());
        after.moment = Some(index);
        Some(MoveStanding { pressed, after })
    }

    pub(crate) fn names(&self) -> (&str, &str) {
        (&self.white, &self.black)
    }

    fn standing(&self, at_us: i64, drawn: Clocks) -> Standing {
        // Moments are in the log's order, but a moment that was logged later may have happened earlier.
        let newest = self
            .moments
            .iter()
            .rposition(|moment| moment.at_us <= at_us);
        let waiting = self.waiting.iter().rfind(|(since, _)| *since <= at_us);
        let until = newest.map_or(0, |newest| newest + 1);
        // A press that was taken back does not determine a clock.
        let standing = [
            (Side::White, drawn.white.moves),
            (Side::Black, drawn.black.moves),
        ];
        let depends_on = standing
            .into_iter()
            .filter_map(|(side, moves)| newest_press(&self.moments[..until], side, moves))
            .collect();
        Standing {
            at_us,
            clocks: drawn,
            moment: newest,
            pending: waiting
                .map(|(_, waiting)| waiting.clone())
                .unwrap_or_default(),
            depends_on,
        }
    }
}

fn newest_press(moments: &[Moment], of: Side, moves: u32) -> Option<BasisPress> {
    moments.iter().rev().find_map(|moment| {
        if let MomentDetail::Move {
            side,
            number,
            basis: Some(basis),
            ..
        } = &moment.what
            && *side == of
            && *number <= moves
        {
            return Some(BasisPress {
                side: *side,
                number: *number,
                basis: basis.clone(),
            });
        }
        None
    })
}
