//! The gain from a lie, and its detection: reported presses are compared with the true ones, which only the simulator knows. Owns the measurements
//! of gains and delays and the check of proofs; changes nothing in the hall.

use clock_agent::core::signer::{verify_hash, verify_hash_watermark};
use hall::{EventFact, SignedEvent, SignedPromise};
use proto::ids::AgentId;
use proto::log::{self, Record, record};
use proto::wire::Event as WireEvent;
use timing::{Board, BoardClock, BoardState, Duration, Fact, Hub, Instant, Snapshot};

use super::World;
use super::check::NOTE_REPEATS;

/// The value of [`Reported::width`] if it is unknown. Until the first time exchange of a run, the hub knows the offset only from events, each of
/// which may have been delayed.
const NO_EXCHANGE: Duration = Duration::from_secs(8);
/// The maximum time for a hello to reach the hub, plus the most that a crystal can run ahead until the first exchange.
const GREETING: Duration = Duration::from_secs(1);
const ROUNDING_US: i64 = 5;

#[derive(Clone, Debug)]
pub(super) struct Reported {
    agent: usize,
    seq: u64,
    stamp: Instant<Board>,
    /// The time up to which the board's clock is settled.
    settled: Instant<Board>,
    now: Instant<Board>,
    /// Board time that the clock would show when the press arrives if the machine had never stopped.
    passed: Instant<Board>,
    /// The maximum error of the hub's estimate of board time when the press arrives.
    width: Duration,
    /// The hub must note a report that arrives later than this after its stamp.
    limit: Duration,
    /// A report that arrives within this time of its stamp is certainly not late.
    in_time: Duration,
    /// The latest instant of the clock's watermarks that count only events before this press.
    word: Option<Instant<Board>>,
}

/// Checks a watermark's signature, which simulated agents replace with a hash.
pub(crate) fn signed_by_hash(agent: &AgentId, promise: &SignedPromise) -> bool {
    let SignedPromise { at, seq, signature } = promise;
    verify_hash_watermark(at.as_micros(), seq.0, signature, agent)
}

