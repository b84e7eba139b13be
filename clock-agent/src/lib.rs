//! The program on the clock beside a chess board: buttons, face, journal, link to the hub.

pub mod buttons;
pub mod face;
pub mod face_state;
