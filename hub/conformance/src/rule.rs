//! The rules of the protocol's pages that the kit checks. Owns the short name of each, as the pages print it; never the check itself.

use std::fmt;

macro_rules! rules {
    ($($name:ident: $text:literal,)+) => {
        /// A rule of `proto/README.md` or `proto/quic.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $text] $name,)+
        }

        impl Rule {
            /// Every rule that the kit checks.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Returns the rule's name on the pages.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// Returns the rule in one line.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

rules! {
    E2: "one request with its length on one stream",
    E3: "the fields of an enrolment request",
    E4: "the signature of an enrolment request",
    E7: "an enrolled clock gets certificate, authority and log",
    E8: "an unknown or used code and a wrong signature are refused",
    E10: "the same key may ask again with the same code",
    E9: "a clock that waits asks again with the same key, not too soon",
    Q12: "a session needs the client certificate of the enrolment",
    F2: "unknown kinds, garbage and long frames close the link with BAD_FRAME",
    F3: "unknown fields are ignored",
    S1: "Hello is the first frame on every link",
    S2: "the fields of Hello",
    S3: "Hello names the journal's origin, next event and head",
    S4: "Hello.rebooted",
    S5: "Hello.process",
    S6: "Hello is answered by Welcome, another major version by a goodbye",
    S8: "a jump of board time is the one that the hub gave",
    S9: "unacknowledged events follow Welcome",
    S12: "a clock that lost its link connects again",
    B1: "board time is not faster or slower than 100 ppm",
    B2: "the boot is named by 1 to 64 bytes and board time does not run backwards",
    C1: "an event is an encoded EventBody with a known fact",
    C2: "events are numbered from 1 without gaps",
    C3: "each event contains the hash of the previous one",
    C4: "each event is signed",
    C5: "stamps never decrease and are never in the future",
    C6: "events name the boot and the newest time probe",
    C7: "an event is sent again on the next link, with the same bytes, until it is acknowledged",
    C11: "a different digest is reported with the clock's own",
    O1: "each order is taken once, in order",
    O2: "an order is stamped when it arrives",
    O4: "a command changes the clock's own board",
    O5: "an adopted snapshot becomes the clock's own board",
    O8: "a shared board is answered with a watermark",
    P2: "a press names the button that was pressed",
    P3: "a press changes the clock's own board",
    P4: "a stop is one event",
    T1: "a time probe is answered at once with its nonce",
    T3: "a reply is not sent before its probe was received",
    W1: "watermarks are signed",
    W2: "watermarks never run ahead or back, and no event breaks one",
    W3: "watermarks come every second, or every 100 ms when a player is short of time",
    W4: "a watermark follows Welcome and each event",
    W5: "a watermark confirms a flag fall at once",
    A5: "a correction is one of five commands",
    A6: "the date of a correction grows",
    A7: "a correction is proved by the PIN's key",
    A8: "a correction names an arbiter of the list",
    D1: "labels change nothing but the display",
    D5: "a zero test is answered with its nonce and changes no clock",
    D6: "Health follows Welcome",
    H1: "a second Hello, a wrong signature and a broken chain close the link",
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
