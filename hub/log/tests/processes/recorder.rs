//! The states in which a power cut may leave a disk, derived from the operations of a process that `power-cut.c` recorded.
//!
//! Assumes that the file system guarantees little. Any part of the data not covered by a completed sync of its file may be missing, down to
//! single sectors. A name is certain only once its directory has been synced. Of the later name changes, any number may have happened, in order.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::log_writer::Random;

const SECTOR: usize = 512;

pub(crate) struct Recorder {
    library: PathBuf,
    record: PathBuf,
}

impl Recorder {
    /// Compiles the recorder into `scratch` with the system's C compiler, which Rust also uses for linking.
    pub(crate) fn compile(scratch: &Path) -> Recorder {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/processes/power-cut.c");
        let library = scratch.join("power-cut.so");
        let mut cc = Command::new("cc");
        cc.args(["-O1", "-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(source)
            .args(["-ldl", "-pthread"]);
        let status = cc
            .status()
            .unwrap_or_else(|error| panic!("a C compiler (cc) is needed: {error}"));
        assert!(status.success(), "the recorder does not compile");
        Recorder {
            library,
            record: scratch.join("record"),
        }
    }

    pub(crate) fn attach(&self, command: &mut Command, dir: &Path) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("POWER_CUT_DIR", dir)
            .env("POWER_CUT_RECORD", &self.record);
    }

    /// Returns the recorded events on `disks`. These are subdirectories of `dir` that were empty when the recording began.
    pub(crate) fn history<const N: usize>(&self, dir: &Path, disks: [&str; N]) -> History {
        let ino = |path: &Path| std::fs::metadata(path).unwrap().ino();
        let disks = disks.map(|name| (name.to_owned(), ino(&dir.join(name))));
        History::read(&std::fs::read(&self.record).unwrap(), disks.to_vec())
    }
}

/// The number of a file or directory, assigned at its creation, because inode numbers are reused.
type Id = usize;

enum Event {
    Write {
        file: Id,
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: Id,
        len: usize,
    },
    SyncBegins,
    Synced {
        node: Id,
        since: usize,
    },
    Appears {
        dir: Id,
        name: Vec<u8>,
        node: Id,
        is_dir: bool,
    },
    Renamed {
        dir: Id,
        from: Vec<u8>,
        to: Vec<u8>,
    },
    Removed {
        dir: Id,
        name: Vec<u8>,
    },
    Acknowledged {
        len: u64,
    },
}

pub(crate) struct History {
    /// The names of the disks. Their root directories are the first nodes.
    disks: Vec<String>,
    disk_of: Vec<usize>,
    events: Vec<Event>,
}

impl History {
    fn read(mut record: &[u8], disks: Vec<(String, u64)>) -> History {
        let inodes = disks.iter().map(|(_, inode)| *inode);
        let mut nodes: HashMap<u64, Id> = inodes.zip(0..).collect();
        let mut disk_of: Vec<usize> = (0..disks.len()).collect();
        let mut begun = HashMap::new();
        let mut events = Vec::new();
        while let Some((header, rest)) = record.split_at_checked(40) {
            let field = |n: usize| u64::from_ne_bytes(header[n * 8..n * 8 + 8].try_into().unwrap());
            let Some((bytes, rest)) = rest.split_at_checked(field(4) as usize) else {
                break;
            };
            record = rest;
            let (kind, a, b) = (field(0) as u8, field(1), field(2));
            // Skip operations on files whose creation was not recorded, such as sockets.
            let Some(node) = nodes.get(&a).copied().or((kind == b'A').then_some(0)) else {
                continue;
            };
            if matches!(kind, b'C' | b'M') {
                nodes.insert(b, disk_of.len());
                disk_of.push(disk_of[node]);
            }
            let bytes = bytes.to_vec();
            events.push(match kind {
                b'W' => Event::Write {
                    file: node,
                    offset: b as usize,
                    bytes,
                },
                b'T' => Event::Truncate {
                    file: node,
                    len: b as usize,
                },
                b's' => {
                    begun.insert(node, events.len());
                    Event::SyncBegins
                }
                b'S' => Event::Synced {
                    node,
                    since: begun[&node],
                },
                b'C' | b'M' => Event::Appears {
                    dir: node,
                    name: bytes,
                    node: nodes[&b],
                    is_dir: kind == b'M',
                },
                b'N' => {
                    assert_eq!(a, b, "a rename between directories");
                    let (from, to) =
                        bytes.split_at(bytes.iter().position(|byte| *byte == 0).unwrap());
                    Event::Renamed {
                        dir: node,
                        from: from.to_vec(),
                        to: to[1..].to_vec(),
                    }
                }
                b'U' => Event::Removed {
                    dir: node,
                    name: bytes,
                },
                b'A' => Event::Acknowledged { len: a },
                other => panic!("the record holds an unknown kind {other}"),
            });
        }
        History {
            disks: disks.into_iter().map(|(name, _)| name).collect(),
            disk_of,
            events,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns the position after each acknowledgement. A power cut there is the hardest to survive.
    pub(crate) fn acknowledgements(&self) -> Vec<usize> {
        let said = |event: &Event| matches!(event, Event::Acknowledged { .. });
        (0..self.len())
            .filter(|at| said(&self.events[*at]))
            .map(|at| at + 1)
            .collect()
    }

    /// Returns the acknowledged length if the power is cut before event `cut`.
    pub(crate) fn acknowledged(&self, cut: usize) -> u64 {
        let len = |event: &Event| {
            if let Event::Acknowledged { len } = event {
                Some(*len)
            } else {
                None
            }
        };
        self.events[..cut].iter().filter_map(len).max().unwrap_or(0)
    }

    /// Writes one possible state of the disks after a power cut before event `cut` to `target`.
    pub(crate) fn write_state(&self, cut: usize, random: &mut Random, target: &Path) {
        let events = &self.events[..cut];
        let mut synced: HashMap<Id, usize> = HashMap::new();
        for event in events {
            if let Event::Synced { node, since } = event {
                synced.insert(*node, *since);
            }
        }
        let mut fates = Vec::new();
        for _ in &self.disks {
            let surviving = SurvivingData::draw(random);
            fates.push((surviving, surviving.first_part(random, cut)));
        }
        let fate = |node: &Id| fates[self.disk_of[*node]];
        let roots = (0..self.disks.len()).map(|disk| (disk, BTreeMap::new()));
        let mut dirs: HashMap<Id, BTreeMap<Vec<u8>, Id>> = roots.collect();
        let mut files: HashMap<Id, Vec<u8>> = HashMap::new();
        for (at, event) in events.iter().enumerate() {
            let certain = |node: &Id| synced.get(node).is_some_and(|since| at < *since);
            match event {
                Event::Write {
                    file,
                    offset,
                    bytes,
                } => {
                    let (surviving, _) = fate(file);
                    let content = files.entry(*file).or_default();
                    if certain(file) || surviving.whole(random) {
                        put(content, *offset, bytes);
                    } else if surviving.torn(random) {
                        put_some_sectors(content, *offset, bytes, random);
                    }
                }
                Event::Truncate { file, len } => {
                    if certain(file) || fate(file).0.whole(random) {
                        files.entry(*file).or_default().resize(*len, 0);
                    }
                }
                Event::Appears {
                    dir,
                    name,
                    node,
                    is_dir,
                } => {
                    if *is_dir {
                        dirs.entry(*node).or_default();
                    } else {
                        files.entry(*node).or_default();
                    }
                    if certain(dir) || at < fate(dir).1 {
                        dirs.entry(*dir).or_default().insert(name.clone(), *node);
                    }
                }
                Event::Renamed { dir, from, to } if certain(dir) || at < fate(dir).1 => {
                    let names = dirs.entry(*dir).or_default();
                    if let Some(node) = names.remove(from) {
                        names.insert(to.clone(), node);
                    }
                }
                Event::Removed { dir, name } if certain(dir) || at < fate(dir).1 => {
                    dirs.entry(*dir).or_default().remove(name);
                }
                Event::Renamed { .. } | Event::Removed { .. } => {}
                Event::SyncBegins | Event::Synced { .. } | Event::Acknowledged { .. } => {}
            }
        }
        for (disk, name) in self.disks.iter().enumerate() {
            write_out(disk, &dirs, &files, &target.join(name));
        }
    }
}

#[derive(Clone, Copy)]
enum SurvivingData {
    KeepsNothing,
    KeepsEverything,
    KeepsHalf,
    Tears,
}

impl SurvivingData {
    fn draw(random: &mut Random) -> SurvivingData {
        [
            SurvivingData::KeepsNothing,
            SurvivingData::KeepsEverything,
            SurvivingData::KeepsHalf,
            SurvivingData::Tears,
        ][random.below(4) as usize]
    }

    fn whole(self, random: &mut Random) -> bool {
        match self {
            SurvivingData::KeepsNothing => false,
            SurvivingData::KeepsEverything => true,
            SurvivingData::KeepsHalf | SurvivingData::Tears => random.below(2) == 0,
        }
    }

    fn torn(self, random: &mut Random) -> bool {
        matches!(self, SurvivingData::Tears) && random.below(2) == 0
    }

    /// Returns the number of events, from the first, whose name changes reached the disk; at most `all`.
    fn first_part(self, random: &mut Random, all: usize) -> usize {
        match self {
            SurvivingData::KeepsNothing => 0,
            SurvivingData::KeepsEverything => all,
            SurvivingData::KeepsHalf | SurvivingData::Tears => {
                random.below(all as u64 + 1) as usize
            }
        }
    }
}

fn put(content: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let end = offset + bytes.len();
    content.resize(content.len().max(end), 0);
    content[offset..end].copy_from_slice(bytes);
}

fn put_some_sectors(content: &mut Vec<u8>, offset: usize, bytes: &[u8], random: &mut Random) {
    let mut at = 0;
    while at < bytes.len() {
        let to_next = SECTOR - (offset + at) % SECTOR;
        let end = bytes.len().min(at + to_next);
        if random.below(2) == 0 {
            put(content, offset + at, &bytes[at..end]);
        }
        at = end;
    }
}

fn write_out(
    dir: Id,
    dirs: &HashMap<Id, BTreeMap<Vec<u8>, Id>>,
    files: &HashMap<Id, Vec<u8>>,
    target: &Path,
) {
    std::fs::create_dir_all(target).unwrap();
    for (name, node) in &dirs[&dir] {
        let path = target.join(OsStr::from_bytes(name));
        match files.get(node) {
            Some(content) => std::fs::write(path, content).unwrap(),
            None => write_out(*node, dirs, files, &path),
        }
    }
}
