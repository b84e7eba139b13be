//! `flagfall event open` and `import`: make a file's event the hub's event, import files, or import or dismiss files of the watched folder. Owns
//! the preview of an import.

use proto::grpc::import_request::Source;
use proto::grpc::{
    DismissNewsRequest, FileFormat, ImportCounts, ImportReply, ImportRequest, ListNewsReply,
    ListNewsRequest, WatchedFile,
};
use serde_json::json;

use super::super::client::refused_file;
use super::super::output::{
    Failure, Result, after_change, counted, failed, listed, print, say, tell, word_of,
};
use super::bytes;
use super::confirm::Consent;
use super::hub::{Hub, id};
use tournament::formats::fault::shell_word;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event import open.trf              show what is new, and ask
  flagfall event import round4.csv --yes      import the pairings of one round from CSV
  flagfall event import open.trf --dry-run    only show what is new
  flagfall event import --watched             import the watched folder's new files, one after another
  flagfall event import --watched r4.trf      import one of these files
  flagfall event import --dismiss r2.trf      dismiss a file until its content changes

A file is imported whole or not at all. Data that the file does not contain is kept: results, players, byes, board numbers, late arrivals,
withdrawals. A different result in the file replaces the hub's result, with the file's name as the reason. If an arbiter has corrected the
hub's result, it is kept, and the import shows a remark. A round that has begun is not paired again; late boards are added to it.

A table changes only the boards it names. A file that removes pairings is imported only with --remove-pairings and their exact number.
A different event's file is refused, with the differences; `flagfall event open` opens it and sets the current event aside.
`flagfall event undo` undoes a whole import, until the next round starts.")]
pub(super) struct Args {
    /// A TRF report, or a table of pairings as CSV; - for standard input
    #[arg(required_unless_present_any = ["watched", "dismiss"], value_name = "FILE")]
    files: Vec<String>,
    /// Import the watched folder's new files: all of them, or only those named
    #[arg(long)]
    watched: bool,
    /// Dismiss a file in the watched folder until its content changes
    #[arg(long, value_name = "NAME", conflicts_with_all = ["watched", "files", "yes", "dry_run"])]
    dismiss: Vec<String>,
    #[command(flatten)]
    agreed: Agreed,
}

#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Agreed {
    /// Allow the import to remove this many pairings: exactly the number that the preview shows
    #[arg(long, value_name = "NUMBER", conflicts_with = "dismiss")]
    remove_pairings: Option<u32>,
    #[command(flatten)]
    consent: Consent,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event open open.trf
  flagfall event open other.trf --set-aside \"Harbour Cup\"    open a different event; the Harbour Cup is set aside

The hub has one current event. If the file has the same event, use `flagfall event import`. Only the chief arbiter can set the current
event aside, by typing its name, and not while a game is being played. Then `flagfall event list` shows it, `flagfall event export
--event` writes it, and `flagfall event switch` brings it back.")]
pub(super) struct OpenArgs {
    /// A TRF report; - for standard input
    file: String,
    /// The exact name of the current event, to set it aside with everything in it
    #[arg(long, value_name = "NAME")]
    set_aside: Option<String>,
}

pub(super) enum ImportTask {
    Open(ImportRequest),
    Import(Vec<ImportRequest>, Agreed),
    /// Import the watched folder's new files: only those named, or all if the list is empty.
    Watched(Vec<String>, Agreed),
    Dismiss(Vec<String>),
}

pub(super) fn prepare(args: &Args) -> Result<ImportTask> {
    if !args.dismiss.is_empty() {
        return Ok(ImportTask::Dismiss(args.dismiss.clone()));
    }
    if args.watched {
        return Ok(ImportTask::Watched(args.files.clone(), args.agreed));
    }
    let files: Result<Vec<_>> = args.files.iter().map(|file| read(file)).collect();
    Ok(ImportTask::Import(files?, args.agreed))
}

pub(super) fn prepare_open(args: &OpenArgs) -> Result<ImportTask> {
    Ok(ImportTask::Open(ImportRequest {
        set_aside: args.set_aside.clone(),
        ..read(&args.file)?
    }))
}

fn read(file: &str) -> Result<ImportRequest> {
    let content = bytes(file)?;
    // The log records the file's name without its directory.
    let name = match file {
        "-" => "standard input",
        path => path.rsplit('/').next().unwrap_or(path),
    };
    Ok(request(name, Source::Content(content)))
}

pub(super) async fn run(hub: &mut Hub, wanted: ImportTask) -> Result<()> {
    match wanted {
        ImportTask::Open(request) => open(hub, request).await,
        ImportTask::Import(requests, agreed) => {
            for request in requests {
                take(hub, request, agreed).await?;
            }
            Ok(())
        }
        ImportTask::Watched(names, agreed) => watched(hub, &names, agreed).await,
        ImportTask::Dismiss(names) => dismiss(hub, &names).await,
    }
}

async fn open(hub: &mut Hub, request: ImportRequest) -> Result<()> {
    if let (Some(now), None) = (hub.now_if_any().await?, &request.set_aside) {
        let name = &now.tournament.event().name;
        return Err(failed!(
            "the hub already has an event, {name}: if the file has the same event, use `flagfall event import`; \
             to open a different event and set this one aside, add --set-aside {}",
            shell_word(name)
        ));
    }
    let agreed = Agreed {
        consent: Consent {
            yes: true,
            dry_run: false,
        },
        remove_pairings: None,
    };
    take(hub, request, agreed).await
}

