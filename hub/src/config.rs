//! The settings of a hub: one TOML file, environment variables, flags, and a default for every key.
//!
//! Owns the table of keys (see `settings!` below): the type, the documentation, the default file and the names of variables and flags are
//! all derived from it. A later source wins: default, file, `FLAGFALL_…` variable, flag. Never guesses: a key that is not known, or a
//! value that cannot be read, is an error that names its place and what was expected.

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

/// A key of the configuration, as documentation has it.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name in the file.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// What a value looks like in the file.
    form: Form,
    /// Where its default comes from.
    default: DefaultValue,
}

impl Key {
    /// The environment variable that overrides it.
    pub fn variable(&self) -> String {
        format!("{VARIABLES}{}", self.name.to_uppercase())
    }

    /// The flag that overrides it.
    pub fn flag(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }
}

/// How a value is written in TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Number,
    Switch,
}

#[derive(Clone, Copy, Debug)]
enum DefaultValue {
    /// The value, as a variable or flag would give it.
    Fixed(&'static str),
    /// Found out on the machine; the words say how.
    Found(&'static str, fn(&Sources) -> String),
}

const VARIABLES: &str = "FLAGFALL_";

/// From one table: the struct, the list of keys, and the reading of each.
macro_rules! settings {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $form:ident, $default:expr, $parse:path; )+) => {
        /// What a hub was told to do.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Config {
            $( $(#[doc = $doc])+ pub $name: $type, )+
            /// What a person should be told about the sources: variables that look like a setting and are none.
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
    /// The address and port for clock agents (QUIC, UDP) and for arbiters (gRPC, TCP).
    listen: SocketAddr = Text, Fixed("0.0.0.0:7464"), parse::address;
    /// The address and port of the public page (HTTP, TCP).
    http: SocketAddr = Text, Fixed("0.0.0.0:8080"), parse::address;
    /// The address and port of the metrics for Prometheus, or "off".
    metrics: Option<SocketAddr> = Text, Fixed("127.0.0.1:9464"), parse::address_or_off;
    /// The name or address under which agents and arbiters reach this hub; it goes into certificates and enrolment codes.
    public_name: String = Text, Found("the machine's host name", sources::host_name), parse::host;
    /// More names and addresses by which browsers reach this hub, such as "chess.example.org, 203.0.113.7", or "none". The hub's certificate for browsers covers them if they were set when its authority was made.
    browser_names: Vec<String> = Text, Fixed("none"), parse::hosts_or_none;
    /// An external server certificate for browsers, with the chain to its authority (PEM), or "none". It is read again when the file changes.
    certificate: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// The private key of that certificate (PEM), or "none".
    certificate_key: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// Whether the hub announces itself in the local network (mDNS), so that agents find it by themselves.
    mdns: bool = Switch, Fixed("true"), parse::switch;
    /// The Bluetooth adapters that look for clocks: "off", "all", or names such as "hci0, hci1".
    ble: Option<Vec<String>> = Text, Fixed("off"), parse::adapters_or_off;
    /// How many clocks one Bluetooth adapter carries at a time; many adapters carry no more than 7.
    ble_clocks_per_adapter: u32 = Number, Fixed("7"), parse::clocks_per_adapter;
    /// The name of the event, as spectators see it.
    event_name: String = Text, Fixed("Chess tournament"), parse::title;
    /// The hall's time zone by its IANA name, such as "Europe/Berlin": the app and the public pages show times of day in it, whatever zone a device has.
    time_zone: String = Text, Found("the machine's time zone", sources::time_zone), parse::time_zone;
    /// The number of the round.
    round: u32 = Number, Fixed("1"), parse::round;
    /// The time control that a new board is given.
    control: EventControl = Text, Fixed("90m+30s runs on"), parse::control;
    /// Who starts White's clock: "arbiter", "black" (by the button), or a time such as "2027-05-01T14:00:00+02:00".
    start: Start = Text, Fixed("arbiter"), parse::start;
    /// How late a player may come (FIDE 6.7): "30m", "0s" for not at all, or "none". Who has made no move by then is noted for the arbiter; nobody loses by it.
    default_time: Option<Duration> = Text, Fixed("none"), parse::default_time;
    /// What a fallen flag does to the clocks of a new game: "as the control says", "freezes", or "runs on" (FIDE 6.8).
    after_flag: Option<AfterFlag> = Text, Fixed("as the control says"), parse::after_flag;
    /// When the boards' clocks make a sound: "off", "flag" (when one falls), or "all" (at each press, too).
    sound: Sound = Text, Fixed("off"), parse::sound;
    /// Who may correct a board at its own clock, also while the hub is away (FIDE 6.10.2): "none", names with a PIN each such as "Ada Okonkwo 471108, Per Lind 2290", or one PIN for all arbiters. Four to eight digits; six or more are better.
    arbiter_pins: Vec<ArbiterPin> = Text, Fixed("none"), parse::arbiter_pins;
    /// After how many presses of the side that is not on move, during one think, arbiters are told that presses may not be registered; 0: never.
    note_ignored_presses: u32 = Number, Fixed("3"), parse::count;
    /// From how much of the main time on, in percent, a single think that is far longer than all others of the game and the hall is noted for arbiters; 0: never.
    note_long_think: u32 = Number, Fixed("33"), parse::percent;
    /// With what a board's time control is compared for notes: "off", "round" (the other boards of its round), or "event" (with the event's control, too).
    note_other_control: Compare = Text, Fixed("round"), parse::compare;
    /// How long after most of its round a board may stand before arbiters are told (FIDE 6.6), or "none".
    note_not_started: Option<Duration> = Text, Fixed("5m"), parse::span_or_none;
    /// How long both clocks may stand, stopped by the players or by a fallen flag, before arbiters are told, or "none".
    note_stopped: Option<Duration> = Text, Fixed("10m"), parse::span_or_none;
    /// The charge, in percent, below which a clock's battery is noted; 0: never.
    note_battery: u32 = Number, Fixed("20"), parse::percent;
    /// How many times a clock's link may come back within note_reconnects_within before that is noted; 0: never.
    note_reconnects: u32 = Number, Fixed("5"), parse::count;
    /// The time within which a clock's new links are counted.
    note_reconnects_within: Duration = Text, Fixed("10m"), parse::span;
    /// The program that pairs Swiss rounds, called as "PROGRAM --dutch INPUT -p OUTPUT" (bbpPairings, or one with its command line), or "none".
    pairing_program: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// How long the pairing program may take for a round before it is stopped.
    pairing_within: Duration = Text, Fixed("2m"), parse::span;
    /// The folder in which a pairing program leaves its files (TRF, CSV): what is new there waits for an arbiter's confirmation; or "none".
    watch_folder: Option<PathBuf> = Text, Fixed("none"), parse::path_or_none;
    /// How often the watched folder is looked at; a file counts once it was the same at two looks.
    watch_every: Duration = Text, Fixed("2s"), parse::span;
    /// What is logged on standard error: error, warn, info, debug or trace, or a filter such as "info,hub::links=debug".
    log_level: String = Text, Fixed("info"), parse::log_level;
}

impl Config {
    /// Merges the defaults, the file at `path`, the variables of `env` and `flags` (pairs of key and value), the later over the
    /// earlier.
    ///
    /// # Errors
    /// When the file cannot be read, a key is not known, or a value is not of its key's form: see [`ConfigError`].
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

    /// A certificate without its key is of no use, nor a key without its certificate.
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

    /// A configuration file that says what holds without it: every key with its documentation, its variable, its flag and its
    /// default, commented out.
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
