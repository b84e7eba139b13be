//! Answers that end with the session of their receiver: a revoked device sees no more of an open stream.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt as _, future::Fuse};
use http_body::Frame;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, HeaderValue, Response};

pub(super) fn until_over(answer: Response<Body>, over: CancellationToken) -> Response<Body> {
    let over = over.cancelled_owned().boxed().fuse();
    answer.map(|body| Body::new(Limited { body, over }))
}

struct Limited {
    body: Body,
    over: Fuse<BoxFuture<'static, ()>>,
}

impl http_body::Body for Limited {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.over.poll_unpin(context).is_ready() {
            // The rest of the answer is dropped, together with its producer.
            self.body = Body::empty();
            return Poll::Ready(Some(Ok(Frame::trailers(end_trailers()))));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

fn end_trailers() -> HeaderMap {
    let mut trailers = HeaderMap::new();
    // 16 is UNAUTHENTICATED.
    trailers.insert("grpc-status", HeaderValue::from_static("16"));
    trailers.insert(
        "grpc-message",
        HeaderValue::from_static("the session of this device is over"),
    );
    trailers
}
