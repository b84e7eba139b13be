//! An agent whose firmware was changed: between the real core and the air sits somebody who makes another chain of it, with presses
//! earlier than they were, later than they can be, told twice, or another past. Owns the lies; whether they are found out is the hub's affair.

use clock_agent::core::AgentCore;
use clock_agent::core::signer::Signer;
use prost::Message as _;
use proto::chain::{ChainHash, chain_hash, genesis};
use proto::ids::AgentId;
use proto::wire::{AgentFrame, Event, EventBody, HubFrame, agent_frame, event_body, hub_frame};

use super::random::Random;
use super::tally::Tally;

/// How one lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Presses are said to have been earlier.
    BackDates,
    /// Presses are said to have been later than now.
    PostDates,
    /// Old events are told again.
    Replays,
    /// The greeting names another past.
    Equivocates,
    /// Presses are said to have been earlier, and no watermark is ever sent.
    KeepsSilent,
}

/// A liar.
#[derive(Debug)]
pub(super) struct Liar {
    pub(super) style: Style,
    signer: Signer,
    random: Random,
    genesis: ChainHash,
    /// What was told, from event 1.
    told: Vec<Told>,
}

#[derive(Debug)]
struct Told {
    event: Event,
    hash: ChainHash,
    at_us: i64,
    /// The hash of what the core made.
    true_hash: ChainHash,
    /// How much earlier it was said to have been, microseconds.
    lie_us: i64,
}

impl Liar {
    /// A liar with the keys of an agent.
    pub(super) fn new(agent: AgentId, origin: &str, random: &mut Random) -> Self {
        let style = random.pick(&[
            Style::BackDates,
            Style::PostDates,
            Style::Replays,
            Style::Equivocates,
            Style::KeepsSilent,
        ]);
        Self {
            style,
            signer: Signer::Hash(agent),
            random: random.clone(),
            genesis: genesis(origin, &agent),
            told: Vec::new(),
        }
    }

    /// By how much event `seq` was said to be earlier than it was, microseconds.
    pub(super) fn lie_us(&self, seq: u64) -> i64 {
        let index = usize::try_from(seq.saturating_sub(1)).unwrap_or(usize::MAX);
        self.told.get(index).map_or(0, |told| told.lie_us)
    }

    /// What is sent in the place of what the core says.
    pub(super) fn speak(&mut self, frame: AgentFrame, tally: &mut Tally) -> Vec<AgentFrame> {
        match frame.frame {
            Some(agent_frame::Frame::Hello(mut hello)) => {
                let reached = usize::try_from(hello.next_seq - 1).unwrap_or(usize::MAX);
                self.told.truncate(reached);
                if let Some(last) = self.told.last().filter(|_| reached > 0) {
                    hello.head = last.hash.to_vec();
                }
                if self.style == Style::Equivocates && reached > 0 && self.random.chance(0.4) {
                    tally.fault("liar greets with another past");
                    hello.head = self.random.bytes::<32>().to_vec();
                }
                vec![hello.into()]
            }
            Some(agent_frame::Frame::Event(event)) => self.tell(event, tally),
            Some(agent_frame::Frame::Watermark(_)) if self.style == Style::KeepsSilent => {
                Vec::new()
            }
            other => vec![AgentFrame { frame: other }],
        }
    }

    fn tell(&mut self, event: Event, tally: &mut Tally) -> Vec<AgentFrame> {
        let Ok(mut body) = EventBody::decode(event.body.as_slice()) else {
            return Vec::new();
        };
        let index = usize::try_from(body.seq - 1).unwrap_or(usize::MAX);
        if let Some(told) = self.told.get(index) {
            return vec![told.event.clone().into()];
        }
        if index != self.told.len() {
            // The core went on from the hub's head after a loss: what was told before is the hub's to know.
            return Vec::new();
        }
        let last = self.told.last();
        body.prev_hash = last.map_or(self.genesis, |told| told.hash).to_vec();
        let floor = last.map_or(i64::MIN, |told| told.at_us);
        let truth = body.at_us;
        if matches!(body.fact, Some(event_body::Fact::Press(_))) && self.random.chance(0.3) {
            let early = match self.style {
                Style::BackDates | Style::KeepsSilent => self.random.between(10_000.0, 3e6),
                Style::PostDates => -self.random.between(500_000.0, 3e6),
                Style::Replays | Style::Equivocates => 0.0,
            };
            body.at_us -= early as i64;
        }
        body.at_us = body.at_us.max(floor);
        let lie_us = truth - body.at_us;
        match lie_us {
            1.. => tally.fault("liar back-dates a press"),
            ..=-1 => tally.fault("liar post-dates a press"),
            0 => {}
        }
        let made = self.signer.sign(&body);
        self.told.push(Told {
            hash: chain_hash(&made.body),
            at_us: body.at_us,
            true_hash: chain_hash(&event.body),
            event: made.clone(),
            lie_us,
        });
        let mut frames = vec![made.into()];
        if self.style == Style::Replays && self.random.chance(0.1) {
            tally.fault("liar repeats an event");
            let old = self.random.below(self.told.len());
            frames.push(self.told[old].event.clone().into());
        }
        frames
    }

    /// What the core is told in the place of what the hub says.
    pub(super) fn hear(&self, mut frame: HubFrame, core: &AgentCore) -> HubFrame {
        match &mut frame.frame {
            Some(hub_frame::Frame::Ack(ack)) => ack.board_digest.clear(),
            Some(hub_frame::Frame::Welcome(welcome)) => {
                let index = usize::try_from(welcome.acked_seq).unwrap_or(usize::MAX);
                let told = index.checked_sub(1).and_then(|index| self.told.get(index));
                if let Some(told) = told
                    && welcome.acked_seq <= core.seq().0
                    && welcome.acked_head == told.hash
                {
                    welcome.acked_head = told.true_hash.to_vec();
                }
            }
            _ => {}
        }
        frame
    }
}
