//! A random Swiss tournament, played as changes to an event, and a checker that runs the pairing program.
//!
//! Owns the random changes between rounds and the rules that every round must keep. Must never pair players itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use hub::pairing::numbering;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tournament::formats::draft::export;
use tournament::formats::trf::Edition;
use tournament::{
    Actor, BoardNo, Bye, Change, Event, Forbidden, GameResult, Outcome, Player, PlayerNo, RoundNo,
    Side, Tournament,
};

const TITLES: [&str; 9] = ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", ""];

#[derive(Debug)]
pub struct Open {
    rng: ChaCha8Rng,
    event: Tournament,
    numbered_since: RoundNo,
    entered: u16,
    late: usize,
    withdrawn: usize,
    granted: usize,
}

impl Open {
    /// Creates tournament `number` of a run with `seed`, with players but without pairings. Every third tournament uses Baku acceleration.
    pub fn new(seed: u64, number: u64, rounds: u16) -> anyhow::Result<Self> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let mut event = Event::new(&format!("Open {number}"), rounds);
        let white = rng.random_bool(0.5);
        event.initial_colour = Some(if white { Side::White } else { Side::Black });
        if number % 3 == 2 {
            event.set_baku(true);
        }
        let mut open = Self {
            rng,
            event: Tournament::new(event),
            numbered_since: RoundNo(1),
            entered: 0,
            late: 0,
            withdrawn: 0,
            granted: 0,
        };
        for _ in 0..open.rng.random_range(20..=76) {
            open.enter(RoundNo(1))?;
        }
        Ok(open)
    }

    #[must_use]
    pub const fn event(&self) -> &Tournament {
        &self.event
    }

    #[must_use]
    pub fn rounds(&self) -> u16 {
        self.event.event().rounds
    }

    /// Returns the round before which the pairing numbers last changed; round 1 if they never did. Earlier rounds were paired with different numbers.
    #[must_use]
    pub const fn numbered_since(&self) -> RoundNo {
        self.numbered_since
    }

    #[must_use]
    pub fn summary(&self) -> String {
        let event = self.event.event();
        format!(
            "{} players, {} late, {} withdrawn, {} byes requested, {} pairs forbidden{}",
            self.event.players().len(),
            self.late,
            self.withdrawn,
            self.granted,
            event.forbidden.len(),
            if event.is_baku() { ", Baku" } else { "" }
        )
    }

    #[must_use]
    pub fn export(&self) -> String {
        export(&self.event, Edition::Trf26).text
    }

    #[must_use]
    pub fn boards(&self, round: RoundNo) -> usize {
        self.event
            .rounds()
            .get(&round)
            .map_or(0, |paired| paired.boards.len())
    }

    #[must_use]
    pub fn byes(&self, round: RoundNo) -> usize {
        self.event
            .rounds()
            .get(&round)
            .map_or(0, |paired| paired.byes.len())
    }

    fn apply(&mut self, change: Change) -> anyhow::Result<()> {
        let what = format!("{change:?}");
        let applied = self.event.apply(&Actor::chief("Swiss"), change);
        applied.with_context(|| what.chars().take(200).collect::<String>())
    }

    fn enter(&mut self, from: RoundNo) -> anyhow::Result<()> {
        self.entered += 1;
        let last = self.event.players().keys().next_back().map_or(0, |no| no.0);
        // The entry number makes the name unique.
        let name = format!("Player{}, {}", self.rng.random_range(0..50), self.entered);
        let mut player = Player::new(PlayerNo(last + 1), &name);
        player.rating = self
            .rng
            .random_bool(0.9)
            .then(|| self.rng.random_range(1400..2600));
        player.title = TITLES[self.rng.random_range(0..TITLES.len())].to_owned();
        player.enters = from;
        self.apply(Change::EnterPlayer(Box::new(player)))
    }

    /// Returns a random player. The second value is true if the player has no bye in `round`.
    fn random_player(&mut self, round: RoundNo) -> (PlayerNo, bool) {
        let players: Vec<&Player> = self.event.players().values().collect();
        let chosen = players[self.rng.random_range(0..players.len())];
        (chosen.no, chosen.bye_in(round).is_none())
    }

    /// Applies random changes before a round is paired: entries, removals, new pairing numbers, withdrawals, returns, byes and forbidden pairs.
    pub fn between_rounds(&mut self, round: RoundNo) -> anyhow::Result<()> {
        if (2..=5).contains(&round.0) {
            for _ in 0..self.rng.random_range(0..2) {
                self.enter(round)?;
                self.late += 1;
            }
        }
        if round == RoundNo(1) {
            self.before_the_first()?;
        } else if self.rng.random_bool(0.3) && numbering::better(&self.event).is_some() {
            let new = numbering::requested(&self.event, &[])?;
            self.apply(Change::Renumber(Box::new(new)))?;
            self.numbered_since = round;
        }
        if round.0 > 1 && self.rng.random_bool(0.4) {
            let (player, plays) = self.random_player(round);
            if plays {
                self.apply(Change::Withdraw(player, RoundNo(round.0 - 1)))?;
                self.withdrawn += 1;
            } else if self.event.players()[&player].leaves.is_some() {
                self.apply(Change::ReturnPlayer(player))?;
            }
        }
        for _ in 0..self.rng.random_range(0..3) {
            let wanted = RoundNo(self.rng.random_range(round.0..=self.rounds()));
            let (player, plays) = self.random_player(wanted);
            let bye = [Bye::Half, Bye::Zero, Bye::Full][self.rng.random_range(0..3)];
            if plays {
                self.apply(Change::GrantBye(player, wanted, Some(bye)))?;
                self.granted += 1;
            }
        }
        Ok(())
    }

    /// Removes a random player, which may leave a gap in the numbers, and forbids up to three random pairs.
    fn before_the_first(&mut self) -> anyhow::Result<()> {
        let (player, _) = self.random_player(RoundNo(1));
        self.apply(Change::RemovePlayer(player))?;
        let mut event = self.event.event().clone();
        for _ in 0..self.rng.random_range(0..4) {
            let (one, other) = (
                self.random_player(RoundNo(1)).0,
                self.random_player(RoundNo(1)).0,
            );
            let last = self.rng.random_range(1..=self.rounds());
            if one != other {
                event.forbidden.push(Forbidden {
                    rounds: match last.is_multiple_of(2) {
                        true => Forbidden::ALL_ROUNDS,
                        false => (RoundNo(1), RoundNo(last)),
                    },
                    participants: vec![one.0.min(other.0), one.0.max(other.0)],
                });
            }
        }
        self.apply(Change::SetEvent(Box::new(event)))
    }

    /// Applies the changes that pair a round. Checks byes, rematches, forbidden pairs and, in round 1, the pairing numbers.
    ///
    /// # Errors
    /// Returns an error if a change is refused or a check fails.
    pub fn announce(&mut self, round: RoundNo, changes: Vec<Change>) -> anyhow::Result<()> {
        let before = self.event.clone();
        for change in changes {
            self.apply(change)?;
        }
        if round == RoundNo(1) {
            ensure!(
                numbering::better(&self.event).is_none(),
                "the numbers are not the initial order"
            );
        }
        let named = |event: &Tournament| -> BTreeMap<String, BTreeMap<RoundNo, Bye>> {
            let players = event.players().values();
            players
                .map(|player| (player.name.clone(), player.byes.clone()))
                .collect()
        };
        ensure!(
            named(&before) == named(&self.event),
            "a request was lost or given to a different player"
        );
        self.holds(round)
    }

    fn holds(&self, round: RoundNo) -> anyhow::Result<()> {
        let paired = &self.event.rounds()[&round];
        let mut allocated = 0;
        for player in self.event.players().values() {
            let board = paired.board_of(player.no).is_some();
            let bye = paired.byes.get(&player.no).copied();
            match player.bye_in(round) {
                Some(granted) => ensure!(
                    !board && bye == Some(granted),
                    "round {round}: {} has {bye:?} for {granted:?}",
                    player.no
                ),
                None => ensure!(
                    board != (bye == Some(Bye::PairingAllocated)),
                    "round {round}: {} has no game",
                    player.no
                ),
            }
            allocated += usize::from(bye == Some(Bye::PairingAllocated));
        }
        ensure!(
            allocated <= 1,
            "round {round}: {allocated} byes of the pairing"
        );
        let met = self.met_before(round);
        for board in paired.boards.values() {
            let (Some(white), Some(black)) = (board.white, board.black) else {
                continue;
            };
            let pair = (white.min(black), white.max(black));
            ensure!(
                !met.contains(&pair),
                "round {round}: {white} and {black} meet again"
            );
            let forbidden = self.event.event().forbidden_pair(round, white.0, black.0);
            ensure!(
                forbidden.is_none(),
                "round {round}: {white} and {black} must not meet"
            );
        }
        Ok(())
    }

    fn met_before(&self, round: RoundNo) -> BTreeSet<(PlayerNo, PlayerNo)> {
        let rounds = self.event.rounds().range(..round);
        let boards = rounds.flat_map(|(_, round)| round.boards.values());
        let played = boards.filter(|board| board.result.is_some_and(|result| result.is_played()));
        let pairs = played.filter_map(|board| Some((board.white?, board.black?)));
        pairs
            .map(|(one, other)| (one.min(other), one.max(other)))
            .collect()
    }

    /// Enters a random result on every board, a few of them forfeits, and confirms the round.
    pub fn play(&mut self, round: RoundNo) -> anyhow::Result<()> {
        let boards: Vec<BoardNo> = self.event.rounds()[&round].boards.keys().copied().collect();
        for board in boards {
            let result = match self.rng.random_range(0..100) {
                0..40 => GameResult::played(Outcome::Win),
                40..65 => GameResult::played(Outcome::Draw),
                65..95 => GameResult::played(Outcome::Loss),
                95..97 => GameResult::forfeit(Side::White),
                97..99 => GameResult::forfeit(Side::Black),
                _ => GameResult::DOUBLE_FORFEIT,
            };
            self.apply(Change::Enter(round, board, result, String::new()))?;
        }
        self.apply(Change::Confirm(round))
    }
}

