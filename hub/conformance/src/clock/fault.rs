//! The ways in which a scripted clock breaks the protocol. Owns their names; other modules implement them.

/// A way in which a scripted clock breaks the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// Signs the enrolment request for a different token.
    EnrolSignature,
    /// Sends an enrolment request with a token that belongs to no code.
    EnrolToken,
    /// Repeats a waiting request immediately, without the delay that the hub requested.
    EnrolImpatient,
    /// Repeats a waiting request with a different key.
    EnrolOtherKey,
    /// Opens a link with a frame other than a hello.
    NoHello,
    /// States major version 0 in the hello.
    HelloVersion,
    HelloNoBoot,
    /// States in every hello the board time of one minute earlier.
    HelloLate,
    /// Says in every hello that the link is the first of this run.
    HelloLinks,
    /// Names a next event in the hello that does not follow from the clock's chain.
    HelloNextSeq,
    /// Signs events without the protocol's context.
    EventSignature,
    /// Puts zeros instead of the hash of the previous event into every event except the first.
    PrevHash,
    /// Puts zeros into the first event, instead of the chain's genesis hash.
    Genesis,
    /// Skips the second sequence number of the chain.
    SkipSeq,
    /// Stamps each event except the first earlier than the newest stamp in the chain.
    DecreasingStamp,
    /// Names the first time probe in every event.
    StaleProbe,
    /// Does not resend unacknowledged events on a new link.
    NoResend,
    /// Re-signs unacknowledged events with different stamps before resending them.
    ResendAltered,
    /// Resends acknowledged events on every new link.
    ResendAcked,
    /// Carries out an order each time it arrives.
    OrderTwice,
    /// Confirms an order under a different number.
    OrderNumber,
    OrderIgnored,
    /// Stamps an order's confirmation with a time before the order arrived.
    OrderBackDated,
    WatermarkUnsigned,
    /// Signs watermarks without the context and without the sequence number.
    WatermarkForged,
    WatermarkNone,
    /// Sends a watermark only every five seconds.
    WatermarkSeldom,
    /// Does not send watermarks more often when a player is short of time.
    WatermarkCalm,
    /// Sends no extra watermark after an event.
    WatermarkLate,
    /// Sends no extra watermark when a flag falls.
    WatermarkNoFlag,
    /// Sends watermarks for a time in the future, and then stamps events earlier than that.
    WatermarkBroken,
    ProbeSilent,
    /// Answers a time probe with a different nonce.
    ProbeNonce,
    /// States in time replies that the probe arrived after the reply was sent.
    ProbeOrder,
    /// Keeps board time that runs one per cent fast.
    FastCrystal,
    /// Closes its link when a frame has an unknown field.
    UnknownField,
    /// Ignores frames of an unknown kind.
    UnknownKind,
    /// Ignores bytes that are not a frame.
    Garbage,
    /// Ignores frames that are too long.
    TooLong,
    ZeroIgnored,
    /// Answers a clock test with a different nonce.
    ZeroNonce,
    /// Records a press instead of a clock test.
    ZeroPress,
    /// Records an event when it receives labels.
    LabelsCount,
    /// Continues after a welcome of a different major version.
    VersionAccepted,
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
    PauseIgnored,
    /// Gives the player one microsecond too much after each press.
    WrongIncrement,
    WrongButton,
    /// Sends corrections whose proof covers a different command.
    CorrectionProof,
    /// Sends corrections that name an arbiter who is not on the list.
    CorrectionName,
    /// Sends no watermark in answer to `SharedBoard`.
    SharedSilent,
    HealthNone,
    /// Loses its journal when it restarts.
    JournalForgotten,
}
