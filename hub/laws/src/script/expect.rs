//! The keys of `expect` lines about moves and rulings.

use std::fmt;

use timing::{Board, GameResult, Instant, Side};

use super::Play;
use crate::{BoardEnd, ClaimKind, Refusal, board_end, can_mate};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LawsKey {
    Refused,
    Result,
    Article,
    Open,
    Offer,
    MustPlay,
    QuietPlies,
    Times,
    End,
    Watching,
    CanMate(Side),
    IllegalMoves(Side),
    Claimable(Side),
}

const PLAIN: [(LawsKey, &str); 10] = [
    (LawsKey::Result, "result"),
    (LawsKey::Refused, "refused"),
    (LawsKey::Article, "article"),
    (LawsKey::Open, "open"),
    (LawsKey::Offer, "offer"),
    (LawsKey::MustPlay, "must_play"),
    (LawsKey::QuietPlies, "quiet"),
    (LawsKey::Times, "times"),
    (LawsKey::End, "board"),
    (LawsKey::Watching, "watching"),
];

impl LawsKey {
    /// Returns the key about moves or rulings with this name; `None` for any other word.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        if let Some((key, _)) = PLAIN.into_iter().find(|(_, name)| *name == word) {
            return Some(key);
        }
        let (side, field) = word.split_once('.')?;
        let side = Side::from_word(side)?;
        match field {
            "can_mate" => Some(Self::CanMate(side)),
            "illegal" => Some(Self::IllegalMoves(side)),
            "claimable" => Some(Self::Claimable(side)),
            _ => None,
        }
    }

    pub(super) fn read(self, play: &Play, now: Instant<Board>) -> String {
        let or_none = |word: Option<&str>| word.unwrap_or("none").to_owned();
        let proceedings = &play.proceedings;
        match self {
            Self::Refused => or_none(play.refused.as_ref().map(Refusal::code)),
            Self::Result => play
                .clock
                .result()
                .map_or("*", GameResult::as_str)
                .to_owned(),
            // Spaces separate keys, so an article's spaces are written as underscores.
            Self::Article => {
                let articles = play.steps.iter().map(|step| step.article.replace(' ', "_"));
                articles.collect::<Vec<_>>().join(",")
            }
            Self::Open => or_none(proceedings.open_claim().map(|open| open.kind.as_str())),
            Self::Offer => or_none(proceedings.draw_offer().map(Side::as_str)),
            Self::MustPlay => or_none(proceedings.must_play().map(|(_, san)| san)),
            Self::Watching => or_none(proceedings.watched().map(ClaimKind::as_str)),
            Self::QuietPlies => play.score.quiet_plies().to_string(),
            Self::Times => play.score.occurrences().to_string(),
            Self::End => or_none(board_end(&play.score).map(end_word)),
            Self::CanMate(side) => {
                let possible = can_mate(play.score.position(), side).is_possible();
                if possible { "yes" } else { "no" }.to_owned()
            }
            Self::IllegalMoves(side) => proceedings.illegal_moves(side).to_string(),
            Self::Claimable(side) => {
                let kinds: Vec<&str> = proceedings
                    .claims(play.situation(now))
                    .into_iter()
                    .filter(|claim| claim.by == side && claim.would_succeed())
                    .map(|claim| claim.kind.as_str())
                    .collect();
                let kinds = kinds.join(",");
                or_none((!kinds.is_empty()).then_some(&*kinds))
            }
        }
    }
}

const fn end_word(end: BoardEnd) -> &'static str {
    match end {
        BoardEnd::Checkmate { .. } => "mate",
        BoardEnd::Stalemate => "stalemate",
        BoardEnd::DeadPosition => "dead",
        BoardEnd::Fivefold => "fivefold",
        BoardEnd::SeventyFiveMoves => "seventy-five",
    }
}

impl fmt::Display for LawsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CanMate(side) => write!(f, "{side}.can_mate"),
            Self::IllegalMoves(side) => write!(f, "{side}.illegal"),
            Self::Claimable(side) => write!(f, "{side}.claimable"),
            plain @ (Self::Refused
            | Self::Result
            | Self::Article
            | Self::Open
            | Self::Offer
            | Self::MustPlay
            | Self::QuietPlies
            | Self::Times
            | Self::End
            | Self::Watching) => {
                let name = PLAIN.into_iter().find(|(key, _)| key == plain);
                f.write_str(name.map_or("", |(_, name)| name))
            }
        }
    }
}
