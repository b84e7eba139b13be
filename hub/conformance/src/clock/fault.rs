//! The ways in which a scripted clock breaks the protocol. Owns their names; the clock's other modules implement them.

/// A way in which a scripted clock breaks the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The signature of the clock's enrolment request covers a different token.
    EnrolSignature,
    /// The token of the clock's enrolment request belongs to no code.
    EnrolToken,
    /// Repeats a waiting request immediately, without the delay that the hub requested.
    EnrolImpatient,
    /// Repeats a waiting request with a different key.
    EnrolOtherKey,
    /// The clock's first frame is not a hello.
    NoHello,
    /// The clock's hello states a major version that the clock does not follow.
    HelloVersion,
    /// The clock's hello has no boot.
    HelloNoBoot,
    /// The clock's hello states the same number of links on every link.
    HelloLinks,
    /// The clock's hello names a next event that does not follow from its chain.
    HelloNextSeq,
    /// The clock's events are signed without the context.
    EventSignature,
    /// The clock's events do not contain the hash of the previous event.
    PrevHash,
    /// The clock's first event does not begin with the chain's genesis.
    Genesis,
    /// Skips a number in its chain.
    SkipSeq,
    /// The stamps of the clock's events run backwards.
    DecreasingStamp,
    /// The clock's events always name the first time probe.
    StaleProbe,
    /// Does not send unacknowledged events again on a new link.
    NoResend,
    /// Signs an unacknowledged event again with a different stamp.
    ResendAltered,
    /// Sends acknowledged events again on every new link.
    ResendAcked,
    /// Carries out an order each time it arrives.
    OrderTwice,
    /// Confirms an order under a different number.
    OrderNumber,
    /// Ignores orders.
    OrderIgnored,
    /// Stamps the confirmation of an order earlier than the order arrived.
    OrderBackDated,
    /// The clock's watermarks are not signed.
    WatermarkUnsigned,
    /// The clock's watermarks are signed without the context.
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
    /// The clock's watermarks run ahead of its board time, and its events break them.
    WatermarkBroken,
    /// Does not answer time probes.
    ProbeSilent,
    /// Answers a time probe with a different nonce.
    ProbeNonce,
    /// The clock's replies state that it answered before it received the probe.
    ProbeOrder,
    /// The clock's board time runs one per cent fast.
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
    /// Adopts only its first board.
    AdoptIgnored,
    /// Does not carry out pauses.
    PauseIgnored,
    /// Each increment on the clock is one microsecond too long.
    WrongIncrement,
    /// The clock's presses name the wrong button.
    WrongButton,
    /// The proofs in the clock's corrections cover a different command.
    CorrectionProof,
    /// The clock's corrections name an arbiter who is not on the list.
    CorrectionName,
    /// Does not answer a shared board with a watermark.
    SharedSilent,
    /// Does not report its health.
    HealthNone,
    /// Loses its journal when it restarts.
    JournalForgotten,
}
