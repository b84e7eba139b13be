//! The kinds of notes. Defines the word for each kind in the log, in programs and in metrics; a word never changes.

macro_rules! note_kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)+) => {
        /// The kind of a note. The first eleven last until their cause has gone, and are listed most urgent first. Some
        /// other kinds stay until an arbiter has seen them; see [`NoteKind::is_counted`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum NoteKind {
            $($(#[$doc])* $name,)+
        }

        impl NoteKind {
            const ALL: &[Self] = &[$(Self::$name,)+];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }
        }
    };
}

note_kinds! {
    /// The presses of one side do not seem to register.
    MissedPress = "missed_press",
    /// A board or most of a round has an unexpected time control.
    OtherControl = "other_control",
    /// The clocks have been stopped for a long time, and there is no result.
    Stopped = "stopped",
    /// The round is in progress, but this board has not started.
    NotStarted = "not_started",
    /// The move counters contradict each other.
    Counters = "move_counters",
    /// The moves written down do not agree with the clock's count.
    ScoreDiffers = "score_differs",
    /// One side repeatedly presses out of turn.
    IgnoredPresses = "ignored_presses",
    /// The frequency of a crystal is out of tolerance.
    Crystal = "crystal",
    /// A battery is low.
    LowBattery = "low_battery",
    /// A link repeatedly drops and returns.
    Flapping = "flapping",
    /// More of a game's time is known only from a clock's reports than would be normal on a good link.
    UncheckedTime = "unchecked_time",
    /// The board's clock failed inside the hub.
    BoardFault = "board_fault",
    /// In Time Chess, the player to move pressed without having moved.
    PressWithoutMove = "press_without_move",
    /// A player has not completed a move by the default time.
    DefaultTime = "default_time",
    /// A press close to a deadline was decided in its player's favour.
    Straddle = "straddle",
    /// A clock uses a different version of the frame protocol.
    Version = "version",
    /// A second clock with the same identity attempted to connect.
    SecondLink = "second_link",
    /// A clock connected with the journal of a different log.
    OtherLog = "other_log",
    /// A clock still stores unacknowledged events that belong to a different log.
    ForeignJournal = "foreign_journal",
    /// The journal of a clock was lost or set back.
    JournalLost = "journal_lost",
    /// A clock and the log have different events with the same number.
    Fork = "fork",
    /// A clock sent an event that does not continue its chain.
    BadChain = "bad_chain",
    /// The rate of a clock's crystal does not agree with the hub's, or its time was set.
    ClockFault = "clock_fault",
    /// An event's stamp is later than its arrival.
    FromTheFuture = "from_the_future",
    /// An event is stamped before a watermark that its clock had already sent.
    BrokenPromise = "broken_promise",
    /// An event is stamped before a time probe that its clock already had.
    BeforeProbe = "before_probe",
    /// A clock stamped an order before the hub issued it.
    BeforeOrder = "before_order",
    /// A clock reports an order that the hub never issued.
    UnknownOrder = "unknown_order",
    /// A clock moved its own time further forward than the hub can prove.
    UnprovenJump = "unproven_jump",
    /// An event's stamp is earlier than that of the previous event.
    DecreasingStamp = "decreasing_stamp",
    /// The machine of a clock was off or asleep.
    Rebase = "rebase",
    /// The machine of a clock restarted while it had no connection to the hub.
    RestartedAlone = "restarted_alone",
    /// A watermark was not signed with its clock's key.
    ForgedPromise = "forged_promise",
    /// A clock and the hub computed different times.
    Diverged = "diverged",
    /// A clock cannot write its journal.
    JournalFailed = "journal_failed",
    /// An event arrived too late to count: the hub had already settled or taken over the board's time.
    LatePress = "late_press",
    /// Wrong PINs were entered at a clock.
    WrongPins = "wrong_pins",
    /// A clock had carried out a command before the command was withdrawn.
    WithdrawnYetTaken = "withdrawn_yet_taken",
    /// Time passed uncharged while a board changed clocks.
    Handover = "handover",
    /// The event does not accept what a clock reports.
    EventNotTold = "event_not_told",
    /// A clock does not show the event's result.
    ResultNotShown = "result_not_shown",
    /// A clock cannot be set for its board's new players.
    NotSetAgain = "not_set_again",
    /// The scheduled start passed while the hub was down.
    ScheduleMissed = "schedule_missed",
    /// A press arrived unusually late.
    LateReport = "late_report",
    /// Several presses in a row arrived late.
    Unverified = "unverified",
    /// A clock reports the presses of one side late.
    OneSided = "one_sided",
    /// The hub relies on a clock's own reports for more of one side's time than of the other's.
    WordAlone = "word_alone",
    /// Every round trip to a clock is slow.
    SlowLink = "slow_link",
    /// A connected clock sends no watermarks.
    NoWatermarks = "no_watermarks",
    /// A clock sends fewer watermarks than it should.
    SlowWatermarks = "slow_watermarks",
    /// A clock does not sign its watermarks, although its protocol version requires it.
    UnsignedWatermarks = "unsigned_watermarks",
    /// The times used by both sides do not add up to the elapsed time.
    SumCheck = "sum_check",
    /// An arbiter made a correction at a clock. It was applied, refused by the rules, or came too late.
    CorrectedAtClock = "corrected_at_clock",
    /// A clock sent a correction without valid proof.
    ForgedCorrection = "forged_correction",
    /// An event was not signed with its clock's key.
    BadSignature = "bad_signature",
    /// A connected clock does not carry out an order.
    OrderIgnored = "order_ignored",
    /// A copy of the log's archive cannot be written.
    ArchiveFailed = "archive_failed",
    /// A copy of the log's archive can be written again after a failure.
    ArchiveWorking = "archive_working",
    /// Damaged files of the log's archive were written again.
    ArchiveRepaired = "archive_repaired",
    /// The log contradicts its signed archive.
    LogContradicted = "log_contradicted",
    /// The log has failed, and nothing more is recorded. Never logged.
    LogStopped = "log_stopped",
    /// The disk of the data directory is nearly full.
    SpaceCritical = "space_critical",
    /// The disk of the data directory is running low on space.
    LowSpace = "low_space",
    /// The disk of the data directory has enough space again.
    SpaceFreed = "space_freed",
    /// The log was set back, and a clock no longer has all of the lost events. An acknowledgement confirms the loss.
    LogSetBack = "log_set_back",
    /// A clock's journal was damaged when its program started.
    JournalDamaged = "journal_damaged",
    /// The hub was restored from a backup. A new epoch of the log begins.
    BackupRestored = "backup_restored",
    /// The hub's list of enrolled devices, gateways or key files was missing at the start.
    ListsLost = "lists_lost",
    /// Damaged records of the log were restored from its archive.
    LogRepaired = "log_repaired",
    /// A clock has a checkpoint that the log does not continue.
    LogRewritten = "log_rewritten",
}

