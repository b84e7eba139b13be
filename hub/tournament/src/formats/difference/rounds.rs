//! Rounds: new ones, boards paired late, other pairings, results and byes. Owns the order of changes that pairs a round
//! without touching a board that has begun; must never overturn a result that an arbiter corrected.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{Difference, Kind, entrant, name};
use super::oddities::oddities;
use super::words;
use crate::formats::draft::{Draft, DraftRound, Pair, Seats};
use crate::formats::remark::{Entrant, EventRemark};
use crate::{
    BoardNo, Bye, Change, GameResult, Match, MatchNo, Pairing, Pairings, Participant, PlayerNo,
    Reseating, RoundNo,
};

struct Sides<'d> {
    known: &'d Draft,
    file: &'d Draft,
    source: &'d str,
}

pub(super) fn rounds(known: &Draft, file: &Draft, source: &str, difference: &mut Difference) {
    let sides = Sides {
        known,
        file,
        source,
    };
    for (no, round) in &file.rounds {
        match known.rounds.get(no) {
            None => sides.new_round(*no, round, difference),
            Some(before) => sides.old_round(*no, before, round, difference),
        }
    }
}

impl Sides<'_> {
    fn new_round(&self, no: RoundNo, round: &DraftRound, difference: &mut Difference) {
        let pairings = pairings(round);
        self.look(no, &pairings, difference);
        let mut changes = vec![Change::PairRound(no, Box::new(pairings))];
        changes.extend(self.results(no, &round.boards, difference));
        let words = words::new_round(self.file, no, round) + &self.left_over(no, round);
        difference.add(Kind::NewRound, words, changes);
    }

    fn old_round(
        &self,
        no: RoundNo,
        before: &DraftRound,
        round: &DraftRound,
        difference: &mut Difference,
    ) {
        let mut after = before.clone();
        let same_boards = before.pairs() == round.pairs();
        if !(same_boards && matches(before) == matches(round)) {
            if only_more(before, round) {
                let late = self.paired_late(no, before, round, difference);
                after.boards.extend(late);
            } else if let Some(seating) = seating(before, round) {
                after.boards.retain(|no, _| !seating.removed.contains(no));
                after.boards.extend(&seating.boards);
                self.reseated(no, before, round, seating, difference);
            } else {
                self.changed_round(no, before, round, difference);
                return;
            }
        }
        self.results_of(no, before, &after, round, difference);
        self.forfeits(no, before, round, difference);
        self.byes(no, before, &after, round, difference);
    }

    fn changed_round(
        &self,
        no: RoundNo,
        before: &DraftRound,
        round: &DraftRound,
        difference: &mut Difference,
    ) {
        let pairings = pairings(round);
        let known = before.pairs();
        let mut fresh = pairings.clone();
        fresh
            .boards
            .retain(|pairing| !known.contains(&(pairing.white, pairing.black)));
        self.look(no, &fresh, difference);
        let mut changes = vec![
            Change::Unpair(no),
            Change::PairRound(no, Box::new(pairings)),
        ];
        changes.extend(self.results(no, &round.boards, difference));
        // If the file numbers its boards, name each board that it does not have.
        let stated = !round.numbered.is_empty();
        let gone = before.boards.iter();
        let gone = gone.filter(|(no, _)| stated && !round.boards.contains_key(no));
        let mut words = String::new();
        let listed = gone.clone().count();
        if listed > 0 {
            words = words::removed_boards(self.known, no, gone) + "\n";
        }
        // Other new games do not compensate for a pairing that disappears.
        let removed = vanished(before, round);
        difference.removed_pairings += removed;
        words += &words::changed_round(self.file, no, before, round);
        words += &words::other_pairings_gone(removed.saturating_sub(listed));
        words += &self.left_over(no, round);
        difference.add(Kind::ChangedRound, words, changes);
    }

    /// Changes the seats at some boards, or removes boards. The rest of the round stays and may have begun.
    fn reseated(
        &self,
        no: RoundNo,
        before: &DraftRound,
        round: &DraftRound,
        seating: Seating,
        difference: &mut Difference,
    ) {
        let fresh = DraftRound {
            boards: seating.boards,
            ..DraftRound::default()
        };
        let mut words = Vec::new();
        let mut changes = Vec::new();
        if !seating.removed.is_empty() {
            let boards = before.boards.iter();
            let removed = boards.filter(|(no, _)| seating.removed.contains(no));
            words.push(words::removed_boards(self.known, no, removed));
            difference.removed_pairings += seating.removed.len();
            let boards = seating.removed.into_iter().collect();
            changes.push(Change::RemoveBoards(no, boards));
        }
        if !fresh.boards.is_empty() {
            let seats = pairings(&fresh);
            self.look(no, &seats, difference);
            let seats = Reseating {
                boards: seats.boards,
                restart: false,
            };
            // An unchanged pairing at another board is listed too.
            let none = DraftRound::default();
            words.push(words::changed_round(self.file, no, &none, &fresh));
            changes.push(Change::Reseat(no, seats));
            changes.extend(self.results(no, &fresh.boards, difference));
        }
        let words = words.join("\n") + &self.left_over(no, round);
        difference.add(Kind::ChangedRound, words, changes);
    }

    /// Adds boards paired after the round was announced. Known boards keep their numbers.
    fn paired_late(
        &self,
        no: RoundNo,
        before: &DraftRound,
        round: &DraftRound,
        difference: &mut Difference,
    ) -> BTreeMap<BoardNo, Seats> {
        let late = late(before, round);
        let pairings = pairings(&late);
        self.look(no, &pairings, difference);
        let freed = late
            .players()
            .filter(|player| before.byes.contains_key(player));
        let mut changes: Vec<Change> = freed
            .map(|player| Change::GrantBye(player, no, None))
            .collect();
        changes.push(Change::PairRound(no, Box::new(pairings)));
        changes.extend(self.results(no, &late.boards, difference));
        let words = words::more_boards(self.file, no, &late) + &self.left_over(no, round);
        difference.add(Kind::ChangedRound, words, changes);
        late.boards
    }

    fn results_of(
        &self,
        no: RoundNo,
        before: &DraftRound,
        after: &DraftRound,
        round: &DraftRound,
        difference: &mut Difference,
    ) {
        for (board, seats) in &before.boards {
            // A pairing that changes boards takes its result along in that change.
            let stays = |now: &Seats| now.pair() == seats.pair();
            if !after.boards.get(board).is_some_and(stays) {
                continue;
            }
            let in_file = round.board_with(seats.pair());
            let Some(result) = in_file.and_then(|(_, seats)| seats.result) else {
                continue;
            };
            if same_result(seats.result, result) {
                continue;
            }
            if self.known.corrected.contains(&(no, *board)) {
                let remark = EventRemark::CorrectedResult {
                    round: no,
                    board: *board,
                    pair: self.named(seats),
                    in_file: result,
                    here: seats.result,
                };
                difference.remarks.push(remark.into());
                continue;
            }
            let words = words::result(self.file, no, *board, seats, result);
            let kind = match seats.result {
                None => Kind::NewResult,
                Some(_) => Kind::ChangedResult,
            };
            let reason = match kind == Kind::ChangedResult || result.adds_points() {
                true => self.reason(),
                false => String::new(),
            };
            let change = Change::Enter(no, *board, result, reason);
            difference.add(kind, words, vec![change]);
            self.look_at_result(no, *board, seats, result, difference);
        }
    }

    /// Enters the results of boards that are new.
    fn results(
        &self,
        no: RoundNo,
        boards: &BTreeMap<BoardNo, Seats>,
        difference: &mut Difference,
    ) -> Vec<Change> {
        let mut entered = Vec::new();
        for (board, seats) in boards {
            let Some(result) = seats.result else { continue };
            let reason = match result.adds_points() {
                true => self.reason(),
                false => String::new(),
            };
            entered.push(Change::Enter(no, *board, result, reason));
            self.look_at_result(no, *board, seats, result, difference);
        }
        entered
    }

    /// Returns the reason of a correction that the file makes.
    fn reason(&self) -> String {
        format!("as in {}", self.source)
    }

    /// Adds a remark on a result that an arbiter must have decided.
    fn look_at_result(
        &self,
        round: RoundNo,
        board: BoardNo,
        seats: &Seats,
        in_file: GameResult,
        difference: &mut Difference,
    ) {
        if in_file.adds_points() {
            let pair = self.named(seats);
            let remark = EventRemark::PointsAdded {
                round,
                board,
                pair,
                in_file,
            };
            difference.remarks.push(remark.into());
        }
    }

    /// Returns the players of a board, White first.
    fn named(&self, seats: &Seats) -> [Option<Entrant>; 2] {
        [seats.white, seats.black].map(|player| {
            let player = Participant::Player(player?);
            Some(entrant(self.known, self.file, player))
        })
    }

    fn forfeits(
        &self,
        no: RoundNo,
        before: &DraftRound,
        round: &DraftRound,
        difference: &mut Difference,
    ) {
        for (match_no, known) in &before.matches {
            let same = round
                .matches
                .values()
                .find(|paired| paired.white == known.white);
            let Some(forfeit) = same
                .map(|paired| paired.forfeit)
                .filter(|forfeit| *forfeit != known.forfeit)
            else {
                continue;
            };
            let words = words::forfeit(self.file, no, known, forfeit);
            let change = Change::ForfeitMatch(no, *match_no, forfeit);
            difference.add(Kind::ChangedResult, words, vec![change]);
        }
    }

    /// Adds the byes that the file gives in a paired round to players who have no board in it afterwards. A player
    /// without a recorded bye has a zero-point bye.
    fn byes(
        &self,
        no: RoundNo,
        before: &DraftRound,
        seated: &DraftRound,
        round: &DraftRound,
        difference: &mut Difference,
    ) {
        for (player, after) in &round.byes {
            let known = before.byes.get(player).copied();
            let stood_up = before.board_of(*player).is_some();
            let new = stood_up || known.unwrap_or(Bye::Zero) != *after;
            if new && seated.board_of(*player).is_none() {
                let words = words::bye(self.file, no, *player, Some(*after));
                let change = Change::GrantBye(*player, no, Some(*after));
                difference.add(Kind::Bye, words, vec![change]);
            }
        }
    }

    fn look(&self, no: RoundNo, pairings: &Pairings, difference: &mut Difference) {
        let odd = oddities(self.known, self.file, no, pairings);
        difference.remarks.extend(odd);
    }

    /// Returns a line about participants with neither an opponent nor a bye in the file's round. Without it, half a
    /// round would look complete.
    fn left_over(&self, no: RoundNo, round: &DraftRound) -> String {
        if !self.file.teams.is_empty() {
            return self.teams_left_over(round);
        }
        let seated: BTreeSet<PlayerNo> = round.players().collect();
        let of_round = self.known.rounds.get(&no);
        let all: BTreeSet<PlayerNo> = [self.file, self.known]
            .iter()
            .flat_map(|draft| draft.players.keys().copied())
            .collect();
        let has_bye = |player: &PlayerNo| {
            let granted = |draft: &Draft| {
                let entered = draft.players.get(player);
                entered.is_some_and(|entered| entered.bye_in(no).is_some())
            };
            round.byes.contains_key(player)
                || of_round.is_some_and(|round| round.byes.contains_key(player))
                || granted(self.known)
                || granted(self.file)
        };
        let left = all
            .into_iter()
            .filter(|player| !seated.contains(player) && !has_bye(player));
        let names = left.map(|no| match self.file.players.contains_key(&no) {
            true => name(self.file, Some(no)),
            false => name(self.known, Some(no)),
        });
        words::left_over(names.collect(), "player has", "players have")
    }

    fn teams_left_over(&self, round: &DraftRound) -> String {
        let plays = |team: &crate::TeamNo| {
            let mut matches = round.matches.values();
            round.team_byes.contains_key(team)
                || matches.any(|paired| [paired.white, paired.black].contains(team))
        };
        let left = self.file.teams.iter().filter(|(no, _)| !plays(no));
        let names = left.map(|(_, team)| team.name.clone());
        words::left_over(names.collect(), "team has", "teams have")
    }
}

