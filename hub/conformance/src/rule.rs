//! The protocol's rules that the kit checks, and those that it does not check, with the reasons. Owns the short text
//! of each checked rule, as printed; the checks are elsewhere.

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

            pub fn id(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

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
    E7: "an enrolled clock gets its certificate, the authority and the log's origin",
    E8: "an unknown or used code and an invalid signature are refused",
    E10: "the same key may ask again with the same code",
    E9: "a clock that waits asks again with the same key, not too soon",
    Q12: "a session needs the client certificate from the enrolment",
    F2: "unknown kinds, garbage and long frames close the link with BAD_FRAME",
    F3: "unknown fields are ignored",
    S1: "Hello is the first frame on every link",
    S2: "the fields of Hello",
    S3: "Hello names the journal's origin, next event and head",
    S4: "Hello.rebooted",
    S5: "Hello.process",
    S6: "Hello is answered with Welcome, a different major version with a goodbye",
    S8: "a jump of board time is the one that the hub requested",
    S9: "unacknowledged events follow Welcome",
    S12: "a clock that lost its link reconnects",
    B1: "board time runs at most 100 ppm fast or slow",
    B2: "a boot's name has 1 to 64 bytes, and board time does not run backwards",
    C1: "an event is an encoded EventBody with a known fact",
    C2: "events are numbered from 1 without gaps",
    C3: "each event contains the hash of the previous one",
    C4: "each event is signed",
    C5: "stamps never decrease and are never in the future",
    C6: "events name the boot and the newest time probe",
    C7: "an event is sent again on the next link, with the same bytes, until it is acknowledged",
    C11: "a clock that finds a different digest reports its own",
    O1: "each order is taken once, in order",
    O2: "an order is stamped when it arrives",
    O4: "a command changes the clock's own board",
    O5: "an adopted snapshot becomes the clock's own board",
    O8: "a shared board is answered with a watermark",
    P2: "a press names the button that was pressed",
    P3: "a press changes the clock's own board",
    P4: "a stop is one event",
    T1: "a time probe is answered immediately with its nonce",
    T3: "a reply is not sent before its probe was received",
    W1: "watermarks are signed",
    W2: "watermarks never run ahead or backwards, and no event breaks one",
    W3: "watermarks come every second, or every 100 ms when a player is short of time",
    W4: "a watermark follows Welcome and each event",
    W5: "a watermark confirms a flag fall immediately",
    A5: "a correction is one of five commands",
    A6: "each correction has a later time than the previous one",
    A7: "a correction is proved by the PIN's key",
    A8: "a correction names an arbiter on the list",
    D1: "labels change nothing but the display",
    D5: "a clock test is answered with its nonce and changes no clock",
    D6: "Health follows Welcome",
    H1: "a second Hello, an invalid signature and a broken chain close the link",
}

/// Protocol rules that the kit does not check for one side, and the reason.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked {
    pub rules: &'static [&'static str],
    pub side: JudgedSide,
    pub why: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgedSide {
    /// A clock, judged by [`crate::kit`].
    Clock,
    /// A hub, judged by [`crate::hub`].
    Hub,
}

macro_rules! unchecked {
    ($($side:ident [$($id:ident)+] $why:literal;)+) => {
        pub const UNCHECKED: &[Unchecked] = &[$(Unchecked {
            rules: &[$(stringify!($id)),+],
            side: JudgedSide::$side,
            why: $why,
        },)+];
    };
}

unchecked! {
    Clock [Q1 Q2 Q3 Q13 Q15 F1] "a clock that breaks it does not get as far as Welcome";
    Clock [Q4 Q6 Q7 Q16] "the kit does not check the connection's parameters";
    Clock [Q9 Q10 Q11] "the kit shows the clock no certificate from a different authority";
    Clock [Q14 Q17 Q18] "the kit does not judge how the clock ends a connection, or what it shows afterwards";
    Clock [E1 E5 E6] "part of E3, or the clock's choice";
    Clock [E11] "the clock enrols once";
    Clock [E12 Q19 Q20 Q21 Q22 Q23] "the kit has one authority, and its certificates do not expire";
    Clock [F4 F6] "a clock that breaks it also breaks S2, C3, C4 or W1";
    Clock [D8] "the kit has no electronic board";
    Clock [F5 D2 D3 D4 D7] "the kit does not see the display or hear the sounds";
    Clock [B3 B4 C9] "the clock's machine is not switched off and on";
    Clock [S7] "the kit has one log";
    Clock [S10 S11 C10] "the kit's log is never ahead of the clock's journal or behind it";
    Clock [C8] "the kit acknowledges long before 128 events wait";
    Clock [C12] "the kit sends a digest with every acknowledgement of a board";
    Clock [P1] "the kit does not see the button contacts";
    Clock [P5] "the kit does not fill the clock's memory";
    Clock [O3] "the kit sends every order";
    Clock [O6] "the kit does not take the board away";
    Clock [O7] "the kit does not see the display, and no digest shows the state of a shared board";
    Clock [T2] "part of C6";
    Clock [T4 W6] "the kit does not lose frames on purpose";
    Clock [T5] "the kit sends no probe before Welcome";
    Clock [W7] "the kit forgets the promises before a jump, as the rule says";
    Clock [A1 A2 A3 A4] "the kit has one arbiter and one PIN, and never enters a wrong PIN";
    Clock [K1 K2 K3 K4 K5 K6] "the kit has no log, so it has nothing to prove";
    Clock [O9 J1 J2 J3 J4 J5 J6] "the kit does not read the journal: a restart shows in S3, S5 and C7";
    Hub [Q5 Q8] "the scripted clock does not check parameters and certificates";
    Hub [E12 Q19 Q20 Q22 Q23] "the scripted clock does not renew certificates";
    Hub [H2 H3 H4 H5 H6 H7 H8 H9 H10 H11 H12 H13 H14 H15 H16 H17 H18 H19 H20 H21 H22 H23] "the scripted clock does not read the hub's notes";
}

impl Rule {
    /// Returns true if a run that judges `side` can check the rule.
    pub fn binds(self, side: JudgedSide) -> bool {
        const HUB: [Rule; 4] = [Rule::E7, Rule::E8, Rule::E10, Rule::H1];
        const BOTH: [Rule; 10] = [
            Rule::Q12,
            Rule::F2,
            Rule::F3,
            Rule::S1,
            Rule::S6,
            Rule::S9,
            Rule::C7,
            Rule::C11,
            Rule::O5,
            Rule::T1,
        ];
        let of_hub = HUB.contains(&self);
        match side {
            JudgedSide::Clock => !of_hub,
            JudgedSide::Hub => of_hub || BOTH.contains(&self),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
