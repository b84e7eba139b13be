//! Pairing numbers: the initial order of the players (FIDE C.04.2), and new numbers for all of them at once.
//!
//! Owns the rule of the order and what has a player's number in it. Must never decide by itself when numbers change.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::change::{Refusal, Renumbering};
use super::event::{Contest, System};
use super::fold::Tournament;
use super::pairing_rules::{gathered, spread};
use super::player::{Player, PlayerNo, TITLES};
use super::round::RoundNo;

/// Once this round of a Swiss is paired, no pairing number changes (FIDE C.04.2).
pub const NUMBERS_FIXED_BY: RoundNo = RoundNo(4);

impl Tournament {
    /// The players in the initial order of FIDE C.04.2: by rating, title and name.
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

    /// The initial order, where the pairing numbers of a Swiss are not its places and may still change.
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

    /// Whether the pairing numbers may still change.
    ///
    /// # Errors
    /// The round whose pairing has fixed them.
    pub fn numbers_may_change(&self) -> Result<(), Refusal> {
        let fixed_by = match self.event().system {
            System::Swiss => NUMBERS_FIXED_BY,
            // The table says who meets whom by the numbers that were drawn.
            System::RoundRobin { .. } => RoundNo(1),
        };
        match self.last_round() >= Some(fixed_by) {
            true => Err(Refusal::NumbersFixed(fixed_by)),
            false => Ok(()),
        }
    }

    /// The event with other numbers: the first player of the order has number 1. Nothing is asked about the round.
    ///
    /// # Errors
    /// When the order does not name each player once.
    pub fn renumbered(&self, renumbering: &Renumbering) -> Result<Self, Refusal> {
        let mut numbers = BTreeMap::new();
        for (no, before) in (1..).zip(&renumbering.order) {
            if !self.players().contains_key(before) {
                return Err(Refusal::NoPlayer(*before));
            }
            if numbers.insert(*before, PlayerNo(no)).is_some() {
                let words = format!("player {before} is named twice in the new order");
                return Err(Refusal::Invalid(words));
            }
        }
        if let Some(forgotten) = self.players().keys().find(|no| !numbers.contains_key(no)) {
            let words = format!("player {forgotten} is missing in the new order");
            return Err(Refusal::Invalid(words));
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
            // A number that no player has may be given to one: what named it must not be about that player.
            event.abnormal_points.retain_mut(|given| {
                let everyone = given.participants.is_empty();
                let known = given.participants.iter();
                let known = known.filter_map(|who| numbers.get(&PlayerNo(*who)));
                let mut known: Vec<u16> = known.map(|no| no.0).collect();
                known.sort_unstable();
                given.participants = known;
                everyone || !given.participants.is_empty()
            });
            let points = spread(&event.accelerations).into_iter();
            let points = points.map(|((who, round), value)| ((new(PlayerNo(who)).0, round), value));
            event.accelerations = gathered(&points.collect());
        }
        let players = self.players().values().map(|player| {
            let no = new(player.no);
            (
                no,
                Player {
                    no,
                    ..player.clone()
                },
            )
        });
        let mut teams = self.teams().clone();
        for player in teams.values_mut().flat_map(|team| &mut team.players) {
            *player = new(*player);
        }
        let mut rounds = self.rounds().clone();
        for round in rounds.values_mut() {
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

/// A name as lists are sorted: capitals and the marks on letters make no difference.
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
