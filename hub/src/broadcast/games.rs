//! The games in PGN, limited to what spectators may see. A game is replayed when its board has a new record, or its players or result change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tonic::Status;

use super::Stage;
use crate::games::{self, EventGame, Games};
use crate::live::{Audience, LiveHall};
use crate::lock::lock;
use crate::web::WantedGames;
use hall::{BoardId, EventNo, TournamentNow};
use tournament::formats::pgn::games::{PgnTarget, Selection, write};
use tournament::formats::pgn::movetext::Played;
use tournament::{Board, BoardNo, GameResult, PlayerNo, RoundNo};

#[derive(Clone)]
pub(super) struct Shown {
    pub(super) live: Arc<LiveHall>,
    /// The delayed hall; `None` while the hall is shown without a delay.
    pub(super) stage: Option<Arc<Mutex<Stage>>>,
}

impl Shown {
    fn tournament(&self) -> Option<TournamentNow> {
        self.live.tournament_for(Audience::Viewers)
    }

    /// Returns how many of the log's records the shown state of a board includes; `u64::MAX` without a delay.
    fn records(&self, board: &str) -> u64 {
        let stage = self.stage.as_ref();
        stage.map_or(u64::MAX, |stage| lock(stage).shown_records(board))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) standard: String,
    pub(super) lichess: String,
}

pub(super) struct PublicGames {
    games: Games,
    origin: String,
    event: Option<EventNo>,
    /// The PGN of each game; empty if PGN cannot represent the game (for example, a forfeit).
    known: BTreeMap<(RoundNo, BoardNo), Known>,
}

struct Known {
    grown: GameVersion,
    played: Option<Played>,
    /// The version of the event from which the PGN tags were made.
    version: u64,
    text: Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GameVersion {
    /// Index of the newest shown record of the board's games in this round.
    newest: Option<u64>,
    players: [Option<PlayerNo>; 2],
    result: Option<GameResult>,
}

impl PublicGames {
    pub(super) fn new(games: Games, origin: String) -> Self {
        Self {
            games,
            origin,
            event: None,
            known: BTreeMap::new(),
        }
    }

    /// Updates the games to the state shown, and returns those whose text has changed.
    ///
    /// # Errors
    /// Returns `DATA_LOSS` if the log is damaged.
    pub(super) fn refresh(&mut self, shown: &Shown) -> Result<Vec<(RoundNo, BoardNo)>, Status> {
        let Some(now) = shown.tournament() else {
            self.known.clear();
            return Ok(Vec::new());
        };
        self.games.places.complete_here(&self.games.log)?;
        if self.event.replace(now.number()) != Some(now.number()) {
            self.known.clear();
        }
        let tournament = now.tournament.clone();
        self.known.retain(|(round, no), _| {
            let round = tournament.rounds().get(round);
            round.is_some_and(|round| round.boards.contains_key(no))
        });
        let mut changed = Vec::new();
        for (round, paired) in tournament.rounds() {
            for (no, board) in &paired.boards {
                if self.renew(shown, &now, (*round, *no), board)? {
                    changed.push((*round, *no));
                }
            }
        }
        Ok(changed)
    }

    fn renew(
        &mut self,
        shown: &Shown,
        now: &TournamentNow,
        place: (RoundNo, BoardNo),
        board: &Board,
    ) -> Result<bool, Status> {
        let name = place.1.to_string();
        let records = shown.records(&name);
        let id: Option<BoardId> = name.parse().ok();
        let newest = id.and_then(|id| {
            let places = &self.games.places;
            places.read(|index| index.newest(&id, place.0.0.into(), records))
        });
        let grown = GameVersion {
            newest,
            players: [board.white, board.black],
            result: board.result,
        };
        let known = self.known.get(&place);
        let same = known.filter(|known| known.grown == grown);
        if same.is_some_and(|known| known.version == now.version) {
            return Ok(false);
        }
        let played = match same {
            Some(known) => known.played.clone(),
            None => match EventGame::of(&now.tournament, place, board) {
                Some(due) => self.games.played(&due, records)?,
                None => None,
            },
        };
        let key = games::key(&self.origin, now.number().0);
        let [standard, lichess] = [PgnTarget::Standard, PgnTarget::Lichess].map(|target| {
            let selection = Selection {
                rounds: &[place.0],
                board: Some(place.1),
                target,
                key: &key,
            };
            write(&now.tournament, selection, &|_, _| played.clone()).text
        });
        let text = Text { standard, lichess };
        let is_new = known.is_none_or(|known| known.text != text);
        let known = Known {
            grown,
            played,
            version: now.version,
            text,
        };
        self.known.insert(place, known);
        Ok(is_new)
    }

    pub(super) fn of_round(&self, round: RoundNo) -> impl Iterator<Item = (BoardNo, &Text)> {
        let games = self.known.range((round, BoardNo(0))..);
        let games = games.take_while(move |((of, _), _)| *of == round);
        games.map(|((_, no), known)| (*no, &known.text))
    }

    /// Returns the requested games as one PGN text, or `None` if the round is not paired.
    pub(super) fn text(&self, wanted: WantedGames) -> Option<String> {
        let mut all = self.of_round(wanted.round).peekable();
        all.peek()?;
        let (first, last) = wanted.places;
        let places = all.zip(1..);
        let places = places.filter(|(_, place)| (first..=last).contains(place));
        let texts = places.map(|((_, text), _)| match wanted.lichess {
            true => text.lichess.as_str(),
            false => text.standard.as_str(),
        });
        Some(texts.collect())
    }

    pub(super) fn places(&self) -> impl Iterator<Item = (RoundNo, BoardNo)> {
        self.known.keys().copied()
    }

    pub(super) fn get(&self, place: (RoundNo, BoardNo)) -> Option<&Text> {
        self.known.get(&place).map(|known| &known.text)
    }
}
