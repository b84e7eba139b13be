//! Enrolment with one code for many clocks: the clocks that have presented it, and those that an arbiter has admitted.
//!
//! Owns the list and its rules. Has no side effects: the desk makes the certificates. A window lives in memory and ends when the hub
//! restarts. Its code alone admits no clock to the hall.

use std::net::IpAddr;

use proto::ids::AgentId;
use proto::wire::{EnrolRequest, Enrolled};
use sha2::{Digest, Sha256};
use timing::{Duration, Hub, Instant};

use super::Newcomer;

/// Default time for which a window stays open.
pub(super) const OPEN_FOR: Duration = Duration::from_secs(900);
const OPEN_FOR_LIMITS: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(3600));
const MAX_CLOCKS: usize = 500;
/// Maximum number of clocks listed beyond the expected number.
const MAX_EXTRA: usize = 20;
/// Time after its end during which a window still sends admitted clocks their certificates, and tells waiting and new clocks that it has ended.
const REMEMBERED_FOR: Duration = Duration::from_secs(600);
/// Range of the numbers that clocks display.
const NUMBERS: std::ops::Range<u64> = 1000..10_000;

/// The reason for refusing an arbiter's or a clock's request about a window.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowRefusal {
    /// A window is open already: two simultaneous lists could be confused.
    #[error("{0} has enrolment open: close it first, or admit the clocks there")]
    AlreadyOpen(String),
    /// The window was closed, has expired, or was lost in a restart of the hub.
    #[error("enrolment with this code has ended: ask the arbiter for a new code")]
    Ended,
    /// More clocks came than expected: admitting several at once could admit a stranger.
    #[error(
        "{came} clocks connected instead of {wanted}: compare the numbers on the displays, then admit the clocks one by one or refuse those that are not yours"
    )]
    MoreThanAsked {
        /// Clocks that have come and were not refused.
        came: usize,
        wanted: usize,
    },
    /// The clock was admitted or refused already, or never arrived.
    #[error("clock {} is not waiting to be admitted", .0.short())]
    NotWaiting(AgentId),
    #[error("enrolment can be opened for 1 to {MAX_CLOCKS} clocks and for 1 to 60 minutes")]
    Limits,
    #[error(
        "this code is for many clocks, and this clock's firmware cannot wait for the arbiter: use a code of its own (`flagfall enrol`)"
    )]
    CannotWait,
    #[error("the arbiter refused this clock")]
    Refused,
    /// The list is full: a leaked code must not fill the hub's memory.
    #[error("too many clocks have tried to enrol with this code: ask the arbiter for a new one")]
    ListFull,
}

/// An arbiter's request to open a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowOrder {
    pub expected: usize,
    pub open_for: Duration,
    /// Boards for the clocks, in order of arrival.
    pub boards: Vec<String>,
    pub actor: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    pub agent: AgentId,
    /// The clock's board; empty for the window's next board.
    pub board: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowView {
    /// The window's number, unique during the hub's run.
    pub id: u64,
    /// The secret in the window's code.
    pub token: [u8; 16],
    /// Time left until the window ends; zero afterwards.
    pub remaining: Duration,
    pub actor: String,
    pub expected: usize,
    /// The clocks in order of arrival.
    pub clocks: Vec<ClockView>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockView {
    pub agent: AgentId,
    /// The clock's name, as it reports it.
    pub name: String,
    /// The clock's firmware, as it reports it.
    pub firmware: String,
    /// The number on the clock's display.
    pub number: String,
    pub address: IpAddr,
    pub arrival: Arrival,
    /// The assigned board, or the one that a waiting clock gets if all earlier clocks are admitted; empty if there is none.
    pub board: String,
    /// The reason why the clock could not be admitted; empty if there is none.
    pub problem: String,
}

/// The state of a clock in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    Waiting,
    Admitted,
    Refused,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// The clock must show this number and ask again. `new` is true if the clock was not in the list before.
    Wait {
        number: String,
        new: bool,
    },
    Enrolled(Box<Enrolled>),
}

/// The open window, and windows that ended recently.
#[derive(Debug, Default)]
pub(super) struct Windows {
    opened: u64,
    /// In the order of opening, newest last.
    all: Vec<Window>,
}

#[derive(Debug)]
struct Window {
    id: u64,
    token: [u8; 16],
    hash: [u8; 32],
    order: WindowOrder,
    until: Instant<Hub>,
    clocks: Vec<ListedClock>,
}

#[derive(Debug)]
struct ListedClock {
    newcomer: Newcomer,
    number: u64,
    address: IpAddr,
    state: State,
    problem: String,
}

#[derive(Debug)]
enum State {
    Waiting,
    /// Admitted by an arbiter; the clock's record is not durable yet.
    Admitting(String),
    Admitted(Box<Enrolled>),
    Refused,
}

