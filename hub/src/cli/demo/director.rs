//! Keeps a demonstration going: acts for the arbiters, board by board and round by round, so that there is always activity to see.

use std::time::Duration;

use proto::ids::CommandId;
use timing::{Command, Side, StartRule, TimeControl};

use super::event::{next_round, opening};
use super::players::{self, result};
use super::time_chess::{RULES, RandomPlayers};
use crate::event_loop::EventLoopHandle;
use crate::identity::random;
use hall::view::{BoardState, Flag};
use hall::{
    Action, Actor, BoardDetail, BoardWork, Denied, Outcome, PresetWith, Purpose, Request,
    RequestDigest, Role, RoundRequest, RoundWork, TournamentRequest, WorkState,
};
use tournament::{self, Change, Outcome as GameOutcome, RoundNo, RoundPhase, Scope};

const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// Minimum number of checks from a game's preparation to its start.
const BEFORE_START: u64 = 8;
/// Minimum number of checks from a flag fall, or from a stop by the players, to the arbiter's ruling.
const BEFORE_RULING: u64 = 12;
/// Minimum number of checks from a round's last result to the next round.
const BEFORE_NEXT: u64 = 32;
const NAME: &str = "demonstration";

pub(super) struct Director {
    hub: EventLoopHandle,
    seed: u64,
    boards: Vec<Board>,
    players: Option<RandomPlayers>,
}

struct Board {
    no: u16,
    state: Option<BoardState>,
    checks_since_change: u64,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum DirectorError {
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error("board {board}: {why}")]
    Refused { board: String, why: String },
    #[error("{0}")]
    Impossible(String),
}

impl Director {
    pub(super) fn new(
        hub: EventLoopHandle,
        boards: u16,
        seed: u64,
        players: Option<RandomPlayers>,
    ) -> Self {
        let boards = (1..=boards)
            .map(|no| Board {
                no,
                state: None,
                checks_since_change: 0,
            })
            .collect();
        Self {
            hub,
            seed,
            boards,
            players,
        }
    }

    /// Creates the event with its first two rounds, and sets the clocks of round 2.
    pub(super) async fn set_up(&self) -> Result<(), DirectorError> {
        let boards = u16::try_from(self.boards.len());
        let boards = boards.map_err(|error| DirectorError::Impossible(error.to_string()))?;
        let rules = self.players.as_ref().map_or("", |_| RULES);
        self.change(opening(self.seed, boards, rules)).await?;
        self.preset(RoundNo(2)).await
    }

