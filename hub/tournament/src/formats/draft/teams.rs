//! Derives team matches from the players' lines and the team records. A file lists only forfeited matches;
//! otherwise two teams have met if their players have. Owns that inference; must never count match points.

use std::collections::{BTreeMap, BTreeSet};

use timing::Side;

use super::cells_read::{number, seats};
use super::model::{DraftRound, Seats};
use crate::formats::remark::{GamesRemark, Remark};
use crate::formats::trf::report::{self, LineNo, Report, TeamByes};
use crate::formats::trf::scoring::{of_games, of_matches};
use crate::formats::trf::value::Letter;
use crate::{BoardNo, Bye, GameResult, Match, MatchNo, PlayerNo, RoundNo, Team, TeamNo};

pub(super) fn of_report(report: &Report) -> BTreeMap<TeamNo, Team> {
    let teams = report.event_teams().iter().map(|team| {
        let no = TeamNo(team.number);
        let players = team.players.iter().copied().map(PlayerNo);
        let team = Team {
            no,
            name: team.name.clone(),
            short_name: team.nickname.clone(),
            federation: String::new(),
            players: players.collect(),
        };
        (no, team)
    });
    teams.collect()
}

/// Returns the number of boards in a match: the number of colours in record 352. Without this record, returns the
/// largest number of players from one team who had opponents in the same round. Before any game, returns the size of
/// the smallest team.
pub(super) fn boards(report: &Report, teams: &BTreeMap<TeamNo, Team>) -> u16 {
    let said = report.header.team_colours.len();
    if said > 0 {
        return number(said);
    }
    let by_number = report.by_number();
    let met = |team: &Team, index: usize| {
        let players = team.players.iter().filter_map(|no| by_number.get(&no.0));
        let cells = players.filter_map(|player| player.cells.get(index));
        cells.filter(|cell| cell.opponent.is_some()).count()
    };
    let rounds = 0..report.rounds_reported();
    let met = rounds.flat_map(|index| teams.values().map(move |team| met(team, index)));
    let most = met.max().filter(|most| *most > 0);
    let smallest = teams.values().map(|team| team.players.len()).min();
    number(most.or(smallest).unwrap_or(1).max(1))
}

#[derive(Debug, Default)]
struct MatchDraft {
    places: BTreeMap<u16, Seats>,
    /// Players without an opponent, each with a place in the match.
    alone: Vec<(u16, PlayerNo)>,
    white: Option<TeamNo>,
    forfeit: Option<Option<Side>>,
}

impl MatchDraft {
    /// Seats the players without an opponent, provisionally as White, and returns them.
    fn seat_alone(&mut self) -> BTreeSet<PlayerNo> {
        let mut seated = BTreeSet::new();
        for (place, player) in std::mem::take(&mut self.alone) {
            let seats = Seats {
                white: Some(player),
                black: None,
                of_match: None,
                result: None,
            };
            self.places.insert(free(self, place), seats);
            seated.insert(player);
        }
        seated
    }

    fn is_stated(&self, order: &Order<'_>) -> bool {
        let mut players = self.places.values().flat_map(Seats::players);
        players.any(|player| order.stated.contains(&player))
    }

    /// Numbers the boards from 1 without gaps, since only record 300 can leave a board empty. Sorts them by the places
    /// of both players in their teams, whose orders can differ. Unless the
    /// match is forfeited, the first board with two players then determines the white team.
    fn close_gaps(&mut self, order: &Order<'_>) {
        let mut boards: Vec<(u16, Seats)> = std::mem::take(&mut self.places).into_iter().collect();
        boards.sort_by_key(|(place, seats)| {
            let own = |player: Option<PlayerNo>| order.own_place(player?);
            let (white, black) = (own(seats.white), own(seats.black));
            let sum = white.or(black).unwrap_or(*place) + black.or(white).unwrap_or(*place);
            (sum, *place)
        });
        let seats = boards.into_iter().map(|(_, seats)| seats);
        self.places = (1..).zip(seats).collect();
        let games = self.places.iter();
        let mut games = games.filter(|(_, seats)| seats.black.is_some());
        if let (None, Some((place, seats))) = (self.forfeit, games.next()) {
            let player = seats.player(order.colour(*place));
            self.white = player.and_then(|player| order.team(player)).or(self.white);
        }
    }
}

