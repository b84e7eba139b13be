//! `flagfall presets`: lists the named time controls.

use timing::presets::{PRESETS, Preset};

use super::output::{Result, Table, failed};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall presets
  flagfall ctl control all fide-blitz-3-2
  flagfall rehearse --control fide-90-30")]
pub(super) struct Args {
    /// Print one JSON object per line: name, title, group, control, source, draw_odds
    #[arg(long)]
    json: bool,
    /// Only presets whose name, title or group contains this text
    filter: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let wanted = args.filter.as_deref().unwrap_or("").to_lowercase();
    let is_wanted = |preset: &&Preset| {
        let mut texts = [preset.name, preset.title, preset.group].into_iter();
        texts.any(|text| text.to_lowercase().contains(&wanted))
    };
    let presets: Vec<_> = PRESETS.iter().filter(is_wanted).collect();
    if presets.is_empty() {
        return Err(failed!(
            "no preset has {wanted:?} in its name, title or group; `flagfall presets` lists all presets"
        ));
    }
    Table::of(&presets)
        .left("NAME", |preset| preset.name.to_owned())
        .left("CONTROL", |preset| preset.notation.to_owned())
        .left("TITLE", |preset| preset.title.to_owned())
        .left("GROUP", |preset| preset.group.to_owned())
        .left("SOURCE", |preset| preset.source.to_owned())
        .print(args.json, |preset| json_of(preset))
}

fn json_of(preset: &Preset) -> serde_json::Value {
    serde_json::json!({
        "name": preset.name, "title": preset.title, "group": preset.group, "control": preset.notation, "source": preset.source,
        "draw_odds": preset.draw_odds.map(timing::Side::as_str),
    })
}
