//! The participants' records, round by round, in the regulations' terms. Players and teams are treated alike.
//!
//! Owns the conversion of rounds to records. Must never compute a tie-break.

mod teams;

use crate::tie_break::primary;
use crate::{
    Board, Bye, Contest, Event, GameResult, Measure, Outcome, Participant, PlayerNo, Points,
    Regulations, ResultKind, RoundNo, Scoring, Side, System, Tournament,
};

/// The kind of round for a participant (C.07 15 and 16.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundKind {
    /// Played over the board.
    Played,
    /// Paired; there is no final result yet.
    Pending,
    /// Won by forfeit.
    ForfeitWin,
    /// Lost by forfeit.
    ForfeitLoss,
    /// Not paired, with this bye.
    Bye(Bye),
}

impl RoundKind {
    /// Returns true if the round is a voluntary unplayed round (16.1.2).
    #[must_use]
    pub const fn is_voluntary(self) -> bool {
        match self {
            Self::ForfeitLoss => true,
            Self::Bye(bye) => bye.is_voluntary(),
            Self::Played | Self::Pending | Self::ForfeitWin => false,
        }
    }
}

/// The points of a round in both scores, which are equal for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scores {
    pub(super) of_match: Points,
    pub(super) of_game: Points,
}

impl Scores {
    pub(super) const fn both(points: Points) -> Self {
        Self {
            of_match: points,
            of_game: points,
        }
    }

    pub(super) const fn of(self, measure: Measure) -> Points {
        match measure {
            Measure::Match => self.of_match,
            Measure::Game => self.of_game,
        }
    }
}

/// One game, or a whole round counted as one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The board's place in the match, from 1; 0 for a whole round.
    pub(super) place: u16,
    pub(super) kind: RoundKind,
    pub(super) colour: Option<Side>,
    pub(super) points: Points,
    pub(super) against: Points,
    pub(super) outcome: Option<Outcome>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) opponent: Option<usize>,
    pub(super) kind: RoundKind,
    pub(super) colour: Option<Side>,
    /// The points of the result, without `bonus`.
    pub(super) scores: Scores,
    /// Bonus points, or negative penalty points.
    pub(super) bonus: Scores,
    pub(super) against: Scores,
    pub(super) outcome: Option<Outcome>,
    /// The final counts of the participant and the opponent (Scrabble points, Othello discs), if the game has them.
    pub(super) tally: Option<(i32, i32)>,
    /// A team's games in the round, one per board; empty for a player.
    pub(super) games: Vec<Unit>,
}

impl Entry {
    fn new(kind: RoundKind, scores: Scores) -> Self {
        Self {
            opponent: None,
            kind,
            colour: None,
            scores,
            bonus: Scores::default(),
            against: Scores::default(),
            outcome: None,
            tally: None,
            games: Vec::new(),
        }
    }

    pub(super) fn total(&self, measure: Measure) -> Points {
        self.scores.of(measure) + self.bonus.of(measure)
    }

    fn give_abnormal_points(&mut self, event: &Event, round: RoundNo, who: Participant) {
        let (of_match, of_game) = event.bonus(round, who.number());
        let kind = match self.kind {
            RoundKind::Played => self.outcome.map(ResultKind::of_outcome),
            RoundKind::ForfeitWin => Some(ResultKind::ForfeitWin),
            RoundKind::ForfeitLoss => Some(ResultKind::ForfeitLoss),
            RoundKind::Bye(bye) => ResultKind::of_bye(bye),
            RoundKind::Pending => None,
        };
        let replaced = kind.map(|kind| event.replaced(kind, round, who.number()));
        let (match_points, points) = replaced.unwrap_or_default();
        match who {
            Participant::Player(_) => {
                self.bonus = Scores::both(of_game);
                self.scores = points.map_or(self.scores, Scores::both);
            }
            Participant::Team(_) => {
                self.bonus = Scores { of_match, of_game };
                self.scores.of_match = match_points.unwrap_or(self.scores.of_match);
                self.scores.of_game = points.unwrap_or(self.scores.of_game);
            }
        }
    }

