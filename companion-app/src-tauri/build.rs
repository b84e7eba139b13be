//! Generates the permissions of this program's commands. The page can call only those that `capabilities/main.json` also names.

use tauri_build::{AppManifest, Attributes};

const COMMANDS: &[&str] = &[
    "hub_unary",
    "hub_stream",
    "hub_cancel",
    "hub_session",
    "keys_read",
    "key_create",
    "key_sign",
    "key_enrol",
    "key_forget",
    "follow_links",
    "keep_awake",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tauri_build::try_build(Attributes::new().app_manifest(AppManifest::new().commands(COMMANDS)))?;
    Ok(())
}
