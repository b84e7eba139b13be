//! A real hub with one board and a scripted clock, and an arbiter at the command line.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use conformance::clock::{ClockBody, Fault, ScriptedClock, enrol};
use proto::enrolment::EnrolmentCode;
use proto::wire::Button;
use serde_json::Value;
use tests::rig::{Cli, Evidence, HubProcess, program, until};

pub(crate) const READY_WITHIN: Duration = Duration::from_secs(20);
/// Maximum wait until the hub shows a note or another change.
pub(crate) const SEEN_WITHIN: Duration = Duration::from_secs(25);
/// Name and PIN of the arbiter who may correct at the clock.
pub(crate) const ARBITER: (&str, &str) = ("Ada Okonkwo", "471108");

/// Kinds of notes that do not question a clock's honesty.
const INNOCENT: [&str; 10] = [
    "flapping",
    "unchecked_time",
    "crystal",
    "low_battery",
    "stopped",
    "not_started",
    "move_counters",
    "missed_press",
    "ignored_presses",
    "corrected_at_clock",
];

pub(crate) struct Hall {
    dir: tempfile::TempDir,
    hub: HubProcess,
    pub(crate) cli: Cli,
    pub(crate) clock: ScriptedClock,
}

impl Hall {
    /// Opens a hall in which board 1 has this time control and a clock with these faults.
    pub(crate) async fn open(control: &str, faults: &[Fault]) -> Self {
        let (dir, hub, cli, at) = Self::hub(control);
        let clock = clock(&cli, at, &["--board", "1"], faults).await;
        clock
            .until("the board", |seen| (!seen.taken.is_empty()).then_some(()))
            .await
            .unwrap();
        Self {
            dir,
            hub,
            cli,
            clock,
        }
    }

    /// Opens a hall in which board 1 has two clocks: White's with these faults, and an honest one for Black, which is also returned.
    pub(crate) async fn open_pair(control: &str, faults: &[Fault]) -> (Self, ScriptedClock) {
        let (dir, hub, cli, at) = Self::hub(control);
        let mut clocks = Vec::new();
        for (side, faults) in [("white", faults), ("black", &[])] {
            let clock = clock(&cli, at, &[], faults).await;
            let agents = cli.json(&["ctl", "agents"]).unwrap();
            let free = agents.iter().find(|agent| agent["board"] == "");
            let key = free.unwrap()["key"].as_str().unwrap();
            cli.done(&["ctl", "assign", "1", key, "--side", side])
                .unwrap();
            clock
                .until("the side", |seen| (seen.acked > 0).then_some(()))
                .await
                .unwrap();
            clocks.push(clock);
        }
        let black = clocks.pop().unwrap();
        let clock = clocks.pop().unwrap();
        let hall = Self {
            dir,
            hub,
            cli,
            clock,
        };
        (hall, black)
    }

    fn hub(control: &str) -> (tempfile::TempDir, HubProcess, Cli, SocketAddr) {
        let dir = tempfile::tempdir().unwrap();
        let flagfall = program("flagfall").unwrap();
        let pin = format!("{} {}", ARBITER.0, ARBITER.1);
        let more = ["--arbiter-pins", pin.as_str()];
        let mut hub = HubProcess::start(&flagfall, dir.path(), None, &more).unwrap();
        let at = hub.ready(READY_WITHIN).unwrap().listen;
        let cli = Cli::new(&flagfall, at, dir.path());
        cli.done(&["ctl", "add", "1", control]).unwrap();
        (dir, hub, cli, at)
    }

    /// Starts the game, and returns the board time at which the clock carried out the order.
    pub(crate) async fn start(&self) -> i64 {
        self.order(&["ctl", "start", "1"]).await;
        let started =
            |clock: &mut ClockBody| clock.board_clock().map(|clock| clock.now().as_micros());
        self.clock.act(started).await.unwrap().unwrap()
    }

    /// Starts the game on a board with two clocks, and returns the time by White's clock.
    pub(crate) async fn start_pair(&self) -> i64 {
        self.cli.done(&["ctl", "start", "1"]).unwrap();
        self.clock.act(|clock| clock.now_us()).await.unwrap()
    }

    /// Orders a pause that the clock ignores. Returns the order's number and the clock's time when the order arrived.
    pub(crate) async fn ignored_pause(&self) -> (u64, i64) {
        let orders = self.clock.seen().orders.len();
        self.clock
            .act(|clock| clock.set_faults(&[Fault::OrderIgnored, Fault::DivergedSilent]))
            .await
            .unwrap();
        let cli = self.cli.clone();
        // The command waits for the clock's answer, so run it in another thread.
        drop(tokio::task::spawn_blocking(move || {
            cli.run(&["ctl", "pause", "1"])
        }));
        let number = self
            .clock
            .until("the order", |seen| {
                seen.orders.get(orders).map(|order| order.number)
            })
            .await
            .unwrap();
        let came_us = self.clock.act(|clock| clock.now_us()).await.unwrap();
        (number, came_us)
    }

