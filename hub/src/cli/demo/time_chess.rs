//! Random players of Time Chess for a demonstration: they move as if by phone, then press their clock's button. Owns their pace and their choices;
//! the hub decides whether an attempt succeeds.

use std::sync::Arc;

use clock_agent::swarm::PressHandle;
use hall::view::Running;
use hall::{BoardDetail, PlayerAct, PlayerRequest, RequestDigest, TimeChessBoard};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use time_chess::Viewer;
use timing::{Button, Fact, Side};

use super::director::{DirectorError, own_id};
use super::players::below;
use crate::event_loop::EventLoopHandle;

pub(super) const RULES: &str = "time-chess";
/// Minimum number of checks before a move. After a press, a random number of checks below this minimum is added.
const MIN_CHECKS_PER_MOVE: usize = 4;
/// Number of turns after which a player may resign.
const TIRED_AFTER: usize = 90;
/// On average, a tired player resigns in one turn out of `RESIGN_ODDS`.
const RESIGN_ODDS: usize = 12;

pub(super) struct RandomPlayers {
    hub: EventLoopHandle,
    pub(super) handles: Vec<PressHandle>,
    random: SplitMix64,
    /// Number of checks left before the next move, by board.
    waits: Vec<usize>,
}

impl RandomPlayers {
    pub(super) fn new(hub: EventLoopHandle, boards: u16, seed: u64) -> Self {
        let boards = usize::from(boards);
        Self {
            hub,
            handles: (0..boards).map(|_| PressHandle::default()).collect(),
            random: SplitMix64::seed_from_u64(seed ^ 0x6461_7921),
            waits: vec![MIN_CHECKS_PER_MOVE; boards],
        }
    }

    /// Presses the button of a player who has moved. Otherwise, once the wait is over, makes the player to move play a move or resign.
    pub(super) async fn look_at(
        &mut self,
        index: usize,
        seen: &BoardDetail,
    ) -> Result<(), DirectorError> {
        let side = match seen.view.running {
            Running::White => Side::White,
            Running::Black => Side::Black,
            Running::None => return Ok(()),
        };
        let Some(game) = seen.time_chess.clone() else {
            return Ok(());
        };
        let is_on_move = time_chess::side_of(game.game.position().mover()) == side;
        if game.game.outcome().is_some() || !is_on_move {
            return Ok(());
        }
        if game.game.is_moved() {
            self.handles[index].press(Fact::Pressed(button_of(side, seen.white_button)));
            self.waits[index] = MIN_CHECKS_PER_MOVE + below(&mut self.random, MIN_CHECKS_PER_MOVE);
            return Ok(());
        }
        self.waits[index] = self.waits[index].saturating_sub(1);
        if self.waits[index] > 0 {
            return Ok(());
        }
        self.act(&game, side, seen).await
    }

    async fn act(
        &mut self,
        game: &Arc<TimeChessBoard>,
        side: Side,
        seen: &BoardDetail,
    ) -> Result<(), DirectorError> {
        let viewer = Viewer::Player(time_chess::color_of(side));
        // Choose from the attempts that the player's side may see, as a person would.
        let attempts = game.view(viewer).attempts;
        let is_tired =
            game.game.turns().len() > TIRED_AFTER && below(&mut self.random, RESIGN_ODDS) == 0;
        let act = match attempts.get(below(&mut self.random, attempts.len().max(1))) {
            Some(_) if is_tired => PlayerAct::Resign,
            Some(attempt) => PlayerAct::Move(*attempt),
            None => return Ok(()),
        };
        let board = seen.view.board.parse();
        let board = board
            .map_err(|error: hall::BadBoardId| DirectorError::Impossible(error.to_string()))?;
        let player = match side {
            Side::White => &seen.view.white.name,
            Side::Black => &seen.view.black.name,
        };
        let request = PlayerRequest {
            id: own_id()?,
            player: player.clone(),
            board,
            side,
            act,
            digest: RequestDigest::OWN,
        };
        let answer = self.hub.ask(request).await?;
        if let Err(why) = answer {
            tracing::debug!(%why, "a player of the demonstration was refused");
        }
        Ok(())
    }
}

fn button_of(side: Side, white: Button) -> Button {
    match side {
        Side::White => white,
        Side::Black => white.other(),
    }
}
