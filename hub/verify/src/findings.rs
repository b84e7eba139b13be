//! The findings of a check: counts, the authorities that the log states, and the first fault.

use proto::checkpoint::Checkpoint;
use proto::evidence::Header;

use crate::fault::Fault;

/// A certificate authority of the hall, as recorded in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedAuthority {
    /// The authority's fingerprint as text, for people to compare.
    pub fingerprint: String,
    /// Index of the record in which this authority replaced one that does not vouch for it. `None` for the first
    /// authority, and if the previous authority vouches for this one.
    pub unvouched_at: Option<u64>,
}

/// The findings of a check. If there is a fault, the counts cover only the records read until the check stopped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The file's description of itself, which is not signed.
    pub header: Header,
    /// The file's checkpoint; `None` if the check found a fault.
    pub checkpoint: Option<Checkpoint>,
    /// Number of records in the file in which the check found no fault.
    pub records: u64,
    /// Number of the log's records that the file leaves out.
    pub omitted: u64,
    /// Hub time of the first and the last record, in microseconds since 1970; `None` if there is no record.
    pub span_us: Option<(i64, i64)>,
    /// Number of boards in the hall after the last record.
    pub boards: usize,
    /// Number of clocks in the hall after the last record.
    pub clocks: usize,
    /// Number of enrolments whose certificate the hall's authority issued.
    pub certified: u64,
    /// The authorities that the log states, in order.
    pub authorities: Vec<StatedAuthority>,
    /// Number of clock events. In a sound file, each has a valid signature and continues its clock's chain.
    pub events: u64,
    /// Number of moves that were recomputed.
    pub moves: u64,
    /// Number of flag falls that were recomputed.
    pub flags: u64,
    /// Number of arbiters' requests with a valid signature from their device.
    pub signed_requests: u64,
    /// Number of arbiters' requests whose signature cannot be checked: they are concealed, or were too long for the
    /// log.
    pub unread_requests: u64,
    /// Number of proofs that a clock contradicted itself.
    pub contradictions: u64,
    /// Number of readable names.
    pub open_names: u64,
    /// Number of concealed names.
    pub concealed_names: u64,
    /// Number of older checkpoints that the log was proved to continue.
    pub continued: u64,
    /// The first fault; `None` if the file is sound.
    pub fault: Option<Fault>,
}

impl Findings {
    /// Returns true if the check found no fault.
    pub fn is_sound(&self) -> bool {
        self.fault.is_none()
    }
}
