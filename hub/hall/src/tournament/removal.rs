//! The removal of participants from the event's rules. Adds explicit changes to a request, because a removal in the log
//! leaves abnormal points and accelerations unchanged. Must never change what a record means.

use tournament::{Actor, Change, Contest, Tournament};

/// Adds a change after each removal of a participant who has abnormal points or accelerations. The change removes them,
/// because they would otherwise apply to the next participant with the same number.
pub(super) fn with_points_removed(
    event: Option<&Tournament>,
    actor: &Actor,
    changes: Vec<Change>,
) -> Vec<Change> {
    let removes =
        |change: &Change| matches!(change, Change::RemovePlayer(_) | Change::RemoveTeam(_));
    let Some(event) = event.filter(|_| changes.iter().any(removes)) else {
        return changes;
    };
    let mut after = event.clone();
    let mut all = Vec::with_capacity(changes.len());
    for change in changes {
        let removed = removed(&change, after.event().contest);
        // A change that does not apply is refused later, together with the whole request.
        let applied = after.apply(actor, change.clone());
        all.push(change);
        let removed = removed.filter(|_| applied.is_ok());
        let Some(others) = removed.and_then(|no| after.event().without_points_of(no)) else {
            continue;
        };
        let change = Change::SetEvent(Box::new(others));
        // A divided range may exceed the maximum number of accelerations. The removal then changes no rules.
        if after.apply(actor, change.clone()).is_ok() {
            all.push(change);
        }
    }
    all
}

/// Returns the number by which the event's rules name the removed participant: a player, or a team in a team event.
fn removed(change: &Change, contest: Contest) -> Option<u16> {
    let of_players = contest == Contest::Individual;
    if let Change::RemovePlayer(no) = change
        && of_players
    {
        return Some(no.0);
    }
    if let Change::RemoveTeam(no) = change
        && !of_players
    {
        return Some(no.0);
    }
    None
}
