//! The ways in which a scripted clock breaks the protocol by itself. Owns their names; the clock's other modules act on them.

/// A rule that a scripted clock breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// Its enrolment request has a signature over another token.
    EnrolSignature,
    /// Its enrolment request has the token of no code.
    EnrolToken,
    /// It repeats a request that waits for the arbiter at once.
    EnrolImpatient,
    /// It repeats a request that waits for the arbiter with another key.
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
    /// It leaves out a number of its chain.
    SkipSeq,
    /// The stamps of its events run backwards.
    DecreasingStamp,
    /// Its events name the first time probe for ever.
    StaleProbe,
    /// It does not send unacknowledged events again on a new link.
    NoResend,
    /// It signs an unacknowledged event again with another stamp.
    ResendAltered,
    /// It sends acknowledged events again on every link.
    ResendAcked,
    /// It carries out an order each time it arrives.
    OrderTwice,
    /// It confirms an order with another number.
    OrderNumber,
    /// It ignores orders.
    OrderIgnored,
    /// It stamps an order taken before the order came.
    OrderBackDated,
    /// Its watermarks are not signed.
    WatermarkUnsigned,
    /// Its watermarks are signed without the context.
    WatermarkForged,
    /// It sends no watermarks.
    WatermarkNone,
    /// It sends a watermark every five seconds only.
    WatermarkSeldom,
    /// It sends no more watermarks when a player is short of time.
    WatermarkCalm,
    /// It sends no watermark at a change.
    WatermarkLate,
    /// It sends no watermark when a flag falls.
    WatermarkNoFlag,
    /// Its watermarks run ahead of its board time, and its events break them.
    WatermarkBroken,
    /// It does not answer time probes.
    ProbeSilent,
    /// It answers a time probe with another nonce.
    ProbeNonce,
    /// Its replies say that it answered before it received the probe.
    ProbeOrder,
    /// Its board time runs one per cent fast.
    FastCrystal,
    /// It closes its link when a frame has an unknown field.
    UnknownField,
    /// It ignores frames of an unknown kind.
    UnknownKind,
    /// It ignores bytes that are no frame.
    Garbage,
    /// It reads frames of any length.
    TooLong,
    /// It ignores zero tests.
    ZeroIgnored,
    /// It answers a zero test with another nonce.
    ZeroNonce,
    /// It makes a press of a zero test.
    ZeroPress,
    /// It chains an event when it gets labels.
    LabelsCount,
    /// It goes on after a welcome of another major version.
    VersionAccepted,
    /// It continues a session after the goodbye.
    GoodbyeIgnored,
    /// It records a jump of board time that the hub did not request.
    RebaseUnasked,
    /// It does not record the jump that the hub requested.
    RebaseMissing,
    /// It records a jump of another length than the hub requested.
    RebaseOther,
    /// It reports no difference when the hub's board differs.
    DivergedSilent,
    /// It adopts its first board only.
    AdoptIgnored,
    /// It does not carry out pauses.
    PauseIgnored,
    /// Its increments are one microsecond too long.
    WrongIncrement,
    /// Its presses are those of the other button.
    WrongButton,
    /// Its corrections have a proof over another command.
    CorrectionProof,
    /// Its corrections have a name that is not in the list.
    CorrectionName,
    /// It does not answer a shared board with a watermark.
    SharedSilent,
    /// It reports no health.
    HealthNone,
    /// It forgets its journal when it starts again.
    JournalForgotten,
}
