//! A socket that fails once its slot is given away, or once one of its time limits has passed.
//!
//! Owns the checks, which run on every read and write. Must never delay data.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::WaitForCancellationFutureOwned;

use super::requests::Requests;
use super::slots::Slot;
use super::{
    ARBITER_IDLE_FOR, CHECK_EVERY, FIRST_REQUEST_WITHIN, IDLE_FOR, STALLED_FOR, STRANGER_FOR,
    checks,
};

pub(crate) struct Guarded<S> {
    socket: S,
    requests: Arc<Requests>,
    cut: Pin<Box<WaitForCancellationFutureOwned>>,
    next_check: Interval,
    quiet: IdleCounts,
    /// True if the connection ends unless an arbiter signs in over it.
    for_arbiters: bool,
}

/// Counts of checks since the connection was accepted, and since it last made progress.
#[derive(Debug, Default)]
struct IdleCounts {
    age: u32,
    /// Number of consecutive checks without a request in progress or progress of a blocked write.
    idle: u32,
    /// Number of consecutive checks during which a write has made no progress; `None` while no write is pending.
    blocked: Option<u32>,
    /// True if a blocked write has made progress since the last check.
    drained: bool,
}

impl<S> Guarded<S> {
    /// Guards a socket that has just been accepted. Must be called inside a tokio runtime.
    pub(crate) fn new(socket: S, slot: Slot) -> Self {
        let cut = Box::pin(slot.cut().clone().cancelled_owned());
        let mut next_check = interval(CHECK_EVERY);
        next_check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        next_check.reset();
        Self {
            socket,
            requests: Arc::new(Requests::new(slot)),
            cut,
            next_check,
            quiet: IdleCounts::default(),
            for_arbiters: false,
        }
    }

    /// Ends the connection after [`STRANGER_FOR`], even if it is active, unless an arbiter has signed in over it.
    pub(crate) fn for_arbiters(mut self) -> Self {
        self.for_arbiters = true;
        self
    }

    pub(crate) fn socket(&self) -> &S {
        &self.socket
    }

    pub(crate) fn requests(&self) -> Arc<Requests> {
        self.requests.clone()
    }

    /// Returns an error once the slot is given away or a limit has passed; otherwise schedules the task to be woken for the next check.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.cut.as_mut().poll(context).is_ready() {
            return Err(closed("its slot was given to another connection"));
        }
        while self.next_check.poll_tick(context).is_ready() {
            if let Some(why) = self.quiet.check(&self.requests) {
                return Err(closed(why));
            }
            let is_old = self.quiet.age >= checks(STRANGER_FOR);
            if self.for_arbiters && is_old && !self.requests.slot().is_trusted() {
                return Err(closed("no arbiter has signed in over it"));
            }
        }
        Ok(())
    }

    fn note_progress(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending => self.quiet.wait(),
            Poll::Ready(_) => self.quiet.progress(),
        }
        written
    }
}

impl IdleCounts {
    fn wait(&mut self) {
        self.blocked.get_or_insert(0);
    }

    fn progress(&mut self) {
        self.drained |= self.blocked.take().is_some();
    }

    /// Counts one more check. Returns the reason to close the connection if a limit has passed.
    fn check(&mut self, requests: &Requests) -> Option<&'static str> {
        self.age += 1;
        let drained = std::mem::take(&mut self.drained);
        self.idle = if requests.in_progress() || drained {
            0
        } else {
            self.idle + 1
        };
        let trusted = requests.slot().is_trusted();
        let idle_limit = match (requests.has_any(), trusted) {
            (false, false) => FIRST_REQUEST_WITHIN,
            (true, false) => IDLE_FOR,
            (_, true) => ARBITER_IDLE_FOR,
        };
        let blocked = self.blocked.as_mut().map_or(0, |blocked| {
            *blocked += 1;
            *blocked
        });
        if self.idle >= checks(idle_limit) {
            return Some("it sent no request");
        }
        let stalled = blocked.max(requests.check_waiting_parts());
        (stalled >= checks(STALLED_FOR)).then_some("its client stopped reading the response")
    }
}

fn closed(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, why)
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.note_progress(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check(context)?;
        Pin::new(&mut self.socket).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check(context)?;
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, slices);
        self.note_progress(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks_until_closed(quiet: &mut IdleCounts, requests: &Requests) -> (u32, &'static str) {
        let mut count = 0;
        loop {
            count += 1;
            if let Some(why) = quiet.check(requests) {
                return (count, why);
            }
        }
    }

    #[test]
    fn a_connection_without_a_request_ends_after_ten_seconds() {
        let ends = checks_until_closed(&mut IdleCounts::default(), &Requests::of_a_test());
        assert_eq!(ends, (2, "it sent no request"));
    }

    #[test]
    fn a_connection_between_two_requests_ends_after_a_minute() {
        let requests = Requests::of_a_test();
        let request = requests.begin();
        let mut quiet = IdleCounts::default();
        for _ in 0..1_000 {
            assert_eq!(quiet.check(&requests), None, "the hub has not answered yet");
        }
        drop(request);
        assert_eq!(
            checks_until_closed(&mut quiet, &requests),
            (12, "it sent no request")
        );
    }

    #[test]
    fn an_arbiters_connection_may_rest() {
        let requests = Requests::of_a_test();
        requests.slot().trust("d-1");
        assert_eq!(
            checks_until_closed(&mut IdleCounts::default(), &requests).0,
            120
        );
    }

    #[test]
    fn a_client_that_reads_nothing_is_cut_after_half_a_minute_and_a_slow_one_is_not() {
        let requests = Requests::of_a_test();
        let _request = requests.begin();
        let mut quiet = IdleCounts::default();
        for _ in 0..100 {
            quiet.wait();
            assert_eq!(quiet.check(&requests), None);
            quiet.progress();
        }
        quiet.wait();
        assert_eq!(
            checks_until_closed(&mut quiet, &requests),
            (6, "its client stopped reading the response")
        );
    }

    #[test]
    fn a_stream_with_an_unread_frame_counts_as_stalled() {
        let requests = Requests::of_a_test();
        let request = requests.begin();
        let mut quiet = IdleCounts::default();
        for _ in 0..100 {
            assert_eq!(quiet.check(&requests), None, "the hub has nothing to say");
        }
        request.offered();
        assert_eq!(
            checks_until_closed(&mut quiet, &requests),
            (6, "its client stopped reading the response")
        );
        request.taken();
        assert_eq!(quiet.check(&requests), None);
    }
}