impl World {
    /// Measures a press before the hub receives it. Returns `None` if the press cannot be judged, for example because its board is not running.
    pub(super) fn reported(
        &self,
        agent: usize,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> Option<Reported> {
        let machine = &self.agents[agent];
        let hall = self.hub.hall.as_ref()?;
        let known = self.hub.taken[agent] >= machine.jumped && !machine.bad_crystal;
        let next = event.seq.0 == self.hub.taken[agent] + 1;
        if !known
            || !next
            || !machine.runs(self.now)
            || !matches!(event.fact, EventFact::Players(Fact::Pressed(_)))
        {
            return None;
        }
        let board = hall.keeps(&machine.id)?;
        let bytes = hall.clock_bytes(board.as_str())?;
        let snapshot = Snapshot::from_bytes(&bytes).ok()?;
        let clock = BoardClock::from_snapshot(&snapshot).ok()?;
        if !matches!(clock.state(), BoardState::Running { .. }) {
            return None;
        }
        let mapped = hall
            .offset_estimate(&machine.id)
            .and_then(|estimate| Some((estimate.to_hub(event.at)?, estimate.to_board(received)?)));
        let width = mapped.map_or(NO_EXCHANGE, |(hub, board)| {
            (hub.hi - hub.lo).max(board.hi - board.lo)
        });
        let spoken = self.watermarks[agent]
            .range(..event.seq.0)
            .map(|(_, at)| *at)
            .max();
        Some(Reported {
            agent,
            seq: event.seq.0,
            stamp: event.at,
            settled: clock.now(),
            now: machine.board_now(self.now),
            passed: machine.ideal_now(self.now).max(machine.board_now(self.now)),
            width,
            limit: hall.report_limit(&machine.id, false),
            in_time: hall.report_limit(&machine.id, true),
            word: spoken,
        })
    }

    /// Checks the time at which the hub counted the press, and the gain if the press was a lie.
    pub(super) fn check_report(&mut self, reported: &Reported, records: &[Record]) {
        let Some(counted) = records.iter().find_map(counted) else {
            return;
        };
        self.check_gap(reported);
        let at = counted.map_or(reported.stamp, Instant::from_micros);
        if at < reported.settled {
            // The press arrived after its time was settled, and changed nothing.
            return;
        }
        // A press that counts at the settled time gains nothing. The event that advanced the settled time was checked when it arrived.
        let late = if at == reported.settled {
            Duration::ZERO
        } else if reported.width == NO_EXCHANGE {
            // The hub has only the clock's hello and its own time, so it cannot know how long the machine was stopped.
            at - reported.passed - GREETING
        } else {
            at - reported.now - reported.width
        };
        if late.as_micros() > ROUNDING_US {
            return self.fail(format!(
                "event {} of agent {} counts {late} after it was heard",
                reported.seq, reported.agent
            ));
        }
        let Some(liar) = &self.agents[reported.agent].liar else {
            if counted.is_some() && reported.word.is_none_or(|word| reported.stamp >= word) {
                let agent = reported.agent;
                self.fail(format!("an honest press of agent {agent} was moved"));
            }
            return;
        };
        let lie_us = liar.lie_us(reported.seq);
        if lie_us == 0 {
            return;
        }
        let truth_us = reported.stamp.as_micros() + lie_us;
        let gain_us = truth_us - at.as_micros();
        let since = reported.word.unwrap_or(reported.settled);
        // A power cut may have set the clock back behind its watermark. In that case a lie gains nothing, and the gap is zero.
        let gap_us = (reported.now - since.max(reported.settled))
            .or_zero()
            .as_micros();
        self.tally.gained(gain_us, gain_us - gap_us);
        if gain_us > gap_us {
            self.fail(format!(
                "a lie of agent {} gains {gain_us} µs, above the {gap_us} µs since its last promised or settled time",
                reported.agent
            ));
        }
    }

    /// Remembers that the hub has noted a run of late presses. This includes runs whose first press was not measured because board time jumped.
    pub(super) fn keep_late_note(&mut self, agent: usize, records: &[Record]) {
        // A notice repeated within a minute is only counted, and logged when the count has doubled.
        let before = self.noted.get(&("late_report".to_owned(), Some(agent)));
        let repeated = before.is_some_and(|at| self.now - at < NOTE_REPEATS);
        self.late_run[agent] |= repeated || noted(records, "late_report");
    }

    /// Checks that the hub notes a press that arrives later than the limit, either individually or as part of a noted, unbroken run.
    fn check_gap(&mut self, reported: &Reported) {
        let agent = reported.agent;
        let delay = reported.now - reported.stamp;
        if reported.width == NO_EXCHANGE {
            // The hub may note only what the log proves, and without an exchange the log does not prove the delay.
            return;
        }
        if delay - reported.width > reported.limit {
            *self.tally.lies.entry("gap over the limit").or_default() += 1;
            if self.late_run[agent] {
                *self.tally.noted.entry("gap over the limit").or_default() += 1;
            } else {
                self.fail(format!(
                    "event {} of agent {agent} was heard {delay} after its stamp, above {}, but nothing was noted",
                    reported.seq, reported.limit
                ));
            }
        } else if delay + reported.width < reported.in_time {
            self.late_run[agent] = false;
        }
    }

    /// Checks that the log holds both sides of a broken watermark or a contradicting event, as proof that anyone can verify.
    pub(super) fn check_proof(&mut self, agent: usize, records: &[Record]) {
        *self
            .tally
            .lies
            .entry("contradiction in signed words")
            .or_default() += 1;
        let id = self.agents[agent].id;
        let proof = records.iter().find_map(|record| match &record.input {
            Some(record::Input::Equivocation(said)) => Some(said),
            _ => None,
        });
        match proof {
            Some(said) if proves(said, &id) => {
                *self
                    .tally
                    .noted
                    .entry("contradiction in signed words")
                    .or_default() += 1;
            }
            Some(_) => self.fail(format!("a proof against agent {agent} does not hold")),
            None => self.fail(format!(
                "agent {agent} contradicted a signed statement, but nothing proves it"
            )),
        }
    }

    /// Returns true if a liar signs a different event in place of a recent one that the current hall has accepted.
    pub(super) fn tells_twice(&self, agent: usize, event: &SignedEvent) -> bool {
        let (taken, seq) = (self.hub.taken[agent], event.seq.0);
        let at_hand = seq <= taken && seq + 8 > taken && seq > self.hub.began[agent];
        let liar = self.agents[agent].liar.as_ref();
        at_hand && liar.is_some_and(|liar| liar.contradicts(seq, &event.hash))
    }

    /// Returns true if a watermark names an instant that is certainly in the future; the hub does not trust such a watermark.
    pub(super) fn lies_ahead(
        &self,
        agent: usize,
        at: Instant<Board>,
        received: Instant<Hub>,
    ) -> bool {
        let hall = self.hub.hall.as_ref();
        let estimate = hall.and_then(|hall| hall.offset_estimate(&self.agents[agent].id));
        let mapped = estimate.and_then(|estimate| estimate.to_hub(at));
        mapped.is_some_and(|mapped| mapped.lo > received)
    }

    pub(super) fn record_watermark(&mut self, agent: usize, mark: Option<(Instant<Board>, u64)>) {
        if let Some((at, seq)) = mark {
            let newest = self.watermarks[agent].entry(seq).or_insert(at);
            *newest = at.max(*newest);
        }
    }
}

/// Returns `None` if the record does not accept an event. Otherwise, returns the time at which the event counts, if it differs from the event's
/// stamp.
fn counted(record: &Record) -> Option<Option<i64>> {
    match &record.input {
        Some(record::Input::AgentEvent(event)) => Some(event.counts_at_us),
        _ => None,
    }
}

fn noted(records: &[Record], kind: &str) -> bool {
    records
        .iter()
        .any(|record| matches!(&record.input, Some(record::Input::Note(note)) if note.kind == kind))
}

fn proves(said: &log::Equivocation, id: &AgentId) -> bool {
    let signed = |body: &[u8], signature: &[u8]| {
        let (body, signature) = (body.to_vec(), signature.to_vec());
        verify_hash(&WireEvent { body, signature }, id)
    };
    let other = match &said.watermark {
        Some(word) => verify_hash_watermark(word.at_us, word.seq, &word.signature, id),
        None => signed(&said.other_body, &said.other_signature),
    };
    signed(&said.body, &said.signature) && other
}
