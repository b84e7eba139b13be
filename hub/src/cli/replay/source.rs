//! The source of a replay's records: a stopped hub's log or an evidence file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use proto::evidence::part;
use proto::names;
use verify::PartReader;

use super::LogCopy;
use crate::cli::output::{Failure, Result, failed};

/// Placeholder for a concealed name or text. The first characters of its commitment follow.
const CONCEALED: &str = "concealed";

type Read = Result<(u64, Vec<u8>)>;

pub(super) enum Source {
    Log(LogCopy),
    /// The records of an evidence file, by index. Names that are not concealed can be read.
    Evidence(BTreeMap<u64, Vec<u8>>),
}

impl Source {
    /// Opens a data directory or an evidence file, without verifying the file.
    pub(super) fn open(path: &Path) -> Result<Self> {
        match path.is_file() {
            true => Ok(Self::Evidence(evidence(path)?)),
            false => Ok(Self::Log(LogCopy::open(path)?)),
        }
    }

    pub(super) fn records(&self) -> Box<dyn Iterator<Item = Read> + '_> {
        match self {
            Self::Log(copy) => {
                let records = copy.log.read(0);
                Box::new(records.map(|record| record.map_err(Failure::failed)))
            }
            Self::Evidence(records) => {
                Box::new(records.iter().map(|(at, record)| Ok((*at, record.clone()))))
            }
        }
    }

    pub(super) fn read(&self, at: u64) -> Result<Vec<u8>> {
        let missing = || failed!("record {at} is missing");
        match self {
            Self::Log(copy) => {
                let record = copy.log.read(at).next().ok_or_else(missing)?;
                Ok(record.map_err(Failure::failed)?.1)
            }
            Self::Evidence(records) => records.get(&at).cloned().ok_or_else(missing),
        }
    }
}

fn evidence(path: &Path) -> Result<BTreeMap<u64, Vec<u8>>> {
    let cannot = |what: &dyn std::fmt::Display| failed!("{}: {what}", path.display());
    let file = File::open(path).map_err(|error| cannot(&error))?;
    let (_, mut parts) = PartReader::open(BufReader::new(file)).map_err(|error| cannot(&error))?;
    let mut records = BTreeMap::new();
    let mut next: u64 = 0;
    loop {
        match parts.next_part().map_err(|error| cannot(&error))? {
            Some(part::Part::Record(record)) => {
                let opened = names::open(&record.content, &record.openings);
                let shown = opened.and_then(|opened| names::masked(&opened, CONCEALED));
                let shown = shown.map_err(|error| cannot(&format!("record {next}: {error}")))?;
                records.insert(next, shown);
                next += 1;
            }
            Some(part::Part::Gap(gap)) => {
                let len = 1_u64
                    .checked_shl(gap.level)
                    .and_then(|len| next.checked_add(len));
                next = len.ok_or_else(|| cannot(&"a gap has an impossible size"))?;
            }
            Some(part::Part::End(_)) => return Ok(records),
            Some(part::Part::Header(_)) | None => {
                return Err(cannot(
                    &"the file is incomplete: flagfall-verify shows where it ends",
                ));
            }
        }
    }
}
