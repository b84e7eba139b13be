//! Named time controls for arbiters to choose.
//!
//! Every entry names its source. Command lines, settings and requests accept a preset's name in place of its notation. An armageddon preset also
//! states the side that has draw odds.

use crate::{NotationError, Side, TimeControl};

mod table;

pub use table::PRESETS;

/// A named time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Preset {
    /// Short name for command lines: lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// Title shown to arbiters.
    pub title: &'static str,
    /// Heading under which lists show the preset, such as a game or an organisation.
    pub group: &'static str,
    /// The time control in its shortest notation.
    pub notation: &'static str,
    /// In an armageddon game, the side for which a draw counts as a win.
    pub draw_odds: Option<Side>,
    /// Source of the time control, such as an article of the Laws.
    pub source: &'static str,
}

impl Preset {
    /// Returns the preset with this short name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Parses the notation of the preset.
    ///
    /// # Errors
    /// Returns an error if the notation is wrong, which a test of every preset rules out.
    pub fn control(&self) -> Result<TimeControl, NotationError> {
        self.notation.parse()
    }
}

/// Returns the time control of a preset, given by its name, or of a notation.
///
/// # Errors
/// Returns the first error in the notation if `text` is not a preset's name.
pub fn control_of(text: &str) -> Result<TimeControl, NotationError> {
    match Preset::named(text) {
        Some(preset) => preset.control(),
        None => text.parse(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::TripleBlock;

    #[test]
    fn every_preset_parses_and_prints_in_its_shortest_form() {
        for preset in PRESETS {
            let control = preset.control().unwrap();
            assert_eq!(control.to_string(), preset.notation, "{}", preset.name);
            assert_eq!(control_of(preset.name), Ok(control));
        }
    }

    #[test]
    fn names_are_unique_and_fit_a_command_line() {
        for (index, preset) in PRESETS.iter().enumerate() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(preset.name.chars().all(plain), "{}", preset.name);
            assert!(
                PRESETS[..index]
                    .iter()
                    .all(|other| other.name != preset.name),
                "{} twice",
                preset.name
            );
            assert!(
                preset.notation.parse::<TimeControl>().is_ok()
                    && preset.name.parse::<TimeControl>().is_err()
            );
        }
    }

    #[test]
    fn every_row_of_the_iccf_table_has_a_preset() {
        for days in TripleBlock::durations() {
            let notation = alloc::format!("triple {days}");
            assert!(
                PRESETS.iter().any(|preset| preset.notation == notation),
                "{notation}"
            );
        }
    }
}
