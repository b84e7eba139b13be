//! Enrolment of many clocks: printed sheets, and one code for all clocks that an arbiter admits. `EnrolmentDesk` decides; this module
//! converts its answers for the wire.

use proto::grpc::{
    self as wire, EnrollingClock, EnrolmentState, EnrolmentWindow, SheetCode as WireCode,
    SheetState,
};
use proto::ids::{AgentId, unhex};
use proto::refusal::RefusalCode;
use timing::Duration;
use tonic::{Code, Result, Status};

use super::messages::table::renamed;
use super::service::refusal;
use super::status::{code_refused, with_number};
use crate::enrolment::{
    Arrival, ClockView, EnrolmentDesk, EnrolmentError, SheetCode, SheetRefusal, SheetView,
    WindowRefusal, WindowView,
};
use crate::gateways::GatewayError;
use hall::{Refusal, to_proto};

pub(super) fn state(desk: &EnrolmentDesk) -> EnrolmentState {
    EnrolmentState {
        window: desk.window().map(window),
        sheets: desk.sheets_left().into_iter().map(sheet_state).collect(),
    }
}

fn window((view, uri): (WindowView, String)) -> EnrolmentWindow {
    EnrolmentWindow {
        window: view.id,
        // Never send an expired code.
        uri: if view.remaining > Duration::ZERO {
            uri
        } else {
            String::new()
        },
        left_us: view.remaining.as_micros(),
        actor: view.actor,
        clocks: u32::try_from(view.expected).unwrap_or(u32::MAX),
        came: view.clocks.into_iter().map(clock).collect(),
    }
}

fn clock(view: ClockView) -> EnrollingClock {
    let admission = view.arrival;
    let admission =
        renamed!(admission, Arrival => wire::ClockAdmission { Waiting, Admitted, Refused });
    EnrollingClock {
        key: view.agent.to_string(),
        name: view.name,
        firmware: view.firmware,
        number: view.number,
        address: view.address.to_string(),
        admission: admission.into(),
        board: view.board,
        problem: view.problem,
    }
}

pub(super) fn sheet_code(card: &SheetCode) -> WireCode {
    WireCode {
        board: card.board.clone(),
        side: to_proto::side(card.side).into(),
        uri: card.code.to_string(),
    }
}

fn sheet_state(view: SheetView) -> SheetState {
    SheetState {
        sheet: view.id,
        actor: view.actor,
        left_us: view.remaining.as_micros(),
        codes: u32::try_from(view.codes).unwrap_or(u32::MAX),
        unused: view.unused,
    }
}

/// Parses a clock's full key. A prefix is refused, so that an arbiter admits exactly the clock listed.
pub(super) fn agent(key: &str) -> Result<AgentId> {
    let bytes = unhex(key).ok().and_then(|bytes| bytes.try_into().ok());
    let bytes = bytes.ok_or_else(|| {
        Status::invalid_argument(format!(
            "key {key:?}: a clock's key is 64 hexadecimal digits"
        ))
    })?;
    Ok(AgentId(bytes))
}

pub(super) fn no_code(error: EnrolmentError) -> Status {
    let text = error.to_string();
    match error {
        EnrolmentError::Denied(denied) => refusal(denied),
        EnrolmentError::Token(error) => code_refused(error),
        EnrolmentError::Window(error) => window_refused(&error, text),
        EnrolmentError::Sheet(SheetRefusal::Limits) => Status::invalid_argument(text),
        EnrolmentError::Sheet(SheetRefusal::EveryBoardHasOne | SheetRefusal::NoCodeLeft) => {
            numbered(Refusal::with_code(RefusalCode::NoCodeLeft, text))
        }
        EnrolmentError::Gateway(GatewayError::Name(_)) => Status::invalid_argument(text),
        EnrolmentError::Version { .. }
        | EnrolmentError::AuthorityChanges { .. }
        | EnrolmentError::Gateway(_)
        | EnrolmentError::Malformed(_)
        | EnrolmentError::Unavailable(_) => Status::unavailable(text),
    }
}

fn window_refused(error: &WindowRefusal, text: String) -> Status {
    let with = |code| Refusal::with_code(code, text.clone());
    numbered(match error {
        WindowRefusal::AlreadyOpen(actor) => {
            with(RefusalCode::EnrolmentOpen).with_details(|about| about.name.clone_from(actor))
        }
        WindowRefusal::Ended => with(RefusalCode::EnrolmentClosed),
        WindowRefusal::MoreThanAsked { wanted, .. } => with(RefusalCode::MoreClocksThanAsked)
            .with_details(|about| about.number = u32::try_from(*wanted).unwrap_or(u32::MAX)),
        WindowRefusal::NotWaiting(agent) => {
            with(RefusalCode::ClockNotWaiting).with_details(|about| about.clock = agent.short())
        }
        WindowRefusal::Limits
        | WindowRefusal::CannotWait
        | WindowRefusal::Refused
        | WindowRefusal::ListFull => return Status::invalid_argument(text),
    })
}

fn numbered(why: Refusal) -> Status {
    with_number(Code::FailedPrecondition, &why)
}
