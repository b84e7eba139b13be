//! Enrolment tokens: 128 random bits, each valid for one clock or one arbiter's device. A token is valid for ten
//! minutes of the hub's timeline, or as long as its printed sheet. Guessing is hopeless: an address has five attempts
//! in ten minutes.
//!
//! Owns the validity of tokens and the limit on guesses. Tokens live in memory: a restart of the hub ends them all. The
//! owner decides what a token grants. Tokens of clocks and of arbiters are kept apart, so that neither works for the
//! other.

use std::collections::BTreeMap;
use std::net::IpAddr;

use proto::ids::AgentId;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;
use timing::{Duration, Hub, Instant, Side};

/// Lifetime of a token that is not on a sheet.
pub const VALID_FOR: Duration = Duration::from_secs(600);

/// Wrong tokens from one address within [`VALID_FOR`] before it must wait.
const ATTEMPTS: usize = 5;
/// Maximum number of addresses that are remembered; a new one displaces the oldest.
const ADDRESSES: usize = 1024;
/// Maximum number of valid tokens at a time: no hall has as many clocks.
const LIVE: usize = 20_000;

/// The rights that a clock's token grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockGrant {
    /// The board that the agent will serve; empty for none.
    pub board: String,
    /// The only side that it will serve there.
    pub side: Option<Side>,
    /// The number of the printed sheet that the token is on.
    pub sheet: Option<u64>,
}

impl ClockGrant {
    /// Returns the rights to serve `board`, if one is named, with a code of its own.
    pub fn of_board(board: &str) -> Self {
        Self {
            board: board.to_owned(),
            side: None,
            sheet: None,
        }
    }
}

/// The reason why a token is refused. The text appears on the agent's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum TokenRefusal {
    /// The token is unknown, used or too old; the answer does not distinguish these.
    #[error(
        "this code is not valid: it may be used, withdrawn or too old; ask for a new one (`flagfall enrol`)"
    )]
    NotValid,
    #[error("too many wrong codes from this address: wait ten minutes, then use a new code")]
    TooMany,
    #[error("{LIVE} codes are already open: use them, or wait ten minutes")]
    Full,
}

/// The valid tokens, each with its grant.
#[derive(Debug)]
pub struct Tokens<G> {
    live: Vec<Token<G>>,
    wrong: BTreeMap<IpAddr, Vec<Instant<Hub>>>,
}

impl<G> Default for Tokens<G> {
    fn default() -> Self {
        Self {
            live: Vec::new(),
            wrong: BTreeMap::new(),
        }
    }
}

#[derive(Debug)]
struct Token<G> {
    /// SHA-256 of the token: comparing hashes reveals nothing to a guesser, and memory holds no secret.
    hash: [u8; 32],
    grant: G,
    until: Instant<Hub>,
    /// The agent that used it, which alone may use it again: the answer may have been lost.
    used_by: Option<AgentId>,
}

impl<G: Clone> Tokens<G> {
    /// Makes the random `token` valid from `now`.
    ///
    /// # Errors
    /// Returns [`TokenRefusal::Full`].
    pub fn issue(
        &mut self,
        now: Instant<Hub>,
        token: [u8; 16],
        grant: G,
    ) -> Result<(), TokenRefusal> {
        self.issue_until(now, now + VALID_FOR, token, grant)
    }

    /// Makes the random `token` valid until it is used or withdrawn.
    pub(crate) fn issue_unlimited(
        &mut self,
        now: Instant<Hub>,
        token: [u8; 16],
        grant: G,
    ) -> Result<(), TokenRefusal> {
        self.issue_until(now, Instant::from_micros(i64::MAX), token, grant)
    }

    /// Makes the random `token` valid from `now` to `until`.
    pub(crate) fn issue_until(
        &mut self,
        now: Instant<Hub>,
        until: Instant<Hub>,
        token: [u8; 16],
        grant: G,
    ) -> Result<(), TokenRefusal> {
        self.live.retain(|token| now < token.until);
        if self.live.len() >= LIVE {
            return Err(TokenRefusal::Full);
        }
        self.live.push(Token {
            hash: hash(&token),
            grant,
            until,
            used_by: None,
        });
        Ok(())
    }

    /// Returns the grants of tokens that are valid and unused at `now`, in the order of their issue.
    pub fn unused(&self, now: Instant<Hub>) -> impl Iterator<Item = &G> {
        let unused = move |token: &&Token<G>| token.used_by.is_none() && now < token.until;
        self.live.iter().filter(unused).map(|token| &token.grant)
    }

