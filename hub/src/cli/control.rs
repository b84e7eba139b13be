//! A time control on the command line: our notation, or the name of a preset.

use timing::TimeControl;

/// The control that `text` stands for.
///
/// # Errors
/// What is wrong with it as notation, and that it is no preset's name either.
pub(super) fn parse(text: &str) -> Result<TimeControl, String> {
    timing::presets::control_of(text).map_err(|error| {
        format!("{error}; nor is {text:?} the name of a preset (`flagfall presets` lists them)")
    })
}

/// The same in the shortest notation, as it travels to the hub.
pub(super) fn notation(text: &str) -> Result<String, String> {
    Ok(parse(text)?.to_string())
}
