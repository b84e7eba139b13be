//! `flagfall proof`: checks a proof file (C2SP tlog-proof) without a hub.

use std::path::PathBuf;

use proto::checkpoint::EntryProof;
use proto::note::Verifier;
use serde_json::json;

use super::history::decode;
use super::output::{Result, failed, print, say, usage};
use hall::describe;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall ctl proof 4711 -o press.txt     on the hub's network
  flagfall proof check press.txt --key log-key.txt

Exit codes: 0 the record is in the log, 1 the proof is not valid, 2 not understood.")]
pub(super) struct Args {
    #[command(subcommand)]
    what: ProofCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ProofCommand {
    /// Check that the record in a proof file is in the log with the given key
    Check {
        /// The proof file
        file: PathBuf,
        /// The log's public key (name+id+key), or a file with the key in its first line. Take it from the hub yourself, not from the
        /// person who gave you the proof
        #[arg(long, value_name = "KEY")]
        key: String,
        /// Print one JSON object, for programs
        #[arg(long)]
        json: bool,
    },
}

pub(super) fn run(args: &Args) -> Result<()> {
    let ProofCommand::Check { file, key, json } = &args.what;
    let verifier = verifier(key)?;
    let text = std::fs::read_to_string(file)
        .map_err(|error| usage!("cannot read {}: {error}", file.display()))?;
    let proof = EntryProof::parse(&text).map_err(|error| usage!("{}: {error}", file.display()))?;
    let entry = proof.extra.as_deref().ok_or_else(|| {
        usage!(
            "{} contains a proof without its record: write the file with `flagfall ctl proof`",
            file.display()
        )
    })?;
    let checkpoint = proof
        .verify(entry, &verifier)
        .map_err(|error| failed!("{}: the proof is not valid: {error}", file.display()))?;
    let record = decode(proof.index, entry)?;
    let text = describe(&record);
    if *json {
        return print(json!({
            "sound": true,
            "origin": checkpoint.origin,
            "record": proof.index,
            "records": checkpoint.size,
            "board": record.board,
            "text": text,
        }));
    }
    say!("record   {} of {}", proof.index, checkpoint.origin)?;
    if !record.board.is_empty() {
        say!("board    {}", record.board)?;
    }
    say!("content  {text}")?;
    say!(
        "sound    the record is in the log of {} records that this key signed",
        checkpoint.size
    )
}

fn verifier(key: &str) -> Result<Verifier> {
    if let Ok(verifier) = key.parse() {
        return Ok(verifier);
    }
    let text = std::fs::read_to_string(key).map_err(|error| {
        usage!("--key is neither a log's public key nor a readable file: {error}")
    })?;
    let first = text.lines().next().unwrap_or_default().trim();
    first
        .parse()
        .map_err(|error: proto::note::KeyError| usage!("{key}: {error}"))
}
