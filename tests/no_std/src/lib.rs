//! A program without a standard library that runs the engine, as a maker of clocks would.
//!
//! Owns a panic handler and an allocator, so that it cannot be linked together with `std`. Must never be shipped: its
//! allocator frees nothing.
#![no_std]

extern crate alloc;

use alloc::string::ToString as _;
use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering};

const HEAP: usize = 1 << 20;

struct Bump {
    heap: UnsafeCell<[u8; HEAP]>,
    used: AtomicUsize,
}

// SAFETY: every allocation is a range of its own, given out by one atomic counter.
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
static ALLOCATOR: Bump = Bump { heap: UnsafeCell::new([0; HEAP]), used: AtomicUsize::new(0) };

#[panic_handler]
fn on_panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// How long the shortest form of a control is; 0 if it is none.
#[unsafe(no_mangle)]
pub extern "C" fn flagfall_shortest_form(fide: bool) -> usize {
    let notation = if fide { "40/90m+30s : 30m+30s runs on" } else { "10m byo 3x30s" };
    notation.parse::<timing::TimeControl>().map_or(0, |control| control.to_string().len())
}
