//! The broadcast settings, stored as `broadcast.json` in the data directory. Owns their format and bounds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::identity::{IdentityError, files};
use hall::BoardId;

const FILE: &str = "broadcast.json";
pub const MAX_DELAY_S: u32 = 6 * 3_600;
/// The maximum number of different delays, because each needs its own fold of the log.
pub const MAX_DELAYS: usize = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The delay before spectators see what happens in the hall, in seconds.
    pub delay_s: u32,
    /// Boards with their own delay, in seconds.
    pub boards: BTreeMap<String, u32>,
    pub folder: Option<Folder>,
    pub lichess: Option<Lichess>,
    /// The address of the public pages, without a trailing slash. Other sites load preview pictures from it.
    pub site: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folder {
    /// The absolute path of the folder on the hub's machine.
    pub path: PathBuf,
    /// True if the games are written in Lichess's form of PGN instead of the standard form.
    pub lichess: bool,
}

#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lichess {
    /// The server, such as `https://lichess.org`.
    pub server: String,
    /// A personal access token with the scope `study:write`. Never shown.
    pub token: String,
    /// The ids of the Lichess rounds for each round of the event, in order: one for every hundred boards.
    pub rounds: BTreeMap<u16, Vec<String>>,
}

impl std::fmt::Debug for Lichess {
    /// Omits the token.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lichess({} {:?})", self.server, self.rounds)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("a delay of {0} s is longer than {MAX_DELAY_S} s")]
    TooLong(u32),
    #[error("{0} different delays: at most {MAX_DELAYS} are possible at a time")]
    TooMany(usize),
    #[error("the folder {}: the path must begin with /", .0.display())]
    Folder(PathBuf),
    #[error("the server {0:?} must begin with https://, or with http:// on the hub's own machine")]
    Server(String),
    #[error("{0:?} is not the address of a site, such as https://live.example.org")]
    Site(String),
    #[error("Lichess needs a token with the scope study:write")]
    NoToken,
    #[error(
        "round {round}: {id:?} is not the id of a broadcast round, which has 8 letters and digits"
    )]
    Round { round: u16, id: String },
    #[error("board {board:?}: {why}")]
    Board { board: String, why: String },
    #[error("{}: {what}; spectators see nothing until the broadcast is set again", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(transparent)]
    File(#[from] IdentityError),
}

impl Settings {
    /// Reads the settings in `dir`, or returns the default settings if there is no file.
    ///
    /// # Errors
    /// Returns [`SettingsError::Damaged`] if the file is malformed or a setting is invalid, and a different error if it cannot be read.
    pub fn read(dir: &Path) -> Result<Self, SettingsError> {
        let path = dir.join(FILE);
        if !files::exists(&path)? {
            return Ok(Self::default());
        }
        let text = files::read_private(&path)?;
        let settings = serde_json::from_str::<Self>(&text).map_err(|error| error.to_string());
        let checked = settings.and_then(|settings| {
            settings.check().map_err(|error| error.to_string())?;
            Ok(settings)
        });
        checked.map_err(|what| SettingsError::Damaged { path, what })
    }

    /// Writes the settings, which are durable on return.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, dir: &Path) -> Result<(), SettingsError> {
        // Serialisation cannot fail: the keys are text or numbers, and the path came from text.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        Ok(files::write_private(&dir.join(FILE), &format!("{text}\n"))?)
    }

    /// Checks that every setting is valid.
    ///
    /// # Errors
    /// Returns an error that names the first invalid setting.
    pub fn check(&self) -> Result<(), SettingsError> {
        for board in self.boards.keys() {
            let parsed: Result<BoardId, _> = board.parse();
            parsed.map_err(|error| SettingsError::Board {
                board: board.clone(),
                why: error.to_string(),
            })?;
        }
        if let Some(folder) = &self.folder
            && !folder.path.is_absolute()
        {
            return Err(SettingsError::Folder(folder.path.clone()));
        }
        if let Some(lichess) = &self.lichess {
            lichess.check()?;
        }
        if let Some(site) = &self.site {
            check_site(site)?;
        }
        let delays = self.delays();
        let longest = delays.last().copied().unwrap_or_default();
        if longest > MAX_DELAY_S {
            return Err(SettingsError::TooLong(longest));
        }
        match delays.len() {
            count if count > MAX_DELAYS => Err(SettingsError::TooMany(count)),
            _ => Ok(()),
        }
    }

    /// Returns true if spectators see the hall without a delay.
    pub fn is_live(&self) -> bool {
        self.delays() == [0]
    }

    /// Returns the distinct delays in seconds, shortest first.
    pub(super) fn delays(&self) -> Vec<u32> {
        let mut delays: Vec<u32> = self.boards.values().copied().collect();
        delays.push(self.delay_s);
        delays.sort_unstable();
        delays.dedup();
        delays
    }

    pub(super) fn delay_of(&self, board: &str) -> u32 {
        let own = self.boards.get(board).copied();
        own.unwrap_or(self.delay_s)
    }
}

