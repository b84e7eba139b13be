//! The number of an event.

use std::fmt;

/// The number of an event among those that the hub stores, from 1. A number is never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventNo(pub u32);

impl fmt::Display for EventNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
