//! A time control on the command line: Flagfall's notation, or the name of a preset.

use timing::TimeControl;

pub(super) fn parse(text: &str) -> Result<TimeControl, String> {
    timing::presets::control_of(text).map_err(|error| {
        format!(
            "{error}; {text:?} is not the name of a preset either (`flagfall presets` lists them)"
        )
    })
}

/// Returns the control in its shortest notation, the form sent to the hub.
pub(super) fn notation(text: &str) -> Result<String, String> {
    Ok(parse(text)?.to_string())
}