    pub(crate) fn until_running(&self, side: &str) {
        until(SEEN_WITHIN, "the turn", || {
            (self.board()["running"] == side).then_some(())
        })
        .unwrap();
    }

    pub(crate) async fn order(&self, command: &[&str]) {
        let taken = self.clock.seen().taken.len();
        self.cli.done(command).unwrap();
        self.clock
            .until("the order", |seen| (seen.taken.len() > taken).then_some(()))
            .await
            .unwrap();
    }

    pub(crate) async fn until_us(&self, at_us: i64) {
        let mut look = tokio::time::interval(Duration::from_millis(5));
        while self.clock.act(|clock| clock.now_us()).await.unwrap() < at_us {
            look.tick().await;
        }
    }

    /// Waits until the hub has acknowledged event `seq` and the clock's own board agrees with the hub's. The hub would set aside a press from a clock
    /// whose board differs.
    pub(crate) async fn acked(&self, seq: u64) {
        self.clock
            .until("an acknowledgement", |seen| {
                (seen.acked >= seq && !seen.diverged).then_some(())
            })
            .await
            .unwrap();
    }

    pub(crate) async fn press(&self, button: Button) {
        let seq = self.clock.press(button).await.unwrap();
        self.acked(seq).await;
    }

    pub(crate) fn board(&self) -> Value {
        self.cli.json(&["ctl", "show", "1"]).unwrap().remove(0)
    }

    pub(crate) fn time_us(&self, side: &str) -> i64 {
        self.board()[side]["us"].as_i64().unwrap()
    }

    /// Returns the kinds of notes in `ctl show`, `ctl list` and `ctl agents`, in that order.
    fn notes(&self) -> [BTreeSet<String>; 3] {
        let kinds = |values: &Value| -> BTreeSet<String> {
            let notes = values.as_array().into_iter().flatten();
            let kinds = notes.filter_map(|note| note["kind"].as_str());
            kinds.map(str::to_owned).collect()
        };
        let listed = self.cli.json(&["ctl", "list"]).unwrap().remove(0);
        let agents = self.cli.json(&["ctl", "agents"]).unwrap();
        let alerts = agents.iter().flat_map(|agent| kinds(&agent["alerts"]));
        [
            kinds(&self.board()["notes"]),
            kinds(&listed["notes"]),
            alerts.collect(),
        ]
    }

    /// Waits until `ctl show`, `ctl list` and `ctl agents` all show a note of this kind.
    pub(crate) fn noted(&self, kind: &str) {
        let seen = until(SEEN_WITHIN, "a note in show, list and agents", || {
            let notes = self.notes();
            notes.iter().all(|kinds| kinds.contains(kind)).then_some(())
        });
        seen.unwrap_or_else(|why| {
            panic!("{why}: {kind} in {:?}; {}", self.notes(), self.hub.said())
        });
    }

    /// Checks that the board has a note of this kind. Such a note does not question the clock's honesty, so the list of clocks need not show it.
    pub(crate) fn remarked(&self, kind: &str) {
        let [board, listed, _] = self.notes();
        assert!(board.contains(kind), "{board:?}");
        assert!(listed.contains(kind), "{listed:?}");
    }

    pub(crate) fn not_noted(&self) {
        let notes = self.notes();
        let about_honesty = |kind: &String| !INNOCENT.contains(&kind.as_str());
        assert!(!notes.iter().flatten().any(about_honesty), "{notes:?}");
    }

    pub(crate) fn evidence(mut self) -> Evidence {
        self.hub.stop().unwrap();
        Evidence::of(self.dir.path()).unwrap()
    }

    /// Stops the hub. Checks that its log has a note of this kind and contains no event twice.
    pub(crate) fn proved(self, kind: &str) {
        let evidence = self.evidence();
        assert!(evidence.notes.contains_key(kind), "{:?}", evidence.notes);
        assert_eq!(evidence.doubled(), Vec::<String>::new());
    }
}

/// Enrols a clock with the code that `flagfall enrol` returns for these arguments. Waits until the clock has a link and a time probe.
async fn clock(cli: &Cli, hub: SocketAddr, code: &[&str], faults: &[Fault]) -> ScriptedClock {
    let made = cli.json(&[&["enrol"], code].concat()).unwrap();
    let code: EnrolmentCode = made[0]["uri"].as_str().unwrap().parse().unwrap();
    let identity = enrol(hub, &code, &[]).await.unwrap();
    let clock = ScriptedClock::start(identity, hub, faults);
    clock
        .until("the link", |seen| {
            (seen.connected && seen.probes > 0).then_some(())
        })
        .await
        .unwrap();
    clock
}
