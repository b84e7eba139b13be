//! Runs a clock test: judges the request, asks the clock for the press and ends the test.

use proto::ids::{AgentId, CommandId, EventSeq};
use proto::wire;
use rand_xoshiro::rand_core::RngCore as _;
use timing::{Board as BoardTime, Hub, Instant};

use super::{Certificate, LIMIT_ANSWER, TestPress, UnderWay};
use crate::Hall;
use crate::board::Board;
use crate::board_id::BoardId;
use crate::command::Verdict;
use crate::command_record::CommandKind;
use crate::effect::OpenStep;
use crate::entry::Entry;
use crate::outcome::Denied;
use crate::refusal::Why;
use crate::request::Request;
use crate::wakes::WakeReason;

/// First minor version of the frame protocol that has the clock test.
const SINCE_MINOR: u32 = 1;

impl Hall {
    pub(crate) fn judge_zero_test(&self, request: &Request) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let hindrance = self.hindrance(board);
        let judged = hindrance.map_or(Ok(CommandKind::ZeroTest), |why| Err(why.into()));
        Ok(Verdict::of(board, judged))
    }

    fn hindrance(&self, board: &Board) -> Option<Why> {
        let id = &board.id;
        if board.in_play() {
            return Some(Why::ZeroTestInPlay(id.clone()));
        }
        if board.agents().next().is_none() {
            return Some(Why::NoClock(id.clone()));
        }
        board.agents().find_map(|agent| self.unfit(id, agent))
    }

    fn unfit(&self, id: &BoardId, agent: AgentId) -> Option<Why> {
        let session = self.live.sessions.get(&agent);
        let Some(session) = session.filter(|session| session.online && session.link.is_some())
        else {
            return Some(Why::ClockSilent(id.clone()));
        };
        if session.minor < SINCE_MINOR {
            return Some(Why::ZeroTestUnknown {
                board: id.clone(),
                firmware: session.firmware.to_string(),
            });
        }
        let tested = self.live.zero_tests.under_way.contains_key(&agent);
        tested.then(|| Why::ZeroTestUnderWay(id.clone()))
    }

    pub(crate) fn begin_zero_test(
        &mut self,
        board: &BoardId,
        command: CommandId,
        step: &mut OpenStep,
    ) {
        let clocks: Vec<AgentId> = match self.fold.boards.get(board) {
            Some(board) => board.agents().collect(),
            None => return,
        };
        for agent in clocks {
            self.ask_for_press(board, agent, command, step);
        }
    }

    fn ask_for_press(
        &mut self,
        board: &BoardId,
        agent: AgentId,
        command: CommandId,
        step: &mut OpenStep,
    ) {
        let now = step.now;
        let Some(link) = self.link_of(agent) else {
            return;
        };
        let nonce = self.live.nonces.next_u64();
        let test = UnderWay {
            command,
            board: board.clone(),
            nonce,
            asked: now,
        };
        self.live.zero_tests.under_way.insert(agent, test);
        self.live
            .wakes
            .add(now + LIMIT_ANSWER, WakeReason::ZeroTest(agent, nonce));
        step.send(link, wire::ZeroTest { nonce });
    }

    /// Ends the test to which this scripted press belongs. A press that belongs to no current test has no effect.
    pub(crate) fn on_zero_tested(
        &mut self,
        agent: AgentId,
        (nonce, seq, stamp): (u64, EventSeq, Instant<BoardTime>),
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let tests = &self.live.zero_tests.under_way;
        if tests.get(&agent).is_none_or(|test| test.nonce != nonce) {
            return;
        }
        let session = self.live.sessions.get(&agent);
        let press = TestPress {
            heard: received,
            seq,
            stamp,
            mapped: session.and_then(|session| session.estimate.to_hub(stamp)),
        };
        self.end_zero_test(agent, Some(press), step);
    }

    pub(crate) fn on_zero_test_due(&mut self, agent: AgentId, nonce: u64, step: &mut OpenStep) {
        let tests = &self.live.zero_tests.under_way;
        if tests.get(&agent).is_some_and(|test| test.nonce == nonce) {
            self.end_zero_test(agent, None, step);
        }
    }

    fn end_zero_test(&mut self, agent: AgentId, press: Option<TestPress>, step: &mut OpenStep) {
        let Some(test) = self.live.zero_tests.under_way.remove(&agent) else {
            return;
        };
        let info = self.agent_info(&agent);
        let since = test.asked - self.live.started;
        let mut certificate = Certificate {
            command: test.command,
            agent,
            name: info.name,
            firmware: info.firmware,
            asked: test.asked,
            wall_us: self.live.wall_us.saturating_add(since.as_micros()),
            press,
            rate_ppb: info.rate_ppb,
            round_trip_us: info.round_trip_us,
            battery_percent: info.battery_percent,
            temperature_mc: info.temperature_mc,
            findings: Vec::new(),
        };
        let session = self.live.sessions.get(&agent);
        certificate.findings = certificate.judge();
        if session.is_some_and(|session| session.contradiction.is_some()) {
            let finding = "its time contradicts its earlier reports: its crystal is faulty, or its time was changed";
            certificate.findings.push(finding.to_owned());
        }
        if !info.journal_ok {
            let finding = "it cannot write its journal";
            certificate.findings.push(finding.to_owned());
        }
        let entry = Entry::ZeroTestEnded(Box::new(certificate.clone()));
        self.live.zero_tests.end(test.board.clone(), certificate);
        // The entry changes nothing in the fold, so the fold always accepts it.
        let _ = self.log(Some(test.board), entry, step);
    }
}
