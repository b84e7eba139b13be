//! The pages' own files, compiled into the program, so that a hall without internet shows the same pages.

use std::collections::BTreeMap;

use bytes::Bytes;
use flate2::Compression;

use super::answer::{Answer, JSON, Keep};
use super::kept::Kept;
use super::words::Language;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Placeholder for the link-preview (Open Graph) tags.
const SHARE_SLOT: &str = "<!-- share -->";
const MAX_KEPT: usize = 1024;
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

/// The document and the style sheets of the event's pages. The document has no address of its own.
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
    JS "widget.js",
    JSON "openapi.json",
    SVG "mark.svg",
];

/// The pages' modules, messages and style sheets from the build of `companion-app`, as (name, text) pairs.
const MODULES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

const SIGNS: &str = include_str!("../../assets/live/signs.svg");

pub(super) struct Assets {
    files: BTreeMap<&'static str, Answer>,
    /// The documents, each in the languages of [`Language::ALL`].
    documents: BTreeMap<&'static str, Vec<String>>,
    shared: Kept<(&'static str, Language, String), Answer, MAX_KEPT>,
}

impl Assets {
    pub(super) fn load() -> Self {
        let (mut files, mut documents) = (BTreeMap::new(), BTreeMap::new());
        for &(name, kind, text) in FILES.iter().chain(EVENT_FILES) {
            if kind == HTML {
                let text = text.replace(SYMBOLS_SLOT, SIGNS);
                let filled = Language::ALL.map(|language| language.fill(&text));
                documents.insert(name, filled.into());
            } else {
                files.insert(name, answer(kind, Bytes::from_static(text.as_bytes())));
            }
        }
        for &(name, text) in MODULES {
            let kind = if name.ends_with(".css") { CSS } else { JS };
            files.insert(name, answer(kind, Bytes::from_static(text.as_bytes())));
        }
        Self {
            files,
            documents,
            shared: Kept::default(),
        }
    }

    /// Returns a file that is the same in every language.
    pub(super) fn find(&self, name: &str) -> Option<&Answer> {
        self.files.get(name)
    }

    /// Returns a document in `language`, with the link-preview tags `share` in its head.
    pub(super) fn page(
        &self,
        name: &'static str,
        language: Language,
        share: String,
    ) -> Option<Answer> {
        let key = (name, language, share);
        if let Some(page) = self.shared.get(&key) {
            return Some(page);
        }
        let text = self.documents.get(name)?.get(language as usize)?;
        let page = answer(HTML, text.replace(SHARE_SLOT, &key.2).into());
        self.shared.keep(key, page.clone());
        Some(page)
    }
}

fn answer(kind: &'static str, body: Bytes) -> Answer {
    Answer::new(kind, Keep::Revalidate, body, Compression::best())
}
