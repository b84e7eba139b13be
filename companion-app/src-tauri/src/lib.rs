//! The arbiter's companion as a desktop and tablet program: the page of `companion-app` in a window. This program trusts a single hub's
//! authority, holds the connection, and stores and uses this device's key. It also receives links, shows notifications, and on Linux keeps the
//! screen on.
//!
//! Owns the start of the program. Must never decide anything about a game.

pub mod error;
pub mod keys;

pub mod device;
pub mod discovery;
pub mod hub_client;
pub mod links;
pub mod pending_keys;
pub mod streams;

pub mod shell;

mod awake;
mod commands;
#[cfg(desktop)]
mod desktop;
mod ipc;

use std::process::ExitCode;

use tauri::webview::PageLoadEvent;
use tauri::{App, Manager, WebviewWindowBuilder};

use crate::links::Links;
use crate::shell::Shell;

/// Starts the program on a phone or tablet; it runs until the system ends it.
#[cfg(mobile)]
#[tauri::mobile_entry_point]
fn start() {
    // Mobile systems ignore exit codes.
    let _ = run();
}

/// Runs the program until its window is closed.
pub fn run() -> ExitCode {
    let builder = tauri::Builder::default();
    // Must be the first plugin: a second instance exits inside it before doing anything else.
    #[cfg(desktop)]
    let builder = desktop::alone(builder);
    let app = builder
        .plugin(tauri_plugin_notification::init())
        .invoke_handler(commands::handler())
        .on_page_load(|webview, load| {
            // The previous page and its listeners are gone.
            if load.event() == PageLoadEvent::Started {
                webview.state::<Shell>().streams().end_all();
                webview.state::<Links>().page_gone();
            }
        })
        .setup(|app| Ok(set_up(app)?))
        .build(tauri::generate_context!());
    match app {
        Ok(app) => {
            app.run(|app, event| {
                #[cfg(desktop)]
                desktop::on_event(app, event);
                #[cfg(mobile)]
                let _ = (app, event);
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn set_up(app: &App) -> tauri::Result<()> {
    let folder = app.path().app_local_data_dir()?;
    app.manage(Shell::new(folder));
    app.manage(awake::Awake::default());
    app.manage(Links::default());
    #[cfg(desktop)]
    desktop::open_first_link(app.handle());
    let windows = &app.config().app.windows;
    for window in windows {
        WebviewWindowBuilder::from_config(app.handle(), window)?
            // Only the app's own pages may load: everything from the hub arrives as data.
            .on_navigation(|url| {
                url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost")
            })
            .build()?;
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "there is no window to show it in")]
fn complain(error: &tauri::Error) {
    eprintln!("flagfall-companion: {error}");
}
