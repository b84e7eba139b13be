//! Enrolment tokens: 128 random bits, each valid for one clock, one gateway, or one device of a person. A token is valid for ten minutes of the
//! hub's timeline or as long as its printed sheet. The first chief arbiter's token has no time limit.
//!
//! A correct token is accepted immediately, however many wrong ones came from its address. Many tablets share one address, and a guesser must not
//! lock the others out. Only the length of the tokens protects them. Assume that all 20,000 are open for the 24 hours of the longest sheet, and a
//! million guesses a second, far more than a hub answers. A guesser then finds one with probability 20,000 × 86,400 × 10⁶ / 2¹²⁸ ≈ 5 × 10⁻²⁴. The
//! count of wrong tokens per address serves only to tell people that they are repeating a mistake.
//!
//! Owns the validity of tokens. Tokens live in memory: a restart of the hub ends them all. The owner of a [`Tokens`] decides what its tokens
//! grant. Tokens of clocks, gateways and devices are kept apart, so that none works for another kind.

use std::collections::BTreeMap;
use std::net::IpAddr;

use proto::ids::AgentId;
use sha2::{Digest, Sha256};
use timing::{Duration, Hub, Instant, Side};

/// Lifetime of a token that is neither on a sheet nor unlimited.
pub const VALID_FOR: Duration = Duration::from_secs(600);

/// Number of wrong codes from one address within [`VALID_FOR`] after which a refusal mentions them, or a recovery code is not checked.
const MANY_WRONG_CODES: usize = 5;
/// Maximum number of counted addresses; a new one displaces the oldest.
const MAX_COUNTED_ADDRESSES: usize = 1024;
/// Maximum number of valid tokens.
const MAX_LIVE_TOKENS: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockGrant {
    /// The board that the agent will serve; empty for none.
    pub board: String,
    /// The only side that the agent will serve on the board, if any.
    pub side: Option<Side>,
    /// Number of the printed sheet that contains the token; `None` if no sheet does.
    pub sheet: Option<u64>,
}

impl ClockGrant {
    /// Returns the grant of a code that is on no sheet: for both sides of `board`, or for no board if `board` is empty.
    pub fn of_board(board: &str) -> Self {
        Self {
            board: board.to_owned(),
            side: None,
            sheet: None,
        }
    }
}

/// The reason why a token is refused, in words for the person who entered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// The token is unknown, used, withdrawn or too old. The message deliberately does not say which.
    #[error(
        "this code is not valid: it may have been used or withdrawn, or be too old; ask for a new one (`flagfall enrol`)"
    )]
    NotValid,
    /// Like [`TokenRefusal::NotValid`], but for an address that has sent many wrong tokens.
    #[error("this address has sent many wrong codes: ask for a new code (`flagfall enrol`)")]
    TooMany,
    #[error("{MAX_LIVE_TOKENS} codes are already open: use them, or wait ten minutes")]
    Full,
}

#[derive(Debug)]
pub struct Tokens<G> {
    /// Keyed by the token's SHA-256, so that memory holds no secret.
    live: BTreeMap<[u8; 32], Token<G>>,
    issued: u64,
    wrong: WrongCodes,
}

/// The number of wrong codes per address, for ten minutes from the first.
#[derive(Debug, Default)]
pub(crate) struct WrongCodes(BTreeMap<IpAddr, WrongCount>);

#[derive(Clone, Copy, Debug)]
struct WrongCount {
    since: Instant<Hub>,
    count: usize,
}

impl WrongCodes {
    pub(crate) fn are_many(&self, now: Instant<Hub>, address: IpAddr) -> bool {
        let wrong = self.0.get(&address);
        wrong.is_some_and(|wrong| wrong.count >= MANY_WRONG_CODES && now < wrong.since + VALID_FOR)
    }

    pub(crate) fn note(&mut self, now: Instant<Hub>, address: IpAddr) -> usize {
        if self.0.len() >= MAX_COUNTED_ADDRESSES && !self.0.contains_key(&address) {
            let oldest = self.0.iter().min_by_key(|(_, wrong)| wrong.since);
            if let Some(oldest) = oldest.map(|(address, _)| *address) {
                self.0.remove(&oldest);
            }
        }
        let first = WrongCount {
            since: now,
            count: 0,
        };
        let wrong = self.0.entry(address).or_insert(first);
        if now >= wrong.since + VALID_FOR {
            *wrong = first;
        }
        wrong.count += 1;
        wrong.count
    }
}

