//! Named time controls for arbiters to choose from, as data.
//!
//! Every entry names its source. Presets contain no rules: a preset's name can be used wherever its notation can.

use crate::{NotationError, Side, TimeControl};

mod table;

pub use table::PRESETS;

/// A named time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Preset {
    /// A short name for command lines: lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// The name that arbiters use.
    pub title: &'static str,
    /// The game or organisation under which lists show the preset.
    pub group: &'static str,
    /// The time control, in the notation.
    pub notation: &'static str,
    /// The side for which a drawn game counts as a win (armageddon).
    pub draw_odds: Option<Side>,
    /// The source of the time control, such as an article of the Laws.
    pub source: &'static str,
}

impl Preset {
    /// Returns the preset with that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Returns the time control of the preset.
    ///
    /// # Errors
    /// Returns an error if the notation is wrong. A test parses every preset, so this does not happen.
    pub fn control(&self) -> Result<TimeControl, NotationError> {
        self.notation.parse()
    }
}

/// Parses a preset's name or a notation.
///
/// # Errors
/// Returns the column of the first error in the notation, if the text is not a preset's name.
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
    fn every_preset_reads_and_is_written_in_its_shortest_form() {
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
    fn every_row_of_the_iccf_table_is_there() {
        for days in TripleBlock::durations() {
            let notation = alloc::format!("triple {days}");
            assert!(
                PRESETS.iter().any(|preset| preset.notation == notation),
                "{notation}"
            );
        }
    }
}
