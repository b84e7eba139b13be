//! Converts presses and stops to and from their wire form.

use proto::wire::{self, Press, Stop, event_body};
use timing::{Button, Fact};

pub(super) fn to_wire(fact: Fact) -> event_body::Fact {
    match fact {
        Fact::Pressed(button) => {
            let button = match button {
                Button::Left => wire::Button::Left,
                Button::Right => wire::Button::Right,
            };
            event_body::Fact::Press(Press {
                button: button.into(),
            })
        }
        Fact::Stopped => event_body::Fact::Stop(Stop {}),
    }
}

/// Returns the press or stop in an event; `None` for other events, and for a button that this version does not know.
pub(super) fn of_wire(fact: &event_body::Fact) -> Option<Fact> {
    match fact {
        event_body::Fact::Press(press) => match press.button() {
            wire::Button::Left => Some(Fact::Pressed(Button::Left)),
            wire::Button::Right => Some(Fact::Pressed(Button::Right)),
            wire::Button::Unspecified => None,
        },
        event_body::Fact::Stop(_) => Some(Fact::Stopped),
        event_body::Fact::OrderTaken(_)
        | event_body::Fact::Rebase(_)
        | event_body::Fact::ZeroTested(_)
        | event_body::Fact::Correction(_) => None,
    }
}
