//! The scenarios of a conformance run. Each checks some of the rules. Owns their order and their names.

mod display;
mod enrolment;
mod frames;
mod links;
mod play;
mod shared;
mod vectors;
mod watermarks;

use proto::wire::{Adopt, order};
use timing::{BoardClock, Button, Setup, StartRule};

use super::{Acks, Kit, KitError, REACTS_WITHIN_MS};
use crate::rule::Rule;

macro_rules! scenarios {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $title:literal, $run:path, [$($rule:ident),*];)+) => {
        /// A part of a conformance run that checks some of the rules.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scenario {
            $($(#[$doc])* $name,)+
        }

        impl Scenario {
            /// Every scenario, in the order of a run.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Returns the scenario's name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)+ }
            }

            pub fn rules(self) -> &'static [Rule] {
                match self { $(Self::$name => &[$(Rule::$rule),*],)+ }
            }

            /// Runs the scenario. Returns false if the clock did not get far enough for the remaining scenarios.
            pub(super) async fn run(self, kit: &mut Kit) -> Result<bool, KitError> {
                match self { $(Self::$name => $run(kit).await,)+ }
            }
        }
    };
}

scenarios! {
    Enrolment = "enrolment", "enrolment: the clock waits for an arbiter, then gets its certificate", enrolment::run, [E2, E3, E4, E9];
    Session = "session", "session: the first link", links::first, [Q12, S1, S2, S3, S4, S5, B2, D6];
    Time = "time", "time: probes as datagrams and on the stream", links::probes, [T1, T3, B1];
    /// The clock carries out each order once, even if the order arrives twice.
    Orders = "orders", "orders: a board, and the same order twice", play::orders, [O1, O2];
    Watermarks = "watermarks", "watermarks: a calm board, a player short of time, a flag fall", watermarks::run, [W1, W2, W3, W4, W5];
    Digest = "digest", "digest: the clock reports its own board when the hub's differs", play::digest, [C11, O5];
    Presses = "presses", "presses: both players, then a stop", play::presses, [P2, P3, P4];
    Commands = "commands", "commands: pauses and changes by an arbiter", play::commands, [O4];
    Display = "display", "display: labels and messages cause no event, a clock test causes one", display::run, [D1, D5];
    Corrections = "corrections", "corrections: an arbiter at the clock, with a PIN", play::corrections, [A5, A6, A7, A8];
    /// The clock resends unacknowledged events on a new link.
    Resend = "resend", "resend: links that are lost before and after an acknowledgement", links::resend, [S9, S12, C7];
    /// The clock reads frames of a future version, and refuses bytes that are not frames.
    Frames = "frames", "frames: unknown fields, unknown kinds, garbage, too long", frames::run, [F3, F2];
    Jump = "jump", "jump: the hub moves board time", links::jump, [S8];
    Shared = "shared", "shared: one side of a board", shared::run, [O8];
    Restart = "restart", "restart: the clock's program ends and starts again", links::restart, [S3, S5, C7];
    Vectors = "vectors", "vectors: scripted games through real frames", vectors::run, [P3, O4, O5];
    Goodbye = "goodbye", "goodbye: the hub shuts down", links::goodbye, [S12];
    Version = "version", "version: the hub speaks a different major version", links::version, [S6];
}

/// Gives the clock board 1 with a new game under this time control. Returns false if the clock does not confirm the
/// order, or if `control` cannot be parsed.
async fn adopt(kit: &mut Kit, control: &str) -> bool {
    match new_game(control) {
        Some(clock) => adopt_clock(kit, &clock).await,
        None => false,
    }
}

/// Returns the board clock of a new game under this time control; `None` if `control` cannot be parsed.
fn new_game(control: &str) -> Option<BoardClock> {
    let control = control.parse().ok()?;
    Some(BoardClock::new(Setup {
        control,
        start: StartRule::Arbiter,
        white: Button::Left,
    }))
}

async fn adopt_clock(kit: &mut Kit, clock: &BoardClock) -> bool {
    kit.ledger.board = "1".to_owned();
    let adopt = Adopt {
        board: "1".to_owned(),
        snapshot: clock.snapshot().to_bytes(),
    };
    taken(kit, order::What::Adopt(adopt)).await
}

/// Sends a command. Returns false if the clock does not confirm it.
async fn command(kit: &mut Kit, text: &str) -> bool {
    taken(kit, order::What::Command(text.to_owned())).await
}

async fn taken(kit: &mut Kit, what: order::What) -> bool {
    let name = match &what {
        order::What::Command(text) => format!("{text:?}"),
        order::What::Adopt(_) => "a board".to_owned(),
        order::What::ServeSide(_) => "one side of a board".to_owned(),
    };
    let number = kit.order(what).await;
    let taken = |kit: &Kit| kit.ledger.taken >= number;
    let expected = format!("order {number} ({name}) taken within 3 s");
    kit.demands(Rule::O1, taken, expected, "no OrderTaken")
        .await
}

/// Sends a command, and compares the clock's board with the kit's if the clock reports its digests.
async fn checked_command(kit: &mut Kit, text: &str) -> bool {
    if !kit.compares {
        kit.report
            .not_checked(Rule::O4, "this clock does not report different digests");
        return command(kit, text).await;
    }
    compared_command(kit, text, Rule::O4, &format!("after {text:?}")).await
}

/// Sends a command, acknowledges it with a wrong digest, and compares the clock's board with the kit's.
async fn compared_command(kit: &mut Kit, text: &str, rule: Rule, what: &str) -> bool {
    kit.acks = Acks::WrongDigest;
    let taken = command(kit, text).await;
    kit.acks = Acks::Honest;
    taken && compare(kit, rule, what).await
}

/// Compares the kit's digest with the one that the clock reports for its newest event. The kit must have acknowledged
/// that event with a wrong digest. Then gives the clock the board again, and returns false if the clock does not
/// confirm the order.
async fn compare(kit: &mut Kit, rule: Rule, what: &str) -> bool {
    let seq = kit.ledger.seq;
    let ours = kit.ledger.digest();
    let clock = kit.ledger.clock.clone();
    let told = kit
        .until(REACTS_WITHIN_MS, |kit| {
            let of_event = kit.ledger.diverged.iter().find(|told| told.seq == seq);
            of_event.map(|told| told.board_digest.clone())
        })
        .await;
    let hex = |bytes: Option<&[u8]>| bytes.map_or("none".to_owned(), proto::ids::hex);
    let ours = ours.as_ref().map(<[u8; 8]>::as_slice);
    kit.report.check(
        rule,
        told.as_deref() == ours,
        format!("digest {} {what} (event {seq})", hex(ours)),
        hex(told.as_deref()),
    );
    match clock {
        Some(clock) => adopt_clock(kit, &clock).await,
        None => true,
    }
}
