//! What an event decides beside the time control: default time, sound; and what of it a board's face is told.
//! Owns these settings and the frame of labels; punishes nobody.

use proto::ids::AgentId;
use timing::{Board as BoardTime, Duration, Instant, Side};

use super::Hall;
use super::anomaly::Thresholds;
use super::board::Names;
use super::effect::{HubEffect, Step};
use super::input::BoardId;
use crate::to_proto;

/// A start that moves by less than this in a board's time, as the offset becomes known better, is not told again.
const NOTICEABLE: Duration = Duration::from_millis(200);

/// An event's own settings, for this run of the hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventOptions {
    /// How late a player may come (FIDE 6.7.1); `None`: the hub does not look after it.
    pub default_time: Option<Duration>,
    /// When clocks make a sound.
    pub sound: Sound,
    /// What is worth a note for arbiters.
    pub notes: Thresholds,
}

/// When clocks make a sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sound {
    /// Never.
    #[default]
    Off,
    /// When a flag falls.
    Flag,
    /// At each press, too.
    All,
}

/// What a board's face shows beside the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels<'a> {
    pub(crate) board: &'a BoardId,
    pub(crate) names: &'a Names,
    pub(crate) draw_odds: Option<Side>,
    /// The scheduled start on the board's timeline.
    pub(crate) starts_at: Option<Instant<BoardTime>>,
    pub(crate) sound: Sound,
}

impl Hall {
    /// Sets the event's options for this run: before its first input.
    pub fn set_options(&mut self, options: EventOptions) {
        self.live.options = options;
    }

    /// Tells the agent what its face shows beside the clock.
    pub(crate) fn send_labels(&mut self, agent: AgentId, step: &mut Step) {
        let starts_at = self.starts_at(agent);
        let sound = self.live.options.sound;
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.told_start = starts_at;
        let link = session.link;
        let board = self
            .board_of(agent)
            .and_then(|board| self.fold.boards.get(&board));
        if let (Some(open), Some(board)) = (link, board) {
            step.effects.push(HubEffect::ToAgent {
                link: open.link,
                frame: to_proto::labels(Labels {
                    board: &board.id,
                    names: &board.names,
                    draw_odds: board.draw_odds,
                    starts_at,
                    sound,
                }),
            });
        }
    }

    /// Tells the agent the scheduled start again, once its place in the board's time is known, or known better.
    pub(crate) fn keep_start_told(&mut self, agent: AgentId, step: &mut Step) {
        let told = self
            .live
            .sessions
            .get(&agent)
            .and_then(|session| session.told_start);
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

    /// The scheduled start in an agent's time, if both are known.
    fn starts_at(&self, agent: AgentId) -> Option<Instant<BoardTime>> {
        let at = self.live.scheduled?;
        self.live.sessions.get(&agent)?.to_board(at)
    }
}
