//! A program without the standard library that runs the engine and the clock's end of a Bluetooth link, as a clock maker's firmware does.
//!
//! Owns a panic handler and an allocator, so it cannot be linked together with `std`. Must never be shipped, because its allocator never
//! frees memory.
#![no_std]

extern crate alloc;

#[path = "../../../proto/clock/examples/clock/board.rs"]
#[allow(dead_code, reason = "some functions are used only by the example")]
mod board;

use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering};

use clock_core::buttons::Edge;
use clock_core::firmware::platform::ContactEdge;
use ed25519_dalek::SigningKey;
use proto::ble::{Channel, LocalKeys, Received};
use proto::chain::sign;
use proto::frame::{decode, encode};
use proto::ids::AgentId;
use proto::wire::{AgentFrame, EventBody};

const HEAP: usize = 1 << 20;

struct Bump {
    heap: UnsafeCell<[u8; HEAP]>,
    used: AtomicUsize,
}

// SAFETY: every allocation gets a separate range of `heap`, because `used` is advanced atomically.
unsafe impl Sync for Bump {}

// SAFETY: ranges never overlap, are aligned, and are inside `heap`.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let wanted = layout.size() + layout.align();
        let start = self.used.fetch_add(wanted, Ordering::Relaxed);
        if start + wanted > HEAP {
            return core::ptr::null_mut();
        }
        let base = self.heap.get().cast::<u8>();
        // SAFETY: `start + wanted` is within the heap.
        let place = unsafe { base.add(start) };
        place.wrapping_add(place.align_offset(layout.align()))
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Bump = Bump {
    heap: UnsafeCell::new([0; HEAP]),
    used: AtomicUsize::new(0),
};

#[panic_handler]
fn on_panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Returns the length, in bytes, of a time control's shortest notation; 0 if the control is invalid.
#[unsafe(no_mangle)]
pub extern "C" fn flagfall_shortest_form(fide: bool) -> usize {
    let notation = if fide {
        "40/90m+30s : 30m+30s runs on"
    } else {
        "10m byo 3x30s"
    };
    notation
        .parse::<timing::TimeControl>()
        .map_or(0, |control| control.to_string().len())
}

/// Performs a handshake with a hub, using values of at most `room` bytes, and sends a signed press. Returns the number of bytes that carried the
/// handshake and the press; 0 if a step fails.
#[unsafe(no_mangle)]
pub extern "C" fn flagfall_ble_session(room: usize) -> usize {
    session(room).unwrap_or(0)
}

fn session(room: usize) -> Option<usize> {
    let (clock_secret, hub_secret, hub_key) = ([1; 32], [2; 32], HUB_KEY);
    let signing = SigningKey::from_bytes(&[3; 32]);
    let agent = AgentId(signing.verifying_key().to_bytes());
    // Fixed values suffice here; a real clock and a real hub draw random bytes.
    let own = LocalKeys {
        secret: &clock_secret,
        random: [4; 32],
    };
    let mut clock = Channel::session(own, &agent, &hub_key).ok()?;
    let mut hub = Channel::hub(
        LocalKeys {
            secret: &hub_secret,
            random: [5; 32],
        },
        None,
    );
    let mut carried = 0;
    while let Some(value) = clock.next_value(room) {
        carried += value.len();
        hub.receive(&value).ok()?;
    }
    hub.answer().ok()?;
    while let Some(value) = hub.next_value(room) {
        carried += value.len();
        clock.receive(&value).ok()?;
    }
    let body = EventBody {
        seq: 1,
        at_us: 2_500_000,
        ..EventBody::default()
    };
    let press: AgentFrame = sign(&body, &signing).into();
    clock.send(&encode(&press).ok()?).ok()?;
    while let Some(value) = clock.next_value(room) {
        carried += value.len();
        if let Received::Frame(bytes) = hub.receive(&value).ok()? {
            let frame: AgentFrame = decode(&bytes).ok()?;
            return (frame == press).then_some(carried);
        }
        while let Some(value) = hub.next_value(room) {
            clock.receive(&value).ok()?;
        }
    }
    None
}

/// Runs the example clock, linked in the same way as in firmware. The clock powers up on empty flash, takes a press, fills its display, loses
/// power and powers up again. Returns the number of bytes on the display; 0 if a step fails or the clock's identity has changed.
#[unsafe(no_mangle)]
pub extern "C" fn flagfall_firmware(noise: u64) -> usize {
    firmware(noise).unwrap_or(0)
}

fn firmware(noise: u64) -> Option<usize> {
    let mut clock = board::power_up(board::Board::new(Vec::new(), noise)).ok()?;
    let agent = clock.agent();
    clock.platform().edges.push_back(ContactEdge {
        button: timing::Button::Left,
        edge: Edge::Down,
        at_us: 0,
    });
    let wake = clock.run_once(None);
    clock.platform().now_us = wake;
    let shown = board::display(&clock).len();
    let flash = core::mem::take(&mut clock.platform().flash);
    let again = board::power_up(board::Board::new(flash, !noise)).ok()?;
    (again.agent() == agent).then_some(shown)
}

/// The X25519 public key for the hub's secret in [`session`].
const HUB_KEY: [u8; 32] = [
    0xce, 0x8d, 0x3a, 0xd1, 0xcc, 0xb6, 0x33, 0xec, 0x7b, 0x70, 0xc1, 0x78, 0x14, 0xa5, 0xc7, 0x6e,
    0xcd, 0x02, 0x96, 0x85, 0x05, 0x0d, 0x34, 0x47, 0x45, 0xba, 0x05, 0x87, 0x0e, 0x58, 0x7d, 0x59,
];
