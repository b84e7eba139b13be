//! Writes the games as files into a folder, for programs that watch one: Lichess Broadcaster, chess-results, FTP clients.
//!
//! `round-R/game-B.pgn` contains one game and `round-R/games.pgn` all games of the round. Each file is replaced atomically, so that no
//! program reads a partial file.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tournament::{BoardNo, RoundNo};

use super::games::{PublicGames, Text};

pub(super) struct Folder {
    path: PathBuf,
    form: fn(&Text) -> &str,
    stale: BTreeSet<(RoundNo, BoardNo)>,
}

impl Folder {
    pub(super) fn new(path: PathBuf, lichess: bool) -> Self {
        Self {
            path,
            form: match lichess {
                true => |text| &text.lichess,
                false => |text| &text.standard,
            },
            stale: BTreeSet::new(),
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.stale.len()
    }

    /// Writes the games that have changed, and those that could not be written before. Returns the number of games written.
    ///
    /// # Errors
    /// Returns the system's error for the first file that cannot be written. The next call writes the remaining files.
    pub(super) fn update(
        &mut self,
        games: &PublicGames,
        changed: &[(RoundNo, BoardNo)],
    ) -> Result<usize, (PathBuf, io::Error)> {
        self.stale.extend(changed);
        let rounds: BTreeSet<RoundNo> = self.stale.iter().map(|(round, _)| *round).collect();
        let mut written = 0;
        for round in rounds {
            let dir = self.path.join(format!("round-{round}"));
            fs::create_dir_all(&dir).map_err(|error| (dir.clone(), error))?;
            let stale = self
                .stale
                .range((round, BoardNo(0))..=(round, BoardNo(u16::MAX)));
            let stale: Vec<(RoundNo, BoardNo)> = stale.copied().collect();
            for place in &stale {
                let text = games.get(*place).map_or("", self.form);
                replace(&dir.join(format!("game-{}.pgn", place.1)), text)?;
            }
            let all = games.of_round(round).map(|(_, text)| (self.form)(text));
            replace(&dir.join("games.pgn"), &all.collect::<String>())?;
            written += stale.len();
            for place in stale {
                self.stale.remove(&place);
            }
        }
        Ok(written)
    }
}

/// Replaces a file, or removes it if the text is empty.
fn replace(path: &Path, text: &str) -> Result<(), (PathBuf, io::Error)> {
    let failed = |error| (path.to_owned(), error);
    if text.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            Ok(()) | Err(_) => Ok(()),
        };
    }
    // Programs that watch for games ignore the extension `part`.
    let part = path.with_extension("part");
    fs::write(&part, text).map_err(failed)?;
    fs::rename(&part, path).map_err(failed)
}