impl Windows {
    /// Opens a window whose code has the random `token`.
    pub(super) fn open(
        &mut self,
        now: Instant<Hub>,
        token: [u8; 16],
        order: WindowOrder,
    ) -> Result<u64, WindowRefusal> {
        self.forget(now);
        if let Some(open) = self.all.iter().find(|window| now < window.until) {
            return Err(WindowRefusal::AlreadyOpen(open.order.actor.clone()));
        }
        let (least, most) = OPEN_FOR_LIMITS;
        if !(1..=MAX_CLOCKS).contains(&order.expected)
            || !(least..=most).contains(&order.open_for)
            || order.boards.len() > MAX_CLOCKS
        {
            return Err(WindowRefusal::Limits);
        }
        self.opened += 1;
        self.all.push(Window {
            id: self.opened,
            token,
            hash: Sha256::digest(token).into(),
            until: now + order.open_for,
            order,
            clocks: Vec::new(),
        });
        Ok(self.opened)
    }

    /// Answers a clock. Returns `None` if the token belongs to no window that is still remembered. `drawn` is a random number.
    pub(super) fn arrive(
        &mut self,
        now: Instant<Hub>,
        newcomer: &Newcomer,
        request: &EnrolRequest,
        address: IpAddr,
        drawn: u64,
    ) -> Option<Result<Reply, WindowRefusal>> {
        self.forget(now);
        let hash: [u8; 32] = Sha256::digest(&request.token).into();
        let window = self.all.iter_mut().find(|window| window.hash == hash)?;
        Some(window.arrive(now, newcomer, request, address, drawn))
    }

    /// Returns true if the token belongs to a window that still answers clocks.
    pub(super) fn is_open(&mut self, now: Instant<Hub>, token: &[u8]) -> bool {
        self.forget(now);
        let hash: [u8; 32] = Sha256::digest(token).into();
        self.all.iter().any(|window| window.hash == hash)
    }

    /// Begins the admission of waiting clocks: returns them in order of arrival, with their boards, for the caller to certify. Admits
    /// either all of them or none.
    ///
    /// # Errors
    /// Returns [`WindowRefusal::Ended`], [`WindowRefusal::MoreThanAsked`] or [`WindowRefusal::NotWaiting`].
    pub(super) fn admit(
        &mut self,
        now: Instant<Hub>,
        id: u64,
        admissions: &[Admission],
    ) -> Result<Vec<(Newcomer, String)>, WindowRefusal> {
        let window = self.open_window(now, id)?;
        let (came, wanted) = (window.came(), window.order.expected);
        if admissions.len() > 1 && came > wanted {
            return Err(WindowRefusal::MoreThanAsked { came, wanted });
        }
        for admission in admissions {
            let waits = |clock: &ListedClock| {
                clock.newcomer.agent == admission.agent && matches!(clock.state, State::Waiting)
            };
            if !window.clocks.iter().any(waits) {
                return Err(WindowRefusal::NotWaiting(admission.agent));
            }
        }
        let mut chosen = Vec::with_capacity(admissions.len());
        for at in 0..window.clocks.len() {
            let agent = window.clocks[at].newcomer.agent;
            let Some(admission) = admissions.iter().find(|one| one.agent == agent) else {
                continue;
            };
            let named = admissions.iter().map(|one| one.board.as_str());
            let board = match admission.board.as_str() {
                "" => window.next_boards(named).next().unwrap_or_default(),
                board => board,
            };
            let board = board.to_owned();
            let clock = &mut window.clocks[at];
            clock.state = State::Admitting(board.clone());
            clock.problem.clear();
            chosen.push((clock.newcomer.clone(), board));
        }
        Ok(chosen)
    }

    pub(super) fn certified(&mut self, id: u64, agent: AgentId, result: Result<Enrolled, String>) {
        let window = self.all.iter_mut().find(|window| window.id == id);
        let Some(clock) = window.and_then(|window| window.clock(agent)) else {
            return;
        };
        match result {
            Ok(enrolled) => clock.state = State::Admitted(Box::new(enrolled)),
            Err(why) => {
                clock.state = State::Waiting;
                clock.problem = why;
            }
        }
    }

    /// Refuses a waiting clock. The clock learns of the refusal when it asks again.
    pub(super) fn refuse(
        &mut self,
        now: Instant<Hub>,
        id: u64,
        agent: AgentId,
    ) -> Result<(), WindowRefusal> {
        let window = self.open_window(now, id)?;
        match window.clock(agent) {
            Some(clock) if matches!(clock.state, State::Waiting) => {
                clock.state = State::Refused;
                Ok(())
            }
            Some(_) | None => Err(WindowRefusal::NotWaiting(agent)),
        }
    }

    /// Ends a window. Does nothing if it has ended already. Returns [`WindowRefusal::Ended`] if the window is no longer remembered.
    pub(super) fn close(&mut self, now: Instant<Hub>, id: u64) -> Result<(), WindowRefusal> {
        let window = self.all.iter_mut().find(|window| window.id == id);
        let window = window.ok_or(WindowRefusal::Ended)?;
        window.until = window.until.min(now);
        Ok(())
    }

