//! A generated rating list of any size, identical for the same size and seed. Its names are built from syllables and, like real ones, spread
//! unevenly over initials, surnames and federations. Owns the text layout of FIDE's combined list.

use std::io::{self, Write};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const HEADINGS: &str = "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag";
/// First syllables of names. This list and the two below begin with the most frequent syllables.
const STARTS: [&str; 24] = [
    "Ma", "Sa", "Ka", "Al", "Mo", "An", "Ra", "Be", "Ha", "Pe", "Lu", "Vi", "Ste", "Gro", "De",
    "Ta", "No", "Ri", "Ju", "Ol", "Fi", "We", "Yo", "Zu",
];
const MIDDLES: [&str; 20] = [
    "ri", "na", "la", "ro", "mi", "da", "ko", "le", "se", "ve", "ti", "ba", "nu", "ge", "pha",
    "lo", "wi", "cho", "xe", "zy",
];
const ENDS: [&str; 20] = [
    "n", "a", "o", "ov", "ez", "ski", "sen", "er", "i", "ic", "s", "man", "ard", "ung", "ell",
    "eau", "off", "ini", "ka", "quist",
];
/// Fictitious federations, the largest first.
const FEDERATIONS: [&str; 12] = [
    "QAA", "QBB", "QCC", "QDD", "QEE", "QFF", "QGG", "QHH", "QII", "QJJ", "QKK", "QLL",
];

pub fn write(mut to: impl Write, players: u32, seed: u64) -> io::Result<()> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    write!(to, "{HEADINGS}\r\n")?;
    for nth in 0..players {
        let name = format!("{}, {}", word(&mut random), word(&mut random));
        let federation = FEDERATIONS[uneven(&mut random, FEDERATIONS.len())];
        let rated = random.random_bool(0.4);
        let mut rating = || {
            if rated {
                random.random_range(1_400..2_400)
            } else {
                0
            }
        };
        let (standard, rapid, blitz) = (rating(), rating(), rating());
        let born = random.random_range(1_940..2_018);
        let id = id(nth);
        write!(
            to,
            "{id:<15}{name:<61}{federation:<4}{:<4}{:<5}{:<5}{:<15}{:<4}{standard:<6}0   20 {rapid:<6}0   20 {blitz:<6}0   20 {born:<6}    \r\n",
            if nth % 8 == 0 { 'F' } else { 'M' },
            "",
            "",
            "",
            "",
        )?;
    }
    Ok(())
}

/// Returns the FIDE ID of the list's `nth` player, counted from 0.
#[must_use]
pub fn id(nth: u32) -> u32 {
    900_000_000 + nth.wrapping_mul(37) % 99_999_989
}

pub fn word(random: &mut ChaCha8Rng) -> String {
    let start = STARTS[uneven(random, STARTS.len())];
    let middle = MIDDLES[uneven(random, MIDDLES.len())];
    let more = MIDDLES[random.random_range(0..MIDDLES.len())];
    let end = ENDS[uneven(random, ENDS.len())];
    match random.random_range(0..3) {
        0 => format!("{start}{end}"),
        1 => format!("{start}{middle}{end}"),
        _ => format!("{start}{middle}{more}{end}"),
    }
}

/// Draws an index below `length`. Lower indices are more frequent.
fn uneven(random: &mut ChaCha8Rng, length: usize) -> usize {
    let one = random.random_range(0..length);
    one.min(random.random_range(0..length))
}