impl<G> Default for Tokens<G> {
    fn default() -> Self {
        Self {
            live: BTreeMap::new(),
            issued: 0,
            wrong: WrongCodes::default(),
        }
    }
}

#[derive(Debug)]
struct Token<G> {
    /// The token's position in the order of issue.
    number: u64,
    grant: G,
    until: Instant<Hub>,
    /// The agent or gateway that used the token. Only it may use the token again, because the response may have been lost.
    used_by: Option<AgentId>,
}

impl<G: Clone> Tokens<G> {
    /// Makes the random `token` valid from `now`, for [`VALID_FOR`].
    ///
    /// # Errors
    /// Returns [`TokenRefusal::Full`] if too many tokens are valid.
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

    pub(crate) fn issue_until(
        &mut self,
        now: Instant<Hub>,
        until: Instant<Hub>,
        token: [u8; 16],
        grant: G,
    ) -> Result<(), TokenRefusal> {
        self.forget(now);
        if self.live.len() >= MAX_LIVE_TOKENS {
            return Err(TokenRefusal::Full);
        }
        self.issued += 1;
        let issued = Token {
            number: self.issued,
            grant,
            until,
            used_by: None,
        };
        self.live.insert(hash(&token), issued);
        Ok(())
    }

    /// Returns the grants of tokens that are valid and unused at `now`, in the order of their issue.
    pub fn unused(&self, now: Instant<Hub>) -> impl Iterator<Item = &G> {
        let unused = move |token: &&Token<G>| token.used_by.is_none() && now < token.until;
        let mut unused: Vec<_> = self.live.values().filter(unused).collect();
        unused.sort_unstable_by_key(|token| token.number);
        unused.into_iter().map(|token| &token.grant)
    }

    /// Withdraws the unused tokens whose grant `matches`, and returns their number.
    pub fn withdraw(&mut self, now: Instant<Hub>, matches: impl Fn(&G) -> bool) -> usize {
        self.forget(now);
        let before = self.live.len();
        self.live
            .retain(|_, token| token.used_by.is_some() || !matches(&token.grant));
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
        let found = self.find(now, token, address, by_agent)?;
        let token = self.live.get_mut(&found).ok_or(TokenRefusal::NotValid)?;
        token.used_by = Some(agent);
        Ok(token.grant.clone())
    }

    /// Ends the tokens that `agent` has used, so that a revoked agent cannot repeat its enrolment.
    pub(crate) fn end_used_by(&mut self, agent: AgentId) {
        self.live.retain(|_, token| token.used_by != Some(agent));
    }

    /// Returns the grant of a token and removes the token. A wrong token is counted for `address`, which sent the request.
    ///
    /// # Errors
    /// Returns [`TokenRefusal::NotValid`] or [`TokenRefusal::TooMany`].
    pub fn take(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        let found = self.find(now, token, address, |_| true)?;
        let token = self.live.remove(&found).ok_or(TokenRefusal::NotValid)?;
        Ok(token.grant)
    }

    /// Returns the grant of a token, which stays valid. A wrong token is counted for `address`, which sent the request.
    ///
    /// # Errors
    /// Returns [`TokenRefusal::NotValid`] or [`TokenRefusal::TooMany`].
    pub fn peek(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
    ) -> Result<G, TokenRefusal> {
        let found = self.find(now, token, address, |_| true)?;
        let token = self.live.get(&found).ok_or(TokenRefusal::NotValid)?;
        Ok(token.grant.clone())
    }

    /// Returns true if `token` is valid, used or not. Wrong tokens are not counted here, so the response to the client must not depend on the
    /// result. A client could otherwise test guesses without being counted.
    pub(crate) fn is_open(&self, now: Instant<Hub>, token: &[u8]) -> bool {
        let found = self.live.get(&hash(token));
        found.is_some_and(|token| now < token.until)
    }

    /// Returns the hash of `token` if it is valid and `may_be_used` accepts it. Otherwise counts a wrong token for `address`.
    fn find(
        &mut self,
        now: Instant<Hub>,
        token: &[u8],
        address: IpAddr,
        may_be_used: impl Fn(&Token<G>) -> bool,
    ) -> Result<[u8; 32], TokenRefusal> {
        let asked = hash(token);
        // The timing of a look-up by hash reveals nothing about a token, because a guesser cannot choose the first bits of a hash.
        let found = self.live.get(&asked);
        if found.is_some_and(|token| now < token.until && may_be_used(token)) {
            return Ok(asked);
        }
        Err(match self.wrong.note(now, address) {
            ..=MANY_WRONG_CODES => TokenRefusal::NotValid,
            _ => TokenRefusal::TooMany,
        })
    }

