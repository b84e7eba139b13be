//! The calls of a player of Time Chess. The player's device is bound to one side of one board and sees only what that side may see.
//!
//! Owns the contents and the timing of messages. Each message is computed from the player's view, the press rule, the draw offer and the
//! public view of the clocks. It is sent only if it differs from the previous message. Nothing else about the game may reach a player, whether in a
//! message, in an error, or through their timing or size.

use std::sync::Arc;

use futures::StreamExt as _;
use futures::stream::BoxStream;
use hall::from_proto::{self, MAX_NAME, bounded_text};
use hall::view::{BoardState, BoardView, Flag, SideView};
use hall::{BoardDetail, BoardId, PlayerRequest, RequestDigest, to_proto};
use prost::Message as _;
use proto::grpc::{
    ActRefusal, ActReply, ActRequest, GameClock, PlayerUpdate, WatchGameRequest, player_server,
};
use proto::ids::CommandId;
use time_chess::{Viewer, color_of};
use timing::Side;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Result, Status};

use super::messages::segment;
use super::messages::time_chess::{refusal as act_refusal, running, seen};
use super::service::{caller, refusal};
use super::status::malformed;
use super::{Reply, ServiceContext};
use crate::identity::PlayerSeat;
use crate::live::{HallChange, Message};

pub(super) struct PlayerService {
    parts: Arc<ServiceContext>,
    ending: CancellationToken,
}

impl PlayerService {
    pub(super) fn new(parts: Arc<ServiceContext>, ending: CancellationToken) -> Self {
        Self { parts, ending }
    }
}

#[tonic::async_trait]
impl player_server::Player for PlayerService {
    type WatchStream = BoxStream<'static, Result<PlayerUpdate>>;

    async fn watch(&self, request: Request<WatchGameRequest>) -> Reply<Self::WatchStream> {
        let seat = seat_of(&request)?;
        let live = self.parts.hub.live().clone();
        let mut feed = PlayerFeed::new(seat.side);
        let board = seat.board.clone();
        // Subscribe before reading the board for the first time, so that no change in between is lost.
        let changes = live.subscribe(None).into_stream();
        let changes = changes.filter_map(move |message| {
            let concerns = concerns(&message, &seat.board);
            async move { concerns.then_some(()) }
        });
        let first = futures::stream::once(async {});
        let updates = first.chain(changes).filter_map(move |()| {
            let detail = live.board(&board);
            let update = feed.next(&board, detail.as_deref(), live.hub_us());
            async move { update.map(Ok) }
        });
        let updates = updates.take_until(self.ending.clone().cancelled_owned());
        Ok(Response::new(updates.boxed()))
    }

    async fn act(&self, request: Request<ActRequest>) -> Reply<ActReply> {
        let seat = seat_of(&request)?;
        let player = caller(&request)?.name.clone();
        let asked = act_of(&seat, player, request.get_ref())?;
        let answer = self.parts.hub.ask(asked).await.map_err(refusal)?;
        let refused = answer.err().map_or(ActRefusal::Unspecified, act_refusal);
        Ok(Response::new(ActReply {
            refusal: refused.into(),
        }))
    }
}

fn seat_of<T>(request: &Request<T>) -> Result<PlayerSeat> {
    let seat = caller(request)?.seat.clone();
    seat.ok_or_else(|| {
        Status::failed_precondition(
            "this device has no place at a board: ask the arbiter for a code",
        )
    })
}

fn act_of(seat: &PlayerSeat, player: String, request: &ActRequest) -> Result<PlayerRequest> {
    let id = CommandId::try_from(request.id.as_slice())
        .map_err(|error| Status::invalid_argument(format!("the act's id: {error}")))?;
    let board: Result<BoardId, _> = seat.board.parse();
    let act = from_proto::time_chess::player_act(request.kind(), &request.r#move);
    Ok(PlayerRequest {
        id,
        board: board.map_err(|error| malformed(error.into()))?,
        side: seat.side,
        act: act.map_err(malformed)?,
        digest: RequestDigest::of("act", &player, &request.encode_to_vec()),
        player: bounded_text(player, "the player's name", MAX_NAME).map_err(malformed)?,
    })
}

fn concerns(message: &Message<HallChange>, board: &str) -> bool {
    let Message::Change { change, .. } = message else {
        return true;
    };
    match change {
        HallChange::Board(name) | HallChange::Gone(name) => **name == *board,
        HallChange::Event => false,
    }
}

/// The messages to one player, each of which differs from the previous one.
#[derive(Debug)]
pub struct PlayerFeed {
    side: Side,
    sent: Option<PlayerUpdate>,
}

impl PlayerFeed {
    pub fn new(side: Side) -> Self {
        Self { side, sent: None }
    }

    /// Returns the next message, with the hub's time `hub_us`; `None` if nothing that the player sees has changed.
    pub fn next(
        &mut self,
        board: &str,
        detail: Option<&BoardDetail>,
        hub_us: i64,
    ) -> Option<PlayerUpdate> {
        let update = update(board, self.side, detail);
        if self.sent.as_ref() == Some(&update) {
            return None;
        }
        self.sent = Some(update.clone());
        Some(PlayerUpdate { hub_us, ..update })
    }
}

fn update(board: &str, side: Side, detail: Option<&BoardDetail>) -> PlayerUpdate {
    let mut update = PlayerUpdate {
        board: board.to_owned(),
        side: to_proto::side(side).into(),
        ..PlayerUpdate::default()
    };
    let Some(detail) = detail else {
        return update;
    };
    // Use the published view, which does not change with notes, pending commands or hidden moves.
    clocks(&detail.published, &mut update);
    if let Some(game) = &detail.time_chess {
        let view = game.view(Viewer::Player(color_of(side)));
        update.game = Some(seen(&view, game.game.start().phase()));
        update.set_press(to_proto::time_chess::press_rule(game.press));
        update.set_draw_offer(to_proto::side(game.offer));
    }
    update
}

fn clocks(view: &BoardView, update: &mut PlayerUpdate) {
    update.plan = view.plan.iter().map(segment).collect();
    update.white = Some(clock(&view.white));
    update.black = Some(clock(&view.black));
    update.set_running(running(view.running));
    update.state = state(view.state).to_owned();
    update.result = view.result.clone().unwrap_or_default();
    update.control = view.control.clone();
}

fn clock(side: &SideView) -> GameClock {
    let flag = match side.flag {
        Flag::None => "none",
        Flag::Expected => "expected",
        Flag::Fallen => "fallen",
        Flag::Called => "called",
    };
    GameClock {
        name: side.name.clone(),
        moves: side.moves,
        period: side.period,
        flag: flag.to_owned(),
        byo_left: side.byo_left,
        stones: side.stones,
    }
}

fn state(state: BoardState) -> &'static str {
    match state {
        BoardState::Ready => "ready",
        BoardState::Running => "running",
        BoardState::Paused => "paused",
        BoardState::Stopped => "stopped",
        BoardState::Flagged => "flagged",
        BoardState::Over => "over",
    }
}
