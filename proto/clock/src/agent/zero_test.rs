//! The clock test: before a round, the hub asks for one scripted press, to compare this clock's stamps with the hub's timeline. Owns that press and
//! its message on the face. The event has a position and a stamp in the chain, but does not change the board's clock.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use proto::wire::{ZeroTested, event_body};
use timing::Duration;

use super::{AgentCore, Message, MessageKind, Output};

const MESSAGE_TIME: Duration = Duration::from_secs(3);

impl AgentCore {
    pub(super) fn on_zero_test(&mut self, nonce: u64, out: &mut Vec<Output>) {
        if !self.connected() || self.stop_when_full(out) {
            return;
        }
        let at = self.stamp(self.now);
        let fact = event_body::Fact::ZeroTested(ZeroTested { nonce });
        self.zero_test_until = Some(self.now + MESSAGE_TIME);
        self.chain_event(at, fact, None, Vec::new(), out);
    }

    pub(super) fn beat_zero_test(&mut self, out: &mut Vec<Output>) {
        if self.zero_test_until.is_some_and(|until| until <= self.now) {
            self.zero_test_until = None;
            out.push(Output::FaceChanged);
        }
    }

    pub(super) fn zero_test_message(&self) -> Option<Message> {
        self.zero_test_until.map(|_| Message {
            kind: MessageKind::Hub,
            text: "Clock test".to_owned(),
        })
    }
}
