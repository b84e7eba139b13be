//! The log within one process: in ordinary use, and when it is opened after its files were changed.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod archive;
mod basics;
mod damage;
mod head;
mod rebuild;
mod sled_file;
