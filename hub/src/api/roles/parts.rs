//! The names of the parts of calls, as in the schema. Each match is exhaustive, so that a new part without a name does not compile.

use proto::event::change::What;
use proto::grpc::ExportFormat;
use proto::grpc::command_request::Command;

pub(in crate::api) fn command_name(command: &Command) -> &'static str {
    match command {
        Command::Prepare(_) => "prepare",
        Command::Start(_) => "start",
        Command::Pause(_) => "pause",
        Command::Resume(_) => "resume",
        Command::SetTime(_) => "set_time",
        Command::AddTime(_) => "add_time",
        Command::SetMoves(_) => "set_moves",
        Command::Refill(_) => "refill",
        Command::EndGame(_) => "end_game",
        Command::ClaimDraw(_) => "claim_draw",
        Command::CallFlag(_) => "call_flag",
        Command::WhiteButton(_) => "white_button",
        Command::SwapButtons(_) => "swap_buttons",
        Command::ChangeControl(_) => "change_control",
        Command::Restore(_) => "restore",
        Command::AddBoard(_) => "add_board",
        Command::RemoveBoard(_) => "remove_board",
        Command::Assign(_) => "assign",
        Command::Names(_) => "names",
        Command::Identify(_) => "identify",
        Command::Show(_) => "show",
        Command::Force(_) => "force",
        Command::Withdraw(_) => "withdraw",
        Command::RevokeAgent(_) => "revoke_agent",
        Command::DrawOdds(_) => "draw_odds",
        Command::ZeroTest(_) => "zero_test",
        Command::Rule(_) => "rule",
        Command::EnterMoves(_) => "enter_moves",
        Command::ChooseRules(_) => "choose_rules",
        Command::ChoosePress(_) => "choose_press",
    }
}

pub(in crate::api) fn change_name(change: &What) -> &'static str {
    match change {
        What::SetEvent(_) => "set_event",
        What::EnterPlayer(_) => "enter_player",
        What::RemovePlayer(_) => "remove_player",
        What::Withdraw(_) => "withdraw",
        What::ReturnPlayer(_) => "return_player",
        What::GrantBye(_) => "grant_bye",
        What::EnterTeam(_) => "enter_team",
        What::PairRound(_) => "pair_round",
        What::Unpair(_) => "unpair",
        What::Reseat(_) => "reseat",
        What::Preset(_) => "preset",
        What::Start(_) => "start",
        What::FirstPress(_) => "first_press",
        What::Propose(_) => "propose",
        What::Enter(_) => "enter",
        What::TakeBack(_) => "take_back",
        What::ForfeitMatch(_) => "forfeit_match",
        What::Confirm(_) => "confirm",
        What::Reopen(_) => "reopen",
        What::Renumber(_) => "renumber",
        What::RemoveTeam(_) => "remove_team",
        What::RemoveBoards(_) => "remove_boards",
        What::StateStandings(_) => "state_standings",
    }
}

pub(in crate::api) fn format_name(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Unspecified | ExportFormat::Trf26 => "trf26",
        ExportFormat::Trf16 => "trf16",
        ExportFormat::PairingsCsv => "pairings_csv",
        ExportFormat::StandingsCsv => "standings_csv",
        ExportFormat::RatingReportTrf16 => "rating_report_trf16",
        ExportFormat::RatingReportTrf26 => "rating_report_trf26",
        ExportFormat::Pgn => "pgn",
    }
}
