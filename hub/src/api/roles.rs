//! The permissions of every role: one table of calls, and one table of the parts of calls that have their own permissions. A call or part
//! that is not in the tables is denied.
//!
//! The hall and the event check a floor arbiter's commands again, with separate rules. A test compares the hall's rule with these tables.

mod parts;
mod sector;

use tonic::{Code, Result, Status};

use super::status::with_number;
use crate::identity::{Arbiter, Role};
use hall::refusal::Why;

pub(super) use parts::{change_name, command_name, format_name};
pub(super) use sector::{all_of, in_sector, scope_in_sector, withdrawn_in_sector};

/// A call's path without the prefix [`API`].
pub type ServicePath = &'static str;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Reads,
    /// The call changes something; the session's device must sign it.
    Changes,
    /// The call makes a change that no other record shows, such as issuing a code. A session's device must sign the call; a call with a key file is
    /// logged.
    Issues,
}

use Effect::{Changes, Issues, Reads};
use Role::{Auditor, Broadcaster, Chief, Floor, Player, Viewer};

pub const API: &str = "/flagfall.api.v1.";

type Roles = &'static [Role];

const EVERYONE: Roles = &[Viewer, Floor, Chief, Broadcaster, Auditor];
const HALL: Roles = &[Viewer, Floor, Chief, Auditor];
const DESK: Roles = &[Floor, Chief, Auditor];
const ARBITERS: Roles = &[Floor, Chief];
const OVERSIGHT: Roles = &[Chief, Auditor];
const CHIEF: Roles = &[Chief];
const PLAYER: Roles = &[Player];
const PUBLISHED: Roles = &[Floor, Chief, Broadcaster, Auditor];

/// The roles that may make each call, and the call's effect.
pub const PERMISSIONS: &[(ServicePath, Roles, Effect)] = &[
    ("Arbiter/GetHall", EVERYONE, Reads),
    ("Arbiter/Watch", EVERYONE, Reads),
    ("Arbiter/GetPresses", EVERYONE, Reads),
    ("Arbiter/GetProceedings", DESK, Reads),
    ("Arbiter/GetFloor", HALL, Reads),
    ("Arbiter/WatchFloor", HALL, Reads),
    ("Arbiter/SetFloor", CHIEF, Changes),
    ("Arbiter/Send", ARBITERS, Changes),
    ("Arbiter/GetCommand", DESK, Reads),
    ("Arbiter/ListHeld", DESK, Reads),
    ("Arbiter/WatchHeld", DESK, Reads),
    ("Arbiter/DecideHeld", ARBITERS, Changes),
    ("Arbiter/Acknowledge", ARBITERS, Changes),
    ("Arbiter/AcknowledgeNotes", ARBITERS, Changes),
    ("Arbiter/ReadLog", DESK, Reads),
    ("Arbiter/ListCommands", DESK, Reads),
    ("Archive/ListGames", DESK, Reads),
    ("Archive/GetGame", DESK, Reads),
    ("Archive/ReadGame", DESK, Reads),
    ("Archive/GetCheckpoint", DESK, Reads),
    ("Archive/GetProof", DESK, Reads),
    ("Archive/Export", OVERSIGHT, Reads),
    ("Arbiter/ListAgents", DESK, Reads),
    ("Arbiter/CreateEnrolmentCode", CHIEF, Issues),
    ("Arbiter/CreateEnrolmentSheet", CHIEF, Issues),
    ("Arbiter/WithdrawEnrolmentSheet", CHIEF, Issues),
    ("Arbiter/OpenEnrolment", CHIEF, Issues),
    ("Arbiter/AdmitClocks", CHIEF, Issues),
    ("Arbiter/RefuseClock", CHIEF, Issues),
    ("Arbiter/CloseEnrolment", CHIEF, Issues),
    // For the chief arbiter only: the answers contain the open code, which is a secret.
    ("Arbiter/WatchEnrolment", CHIEF, Reads),
    ("Arbiter/CreateArbiterCode", CHIEF, Issues),
    ("Arbiter/ListDevices", OVERSIGHT, Reads),
    ("Arbiter/RevokeDevice", CHIEF, Issues),
    ("Arbiter/GetBroadcast", DESK, Reads),
    ("Arbiter/SetBroadcast", CHIEF, Issues),
    ("Player/Watch", PLAYER, Reads),
    ("Player/Act", PLAYER, Changes),
    ("Tournament/GetTournament", EVERYONE, Reads),
    ("Tournament/WatchTournament", EVERYONE, Reads),
    ("Tournament/GetStandings", EVERYONE, Reads),
    ("Tournament/GetCrossTable", EVERYONE, Reads),
    ("Tournament/Export", PUBLISHED, Reads),
    ("Tournament/Apply", ARBITERS, Changes),
    ("Tournament/PresetRound", ARBITERS, Changes),
    ("Tournament/StartRound", ARBITERS, Changes),
    ("Tournament/Import", CHIEF, Changes),
    ("Tournament/UndoImport", CHIEF, Changes),
    ("Tournament/ListEvents", DESK, Reads),
    ("Tournament/SwitchEvent", CHIEF, Changes),
    ("Tournament/ListNews", DESK, Reads),
    ("Tournament/DismissNews", CHIEF, Issues),
    ("Tournament/ProposePairings", CHIEF, Reads),
    ("Tournament/ProposeNumbers", CHIEF, Reads),
    ("Tournament/CheckRatingReport", DESK, Reads),
    ("Tournament/SearchFideList", DESK, Reads),
    ("Tournament/GetFideListStatus", DESK, Reads),
    ("Tournament/ImportFideList", CHIEF, Changes),
];

