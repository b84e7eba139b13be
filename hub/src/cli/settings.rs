//! The hub's settings as command-line flags, one per key of the configuration.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::output::{Failure, Result};
use crate::config::{Config, KEYS, Key};

#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    file: Option<PathBuf>,
    flags: Vec<(&'static str, String)>,
}

impl Settings {
    /// Sets `key` as if by its flag, unless the command line sets it.
    pub(super) fn or(mut self, key: &'static str, value: impl Into<String>) -> Self {
        if !self.flags.iter().any(|(known, _)| *known == key) {
            self.flags.push((key, value.into()));
        }
        self
    }

    /// Returns settings with only this flag, or empty settings if `value` is `None`.
    pub(super) fn only(key: &'static str, value: Option<&String>) -> Self {
        let flags = value.map(|value| (key, value.clone()));
        Self {
            file: None,
            flags: flags.into_iter().collect(),
        }
    }

    pub(super) fn load(&self) -> Result<Config> {
        self.load_with(environment())
    }

    /// Loads the configuration file and the flags, but ignores the `FLAGFALL_` variables, which may describe a real hub.
    pub(super) fn load_without_environment(&self) -> Result<Config> {
        let machine = environment().filter(|(name, _)| !name.starts_with("FLAGFALL_"));
        self.load_with(machine)
    }

    fn load_with(&self, environment: impl Iterator<Item = (String, String)>) -> Result<Config> {
        let flags = self.flags.iter();
        let flags: Vec<_> = flags.map(|(key, value)| (*key, value.as_str())).collect();
        Config::load(self.file.as_deref(), environment, &flags).map_err(Failure::usage)
    }
}

/// Returns the environment variables that are valid Unicode. Other variables cannot be settings.
fn environment() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Returns a key's flag name without its leading dashes. Leaks it, because clap requires `'static` names; there are only a few.
fn flag_name(key: &Key) -> &'static str {
    key.flag().trim_start_matches('-').to_owned().leak()
}

impl FromArgMatches for Settings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut settings = Self::default();
        settings.update_from_arg_matches(matches)?;
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.file = matches.get_one::<PathBuf>("config").cloned();
        self.flags = KEYS
            .iter()
            .filter_map(|key| Some((key.name, matches.get_one::<String>(key.name)?.clone())))
            .collect();
        Ok(())
    }
}

impl Args for Settings {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .env("FLAGFALL_CONFIG")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Settings file (flagfall config prints one)");
        KEYS.iter().fold(command.arg(file), |command, key| {
            let arg = Arg::new(key.name)
                .long(flag_name(key))
                .value_name("VALUE")
                .help(key.doc.trim().trim_end_matches('.'));
            command.arg(match key.name {
                "data_dir" => arg.visible_alias("data").value_name("DIR"),
                _ => arg,
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
