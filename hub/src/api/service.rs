//! The calls of the arbiter service: each asks the hall or another part of the hub, and converts the answer for the wire. The gate has already
//! checked the caller's role; the calls check the rights to their parts and the sector.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use proto::ble::{BadCode, PairingCode};
use proto::grpc::{self, arbiter_server, *};
use timing::{AfterFlag, Duration};
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Result, Status};

use super::enrolment::no_code;
use super::messages::table::renamed;
use super::roles::{
    CompositeCall, Visibility, authorize_chief, authorize_part, command_name, in_sector,
    withdrawn_in_sector,
};
pub(super) use super::status::refusal;
use super::status::{malformed, refused};
use super::{
    Reply, ServiceContext, audit, broadcast, computed, devices, enrolment, floor, held_commands,
    log_lines, messages, requests,
};
use crate::enrolment::{Admission, PAIRING_WITHIN, SheetOrder, WindowOrder};
use crate::identity::{Arbiter, Role, VALID_FOR};
use hall::view::PressLine;
use hall::{Actor, Answer, BoardDetail, NoteKind, Outcome};

pub(super) struct ArbiterService {
    parts: Arc<ServiceContext>,
    ending: CancellationToken,
}

impl ArbiterService {
    pub(super) fn new(parts: Arc<ServiceContext>, ending: CancellationToken) -> Self {
        Self { parts, ending }
    }
}

#[tonic::async_trait]
impl arbiter_server::Arbiter for ArbiterService {
    type WatchStream = BoxStream<'static, Result<WatchUpdate>>;
    type WatchFloorStream = BoxStream<'static, Result<Floor>>;
    type WatchEnrolmentStream = BoxStream<'static, Result<EnrolmentState>>;
    type WatchHeldStream = BoxStream<'static, Result<HeldCommands>>;
    type ReadLogStream = BoxStream<'static, Result<LogLine>>;

    async fn get_hall(&self, request: Request<GetHallRequest>) -> Reply<Hall> {
        let visibility = Visibility::of(caller(&request)?.role);
        Ok(Response::new(super::watch::hall(&self.parts, visibility)))
    }

    async fn watch(&self, request: Request<WatchRequest>) -> Reply<Self::WatchStream> {
        let visibility = Visibility::of(caller(&request)?.role);
        let updates = super::watch::follow(
            self.parts.clone(),
            request.get_ref(),
            visibility,
            self.ending.clone(),
        );
        Ok(Response::new(updates))
    }

    async fn send(&self, request: Request<CommandRequest>) -> Reply<CommandReply> {
        self.check_command(&request)?;
        let actor = actor(&request)?;
        let mut request = request.into_inner();
        self.fill_in(&mut request);
        let request = requests::request(request, actor).map_err(malformed)?;
        let answer = held_commands::command(&self.parts, request)
            .await
            .map_err(refusal)?;
        if let Outcome::Refused(why) = &answer.outcome {
            return Err(refused(why));
        }
        Ok(Response::new(self.reply(&answer)))
    }

    async fn get_command(&self, request: Request<GetCommandRequest>) -> Reply<CommandReply> {
        let id = requests::command_id(&request.get_ref().id).map_err(malformed)?;
        let asked = self.parts.hub.ask(hall::AskOutcome(id));
        let answer = asked.await.map_err(refusal)?.ok_or_else(|| {
            Status::not_found(format!("no command {id} is known to the running log"))
        })?;
        Ok(Response::new(self.reply(&answer)))
    }

    async fn list_agents(&self, _: Request<ListAgentsRequest>) -> Reply<ListAgentsReply> {
        let agents = self.parts.hub.ask(hall::AskAgents).await.map_err(refusal)?;
        let routes = &self.parts.routes;
        let agents = agents.iter();
        let agents = agents.map(|info| messages::agent(info, routes.of(&info.agent)));
        let agents = agents.collect();
        let nearby = self.parts.nearby_clocks.nearby();
        let nearby = nearby.into_iter().map(messages::nearby_clock).collect();
        Ok(Response::new(ListAgentsReply { agents, nearby }))
    }

