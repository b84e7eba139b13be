//! The index of the log by board and game. Lists each board's records, and the other records that a replay needs. Holds
//! sixteen bytes for each record of a board. Owns no record.

use std::collections::{BTreeMap, BTreeSet};

use proto::ids::AgentId;
use proto::log::{EventChanged, Record, command_received, record};

use super::event_rules::{EventRules, Relevance};
use crate::{BoardId, GamePlace};

/// The location of a board's record: its index in the log, and its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub index: u64,
    pub game: GamePlace,
}

/// The index of a log. [`RecordIndex::add`] fills it in the log's order.
#[derive(Debug, Default)]
pub struct RecordIndex {
    next: u64,
    boards: BTreeMap<String, BoardRecords>,
    agents: BTreeMap<AgentId, AgentRecords>,
    /// Records that every replay needs.
    hall: Vec<u64>,
    /// Records on which the rules of an event depend.
    event: Vec<u64>,
    /// Records of an event on which its rules depend only if an import other than the newest is undone later.
    counted: Vec<u64>,
    event_rules: EventRules,
    /// True if an event names rule sets, so that a board's rules depend on the records in `event`.
    names_rules: bool,
}

#[derive(Debug, Default)]
struct BoardRecords {
    places: Vec<Place>,
    newest_game: GamePlace,
    agents: BTreeSet<AgentId>,
}

#[derive(Debug, Default)]
struct AgentRecords {
    boards: BTreeSet<String>,
    /// Indexes of the agent's records that name no board.
    elsewhere: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum NoGame {
    #[error("the log has no record of a board {0}")]
    Board(BoardId),
    #[error("board {board} had no such game; its games are: {games}")]
    Game { board: BoardId, games: String },
}

impl RecordIndex {
    /// Returns the index of the first record that has not been added.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Adds the record with index [`RecordIndex::next`], or a later one.
    pub fn add(&mut self, index: u64, record: &Record) {
        self.next = index + 1;
        if !record.board.is_empty() {
            if !self.boards.contains_key(&record.board) {
                self.boards
                    .insert(record.board.clone(), BoardRecords::default());
            }
            if let Some(board) = self.boards.get_mut(&record.board) {
                board.newest_game = board.newest_game.followed_by(record);
                board.places.push(Place {
                    index,
                    game: board.newest_game,
                });
            }
        }
        match &record.input {
            Some(
                record::Input::Opened(_)
                | record::Input::HubStarted(_)
                | record::Input::Arbiters(_),
            ) => self.hall.push(index),
            Some(record::Input::EventChanged(changed)) => self.add_event(index, changed),
            Some(record::Input::AgentEnrolled(enrolled)) => {
                self.add_agent(index, record, &enrolled.agent);
                self.link(&enrolled.board, &enrolled.agent);
            }
            Some(record::Input::AgentRevoked(revoked)) => {
                self.add_agent(index, record, &revoked.agent);
            }
            Some(record::Input::AgentEvent(event)) => self.add_agent(index, record, &event.agent),
            Some(record::Input::Command(command)) => {
                if let Some(command_received::What::Assign(assign)) = &command.what {
                    self.link(&record.board, &assign.agent);
                }
            }
            Some(_) | None => (),
        }
    }

    fn add_event(&mut self, index: u64, changed: &EventChanged) {
        match Relevance::of(changed) {
            Relevance::None => (),
            Relevance::Rules => self.event.push(index),
            Relevance::Version => self.counted.push(index),
            Relevance::Undo => {
                if !self.event_rules.undoes_newest(changed) {
                    self.event.append(&mut self.counted);
                }
                self.event.push(index);
            }
        }
        self.event_rules.follow(changed);
        self.names_rules |= self.event_rules.are_named();
    }

    fn add_agent(&mut self, index: u64, record: &Record, agent: &[u8]) {
        self.link(&record.board, agent);
        if let Ok(agent) = AgentId::try_from(agent)
            && record.board.is_empty()
        {
            let agent = self.agents.entry(agent).or_default();
            agent.elsewhere.push(index);
        }
    }

    fn link(&mut self, board: &str, agent: &[u8]) {
        let Ok(agent) = AgentId::try_from(agent) else {
            return;
        };
        if board.is_empty() {
            return;
        }
        if let Some(known) = self.boards.get_mut(board)
            && known.agents.insert(agent)
        {
            let agent = self.agents.entry(agent).or_default();
            agent.boards.insert(board.to_owned());
        } else if !self.boards.contains_key(board) {
            let known = self.boards.entry(board.to_owned()).or_default();
            known.agents.insert(agent);
            let agent = self.agents.entry(agent).or_default();
            agent.boards.insert(board.to_owned());
        }
    }

