//! Compares rounds: new rounds, boards paired late, changed pairings, results, match forfeits and byes. Owns the choice
//! of the changes that pair a round. Must never overturn a result that an arbiter corrected.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{Difference, DifferenceKind, entrant};
use super::pairing_remarks::pairing_remarks;
use super::words;
use crate::formats::draft::{Draft, DraftRound, Pair, Seats};
use crate::formats::remark::{Entrant, EventRemark};
use crate::{
    BoardNo, Bye, Change, GameResult, Match, MatchNo, Pairing, Pairings, Participant, Player,
    PlayerNo, Reseating, RoundNo, TeamNo,
};

struct Comparison<'d> {
    known: &'d Draft,
    file: &'d Draft,
    source: &'d str,
    difference: &'d mut Difference,
}

pub(super) fn rounds(known: &Draft, file: &Draft, source: &str, difference: &mut Difference) {
    let mut comparison = Comparison {
        known,
        file,
        source,
        difference,
    };
    for (no, round) in &file.rounds {
        match known.rounds.get(no) {
            None => comparison.new_round(*no, round),
            Some(before) => comparison.old_round(*no, before, round),
        }
    }
}

impl Comparison<'_> {
    fn new_round(&mut self, no: RoundNo, round: &DraftRound) {
        let pairings = pairings(round);
        self.add_oddities(no, &pairings);
        let mut changes = vec![Change::PairRound(no, Box::new(pairings))];
        changes.extend(self.results(no, &round.boards));
        let words = words::new_round(self.file, no, round) + &self.left_over(no, round);
        self.difference
            .add(DifferenceKind::NewRound, words, changes);
    }

    fn old_round(&mut self, no: RoundNo, before: &DraftRound, round: &DraftRound) {
        let mut after = before.clone();
        let same_boards = before.pairs() == round.pairs();
        if !(same_boards && matches(before) == matches(round)) {
            if only_more(before, round) {
                let late = self.paired_late(no, before, round);
                after.boards.extend(late.boards);
            } else if let Some(seating) = seating(before, round) {
                after.boards.retain(|no, _| !seating.removed.contains(no));
                after.boards.extend(&seating.boards);
                self.reseated(no, before, round, seating);
            } else {
                return self.changed_round(no, before, round);
            }
        }
        self.results_of(no, before, &after, round);
        self.forfeits(no, before, round);
        self.byes(no, before, &after, round);
    }

    fn changed_round(&mut self, no: RoundNo, before: &DraftRound, round: &DraftRound) {
        let pairings = pairings(round);
        let known = before.pairs();
        let mut fresh = pairings.clone();
        let boards = &mut fresh.boards;
        boards.retain(|pairing| !known.contains(&(pairing.white, pairing.black)));
        self.add_oddities(no, &fresh);
        let mut changes = vec![
            Change::Unpair(no),
            Change::PairRound(no, Box::new(pairings)),
        ];
        changes.extend(self.results(no, &round.boards));
        let stated = !round.numbered.is_empty();
        let gone = before.boards.iter();
        let gone = gone.filter(|(no, _)| stated && !round.boards.contains_key(no));
        let mut words = String::new();
        let listed = gone.clone().count();
        if listed > 0 {
            words = words::removed_boards(self.known, no, gone) + "\n";
        }
        // A pairing that disappears counts as removed even if the same board gets a new game.
        let removed = vanished(before, round);
        self.difference.removed_pairings += removed;
        words += &words::changed_round(self.file, no, before, round);
        words += &words::other_pairings_gone(removed.saturating_sub(listed));
        words += &self.left_over(no, round);
        self.difference
            .add(DifferenceKind::ChangedRound, words, changes);
    }

    fn reseated(&mut self, no: RoundNo, before: &DraftRound, round: &DraftRound, seating: Seating) {
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
            self.difference.removed_pairings += seating.removed.len();
            let boards = seating.removed.into_iter().collect();
            changes.push(Change::RemoveBoards(no, boards));
        }
        if !fresh.boards.is_empty() {
            let seats = pairings(&fresh);
            self.add_oddities(no, &seats);
            let seats = Reseating {
                boards: seats.boards,
                restart: false,
            };
            // A pairing that only moves to a different board is listed too.
            let none = DraftRound::default();
            words.push(words::changed_round(self.file, no, &none, &fresh));
            changes.push(Change::Reseat(no, seats));
            changes.extend(self.results(no, &fresh.boards));
        }
        let words = words.join("\n") + &self.left_over(no, round);
        self.difference
            .add(DifferenceKind::ChangedRound, words, changes);
    }

    /// Adds boards paired after the round was announced. Known boards keep their numbers.
    fn paired_late(&mut self, no: RoundNo, before: &DraftRound, round: &DraftRound) -> DraftRound {
        let late = late(before, round);
        let pairings = pairings(&late);
        self.add_oddities(no, &pairings);
        let freed = late.players();
        let freed = freed.filter(|player| before.byes.contains_key(player));
        let freed = freed.map(|player| Change::GrantBye(player, no, None));
        let mut changes: Vec<Change> = freed.collect();
        changes.push(Change::PairRound(no, Box::new(pairings)));
        changes.extend(self.results(no, &late.boards));
        let words = words::more_boards(self.file, no, &late) + &self.left_over(no, round);
        self.difference
            .add(DifferenceKind::ChangedRound, words, changes);
        late
    }

    fn results_of(
        &mut self,
        no: RoundNo,
        before: &DraftRound,
        after: &DraftRound,
        round: &DraftRound,
    ) {
        for (board, seats) in &before.boards {
            let now = after.boards.get(board);
            // If a pairing moves to a different board, the reseating already enters its result.
            let stays = now.is_some_and(|now| now.pair() == seats.pair());
            let in_file = round.board_with(seats.pair());
            let Some(result) = in_file.and_then(|(_, seats)| seats.result) else {
                continue;
            };
            if !stays || same_result(seats.result, result) {
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
                self.difference.remarks.push(remark.into());
                continue;
            }
            let words = words::result(self.file, no, *board, seats, result);
            let (kind, corrects) = match seats.result {
                None => (DifferenceKind::NewResult, false),
                Some(_) => (DifferenceKind::ChangedResult, true),
            };
            let change = self.entered((no, *board), seats, result, corrects);
            self.difference.add(kind, words, vec![change]);
        }
    }

    fn results(&mut self, no: RoundNo, boards: &BTreeMap<BoardNo, Seats>) -> Vec<Change> {
        let mut entered = Vec::new();
        for (board, seats) in boards {
            if let Some(result) = seats.result {
                entered.push(self.entered((no, *board), seats, result, false));
            }
        }
        entered
    }

    /// Returns the change that enters the file's result. If the result awards more points than one game has, also adds
    /// a remark, because only an arbiter may decide this.
    fn entered(
        &mut self,
        (round, board): (RoundNo, BoardNo),
        seats: &Seats,
        in_file: GameResult,
        corrects: bool,
    ) -> Change {
        if in_file.awards_extra_points() {
            let remark = EventRemark::PointsAdded {
                round,
                board,
                pair: self.named(seats),
                in_file,
            };
            self.difference.remarks.push(remark.into());
        }
        let reason = match corrects || in_file.awards_extra_points() {
            true => format!("as in {}", self.source),
            false => String::new(),
        };
        Change::Enter(round, board, in_file, reason)
    }

    fn named(&self, seats: &Seats) -> [Option<Entrant>; 2] {
        [seats.white, seats.black].map(|player| {
            let player = Participant::Player(player?);
            Some(entrant(self.known, self.file, player))
        })
    }

    fn forfeits(&mut self, no: RoundNo, before: &DraftRound, round: &DraftRound) {
        for (match_no, known) in &before.matches {
            let mut matches = round.matches.values();
            let same = matches.find(|paired| paired.white == known.white);
            if let Some(forfeit) = same.map(|paired| paired.forfeit)
                && forfeit != known.forfeit
            {
                let words = words::forfeit(self.file, no, known, forfeit);
                let change = Change::ForfeitMatch(no, *match_no, forfeit);
                self.difference
                    .add(DifferenceKind::ChangedResult, words, vec![change]);
            }
        }
    }

    /// Adds the byes that the file gives in a paired round to players who have no board in it afterwards. A player
    /// without a recorded bye counts as having a zero-point bye.
    fn byes(&mut self, no: RoundNo, before: &DraftRound, seated: &DraftRound, round: &DraftRound) {
        for (player, after) in &round.byes {
            let known = before.byes.get(player).copied();
            let was_seated = before.board_of(*player).is_some();
            let new = was_seated || known.unwrap_or(Bye::Zero) != *after;
            if new && seated.board_of(*player).is_none() {
                let words = words::bye(self.file, no, *player, *after);
                let change = Change::GrantBye(*player, no, Some(*after));
                self.difference
                    .add(DifferenceKind::Bye, words, vec![change]);
            }
        }
    }

    fn add_oddities(&mut self, no: RoundNo, pairings: &Pairings) {
        let odd = pairing_remarks(self.known, self.file, no, pairings);
        self.difference.remarks.extend(odd);
    }

    /// Returns a line about participants with neither an opponent nor a bye in the file's round. Without this line,
    /// half a round would look complete.
    fn left_over(&self, no: RoundNo, round: &DraftRound) -> String {
        if !self.file.teams.is_empty() {
            return self.teams_left_over(round);
        }
        let seated: BTreeSet<PlayerNo> = round.players().collect();
        let has_bye = |player: &PlayerNo| {
            let rounds = [Some(round), self.known.rounds.get(&no)].into_iter();
            let drafts = [self.known, self.file].into_iter();
            let mut entered = drafts.filter_map(|draft| draft.players.get(player));
            rounds
                .flatten()
                .any(|round| round.byes.contains_key(player))
                || entered.any(|entered| entered.bye_in(no).is_some())
        };
        // The file's names take precedence.
        let players = self.known.players.iter().chain(&self.file.players);
        let players: BTreeMap<&PlayerNo, &Player> = players.collect();
        let left = players.into_iter();
        let left = left.filter(|(player, _)| !seated.contains(player) && !has_bye(player));
        let names = left.map(|(_, player)| player.name.clone());
        words::left_over(names.collect(), "player has", "players have")
    }

    fn teams_left_over(&self, round: &DraftRound) -> String {
        let plays = |team: &TeamNo| {
            let mut matches = round.matches.values();
            round.team_byes.contains_key(team) || matches.any(|paired| paired.has(*team))
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
                let words = words::bye(file, *round, *no, *bye);
                let change = Change::GrantBye(*no, *round, Some(*bye));
                difference.add(DifferenceKind::Bye, words, vec![change]);
            }
        }
    }
}