    pub(super) fn is_played(&self) -> bool {
        self.kind == RoundKind::Played && self.opponent.is_some()
    }

    /// Returns the games of the round that make up a score: a match's games for game points, otherwise the round
    /// itself.
    pub(super) fn units(&self, measure: Measure) -> Vec<Unit> {
        if measure == Measure::Game && !self.games.is_empty() {
            return self.games.clone();
        }
        vec![Unit {
            place: 0,
            kind: self.kind,
            colour: self.colour,
            points: self.scores.of(measure),
            against: self.against.of(measure),
            outcome: self.outcome,
        }]
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Competitor {
    pub(super) who: Participant,
    pub(super) rating: Option<u16>,
    pub(super) log: Vec<Entry>,
}

impl Competitor {
    pub(super) fn total(&self, measure: Measure) -> Points {
        self.log.iter().map(|entry| entry.total(measure)).sum()
    }

    pub(super) fn is_pending(&self) -> bool {
        self.log
            .iter()
            .any(|entry| entry.kind == RoundKind::Pending)
    }

    pub(super) fn is_paired(&self) -> bool {
        self.log.iter().any(|entry| entry.opponent.is_some())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) competitors: Vec<Competitor>,
    /// The number of counted rounds.
    pub(super) rounds: u16,
    /// The number of rounds in the whole event.
    pub(super) planned: u16,
    pub(super) system: System,
    pub(super) regulations: Regulations,
    pub(super) contest: Contest,
    pub(super) primary: Measure,
    pub(super) unrated_as: Option<u16>,
    pub(super) win: Scores,
    pub(super) draw: Scores,
}

impl Field {
    pub(super) fn new(tournament: &Tournament, rounds: u16) -> Self {
        let event = tournament.event();
        let (mut competitors, of_matches) = match event.contest {
            Contest::Individual => (players(tournament, rounds), &event.scoring),
            Contest::Teams { boards } => {
                let competitors = teams::records(tournament, rounds, boards);
                (competitors, &event.match_scoring)
            }
        };
        let scores = |of: fn(&Scoring) -> Points| Scores {
            of_match: of(of_matches),
            of_game: of(&event.scoring),
        };
        if !event.abnormal_points.is_empty() {
            for competitor in &mut competitors {
                for (entry, no) in competitor.log.iter_mut().zip((1..).map(RoundNo)) {
                    entry.give_abnormal_points(event, no, competitor.who);
                }
            }
        }
        Self {
            competitors,
            rounds,
            planned: event.rounds,
            system: event.system,
            regulations: Regulations::on(event.starts),
            contest: event.contest,
            primary: match event.contest {
                Contest::Individual => Measure::Game,
                Contest::Teams { .. } => primary(&event.tie_breaks),
            },
            unrated_as: event.unrated_as,
            win: scores(|scoring| scoring.win),
            draw: scores(|scoring| scoring.draw),
        }
    }

    pub(super) const fn is_team(&self) -> bool {
        matches!(self.contest, Contest::Teams { .. })
    }

    /// Returns true if all participants meet each other (C.07 15.2).
    pub(super) const fn is_round_robin(&self) -> bool {
        matches!(self.system, System::RoundRobin { .. })
    }

    /// Returns the number of boards that make up a round's score: those of a match for game points, otherwise one.
    pub(super) fn width(&self, measure: Measure) -> i64 {
        match (self.contest, measure) {
            (Contest::Teams { boards }, Measure::Game) => i64::from(boards),
            (Contest::Teams { .. }, Measure::Match) | (Contest::Individual, _) => 1,
        }
    }

    pub(super) fn round_win(&self, measure: Measure) -> Points {
        self.win.of(measure).times(self.width(measure))
    }

    pub(super) fn round_draw(&self, measure: Measure) -> Points {
        self.draw.of(measure).times(self.width(measure))
    }

    pub(super) fn totals(&self, measure: Measure) -> Vec<Points> {
        let competitors = self.competitors.iter();
        competitors
            .map(|competitor| competitor.total(measure))
            .collect()
    }

    /// Returns the field for fore Buchholz, with every paired game of the final round drawn (8.3). Returns an unchanged
    /// copy until the final round counts.
    pub(super) fn fore(&self) -> Self {
        let mut fore = self.clone();
        if self.rounds < self.planned {
            return fore;
        }
        let draw = Scores {
            of_match: self.round_draw(Measure::Match),
            of_game: self.round_draw(Measure::Game),
        };
        for competitor in &mut fore.competitors {
            let last = competitor.log.last_mut();
            if let Some(last) = last.filter(|last| last.opponent.is_some()) {
                last.kind = RoundKind::Played;
                last.scores = draw;
                last.against = draw;
                last.outcome = Some(Outcome::Draw);
            }
        }
        fore
    }
}

fn players(tournament: &Tournament, rounds: u16) -> Vec<Competitor> {
    let event = tournament.event();
    let numbers: Vec<PlayerNo> = tournament.players().keys().copied().collect();
    let competitors = tournament.players().values();
    let competitors = competitors.map(|player| Competitor {
        who: Participant::Player(player.no),
        rating: player.rating,
        log: Vec::with_capacity(usize::from(rounds)),
    });
    let mut competitors: Vec<Competitor> = competitors.collect();
    let empty = std::sync::Arc::default();
    for no in (1..=rounds).map(RoundNo) {
        let round = tournament.rounds().get(&no).unwrap_or(&empty);
        for (competitor, player) in competitors.iter_mut().zip(tournament.players().values()) {
            let bye = round.byes.get(&player.no).copied().or(player.bye_in(no));
            let bye = bye.unwrap_or(Bye::Zero);
            let points = Scores::both(bye.points(&event.scoring));
            competitor.log.push(Entry::new(RoundKind::Bye(bye), points));
        }
        for board in round.boards.values() {
            for side in Side::BOTH {
                let found = |side: Side| numbers.binary_search(&board.player(side)?).ok();
                let own = found(side).and_then(|own| competitors[own].log.last_mut());
                if let Some(entry) = own {
                    *entry = game(event, board, side, found(side.other()));
                }
            }
        }
    }
    competitors
}

fn game(event: &Event, board: &Board, side: Side, opponent: Option<usize>) -> Entry {
    let unit = unit(event, board, side, 0);
    let tally = match board.result {
        Some(GameResult::Played { tally, .. }) => tally,
        Some(GameResult::Forfeit { .. } | GameResult::Adjourned) | None => None,
    };
    Entry {
        opponent,
        colour: unit.colour,
        against: Scores::both(unit.against),
        outcome: unit.outcome,
        tally: tally.map(|tally| (tally.of(side), tally.of(side.other()))),
        ..Entry::new(unit.kind, Scores::both(unit.points))
    }
}

fn unit(event: &Event, board: &Board, side: Side, place: u16) -> Unit {
    let points = |of: Side| {
        let points = board
            .result
            .and_then(|result| result.points(of, &event.scoring));
        points.unwrap_or(Points::ZERO)
    };
    let kind = match board.result {
        Some(GameResult::Played { .. }) => RoundKind::Played,
        Some(GameResult::Forfeit { winner }) if winner == Some(side) => RoundKind::ForfeitWin,
        Some(GameResult::Forfeit { .. }) => RoundKind::ForfeitLoss,
        Some(GameResult::Adjourned) | None => RoundKind::Pending,
    };
    Unit {
        place,
        kind,
        colour: Some(side),
        points: points(side),
        against: points(side.other()),
        outcome: board.result.and_then(|result| result.outcome(side)),
    }
}
