//! Codes for arbiters' and players' devices, and the list and revocation of devices, gateways and key files. `sessions`, `gateways` and
//! `identity` own them; this module converts them for the wire.

use proto::enrolment::fingerprint_text;
use proto::grpc::{ArbiterCode, CreateArbiterCodeRequest, Device as WireDevice, ListDevicesReply};
use sha2::{Digest, Sha256};
use tonic::{Code, Result, Status};

use super::ServiceContext;
use super::status::{code_refused, malformed, session_refused, with_number};
use super::work::{at_once, computed};
use crate::gateways::GatewayError;
use crate::identity::{
    Arbiter, Device, Gateway, KeyFile, KeyFileError, KeyFileId, PlayerSeat, Revoked, Role,
    VALID_FOR,
};
use crate::sessions::{SessionError, Sessions, checked_reason};
use hall::from_proto;

pub(super) const GATEWAY: &str = "g-";

pub(super) fn code(
    parts: &ServiceContext,
    request: CreateArbiterCodeRequest,
    by: &str,
) -> Result<ArbiterCode> {
    let role = request.role.parse().map_err(Status::invalid_argument)?;
    let arbiter = match role {
        Role::Player => player(&request)?,
        Role::Viewer | Role::Floor | Role::Chief | Role::Broadcaster | Role::Auditor => {
            let sector = request.boards.parse().map_err(Status::invalid_argument)?;
            let arbiter = Arbiter::new(role, &request.name).in_sector(sector);
            arbiter.map_err(Status::invalid_argument)?
        }
    };
    let who = arbiter.to_string();
    let code = parts.sessions.code(arbiter, by);
    let code = code.map_err(|error| status(&error))?;
    tracing::info!(
        actor = by,
        arbiter = who,
        "a code for an arbiter's device was issued"
    );
    let status = parts.trust.status();
    let root = fingerprint_text(&Sha256::digest(&status.root));
    let installs = !status.is_already_trusted(&code.0.host);
    Ok(ArbiterCode {
        browser_authority: if installs { root } else { String::new() },
        uri: code.0.to_string(),
        browser_address: code.browser_address(),
        valid_for_us: VALID_FOR.as_micros(),
    })
}

fn player(request: &CreateArbiterCodeRequest) -> Result<Arbiter> {
    let board: Result<hall::BoardId, _> = request.boards.parse();
    let board = board.map_err(|error| malformed(error.into()))?;
    let side = from_proto::side(request.side());
    let side = side.ok_or_else(|| {
        Status::invalid_argument("a code for a player must name the side: white or black")
    })?;
    let seat = PlayerSeat {
        board: board.to_string(),
        side,
    };
    Ok(Arbiter::player(&request.name, seat))
}

fn boards_of(arbiter: &Arbiter) -> String {
    match &arbiter.seat {
        Some(seat) => seat.board.clone(),
        None => arbiter.sector.to_string(),
    }
}

pub(super) async fn list(parts: &ServiceContext) -> Result<ListDevicesReply> {
    let (sessions, key_files) = (parts.sessions.clone(), parts.key_files.clone());
    let gateways = parts.desk.gateways().clone();
    computed(move || {
        let devices = sessions.devices().into_iter();
        let devices = devices.map(|device| wire(&sessions, device));
        let gateways = gateways.list().into_iter();
        let gateways = gateways.map(|(gateway, connected)| wire_gateway(gateway, connected));
        let key_files = key_files.list().map_err(|error| unavailable(&error))?;
        let key_files = key_files.into_iter();
        let key_files = key_files.map(|(key_file, used)| wire_key_file(key_file, used));
        Ok(ListDevicesReply {
            devices: devices.chain(key_files).chain(gateways).collect(),
        })
    })
    .await?
}

pub(super) struct Revocable {
    /// The full id of the device or key file.
    pub(super) id: String,
    pub(super) holder: Arbiter,
    pub(super) is_revoked: bool,
}

