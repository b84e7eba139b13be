//! The ways in which a scripted clock breaks the protocol by itself. Owns their names; the clock's other modules act on them.

/// A rule that a scripted clock breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// Its enrolment request has a signature over another token.
    EnrolSignature,
    /// Its enrolment request has the token of no code.
    EnrolToken,
    /// Repeats a waiting request immediately, without the delay that the hub asked for.
    EnrolImpatient,
    /// Repeats a waiting request with another key.
    EnrolOtherKey,
    /// Its first frame is not a hello.
    NoHello,
    /// Its hello has another major version than it follows.
    HelloVersion,
    /// Its hello has no boot.
    HelloNoBoot,
    /// Its hello has the same number of links on every link.
    HelloLinks,
    /// Its hello names another next event than its chain has.
    HelloNextSeq,
    /// Its events have signatures without the context.
    EventSignature,
    /// Its events do not contain the hash of the previous one.
    PrevHash,
    /// Its first event does not begin with the chain's genesis.
    Genesis,
    /// Leaves out a number of its chain.
    SkipSeq,
    /// The stamps of its events run backwards.
    DecreasingStamp,
    /// Its events always name the first time probe.
    StaleProbe,
    /// Does not send unacknowledged events again on a new link.
    NoResend,
    /// Signs an unacknowledged event again with another stamp.
    ResendAltered,
    /// Sends acknowledged events again on every link.
    ResendAcked,
    /// Carries out an order each time it arrives.
    OrderTwice,
    /// Confirms an order with another number.
    OrderNumber,
    /// Ignores orders.
    OrderIgnored,
    /// Stamps an order taken before the order came.
    OrderBackDated,
    /// Its watermarks are not signed.
    WatermarkUnsigned,
    /// Its watermarks are signed without the context.
    WatermarkForged,
    /// Sends no watermarks.
    WatermarkNone,
    /// Sends a watermark every five seconds only.
    WatermarkSeldom,
    /// Sends watermarks no faster when a player is short of time.
    WatermarkCalm,
    /// Sends no watermark at a change.
    WatermarkLate,
    /// Sends no watermark when a flag falls.
    WatermarkNoFlag,
    /// Its watermarks run ahead of its board time, and its events break them.
    WatermarkBroken,
    /// Does not answer time probes.
    ProbeSilent,
    /// Answers a time probe with another nonce.
    ProbeNonce,
    /// Its replies say that it answered before it received the probe.
    ProbeOrder,
    /// Its board time runs one per cent fast.
    FastCrystal,
    /// Closes its link when a frame has an unknown field.
    UnknownField,
    /// Ignores frames of an unknown kind.
    UnknownKind,
    /// Ignores bytes that are no frame.
    Garbage,
    /// Reads frames of any length.
    TooLong,
    /// Ignores zero tests.
    ZeroIgnored,
    /// Answers a zero test with another nonce.
    ZeroNonce,
    /// Records a press instead of a zero test.
    ZeroPress,
    /// Records an event when it receives labels.
    LabelsCount,
    /// Goes on after a welcome of another major version.
    VersionAccepted,
    /// Continues a session after the goodbye.
    GoodbyeIgnored,
    /// Records a jump of board time that the hub did not request.
    RebaseUnasked,
    /// Does not record the jump that the hub requested.
    RebaseMissing,
    /// Records a jump of another length than the hub requested.
    RebaseOther,
    /// Reports no difference when the hub's board differs.
    DivergedSilent,
    /// Adopts its first board only.
    AdoptIgnored,
    /// Does not carry out pauses.
    PauseIgnored,
    /// Its increments are one microsecond too long.
    WrongIncrement,
    /// Its presses are those of the other button.
    WrongButton,
    /// Its corrections have a proof over another command.
    CorrectionProof,
    /// Its corrections have a name that is not in the list.
    CorrectionName,
    /// Does not answer a shared board with a watermark.
    SharedSilent,
    /// Reports no health.
    HealthNone,
    /// Forgets its journal when it starts again.
    JournalForgotten,
}
