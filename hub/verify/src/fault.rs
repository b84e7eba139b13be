//! The faults that a check finds. Owns their kinds and the keywords for programs.

use std::fmt;

/// The first fault in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The index of the record in its log; `None` if the fault concerns the file as a whole.
    pub index: Option<u64>,
    /// The kind of fault, for programs that handle faults.
    pub kind: FaultKind,
    /// The details, in English.
    pub detail: String,
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The file is incomplete or cannot be read, it has a gap or a length that is not possible, its parts are out of
    /// order, or its description does not match its records.
    Form,
    /// A record does not match its mark: it was changed or moved after the export.
    Altered,
    /// A name does not match its commitment.
    Name,
    /// A part of the file, or the record in it, cannot be decoded or has content that this version does not know.
    Unreadable,
    /// An event has no valid signature from the clock that it names.
    ClockSignature,
    /// A clock's certificate or the hall's authority is missing, unreadable or not valid.
    Certificate,
    /// A request has no valid signature from the device that it names.
    DeviceSignature,
    /// An event does not continue its clock's chain, or a record does not follow from the records before it.
    Chain,
    /// The clocks, moves or flags that a record states do not follow from the records.
    Clocks,
    /// A record claims that two statements of a clock contradict each other, but they do not.
    Contradiction,
    /// The hub's key did not sign a checkpoint in the file, or the checkpoint, the header and the records do not name
    /// the same log.
    Checkpoint,
    /// The trees of the records do not have the sizes and roots that the checkpoint states.
    Tree,
    /// The log does not continue an older checkpoint, or cannot be compared with it.
    Fork,
}

impl FaultKind {
    /// Returns the keyword by which programs recognise the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Altered => "altered",
            Self::Name => "name",
            Self::Unreadable => "unreadable",
            Self::ClockSignature => "clock_signature",
            Self::Certificate => "certificate",
            Self::DeviceSignature => "device_signature",
            Self::Chain => "chain",
            Self::Clocks => "clocks",
            Self::Contradiction => "contradiction",
            Self::Checkpoint => "checkpoint",
            Self::Tree => "tree",
            Self::Fork => "fork",
        }
    }
}

impl Fault {
    pub(crate) fn at(index: u64, kind: FaultKind, detail: impl fmt::Display) -> Self {
        Self {
            index: Some(index),
            ..Self::whole(kind, detail)
        }
    }

    pub(crate) fn whole(kind: FaultKind, detail: impl fmt::Display) -> Self {
        Self {
            index: None,
            kind,
            detail: detail.to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.index {
            write!(f, "record {index}: ")?;
        }
        write!(f, "{}: {}", self.kind.word(), self.detail)
    }
}
