//! `flagfall broadcast`: the delay of the public pages, and the outputs for games. Owns the arguments and the output.

use std::path::PathBuf;

use proto::grpc::{
    BoardDelay, Broadcast, BroadcastFolder, BroadcastSettings, GetBroadcastRequest,
    LichessBroadcast, LichessRound, OutputState, SetBroadcastRequest,
};
use serde_json::json;
use timing::Duration;

use super::client::{HubOptions, answer, connect};
use super::output::{Result, changed, failed, init_messages, print, unless_empty, usage};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall broadcast                                 the settings, and the state of each output
  flagfall broadcast --delay 15m                     show spectators the whole hall 15 minutes late
  flagfall broadcast --board 1=30m --board 2=30m     … and these boards 30 minutes late
  flagfall broadcast --folder /srv/games             write the games as files, for a program that watches a folder
  flagfall broadcast --lichess 3=AbCdEf12 --token-file lichess.token
  flagfall broadcast --lichess 3=none --folder none
  flagfall broadcast --site https://live.example.org the pages' public address: links to them get a picture

The delay applies to clocks, moves, flags, results and standings alike. `none` removes a board's own delay, the folder, a round at
Lichess, or the site. A round of more than a hundred boards needs several rounds at Lichess: --lichess 3=AbCdEf12,GhIjKl34.")]
pub(super) struct Args {
    #[command(flatten)]
    hub: HubOptions,
    /// Print one JSON object, for programs
    #[arg(long)]
    json: bool,
    /// The delay before spectators see what happens in the hall: 0, 90s, 15m, 1h
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    delay: Option<u32>,
    /// The delay of one board; `none` for the event's delay
    #[arg(long, value_name = "BOARD=TIME", value_parser = board)]
    board: Vec<(String, Option<u32>)>,
    /// A folder on the hub's machine for the games in PGN; `none` for no files
    #[arg(long, value_name = "PATH")]
    folder: Option<PathBuf>,
    /// The form of the files in the folder: standard or lichess
    #[arg(long, value_name = "FORM", value_parser = ["standard", "lichess"])]
    form: Option<String>,
    /// The ids of a round's broadcasts at Lichess: the last eight characters of their addresses
    #[arg(long, value_name = "ROUND=ID", value_parser = round)]
    lichess: Vec<(u32, Vec<String>)>,
    /// A file with the Lichess access token, which needs the scope study:write
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The address of the public pages, such as https://live.example.org; `none` for the hub's own
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    /// The broadcast server to use instead of https://lichess.org
    #[arg(long, value_name = "URL")]
    server: Option<String>,
}

const NONE: &str = "none";

fn seconds(text: &str) -> Result<u32, String> {
    let time: Result<Duration, _> = match text {
        "0" => Ok(Duration::ZERO),
        text => text.parse(),
    };
    let us = time.map_err(|error| error.to_string())?.as_micros();
    match us % 1_000_000 {
        0 => u32::try_from(us / 1_000_000).map_err(|_| "a delay is at most six hours".to_owned()),
        _ => Err("give whole seconds".to_owned()),
    }
}

fn board(text: &str) -> Result<(String, Option<u32>), String> {
    let (board, time) = text
        .split_once('=')
        .ok_or("use BOARD=TIME, such as 1=30m")?;
    let own = match time {
        NONE => None,
        time => Some(seconds(time)?),
    };
    Ok((board.to_owned(), own))
}

fn round(text: &str) -> Result<(u32, Vec<String>), String> {
    let (round, ids) = text
        .split_once('=')
        .ok_or("use ROUND=ID, such as 3=AbCdEf12")?;
    let round = round
        .parse()
        .map_err(|_| format!("{round:?} is not a round number"))?;
    let ids = match ids {
        NONE => Vec::new(),
        ids => ids.split(',').map(str::to_owned).collect(),
    };
    Ok((round, ids))
}

impl Args {
    fn changes(&self) -> bool {
        self.delay.is_some()
            || !self.board.is_empty()
            || self.folder.is_some()
            || self.form.is_some()
            || !self.lichess.is_empty()
            || self.token_file.is_some()
            || self.server.is_some()
            || self.site.is_some()
    }

    fn token(&self) -> Result<Option<String>> {
        let Some(path) = &self.token_file else {
            return Ok(None);
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| failed!("cannot read {}: {error}", path.display()))?;
        Ok(Some(text.trim().to_owned()))
    }

    fn apply(&self, settings: &mut BroadcastSettings) -> Result<()> {
        settings.delay_s = self.delay.unwrap_or(settings.delay_s);
        if let Some(site) = &self.site {
            settings.site = if site == NONE {
                String::new()
            } else {
                site.clone()
            };
        }
        for (board, own) in &self.board {
            settings.boards.retain(|known| known.board != *board);
            let own = own.map(|delay_s| BoardDelay {
                board: board.clone(),
                delay_s,
            });
            settings.boards.extend(own);
        }
        self.apply_folder(settings)?;
        if self.lichess.is_empty() && self.token_file.is_none() && self.server.is_none() {
            return Ok(());
        }
        let lichess = settings
            .lichess
            .get_or_insert_with(LichessBroadcast::default);
        if let Some(server) = &self.server {
            lichess.server.clone_from(server);
        }
        for (round, ids) in &self.lichess {
            lichess.rounds.retain(|known| known.round != *round);
            if !ids.is_empty() {
                lichess.rounds.push(LichessRound {
                    round: *round,
                    ids: ids.clone(),
                });
            }
        }
        if lichess.rounds.is_empty() {
            if self.lichess.is_empty() {
                return Err(usage!(
                    "--token-file and --server need a round at Lichess: add --lichess ROUND=ID"
                ));
            }
            settings.lichess = None;
        }
        Ok(())
    }

