//! The equipment for tests with the real programs, such as a hub process, its disk, and an arbiter who sends commands to the hub.
//!
//! Owns processes: each one ends when its value is dropped. Must not look inside a hub: tests check what an outsider sees, and the log that
//! remains.

mod arbiter;
mod cli;
mod crowd;
mod device;
mod disk;
mod evidence;
mod hub_process;
mod page;
mod patience;
mod ports;
mod programs;
mod small_disk;
mod stranger;
mod usage;
mod watcher;
mod zip_file;

pub use arbiter::Arbiter;
pub use cli::{Cli, Said};
pub use crowd::{
    answering_pings, closed, connect_from, connect_tls, http2_get, http2_opening, status_of,
    uncertified,
};
pub use device::{Device, enrol_request};
pub use disk::{copy_without_ballast, fdatasync_us};
pub use evidence::{Evidence, same_clock};
pub use hub_process::{Addresses, HubProcess};
pub use page::page_json;
pub use patience::until;
pub use programs::program;
pub use small_disk::SmallDisk;
pub use stranger::{Ended, Stranger};
pub use usage::Usage;
pub use watcher::{Seen, Watcher};
pub use zip_file::zip_file;
