//! The shell around the hall: one loop that takes inputs, lets the hall decide, and passes the records to the log. It carries out the
//! effects once the records are durable; only time probes and clock metrics do not wait. All effects happen here; decisions about time or
//! rules do not.
//!
//! The other effects of a step travel with its records through the commit thread and return in order once the records are durable. When the log
//! fails, the hub acknowledges and publishes nothing more, and answers every request with that failure. The clocks keep their events and
//! resend them after the hub restarts.

mod carry;
mod handle;

use std::pin::pin;
use std::sync::Arc;

use proto::ids::AgentId;
use proto::wire::GoodbyeReason;
use timing::{Hub, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::live::LiveHall;
use crate::metrics;
use crate::time_source::TimeSource;
use carry::{Carrier, LOG_STOPPED};
use durable_log::{
    CommitError, CommitHandle, Durable, Hash, Log, QUEUE_CAPACITY, Submission, SubmitError,
};
use hall::{Hall, Hello, HubEffect, Input, LinkId, ReplyId, StartUp, Step};
use handle::Message;

pub(crate) use carry::publish;
pub use handle::{EventLoopHandle, LINK_QUEUE, LinkSession, Stopped, ToLink};

/// Name of the meta value that holds the timeline's mark.
pub const TIMELINE: &str = "timeline";

/// Capacity of the message queue; senders wait when it is full.
const MESSAGES: usize = 4_096;
/// Maximum number of messages taken before the loop checks for durable steps.
const AT_ONCE: usize = 64;
/// Maximum number of submissions that wait for the disk before the loop stops taking messages. A message creates at most one submission.
const BACKLOG: usize = QUEUE_CAPACITY - 2 * AT_ONCE;
const MARK_EVERY: std::time::Duration = std::time::Duration::from_secs(60);

pub struct Parts {
    pub hall: Hall,
    pub log: Log,
    pub time: TimeSource,
    pub live: Arc<LiveHall>,
    /// Start-up facts that are not in the log.
    pub start: StartUp,
}

#[derive(Debug)]
pub enum Ended {
    /// Everything is durable. Contains the log's length and its head hash.
    Durable(u64, Hash),
    /// The log failed, at the end or earlier, or did not take a step.
    LogFailed(CommitError),
}

impl Ended {
    /// Returns `Ok` if everything became durable.
    ///
    /// # Errors
    /// Returns the log's failure. Records that were not acknowledged may be missing from the log.
    pub fn result(self) -> Result<(), CommitError> {
        match self {
            Self::Durable(..) => Ok(()),
            Self::LogFailed(error) => Err(error),
        }
    }
}

enum Wakeup {
    Messages,
    Durable(Vec<Durable<Vec<HubEffect>>>),
    LogFailed(CommitError),
    /// The hall's next deadline has passed.
    Due,
    Mark,
    /// All handles were dropped.
    Abandoned,
}

/// Starts the loop on the caller's runtime. The loop ends after [`EventLoopHandle::shut_down`], or when every handle has been dropped.
///
/// # Errors
/// Returns [`CommitError`] if the commit thread cannot be started.
pub fn start(parts: Parts) -> Result<(EventLoopHandle, JoinHandle<Ended>), CommitError> {
    let (to_loop, durable) = mpsc::unbounded_channel();
    let (failed_to_loop, failed) = oneshot::channel();
    let commit = parts.log.into_commit(
        move |steps| {
            // Ignore a failure: once the loop has ended, no effects remain to be carried out.
            let _ = to_loop.send(steps);
        },
        move |error| {
            let _ = failed_to_loop.send(error);
        },
    )?;
    let (messages, inbox) = mpsc::channel(MESSAGES);
    let handle = EventLoopHandle {
        messages,
        live: parts.live.clone(),
    };
    let shell = Shell {
        hall: parts.hall,
        time: parts.time,
        commit: Some(commit),
        carrier: Carrier::new(parts.live),
        next_link: 1,
        next_reply: 1,
        failed: None,
    };
    let task = tokio::spawn(shell.run(parts.start, inbox, durable, failed));
    Ok((handle, task))
}

struct Shell {
    hall: Hall,
    time: TimeSource,
    /// The handle of the commit thread; `None` after the log is closed.
    commit: Option<CommitHandle<Vec<HubEffect>>>,
    carrier: Carrier,
    next_link: u64,
    next_reply: u64,
    /// The reason why the log takes no more records.
    failed: Option<String>,
}

impl Shell {
    async fn run(
        mut self,
        start: StartUp,
        mut inbox: mpsc::Receiver<Message>,
        mut durable: mpsc::UnboundedReceiver<Vec<Durable<Vec<HubEffect>>>>,
        mut failed: oneshot::Receiver<CommitError>,
    ) -> Ended {
        self.input(Input::StartUp(Box::new(start)));
        // The first tick comes immediately, so a mark is stored at the start.
        let mut marks = tokio::time::interval(MARK_EVERY);
        let mut taken = Vec::with_capacity(AT_ONCE);
        let asked_to_stop = loop {
            let room = self.has_room();
            let log_runs = self.failed.is_none();
            let due = pin!(self.until_due());
            let wakeup = tokio::select! {
                biased;
                Some(steps) = durable.recv() => Wakeup::Durable(steps),
                Ok(error) = &mut failed, if log_runs => Wakeup::LogFailed(error),
                () = due, if room => Wakeup::Due,
                _ = marks.tick() => Wakeup::Mark,
                count = inbox.recv_many(&mut taken, AT_ONCE), if room => match count {
                    0 => Wakeup::Abandoned,
                    _ => Wakeup::Messages,
                },
            };
            match wakeup {
                Wakeup::Durable(steps) => self.carrier.carry_out(steps),
                Wakeup::LogFailed(error) => self.stop_acknowledging(error.to_string()),
                Wakeup::Due => self.input(Input::Wake),
                Wakeup::Mark => self.keep_mark(),
                Wakeup::Abandoned => break None,
                Wakeup::Messages => {
                    let stop = taken.drain(..).find_map(|message| self.take(message));
                    if stop.is_some() {
                        break stop;
                    }
                }
            }
        };
        let ended = self.close(durable).await;
        if let Some(answer) = asked_to_stop {
            // Ignore a failure: the caller may have gone.
            let _ = answer.send(());
        }
        ended
    }

    fn has_room(&self) -> bool {
        let commit = self.commit.as_ref().filter(|_| self.failed.is_none());
        commit.is_none_or(|commit| commit.backlog() < BACKLOG)
    }

    /// Waits until the hall's next deadline; forever if there is none or the log has failed.
    fn until_due(&self) -> impl Future<Output = ()> + use<> {
        let due = self.hall.next_wake().filter(|_| self.failed.is_none());
        let wait = due.map(|at| {
            let us = (at - self.time.hub_now()).or_zero().as_micros();
            std::time::Duration::from_micros(us.unsigned_abs())
        });
        async move {
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => std::future::pending().await,
            }
        }
    }

    /// Takes a message. Returns the answer channel of a shutdown request; `None` for any other message.
    fn take(&mut self, message: Message) -> Option<oneshot::Sender<()>> {
        match message {
            Message::Connect {
                agent,
                opened,
                hello,
                answer,
            } => self.connect(agent, opened, hello, answer),
            Message::Input(input) => {
                if self.carrier.accepts(&input) {
                    self.input(input);
                }
            }
            Message::Ask { request, answer } => {
                let reply = ReplyId(self.next_reply);
                self.next_reply += 1;
                self.carrier.add_reply(reply, answer);
                self.input(Input::Asked { request, reply });
            }
            Message::ShutDown { answer } => return Some(answer),
        }
        None
    }

    fn connect(
        &mut self,
        agent: AgentId,
        opened: Instant<Hub>,
        hello: Box<Hello>,
        answer: oneshot::Sender<LinkSession>,
    ) {
        let link = LinkId(self.next_link);
        self.next_link += 1;
        let (sender, frames) = mpsc::channel(LINK_QUEUE);
        let dropped = CancellationToken::new();
        let session = LinkSession {
            id: link,
            frames,
            dropped: dropped.clone(),
        };
        if answer.send(session).is_err() {
            // The link ended before its session began.
            return;
        }
        self.carrier.add_link(link, sender, dropped.drop_guard());
        if self.failed.is_some() {
            self.carrier
                .close_link(link, GoodbyeReason::LogStopped, LOG_STOPPED);
            return;
        }
        self.input(Input::AgentConnected {
            agent,
            link,
            opened,
            hello,
        });
    }

    fn input(&mut self, input: Input) {
        if self.failed.is_some() {
            return;
        }
        let now: Instant<Hub> = self.time.hub_now();
        let step: Step = self.hall.on_input(now, input);
        for effect in step.immediate {
            self.carrier.carry_immediate(effect);
        }
        if step.records.is_empty() && step.effects.is_empty() {
            return;
        }
        let records = step.records.iter();
        self.submit(Submission {
            records: records.map(prost::Message::encode_to_vec).collect(),
            effects: step.effects,
        });
    }

    fn submit(&mut self, submission: Submission<Vec<HubEffect>>) {
        let Some(commit) = &self.commit else { return };
        match commit.submit(submission) {
            // A log that has stopped sends its own error.
            Ok(()) | Err(SubmitError::Stopped) => (),
            Err(error @ (SubmitError::Full | SubmitError::TooLong { .. })) => {
                // Room is checked before each batch of inputs, and every text has a maximum length. If logging fails nevertheless, the fold is ahead
                // of the log, and no later state can be trusted.
                self.stop_acknowledging(format!("a step could not be logged: {error}"));
            }
        }
    }

    fn keep_mark(&mut self) {
        if let Some(commit) = &self.commit {
            // Ignore a failure: a failed log reports itself.
            let _ = commit.set_meta(TIMELINE, self.time.mark().to_bytes());
        }
    }

    fn stop_acknowledging(&mut self, why: String) {
        tracing::error!("{why}");
        metrics::log_failed(true);
        self.carrier.stop(&why);
        self.failed = Some(why);
    }

    /// Closes the log, carries out the effects that became durable, then sends a goodbye on every link.
    async fn close(
        mut self,
        mut durable: mpsc::UnboundedReceiver<Vec<Durable<Vec<HubEffect>>>>,
    ) -> Ended {
        if self.failed.is_none() {
            self.keep_mark();
        }
        let Some(commit) = self.commit.take() else {
            return Ended::LogFailed(CommitError::Panicked {
                what: "the log was closed before".to_owned(),
            });
        };
        let closed = closed(commit).await;
        while let Some(steps) = durable.recv().await {
            self.carrier.carry_out(steps);
        }
        self.carrier
            .close_all(GoodbyeReason::ShuttingDown, "the hub is shutting down");
        match closed {
            Ok(Ok((len, head))) => match self.failed {
                // The log itself is sound, but the hall was ahead of it.
                Some(what) => Ended::LogFailed(CommitError::NotTaken { what }),
                None => Ended::Durable(len, head),
            },
            Ok(Err(error)) => Ended::LogFailed(error),
            Err(what) => Ended::LogFailed(CommitError::Panicked { what }),
        }
    }
}

/// Closes the log on its own thread, because the hub's shutdown must not wait for a thread pool that other work may occupy.
async fn closed(
    commit: CommitHandle<Vec<HubEffect>>,
) -> Result<Result<(u64, Hash), CommitError>, String> {
    let (closed, answer) = oneshot::channel();
    let started = std::thread::Builder::new()
        .name("log-close".to_owned())
        .spawn(move || closed.send(commit.close()).is_ok());
    started.map_err(|error| format!("no thread to close it: {error}"))?;
    let gone = |_| "it could not be closed".to_owned();
    answer.await.map_err(gone)
}
