//! Whatever happens in whatever order: no panic, no gap, no stamp backwards, no promise broken, no press lost or doubled,
//! the same clock at both ends and in the journal. The hub of the bench asserts most of it at every event.

use proptest::prelude::*;
use timing::{Button, Duration};

use super::bench::{AGENT, Bench, at};
use super::hub::ORIGIN;
use crate::agent::{Input, recover};
use crate::buttons::ButtonEvent;

#[derive(Clone, Debug)]
enum Deed {
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

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (1_i64..4_000_000).prop_map(Deed::Pass),
        8 => (any::<bool>(), 0_i64..50_000).prop_map(|(left, late)| {
            Deed::Press(if left { Button::Left } else { Button::Right }, late)
        }),
        1 => Just(Deed::Stop),
        3 => Just(Deed::Connect),
        2 => Just(Deed::Disconnect),
        2 => any::<bool>().prop_map(Deed::Deaf),
        3 => prop::sample::select(vec![
            "start", "pause", "resume", "add white 10s", "set black 20s", "moves white 3", "swap",
            "end result 1-0", "end result *", "prepare right black-press 1m+1s", "control 2m",
        ]).prop_map(Deed::Command),
        1 => Just(Deed::Adopt),
        2 => (0_i64..40_000).prop_map(Deed::Pipeline),
        1 => any::<bool>().prop_map(Deed::Restart),
        1 => Just(Deed::JournalFails),
        2 => Just(Deed::JournalSyncs),
        1 => (0_i64..20_000_000).prop_map(Deed::Sleep),
    ]
}

/// Links and hub as they are: orders reach only an agent that listens.
struct World {
    bench: Bench,
    linked: bool,
    boots: u8,
    lag: i64,
}

impl World {
    fn act(mut self, deed: &Deed) -> Self {
        let bench = &mut self.bench;
        bench.core.set_quiet_before(at(bench.now_us - self.lag));
        match deed {
            Deed::Pass(us) => {
                // In pieces, as a session does: the buttons report each time.
                for _ in 0..8 {
                    bench.now_us += us / 8;
                    bench.core.set_quiet_before(at(bench.now_us - self.lag));
                    bench.input(Input::Wake);
                }
            }
            Deed::Press(button, late) => bench.input(Input::Button(ButtonEvent::press(
                *button,
                at(bench.now_us - (*late).min(self.lag)),
            ))),
            Deed::Stop => bench.input(Input::Button(ButtonEvent::stop(at(bench.now_us)))),
            Deed::Connect if !self.linked => {
                bench.deaf = false;
                bench.connect();
                self.linked = bench.core.connected();
            }
            Deed::Disconnect => {
                bench.disconnect();
                self.linked = false;
            }
            // What is sent into a link that is dying is lost, and so is everything after it on that link.
            Deed::Deaf(true) => bench.deaf = true,
            Deed::Command(text) => {
                let order = bench.hub.command(text);
                if self.linked && !bench.deaf {
                    bench.hear(order);
                }
            }
            Deed::Adopt => {
                let order = bench.hub.adopt("3m+2s");
                if self.linked && !bench.deaf {
                    bench.hear(order);
                }
            }
            Deed::Pipeline(us) => self.lag = *us,
            Deed::Restart(reboot) => {
                self.boots += u8::from(*reboot);
                self.bench = self.bench.restarted([self.boots; 16]);
                self.linked = false;
            }
            Deed::JournalFails => bench.input(Input::JournalFailed),
            Deed::JournalSyncs => {
                // Only what was written can be synced: after a failure that is a whole journal.
                let entries = bench.core.whole_journal().entries;
                bench.journal = entries;
                let seq = bench.core.seq().0;
                bench.input(Input::JournalSynced { seq });
            }
            Deed::Sleep(us) => bench.input(Input::Slept {
                gap: Duration::from_micros(*us),
            }),
            Deed::Connect | Deed::Deaf(false) => {}
        }
        self
    }
}

proptest! {
    #[test]
    fn whatever_happens_both_ends_agree(deeds in prop::collection::vec(deed(), 1..120)) {
        let mut world = World { bench: Bench::new(), linked: false, boots: 1, lag: 0 };
        let mut failed = false;
        for deed in &deeds {
            // A restart while the journal fails loses what only memory held: another test's business.
            if failed && matches!(deed, Deed::Restart(_)) {
                continue;
            }
            failed = match deed {
                Deed::JournalFails => true,
                Deed::JournalSyncs => false,
                Deed::Pass(_)
                | Deed::Press(..)
                | Deed::Stop
                | Deed::Connect
                | Deed::Disconnect
                | Deed::Deaf(_)
                | Deed::Command(_)
                | Deed::Adopt
                | Deed::Pipeline(_)
                | Deed::Restart(_)
                | Deed::Sleep(_) => failed,
            };
            world = world.act(deed);
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
        // One more event settles both clocks up to the same instant.
        bench.core.set_quiet_before(at(bench.now_us));
        bench.press(Button::Left);
        bench.agrees_with_hub();
    }

    #[test]
    fn a_journal_that_somebody_shuffled_gives_an_agent_that_works(
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