    /// Returns the records of a board from index `from`, in order. An empty `board` selects every board.
    pub fn places(&self, board: &str, from: u64) -> Vec<Place> {
        let boards = self.boards.iter();
        let boards = boards.filter(|(name, _)| board.is_empty() || *name == board);
        let places = boards.flat_map(|(_, board)| {
            let first = board.places.partition_point(|place| place.index < from);
            &board.places[first..]
        });
        let mut places: Vec<Place> = places.copied().collect();
        places.sort_unstable_by_key(|place| place.index);
        places
    }

    /// Returns the index of the newest record before `end` in a board's games of one round.
    pub fn newest(&self, board: &BoardId, round: u32, end: u64) -> Option<u64> {
        let places = &self.boards.get(board.as_str())?.places;
        let before = places.partition_point(|place| place.index < end);
        let place = places[..before]
            .iter()
            .rfind(|place| place.game.round == round)?;
        Some(place.index)
    }

    /// Returns the first record of each game of a board, in order.
    pub fn games(&self, board: &BoardId) -> Vec<Place> {
        let mut games: Vec<Place> = Vec::new();
        let places = self.boards.get(board.as_str());
        for place in places.iter().flat_map(|board| &board.places) {
            if place.game.game > 0
                && games
                    .last()
                    .is_none_or(|last| last.game.game != place.game.game)
            {
                games.push(*place);
            }
        }
        games
    }

    /// Finds a board's newest game that matches `game` and `round`; 0 matches every game, or every round.
    ///
    /// # Errors
    /// Returns an error if the board or the game does not exist.
    pub fn find(&self, board: &BoardId, game: u32, round: u32) -> Result<GamePlace, NoGame> {
        let games = self.games(board);
        if games.is_empty() {
            return Err(NoGame::Board(board.clone()));
        }
        let found = games.iter().rfind(|place| place.game.is_in(game, round));
        found.map(|place| place.game).ok_or_else(|| {
            let words: Vec<String> = games.iter().map(|place| game_words(place.game)).collect();
            NoGame::Game {
                board: board.clone(),
                games: words.join(", "),
            }
        })
    }

    /// Returns the indexes of the records from which a board's game is replayed, in order and up to the end of the
    /// game. They are the records of the board, of the boards connected with it by shared clocks, of all these boards'
    /// clocks, and of the hall. If an event names rule sets, the records on which its rules depend are included.
    pub fn needed(&self, board: &BoardId, game: GamePlace) -> Vec<u64> {
        let games = self.games(board);
        let after = games.iter().find(|place| place.game.game > game.game);
        let end = after.map_or(u64::MAX, |place| place.index);
        let (boards, agents) = self.related(board.as_str());
        let of_boards = boards
            .iter()
            .filter_map(|board| self.boards.get(*board))
            .flat_map(|board| board.places.iter().map(|place| place.index));
        let of_agents = agents
            .iter()
            .filter_map(|agent| self.agents.get(*agent))
            .flat_map(|agent| agent.elsewhere.iter().copied());
        let event = self.event.iter().filter(|_| self.names_rules);
        let hall = self.hall.iter().chain(event).copied();
        let all = of_boards.chain(of_agents).chain(hall);
        let mut needed: Vec<u64> = all.filter(|index| *index < end).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Returns every board and agent that a chain of shared clocks connects with `board`.
    fn related<'a>(&'a self, board: &'a str) -> (BTreeSet<&'a str>, BTreeSet<&'a AgentId>) {
        let (mut boards, mut agents) = (BTreeSet::from([board]), BTreeSet::new());
        let mut unread = vec![board];
        while let Some(board) = unread.pop() {
            let served = self.boards.get(board);
            for agent in served.iter().flat_map(|board| &board.agents) {
                if !agents.insert(agent) {
                    continue;
                }
                let other = self.agents.get(agent);
                for other in other.iter().flat_map(|agent| &agent.boards) {
                    if boards.insert(other) {
                        unread.push(other);
                    }
                }
            }
        }
        (boards, agents)
    }
}

fn game_words(of: GamePlace) -> String {
    match of.round {
        0 => format!("game {}", of.game),
        round => format!("game {} (round {round})", of.game),
    }
}
