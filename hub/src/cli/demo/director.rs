//! Keeps a demonstration going: does what an arbiter would, board by board, so that there is always something to see.

use std::time::Duration;

use timing::{Button, Command, Setup, Side, StartRule, TimeControl};

use super::players::{pairing, result};
use crate::event_loop::{EventLoopHandle, Stopped};
use crate::hall::{Action, Actor, BoardDetail, Denied, Outcome, Request, RequestDigest, Role};
use crate::identity::random;
use crate::view::{BoardState, Flag};

/// How often the boards are looked at.
const LOOK: Duration = Duration::from_millis(250);
/// Looks from a game's preparation to its start, the boards one after the other.
const BEFORE_START: u64 = 8;
/// Looks from a fallen flag, or from a stop by the players, to the arbiter's act.
const BEFORE_RULING: u64 = 12;
/// Looks for which a result stands before the next game.
const BEFORE_NEXT: u64 = 32;

/// The arbiter of a demonstration.
pub(super) struct Director {
    hub: EventLoopHandle,
    seed: u64,
    boards: Vec<Board>,
}

struct Board {
    name: String,
    game: u64,
    /// For how many looks the board has been in this state.
    state: Option<BoardState>,
    looks: u64,
}

/// Why a demonstration cannot be set up.
#[derive(Debug, thiserror::Error)]
pub(super) enum DirectorError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error("board {board}: {why}")]
    Refused { board: String, why: String },
    #[error("{0}")]
    Impossible(String),
}

/// The name of the board at `index`.
pub(super) fn board_name(index: usize) -> String {
    (index + 1).to_string()
}

impl Director {
    pub(super) fn new(hub: EventLoopHandle, boards: usize, seed: u64) -> Self {
        let boards = (0..boards)
            .map(|index| Board {
                name: board_name(index),
                game: 0,
                state: None,
                looks: 0,
            })
            .collect();
        Self { hub, seed, boards }
    }

    /// Makes the boards, with their first pairings.
    pub(super) async fn set_up(&self) -> Result<(), DirectorError> {
        for (index, board) in self.boards.iter().enumerate() {
            let pairing = pairing(self.seed, index, 0);
            let setup = Setup {
                control: control(pairing.control)?,
                start: StartRule::Arbiter,
                white: Button::Left,
            };
            self.send(board, 0, Action::AddBoard(setup, None)).await?;
            self.name(board, index).await?;
        }
        Ok(())
    }

    /// Keeps games going; returns only when the hub stops.
    pub(super) async fn direct(&mut self) {
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            look.tick().await;
            for index in 0..self.boards.len() {
                match self.look_at(index).await {
                    Ok(()) => (),
                    Err(DirectorError::Stopped(_)) => return,
                    // The players may have been quicker: the board looks different next time.
                    Err(error) => {
                        tracing::debug!(%error, "the demonstration's arbiter was refused")
                    }
                }
            }
        }
    }

    async fn look_at(&mut self, index: usize) -> Result<(), DirectorError> {
        let name = self.boards[index].name.clone();
        let Some(seen) = self.hub.mirror().board(&name) else {
            return Ok(());
        };
        let state = seen.view.state;
        let board = &mut self.boards[index];
        if board.state != Some(state) {
            board.state = Some(state);
            board.looks = 0;
        }
        board.looks += 1;
        // The boards of a hall do not move in step.
        let stagger = u64::try_from(index % 7).unwrap_or(0);
        let due = |after: u64| board.looks == after + stagger;
        match state {
            BoardState::Ready if due(BEFORE_START) && seen.view.online => {
                self.act(index, &seen, Command::Start(None)).await
            }
            // A clock that came late is waited for.
            BoardState::Ready if due(BEFORE_START) => {
                self.boards[index].looks -= 1;
                Ok(())
            }
            BoardState::Flagged if due(BEFORE_RULING) => self.rule_on_flag(index, &seen).await,
            BoardState::Stopped if due(BEFORE_RULING) => {
                let board = &self.boards[index];
                let result = result(self.seed, index, board.game);
                self.end(index, &seen, result).await
            }
            BoardState::Over if due(BEFORE_NEXT) => self.next_game(index, &seen).await,
            BoardState::Ready
            | BoardState::Running
            | BoardState::Paused
            | BoardState::Stopped
            | BoardState::Flagged
            | BoardState::Over => Ok(()),
        }
    }

    /// Observes the flag (FIDE 6.8), and gives the game to the other side.
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
        let name = &self.boards[index].name;
        match self.hub.mirror().board(name) {
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

    async fn next_game(&mut self, index: usize, seen: &BoardDetail) -> Result<(), DirectorError> {
        self.boards[index].game += 1;
        let board = &self.boards[index];
        let prepare = Action::Prepare {
            control: control(pairing(self.seed, index, board.game).control)?,
            start: StartRule::Arbiter,
            white: None,
            draw_odds: None,
        };
        self.send(board, seen.view.seq, prepare).await?;
        self.name(board, index).await
    }

    async fn name(&self, board: &Board, index: usize) -> Result<(), DirectorError> {
        let pairing = pairing(self.seed, index, board.game);
        let names = Action::Names {
            white: pairing.white,
            black: pairing.black,
            round: (board.game + 1).to_string(),
        };
        let seen = self.hub.mirror().board(&board.name);
        let seq = seen.map_or(0, |seen| seen.view.seq);
        self.send(board, seq, names).await
    }

    async fn act(
        &self,
        index: usize,
        seen: &BoardDetail,
        command: Command,
    ) -> Result<(), DirectorError> {
        let board = &self.boards[index];
        self.send(board, seen.view.seq, Action::Board(command))
            .await
    }

    async fn send(
        &self,
        board: &Board,
        seen_seq: u64,
        action: Action,
    ) -> Result<(), DirectorError> {
        let impossible = |error: String| DirectorError::Impossible(error);
        let request = Request {
            digest: RequestDigest::OWN,
            id: proto::ids::CommandId(random().map_err(|error| impossible(error.to_string()))?),
            actor: Actor {
                name: "demonstration".to_owned(),
                role: Role::Hub,
            },
            board: Some(
                board
                    .name
                    .parse()
                    .map_err(|error: crate::hall::BadBoardId| impossible(error.to_string()))?,
            ),
            seen_seq,
            offence: None,
            reason: String::new(),
            action,
        };
        let answer = self.hub.command(request).await??;
        match answer.outcome {
            Outcome::Done | Outcome::Pending | Outcome::Withdrawn => Ok(()),
            Outcome::Refused(why) => Err(DirectorError::Refused {
                board: board.name.clone(),
                why: why.text().to_owned(),
            }),
        }
    }
}

fn control(text: &str) -> Result<TimeControl, DirectorError> {
    text.parse()
        .map_err(|error| DirectorError::Impossible(format!("{text}: {error}")))
}
