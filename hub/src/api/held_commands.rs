//! Commands that wait for a second arbiter: lists, confirms and declines them. Decides whether a second arbiter could confirm a command, and whether
//! its sender still has access. The hall decides which commands exceed the limits, and keeps the held ones.

use proto::grpc::{
    self as wire, DecideHeldReply, DecideHeldRequest, Device as WireDevice, HeldCommands,
    HeldDecision, HeldEffect,
};
use proto::ids::CommandId;
use tonic::{Code, Result, Status};

use super::devices::Revocable;
use super::roles::in_sector;
use super::status::{malformed, refusal, refused, with_number};
use super::{ServiceContext, computed, devices, requests};
use crate::identity::{Arbiter, IdentityError, Role, random};
use hall::{
    Actor, Answer, DecideHeld, Denied, HeldCommand, HeldRefusal, HoldRevocation, Limited, Request,
    TournamentAnswer, TournamentRequest, is_same_person,
};

/// Sends a command to the hall. If a second arbiter could confirm it, the hall holds a command above a limit.
pub(super) async fn command(parts: &ServiceContext, request: Request) -> Result<Answer, Denied> {
    let board = super::messages::text(request.board.as_ref());
    match has_second(&parts.sessions.arbiters(), &request.actor.name, &board) {
        true => parts.hub.ask(Limited(request)).await,
        false => parts.hub.ask(request).await,
    }
}

/// Sends changes to the event to the hall. If a second arbiter could confirm them, the hall holds changes above a limit.
pub(super) async fn change(
    parts: &ServiceContext,
    request: TournamentRequest,
) -> Result<TournamentAnswer, Denied> {
    match has_second(&parts.sessions.arbiters(), &request.actor.name, "") {
        true => parts.hub.ask(Limited(request)).await,
        false => parts.hub.ask(request).await,
    }
}

/// Returns true if there are at least two arbiters and one of them, other than `sender`, may decide on a command for `board`. An empty `board`
/// means the hall.
fn has_second(arbiters: &[Arbiter], sender: &str, board: &str) -> bool {
    let several = arbiters.first().is_some_and(|first| {
        let mut others = arbiters.iter();
        others.any(|other| !is_same_person(&other.name, &first.name))
    });
    let mut others = arbiters.iter();
    several
        && others
            .any(|arbiter| !is_same_person(&arbiter.name, sender) && arbiter.sector.covers(board))
}

/// Revokes a device or key file and declines its holder's held commands. If the revocation needs a second arbiter, the hall holds it instead, and
/// this call returns FAILED_PRECONDITION with SECOND_NEEDED.
pub(super) async fn revoke(
    parts: &ServiceContext,
    found: Revocable,
    actor: Actor,
    reason: String,
) -> Result<WireDevice> {
    if !needs_second(parts, &found, &actor) {
        let by = actor.name.clone();
        return revoke_now(parts, found, by, &actor, reason).await;
    }
    let id = random().map_err(|error: IdentityError| Status::unavailable(error.to_string()))?;
    let request = HoldRevocation {
        id: CommandId(id),
        actor,
        reason,
        device: found.id,
        name: found.holder.name,
    };
    let waits = parts.hub.ask(request).await.map_err(refusal)?;
    Err(refused(&waits))
}

/// Returns true if the revocation needs a second arbiter. The hub's settings must demand one, and the device must belong to a different chief arbiter
/// and not be revoked yet. `has_second` must also hold for the arbiters other than the device's holder.
fn needs_second(parts: &ServiceContext, found: &Revocable, actor: &Actor) -> bool {
    let holder = &found.holder;
    let own = is_same_person(&holder.name, &actor.name);
    if !parts.second_devices || holder.role != Role::Chief || found.is_revoked || own {
        return false;
    }
    let mut others = parts.sessions.arbiters();
    others.retain(|arbiter| !is_same_person(&arbiter.name, &holder.name));
    has_second(&others, &actor.name, "")
}

