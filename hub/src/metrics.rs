//! The names of all metrics, and the route that exports them to Prometheus.
//!
//! Each metric is recorded by one function here, so that its name, unit and meaning are defined in one module and callers cannot misspell it.
//! Labels have few, fixed values and never contain names of players or boards. Before [`install`] has run, these functions do nothing,
//! which suits tests.

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

/// Upper bounds of the latency histograms' buckets, in microseconds: from the sync of a fast disk to the return of a disconnected clock.
const LATENCY_US: &[f64] = &[
    50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 5e6,
];
/// Counts a press that was applied to its board.
pub fn press_applied() {
    counter!("flagfall_presses_total").increment(1);
}

/// Counts a press that had no effect on its board, or arrived after something that it should have preceded.
pub(crate) fn press_ignored() {
    counter!("flagfall_presses_ignored_total").increment(1);
}

/// Records the microseconds from the arrival of an agent's frame until its acknowledgement was durable and sent.
pub fn acknowledged(us: u64) {
    histogram!("flagfall_ack_latency_us").record(us as f64);
}

/// Records the microseconds, by the hub's estimate, from a press of the button until it was published to watchers.
pub fn published(us: u64) {
    histogram!("flagfall_publish_latency_us").record(us as f64);
}

pub(crate) fn flag_fell() {
    counter!("flagfall_flags_total").increment(1);
}

/// Counts the answer to an arbiter's command: accepted (carried out or pending), or refused.
pub fn command(accepted: bool) {
    let outcome = if accepted { "accepted" } else { "refused" };
    counter!("flagfall_commands_total", "outcome" => outcome).increment(1);
}

pub fn boards(all: usize, online: usize) {
    gauge!("flagfall_boards").set(all as f64);
    gauge!("flagfall_boards_online").set(online as f64);
}

pub fn clocks(clocks: &ClockHealth) {
    // Gauges are floating-point numbers, which represent every value here exactly.
    let count = |name: &'static str, count: u64| gauge!(name).set(count as f64);
    let most = |name: &'static str, most: i64| gauge!(name).set(most as f64);
    count("flagfall_clock_programs", clocks.firmware_versions);
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

pub(crate) fn log_records(records: u64) {
    gauge!("flagfall_log_records").set(records as f64);
}

pub(crate) fn log_failed(failed: bool) {
    gauge!("flagfall_log_failed").set(f64::from(u8::from(failed)));
}

/// Adjusts the number of open agent links: `1` when a link opens, `-1` when it closes.
pub(crate) fn agent_links(change: i8) {
    gauge!("flagfall_agent_links").increment(f64::from(change));
}

/// Counts an agent's link that the hub closed. `why` is the reason's name in the schema.
pub fn link_refused(why: &'static str) {
    counter!("flagfall_links_refused_total", "why" => why).increment(1);
}

/// Adjusts the number of watchers of the live page: `1` when a watcher connects, `-1` when it leaves.
pub(crate) fn sse_clients(change: i8) {
    gauge!("flagfall_sse_clients").increment(f64::from(change));
}

/// Counts a watcher that was told to take a new snapshot because it fell behind or its position belongs to a different epoch.
pub(crate) fn sse_resync() {
    counter!("flagfall_sse_resyncs_total").increment(1);
}

pub(crate) fn live_deltas(count: u64) {
    counter!("flagfall_live_deltas_total").increment(count);
}

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

#[derive(Clone)]
pub struct RecorderHandle(PrometheusHandle);

#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A different recorder is already installed.
    #[error("metrics cannot be recorded: {0}")]
    Recorder(#[from] metrics_exporter_prometheus::BuildError),
}

/// Installs the recorder. Later calls in the same process return the same recorder.
///
/// # Errors
/// Returns an error if a different recorder is already installed.
pub fn install() -> Result<RecorderHandle, InstallError> {
    static INSTALLED: OnceLock<RecorderHandle> = OnceLock::new();
    if let Some(recorded) = INSTALLED.get() {
        return Ok(recorded.clone());
    }
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_us".into()), LATENCY_US)?
        .install_recorder()?;
    describe();
    Ok(INSTALLED.get_or_init(|| RecorderHandle(handle)).clone())
}

/// Returns the routes of the metrics listener: only `/metrics`. Must be called inside a tokio runtime: it also spawns the recorder's
/// housekeeping, which ends with the runtime.
pub fn router(recorded: RecorderHandle) -> Router {
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

async fn show(State(recorded): State<RecorderHandle>) -> impl IntoResponse {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], recorded.0.render())
}

fn describe() {
    for (name, meaning) in meanings(COUNTERS) {
        describe_counter!(name, meaning);
    }
    for (name, meaning) in meanings(GAUGES) {
        describe_gauge!(name, meaning);
    }
    for (name, meaning) in meanings(HISTOGRAMS) {
        describe_histogram!(name, meaning);
    }
}

fn meanings(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|line| line.split_once(": "))
}

const COUNTERS: &str = "\
flagfall_presses_total: Presses applied to their boards
flagfall_presses_ignored_total: Presses that had no effect, or came too late
flagfall_flags_total: Confirmed flag falls
flagfall_commands_total: Arbiters' commands by outcome
flagfall_links_refused_total: Agents' links that the hub closed, by reason
flagfall_sse_resyncs_total: Watchers told to take a new snapshot
flagfall_live_deltas_total: Changes put into the live feed
flagfall_http_responses_total: Public HTTP answers by class of status";
const GAUGES: &str = "\
flagfall_boards: Boards in the hall
flagfall_boards_online: Boards whose clock is connected
flagfall_log_records: Records in the log
flagfall_log_failed: 1 when the log has stopped acknowledging
flagfall_agent_links: Open links to agents
flagfall_sse_clients: Watchers of the live page
flagfall_clock_programs: Number of different programs that the connected clocks run
flagfall_crystals_faulty: Crystals at or beyond 100 ppm, or contradicting themselves
flagfall_crystal_rate_ppb_max: Largest error of a crystal, in parts per billion
flagfall_offset_half_width_us_max: Largest half-width of a proven offset interval, in microseconds
flagfall_round_trip_us_max: Longest of the clocks' last round trips, in microseconds
flagfall_battery_percent_min: Lowest battery charge, in percent
flagfall_batteries_low: Batteries below the configured charge
flagfall_temperature_mc_max: Highest temperature of a clock, in thousandths of a degree Celsius
flagfall_events_unacknowledged: Clocks' events that are not in the log yet
flagfall_events_unsaved: Clocks' events that are in neither the log nor a journal
flagfall_journals_failed: Clocks that cannot write their journals
flagfall_notes: Current notes for arbiters";
const HISTOGRAMS: &str = "\
flagfall_ack_latency_us: Microseconds from the arrival of a frame until its acknowledgement was durable and sent
flagfall_publish_latency_us: Microseconds from a press until the change was published to watchers";
