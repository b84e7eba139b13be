//! The names of everything the hub counts, and the listener that shows it to Prometheus.
//!
//! Every metric has one function here, so that its name, unit and meaning stand in one place and a misspelt name does not
//! compile. Never holds names of players or boards: a label's values are few and fixed. Before [`install`] has run, all
//! of these functions do nothing, which is what tests want.

use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use hall::ClockHealth;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Upper bounds of the latency histograms, in microseconds: from a fast disk's sync to a clock that was away.
const LATENCY_US: &[f64] = &[
    50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 5e6,
];
/// A press was applied to its board.
pub fn press_applied() {
    counter!("flagfall_presses_total").increment(1);
}

/// A press had no meaning on its board, or came after something it should have preceded.
pub fn press_ignored() {
    counter!("flagfall_presses_ignored_total").increment(1);
}

/// An agent's frame reached the hub and, `us` microseconds later, its acknowledgement was durable and on its way.
pub fn acknowledged(us: u64) {
    histogram!("flagfall_ack_latency_us").record(us as f64);
}

/// A press's finger moved and, `us` microseconds later by the hub's reckoning, it was published to watchers.
pub fn published(us: u64) {
    histogram!("flagfall_publish_latency_us").record(us as f64);
}

/// A flag fall was confirmed.
pub fn flag_fell() {
    counter!("flagfall_flags_total").increment(1);
}

/// An arbiter's command was carried out, or refused.
pub fn command(accepted: bool) {
    let outcome = if accepted { "accepted" } else { "refused" };
    counter!("flagfall_commands_total", "outcome" => outcome).increment(1);
}

/// How many boards the hall has, and how many of their clocks are connected.
pub fn boards(all: usize, online: usize) {
    gauge!("flagfall_boards").set(all as f64);
    gauge!("flagfall_boards_online").set(online as f64);
}

/// How the clocks that are connected are, summed up.
pub fn clocks(clocks: &ClockHealth) {
    // Gauges are floating point; every figure here lies far below the whole numbers that lose a bit.
    let count = |name: &'static str, count: u64| gauge!(name).set(count as f64);
    let most = |name: &'static str, most: i64| gauge!(name).set(most as f64);
    count("flagfall_clock_programs", clocks.programs);
    count("flagfall_crystals_faulty", clocks.crystals_faulty);
    count("flagfall_batteries_low", clocks.batteries_low);
    count("flagfall_events_unacknowledged", clocks.unacknowledged);
    count("flagfall_events_unsaved", clocks.unsaved);
    count("flagfall_journals_failed", clocks.journals_failed);
    count("flagfall_notes", clocks.notes);
    most("flagfall_crystal_rate_ppb_max", clocks.rate_ppb_max);
    most(
        "flagfall_offset_half_width_us_max",
        clocks.offset_half_width_us_max,
    );
    most("flagfall_round_trip_us_max", clocks.round_trip_us_max);
    if let Some(percent) = clocks.battery_percent_min {
        most("flagfall_battery_percent_min", i64::from(percent));
    }
    if let Some(warmest) = clocks.temperature_mc_max {
        most("flagfall_temperature_mc_max", i64::from(warmest));
    }
}

/// How many records the log holds.
pub fn log_records(records: u64) {
    gauge!("flagfall_log_records").set(records as f64);
}

/// The log stopped acknowledging (`true`) because the disk failed it.
pub fn log_failed(failed: bool) {
    gauge!("flagfall_log_failed").set(f64::from(u8::from(failed)));
}

/// An agent's link opened (`1`) or closed (`-1`).
pub fn agent_links(change: i8) {
    gauge!("flagfall_agent_links").increment(f64::from(change));
}

/// The hub closed an agent's link; `why` is the reason's name in the schema.
pub fn link_refused(why: &'static str) {
    counter!("flagfall_links_refused_total", "why" => why).increment(1);
}

/// A watcher of the live page came (`1`) or went (`-1`).
pub(crate) fn sse_clients(change: i8) {
    gauge!("flagfall_sse_clients").increment(f64::from(change));
}

/// A watcher fell behind, or came from another epoch, and was told to take a new snapshot.
pub(crate) fn sse_resync() {
    counter!("flagfall_sse_resyncs_total").increment(1);
}

/// Changes numbered and put into the live feed.
pub(crate) fn live_deltas(count: u64) {
    counter!("flagfall_live_deltas_total").increment(count);
}

