//! Times of day in the hall's time zone, as the app shows them, based on the wall clock of the hub's machine.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use proto::grpc::Hall;
use proto::refusal::{Change, Refusal, RefusalCode};
use serde_json::{Value, json};
use tonic::Status;

const STALE: [(RefusalCode, &str); 3] = [
    (RefusalCode::BoardChanged, "the board"),
    (RefusalCode::EventChanged, "the event"),
    (RefusalCode::FloorChanged, "the floor plan"),
];

/// A hall's time zone, and the offset of the hub's wall clock from the hub's timeline.
pub(super) struct HallTime {
    zone: TimeZone,
    ahead_us: i64,
}

impl HallTime {
    pub(super) fn of(hall: &Hall) -> Self {
        Self {
            ahead_us: hall.wall_ahead_ms.saturating_mul(1000),
            ..Self::in_zone(&hall.time_zone)
        }
    }

    /// Returns a formatter for the zone with this IANA name, or for UTC if this machine does not know the zone.
    pub(super) fn in_zone(name: &str) -> Self {
        Self {
            zone: TimeZone::get(name).unwrap_or(TimeZone::UTC),
            ahead_us: 0,
        }
    }

    /// Formats a hub instant in full, in RFC 3339 with the zone's offset.
    pub(super) fn in_full(&self, hub_us: i64) -> String {
        match self.at(hub_us) {
            Some(at) if self.zone == TimeZone::UTC => at.to_string(),
            Some(at) => at.display_with_offset(self.zone.to_offset(at)).to_string(),
            None => format!("{hub_us} µs since 1970"), // beyond the year 9999
        }
    }

    pub(super) fn time_of_day(&self, hub_us: i64) -> String {
        self.formatted(hub_us, "%H:%M:%S")
    }

    pub(super) fn to_the_millisecond(&self, hub_us: i64) -> String {
        self.formatted(hub_us, "%H:%M:%S%.3f")
    }

    fn formatted(&self, hub_us: i64, format: &str) -> String {
        let Some(at) = self.at(hub_us) else {
            return self.in_full(hub_us);
        };
        at.to_zoned(self.zone.clone()).strftime(format).to_string()
    }

    /// Returns the first hub instant with this time of day, not before the second that contains the hub instant `from`. Returns `None` if the
    /// text is not a time of day, or if the date is out of range.
    pub(super) fn instant_of(&self, time_of_day: &str, from: i64) -> Option<i64> {
        let time: jiff::civil::Time = time_of_day.parse().ok()?;
        let from = self.at(from)?.to_zoned(self.zone.clone());
        let on = |date: jiff::civil::Date| date.to_datetime(time).to_zoned(self.zone.clone()).ok();
        let first = on(from.date())?;
        // Compare whole seconds, so that 14:03:22 still names the start of a game that began at 14:03:22.9.
        let at = match first.timestamp().as_second() < from.timestamp().as_second() {
            true => on(from.date().tomorrow().ok()?)?,
            false => first,
        };
        Some(at.timestamp().as_microsecond() - self.ahead_us)
    }

    fn at(&self, hub_us: i64) -> Option<Timestamp> {
        Timestamp::from_microsecond(hub_us.saturating_add(self.ahead_us)).ok()
    }

    /// Formats a stale request's refusal with its changes; `None` for any other refusal, or for one that lists no change.
    pub(super) fn stale(&self, status: &Status) -> Option<String> {
        self.stale_words(&crate::api::refusal_of(status)?)
    }

    pub(super) fn changes(&self, status: &Status) -> Vec<Value> {
        let changes = crate::api::refusal_of(status).unwrap_or_default().changes;
        let as_json = |change: &Change| {
            json!({
                "at_us": change.at_us, "at": change.at_us.map(|at| self.in_full(at)), "actor": change.actor,
                "kind": change.kind().as_str_name(), "text": change.text,
            })
        };
        changes.iter().map(as_json).collect()
    }

    fn stale_words(&self, refusal: &Refusal) -> Option<String> {
        let (_, what) = STALE.iter().find(|(code, _)| *code == refusal.code())?;
        if refusal.changes.is_empty() {
            return None;
        }
        let more = if refusal.more_changes {
            " and more before that"
        } else {
            ""
        };
        let changes = refusal.changes.iter().map(|change| self.change(change));
        let changes = Vec::from_iter(changes).join(", ");
        Some(format!(
            "{what} has changed since you looked: {changes}{more}. Check it, then decide"
        ))
    }

    fn change(&self, change: &Change) -> String {
        let text = &change.text;
        change.at_us.map_or(text.clone(), |at| {
            format!("{text} at {}", self.time_of_day(at))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-22 13:03:22 UTC.
    const AT: i64 = 1_795_352_602_000_000;

    #[test]
    fn times_are_the_halls_by_its_own_wall_clock() {
        let hall = Hall {
            time_zone: "Asia/Kolkata".to_owned(),
            wall_ahead_ms: 60_000,
            ..Hall::default()
        };
        let time = HallTime::of(&hall);
        assert_eq!(time.time_of_day(AT), "18:34:22");
        assert_eq!(time.in_full(AT + 5), "2026-11-22T18:34:22.000005+05:30");
        assert_eq!(time.to_the_millisecond(AT + 5_999), "18:34:22.005");
        assert_eq!(time.instant_of("18:34:22.5", AT), Some(AT + 500_000));
        let next_day = Some(AT - 60_000_000 + 86_400_000_000);
        assert_eq!(time.instant_of("18:33:22", AT), next_day);
        assert_eq!(time.instant_of("soon", AT), None);
        let unknown = HallTime::in_zone("Moon/Sea_of_Tranquillity");
        assert_eq!(unknown.in_full(AT), "2026-11-22T13:03:22Z");
    }

    #[test]
    fn a_stale_requests_refusal_lists_each_change_with_its_time() {
        let change = |at_us, text: &str| Change {
            at_us,
            text: text.to_owned(),
            ..Change::default()
        };
        let mut refusal = Refusal {
            changes: vec![
                change(Some(AT), "pause by Anna"),
                change(None, "its clock taken off by Bo"),
            ],
            more_changes: true,
            ..Refusal::default()
        };
        let time = HallTime::in_zone("Asia/Kolkata");
        assert_eq!(time.stale_words(&refusal), None);
        refusal.set_code(RefusalCode::BoardChanged);
        assert_eq!(
            time.stale_words(&refusal).as_deref(),
            Some(
                "the board has changed since you looked: pause by Anna at 18:33:22, its clock taken off by Bo and more before that. Check it, then decide"
            )
        );
    }
}
