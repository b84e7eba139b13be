//! A Bluetooth LE clock from its first power-up: enrolment with the displayed digits, play, some moves without a hub, and a power cut. Run it
//! with `cargo run -p clock-core --example clock`.
//!
//! A maker rewrites `board.rs` for a chip. The loop in [`Bench::pass`] is the firmware's complete main loop; [`Bench::air`] takes the place of
//! the radio link, and `hub.rs` that of the hub.
#![expect(clippy::print_stdout, reason = "an example prints its progress")]

extern crate alloc;

mod board;
mod hub;

use std::error::Error;

use board::{Board, display, power_up};
use clock_core::buttons::Edge;
use clock_core::firmware::platform::ContactEdge;
use clock_core::firmware::{Firmware, RadioEvent, Screen};
use hub::Hub;
use timing::Button;

/// The MTU that both ends agreed on, in bytes.
const MTU: u16 = 185;
/// Maximum size of a value in bytes: the MTU less the three bytes of ATT's header.
const ROOM: usize = 182;

struct Bench {
    clock: Firmware<Board>,
    hub: Hub,
}

impl Bench {
    /// Runs the firmware's main loop for `us` microseconds: handles what is due, then sleeps until the next wake-up.
    fn pass(&mut self, us: i64) -> Result<(), Box<dyn Error>> {
        let until = self.clock.platform().now_us + us;
        let mut event = None;
        loop {
            let wake = self.clock.run_once(event.take());
            if self.clock.take_changed() {
                println!("{:>9.3} s  {}", self.seconds(), display(&self.clock));
            }
            event = self.air()?;
            if event.is_none() {
                let board = self.clock.platform();
                if wake > until {
                    board.now_us = until;
                    return Ok(());
                }
                board.now_us = wake;
            }
        }
    }

    /// Carries values between the clock's radio and the hub. Returns the next event for the clock from its radio.
    fn air(&mut self) -> Result<Option<RadioEvent>, Box<dyn Error>> {
        let board = self.clock.platform();
        if !board.connected {
            return Ok(None);
        }
        let values: Vec<_> = board.notified.drain(..).collect();
        let sent = !values.is_empty();
        for value in values {
            self.hub.take(&value)?;
        }
        Ok(match self.hub.next_value(ROOM) {
            Some(value) => Some(RadioEvent::Value(value)),
            None if sent => Some(RadioEvent::RoomAvailable),
            None => None,
        })
    }

    fn connect(&mut self) -> Result<(), Box<dyn Error>> {
        let code = match self.clock.screen() {
            Screen::Code(code, _) => Some(code.clone()),
            Screen::Face(_) => None,
        };
        self.hub.connect(code);
        self.clock.platform().connected = true;
        let _ = self
            .clock
            .run_once(Some(RadioEvent::Subscribed { mtu: MTU }));
        self.pass(100_000)
    }

    fn out_of_reach(&mut self) {
        self.clock.platform().connected = false;
        let _ = self.clock.run_once(Some(RadioEvent::Disconnected));
    }

    /// Presses and releases a button after `think_us`. Stamps both edges as an interrupt handler would.
    fn press(&mut self, button: Button, think_us: i64) -> Result<(), Box<dyn Error>> {
        self.pass(think_us)?;
        for edge in [Edge::Down, Edge::Up] {
            let board = self.clock.platform();
            let at_us = board.now_us;
            board.edges.push_back(ContactEdge {
                button,
                edge,
                at_us,
            });
            self.pass(80_000)?;
        }
        Ok(())
    }

    fn seconds(&mut self) -> f64 {
        self.clock.platform().now_us as f64 / 1e6
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(Vec::new(), 0x9e37_79b9_7f4a_7c15);
    let mut bench = Bench {
        clock: power_up(board)?,
        hub: Hub::new(),
    };
    bench.pass(1_000_000)?;
    println!("an arbiter types the digits at the hub");
    bench.connect()?;
    println!("enrolled; the hub connects again, for a session");
    bench.connect()?;
    bench.press(Button::Right, 2_000_000)?;
    bench.press(Button::Left, 5_400_000)?;
    bench.press(Button::Right, 3_100_000)?;
    println!("the hub is out of reach");
    bench.out_of_reach();
    bench.press(Button::Left, 7_700_000)?;
    println!("the power fails, and comes back");
    let flash = std::mem::take(&mut bench.clock.platform().flash);
    bench.clock = power_up(Board::new(flash, 0x2545_f491_4f6c_dd1d))?;
    bench.press(Button::Right, 4_000_000)?;
    println!("the hub is back in reach");
    bench.connect()?;
    bench.press(Button::Left, 1_500_000)?;
    let (presses, hellos) = (bench.hub.presses, bench.hub.hellos);
    println!("the hub has {presses} presses from {hellos} sessions");
    if presses != 6 || hellos != 2 {
        return Err("expected six presses from two sessions".into());
    }
    println!("the event is over; the clock moves to another event");
    let before = bench.clock.agent();
    bench.clock.forget()?;
    bench.pass(1_000_000)?;
    let flash = std::mem::take(&mut bench.clock.platform().flash);
    let again = power_up(Board::new(flash, 0x1234_5678_9abc_def1))?;
    match again.screen() {
        Screen::Code(..) if again.agent() != before => Ok(()),
        Screen::Code(..) | Screen::Face(_) => Err("the clock still has its old identity".into()),
    }
}