pub(super) fn granted(known: &Draft, file: &Draft, difference: &mut Difference) {
    for (no, player) in &file.players {
        let before = known.players.get(no);
        for (round, bye) in &player.byes {
            let paired = known.rounds.contains_key(round) || file.rounds.contains_key(round);
            let same = before.is_some_and(|before| before.bye_in(*round) == Some(*bye));
            if !paired && !same {
                let words = words::bye(file, *round, *no, Some(*bye));
                let change = Change::GrantBye(*no, *round, Some(*bye));
                difference.add(Kind::Bye, words, vec![change]);
            }
        }
    }
}

fn matches(round: &DraftRound) -> BTreeSet<(crate::TeamNo, crate::TeamNo)> {
    let matches = round.matches.values();
    matches.map(|paired| (paired.white, paired.black)).collect()
}

/// Returns the number of pairings that the second round does not have, regardless of colours.
fn vanished(before: &DraftRound, round: &DraftRound) -> usize {
    let players = |seats: &Seats| (seats.white.min(seats.black), seats.white.max(seats.black));
    let stay: BTreeSet<Pair> = round.boards.values().map(players).collect();
    let known = before.boards.values();
    known
        .filter(|seats| !stay.contains(&players(seats)))
        .count()
}

/// Returns whether a round gives a board's number to other players.
fn gives_way(round: &DraftRound, no: BoardNo, seats: &Seats) -> bool {
    let there = round
        .boards
        .get(&no)
        .filter(|_| round.numbered.contains(&no));
    there.is_some_and(|there| there.pair() != seats.pair())
}

