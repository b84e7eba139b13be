//! The broadcast's settings and the states of its outputs. Must never send the Lichess token to a caller.

use std::collections::BTreeMap;

use proto::grpc::{
    self, BoardDelay, BroadcastFolder, BroadcastSettings, LichessBroadcast, LichessRound,
    OutputFault, OutputState, RefusedGame, SetBroadcastRequest,
};
use tonic::{Result, Status};

use super::ServiceContext;
use crate::broadcast::{self, Folder, Lichess, Settings, SettingsError};

const LICHESS: &str = "https://lichess.org";

pub(super) fn get(parts: &ServiceContext) -> grpc::Broadcast {
    let broadcast = &parts.broadcast;
    let settings = broadcast.settings();
    let states = broadcast.outputs();
    grpc::Broadcast {
        has_lichess_token: settings.lichess.is_some(),
        settings: Some(message(settings)),
        failed: broadcast.failed().unwrap_or_default(),
        folder: states.folder.map(output),
        lichess: states.lichess.map(output),
    }
}

pub(super) fn set(parts: &ServiceContext, request: SetBroadcastRequest) -> Result<grpc::Broadcast> {
    let broadcast = &parts.broadcast;
    let wanted = request
        .settings
        .ok_or_else(|| Status::invalid_argument("settings are missing"))?;
    let kept = broadcast.settings().lichess.map(|lichess| lichess.token);
    let token = request.lichess_token.or(kept).unwrap_or_default();
    let settings = settings(wanted, token)?;
    broadcast.set(settings).map_err(|error| {
        let text = error.to_string();
        match matches!(error, SettingsError::File(_)) {
            true => Status::internal(text),
            false => Status::invalid_argument(text),
        }
    })?;
    Ok(get(parts))
}

fn settings(wanted: BroadcastSettings, token: String) -> Result<Settings> {
    let lichess = wanted.lichess.map(|lichess| {
        let rounds = lichess.rounds.into_iter().map(|round| {
            let no = u16::try_from(round.round).map_err(|_| {
                Status::invalid_argument(format!("there is no round {}", round.round))
            })?;
            Ok((no, round.ids))
        });
        Ok::<_, Status>(Lichess {
            server: match lichess.server.trim() {
                "" => LICHESS.to_owned(),
                server => server.to_owned(),
            },
            token: token.trim().to_owned(),
            rounds: rounds.collect::<Result<BTreeMap<_, _>>>()?,
        })
    });
    let boards = wanted.boards.into_iter();
    Ok(Settings {
        delay_s: wanted.delay_s,
        boards: boards.map(|board| (board.board, board.delay_s)).collect(),
        folder: wanted.folder.map(|folder| Folder {
            path: folder.path.into(),
            lichess: folder.lichess,
        }),
        lichess: lichess.transpose()?,
        site: Some(wanted.site.trim().trim_end_matches('/').to_owned())
            .filter(|site| !site.is_empty()),
    })
}

fn message(settings: Settings) -> BroadcastSettings {
    let boards = settings.boards.into_iter();
    let boards = boards.map(|(board, delay_s)| BoardDelay { board, delay_s });
    let folder = settings.folder.map(|folder| BroadcastFolder {
        path: folder.path.display().to_string(),
        lichess: folder.lichess,
    });
    let lichess = settings.lichess.map(|lichess| {
        let rounds = lichess.rounds.into_iter();
        let rounds = rounds.map(|(round, ids)| LichessRound {
            round: round.into(),
            ids,
        });
        LichessBroadcast {
            server: lichess.server,
            rounds: rounds.collect(),
        }
    });
    BroadcastSettings {
        delay_s: settings.delay_s,
        boards: boards.collect(),
        folder,
        lichess,
        site: settings.site.unwrap_or_default(),
    }
}

fn output(state: broadcast::OutputState) -> OutputState {
    let refused = state.refused.into_iter();
    let refused = refused.map(|(round, board, reason)| RefusedGame {
        round: round.0.into(),
        board: board.0.into(),
        reason,
    });
    OutputState {
        games: state.games,
        waiting: state.waiting as u64,
        done_unix_us: state.last_success_us,
        fault: state
            .error
            .as_ref()
            .map_or(OutputFault::Unspecified, |error| error.fault)
            .into(),
        error: state.error.map(|error| error.text).unwrap_or_default(),
        refused: refused.collect(),
    }
}
