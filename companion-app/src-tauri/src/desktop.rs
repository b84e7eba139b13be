//! Links and start-up on a desktop. On macOS, a link arrives as an event. On any other desktop, the system starts the program with the link as
//! its argument, and a second instance passes its arguments to the first.
//!
//! Owns the recognition of links among the arguments; `links` decides what a link may do.

use tauri::{AppHandle, Builder, Manager as _, RunEvent, Wry};

use crate::links::{Link, Links};
use crate::shell::Shell;

/// Allows one instance per user: a second instance exits after passing its arguments to the first.
pub(crate) fn alone(builder: Builder<Wry>) -> Builder<Wry> {
    builder.plugin(tauri_plugin_single_instance::init(|app, words, _folder| {
        raise(app);
        open(app, link_in(words));
    }))
}

pub(crate) fn open_first_link(app: &AppHandle) {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    open(app, link_in(words));
}

/// Opens links that macOS delivers as events; on other systems a link starts a second instance instead.
pub(crate) fn on_event(app: &AppHandle, event: RunEvent) {
    #[cfg(target_os = "macos")]
    if let RunEvent::Opened { urls } = event {
        raise(app);
        open(app, urls.into_iter().next().map(String::from));
    }
    #[cfg(not(target_os = "macos"))]
    let _ = (app, event);
}

/// Returns the first argument that is a link with any scheme; `links` refuses links that are not the program's.
fn link_in(words: impl IntoIterator<Item = String>) -> Option<String> {
    words.into_iter().skip(1).find(|word| word.contains("://"))
}

fn open(app: &AppHandle, link: Option<String>) {
    let Some(link) = link else { return };
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let own = app.state::<Shell>().hub_address().await;
        let link = Link::read(&link, own.as_ref());
        app.state::<Links>().open(link);
    });
}

/// Brings the window to the front. A desktop may refuse, and then only highlights the window.
fn raise(app: &AppHandle) {
    let Some(window) = app.get_webview_window("main") else {
        return;
    };
    let _ = window.unminimize();
    let _ = window.show();
    let _ = window.set_focus();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_is_found_among_the_arguments() {
        let words = |words: &[&str]| link_in(words.iter().map(|word| (*word).to_owned()));
        let link = "flagfall://192.0.2.7/board/7";
        assert_eq!(words(&["flagfall-companion", link]).as_deref(), Some(link));
        assert_eq!(
            words(&["flagfall-companion", "--new", link]).as_deref(),
            Some(link)
        );
        assert_eq!(words(&["flagfall-companion"]), None);
        assert_eq!(words(&["app://flagfall-companion", "--help"]), None);
    }
}
