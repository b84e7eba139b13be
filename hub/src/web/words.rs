//! The messages in the pages that the hub itself writes, in the languages of the arbiters' app and from its catalogue.
//!
//! Owns the choice of a language from a browser's request, and the insertion of messages into a document. Must not contain any text of its
//! own except the languages' names.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::http::{HeaderMap, header};

use super::preference::preferences;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    English,
    German,
    Spanish,
    French,
}

/// The messages of a language by their names. Messages with plural forms are left out, because only scripts use them.
type Messages = BTreeMap<String, String>;

static CATALOGUE: LazyLock<[Messages; 4]> = LazyLock::new(|| Language::ALL.map(messages));

fn messages(language: Language) -> Messages {
    let all: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(language.file()).unwrap_or_default();
    let text =
        |(name, message): (String, serde_json::Value)| Some((name, message.as_str()?.to_owned()));
    all.into_iter().filter_map(text).collect()
}

impl Language {
    pub(crate) const ALL: [Self; 4] = [Self::English, Self::German, Self::Spanish, Self::French];

    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Spanish => "es",
            Self::French => "fr",
        }
    }

    /// Returns the language's own name, such as `Deutsch`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
            Self::Spanish => "Español",
            Self::French => "Français",
        }
    }

    const fn file(self) -> &'static str {
        match self {
            Self::English => include_str!("../../../companion-app/messages/en.json"),
            Self::German => include_str!("../../../companion-app/messages/de.json"),
            Self::Spanish => include_str!("../../../companion-app/messages/es.json"),
            Self::French => include_str!("../../../companion-app/messages/fr.json"),
        }
    }

    /// Returns the language of a tag, regardless of its region.
    pub(super) fn of_tag(tag: &str) -> Option<Self> {
        let tag = tag.split('-').next().unwrap_or(tag);
        Self::ALL
            .into_iter()
            .find(|language| tag.eq_ignore_ascii_case(language.tag()))
    }

    /// Returns the language that an address names: `?lang=de`.
    pub(crate) fn named_in(query: Option<&str>) -> Option<Self> {
        let pairs = query.unwrap_or_default().split('&');
        let mut tags = pairs.filter_map(|pair| pair.strip_prefix("lang="));
        tags.next().and_then(Self::of_tag)
    }

    /// Returns the available language that a request prefers (RFC 9110 12.5.4): the first of several with the same quality, or English if none is
    /// available.
    pub(crate) fn of(request: &HeaderMap) -> Self {
        let mut best = (0, Self::English);
        for (range, quality) in preferences(request, header::ACCEPT_LANGUAGE) {
            if let Some(language) = Self::of_tag(range)
                && quality > best.0
            {
                best = (quality, language);
            }
        }
        best.1
    }

    /// Returns a message of the catalogue as text, or `name` itself if the message is missing.
    pub(super) fn word(self, name: &'static str) -> &'static str {
        let messages = &CATALOGUE[self as usize];
        messages.get(name).map_or(name, String::as_str)
    }

    pub(super) fn say(self, name: &'static str, slots: &[(&str, &str)]) -> String {
        fill_slots(self.word(name).to_owned(), slots)
    }

    /// Returns a message as markup, with its slots filled with markup.
    pub(crate) fn say_markup(self, name: &'static str, slots: &[(&str, &str)]) -> String {
        let text = self.word(name).replace('&', "&amp;").replace('<', "&lt;");
        fill_slots(text, slots)
    }

    /// Fills a document: replaces `{{name}}` by the message of that name, and `{{lang}}` by the language's tag. Other slots remain unchanged.
    pub(super) fn fill(self, document: &str) -> String {
        let mut filled = String::with_capacity(document.len());
        let mut rest = document;
        while let Some((before, slot, after)) = next_slot(rest) {
            filled.push_str(before);
            match (slot, CATALOGUE[self as usize].get(slot)) {
                ("lang", _) => filled.push_str(self.tag()),
                (_, Some(word)) => {
                    let word = word.replace('&', "&amp;").replace('<', "&lt;");
                    filled.push_str(&word.replace('"', "&quot;"));
                }
                (_, None) => {
                    filled.push_str("{{");
                    filled.push_str(slot);
                    filled.push_str("}}");
                }
            }
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

fn fill_slots(mut text: String, slots: &[(&str, &str)]) -> String {
    for (slot, value) in slots {
        text = text.replace(&format!("{{{slot}}}"), value);
    }
    text
}

/// Returns the text before the first `{{slot}}`, the slot's name, and the rest.
fn next_slot(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (slot, after) = rest.split_once("}}")?;
    Some((before, slot, after))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(asked: &'static str, language: Language) {
        let request =
            HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(asked))]);
        assert_eq!(Language::of(&request), language, "{asked}");
    }

    #[test]
    fn a_browser_gets_its_preferred_available_language() {
        check("de-AT,de;q=0.9,en;q=0.8", Language::German);
        check("nb, fr;q=0.4, es;q=0.6", Language::Spanish);
        check("en;q=0.1, FR", Language::French);
        check("de;q=0, *", Language::English);
        check("nb", Language::English);
        check("deutsch", Language::English);
        check("es, de", Language::Spanish);
        assert_eq!(Language::of(&HeaderMap::new()), Language::English);
        assert_eq!(Language::of_tag("fr-CH"), Some(Language::French));
        assert_eq!(Language::of_tag("xx"), None);
    }

    #[test]
    fn every_language_has_every_message() {
        let names = |language| messages(language).into_keys().collect::<Vec<_>>();
        assert!(names(Language::English).len() > 500);
        for language in Language::ALL {
            assert_eq!(names(language), names(Language::English), "{language:?}");
        }
    }

    #[test]
    fn a_document_is_filled_with_messages_and_keeps_its_other_slots() {
        let document = "<html lang=\"{{lang}}\"><h1>{{view_standings}}</h1>{{notes}}{{";
        assert_eq!(
            Language::French.fill(document),
            "<html lang=\"fr\"><h1>Classement</h1>{{notes}}{{"
        );
    }
}