    /// Keeps games going until the hub stops or its log fails.
    pub(super) async fn direct(&mut self) {
        let mut look = tokio::time::interval(CHECK_INTERVAL);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            look.tick().await;
            for index in 0..self.boards.len() {
                if has_stopped(self.look_at(index).await) {
                    return;
                }
            }
            if self.is_round_over() && has_stopped(self.next_round().await) {
                return;
            }
        }
    }

    fn is_round_over(&self) -> bool {
        self.boards.iter().all(|board| {
            board.state == Some(BoardState::Over) && board.checks_since_change >= BEFORE_NEXT
        })
    }

    /// Confirms the round, pairs the next one, and sets the clocks. A repeated call continues an interrupted one.
    async fn next_round(&self) -> Result<(), DirectorError> {
        let Some(now) = self.hub.live().tournament() else {
            return Ok(());
        };
        let Some((round, state)) = now.tournament.rounds().last_key_value() else {
            return Ok(());
        };
        if state.phase() != RoundPhase::Finished {
            return self.preset(*round).await;
        }
        self.change(next_round(&now.tournament, *round)).await?;
        self.preset(round.next()).await
    }

    async fn look_at(&mut self, index: usize) -> Result<(), DirectorError> {
        let name = self.boards[index].no.to_string();
        let Some(seen) = self.hub.live().board(&name) else {
            return Ok(());
        };
        if let Some(players) = &mut self.players {
            players.look_at(index, &seen).await?;
        }
        let state = seen.view.state;
        let board = &mut self.boards[index];
        if board.state != Some(state) {
            board.state = Some(state);
            board.checks_since_change = 0;
        }
        board.checks_since_change += 1;
        // Stagger the boards, because the games of a real hall do not run in step.
        let stagger = u64::try_from(index % 7).unwrap_or(0);
        let due = |after: u64| board.checks_since_change == after + stagger;
        match state {
            BoardState::Ready if due(BEFORE_START) && !seen.view.online => {
                // Wait for a clock that is not yet connected.
                board.checks_since_change -= 1;
                Ok(())
            }
            BoardState::Ready if due(BEFORE_START) => {
                self.act(index, &seen, Command::Start(None)).await
            }
            BoardState::Flagged if due(BEFORE_RULING) => self.rule_on_flag(index, &seen).await,
            BoardState::Stopped if due(BEFORE_RULING) => {
                let result = match result(self.seed, self.boards[index].no, self.round()) {
                    GameOutcome::Win => "1-0",
                    GameOutcome::Draw => "1/2-1/2",
                    GameOutcome::Loss => "0-1",
                };
                self.end(index, &seen, result).await
            }
            BoardState::Ready
            | BoardState::Running
            | BoardState::Paused
            | BoardState::Stopped
            | BoardState::Flagged
            | BoardState::Over => Ok(()),
        }
    }

    /// Calls the flag (FIDE 6.8) and enters a win for the opponent.
    async fn rule_on_flag(
        &mut self,
        index: usize,
        seen: &BoardDetail,
    ) -> Result<(), DirectorError> {
        let side = if seen.view.white.flag == Flag::None {
            Side::Black
        } else {
            Side::White
        };
        self.act(index, seen, Command::CallFlag(side)).await?;
        let result = match side {
            Side::White => "0-1",
            Side::Black => "1-0",
        };
        let name = self.boards[index].no.to_string();
        match self.hub.live().board(&name) {
            Some(seen) => self.end(index, &seen, result).await,
            None => Ok(()),
        }
    }

    async fn end(
        &self,
        index: usize,
        seen: &BoardDetail,
        result: &str,
    ) -> Result<(), DirectorError> {
        let end = format!("end result {result}").parse();
        let end: Command =
            end.map_err(|error| DirectorError::Impossible(format!("{result}: {error}")))?;
        self.act(index, seen, end).await
    }

    fn round(&self) -> u16 {
        let now = self.hub.live().tournament();
        let last = now.and_then(|now| now.tournament.last_round());
        last.map_or(0, |round| round.0)
    }

    async fn change(&self, changes: Vec<Change>) -> Result<(), DirectorError> {
        let request = TournamentRequest {
            id: own_id()?,
            actor: tournament::Actor::program(NAME),
            seen: None,
            reason: String::new(),
            changes,
            purpose: Purpose::Amend,
            digest: RequestDigest::OWN,
        };
        let answer = self.hub.ask(request).await?;
        match answer.outcome {
            Outcome::Done | Outcome::Pending | Outcome::Withdrawn => Ok(()),
            Outcome::Refused(why) => Err(DirectorError::Impossible(why.text().to_owned())),
        }
    }

    /// Sets the clocks of a round and adds missing boards to the hall.
    async fn preset(&self, round: RoundNo) -> Result<(), DirectorError> {
        let request = RoundRequest {
            actor: tournament::Actor::program(NAME),
            round,
            scope: Scope::All,
            reason: String::new(),
            dry_run: false,
            work: RoundWork::Preset(Box::new(PresetWith {
                control: None,
                again: false,
                draw_odds: None,
                // Never used: every board is in a sector that has a control.
                fallback: control(players::CONTROL)?,
                start: StartRule::Arbiter,
                after_flag: None,
            })),
        };
        let answer = self.hub.ask(request).await?;
        let refused = |board: &&BoardWork| board.state == WorkState::Refused;
        match answer.boards.iter().find(refused) {
            None => Ok(()),
            Some(board) => Err(DirectorError::Refused {
                board: board.board.to_string(),
                why: board.words(),
            }),
        }
    }

    async fn act(
        &self,
        index: usize,
        seen: &BoardDetail,
        command: Command,
    ) -> Result<(), DirectorError> {
        let board = self.boards[index].no.to_string();
        let id = board
            .parse()
            .map_err(|error: hall::BadBoardId| DirectorError::Impossible(error.to_string()));
        let request = Request {
            digest: RequestDigest::OWN,
            id: own_id()?,
            actor: Actor {
                name: NAME.to_owned(),
                role: Role::Hub,
            },
            board: Some(id?),
            seen_seq: seen.view.seq,
            offence: None,
            reason: String::new(),
            action: Action::Board(command),
        };
        let answer = self.hub.ask(request).await?;
        match answer.outcome {
            Outcome::Done | Outcome::Pending | Outcome::Withdrawn => Ok(()),
            Outcome::Refused(why) => {
                let why = why.text().to_owned();
                Err(DirectorError::Refused { board, why })
            }
        }
    }
}

/// Returns true if the hub has stopped or its log has failed. Any other refusal is ignored: the players may have acted first, and the
/// next check sees the new state.
fn has_stopped(outcome: Result<(), DirectorError>) -> bool {
    if let Err(error) = &outcome {
        tracing::debug!(%error, "the demonstration's arbiter was refused");
    }
    matches!(outcome, Err(DirectorError::Denied(Denied::Unavailable(_))))
}

pub(super) fn own_id() -> Result<CommandId, DirectorError> {
    let id = random().map_err(|error| DirectorError::Impossible(error.to_string()))?;
    Ok(CommandId(id))
}

fn control(text: &str) -> Result<TimeControl, DirectorError> {
    text.parse()
        .map_err(|error| DirectorError::Impossible(format!("{text}: {error}")))
}
