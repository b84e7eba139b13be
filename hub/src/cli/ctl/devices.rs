//! Arbiters' devices and gateways: lists and revokes them.

use proto::grpc::{Device, ListDevicesRequest, RevokeDeviceRequest};
use serde_json::json;

use crate::cli::client::Client;
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Failure, Table, print};

/// Prefix of a device's id. A clock's key is hexadecimal and contains no hyphen.
const DEVICE: &str = "d-";
/// Prefix of a gateway's id.
const GATEWAY: &str = "g-";

pub(super) fn is_one(id: &str) -> bool {
    id.starts_with(DEVICE) || id.starts_with(GATEWAY)
}

pub(super) async fn list(
    client: &mut Client,
    time: &HallTime,
    as_json: bool,
) -> Result<(), Failure> {
    let devices = client
        .list_devices(ListDevicesRequest {})
        .await?
        .into_inner()
        .devices;
    if as_json {
        return devices.iter().try_for_each(|device| print(json_of(device)));
    }
    if devices.is_empty() {
        return print(
            "no arbiter's device and no gateway is enrolled yet: `flagfall enrol --arbiter NAME --role floor` and `flagfall enrol --gateway NAME` \
             make a code for one",
        );
    }
    let mut table = Table::new(
        &[
            "DEVICE", "NAME", "ROLE", "CALLED", "ENROLLED", "BY", "STATE",
        ],
        &[],
    );
    for device in &devices {
        table.row(vec![
            device.device.clone(),
            device.name.clone(),
            device.role.clone(),
            device.label.clone(),
            time.in_full(device.enrolled_us),
            device.enrolled_by.clone(),
            state(device),
        ]);
    }
    print(table)
}

pub(super) async fn revoke(
    client: &mut Client,
    device: String,
    reason: String,
    as_json: bool,
) -> Result<(), Failure> {
    let request = RevokeDeviceRequest { device, reason };
    let device = client.revoke_device(request).await?.into_inner();
    if as_json {
        return print(json_of(&device));
    }
    if device.device.starts_with(GATEWAY) {
        return print(format_args!(
            "gateway {} ({}) is shut out, and cut off",
            device.name, device.device
        ));
    }
    print(format_args!(
        "device {} of {} is shut out",
        device.device, device.name
    ))
}

fn state(device: &Device) -> String {
    let gateway = device.device.starts_with(GATEWAY);
    match (device.revoked_us, device.signed_in) {
        (Some(_), _) if device.revoked_reason.is_empty() => {
            format!("shut out by {}", device.revoked_by)
        }
        (Some(_), _) => format!(
            "shut out by {}: {}",
            device.revoked_by, device.revoked_reason
        ),
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
        "signed_in": device.signed_in,
    })
}