/// Returns the watched files that are new, have changed or cannot be imported, limited to `names` unless it is empty.
async fn news(hub: &mut Hub, names: &[String]) -> Result<ListNewsReply> {
    let mut reply = hub.client.list_news(ListNewsRequest {}).await?.into_inner();
    if reply.folder.is_empty() {
        return Err(failed!(
            "the hub watches no folder: set watch_folder in its configuration and restart it"
        ));
    }
    let missing = |name: &&String| !reply.files.iter().any(|news| news.file == **name);
    if let Some(name) = names.iter().find(missing) {
        return Err(failed!("{name} is not a new file of {}", reply.folder));
    }
    if !names.is_empty() {
        reply.files.retain(|news| names.contains(&news.file));
    }
    Ok(reply)
}

/// Imports the watched folder's new files one after another. A file that fails does not stop the others.
async fn watched(hub: &mut Hub, names: &[String], agreed: Agreed) -> Result<()> {
    let reply = news(hub, names).await?;
    if reply.files.is_empty() && !hub.json {
        say!("{}: nothing new", reply.folder)?;
    }
    let (mut unreadable, mut not_taken) = (false, false);
    for news in reply.files {
        if !news.fault.is_empty() {
            unreadable = true;
            tell!("{} is not imported:\n{}", news.file, news.fault);
            continue;
        }
        let shown = Source::Watched(WatchedFile {
            file: news.file.clone(),
            digest: news.digest,
        });
        match take(hub, request(&news.file, shown), agreed).await {
            Ok(()) => (),
            Err(failure) => {
                not_taken = true;
                failure.report();
            }
        }
    }
    match (not_taken, unreadable) {
        (true, _) => Err(Failure::Reported(1)),
        (false, true) => Err(Failure::Reported(2)),
        (false, false) => Ok(()),
    }
}

async fn dismiss(hub: &mut Hub, names: &[String]) -> Result<()> {
    for file in news(hub, names).await?.files {
        let watched = Some(WatchedFile {
            file: file.file.clone(),
            digest: file.digest,
        });
        let request = DismissNewsRequest { watched };
        hub.client.dismiss_news(request).await?;
        if !hub.json {
            after_change(say!("{}: dismissed", file.file));
        }
    }
    Ok(())
}

fn request(name: &str, source: Source) -> ImportRequest {
    ImportRequest {
        file_name: name.to_owned(),
        format: FileFormat::Unspecified.into(),
        dry_run: true,
        source: Some(source),
        ..ImportRequest::default()
    }
}

async fn take(hub: &mut Hub, request: ImportRequest, agreed: Agreed) -> Result<()> {
    let name = request.file_name.clone();
    let name = name.as_str();
    let shown = ask(hub, name, request.clone()).await?;
    if shown.foreign.is_none() || hub.json {
        show(hub, name, &shown)?;
    }
    if !shown.refusal.is_empty() {
        return Err(failed!("{name} is not imported: {}", shown.refusal));
    }
    if shown.items.is_empty() {
        return Ok(());
    }
    let counts = shown.counts.unwrap_or_default();
    let removed = counts.removed_pairings;
    let removed_words = counted(removed, "pairing");
    let question = match (describe(&counts).as_str(), removed) {
        ("", 0) => format!("Import {name}"),
        ("", _) => format!("Remove {removed_words} that {name} does not contain"),
        (words, 0) => format!("Import {words} from {name}"),
        (words, _) => format!("Import {words} from {name} and remove {removed_words}"),
    };
    let said = agreed.remove_pairings.unwrap_or(0);
    if !agreed.consent.dry_run && said != removed && (agreed.consent.yes || said > 0) {
        return Err(failed!(
            "{name} is not imported: it removes {removed_words}; to allow this, add `--remove-pairings {removed}`"
        ));
    }
    if !agreed.consent.to(&question)? {
        return Ok(());
    }
    let taken = ImportRequest {
        id: id()?,
        seen_version: Some(shown.version),
        dry_run: false,
        remove_pairings: removed,
        ..request
    };
    let taken = ask(hub, name, taken).await?;
    hub.done(taken.version, &format!("{name}: imported"));
    Ok(())
}

fn describe(counts: &ImportCounts) -> String {
    let numbers = [
        (counts.players, "player"),
        (counts.amended_players, "amended player"),
        (counts.teams, "team"),
        (counts.games, "game"),
        (counts.results, "result"),
        (counts.byes, "bye"),
    ];
    let numbers = numbers.into_iter().filter(|(number, _)| *number > 0);
    let mut words: Vec<String> = numbers
        .map(|(number, what)| counted(number, what))
        .collect();
    if counts.event {
        words.push("the event's data".to_owned());
    }
    listed(&words)
}

async fn ask(hub: &mut Hub, name: &str, request: ImportRequest) -> Result<ImportReply> {
    let reply = hub.client.import(request).await;
    let reply =
        reply.map_err(|status| refused_file(&format!("{name} is not imported"), &status))?;
    Ok(reply.into_inner())
}

fn show(hub: &Hub, name: &str, reply: &ImportReply) -> Result<()> {
    if hub.json {
        let items = reply.items.iter();
        let items: Vec<_> = items
            .map(|item| json!({"kind": word_of(item.kind().as_str_name(), "DIFFERENCE_KIND_"), "words": item.words}))
            .collect();
        return print(json!({
            "file": name, "items": items, "remarks": reply.remarks, "refusal": reply.refusal,
            "version": reply.version, "foreign": reply.foreign.is_some(),
            "removed_pairings": reply.counts.unwrap_or_default().removed_pairings,
        }));
    }
    for remark in &reply.remarks {
        tell!("{name}: {remark}");
    }
    if reply.items.is_empty() {
        return say!("{name} has nothing new");
    }
    for item in &reply.items {
        print(&item.words)?;
    }
    Ok(())
}
