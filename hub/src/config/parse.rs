//! Reads single values. Each function takes a value's text and says what it expected instead, to follow “must be”.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use timing::presets::Preset;
use timing::{AfterFlag, Duration, Side, TimeControl};

use crate::hall::Sound;
use crate::time_source::WallTime;

/// Who or what starts White's clock on a board that is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The arbiter, by a command.
    Arbiter,
    /// Black, by the button, as some events have it.
    Black,
    /// The hub, at this time by the wall clock.
    At(WallTime),
}

/// What a new board is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventControl {
    /// The time control.
    pub control: TimeControl,
    /// Who has draw odds, if a preset says so.
    pub draw_odds: Option<Side>,
}

/// As the file has it.
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
    if text == "none" {
        return Ok(None);
    }
    text.parse()
        .ok()
        .filter(|time| *time >= Duration::ZERO)
        .map(Some)
        .ok_or_else(|| "“none”, or a time such as “30m” or “0s”".to_owned())
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

pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() {
        Err("the path of a directory".into())
    } else {
        Ok(text.into())
    }
}

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| "an IP address and a port such as “0.0.0.0:7464” or “[::]:7464”".into())
}

pub(super) fn address_or_off(text: &str) -> Result<Option<SocketAddr>, String> {
    if text == "off" {
        return Ok(None);
    }
    address(text)
        .map(Some)
        .map_err(|expected| format!("“off”, or {expected}"))
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

pub(super) fn title(text: &str) -> Result<String, String> {
    let (text, most) = (text.trim(), 100);
    if text.is_empty() || text.chars().count() > most || text.chars().any(char::is_control) {
        return Err(format!("one line of 1 to {most} characters"));
    }
    Ok(text.to_owned())
}

pub(super) fn switch(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "true or false".into())
}

pub(super) fn round(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|round| (1..=999).contains(round));
    number.ok_or_else(|| "a whole number from 1 to 999".into())
}

pub(super) fn log_level(text: &str) -> Result<String, String> {
    match tracing_subscriber::EnvFilter::try_new(text) {
        Ok(_) if !text.trim().is_empty() => Ok(text.to_owned()),
        Ok(_) | Err(_) => Err(
            "error, warn, info, debug, trace, or a filter such as “info,hub::links=debug”".into(),
        ),
    }
}
