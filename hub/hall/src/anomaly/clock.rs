//! Anomalies of a clock: crystal, battery, link. Defines the conditions, their texts and the totals for the hub's
//! metrics. A lost link costs no player time: presses are stamped at the board.

use proto::ids::AgentId;
use timing::{Hub, Instant};

use super::{Finding, Kind, Subject, Verdict};
use crate::Hall;
use crate::effect::{ClockHealth, Immediate, OpenStep};
use crate::recent::push_recent;
use crate::session::Session;
use crate::zero_test::LIMIT_RATE_PPB;

/// Number of percentage points above the threshold at which a low battery counts as recovered.
const RECOVERY_MARGIN: u32 = 5;
const MAX_LINKS: usize = 64;

impl Session {
    pub(crate) fn linked(&mut self, now: Instant<Hub>) {
        push_recent(&mut self.links, MAX_LINKS, now);
    }
}

impl Hall {
    pub(super) fn check_clock(&self, now: Instant<Hub>, agent: AgentId) -> Vec<Finding> {
        let Some(session) = self.live.sessions.get(&agent) else {
            return Vec::new();
        };
        let whose = match self.board_of(agent) {
            Some(board) => format!("board {board}: clock {}", agent.short()),
            None => format!("clock {}", agent.short()),
        };
        [
            (Kind::LowBattery, self.battery(session, agent, &whose)),
            (Kind::Flapping, self.flapping(session, agent, now, &whose)),
            (Kind::Crystal, crystal(session, &whose)),
        ]
        .into_iter()
        .filter_map(|(kind, verdict)| self.news(Subject::agent(agent), kind, verdict))
        .collect()
    }

    fn battery(&self, session: &Session, agent: AgentId, whose: &str) -> Verdict {
        let limit = self.live.options.notes.battery_percent;
        let Some(health) = session.health else {
            return Verdict::Unknown;
        };
        let Some(percent) = health.battery_percent else {
            return Verdict::Gone;
        };
        let stands = self.stands(agent, Kind::LowBattery);
        if percent < limit {
            Verdict::Seen(format!(
                "{whose} has {percent} % of its battery left: plug it in, or replace it between two moves or before the next game"
            ))
        } else if stands && percent < limit.saturating_add(RECOVERY_MARGIN) {
            Verdict::Unknown
        } else {
            Verdict::Gone
        }
    }

    fn flapping(
        &self,
        session: &Session,
        agent: AgentId,
        now: Instant<Hub>,
        whose: &str,
    ) -> Verdict {
        let notes = &self.live.options.notes;
        let within = notes.reconnects_within;
        let opened = session.links.iter().filter(|at| now - **at <= within);
        // The first link of a run is not a reconnection.
        let again = match session.links.front() {
            Some(first) if now - *first <= within && session.links.len() < MAX_LINKS => 1,
            Some(_) | None => 0,
        };
        let count = u32::try_from(opened.count()).unwrap_or(u32::MAX) - again;
        if notes.reconnects == 0 || count == 0 {
            return Verdict::Gone;
        }
        if count >= notes.reconnects {
            return Verdict::Seen(format!(
                "{whose} reconnected {count} times within {within}: check its Wi-Fi and its power; no time is lost, because the \
                 clock stamps every press itself"
            ));
        }
        match self.stands(agent, Kind::Flapping) {
            // The note stays until the window contains no reconnection.
            true => Verdict::Unknown,
            false => Verdict::Gone,
        }
    }

    fn stands(&self, agent: AgentId, kind: Kind) -> bool {
        self.fold.anomalies.stands(&Subject::agent(agent), kind)
    }

    pub(super) fn sum_up_health(&self, step: &mut OpenStep) {
        let mut sum = ClockHealth::default();
        let mut versions: Vec<&str> = Vec::new();
        for (agent, session) in &self.live.sessions {
            if !session.online {
                continue;
            }
            sum.online += 1;
            if !session.firmware.is_empty() && !versions.contains(&session.firmware.as_str()) {
                versions.push(&session.firmware);
            }
            let rate = session.estimate.rate_ppb().unwrap_or_default().abs();
            sum.rate_ppb_max = sum.rate_ppb_max.max(rate);
            let bad = rate >= LIMIT_RATE_PPB || session.contradiction.is_some();
            sum.crystals_faulty += u64::from(bad);
            let width = session
                .to_board(step.now)
                .and_then(|at| session.estimate.uncertainty(at));
            let width = width.map_or(0, timing::Duration::as_micros);
            sum.offset_half_width_us_max = sum.offset_half_width_us_max.max(width);
            let trip = session.round_trip.map_or(0, timing::Duration::as_micros);
            sum.round_trip_us_max = sum.round_trip_us_max.max(trip);
            if let Some(health) = session.health {
                sum.unsaved += health.unsaved;
                sum.unacknowledged += health.unacknowledged;
                sum.journals_failed += u64::from(!health.journal_ok);
                sum.temperature_mc_max = sum.temperature_mc_max.max(health.temperature_mc);
                sum.battery_percent_min = match (sum.battery_percent_min, health.battery_percent) {
                    (Some(least), Some(percent)) => Some(least.min(percent)),
                    (least, percent) => least.or(percent),
                };
            }
            sum.batteries_low += u64::from(self.stands(*agent, Kind::LowBattery));
        }
        sum.firmware_versions = u64::try_from(versions.len()).unwrap_or(u64::MAX);
        sum.notes = u64::try_from(self.fold.anomalies.iter().count()).unwrap_or(u64::MAX);
        step.step.immediate.push(Immediate::ClockHealth(sum));
    }
}

/// Checks the rate of the clock's crystal. A rate at the limit counts as beyond it.
fn crystal(session: &Session, whose: &str) -> Verdict {
    match session.estimate.rate_ppb() {
        None => Verdict::Unknown,
        Some(rate) if rate.abs() >= LIMIT_RATE_PPB => {
            let how = if rate > 0 { "fast" } else { "slow" };
            Verdict::Seen(format!(
                "{whose} has a crystal that is {} ppm or more {how}: do not use it for another game; during play compare it with \
                 another clock, and replace it if it is faulty (FIDE 6.10.1)",
                LIMIT_RATE_PPB / 1_000
            ))
        }
        Some(_) => Verdict::Gone,
    }
}
