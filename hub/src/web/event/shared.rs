//! Shared parts of the data sets: names, results, byes and states in their public form.
//!
//! Owns the public form of a player and of a result. Must never hold a birth date, a proposal, a reason or a note.

use serde::Serialize;

use tournament::{
    Board, BoardPhase, Bye, GameResult, Outcome, Participant, Player, PlayerNo, RoundPhase, Side,
    Team, TeamNo, Tournament,
};

#[derive(Clone, Debug, Serialize)]
pub(super) struct Name<'a> {
    pub(super) no: u16,
    pub(super) name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) federation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rating: Option<u16>,
}

impl<'a> Name<'a> {
    pub(super) fn of_player(player: &'a Player) -> Self {
        Self {
            no: player.no.0,
            name: &player.name,
            title: &player.title,
            federation: &player.federation,
            rating: player.rating,
        }
    }

    pub(super) fn of_team(team: &'a Team) -> Self {
        Self {
            no: team.no.0,
            name: &team.name,
            title: "",
            federation: &team.federation,
            rating: None,
        }
    }

    /// Returns the name of the player with this number, or just the number if that player no longer exists.
    pub(super) fn player(tournament: &'a Tournament, no: PlayerNo) -> Self {
        let player = tournament.players().get(&no);
        player.map_or(Self::unknown(no.0), Self::of_player)
    }

    pub(super) fn team(tournament: &'a Tournament, no: TeamNo) -> Self {
        let team = tournament.teams().get(&no);
        team.map_or(Self::unknown(no.0), Self::of_team)
    }

    pub(super) fn who(tournament: &'a Tournament, who: Participant) -> Self {
        match who {
            Participant::Player(no) => Self::player(tournament, no),
            Participant::Team(no) => Self::team(tournament, no),
        }
    }

    const fn unknown(no: u16) -> Self {
        Self {
            no,
            name: "",
            title: "",
            federation: "",
            rating: None,
        }
    }
}

/// A final result, with a separate score for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ResultView {
    /// `1`, `½` or `0`; `+` or `–` for a game that was not played.
    pub(super) white: &'static str,
    pub(super) black: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) unrated: bool,
    /// The final count of both sides, White's first, in games such as Scrabble and Othello.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tally: Option<[i32; 2]>,
}

pub(super) fn result(result: Option<GameResult>) -> Option<ResultView> {
    match result? {
        GameResult::Played {
            white,
            black,
            rated,
            tally,
        } => Some(ResultView {
            white: mark(white),
            black: mark(black),
            unrated: !rated,
            tally: tally.map(|tally| [tally.white, tally.black]),
        }),
        GameResult::Forfeit { winner } => {
            let half = |side| if winner == Some(side) { "+" } else { "–" };
            Some(ResultView {
                white: half(Side::White),
                black: half(Side::Black),
                unrated: false,
                tally: None,
            })
        }
        GameResult::Adjourned => None,
    }
}

const fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "1",
        Outcome::Draw => "½",
        Outcome::Loss => "0",
    }
}

pub(super) fn half(game: Option<GameResult>, side: Side) -> Option<&'static str> {
    let shown = result(game)?;
    Some(match side {
        Side::White => shown.white,
        Side::Black => shown.black,
    })
}

/// Returns the state of a game: `paired`, `playing`, `adjourned` or `over`. A game whose clock is set still counts as `paired`, because only arbiters
/// may see that the clock is set.
pub(super) fn board_state(board: &Board) -> &'static str {
    match (board.result, board.phase) {
        (Some(GameResult::Adjourned), _) => "adjourned",
        (Some(GameResult::Played { .. } | GameResult::Forfeit { .. }), _) => "over",
        (None, BoardPhase::Paired | BoardPhase::Preset) => "paired",
        (None, BoardPhase::Started | BoardPhase::Running | BoardPhase::Finished) => "playing",
    }
}

pub(super) const fn round_state(phase: RoundPhase) -> &'static str {
    match phase {
        RoundPhase::Paired | RoundPhase::Preset => "paired",
        RoundPhase::Started | RoundPhase::Running => "playing",
        RoundPhase::Finished => "finished",
        RoundPhase::Confirmed => "confirmed",
    }
}

/// A bye in English, and the code by which pages translate it.
#[derive(Clone, Copy, Serialize)]
pub(super) struct ByeView {
    pub(super) bye: &'static str,
    pub(super) bye_code: &'static str,
}

pub(super) const fn bye(bye: Bye) -> ByeView {
    let (bye, bye_code) = match bye {
        Bye::Full => ("full-point bye", "full"),
        Bye::Half => ("half-point bye", "half"),
        Bye::Zero => ("not paired", "zero"),
        Bye::PairingAllocated => ("bye", "pairing"),
    };
    ByeView { bye, bye_code }
}
