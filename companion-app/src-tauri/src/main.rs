//! The desktop's program: starts the app. Owns nothing else.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    companion_app::run()
}
