//! How the rest of the process talks to the event loop: a handle that clones, and messages with a place for the answer. Owns the
//! waiting; never touches the hall.

use std::sync::Arc;

use proto::ids::{AgentId, CommandId};
use proto::wire::{GoodbyeReason, HubFrame};
use timing::{Hub, Instant};
use tokio::sync::{mpsc, oneshot};

use super::mirror::HallMirror;
use hall::view::PressView;
use hall::{
    AgentFrame, AgentInfo, Answer, Denied, Enrolment, FloorAnswer, FloorRequest, Hello, LinkId,
    PressLine, Request, RoundAnswer, RoundRequest, SignedRequest, TournamentAnswer,
    TournamentRequest,
};

/// Frames that may wait for one link before the hub gives it up as too slow.
pub const LINK_QUEUE: usize = 512;

/// What a link is told to do.
#[derive(Clone, Debug)]
pub enum ToLink {
    /// Send this: a time probe as a datagram where there are datagrams, everything else on the stream.
    Frame(HubFrame),
    /// Send a goodbye with this reason and close.
    Close {
        /// Why.
        reason: GoodbyeReason,
        /// The same for people.
        text: String,
    },
}

/// A link as its task holds it. The link is over when the channel ends.
#[derive(Debug)]
pub struct LinkSession {
    /// What the hall calls it.
    pub id: LinkId,
    /// What to do.
    pub frames: mpsc::Receiver<ToLink>,
}

/// The event loop is over: the hub is shutting down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hub is shutting down")]
pub struct Stopped;

/// What the event loop is asked.
#[derive(Debug)]
pub(super) enum Message {
    Connect {
        agent: AgentId,
        opened: Instant<Hub>,
        hello: Box<Hello>,
        answer: oneshot::Sender<LinkSession>,
    },
    Frame {
        link: LinkId,
        received: Instant<Hub>,
        frame: AgentFrame,
    },
    Gone {
        link: LinkId,
        why: String,
    },
    Command {
        request: Box<Request>,
        answer: oneshot::Sender<Result<Answer, Denied>>,
    },
    Enrol {
        enrolment: Box<Enrolment>,
        answer: oneshot::Sender<Result<(), Denied>>,
    },
    Tournament {
        request: Box<TournamentRequest>,
        answer: oneshot::Sender<Result<TournamentAnswer, Denied>>,
    },
    Round {
        request: Box<RoundRequest>,
        answer: oneshot::Sender<Result<RoundAnswer, Denied>>,
    },
    Floor {
        request: Box<FloorRequest>,
        answer: oneshot::Sender<Result<FloorAnswer, Denied>>,
    },
    Outcome {
        id: CommandId,
        answer: oneshot::Sender<Option<Answer>>,
    },
    Agents {
        answer: oneshot::Sender<Vec<AgentInfo>>,
    },
    Signed(Box<SignedRequest>),
    Moves {
        board: String,
        answer: oneshot::Sender<Vec<PressLine>>,
    },
    ShutDown {
        answer: oneshot::Sender<()>,
    },
}

/// The way to the event loop.
#[derive(Clone)]
pub struct EventLoopHandle {
    pub(super) messages: mpsc::Sender<Message>,
    pub(super) mirror: Arc<HallMirror>,
}

impl EventLoopHandle {
    /// Tells of a new link of an enrolled agent that has said hello. Whether the hall wants it comes over the session.
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn connect(
        &self,
        agent: AgentId,
        opened: Instant<Hub>,
        hello: Hello,
    ) -> Result<LinkSession, Stopped> {
        self.ask(|answer| Message::Connect {
            agent,
            opened,
            hello: Box::new(hello),
            answer,
        })
        .await
    }

    /// Hands on a frame of a link. Waits while the hub is behind, which is how a link is slowed down.
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn frame(
        &self,
        link: LinkId,
        received: Instant<Hub>,
        frame: AgentFrame,
    ) -> Result<(), Stopped> {
        self.tell(Message::Frame {
            link,
            received,
            frame,
        })
        .await
    }

    /// Tells that a link is over.
    pub async fn gone(&self, link: LinkId, why: impl Into<String>) {
        // A loop that has stopped knows no links any more.
        let why = why.into();
        let _ = self.tell(Message::Gone { link, why }).await;
    }

