//! A clock on its board: the real agent core, surrounded by a simulated crystal, buttons, a journal and two players. Does the work of the agent's
//! program around its core, in the same order: presses first, then other inputs.

use std::collections::VecDeque;

use clock_agent::buttons::ButtonEvent;
use clock_agent::core::signer::Signer;
use clock_agent::core::{AgentCore, CoreConfig, Input, Output, Retry, recover};
use proto::chain::{ChainHash, chain_hash};
use proto::ids::{AgentId, EventSeq};
use timing::{Board, Duration, Fact, Instant};

use super::{Event, ORIGIN, World};
use crate::crystal::Crystal;
use crate::delay::LinkKind;
use crate::journal::{JournalDisk, Report};
use crate::liar::Liar;
use crate::mix::Mix;
use crate::player::Players;
use crate::random::{Random, seconds};
use crate::{Ns, SECOND};

pub(super) struct AgentMachine {
    pub(super) id: AgentId,
    /// The board for which the clock is meant; `None` for a spare.
    pub(super) home: Option<usize>,
    pub(super) kind: LinkKind,
    pub(super) crystal: Crystal,
    pub(super) bad_crystal: bool,
    pub(super) liar: Option<Liar>,
    /// The crystal's count at the zero of the machine's clock, in microseconds.
    raw_zero_us: i64,
    pub(super) base_us: i64,
    /// Board time minus the crystal's count, as if the machine had never stopped, in microseconds.
    ideal_us: i64,
    boot: [u8; 16],
    pub(super) core: Option<AgentCore>,
    pub(super) life: u64,
    pub(super) journal: JournalDisk,
    pub(super) buttons_us: i64,
    fingers: VecDeque<Finger>,
    pub(super) link: Option<usize>,
    backoff: Ns,
    wake_at: Option<Ns>,
    pub(super) asleep_until: Ns,
    asleep_since: Ns,
    players: Players,
    /// The instants until which the link is cut: to the hub, from the hub.
    pub(super) cut: [Ns; 2],
    /// The instants until which the link is congested, in the same order.
    pub(super) clogged: [Ns; 2],
    /// The chain as the agent made it, from event 1; `None` for events that the agent has lost.
    pub(super) chain: Vec<Option<Made>>,
    /// The number of the newest event that has been synced to the agent's present disk.
    pub(super) saved: u64,
    pub(super) pressed: u64,
    /// The number of the newest event when the agent's board time last jumped; 0 if it has not jumped since the program started.
    pub(super) jumped: u64,
    /// The instant since which the link has been undisturbed by cuts, congestion or restarts.
    pub(super) smooth_since: Ns,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) hash: ChainHash,
    pub(super) at: Instant<Board>,
    pub(super) when: Ns,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Finger {
    fact: Fact,
    pub(super) at: Instant<Board>,
    due: Ns,
}

impl AgentMachine {
    pub(super) fn new(
        index: usize,
        seed: u64,
        boards: usize,
        mix: &Mix,
        random: &mut Random,
    ) -> Self {
        let mut id = random.bytes::<32>();
        id[..4].copy_from_slice(&(index as u32).to_be_bytes());
        let id = AgentId(id);
        let bad_crystal = index < mix.bad_crystals;
        let ppm = if bad_crystal {
            let far = random.between(250.0, 600.0);
            if random.chance(0.5) { far } else { -far }
        } else {
            random.between(-mix.ppm, mix.ppm)
        };
        // Keep the sum of this crystal's error and the hub's below 100 ppm.
        let wave = if ppm.abs() > 90.0 { 0.0 } else { 2.5 };
        let lies = index >= mix.bad_crystals && index - mix.bad_crystals < mix.liars;
        Self {
            id,
            home: (index < boards).then_some(index),
            kind: random.pick(&mix.links),
            crystal: Crystal::new(ppm, wave, random),
            bad_crystal,
            liar: (lies && index < boards).then(|| Liar::new(id, ORIGIN, random)),
            raw_zero_us: 0,
            base_us: 0,
            ideal_us: 0,
            boot: random.bytes(),
            core: None,
            life: 0,
            journal: JournalDisk::default(),
            buttons_us: mix.buttons_us,
            fingers: VecDeque::new(),
            link: None,
            backoff: 0,
            wake_at: None,
            asleep_until: 0,
            asleep_since: 0,
            players: Players::new(Random::new(seed, 1_000 + index as u64), mix),
            cut: [0; 2],
            clogged: [0; 2],
            chain: Vec::new(),
            saved: 0,
            pressed: 0,
            jumped: 0,
            smooth_since: 0,
        }
    }

    pub(super) fn board_now(&self, now: Ns) -> Instant<Board> {
        Instant::from_micros(self.raw_us(now) + self.base_us)
    }

