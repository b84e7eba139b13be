//! Mutations of an input: bits, bytes, numbers, lines, words, and parts of different inputs.
//!
//! Owns the choice of mutations. Must not know any input format.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

/// Boundary bytes, at which decoders are likely to behave differently.
const EDGES: [u8; 12] = [
    0, 1, 0x7f, 0x80, 0xff, b' ', b'\n', b'\r', b',', b'"', b'-', b'0',
];
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "0.000001",
];
const TEXTS: [&str; 8] = [
    "\u{feff}",
    "\u{202e}",
    "é",
    "\u{1b}[31m",
    "½",
    "\r\n\r\n",
    "..",
    "\u{0}",
];

/// Returns a mutated input of at most `longest` bytes.
pub(super) fn mutated(
    random: &mut ChaCha8Rng,
    pool: &[Vec<u8>],
    words: &[Vec<u8>],
    longest: usize,
) -> Vec<u8> {
    let mut input = pick(random, pool).cloned().unwrap_or_default();
    for _ in 0..1 << random.random_range(0..4) {
        mutate(random, &mut input, pool, words);
    }
    input.truncate(longest);
    input
}

fn mutate(random: &mut ChaCha8Rng, input: &mut Vec<u8>, pool: &[Vec<u8>], words: &[Vec<u8>]) {
    let at = random.random_range(0..=input.len());
    match random.random_range(0..12) {
        0 | 1 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.random_range(0..8);
            }
        }
        2 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = byte.wrapping_add(random.random_range(1..=255));
            }
        }
        3 => {
            let edge = EDGES[random.random_range(0..EDGES.len())];
            match input.get_mut(at) {
                Some(byte) => *byte = edge,
                None => input.push(edge),
            }
        }
        4 => insert(input, at, &bytes(random)),
        5 => drop(input.drain(range(random, input.len(), at))),
        6 => {
            let part = input[range(random, input.len(), at)].to_vec();
            let place = random.random_range(0..=input.len());
            insert(input, place, &part);
        }
        7 => {
            if let Some(other) = pick(random, pool) {
                let from = random.random_range(0..=other.len());
                let part = &other[range(random, other.len(), from)];
                insert(input, at, part);
            }
        }
        8 => number(random, input, at),
        9 => insert(
            input,
            at,
            TEXTS[random.random_range(0..TEXTS.len())].as_bytes(),
        ),
        10 => {
            if let Some(word) = pick(random, words) {
                insert(input, at, word);
            }
        }
        _ => lines(random, input),
    }
}

fn pick<'a>(random: &mut ChaCha8Rng, from: &'a [Vec<u8>]) -> Option<&'a Vec<u8>> {
    from.get(random.random_range(0..from.len().max(1)))
}

fn bytes(random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = vec![0; random.random_range(1..=16)];
    random.fill(&mut bytes[..]);
    bytes
}

fn insert(input: &mut Vec<u8>, at: usize, part: &[u8]) {
    input.splice(at..at, part.iter().copied());
}

/// Returns a usually short range that starts at `at` and ends within `length`.
fn range(random: &mut ChaCha8Rng, length: usize, at: usize) -> std::ops::Range<usize> {
    let most = 1 << random.random_range(0..10);
    at..(at + random.random_range(0..=most)).min(length)
}

/// Replaces the first run of digits at or after `at`, if any.
fn number(random: &mut ChaCha8Rng, input: &mut Vec<u8>, at: usize) {
    let digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = input[at..].iter().position(digit).map(|found| at + found) else {
        return;
    };
    let end = input[start..].iter().position(|byte| !digit(byte));
    let end = end.map_or(input.len(), |found| start + found);
    let number = NUMBERS[random.random_range(0..NUMBERS.len())];
    input.splice(start..end, number.bytes());
}

/// Moves a random line to a random place.
fn lines(random: &mut ChaCha8Rng, input: &mut Vec<u8>) {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.len() > 1 {
        let moved = lines.remove(random.random_range(0..lines.len()));
        lines.insert(random.random_range(0..=lines.len()), moved);
        *input = lines.concat();
    }
}

/// Returns at most 2,000 of the inputs' words, which mutations insert in other places.
pub(super) fn words(inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    const LONGEST: usize = 40;
    const MAX_WORDS: usize = 2_000;
    let parts = inputs
        .iter()
        .flat_map(|input| input.split(|byte| !byte.is_ascii_alphanumeric()));
    let mut words: Vec<Vec<u8>> = parts
        .filter(|word| (2..=LONGEST).contains(&word.len()))
        .map(<[u8]>::to_vec)
        .collect();
    words.sort();
    words.dedup();
    words.truncate(MAX_WORDS);
    words
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn inputs_change_stay_within_their_bound_and_repeat_with_the_seed() {
        let pool = vec![b"one 1\ntwo 22\nthree 333\n".to_vec(), Vec::new()];
        let words = words(&pool);
        assert_eq!(words.len(), 5);
        let all = |seed| -> Vec<Vec<u8>> {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            (0..2_000)
                .map(|_| mutated(&mut random, &pool, &words, 100))
                .collect()
        };
        let first = all(1);
        assert!(first.iter().all(|input| input.len() <= 100));
        let mut different = first.clone();
        different.sort();
        different.dedup();
        assert!(different.len() > 1_000, "{}", different.len());
        assert_eq!(first, all(1));
        assert_ne!(first, all(2));
    }
}
