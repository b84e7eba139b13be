//! A team event as an individual one, for programs that pair players only.
//!
//! Owns the conversion of matches to games. Must never make a pairing.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::field::{Competitor, Field, RoundKind};
use crate::{
    AbnormalPoints, Board, BoardNo, Bye, Contest, Event, GameResult, Match, Participant, Player,
    PlayerNo, Round, RoundNo, Side, Team, TeamNo, Tournament,
};

impl Tournament {
    /// Returns the event with each team as one player and each match as one game. Match points become points, and a
    /// team has the colour of its first board. A team without players in the next round has a zero-point bye.
    #[must_use]
    pub fn teams_as_players(&self) -> Tournament {
        let abnormal = self.event().abnormal_points.iter();
        let of_matches = abnormal.map(|given| AbnormalPoints {
            points: given.match_points,
            match_points: None,
            ..given.clone()
        });
        let event = Event {
            contest: Contest::Individual,
            scoring: self.event().match_scoring,
            tie_breaks: Vec::new(),
            kept_lines: Vec::new(),
            abnormal_points: of_matches.collect(),
            ..self.event().clone()
        };
        let last = self.last_round().map_or(0, |round| round.0);
        let field = Field::new(self, last);
        let next = RoundNo(last).next();
        let players = self.teams().values().map(|team| {
            let mut player = Player::new(PlayerNo(team.no.0), &team.name);
            player.rating = self.strength(team);
            if self.line_up(team.no, next).is_empty() {
                player.byes.insert(next, Bye::Zero);
            }
            (player.no, player)
        });
        let rounds = self.rounds().iter().map(|(no, round)| {
            let boards = round.matches.iter().map(|(match_no, paired)| {
                let [white, black] = paired.teams().map(|team| PlayerNo(team.0));
                let board = Board {
                    result: result(&field.competitors, *no, paired),
                    ..Board::new(white, black)
                };
                (BoardNo(match_no.0), board)
            });
            let byes = round.team_byes.iter();
            let stand_in = Round {
                boards: boards.collect(),
                byes: byes.map(|(team, bye)| (PlayerNo(team.0), *bye)).collect(),
                ..Round::default()
            };
            (*no, Arc::new(stand_in))
        });
        let (players, rounds) = (players.collect(), rounds.collect());
        Self::restored(event, players, BTreeMap::new(), rounds)
    }

    fn strength(&self, team: &Team) -> Option<u16> {
        let members = team.players.iter().filter_map(|no| self.players().get(no));
        let ratings = members.filter_map(|player| player.rating);
        let ratings: Vec<u32> = ratings.map(u32::from).collect();
        let count = u32::try_from(ratings.len()).ok()?;
        let mean = ratings.iter().sum::<u32>().checked_div(count)?;
        u16::try_from(mean).ok()
    }
}

/// Returns the result of a match as a game's result, or `None` while the match is pending.
fn result(competitors: &[Competitor], round: RoundNo, paired: &Match) -> Option<GameResult> {
    let kind_of = |team: TeamNo| {
        let mut teams = competitors.iter();
        let found = teams.find(|competitor| competitor.who == Participant::Team(team))?;
        found.log.get(usize::from(round.0).checked_sub(1)?)
    };
    let (white, black) = (kind_of(paired.white)?, kind_of(paired.black)?);
    match (white.kind, black.kind) {
        (RoundKind::Played, _) => Some(GameResult::played(white.outcome?)),
        (RoundKind::ForfeitWin, _) => Some(GameResult::forfeit(Side::White)),
        (_, RoundKind::ForfeitWin) => Some(GameResult::forfeit(Side::Black)),
        (RoundKind::ForfeitLoss, _) => Some(GameResult::DOUBLE_FORFEIT),
        (RoundKind::Pending | RoundKind::Bye(_), _) => None,
    }
}