    fn apply_folder(&self, settings: &mut BroadcastSettings) -> Result<()> {
        if let Some(path) = &self.folder {
            settings.folder = (path.as_os_str() != NONE).then(|| BroadcastFolder {
                path: path.display().to_string(),
                lichess: settings
                    .folder
                    .as_ref()
                    .is_some_and(|folder| folder.lichess),
            });
        }
        if let Some(form) = &self.form {
            let folder = settings.folder.as_mut();
            let folder =
                folder.ok_or_else(|| usage!("--form needs a folder: add --folder PATH"))?;
            folder.lichess = form == "lichess";
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    init_messages("warn");
    super::serve::runtime()?.block_on(act(args))
}

async fn act(args: &Args) -> Result<()> {
    let token = args.token()?;
    let mut hub = connect(&args.hub).await?;
    let state = answer(hub.get_broadcast(GetBroadcastRequest {}).await)?;
    if !args.changes() {
        return print(shown(&state, args.json));
    }
    let mut settings = state.settings.unwrap_or_default();
    args.apply(&mut settings)?;
    let request = SetBroadcastRequest {
        settings: Some(settings),
        lichess_token: token,
    };
    let state = answer(hub.set_broadcast(request).await)?;
    changed(print(shown(&state, args.json)))
}

fn shown(state: &Broadcast, json: bool) -> String {
    match json {
        true => as_json(state).to_string(),
        false => as_text(state),
    }
}

fn as_text(state: &Broadcast) -> String {
    let settings = state.settings.clone().unwrap_or_default();
    let mut lines = vec![match settings.delay_s {
        0 => "spectators see the hall without delay".to_owned(),
        delay_s => format!("spectators see the hall {} late", time(delay_s)),
    }];
    for board in &settings.boards {
        lines.push(match board.delay_s {
            0 => format!("board {}: without delay", board.board),
            delay_s => format!("board {}: {} late", board.board, time(delay_s)),
        });
    }
    if !settings.site.is_empty() {
        lines.push(format!("the pages are at {}", settings.site));
    }
    if !state.failed.is_empty() {
        lines.push(format!("spectators see nothing: {}", state.failed));
    }
    match &settings.folder {
        Some(folder) => {
            let form = if folder.lichess { ", for Lichess" } else { "" };
            let output = output(&state.folder, "written");
            lines.push(format!("folder {}{form}: {output}", folder.path));
        }
        None => lines.push("no folder".to_owned()),
    }
    match &settings.lichess {
        Some(lichess) => {
            let output = output(&state.lichess, "sent");
            lines.push(format!("{}: {output}", lichess.server));
            for LichessRound { round, ids } in &lichess.rounds {
                lines.push(format!("  round {round}: {}", ids.join(", ")));
            }
        }
        None => lines.push("nothing is sent to Lichess".to_owned()),
    }
    for output in [&state.folder, &state.lichess].into_iter().flatten() {
        let refused = output.refused.iter();
        lines.extend(refused.map(|game| {
            format!(
                "  round {}, board {}: {}",
                game.round, game.board, game.reason
            )
        }));
    }
    lines.join("\n")
}

fn output(state: &Option<OutputState>, done: &str) -> String {
    let Some(state) = state else {
        return "not started".to_owned();
    };
    let waiting = match state.waiting {
        0 => String::new(),
        waiting => format!(", {waiting} waiting"),
    };
    let error = unless_empty(&state.error, |error| format!("; {error}"));
    let games = if state.games == 1 { "game" } else { "games" };
    format!("{} {games} {done}{waiting}{error}", state.games)
}

fn time(seconds: u32) -> String {
    Duration::from_micros(i64::from(seconds) * 1_000_000).to_string()
}

fn as_json(state: &Broadcast) -> serde_json::Value {
    let settings = state.settings.clone().unwrap_or_default();
    let boards = settings.boards.into_iter();
    let boards: serde_json::Map<_, _> = boards
        .map(|board| (board.board, board.delay_s.into()))
        .collect();
    let rounds = settings.lichess.as_ref().map(|lichess| {
        let rounds = lichess.rounds.iter();
        let rounds = rounds.map(|round| (round.round.to_string(), json!(round.ids)));
        json!({"server": lichess.server, "rounds": rounds.collect::<serde_json::Map<_, _>>()})
    });
    let output = |state: &Option<OutputState>| {
        state.as_ref().map(|state| {
            let refused = state.refused.iter().map(
                |game| json!({"round": game.round, "board": game.board, "reason": game.reason}),
            );
            json!({
                "games": state.games,
                "waiting": state.waiting,
                "done_unix_us": state.done_unix_us,
                "error": state.error,
                "refused": refused.collect::<Vec<_>>(),
            })
        })
    };
    json!({
        "delay_s": settings.delay_s,
        "site": settings.site,
        "boards": boards,
        "folder": settings.folder.map(|folder| json!({"path": folder.path, "lichess": folder.lichess})),
        "lichess": rounds,
        "failed": state.failed,
        "outputs": {"folder": output(&state.folder), "lichess": output(&state.lichess)},
    })
}
