//! The faults in a hall and when they occur. Owns their times; each machine owns the effects.

use proto::wire::{GoodbyeReason, Hello, hub_frame};

use super::network::{DOWN, UP};
use super::{Event, ORIGIN, World};
use crate::Ns;
use crate::random::seconds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    Cut,
    HallCut,
    Clog,
    HubKill,
    HubReboot,
    HubDisk,
    AgentKill,
    AgentReboot,
    AgentSleep,
    JournalFailure,
    JournalLoss,
    Clone,
}

const TROUBLES: [Trouble; 12] = [
    Trouble::Cut,
    Trouble::HallCut,
    Trouble::Clog,
    Trouble::HubKill,
    Trouble::HubReboot,
    Trouble::HubDisk,
    Trouble::AgentKill,
    Trouble::AgentReboot,
    Trouble::AgentSleep,
    Trouble::JournalFailure,
    Trouble::JournalLoss,
    Trouble::Clone,
];

impl World {
    pub(super) fn plan_troubles(&mut self) {
        for trouble in TROUBLES {
            self.plan_trouble(trouble);
        }
    }

    fn plan_trouble(&mut self, trouble: Trouble) {
        let mix = &self.mix;
        let rate = match trouble {
            Trouble::Cut => mix.cuts,
            Trouble::HallCut => mix.hall_cuts,
            Trouble::Clog => mix.clogs,
            Trouble::HubKill => mix.hub_kills,
            Trouble::HubReboot => mix.hub_reboots,
            Trouble::HubDisk => mix.hub_disk_failures,
            Trouble::AgentKill => mix.agent_kills,
            Trouble::AgentReboot => mix.agent_reboots,
            Trouble::AgentSleep => mix.agent_sleeps,
            Trouble::JournalFailure => mix.journal_failures,
            Trouble::JournalLoss => mix.journal_losses,
            Trouble::Clone => mix.clones,
        };
        if let Some(wait) = self.fate.wait(rate) {
            self.plan(wait, Event::Trouble(trouble));
        }
    }

    pub(super) fn on_trouble(&mut self, trouble: Trouble) {
        if !self.playing {
            return;
        }
        self.plan_trouble(trouble);
        let agent = self.fate.below(self.agents.len());
        let runs = self.agents[agent].runs(self.now);
        self.say(|| format!("{trouble:?} (agent {agent})"));
        match trouble {
            Trouble::Cut => self.cut_one(agent),
            Trouble::HallCut => self.cut_all(),
            Trouble::Clog => self.clog(agent),
            Trouble::HubKill => {
                let away = self.hub_absence();
                self.tally.fault("hub killed");
                self.kill_hub(away);
            }
            Trouble::HubReboot => {
                let away = self.hub_absence() + seconds(5.0);
                self.tally.fault("hub machine lost power");
                self.reboot_hub(away);
            }
            Trouble::HubDisk => {
                let away = self.hub_absence();
                self.tally.fault("hub disk failed");
                self.fail_hub_disk(away);
            }
            Trouble::AgentKill if runs => {
                self.tally.fault("agent killed");
                let away = self.absence(0.5, 3.0);
                self.kill_agent(agent, away);
            }
            Trouble::AgentReboot if runs => {
                self.tally.fault("agent machine lost power");
                let away = self.absence(2.0, 15.0);
                self.reboot_agent(agent, away);
            }
            Trouble::AgentSleep if runs => {
                self.tally.fault("agent machine slept");
                let gap = self.absence(0.2, 20.0);
                self.put_to_sleep(agent, gap);
            }
            Trouble::JournalFailure => {
                self.tally.fault("journal failed");
                self.agents[agent].journal.failing = true;
                let span = self.absence(1.0, 25.0);
                self.plan(span, Event::JournalHeals { agent });
            }
            Trouble::JournalLoss if runs && self.agents[agent].liar.is_none() => {
                self.tally.fault("journal lost");
                let away = self.absence(2.0, 10.0);
                self.lose_journal(agent, away);
            }
            Trouble::Clone => self.clone_agent(agent),
            Trouble::AgentKill
            | Trouble::AgentReboot
            | Trouble::AgentSleep
            | Trouble::JournalLoss => {}
        }
    }

