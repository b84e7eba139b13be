//! The streams from the hub to the page. Owns their pace: data is batched, so that a thousand presses a second become about forty messages.
//! Batching delays a press by at most `PACE`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame};
use tokio::sync::oneshot;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Minimum interval between two data messages of one stream.
const PACE: Duration = Duration::from_millis(25);
/// Size in bytes at which a message takes no more data.
const MAX_MESSAGE: usize = 1 << 20;

/// A part of a stream. Any number of `Data` pieces come first, then `End` or `Failed` if the page still listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Some bytes of the body.
    Data(Vec<u8>),
    /// The body is complete.
    End,
    /// The body failed, for example because the connection was lost. Contains the message of the error.
    Failed(String),
}

/// The streams that the page follows, keyed by the number that the page gave to each stream.
#[derive(Clone, Default)]
pub struct Streams(Arc<Mutex<BTreeMap<u32, oneshot::Sender<()>>>>);

/// A signal that a stream is no longer wanted.
pub struct Unwanted(oneshot::Receiver<()>);

impl Streams {
    /// Registers a stream. A stream that already has this number ends.
    pub fn begin(&self, id: u32) -> Unwanted {
        let (sender, receiver) = oneshot::channel();
        self.all().insert(id, sender);
        Unwanted(receiver)
    }

    /// Ends a stream, if there is one with this number.
    pub fn end(&self, id: u32) {
        self.all().remove(&id);
    }

    /// Ends all streams, because the page is gone.
    pub fn end_all(&self) {
        self.all().clear();
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<u32, oneshot::Sender<()>>> {
        // No code panics while holding this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unwanted {
    /// Waits until the stream is no longer wanted. Cancel-safe.
    pub async fn wait(&mut self) {
        // The sender is never used: dropping it resolves the receiver.
        let _ = (&mut self.0).await;
    }
}

/// Sends a body to the page until it ends, is cancelled, or `send` fails.
pub async fn carry<B, E>(mut body: B, mut unwanted: Unwanted, send: impl Fn(Piece) -> Result<(), E>)
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: std::error::Error,
{
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let (data, last) = tokio::select! {
            next = pieces(&mut body, &mut pace) => next,
            () = unwanted.wait() => return,
        };
        let sent = data.is_empty() || send(Piece::Data(data)).is_ok();
        match last {
            Some(last) => {
                // A failure means that the page is gone.
                let _ = send(last);
                return;
            }
            None if !sent => return,
            None => (),
        }
    }
}

/// Waits for data and until the next message may be sent, then collects what has arrived, up to about `MAX_MESSAGE` bytes. Also returns the last
/// piece if the body has ended or failed.
async fn pieces<B>(body: &mut B, pace: &mut Interval) -> (Vec<u8>, Option<Piece>)
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: std::error::Error,
{
    let mut data = Vec::new();
    if let Some(last) = take(body.frame().await, &mut data) {
        return (data, Some(last));
    }
    pace.tick().await;
    while data.len() < MAX_MESSAGE {
        let more = tokio::select! {
            biased;
            more = body.frame() => more,
            () = std::future::ready(()) => break,
        };
        if let Some(last) = take(more, &mut data) {
            return (data, Some(last));
        }
    }
    (data, None)
}

fn take<E: std::error::Error>(
    frame: Option<Result<Frame<Bytes>, E>>,
    data: &mut Vec<u8>,
) -> Option<Piece> {
    match frame {
        Some(Ok(frame)) => {
            // gRPC-web puts its trailers in the body, so HTTP trailers are ignored.
            if let Ok(bytes) = frame.into_data() {
                data.extend_from_slice(&bytes);
            }
            None
        }
        Some(Err(error)) => Some(Piece::Failed(error.to_string())),
        None => Some(Piece::End),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use http_body_util::{Full, StreamBody};
    use tokio::sync::mpsc;

    use super::*;

    type Sent = mpsc::UnboundedReceiver<Result<Frame<Bytes>, std::io::Error>>;

    fn body(mut fed: Sent) -> impl Body<Data = Bytes, Error = std::io::Error> + Unpin {
        StreamBody::new(futures_util::stream::poll_fn(move |context| {
            fed.poll_recv(context)
        }))
    }

    fn data(bytes: &'static [u8]) -> Result<Frame<Bytes>, std::io::Error> {
        Ok(Frame::data(Bytes::from_static(bytes)))
    }

    #[tokio::test]
    async fn simultaneous_pieces_are_batched() {
        let (feed, fed) = mpsc::unbounded_channel();
        let (sender, mut got) = mpsc::unbounded_channel();
        let streams = Streams::default();
        let carried = carry(body(fed), streams.begin(1), move |piece| sender.send(piece));
        let page = async {
            feed.send(data(b"one")).unwrap();
            assert_eq!(got.recv().await, Some(Piece::Data(b"one".to_vec())));
            feed.send(data(b"two")).unwrap();
            feed.send(data(b"three")).unwrap();
            assert_eq!(got.recv().await, Some(Piece::Data(b"twothree".to_vec())));
            feed.send(data(b"four")).unwrap();
            drop(feed);
            assert_eq!(got.recv().await, Some(Piece::Data(b"four".to_vec())));
            assert_eq!(got.recv().await, Some(Piece::End));
            assert_eq!(got.recv().await, None);
        };
        tokio::join!(carried, page);
    }

    #[tokio::test]
    async fn a_lost_connection_is_reported() {
        let (feed, fed) = mpsc::unbounded_channel();
        feed.send(data(b"one")).unwrap();
        feed.send(Err(std::io::Error::other("lost"))).unwrap();
        let (sender, mut got) = mpsc::unbounded_channel();
        carry(body(fed), Streams::default().begin(1), |piece| {
            sender.send(piece)
        })
        .await;
        assert_eq!(got.recv().await, Some(Piece::Data(b"one".to_vec())));
        assert_eq!(got.recv().await, Some(Piece::Failed("lost".to_owned())));
    }

    #[tokio::test]
    async fn a_cancelled_stream_ends() {
        let streams = Streams::default();
        for end in [
            (|streams, _| Streams::end(streams, 7)) as fn(&Streams, u32),
            |streams, _| Streams::end_all(streams),
            |streams, id| drop(streams.begin(id)),
        ] {
            let (_feed, fed) = mpsc::unbounded_channel();
            let unwanted = streams.begin(7);
            let carried = carry(body(fed), unwanted, |_| Ok::<(), Infallible>(()));
            let page = async { end(&streams, 7) };
            tokio::join!(carried, page);
        }
    }

    #[tokio::test]
    async fn a_stream_ends_with_its_page() {
        let whole = Full::new(Bytes::from_static(b"all"));
        let streams = Streams::default();
        carry(whole, streams.begin(1), |_| Err(())).await;
    }
}
