//! Tests of the tables against the expected permissions, the schemas and the hall's own rule.

use super::*;
use crate::api::requests::request;
use hall::Actor;
use proto::grpc::CommandRequest;
use proto::grpc::command_request::Command;
use proto::grpc::{self};

const SCHEMAS: [(&str, &str); 4] = [
    (
        "Arbiter",
        include_str!("../../../../proto/api/arbiter.proto"),
    ),
    (
        "Archive",
        include_str!("../../../../proto/api/archive.proto"),
    ),
    ("Player", include_str!("../../../../proto/api/player.proto")),
    (
        "Tournament",
        include_str!("../../../../proto/api/tournament.proto"),
    ),
];
const EVENT: &str = include_str!("../../../../proto/frames/event.proto");

/// The roles that may make each call: V viewer, F floor arbiter, C chief arbiter, B broadcaster, A auditor, P player.
const EXPECTED: &str = "
    Arbiter/GetHall VFCBA                 Arbiter/Watch VFCBA
    Arbiter/GetPresses VFCBA              Arbiter/GetFloor VFCA
    Arbiter/WatchFloor VFCA               Arbiter/SetFloor C
    Arbiter/Send FC                       Arbiter/GetCommand FCA
    Arbiter/ListHeld FCA                  Arbiter/WatchHeld FCA
    Arbiter/DecideHeld FC                 Arbiter/Acknowledge FC
    Arbiter/AcknowledgeNotes FC           Arbiter/ReadLog FCA
    Arbiter/ListCommands FCA              Arbiter/ListAgents FCA
    Arbiter/CreateEnrolmentCode C         Arbiter/CreateEnrolmentSheet C
    Arbiter/WithdrawEnrolmentSheet C      Arbiter/OpenEnrolment C
    Arbiter/AdmitClocks C                 Arbiter/RefuseClock C
    Arbiter/CloseEnrolment C              Arbiter/WatchEnrolment C
    Arbiter/CreateArbiterCode C           Arbiter/ListDevices CA
    Archive/ListGames FCA                 Archive/GetGame FCA
    Archive/ReadGame FCA                  Archive/GetCheckpoint FCA
    Archive/GetProof FCA                  Archive/Export CA
    Arbiter/RevokeDevice C                Tournament/GetTournament VFCBA
    Tournament/WatchTournament VFCBA      Tournament/GetStandings VFCBA
    Tournament/GetCrossTable VFCBA        Tournament/Export FCBA
    Tournament/Apply FC                   Tournament/PresetRound FC
    Tournament/StartRound FC              Tournament/Import C
    Tournament/UndoImport C               Tournament/ListEvents FCA
    Tournament/SwitchEvent C              Tournament/ListNews FCA
    Tournament/DismissNews C              Tournament/ProposePairings C
    Tournament/ProposeNumbers C           Tournament/CheckRatingReport FCA
    Tournament/SearchFideList FCA         Tournament/GetFideListStatus FCA
    Tournament/ImportFideList C           Arbiter/GetProceedings FCA
    Arbiter/GetBroadcast FCA              Arbiter/SetBroadcast C
    Player/Watch P                        Player/Act P";

fn holder(role: Role) -> Arbiter {
    Arbiter::new(role, "Ann")
}

fn letter(role: Role) -> char {
    match role {
        Viewer => 'V',
        Floor => 'F',
        Chief => 'C',
        Broadcaster => 'B',
        Auditor => 'A',
        Player => 'P',
    }
}

#[test]
fn every_role_makes_its_calls_and_no_others() {
    let words: Vec<_> = EXPECTED.split_whitespace().collect();
    assert_eq!(words.len(), 2 * PERMISSIONS.len());
    for pair in words.chunks(2) {
        let (call, allowed) = (pair[0], pair[1]);
        for role in Role::ALL {
            let outcome = authorize(&format!("{API}{call}"), &holder(role));
            assert_eq!(
                outcome.is_ok(),
                allowed.contains(letter(role)),
                "{call} {role:?}"
            );
            if let Err(status) = outcome {
                assert_eq!(status.code(), Code::PermissionDenied);
                let needed = ["viewer", "floor", "chief", "player"];
                assert!(
                    needed.iter().any(|role| status.message().contains(role)),
                    "{status}"
                );
            }
        }
    }
}

#[test]
fn roles_that_only_read_change_nothing() {
    for (call, roles, effect) in PERMISSIONS {
        for role in [Viewer, Broadcaster, Auditor] {
            let may = roles.contains(&role);
            assert!(!may || *effect == Reads, "{call} {role:?}");
        }
    }
    for (whole, part, roles) in PARTS {
        for role in [Viewer, Broadcaster, Auditor] {
            assert!(
                *whole == Export || !roles.contains(&role),
                "{part} {role:?}"
            );
        }
    }
}

