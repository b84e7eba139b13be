//! Gathers the values from file, variables and flags, each with its place, and finds the defaults that depend on the machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Place};
use super::{DefaultValue, Form, KEYS, Key, VARIABLES};

/// Minimum similarity at which a known key is suggested for an unknown one.
const LIKENESS: f64 = 0.75;

/// Variables with Flagfall's prefix that are not keys of the configuration and cause no warning.
const OTHER_VARIABLES: &[&str] = &["FLAGFALL_CONFIG"];

/// Keys whose values are never repeated in a message.
const SECRET: &[&str] = &["arbiter_pins"];

/// The given values: for each key, the value from the last source that has one.
#[derive(Debug, Default)]
pub(super) struct Sources {
    values: BTreeMap<&'static str, (Place, String)>,
    /// The variables HOME, XDG_DATA_HOME and TZ, from which defaults are derived.
    machine: BTreeMap<String, String>,
    pub(super) warnings: Vec<String>,
}

impl Sources {
    pub(super) fn read_file(&mut self, path: &Path, text: &str) -> Result<(), ConfigError> {
        let place = |offset: usize| place_in(path, text, offset);
        let table = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
            place: place(error.span().map_or(0, |span| span.start)),
            what: error.message().to_owned(),
        })?;
        for (written, value) in table.get_ref() {
            let name: &str = written.get_ref();
            let key = find_key(name).ok_or_else(|| unknown(place(written.span().start), name))?;
            let at = place(value.span().start);
            let text =
                plain(key, value.get_ref()).map_err(|found| wrong_form(at.clone(), key, found))?;
            self.values.insert(key.name, (at, text));
        }
        Ok(())
    }

    pub(super) fn read_env(&mut self, env: impl Iterator<Item = (String, String)>) {
        for (variable, value) in env {
            let Some(name) = variable.strip_prefix(VARIABLES) else {
                if matches!(variable.as_str(), "HOME" | "XDG_DATA_HOME" | "TZ") {
                    self.machine.insert(variable, value);
                }
                continue;
            };
            let name = name.to_lowercase();
            match find_key(&name) {
                Some(key) => {
                    self.values
                        .insert(key.name, (Place::Variable(variable), value));
                }
                None if OTHER_VARIABLES.contains(&variable.as_str()) => {}
                // The variable may belong to another Flagfall program, so warn instead of refusing to start.
                None => self.warnings.push(match nearest(&name) {
                    Some(key) => format!(
                        "environment variable {variable} is not a setting; did you mean {}?",
                        key.variable()
                    ),
                    None => format!("environment variable {variable} is not a setting"),
                }),
            }
        }
    }

    pub(super) fn read_flags(&mut self, flags: &[(&str, &str)]) -> Result<(), ConfigError> {
        for (name, value) in flags {
            let name = name.trim_start_matches('-').replace('-', "_");
            let key = find_key(&name).ok_or_else(|| {
                unknown(Place::Flag(format!("--{}", name.replace('_', "-"))), &name)
            })?;
            self.values
                .insert(key.name, (Place::Flag(key.flag()), (*value).to_owned()));
        }
        Ok(())
    }

    pub(super) fn value<T>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, ConfigError> {
        let (place, text) = match self.values.get(name) {
            Some((place, text)) => (place.clone(), text.clone()),
            None => (Place::Default(name), self.default_of(name)),
        };
        parse(&text).map_err(|expected| ConfigError::Value {
            place,
            key: name,
            expected,
            found: match SECRET.contains(&name) {
                true => "something else".to_owned(),
                false => format!("“{text}”"),
            },
        })
    }

    pub(super) fn place(&self, name: &'static str) -> Place {
        let given = self.values.get(name);
        given.map_or(Place::Default(name), |(place, _)| place.clone())
    }

    fn default_of(&self, name: &str) -> String {
        match find_key(name).map(|key| key.default) {
            Some(DefaultValue::Fixed(value)) => value.to_owned(),
            Some(DefaultValue::Found(_, find)) => find(self),
            None => String::new(), // every caller names a key of the table
        }
    }
}

