//! `flagfall presets`: the named time controls.

use super::output::{Failure, Table, print};

/// Lists presets.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall presets
  flagfall ctl control all fide-blitz-3-2
  flagfall rehearse --control fide-90-30")]
pub(super) struct Args {
    /// One JSON object a line: name, title, control, source, draw_odds
    #[arg(long)]
    json: bool,
    /// Only presets whose name, title or group contains this
    filter: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let wanted = args.filter.as_deref().unwrap_or("").to_lowercase();
    let presets: Vec<_> = timing::presets::PRESETS
        .iter()
        .filter(|preset| {
            [preset.name, preset.title, preset.group]
                .iter()
                .any(|text| text.to_lowercase().contains(&wanted))
        })
        .collect();
    if presets.is_empty() {
        return Err(Failure::Failed(format!(
            "no preset has {wanted:?} in its name, title or group; `flagfall presets` lists them all"
        )));
    }
    if args.json {
        for preset in presets {
            let line = serde_json::json!({
                "name": preset.name, "title": preset.title, "group": preset.group, "control": preset.notation, "source": preset.source,
                "draw_odds": preset.draw_odds.map(timing::Side::as_str),
            });
            print(line)?;
        }
        return Ok(());
    }
    let mut table = Table::new(&["NAME", "CONTROL", "TITLE", "GROUP", "SOURCE"], &[]);
    for preset in presets {
        table.row(
            [
                preset.name,
                preset.notation,
                preset.title,
                preset.group,
                preset.source,
            ]
            .map(str::to_owned)
            .to_vec(),
        );
    }
    print(table)
}
