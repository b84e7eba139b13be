//! Standings as a table. Owns the columns; must never compute a place.

use super::write;
use crate::formats::wording::shown;
use crate::{Participant, Standings, Tournament};

/// Writes standings: a row for each participant, with the place, personal data, points and the value of each tie-break.
pub fn table(tournament: &Tournament, standings: &Standings) -> String {
    let names = "Rank No Title Name Rating Federation Points".split(' ');
    let mut header: Vec<String> = names.map(str::to_owned).collect();
    let codes = tournament.event().tie_breaks.iter();
    header.extend(codes.map(ToString::to_string));
    let mut rows = vec![header];
    for row in &standings.rows {
        let mut fields = vec![row.rank.to_string()];
        fields.extend(who(tournament, row.who));
        fields.push(row.score.to_string());
        let values = row.values.iter();
        fields.extend(values.map(|value| shown(*value)));
        rows.push(fields);
    }
    write(&rows)
}

fn who(tournament: &Tournament, who: Participant) -> [String; 5] {
    let [title, name, rating, federation] = match who {
        Participant::Player(no) => tournament.players().get(&no).map(|player| {
            let (title, name) = (player.title.clone(), player.name.clone());
            [title, name, shown(player.rating), player.federation.clone()]
        }),
        Participant::Team(no) => tournament.teams().get(&no).map(|team| {
            let (name, federation) = (team.name.clone(), team.federation.clone());
            [String::new(), name, String::new(), federation]
        }),
    }
    .unwrap_or_default();
    [who.number().to_string(), title, name, rating, federation]
}
