//! The engine: replays a corpus, mutates its inputs, and keeps those that lead to a new kind of result.
//!
//! Owns the pool of inputs and the limits of one execution. Must give the same inputs for the same seed and number of executions.

use std::collections::HashSet;
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::mutate::{mutated, words};
use super::{Fingerprint, Target, escaped};
use crate::stopwatch::{Stopwatch, cpu_us};

/// The maximum processor time for one input, µs. The slowest input in any corpus takes a few milliseconds.
const SLOWEST_US: i64 = 2_000_000;
/// An execution that takes longer than this counts as a hang.
const HANG: Duration = Duration::from_secs(60);
const MAX_INPUTS: usize = 4_000;
const MAX_POOL_BYTES: usize = 4 << 20;

#[derive(Clone, Copy, Debug)]
pub enum Budget {
    Executions(u64),
    Time(Duration),
}

#[derive(Debug)]
pub struct Fuzzed {
    pub executions: u64,
    pub answers: usize,
    /// The processor time of the slowest execution, µs.
    pub slowest_us: i64,
    /// The mutated inputs whose results were of a new kind, in the order in which they were found; at most `MAX_INPUTS`.
    pub found: Vec<Vec<u8>>,
}

#[derive(Debug, thiserror::Error)]
#[error("{target}: {what}: SEED={seed}, input {}", escaped(input))]
pub struct Crash {
    pub target: &'static str,
    /// The panic message, or the processor time if that was above the limit.
    pub what: String,
    pub seed: u64,
    pub input: Vec<u8>,
}

/// Decodes each input once, without mutations.
pub fn replay(target: &Target, inputs: &[Vec<u8>]) -> Result<Fuzzed, Crash> {
    let mut engine = Engine::new(target, 0);
    for input in inputs {
        engine.execute(input)?;
    }
    Ok(engine.fuzzed())
}

/// Replays the target's seeds and `corpus`, then decodes mutated inputs until the budget is used up.
pub fn fuzz(
    target: &Target,
    corpus: &[Vec<u8>],
    seed: u64,
    budget: Budget,
) -> Result<Fuzzed, Crash> {
    let mut engine = Engine::new(target, seed);
    let started = Stopwatch::start();
    let mut known = (target.seeds)();
    known.extend_from_slice(corpus);
    let words = words(&known);
    for input in known {
        engine.execute(&input)?;
        engine.keep(input);
    }
    engine.found.clear();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    while engine.goes_on(budget, started) {
        let input = mutated(&mut random, &engine.pool, &words, target.longest);
        if engine.execute(&input)? {
            if engine.found.len() < MAX_INPUTS {
                engine.found.push(input.clone());
            }
            if engine.is_full() {
                let gone = random.random_range(0..engine.pool.len());
                engine.pool_bytes -= engine.pool.swap_remove(gone).len();
            }
            engine.keep(input);
        }
    }
    Ok(engine.fuzzed())
}

struct Engine<'a> {
    target: &'a Target,
    seed: u64,
    pool: Vec<Vec<u8>>,
    pool_bytes: usize,
    answers: HashSet<Fingerprint>,
    executions: u64,
    slowest_us: i64,
    found: Vec<Vec<u8>>,
    watchdog: Watchdog,
}

impl<'a> Engine<'a> {
    fn new(target: &'a Target, seed: u64) -> Self {
        Self {
            target,
            seed,
            pool: Vec::new(),
            pool_bytes: 0,
            answers: HashSet::new(),
            executions: 0,
            slowest_us: 0,
            found: Vec::new(),
            watchdog: Watchdog::start(target.name),
        }
    }

    fn keep(&mut self, input: Vec<u8>) {
        self.pool_bytes += input.len();
        self.pool.push(input);
    }

    fn is_full(&self) -> bool {
        self.pool.len() >= MAX_INPUTS || self.pool_bytes >= MAX_POOL_BYTES
    }

