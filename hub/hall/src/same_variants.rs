//! Enums that have the same variants in the messages and in the program's own types. Each enum is listed once, for
//! encoding and decoding.

use proto::{event, wire};

pub(crate) trait SameVariants: Sized {
    type Message;

    fn encoded(self) -> Self::Message;

    /// Returns the variant with the same name; `None` for the message's unspecified variant.
    fn decoded(message: Self::Message) -> Option<Self>;
}

macro_rules! same_variants {
    ($($ours:ty, $message:ty: $($variant:ident)+ $(, not $unspecified:ident)?;)+) => {$(
        impl SameVariants for $ours {
            type Message = $message;

            fn encoded(self) -> $message {
                match self {
                    $(Self::$variant => <$message>::$variant,)+
                }
            }

            fn decoded(message: $message) -> Option<Self> {
                match message {
                    $(<$message>::$variant => Some(Self::$variant),)+
                    $(<$message>::$unspecified => None,)?
                }
            }
        }
    )+};
}

same_variants! {
    timing::Side, proto::Side: White Black, not Unspecified;
        timing::Button, wire::Button: Left Right, not Unspecified;
    time_chess::Phase, wire::DayPhase:
        Dawn Midday Evening Dusk Midnight Morning, not Unspecified;
    crate::PressRule, event::PressRule: Clock Page Move, not Unspecified;
    crate::OffenceKind, event::OffenceKind: IllegalMove, not Unspecified;
    tournament::ActorKind, event::ActorKind: ChiefArbiter FloorArbiter Clock Program, not Unspecified;
    tournament::BoardPhase, event::BoardPhase: Paired Preset Started Running Finished, not Unspecified;
    tournament::RoundPhase, event::RoundPhase:
        Paired Preset Started Running Finished Confirmed, not Unspecified;
    tournament::Bye, event::Bye: Full Half Zero PairingAllocated, not Unspecified;
    tournament::Game, event::Game: Chess Scrabble Othello;
    tournament::Outcome, event::Outcome: Win Draw Loss, not Unspecified;
    tournament::player::Sex, event::Sex: Male Female, not Unspecified;
    tournament::ResultKind, event::ResultKind:
        Win Draw Loss ForfeitWin ForfeitLoss FullBye HalfBye ZeroBye, not Unspecified;
}
