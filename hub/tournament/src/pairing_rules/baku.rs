//! The rules that apply in an event: forbidden pairings, and the accelerations of the Baku method (FIDE C.04.5.1).

use std::collections::BTreeMap;

use super::{Acceleration, Forbidden};
use crate::{Event, Player, PlayerNo, Points, RoundNo, Scoring};

/// The suffix of FIDE's type codes for systems with Baku acceleration (TRF 192).
const BAKU: &str = "_BAKU";

const DUTCH: &str = "FIDE_DUTCH_2025";

impl Event {
    /// Returns true if the event's type code names the Baku acceleration.
    #[must_use]
    pub fn is_baku(&self) -> bool {
        self.type_code.trim().ends_with(BAKU)
    }

    /// Switches the Baku acceleration on or off. In both cases, removes the event's own accelerations.
    pub fn set_baku(&mut self, baku: bool) {
        let code = self.type_code.trim();
        let plain = code.strip_suffix(BAKU).unwrap_or(code);
        self.type_code = match (baku, plain) {
            (true, "") => format!("{DUTCH}{BAKU}"),
            (true, plain) => format!("{plain}{BAKU}"),
            (false, plain) => plain.to_owned(),
        };
        self.accelerations.clear();
    }

    /// Returns the rule that forbids two participants from meeting in a round, if there is one.
    #[must_use]
    pub fn forbidden_pair(&self, round: RoundNo, one: u16, other: u16) -> Option<&Forbidden> {
        let mut rules = self.forbidden.iter();
        rules.find(|rule| rule.forbids(round, one, other))
    }

    /// Returns the accelerations that apply: the event's own, or else those of the Baku method if the type code
    /// names it.
    #[must_use]
    pub fn accelerations_for(&self, players: &BTreeMap<PlayerNo, Player>) -> Vec<Acceleration> {
        match self.accelerations.is_empty() && self.is_baku() {
            true => baku(self.rounds, &self.scoring, players),
            false => self.accelerations.clone(),
        }
    }
}

/// Returns the accelerations of the Baku method (FIDE C.04.5.1). Late entries do not count towards the size of the
/// first group. The group's last player stays the last, even under a new pairing number (2.3).
fn baku(rounds: u16, scoring: &Scoring, players: &BTreeMap<PlayerNo, Player>) -> Vec<Acceleration> {
    let from_the_start = || players.values().filter(|player| player.enters.0 <= 1);
    let count = from_the_start().count();
    let group = 2 * count.div_ceil(4);
    let (Some(first), Some(last)) = (
        players.keys().next(),
        from_the_start().nth(group.saturating_sub(1)),
    ) else {
        return Vec::new();
    };
    let accelerated = rounds.div_ceil(2);
    let full = accelerated.div_ceil(2);
    let of = |points: Points, from: u16, to: u16| Acceleration {
        points: Some(points),
        match_points: None,
        rounds: (RoundNo(from), RoundNo(to)),
        participants: (first.0, last.no.0),
    };
    let mut all = vec![of(scoring.win, 1, full)];
    if accelerated > full {
        all.push(of(scoring.draw, full + 1, accelerated));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::{expand_accelerations, merge_accelerations};
    use super::*;

    fn players(count: u16, late: &[u16]) -> BTreeMap<PlayerNo, Player> {
        let entered = (1..=count).map(|no| {
            let mut player = Player::new(PlayerNo(no), "Player");
            player.enters = RoundNo(if late.contains(&no) { 2 } else { 1 });
            (player.no, player)
        });
        entered.collect()
    }

    #[track_caller]
    fn check(
        rounds: u16,
        players: &BTreeMap<PlayerNo, Player>,
        expected: &[(&str, u16, u16, u16)],
    ) {
        let mut event = Event::new("Open", rounds);
        event.set_baku(true);
        let all = event.accelerations_for(players);
        let shown: Vec<_> = all
            .iter()
            .map(|of| {
                (
                    of.points.unwrap().to_string(),
                    of.rounds.0.0,
                    of.rounds.1.0,
                    of.participants.1,
                )
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(points, from, to, last)| ((*points).to_owned(), *from, *to, *last))
            .collect();
        assert_eq!(shown, expected);
    }

    // FIDE C.04.5.1 gives this example of 161 players and nine rounds.
    #[test]
    fn baku_accelerates_the_first_half_rounded_up_to_an_even_number() {
        check(
            9,
            &players(161, &[]),
            &[("1.0", 1, 3, 82), ("0.5", 4, 5, 82)],
        );
        check(
            7,
            &players(20, &[]),
            &[("1.0", 1, 2, 10), ("0.5", 3, 4, 10)],
        );
        check(1, &players(2, &[]), &[("1.0", 1, 1, 2)]);
        check(9, &players(0, &[]), &[]);
    }

    #[test]
    fn a_late_entry_does_not_move_the_last_player_of_the_first_group() {
        // Player 3 of 21 entered late, so the tenth of the other twenty is player 11.
        check(
            7,
            &players(21, &[3]),
            &[("1.0", 1, 2, 11), ("0.5", 3, 4, 11)],
        );
    }

    #[test]
    fn type_code_selects_baku() {
        let mut event = Event::new("Open", 9);
        event.set_baku(true);
        assert_eq!(event.type_code, "FIDE_DUTCH_2025_BAKU");
        event.set_baku(false);
        assert_eq!(event.type_code, "FIDE_DUTCH_2025");
        assert_eq!(event.accelerations_for(&players(8, &[])), []);
    }

    #[test]
    fn expanded_accelerations_merge_back() {
        let mut event = Event::new("Open", 9);
        event.set_baku(true);
        let all = event.accelerations_for(&players(10, &[]));
        assert_eq!(merge_accelerations(&expand_accelerations(&all)), all);
    }
}