/// Returns whether the second round has every board and match of the first. A team's bye in a paired round cannot be
/// undone.
fn only_more(before: &DraftRound, round: &DraftRound) -> bool {
    let mut teams = round
        .matches
        .values()
        .flat_map(|paired| [paired.white, paired.black]);
    let mut known = before.boards.iter();
    before.pairs().is_subset(&round.pairs())
        && !known.any(|(no, seats)| gives_way(round, *no, seats))
        && matches(before).is_subset(&matches(round))
        && !teams.any(|team| before.team_byes.contains_key(&team))
}

struct Seating {
    /// Boards with other players, by their new or present numbers.
    boards: BTreeMap<BoardNo, Seats>,
    /// Boards without players from now on.
    removed: BTreeSet<BoardNo>,
}

/// Returns the boards whose players change and the boards that disappear, if some boards stay.
///
/// Returns `None` if the whole round is paired differently, or if matches of teams change. A number that the second
/// round states never goes to other players.
fn seating(before: &DraftRound, round: &DraftRound) -> Option<Seating> {
    let (known, said) = (before.pairs(), round.pairs());
    let gone = before.boards.iter();
    let gone =
        gone.filter(|(no, seats)| !said.contains(&seats.pair()) || gives_way(round, **no, seats));
    let mut vacant: BTreeSet<BoardNo> = gone.map(|(no, _)| *no).collect();
    let stay: BTreeSet<Pair> = before
        .boards
        .iter()
        .filter(|(no, _)| !vacant.contains(no))
        .map(|(_, seats)| seats.pair())
        .collect();
    let fresh = round.boards.iter();
    let fresh: Vec<_> = fresh
        .filter(|(_, seats)| !stay.contains(&seats.pair()))
        .collect();
    if known.is_disjoint(&said) {
        return None;
    }
    if !(before.matches.is_empty() && round.matches.is_empty()) {
        let of_match =
            |round: &DraftRound, no: &BoardNo| round.boards.get(no).map(|at| at.of_match);
        let mut in_place = fresh.iter().map(|(no, _)| *no);
        let same = fresh.len() == vacant.len()
            && matches(before) == matches(round)
            && in_place
                .all(|no| vacant.contains(no) && of_match(before, no) == of_match(round, no));
        if !same {
            return None;
        }
    }
    let (in_place, moved): (Vec<_>, Vec<_>) =
        fresh.into_iter().partition(|(no, _)| vacant.remove(no));
    let mut boards: BTreeMap<BoardNo, Seats> = in_place
        .into_iter()
        .map(|(no, seats)| (*no, *seats))
        .collect();
    let mut taken: BTreeSet<BoardNo> = before.boards.keys().copied().collect();
    for (wanted, seats) in moved {
        let stated = round.numbered.contains(wanted) && !taken.contains(wanted);
        let no = match Some(*wanted)
            .filter(|_| stated)
            .or_else(|| vacant.pop_first())
        {
            Some(no) => no,
            None => free(&taken, *wanted, |no| BoardNo(no.0.saturating_add(1))),
        };
        taken.insert(no);
        boards.insert(no, *seats);
    }
    Some(Seating {
        boards,
        removed: vacant,
    })
}