    /// Returns the board time that the clock would show at `now` if the machine had never stopped.
    pub(super) fn ideal_now(&self, now: Ns) -> Instant<Board> {
        Instant::from_micros(self.crystal.micros(now) + self.ideal_us)
    }

    fn raw_us(&self, now: Ns) -> i64 {
        self.crystal.micros(now) - self.raw_zero_us
    }

    pub(super) fn earliest_finger(&self) -> Option<Instant<Board>> {
        self.fingers.front().map(|finger| finger.at)
    }

    pub(super) fn runs(&self, now: Ns) -> bool {
        self.core.is_some() && self.asleep_until <= now
    }

    pub(super) fn slow_buttons(&self) -> bool {
        self.buttons_us > 2_000
    }

    pub(super) fn sound(&self) -> bool {
        self.liar.is_none() && !self.bad_crystal
    }
}

impl World {
    /// Starts the machine's program: for the first time, again within the same boot, or after a reboot.
    pub(super) fn on_agent_starts(&mut self, agent: usize, life: u64) {
        let now = self.now;
        let machine = &mut self.agents[agent];
        if machine.life != life || machine.core.is_some() {
            return;
        }
        let entries = machine.journal.read();
        let first = entries.is_empty();
        let (recovered, fault) = recover(entries, ORIGIN, &machine.id);
        let raw_us = machine.raw_us(now);
        machine.base_us = match recovered.timeline() {
            Some(timeline) if timeline.boot == machine.boot => timeline.base_us,
            Some(_) | None => recovered.reached_us() - raw_us,
        };
        if life == 0 {
            machine.ideal_us = machine.board_now(now).as_micros() - machine.crystal.micros(now);
        }
        let at = machine.board_now(now);
        let core = AgentCore::new(
            CoreConfig {
                signer: Signer::Hash(machine.id),
                firmware: "simulated".to_owned(),
                boot: machine.boot.to_vec(),
                base_us: machine.base_us,
                token: token_of(agent, life),
            },
            recovered,
            at,
        );
        let seq = core.seq().0;
        machine
            .chain
            .truncate(usize::try_from(seq).unwrap_or(usize::MAX));
        machine.fingers.clear();
        machine.wake_at = None;
        machine.link = None;
        machine.backoff = 0;
        let whole = core.whole_journal();
        machine.core = Some(core);
        self.mark(1, &[agent as u64, seq]);
        self.say(|| format!("agent {agent} starts at event {seq}, board time {at:?}"));
        if let Some(fault) = fault.filter(|_| !first) {
            return self.fail(format!("agent {agent} cannot read its journal: {fault}"));
        }
        self.write_journal(agent, whole);
        self.show_players(agent);
        self.wake_agent(agent);
        self.plan(0, Event::Dial { agent, life });
    }

    pub(super) fn on_agent_wake(&mut self, agent: usize, life: u64) {
        let machine = &mut self.agents[agent];
        if machine.life != life || machine.wake_at != Some(self.now) {
            return;
        }
        machine.wake_at = None;
        let now = machine.board_now(self.now);
        let due = machine
            .core
            .as_ref()
            .and_then(AgentCore::next_wake)
            .is_some_and(|wake| wake <= now);
        if due {
            self.tell_agent(agent, Input::Wake);
        } else {
            self.wake_agent(agent);
        }
    }

    /// Plans the agent's next wake-up, unless an equally early or earlier one is already planned.
    fn wake_agent(&mut self, agent: usize) {
        let machine = &mut self.agents[agent];
        let Some(wake) = machine.core.as_ref().and_then(AgentCore::next_wake) else {
            return;
        };
        let raw = wake.as_micros().saturating_sub(machine.base_us);
        let counted = raw.saturating_add(machine.raw_zero_us);
        // Ignore a deadline more than eleven days away: the simulation ends long before.
        if counted > 1_000_000_000_000 {
            return;
        }
        let at = machine.crystal.when(counted).max(self.now);
        if machine.wake_at.is_none_or(|planned| at < planned) {
            machine.wake_at = Some(at);
            let life = machine.life;
            self.queue.push(at, Event::AgentWake { agent, life });
        }
    }

    /// Gives the agent an input, after any presses that are due.
    pub(super) fn tell_agent(&mut self, agent: usize, input: Input) {
        let now = self.now;
        while let Some(finger) = self.agents[agent].fingers.front().copied() {
            if finger.due > now {
                break;
            }
            self.agents[agent].fingers.pop_front();
            let Finger { fact, at, .. } = finger;
            let input = Input::Button(ButtonEvent { fact, at });
            self.agents[agent].pressed += 1;
            self.tally.presses += 1;
            self.step_agent(agent, input);
        }
        let machine = &mut self.agents[agent];
        let quiet = machine.board_now(now) - Duration::from_micros(machine.buttons_us);
        if let Some(core) = &mut machine.core {
            core.set_quiet_before(quiet);
        }
        self.step_agent(agent, input);
        self.wake_agent(agent);
    }