fn matches(round: &DraftRound) -> BTreeSet<[TeamNo; 2]> {
    round.matches.values().map(Match::teams).collect()
}

/// Counts the pairings of `before` that `round` does not have, regardless of colours.
fn vanished(before: &DraftRound, round: &DraftRound) -> usize {
    let players = |seats: &Seats| (seats.white.min(seats.black), seats.white.max(seats.black));
    let stay: BTreeSet<Pair> = round.boards.values().map(players).collect();
    let known = before.boards.values();
    known
        .filter(|seats| !stay.contains(&players(seats)))
        .count()
}

fn gives_number_away(round: &DraftRound, no: BoardNo, seats: &Seats) -> bool {
    let there = round.boards.get(&no);
    round.numbered.contains(&no) && there.is_some_and(|there| there.pair() != seats.pair())
}

/// Returns true if `round` has every pairing and match of `before` and gives none of their board numbers to other
/// players. It must also have no match for a team with a bye in `before`. A team's bye in a paired round cannot be
/// undone.
fn only_more(before: &DraftRound, round: &DraftRound) -> bool {
    let mut teams = round.matches.values().flat_map(Match::teams);
    let mut known = before.boards.iter();
    before.pairs().is_subset(&round.pairs())
        && !known.any(|(no, seats)| gives_number_away(round, *no, seats))
        && matches(before).is_subset(&matches(round))
        && !teams.any(|team| before.team_byes.contains_key(&team))
}

