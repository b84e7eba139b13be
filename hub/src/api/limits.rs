//! The limits of one caller: concurrent calls, log readers, and bytes of requests. A faulty or stolen device or key file can use up only
//! its own share.
//!
//! Owns the counts and the maximum size of each method's requests. Must never read a request or decide a permission.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tonic::{Result, Status};

use super::roles::API;
use crate::identity::{DeviceId, KeyFileId};
use crate::lock::lock;

/// Maximum number of one caller's calls, including streams and unread responses. A window of the companion app needs five.
const MAX_CALLS: usize = 96;
const MAX_LOG_READERS: usize = 8;
/// Maximum size of one caller's concurrent requests, in bytes: two imports, and other calls while they are in progress.
const MAX_CALLER_BYTES: usize = 2 * IMPORT_BYTES + MAX_CALLS * (MAX_OTHER_BYTES + FRAME_BYTES);
/// Maximum size of all callers' concurrent large requests, in bytes. Smaller requests are limited only for each caller.
const MAX_TOTAL_BYTES: usize = 8 * IMPORT_BYTES;
/// Size above which a request counts towards [`MAX_TOTAL_BYTES`].
const MAX_SMALL_BYTES: usize = 64 * 1024;

/// Maximum size of an imported file with its parameters.
pub(super) const MAX_FILE_BYTES: usize = 8 * 1024 * 1024;
/// Maximum size of an import with its gRPC prefix. An import of unannounced size counts as this many bytes.
const IMPORT_BYTES: usize = MAX_FILE_BYTES + FRAME_BYTES;
/// Maximum size of a request with a list, such as a floor plan, the clocks of a sheet or the games of a round.
pub(super) const MAX_LIST_BYTES: usize = 512 * 1024;
/// Maximum size of a request with changes, sufficient for all results and pairings of a large event.
const MAX_CHANGES_BYTES: usize = 1024 * 1024;
const MAX_OTHER_BYTES: usize = 16 * 1024;
/// Size of a message's gRPC prefix, in bytes: a compression flag and the message's length.
pub(super) const FRAME_BYTES: usize = 5;

const LOG: [&str; 3] = ["Arbiter/ReadLog", "Archive/ReadGame", "Archive/Export"];

/// The identity to which calls are charged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CallerId {
    Device(DeviceId),
    KeyFile(KeyFileId),
    /// A caller that is not signed in yet.
    Address(IpAddr),
    /// The hub itself, for work that no caller requested.
    Hub,
}

/// Returns the maximum size of a request to `path`, in bytes, with its gRPC prefix.
pub(super) fn max_request(path: &str) -> usize {
    let size = match path.strip_prefix(API).unwrap_or_default() {
        "Tournament/Import" | "Tournament/ImportFideList" => MAX_FILE_BYTES,
        "Tournament/Apply" => MAX_CHANGES_BYTES,
        "Arbiter/SetFloor"
        | "Arbiter/SetBroadcast"
        | "Arbiter/CreateEnrolmentSheet"
        | "Arbiter/OpenEnrolment"
        | "Arbiter/AdmitClocks"
        | "Tournament/PresetRound"
        | "Tournament/StartRound"
        | "Tournament/ProposeNumbers"
        | "Tournament/ProposePairings"
        | "Tournament/SearchFideList" => MAX_LIST_BYTES,
        _ => MAX_OTHER_BYTES,
    };
    size + FRAME_BYTES
}

#[derive(Clone, Debug, Default)]
pub(super) struct Limits(Arc<Mutex<InProgress>>);

#[derive(Debug, Default)]
struct InProgress {
    callers: BTreeMap<CallerId, Usage>,
    large_bytes: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Usage {
    calls: usize,
    log_readers: usize,
    bytes: usize,
}

/// A call's share of the limits. Dropping it releases the share.
#[derive(Debug)]
pub(super) struct Share {
    limits: Limits,
    caller: CallerId,
    used: Usage,
}

impl Limits {
    /// Admits a call to `path` whose request has at most `bytes` bytes. Returns RESOURCE_EXHAUSTED, and counts nothing, if the caller or all
    /// callers together have reached a limit.
    pub(super) fn admit(&self, caller: CallerId, path: &str, bytes: usize) -> Result<Share> {
        let call = path.strip_prefix(API);
        let reads_log = call.is_some_and(|call| LOG.contains(&call));
        let used = Usage {
            calls: 1,
            log_readers: reads_log.into(),
            bytes,
        };
        let mut now = lock(&self.0);
        let of_caller = now.callers.get(&caller).copied().unwrap_or_default();
        let sum = of_caller.plus(used);
        if sum.calls > MAX_CALLS {
            return Err(Status::resource_exhausted(format!(
                "this device already has {MAX_CALLS} open calls: it must read or end one first"
            )));
        }
        if sum.log_readers > MAX_LOG_READERS {
            return Err(Status::resource_exhausted(format!(
                "this device already has {MAX_LOG_READERS} open readers of the log: it must end one first"
            )));
        }
        let all = now.large_bytes + large(bytes);
        if sum.bytes > MAX_CALLER_BYTES || all > MAX_TOTAL_BYTES {
            return Err(Status::resource_exhausted(
                "too many large requests at the same time: send this one again later",
            ));
        }
        now.large_bytes = all;
        now.callers.insert(caller.clone(), sum);
        drop(now);
        Ok(Share {
            limits: self.clone(),
            caller,
            used,
        })
    }