pub(super) fn round(
    report: &Report,
    index: usize,
    teams: &BTreeMap<TeamNo, Team>,
    remarks: &mut Vec<Remark>,
) -> DraftRound {
    let order = Order::new(report, index, teams);
    let mut matches: BTreeMap<(TeamNo, TeamNo), MatchDraft> = BTreeMap::new();
    let by_number = report.by_number();
    for player in &report.players {
        let cell = player.cells.get(index).copied().unwrap_or_default();
        let no = PlayerNo(player.number);
        let Some(opponent) = cell.opponent.filter(|_| cell.colour != Some(Side::Black)) else {
            continue;
        };
        let other = PlayerNo(opponent);
        let theirs = by_number.get(&opponent);
        let theirs = theirs.and_then(|other| other.cells.get(index));
        let (Some(ours), Some(others)) = (order.team(no), order.team(other)) else {
            let remark = GamesRemark::PlayerWithoutTeam {
                line: player.line.0,
                round: RoundNo(number(index + 1)),
            };
            remarks.push(remark.into());
            continue;
        };
        let pair = (ours.min(others), ours.max(others));
        let seated = matches.get(&pair).into_iter();
        let mut seated = seated.flat_map(|paired| paired.places.values());
        if ours == others || seated.any(|seats| seats.side_of(no).is_some()) {
            continue;
        }
        let draft = matches.entry(pair).or_default();
        let place = free(draft, order.place(no, other));
        // Board 1 determines which team is the white one. Until it has been read, any other board does.
        let white = match order.colour(place) {
            Side::White => ours,
            Side::Black => others,
        };
        if place == 1 || draft.white.is_none() {
            draft.white = Some(white);
        }
        let seats = seats(no, cell, other, theirs.copied());
        draft.places.insert(place, seats);
    }
    forfeited(report, index, &mut matches);
    alone(report, index, &order, &mut matches, remarks);
    finished(report, index, &order, matches)
}

fn forfeited(report: &Report, index: usize, matches: &mut BTreeMap<(TeamNo, TeamNo), MatchDraft>) {
    for forfeit in &report.rules.forfeited {
        if usize::from(forfeit.round) != index + 1 {
            continue;
        }
        let (white, black) = (TeamNo(forfeit.white), TeamNo(forfeit.black));
        let pair = (white.min(black), white.max(black));
        let draft = matches.entry(pair).or_default();
        draft.white = Some(white);
        draft.forfeit = Some(forfeit.winner);
    }
}

/// Adds each player who won by forfeit without an opponent to the match of the player's team. Without a match, or in a
/// forfeited match, the win counts for the player only.
fn alone(
    report: &Report,
    index: usize,
    order: &Order<'_>,
    matches: &mut BTreeMap<(TeamNo, TeamNo), MatchDraft>,
    remarks: &mut Vec<Remark>,
) {
    let mut unexplained: BTreeMap<Option<TeamNo>, Vec<u16>> = BTreeMap::new();
    for player in &report.players {
        let cell = player.cells.get(index).copied().unwrap_or_default();
        if cell.opponent.is_some() || cell.letter != Some(Letter::ForfeitWin) {
            continue;
        }
        let no = PlayerNo(player.number);
        let of_team = order.team(no);
        let mut paired = matches.iter_mut();
        match paired.find(|((one, two), _)| [Some(*one), Some(*two)].contains(&of_team)) {
            Some((_, draft)) if draft.forfeit.is_none() => {
                draft.alone.push((order.own_place(no).unwrap_or(1), no));
            }
            Some(_) => (),
            None => unexplained.entry(of_team).or_default().push(player.number),
        }
    }
    remarks.extend(unexplained.into_iter().map(|(team, players)| {
        let round = RoundNo(number(index + 1));
        GamesRemark::ForfeitsWithoutMatch {
            round,
            team,
            players,
        }
        .into()
    }));
}

