//! Checks the tournament core against tables computed by hand. Each has its reasoning next to it, article by article of C.07.

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
