//! `flagfall ctl devices` and `revoke`: devices of arbiters and players, key files, and gateways.

use proto::grpc::{Device, ListDevicesRequest, RevokeDeviceRequest};
use serde_json::json;

use crate::api::messages::text;
use crate::cli::client::{Client, answer};
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Result, Table, changed, print, say};
use crate::identity::KeyFileId;

/// Prefix of a device's id. A clock's key is hexadecimal and contains no hyphen.
const DEVICE: &str = "d-";
const GATEWAY: &str = "g-";

pub(super) fn is_id(id: &str) -> bool {
    [DEVICE, GATEWAY, KeyFileId::PREFIX]
        .iter()
        .any(|prefix| id.starts_with(prefix))
}

pub(super) async fn list(client: &mut Client, time: &HallTime, as_json: bool) -> Result<()> {
    let devices = answer(client.list_devices(ListDevicesRequest {}).await)?.devices;
    if devices.is_empty() && !as_json {
        return print(
            "no arbiter's device and no gateway is enrolled yet: `flagfall enrol --arbiter NAME --role floor` and `flagfall enrol --gateway NAME` \
             make a code for one",
        );
    }
    Table::of(&devices)
        .left("DEVICE", |device| device.device.clone())
        .left("NAME", |device| device.name.clone())
        .left("ROLE", |device| device.role.clone())
        .left("CALLED", |device| device.label.clone())
        .left("ENROLLED", |device| time.in_full(device.enrolled_us))
        .left("BY", |device| device.enrolled_by.clone())
        .left("EXPIRES", |device| {
            text(device.expires_us.map(|at| time.in_full(at)))
        })
        .left("STATE", state)
        .print(as_json, json_of)
}

pub(super) async fn revoke(
    client: &mut Client,
    device: String,
    reason: String,
    as_json: bool,
) -> Result<()> {
    let request = RevokeDeviceRequest { device, reason };
    let device = answer(client.revoke_device(request).await)?;
    changed(print_revoked(&device, as_json))
}

fn print_revoked(device: &Device, as_json: bool) -> Result<()> {
    if as_json {
        return print(json_of(device));
    }
    if device.device.starts_with(GATEWAY) {
        return say!(
            "gateway {} ({}) is revoked and disconnected",
            device.name,
            device.device
        );
    }
    let what = match device.device.starts_with(KeyFileId::PREFIX) {
        true => "key file",
        false => "device",
    };
    say!("{what} {} of {} is revoked", device.device, device.name)
}

fn state(device: &Device) -> String {
    let gateway = device.device.starts_with(GATEWAY);
    let Device {
        revoked_by: by,
        revoked_reason: reason,
        ..
    } = device;
    match (device.revoked_us, device.signed_in) {
        (Some(_), _) if reason.is_empty() => format!("revoked by {by}"),
        (Some(_), _) => format!("revoked by {by}: {reason}"),
        (None, true) if gateway => "connected".to_owned(),
        (None, true) => "signed in".to_owned(),
        (None, false) => "away".to_owned(),
    }
}

fn json_of(device: &Device) -> serde_json::Value {
    json!({
        "device": device.device, "name": device.name, "role": device.role, "label": device.label,
        "enrolled_us": device.enrolled_us, "enrolled_by": device.enrolled_by,
        "revoked_us": device.revoked_us, "revoked_by": device.revoked_by, "revoked_reason": device.revoked_reason,
        "signed_in": device.signed_in, "expires_us": device.expires_us,
    })
}
