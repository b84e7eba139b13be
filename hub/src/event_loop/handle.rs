//! How the rest of the process talks to the event loop: a handle that clones, and messages with a place for the answer. Owns the
//! waiting; never touches the hall.

use std::sync::Arc;

use proto::ids::AgentId;
use proto::log::RequestSigned;
use proto::wire::{GoodbyeReason, HubFrame};
use timing::{Hub, Instant};
use tokio::sync::{mpsc, oneshot};

use crate::live::LiveHall;
use hall::{AgentFrame, Ask, Denied, HallRequest, Hello, LinkId, Reply};

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

impl From<Stopped> for Denied {
    fn from(stopped: Stopped) -> Self {
        Denied::Unavailable(stopped.to_string())
    }
}

/// The place for the answer to a request.
pub(super) type ReplySender = oneshot::Sender<Result<Reply, Denied>>;

/// A message to the event loop.
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
    Ask {
        request: HallRequest,
        answer: ReplySender,
    },
    Signed(Box<RequestSigned>),
    ShutDown {
        answer: oneshot::Sender<()>,
    },
}

/// The way to the event loop.
#[derive(Clone)]
pub struct EventLoopHandle {
    pub(super) messages: mpsc::Sender<Message>,
    pub(super) live: Arc<LiveHall>,
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
        let (answer, answered) = oneshot::channel();
        let hello = Box::new(hello);
        self.tell(Message::Connect {
            agent,
            opened,
            hello,
            answer,
        })
        .await?;
        answered.await.map_err(|_| Stopped)
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

    /// Asks the hall for something. The answer comes when everything it tells of is durable.
    ///
    /// # Errors
    /// Why the hall does not do it, or cannot: [`Denied::Unavailable`] when its log has failed or the hub is shutting down.
    pub async fn ask<A: Ask>(&self, request: A) -> Result<A::Answer, Denied> {
        let (answer, answered) = oneshot::channel();
        let request = request.into();
        self.tell(Message::Ask { request, answer }).await?;
        let reply = answered.await.map_err(|_| Stopped)??;
        // The hall replies to each request with its own kind.
        A::answer(reply)
            .ok_or_else(|| Denied::Unavailable("the hub mixed up its answers".to_owned()))
    }

    /// Has the proof of a request kept in the log, before whatever this handle asks next.
    ///
    /// # Errors
    /// [`Stopped`].
    pub async fn signed(&self, request: RequestSigned) -> Result<(), Stopped> {
        self.tell(Message::Signed(Box::new(request))).await
    }

    /// What is durable, for reading without asking the loop.
    pub fn live(&self) -> &Arc<LiveHall> {
        &self.live
    }

    /// Whether the hub does its whole job.
    ///
    /// # Errors
    /// What it does not do, in a sentence.
    pub fn health(&self) -> Result<(), String> {
        self.live.health()
    }

    /// Stops the hub: links are told, everything is made durable, a snapshot is kept. Returns when that is done.
    pub async fn shut_down(&self) {
        let (answer, answered) = oneshot::channel();
        // A loop that has stopped already is what was asked for.
        if self.tell(Message::ShutDown { answer }).await.is_ok() {
            let _ = answered.await;
        }
    }

    async fn tell(&self, message: Message) -> Result<(), Stopped> {
        self.messages.send(message).await.map_err(|_| Stopped)
    }
}
