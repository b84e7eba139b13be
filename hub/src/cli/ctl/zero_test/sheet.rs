//! Formats a certificate as labelled rows, as text and as JSON. Owns wording and rounding; the figures come from the hub.

use jiff::Timestamp;
use proto::grpc::ZeroCertificate;
use serde_json::{Value, json};

use super::Page;

/// Returns the rows of a page, each with a label and a value. Without a certificate, only the event and the board are shown.
pub(super) fn rows(page: &Page) -> Vec<(&'static str, String)> {
    let mut rows = vec![("Event", page.event.clone()), ("Board", page.board.clone())];
    if let Ok(certificate) = &page.found {
        rows.extend(figures(certificate));
    }
    rows
}

fn figures(found: &ZeroCertificate) -> Vec<(&'static str, String)> {
    let offset = |at: Option<i64>| at.map(|at| at - found.stamp_us);
    let within = match (
        offset(found.lo_us),
        offset(found.est_us),
        offset(found.hi_us),
    ) {
        (Some(lo), Some(est), Some(hi)) => format!(
            "{} s (hub − clock), error proven between {} and {} (limit ± {})",
            decimal(est, 1_000_000, 6),
            signed_ms(lo - est),
            signed_ms(hi - est),
            ms(found.limit_interval_us)
        ),
        (_, _, _) => "not known".to_owned(),
    };
    let rate = match found.rate_ppb {
        Some(rate) => format!(
            "{} (limit ± {} ppm)",
            ppm(rate),
            found.limit_rate_ppb / 1_000
        ),
        None => "not known yet: the measurement takes up to ten minutes".to_owned(),
    };
    let trip = found.round_trip_us.map_or("not known".to_owned(), ms);
    vec![
        ("Date and time", utc(found.wall_us)),
        ("Clock", format!("{} “{}”", found.agent, found.name)),
        ("Firmware", found.firmware.clone()),
        ("Offset", within),
        ("Crystal", rate),
        ("Round trip", trip),
        ("Scripted press", press(found)),
        ("Error", error(found)),
        ("Battery, temperature", machine(found)),
        ("Log", found.log_origin.clone()),
        ("Hub", found.hub_version.clone()),
    ]
}

/// Describes how long after the hub's request the press was stamped, and how long after its stamp it reached the hub.
fn press(found: &ZeroCertificate) -> String {
    let (Some(heard), Some(est)) = (found.heard_us, found.est_us) else {
        return "none received".to_owned();
    };
    format!(
        "event {} of the clock, stamped {} after the request and {} before its arrival",
        found.event_seq,
        signed_ms(est - found.asked_us),
        signed_ms(heard - est)
    )
}

fn error(found: &ZeroCertificate) -> String {
    match found.error_us {
        Some(error) => format!(
            "{} outside the time between request and arrival (limit {})",
            ms(error),
            ms(found.limit_error_us)
        ),
        None => "not known".to_owned(),
    }
}

fn machine(found: &ZeroCertificate) -> String {
    let battery = match found.battery_percent {
        Some(percent) => format!("{percent} %"),
        None => "mains power".to_owned(),
    };
    match found.temperature_mc {
        Some(mc) => format!("{battery}, {}", degrees(mc)),
        None => battery,
    }
}

pub(super) fn text(page: &Page) -> String {
    let row = |what: &str, figure: &str| format!("  {what:<21} {figure}\n");
    let mut text = format!("CLOCK TEST CERTIFICATE  {}\n", summary(page));
    for (what, figure) in rows(page) {
        text += &row(what, &figure);
    }
    for finding in page.findings() {
        text += &row("Failed because", finding);
    }
    text + &row("Arbiter's signature", &"_".repeat(40))
}

pub(super) fn summary(page: &Page) -> String {
    match page.findings().as_slice() {
        [] => format!("board {}: passed", page.board),
        findings => format!("board {}: FAILED: {}", page.board, findings.join("; ")),
    }
}

pub(super) fn json(page: &Page) -> Value {
    let findings = page.findings();
    let passed = page.passed();
    let Ok(found) = &page.found else {
        return json!({
            "board": page.board, "event": page.event, "passed": passed, "findings": findings,
        });
    };
    json!({
        "board": page.board, "event": page.event, "passed": passed, "findings": findings,
        "utc": utc(found.wall_us), "wall_us": found.wall_us, "agent": found.agent, "name": found.name,
        "firmware": found.firmware, "asked_us": found.asked_us, "heard_us": found.heard_us,
        "event_seq": found.event_seq, "stamp_us": found.stamp_us, "lo_us": found.lo_us, "est_us": found.est_us,
        "hi_us": found.hi_us, "error_us": found.error_us, "rate_ppb": found.rate_ppb,
        "round_trip_us": found.round_trip_us, "battery_percent": found.battery_percent,
        "temperature_mc": found.temperature_mc, "limit_error_us": found.limit_error_us,
        "limit_interval_us": found.limit_interval_us, "limit_rate_ppb": found.limit_rate_ppb,
        "hub_version": found.hub_version, "log_origin": found.log_origin,
    })
}