struct Seating {
    /// Boards whose players change, by their numbers after the change.
    boards: BTreeMap<BoardNo, Seats>,
    removed: BTreeSet<BoardNo>,
}

/// Returns the boards whose players change and the boards that disappear, if some pairings stay.
///
/// Returns `None` if the whole round is paired differently, or if team matches or the places in them change. A board
/// number that `round` states never goes to different players.
fn seating(before: &DraftRound, round: &DraftRound) -> Option<Seating> {
    let (known, said) = (before.pairs(), round.pairs());
    let (gone, stay): (Vec<_>, Vec<_>) = before.boards.iter().partition(|(no, seats)| {
        !said.contains(&seats.pair()) || gives_number_away(round, **no, seats)
    });
    let mut vacant: BTreeSet<BoardNo> = gone.into_iter().map(|(no, _)| *no).collect();
    let stay: BTreeSet<Pair> = stay.into_iter().map(|(_, seats)| seats.pair()).collect();
    let fresh = round.boards.iter();
    let fresh = fresh.filter(|(_, seats)| !stay.contains(&seats.pair()));
    let fresh: Vec<_> = fresh.collect();
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
    let in_place = in_place.into_iter();
    let mut boards: BTreeMap<_, _> = in_place.map(|(no, seats)| (*no, *seats)).collect();
    let mut taken: BTreeSet<BoardNo> = before.boards.keys().copied().collect();
    for (wanted, seats) in moved {
        let stated = round.numbered.contains(wanted) && !taken.contains(wanted);
        let or_vacant = || vacant.pop_first();
        let no = Some(*wanted).filter(|_| stated).or_else(or_vacant);
        let no = no.unwrap_or_else(|| free(&taken, *wanted, |no| BoardNo(no.0.saturating_add(1))));
        taken.insert(no);
        boards.insert(no, *seats);
    }
    Some(Seating {
        boards,
        removed: vacant,
    })
}