/// Returns the boards, matches and byes that only the second round has, under numbers that are free in the first.
fn late(before: &DraftRound, round: &DraftRound) -> DraftRound {
    let mut late = DraftRound::default();
    let mut numbers: BTreeMap<MatchNo, MatchNo> = BTreeMap::new();
    let mut taken: BTreeSet<MatchNo> = before.matches.keys().copied().collect();
    for (no, paired) in &round.matches {
        let same = |known: &(&MatchNo, &Match)| {
            (known.1.white, known.1.black) == (paired.white, paired.black)
        };
        let number = match before.matches.iter().find(same) {
            Some((known, _)) => *known,
            None => {
                let free = free(&taken, *no, |no| MatchNo(no.0.saturating_add(1)));
                late.matches.insert(free, *paired);
                free
            }
        };
        taken.insert(number);
        numbers.insert(*no, number);
    }
    let known = before.pairs();
    let mut taken: BTreeSet<BoardNo> = before.boards.keys().copied().collect();
    for (no, seats) in &round.boards {
        if known.contains(&seats.pair()) {
            continue;
        }
        let free = free(&taken, *no, |no| BoardNo(no.0.saturating_add(1)));
        taken.insert(free);
        let of_match = seats
            .of_match
            .and_then(|(no, place)| Some((*numbers.get(&no)?, place)));
        late.boards.insert(free, Seats { of_match, ..*seats });
    }
    let byes = round.team_byes.iter();
    let byes = byes.filter(|(team, _)| !before.team_byes.contains_key(team));
    late.team_byes = byes.map(|(team, bye)| (*team, *bye)).collect();
    late
}