    fn give_back(&self, caller: &CallerId, used: Usage) {
        let mut now = lock(&self.0);
        now.large_bytes = now.large_bytes.saturating_sub(large(used.bytes));
        if let Some(usage) = now.callers.get_mut(caller) {
            *usage = usage.minus(used);
            if *usage == Usage::default() {
                now.callers.remove(caller);
            }
        }
    }
}

impl Share {
    pub(super) fn caller(&self) -> &CallerId {
        &self.caller
    }

    /// Releases the request's bytes once the request is no longer in memory.
    pub(super) fn request_is_gone(&mut self) {
        let gone = Usage {
            bytes: std::mem::take(&mut self.used.bytes),
            ..Usage::default()
        };
        self.limits.give_back(&self.caller, gone);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.limits.give_back(&self.caller, self.used);
    }
}

impl Usage {
    fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            log_readers: self.log_readers + other.log_readers,
            bytes: self.bytes + other.bytes,
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(other.calls),
            log_readers: self.log_readers.saturating_sub(other.log_readers),
            bytes: self.bytes.saturating_sub(other.bytes),
        }
    }
}

fn large(bytes: usize) -> usize {
    if bytes > MAX_SMALL_BYTES { bytes } else { 0 }
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    const READ_LOG: &str = "/flagfall.api.v1.Arbiter/ReadLog";
    const STANDINGS: &str = "/flagfall.api.v1.Tournament/GetStandings";
    const IMPORT: &str = "/flagfall.api.v1.Tournament/Import";

    fn caller(serial: u8) -> CallerId {
        CallerId::KeyFile(KeyFileId::of_serial(&[serial; 16]))
    }

    fn admit_until_refused(limits: &Limits, caller: &CallerId, path: &str) -> Vec<Share> {
        let mut shares = Vec::new();
        loop {
            match limits.admit(caller.clone(), path, max_request(path)) {
                Ok(share) => shares.push(share),
                Err(status) => {
                    assert_eq!(status.code(), Code::ResourceExhausted);
                    return shares;
                }
            }
        }
    }

    #[test]
    fn one_caller_uses_up_only_its_own_share() {
        let limits = Limits::default();
        let (greedy, other) = (caller(1), caller(2));
        let log = admit_until_refused(&limits, &greedy, READ_LOG);
        assert_eq!(log.len(), MAX_LOG_READERS);
        let calls = admit_until_refused(&limits, &greedy, STANDINGS);
        assert_eq!(log.len() + calls.len(), MAX_CALLS);
        assert!(limits.admit(other, STANDINGS, MAX_OTHER_BYTES).is_ok());
        drop((log, calls));
        assert!(limits.0.lock().unwrap().callers.is_empty());
    }

    #[test]
    fn large_requests_are_bounded_per_caller_and_in_sum() {
        let limits = Limits::default();
        let mut held = admit_until_refused(&limits, &caller(0), IMPORT);
        assert_eq!(held.len(), 2);
        let beside = limits.admit(caller(0), STANDINGS, max_request(STANDINGS));
        drop(beside.unwrap());
        // Once a request is no longer in memory, the next one is admitted.
        held[0].request_is_gone();
        held.extend(admit_until_refused(&limits, &caller(0), IMPORT));
        assert_eq!(held.len(), 3);
        for number in 1..100 {
            held.extend(admit_until_refused(&limits, &caller(number), IMPORT));
        }
        let bytes: usize = held.iter().map(|share| share.used.bytes).sum();
        assert!(bytes <= MAX_TOTAL_BYTES, "{bytes}");
        assert!(
            limits
                .admit(caller(200), STANDINGS, MAX_OTHER_BYTES)
                .is_ok()
        );
        drop(held);
        assert_eq!(limits.0.lock().unwrap().large_bytes, 0);
    }
}