async fn revoke_now(
    parts: &ServiceContext,
    found: Revocable,
    by: String,
    actor: &Actor,
    reason: String,
) -> Result<WireDevice> {
    let holder = found.holder.name.clone();
    let device = devices::revoke(parts, found, by, reason).await?;
    // Decline the holder's held commands: a thief may have sent them from the device.
    let waiting = parts.hub.live().held().into_iter();
    for held in waiting.filter(|held| is_same_person(&held.actor.name, &holder)) {
        let decline = DecideHeld {
            id: held.id,
            actor: actor.clone(),
            confirm: false,
        };
        match parts.hub.ask(decline).await {
            // Skip a command that has since been decided, or that concerns this arbiter's own device.
            Ok(_) | Err(Denied::NotFound(_) | Denied::Forbidden(_)) => (),
            Err(error) => return Err(refusal(error)),
        }
    }
    Ok(device)
}

/// Confirms or declines a held command. Carries out a confirmed revocation, which the hall cannot do.
pub(super) async fn decide(
    parts: &ServiceContext,
    request: &DecideHeldRequest,
    arbiter: &Arbiter,
    actor: Actor,
) -> Result<DecideHeldReply> {
    let id = requests::command_id(&request.id).map_err(malformed)?;
    let confirm = match request.decision() {
        HeldDecision::Confirm => true,
        HeldDecision::Decline => false,
        HeldDecision::Unspecified => {
            return Err(Status::invalid_argument(
                "decision is missing: confirm or decline",
            ));
        }
    };
    let mut waiting = parts.hub.live().held().into_iter();
    let held = waiting.find(|held| held.id == id);
    let held = held.ok_or_else(|| with_number(Code::NotFound, &HeldRefusal::NotHeld(id).into()))?;
    in_sector(arbiter, &board_of(&held))?;
    if confirm {
        still_admitted(parts, &held).await?;
    }
    let decision = DecideHeld {
        id,
        actor: actor.clone(),
        confirm,
    };
    let decided = parts.hub.ask(decision).await.map_err(refusal)?;
    if let Some(revocation) = decided.revocation {
        let found = devices::find(parts, revocation.device).await?;
        let by = format!("{} and {}", revocation.actor.name, actor.name);
        revoke_now(parts, found, by, &actor, revocation.reason).await?;
    }
    let refusal = decided.refusal.map(|why| why.text().to_owned());
    Ok(DecideHeldReply {
        refusal: refusal.unwrap_or_default(),
        pending: decided.pending,
    })
}

/// Checks that the sender of a held command still has a device or key file with the necessary rights. Otherwise returns
/// FAILED_PRECONDITION with SECOND_SENDER_GONE.
async fn still_admitted(parts: &ServiceContext, held: &HeldCommand) -> Result<()> {
    let key_files = parts.key_files.clone();
    let holders = computed(move || key_files.arbiters()).await?;
    let holders = holders.map_err(|error| devices::unavailable(&error))?;
    let mut holders = holders.into_iter().chain(parts.sessions.arbiters());
    let (sender, board) = (&held.actor, board_of(held));
    let admitted = holders.any(|holder| {
        let ranks = holder.role == Role::Chief || sender.role == hall::Role::Floor;
        ranks && is_same_person(&holder.name, &sender.name) && holder.sector.covers(&board)
    });
    if admitted {
        return Ok(());
    }
    let by = sender.name.clone();
    Err(refused(&HeldRefusal::SenderGone { by }.into()))
}

fn board_of(held: &HeldCommand) -> String {
    super::messages::text(held.board.as_ref())
}

pub(super) fn message(held: &[HeldCommand]) -> HeldCommands {
    HeldCommands {
        commands: held.iter().map(one).collect(),
    }
}

fn one(held: &HeldCommand) -> wire::HeldCommand {
    let (effect, number, name) = match &held.effect {
        hall::HeldEffect::Time(_) => (HeldEffect::Time, 0, ""),
        hall::HeldEffect::Pairings(games) => (HeldEffect::Pairings, *games, ""),
        hall::HeldEffect::Event(name) => (HeldEffect::Event, 0, name.as_str()),
        hall::HeldEffect::Device(name) => (HeldEffect::Device, 0, name.as_str()),
    };
    wire::HeldCommand {
        id: held.id.0.to_vec(),
        effect: effect.into(),
        actor: held.actor.name.clone(),
        board: board_of(held),
        text: held.effect.to_string(),
        reason: held.reason.clone(),
        since_us: held.since.as_micros(),
        number,
        name: name.to_owned(),
    }
}