    async fn create_enrolment_code(
        &self,
        request: Request<CreateEnrolmentCodeRequest>,
    ) -> Reply<EnrolmentCode> {
        let actor = actor(&request)?;
        let CreateEnrolmentCodeRequest {
            board,
            pairing_code,
            gateway,
        } = request.into_inner();
        if !pairing_code.is_empty() {
            return self.pair(&actor.name, &board, &pairing_code).await;
        }
        let desk = &self.parts.desk;
        let code = if gateway.is_empty() {
            desk.code(&board)
        } else {
            desk.gateway_code(&gateway, &actor.name)
        };
        let code = code.map_err(no_code)?;
        tracing::info!(
            actor = actor.name,
            board,
            gateway,
            "an enrolment code was issued"
        );
        Ok(Response::new(EnrolmentCode {
            uri: code.to_string(),
            valid_for_us: VALID_FOR.as_micros(),
            agent: String::new(),
        }))
    }

    async fn get_presses(&self, request: Request<GetPressesRequest>) -> Reply<Presses> {
        let visibility = Visibility::of(caller(&request)?.role);
        let board = request.into_inner().board;
        // Read the sequence number before the presses: a press made in between is then both in the list and in the board's next update.
        let live = self.parts.hub.live();
        let detail = live.board_for(visibility.audience(), &board);
        let seq = detail.ok_or_else(|| no_board(&board))?.view.seq;
        let asked = self.parts.hub.ask(hall::AskPresses(board));
        let presses = asked.await.map_err(refusal)?;
        let presses = presses.iter().map(|press| visibility.press(press));
        Ok(Response::new(Presses {
            seq,
            presses: presses.collect(),
        }))
    }

    async fn get_proceedings(&self, request: Request<GetProceedingsRequest>) -> Reply<Proceedings> {
        let board = request.into_inner().board;
        let asked = self.parts.hub.ask(hall::AskProceedings(board.clone()));
        let shown = asked.await.map_err(refusal)?;
        let shown = shown.ok_or_else(|| no_board(&board))?;
        Ok(Response::new(messages::proceedings::proceedings(&shown)))
    }

    async fn acknowledge(&self, request: Request<AcknowledgeRequest>) -> Reply<AcknowledgeReply> {
        in_sector(caller(&request)?, &request.get_ref().board)?;
        let actor = actor(&request)?.name;
        let request = request.into_inner();
        let detail = self.detail(&request.board)?;
        let ServiceContext { calls, hub, .. } = &*self.parts;
        calls.acknowledge(&detail, &request, actor, hub.live().hub_us())?;
        hub.live().tell_arbiters(&request.board);
        Ok(Response::new(AcknowledgeReply {}))
    }

    async fn acknowledge_notes(
        &self,
        request: Request<AcknowledgeNotesRequest>,
    ) -> Reply<AcknowledgeNotesReply> {
        in_sector(caller(&request)?, &request.get_ref().board)?;
        // Acknowledging this kind of note confirms a loss of recorded events.
        let confirms = |note: &SeenNote| note.kind == NoteKind::LogSetBack.as_str();
        if request.get_ref().notes.iter().any(confirms) {
            authorize_chief(caller(&request)?)?;
            requests::only_a_loss(request.get_ref()).map_err(malformed)?;
        }
        let actor = actor(&request)?;
        let request = request.into_inner();
        if !request.board.is_empty() {
            self.detail(&request.board)?;
        }
        let seen = requests::notes_seen(request, actor).map_err(malformed)?;
        self.parts.hub.ask(seen).await.map_err(refusal)?;
        Ok(Response::new(AcknowledgeNotesReply {}))
    }

    async fn create_arbiter_code(
        &self,
        request: Request<CreateArbiterCodeRequest>,
    ) -> Reply<ArbiterCode> {
        let by = actor(&request)?.name;
        devices::code(&self.parts, request.into_inner(), &by).map(Response::new)
    }

    async fn list_devices(&self, _: Request<ListDevicesRequest>) -> Reply<ListDevicesReply> {
        Ok(Response::new(devices::list(&self.parts).await?))
    }

