//! Abnormal points (TRF 299): bonuses, penalties, and results worth other points than the event's scoring gives.
//!
//! Owns them as data of the event, and decides which apply to a participant in a round. Must never add up a score.

use std::collections::BTreeMap;

use crate::{
    Bye, Contest, Event, GameResult, Outcome, Participant, Points, RoundNo, Side, Tournament,
};
/// An outcome of a round that record 299 can name. A pairing-allocated bye is not one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultKind {
    /// `W`: won over the board.
    Win,
    /// `D`: drawn over the board.
    Draw,
    /// `L`: lost over the board.
    Loss,
    /// `+`: won by forfeit.
    ForfeitWin,
    /// `-`: lost by forfeit.
    ForfeitLoss,
    /// `F`: a full-point bye.
    FullBye,
    /// `H`: a half-point bye.
    HalfBye,
    /// `Z`: a zero-point bye.
    ZeroBye,
}

impl ResultKind {
    /// Returns the kind of an outcome over the board.
    #[must_use]
    pub const fn of_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self::Win,
            Outcome::Draw => Self::Draw,
            Outcome::Loss => Self::Loss,
        }
    }

    /// Returns the kind of a game's result for one side, or `None` while the game is undecided.
    #[must_use]
    pub fn of_game(result: GameResult, side: Side) -> Option<Self> {
        match result {
            GameResult::Forfeit { winner } if winner == Some(side) => Some(Self::ForfeitWin),
            GameResult::Forfeit { .. } => Some(Self::ForfeitLoss),
            GameResult::Played { .. } => result.outcome(side).map(Self::of_outcome),
            GameResult::Adjourned => None,
        }
    }

    /// Returns the kind of a bye, or `None` for a pairing-allocated one, which record 299 cannot name.
    #[must_use]
    pub const fn of_bye(bye: Bye) -> Option<Self> {
        match bye {
            Bye::Full => Some(Self::FullBye),
            Bye::Half => Some(Self::HalfBye),
            Bye::Zero => Some(Self::ZeroBye),
            Bye::PairingAllocated => None,
        }
    }
}

/// Points that the event's scoring does not give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbnormalPoints {
    /// The result whose points these replace; `None` for a bonus or a penalty, which is added to the points of the
    /// round.
    pub replaces: Option<ResultKind>,
    /// Match points, in a team event.
    pub match_points: Option<Points>,
    /// Points, or game points in a team event.
    pub points: Option<Points>,
    /// The round; `None` for every round.
    pub round: Option<RoundNo>,
    /// Numbers of players, or of teams in a team event; empty for all of them.
    pub participants: Vec<u16>,
}

impl AbnormalPoints {
    fn applies(&self, round: RoundNo, who: u16) -> bool {
        self.round.is_none_or(|of| of == round)
            && (self.participants.is_empty() || self.participants.contains(&who))
    }
}

impl Event {
    /// Returns a participant's bonuses less penalties in a round, as (match points, points or game points).
    #[must_use]
    pub fn bonus(&self, round: RoundNo, who: u16) -> (Points, Points) {
        let mut sum = (Points::ZERO, Points::ZERO);
        let all = self.abnormal_points.iter();
        for given in all.filter(|given| given.replaces.is_none() && given.applies(round, who)) {
            sum.0 += given.match_points.unwrap_or_default();
            sum.1 += given.points.unwrap_or_default();
        }
        sum
    }

    /// Returns the points that replace those of a result, as (match points, points or game points).
    ///
    /// A rule that names participants takes precedence over one for all, then a rule for one round over one for every
    /// round, then the later rule over the earlier one.
    #[must_use]
    pub fn replaced(
        &self,
        kind: ResultKind,
        round: RoundNo,
        who: u16,
    ) -> (Option<Points>, Option<Points>) {
        let all = self.abnormal_points.iter();
        let mut found: Vec<_> = all
            .filter(|given| given.replaces == Some(kind) && given.applies(round, who))
            .collect();
        found.sort_by_key(|given| (!given.participants.is_empty(), given.round.is_some()));
        let last = |of: fn(&AbnormalPoints) -> Option<Points>| {
            found.iter().rev().find_map(|given| of(given))
        };
        (last(|given| given.match_points), last(|given| given.points))
    }
}

impl Tournament {
    /// Returns the abnormal points of the counted rounds, each converted to a bonus or penalty of one round. Pairing
    /// programs read only that form.
    #[must_use]
    pub fn abnormal_points_as_bonuses(&self) -> Vec<AbnormalPoints> {
        if self.event().abnormal_points.is_empty() || self.event().contest != Contest::Individual {
            return self.event().abnormal_points.clone();
        }
        let mut by_scoring = self.event().clone();
        by_scoring.abnormal_points.clear();
        let by_scoring = self.with_event(by_scoring).records(None);
        let mut by_round: BTreeMap<(RoundNo, Points), Vec<u16>> = BTreeMap::new();
        for (who, rounds) in self.records(None) {
            let usual = by_scoring.get(&who).into_iter().flatten();
            for ((round, usual), no) in rounds.iter().zip(usual).zip((1..).map(RoundNo)) {
                let more = round.points - usual.points;
                if more != Points::ZERO {
                    by_round
                        .entry((no, more))
                        .or_default()
                        .push(Participant::number(who));
                }
            }
        }
        let bonuses = by_round
            .into_iter()
            .map(|((round, points), participants)| AbnormalPoints {
                replaces: None,
                match_points: None,
                points: Some(points),
                round: Some(round),
                participants,
            });
        bonuses.collect()
    }

    /// Returns a tournament with the same players and rounds in another event.
    fn with_event(&self, event: Event) -> Self {
        let (players, teams) = (self.players().clone(), self.teams().clone());
        Self::restored(event, players, teams, self.rounds().clone())
    }
}