    /// Carries out a request: the answer comes when it is durable, and after 1.5 seconds at the latest.
    ///
    /// # Errors
    /// [`Stopped`]; inside, why the request is no command of this hall.
    pub async fn command(&self, request: Request) -> Result<Result<Answer, Denied>, Stopped> {
        self.ask(|answer| Message::Command {
            request: Box::new(request),
            answer,
        })
        .await
    }

    /// Enrols an agent; it is durable on return, and only then may the certificate leave.
    ///
    /// # Errors
    /// [`Stopped`]; inside, why not.
    pub async fn enrol(&self, enrolment: Enrolment) -> Result<Result<(), Denied>, Stopped> {
        self.ask(|answer| Message::Enrol {
            enrolment: Box::new(enrolment),
            answer,
        })
        .await
    }

    /// Makes changes of the event, all of them or none: the answer comes when they are durable, and the mirror has them by then.
    ///
    /// # Errors
    /// [`Stopped`]; inside, why these are no changes of an event. What the event's rules refuse is an answer.
    pub async fn change_tournament(
        &self,
        request: TournamentRequest,
    ) -> Result<Result<TournamentAnswer, Denied>, Stopped> {
        self.ask(|answer| Message::Tournament {
            request: Box::new(request),
            answer,
        })
        .await
    }

    /// Has the clocks of a round set or started, or says how they stand; answered once what it changed is durable.
    ///
    /// # Errors
    /// [`Stopped`]; inside, why that is no request for a round.
    pub async fn work_on_round(
        &self,
        request: RoundRequest,
    ) -> Result<Result<RoundAnswer, Denied>, Stopped> {
        self.ask(|answer| Message::Round {
            request: Box::new(request),
            answer,
        })
        .await
    }

    /// Puts boards elsewhere on the floor plan, all or none: the answer comes when it is durable, and the mirror has it by then.
    ///
    /// # Errors
    /// [`Stopped`]; inside, why that is no floor plan, or not the actor's to change.
    pub async fn arrange_floor(
        &self,
        request: FloorRequest,
    ) -> Result<Result<FloorAnswer, Denied>, Stopped> {
        self.ask(|answer| Message::Floor {
            request: Box::new(request),
            answer,
        })
        .await
    }

    /// What became of a command; `None` if its id is not known (any more).
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn outcome(&self, id: CommandId) -> Result<Option<Answer>, Stopped> {
        self.ask(|answer| Message::Outcome { id, answer }).await
    }

    /// Every agent ever enrolled.
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn agents(&self) -> Result<Vec<AgentInfo>, Stopped> {
        self.ask(|answer| Message::Agents { answer }).await
    }

    /// The completed moves of the game on `board`, oldest first.
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn moves(&self, board: &str) -> Result<Vec<PressView>, Stopped> {
        let lines = self.presses(board).await?;
        Ok(lines.iter().map(|line| line.view).collect())
    }

    /// The same, each with its place in its clock's chain.
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn presses(&self, board: &str) -> Result<Vec<PressLine>, Stopped> {
        let board = board.to_owned();
        self.ask(|answer| Message::Moves { board, answer }).await
    }

    /// Has the proof of a request kept in the log, before whatever this handle asks next.
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn signed(&self, request: SignedRequest) -> Result<(), Stopped> {
        self.tell(Message::Signed(Box::new(request))).await
    }

    /// What is durable, for reading without asking the loop.
    pub fn mirror(&self) -> &HallMirror {
        &self.mirror
    }

    /// Whether the hub does its whole job.
    ///
    /// # Errors
    /// What it does not do, in a sentence.
    pub fn health(&self) -> Result<(), String> {
        self.mirror.health()
    }

    /// Stops the hub: links are told, everything is made durable, a snapshot is kept. Returns when that is done.
    pub async fn shut_down(&self) {
        // A loop that has stopped already is what was asked for.
        let _ = self.ask(|answer| Message::ShutDown { answer }).await;
    }

    async fn tell(&self, message: Message) -> Result<(), Stopped> {
        self.messages.send(message).await.map_err(|_| Stopped)
    }

    async fn ask<T>(
        &self,
        message: impl FnOnce(oneshot::Sender<T>) -> Message,
    ) -> Result<T, Stopped> {
        let (answer, answered) = oneshot::channel();
        self.tell(message(answer)).await?;
        answered.await.map_err(|_| Stopped)
    }
}
