//! A scripted clock that reports events as its lie requires, and remembers the true state of the game after each one. Owns the truth; knows
//! nothing of the hall.

use clock_agent::core::signer::Signer;
use ed25519_dalek::SigningKey;
use proto::chain::{ChainHash, chain_hash, genesis};
use proto::ids::AgentId;
use proto::pin::CorrectionClaim;
use proto::wire::{
    AgentFrame, Button as WireButton, Correction, EventBody, OrderTaken, Press, Rebase, Stop,
    TimeProbe, TimeReply, Watermark, event_body,
};
use timing::{Board, BoardClock, Button, ClockStep, Command, Fact, Instant, Side, Snapshot};

use super::super::random::Random;
use super::kind::Lie;

pub(super) const ORIGIN: &str = "flagfall.example/lies";

pub(super) const ARBITER: &str = "Floor Arbiter";
pub(super) const PIN_KEY: [u8; 32] = [0x70; 32];

/// The true times of White and Black after an event.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    pub(super) clock: BoardClock,
    /// True instant of the event, in the clock's board time before any jump.
    pub(super) at: Instant<Board>,
    /// The distance by which the clock had moved its timeline at the time of the event, in microseconds.
    pub(super) shift_us: i64,
    /// True if the event adopts the hub's board. The gains are then not charged to a move.
    pub(super) adopts: bool,
}

pub(super) struct ScriptedClock {
    pub(super) id: AgentId,
    lie: Lie,
    random: Random,
    signer: Signer,
    seq: u64,
    head: ChainHash,
    last_us: i64,
    promised_us: i64,
    /// The nonces of the probes, each with the reported board time of its arrival in microseconds, oldest first.
    probes: Vec<(u64, i64)>,
    shift_us: i64,
    /// The size of this clock's lies for a kind of lie with one fixed size, in microseconds: the error of stamps, and the delay of held frames.
    little_us: i64,
    usual_us: i64,
    /// Board time before which the newest event is not reported, in microseconds.
    held_us: i64,
    corrections: i64,
    pub(super) lies: u64,
    pub(super) clock: Option<BoardClock>,
    /// The truth after each event, from event 1.
    pub(super) truths: Vec<Option<Truth>>,
}

/// Draws the size of a lie in microseconds, on a logarithmic scale from 0.01 s to `most` seconds.
fn early(random: &mut Random, most: f64) -> i64 {
    (random.scale(0.01, most) * 1e6) as i64
}

impl ScriptedClock {
    pub(super) fn new(lie: Lie, usual_us: i64, mut random: Random) -> Self {
        let id = AgentId(random.bytes());
        let little_us = early(&mut random, 0.5);
        Self {
            id,
            lie,
            signer: Signer::Hash(id),
            seq: 0,
            head: genesis(ORIGIN, &id),
            last_us: i64::MIN,
            promised_us: i64::MIN,
            probes: Vec::new(),
            shift_us: 0,
            little_us,
            usual_us,
            held_us: i64::MIN,
            corrections: 0,
            lies: 0,
            clock: None,
            truths: Vec::new(),
            random,
        }
    }

    /// Returns the time for which the clock holds back a frame, in microseconds; `own` is true for White's presses.
    pub(super) fn holds_back(&self, own: bool) -> i64 {
        if self.lie == Lie::HoldsBack && !own {
            self.little_us
        } else {
            0
        }
    }

    pub(super) fn running(&self) -> Option<Side> {
        self.clock.as_ref()?.running()
    }

    pub(super) fn interval_us(&self, now: Instant<Board>) -> i64 {
        let short = self.clock.as_ref().is_some_and(|clock| {
            let short = timing::Duration::from_micros(proto::watermark::SHORT_OF_TIME_US);
            clock
                .running()
                .is_some_and(|mover| clock.side(mover, now).time < short)
        });
        if self.lie == Lie::FewWatermarks {
            5_000_000
        } else if short {
            proto::watermark::SHORT_WATERMARK_INTERVAL_US
        } else {
            proto::watermark::WATERMARK_INTERVAL_US
        }
    }

