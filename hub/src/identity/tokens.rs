//! Enrolment tokens: 128 random bits, each good for one clock or one arbiter's device, and for ten minutes of the hub's timeline;
//! those on a printed sheet for as long as the sheet. A guess stays hopeless: an address has five in ten minutes.
//!
//! Owns which tokens are still good and who has guessed too often. They live in memory: a restart of the hub ends them all. What a
//! token grants is its owner's affair; tokens of clocks and of arbiters are kept apart, so that neither is good for the other.

use std::collections::BTreeMap;
use std::net::IpAddr;

use proto::ids::AgentId;
use sha2::{Digest, Sha256};
use timing::{Duration, Hub, Instant, Side};

/// Life of a token that is not on a sheet.
pub const VALID_FOR: Duration = Duration::from_secs(600);

/// Wrong tokens from one address within [`VALID_FOR`] before it has to wait.
const ATTEMPTS: usize = 5;
/// Addresses remembered; a flood of others pushes the oldest out.
const ADDRESSES: usize = 1024;
/// Tokens good at a time: more than any hall has clocks.
const LIVE: usize = 20_000;

/// What a clock's token grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockGrant {
    /// The board the agent is to serve; empty for none.
    pub board: String,
    /// The only side it is to serve there.
    pub side: Option<Side>,
    /// The number of the printed sheet that the token is on.
    pub sheet: Option<u64>,
}

/// Why a token is refused. The text goes to the agent's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// Unknown, used or too old: the three are not told apart.
    #[error(
        "this code is not valid: it may have been used or withdrawn, or be too old; ask for a new one (`flagfall enrol`)"
    )]
    NotValid,
    /// Too many wrong tokens from this address.
    #[error("too many wrong codes from this address: wait ten minutes, then use a new code")]
    TooMany,
    /// More codes were asked for than a hall can need.
    #[error("{LIVE} codes are open already: use them, or wait ten minutes")]
    Full,
}

/// The tokens that are good now, each for a grant.
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
    /// SHA-256 of the token: comparing hashes tells a guesser nothing, and memory holds no secret.
    hash: [u8; 32],
    grant: G,
    until: Instant<Hub>,
    /// The agent that used it up, and alone may come again with it: its answer may have been lost.
    used_by: Option<AgentId>,
}

impl<G: Clone> Tokens<G> {
    /// Makes the random `token` good from `now` on.
    ///
    /// # Errors
    /// [`TokenRefusal::Full`].
    pub fn issue(
        &mut self,
        now: Instant<Hub>,
        token: [u8; 16],
        grant: G,
    ) -> Result<(), TokenRefusal> {
        self.issue_until(now, now + VALID_FOR, token, grant)
    }

    /// Makes the random `token` good until it is taken or withdrawn.
    ///
    /// # Errors
    /// [`TokenRefusal::Full`].
    pub fn issue_unlimited(
        &mut self,
        now: Instant<Hub>,
        token: [u8; 16],
        grant: G,
    ) -> Result<(), TokenRefusal> {
        self.issue_until(now, Instant::from_micros(i64::MAX), token, grant)
    }

