//! FIDE's rating list with a million generated players: import, search by FIDE ID and by name, and memory.
//!
//! `cargo bench -p tests --bench fide_list` prints each bar with its value and limit. It fails if a limit is exceeded, or if the searches of a kind
//! find an implausible number of players. A number as an argument sets the number of players.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::fs::{self, File};
use std::io::{BufWriter, Read as _};
use std::process::ExitCode;

use anyhow::Context as _;
use hub::fide_list::index::Query;
use hub::fide_list::{FideListStore, Index};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tests::fide_list::{id, word, write};
use tests::stopwatch::{Stopwatch, cpu_us};

const PLAYERS: u32 = 1_000_000;
const SEED: u64 = 2026;
const SEARCHES: usize = 300;
const LIMIT_US: i64 = 50_000;
const MEMORY_LIMIT_KIB: i64 = 30 * 1_024;
const SHOWN: usize = 20;

fn main() -> anyhow::Result<ExitCode> {
    let count = std::env::args().skip(1).find_map(|text| text.parse().ok());
    let count = count.unwrap_or(PLAYERS);
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("players_list_foa.txt");
    write(BufWriter::new(File::create(&path)?), count, SEED)?;
    let before = resident_kib("VmRSS")?;
    let store = FideListStore::open(directory.path());
    let watch = Stopwatch::start();
    upload(&store, &path)?;
    let seconds = watch.elapsed_us() / 1_000_000;
    println!("import of {count} players: {seconds} s");
    println!(
        "peak memory so far: {} MiB above the start",
        (resident_kib("VmHWM")? - before) / 1_024
    );
    // Reopen the store, as a restarted hub does.
    drop(store);
    let store = FideListStore::open(directory.path());
    let index = store.index().context("the list that was imported")?;
    let mut met = true;
    let mut random = ChaCha8Rng::seed_from_u64(SEED + 1);
    for kind in KINDS {
        met &= searches(&index, kind, count, &mut random)?;
    }
    let grown = resident_kib("VmRSS")? - before;
    let kept = grown <= MEMORY_LIMIT_KIB;
    println!(
        "memory with the list: {:.1} MiB (limit {} MiB) {}",
        kib_as_mib(grown),
        MEMORY_LIMIT_KIB / 1_024,
        word_for(kept)
    );
    Ok(if met && kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[derive(Clone, Copy)]
enum Kind {
    Number,
    NumberBegun,
    OneLetter,
    TwoLetters,
    Surname,
    SurnameAndInitial,
    BothReversed,
    Federation,
    TwoLettersAndFederation,
    NoMatch,
}

const KINDS: [Kind; 10] = [
    Kind::Number,
    Kind::NumberBegun,
    Kind::OneLetter,
    Kind::TwoLetters,
    Kind::Surname,
    Kind::SurnameAndInitial,
    Kind::BothReversed,
    Kind::Federation,
    Kind::TwoLettersAndFederation,
    Kind::NoMatch,
];

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Number => "by number",
            Self::NumberBegun => "by a number's beginning",
            Self::OneLetter => "by one letter",
            Self::TwoLetters => "by two letters",
            Self::Surname => "by a name",
            Self::SurnameAndInitial => "by a name and an initial",
            Self::BothReversed => "by a name and the start of another",
            Self::Federation => "by a letter in a small federation",
            Self::TwoLettersAndFederation => "by two words of two letters in a federation",
            Self::NoMatch => "by a name without a match",
        }
    }

    /// Returns a random query of this kind, and the federation to search; an empty string means all federations.
    fn query(self, count: u32, random: &mut ChaCha8Rng) -> (String, &'static str) {
        let (one, other) = (word(random), word(random));
        let begun = |word: &str, letters: usize| word.chars().take(letters).collect::<String>();
        match self {
            Self::Number => (id(random.random_range(0..count)).to_string(), ""),
            Self::NumberBegun => {
                let id = id(random.random_range(0..count)).to_string();
                (begun(&id, random.random_range(3..9)), "")
            }
            Self::OneLetter => (begun(&one, 1), ""),
            Self::TwoLetters => (begun(&one, 2), ""),
            Self::Surname => (one, ""),
            Self::SurnameAndInitial => (format!("{one} {}", begun(&other, 1)), ""),
            Self::BothReversed => (format!("{}, {one}", begun(&other, 3)), ""),
            Self::Federation => (begun(&one, 1), "QLL"),
            Self::TwoLettersAndFederation => {
                (format!("{} {}", begun(&one, 2), begun(&other, 2)), "QAA")
            }
            Self::NoMatch => (format!("{one}xyz"), ""),
        }
    }
}

