//! `flagfall event undo`, `list` and `switch`: undo whole imports, and manage the hub's events. Owns the preview of an undo.

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
  flagfall event undo               show what the last import changed, and ask before undoing it
  flagfall event undo --dry-run     only show what the last import changed
  flagfall event undo 12 --yes      undo the import that made version 12; see `flagfall event status`

A whole import can be undone until the next round starts. Later changes are kept. If a later change depends on the import, the undo is
refused and the refusal names that change. Undoing an import that opened the event brings back the event that was set aside for it.")]
pub(super) struct UndoArgs {
    /// The event version that the import created [default: the newest import that can be undone]
    #[arg(value_name = "VERSION")]
    import: Option<u64>,
    #[command(flatten)]
    consent: Consent,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event list
  flagfall event switch 1 --set-aside \"Winter Open\"

The current event is set aside with everything in it. You must type its name, so that this does not happen by mistake. The switch is
refused while a game is being played.")]
pub(super) struct SwitchArgs {
    /// The event's number in `flagfall event list`
    number: u32,
    /// The exact name of the current event, to set it aside
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
        // Undo exactly the import that was shown, even if a newer import has been made since.
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
        "The import of {} by {} would be undone:",
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
    let state = |current| if current { "current" } else { "set aside" };
    let object = |event: &StoredEvent| {
        json!({
            "number": event.number, "name": event.name, "players": event.players,
            "paired": event.paired, "rounds": event.rounds, "present": event.current,
        })
    };
    Table::of(&events)
        .right("NO", |event| event.number.to_string())
        .left("EVENT", |event| event.name.clone())
        .right("PLAYERS", |event| event.players.to_string())
        .left("ROUNDS", |event| {
            format!("{} of {}", event.paired, event.rounds)
        })
        .left("", |event| state(event.current).to_owned())
        .print(hub.json, object)
}

pub(super) async fn switch(hub: &mut Hub, args: &SwitchArgs) -> Result<()> {
    let request = SwitchEventRequest {
        id: id()?,
        number: args.number,
        set_aside: args.set_aside.clone(),
    };
    let reply = made(hub.client.switch_event(request).await)?;
    let words = format!("event {} is now the current event", args.number);
    hub.done(reply.version, &words);
    Ok(())
}