    pub(super) fn watermark(&mut self, now: Instant<Board>) -> Option<AgentFrame> {
        if self.lie.without_watermarks() {
            return None;
        }
        // A clock that pretends to be slow sends only watermarks that its delayed reports do not break.
        let told_us = self.told_us(now) - self.holds_back(false);
        let held = told_us < self.held_us;
        let at_us = if held {
            told_us
        } else {
            told_us.max(self.last_us)
        };
        self.promised_us = self.promised_us.max(at_us);
        let ahead = u64::from(self.lie == Lie::AnnouncesAhead);
        let seq = self.seq + ahead - u64::from(held);
        let signature = if self.lie == Lie::UnsignedWatermarks {
            Vec::new()
        } else {
            self.signer.sign_watermark(at_us, seq)
        };
        let mark = Watermark {
            at_us,
            seq,
            signature,
        };
        Some(mark.into())
    }

    pub(super) fn answer(&mut self, probe: TimeProbe, now: Instant<Board>) -> Option<AgentFrame> {
        let now_us = self.told_us(now);
        self.probes.push((probe.nonce, now_us));
        let reply = TimeReply {
            nonce: probe.nonce,
            received_us: now_us,
            sent_us: now_us,
        };
        (self.lie != Lie::AnswersNoProbe).then(|| reply.into())
    }

    pub(super) fn press(&mut self, side: Side, now: Instant<Board>) -> Vec<AgentFrame> {
        let button = match side {
            Side::White => Button::Left,
            Side::Black => Button::Right,
        };
        let step = ClockStep::fact(now, Fact::Pressed(button));
        let wire = match button {
            Button::Left => WireButton::Left,
            Button::Right => WireButton::Right,
        };
        let mut frames = Vec::new();
        if self.lie == Lie::Jumps && side == Side::White && self.random.chance(0.1) {
            frames.push(self.jump(now));
        }
        let early_us = match side {
            Side::White => self.early_press(now),
            Side::Black if self.lie == Lie::LatePresses => -early(&mut self.random, 5.0),
            Side::Black if self.lie == Lie::LateWithinTheLink => -self.usual_us,
            Side::Black => 0,
        };
        let fact = event_body::Fact::Press(Press {
            button: wire.into(),
        });
        frames.push(self.event(now, early_us, fact, Some(step)));
        frames
    }

    /// Returns the amount by which White's press is stamped too early, in microseconds.
    fn early_press(&mut self, now: Instant<Board>) -> i64 {
        let told_us = self.told_us(now);
        let within = |us: i64, promised_us: i64| us.min((told_us - promised_us).max(0));
        match self.lie {
            Lie::EarlyWithFreshEcho
            | Lie::EarlyWithOldEcho
            | Lie::PairFreshEcho
            | Lie::PairOldEcho => early(&mut self.random, 20.0),
            Lie::WithinTheGap
            | Lie::UnsignedWatermarks
            | Lie::AnswersNoProbe
            | Lie::PairWithinTheGap => within(900_000, self.promised_us),
            Lie::ALittle | Lie::PairALittle => within(self.little_us, self.promised_us),
            Lie::NowAndThen if self.random.chance(0.2) => {
                within(early(&mut self.random, 1.0), self.promised_us)
            }
            Lie::HoldsBack => self.little_us,
            Lie::AnnouncesAhead => 900_000,
            Lie::FewWatermarks => within(3_000_000, self.promised_us),
            Lie::StopAndPress => early(&mut self.random, 1.0),
            Lie::None
            | Lie::NowAndThen
            | Lie::EarlyOrders
            | Lie::EarlyStops
            | Lie::LatePresses
            | Lie::Jumps
            | Lie::OrdersTwice
            | Lie::LateWithinTheLink
            | Lie::LateOrders
            | Lie::IgnoresOrders
            | Lie::EarlyCorrections
            | Lie::PairHonest => 0,
        }
    }

