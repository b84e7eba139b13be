//! Rebases a change that states a complete value, so that it changes only the fields that it originally changed.
//! Without this, if an arbiter amended the event's city after an import, undoing the import would keep all of the
//! imported event data.

use tournament::{Change, Event, Player, Team, Tournament};

/// Returns `change`, which was originally applied to `was`, as a change to `now`.
pub(super) fn rebased(change: &Change, was: &Tournament, now: &Tournament) -> Change {
    match change {
        Change::SetEvent(said) => Change::SetEvent(Box::new(event(said, was.event(), now.event()))),
        Change::EnterPlayer(said) => {
            let known = was.players().get(&said.no).zip(now.players().get(&said.no));
            let player = known.map(|(was, now)| player(said, was, now));
            Change::EnterPlayer(player.map_or_else(|| said.clone(), Box::new))
        }
        Change::EnterTeam(said) => {
            let known = was.teams().get(&said.no).zip(now.teams().get(&said.no));
            let team = known.map(|(was, now)| team(said, was, now));
            Change::EnterTeam(team.map_or_else(|| said.clone(), Box::new))
        }
        Change::RemovePlayer(_)
        | Change::RemoveTeam(_)
        | Change::Renumber(_)
        | Change::Withdraw(..)
        | Change::ReturnPlayer(_)
        | Change::GrantBye(..)
        | Change::PairRound(..)
        | Change::Unpair(_)
        | Change::Reseat(..)
        | Change::RemoveBoards(..)
        | Change::Preset(..)
        | Change::Start(..)
        | Change::FirstPress(..)
        | Change::Propose(..)
        | Change::Enter(..)
        | Change::RemoveResult(..)
        | Change::ForfeitMatch(..)
        | Change::StateStandings(_)
        | Change::Confirm(_)
        | Change::Reopen(..) => change.clone(),
    }
}

fn field<T: Clone + PartialEq>(said: &T, was: &T, now: &T) -> T {
    if said == was {
        now.clone()
    } else {
        said.clone()
    }
}

macro_rules! merged {
    ($type:ident { $($name:ident),* $(,)? }, $said:ident, $was:ident, $now:ident) => {
        // Each use lists every field, so a new field does not compile until it is listed.
        $type { $($name: field(&$said.$name, &$was.$name, &$now.$name)),* }
    };
}

fn event(said: &Event, was: &Event, now: &Event) -> Event {
    merged!(
        Event {
            name,
            city,
            federation,
            starts,
            ends,
            chief_arbiter,
            deputies,
            time_control,
            time_control_code,
            type_text,
            type_code,
            pairing_program,
            system,
            contest,
            game,
            rounds,
            round_dates,
            initial_colour,
            forbidden,
            accelerations,
            abnormal_points,
            scoring,
            match_scoring,
            tie_breaks,
            unrated_as,
            team_bye_points,
            sectors,
            rules,
            round_rules,
            kept_lines,
        },
        said,
        was,
        now
    )
}

fn player(said: &Player, was: &Player, now: &Player) -> Player {
    merged!(
        Player {
            no,
            name,
            sex,
            title,
            rating,
            federation,
            fide_id,
            birth,
            club,
            enters,
            leaves,
            byes,
            kept_lines,
        },
        said,
        was,
        now
    )
}

fn team(said: &Team, was: &Team, now: &Team) -> Team {
    merged!(
        Team {
            no,
            name,
            short_name,
            federation,
            players
        },
        said,
        was,
        now
    )
}
