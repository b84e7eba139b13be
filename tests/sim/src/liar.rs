//! An agent with manipulated firmware: a liar between the real core and the network rewrites the core's chain. It stamps presses too early or
//! impossibly late, sends events again or in two versions, leaves out watermarks, or claims a different history. Owns the lies; detecting them is
//! the hub's job.

use clock_agent::core::AgentCore;
use clock_agent::core::signer::Signer;
use prost::Message as _;
use proto::chain::{ChainHash, chain_hash, genesis};
use proto::ids::AgentId;
use proto::wire::{
    AgentFrame, Button, Event, EventBody, HubFrame, agent_frame, event_body, hub_frame,
};

use super::random::Random;
use super::tally::Tally;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    BackDates,
    PostDates,
    Replays,
    /// Claims a different history in its hello.
    Equivocates,
    /// Stamps some presses too early and never sends a watermark.
    KeepsSilent,
    /// Stamps some presses as early as the last watermark allows, by three seconds at most.
    WithinTheGap,
    /// Stamps every press of one side slightly too early, within what the watermarks allow.
    OneSided,
    /// Sends some events in two contradictory versions.
    TellsTwice,
}

#[derive(Debug)]
pub(super) struct Liar {
    pub(super) style: Style,
    signer: Signer,
    random: Random,
    genesis: ChainHash,
    /// The board time of the newest watermark sent, in microseconds.
    promised_us: i64,
    /// The events as sent to the hub, from event 1.
    told: Vec<Told>,
}

#[derive(Debug)]
struct Told {
    event: Event,
    hash: ChainHash,
    at_us: i64,
    true_hash: ChainHash,
    /// The microseconds by which the sent event is earlier than its true time; negative if it is later.
    lie_us: i64,
}

impl Liar {
    pub(super) fn new(agent: AgentId, origin: &str, random: &mut Random) -> Self {
        let style = random.pick(&[
            Style::BackDates,
            Style::PostDates,
            Style::Replays,
            Style::Equivocates,
            Style::KeepsSilent,
            Style::WithinTheGap,
            Style::OneSided,
            Style::TellsTwice,
        ]);
        Self {
            style,
            signer: Signer::Hash(agent),
            random: random.clone(),
            genesis: genesis(origin, &agent),
            promised_us: i64::MIN,
            told: Vec::new(),
        }
    }

    pub(super) fn lie_us(&self, seq: u64) -> i64 {
        let index = usize::try_from(seq.saturating_sub(1)).unwrap_or(usize::MAX);
        self.told.get(index).map_or(0, |told| told.lie_us)
    }

    /// Returns the frames to send in place of the core's frame.
    pub(super) fn speak(&mut self, frame: AgentFrame, tally: &mut Tally) -> Vec<AgentFrame> {
        match frame.frame {
            Some(agent_frame::Frame::Hello(mut hello)) => {
                let reached = usize::try_from(hello.next_seq - 1).unwrap_or(usize::MAX);
                self.told.truncate(reached);
                if let Some(last) = self.told.last().filter(|_| reached > 0) {
                    hello.head = last.hash.to_vec();
                }
                if self.style == Style::Equivocates && reached > 0 && self.random.chance(0.4) {
                    tally.fault("liar claims a different history");
                    hello.head = self.random.bytes::<32>().to_vec();
                }
                vec![hello.into()]
            }
            Some(agent_frame::Frame::Event(event)) => self.tell(event, tally),
            Some(agent_frame::Frame::Watermark(_)) if self.style == Style::KeepsSilent => {
                Vec::new()
            }
            Some(agent_frame::Frame::Watermark(mark)) => {
                self.promised_us = self.promised_us.max(mark.at_us);
                vec![mark.into()]
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
            // The core lost part of its journal and continued from the hub's head, so the hub already knows the earlier events.
            return Vec::new();
        }
        let last = self.told.last();
        body.prev_hash = last.map_or(self.genesis, |told| told.hash).to_vec();
        let floor = last.map_or(i64::MIN, |told| told.at_us);
        let truth = body.at_us;
        if let Some(event_body::Fact::Press(press)) = &body.fact {
            body.at_us = self.lie(truth, press.button());
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
        if self.style == Style::TellsTwice && self.random.chance(0.04) {
            tally.fault("liar sends two versions of an event");
            body.at_us -= 1_000;
            frames.push(self.signer.sign(&body).into());
        }
        if self.style == Style::Replays && self.random.chance(0.1) {
            tally.fault("liar repeats an event");
            let old = self.random.below(self.told.len());
            frames.push(self.told[old].event.clone().into());
        }
        frames
    }

    /// Returns the stamp for a press made at board time `truth`, in microseconds.
    fn lie(&mut self, truth: i64, button: Button) -> i64 {
        let often = if self.style == Style::OneSided {
            1.0
        } else {
            0.3
        };
        if !self.random.chance(often) {
            return truth;
        }
        match self.style {
            Style::BackDates | Style::KeepsSilent => {
                truth - self.random.between(10_000.0, 3e6) as i64
            }
            Style::PostDates => truth + self.random.between(500_000.0, 3e6) as i64,
            Style::WithinTheGap => truth.min(self.promised_us.max(truth - 3_000_000)),
            Style::OneSided if button == Button::Left => {
                let early = self.random.between(60_000.0, 600_000.0) as i64;
                truth.min(self.promised_us.max(truth - early))
            }
            Style::OneSided | Style::Replays | Style::Equivocates | Style::TellsTwice => truth,
        }
    }

    /// Returns true if event `seq` was already sent with a hash other than `hash`.
    pub(super) fn contradicts(&self, seq: u64, hash: &ChainHash) -> bool {
        let index = usize::try_from(seq.saturating_sub(1)).unwrap_or(usize::MAX);
        self.told.get(index).is_some_and(|told| told.hash != *hash)
    }

    /// Returns the frame to give to the core in place of the hub's frame.
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
