//! Makes the permissions of this program's own commands: what is not named here and in `capabilities/main.json`, the page cannot call.

use tauri_build::{AppManifest, Attributes};

const COMMANDS: &[&str] = &[
    "hub_unary",
    "hub_stream",
    "hub_cancel",
    "hub_session",
    "hub_enrol",
    "follow_links",
    "keep_awake",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tauri_build::try_build(Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS)))?;
    Ok(())
}
