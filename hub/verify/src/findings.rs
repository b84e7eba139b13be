//! The result of a check.

use proto::checkpoint::Checkpoint;
use proto::evidence::Header;

use crate::fault::Fault;

/// An authority that the log states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedAuthority {
    /// Its fingerprint, as people compare it.
    pub fingerprint: String,
    /// The record with which it replaced a former one that does not vouch for it.
    pub unvouched_at: Option<u64>,
}

/// The counts of a check, and the first fault. After a fault the counts are those up to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The file's description of itself.
    pub header: Header,
    /// The signed checkpoint, if its signature holds.
    pub checkpoint: Option<Checkpoint>,
    /// Number of records in the file.
    pub records: u64,
    /// Number of records of the log that the file leaves out.
    pub omitted: u64,
    /// Hub instants of the first and the last record, in microseconds since 1970.
    pub span_us: Option<(i64, i64)>,
    /// Number of boards whose clocks were computed again.
    pub boards: usize,
    /// Number of clocks whose chains were checked.
    pub clocks: usize,
    /// Number of enrolments whose certificate the hall's authority issued.
    pub certified: u64,
    /// The authorities that the log states, the first one first.
    pub authorities: Vec<StatedAuthority>,
    /// Number of clocks' events, each with a valid signature and in its chain.
    pub events: u64,
    /// Number of moves that were computed again.
    pub moves: u64,
    /// Number of flags that fell.
    pub flags: u64,
    /// Number of arbiters' requests with a valid signature of their device.
    pub signed_requests: u64,
    /// Number of arbiters' requests that are concealed or too long for the log, so that their signatures cannot be checked.
    pub unread_requests: u64,
    /// Number of proofs that a clock contradicted itself.
    pub contradictions: u64,
    /// Number of names that can be read.
    pub open_names: u64,
    /// Number of names that are concealed.
    pub concealed_names: u64,
    /// Number of older checkpoints that this log continues.
    pub continued: u64,
    /// The first fault; `None` if the file is sound.
    pub fault: Option<Fault>,
}

impl Findings {
    /// Returns whether the file is sound.
    pub fn is_sound(&self) -> bool {
        self.fault.is_none()
    }
}
