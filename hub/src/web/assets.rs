//! The page's own files, compiled into the program: a hall without internet shows the same page.

use std::collections::BTreeMap;

use bytes::Bytes;
use flate2::Compression;

use super::answer::{Answer, Keep};
use super::words::Language;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";
const SVG: &str = "image/svg+xml";

/// Placeholder for a page's symbols. They are inlined because not every browser can style a reference to another file.
const SYMBOLS_SLOT: &str = "<!-- signs -->";

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

/// The documents and style sheets of the event's pages; the document has no address of its own.
const EVENT_FILES: &[(&str, &str, &str)] = event_files![
    HTML "event.html",
    CSS "event.css",
    CSS "tables.css",
    CSS "print.css",
];

const FILES: &[(&str, &str, &str)] = files![
    HTML "index.html",
    HTML "board.html",
    CSS "tokens.css",
    CSS "ui.css",
    CSS "live.css",
    CSS "board.css",
    CSS "authority.css",
    CSS "plain.css",
    JS "theme.js",
    JSON "openapi.json",
    SVG "mark.svg",
];

/// The pages' modules from the build of `companion-app`, with their messages: name and text.
const MODULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

const SIGNS: &str = include_str!("../../assets/live/signs.svg");

/// Files by their names. A document has one version for each language, in the order of [`Language::ALL`].
pub(super) struct Assets(BTreeMap<&'static str, Vec<Answer>>);

impl Assets {
    pub(super) fn load() -> Self {
        let mut assets = BTreeMap::new();
        let answer = |kind, body| Answer::new(kind, Keep::Revalidate, body, Compression::best());
        for &(name, kind, text) in FILES.iter().chain(EVENT_FILES) {
            let answers = if kind == HTML {
                let text = text.replace(SYMBOLS_SLOT, SIGNS);
                let document = |language: Language| answer(kind, language.fill(&text).into());
                Language::ALL.into_iter().map(document).collect()
            } else {
                vec![answer(kind, Bytes::from_static(text.as_bytes()))]
            };
            assets.insert(name, answers);
        }
        for &(name, text) in MODULES {
            let kind = if name.ends_with(".css") { CSS } else { JS };
            assets.insert(
                name,
                vec![answer(kind, Bytes::from_static(text.as_bytes()))],
            );
        }
        Self(assets)
    }

    /// Returns a file that is the same in every language.
    pub(super) fn find(&self, name: &str) -> Option<&Answer> {
        match self.0.get(name)?.as_slice() {
            [answer] => Some(answer),
            _ => None,
        }
    }

    pub(super) fn page(&self, name: &str, language: Language) -> Option<&Answer> {
        self.0.get(name)?.get(language as usize)
    }
}
