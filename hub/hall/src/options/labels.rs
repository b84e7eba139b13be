//! Sends a board's labels and its scheduled start to its clocks.

use proto::ids::AgentId;
use timing::{Board as BoardTime, Duration, Instant};

use super::{EventOptions, Labels};
use crate::effect::OpenStep;
use crate::{Hall, to_proto};

/// Minimum change of the scheduled start, in board time, for which the start is sent again.
const NOTICEABLE: Duration = Duration::from_millis(200);

impl Hall {
    /// Sets the event's options for this run. Call this before the first input.
    pub fn set_options(&mut self, options: EventOptions) {
        self.live.options = options;
    }

    pub(crate) fn send_labels(&mut self, agent: AgentId, step: &mut OpenStep) {
        let starts_at = self.starts_at(agent);
        let sound = self.live.options.sound;
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.told_start = starts_at;
        let link = session.link;
        if let (Some(open), Some(board)) = (link, self.fold.served_by(agent)) {
            let labels = Labels {
                board: &board.id,
                names: &board.names,
                draw_odds: board.draw_odds,
                day: board.time_chess.as_ref().map(|game| game.phase()),
                starts_at,
                sound,
            };
            step.send(open.link, to_proto::labels(labels));
        }
    }

    /// Sends the scheduled start again if its board time has become known or has moved noticeably.
    pub(crate) fn keep_start_told(&mut self, agent: AgentId, step: &mut OpenStep) {
        let session = self.live.sessions.get(&agent);
        let told = session.and_then(|session| session.told_start);
        let off = match (told, self.starts_at(agent)) {
            (Some(told), Some(known)) => {
                let moved = known - told;
                moved >= NOTICEABLE || -moved >= NOTICEABLE
            }
            (None, Some(_)) => true,
            (Some(_) | None, None) => false,
        };
        if off {
            self.send_labels(agent, step);
        }
    }

    fn starts_at(&self, agent: AgentId) -> Option<Instant<BoardTime>> {
        let at = self.live.scheduled?;
        self.live.sessions.get(&agent)?.to_board(at)
    }
}