#[test]
fn the_tables_name_every_call_and_part_of_the_schemas() {
    let mut calls = Vec::new();
    for (service, schema) in SCHEMAS {
        let lines = schema
            .lines()
            .filter_map(|line| line.trim().strip_prefix("rpc "));
        let names = lines.filter_map(|call| call.split('(').next());
        calls.extend(names.map(|call| format!("{service}/{call}")));
    }
    let mut known: Vec<_> = PERMISSIONS
        .iter()
        .map(|(call, _, _)| (*call).to_owned())
        .collect();
    calls.sort();
    known.sort();
    assert_eq!(calls, known);
    for (whole, schema, oneof) in [
        (Send, SCHEMAS[0].1, "oneof command {"),
        (Apply, EVENT, "message Change {\n  oneof what {"),
    ] {
        let fields = schema
            .split_once(oneof)
            .unwrap()
            .1
            .split_once('}')
            .unwrap()
            .0;
        let fields = fields.lines().filter_map(|line| line.split_once('='));
        let mut fields: Vec<_> = fields
            .filter_map(|(field, _)| field.split_whitespace().last())
            .collect();
        let parts = PARTS.iter().filter(|(of, _, _)| *of == whole);
        let mut parts: Vec<_> = parts.map(|(_, part, _)| *part).collect();
        fields.sort_unstable();
        parts.sort_unstable();
        assert_eq!(fields, parts);
    }
}

#[test]
fn calls_and_parts_outside_the_tables_are_denied() {
    let chief = holder(Chief);
    for path in [
        "/",
        "",
        "/flagfall.api.v1.Arbiter/",
        "/grpc.reflection.v1.ServerReflection/X",
    ] {
        let status = authorize(path, &chief).unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented);
    }
    let status = authorize_part(Send, "launch", &chief).unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied);
    assert!(authorize_part(Apply, "launch", &chief).is_err());
}

fn commands_about_the_laws() -> [Command; 4] {
    [
        Command::Rule(grpc::Rule {
            request: "illegal white".to_owned(),
        }),
        Command::EnterMoves(grpc::EnterMoves {
            after: 0,
            moves: vec!["e4".to_owned()],
        }),
        Command::ChooseRules(grpc::ChooseRules {
            rules: "fide-blitz".to_owned(),
        }),
        Command::ChoosePress(grpc::ChoosePress {
            rule: proto::event::PressRule::Clock.into(),
        }),
    ]
}

fn commands() -> Vec<Command> {
    let white = proto::Side::White.into();
    let control = || "5m".to_owned();
    let id = vec![7; 16];
    let mut commands = vec![
        Command::Prepare(grpc::Prepare {
            control: control(),
            ..Default::default()
        }),
        Command::Start(grpc::Start { side: white }),
        Command::Pause(grpc::Pause {}),
        Command::Resume(grpc::Resume { side: white }),
        Command::SetTime(grpc::SetTime {
            side: white,
            to_us: 1,
        }),
        Command::AddTime(grpc::AddTime {
            side: white,
            by_us: 1,
        }),
        Command::SetMoves(grpc::SetMoves {
            side: white,
            moves: 1,
        }),
        Command::Refill(grpc::Refill {
            side: white,
            amount_us: None,
        }),
        Command::EndGame(grpc::EndGame {
            ending: "draw".to_owned(),
        }),
        Command::ClaimDraw(grpc::ClaimDraw { side: white }),
        Command::CallFlag(grpc::CallFlag { side: white }),
        Command::WhiteButton(grpc::WhiteButton {
            white: grpc::Button::Left.into(),
        }),
        Command::SwapButtons(grpc::SwapButtons {}),
        Command::ChangeControl(grpc::ChangeControl {
            control: control(),
            after_flag: 0,
        }),
        Command::Restore(grpc::Restore {
            before_event_seq: 1,
        }),
        Command::AddBoard(grpc::AddBoard {
            control: control(),
            ..Default::default()
        }),
        Command::RemoveBoard(grpc::RemoveBoard {}),
        Command::Assign(grpc::Assign::default()),
        Command::Names(grpc::Names::default()),
        Command::Identify(grpc::Identify {}),
        Command::Show(grpc::Show {
            text: "1".to_owned(),
        }),
        Command::Force(grpc::Force {
            command_id: id.clone(),
        }),
        Command::Withdraw(grpc::Withdraw { command_id: id }),
        Command::RevokeAgent(grpc::RevokeAgent {
            agent: "c0".to_owned(),
        }),
        Command::DrawOdds(grpc::DrawOdds { side: white }),
        Command::ZeroTest(grpc::ZeroTest {}),
    ];
    commands.extend(commands_about_the_laws());
    commands
}

#[test]
fn the_hall_has_the_same_rule_for_each_command() {
    let commands = commands();
    let parts = PARTS.iter().filter(|(of, _, _)| *of == Send);
    assert_eq!(commands.len(), parts.count());
    for command in commands {
        let name = command_name(&command);
        let asked = CommandRequest {
            id: vec![1; 16],
            board: "1".to_owned(),
            command: Some(command),
            ..Default::default()
        };
        let actor = Actor {
            name: "Ann".to_owned(),
            role: hall::Role::Floor,
        };
        let action = request(asked, actor).unwrap().action;
        let may = authorize_part(Send, name, &holder(Floor)).is_ok();
        assert_eq!(action.is_allowed_for_floor_arbiters(), may, "{name}");
        assert!(authorize_part(Send, name, &holder(Chief)).is_ok());
    }
}