    /// Withdraws the unused tokens whose grant `matches`, and returns their number.
    pub fn withdraw(&mut self, now: Instant<Hub>, matches: impl Fn(&G) -> bool) -> usize {
        self.forget(now);
        let before = self.live.len();
        self.live
            .retain(|token| token.used_by.is_some() || !matches(&token.grant));
        before - self.live.len()
    }

    /// Uses a token for `agent`, whose request came from `address`. The same agent may repeat the request.
    pub(crate) fn redeem(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        agent: AgentId,
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        let by_agent = |token: &Token<G>| token.used_by.is_none_or(|user| user == agent);
        let at = self.find(now, token, address, by_agent)?;
        self.live[at].used_by = Some(agent);
        Ok(self.live[at].grant.clone())
    }

    /// Uses a token once and for all, for a request from `address`.
    ///
    /// # Errors
    /// Returns [`TokenRefusal::NotValid`] or [`TokenRefusal::TooMany`].
    pub fn take(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        let at = self.find(now, token, address, |_| true)?;
        Ok(self.live.swap_remove(at).grant)
    }

    /// Returns the grant of a token without using it, for a request from `address`. A wrong token counts as a guess.
    ///
    /// # Errors
    /// Returns [`TokenRefusal::NotValid`] or [`TokenRefusal::TooMany`].
    pub fn peek(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        let at = self.find(now, token, address, |_| true)?;
        Ok(self.live[at].grant.clone())
    }

    /// Finds a valid token that `may_be_used`, unless its sender has guessed too often. Another token counts as a guess.
    fn find(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
        may_be_used: impl Fn(&Token<G>) -> bool,
    ) -> Result<usize, TokenRefusal> {
        self.check_guesses(now, address)?;
        let asked = hash(token);
        // Compares every token, so that the time does not depend on the match.
        let all = self.live.iter().enumerate();
        let found = all.fold(None, |found, (at, token)| {
            if token.hash.ct_eq(&asked).into() {
                Some(at)
            } else {
                found
            }
        });
        match found.filter(|at| may_be_used(&self.live[*at])) {
            Some(at) => Ok(at),
            None => {
                self.note_guess(now, address);
                Err(TokenRefusal::NotValid)
            }
        }
    }

    /// Returns an error if `address` has guessed too often.
    pub(crate) fn check_guesses(
        &mut self,
        now: Instant<Hub>,
        address: IpAddr,
    ) -> Result<(), TokenRefusal> {
        self.forget(now);
        match self.wrong.get(&address).map_or(0, Vec::len) {
            ATTEMPTS.. => Err(TokenRefusal::TooMany),
            _ => Ok(()),
        }
    }

    fn forget(&mut self, now: Instant<Hub>) {
        self.live.retain(|token| now < token.until);
        self.wrong.retain(|_, attempts| {
            attempts.retain(|at| now < *at + VALID_FOR);
            !attempts.is_empty()
        });
    }

    /// Counts a wrong code from `address`.
    pub(crate) fn note_guess(&mut self, now: Instant<Hub>, address: IpAddr) {
        if self.wrong.len() >= ADDRESSES && !self.wrong.contains_key(&address) {
            let oldest = self
                .wrong
                .iter()
                .min_by_key(|(_, attempts)| attempts.last().copied())
                .map(|(address, _)| *address);
            if let Some(oldest) = oldest {
                self.wrong.remove(&oldest);
            }
        }
        self.wrong.entry(address).or_default().push(now);
    }
}