/// Checks that an address consists of a scheme, a host and, optionally, a port.
fn check_site(site: &str) -> Result<(), SettingsError> {
    let host = site
        .strip_prefix("https://")
        .or(site.strip_prefix("http://"));
    let is_host = |host: &str| {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-.:[]".contains(&b);
        !host.is_empty() && host.bytes().all(allowed)
    };
    match host.is_some_and(is_host) {
        true => Ok(()),
        false => Err(SettingsError::Site(site.to_owned())),
    }
}

impl Lichess {
    fn check(&self) -> Result<(), SettingsError> {
        let local = ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"];
        let is_local = local.iter().any(|begins| self.server.starts_with(begins));
        if !self.server.starts_with("https://") && !is_local {
            return Err(SettingsError::Server(self.server.clone()));
        }
        if self.token.is_empty() || !self.token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(SettingsError::NoToken);
        }
        for (round, ids) in &self.rounds {
            let is_wrong =
                |id: &&String| id.len() != 8 || !id.bytes().all(|b| b.is_ascii_alphanumeric());
            if let Some(id) = ids.iter().find(is_wrong) {
                return Err(SettingsError::Round {
                    round: *round,
                    id: id.clone(),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_stored_and_damage_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Settings::read(dir.path()).unwrap(), Settings::default());
        let settings = Settings {
            delay_s: 900,
            boards: BTreeMap::from([("1".to_owned(), 1800)]),
            folder: Some(Folder {
                path: "/srv/games".into(),
                lichess: true,
            }),
            lichess: Some(lichess("https://lichess.org", "lip_secret", "abcdEF12")),
            site: Some("https://live.example.org".to_owned()),
        };
        settings.write(dir.path()).unwrap();
        assert_eq!(Settings::read(dir.path()).unwrap(), settings);
        for damaged in [
            "{",
            "{\"delay_s\": 900, \"dealy\": 1}",
            "{\"delay_s\": 21601}",
        ] {
            std::fs::write(dir.path().join(FILE), damaged).unwrap();
            let error = Settings::read(dir.path()).unwrap_err();
            assert!(error.to_string().contains(FILE), "{error}");
        }
    }

    fn lichess(server: &str, token: &str, round: &str) -> Lichess {
        Lichess {
            server: server.to_owned(),
            token: token.to_owned(),
            rounds: BTreeMap::from([(1, vec![round.to_owned()])]),
        }
    }

    #[test]
    fn a_token_is_sent_only_over_tls_or_loopback_and_never_printed() {
        let told = |server, token, round| {
            let lichess = lichess(server, token, round);
            assert!(!format!("{lichess:?}").contains(token) || token.is_empty());
            lichess.check().map_err(|error| error.to_string())
        };
        assert_eq!(told("https://lichess.org", "lip_x", "abcdEF12"), Ok(()));
        assert_eq!(told("http://127.0.0.1:9663", "lip_x", "abcdEF12"), Ok(()));
        for (server, token, round) in [
            ("http://lichess.org", "lip_x", "abcdEF12"),
            ("http://127.0.0.1.example:80", "lip_x", "abcdEF12"),
            ("https://lichess.org", "", "abcdEF12"),
            ("https://lichess.org", "lip x", "abcdEF12"),
            (
                "https://lichess.org",
                "lip_x",
                "https://lichess.org/broadcast/x",
            ),
        ] {
            assert!(
                told(server, token, round).is_err(),
                "{server} {token} {round}"
            );
        }
    }

    #[test]
    fn a_site_has_only_a_scheme_a_host_and_a_port() {
        for (site, is_site) in [
            ("https://live.example.org", true),
            ("http://192.0.2.7:8080", true),
            ("http://[2001:db8::1]:8080", true),
            ("https://live.example.org/", false),
            ("https://", false),
            ("live.example.org", false),
            ("https://live.example.org\"><script>", false),
        ] {
            assert_eq!(check_site(site).is_ok(), is_site, "{site}");
        }
    }

    #[test]
    fn bounds_are_checked() {
        let with = |delay_s, boards: &[(&str, u32)]| {
            let boards = boards
                .iter()
                .map(|(board, delay)| ((*board).to_owned(), *delay));
            let settings = Settings {
                delay_s,
                boards: boards.collect(),
                ..Settings::default()
            };
            settings.check().map_err(|error| error.to_string())
        };
        assert_eq!(with(900, &[("1", 0), ("2", 60), ("3", 1800)]), Ok(()));
        let many = with(900, &[("1", 0), ("2", 60), ("3", 1800), ("4", 30)]);
        assert_eq!(
            many.unwrap_err(),
            "5 different delays: at most 4 are possible at a time"
        );
        let long = with(0, &[("1", 21_601)]);
        assert_eq!(
            long.unwrap_err(),
            "a delay of 21601 s is longer than 21600 s"
        );
        let nameless = with(0, &[("", 5)]).unwrap_err();
        assert!(nameless.starts_with("board \"\": "), "{nameless}");
    }
}
