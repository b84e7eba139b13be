//! The permissions of calls: one table; a call that is not in it is denied.

use tonic::{Code, Status};

use super::status::with_number;
use crate::identity::{Arbiter, Role};
use hall::refusal::Why;

/// The path of a call without [`API`].
pub type ServicePath = &'static str;

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The call only reads.
    Reads,
    /// The call changes something or issues a permission; the session's device must sign it.
    Changes,
}

use Effect::{Changes, Reads};
use Role::{Chief, Floor, Viewer};

/// Prefix of the paths of all calls.
pub const API: &str = "/flagfall.api.v1.";

/// The lowest role for each call, and the call's effect. The hall has its own table of commands: it may still require the chief for a
/// command that a floor arbiter may send.
pub const NEEDED_ROLES: &[(ServicePath, Role, Effect)] = &[
    ("Arbiter/GetHall", Viewer, Reads),
    ("Arbiter/Watch", Viewer, Reads),
    ("Arbiter/Send", Floor, Changes),
    ("Arbiter/GetCommand", Floor, Reads),
    ("Arbiter/ListAgents", Floor, Reads),
    ("Arbiter/CreateEnrolmentCode", Chief, Changes),
    ("Arbiter/ReadLog", Floor, Reads),
    ("Arbiter/GetPresses", Viewer, Reads),
    ("Arbiter/Acknowledge", Floor, Changes),
    ("Arbiter/AcknowledgeNotes", Floor, Changes),
    ("Arbiter/CreateArbiterCode", Chief, Changes),
    ("Arbiter/ListDevices", Chief, Reads),
    ("Arbiter/RevokeDevice", Chief, Changes),
    ("Arbiter/GetFloor", Viewer, Reads),
    ("Arbiter/WatchFloor", Viewer, Reads),
    ("Arbiter/SetFloor", Chief, Changes),
    ("Arbiter/CreateEnrolmentSheet", Chief, Changes),
    ("Arbiter/WithdrawEnrolmentSheet", Chief, Changes),
    ("Arbiter/OpenEnrolment", Chief, Changes),
    ("Arbiter/AdmitClocks", Chief, Changes),
    ("Arbiter/RefuseClock", Chief, Changes),
    ("Arbiter/CloseEnrolment", Chief, Changes),
    ("Arbiter/WatchEnrolment", Chief, Reads),
    ("Archive/ListGames", Floor, Reads),
    ("Archive/GetGame", Floor, Reads),
    ("Archive/ReadGame", Floor, Reads),
    ("Tournament/GetTournament", Viewer, Reads),
    ("Tournament/Apply", Floor, Changes),
    ("Tournament/Import", Chief, Changes),
    ("Tournament/UndoImport", Chief, Changes),
    ("Tournament/ListEvents", Floor, Reads),
    ("Tournament/SwitchEvent", Chief, Changes),
    ("Tournament/Export", Floor, Reads),
    ("Tournament/GetStandings", Viewer, Reads),
    ("Tournament/GetCrossTable", Viewer, Reads),
    ("Tournament/WatchTournament", Viewer, Reads),
    ("Tournament/ListNews", Floor, Reads),
    ("Tournament/DismissNews", Chief, Changes),
    ("Tournament/ProposePairings", Chief, Reads),
    ("Tournament/ProposeNumbers", Chief, Reads),
    ("Tournament/PresetRound", Floor, Changes),
    ("Tournament/StartRound", Floor, Changes),
    ("Tournament/CheckRatingReport", Floor, Reads),
    ("Tournament/SearchFideList", Floor, Reads),
    ("Tournament/GetFideListStatus", Floor, Reads),
    ("Tournament/ImportFideList", Chief, Changes),
];

/// The data that a caller may see beyond the public pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    Arbiter,
    Viewer,
}

impl Visibility {
    pub(super) fn of(role: Role) -> Self {
        match role {
            Role::Viewer => Self::Viewer,
            Role::Floor | Role::Chief => Self::Arbiter,
        }
    }
}