    /// Stops the clocks. A clock that tells [`Lie::StopAndPress`] then reports a press of the side that was to move.
    pub(super) fn stop(&mut self, now: Instant<Board>) -> Vec<AgentFrame> {
        let mover = self.running();
        let early_us = if self.lie == Lie::EarlyStops {
            early(&mut self.random, 30.0)
        } else if self.lie == Lie::StopAndPress {
            early(&mut self.random, 1.0)
        } else {
            0
        };
        let step = ClockStep::fact(now, Fact::Stopped);
        let stop = event_body::Fact::Stop(Stop {});
        let mut frames = vec![self.event(now, early_us, stop, Some(step))];
        if self.lie == Lie::StopAndPress
            && let Some(side) = mover
        {
            frames.extend(self.press(side, now));
        }
        frames
    }

    /// Returns true if the clock ignores this order. `self.clock`, which holds the truth, applies the order anyway.
    pub(super) fn ignores(&mut self, command: &Command, now: Instant<Board>) -> bool {
        let ignored = self.lie == Lie::IgnoresOrders && *command == Command::Pause;
        if ignored {
            self.lies += 1;
            let step = ClockStep::command(now, command.clone());
            if let Some(clock) = &mut self.clock {
                // The engine refuses the pause if the clock has stopped since the arbiter's request.
                let _ = clock.apply(&step);
            }
        }
        ignored
    }

    /// Returns the remaining time for which the clock withholds the report of its newest event, in microseconds.
    pub(super) fn held_us(&self, now: Instant<Board>) -> i64 {
        self.held_us.saturating_sub(self.told_us(now)).max(0)
    }

    pub(super) fn correct(&mut self, command: Command, now: Instant<Board>) -> AgentFrame {
        self.corrections += 1;
        let text = command.to_string();
        let made_us = self.told_us(now) + self.corrections;
        let claim = CorrectionClaim {
            agent: &self.id,
            made_us,
            board: "1",
            command: &text,
        };
        let correction = Correction {
            proof: claim.proof(&SigningKey::from_bytes(&PIN_KEY)),
            command: text,
            arbiter: ARBITER.to_owned(),
            made_us,
            hub_away: false,
        };
        let early_us = if self.lie == Lie::EarlyCorrections {
            early(&mut self.random, 30.0)
        } else {
            0
        };
        let step = ClockStep::command(now, command);
        let fact = event_body::Fact::Correction(correction);
        self.event(now, early_us, fact, Some(step))
    }

    /// Reports that the clock now serves one side of a board whose other side has a different clock.
    pub(super) fn serve_side(&mut self, number: u64, now: Instant<Board>) -> AgentFrame {
        let fact = event_body::Fact::OrderTaken(OrderTaken { order: number });
        self.event(now, 0, fact, None)
    }

    pub(super) fn obey(
        &mut self,
        number: u64,
        command: Command,
        now: Instant<Board>,
    ) -> Vec<AgentFrame> {
        let step = ClockStep::command(now, command);
        let early_us = if self.lie == Lie::EarlyOrders {
            early(&mut self.random, 30.0)
        } else if self.lie == Lie::LateOrders {
            -early(&mut self.random, 3.0)
        } else {
            0
        };
        if early_us < 0 {
            self.held_us = self.told_us(now) - early_us;
        }
        let fact = event_body::Fact::OrderTaken(OrderTaken { order: number });
        let mut frames = vec![self.event(now, early_us, fact, Some(step))];
        if self.lie == Lie::OrdersTwice {
            let order = match self.random.chance(0.5) {
                true => number,
                false => number + 50,
            };
            let late_us = early(&mut self.random, 10.0);
            let fact = event_body::Fact::OrderTaken(OrderTaken { order });
            frames.push(self.event(now, -late_us, fact, None));
        }
        frames
    }

