//! `flagfall export`: writes an evidence file of a running or stopped hub, or copies an evidence file with more of its names redacted.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use proto::grpc::{ExportEvidenceRequest, ExportNames, ExportSummary};

use super::client::{HubOptions, answer, connect_to_archive};
use super::output::{Failure, Result, changed, failed, init_messages, say, usage};
use super::replay::LogCopy;
use crate::evidence::{Redaction, Selection, export, redact_file};
use crate::identity::LogKeys;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall export -o event.evidence
  flagfall export --hub 192.0.2.7 --key chief.pem --round 3 -o round3.evidence
  flagfall export /var/lib/flagfall --round 3 -o round3.evidence
  flagfall export /var/lib/flagfall --board 12 --round 3 -o dispute.evidence
  flagfall export event.evidence --redact-names -o public.evidence

Writes the records with the proof that they are in the log that the hub signed. flagfall-verify checks the file on any machine, and
flagfall replay reads it. Also prints the hub's public key, which the verification needs. Announce the key at the event: a key that comes
with the file proves nothing.

Names can be concealed without breaking the proof, now or later: to do it later, export the evidence file with --redact-names and delete
the original.")]
pub(super) struct Args {
    /// The data directory of a stopped hub, or an evidence file [default: the running hub]
    source: Option<PathBuf>,
    #[command(flatten)]
    hub: HubOptions,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Only the newest game of this board, or the game selected by --round or --game
    #[arg(long)]
    board: Option<String>,
    /// Only this round of the event
    #[arg(long)]
    round: Option<u32>,
    /// Only this game of the board, counted from 1
    #[arg(long, requires = "board")]
    game: Option<u32>,
    /// Conceal players' names; with =everyone, all names and all text that people wrote
    #[arg(long, value_name = "WHOSE", num_args = 0..=1, require_equals = true, default_missing_value = "players")]
    redact_names: Option<Redact>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Redact {
    Players,
    Everyone,
}

impl Args {
    fn redaction(&self) -> Redaction {
        match self.redact_names {
            None => Redaction::None,
            Some(Redact::Players) => Redaction::Players,
            Some(Redact::Everyone) => Redaction::Everyone,
        }
    }

    fn selection(&self) -> Result<Selection> {
        let round = self.round.unwrap_or(0);
        Ok(match &self.board {
            Some(board) => Selection::Game {
                board: board.parse().map_err(Failure::usage)?,
                game: self.game.unwrap_or(0),
                round,
            },
            None if round > 0 => Selection::Round(round),
            None => Selection::Event,
        })
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    init_messages("warn");
    let selection = args.selection()?;
    let Some(source) = &args.source else {
        return super::serve::runtime()?.block_on(from_hub(args));
    };
    if source.is_file() {
        return redact(args, source, &selection);
    }
    let keys = LogKeys::read(source).map_err(Failure::failed)?;
    let copy = LogCopy::open(source)?;
    let exported = write_new(&args.output, |out| {
        let reader = copy.log.reader();
        let len = reader.len();
        export(&reader, len, &keys, &selection, args.redaction(), out).map_err(Failure::failed)
    })?;
    print_summary(&args.output, exported.records, exported.of, &exported.key)
}

fn print_summary(path: &Path, records: u64, of: u64, key: &str) -> Result<()> {
    changed(say!(
        "{}: {records} of {of} records\nkey {key}",
        path.display()
    ))
}

/// Downloads the evidence. The hub requires the key file of a chief arbiter or an auditor.
async fn from_hub(args: &Args) -> Result<()> {
    let mut client = connect_to_archive(&args.hub).await?;
    let request = ExportEvidenceRequest {
        board: args.board.clone().unwrap_or_default(),
        game: args.game.unwrap_or(0),
        round: args.round.unwrap_or(0),
        names: match args.redaction() {
            Redaction::None => ExportNames::All,
            Redaction::Players => ExportNames::Officials,
            Redaction::Everyone => ExportNames::None,
        }
        .into(),
    };
    let mut pieces = answer(client.export(request).await)?;
    let mut unfinished = Unfinished::new(&args.output)?;
    while let Some(piece) = pieces.message().await? {
        let written = unfinished.out.write_all(&piece.content);
        written.map_err(|error| cannot(&args.output, &error))?;
        if let Some(ExportSummary { records, of, key }) = piece.summary {
            unfinished.finish()?;
            return print_summary(&args.output, records, of, &key);
        }
    }
    Err(failed!(
        "the hub stopped sending before the file was complete: run the command again"
    ))
}

fn redact(args: &Args, source: &Path, selection: &Selection) -> Result<()> {
    if *selection != Selection::Event {
        return Err(usage!(
            "an evidence file can be copied only as a whole: remove --board, --round and --game"
        ));
    }
    let source = std::fs::read(source)
        .map_err(|error| failed!("cannot read {}: {error}", source.display()))?;
    write_new(&args.output, |out| {
        redact_file(&source, args.redaction(), out).map_err(Failure::failed)
    })?;
    changed(say!("{}", args.output.display()))
}

/// Writes a file that appears under its name only once it is complete and durable.
pub(super) fn write_new<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T>,
) -> Result<T> {
    let mut unfinished = Unfinished::new(path)?;
    let written = write(&mut unfinished.out)?;
    unfinished.finish()?;
    Ok(written)
}

/// A file that is written under a temporary name until it is complete. Dropping an incomplete file removes it.
struct Unfinished {
    path: PathBuf,
    partial: PathBuf,
    out: BufWriter<File>,
}

impl Unfinished {
    fn new(path: &Path) -> Result<Self> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".part");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(|error| cannot(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            partial,
            out: BufWriter::new(file),
        })
    }

    fn finish(&mut self) -> Result<()> {
        let finished = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_all())
            .and_then(|()| std::fs::rename(&self.partial, &self.path));
        finished.map_err(|error| cannot(&self.path, &error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After a success there is no file to remove; after a failure the command reports the cause.
        let _ = std::fs::remove_file(&self.partial);
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    failed!("cannot write {}: {error}", path.display())
}