fn utc(wall_us: i64) -> String {
    match Timestamp::from_microsecond(wall_us) {
        Ok(time) => time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => "not known".to_owned(),
    }
}

fn ms(us: i64) -> String {
    format!("{} ms", decimal(us, 1_000, 3))
}

fn signed_ms(us: i64) -> String {
    let sign = if us > 0 { "+" } else { "" };
    format!("{sign}{}", ms(us))
}

pub(in crate::cli::ctl) fn ppm(ppb: i64) -> String {
    let sign = if ppb < 0 { "" } else { "+" };
    format!("{sign}{} ppm", decimal(ppb, 1_000, 2))
}

pub(in crate::cli::ctl) fn degrees(mc: i32) -> String {
    format!("{} °C", decimal(mc.into(), 1_000, 1))
}

/// Formats `value / unit` with `decimals` decimal places, rounded towards zero.
pub(in crate::cli::ctl) fn decimal(value: i64, unit: u64, decimals: usize) -> String {
    let sign = if value < 0 { "−" } else { "" };
    let value = value.unsigned_abs();
    let rest = format!("{:06}", value % unit * (1_000_000 / unit));
    format!("{sign}{}.{}", value / unit, &rest[..decimals])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate() -> ZeroCertificate {
        ZeroCertificate {
            board: "7".to_owned(),
            agent: "ab12".to_owned(),
            name: "clock 7".to_owned(),
            firmware: "clock-agent 0.1.0".to_owned(),
            asked_us: 10_000_000,
            wall_us: 1_795_262_400_000_000,
            heard_us: Some(10_002_500),
            event_seq: 17,
            stamp_us: 4_000_000,
            lo_us: Some(10_000_800),
            est_us: Some(10_001_200),
            hi_us: Some(10_001_700),
            error_us: Some(0),
            rate_ppb: Some(-12_340),
            round_trip_us: Some(900),
            temperature_mc: Some(41_250),
            passed: true,
            limit_error_us: 1_000,
            limit_interval_us: 10_000,
            limit_rate_ppb: 100_000,
            ..ZeroCertificate::default()
        }
    }

    fn page(found: Result<ZeroCertificate, String>) -> Page {
        Page {
            board: "7".to_owned(),
            event: "Test Open".to_owned(),
            found: found.map(Box::new),
        }
    }

    #[test]
    fn a_certificate_shows_every_measurement() {
        let text = text(&page(Ok(certificate())));
        for wanted in [
            "CLOCK TEST CERTIFICATE  board 7: passed",
            "2026-11-21 12:00:00 UTC",
            "ab12 “clock 7”",
            "6.001200 s (hub − clock), error proven between −0.400 ms and +0.500 ms (limit ± 10.000 ms)",
            "−12.34 ppm (limit ± 100 ppm)",
            "event 17 of the clock, stamped +1.200 ms after the request and +1.300 ms before its arrival",
            "0.000 ms outside the time between request and arrival (limit 1.000 ms)",
            "mains power, 41.2 °C",
            "Arbiter's signature",
        ] {
            assert!(text.contains(wanted), "{wanted}\n{text}");
        }
        assert_eq!(json(&page(Ok(certificate())))["passed"], true);
    }

    #[test]
    fn a_certificate_says_how_long_an_unknown_rate_takes_to_measure() {
        let young = ZeroCertificate {
            rate_ppb: None,
            ..certificate()
        };
        let text = text(&page(Ok(young)));
        let wanted = "not known yet: the measurement takes up to ten minutes";
        assert!(text.contains(wanted), "{text}");
    }

    #[test]
    fn a_board_without_a_certificate_failed() {
        let silent = page(Err("the clock of board 7 has no signal".to_owned()));
        assert!(!silent.passed());
        assert_eq!(
            summary(&silent),
            "board 7: FAILED: the clock of board 7 has no signal"
        );
        assert_eq!(json(&silent)["passed"], false);
        assert!(text(&silent).contains("Failed because"));
    }
}