    pub(super) fn adopt(
        &mut self,
        number: u64,
        snapshot: &[u8],
        now: Instant<Board>,
    ) -> AgentFrame {
        let snapshot = Snapshot::from_bytes(snapshot).ok();
        self.clock =
            snapshot.and_then(|snapshot| BoardClock::from_snapshot(&snapshot.moved_to(now)).ok());
        let fact = event_body::Fact::OrderTaken(OrderTaken { order: number });
        let frame = self.event(now, 0, fact, None);
        if let Some(Some(truth)) = self.truths.last_mut() {
            truth.adopts = true;
        }
        frame
    }

    fn jump(&mut self, now: Instant<Board>) -> AgentFrame {
        let jump_us = early(&mut self.random, 600.0);
        self.shift_us += jump_us;
        self.lies += 1;
        let fact = event_body::Fact::Rebase(Rebase {
            jump_us,
            uncertainty_us: 0,
            uncharged: false,
        });
        self.event(now, 0, fact, None)
    }

    /// Adds to the chain an event that happens now but is stamped `early_us` earlier, or later if that is negative.
    fn event(
        &mut self,
        now: Instant<Board>,
        early_us: i64,
        fact: event_body::Fact,
        step: Option<ClockStep>,
    ) -> AgentFrame {
        if let (Some(clock), Some(step)) = (&mut self.clock, step) {
            // Like the hub, the clock ignores a refused command.
            let _ = clock.apply(&step);
        }
        let at_us = (self.told_us(now) - early_us).max(self.last_us);
        self.lies += u64::from(at_us != self.told_us(now));
        let newest_probe = if matches!(self.lie, Lie::EarlyWithFreshEcho | Lie::PairFreshEcho) {
            self.probes.last()
        } else {
            let mut newest = self.probes.iter().rev();
            newest.find(|(_, arrived)| *arrived <= at_us)
        };
        let body = EventBody {
            seq: self.seq + 1,
            prev_hash: self.head.to_vec(),
            at_us,
            boot: vec![7; 16],
            newest_probe: newest_probe.map_or(0, |(nonce, _)| *nonce),
            fact: Some(fact),
        };
        let event = self.signer.sign(&body);
        self.seq += 1;
        self.head = chain_hash(&event.body);
        self.last_us = at_us;
        self.truths.push(self.clock.clone().map(|clock| Truth {
            clock,
            at: now,
            shift_us: self.shift_us,
            adopts: false,
        }));
        event.into()
    }

    /// Returns the board time that the clock reports, in microseconds.
    fn told_us(&self, now: Instant<Board>) -> i64 {
        now.as_micros() + self.shift_us
    }
}

#[cfg(test)]
mod tests {
    use prost::Message as _;
    use proto::wire::agent_frame;

    use super::super::desk::setup;
    use super::*;

    fn stopped(lie: Lie) -> Vec<event_body::Fact> {
        let mut board = BoardClock::new(setup("5m"));
        let start = Command::Start(None);
        drop(board.on_command(Instant::from_micros(0), &start));
        let mut clock = ScriptedClock::new(lie, 0, Random::new(1, 1));
        clock.clock = Some(board);
        let frames = clock.stop(Instant::from_micros(9_000_000));
        let facts = frames.into_iter().map(|frame| match frame.frame {
            Some(agent_frame::Frame::Event(event)) => EventBody::decode(&*event.body).ok()?.fact,
            _ => None,
        });
        facts.map(|fact| fact.expect("an event")).collect()
    }

    #[test]
    fn only_one_lie_is_a_press_immediately_after_a_stop() {
        let stop = event_body::Fact::Stop(Stop {});
        assert_eq!(stopped(Lie::EarlyStops), std::slice::from_ref(&stop));
        let button = WireButton::Left.into();
        let press = event_body::Fact::Press(Press { button });
        assert_eq!(stopped(Lie::StopAndPress), [stop, press]);
    }
}
