//! The index: built from players in any order, read through [`ReadAt`]. Owns its layout.
//!
//! ```text
//! header │ block │ block │ … │ table of blocks │ FIDE IDs, sorted, each with its player's place │ the list's description
//!          └ words of 1,024 players, one line each │ their records, one line each
//! ```
//!
//! Numbers are little-endian. A line of words is `nor carlsen , magnus `: federation, surname, comma, other names. Every word except the federation
//! has a space on each side. A search for the beginning of a word includes the space before it (` carl`), and a search for a whole word includes both
//! (` carl `).

use std::collections::BinaryHeap;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use super::fold::{self, Spelling};
use super::read::ListError;
use super::scan::{self, Pattern};
use super::{ListInfo, ListedPlayer};
use tournament::Sex;

/// Players in a block.
const BLOCK: usize = 1_024;
/// Limits the memory for building an index: twelve bytes for each player.
const MAX_PLAYERS: usize = 6_000_000;
/// The first bytes of an index file. The digits change with the layout.
const MAGIC: &[u8; 8] = b"FLAGFL01";
/// Bytes of the header: the magic, the number of players, and the offsets of the table, the IDs, the description and
/// the end.
const HEADER: usize = 48;
/// Sizes in bytes of an entry in the table of blocks, and of one in the table of IDs.
const BLOCK_ENTRY: usize = 16;
const ID_ENTRY: usize = 8;
/// Number of entries of the table of IDs that are read at a time.
const ENTRIES_READ: usize = 8_192;
const MAX_RECORD_BYTES: usize = 400;
pub const MAX_FOUND: usize = 100;

/// A source that several readers can read simultaneously, each at any offset.
pub trait ReadAt {
    /// Fills `into` with the bytes from `offset` onwards.
    ///
    /// # Errors
    /// Fails if the source cannot be read or ends too early.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(offset).map_err(io::Error::other)?;
        let bytes = self.get(from..from.saturating_add(into.len()));
        into.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// The sort key of a player while a list is indexed.
#[derive(Clone, Copy)]
struct Key {
    id: u32,
    /// The offset of the record in the scratch file; after sorting, the player's position.
    at: u32,
    rating: u16,
    length: u16,
}

/// The builder of an index. Keeps the records in `scratch` until the whole list is read.
pub struct Builder<S: Write> {
    scratch: BufWriter<S>,
    written: u32,
    keys: Vec<Key>,
}

impl<S: Read + Write + Seek> Builder<S> {
    pub fn new(scratch: S) -> Self {
        Self {
            scratch: BufWriter::with_capacity(256 * 1024, scratch),
            written: 0,
            keys: Vec::new(),
        }
    }

    /// Adds a player.
    ///
    /// # Errors
    /// Fails if the scratch file cannot be written, or if there are too many players.
    pub fn push(&mut self, player: &ListedPlayer) -> Result<(), ListError> {
        if self.keys.len() == MAX_PLAYERS {
            return Err(ListError::TooMany(MAX_PLAYERS));
        }
        let record = record(player);
        self.scratch.write_all(record.as_bytes())?;
        let length = u16::try_from(record.len()).map_err(io::Error::other)?;
        self.keys.push(Key {
            id: player.fide_id,
            at: self.written,
            rating: player.best_rating(),
            length,
        });
        let written = self.written.checked_add(length.into());
        self.written = written.ok_or(ListError::TooMany(MAX_PLAYERS))?;
        Ok(())
    }

