//! Carries out the decisions of a window (enrolment with one code for many clocks): issues its code, and certifies the admitted clocks.

use std::net::IpAddr;

use proto::ids::AgentId;
use proto::wire::{EnrolRequest, Waiting, enrol_answer};
use tokio::sync::watch;

use super::window::{Admission, OPEN_FOR, Reply, WindowOrder, WindowView};
use super::{EnrolmentDesk, EnrolmentError, Newcomer, drawn};
use crate::identity::{ClockGrant, random};

const ASK_AGAIN_MS: u32 = 1500;

impl EnrolmentDesk {
    /// Opens enrolment with one code for many clocks. A duration of zero means fifteen minutes.
    pub(crate) fn open_window(&self, mut order: WindowOrder) -> Result<u64, EnrolmentError> {
        for board in &order.boards {
            self.known_board(board)?;
        }
        if order.open_for == timing::Duration::ZERO {
            order.open_for = OPEN_FOR;
        }
        let token = random()?;
        let (actor, clocks) = (order.actor.clone(), order.expected);
        let id = self.windows(|windows, now| windows.open(now, token, order))?;
        tracing::info!(actor, clocks, "enrolment with one code is open");
        self.note_change();
        Ok(id)
    }

    /// Admits waiting clocks on behalf of the arbiter `by`. A clock that cannot be certified keeps waiting, with the reason in the list.
    ///
    /// # Errors
    /// Returns [`EnrolmentError::Window`] if the window cannot admit them, and [`EnrolmentError::Denied`] if no such board exists. In
    /// either case no clock is admitted.
    pub async fn admit(
        &self,
        window: u64,
        admissions: &[Admission],
        by: &str,
    ) -> Result<(), EnrolmentError> {
        for admission in admissions {
            self.known_board(&admission.board)?;
        }
        let chosen = self.windows(|windows, now| windows.admit(now, window, admissions))?;
        for (newcomer, board) in chosen {
            let agent = newcomer.agent;
            let granted = ClockGrant::of_board(&board);
            let result = self.certify(newcomer, &granted, by).await;
            let result = result.map_err(|error| error.to_string());
            self.windows(|windows, _| windows.certified(window, agent, result));
            self.note_change();
        }
        Ok(())
    }

    /// Refuses a waiting clock.
    ///
    /// # Errors
    /// Returns [`EnrolmentError::Window`] if the window has ended or the clock is not waiting.
    pub fn refuse_clock(
        &self,
        window: u64,
        agent: AgentId,
        by: &str,
    ) -> Result<(), EnrolmentError> {
        self.windows(|windows, now| windows.refuse(now, window, agent))?;
        tracing::info!(actor = by, agent = agent.short(), "a clock was refused");
        self.note_change();
        Ok(())
    }

    pub(crate) fn close_window(&self, window: u64, by: &str) -> Result<(), EnrolmentError> {
        self.windows(|windows, now| windows.close(now, window))?;
        tracing::info!(actor = by, "enrolment with one code was closed");
        self.note_change();
        Ok(())
    }

    /// Returns the newest window with its code, if any window is still remembered.
    pub fn window(&self) -> Option<(WindowView, String)> {
        let view = self.windows(|windows, now| windows.view(now))?;
        let uri = self.code_with(view.token).to_string();
        Some((view, uri))
    }

    /// Returns a receiver that is notified of each change to a window or a sheet.
    pub(crate) fn follow_enrolment(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Answers a clock that presents a window's code. Returns `None` for any other kind of code.
    pub(super) fn arrive(
        &self,
        clock: &Newcomer,
        request: &EnrolRequest,
        from: IpAddr,
    ) -> Result<Option<enrol_answer::Answer>, EnrolmentError> {
        let agent = clock.agent;
        let reply = self.windows(|windows, now| windows.arrive(now, clock, request, from, drawn()));
        let Some(reply) = reply else { return Ok(None) };
        Ok(Some(match reply? {
            Reply::Enrolled(enrolled) => enrol_answer::Answer::Enrolled(*enrolled),
            Reply::Wait { number, new } => {
                if new {
                    tracing::info!(agent = agent.short(), %from, number, "a clock waits to be admitted");
                    self.note_change();
                }
                enrol_answer::Answer::Waiting(Waiting {
                    number,
                    again_ms: ASK_AGAIN_MS,
                })
            }
        }))
    }
}
