//! Checks an evidence file without trusting the hub that wrote it: the tree against a checkpoint that the hub's key
//! signed, every clock's certificate, chain and signature, every signed request, and every clock's time, computed again.
//!
//! [`check`] reads a file once, from its first byte to its last, with memory for the state of the hall only. The result
//! is [`Findings`], with the first fault if there is one; [`report`] shows it to people. Must never write a file or
//! open a connection.

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
pub use part_reader::{NotUnderstood, PartError, PartReader};
pub use signatures::device_id;
