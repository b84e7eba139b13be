//! Parses single values. On failure each function returns the expected form, as a phrase that follows “must be”.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use timing::presets::Preset;
use timing::{AfterFlag, Duration, Side, TimeControl};

use crate::time_source::WallTime;
use hall::Sound;

/// The way to start White's clock on a board that is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Arbiter,
    /// Black presses the button to start White's clock, as is customary at some events.
    Black,
    At(WallTime),
}

/// The time controls that are compared with a board's own control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Off,
    /// The controls of the other boards in the same round.
    Round,
    /// The controls of the other boards in the same round, and the event's control.
    Event,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventControl {
    pub control: TimeControl,
    /// The side that has draw odds, if a preset specifies them.
    pub draw_odds: Option<Side>,
}

/// An arbiter who may correct a board at its clock.
#[derive(Clone, PartialEq, Eq)]
pub struct ArbiterPin {
    pub name: String,
    /// The PIN: four to eight digits.
    pub pin: String,
}

impl fmt::Debug for ArbiterPin {
    /// Formats the arbiter without the PIN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArbiterPin({})", self.name)
    }
}

/// Maximum number of arbiters with a PIN: few enough for all their names and keys to fit in one frame to a clock.
const MAX_ARBITERS: usize = 16;

/// Formats the value in a form that the configuration file accepts.
impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Arbiter => f.write_str("arbiter"),
            Start::Black => f.write_str("black"),
            Start::At(time) => time.fmt(f),
        }
    }
}

pub(super) fn start(text: &str) -> Result<Start, String> {
    match text {
        "arbiter" => Ok(Start::Arbiter),
        "black" => Ok(Start::Black),
        time => match jiff::Timestamp::from_str(time) {
            Ok(time) => Ok(Start::At(WallTime::from_unix_us(time.as_microsecond()))),
            Err(_) => Err("“arbiter”, “black”, or a time with its offset from UTC such as “2027-05-01T14:00:00+02:00”".into()),
        },
    }
}

pub(super) fn control(text: &str) -> Result<EventControl, String> {
    let control = timing::presets::control_of(text).map_err(|error| {
        format!("a time control such as “90m+30s runs on”, or the name of a preset ({error})")
    })?;
    Ok(EventControl {
        control,
        draw_odds: Preset::named(text).and_then(|preset| preset.draw_odds),
    })
}

pub(super) fn default_time(text: &str) -> Result<Option<Duration>, String> {
    none_or(text, "none", span_or_zero)
}

pub(super) fn compare(text: &str) -> Result<Compare, String> {
    match text {
        "off" => Ok(Compare::Off),
        "round" => Ok(Compare::Round),
        "event" => Ok(Compare::Event),
        _ => Err("“off”, “round” or “event”".into()),
    }
}

pub(super) fn span_or_none(text: &str) -> Result<Option<Duration>, String> {
    none_or(text, "none", span)
}

pub(super) fn span(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|span: &Duration| span.is_positive())
        .ok_or_else(|| "a time above zero such as “10m” or “90s”".to_owned())
}

pub(super) fn span_or_zero(text: &str) -> Result<Duration, String> {
    let span = text.parse().ok();
    span.filter(|span: &Duration| *span >= Duration::ZERO)
        .ok_or_else(|| "a time such as “30m” or “0s”".to_owned())
}

pub(super) fn count(text: &str) -> Result<u32, String> {
    number(text, 0..=1_000, "a whole number from 0 to 1000")
}

pub(super) fn mebibytes(text: &str) -> Result<u32, String> {
    let expected = "a whole number of MiB from 0 to 10000000";
    number(text, 0..=10_000_000, expected)
}

pub(super) fn percent(text: &str) -> Result<u32, String> {
    number(text, 0..=100, "a whole number of percent from 0 to 100")
}

pub(super) fn clocks_per_adapter(text: &str) -> Result<u32, String> {
    number(text, 1..=64, "a number from 1 to 64")
}

pub(super) fn watchers(text: &str) -> Result<u32, String> {
    number(text, 1..=16_384, "a number from 1 to 16384")
}

pub(super) fn round(text: &str) -> Result<u32, String> {
    number(text, 1..=999, "a whole number from 1 to 999")
}

fn number(text: &str, bounds: RangeInclusive<u32>, expected: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| expected.to_owned())
}

pub(super) fn after_flag(text: &str) -> Result<Option<AfterFlag>, String> {
    match text {
        "as the control says" => Ok(None),
        "freezes" => Ok(Some(AfterFlag::Freezes)),
        "runs on" => Ok(Some(AfterFlag::RunsOn)),
        _ => Err("“as the control says”, “freezes” or “runs on”".into()),
    }
}

pub(super) fn sound(text: &str) -> Result<Sound, String> {
    match text {
        "off" => Ok(Sound::Off),
        "flag" => Ok(Sound::Flag),
        "all" => Ok(Sound::All),
        _ => Err("“off”, “flag” or “all”".into()),
    }
}

