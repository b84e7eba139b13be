//! A string from outside that is safe to print in a log line, a terminal or a page. Owns the check of such strings; never changes one that it
//! accepts.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use super::{hidden, without_hidden};

/// A string of at most `MAX` bytes without the characters that [`hidden_in`](super::hidden_in) forbids.
///
/// Strings from peers become `DisplayText` when a frame or request is decoded, so that later code can print them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DisplayText<const MAX: usize>(String);

/// The reason why a string was refused. The message begins with "has": callers put the name of the field before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum TextError {
    TooLong {
        bytes: usize,
        max: usize,
    },
    /// The string contains a hidden character, or a joiner that is not between two non-ASCII characters.
    Hidden {
        found: char,
        /// Position of that character in the string, in characters, from 1.
        place: usize,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes, max } => write!(f, "has {bytes} bytes, more than {max}"),
            Self::Hidden { found, place } => {
                let code = u32::from(*found);
                write!(
                    f,
                    "has the invisible character U+{code:04X} in place {place}"
                )
            }
        }
    }
}

impl core::error::Error for TextError {}

impl<const MAX: usize> DisplayText<MAX> {
    /// Maximum length, in bytes.
    pub const MAX_BYTES: usize = MAX;

    /// Checks `text`, and keeps it unchanged.
    ///
    /// # Errors
    /// Returns an error if `text` is too long or contains a forbidden character.
    pub fn new(text: impl Into<String>) -> Result<Self, TextError> {
        let text = text.into();
        if text.len() > MAX {
            return Err(TextError::TooLong {
                bytes: text.len(),
                max: MAX,
            });
        }
        if let Some((at, found)) = hidden(&text).next() {
            let place = text[..at].chars().count() + 1;
            return Err(TextError::Hidden { found, place });
        }
        Ok(Self(text))
    }

    /// Creates a valid text from any string: shortens it to the maximum length and removes hidden characters. For messages that must never fail, such
    /// as a goodbye.
    pub fn cleaned(text: &str) -> Self {
        let cut = &text[..text.floor_char_boundary(MAX)];
        let mut clean = without_hidden(cut);
        // A joiner may have lost its neighbour.
        loop {
            let first = hidden(&clean).map(|(at, _)| at).next();
            let Some(at) = first else { break };
            clean.remove(at);
        }
        Self(clean)
    }

    /// Returns the text as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text as a string, without a copy.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MAX: usize> Deref for DisplayText<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for DisplayText<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<const MAX: usize> FromStr for DisplayText<MAX> {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::new(text.to_owned())
    }
}

impl<const MAX: usize> TryFrom<String> for DisplayText<MAX> {
    type Error = TextError;

    fn try_from(text: String) -> Result<Self, TextError> {
        Self::new(text)
    }
}

impl<const MAX: usize> From<DisplayText<MAX>> for String {
    fn from(text: DisplayText<MAX>) -> Self {
        text.0
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    type Short = DisplayText<12>;

    #[test]
    fn a_text_is_accepted_unchanged_or_refused_with_the_place() {
        for text in ["", "clock 7", "Müller", "علی\u{200c}ر"] {
            assert_eq!(Short::new(text).as_deref(), Ok(text));
        }
        for (text, found, place) in [
            ("v1\nWARN", '\n', 3),
            ("\u{1b}[2J", '\u{1b}', 1),
            ("Zoë\u{202e}x", '\u{202e}', 4),
            ("An\u{200c}na", '\u{200c}', 3),
        ] {
            let refused = TextError::Hidden { found, place };
            assert_eq!(Short::new(text), Err(refused), "{text:?}");
        }
        let long = Short::new("thirteen byte").unwrap_err();
        assert_eq!(long.to_string(), "has 13 bytes, more than 12");
        let hidden = Short::new("v1\n").unwrap_err();
        assert_eq!(
            hidden.to_string(),
            "has the invisible character U+000A in place 3"
        );
    }

    #[test]
    fn a_cleaned_text_is_always_acceptable() {
        for text in [
            "stop\u{1b}[31m now and more",
            "ééééééééé",
            "\u{200c}\u{200d}\u{200c}",
            "ا\u{200c}\u{202e}\u{200c}",
            "قق\u{200c}قققققققق",
        ] {
            let clean = Short::cleaned(text);
            assert_eq!(Short::new(clean.as_str()), Ok(clean.clone()), "{text:?}");
        }
        assert_eq!(Short::cleaned("all\r\nwell").as_str(), "allwell");
    }
}