    async fn revoke_device(&self, request: Request<RevokeDeviceRequest>) -> Reply<Device> {
        let actor = actor(&request)?;
        let RevokeDeviceRequest { device, reason } = request.into_inner();
        if device.starts_with(devices::GATEWAY) {
            let revoked = devices::revoke_gateway(&self.parts, device, actor.name, reason);
            return Ok(Response::new(revoked.await?));
        }
        let reason = devices::reason_of(&reason)?;
        let found = devices::find(&self.parts, device).await?;
        let revoked = held_commands::revoke(&self.parts, found, actor, reason);
        Ok(Response::new(revoked.await?))
    }

    async fn list_held(&self, _: Request<ListHeldRequest>) -> Reply<HeldCommands> {
        let held = self.parts.hub.live().held();
        Ok(Response::new(held_commands::message(&held)))
    }

    async fn watch_held(&self, _: Request<WatchHeldRequest>) -> Reply<Self::WatchHeldStream> {
        let held = self.parts.hub.live().follow_held();
        self.follow(held, |held| held_commands::message(&held))
    }

    async fn decide_held(&self, request: Request<DecideHeldRequest>) -> Reply<DecideHeldReply> {
        let (arbiter, actor) = (caller(&request)?, actor(&request)?);
        let decided = held_commands::decide(&self.parts, request.get_ref(), arbiter, actor);
        Ok(Response::new(decided.await?))
    }

    async fn list_commands(
        &self,
        request: Request<ListCommandsRequest>,
    ) -> Reply<ListCommandsReply> {
        let (log, request) = (self.parts.log.clone(), request.into_inner());
        computed(move || audit::list(&log, &request))
            .await?
            .map(Response::new)
    }

    async fn get_floor(&self, request: Request<GetFloorRequest>) -> Reply<Floor> {
        let visibility = Visibility::of(caller(&request)?.role);
        let plan = self.parts.hub.live().floor();
        Ok(Response::new(visibility.floor(&plan)))
    }

    async fn watch_floor(
        &self,
        request: Request<WatchFloorRequest>,
    ) -> Reply<Self::WatchFloorStream> {
        let visibility = Visibility::of(caller(&request)?.role);
        let plans = self.parts.hub.live().follow_floor();
        self.follow(plans, move |plan| visibility.floor(&plan))
    }

    async fn set_floor(&self, request: Request<SetFloorRequest>) -> Reply<Floor> {
        let actor = actor(&request)?;
        floor::set(&self.parts, request.into_inner(), actor)
            .await
            .map(Response::new)
    }

    async fn get_broadcast(&self, _: Request<GetBroadcastRequest>) -> Reply<grpc::Broadcast> {
        Ok(Response::new(broadcast::get(&self.parts)))
    }

    async fn set_broadcast(&self, request: Request<SetBroadcastRequest>) -> Reply<grpc::Broadcast> {
        let by = actor(&request)?.name;
        let state = broadcast::set(&self.parts, request.into_inner())?;
        tracing::info!(actor = by, "the broadcast was changed");
        Ok(Response::new(state))
    }

    async fn create_enrolment_sheet(
        &self,
        request: Request<CreateEnrolmentSheetRequest>,
    ) -> Reply<EnrolmentSheet> {
        let by = actor(&request)?.name;
        let request = request.into_inner();
        let order = SheetOrder {
            boards: request.boards,
            each_side: request.each_side,
            valid_for: Duration::from_micros(request.valid_for_us),
        };
        let sheet = self.parts.desk.sheet(&order, &by).map_err(no_code)?;
        let (sheet, valid_for, codes) = sheet;
        Ok(Response::new(EnrolmentSheet {
            sheet,
            valid_for_us: valid_for.as_micros(),
            codes: codes.iter().map(enrolment::sheet_code).collect(),
        }))
    }

    async fn withdraw_enrolment_sheet(
        &self,
        request: Request<WithdrawEnrolmentSheetRequest>,
    ) -> Reply<WithdrawEnrolmentSheetReply> {
        let by = actor(&request)?.name;
        let sheet = request.get_ref().sheet;
        let withdrawn = self.parts.desk.withdraw_sheet(sheet, &by);
        let withdrawn = u32::try_from(withdrawn.map_err(no_code)?).unwrap_or(u32::MAX);
        Ok(Response::new(WithdrawEnrolmentSheetReply { withdrawn }))
    }