pub(super) fn arbiter_pins(text: &str) -> Result<Vec<ArbiterPin>, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let mut arbiters: Vec<ArbiterPin> = Vec::new();
    for one in text.split(',') {
        let arbiter = arbiter_pin(one.trim()).ok_or_else(|| {
            format!("“none”, or up to {MAX_ARBITERS} names with a PIN of 4 to 8 digits each, such as “Ada Okonkwo 471108, Per Lind 2290”")
        })?;
        if arbiters.iter().any(|known| known.name == arbiter.name) {
            return Err(format!("one PIN for each name; “{}” has two", arbiter.name));
        }
        if arbiters.iter().any(|known| known.pin == arbiter.pin) {
            // Messages end up in logs, so this one omits the PIN.
            return Err(
                "a different PIN for each arbiter, because clocks tell arbiters apart by it".into(),
            );
        }
        arbiters.push(arbiter);
    }
    if arbiters.len() > MAX_ARBITERS {
        return Err(format!("at most {MAX_ARBITERS} arbiters"));
    }
    Ok(arbiters)
}

fn arbiter_pin(text: &str) -> Option<ArbiterPin> {
    let (name, pin) = text
        .rsplit_once(char::is_whitespace)
        .unwrap_or(("an arbiter", text));
    let name = name.trim();
    let is_pin =
        proto::pin::DIGITS.contains(&pin.len()) && pin.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = !name.is_empty() && name.len() <= 60 && timing::text::hidden_in(name).is_none();
    (is_pin && is_name).then(|| ArbiterPin {
        name: name.to_owned(),
        pin: pin.to_owned(),
    })
}

pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    match text {
        "" => Err("the path of a directory".into()),
        path => Ok(path.into()),
    }
}

pub(super) fn path_or_none(text: &str) -> Result<Option<PathBuf>, String> {
    match text {
        "none" => Ok(None),
        "" => Err("“none”, or a path".into()),
        path => Ok(Some(path.into())),
    }
}

/// Parses names of Bluetooth adapters. `None` means no adapter, and an empty list means all.
pub(super) fn adapters_or_off(text: &str) -> Result<Option<Vec<String>>, String> {
    match text {
        "off" => Ok(None),
        "all" => Ok(Some(Vec::new())),
        names => {
            let adapter = |name: &str| {
                let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                (plain && !name.is_empty()).then(|| name.to_owned())
            };
            let names: Option<_> = names.split(',').map(|name| adapter(name.trim())).collect();
            let expected = || "“off”, “all”, or names of adapters such as “hci0, hci1”".to_owned();
            names.map(Some).ok_or_else(expected)
        }
    }
}

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| "an IP address and a port such as “0.0.0.0:7464” or “[::]:7464”".into())
}

pub(super) fn address_or_off(text: &str) -> Result<Option<SocketAddr>, String> {
    none_or(text, "off", address)
}

/// Parses a value with `parse`. Returns `None` if `text` equals `none`, the word for a missing value, such as “off”.
fn none_or<T>(
    text: &str,
    none: &str,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    if text == none {
        return Ok(None);
    }
    let value = parse(text).map_err(|expected| format!("“{none}”, or {expected}"))?;
    Ok(Some(value))
}

pub(super) fn host(text: &str) -> Result<String, String> {
    let label = |label: &str| {
        let inside = label
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        inside
            && (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if IpAddr::from_str(text).is_ok() || (text.len() <= 253 && text.split('.').all(label)) {
        Ok(text.to_owned())
    } else {
        Err("a host name or an IP address, without a port".into())
    }
}

pub(super) fn hosts_or_none(text: &str) -> Result<Vec<String>, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let names = text.split(',').map(|name| host(name.trim()));
    let names: Result<Vec<String>, String> = names.collect();
    names.map_err(|_| "“none”, or host names and IP addresses such as “chess.example.org, 203.0.113.7”, without ports".into())
}

pub(super) fn title(text: &str) -> Result<String, String> {
    let (text, most) = (text.trim(), 100);
    if text.is_empty() || text.chars().count() > most || timing::text::hidden_in(text).is_some() {
        return Err(format!("one line of 1 to {most} characters"));
    }
    Ok(text.to_owned())
}

/// Checks only the form of an IANA name. Browsers know the names, and the hub's machine may have no time zone database.
pub(super) fn time_zone(text: &str) -> Result<String, String> {
    let part = |part: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+');
        part.starts_with(|c: char| c.is_ascii_alphabetic()) && part.chars().all(plain)
    };
    if text.len() <= 64 && text.split('/').all(part) {
        Ok(text.to_owned())
    } else {
        Err("the name of a time zone such as “Europe/Berlin” or “UTC”".into())
    }
}

pub(super) fn switch(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "true or false".into())
}

pub(super) fn log_level(text: &str) -> Result<String, String> {
    match tracing_subscriber::EnvFilter::try_new(text) {
        Ok(_) if !text.trim().is_empty() => Ok(text.to_owned()),
        Ok(_) | Err(_) => Err(
            "error, warn, info, debug, trace, or a filter such as “info,hub::links=debug”".into(),
        ),
    }
}
