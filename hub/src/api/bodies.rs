//! The bodies of requests and responses. A response holds the caller's share of the limits until it has been read. It ends with the caller's
//! session or key file, so that a revoked device sees no more of an open stream. A request that is too large or too slow is cut off.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt as _, future::Fuse};
use http_body::{Frame, SizeHint};
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, HeaderValue, Request, Response};
use tonic::{Result, Status};

use super::limits::Share;
use crate::identity::REVOKED;

/// Time limit for the arrival of a request, which occupies memory until it is complete.
const REQUEST_WITHIN: Duration = Duration::from_secs(30);

/// The event that ends a caller's access, and the reason given to the caller.
#[derive(Clone)]
pub(super) struct End {
    over: CancellationToken,
    why: &'static str,
}

impl End {
    pub(super) fn of_session(over: CancellationToken) -> Self {
        let why = "the session of this device is over";
        Self { over, why }
    }

    pub(super) fn of_key_file(over: CancellationToken) -> Self {
        Self { over, why: REVOKED }
    }
}

/// Holds `share` until the response has been read or dropped. Ends the response when the caller's access ends.
pub(super) fn with_share(answer: Response<Body>, end: End, share: Share) -> Response<Body> {
    answer.map(|body| {
        Body::new(Shared {
            body,
            over: end.over.cancelled_owned().boxed().fuse(),
            why: end.why,
            _share: share,
        })
    })
}

struct Shared {
    body: Body,
    over: Fuse<BoxFuture<'static, ()>>,
    why: &'static str,
    _share: Share,
}

impl http_body::Body for Shared {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>>>> {
        if self.over.poll_unpin(context).is_ready() {
            // Drop the rest of the response, together with its producer.
            self.body = Body::empty();
            return Poll::Ready(Some(Ok(Frame::trailers(end_trailers(self.why)))));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

fn end_trailers(why: &'static str) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    // 16 is UNAUTHENTICATED.
    trailers.insert("grpc-status", HeaderValue::from_static("16"));
    trailers.insert("grpc-message", HeaderValue::from_static(why));
    trailers
}

/// Cuts off the request's body if it has more than `most` bytes or takes too long to arrive, or when the caller's access ends.
pub(super) fn bounded(request: Request<Body>, most: usize, end: End) -> Request<Body> {
    request.map(|body| {
        Body::new(Bounded {
            body,
            most,
            left: most,
            deadline: Box::pin(sleep(REQUEST_WITHIN)),
            end,
        })
    })
}

pub(super) fn too_large(most: usize) -> Status {
    Status::resource_exhausted(format!(
        "a request of this kind may have at most {most} bytes"
    ))
}

struct Bounded {
    body: Body,
    most: usize,
    left: usize,
    deadline: Pin<Box<Sleep>>,
    end: End,
}

impl http_body::Body for Bounded {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>>>> {
        if self.deadline.as_mut().poll(context).is_ready() {
            let late = Status::deadline_exceeded("the request took longer than 30 s to arrive");
            return Poll::Ready(Some(Err(late)));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        // Refuse a caller whose access ended during the request. If no more data arrives, the end of the connection cuts off the caller.
        if self.end.over.is_cancelled() {
            return Poll::Ready(Some(Err(Status::unauthenticated(self.end.why))));
        }
        let Some(Ok(frame)) = frame else {
            return Poll::Ready(frame);
        };
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => return Poll::Ready(Some(Err(too_large(self.most)))),
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;

    async fn read(sizes: &[usize], most: usize, end: End) -> Result<usize> {
        let pieces: Vec<_> = sizes
            .iter()
            .map(|size| Bytes::from(vec![0; *size]))
            .collect();
        let pieces = stream::iter(pieces.into_iter().map(Ok::<_, Status>));
        let body = Body::new(axum::body::Body::from_stream(pieces));
        let mut body = bounded(Request::new(body), most, end).into_body();
        let mut read = 0;
        while let Some(frame) = std::future::poll_fn(|context| {
            http_body::Body::poll_frame(Pin::new(&mut body), context)
        })
        .await
        {
            read += frame?.data_ref().map_or(0, Bytes::len);
        }
        Ok(read)
    }

    #[tokio::test]
    async fn a_request_is_cut_off_above_its_size() {
        let end = End::of_key_file(CancellationToken::new());
        assert_eq!(read(&[4, 4], 8, end.clone()).await.unwrap(), 8);
        assert_eq!(read(&[], 8, end.clone()).await.unwrap(), 0);
        for sizes in [&[9][..], &[4, 5], &[8, 1]] {
            let refused = read(sizes, 8, end.clone()).await.unwrap_err();
            assert_eq!(refused.code(), tonic::Code::ResourceExhausted, "{refused}");
        }
    }

    #[tokio::test]
    async fn a_request_of_a_revoked_caller_never_arrives_whole() {
        let over = CancellationToken::new();
        let end = End::of_key_file(over.clone());
        over.cancel();
        for sizes in [&[4, 4][..], &[]] {
            let refused = read(sizes, 8, end.clone()).await.unwrap_err();
            assert_eq!(refused.code(), tonic::Code::Unauthenticated);
            assert_eq!(refused.message(), REVOKED);
        }
    }
}
