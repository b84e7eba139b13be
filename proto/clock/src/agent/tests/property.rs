//! Random sequences of inputs: no panic, gap, decreasing stamp, broken watermark, or lost or duplicated event. Both ends must have the same clock,
//! and the journal must have the agent's chain. The bench's hub asserts most of this at every event. A shuffled journal must give a working agent.

use proptest::prelude::*;
use timing::{Button, Duration};

use super::bench::{AGENT, Bench, at};
use super::hub::ORIGIN;
use crate::agent::{Input, recover};
use crate::buttons::ButtonEvent;

#[derive(Clone, Debug)]
enum Action {
    Pass(i64),
    Press(Button, i64),
    Stop,
    Connect,
    Disconnect,
    Deaf(bool),
    Command(&'static str),
    Adopt,
    Pipeline(i64),
    Restart(bool),
    JournalFails,
    JournalSyncs,
    Sleep(i64),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => (1_i64..4_000_000).prop_map(Action::Pass),
        8 => (any::<bool>(), 0_i64..50_000).prop_map(|(left, late)| {
            Action::Press(if left { Button::Left } else { Button::Right }, late)
        }),
        1 => Just(Action::Stop),
        3 => Just(Action::Connect),
        2 => Just(Action::Disconnect),
        2 => any::<bool>().prop_map(Action::Deaf),
        3 => prop::sample::select(vec![
            "start", "pause", "resume", "add white 10s", "set black 20s", "moves white 3", "swap",
            "end result 1-0", "end result *", "prepare right black-press 1m+1s", "control 2m",
        ]).prop_map(Action::Command),
        1 => Just(Action::Adopt),
        2 => (0_i64..40_000).prop_map(Action::Pipeline),
        1 => any::<bool>().prop_map(Action::Restart),
        1 => Just(Action::JournalFails),
        2 => Just(Action::JournalSyncs),
        1 => (0_i64..20_000_000).prop_map(Action::Sleep),
    ]
}

/// A bench whose orders reach the agent only while the link is up. The buttons deliver presses up to `lag` microseconds late.
struct World {
    bench: Bench,
    linked: bool,
    boots: u8,
    lag: i64,
}

impl World {
    fn act(mut self, action: &Action) -> Self {
        let bench = &mut self.bench;
        bench.core.set_quiet_before(at(bench.now_us - self.lag));
        match action {
            Action::Pass(us) => {
                // Time passes in steps, as in a session; the buttons report after each step.
                for _ in 0..8 {
                    bench.now_us += us / 8;
                    bench.core.set_quiet_before(at(bench.now_us - self.lag));
                    bench.input(Input::Wake);
                }
            }
            Action::Press(button, late) => bench.input(Input::Button(ButtonEvent::press(
                *button,
                at(bench.now_us - (*late).min(self.lag)),
            ))),
            Action::Stop => bench.input(Input::Button(ButtonEvent::stop(at(bench.now_us)))),
            Action::Connect if !self.linked => {
                bench.deaf = false;
                bench.connect();
                self.linked = bench.core.connected();
            }
            Action::Disconnect => {
                bench.disconnect();
                self.linked = false;
            }
            // Everything sent on the link is lost from now until the link ends.
            Action::Deaf(true) => bench.deaf = true,
            Action::Command(text) => {
                let order = bench.hub.command(text);
                if self.linked && !bench.deaf {
                    bench.hear(order);
                }
            }
            Action::Adopt => {
                let order = bench.hub.adopt("3m+2s");
                if self.linked && !bench.deaf {
                    bench.hear(order);
                }
            }
            Action::Pipeline(us) => self.lag = *us,
            Action::Restart(reboot) => {
                self.boots += u8::from(*reboot);
                self.bench = self.bench.restarted([self.boots; 16]);
                self.linked = false;
            }
            Action::JournalFails => bench.input(Input::JournalFailed),
            Action::JournalSyncs => {
                // Only written entries can be synced. After a failure, the whole journal must be written first.
                let entries = bench.core.whole_journal().entries;
                bench.journal = entries;
                let seq = bench.core.seq().0;
                bench.input(Input::JournalSynced { seq });
            }
            Action::Sleep(us) => bench.input(Input::Slept {
                gap: Duration::from_micros(*us),
            }),
            Action::Connect | Action::Deaf(false) => {}
        }
        self
    }
}