impl NoteKind {
    pub(crate) const FIRST: Self = Self::MissedPress;

    pub(crate) const LASTING: [Self; 11] = [
        Self::MissedPress,
        Self::OtherControl,
        Self::Stopped,
        Self::NotStarted,
        Self::Counters,
        Self::ScoreDiffers,
        Self::IgnoredPresses,
        Self::Crystal,
        Self::LowBattery,
        Self::Flapping,
        Self::UncheckedTime,
    ];

    /// Returns true if notes of this kind are counted instead of repeated, and stay until an arbiter acknowledges them.
    pub const fn is_counted(self) -> bool {
        matches!(
            self,
            Self::SecondLink
                | Self::JournalLost
                | Self::JournalDamaged
                | Self::LogSetBack
                | Self::Fork
                | Self::BadChain
                | Self::BadSignature
                | Self::ClockFault
                | Self::FromTheFuture
                | Self::BrokenPromise
                | Self::BeforeProbe
                | Self::BeforeOrder
                | Self::UnknownOrder
                | Self::OrderIgnored
                | Self::UnprovenJump
                | Self::DecreasingStamp
                | Self::Rebase
                | Self::RestartedAlone
                | Self::ForgedPromise
                | Self::ForgedCorrection
                | Self::Diverged
                | Self::LatePress
                | Self::WrongPins
                | Self::LateReport
                | Self::Unverified
                | Self::OneSided
                | Self::WordAlone
                | Self::SlowLink
                | Self::NoWatermarks
                | Self::SlowWatermarks
                | Self::UnsignedWatermarks
                | Self::SumCheck
                | Self::LogRewritten
                | Self::PressWithoutMove
        )
    }

    /// Returns the kind with this word; `None` for an unknown word, for example one from a newer hub.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

impl std::fmt::Display for NoteKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique() {
        for kind in NoteKind::ALL {
            assert_eq!(NoteKind::from_word(kind.as_str()), Some(*kind));
        }
        assert_eq!(NoteKind::from_word("fire_alarm"), None);
    }
}
