//! Tests of whole halls with real hubs, clocks and links, as processes or in memory, and of the instructions in the documents. All are in one
//! program, because every test program has to link the whole hall.

mod agent_limits;
mod agent_tmux;
mod bad_input;
mod ble_firmware;
mod command_lines;
mod conformance;
mod crowd;
mod electronic_board;
mod event_round;
mod evidence_file;
mod kept_checkpoints;
mod keys;
mod lies;
mod matches;
mod organiser_page;
mod outage;
mod packaging;
mod small_disk;
mod strangers;
mod ways;