    fn step_agent(&mut self, agent: usize, input: Input) {
        let machine = &mut self.agents[agent];
        let now = machine.board_now(self.now);
        if let Some(core) = &mut machine.core {
            let outputs = core.step(now, input);
            self.carry_out(agent, outputs);
        }
    }

    fn carry_out(&mut self, agent: usize, outputs: Vec<Output>) {
        let mut seen = false;
        for output in outputs {
            match output {
                Output::Send(frame) => self.send_to_hub(agent, frame, true),
                Output::Datagram(frame) => self.send_to_hub(agent, frame, false),
                Output::Persist(batch) => self.write_journal(agent, batch),
                Output::Chained { seq, at } => self.on_chained(agent, seq, at),
                Output::FaceChanged => seen = true,
                // The simulated hub writes no archive, so the agent gets no checkpoints.
                Output::KeepCheckpoint(_) | Output::Contradiction { .. } => {}
                Output::Acknowledged { seq } => self.check_acknowledged(agent, seq),
                Output::Jump(jump) => {
                    let machine = &mut self.agents[agent];
                    machine.base_us += jump.as_micros();
                    machine.jumped = machine.core.as_ref().map_or(0, |core| core.seq().0);
                    self.check_jump(agent);
                }
                Output::OtherLog { origin } => {
                    self.fail(format!("agent {agent} was told of another log: {origin}"));
                }
                Output::Close(close) => {
                    self.say(|| format!("agent {agent} closes: {close:?}"));
                    self.agent_closes(agent, close.retry);
                }
            }
        }
        if seen {
            self.show_players(agent);
        }
    }

    fn on_chained(&mut self, agent: usize, seq: EventSeq, at: Instant<Board>) {
        let when = self.now;
        let machine = &mut self.agents[agent];
        let Some(core) = &machine.core else { return };
        let hash = match core.unacknowledged_event(seq) {
            Some(_) if core.seq() == seq => core.head(),
            Some(event) => chain_hash(&event.body),
            None => return,
        };
        // Events are numbered from 1, and a chain is short enough for `usize`.
        let index = usize::try_from(seq.0 - 1).unwrap_or(usize::MAX);
        machine.chain.truncate(index);
        machine.chain.resize(index, None);
        machine.chain.push(Some(Made { hash, at, when }));
        self.mark(2, &[agent as u64, seq.0, name_of_hash(&hash)]);
        self.say(|| format!("agent {agent} chains event {} at {at:?}", seq.0));
    }

    /// Forgets the events that differ from the hub's chain. The agent continues after the hub's last event and recreates the forgotten events with
    /// different numbers.
    pub(super) fn forget_other_past(&mut self, agent: usize) {
        let ends = self.hub.chains[agent].len();
        let machine = &mut self.agents[agent];
        for (made, kept) in machine.chain.iter_mut().zip(&self.hub.chains[agent]) {
            if made.is_some_and(|made| made.hash != kept.hash) {
                *made = None;
            }
        }
        machine.saved = machine.saved.min(ends as u64);
    }

    pub(super) fn write_journal(&mut self, agent: usize, batch: clock_agent::core::entry::Batch) {
        let machine = &mut self.agents[agent];
        if machine.journal.write(batch) {
            let slow = self.disk.chance(0.02);
            let wait = if slow {
                self.disk.span(0.05, 1.0)
            } else {
                self.disk.span(0.000_5, 0.012)
            };
            let life = machine.life;
            self.plan(wait, Event::Journal { agent, life });
        }
    }

    pub(super) fn on_journal(&mut self, agent: usize, life: u64) {
        if self.agents[agent].life != life {
            return;
        }
        for report in self.agents[agent].journal.done() {
            match report {
                Report::Synced(seq) => {
                    let machine = &mut self.agents[agent];
                    machine.saved = machine.saved.max(seq);
                    self.tell_agent(agent, Input::JournalSynced { seq });
                }
                Report::Failed => self.tell_agent(agent, Input::JournalFailed),
            }
        }
    }

    fn show_players(&mut self, agent: usize) {
        if !self.playing {
            return;
        }
        let machine = &mut self.agents[agent];
        let now = machine.board_now(self.now);
        let clock = machine.core.as_ref().and_then(AgentCore::clock);
        if let Some(wait) = machine.players.look(clock, now) {
            let token = machine.players.token;
            self.plan(wait, Event::Player { agent, token });
        }
    }

