//! The parts of the hub's program around its hall that the small simulations need. They start the hall, pass on an arbiter's requests, decode frames
//! from clocks, and select the effects to carry out. Stateless; the hall decides.

use hall::view::EventView;
use hall::{
    Action, Actor, BoardId, HubEffect, Immediate, Input, LinkId, Notice, ReplyId, Request,
    RequestDigest, Role, StartUp,
};
use proto::ids::{AgentId, CommandId};
use proto::wire::{AgentFrame, HubFrame, agent_frame};
use timing::{Hub, Instant};

/// Hub time at the start of a simulation, in microseconds.
pub(super) const START_US: i64 = 1_000_000_000_000;

/// Returns the input that starts the hub on the log `origin`, with the same timeline as before.
pub(super) fn start_up(origin: &str, wall_us: i64, nonce_seed: u64) -> Input {
    Input::StartUp(Box::new(StartUp {
        origin: origin.to_owned(),
        event: EventView::default(),
        boot: vec![1; 16],
        wall_us,
        timeline: "same boot".to_owned(),
        bound_us: 0,
        authority_der: Vec::new(),
        voucher_der: Vec::new(),
        nonce_seed,
        scheduled: None,
    }))
}

pub(super) fn command_id(number: u64) -> CommandId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&number.to_be_bytes());
    CommandId(id)
}

/// Returns the chief arbiter's request number `number`, about a board last seen at sequence number `seen_seq`.
pub(super) fn asked(
    number: u64,
    board: Option<BoardId>,
    seen_seq: u64,
    action: Action,
    reply: ReplyId,
) -> Input {
    let request = Request {
        digest: RequestDigest::OWN,
        id: command_id(number),
        actor: Actor {
            name: "chief".to_owned(),
            role: Role::Chief,
        },
        board,
        seen_seq,
        reason: String::new(),
        offence: None,
        action,
    };
    Input::asked(request, reply)
}

/// Decodes an agent's frame, received on a link opened at `opened`.
///
/// # Errors
/// Returns an error that names the part of the frame that the hub cannot decode.
pub(super) fn received(
    agent: AgentId,
    link: LinkId,
    opened: Instant<Hub>,
    received: Instant<Hub>,
    frame: AgentFrame,
) -> Result<Input, String> {
    if let Some(agent_frame::Frame::Hello(hello)) = frame.frame {
        let hello = hall::from_proto::hello(hello).map_err(|error| format!("a hello: {error}"))?;
        return Ok(Input::AgentConnected {
            agent,
            link,
            opened,
            hello: Box::new(hello),
        });
    }
    let frame =
        hall::from_proto::agent_frame(frame).map_err(|error| format!("a frame: {error}"))?;
    Ok(Input::AgentFrame {
        link,
        received,
        frame,
    })
}

pub(super) enum Outward {
    Frame(LinkId, HubFrame),
    Close(LinkId, String),
    Notice(Notice),
}

pub(super) fn outward(effect: HubEffect) -> Option<Outward> {
    match effect {
        HubEffect::ToAgent { link, frame } => Some(Outward::Frame(link, frame)),
        HubEffect::CloseLink { link, text, .. } => Some(Outward::Close(link, text)),
        HubEffect::Notice(notice) => Some(Outward::Notice(notice)),
        HubEffect::Reply { .. }
        | HubEffect::Floor(_)
        | HubEffect::Held(_)
        | HubEffect::Tournament { .. }
        | HubEffect::NoTournament { .. }
        | HubEffect::Publish { .. }
        | HubEffect::PublishEvent { .. }
        | HubEffect::BoardRemoved { .. }
        | HubEffect::Count(_) => None,
    }
}

/// Returns the time probes from the effects that need not wait for the log.
pub(super) fn probes(effects: Vec<Immediate>) -> impl Iterator<Item = (LinkId, HubFrame)> {
    effects.into_iter().filter_map(|effect| match effect {
        Immediate::Probe { link, probe } => Some((link, probe.into())),
        Immediate::ClockHealth(_) => None,
    })
}
