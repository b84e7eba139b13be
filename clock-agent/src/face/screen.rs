//! The terminal while the face uses it: taken over at the start and restored at the end, even after a panic.
//!
//! Owns raw mode, the alternate screen and the terminal's charset. Must never read keys (the buttons do) or decide when to draw.

use std::borrow::Cow;
use std::io::{self, BufWriter, Stdout};

use crossterm::event::{
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use timing::{Board, Instant};

use super::Face;
use crate::face_state::FaceState;

/// Size of the buffer for a whole frame, in bytes. A frame is written in one piece so that it never appears half-drawn.
const FRAME: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Blocks, discs, arrows, and names in any script.
    Unicode,
    /// `#` for the blocks, `O` and `@` for the sides, `>` for the arrow, `ok` for the tick.
    Ascii,
}

impl Charset {
    /// Returns the charset of the environment's locale: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty.
    pub fn from_env() -> Self {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .filter_map(std::env::var_os)
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        Self::of_locale(&locale.to_string_lossy())
    }

    /// Returns the charset of a locale such as `de_DE.UTF-8`.
    pub fn of_locale(locale: &str) -> Self {
        let locale = locale.to_ascii_lowercase();
        if locale.contains("utf-8") || locale.contains("utf8") {
            Self::Unicode
        } else {
            Self::Ascii
        }
    }

    /// Returns the text in characters that this terminal can show.
    pub(crate) fn text(self, text: &str) -> Cow<'_, str> {
        if self == Self::Unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let mut shown = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '✓' => shown.push_str("ok"),
                '►' => shown.push('>'),
                '–' => shown.push('-'),
                '×' => shown.push('x'),
                '½' => shown.push_str("1/2"),
                '…' => shown.push('~'),
                c if c.is_ascii() => shown.push(c),
                // Names are never transliterated: `?` stands for each character that cannot be shown.
                _ => shown.push('?'),
            }
        }
        Cow::Owned(shown)
    }
}

/// The terminal, controlled by the face. Dropping this value restores the terminal.
#[derive(Debug)]
pub struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    enhanced: bool,
}

impl Screen {
    /// Takes control of the terminal: raw keys, the alternate screen, no cursor. A panic restores the terminal before printing its message.
    ///
    /// # Errors
    /// Returns an error if raw mode cannot be entered or the terminal cannot be written.
    pub fn take() -> io::Result<Self> {
        let printed = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            ratatui::restore();
            printed(panic);
        }));
        enable_raw_mode()?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(FRAME, io::stdout()));
        let mut screen = Self {
            terminal: Terminal::new(backend).inspect_err(|_| ratatui::restore())?,
            enhanced: false,
        };
        execute!(io::stdout(), EnterAlternateScreen)?;
        // Ask the terminal to distinguish a held key from a new press, if it can.
        if crossterm::terminal::supports_keyboard_enhancement().unwrap_or(false) {
            let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
                | KeyboardEnhancementFlags::REPORT_EVENT_TYPES;
            execute!(io::stdout(), PushKeyboardEnhancementFlags(flags))?;
            screen.enhanced = true;
        }
        screen.terminal.clear()?;
        Ok(screen)
    }

    pub fn draw(&mut self, face: &Face, state: &FaceState, now: Instant<Board>) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            let area = frame.area();
            face.draw(frame.buffer_mut(), area, state, now);
        })?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If the terminal is already gone, there is nothing to restore.
        if self.enhanced {
            let _ = execute!(io::stdout(), PopKeyboardEnhancementFlags);
        }
        let _ = self.terminal.show_cursor();
        ratatui::restore();
    }
}

#[cfg(test)]
mod tests {
    use super::Charset;

    #[test]
    fn the_locale_decides_the_charset() {
        for (locale, expected) in [
            ("de_DE.UTF-8", Charset::Unicode),
            ("C.utf8", Charset::Unicode),
            ("C", Charset::Ascii),
            ("", Charset::Ascii),
            ("ru_RU.KOI8-R", Charset::Ascii),
        ] {
            assert_eq!(Charset::of_locale(locale), expected, "{locale}");
        }
    }

    #[test]
    fn ascii_terminals_get_ascii_text() {
        let text = |text| Charset::Ascii.text(text).into_owned();
        assert_eq!(text("hub ✓"), "hub ok");
        assert_eq!(text("► FLAG"), "> FLAG");
        assert_eq!(text("½–½"), "1/2-1/2");
        assert_eq!(text("Jørgensen"), "J?rgensen");
        assert_eq!(Charset::Unicode.text("Jørgensen"), "Jørgensen");
    }
}
