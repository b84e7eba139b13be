//! One board, its scripted clock and an arbiter at the command line of a real hub.

use std::collections::BTreeSet;
use std::time::Duration;

use conformance::clock::{ClockBody, Fault, ScriptedClock, enrol};
use proto::enrolment::EnrolmentCode;
use proto::wire::Button;
use serde_json::Value;
use tests::rig::{Cli, Evidence, HubProcess, program, until};

pub(crate) const READY_WITHIN: Duration = Duration::from_secs(20);
/// The time within which a screen shows what the hub has noticed.
pub(crate) const SEEN_WITHIN: Duration = Duration::from_secs(25);
/// The arbiter and PIN of every hub here.
pub(crate) const ARBITER: (&str, &str) = ("Ada Okonkwo", "471108");

/// Notes about a game or a machine, not about a clock's honesty.
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
    /// Opens a hall whose board 1 has this time control and a clock with these faults.
    pub(crate) async fn open(control: &str, faults: &[Fault]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flagfall = program("flagfall").unwrap();
        let pin = format!("{} {}", ARBITER.0, ARBITER.1);
        let more = ["--arbiter-pins", pin.as_str()];
        let mut hub = HubProcess::start(&flagfall, dir.path(), None, &more).unwrap();
        let at = hub.ready(READY_WITHIN).unwrap();
        let cli = Cli::new(&flagfall, at.listen, dir.path());
        cli.done(&["ctl", "add", "1", control]).unwrap();
        let made = cli.json(&["enrol", "--board", "1"]).unwrap();
        let code: EnrolmentCode = made[0]["uri"].as_str().unwrap().parse().unwrap();
        let identity = enrol(at.listen, &code, &[]).await.unwrap();
        let clock = ScriptedClock::start(identity, at.listen, faults);
        clock
            .until("the board", |seen| {
                let adopted = seen.connected && !seen.taken.is_empty();
                (adopted && seen.probes > 0).then_some(())
            })
            .await
            .unwrap();
        Self {
            dir,
            hub,
            cli,
            clock,
        }
    }

    /// Starts White's clock; returns its board time at the start.
    pub(crate) async fn start(&self) -> i64 {
        self.order(&["ctl", "start", "1"]).await;
        let started =
            |clock: &mut ClockBody| clock.board_clock().map(|clock| clock.now().as_micros());
        self.clock.act(started).await.unwrap().unwrap()
    }

    /// Gives a command that the clock carries out.
    pub(crate) async fn order(&self, command: &[&str]) {
        let taken = self.clock.seen().taken.len();
        self.cli.done(command).unwrap();
        self.clock
            .until("the order", |seen| (seen.taken.len() > taken).then_some(()))
            .await
            .unwrap();
    }

    /// Waits until the clock's board time has come to this instant.
    pub(crate) async fn until_us(&self, at_us: i64) {
        let mut look = tokio::time::interval(Duration::from_millis(5));
        while self.clock.act(|clock| clock.now_us()).await.unwrap() < at_us {
            look.tick().await;
        }
    }

    /// Waits until the hub has acknowledged event `seq`.
    pub(crate) async fn acked(&self, seq: u64) {
        self.clock
            .until("an acknowledgement", |seen| {
                (seen.acked >= seq).then_some(())
            })
            .await
            .unwrap();
    }

    /// Presses a button and waits until the hub has the press.
    pub(crate) async fn press(&self, button: Button) {
        let seq = self.clock.press(button).await.unwrap();
        self.acked(seq).await;
    }

    /// Returns the board as `ctl show` gives it to programs.
    pub(crate) fn board(&self) -> Value {
        self.cli.json(&["ctl", "show", "1"]).unwrap().remove(0)
    }

    /// Returns a side's time in hand, in microseconds.
    pub(crate) fn time_us(&self, side: &str) -> i64 {
        self.board()[side]["us"].as_i64().unwrap()
    }

    /// Returns the kinds of notes about the clock's honesty that each of the three lists shows.
    fn notes(&self) -> [BTreeSet<String>; 3] {
        let kinds = |values: &Value| -> BTreeSet<String> {
            let kinds = values.as_array().into_iter().flatten();
            let kinds = kinds.filter_map(|note| note["kind"].as_str());
            kinds
                .filter(|kind| !INNOCENT.contains(kind))
                .map(str::to_owned)
                .collect()
        };
        let listed = self.cli.json(&["ctl", "list"]).unwrap().remove(0);
        let agent = self.cli.json(&["ctl", "agents"]).unwrap().remove(0);
        [
            kinds(&self.board()["notes"]),
            kinds(&listed["notes"]),
            kinds(&agent["alerts"]),
        ]
    }

    /// Checks that `ctl show`, `ctl list` and `ctl agents` all show a note about the clock's honesty.
    pub(crate) fn noted(&self) {
        let seen = until(SEEN_WITHIN, "a note in show, list and agents", || {
            let notes = self.notes();
            notes.iter().all(|kinds| !kinds.is_empty()).then_some(())
        });
        seen.unwrap_or_else(|why| panic!("{why}: {:?}; {}", self.notes(), self.hub.said()));
    }

    /// Checks that no list shows a note about the clock's honesty.
    pub(crate) fn not_noted(&self) {
        let notes = self.notes();
        assert!(notes.iter().all(BTreeSet::is_empty), "{notes:?}");
    }

    /// Stops the hub and returns what its log proves.
    pub(crate) fn evidence(mut self) -> Evidence {
        self.hub.stop().unwrap();
        Evidence::of(self.dir.path()).unwrap()
    }

    /// Checks that the log has a note about the clock's honesty, and that each of the clock's events is in it once.
    pub(crate) fn proved(self) {
        let evidence = self.evidence();
        let about_honesty = |kind: &&String| !INNOCENT.contains(&kind.as_str());
        assert!(
            evidence.notes.keys().any(|kind| about_honesty(&kind)),
            "{:?}",
            evidence.notes
        );
        assert_eq!(evidence.doubled(), Vec::<String>::new());
    }
}
