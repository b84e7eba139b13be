//! The hardware of a clock: flash, radio, random numbers, a crystal, two buttons and a display. A maker replaces this file. Here everything is in
//! memory, so that the example runs on any machine. This file needs neither the standard library nor an operating system.
//!
//! | trait method | nRF52 | ESP32-C3 |
//! | --- | --- | --- |
//! | `read`, `write`, `erase` | pages of 4 KiB after the program, through the NVMC (or by SoftDevice calls) | a data partition, sectors of 4 KiB |
//! | `advertise`, `notify`, `disconnect` | the controller's host: SoftDevice or trouBLE | NimBLE or trouBLE |
//! | `fill` | the RNG peripheral | the hardware RNG, with the radio on |
//! | `now_us` | a TIMER or RTC on the 32 MHz or 32 kHz crystal, extended to 64 bits in its overflow interrupt | SYSTIMER |
//! | `next_edge` | GPIOTE captures a TIMER through PPI: the stamp needs no processor time | a GPIO interrupt that reads SYSTIMER immediately |

use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use clock_core::face_state::FaceView;
use clock_core::firmware::platform::{
    ContactEdge, Contacts, Flash, FlashError, Radio, Random, Time,
};
use clock_core::firmware::{Firmware, Screen, Settings};
use proto::ble::Advertisement;
use timing::{BoardState, Duration, Side};

const SECTOR: usize = 4_096;
/// Two sectors for the identity and two banks of sixteen for the journal, which is enough for 160 presses without a hub.
const SECTORS: usize = 34;
/// Number of notifications that the radio buffers.
const ROOM: usize = 4;

#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) flash: Vec<u8>,
    pub(crate) now_us: i64,
    pub(crate) edges: VecDeque<ContactEdge>,
    /// Notifications that the radio has accepted but not sent yet.
    pub(crate) notified: VecDeque<Vec<u8>>,
    pub(crate) advertised: Option<(Advertisement, String)>,
    pub(crate) connected: bool,
    noise: u64,
}

impl Board {
    /// Creates a board. An empty `flash` stands for a board that has never been switched on.
    pub(crate) fn new(flash: Vec<u8>, noise: u64) -> Self {
        let erased = || core::iter::repeat_n(0xff, SECTOR * SECTORS).collect();
        Self {
            flash: if flash.is_empty() { erased() } else { flash },
            now_us: 0,
            edges: VecDeque::new(),
            notified: VecDeque::new(),
            advertised: None,
            connected: false,
            noise,
        }
    }
}

/// Returns the maker's settings. 500 events need 171 KiB of memory; the flash holds fewer, so its smaller limit applies.
pub(crate) fn settings() -> Settings {
    Settings {
        firmware: "example 1.0".to_string(),
        name: "clock 0815".to_string(),
        max_events: 500,
        in_flight: 32,
    }
}

/// # Errors
/// Returns a [`FlashError`] if the flash fails. The display should report it.
pub(crate) fn power_up(board: Board) -> Result<Firmware<Board>, FlashError> {
    Firmware::start(board, settings())
}

/// Returns the display's text: the code to type at the hub, both players' times or, while the clock has no times, the board's name.
pub(crate) fn display(clock: &Firmware<Board>) -> String {
    match clock.screen() {
        Screen::Code(code, None) => format!("enrol {code}"),
        Screen::Code(code, Some(why)) => format!("enrol {code} ({why})"),
        Screen::Face(face) => match clock.view() {
            Some(view) => times(&view),
            None if face.board.is_empty() => "no board".to_string(),
            None => format!("board {}", face.board),
        },
    }
}

fn times(view: &FaceView) -> String {
    let side = |side: Side| {
        let mark = if view.running == Some(side) { "*" } else { " " };
        format!("{side} {}{mark}", digits(view.sides[side].time))
    };
    let state = match view.state {
        BoardState::Ready => "ready",
        BoardState::Running { .. } => "",
        BoardState::Paused { .. } | BoardState::Stopped { .. } => "stopped",
        BoardState::Flagged { .. } => "flag",
        BoardState::Over => "over",
    };
    format!("{}  {}  {state}", side(Side::White), side(Side::Black))
        .trim_end()
        .to_string()
}

/// Formats hours, minutes and seconds, or only seconds with tenths below twenty seconds. Rounds down, so that the display never shows more time than
/// is left.
fn digits(time: Duration) -> String {
    let tenths = time.or_zero().as_micros() / 100_000;
    let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60);
    if tenths < 200 {
        format!("{seconds}.{}", tenths % 10)
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}

impl Flash for Board {
    fn size(&self) -> u32 {
        (SECTOR * SECTORS) as u32
    }

    fn sector(&self) -> u32 {
        SECTOR as u32
    }

    fn read(&mut self, at: u32, into: &mut [u8]) -> Result<(), FlashError> {
        let at = at as usize;
        let there = self.flash.get(at..at + into.len()).ok_or(FlashError)?;
        into.copy_from_slice(there);
        Ok(())
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), FlashError> {
        let at = at as usize;
        let there = self.flash.get_mut(at..at + bytes.len()).ok_or(FlashError)?;
        there.copy_from_slice(bytes);
        Ok(())
    }

    fn erase(&mut self, at: u32) -> Result<(), FlashError> {
        let at = at as usize;
        let there = self.flash.get_mut(at..at + SECTOR).ok_or(FlashError)?;
        there.fill(0xff);
        Ok(())
    }
}

impl Radio for Board {
    fn advertise(&mut self, shown: &Advertisement, name: &str) {
        self.advertised = Some((*shown, name.to_string()));
    }

    fn hide(&mut self) {
        self.advertised = None;
    }

    fn notify(&mut self, value: &[u8]) -> bool {
        let room = self.notified.len() < ROOM;
        if room {
            self.notified.push_back(value.to_vec());
        }
        room
    }

    fn disconnect(&mut self) {
        self.connected = false;
        self.notified.clear();
    }
}

impl Random for Board {
    /// Fills `into` with numbers that follow from the seed in [`Board::new`]. For this example only: real hardware must use a random source.
    fn fill(&mut self, into: &mut [u8]) {
        for byte in into {
            self.noise ^= self.noise << 13;
            self.noise ^= self.noise >> 7;
            self.noise ^= self.noise << 17;
            *byte = (self.noise >> 32) as u8;
        }
    }
}

impl Time for Board {
    fn now_us(&self) -> i64 {
        self.now_us
    }
}

impl Contacts for Board {
    fn next_edge(&mut self) -> Option<ContactEdge> {
        self.edges.pop_front()
    }
}
