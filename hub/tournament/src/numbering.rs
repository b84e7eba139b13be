//! Pairing numbers: the initial order of the players (FIDE C.04.2), and renumbering.
//!
//! Owns the rule for the order, and replaces players' numbers wherever an event uses them. Also removes a participant's
//! abnormal points and accelerations. Must never decide when numbers change.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::pairing_rules::{expand_accelerations, merge_accelerations};
use crate::{
    Acceleration, Contest, Event, Invalid, Player, PlayerNo, Refusal, Renumbering, RoundNo, System,
    TITLES, Tournament,
};

/// The round whose pairing fixes the pairing numbers of a Swiss (FIDE C.04.2).
pub const NUMBERS_FIXED_BY: RoundNo = RoundNo(4);

impl Tournament {
    /// Returns the players in the initial order of FIDE C.04.2: by rating, title and name, then by current number.
    #[must_use]
    pub fn initial_order(&self) -> Vec<PlayerNo> {
        let mut players: Vec<&Player> = self.players().values().collect();
        players.sort_by_cached_key(|player| {
            let title = TITLES.iter().position(|title| player.title == *title);
            (
                Reverse(player.rating.unwrap_or(0)),
                title.unwrap_or(TITLES.len()),
                sort_key(&player.name),
                player.no,
            )
        });
        players.into_iter().map(|player| player.no).collect()
    }

    /// Returns the initial order of an individual Swiss if the pairing numbers differ from that order and may still
    /// change.
    #[must_use]
    pub fn better_numbering(&self) -> Option<Vec<PlayerNo>> {
        let event = self.event();
        let of_players = event.system == System::Swiss && event.contest == Contest::Individual;
        if !of_players || self.numbers_may_change().is_err() {
            return None;
        }
        let order = self.initial_order();
        let numbers = (1..).map(PlayerNo).take(order.len());
        (!numbers.eq(order.iter().copied())).then_some(order)
    }

    /// Checks that the pairing numbers may still change.
    ///
    /// # Errors
    /// Returns an error with the round whose pairing fixed the numbers.
    pub fn numbers_may_change(&self) -> Result<(), Refusal> {
        let fixed_by = match self.event().system {
            System::Swiss => NUMBERS_FIXED_BY,
            // The numbers were drawn by lot, and the Berger table depends on them.
            System::RoundRobin { .. } => RoundNo(1),
        };
        match self.last_round() >= Some(fixed_by) {
            true => Err(Refusal::NumbersFixed(fixed_by)),
            false => Ok(()),
        }
    }

    /// Returns the event with new numbers: the first player of the order gets number 1. The caller checks that numbers
    /// may still change.
    ///
    /// # Errors
    /// Returns an error if the order names an unknown player, or does not name each player exactly once.
    pub fn renumbered(&self, renumbering: &Renumbering) -> Result<Self, Refusal> {
        let mut numbers = BTreeMap::new();
        for (no, before) in (1..).zip(&renumbering.order) {
            if !self.players().contains_key(before) {
                return Err(Refusal::NoPlayer(*before));
            }
            if numbers.insert(*before, PlayerNo(no)).is_some() {
                return Err(Invalid::OrderTwice(*before).into());
            }
        }
        if let Some(missing) = self.players().keys().find(|no| !numbers.contains_key(no)) {
            return Err(Invalid::OrderMissing(*missing).into());
        }
        let new = |no: PlayerNo| numbers.get(&no).copied().unwrap_or(no);
        let mut event = self.event().clone();
        event.kept_lines.clone_from(&renumbering.kept_lines);
        if event.contest == Contest::Individual {
            for rule in &mut event.forbidden {
                for who in &mut rule.participants {
                    *who = new(PlayerNo(*who)).0;
                }
                rule.participants.sort_unstable();
            }
            // Drop numbers without a player: such a number may now go to a different player.
            event.abnormal_points.retain_mut(|given| {
                let everyone = given.participants.is_empty();
                let known = given.participants.iter();
                let known = known.filter_map(|who| Some(numbers.get(&PlayerNo(*who))?.0));
                given.participants = known.collect();
                given.participants.sort_unstable();
                everyone || !given.participants.is_empty()
            });
            let points = expand_accelerations(&event.accelerations).into_iter();
            let points = points.map(|((who, round), value)| ((new(PlayerNo(who)).0, round), value));
            event.accelerations = merge_accelerations(&points.collect());
        }
        let players = self.players().values().map(|player| {
            let no = new(player.no);
            let player = player.clone();
            (no, Player { no, ..player })
        });
        let mut teams = self.teams().clone();
        for player in teams.values_mut().flat_map(|team| &mut team.players) {
            *player = new(*player);
        }
        let mut rounds = self.rounds().clone();
        for round in rounds.values_mut().map(Arc::make_mut) {
            for board in round.boards.values_mut() {
                board.white = board.white.map(new);
                board.black = board.black.map(new);
            }
            let byes = std::mem::take(&mut round.byes).into_iter();
            round.byes = byes.map(|(player, bye)| (new(player), bye)).collect();
        }
        let stated = self.stated_renumbered(new);
        Ok(Self::restored(event, players.collect(), teams, rounds).with_stated(stated))
    }
}

impl Event {
    /// Returns the event's data without the abnormal points and accelerations of one participant, or `None` if the
    /// participant has none.
    #[must_use]
    pub fn without_points_of(&self, who: u16) -> Option<Self> {
        let mut event = self.clone();
        event.abnormal_points.retain_mut(|given| {
            let everyone = given.participants.is_empty();
            given.participants.retain(|no| *no != who);
            everyone || !given.participants.is_empty()
        });
        let accelerations = std::mem::take(&mut event.accelerations).into_iter();
        let others = accelerations.flat_map(|acceleration| {
            let (first, last) = acceleration.participants;
            let ranges = match (first..=last).contains(&who) {
                true => [
                    (first, who.saturating_sub(1)),
                    (who.saturating_add(1), last),
                ],
                false => [(first, last), (1, 0)],
            };
            let ranges = ranges.into_iter().filter(|(first, last)| first <= last);
            ranges.map(move |participants| Acceleration {
                participants,
                ..acceleration
            })
        });
        event.accelerations = others.collect();
        (event != *self).then_some(event)
    }
}

/// Returns the sort key of a name: lower case, with the Latin letters listed here replaced by plain ones.
fn sort_key(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut key = String::with_capacity(lower.len());
    for letter in lower.chars() {
        match letter {
            'à'..='å' | 'ā' | 'ă' | 'ą' => key.push('a'),
            'æ' => key.push_str("ae"),
            'ç' | 'ć' | 'č' => key.push('c'),
            'ď' | 'đ' => key.push('d'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => key.push('e'),
            'ğ' => key.push('g'),
            'ì'..='ï' | 'ī' | 'į' | 'ı' => key.push('i'),
            'ķ' => key.push('k'),
            'ļ' | 'ľ' | 'ł' => key.push('l'),
            'ñ' | 'ń' | 'ņ' | 'ň' => key.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => key.push('o'),
            'œ' => key.push_str("oe"),
            'ŕ' | 'ř' => key.push('r'),
            'ś' | 'ş' | 'š' | 'ș' => key.push('s'),
            'ß' => key.push_str("ss"),
            'ţ' | 'ť' | 'ț' => key.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => key.push('u'),
            'ý' | 'ÿ' => key.push('y'),
            'ź' | 'ż' | 'ž' => key.push('z'),
            other => key.push(other),
        }
    }
    key
}