fn searches(
    index: &Index<File>,
    kind: Kind,
    count: u32,
    random: &mut ChaCha8Rng,
) -> anyhow::Result<bool> {
    // The bar judges CPU time, because other programs would distort the elapsed time.
    let (mut taken, mut waited) = (Vec::new(), Vec::new());
    let mut found = 0;
    for _ in 0..SEARCHES {
        let (text, federation) = kind.query(count, random);
        let (watch, began) = (Stopwatch::start(), cpu_us());
        found += match kind {
            Kind::Number => usize::from(index.by_id(text.parse()?)?.is_some()),
            Kind::NumberBegun
            | Kind::OneLetter
            | Kind::TwoLetters
            | Kind::Surname
            | Kind::SurnameAndInitial
            | Kind::BothReversed
            | Kind::Federation
            | Kind::TwoLettersAndFederation
            | Kind::NoMatch => {
                let query = Query::new(&text, federation).context("a query has words")?;
                index.search(&query, SHOWN)?.len()
            }
        };
        taken.push(cpu_us() - began);
        waited.push(watch.elapsed_us());
    }
    taken.sort_unstable();
    waited.sort_unstable();
    let at = |of: &[i64], percent: usize| {
        let nth = of.len() * percent / 100;
        of.get(nth).copied().unwrap_or(i64::MAX)
    };
    let right = match kind {
        Kind::Number => found == SEARCHES,
        Kind::NoMatch => found == 0,
        Kind::NumberBegun
        | Kind::OneLetter
        | Kind::TwoLetters
        | Kind::Surname
        | Kind::SurnameAndInitial
        | Kind::BothReversed
        | Kind::Federation
        | Kind::TwoLettersAndFederation => found > SEARCHES,
    };
    let met = at(&taken, 99) <= LIMIT_US && right;
    println!(
        "search {}: processor p50 {:.1} ms, p99 {:.1} ms of {} ms (with waiting {:.1} ms), {found} found {}",
        kind.name(),
        us_as_ms(at(&taken, 50)),
        us_as_ms(at(&taken, 99)),
        LIMIT_US / 1_000,
        us_as_ms(at(&waited, 99)),
        word_for(met)
    );
    Ok(met)
}

fn upload(store: &FideListStore, path: &std::path::Path) -> anyhow::Result<()> {
    let mut file = File::open(path)?;
    let mut offset = 0;
    loop {
        let mut piece = Vec::new();
        file.by_ref().take(2 << 20).read_to_end(&mut piece)?;
        if piece.is_empty() {
            break;
        }
        store.upload([1; 16], offset, &piece)?;
        offset += u64::try_from(piece.len())?;
    }
    store.import_upload([1; 16], "players_list_foa.txt", 0, false)?;
    Ok(())
}

/// Returns a field of `/proc/self/status`, in KiB.
fn resident_kib(field: &str) -> anyhow::Result<i64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|line| {
        line.trim_matches([':', ' ', '\t'])
            .split_whitespace()
            .next()
    });
    Ok(number
        .context("no memory figure in /proc/self/status")?
        .parse()?)
}

fn word_for(met: bool) -> &'static str {
    if met { "ok" } else { "MISSED" }
}

#[expect(clippy::cast_precision_loss, reason = "for printing")]
fn us_as_ms(us: i64) -> f64 {
    us as f64 / 1_000.0
}

#[expect(clippy::cast_precision_loss, reason = "for printing")]
fn kib_as_mib(kib: i64) -> f64 {
    kib as f64 / 1_024.0
}