    fn forget(&mut self, now: Instant<Hub>) {
        self.live.retain(|_, token| now < token.until);
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
    fn the_tokens_of_a_revoked_agent_end_and_no_others() {
        let mut tokens = Tokens::default();
        for token in 1..=3 {
            tokens.issue(at(0), [token; 16], token).unwrap();
        }
        tokens.redeem(at(1), &[1; 16], ONE, HERE).unwrap();
        tokens.redeem(at(1), &[2; 16], OTHER, HERE).unwrap();
        tokens.end_used_by(ONE);
        assert_eq!(
            tokens.redeem(at(2), &[1; 16], ONE, HERE),
            Err(TokenRefusal::NotValid)
        );
        assert_eq!(tokens.redeem(at(2), &[2; 16], OTHER, HERE), Ok(2));
        assert_eq!(tokens.redeem(at(2), &[3; 16], ONE, HERE), Ok(3));
    }

    #[test]
    fn checking_whether_a_token_is_open_counts_no_guess() {
        let mut tokens = Tokens::default();
        tokens.issue(at(0), [1; 16], String::new()).unwrap();
        for _ in 0..100 {
            assert!(!tokens.is_open(at(1), &[9; 16]));
        }
        assert!(tokens.is_open(at(1), &[1; 16]));
        assert!(tokens.redeem(at(1), &[1; 16], ONE, HERE).is_ok());
        assert!(tokens.is_open(at(1), &[1; 16]), "its answer may be lost");
        assert!(!tokens.is_open(at(600), &[1; 16]));
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
        assert_eq!(tokens.redeem(at(43_100), &[1; 16], ONE, HERE), Ok(1));
        assert_eq!(tokens.redeem(at(43_200), &[3; 16], ONE, HERE), refused);
        assert_eq!(tokens.unused(at(43_200)).count(), 0);
    }

    #[test]
    fn taken_token_is_gone_and_counts_as_wrong() {
        let mut tokens = Tokens::default();
        tokens.issue(at(0), [1; 16], "Ann").unwrap();
        assert_eq!(tokens.take(at(1), &[1; 16], HERE), Ok("Ann"));
        for _ in 0..5 {
            let again = tokens.take(at(1), &[1; 16], HERE);
            assert_eq!(again, Err(TokenRefusal::NotValid));
        }
        let again = tokens.take(at(1), &[1; 16], HERE);
        assert_eq!(again, Err(TokenRefusal::TooMany));
        let elsewhere = tokens.take(at(1), &[1; 16], THERE);
        assert_eq!(elsewhere, Err(TokenRefusal::NotValid));
    }

    #[test]
    fn guesses_do_not_lock_out_other_devices_at_the_same_address() {
        let mut tokens = Tokens::default();
        for (number, token) in [[1; 16], [2; 16], [3; 16]].into_iter().enumerate() {
            tokens.issue(at(300), token, number).unwrap();
        }
        for guess in 0..100_000_u32 {
            let mut wrong = [9; 16];
            wrong[..4].copy_from_slice(&guess.to_be_bytes());
            assert!(tokens.redeem(at(300), &wrong, ONE, HERE).is_err());
        }
        assert_eq!(
            tokens.redeem(at(301), &[9; 16], ONE, HERE),
            Err(TokenRefusal::TooMany)
        );
        assert_eq!(tokens.redeem(at(301), &[1; 16], ONE, HERE), Ok(0));
        assert_eq!(tokens.peek(at(301), &[2; 16], HERE), Ok(1));
        assert_eq!(tokens.take(at(301), &[2; 16], HERE), Ok(1));
        assert_eq!(tokens.redeem(at(301), &[3; 16], OTHER, THERE), Ok(2));
        assert_eq!(
            tokens.redeem(at(900), &[9; 16], ONE, HERE),
            Err(TokenRefusal::NotValid)
        );
    }

    #[test]
    fn remembered_addresses_are_bounded() {
        let mut tokens = Tokens::<String>::default();
        for n in 0..5_000_u32 {
            let _ = tokens.redeem(at(0), &[9; 16], ONE, IpAddr::from(n.to_be_bytes()));
        }
        assert!(tokens.wrong.0.len() <= MAX_COUNTED_ADDRESSES);
    }
}
