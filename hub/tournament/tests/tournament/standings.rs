//! Checks the standings against tables computed by hand, article by article of C.07, against FIDE's own checker, and with random events.
//! Also checks the rules for changing an event.

mod abnormal_points;
mod bounds;
mod counts;
mod encounter;
mod explained;
mod generator;
mod life;
mod notation;
mod opponents;
mod own;
mod property;
mod rating;
mod repairs;
mod rig;
mod robin;
mod sample;
mod team_files;
mod teams;
mod unplayed;
