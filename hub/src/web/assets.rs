//! The page's own files, part of the binary: a hall without internet shows the same page.

use std::collections::BTreeMap;

use bytes::Bytes;
use flate2::Compression;

use super::answer::{Answer, Keep};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Where a page wants the signs it draws; they stand in the page because a reference to another file cannot be styled
/// in every browser.
const SIGNS_HERE: &str = "<!-- signs -->";

macro_rules! files {
    ($($kind:ident $name:literal),+ $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("../../assets/live/", $name)))),+]
    };
}

macro_rules! event_files {
    ($($kind:ident $name:literal),+ $(,)?) => {
        &[$((concat!("event/", $name), $kind, include_str!(concat!("../../assets/event/", $name)))),+]
    };
}

/// The pages of the event, under `/assets/event/`; the page itself has no address of its own.
const EVENT_FILES: &[(&str, &str, &str)] = event_files![
    HTML "event.html",
    CSS "event.css",
    CSS "tables.css",
    CSS "print.css",
    JS "cross-table.js",
    JS "event.js",
    JS "overview.js",
    JS "parts.js",
    JS "player.js",
    JS "players.js",
    JS "print-cards.js",
    JS "print-head.js",
    JS "print-lists.js",
    JS "print-slips.js",
    JS "print.js",
    JS "refresher.js",
    JS "round.js",
    JS "score.js",
    JS "standings.js",
    JS "teams.js",
    JS "views.js",
    JS "why.js",
];

const FILES: &[(&str, &str, &str)] = files![
    HTML "index.html",
    HTML "board.html",
    CSS "tokens.css",
    CSS "ui.css",
    CSS "live.css",
    CSS "board.css",
    CSS "authority.css",
    JS "theme.js",
    JS "live.js",
    JS "board.js",
    JS "announce.js",
    JS "chart.js",
    JS "clock-text.js",
    JS "control-words.js",
    JS "countdown.js",
    JS "dom.js",
    JS "feed.js",
    JS "hub-time.js",
    JS "keys.js",
    JS "link.js",
    JS "painter.js",
    JS "plan.js",
    JS "star.js",
    JS "tile.js",
    JS "wall.js",
    JS "words.js",
    SVG "mark.svg",
];

const SIGNS: &str = include_str!("../../assets/live/signs.svg");

pub(super) struct Assets(BTreeMap<&'static str, Answer>);

impl Assets {
    pub(super) fn load() -> Self {
        let prepare = |&(name, kind, text): &(&'static str, &'static str, &'static str)| {
            let body = if kind == HTML {
                Bytes::from(text.replace(SIGNS_HERE, SIGNS))
            } else {
                Bytes::from_static(text.as_bytes())
            };
            (
                name,
                Answer::new(kind, Keep::Revalidate, body, Compression::best()),
            )
        };
        Self(FILES.iter().chain(EVENT_FILES).map(prepare).collect())
    }

    pub(super) fn find(&self, name: &str) -> Option<&Answer> {
        self.0.get(name)
    }
}