/// Returns the wanted number if it is free, else the number after the last.
fn free<N: Copy + Ord>(taken: &BTreeSet<N>, wanted: N, next: impl Fn(N) -> N) -> N {
    match taken.last() {
        Some(last) if taken.contains(&wanted) => next(*last),
        Some(_) | None => wanted,
    }
}

/// Returns whether the file gives a game the known result. No report has a count (Scrabble, Othello), so counts are
/// ignored.
pub(super) fn same_result(known: Option<GameResult>, file: GameResult) -> bool {
    known.map(GameResult::without_count) == Some(file.without_count())
}

/// Returns the pairings of a round in the event's form.
fn pairings(round: &DraftRound) -> Pairings {
    let board = |(board, seats): (&BoardNo, &Seats)| Pairing {
        board: *board,
        white: seats.white,
        black: seats.black,
        of_match: seats.of_match,
    };
    let pair = |(no, paired): (&MatchNo, &Match)| (*no, *paired);
    Pairings {
        boards: round.boards.iter().map(board).collect(),
        byes: round.byes.iter().map(|(no, bye)| (*no, *bye)).collect(),
        matches: round.matches.iter().map(pair).collect(),
        team_byes: round
            .team_byes
            .iter()
            .map(|(no, bye)| (*no, *bye))
            .collect(),
    }
}