proptest! {
    #[test]
    fn both_ends_always_agree(actions in prop::collection::vec(action(), 1..120)) {
        let mut world = World { bench: Bench::new(), linked: false, boots: 1, lag: 0 };
        let mut failed = false;
        for action in &actions {
            // If the journal cannot be written, a restart loses the events that are only in memory. This case is not tested here.
            if failed && matches!(action, Action::Restart(_)) {
                continue;
            }
            failed = match action {
                Action::JournalFails => true,
                Action::JournalSyncs => false,
                Action::Pass(_)
                | Action::Press(..)
                | Action::Stop
                | Action::Connect
                | Action::Disconnect
                | Action::Deaf(_)
                | Action::Command(_)
                | Action::Adopt
                | Action::Pipeline(_)
                | Action::Restart(_)
                | Action::Sleep(_) => failed,
            };
            world = world.act(action);
            if !failed {
                let (recovered, fault) = recover(world.bench.journal.clone(), ORIGIN, &AGENT);
                prop_assert_eq!(fault, None);
                prop_assert_eq!(recovered.chain.seq, world.bench.core.seq().0);
                prop_assert_eq!(recovered.chain.head, world.bench.core.head());
            }
            prop_assert!(world.bench.core.next_wake().is_none_or(|wake| wake > at(world.bench.now_us)));
        }
        let bench = &mut world.bench;
        bench.disconnect();
        bench.deaf = false;
        bench.core.set_quiet_before(at(bench.now_us));
        bench.connect();
        bench.pass(1_000_000);
        prop_assert_eq!(bench.core.acknowledged(), bench.core.seq());
        let mut orders = bench.hub.taken.clone();
        orders.dedup();
        prop_assert_eq!(orders.len(), bench.hub.taken.len());
        // One more event brings the agent's clock and the hub's to the same instant.
        bench.core.set_quiet_before(at(bench.now_us));
        bench.press(Button::Left);
        bench.agrees_with_hub();
    }

    #[test]
    fn a_shuffled_journal_gives_a_working_agent(
        cuts in prop::collection::vec((0_usize..200, 0_u8..4), 1..12),
    ) {
        let mut bench = Bench::playing("5m+2s");
        for press in 0..40 {
            bench.deaf = press > 30;
            bench.pass(700_000);
            bench.press(if press % 2 == 0 { Button::Left } else { Button::Right });
            if press == 20 {
                bench.journal = bench.core.whole_journal().entries;
            }
        }
        let mut entries = bench.journal;
        for (place, how) in cuts {
            let at = place % entries.len().max(1);
            match how {
                0 if entries.len() > 1 => drop(entries.remove(at)),
                1 if !entries.is_empty() => entries.push(entries[at].clone()),
                2 if entries.len() > 1 => {
                    let other = (at + 1) % entries.len();
                    entries.swap(at, other);
                }
                _ => entries.truncate(entries.len().saturating_sub(at % 4)),
            }
        }
        let (recovered, _) = recover(entries, ORIGIN, &AGENT);
        let now = recovered.reached_us() + 1;
        let mut after = Bench::started(recovered, [1; 16], now);
        after.press(Button::Left);
        let whole = after.core.whole_journal().entries;
        let (again, fault) = recover(whole, ORIGIN, &AGENT);
        prop_assert_eq!(fault, None);
        prop_assert_eq!(again.chain.seq, after.core.seq().0);
        prop_assert_eq!(again.chain.head, after.core.head());
    }
}