    pub(super) fn on_player(&mut self, agent: usize, token: u64) {
        if !self.playing {
            return;
        }
        let now = self.now;
        let machine = &mut self.agents[agent];
        let Some((fact, twice)) = machine.players.act(token) else {
            return;
        };
        if machine.runs(now) {
            self.count_close_call(agent, fact);
            self.touch(agent, fact);
            if twice {
                self.touch(agent, fact);
            }
        }
        // A press may have had no effect; the players see that when they look at the clock again.
        self.show_players(agent);
    }

    /// Makes the players press or stop the clock. The action is stamped now and reaches the agent after at most `buttons_us`, in order.
    pub(super) fn touch(&mut self, agent: usize, fact: Fact) {
        let now = self.now;
        let machine = &mut self.agents[agent];
        let at = machine.board_now(now);
        let way = self.people.between(0.0, machine.buttons_us as f64) * 1_000.0;
        let earliest = machine.fingers.back().map_or(now, |finger| finger.due);
        let due = (now + way as Ns).max(earliest);
        machine.fingers.push_back(Finger { fact, at, due });
        let life = machine.life;
        if due <= now {
            self.on_buttons(agent, life);
        } else {
            self.queue.push(due, Event::Buttons { agent, life });
        }
    }

    pub(super) fn on_buttons(&mut self, agent: usize, life: u64) {
        if self.agents[agent].life == life {
            self.tell_agent(agent, Input::Wake);
        }
    }

    pub(super) fn rest_players(&mut self) {
        for machine in &mut self.agents {
            machine.players.rest();
        }
    }

    pub(super) fn dial_later(&mut self, agent: usize, retry: Retry) {
        let machine = &mut self.agents[agent];
        machine.backoff = match retry {
            Retry::Now => 0,
            Retry::Soon => (machine.backoff * 2).clamp(SECOND / 4, 5 * SECOND),
            Retry::AfterLongDelay => 30 * SECOND,
        };
        let wait = (machine.backoff as f64 * self.net.between(0.5, 1.0)) as Ns;
        let life = machine.life;
        self.plan(wait, Event::Dial { agent, life });
    }

    pub(super) fn forget_backoff(&mut self, agent: usize) {
        self.agents[agent].backoff = 0;
    }

    pub(super) fn kill_agent(&mut self, agent: usize, away: Ns) {
        let machine = &mut self.agents[agent];
        machine.core = None;
        machine.life += 1;
        machine.jumped = 0;
        machine.fingers.clear();
        machine.players.rest();
        machine.journal.killed(&mut self.disk);
        let life = machine.life;
        self.drop_agent_link(agent);
        self.plan(away, Event::AgentStarts { agent, life });
    }

    /// Cuts the machine's power. It boots again after `away`, with its own clock near zero.
    pub(super) fn reboot_agent(&mut self, agent: usize, away: Ns) {
        self.kill_agent(agent, away);
        let back = self.now + away;
        let machine = &mut self.agents[agent];
        machine.journal.power_cut(&mut self.disk);
        machine.boot = self.disk.bytes();
        machine.raw_zero_us = machine.crystal.micros(back) - 1_000_000;
        machine.asleep_until = 0;
    }

    /// Cuts the machine's power and replaces its storage card, so that the journal is lost.
    pub(super) fn lose_journal(&mut self, agent: usize, away: Ns) {
        self.reboot_agent(agent, away);
        let machine = &mut self.agents[agent];
        machine.journal.lost();
        machine.saved = 0;
    }

    /// Puts the machine to sleep for `gap`. Its clock stops during that time.
    pub(super) fn put_to_sleep(&mut self, agent: usize, gap: Ns) {
        let machine = &mut self.agents[agent];
        machine.asleep_since = self.now;
        machine.asleep_until = self.now + gap;
        let life = machine.life;
        self.plan(gap, Event::Awake { agent, life });
    }

    pub(super) fn on_awake(&mut self, agent: usize, life: u64) {
        let now = self.now;
        let machine = &mut self.agents[agent];
        if machine.life != life {
            return;
        }
        let slept = machine.crystal.micros(now) - machine.crystal.micros(machine.asleep_since);
        machine.raw_zero_us += slept;
        machine.wake_at = None;
        let seen = slept + seconds(self.disk.between(-0.05, 0.3)) / 1_000;
        let gap = Duration::from_micros(seen.max(0));
        self.tell_agent(agent, Input::Slept { gap });
        self.show_players(agent);
    }
}

fn token_of(agent: usize, life: u64) -> u64 {
    (agent as u64 + 1) << 32 | (life + 1)
}

fn name_of_hash(hash: &ChainHash) -> u64 {
    super::name_of(&hash[..8])
}