    /// Writes the index, highest rating first; equal ratings keep the order in which the players were added.
    ///
    /// # Errors
    /// Fails if the scratch file cannot be read, or `out` cannot be written.
    pub fn finish(mut self, out: impl Write + Seek, info: &ListInfo) -> Result<(), ListError> {
        let mut out = BufWriter::with_capacity(256 * 1024, out);
        out.write_all(&[0; HEADER])?;
        let mut scratch = self
            .scratch
            .into_inner()
            .map_err(|error| error.into_error())?;
        self.keys
            .sort_unstable_by_key(|key| (std::cmp::Reverse(key.rating), key.at));
        let mut at = u64::try_from(HEADER).unwrap_or(0);
        let mut table = Vec::new();
        let mut place = 0;
        for block in self.keys.chunks_mut(BLOCK) {
            let (mut words, mut records) = (String::new(), String::new());
            for key in block {
                let record = read_record(&mut scratch, *key)?;
                words_of(&record, &mut words);
                records.push_str(&record);
                key.at = place;
                place += 1;
            }
            let (words, records) = (words.as_bytes(), records.as_bytes());
            out.write_all(words)?;
            out.write_all(records)?;
            let lengths = [words.len(), records.len()]
                .map(|length| u32::try_from(length).unwrap_or(u32::MAX));
            table.extend(at.to_le_bytes());
            table.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
            at += u64::from(lengths[0]) + u64::from(lengths[1]);
        }
        let table_at = at;
        out.write_all(&table)?;
        let ids_at = table_at + u64::try_from(table.len()).unwrap_or(0);
        self.keys.sort_unstable_by_key(|key| (key.id, key.at));
        for key in &self.keys {
            out.write_all(&key.id.to_le_bytes())?;
            out.write_all(&key.at.to_le_bytes())?;
        }
        let info_at = ids_at + u64::try_from(self.keys.len() * ID_ENTRY).unwrap_or(0);
        let info = serde_json::to_vec(info).map_err(io::Error::other)?;
        out.write_all(&info)?;
        let end = info_at + u64::try_from(info.len()).unwrap_or(0);
        out.seek(SeekFrom::Start(0))?;
        out.write_all(MAGIC)?;
        for number in [u64::from(place), table_at, ids_at, info_at, end] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.flush()?;
        Ok(())
    }
}

fn read_record(scratch: &mut (impl Read + Seek), key: Key) -> io::Result<String> {
    let mut bytes = vec![0; usize::from(key.length)];
    scratch.seek(SeekFrom::Start(key.at.into()))?;
    scratch.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn record(player: &ListedPlayer) -> String {
    let plain = |text: &str, max: usize| -> String {
        let letters = text
            .chars()
            .map(|char| if char.is_control() { ' ' } else { char });
        letters.take(max).collect()
    };
    let number = |number: Option<u16>| number.unwrap_or(0);
    let sex = match player.sex {
        Some(Sex::Male) => "m",
        Some(Sex::Female) => "w",
        None => "",
    };
    // Names in the lists have at most 60 characters; these limits keep the record within its maximum.
    let line = format!(
        "{}\t{}\t{}\t{sex}\t{}\t{}\t{}\t{}\t{}\t{}\n",
        player.fide_id,
        plain(&player.name, 80),
        plain(&player.federation, 3),
        plain(&player.title, 3),
        number(player.standard),
        number(player.rapid),
        number(player.blitz),
        number(player.born),
        u8::from(player.inactive),
    );
    debug_assert!(line.len() <= MAX_RECORD_BYTES, "{line}");
    line
}

fn player(line: &str) -> Option<ListedPlayer> {
    let mut fields = line.split('\t');
    let id = fields.next()?.parse().ok()?;
    let (name, federation) = (fields.next()?.to_owned(), fields.next()?.to_owned());
    let sex = match fields.next()? {
        "m" => Some(Sex::Male),
        "w" => Some(Sex::Female),
        _ => None,
    };
    let title = fields.next()?.to_owned();
    let mut number = || {
        let number = fields.next()?.parse::<u16>().ok()?;
        Some(Some(number).filter(|number| *number > 0))
    };
    Some(ListedPlayer {
        fide_id: id,
        name,
        federation,
        sex,
        title,
        standard: number()?,
        rapid: number()?,
        blitz: number()?,
        born: number()?,
        inactive: fields.next()? == "1",
    })
}

fn words_of(record: &str, to: &mut String) {
    let mut fields = record.split('\t');
    let name = fields.nth(1).unwrap_or("");
    let federation = fields.next().unwrap_or("").to_lowercase();
    to.push_str(&federation);
    let (surname, others) = name.split_once(',').unwrap_or((name, ""));
    for word in fold::words(surname, Spelling::Bare) {
        to.extend([" ", &word]);
    }
    to.push_str(" ,");
    for word in fold::words(others, Spelling::Bare) {
        to.extend([" ", &word]);
    }
    to.push_str(" \n");
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    patterns: Vec<Pattern>,
    /// The beginning of a FIDE ID, if the query is a number.
    number: Option<String>,
}

impl Query {
    /// Parses a query: either the beginnings of words in a name, in any order, or the beginning of a FIDE ID. A `federation` that is not empty limits
    /// a search by name. Returns `None` if the query has no letter or digit.
    #[must_use]
    pub fn new(text: &str, federation: &str) -> Option<Self> {
        let federation = federation.trim().to_lowercase();
        let spellings: &[Spelling] = match fold::has_two_spellings(text) {
            true => &[Spelling::Bare, Spelling::SpeltOut],
            false => &[Spelling::Bare],
        };
        let of = |spelling: &Spelling| Pattern::new(fold::words(text, *spelling), &federation);
        let patterns: Option<Vec<Pattern>> = spellings.iter().map(of).collect();
        let digits =
            Some(text.trim()).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        Some(Self {
            patterns: patterns?,
            number: digits.map(str::to_owned),
        })
    }
}

#[derive(Debug)]
pub struct Index<S> {
    source: S,
    info: ListInfo,
    players: u32,
    ids_at: u64,
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    at: u64,
    words: u32,
    records: u32,
}

impl<S: ReadAt> Index<S> {
    /// Opens an index of `length` bytes.
    ///
    /// # Errors
    /// Fails if the index cannot be read, is damaged, or has a different version.
    pub fn open(source: S, length: u64) -> io::Result<Self> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the index is damaged");
        let mut header = [0; HEADER];
        source.read_at(0, &mut header)?;
        if !header.starts_with(MAGIC) {
            let why = "the index was made by a different version";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let nth = |nth: usize| number::<8>(&header, 8 + nth * 8).map(u64::from_le_bytes);
        let numbers: Option<Vec<u64>> = (0..5).map(nth).collect();
        let Some([players, table_at, ids_at, info_at, end]) = numbers.as_deref() else {
            return Err(damaged());
        };
        if !(table_at <= ids_at && ids_at <= info_at && info_at <= end && *end == length) {
            return Err(damaged());
        }
        let section = |from: u64, to: u64| -> io::Result<Vec<u8>> {
            let mut bytes = vec![0; usize::try_from(to - from).map_err(io::Error::other)?];
            source.read_at(from, &mut bytes)?;
            Ok(bytes)
        };
        let blocks = section(*table_at, *ids_at)?;
        let blocks = blocks.chunks_exact(BLOCK_ENTRY).filter_map(|entry| {
            Some(Block {
                at: u64::from_le_bytes(number(entry, 0)?),
                words: u32::from_le_bytes(number(entry, 8)?),
                records: u32::from_le_bytes(number(entry, 12)?),
            })
        });
        let blocks: Vec<Block> = blocks.collect();
        let info = serde_json::from_slice(&section(*info_at, *end)?).map_err(|_| damaged())?;
        let players = u32::try_from(*players).map_err(|_| damaged())?;
        if info_at - ids_at != u64::from(players) * 8 {
            return Err(damaged());
        }
        Ok(Self {
            info,
            players,
            ids_at: *ids_at,
            blocks,
            source,
        })
    }

    pub fn info(&self) -> &ListInfo {
        &self.info
    }

    /// Returns the player with this FIDE ID, if the list has one.
    ///
    /// # Errors
    /// Fails if the index cannot be read.
    pub fn by_id(&self, id: u32) -> io::Result<Option<ListedPlayer>> {
        let nth = self.first_from(id.into())?;
        if nth == self.players {
            return Ok(None);
        }
        let (found, place) = self.id_entry(nth)?;
        match found == id {
            true => self.at(place).map(Some),
            false => Ok(None),
        }
    }

    fn id_entry(&self, nth: u32) -> io::Result<(u32, u32)> {
        let mut entry = [0; ID_ENTRY];
        let at = self.ids_at + u64::from(nth) * 8;
        self.source.read_at(at, &mut entry)?;
        let [id, place] = [0, 4].map(|at| number(&entry, at).map_or(0, u32::from_le_bytes));
        Ok((id, place))
    }

    /// Returns the position of the first entry whose ID is at least `id`.
    fn first_from(&self, id: u64) -> io::Result<u32> {
        let (mut from, mut to) = (0, self.players);
        while from < to {
            let middle = from + (to - from) / 2;
            match u64::from(self.id_entry(middle)?.0) < id {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        Ok(from)
    }

    /// Returns the places (positions in the order of ratings) of the highest-rated players whose IDs begin with these digits.
    fn by_number(&self, prefix: &str, limit: usize) -> io::Result<Vec<u32>> {
        let mut best: BinaryHeap<u32> = BinaryHeap::new();
        let Some(value) = prefix.parse::<u64>().ok().filter(|value| *value > 0) else {
            return Ok(Vec::new());
        };
        let mut size = 1;
        while let Some(from) = value
            .checked_mul(size)
            .filter(|from| *from <= u32::MAX.into())
        {
            let first = self.first_from(from)?;
            let last = self.first_from(from.saturating_add(size))?;
            let mut bytes = Vec::new();
            for nth in (first..last).step_by(ENTRIES_READ) {
                let count = usize::try_from(last - nth).unwrap_or(0).min(ENTRIES_READ);
                bytes.resize(count * ID_ENTRY, 0);
                let at = self.ids_at + u64::from(nth) * 8;
                self.source.read_at(at, &mut bytes)?;
                for entry in bytes.chunks_exact(ID_ENTRY) {
                    let place = number(entry, 4).map_or(0, u32::from_le_bytes);
                    if best.len() < limit {
                        best.push(place);
                    } else if best.peek().is_some_and(|worst| place < *worst) {
                        best.pop();
                        best.push(place);
                    }
                }
            }
            size *= 10;
        }
        Ok(best.into_sorted_vec())
    }

    /// Returns at most `limit` matches, and at most [`MAX_FOUND`]. Names with more whole words of the query come first; a whole word of the
    /// surname counts as one more. Otherwise higher ratings come first.
    ///
    /// # Errors
    /// Fails if the index cannot be read.
    pub fn search(&self, query: &Query, limit: usize) -> io::Result<Vec<ListedPlayer>> {
        let limit = limit.min(MAX_FOUND);
        if let Some(prefix) = &query.number {
            let places = self.by_number(prefix, limit)?;
            return places.into_iter().map(|place| self.at(place)).collect();
        }
        let mut found = scan::BestLines::new(limit);
        for pattern in &query.patterns {
            let mut words = Vec::new();
            for (nth, block) in self.blocks.iter().enumerate() {
                words.resize(usize::try_from(block.words).unwrap_or(0), 0);
                self.source.read_at(block.at, &mut words)?;
                pattern.scan(&words, nth, &mut found);
                if found.is_full(pattern) {
                    break;
                }
            }
        }
        let best = found.best();
        best.into_iter()
            .map(|(block, line)| self.in_block(block, line))
            .collect()
    }

    fn at(&self, place: u32) -> io::Result<ListedPlayer> {
        let place = usize::try_from(place).map_err(io::Error::other)?;
        self.in_block(place / BLOCK, place % BLOCK)
    }

    fn in_block(&self, block: usize, line: usize) -> io::Result<ListedPlayer> {
        let damaged = || {
            let why = "the FIDE list is damaged: import it again";
            io::Error::new(io::ErrorKind::InvalidData, why)
        };
        let block = self.blocks.get(block).ok_or_else(damaged)?;
        let mut records = vec![0; usize::try_from(block.records).unwrap_or(0)];
        let at = block.at + u64::from(block.words);
        self.source.read_at(at, &mut records)?;
        let line = records.split(|byte| *byte == b'\n').nth(line);
        let line = line.and_then(|line| std::str::from_utf8(line).ok());
        line.and_then(player).ok_or_else(damaged)
    }
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}