    async fn open_enrolment(
        &self,
        request: Request<OpenEnrolmentRequest>,
    ) -> Reply<EnrolmentState> {
        let actor = actor(&request)?.name;
        let request = request.into_inner();
        let order = WindowOrder {
            expected: request.clocks as usize,
            open_for: Duration::from_micros(request.valid_for_us),
            boards: request.boards,
            actor,
        };
        self.parts.desk.open_window(order).map_err(no_code)?;
        self.enrolment()
    }

    async fn admit_clocks(&self, request: Request<AdmitClocksRequest>) -> Reply<EnrolmentState> {
        let by = actor(&request)?.name;
        let AdmitClocksRequest { window, clocks } = request.into_inner();
        let admission = |clock: grpc::Admission| {
            Ok(Admission {
                agent: enrolment::agent(&clock.key)?,
                board: clock.board,
            })
        };
        let admissions: Result<Vec<_>> = clocks.into_iter().map(admission).collect();
        let admitted = self.parts.desk.admit(window, &admissions?, &by).await;
        admitted.map_err(no_code)?;
        self.enrolment()
    }

    async fn refuse_clock(&self, request: Request<RefuseClockRequest>) -> Reply<EnrolmentState> {
        let by = actor(&request)?.name;
        let RefuseClockRequest { window, key } = request.get_ref();
        let refused = self
            .parts
            .desk
            .refuse_clock(*window, enrolment::agent(key)?, &by);
        refused.map_err(no_code)?;
        self.enrolment()
    }

    async fn close_enrolment(
        &self,
        request: Request<CloseEnrolmentRequest>,
    ) -> Reply<EnrolmentState> {
        let by = actor(&request)?.name;
        let closed = self.parts.desk.close_window(request.get_ref().window, &by);
        closed.map_err(no_code)?;
        self.enrolment()
    }

    async fn watch_enrolment(
        &self,
        _: Request<WatchEnrolmentRequest>,
    ) -> Reply<Self::WatchEnrolmentStream> {
        let parts = self.parts.clone();
        let changes = parts.desk.follow_enrolment();
        self.follow(changes, move |_| enrolment::state(&parts.desk))
    }

    async fn read_log(&self, request: Request<ReadLogRequest>) -> Reply<Self::ReadLogStream> {
        let lines = log_lines::read(
            self.parts.log.clone(),
            self.parts.places.clone(),
            request.into_inner(),
        );
        Ok(Response::new(lines?))
    }
}