    fn cut_one(&mut self, agent: usize) {
        let mean = self.mix.cut_seconds;
        let span = seconds(self.fate.exponential(mean).min(60.0));
        if self.fate.chance(self.mix.one_way) {
            self.tally.fault("link cut one way");
            let direction = self.fate.pick(&[UP, DOWN]);
            self.cut(agent, span, &[direction]);
        } else {
            self.tally.fault("link cut");
            self.cut(agent, span, &[UP, DOWN]);
        }
    }

    fn cut_all(&mut self) {
        self.tally.fault("hall cut");
        let mean = self.mix.cut_seconds;
        let span = seconds(self.fate.exponential(mean).min(60.0));
        for agent in 0..self.agents.len() {
            self.cut(agent, span, &[UP, DOWN]);
        }
    }

    fn clog(&mut self, agent: usize) {
        self.tally.fault("link clogged");
        let until = self.now + self.fate.span(0.1, 5.0);
        let direction = self.fate.pick(&[UP, DOWN]);
        let clogged = &mut self.agents[agent].clogged[direction];
        *clogged = until.max(*clogged);
        self.agents[agent].smooth_since = until;
    }

    fn hub_absence(&mut self) -> Ns {
        if self.fate.chance(self.mix.hub_long_away) {
            self.tally.fault("hub away for minutes");
            return self.fate.span(60.0, 180.0);
        }
        let mean = self.mix.hub_away_seconds;
        seconds(0.2 + self.fate.exponential(mean).min(60.0))
    }

    fn absence(&mut self, least: f64, most: f64) -> Ns {
        seconds(self.fate.scale(least, most))
    }

    fn clone_agent(&mut self, agent: usize) {
        if self.hub.hall.is_none() {
            return;
        }
        self.tally.fault("identity cloned");
        let machine = &self.agents[agent];
        let seq = machine.chain.len() as u64;
        let head = machine.chain.last().copied().flatten();
        let hello = Hello {
            major: proto::MAJOR,
            minor: proto::MINOR,
            firmware: "a copy".to_owned(),
            log_origin: if seq == 0 {
                String::new()
            } else {
                ORIGIN.to_owned()
            },
            next_seq: seq + 1,
            head: head.map(|made| made.hash.to_vec()).unwrap_or_default(),
            boot: vec![9; 16],
            now_us: machine.board_now(self.now).as_micros(),
            orders_taken: 0,
            rebooted: false,
            foreign: None,
            journal_damaged: false,
            process: None,
            no_corrections: false,
            renews: false,
            kept: None,
        };
        // Connect the clone only while the agent itself is connected and heard. Otherwise, the hub sees a single connection and cannot detect it.
        let heard = self.agents[agent]
            .link
            .map(|link| self.links[link])
            .is_some_and(|link| link.hub_open && link.heard + seconds(3.0) > self.now)
            && self.agents[agent].runs(self.now)
            && self.agents[agent]
                .core
                .as_ref()
                .is_some_and(|core| core.connected());
        if !heard || (seq > 0 && head.is_none()) {
            return;
        }
        let link = self.add_link(agent, true);
        *self.tally.lies.entry("second_link").or_default() += 1;
        match proto::frame::encode::<proto::wire::AgentFrame>(&hello.into()) {
            Ok(bytes) => self.on_frame_at_hub(link, &bytes),
            Err(error) => self.fail(format!("a copy makes a bad frame: {error}")),
        }
    }

    /// Checks the hub's answer to a copy.
    pub(super) fn check_clone(&mut self, agent: usize, frame: Option<&hub_frame::Frame>) {
        let Some(hub_frame::Frame::Goodbye(goodbye)) = frame else {
            return self.fail(format!("a copy of agent {agent} received {frame:?}"));
        };
        match goodbye.reason() {
            GoodbyeReason::AlreadyConnected | GoodbyeReason::BadChain => {
                *self.tally.noted.entry("second_link").or_default() += 1;
            }
            GoodbyeReason::LogStopped | GoodbyeReason::ShuttingDown => self.forget_clone(),
            reason @ (GoodbyeReason::Unspecified
            | GoodbyeReason::Version
            | GoodbyeReason::BadFrame
            | GoodbyeReason::NotEnrolled
            | GoodbyeReason::Revoked) => self.fail(format!(
                "a copy of agent {agent} was turned away for {reason:?}"
            )),
        }
    }

    /// Does not count a copy whose hub ended before its note about the copy was durable.
    pub(super) fn forget_clone(&mut self) {
        if let Some(lies) = self.tally.lies.get_mut("second_link") {
            *lies = lies.saturating_sub(1);
        }
    }
}