fn hash(token: &[u8]) -> [u8; 32] {
    Sha256::digest(token).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 7));

    const ONE: AgentId = AgentId([1; 32]);
    const OTHER: AgentId = AgentId([2; 32]);

    fn at(secs: i64) -> Instant<Hub> {
        Instant::from_micros(secs * 1_000_000)
    }

    #[test]
    fn token_is_valid_for_one_agent() {
        let mut tokens = Tokens::default();
        tokens.issue(at(0), [1; 16], "7".to_owned()).unwrap();
        let redeemed = Ok("7".to_owned());
        assert_eq!(tokens.redeem(at(1), &[1; 16], ONE, HERE), redeemed);
        assert_eq!(
            tokens.redeem(at(1), &[1; 16], OTHER, HERE),
            Err(TokenRefusal::NotValid)
        );
        assert_eq!(tokens.redeem(at(2), &[1; 16], ONE, HERE), redeemed);
    }

    #[test]
    fn token_expires_after_ten_minutes_of_the_hubs_timeline() {
        let mut tokens = Tokens::default();
        tokens.issue(at(100), [1; 16], String::new()).unwrap();
        tokens.issue(at(100), [2; 16], String::new()).unwrap();
        assert!(tokens.redeem(at(699), &[1; 16], ONE, HERE).is_ok());
        assert_eq!(
            tokens.redeem(at(700), &[2; 16], ONE, HERE),
            Err(TokenRefusal::NotValid)
        );
    }

    #[test]
    fn unlimited_token_is_valid_until_used_or_withdrawn() {
        let days = at(3 * 24 * 60 * 60);
        let mut tokens = Tokens::default();
        tokens.issue_unlimited(at(0), [1; 16], "first").unwrap();
        tokens.issue_unlimited(at(0), [2; 16], "other").unwrap();
        assert_eq!(tokens.take(days, &[1; 16], HERE), Ok("first"));
        assert_eq!(
            tokens.take(days, &[1; 16], HERE),
            Err(TokenRefusal::NotValid)
        );
        assert_eq!(tokens.withdraw(days, |grant| *grant == "other"), 1);
        assert_eq!(
            tokens.take(days, &[2; 16], HERE),
            Err(TokenRefusal::NotValid)
        );
    }

    #[test]
    fn tokens_of_a_sheet_are_listed_and_withdrawn_together() {
        let mut tokens = Tokens::default();
        for (token, sheet) in [([1; 16], 1), ([2; 16], 1), ([3; 16], 2)] {
            tokens.issue_until(at(0), at(43_200), token, sheet).unwrap();
        }
        assert_eq!(tokens.redeem(at(43_000), &[1; 16], ONE, HERE), Ok(1));
        assert_eq!(tokens.unused(at(43_000)).collect::<Vec<_>>(), [&1, &2]);
        assert_eq!(tokens.withdraw(at(43_000), |sheet| *sheet == 1), 1);
        assert_eq!(tokens.withdraw(at(43_000), |sheet| *sheet == 1), 0);
        let refused = Err(TokenRefusal::NotValid);
        assert_eq!(tokens.redeem(at(43_000), &[2; 16], ONE, HERE), refused);
        // The first answer may have been lost.
        assert_eq!(tokens.redeem(at(43_100), &[1; 16], ONE, HERE), Ok(1));
        assert_eq!(tokens.redeem(at(43_200), &[3; 16], ONE, HERE), refused);
        assert_eq!(tokens.unused(at(43_200)).count(), 0);
    }

    #[test]
    fn taken_token_is_gone_and_counts_as_a_guess() {
        let mut tokens = Tokens::default();
        tokens.issue(at(0), [1; 16], "Ann").unwrap();
        assert_eq!(tokens.take(at(1), &[1; 16], HERE), Ok("Ann"));
        for _ in 0..5 {
            let again = tokens.take(at(1), &[1; 16], HERE);
            assert_eq!(again, Err(TokenRefusal::NotValid));
        }
        tokens.issue(at(1), [2; 16], "Ben").unwrap();
        assert_eq!(
            tokens.take(at(2), &[2; 16], HERE),
            Err(TokenRefusal::TooMany)
        );
        assert_eq!(tokens.take(at(2), &[2; 16], THERE), Ok("Ben"));
    }

    #[test]
    fn guessing_address_must_wait_and_others_need_not() {
        let mut tokens = Tokens::default();
        for token in [[1; 16], [2; 16], [3; 16]] {
            tokens.issue(at(300), token, String::new()).unwrap();
        }
        for _ in 0..5 {
            assert_eq!(
                tokens.redeem(at(300), &[9; 16], ONE, HERE),
                Err(TokenRefusal::NotValid)
            );
        }
        assert_eq!(
            tokens.redeem(at(301), &[1; 16], ONE, HERE),
            Err(TokenRefusal::TooMany)
        );
        assert!(tokens.redeem(at(301), &[1; 16], ONE, THERE).is_ok());
        tokens.issue(at(899), [4; 16], String::new()).unwrap();
        assert!(tokens.redeem(at(900), &[4; 16], ONE, HERE).is_ok());
    }

    #[test]
    fn remembered_addresses_are_bounded() {
        let mut tokens = Tokens::<String>::default();
        for n in 0..5_000_u32 {
            let _ = tokens.redeem(at(0), &[9; 16], ONE, IpAddr::from(n.to_be_bytes()));
        }
        assert!(tokens.wrong.len() <= ADDRESSES);
    }
}