fn finished(
    report: &Report,
    index: usize,
    order: &Order<'_>,
    matches: BTreeMap<(TeamNo, TeamNo), MatchDraft>,
) -> DraftRound {
    let mut round = DraftRound::default();
    let mut first = 0_u16;
    for ((no, (pair, mut draft)), _) in (1..).map(MatchNo).zip(matches).zip(0..u16::MAX) {
        let alone = draft.seat_alone();
        if !draft.is_stated(order) {
            draft.close_gaps(order);
        }
        let white = draft.white.unwrap_or(pair.0);
        let black = if white == pair.0 { pair.1 } else { pair.0 };
        for (place, seats) in &mut draft.places {
            let Some(player) = seats.white.filter(|player| alone.contains(player)) else {
                continue;
            };
            let ours = order.team(player) == Some(white);
            let of_white = order.colour(*place);
            let side = if ours { of_white } else { of_white.other() };
            *seats = Seats {
                white: Some(player).filter(|_| side == Side::White),
                black: Some(player).filter(|_| side == Side::Black),
                of_match: None,
                result: Some(GameResult::forfeit(side)),
            };
        }
        let paired = Match {
            white,
            black,
            forfeit: draft.forfeit,
        };
        round.matches.insert(no, paired);
        let mut last = first;
        for (place, mut seats) in draft.places {
            seats.of_match = Some((no, place));
            last = first.saturating_add(place);
            round.boards.insert(BoardNo(last), seats);
        }
        let boards = match paired.forfeit {
            Some(_) => 0,
            None => order.boards,
        };
        first = last.max(first.saturating_add(boards));
    }
    team_byes(report, index, &mut round);
    round
}

/// Adds to record 320 each pairing-allocated bye that only the players' lines state, unless several teams of a round
/// have one. Without a record 320, FIDE's checker counts such a bye as a drawn match, with the points of a player's bye
/// on each board.
pub(super) fn byes_of_lines(report: &mut Report) {
    let mut found: BTreeMap<usize, Vec<u16>> = BTreeMap::new();
    for index in 0..report.rounds_reported() {
        let teams = report.event_teams().iter();
        let free = teams.filter(|team| is_free(report, team, index));
        found.insert(index, free.map(|team| team.number).collect());
    }
    let known = report.rules.team_byes.as_ref();
    let stated = |index: &usize| known.and_then(|byes| byes.teams.get(*index).copied().flatten());
    found.retain(|index, teams| teams.len() == 1 && stated(index).is_none());
    if found.is_empty() {
        return;
    }
    let boards = i64::from(boards(report, &of_report(report)));
    let points = TeamByes {
        match_points: Some(of_matches(report).draw),
        game_points: Some(of_games(report).pairing_bye.times(boards)),
        teams: Vec::new(),
        line: LineNo::default(),
    };
    let byes = report.rules.team_byes.get_or_insert(points);
    for (index, teams) in found {
        byes.set(index, teams.first().copied());
    }
}

/// Returns true if a team has no match and no requested bye in a round, but a pairing-allocated bye in its players'
/// lines.
fn is_free(report: &Report, team: &report::Team, index: usize) -> bool {
    let round = number(index + 1);
    let players = team.players.iter().filter_map(|no| report.player(*no));
    let cells = players.filter_map(|player| player.cells.get(index));
    let cells: Vec<_> = cells.collect();
    let forfeited = report.rules.forfeited.iter().any(|forfeit| {
        forfeit.round == round && [forfeit.white, forfeit.black].contains(&team.number)
    });
    let mut byes = report.rules.byes.iter();
    let requested = byes.any(|byes| byes.round == round && byes.who.contains(&team.number));
    let allocated = Some(Letter::Bye(Bye::PairingAllocated));
    !forfeited
        && !requested
        && cells.iter().all(|cell| cell.opponent.is_none())
        && cells.iter().any(|cell| cell.letter == allocated)
}

fn team_byes(report: &Report, index: usize, round: &mut DraftRound) {
    let requested = report.rules.byes.iter();
    for byes in requested.filter(|byes| usize::from(byes.round) == index + 1) {
        let who = byes.who.iter();
        round
            .team_byes
            .extend(who.map(|who| (TeamNo(*who), byes.kind)));
    }
    let mut allocated = report.rules.teams_with_byes();
    if let Some((_, team)) = allocated.find(|(of, _)| *of == index) {
        round.team_byes.insert(TeamNo(team), Bye::PairingAllocated);
    }
    let playing = round.matches.values().flat_map(Match::teams);
    let playing: BTreeSet<TeamNo> = playing.collect();
    round.team_byes.retain(|team, _| !playing.contains(team));
}

