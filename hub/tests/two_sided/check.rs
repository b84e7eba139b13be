//! The promises that must hold at both ends after everything has arrived.

use hall::Hall;
use prost::Message;
use proto::wire;
use timing::{BoardClock, Snapshot};

use super::World;

impl World {
    /// Checks that hub and clocks agree on every served board, and that neither noticed a disagreement or a fault. The log must give the same
    /// state.
    #[track_caller]
    pub(crate) fn assert_both_ends_alike(&self) {
        let hall = self.hall.as_ref().unwrap();
        for clock in &self.clocks {
            let board = clock.core.board();
            let Some(ours) = clock.core.clock() else {
                continue;
            };
            if board.is_empty() {
                continue;
            }
            let bytes = hall.clock_bytes(board).unwrap();
            let theirs = BoardClock::from_snapshot(&Snapshot::from_bytes(&bytes).unwrap()).unwrap();
            let now = clock.board(self.now);
            let settled = |clock: &BoardClock| {
                let mut clock = clock.clone();
                let _ = clock.pass_time(now);
                clock
            };
            if hall.agents().iter().any(|agent| {
                agent.agent == clock.id && agent.board.as_ref().is_some_and(|b| b.as_str() == board)
            }) {
                assert_eq!(
                    settled(ours),
                    settled(&theirs),
                    "board {board}, SEED={}",
                    self.seed
                );
            }
            assert_eq!(
                clock.diverged, 0,
                "clock of board {board}, SEED={}",
                self.seed
            );
        }
        for kind in [
            "bad_chain",
            "broken_promise",
            "fork",
            "clock_fault",
            "from_the_future",
        ] {
            assert_eq!(self.notes(kind), 0, "{kind}, SEED={}", self.seed);
        }
        let mut replayed = Hall::new();
        for record in &self.log {
            replayed.apply(record.clone()).unwrap();
        }
        assert!(replayed.same_state(hall), "replay equals live");
    }

    pub(crate) fn assert_nothing_lost(&self) {
        for clock in &self.clocks {
            let logged: Vec<u64> = self
                .log
                .iter()
                .filter_map(|record| match &record.input {
                    Some(proto::log::record::Input::AgentEvent(event))
                        if event.agent == clock.id.0 =>
                    {
                        let body = wire::EventBody::decode(event.body.as_slice()).unwrap();
                        Some(body.seq)
                    }
                    _ => None,
                })
                .collect();
            let all: Vec<u64> = (1..=clock.core.seq().0).collect();
            assert_eq!(logged, all);
        }
    }
}