/// A call whose parts have separate permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositeCall {
    Send,
    Apply,
    Export,
}

use CompositeCall::{Apply, Export, Send};

/// The roles that may use each part of a call, by the part's name in the schema.
pub const PARTS: &[(CompositeCall, &str, Roles)] = &[
    (Send, "prepare", ARBITERS),
    (Send, "start", ARBITERS),
    (Send, "pause", ARBITERS),
    (Send, "resume", ARBITERS),
    (Send, "set_time", ARBITERS),
    (Send, "add_time", ARBITERS),
    (Send, "set_moves", ARBITERS),
    (Send, "refill", ARBITERS),
    (Send, "end_game", ARBITERS),
    (Send, "claim_draw", ARBITERS),
    (Send, "call_flag", ARBITERS),
    (Send, "white_button", ARBITERS),
    (Send, "swap_buttons", ARBITERS),
    (Send, "change_control", ARBITERS),
    (Send, "restore", ARBITERS),
    (Send, "names", ARBITERS),
    (Send, "identify", ARBITERS),
    (Send, "show", ARBITERS),
    (Send, "withdraw", ARBITERS),
    (Send, "draw_odds", ARBITERS),
    (Send, "zero_test", ARBITERS),
    (Send, "rule", ARBITERS),
    (Send, "enter_moves", ARBITERS),
    (Send, "choose_rules", ARBITERS),
    (Send, "choose_press", ARBITERS),
    (Send, "add_board", CHIEF),
    (Send, "remove_board", CHIEF),
    (Send, "assign", CHIEF),
    (Send, "force", CHIEF),
    (Send, "revoke_agent", CHIEF),
    (Apply, "withdraw", ARBITERS),
    (Apply, "return_player", ARBITERS),
    (Apply, "grant_bye", ARBITERS),
    (Apply, "start", ARBITERS),
    (Apply, "enter", ARBITERS),
    (Apply, "take_back", ARBITERS),
    (Apply, "preset", ARBITERS),
    (Apply, "first_press", ARBITERS),
    (Apply, "propose", ARBITERS),
    (Apply, "set_event", CHIEF),
    (Apply, "enter_player", CHIEF),
    (Apply, "remove_player", CHIEF),
    (Apply, "renumber", CHIEF),
    (Apply, "enter_team", CHIEF),
    (Apply, "remove_team", CHIEF),
    (Apply, "pair_round", CHIEF),
    (Apply, "unpair", CHIEF),
    (Apply, "reseat", CHIEF),
    (Apply, "remove_boards", CHIEF),
    (Apply, "forfeit_match", CHIEF),
    (Apply, "state_standings", CHIEF),
    (Apply, "confirm", CHIEF),
    (Apply, "reopen", CHIEF),
    (Export, "pgn", PUBLISHED),
    (Export, "pairings_csv", PUBLISHED),
    (Export, "standings_csv", PUBLISHED),
    (Export, "trf26", DESK),
    (Export, "trf16", DESK),
    (Export, "rating_report_trf16", DESK),
    (Export, "rating_report_trf26", DESK),
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
            Viewer | Broadcaster | Player => Self::Viewer,
            Floor | Chief | Auditor => Self::Arbiter,
        }
    }
}

/// Returns the effect of `path` if `arbiter` may call it. Otherwise returns PERMISSION_DENIED, which names the required role, or UNIMPLEMENTED if
/// the path is not in the table.
pub(super) fn authorize(path: &str, arbiter: &Arbiter) -> Result<Effect> {
    let call = path.strip_prefix(API);
    let (_, roles, effect) = PERMISSIONS
        .iter()
        .find(|(known, _, _)| Some(*known) == call)
        .ok_or_else(|| Status::unimplemented(format!("this hub has no call {path}")))?;
    permitted(roles, arbiter).map(|()| *effect)
}

/// Checks that `arbiter` may use a part of a call. Otherwise returns PERMISSION_DENIED, which names the required role. A part that is not in the
/// table is denied to everyone, and the error then names the chief arbiter.
pub(super) fn authorize_part(whole: CompositeCall, part: &str, arbiter: &Arbiter) -> Result<()> {
    let mut parts = PARTS.iter();
    let found = parts.find(|(of, known, _)| (*of, *known) == (whole, part));
    permitted(found.map_or(&[], |(_, _, roles)| *roles), arbiter)
}

pub(super) fn authorize_chief(arbiter: &Arbiter) -> Result<()> {
    permitted(CHIEF, arbiter)
}

fn permitted(roles: &[Role], arbiter: &Arbiter) -> Result<()> {
    if roles.contains(&arbiter.role) {
        return Ok(());
    }
    let mut ranks = [Viewer, Floor, Player].into_iter();
    let needed = ranks.find(|role| roles.contains(role)).unwrap_or(Chief);
    let why = Why::RoleNeeded {
        needed: needed.as_str(),
        chief: needed == Chief,
        name: arbiter.name.clone(),
        role: arbiter.role.as_str(),
    };
    Err(with_number(Code::PermissionDenied, &why.into()))
}

#[cfg(test)]
mod tests;