impl ArbiterService {
    /// Streams the current value and its changes until the hub shuts down. A slow follower gets only the newest value.
    fn follow<T: Clone + Send + Sync + 'static, M: Send + 'static>(
        &self,
        values: watch::Receiver<T>,
        message: impl Fn(T) -> M + Send + 'static,
    ) -> Reply<BoxStream<'static, Result<M>>> {
        let messages = WatchStream::new(values).map(move |value| Ok(message(value)));
        let messages = messages.take_until(self.ending.clone().cancelled_owned());
        Ok(Response::new(messages.boxed()))
    }

    fn enrolment(&self) -> Reply<EnrolmentState> {
        Ok(Response::new(enrolment::state(&self.parts.desk)))
    }

    async fn pair(&self, actor: &str, board: &str, code: &str) -> Reply<EnrolmentCode> {
        let code: PairingCode = code
            .parse()
            .map_err(|error: BadCode| Status::invalid_argument(error.to_string()))?;
        let enrolled = self.parts.desk.pair(code, board).map_err(no_code)?;
        tracing::info!(actor, board, "a clock's code was entered");
        let within = std::time::Duration::from_micros(PAIRING_WITHIN.as_micros().unsigned_abs());
        match tokio::time::timeout(within, enrolled).await {
            Ok(Ok(agent)) => Ok(Response::new(EnrolmentCode {
                uri: String::new(),
                valid_for_us: 0,
                agent: agent.to_string(),
            })),
            Ok(Err(_)) | Err(_) => Err(Status::deadline_exceeded(
                "no nearby clock showed this code: check that the clock is on, near enough and not enrolled yet, and that Bluetooth is on at the \
                 hub (`ble` in its configuration). A clock shows a new code after three attempts and after ten minutes",
            )),
        }
    }

    /// Fills in omitted settings with the hub's defaults: a new board's control (with its draw odds) and start rule, and the effect of a
    /// flag fall.
    fn fill_in(&self, request: &mut CommandRequest) {
        use command_request::Command;
        let defaults = &self.parts.defaults;
        if let Some(
            Command::AddBoard(AddBoard { after_flag, .. })
            | Command::Prepare(Prepare { after_flag, .. })
            | Command::ChangeControl(ChangeControl { after_flag, .. }),
        ) = &mut request.command
            && *after_flag == i32::from(grpc::AfterFlag::Unspecified)
        {
            *after_flag = event_rule(defaults.after_flag).into();
        }
        let Some(Command::AddBoard(add)) = &mut request.command else {
            return;
        };
        if add.control.is_empty() {
            add.control.clone_from(&defaults.control);
            if add.draw_odds() == proto::Side::Unspecified {
                add.set_draw_odds(hall::to_proto::side(defaults.draw_odds));
            }
        }
        if add.start.is_empty() {
            defaults.start.as_str().clone_into(&mut add.start);
        }
    }

    fn check_command(&self, request: &Request<CommandRequest>) -> Result<()> {
        use command_request::Command;
        let (arbiter, request) = (caller(request)?, request.get_ref());
        let Some(command) = &request.command else {
            return Ok(());
        };
        authorize_part(CompositeCall::Send, command_name(command), arbiter)?;
        if let Command::Withdraw(withdraw) = command {
            let id = &withdraw.command_id;
            return withdrawn_in_sector(&self.parts, arbiter, &request.board, id);
        }
        in_sector(arbiter, &request.board)
    }

    fn detail(&self, board: &str) -> Result<Arc<BoardDetail>> {
        let found = self.parts.hub.live().board(board);
        found.ok_or_else(|| no_board(board))
    }

    fn reply(&self, answer: &Answer) -> CommandReply {
        let mut reply = messages::reply(answer, self.parts.hub.live().hub_us());
        if let (Some(board), Some(detail)) = (&mut reply.board, &answer.board) {
            board.acknowledged = self.parts.calls.on(detail);
        }
        let event = self.parts.hub.live().event();
        for certificate in &mut reply.certificates {
            certificate.event.clone_from(&event.name);
            certificate.log_origin.clone_from(&self.parts.log_origin);
            certificate.hub_version = format!("flagfall {}", env!("CARGO_PKG_VERSION"));
        }
        reply
    }
}

fn no_board(board: &str) -> Status {
    Status::not_found(format!(
        "there is no board {board:?}; `flagfall ctl list` shows the boards"
    ))
}

impl Visibility {
    /// Converts a press. Viewers do not get its sequence number, which would reveal the number of events that only arbiters may see.
    fn press(self, press: &PressLine) -> grpc::PressLine {
        let mut press = messages::press(press);
        if self == Self::Viewer {
            press.event_seq = 0;
        }
        press
    }
}

fn event_rule(after_flag: Option<AfterFlag>) -> grpc::AfterFlag {
    after_flag.map_or(
        grpc::AfterFlag::Unspecified,
        |rule| renamed!(rule, AfterFlag => grpc::AfterFlag { Freezes, RunsOn }),
    )
}

fn actor<T>(request: &Request<T>) -> Result<Actor> {
    let arbiter = caller(request)?;
    Ok(Actor {
        name: arbiter.name.clone(),
        role: match arbiter.role {
            Role::Viewer | Role::Broadcaster | Role::Auditor | Role::Player => hall::Role::Viewer,
            Role::Floor => hall::Role::Floor,
            Role::Chief => hall::Role::Chief,
        },
    })
}

pub(super) fn caller<T>(request: &Request<T>) -> Result<&Arbiter> {
    request
        .extensions()
        .get::<Arbiter>()
        .ok_or_else(|| Status::unauthenticated("the caller is not known"))
}
