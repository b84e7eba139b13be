//! Pushing games to a Lichess broadcast: `POST /api/broadcast/round/{id}/push`, one request at a time.
//!
//! Owns the queue and the waits between requests. A newer text of a game replaces an older one in the queue, so a pause skips only intermediate
//! positions. A single game that Lichess has refused is not sent again until it changes.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use tournament::{BoardNo, RoundNo};
use ureq::Agent;

use super::outputs::{OutputError, OutputFault};
use super::settings::Lichess;

/// Maximum number of games in one request, and in one Lichess round.
pub const MAX_GAMES: usize = 100;
const TIMEOUT: Duration = Duration::from_secs(15);
/// The wait after status 429 (too many requests), unless the response specifies a wait.
const TOO_MANY_WAIT: Duration = Duration::from_secs(60);
/// The wait after an error that a person must fix, such as an unknown token.
const REFUSED_WAIT: Duration = Duration::from_secs(60);
const FIRST_WAIT: Duration = Duration::from_secs(2);
const MAX_WAIT: Duration = Duration::from_secs(60);
const MAX_ANSWER_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: BTreeMap<String, BTreeMap<(RoundNo, BoardNo), String>>,
}

pub(super) struct Batch {
    round: String,
    games: Vec<((RoundNo, BoardNo), String)>,
}

pub(super) enum Answer {
    /// Lichess has accepted all games except these. Each comes with the reason for its refusal.
    Taken(Vec<((RoundNo, BoardNo), String)>),
    /// The batch failed, or its outcome is unknown. It can be sent again after this wait; `None` means after the usual back-off.
    Later(Option<Duration>, OutputError),
}

impl Queue {
    pub(super) fn add(&mut self, round: &str, place: (RoundNo, BoardNo), text: String) {
        let games = self.waiting.entry(round.to_owned()).or_default();
        games.insert(place, text);
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.values().map(BTreeMap::len).sum()
    }

    pub(super) fn take(&mut self) -> Option<Batch> {
        let (round, mut games) = self.waiting.pop_first()?;
        let rest = games.keys().nth(MAX_GAMES).copied();
        if let Some(rest) = rest {
            self.waiting.insert(round.clone(), games.split_off(&rest));
        }
        Some(Batch {
            round,
            games: games.into_iter().collect(),
        })
    }

    /// Puts unsent games back into the queue. A newer text that is already waiting is kept.
    pub(super) fn put_back(&mut self, batch: Batch) {
        let waiting = self.waiting.entry(batch.round).or_default();
        for (place, text) in batch.games {
            waiting.entry(place).or_insert(text);
        }
    }
}

impl Batch {
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    pub(super) fn places(&self) -> Vec<(RoundNo, BoardNo)> {
        self.games.iter().map(|(place, _)| *place).collect()
    }
}

pub(super) struct Client {
    agent: Agent,
    target: Lichess,
    failures: u32,
}

#[derive(Deserialize)]
struct PushReply {
    games: Vec<PushedGame>,
}

#[derive(Deserialize)]
struct PushedGame {
    error: Option<String>,
}

#[derive(Deserialize)]
struct ErrorReply {
    error: serde_json::Value,
}

impl Client {
    pub(super) fn new(target: Lichess) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("Flagfall/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            agent: config.into(),
            target,
            failures: 0,
        }
    }

    /// Returns the Lichess round for the `place`-th board of a round, counted from 0.
    pub(super) fn round_of(&self, round: RoundNo, place: usize) -> Option<&str> {
        let rounds = self.target.rounds.get(&round.0)?;
        rounds.get(place / MAX_GAMES).map(String::as_str)
    }

    /// Sends a batch. After a failure, the outcome includes the wait before the next request, unless the usual back-off applies.
    pub(super) fn push(&mut self, batch: &Batch) -> Answer {
        let answer = self.send(batch);
        self.failures = match &answer {
            Answer::Taken(_) => 0,
            Answer::Later(..) => self.failures.saturating_add(1),
        };
        answer
    }

    /// Returns the wait after a failure for which the outcome specifies no wait.
    pub(super) fn back_off(&self) -> Duration {
        let doubled = FIRST_WAIT.saturating_mul(1 << self.failures.saturating_sub(1).min(6));
        doubled.min(MAX_WAIT)
    }

    fn send(&self, batch: &Batch) -> Answer {
        let server = self.target.server.trim_end_matches('/');
        let url = format!("{server}/api/broadcast/round/{}/push", batch.round);
        let body: String = batch.games.iter().map(|(_, text)| text.as_str()).collect();
        let sent = self
            .agent
            .post(&url)
            .header("Authorization", format!("Bearer {}", self.target.token))
            .content_type("text/plain; charset=utf-8")
            .send(body.as_bytes());
        let mut response = match sent {
            Ok(response) => response,
            Err(error) => return unreachable(server, &error),
        };
        let status = response.status().as_u16();
        let after = response.headers().get("retry-after");
        let after = after.and_then(|after| after.to_str().ok()?.parse().ok());
        let text = response.body_mut().with_config().limit(MAX_ANSWER_BYTES);
        let text = match text.read_to_string() {
            Ok(text) => text,
            Err(error) => return unreachable(server, &error),
        };
        match status {
            200 => parse_reply(batch, &text),
            429 => {
                let wait = after.map_or(TOO_MANY_WAIT, Duration::from_secs);
                let text = "Lichess asks for fewer requests (429)".to_owned();
                Answer::Later(Some(wait), OutputError::new(OutputFault::TooMany, text))
            }
            400..=499 => Answer::Later(Some(REFUSED_WAIT), refused(&batch.round, status, &text)),
            _ => {
                let text = format!("Lichess responded with status {status}");
                Answer::Later(None, OutputError::new(OutputFault::Server, text))
            }
        }
    }
}