    pub(super) fn view(&mut self, now: Instant<Hub>) -> Option<WindowView> {
        self.forget(now);
        self.all.last().map(|window| window.view(now))
    }

    fn open_window(&mut self, now: Instant<Hub>, id: u64) -> Result<&mut Window, WindowRefusal> {
        let mut open = self.all.iter_mut();
        open.find(|window| window.id == id && now < window.until)
            .ok_or(WindowRefusal::Ended)
    }

    fn forget(&mut self, now: Instant<Hub>) {
        self.all
            .retain(|window| now < window.until + REMEMBERED_FOR);
    }
}

impl Window {
    fn arrive(
        &mut self,
        now: Instant<Hub>,
        newcomer: &Newcomer,
        request: &EnrolRequest,
        address: IpAddr,
        drawn: u64,
    ) -> Result<Reply, WindowRefusal> {
        let open = now < self.until;
        let full = self.clocks.len() >= self.order.expected + MAX_EXTRA;
        match self.clock(newcomer.agent) {
            Some(clock) => match &clock.state {
                State::Admitted(enrolled) => return Ok(Reply::Enrolled(enrolled.clone())),
                State::Refused => return Err(WindowRefusal::Refused),
                State::Waiting if !open => return Err(WindowRefusal::Ended),
                State::Waiting | State::Admitting(_) => {
                    let number = clock.number.to_string();
                    return Ok(Reply::Wait { number, new: false });
                }
            },
            None if !open => return Err(WindowRefusal::Ended),
            None if !request.can_wait => return Err(WindowRefusal::CannotWait),
            None if full => return Err(WindowRefusal::ListFull),
            None => (),
        }
        let number = self.free_number(drawn);
        self.clocks.push(ListedClock {
            newcomer: newcomer.clone(),
            number,
            address,
            state: State::Waiting,
            problem: String::new(),
        });
        let number = number.to_string();
        Ok(Reply::Wait { number, new: true })
    }

    /// Returns a number that no other clock of this window shows. The hub draws it, so that a stranger cannot choose a key whose number
    /// collides.
    fn free_number(&self, drawn: u64) -> u64 {
        let count = NUMBERS.end - NUMBERS.start;
        let mut number = NUMBERS.start + drawn % count;
        while self.clocks.iter().any(|clock| clock.number == number) {
            number = NUMBERS.start + (number + 1 - NUMBERS.start) % count;
        }
        number
    }

    fn clock(&mut self, agent: AgentId) -> Option<&mut ListedClock> {
        self.clocks
            .iter_mut()
            .find(|clock| clock.newcomer.agent == agent)
    }

    fn came(&self) -> usize {
        let refused = |clock: &&ListedClock| matches!(clock.state, State::Refused);
        self.clocks.len() - self.clocks.iter().filter(refused).count()
    }

    /// Returns, in order, the window's boards that no admitted clock has and that are not in `named`.
    fn next_boards<'a>(
        &'a self,
        named: impl Iterator<Item = &'a str> + Clone,
    ) -> impl Iterator<Item = &'a str> {
        let clocks = &self.clocks;
        let held = |board| clocks.iter().any(|one| one.state.board() == Some(board));
        let boards = self.order.boards.iter().map(String::as_str);
        boards.filter(move |board| !held(board) && !named.clone().any(|name| name == *board))
    }

    fn view(&self, now: Instant<Hub>) -> WindowView {
        let mut next = self.next_boards(std::iter::empty());
        let clocks = self.clocks.iter().map(|clock| {
            let (arrival, board) = match &clock.state {
                State::Waiting => (Arrival::Waiting, next.next().unwrap_or_default()),
                State::Admitting(board) => (Arrival::Waiting, board.as_str()),
                State::Admitted(enrolled) => (Arrival::Admitted, enrolled.board.as_str()),
                State::Refused => (Arrival::Refused, ""),
            };
            ClockView {
                agent: clock.newcomer.agent,
                name: clock.newcomer.name.to_string(),
                firmware: clock.newcomer.firmware.to_string(),
                number: clock.number.to_string(),
                address: clock.address,
                arrival,
                board: board.to_owned(),
                problem: clock.problem.clone(),
            }
        });
        WindowView {
            id: self.id,
            token: self.token,
            remaining: (self.until - now).max(Duration::ZERO),
            actor: self.order.actor.clone(),
            expected: self.order.expected,
            clocks: clocks.collect(),
        }
    }
}

impl State {
    fn board(&self) -> Option<&str> {
        match self {
            Self::Admitting(board) => Some(board),
            Self::Admitted(enrolled) => Some(&enrolled.board),
            Self::Waiting | Self::Refused => None,
        }
    }
}

#[cfg(test)]
mod tests;
