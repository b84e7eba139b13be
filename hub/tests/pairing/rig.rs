//! Events to be paired: players without a round, and changes that must succeed.

use timing::Side;
use tournament::{Actor, Change, Event, Player, PlayerNo, Tournament};

pub(crate) fn open(name: &str, players: u16) -> Tournament {
    let mut event = Event::new(name, 3);
    event.initial_colour = Some(Side::White);
    let mut tournament = Tournament::new(event);
    for no in 1..=players {
        let player = Player::new(PlayerNo(no), &format!("Player {no}"));
        apply(&mut tournament, Change::EnterPlayer(Box::new(player)));
    }
    tournament
}

#[track_caller]
pub(crate) fn apply(tournament: &mut Tournament, change: Change) {
    tournament
        .apply(&Actor::chief("Doe"), change)
        .unwrap_or_else(|refusal| panic!("{refusal}"));
}
