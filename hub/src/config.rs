//! The settings of a hub: one TOML file, environment variables, flags, and a default for every key.
//!
//! Owns the table of keys (see `settings!` below). The type, the documentation, the default file and the names of variables and flags are
//! derived from it. A later source wins: default, file, `FLAGFALL_…` variable, flag. Unknown keys and unreadable values are errors that
//! name the place. An unknown variable causes only a warning.

mod error;
mod parse;
mod sources;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use timing::{AfterFlag, Duration};

pub use error::{ConfigError, Place};
pub use parse::{ArbiterPin, Compare, EventControl, Start};

use hall::Sound;
use sources::Sources;
pub(crate) use sources::state_dir;

#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub name: &'static str,
    /// The documentation: one line that ends with a period.
    pub doc: &'static str,
    form: Form,
    default: DefaultValue,
}

impl Key {
    pub fn variable(&self) -> String {
        format!("{VARIABLES}{}", self.name.to_uppercase())
    }

    pub fn flag(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Number,
    Switch,
}

#[derive(Clone, Copy, Debug)]
enum DefaultValue {
    /// The value, as a variable or flag would contain it.
    Fixed(&'static str),
    /// The value is determined on the machine; the text says how.
    Found(&'static str, fn(&Sources) -> String),
}

const VARIABLES: &str = "FLAGFALL_";

/// Generates, from one table, the struct, the list of keys, and the reader of each key.
macro_rules! settings {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $form:ident, $default:expr, $parse:path; )+) => {
        #[derive(Clone, Debug, PartialEq)]
        pub struct Config {
            $( $(#[doc = $doc])+ pub $name: $type, )+
            /// Warnings for the operator, such as variables that look like settings but are not.
            pub warnings: Vec<String>,
        }

        /// Every key, in the order of the default file.
        pub const KEYS: &[Key] = &[$( Key {
            name: stringify!($name),
            doc: concat!($($doc),+),
            form: Form::$form,
            default: $default,
        } ),+];

        impl Config {
            fn read(sources: Sources) -> Result<Config, ConfigError> {
                Ok(Config {
                    $( $name: sources.value(stringify!($name), $parse)?, )+
                    warnings: sources.warnings,
                })
            }
        }
    };
}

use DefaultValue::{Fixed, Found};

settings! {
    /// The directory of the log, the keys and the certificates.
    data_dir: PathBuf = Text, Found("/var/lib/flagfall for root, else ~/.local/share/flagfall", sources::data_dir), parse::path;
    /// A directory on a second disk for another copy of the log's archive, or "none". It must exist. If it fails, the hub notifies the arbiters and continues.
    mirror: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// The address and port for clock agents (QUIC, UDP) and for arbiters (gRPC, TCP).
    listen: SocketAddr = Text, Fixed("0.0.0.0:7464"), parse::address;
    /// The address and port of the public page (HTTP, TCP).
    http: SocketAddr = Text, Fixed("0.0.0.0:8080"), parse::address;
    /// The number of spectators who can follow the public pages at a time, from 1 to 16384. When all connections are taken, a newcomer gets one from the address that holds the most, unless that is the newcomer's own address.
    watchers: u32 = Number, Fixed("8192"), parse::watchers;
    /// The address and port of the metrics for Prometheus, or "off".
    metrics: Option<SocketAddr> = Text, Fixed("127.0.0.1:9464"), parse::address_or_off;
    /// The name or address under which agents and arbiters reach this hub; it goes into certificates and enrolment codes.
    public_name: String = Text, Found("the machine's host name", sources::host_name), parse::host;
    /// Additional names and addresses by which browsers reach this hub, such as "chess.example.org, 203.0.113.7", or "none". The hub's certificate for browsers covers them if they were set when its authority was created.
    browser_names: Vec<String> = Text, Fixed("none"), parse::hosts_or_none;
    /// An external server certificate for browsers, with the chain to its authority (PEM), or "none". It is read again when the file changes.
    certificate: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// The private key of the external server certificate (PEM), or "none".
    certificate_key: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// Announce the hub on the local network (mDNS), so that agents find it automatically: true or false.
    mdns: bool = Switch, Fixed("true"), parse::switch;
    /// The Bluetooth adapters that search for clocks: "off", "all", or names such as "hci0, hci1".
    ble: Option<Vec<String>> = Text, Fixed("off"), parse::adapters_or_off;
    /// The number of clocks that one Bluetooth adapter carries at a time; many adapters carry no more than 7.
    ble_clocks_per_adapter: u32 = Number, Fixed("7"), parse::clocks_per_adapter;
    /// The hall's name, which spectators see while there is no event or the event has no name. It is also announced on the local network.
    event_name: String = Text, Fixed("Chess tournament"), parse::title;
    /// The hall's time zone by its IANA name, such as "Europe/Berlin". The app and the public pages show times of day in it, regardless of the device's own zone.
    time_zone: String = Text, Found("the machine's time zone", sources::time_zone), parse::time_zone;
    /// The number of the round that the boards play.
    round: u32 = Number, Fixed("1"), parse::round;
    /// The time control of a new board.
    control: EventControl = Text, Fixed("90m+30s runs on"), parse::control;
    /// Start of White's clock: by an arbiter's command ("arbiter"), by Black's press ("black"), or at a time such as "2027-05-01T14:00:00+02:00".
    start: Start = Text, Fixed("arbiter"), parse::start;
    /// The default time for late players (FIDE 6.7): "30m", "0s" for no tolerance, or "none". The hub notifies the arbiter of each player who has made no move by then; no game is lost automatically.
    default_time: Option<Duration> = Text, Fixed("none"), parse::default_time;
    /// The effect of a fallen flag on the clocks of a new game: "as the control says", "freezes", or "runs on" (FIDE 6.8).
    after_flag: Option<AfterFlag> = Text, Fixed("as the control says"), parse::after_flag;
    /// The sounds of the boards' clocks: "off", "flag" (when a flag falls), or "all" (also at each press).
    sound: Sound = Text, Fixed("off"), parse::sound;
    /// The arbiters who may correct a board at its own clock, even while the hub cannot be reached (FIDE 6.10.2): "none", names, each with a PIN, such as "Ada Okonkwo 471108, Per Lind 2290", or one PIN for all arbiters. A PIN has four to eight digits; use six or more.
    arbiter_pins: Vec<ArbiterPin> = Text, Fixed("none"), parse::arbiter_pins;
    /// The number of presses, during one move, by the side that is not to move, after which arbiters are told that presses may not register. Zero means never.
    note_ignored_presses: u32 = Number, Fixed("3"), parse::count;
    /// The percentage of the main time that a player must use for one move before arbiters may be told. The move must also take far longer than all others in the game and in the hall. Zero means never.
    note_long_think: u32 = Number, Fixed("33"), parse::percent;
    /// The boards whose time controls are compared with that of a board, so that arbiters are told of a difference: "off", "round" (the other boards of its round), or "event" (also the event's control).
    note_other_control: Compare = Text, Fixed("round"), parse::compare;
    /// The time, counted from the start of most boards of a round, after which arbiters are told of a board that has not started (FIDE 6.6), or "none".
    note_not_started: Option<Duration> = Text, Fixed("5m"), parse::span_or_none;
    /// The time for which both clocks may be stopped, by the players or by a flag fall, before arbiters are told, or "none".
    note_stopped: Option<Duration> = Text, Fixed("10m"), parse::span_or_none;
    /// The battery charge, in percent, below which arbiters are warned about a clock. Zero means never.
    note_battery: u32 = Number, Fixed("20"), parse::percent;
    /// The number of times that a clock may reconnect within note_reconnects_within before arbiters are told. Zero means never.
    note_reconnects: u32 = Number, Fixed("5"), parse::count;
    /// The period over which a clock's reconnections are counted.
    note_reconnects_within: Duration = Text, Fixed("10m"), parse::span;
    /// The free space in MiB on the data directory's disk. Arbiters are told when less is left, and again when less than a quarter of it is left. Zero means never.
    note_low_space: u32 = Number, Fixed("1024"), parse::mebibytes;
    /// The largest change to a player's time that one command may make without a second arbiter's confirmation. "0s" means no limit. Applies once two arbiters' devices are enrolled.
    second_arbiter_time: Duration = Text, Fixed("30m"), parse::span_or_zero;
    /// The largest number of games whose pairings one command may remove without a second arbiter's confirmation. Zero means no limit.
    second_arbiter_pairings: u32 = Number, Fixed("10"), parse::count;
    /// Require a second arbiter to set the event aside or to remove it: true or false.
    second_arbiter_event: bool = Switch, Fixed("true"), parse::switch;
    /// Require a second arbiter to revoke another chief arbiter's device or key file: true or false. Applies if two arbiters besides that chief have enrolled devices.
    second_arbiter_chief: bool = Switch, Fixed("true"), parse::switch;
    /// The program that pairs Swiss rounds, called as "PROGRAM --dutch INPUT -p OUTPUT" (bbpPairings, or a program with the same command line), or "none".
    pairing_program: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// The time limit for the pairing program in one round.
    pairing_within: Duration = Text, Fixed("2m"), parse::span;
    /// The folder into which a pairing program writes its files (TRF, CSV), or "none". New files wait for an arbiter's confirmation.
    watch_folder: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// The interval at which the watched folder is checked. A file is read once two checks have found it unchanged.
    watch_every: Duration = Text, Fixed("2s"), parse::span;
    /// The log level on standard error: error, warn, info, debug or trace, or a filter such as "info,hub::links=debug".
    log_level: String = Text, Fixed("info"), parse::log_level;
}

impl Config {
    /// Merges the defaults, the file at `path`, the variables of `env` and `flags` (pairs of key and value). Later sources override earlier
    /// ones.
    ///
    /// # Errors
    /// Returns [`ConfigError`] if the file cannot be read or parsed, a key is unknown, or a value is invalid. Also fails if a certificate is set
    /// without its key, or a key without its certificate.
    pub fn load(
        path: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
        flags: &[(&str, &str)],
    ) -> Result<Config, ConfigError> {
        let mut sources = Sources::default();
        if let Some(path) = path {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|source| ConfigError::Read {
                path: path.to_path_buf(),
                source,
            })?;
            sources.read_file(path, &text)?;
        }
        sources.read_env(env);
        sources.read_flags(flags)?;
        let places = ["certificate", "certificate_key"].map(|key| sources.place(key));
        let config = Config::read(sources)?;
        config.check_certificate(places)?;
        Ok(config)
    }

    fn check_certificate(&self, [certificate, key]: [Place; 2]) -> Result<(), ConfigError> {
        let (place, set, missing) = match (&self.certificate, &self.certificate_key) {
            (Some(_), None) => (certificate, "certificate", "certificate_key"),
            (None, Some(_)) => (key, "certificate_key", "certificate"),
            (Some(_), Some(_)) | (None, None) => return Ok(()),
        };
        Err(ConfigError::Incomplete {
            place,
            set,
            missing,
        })
    }

    /// Returns a configuration file that changes nothing: every key with its documentation, its variable, its flag and its default,
    /// commented out.
    pub fn documented() -> String {
        let mut text = String::from(
            "# Flagfall hub. Every key is shown with its default; remove the # to change it.\n\
             # A variable overrides this file, and a flag overrides both.\n",
        );
        for key in KEYS {
            let doc = key.doc.trim();
            let (variable, flag) = (key.variable(), key.flag());
            let value = match key.default {
                Fixed(value) if key.form == Form::Text => format!("\"{value}\""),
                Fixed(value) => value.to_owned(),
                Found(how, _) => format!("\"…\"   # default: {how}"),
            };
            text += &format!("\n# {doc}\n# {variable}, {flag}\n#{} = {value}\n", key.name);
        }
        text
    }
}

#[cfg(test)]
mod tests;