    fn goes_on(&self, budget: Budget, started: Stopwatch) -> bool {
        match budget {
            Budget::Executions(most) => self.executions < most,
            Budget::Time(most) => started.elapsed() < most,
        }
    }

    /// Decodes an input. Returns true if the result is of a new kind.
    fn execute(&mut self, input: &[u8]) -> Result<bool, Crash> {
        let crash = |what| Crash {
            target: self.target.name,
            what,
            seed: self.seed,
            input: input.to_vec(),
        };
        self.watchdog.watch(input);
        let before = cpu_us();
        let decode = self.target.decode;
        let answer = catch_unwind(|| decode(input)).map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            crash(format!("panic: {}", text.unwrap_or("without a message")))
        })?;
        let taken = cpu_us() - before;
        self.watchdog.rest();
        if taken > SLOWEST_US {
            return Err(crash(format!("took {taken} µs")));
        }
        self.executions += 1;
        self.slowest_us = self.slowest_us.max(taken);
        Ok(self.answers.insert(answer))
    }

    fn fuzzed(self) -> Fuzzed {
        Fuzzed {
            executions: self.executions,
            answers: self.answers.len(),
            slowest_us: self.slowest_us,
            found: self.found,
        }
    }
}

/// A watchdog that ends the process if a decoder does not return: a thread cannot be stopped from outside.
struct Watchdog(Arc<Mutex<Watched>>);

#[derive(Default)]
struct Watched {
    input: Vec<u8>,
    /// The stopwatch of the current execution; `None` between executions.
    since: Option<Stopwatch>,
}

impl Watchdog {
    fn start(target: &'static str) -> Self {
        let watched = Arc::<Mutex<Watched>>::default();
        let weak = Arc::downgrade(&watched);
        std::thread::spawn(move || {
            while let Some(watched) = weak.upgrade() {
                let watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
                if watched.since.is_some_and(|since| since.elapsed() > HANG) {
                    let input = escaped(&watched.input);
                    eprintln!("{target}: does not return after {HANG:?}: input {input}");
                    std::process::abort();
                }
                drop(watched);
                std::thread::park_timeout(Duration::from_millis(200));
            }
        });
        Self(watched)
    }

    fn watch(&self, input: &[u8]) {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watched.input.clear();
        watched.input.extend_from_slice(input);
        watched.since = Some(Stopwatch::start());
    }

    fn rest(&self) {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watched.since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Imitates a faulty decoder. To trigger the fault, the engine must find three new kinds of results in turn, each from a mutation of the
    /// previous input.
    fn faulty(input: &[u8]) -> Fingerprint {
        let depth = input.iter().zip(b"BUG!").take_while(|(a, b)| a == b);
        let depth = depth.count();
        assert!(depth < 4, "found it");
        Fingerprint::new().size(1 << depth)
    }

    fn target() -> Target {
        Target {
            name: "faulty",
            decode: faulty,
            seeds: || vec![b"....".to_vec()],
            longest: 16,
        }
    }

    #[test]
    fn a_fault_behind_several_steps_is_found_and_its_input_repeats_it() {
        let crash = fuzz(&target(), &[], 1, Budget::Executions(3_000_000)).unwrap_err();
        assert!(crash.input.starts_with(b"BUG!"), "{crash}");
        assert!(crash.to_string().contains("panic: found it: SEED=1"));
        assert!(replay(&target(), &[crash.input]).is_err());
    }

    #[test]
    fn a_budget_ends_a_run_and_a_seed_repeats_it() {
        let run = |seed| fuzz(&target(), &[], seed, Budget::Executions(500)).unwrap();
        let (first, again) = (run(7), run(7));
        assert_eq!(first.executions, 500);
        assert_eq!((first.answers, first.found), (again.answers, again.found));
        let short = fuzz(&target(), &[], 7, Budget::Time(Duration::ZERO)).unwrap();
        assert_eq!(short.executions, 1);
    }
}
