//! Codes for arbiters' devices, and the list of those devices, for the chief arbiter. `sessions` is the desk; this is its wire form.

use std::sync::Arc;

use proto::enrolment::fingerprint_text;
use proto::grpc::{ArbiterCode, CreateArbiterCodeRequest, Device as WireDevice, ListDevicesReply};
use sha2::{Digest, Sha256};
use tonic::{Code, Status};

use super::computed;
use super::status::{code_refused, session_refused, with_number};
use crate::gateways::{GatewayDesk, GatewayError};
use crate::identity::{Arbiter, BrowserTrust, Device, Gateway, Revoked, VALID_FOR};
use crate::sessions::{SessionError, Sessions};

pub(super) const GATEWAY: &str = "g-";

pub(super) fn code(
    sessions: &Sessions,
    trust: &BrowserTrust,
    request: CreateArbiterCodeRequest,
    by: &str,
) -> Result<ArbiterCode, Status> {
    let role = request.role.parse().map_err(Status::invalid_argument)?;
    let sector = request.boards.parse().map_err(Status::invalid_argument)?;
    let arbiter = Arbiter::new(role, &request.name).in_sector(sector);
    let arbiter = arbiter.map_err(Status::invalid_argument)?;
    let who = arbiter.to_string();
    let code = sessions.code(arbiter, by).map_err(|error| status(&error))?;
    tracing::info!(
        actor = by,
        arbiter = who,
        "a code for an arbiter's device was given out"
    );
    let status = trust.status();
    let root = fingerprint_text(&Sha256::digest(&status.root));
    let installs = !status.needs_nothing(&code.0.host);
    Ok(ArbiterCode {
        browser_authority: if installs { root } else { String::new() },
        uri: code.0.to_string(),
        browser_address: code.browser_address(),
        valid_for_us: VALID_FOR.as_micros(),
    })
}

pub(super) fn list(sessions: &Sessions, gateways: &GatewayDesk) -> ListDevicesReply {
    let devices = sessions.devices().into_iter();
    let devices = devices.map(|device| wire(sessions, device));
    let gateways = gateways.list().into_iter();
    let gateways = gateways.map(|(gateway, connected)| wire_gateway(gateway, connected));
    ListDevicesReply {
        devices: devices.chain(gateways).collect(),
    }
}

/// Revokes the gateway whose id has this prefix.
pub(super) async fn revoke_gateway(
    gateways: Arc<GatewayDesk>,
    gateway: String,
    by: String,
    reason: String,
) -> Result<WireDevice, Status> {
    let revoked = computed(move || gateways.revoke(&gateway, &by, &reason)).await?;
    let gateway = revoked.map_err(|error| match error {
        GatewayError::NotFound(why) => Status::not_found(why),
        GatewayError::Name(_)
        | GatewayError::Token(_)
        | GatewayError::Revoked { .. }
        | GatewayError::Unknown
        | GatewayError::Full
        | GatewayError::Identity(_) => Status::unavailable(error.to_string()),
    })?;
    Ok(wire_gateway(gateway, false))
}

fn wire_gateway(gateway: Gateway, connected: bool) -> WireDevice {
    WireDevice {
        device: gateway.id.to_string(),
        name: gateway.name,
        role: "gateway".to_owned(),
        enrolled_us: gateway.enrolled_us,
        enrolled_by: gateway.enrolled_by,
        signed_in: connected,
        ..revocation(gateway.revoked)
    }
}

pub(super) async fn revoke(
    sessions: Arc<Sessions>,
    device: String,
    by: String,
    reason: String,
) -> Result<WireDevice, Status> {
    let id = only_device(&sessions, &device)?.id().to_string();
    let desk = sessions.clone();
    let revoked = computed(move || desk.revoke(&id, &by, &reason)).await?;
    Ok(wire(&sessions, revoked.map_err(|error| status(&error))?))
}

/// Returns the device whose id has this prefix.
pub(super) fn only_device(sessions: &Sessions, beginning: &str) -> Result<Device, Status> {
    let mut found = sessions.devices().into_iter();
    let mut found = found
        .by_ref()
        .filter(|device| !beginning.is_empty() && device.id().as_str().starts_with(beginning));
    match (found.next(), found.next()) {
        (Some(device), None) => Ok(device),
        (Some(_), Some(_)) => Err(Status::invalid_argument(format!(
            "more than one device's id begins with {beginning:?}"
        ))),
        (None, _) => Err(status(&SessionError::NoSuchDevice(beginning.to_owned()))),
    }
}

fn wire(sessions: &Sessions, device: Device) -> WireDevice {
    let id = device.id();
    WireDevice {
        signed_in: sessions.is_signed_in(&id),
        device: id.to_string(),
        name: device.arbiter.name,
        role: device.arbiter.role.as_str().to_owned(),
        boards: device.arbiter.sector.to_string(),
        label: device.label,
        enrolled_us: device.enrolled_us,
        enrolled_by: device.enrolled_by,
        ..revocation(device.revoked)
    }
}

/// Returns the fields about a revocation; the others are empty.
fn revocation(revoked: Option<Revoked>) -> WireDevice {
    revoked.map_or_else(WireDevice::default, |revoked| WireDevice {
        revoked_us: Some(revoked.at_us),
        revoked_by: revoked.by,
        revoked_reason: revoked.reason,
        ..WireDevice::default()
    })
}

fn status(error: &SessionError) -> Status {
    let text = error.to_string();
    match error {
        SessionError::Malformed(_)
        | SessionError::Name(_)
        | SessionError::Key(_)
        | SessionError::OtherHub => with_number(Code::InvalidArgument, &session_refused(error)),
        SessionError::Token(error) => code_refused(*error),
        SessionError::NotEnrolled | SessionError::ShutOut(_) | SessionError::NoProof => {
            Status::unauthenticated(text)
        }
        SessionError::NoSuchDevice(_) => Status::not_found(text),
        SessionError::Unavailable(_) => with_number(Code::Unavailable, &session_refused(error)),
    }
}