/// Renumbers the matches as a note states, provided that the note names each match by its white team.
pub(super) fn renumber(round: &mut DraftRound, numbers: &[(u16, u16)]) {
    let mut renamed: BTreeMap<MatchNo, MatchNo> = BTreeMap::new();
    for (no, white) in numbers {
        let of_team = |(_, paired): &(&MatchNo, &Match)| paired.white == TeamNo(*white);
        if let Some((old, _)) = round.matches.iter().find(of_team) {
            renamed.insert(*old, MatchNo((*no).max(1)));
        }
    }
    let targets: BTreeSet<MatchNo> = renamed.values().copied().collect();
    if renamed.len() != round.matches.len() || targets.len() != renamed.len() {
        return;
    }
    let new = |old: MatchNo| renamed.get(&old).copied().unwrap_or(old);
    let matches = round.matches.iter();
    round.matches = matches.map(|(no, paired)| (new(*no), *paired)).collect();
    for seats in round.boards.values_mut() {
        seats.of_match = seats.of_match.map(|(no, place)| (new(no), place));
    }
}

fn free(draft: &MatchDraft, from: u16) -> u16 {
    let mut places = from.max(1)..;
    let free = places.find(|place| !draft.places.contains_key(place));
    free.unwrap_or(from)
}

/// The players' places in the matches of a round.
struct Order<'r> {
    team_of: BTreeMap<PlayerNo, TeamNo>,
    places: BTreeMap<PlayerNo, u16>,
    /// Players whose place record 300 states.
    stated: BTreeSet<PlayerNo>,
    colours: &'r [Side],
    boards: u16,
}

impl<'r> Order<'r> {
    fn new(report: &'r Report, index: usize, teams: &BTreeMap<TeamNo, Team>) -> Self {
        let mut order = Self {
            team_of: BTreeMap::new(),
            places: BTreeMap::new(),
            stated: BTreeSet::new(),
            colours: &report.header.team_colours,
            boards: boards(report, teams),
        };
        let by_number = report.by_number();
        let plays = |no: &PlayerNo| {
            let player = by_number.get(&no.0);
            let cell = player.and_then(|player| player.cells.get(index));
            let alone = Some(Letter::ForfeitWin);
            cell.is_some_and(|cell| cell.opponent.is_some() || cell.letter == alone)
        };
        for team in teams.values() {
            let players = team.players.iter().copied();
            order
                .team_of
                .extend(players.clone().map(|no| (no, team.no)));
            order.places.extend(players.filter(plays).zip(1..));
        }
        let orders = report.rules.orders.iter();
        for said in orders.filter(|order| usize::from(order.round) == index + 1) {
            for (player, place) in said.players.iter().zip(1..) {
                if let Some(player) = player.map(PlayerNo) {
                    order.places.insert(player, place);
                    order.stated.insert(player);
                }
            }
        }
        order
    }

    fn team(&self, player: PlayerNo) -> Option<TeamNo> {
        self.team_of.get(&player).copied()
    }

    fn own_place(&self, player: PlayerNo) -> Option<u16> {
        self.places.get(&player).copied()
    }

    /// Returns the place of two opponents in their match. A place that record 300 states takes precedence over the
    /// usual order.
    fn place(&self, one: PlayerNo, other: PlayerNo) -> u16 {
        let mut players = [one, other].into_iter();
        let stated = players.find(|player| self.stated.contains(player));
        self.own_place(stated.unwrap_or(one)).unwrap_or(1)
    }

    /// Returns the colour of the match's white team at a place. On boards beyond record 352, the colours alternate.
    fn colour(&self, place: u16) -> Side {
        let index = usize::from(place.saturating_sub(1));
        let said = self.colours.get(index).copied();
        said.unwrap_or(Side::BOTH[index % 2])
    }
}