/// Returns the boards, matches and team byes that only `round` has, under numbers that are free in `before`.
fn late(before: &DraftRound, round: &DraftRound) -> DraftRound {
    let mut late = DraftRound::default();
    let mut numbers: BTreeMap<MatchNo, MatchNo> = BTreeMap::new();
    let mut taken: BTreeSet<MatchNo> = before.matches.keys().copied().collect();
    for (no, paired) in &round.matches {
        let same = |(_, known): &(&MatchNo, &Match)| known.teams() == paired.teams();
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
        let of_match = seats.of_match;
        let of_match = of_match.and_then(|(no, place)| Some((*numbers.get(&no)?, place)));
        late.boards.insert(free, Seats { of_match, ..*seats });
    }
    late.team_byes.clone_from(&round.team_byes);
    late.team_byes
        .retain(|team, _| !before.team_byes.contains_key(team));
    late
}

fn free<N: Copy + Ord>(taken: &BTreeSet<N>, wanted: N, next: impl Fn(N) -> N) -> N {
    match taken.last() {
        Some(last) if taken.contains(&wanted) => next(*last),
        Some(_) | None => wanted,
    }
}

/// Returns true if the file gives a game the known result. Reports do not hold points or discs (Scrabble, Othello), so
/// these are ignored.
pub(super) fn same_result(known: Option<GameResult>, file: GameResult) -> bool {
    known.map(GameResult::without_count) == Some(file.without_count())
}

fn pairings(round: &DraftRound) -> Pairings {
    let board = |(board, seats): (&BoardNo, &Seats)| Pairing {
        board: *board,
        white: seats.white,
        black: seats.black,
        of_match: seats.of_match,
    };
    Pairings {
        boards: round.boards.iter().map(board).collect(),
        byes: round.byes.clone().into_iter().collect(),
        matches: round.matches.clone().into_iter().collect(),
        team_byes: round.team_byes.clone().into_iter().collect(),
    }
}
