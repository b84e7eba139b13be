//! The requests of one connection: how many are in progress, and whether the client reads the responses.
//!
//! Owns the layer that counts each request from its head to the last byte of its response.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::http::{Extensions, Request, Response};
use futures::future::BoxFuture;
use http_body::{Body, Frame, SizeHint};
use tower::{Layer, Service};

use super::slots::Slot;
use crate::lock::lock;

pub(crate) struct Requests {
    slot: Slot,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    begun: u64,
    open: BTreeMap<u64, AnswerPart>,
}

/// State of the part of a response that was handed to the connection most recently.
#[derive(Default)]
struct AnswerPart {
    /// True if the connection holds the part and has not requested the next one.
    waits: bool,
    /// Number of checks since the part was handed over.
    checks: u32,
}

/// A request in progress, counted until it is dropped.
pub(crate) struct InProgress {
    of: Arc<Requests>,
    id: u64,
}

impl Requests {
    pub(super) fn new(slot: Slot) -> Self {
        Self {
            slot,
            state: Mutex::default(),
        }
    }

    #[cfg(test)]
    pub(crate) fn of_a_test() -> Arc<Self> {
        use super::slots::{Limits, SlotPool};
        let slot = SlotPool::new(Limits::shared(1)).take([192, 0, 2, 1].into());
        // Cannot fail: the pool's only slot is free.
        Arc::new(Self::new(slot.unwrap()))
    }

    pub(crate) fn slot(&self) -> &Slot {
        &self.slot
    }

    pub(super) fn begin(self: &Arc<Self>) -> InProgress {
        self.slot.begin();
        let mut state = lock(&self.state);
        state.begun += 1;
        let id = state.begun;
        state.open.insert(id, AnswerPart::default());
        InProgress {
            of: self.clone(),
            id,
        }
    }

    pub(super) fn has_any(&self) -> bool {
        lock(&self.state).begun > 0
    }

    pub(super) fn in_progress(&self) -> bool {
        !lock(&self.state).open.is_empty()
    }

    /// Adds one check to each part of a response that is waiting to be read, and returns the highest count.
    pub(super) fn check_waiting_parts(&self) -> u32 {
        let mut state = lock(&self.state);
        let waiting = state.open.values_mut().filter(|part| part.waits);
        waiting.fold(0, |most, part| {
            part.checks += 1;
            most.max(part.checks)
        })
    }
}

impl InProgress {
    /// Records that a part of the response has been handed to the connection.
    pub(super) fn offered(&self) {
        self.note(true);
    }

    /// Records that the connection has requested the next part of the response.
    pub(super) fn taken(&self) {
        self.note(false);
    }

    fn note(&self, waits: bool) {
        let mut state = lock(&self.of.state);
        if let Some(part) = state.open.get_mut(&self.id) {
            *part = AnswerPart { waits, checks: 0 };
        }
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        lock(&self.of.state).open.remove(&self.id);
        self.of.slot.end();
    }
}

/// A layer that counts the requests of a service. Its function finds the connection's [`Requests`] in the request's extensions.
#[derive(Clone, Copy)]
pub(crate) struct TrackRequests(pub(crate) fn(&Extensions) -> Option<Arc<Requests>>);

#[derive(Clone)]
pub(crate) struct Tracked<S> {
    inner: S,
    find: TrackRequests,
}

impl<S> Layer<S> for TrackRequests {
    type Service = Tracked<S>;

    fn layer(&self, inner: S) -> Tracked<S> {
        Tracked { inner, find: *self }
    }
}

impl<S, I, O> Service<Request<I>> for Tracked<S>
where
    S: Service<Request<I>, Response = Response<O>>,
    S::Future: Send + 'static,
{
    type Response = Response<Counted<O>>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Self::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<I>) -> Self::Future {
        let request_in_progress = self.find.0(request.extensions()).map(|of| of.begin());
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            // Count from the start: a client that accepts no data at all never requests the first part.
            if let Some(request) = &request_in_progress {
                request.offered();
            }
            Ok(answer.map(|body| Counted {
                body,
                request: request_in_progress,
            }))
        })
    }
}

/// The body of a response. Its request counts as in progress until the body is dropped.
pub(crate) struct Counted<B> {
    body: B,
    request: Option<InProgress>,
}

impl<B: Body + Unpin> Body for Counted<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        if let Some(request) = &self.request {
            request.taken();
        }
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let (Poll::Ready(Some(_)), Some(request)) = (&frame, &self.request) {
            request.offered();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
