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

/// Maximum number of one caller's concurrent calls, including streams and unread responses. A window of the companion app needs
/// five.
const CALLS: usize = 96;
/// Maximum number of one caller's open log streams.
const LOG_READERS: usize = 8;
/// Maximum size of one caller's concurrent requests together, in bytes: two imported files.
const BYTES: usize = 2 * FILE;
/// Maximum size of all callers' concurrent large requests together, in bytes. The number of callers limits the smaller requests.
const ALL_BYTES: usize = 8 * FILE;
/// Size above which a request counts towards [`ALL_BYTES`], in bytes.
const SMALL: usize = 64 * 1024;

/// Maximum size of an imported file with its parameters, in bytes.
pub(super) const FILE: usize = 8 * 1024 * 1024;
/// Maximum size of a list, in bytes: the largest hall's floor plan, the clocks of a sheet, the games of a round.
pub(super) const LIST: usize = 512 * 1024;
/// Maximum size of a set of changes, in bytes: all results and pairings of a large event.
const CHANGES: usize = 1024 * 1024;
/// Maximum size of any other request, in bytes.
const PLAIN: usize = 16 * 1024;
/// Length of a message's gRPC prefix, in bytes: a compression flag and the length.
pub(super) const FRAME: usize = 5;

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
        "Tournament/Import" | "Tournament/ImportFideList" => FILE,
        "Tournament/Apply" => CHANGES,
        "Arbiter/SetFloor"
        | "Arbiter/SetBroadcast"
        | "Arbiter/CreateEnrolmentSheet"
        | "Arbiter/OpenEnrolment"
        | "Arbiter/AdmitClocks"
        | "Tournament/PresetRound"
        | "Tournament/StartRound"
        | "Tournament/ProposeNumbers"
        | "Tournament/ProposePairings"
        | "Tournament/SearchFideList" => LIST,
        _ => PLAIN,
    };
    size + FRAME
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
        if sum.calls > CALLS {
            return Err(Status::resource_exhausted(format!(
                "this device already has {CALLS} open calls: it must read or end one first"
            )));
        }
        if sum.log_readers > LOG_READERS {
            return Err(Status::resource_exhausted(format!(
                "this device already has {LOG_READERS} open readers of the log: it must end one first"
            )));
        }
        let all = now.large_bytes + large(bytes);
        if sum.bytes > BYTES || all > ALL_BYTES {
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
    if bytes > SMALL { bytes } else { 0 }
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
        assert_eq!(log.len(), LOG_READERS);
        let calls = admit_until_refused(&limits, &greedy, STANDINGS);
        assert_eq!(log.len() + calls.len(), CALLS);
        assert!(limits.admit(other, STANDINGS, PLAIN).is_ok());
        drop((log, calls));
        assert!(limits.0.lock().unwrap().callers.is_empty());
    }

    #[test]
    fn large_requests_are_bounded_per_caller_and_in_sum() {
        let limits = Limits::default();
        let mut held = admit_until_refused(&limits, &caller(0), IMPORT);
        assert_eq!(held.len(), 1);
        // Once a request is no longer in memory, the next one is admitted.
        held[0].request_is_gone();
        held.extend(admit_until_refused(&limits, &caller(0), IMPORT));
        assert_eq!(held.len(), 2);
        for number in 1..100 {
            held.extend(admit_until_refused(&limits, &caller(number), IMPORT));
        }
        let bytes: usize = held.iter().map(|share| share.used.bytes).sum();
        assert!(bytes <= ALL_BYTES, "{bytes}");
        assert!(limits.admit(caller(200), STANDINGS, PLAIN).is_ok());
        drop(held);
        assert_eq!(limits.0.lock().unwrap().large_bytes, 0);
    }
}
