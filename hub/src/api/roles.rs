//! The permissions of calls: one table; a call that is not in it is denied.

use tonic::{Code, Status};

use super::status::with_number;
use crate::identity::{Arbiter, Role};
use hall::refusal::Why;

/// The path of a call, as HTTP/2 has it.
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

/// The lowest role for each call, and the call's effect. The hall has its own table of commands: it may still require the chief for a
/// command that a floor arbiter may send.
pub const NEEDED_ROLES: &[(ServicePath, Role, Effect)] = &[
    ("/flagfall.api.v1.Arbiter/GetHall", Role::Viewer, Reads),
    ("/flagfall.api.v1.Arbiter/Watch", Role::Viewer, Reads),
    ("/flagfall.api.v1.Arbiter/Send", Role::Floor, Changes),
    ("/flagfall.api.v1.Arbiter/GetCommand", Role::Floor, Reads),
    ("/flagfall.api.v1.Arbiter/ListAgents", Role::Floor, Reads),
    (
        "/flagfall.api.v1.Arbiter/CreateEnrolmentCode",
        Role::Chief,
        Changes,
    ),
    ("/flagfall.api.v1.Arbiter/ReadLog", Role::Floor, Reads),
    ("/flagfall.api.v1.Arbiter/GetPresses", Role::Viewer, Reads),
    ("/flagfall.api.v1.Arbiter/Acknowledge", Role::Floor, Changes),
    (
        "/flagfall.api.v1.Arbiter/CreateArbiterCode",
        Role::Chief,
        Changes,
    ),
    ("/flagfall.api.v1.Arbiter/ListDevices", Role::Chief, Reads),
    (
        "/flagfall.api.v1.Arbiter/RevokeDevice",
        Role::Chief,
        Changes,
    ),
    ("/flagfall.api.v1.Arbiter/GetFloor", Role::Viewer, Reads),
    ("/flagfall.api.v1.Arbiter/WatchFloor", Role::Viewer, Reads),
    ("/flagfall.api.v1.Arbiter/SetFloor", Role::Chief, Changes),
    (
        "/flagfall.api.v1.Arbiter/CreateEnrolmentSheet",
        Role::Chief,
        Changes,
    ),
    (
        "/flagfall.api.v1.Arbiter/WithdrawEnrolmentSheet",
        Role::Chief,
        Changes,
    ),
    (
        "/flagfall.api.v1.Arbiter/OpenEnrolment",
        Role::Chief,
        Changes,
    ),
    ("/flagfall.api.v1.Arbiter/AdmitClocks", Role::Chief, Changes),
    ("/flagfall.api.v1.Arbiter/RefuseClock", Role::Chief, Changes),
    (
        "/flagfall.api.v1.Arbiter/CloseEnrolment",
        Role::Chief,
        Changes,
    ),
    (
        "/flagfall.api.v1.Arbiter/WatchEnrolment",
        Role::Chief,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/GetTournament",
        Role::Viewer,
        Reads,
    ),
    ("/flagfall.api.v1.Tournament/Apply", Role::Floor, Changes),
    ("/flagfall.api.v1.Tournament/Import", Role::Chief, Changes),
    (
        "/flagfall.api.v1.Tournament/UndoImport",
        Role::Chief,
        Changes,
    ),
    ("/flagfall.api.v1.Tournament/ListEvents", Role::Floor, Reads),
    (
        "/flagfall.api.v1.Tournament/SwitchEvent",
        Role::Chief,
        Changes,
    ),
    ("/flagfall.api.v1.Tournament/Export", Role::Floor, Reads),
    (
        "/flagfall.api.v1.Tournament/GetStandings",
        Role::Viewer,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/GetCrossTable",
        Role::Viewer,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/WatchTournament",
        Role::Viewer,
        Reads,
    ),
    ("/flagfall.api.v1.Tournament/ListNews", Role::Floor, Reads),
    (
        "/flagfall.api.v1.Tournament/DismissNews",
        Role::Chief,
        Changes,
    ),
    (
        "/flagfall.api.v1.Tournament/ProposePairings",
        Role::Chief,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/ProposeNumbers",
        Role::Chief,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/PresetRound",
        Role::Floor,
        Changes,
    ),
    (
        "/flagfall.api.v1.Tournament/StartRound",
        Role::Floor,
        Changes,
    ),
    (
        "/flagfall.api.v1.Tournament/CheckRatingReport",
        Role::Floor,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/SearchFideList",
        Role::Floor,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/GetFideListStatus",
        Role::Floor,
        Reads,
    ),
    (
        "/flagfall.api.v1.Tournament/ImportFideList",
        Role::Chief,
        Changes,
    ),
];

/// Checks that `arbiter` may call `path`, and returns the call's effect.
///
/// # Errors
/// PERMISSION_DENIED with the required role; UNIMPLEMENTED for a path that is not in the table.
pub(super) fn authorize(path: &str, arbiter: &Arbiter) -> Result<Effect, Status> {
    let (_, needed, effect) = NEEDED_ROLES
        .iter()
        .find(|(known, _, _)| *known == path)
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
            let path = format!("/flagfall.api.v1.{call}");
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
                let path = format!("/flagfall.api.v1.{service}/{call}");
                assert!(known.contains(&path.as_str()), "{call}");
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
