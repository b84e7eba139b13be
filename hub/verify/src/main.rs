//! `flagfall-verify`: checks an evidence file on any machine, without a hub and without a network.

use std::fs::{self, File};
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use proto::ids::unhex;
use verify::report::{self, Language};
use verify::{Findings, HubKey, Known, check, kept_checkpoint};

/// Check an evidence file: did the hub sign it, and do the clock times follow from it?
#[derive(Debug, Parser)]
#[command(
    name = "flagfall-verify",
    version,
    after_help = "Examples:
  flagfall-verify round3.evidence --key hub.key
  flagfall-verify round3.evidence --key hub.key --html report.html --language de
  flagfall-verify event.evidence --key hub.key --kept round3.evidence
  flagfall-verify event.evidence --key hub.key --authority 3F:9A:…

The key is the hub's public key, name+id+key, or a file that begins with it, such as a kept
checkpoint. Take it from the notice at the event, not from the sender of the evidence. Take the
fingerprint of the hall's first authority from there too; the hub's page /authority also shows it.
If you give the fingerprint, a clock whose certificate leads to a different authority is a fault.
Nothing is sent anywhere.

Exit codes: 0 sound; 1 not sound, with the first fault; 2 the file cannot be checked."
)]
struct Args {
    /// The evidence file
    file: PathBuf,
    /// The hub's public key, or a file that begins with it
    #[arg(long)]
    key: String,
    /// The fingerprint of the hall's authority, as announced at the event
    #[arg(long, value_name = "FINGERPRINT", value_parser = authority)]
    authority: Option<[u8; 16]>,
    /// A file with an earlier checkpoint that the log must continue: a signed note, the proof of a record, or an evidence file
    #[arg(long, value_name = "FILE")]
    kept: Vec<PathBuf>,
    /// The language of the report: en, de, es or fr [default: the system's]
    #[arg(long)]
    language: Option<String>,
    /// Also write the report to this file, as an HTML page to print
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(findings) if findings.is_sound() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(what) => {
            let _ = writeln!(std::io::stderr(), "flagfall-verify: {what}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<Findings, String> {
    let language = language(args)?;
    let key = key(&args.key)?;
    let mut kept = Vec::new();
    for path in &args.kept {
        let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
        let checkpoint = kept_checkpoint(&bytes, &key);
        kept.push(checkpoint.map_err(|error| format!("{}: {error}", path.display()))?);
    }
    let file = File::open(&args.file).map_err(|error| unreadable(&args.file, &error))?;
    let known = Known {
        key,
        authority: args.authority,
        kept,
    };
    let findings = check(BufReader::with_capacity(1 << 16, file), &known)
        .map_err(|error| format!("{}: {error}", args.file.display()))?;
    if let Some(path) = &args.html {
        let page = report::html(&findings, &known.key, language);
        fs::write(path, page)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    // Standard output may already be closed; the exit code still reports the result.
    let _ = std::io::stdout().write_all(report::text(&findings, &known.key, language).as_bytes());
    Ok(findings)
}

fn language(args: &Args) -> Result<Language, String> {
    if let Some(tag) = &args.language {
        return Language::from_tag(tag)
            .ok_or_else(|| format!("no report in {tag:?}: choose en, de, es or fr"));
    }
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
    let mut locales = names.filter_map(|name| std::env::var(name).ok());
    let locale = locales.find(|locale| !locale.is_empty());
    let language = locale.and_then(|locale| Language::from_tag(&locale));
    Ok(language.unwrap_or_default())
}

fn key(text: &str) -> Result<HubKey, String> {
    let path = Path::new(text);
    let text = match path.is_file() {
        true => fs::read_to_string(path).map_err(|error| unreadable(path, &error))?,
        false => text.to_owned(),
    };
    text.parse()
        .map_err(|error: verify::BadKey| error.to_string())
}

fn authority(text: &str) -> Result<[u8; 16], String> {
    let digits = text.replace([':', ' '], "");
    let bytes = unhex(&digits).ok().and_then(|bytes| bytes.try_into().ok());
    bytes
        .ok_or_else(|| "a fingerprint has 32 hexadecimal digits, with or without colons".to_owned())
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}
