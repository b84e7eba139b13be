//! `flagfall event open` and `import`: a file's event, or what a file says that is new. Owns showing it before it is taken.

use proto::grpc::import_request::Source;
use proto::grpc::{
    DismissNewsRequest, FileFormat, ImportReply, ImportRequest, ListNewsReply, ListNewsRequest,
    WatchedFile,
};
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
  flagfall event import --watched r4.trf      one of them
  flagfall event import --dismiss r2.trf      not wanted: it is no news again while its content stays the same

A file is taken whole or not at all. What only the hall knows stays: results the file has none for, players, byes and data of the event
it does not name, board numbers, late arrivals, withdrawals. Results that the file has otherwise are corrected with its name as the
reason, unless an arbiter has corrected them: then the file is only remarked on. A round that has begun is not paired anew; boards that
come late are added to it.")]
pub(super) struct Args {
    /// A TRF report, or a table of pairings as CSV; - for standard input
    #[arg(required_unless_present_any = ["watched", "dismiss"], value_name = "FILE")]
    files: Vec<String>,
    /// The news of the folder that the hub watches: all of them, or those that are named
    #[arg(long)]
    watched: bool,
    /// A file of the watched folder that is not wanted
    #[arg(long, value_name = "NAME", conflicts_with_all = ["watched", "files", "yes", "dry_run"])]
    dismiss: Vec<String>,
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
    /// What files say that is new.
    Import(Vec<File>, Consent),
    /// What the watched folder has, or only the files of these names.
    Watched(Vec<String>, Consent),
    /// Files of the watched folder that are not wanted.
    Dismiss(Vec<String>),
}

pub(super) struct File {
    name: String,
    content: Vec<u8>,
}

pub(super) fn prepare(args: &Args) -> Result<Wanted, Failure> {
    if !args.dismiss.is_empty() {
        return Ok(Wanted::Dismiss(args.dismiss.clone()));
    }
    if args.watched {
        return Ok(Wanted::Watched(args.files.clone(), args.consent));
    }
    let files: Result<Vec<File>, Failure> = args.files.iter().map(|file| read(file)).collect();
    Ok(Wanted::Import(files?, args.consent))
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
        Wanted::Import(files, consent) => {
            for file in files {
                let name = file.name.clone();
                take(hub, &name, Source::Content(file.content), consent).await?;
            }
            Ok(())
        }
        Wanted::Watched(names, consent) => watched(hub, &names, consent).await,
        Wanted::Dismiss(names) => dismiss(hub, &names).await,
    }
}

/// The files of the watched folder that say something new or cannot be read; those of these names alone, if there are names.
async fn news(hub: &mut Hub, names: &[String]) -> Result<ListNewsReply, Failure> {
    let reply = hub.client.list_news(ListNewsRequest {}).await;
    let mut reply = reply.map_err(|status| refused(&status))?.into_inner();
    if reply.folder.is_empty() {
        return Err(Failure::Failed(
            "no folder is watched: set watch_folder and restart the hub".to_owned(),
        ));
    }
    let missing = |name: &&String| !reply.files.iter().any(|news| news.file == **name);
    if let Some(name) = names.iter().find(missing) {
        return Err(Failure::Failed(format!(
            "{name} is no news of {}",
            reply.folder
        )));
    }
    if !names.is_empty() {
        reply.files.retain(|news| names.contains(&news.file));
    }
    Ok(reply)
}

/// Every file of the watched folder that says something new. One that is not taken does not hold up the others.
async fn watched(hub: &mut Hub, names: &[String], consent: Consent) -> Result<(), Failure> {
    let reply = news(hub, names).await?;
    if reply.files.is_empty() && !hub.json {
        print(format_args!("{}: nothing new", reply.folder))?;
    }
    let (mut unreadable, mut not_taken) = (false, false);
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
        match take(hub, &news.file, shown, consent).await {
            Ok(()) => (),
            Err(Failure::NobodyReads) => return Err(Failure::NobodyReads),
            Err(failure @ (Failure::Usage(_) | Failure::Failed(_) | Failure::Said(_))) => {
                not_taken = true;
                failure.report();
            }
        }
    }
    match (not_taken, unreadable) {
        (true, _) => Err(Failure::Said(1)),
        (false, true) => Err(Failure::Said(2)),
        (false, false) => Ok(()),
    }
}

/// Files of the watched folder that are not wanted.
async fn dismiss(hub: &mut Hub, names: &[String]) -> Result<(), Failure> {
    for file in news(hub, names).await?.files {
        let watched = WatchedFile {
            file: file.file.clone(),
            digest: file.digest,
        };
        let request = DismissNewsRequest {
            watched: Some(watched),
        };
        let reply = hub.client.dismiss_news(request).await;
        reply.map_err(|status| refused(&status))?;
        if !hub.json {
            print(format_args!("{}: dismissed", file.file))?;
        }
    }
    Ok(())
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
        seen_version: Some(shown.version),
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
