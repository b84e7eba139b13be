//! `flagfall event open` and `import`: a file's event, or what a file says that is new. Owns showing it before it is taken.

use proto::grpc::import_request::Source;
use proto::grpc::{FileFormat, ImportReply, ImportRequest, ListNewsRequest, WatchedFile};
use serde_json::json;

use super::super::client::{describe, refused};
use super::super::output::{Failure, print, tell};
use super::bytes;
use super::confirm::Consent;
use super::hub::{Hub, id};

/// Imports a file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event import open.trf              shows what is new, and asks
  flagfall event import round4.csv --yes      pairings of one round as CSV
  flagfall event import open.trf --dry-run    only shows it
  flagfall event import --watched             what the files of the watched folder say that is new, one after the other

A file is taken whole or not at all. What only the hall knows stays: results the file has none for, board numbers, late arrivals,
withdrawals. Results that the file has otherwise are corrected with its name as the reason. A round that has begun is not paired
anew.")]
pub(super) struct Args {
    /// A TRF report, or a table of pairings as CSV; - for standard input
    #[arg(required_unless_present = "watched", conflicts_with = "watched")]
    file: Option<String>,
    /// The news of the folder that the hub watches
    #[arg(long)]
    watched: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Makes a file's event the hub's.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event open open.trf

A hub has one event. If it has this one already, `flagfall event import` shows what the file says that is new.")]
pub(super) struct OpenArgs {
    /// A TRF report; - for standard input
    file: String,
}

/// What is to be imported, read.
pub(super) enum Wanted {
    /// The file of an event that is new.
    Open(File),
    /// What a file says that is new.
    Import(File, Consent),
    /// What the watched folder has.
    Watched(Consent),
}

pub(super) struct File {
    name: String,
    content: Vec<u8>,
}

pub(super) fn prepare(args: &Args) -> Result<Wanted, Failure> {
    match &args.file {
        Some(file) => Ok(Wanted::Import(read(file)?, args.consent)),
        None => Ok(Wanted::Watched(args.consent)),
    }
}

pub(super) fn prepare_open(args: &OpenArgs) -> Result<Wanted, Failure> {
    Ok(Wanted::Open(read(&args.file)?))
}

fn read(file: &str) -> Result<File, Failure> {
    let content = bytes(file)?;
    // The log names the file, not the way to it on somebody's machine.
    let name = match file {
        "-" => "standard input",
        path => path.rsplit('/').next().unwrap_or(path),
    };
    Ok(File {
        name: name.to_owned(),
        content,
    })
}

pub(super) async fn run(hub: &mut Hub, wanted: Wanted) -> Result<(), Failure> {
    match wanted {
        Wanted::Open(file) => {
            if let Some(now) = hub.now_if_any().await? {
                return Err(Failure::Failed(format!(
                    "the hub has an event, {}: `flagfall event import` shows what the file says that is new",
                    now.tournament.event().name
                )));
            }
            let yes = Consent {
                yes: true,
                dry_run: false,
            };
            let name = file.name.clone();
            take(hub, &name, Source::Content(file.content), yes).await
        }
        Wanted::Import(file, consent) => {
            let name = file.name.clone();
            take(hub, &name, Source::Content(file.content), consent).await
        }
        Wanted::Watched(consent) => watched(hub, consent).await,
    }
}

/// Every file of the watched folder that says something new.
async fn watched(hub: &mut Hub, consent: Consent) -> Result<(), Failure> {
    let reply = hub.client.list_news(ListNewsRequest {}).await;
    let reply = reply.map_err(|status| refused(&status))?.into_inner();
    if reply.folder.is_empty() {
        return Err(Failure::Failed(
            "no folder is watched: set watch_folder and restart the hub".to_owned(),
        ));
    }
    if reply.files.is_empty() && !hub.json {
        print(format_args!("{}: nothing new", reply.folder))?;
    }
    let mut unreadable = false;
    for news in reply.files {
        if !news.fault.is_empty() {
            unreadable = true;
            tell(format_args!("{} is not taken:\n{}", news.file, news.fault));
            continue;
        }
        let shown = Source::Watched(WatchedFile {
            file: news.file.clone(),
            digest: news.digest,
        });
        take(hub, &news.file, shown, consent).await?;
    }
    match unreadable {
        true => Err(Failure::Said(2)),
        false => Ok(()),
    }
}

/// Shows what a file would change, and makes it so if that is wanted.
async fn take(hub: &mut Hub, name: &str, source: Source, consent: Consent) -> Result<(), Failure> {
    let request = ImportRequest {
        file_name: name.to_owned(),
        format: FileFormat::Unspecified.into(),
        dry_run: true,
        source: Some(source),
        ..ImportRequest::default()
    };
    let shown = ask(hub, name, request.clone()).await?;
    show(hub, name, &shown)?;
    if shown.items.is_empty() {
        return Ok(());
    }
    if !shown.refusal.is_empty() {
        return Err(Failure::Failed(format!(
            "{name} is not taken: {}",
            shown.refusal
        )));
    }
    if !consent.to(&format!("Take this from {name}"))? {
        return Ok(());
    }
    let taken = ImportRequest {
        id: id()?,
        seen_version: (shown.version > 0).then_some(shown.version),
        dry_run: false,
        ..request
    };
    let taken = ask(hub, name, taken).await?;
    hub.done(taken.version, &format!("{name}: taken"))
}

async fn ask(hub: &mut Hub, name: &str, request: ImportRequest) -> Result<ImportReply, Failure> {
    let reply = hub.client.import(request).await;
    reply.map(tonic::Response::into_inner).map_err(|status| {
        let words = format!("{name} is not taken: {}", describe(&status));
        match status.code() == tonic::Code::InvalidArgument {
            true => Failure::Usage(words),
            false => Failure::Failed(words),
        }
    })
}

fn show(hub: &Hub, name: &str, reply: &ImportReply) -> Result<(), Failure> {
    if hub.json {
        let items: Vec<_> = reply
            .items
            .iter()
            .map(|item| json!({"kind": kind(item.kind()), "words": item.words}))
            .collect();
        return print(json!({
            "file": name, "items": items, "remarks": reply.remarks, "refusal": reply.refusal,
            "version": reply.version,
        }));
    }
    for remark in &reply.remarks {
        tell(format_args!("{name}: {remark}"));
    }
    if reply.items.is_empty() {
        return print(format_args!("{name} says nothing new"));
    }
    for item in &reply.items {
        print(&item.words)?;
    }
    Ok(())
}

/// A word for programs: `new_round`.
fn kind(kind: proto::grpc::DifferenceKind) -> String {
    let name = kind.as_str_name();
    let word = name.strip_prefix("DIFFERENCE_KIND_").unwrap_or(name);
    word.to_lowercase()
}
