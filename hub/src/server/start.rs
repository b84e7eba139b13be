//! The facts of a start that do not come from the log: the configuration, the authority, the machine's times, and the name of a new log.

use super::StartError;
use crate::config::{Config, Start};
use crate::identity::{Identity, random};
use crate::time_source::{Bridge, TimeSource, TimelineStart, boot_id};
use hall::StartUp;
use hall::view::EventView;

pub(super) fn start_up(
    config: &Config,
    identity: &Identity,
    time: &TimeSource,
    timeline: TimelineStart,
    origin: String,
) -> Result<StartUp, StartError> {
    let wall_us = time.wall_now().unix_us();
    let hub_now = time.hub_now();
    Ok(StartUp {
        origin,
        event: event_view(config),
        boot: boot_id().unwrap_or_default().into_bytes(),
        wall_us,
        timeline: timeline.to_string(),
        bound_us: match timeline.bridge {
            Bridge::First | Bridge::SameBoot => 0,
            Bridge::NewBoot { bound_us, .. } => bound_us.unwrap_or(i64::MAX),
        },
        authority_der: identity.authority_der().to_vec(),
        voucher_der: identity.voucher()?.unwrap_or_default(),
        nonce_seed: u64::from_le_bytes(random()?),
        scheduled: match config.start {
            Start::At(at) => {
                Some(hub_now + timing::Duration::from_micros(at.unix_us().saturating_sub(wall_us)))
            }
            Start::Arbiter | Start::Black => None,
        },
    })
}

pub(super) fn event_view(config: &Config) -> EventView {
    EventView {
        name: config.event_name.clone(),
        round: Some(config.round),
        control: Some(config.control.control.to_string()),
        time_zone: Some(config.time_zone.clone()),
        ..EventView::default()
    }
}

/// Returns a log name that is unique across all hubs.
pub(super) fn new_origin(identity: &Identity) -> Result<String, StartError> {
    let authority = proto::ids::hex(&identity.authority().fingerprint()[..4]);
    let log = proto::ids::hex(&random::<8>()?);
    Ok(format!("flagfall/{authority}/{log}"))
}
