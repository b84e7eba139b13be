//! `flagfall event undo`, `list` and `switch`: undoes whole imports, and manages the hub's events. Owns the preview of the changes.

use proto::grpc::{
    ListEventsRequest, StoredEvent, SwitchEventRequest, TakenImport, UndoImportReply,
    UndoImportRequest,
};
use serde_json::json;

use super::super::client::answer;
use super::super::output::{Failure, Result, Table, failed, print, say};
use super::confirm::Consent;
use super::hub::{Hub, id, made};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event undo               shows what the last import changed, and asks before undoing it
  flagfall event undo --dry-run     only shows it
  flagfall event undo 12 --yes      the import that made version 12, as `flagfall event status` names it

An import can be undone as a whole until the next round starts. Later changes stay. If one of them depends on the import, the undo is
refused and names it. Undoing an import that opened the event brings back the event that was set aside for it.")]
pub(super) struct UndoArgs {
    /// The version that the import made [default: the newest one that can be undone]
    #[arg(value_name = "VERSION")]
    import: Option<u64>,
    #[command(flatten)]
    consent: Consent,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event list
  flagfall event switch 1 --set-aside \"Winter Open\"

The present event is set aside with everything in it. You type its name so that this does not happen by mistake. While a game is being
played the switch is refused.")]
pub(super) struct SwitchArgs {
    /// Its number in `flagfall event list`
    number: u32,
    /// The name of the current event, exactly
    #[arg(long, value_name = "NAME")]
    set_aside: String,
}

pub(super) async fn undo(hub: &mut Hub, args: &UndoArgs) -> Result<()> {
    let request = UndoImportRequest {
        version: args.import.unwrap_or(0),
        dry_run: true,
        ..UndoImportRequest::default()
    };
    let shown = made(hub.client.undo_import(request).await)?;
    let Some(import) = &shown.import else {
        return Err(refused(&shown));
    };
    show(hub, &shown, import)?;
    if !shown.refusal.is_empty() {
        return Err(refused(&shown));
    }
    let question = format!("Undo the import of {}", import.file);
    if !args.consent.to(&question)? {
        return Ok(());
    }
    let request = UndoImportRequest {
        id: id()?,
        // Undo exactly the import that was shown, even if another was made since.
        version: import.version,
        dry_run: false,
    };
    let done = made(hub.client.undo_import(request).await)?;
    hub.done(done.version, &format!("{}: undone", import.file));
    Ok(())
}

fn refused(shown: &UndoImportReply) -> Failure {
    failed!("nothing was changed: {}", shown.refusal)
}

fn show(hub: &Hub, shown: &UndoImportReply, import: &TakenImport) -> Result<()> {
    if hub.json {
        return print(json!({
            "file": import.file, "by": import.by, "import": import.version, "words": shown.words,
            "refusal": shown.refusal, "version": shown.version,
        }));
    }
    say!(
        "The import of {} by {} will be undone:",
        import.file,
        import.by
    )?;
    for words in &shown.words {
        say!("  {words}")?;
    }
    Ok(())
}

pub(super) async fn list(hub: &mut Hub) -> Result<()> {
    let events = answer(hub.client.list_events(ListEventsRequest {}).await)?.events;
    let state = |present| if present { "present" } else { "set aside" };
    let object = |event: &StoredEvent| {
        json!({
            "number": event.number, "name": event.name, "players": event.players,
            "paired": event.paired, "rounds": event.rounds, "present": event.present,
        })
    };
    Table::of(&events)
        .right("NO", |event| event.number.to_string())
        .left("EVENT", |event| event.name.clone())
        .right("PLAYERS", |event| event.players.to_string())
        .left("ROUNDS", |event| {
            format!("{} of {}", event.paired, event.rounds)
        })
        .left("", |event| state(event.present).to_owned())
        .print(hub.json, object)
}

pub(super) async fn switch(hub: &mut Hub, args: &SwitchArgs) -> Result<()> {
    let request = SwitchEventRequest {
        id: id()?,
        number: args.number,
        set_aside: args.set_aside.clone(),
    };
    let reply = made(hub.client.switch_event(request).await)?;
    let words = format!("event {} is the present one", args.number);
    hub.done(reply.version, &words);
    Ok(())
}
