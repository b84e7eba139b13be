//! The displays of one board at one instant: the players' face, the public page, the arbiters' programs.

use clock_agent::face_state::FaceView;
use hall::Hall;
use proto::grpc;
use serde_json::Value;

use super::World;

/// The three displays.
pub(crate) struct Shown {
    pub(crate) face: FaceView,
    pub(crate) page: Value,
    pub(crate) board: grpc::Board,
}

impl World {
    /// Returns the displays of board 1 now.
    pub(crate) fn shown(&self) -> Shown {
        let detail = self.view("1");
        let clock = &self.clocks[0];
        Shown {
            face: clock.core.face().at(clock.board(self.now)).unwrap(),
            page: serde_json::to_value(detail.view.clone().at(self.now)).unwrap(),
            board: hub::api::messages::board(&detail, self.now),
        }
    }

    /// Returns the face of a clock now.
    pub(crate) fn face(&self, number: usize) -> FaceView {
        let clock = &self.clocks[number];
        clock.core.face().at(clock.board(self.now)).unwrap()
    }

    /// Returns the clocks of board 1 folded from the log alone, and from a snapshot of that.
    pub(crate) fn log_and_snapshot(&self) -> [Vec<u8>; 2] {
        let mut hall = Hall::new();
        for record in &self.log {
            hall.apply(record.clone()).unwrap();
        }
        let again = Hall::from_snapshot(&hall.snapshot()).unwrap();
        [hall, again].map(|hall| hall.clock_bytes("1").unwrap())
    }

    /// Returns the clocks of board 1 at the hub.
    pub(crate) fn clock_bytes(&self) -> Vec<u8> {
        self.hall.as_ref().unwrap().clock_bytes("1").unwrap()
    }
}