fn parse_reply(batch: &Batch, text: &str) -> Answer {
    let reply: PushReply = match serde_json::from_str(text) {
        Ok(reply) => reply,
        Err(error) => {
            let text = format!("cannot read Lichess’s response: {error}");
            return Answer::Later(None, OutputError::new(OutputFault::Server, text));
        }
    };
    let (sent, answered) = (batch.games.len(), reply.games.len());
    if sent != answered {
        let text = format!("Lichess’s response names {answered} of {sent} games");
        return Answer::Later(None, OutputError::new(OutputFault::Server, text));
    }
    let games = batch.games.iter().zip(reply.games);
    let failed = games.filter_map(|((place, _), game)| Some((*place, game.error?)));
    Answer::Taken(failed.collect())
}

fn unreachable(server: &str, error: &ureq::Error) -> Answer {
    let text = format!("{server}: {error}");
    Answer::Later(None, OutputError::new(OutputFault::Unreachable, text))
}

fn refused(round: &str, status: u16, text: &str) -> OutputError {
    let said = serde_json::from_str::<ErrorReply>(text).map(|reply| {
        let text = reply.error.as_str().map(str::to_owned);
        text.unwrap_or_else(|| reply.error.to_string())
    });
    let said = said.map_or_else(|_| String::new(), |said| format!(": {said}"));
    let (fault, text) = match status {
        401 | 403 => (
            OutputFault::Token,
            format!(
                "Lichess does not accept the token for round {round} ({status}{said}): it needs the scope study:write and an account that \
                 may edit the broadcast"
            ),
        ),
        404 => (
            OutputFault::NoRound,
            format!("Lichess has no broadcast round {round} (404)"),
        ),
        _ => (
            OutputFault::Server,
            format!("Lichess refused the games of round {round} ({status}{said})"),
        ),
    };
    OutputError::new(fault, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(board: u16) -> (RoundNo, BoardNo) {
        (RoundNo(1), BoardNo(board))
    }

    #[test]
    fn a_response_must_name_each_game_that_was_sent() {
        let mut queue = Queue::default();
        for board in 1..=2 {
            queue.add("abcdefgh", place(board), board.to_string());
        }
        let batch = queue.take().unwrap();
        let one = r#"{"games":[{"error":null}]}"#;
        assert!(matches!(parse_reply(&batch, one), Answer::Later(..)));
        let both = r#"{"games":[{"error":null},{"error":"no PGN"}]}"#;
        let Answer::Taken(failed) = parse_reply(&batch, both) else {
            panic!("not taken");
        };
        assert_eq!(failed, [(place(2), "no PGN".to_owned())]);
    }

    #[test]
    fn a_newer_text_replaces_the_queued_one() {
        let mut queue = Queue::default();
        queue.add("abcdefgh", place(1), "old".to_owned());
        let batch = queue.take().unwrap();
        queue.add("abcdefgh", place(1), "new".to_owned());
        queue.add("abcdefgh", place(2), "other".to_owned());
        queue.put_back(batch);
        let games = queue.take().unwrap().games;
        let texts: Vec<&str> = games.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["new", "other"]);
        assert!(queue.take().is_none());
    }

    #[test]
    fn a_batch_has_at_most_a_hundred_games_of_one_round() {
        let mut queue = Queue::default();
        for board in 1..=250 {
            queue.add("abcdefgh", place(board), board.to_string());
        }
        queue.add("zzzzzzzz", place(1), "x".to_owned());
        let mut sizes = Vec::new();
        while let Some(batch) = queue.take() {
            sizes.push((batch.round, batch.games.len()));
        }
        let expected = [
            ("abcdefgh", 100),
            ("abcdefgh", 100),
            ("abcdefgh", 50),
            ("zzzzzzzz", 1),
        ];
        assert_eq!(
            sizes,
            expected.map(|(round, games)| (round.to_owned(), games))
        );
    }
}