/// Checks that `arbiter` may call `path`, and returns the call's effect.
///
/// # Errors
/// PERMISSION_DENIED with the required role; UNIMPLEMENTED for a path that is not in the table.
pub(super) fn authorize(path: &str, arbiter: &Arbiter) -> Result<Effect, Status> {
    let call = path.strip_prefix(API);
    let (_, needed, effect) = NEEDED_ROLES
        .iter()
        .find(|(known, _, _)| Some(*known) == call)
        .ok_or_else(|| Status::unimplemented(format!("this hub has no call {path}")))?;
    if arbiter.role < *needed {
        let why = Why::RoleNeeded {
            needed: needed.as_str(),
            chief: *needed == Role::Chief,
            name: arbiter.name.clone(),
            role: arbiter.role.as_str(),
        };
        return Err(with_number(Code::PermissionDenied, &why.into()));
    }
    Ok(*effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arbiter(role: Role) -> Arbiter {
        Arbiter {
            role,
            name: "Ann".to_owned(),
        }
    }

    #[test]
    fn every_call_is_let_through_for_its_role_and_above_and_for_no_other() {
        let table = [
            ("Arbiter/GetHall", [true, true, true]),
            ("Arbiter/Watch", [true, true, true]),
            ("Arbiter/Send", [false, true, true]),
            ("Arbiter/GetCommand", [false, true, true]),
            ("Arbiter/ListAgents", [false, true, true]),
            ("Arbiter/CreateEnrolmentCode", [false, false, true]),
            ("Arbiter/ReadLog", [false, true, true]),
            ("Arbiter/GetPresses", [true, true, true]),
            ("Arbiter/Acknowledge", [false, true, true]),
            ("Arbiter/AcknowledgeNotes", [false, true, true]),
            ("Arbiter/CreateArbiterCode", [false, false, true]),
            ("Arbiter/ListDevices", [false, false, true]),
            ("Arbiter/RevokeDevice", [false, false, true]),
            ("Arbiter/GetFloor", [true, true, true]),
            ("Arbiter/WatchFloor", [true, true, true]),
            ("Arbiter/SetFloor", [false, false, true]),
            ("Arbiter/CreateEnrolmentSheet", [false, false, true]),
            ("Arbiter/WithdrawEnrolmentSheet", [false, false, true]),
            ("Arbiter/OpenEnrolment", [false, false, true]),
            ("Arbiter/AdmitClocks", [false, false, true]),
            ("Arbiter/RefuseClock", [false, false, true]),
            ("Arbiter/CloseEnrolment", [false, false, true]),
            ("Arbiter/WatchEnrolment", [false, false, true]),
            ("Archive/ListGames", [false, true, true]),
            ("Archive/GetGame", [false, true, true]),
            ("Archive/ReadGame", [false, true, true]),
            ("Tournament/GetTournament", [true, true, true]),
            ("Tournament/Apply", [false, true, true]),
            ("Tournament/Import", [false, false, true]),
            ("Tournament/Export", [false, true, true]),
            ("Tournament/GetStandings", [true, true, true]),
            ("Tournament/GetCrossTable", [true, true, true]),
            ("Tournament/WatchTournament", [true, true, true]),
            ("Tournament/ListNews", [false, true, true]),
            ("Tournament/DismissNews", [false, false, true]),
            ("Tournament/UndoImport", [false, false, true]),
            ("Tournament/ListEvents", [false, true, true]),
            ("Tournament/SwitchEvent", [false, false, true]),
            ("Tournament/ProposePairings", [false, false, true]),
            ("Tournament/ProposeNumbers", [false, false, true]),
            ("Tournament/PresetRound", [false, true, true]),
            ("Tournament/StartRound", [false, true, true]),
            ("Tournament/CheckRatingReport", [false, true, true]),
            ("Tournament/SearchFideList", [false, true, true]),
            ("Tournament/GetFideListStatus", [false, true, true]),
            ("Tournament/ImportFideList", [false, false, true]),
        ];
        assert_eq!(table.len(), NEEDED_ROLES.len());
        for (call, allowed) in table {
            let path = format!("{API}{call}");
            let [_, allowed_to_floor, _] = allowed;
            for (role, allowed) in [Role::Viewer, Role::Floor, Role::Chief]
                .into_iter()
                .zip(allowed)
            {
                let outcome = authorize(&path, &arbiter(role));
                match outcome {
                    Ok(_) => assert!(allowed, "{call} {role:?}"),
                    Err(status) => {
                        assert!(!allowed, "{call} {role:?}");
                        assert_eq!(status.code(), Code::PermissionDenied);
                        let needed = if allowed_to_floor { "floor" } else { "chief" };
                        assert!(status.message().contains(needed), "{}", status.message());
                    }
                }
            }
        }
    }

    #[test]
    fn the_table_names_every_call_of_the_service() {
        let schemas = [
            ("Arbiter", include_str!("../../../proto/api/arbiter.proto")),
            ("Archive", include_str!("../../../proto/api/archive.proto")),
            (
                "Tournament",
                include_str!("../../../proto/api/tournament.proto"),
            ),
        ];
        let known: Vec<_> = NEEDED_ROLES.iter().map(|(path, _, _)| *path).collect();
        let mut count = 0;
        for (service, schema) in schemas {
            let calls = schema
                .lines()
                .filter_map(|line| line.trim().strip_prefix("rpc "))
                .filter_map(|call| call.split('(').next());
            for call in calls {
                assert!(
                    known.contains(&format!("{service}/{call}").as_str()),
                    "{call}"
                );
                count += 1;
            }
        }
        assert_eq!(count, known.len());
    }

    #[test]
    fn nothing_else_is_served() {
        let chief = arbiter(Role::Chief);
        for path in [
            "/",
            "",
            "/flagfall.api.v1.Arbiter/",
            "/grpc.reflection.v1.ServerReflection/X",
        ] {
            let status = authorize(path, &chief).unwrap_err();
            assert_eq!(status.code(), Code::Unimplemented);
        }
    }
}
