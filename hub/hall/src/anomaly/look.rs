//! The regular checks of the hall, which raise notes and end them when their causes have gone. Also lists the notes of
//! a board or a clock.

use proto::ids::AgentId;

use timing::{Duration, Hub, Instant};

use super::{Finding, Kind, Subject, Verdict};
use crate::Hall;
use crate::arbiter_view::BoardNote;
use crate::board::Board;
use crate::board_id::BoardId;
use crate::effect::OpenStep;
use crate::entry::Entry;
use crate::note::Notice;
use crate::wakes::WakeReason;

const CHECK_INTERVAL: Duration = Duration::from_secs(5);

impl Hall {
    pub(crate) fn begin_checks(&mut self, now: Instant<Hub>) {
        self.live.wakes.add(now + CHECK_INTERVAL, WakeReason::Check);
    }

    pub(crate) fn on_check(&mut self, step: &mut OpenStep) {
        let now = step.now;
        self.live.wakes.add(now + CHECK_INTERVAL, WakeReason::Check);
        let mut found = self.check_rounds(now);
        found.extend(self.check_games(now));
        let agents: Vec<AgentId> = self.live.sessions.keys().copied().collect();
        for agent in agents {
            self.write_board_moves(agent, step);
            found.extend(self.check_clock(now, agent));
        }
        for (subject, kind, verdict) in found {
            self.settle_note(subject, kind, verdict, step);
        }
        self.log_repeats(step);
        self.sum_up_health(step);
    }

    pub(crate) fn check_agent(&mut self, agent: AgentId, step: &mut OpenStep) {
        for (subject, kind, verdict) in self.check_clock(step.now, agent) {
            self.settle_note(subject, kind, verdict, step);
        }
    }

    /// Pairs a verdict with its subject and kind, if the verdict changes the current notes.
    pub(super) fn news(&self, subject: Subject, kind: Kind, verdict: Verdict) -> Option<Finding> {
        let stands = self.fold.anomalies.stands(&subject, kind);
        let news = match &verdict {
            Verdict::Seen(_) => !stands,
            Verdict::Gone => stands,
            Verdict::Unknown => false,
        };
        news.then_some((subject, kind, verdict))
    }

    fn settle_note(&mut self, subject: Subject, kind: Kind, verdict: Verdict, step: &mut OpenStep) {
        let board = self.shown_on(subject.board.as_ref(), subject.agent);
        match verdict {
            Verdict::Seen(text) => {
                let Subject { board, agent } = subject;
                let note = Notice::of_hall(kind, text);
                self.note(
                    step,
                    Notice {
                        board,
                        agent,
                        ..note
                    },
                );
            }
            Verdict::Gone => {
                let over = Entry::NoteOver {
                    kind: kind.as_str().to_owned(),
                    agent: subject.agent,
                };
                // The fold always accepts the end of a note.
                let _ = self.log(subject.board, over, step);
            }
            Verdict::Unknown => return,
        }
        if let Some(board) = board {
            self.touch(&board);
        }
    }

    /// Returns the board that shows a note about a board or a clock.
    pub(super) fn shown_on(
        &self,
        board: Option<&BoardId>,
        agent: Option<AgentId>,
    ) -> Option<BoardId> {
        board.cloned().or_else(|| self.board_of(agent?))
    }

    /// Returns the notes of a board and its clocks: first those in the board's own state, then the others by kind.
    pub(crate) fn notes_of(&self, board: &Board) -> Vec<BoardNote> {
        let anomalies = &self.fold.anomalies;
        let mut standing: Vec<BoardNote> = Vec::new();
        if !anomalies.is_empty() {
            standing.extend(anomalies.of_board(&board.id));
            for agent in board.agents() {
                standing.extend(anomalies.of_agent_alone(agent));
            }
            standing.sort_by_key(|note| note.kind);
        }
        let one = |kind, text: &str| BoardNote::new(kind, text.to_owned());
        let pair = board.pair.as_ref();
        let of_board = [
            (Kind::BoardFault, board.fault.as_deref()),
            (Kind::DefaultTime, board.late_note()),
            (
                Kind::Straddle,
                pair.and_then(|pair| pair.straddle.as_deref()),
            ),
        ];
        let of_board = of_board
            .into_iter()
            .filter_map(|(kind, text)| Some(one(kind, text?)));
        of_board.chain(standing).collect()
    }

    pub(crate) fn alerts_of(&self, agent: AgentId) -> Vec<BoardNote> {
        let mut notes: Vec<_> = self.fold.anomalies.of_agent(agent).collect();
        notes.sort_by_key(|note| note.kind);
        notes
    }
}
