//! The kinds of lies that a scripted clock can tell. Owns their names; `lies::clock` tells them.

/// A kind of lie. White's button is the left one. The clock stamps only White's presses early, and only Black's late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    None,
    /// Presses are stamped up to 20 s early and echo the newest probe; no watermarks are sent.
    EarlyWithFreshEcho,
    /// Presses are stamped up to 20 s early and echo a probe from before their stamp; no watermarks are sent.
    EarlyWithOldEcho,
    /// Presses are stamped as early as the newest watermark allows, by 0.9 s at most.
    WithinTheGap,
    /// Each of White's presses is stamped early by the same small amount, within what the watermarks allow.
    ALittle,
    /// One press in five is stamped early, within what the watermarks allow.
    NowAndThen,
    /// Orders are stamped up to 30 s before they arrived.
    EarlyOrders,
    /// Stops are stamped up to 30 s early.
    EarlyStops,
    /// Black's presses are stamped up to 5 s late.
    LatePresses,
    /// All frames except White's presses are delayed, and those presses are stamped as if they had been delayed too.
    HoldsBack,
    /// Watermarks count an event that does not exist yet, so that they set no limit on its stamp. Presses are stamped 0.9 s early.
    AnnouncesAhead,
    /// Watermarks come every five seconds, and presses are stamped as early as the newest one allows, by 3 s at most.
    FewWatermarks,
    /// Watermarks have no signature, and presses are stamped as early as the newest watermark allows, by 0.9 s at most.
    UnsignedWatermarks,
    /// Board time jumps by up to ten minutes without a request from the hub.
    Jumps,
    /// Orders are reported a second time, or reported although the hub sent none.
    OrdersTwice,
    /// Stops and presses are stamped up to 1 s early, and a press follows each stop immediately.
    StopAndPress,
    /// Black's presses are stamped late by the link's usual delay, so that they seem to arrive without delay.
    LateWithinTheLink,
    /// Time probes are never answered, and presses are stamped as early as the newest watermark allows, by 0.9 s at most.
    AnswersNoProbe,
    /// Orders are carried out immediately, but stamped and reported up to 3 s late.
    LateOrders,
    /// Pauses are ignored.
    IgnoresOrders,
    /// An arbiter's corrections at the clock are stamped up to 30 s early.
    EarlyCorrections,
    /// Each side has a separate clock: White's stamps its presses as early as its newest watermark allows, by 0.9 s at most.
    PairWithinTheGap,
    /// Each side has a separate clock: White's stamps its presses early by the same small amount, within what the watermarks allow.
    PairALittle,
    /// Each side has a separate clock: White's stamps presses up to 20 s early, echoes the newest probe, and sends no watermarks.
    PairFreshEcho,
    /// Each side has a separate clock: White's stamps presses up to 20 s early, echoes a probe from before the stamp, and sends no watermarks.
    PairOldEcho,
    PairHonest,
}

impl Lie {
    pub const ALL: [Self; 26] = [
        Self::None,
        Self::EarlyWithFreshEcho,
        Self::EarlyWithOldEcho,
        Self::WithinTheGap,
        Self::ALittle,
        Self::NowAndThen,
        Self::EarlyOrders,
        Self::EarlyStops,
        Self::LatePresses,
        Self::HoldsBack,
        Self::AnnouncesAhead,
        Self::FewWatermarks,
        Self::UnsignedWatermarks,
        Self::Jumps,
        Self::OrdersTwice,
        Self::StopAndPress,
        Self::LateWithinTheLink,
        Self::AnswersNoProbe,
        Self::LateOrders,
        Self::IgnoresOrders,
        Self::EarlyCorrections,
        Self::PairWithinTheGap,
        Self::PairALittle,
        Self::PairFreshEcho,
        Self::PairOldEcho,
        Self::PairHonest,
    ];

    pub fn is_honest(self) -> bool {
        matches!(self, Self::None | Self::PairHonest)
    }

    pub fn is_pair(self) -> bool {
        matches!(
            self,
            Self::PairWithinTheGap
                | Self::PairALittle
                | Self::PairFreshEcho
                | Self::PairOldEcho
                | Self::PairHonest
        )
    }

    pub(super) fn without_watermarks(self) -> bool {
        matches!(
            self,
            Self::EarlyWithFreshEcho
                | Self::EarlyWithOldEcho
                | Self::PairFreshEcho
                | Self::PairOldEcho
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "honest",
            Self::EarlyWithFreshEcho => "early presses, fresh echo",
            Self::EarlyWithOldEcho => "early presses, old echo",
            Self::WithinTheGap => "presses within the gap",
            Self::ALittle => "every press a little early",
            Self::NowAndThen => "some presses early",
            Self::EarlyOrders => "early orders",
            Self::EarlyStops => "early stops",
            Self::LatePresses => "late presses of the opponent",
            Self::HoldsBack => "reports held back",
            Self::AnnouncesAhead => "events announced ahead",
            Self::FewWatermarks => "few watermarks",
            Self::UnsignedWatermarks => "unsigned watermarks",
            Self::Jumps => "unasked jumps",
            Self::OrdersTwice => "orders twice or invented",
            Self::StopAndPress => "stop and press",
            Self::LateWithinTheLink => "late presses within the link",
            Self::AnswersNoProbe => "no probe answered",
            Self::LateOrders => "late orders",
            Self::IgnoresOrders => "orders ignored",
            Self::EarlyCorrections => "early corrections",
            Self::PairWithinTheGap => "two clocks, within the gap",
            Self::PairALittle => "two clocks, a little early",
            Self::PairFreshEcho => "two clocks, fresh echo",
            Self::PairOldEcho => "two clocks, old echo",
            Self::PairHonest => "two clocks, honest",
        }
    }
}
