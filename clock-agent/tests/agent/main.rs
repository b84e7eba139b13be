//! Buttons, face and texts of the agent program.

mod board;
mod buttons_hold;
mod buttons_keys;
mod buttons_script;
mod clock_text;
mod control_words;
mod face_before_start;
mod face_pictures;
mod face_plain;
mod face_redraw;
mod face_sizes;
mod face_states;
