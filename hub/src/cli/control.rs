//! A time control on the command line: Flagfall's notation, or the name of a preset.

use timing::TimeControl;

pub(super) fn parse(text: &str) -> Result<TimeControl, String> {
    timing::presets::control_of(text).map_err(|error| {
        format!("{error}; nor is {text:?} the name of a preset (`flagfall presets` lists them)")
    })
}

/// Returns the control in the shortest notation, which the hub receives.
pub(super) fn notation(text: &str) -> Result<String, String> {
    Ok(parse(text)?.to_string())
}
