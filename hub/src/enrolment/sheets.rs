//! Printed sheets of codes: one card for each clock, bound to its board, valid for at most a day. Owns the list of sheets. A code is for a
//! single use and is lost when the hub stops.

use proto::enrolment::EnrolmentCode;
use timing::{Duration, Hub, Instant, Side};

use super::{EnrolmentDesk, EnrolmentError};
use crate::identity::{ClockGrant, VALID_FOR, random};
use crate::lock::lock;
use hall::BoardDetail;

/// Default lifetime of a sheet's codes.
const SHEET_FOR: Duration = Duration::from_secs(12 * 3600);
const MAX_VALIDITY: Duration = Duration::from_secs(24 * 3600);
const MAX_CODES: usize = 2_000;

/// The reason for refusing to make or withdraw a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetRefusal {
    #[error("every board has a clock: name the boards whose clocks are to be replaced")]
    EveryBoardHasOne,
    #[error(
        "no code of this sheet is left to withdraw: all were used or withdrawn, or have expired"
    )]
    NoCodeLeft,
    #[error("a sheet must have 1 to {MAX_CODES} codes, valid for ten minutes to a day")]
    Limits,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetOrder {
    /// The boards in printing order. If empty, the sheet is for every board without a clock.
    pub boards: Vec<String>,
    /// True if the sheet has one code for each side of a board, instead of one for the whole board.
    pub each_side: bool,
    /// Lifetime of the codes; zero means twelve hours.
    pub valid_for: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetCode {
    pub board: String,
    /// The only side that the clock will serve; `None` for both sides.
    pub side: Option<Side>,
    pub code: EnrolmentCode,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetView {
    /// The sheet's number, unique during the hub's run.
    pub id: u64,
    pub actor: String,
    pub remaining: Duration,
    pub codes: usize,
    /// The board of each unused code.
    pub unused: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct Sheets {
    made: u64,
    all: Vec<Sheet>,
}

#[derive(Debug)]
struct Sheet {
    id: u64,
    actor: String,
    until: Instant<Hub>,
    codes: usize,
}

impl EnrolmentDesk {
    /// Creates a sheet of codes. Returns its number, the lifetime of its codes, and the cards.
    ///
    /// # Errors
    /// Returns [`EnrolmentError::Sheet`] if the request is out of bounds or every board has a clock. Returns [`EnrolmentError::Denied`] if no
    /// such board exists, and [`EnrolmentError::Token`] if too many codes are open. Returns [`EnrolmentError::Unavailable`] if the system provides
    /// no random numbers.
    pub fn sheet(
        &self,
        order: &SheetOrder,
        actor: &str,
    ) -> Result<(u64, Duration, Vec<SheetCode>), EnrolmentError> {
        let valid_for = match order.valid_for {
            Duration::ZERO => SHEET_FOR,
            asked => asked,
        };
        if !(VALID_FOR..=MAX_VALIDITY).contains(&valid_for) {
            return Err(SheetRefusal::Limits.into());
        }
        let places = self.places(order)?;
        if places.is_empty() {
            return Err(SheetRefusal::EveryBoardHasOne.into());
        }
        if places.len() > MAX_CODES {
            return Err(SheetRefusal::Limits.into());
        }
        let until = self.time.hub_now() + valid_for;
        let id = self.sheets(|sheets| sheets.add(actor, until, places.len()));
        let mut codes = Vec::with_capacity(places.len());
        for (board, side) in places {
            let token = random()?;
            let grant = ClockGrant {
                board: board.clone(),
                side,
                sheet: Some(id),
            };
            self.tokens(|tokens, now| tokens.issue_until(now, until, token, grant))?;
            let code = self.code_with(token);
            codes.push(SheetCode { board, side, code });
        }
        tracing::info!(actor, codes = codes.len(), "a sheet of codes was made");
        self.note_change();
        Ok((id, valid_for, codes))
    }

    pub(crate) fn withdraw_sheet(&self, sheet: u64, actor: &str) -> Result<usize, EnrolmentError> {
        let withdrawn = self.tokens(|tokens, now| {
            tokens.withdraw(now, |grant: &ClockGrant| grant.sheet == Some(sheet))
        });
        if withdrawn == 0 {
            return Err(SheetRefusal::NoCodeLeft.into());
        }
        tracing::info!(actor, withdrawn, "codes of a sheet were withdrawn");
        self.note_change();
        Ok(withdrawn)
    }

    /// Returns the sheets that have unused codes, newest last.
    pub(crate) fn sheets_left(&self) -> Vec<SheetView> {
        let now = self.time.hub_now();
        let unused: Vec<ClockGrant> =
            self.tokens(|tokens, now| tokens.unused(now).cloned().collect());
        self.sheets(|sheets| {
            sheets.all.retain(|sheet| now < sheet.until);
            let all = sheets.all.iter().map(|sheet| {
                let unused = unused.iter().filter(|one| one.sheet == Some(sheet.id));
                SheetView {
                    id: sheet.id,
                    actor: sheet.actor.clone(),
                    remaining: sheet.until - now,
                    codes: sheet.codes,
                    unused: unused.map(|grant| grant.board.clone()).collect(),
                }
            });
            all.filter(|sheet| !sheet.unused.is_empty()).collect()
        })
    }

    /// Returns each board and side of a request once. If the request names no boards, leaves out those that already have a clock.
    fn places(&self, order: &SheetOrder) -> Result<Vec<(String, Option<Side>)>, EnrolmentError> {
        let live = self.hub.live();
        let without = order.boards.is_empty();
        let mut boards = order.boards.clone();
        if without {
            // Cards are cut and laid out in the order of the hall's boards.
            let all = live.boards();
            boards = all.iter().map(|board| board.view.board.clone()).collect();
        }
        let mut places = Vec::new();
        for name in boards {
            self.known_board(&name)?;
            let sides: &[Option<Side>] = match order.each_side {
                true => &[Some(Side::White), Some(Side::Black)],
                false => &[None],
            };
            let detail = live.board(&name);
            let taken =
                |side| without && detail.as_ref().is_some_and(|board| has_clock(board, side));
            for side in sides.iter().copied().filter(|side| !taken(*side)) {
                let place = (name.clone(), side);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        Ok(places)
    }

    fn sheets<T>(&self, act: impl FnOnce(&mut Sheets) -> T) -> T {
        act(&mut lock(&self.sheets))
    }
}

fn has_clock(board: &BoardDetail, side: Option<Side>) -> bool {
    match (&board.clocks, side) {
        (Some(clocks), Some(side)) => clocks[side].agent.is_some(),
        (Some(clocks), None) => clocks.white.agent.is_some() || clocks.black.agent.is_some(),
        (None, _) => board.agent.is_some(),
    }
}

impl Sheets {
    fn add(&mut self, actor: &str, until: Instant<Hub>, codes: usize) -> u64 {
        self.made += 1;
        self.all.push(Sheet {
            id: self.made,
            actor: actor.to_owned(),
            until,
            codes,
        });
        self.made
    }
}
