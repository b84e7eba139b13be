//! The program on the clock beside a chess board: buttons, face, journal, link to the hub.

pub mod face_state;
