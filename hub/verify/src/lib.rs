//! Checks an evidence file without trusting the hub that wrote it. Checks the tree against a checkpoint that the hub's
//! key signed, the clocks' certificates, chains and signatures, and the signed requests. Recomputes the clocks' times.
//!
//! [`check`] reads a file once, from beginning to end, without holding all of it in memory. The result is [`Findings`],
//! with the first fault if there is one; [`report`] presents it to people. Must never write a file or open a
//! connection.

mod certificates;
mod check;
mod fault;
mod findings;
mod key;
mod part_reader;
pub mod report;
mod signatures;

pub use check::{KeptCheckpoint, Known, check, kept_checkpoint};
pub use fault::{Fault, FaultKind};
pub use findings::{Findings, StatedAuthority};
pub use key::{BadKey, HubKey};
pub use part_reader::{CannotCheck, PartError, PartReader};
pub use signatures::device_id;