    /// Makes the random `token` good from `now` to `until`.
    ///
    /// # Errors
    /// [`TokenRefusal::Full`].
    pub fn issue_until(
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

    /// Grants of the tokens that are good at `now` and not used yet, in the order of their issue.
    pub fn unused(&self, now: Instant<Hub>) -> impl Iterator<Item = &G> {
        let unused = move |token: &&Token<G>| token.used_by.is_none() && now < token.until;
        self.live.iter().filter(unused).map(|token| &token.grant)
    }

    /// Ends the unused tokens whose grant `matches`; returns how many.
    pub fn withdraw(&mut self, now: Instant<Hub>, matches: impl Fn(&G) -> bool) -> usize {
        self.forget(now);
        let before = self.live.len();
        self.live
            .retain(|token| token.used_by.is_some() || !matches(&token.grant));
        before - self.live.len()
    }

    /// Uses up a token for `agent`, whose request came from `address`.
    ///
    /// # Errors
    /// [`TokenRefusal::NotValid`] or [`TokenRefusal::TooMany`].
    pub fn redeem(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        agent: AgentId,
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        let found = self.find(now, token, address)?;
        match found.and_then(|at| self.live.get_mut(at)) {
            Some(token) if token.used_by.is_none_or(|user| user == agent) => {
                token.used_by = Some(agent);
                Ok(token.grant.clone())
            }
            Some(_) | None => {
                self.note_wrong(now, address);
                Err(TokenRefusal::NotValid)
            }
        }
    }

    /// Uses up a token for good, for a request from `address`: nobody comes twice with it.
    ///
    /// # Errors
    /// [`TokenRefusal::NotValid`] or [`TokenRefusal::TooMany`].
    pub fn take(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        match self.find(now, token, address)? {
            Some(at) => Ok(self.live.swap_remove(at).grant),
            None => {
                self.note_wrong(now, address);
                Err(TokenRefusal::NotValid)
            }
        }
    }

    /// Returns what a token is good for, and leaves it good, for a request from `address`. A wrong one counts as a guess.
    ///
    /// # Errors
    /// [`TokenRefusal::NotValid`] or [`TokenRefusal::TooMany`].
    pub fn peek(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        let found = self.find(now, token, address)?;
        match found.and_then(|at| self.live.get(at)) {
            Some(token) => Ok(token.grant.clone()),
            None => {
                self.note_wrong(now, address);
                Err(TokenRefusal::NotValid)
            }
        }
    }

    /// Where a token lies that is still good, unless its sender has guessed too often.
    fn find(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
    ) -> Result<Option<usize>, TokenRefusal> {
        self.forget(now);
        let wrong = self.wrong.get(&address).map_or(0, Vec::len);
        if wrong >= ATTEMPTS {
            return Err(TokenRefusal::TooMany);
        }
        let asked = hash(token);
        // Every token is looked at, whichever fits.
        let all = self.live.iter().enumerate();
        Ok(all.fold(None, |found, (at, token)| {
            if same(&token.hash, &asked) {
                Some(at)
            } else {
                found
            }
        }))
    }

    fn forget(&mut self, now: Instant<Hub>) {
        self.live.retain(|token| now < token.until);
        self.wrong.retain(|_, attempts| {
            attempts.retain(|at| now < *at + VALID_FOR);
            !attempts.is_empty()
        });
    }

    fn note_wrong(&mut self, now: Instant<Hub>, address: IpAddr) {
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

/// Takes as long for a near miss as for a far one.
fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
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
    fn a_token_is_good_for_one_agent() {
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
    fn a_token_is_good_for_ten_minutes_of_the_hubs_timeline() {
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
    fn a_token_without_a_limit_is_good_for_days_once_and_until_it_is_withdrawn() {
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
    fn unused_tokens_of_a_longer_life_are_listed_and_withdrawn_together() {
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
        // Its answer may have been lost.
        assert_eq!(tokens.redeem(at(43_100), &[1; 16], ONE, HERE), Ok(1));
        assert_eq!(tokens.redeem(at(43_200), &[3; 16], ONE, HERE), refused);
        assert_eq!(tokens.unused(at(43_200)).count(), 0);
    }

    #[test]
    fn a_token_that_is_taken_is_gone_and_asking_again_is_a_guess() {
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
    fn an_address_that_guesses_has_to_wait_and_others_do_not() {
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
    fn a_flood_of_addresses_does_not_grow_without_bound() {
        let mut tokens = Tokens::<String>::default();
        for n in 0..5_000_u32 {
            let _ = tokens.redeem(at(0), &[9; 16], ONE, IpAddr::from(n.to_be_bytes()));
        }
        assert!(tokens.wrong.len() <= ADDRESSES);
    }
}
