//! The ways in which a scripted clock breaks the protocol. Owns their names; the clock's other modules implement them.

/// A rule that a scripted clock breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The signature of its enrolment request covers a different token.
    EnrolSignature,
    /// The token of its enrolment request belongs to no code.
    EnrolToken,
    /// Repeats a waiting request immediately, without the delay that the hub requested.
    EnrolImpatient,
    /// Repeats a waiting request with a different key.
    EnrolOtherKey,
    /// Its first frame is not a hello.
    NoHello,
    /// Its hello states a major version other than the one that it follows.
    HelloVersion,
    /// Its hello has no boot.
    HelloNoBoot,
    /// Its hello states the same number of links on every link.
    HelloLinks,
    /// Its hello names a next event that does not follow from its chain.
    HelloNextSeq,
    /// Its events are signed without the context.
    EventSignature,
    /// Its events do not contain the hash of the previous event.
    PrevHash,
    /// Its first event does not begin with the chain's genesis.
    Genesis,
    /// Skips a number in its chain.
    SkipSeq,
    /// The stamps of its events run backwards.
    DecreasingStamp,
    /// Its events always name the first time probe.
    StaleProbe,
    /// Does not send unacknowledged events again on a new link.
    NoResend,
    /// Signs an unacknowledged event again with a different stamp.
    ResendAltered,
    /// Sends acknowledged events again on every link.
    ResendAcked,
    /// Carries out an order each time it arrives.
    OrderTwice,
    /// Confirms an order under a different number.
    OrderNumber,
    /// Ignores orders.
    OrderIgnored,
    /// Stamps the confirmation of an order earlier than the order arrived.
    OrderBackDated,
    /// Its watermarks are not signed.
    WatermarkUnsigned,
    /// Its watermarks are signed without the context.
    WatermarkForged,
    /// Sends no watermarks.
    WatermarkNone,
    /// Sends a watermark only every five seconds.
    WatermarkSeldom,
    /// Does not send watermarks more often when a player is short of time.
    WatermarkCalm,
    /// Sends no extra watermark after an event.
    WatermarkLate,
    /// Sends no watermark when a flag falls.
    WatermarkNoFlag,
    /// Its watermarks run ahead of its board time, and its events break them.
    WatermarkBroken,
    /// Does not answer time probes.
    ProbeSilent,
    /// Answers a time probe with a different nonce.
    ProbeNonce,
    /// Its replies state that it answered before it received the probe.
    ProbeOrder,
    /// Its board time runs one per cent fast.
    FastCrystal,
    /// Closes its link when a frame has an unknown field.
    UnknownField,
    /// Ignores frames of an unknown kind.
    UnknownKind,
    /// Ignores bytes that are not a frame.
    Garbage,
    /// Reads frames of any length.
    TooLong,
    /// Ignores zero tests.
    ZeroIgnored,
    /// Answers a zero test with a different nonce.
    ZeroNonce,
    /// Records a press instead of a zero test.
    ZeroPress,
    /// Records an event when it receives labels.
    LabelsCount,
    /// Continues after a welcome of a different major version.
    VersionAccepted,
    /// Continues a session after the goodbye.
    GoodbyeIgnored,
    /// Records a jump of board time that the hub did not request.
    RebaseUnasked,
    /// Does not record the jump that the hub requested.
    RebaseMissing,
    /// Records a jump whose length differs from the one that the hub requested.
    RebaseOther,
    /// Reports no difference when the hub's board differs.
    DivergedSilent,
    /// Adopts its first board only.
    AdoptIgnored,
    /// Does not carry out pauses.
    PauseIgnored,
    /// Its increments are one microsecond too long.
    WrongIncrement,
    /// Its presses name the wrong button.
    WrongButton,
    /// The proofs in its corrections cover a different command.
    CorrectionProof,
    /// Its corrections name an arbiter who is not on the list.
    CorrectionName,
    /// Does not answer a shared board with a watermark.
    SharedSilent,
    /// Does not report its health.
    HealthNone,
    /// Loses its journal when it restarts.
    JournalForgotten,
}
