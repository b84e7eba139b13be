//! Three views of one board at the same instant: the players' face, the public page, and the arbiters' programs.

use clock_agent::face_state::FaceView;
use hall::Hall;
use proto::grpc;
use serde_json::Value;

use super::World;

pub(crate) struct Shown {
    pub(crate) face: FaceView,
    pub(crate) page: Value,
    pub(crate) board: grpc::Board,
}

impl World {
    pub(crate) fn shown(&self) -> Shown {
        let detail = self.view("1");
        let clock = &self.clocks[0];
        Shown {
            face: clock.core.face().at(clock.board(self.now)).unwrap(),
            page: serde_json::to_value(detail.view.clone().at(self.now)).unwrap(),
            board: hub::api::messages::board(&detail, self.now),
        }
    }

    pub(crate) fn face(&self, number: usize) -> FaceView {
        let clock = &self.clocks[number];
        clock.core.face().at(clock.board(self.now)).unwrap()
    }

    /// Returns the board clock of board 1, folded from the log.
    pub(crate) fn replayed_clock(&self) -> Vec<u8> {
        let mut hall = Hall::new();
        for record in &self.log {
            hall.apply(record.clone()).unwrap();
        }
        hall.clock_bytes("1").unwrap()
    }

    pub(crate) fn clock_bytes(&self) -> Vec<u8> {
        self.hall.as_ref().unwrap().clock_bytes("1").unwrap()
    }
}
