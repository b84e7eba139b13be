//! The shell round the hall: one loop that takes what happened, lets the hall decide, gives the records to the log and carries
//! the effects out once they are durable. The only place where effects happen; never decides anything about time or rules.

mod handle;
mod mirror;

pub use handle::{EventLoopHandle, LINK_QUEUE, LinkSession, Stopped, ToLink};
pub use mirror::HallMirror;
