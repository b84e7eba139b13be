//! The interface to the event loop: a cloneable handle, and messages with answer channels. Owns the waiting; never touches the hall.

use std::sync::Arc;

use proto::ids::AgentId;
use proto::log::RequestSigned;
use proto::wire::{GoodbyeReason, HubFrame};
use timing::{Hub, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::live::LiveHall;
use hall::{AgentFrame, Ask, Denied, HallRequest, Hello, Input, LinkId, Notice, Reply};

/// Maximum number of frames that may wait for one link before the hub closes it as too slow.
pub const LINK_QUEUE: usize = 512;

#[derive(Clone, Debug)]
pub enum ToLink {
    /// Send this frame: a time probe as a datagram where the link has datagrams, everything else on the stream. Boxed to keep the entries
    /// small, because a channel allocates its queue in blocks of entries.
    Frame(Box<HubFrame>),
    /// Send a goodbye with this reason and close.
    Close { reason: GoodbyeReason, text: String },
}

/// A link as its task sees it: the hall's id for the link, and the instructions to it. The link ends when the channel closes.
#[derive(Debug)]
pub struct LinkSession {
    pub id: LinkId,
    pub frames: mpsc::Receiver<ToLink>,
    /// Cancelled when the event loop has closed the link; its last instructions may still be in the channel.
    pub dropped: CancellationToken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hub is shutting down")]
pub struct Stopped;

impl From<Stopped> for Denied {
    fn from(stopped: Stopped) -> Self {
        Denied::Unavailable(stopped.to_string())
    }
}

pub(super) type ReplySender = oneshot::Sender<Result<Reply, Denied>>;

#[derive(Debug)]
pub(super) enum Message {
    Connect {
        agent: AgentId,
        opened: Instant<Hub>,
        hello: Box<Hello>,
        answer: oneshot::Sender<LinkSession>,
    },
    Input(Input),
    Ask {
        request: HallRequest,
        answer: ReplySender,
    },
    ShutDown {
        answer: oneshot::Sender<()>,
    },
}

#[derive(Clone)]
pub struct EventLoopHandle {
    pub(super) messages: mpsc::Sender<Message>,
    pub(super) live: Arc<LiveHall>,
}

impl EventLoopHandle {
    /// Reports a new link of an enrolled agent that has said hello. The session carries the hall's decision to accept or close the link.
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

    /// Passes a link's frame to the hall. Waits while the hub is behind, which applies back-pressure to the link.
    pub async fn frame(
        &self,
        link: LinkId,
        received: Instant<Hub>,
        frame: AgentFrame,
    ) -> Result<(), Stopped> {
        self.tell(Message::Input(Input::AgentFrame {
            link,
            received,
            frame,
        }))
        .await
    }

    pub async fn disconnected(&self, link: LinkId, why: impl Into<String>) {
        let why = why.into();
        let gone = Message::Input(Input::AgentGone { link, why });
        // A loop that has stopped has no links.
        let _ = self.tell(gone).await;
    }

    /// Sends a request to the hall. The answer arrives once all records of the request are durable.
    ///
    /// # Errors
    /// Returns the hall's refusal; [`Denied::Unavailable`] if its log has failed or the hub is shutting down; or [`Denied::OutcomeUnknown`] if
    /// the log fails while the request is being recorded.
    pub async fn ask<A: Ask>(&self, request: A) -> Result<A::Answer, Denied> {
        let (answer, answered) = oneshot::channel();
        let request = request.into();
        self.tell(Message::Ask { request, answer }).await?;
        let reply = answered.await.map_err(|_| Stopped)??;
        // The hall replies to each request with the matching kind.
        A::answer(reply)
            .ok_or_else(|| Denied::Unavailable("the hub mixed up its answers".to_owned()))
    }

    /// Passes to the loop the proof of a request's signature. The loop logs the proof before this handle's next request.
    pub async fn signed(&self, request: RequestSigned) -> Result<(), Stopped> {
        let signed = Input::Signed(Box::new(request));
        self.tell(Message::Input(signed)).await
    }

    /// Sends arbiters a notice from outside the hall, from any thread. Never waits: if the hub is behind or shutting down, the notice
    /// appears only in the program's own log messages.
    pub fn note(&self, notice: Notice) {
        let text = notice.text.clone();
        let message = Message::Input(Input::Noted(Box::new(notice)));
        if self.messages.try_send(message).is_err() {
            tracing::warn!("{text}");
        }
    }

    /// Returns the durable state, readable without asking the loop.
    pub fn live(&self) -> &Arc<LiveHall> {
        &self.live
    }

    /// Returns `Ok` if the hub is healthy.
    ///
    /// # Errors
    /// Returns a sentence that describes the failure.
    pub fn health(&self) -> Result<(), String> {
        self.live.health()
    }

    /// Stops the event loop. Returns once the log and the links are closed.
    pub async fn shut_down(&self) {
        let (answer, answered) = oneshot::channel();
        // An error means that the loop has stopped already.
        if self.tell(Message::ShutDown { answer }).await.is_ok() {
            let _ = answered.await;
        }
    }

    async fn tell(&self, message: Message) -> Result<(), Stopped> {
        self.messages.send(message).await.map_err(|_| Stopped)
    }
}