/// Returns the machine's time zone from TZ, the link /etc/localtime, or /etc/timezone; UTC if none of these names a zone.
pub(super) fn time_zone(sources: &Sources) -> String {
    let variable = sources.machine.get("TZ");
    let variable = variable.map(|zone| zone.trim_start_matches(':').to_owned());
    let linked = || zone_of_link(&std::fs::read_link("/etc/localtime").ok()?);
    let written = || std::fs::read_to_string("/etc/timezone").ok();
    let is_name = |zone: &String| super::parse::time_zone(zone).is_ok();
    variable
        .filter(is_name)
        .or_else(|| linked().filter(is_name))
        .or_else(|| written().map(|zone| zone.trim().to_owned()).filter(is_name))
        .unwrap_or_else(|| "UTC".to_owned())
}

/// Returns the zone named by a link into the time zone database: `Europe/Berlin` for `/usr/share/zoneinfo/Europe/Berlin`.
pub(super) fn zone_of_link(target: &Path) -> Option<String> {
    let (_, zone) = target.to_str()?.split_once("zoneinfo/")?;
    let zone = zone.strip_prefix("posix/").unwrap_or(zone);
    Some(zone.to_owned())
}

pub(super) fn data_dir(sources: &Sources) -> String {
    let variable = |name: &str| sources.machine.get(name).map(PathBuf::from);
    let dir = state_dir("flagfall", variable);
    let dir = dir.unwrap_or_else(|| PathBuf::from("/var/lib/flagfall"));
    dir.to_string_lossy().into_owned()
}

/// Returns the directory for the state of `program`: below /var/lib for root, otherwise below the user's data directory. For a user
/// other than root, returns `None` if neither HOME nor XDG_DATA_HOME is an absolute path.
pub(crate) fn state_dir(
    program: &str,
    variable: impl Fn(&str) -> Option<PathBuf>,
) -> Option<PathBuf> {
    if rustix::process::geteuid().is_root() {
        return Some(Path::new("/var/lib").join(program));
    }
    let absolute = |name| variable(name).filter(|path| path.is_absolute());
    let home = || Some(absolute("HOME")?.join(".local/share"));
    let data = absolute("XDG_DATA_HOME").or_else(home)?;
    Some(data.join(program))
}

pub(super) fn host_name(_: &Sources) -> String {
    let name = rustix::system::uname();
    let name = super::parse::host(&name.nodename().to_string_lossy());
    name.unwrap_or_else(|_| "localhost".to_owned())
}

fn find_key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

fn nearest(name: &str) -> Option<&'static Key> {
    let likeness = |key: &Key| strsim::jaro_winkler(key.name, name);
    let best = KEYS
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= LIKENESS).then_some(best)
}

fn unknown(place: Place, name: &str) -> ConfigError {
    ConfigError::UnknownKey {
        place,
        key: name.to_owned(),
        nearest: nearest(name).map(|key| key.name),
    }
}

fn wrong_form(place: Place, key: &'static Key, found: String) -> ConfigError {
    let expected = match key.form {
        Form::Text => "text in quotes",
        Form::Number => "a whole number",
        Form::Switch => "true or false",
    };
    ConfigError::Value {
        place,
        key: key.name,
        expected: expected.to_owned(),
        found,
    }
}

/// Returns the value as a variable or flag would contain it, or a description of its wrong type.
fn plain(key: &Key, value: &DeValue<'_>) -> Result<String, String> {
    match (key.form, value) {
        (Form::Text, DeValue::String(text)) => Ok(text.to_string()),
        (Form::Number, DeValue::Integer(number)) => {
            let digits = i64::from_str_radix(number.as_str(), number.radix());
            Ok(digits.map_or_else(|_| number.as_str().to_owned(), |number| number.to_string()))
        }
        (Form::Switch, DeValue::Boolean(switch)) => Ok(switch.to_string()),
        (_, DeValue::String(text)) => Err(format!("the text “{text}”")),
        (_, other) => Err(match other.type_str() {
            "integer" => "a number".to_owned(),
            "float" => "a number with a fraction".to_owned(),
            "boolean" => "true or false".to_owned(),
            "datetime" => "a date without quotes".to_owned(),
            other => format!("a TOML {other}"),
        }),
    }
}

/// Returns the line and column, from 1, of the byte at `offset`.
fn place_in(path: &Path, text: &str, offset: usize) -> Place {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[line_start..].chars().count() + 1;
    Place::File {
        path: path.to_path_buf(),
        line: before.matches('\n').count() + 1,
        column,
    }
}