/// A public HTTP request was answered.
pub(crate) fn http_answered(status: u16) {
    let class = match status {
        0..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        500..=u16::MAX => "5xx",
    };
    counter!("flagfall_http_responses_total", "class" => class).increment(1);
}

/// What the recorder of this process shows.
#[derive(Clone)]
pub struct Recorded(PrometheusHandle);

/// Why nothing will be counted.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// Another recorder is in place, which this process did not install.
    #[error("metrics cannot be recorded: {0}")]
    Recorder(#[from] metrics_exporter_prometheus::BuildError),
}

/// Starts counting. Later calls in the same process return the same recorder.
///
/// # Errors
/// When a foreign recorder is already in place.
pub fn install() -> Result<Recorded, InstallError> {
    static INSTALLED: OnceLock<Recorded> = OnceLock::new();
    if let Some(recorded) = INSTALLED.get() {
        return Ok(recorded.clone());
    }
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_us".into()), LATENCY_US)?
        .install_recorder()?;
    describe();
    describe_clocks();
    Ok(INSTALLED.get_or_init(|| Recorded(handle)).clone())
}

/// The routes of the metrics listener: `/metrics` alone. Call inside a tokio runtime: it also starts the recorder's
/// housekeeping, which ends with the runtime.
pub fn router(recorded: Recorded) -> Router {
    let upkeep = recorded.clone();
    tokio::spawn(async move {
        let mut every = tokio::time::interval(Duration::from_secs(5));
        loop {
            every.tick().await;
            upkeep.0.run_upkeep();
        }
    });
    Router::new()
        .route("/metrics", get(show))
        .with_state(recorded)
}

async fn show(State(recorded): State<Recorded>) -> impl IntoResponse {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], recorded.0.render())
}

fn describe() {
    for (name, meaning) in [
        ("flagfall_presses_total", "Presses applied to their boards"),
        (
            "flagfall_presses_ignored_total",
            "Presses that meant nothing, or came too late",
        ),
        ("flagfall_flags_total", "Confirmed flag falls"),
        ("flagfall_commands_total", "Arbiters' commands by outcome"),
        (
            "flagfall_links_refused_total",
            "Agents' links that the hub closed, by reason",
        ),
        (
            "flagfall_sse_resyncs_total",
            "Watchers told to take a new snapshot",
        ),
        (
            "flagfall_live_deltas_total",
            "Changes put into the live feed",
        ),
        (
            "flagfall_http_responses_total",
            "Public HTTP answers by class of status",
        ),
    ] {
        describe_counter!(name, meaning);
    }
    for (name, meaning) in [
        ("flagfall_boards", "Boards in the hall"),
        ("flagfall_boards_online", "Boards whose clock is connected"),
        ("flagfall_log_records", "Records in the log"),
        (
            "flagfall_log_failed",
            "1 when the log has stopped acknowledging",
        ),
        ("flagfall_agent_links", "Open links to agents"),
        ("flagfall_sse_clients", "Watchers of the live page"),
    ] {
        describe_gauge!(name, meaning);
    }
    for (name, meaning) in [
        (
            "flagfall_ack_latency_us",
            "Frame received to acknowledgement durable and sent",
        ),
        (
            "flagfall_publish_latency_us",
            "Press made to change published to watchers",
        ),
    ] {
        describe_histogram!(name, meaning);
    }
}

fn describe_clocks() {
    for (name, meaning) in [
        (
            "flagfall_clock_programs",
            "Different programs that the connected clocks run",
        ),
        (
            "flagfall_crystals_faulty",
            "Crystals at or beyond 100 ppm, or contradicting themselves",
        ),
        (
            "flagfall_crystal_rate_ppb_max",
            "The farthest a crystal is off, parts per billion",
        ),
        (
            "flagfall_offset_half_width_us_max",
            "The widest half of a proven offset interval",
        ),
        (
            "flagfall_round_trip_us_max",
            "The longest of the clocks' last round trips",
        ),
        ("flagfall_battery_percent_min", "The weakest battery"),
        (
            "flagfall_batteries_low",
            "Batteries below the configured charge",
        ),
        ("flagfall_temperature_mc_max", "The warmest clock"),
        (
            "flagfall_events_unacknowledged",
            "Events of clocks that the log has not",
        ),
        (
            "flagfall_events_unsaved",
            "Events that neither the log nor a journal has",
        ),
        (
            "flagfall_journals_failed",
            "Clocks that cannot write their journals",
        ),
        ("flagfall_notes", "Notes for arbiters that stand"),
    ] {
        describe_gauge!(name, meaning);
    }
}