#[derive(Debug)]
pub struct Checker {
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Checker {
    pub fn new(program: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            program: program.to_owned(),
            folder: tempfile::tempdir()?,
        })
    }

    /// Checks a report. Returns the differences from the program's own pairings in round `since` and later; empty if there are none.
    ///
    /// # Errors
    /// Returns an error if the program does not run or refuses the report.
    pub fn check(&self, report: &str, since: RoundNo) -> anyhow::Result<String> {
        let file = self.folder.path().join("report.trf");
        std::fs::write(&file, report)?;
        let output = Command::new(&self.program)
            .arg("--dutch")
            .arg(&file)
            .arg("-c")
            .output();
        let output = output.with_context(|| self.program.display().to_string())?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let why = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "the checker does not read the export: {why}"
        );
        Ok(complaints(&said, since))
    }
}

/// Returns the lines that report a difference in round `since` or later, each preceded by its round.
fn complaints(said: &str, since: RoundNo) -> String {
    let mut round = 0;
    let mut found = Vec::new();
    for line in said.lines() {
        if let Some((_, number)) = line.split_once("Round #") {
            round = number.trim().parse().unwrap_or(0);
        } else if !line.trim().is_empty() && round >= since.0 {
            found.push(format!("round {round}: {line}"));
        }
    }
    found.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_before_the_given_round_are_ignored() {
        let said = "x: Round #1\n  Checker pairings   Tournament pairings\n     1 -  2   1 -  3\n\nx: Round #2\n\n";
        assert_eq!(complaints(said, RoundNo(1)).lines().count(), 2);
        assert_eq!(complaints(said, RoundNo(2)), "");
    }

    #[test]
    fn a_round_that_pairs_a_player_with_a_bye_is_rejected() {
        let mut open = Open::new(1, 0, 3).unwrap();
        let (one, other) = (PlayerNo(1), PlayerNo(2));
        open.apply(Change::GrantBye(one, RoundNo(1), Some(Bye::Half)))
            .unwrap();
        let pairings = tournament::Pairings {
            boards: vec![tournament::Pairing::new(BoardNo(1), one, other)],
            ..tournament::Pairings::default()
        };
        let round = Change::PairRound(RoundNo(1), Box::new(pairings));
        open.apply(round).unwrap();
        assert!(open.holds(RoundNo(1)).is_err());
    }
}
