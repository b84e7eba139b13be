//! The terminal from which keys are read, and a check that it still exists.
//!
//! Owns the check, which the key-reading library omits: if the terminal is closed, the library loops forever. Must never read a byte itself.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::os::fd::{AsFd, BorrowedFd};

use crossterm::event::{self, Event};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The source of keys: standard input if it is a terminal, otherwise the controlling terminal. This matches crossterm's choice.
pub(super) enum Terminal {
    Input(io::Stdin),
    Controlling(File),
}

impl Terminal {
    pub(super) fn open() -> io::Result<Self> {
        let input = io::stdin();
        if input.is_terminal() {
            return Ok(Self::Input(input));
        }
        File::open("/dev/tty").map(Self::Controlling)
    }

    /// Waits up to `nanos` nanoseconds for an event. Returns `None` if there is none yet. `nanos` must be less than a second.
    ///
    /// # Errors
    /// Returns an error if the terminal is gone or cannot be read; do not call this function again afterwards.
    pub(super) fn next(&self, nanos: i64) -> io::Result<Option<Event>> {
        let wait = Timespec {
            tv_sec: 0,
            tv_nsec: nanos,
        };
        self.check(&wait)?;
        // Poll even if no byte has arrived: a resize is an event, but sends no byte.
        if event::poll(std::time::Duration::ZERO)? {
            event::read().map(Some)
        } else {
            Ok(None)
        }
    }

    fn check(&self, wait: &Timespec) -> io::Result<()> {
        let mut looked = [PollFd::from_borrowed_fd(self.fd(), PollFlags::IN)];
        match poll(&mut looked, Some(wait)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        if looked[0].revents().intersects(gone) {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "it was closed",
            ));
        }
        Ok(())
    }

    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Input(input) => input.as_fd(),
            Self::Controlling(file) => file.as_fd(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use super::*;

    #[test]
    fn a_closed_terminal_ends_reading() {
        let held = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&held).unwrap();
        unlockpt(&held).unwrap();
        let name = ptsname(&held, Vec::new()).unwrap();
        let open = OpenOptions::new().read(true).open(name.to_str().unwrap());
        let terminal = Terminal::Controlling(open.unwrap());
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        terminal.check(&now).unwrap();
        drop(held);
        let error = terminal.next(100_000_000).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