/// Returns the device or key file whose id has this prefix.
pub(super) async fn find(parts: &ServiceContext, beginning: String) -> Result<Revocable> {
    if !beginning.starts_with(KeyFileId::PREFIX) {
        let sessions = parts.sessions.clone();
        let device = at_once(move || only_device(&sessions, &beginning)).await??;
        return Ok(Revocable {
            id: device.id().to_string(),
            is_revoked: device.revoked.is_some(),
            holder: device.arbiter,
        });
    }
    let key_files = parts.key_files.clone();
    let found = at_once(move || key_files.find(&beginning)).await?;
    let key_file = found.map_err(|error| key_file_status(&error))?;
    Ok(Revocable {
        id: key_file.id.to_string(),
        is_revoked: key_file.revoked.is_some(),
        holder: key_file.arbiter,
    })
}

/// Revokes a device or key file, with a reason that [`reason_of`] has accepted.
pub(super) async fn revoke(
    parts: &ServiceContext,
    found: Revocable,
    by: String,
    reason: String,
) -> Result<WireDevice> {
    let id = found.id;
    if id.starts_with(KeyFileId::PREFIX) {
        let key_files = parts.key_files.clone();
        let revoked = at_once(move || key_files.revoke(&id, &by, &reason)).await?;
        let key_file = revoked.map_err(|error| key_file_status(&error))?;
        return Ok(wire_key_file(key_file, false));
    }
    let sessions = parts.sessions.clone();
    at_once(move || {
        let revoked = sessions.revoke(&id, &by, &reason);
        Ok(wire(&sessions, revoked.map_err(|error| status(&error))?))
    })
    .await?
}

/// Checks the reason for a revocation, and returns it in the form to store.
pub(super) fn reason_of(text: &str) -> Result<String> {
    checked_reason(text).map_err(|error| status(&error))
}

fn key_file_status(error: &KeyFileError) -> Status {
    match error {
        KeyFileError::NotFound(_) => Status::not_found(error.to_string()),
        KeyFileError::Ambiguous(_) => Status::invalid_argument(error.to_string()),
        KeyFileError::Unreadable(_) | KeyFileError::NotStored(_) => unavailable(error),
    }
}

fn wire_key_file(key_file: KeyFile, used: bool) -> WireDevice {
    WireDevice {
        device: key_file.id.to_string(),
        name: key_file.arbiter.name,
        role: key_file.arbiter.role.as_str().to_owned(),
        boards: key_file.arbiter.sector.to_string(),
        label: "key file".to_owned(),
        enrolled_us: key_file.issued_us,
        enrolled_by: key_file.issued_by,
        expires_us: key_file.expires_us,
        signed_in: used,
        ..revocation(key_file.revoked)
    }
}

/// Returns UNAVAILABLE for a disk failure on the hub, and logs the error.
pub(super) fn unavailable(error: &impl std::fmt::Display) -> Status {
    tracing::error!("{error}");
    Status::unavailable(error.to_string())
}

pub(super) async fn revoke_gateway(
    parts: &ServiceContext,
    gateway: String,
    by: String,
    reason: String,
) -> Result<WireDevice> {
    let gateways = parts.desk.gateways().clone();
    let revoked = at_once(move || gateways.revoke(&gateway, &by, &reason)).await?;
    let gateway = revoked.map_err(|error| match error {
        GatewayError::NotFound(why) => Status::not_found(why),
        GatewayError::Reason(_) => Status::invalid_argument(error.to_string()),
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

fn only_device(sessions: &Sessions, beginning: &str) -> Result<Device> {
    let devices = sessions.devices().into_iter();
    let mut found = devices
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
        boards: boards_of(&device.arbiter),
        side: hall::to_proto::side(device.arbiter.seat.map(|seat| seat.side)).into(),
        name: device.arbiter.name,
        role: device.arbiter.role.as_str().to_owned(),
        label: device.label,
        enrolled_us: device.enrolled_us,
        enrolled_by: device.enrolled_by,
        ..revocation(device.revoked)
    }
}

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
        SessionError::KeyInUse => Status::already_exists(text),
        SessionError::NoSuchDevice(_) => Status::not_found(text),
        SessionError::Unavailable(_) => with_number(Code::Unavailable, &session_refused(error)),
    }
}
