//! `flagfall livechess`: sends the hub the moves that LiveChess reads from DGT boards, or lists those boards.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use laws::BoardEntry;
use proto::grpc::{
    CommandRequest, EnterMoves, GetProceedingsRequest, Outcome, command_request::Command,
};
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::client::{Client, HubOptions, connect, describe};
use super::output::{Failure, Result, init_messages, say, usage};
use super::serve::{Signals, runtime};
use crate::identity::random;
use crate::livechess::{ADDRESS, Follower, Message, ask_for_boards, subscribe};
use crate::time_source::TimeSource;

const RECONNECT_DELAY: Duration = Duration::from_secs(2);

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall livechess                                  list the boards that LiveChess knows
  flagfall livechess 31401=1 31402=2                  write down the moves of two boards
  flagfall livechess 31401=1 --hub 192.0.2.7 --key anna.pem --livechess ws://192.0.2.9:1982/api/v1.0

Runs until it is stopped. A single new move is written down immediately, any other change after 2.5 s without a further change. Moves that
a person wrote down or changed are kept, and a finished game is never replaced: set the next game at the hub first.
The hub checks every move, and shows a note if moves and presses differ.")]
pub(super) struct Args {
    /// The serial number of a DGT board, and the name of the hall's board where it is used
    #[arg(value_name = "SERIAL=BOARD", value_parser = pair)]
    boards: Vec<(String, String)>,
    /// The address of LiveChess
    #[arg(long, value_name = "URL", default_value = ADDRESS)]
    livechess: String,
    #[command(flatten)]
    hub: HubOptions,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((serial, board)) if !serial.is_empty() && !board.is_empty() => {
            Ok((serial.to_owned(), board.to_owned()))
        }
        Some(_) | None => Err("give a serial number and a board, such as 31401=1".to_owned()),
    }
}

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

pub(super) fn run(args: &Args) -> Result<()> {
    init_messages("info");
    let mut boards = BTreeMap::new();
    for (serial, board) in &args.boards {
        if boards.values().any(|known| known == board) {
            return Err(usage!(
                "two DGT boards are assigned to board {board}: give one serial number per board"
            ));
        }
        if boards.insert(serial.clone(), board.clone()).is_some() {
            return Err(usage!(
                "the DGT board {serial} is assigned twice: name it once"
            ));
        }
    }
    runtime()?.block_on(follow(args, boards))
}

async fn follow(args: &Args, boards: BTreeMap<String, String>) -> Result<()> {
    let mut signals = Signals::listen()?;
    if boards.is_empty() {
        return list(args).await;
    }
    // Fail if the first connections fail: only the user can correct a wrong address or key file.
    let mut desk = BoardFollowers {
        client: connect(&args.hub).await?,
        boards,
        followers: BTreeMap::new(),
        time: TimeSource::resume(None).0,
    };
    let mut socket = open(&args.livechess).await.map_err(Failure::failed)?;
    for (serial, board) in &desk.boards {
        say!("{serial} is followed for board {board}")?;
    }
    let following = async {
        loop {
            let lost = desk.serve(&mut socket).await;
            tracing::warn!("lost the connection to LiveChess, connecting again: {lost}");
            socket = loop {
                sleep(RECONNECT_DELAY).await;
                match open(&args.livechess).await {
                    Ok(socket) => break socket,
                    Err(why) => tracing::debug!("{why}"),
                }
            };
        }
    };
    tokio::select! {
        () = following => Ok(()),
        () = signals.any() => Ok(()),
    }
}

async fn open(address: &str) -> Result<Socket, String> {
    let opened = connect_async(address).await;
    let (socket, _) = opened.map_err(|error| {
        format!("cannot reach LiveChess at {address}: {error}; check that it is running there, with its local web socket on")
    })?;
    Ok(socket)
}

async fn list(args: &Args) -> Result<()> {
    let mut socket = open(&args.livechess).await.map_err(Failure::failed)?;
    let asked = socket.send(Frame::text(ask_for_boards())).await;
    asked.map_err(Failure::failed)?;
    loop {
        let message = next(&mut socket).await.map_err(Failure::failed)?;
        if let Message::Boards(serials) = message {
            for serial in &serials {
                say!("{serial}")?;
            }
            if serials.is_empty() {
                say!("LiveChess has no boards: connect a board to it")?;
            }
            return Ok(());
        }
    }
}

/// Returns the next message, or the reason why the connection ended. Skips other frames, and messages that cannot be read.
async fn next(socket: &mut Socket) -> Result<Message, String> {
    loop {
        match socket.next().await {
            Some(Ok(Frame::Text(text))) => match Message::read(&text) {
                Ok(message) => return Ok(message),
                Err(error) => tracing::warn!("{error}"),
            },
            Some(Ok(Frame::Close(_))) | None => {
                return Err("LiveChess closed the connection".to_owned());
            }
            Some(Ok(_)) => (),
            Some(Err(error)) => return Err(error.to_string()),
        }
    }
}

struct BoardFollowers {
    client: Client,
    /// Names of boards in the hall, by the serial number of the DGT board.
    boards: BTreeMap<String, String>,
    followers: BTreeMap<String, Follower>,
    time: TimeSource,
}

impl BoardFollowers {
    /// Follows the boards until the connection is lost, and returns the reason for the loss.
    async fn serve(&mut self, socket: &mut Socket) -> String {
        for (number, serial) in (0..).zip(self.boards.keys()) {
            if let Err(error) = socket.send(Frame::text(subscribe(number, serial))).await {
                return error.to_string();
            }
        }
        loop {
            let due = self.followers.values().filter_map(Follower::due).min();
            let wait = due.map(|due| (due - self.time.hub_now()).or_zero().as_micros());
            let wait = wait.map(|us| Duration::from_micros(us.unsigned_abs()));
            let heard = tokio::select! {
                heard = next(socket) => Some(heard),
                () = sleep(wait.unwrap_or_default()), if wait.is_some() => None,
            };
            match heard {
                Some(Ok(Message::Moves { serial, moves })) => {
                    if self.boards.contains_key(&serial) {
                        let follower = self.followers.entry(serial).or_default();
                        follower.on_moves(&moves, self.time.hub_now());
                    }
                }
                Some(Ok(Message::Boards(_) | Message::Other)) => (),
                Some(Err(lost)) => return lost,
                None => self.write().await,
            }
        }
    }

    async fn write(&mut self) {
        let now = self.time.hub_now();
        for (serial, follower) in &mut self.followers {
            if follower.due().is_none_or(|due| due > now) {
                continue;
            }
            let board = self.boards.get(serial).cloned().unwrap_or_default();
            if let Err(why) = enter(&mut self.client, &board, follower).await {
                tracing::warn!("board {board}: {why}");
            }
            if let Some(text) = follower.take_illegal() {
                tracing::warn!(
                    "board {board}: {text} is not legal here; only the moves before it are written down"
                );
            }
        }
    }
}

async fn enter(client: &mut Client, board: &str, follower: &mut Follower) -> Result<(), String> {
    let (score, seen_seq) = loop {
        let request = GetProceedingsRequest {
            board: board.to_owned(),
        };
        match client.get_proceedings(request).await {
            Ok(shown) => {
                let shown = shown.into_inner();
                break (shown.moves, shown.seq);
            }
            Err(status) if status.code() == tonic::Code::Unavailable => {
                tracing::warn!("board {board}: {}; trying again", describe(&status));
                sleep(RECONNECT_DELAY).await;
            }
            Err(status) => return Err(describe(&status)),
        }
    };
    let entry = follower.entry(&score).map_err(|why| why.to_string())?;
    let Some(BoardEntry { after, moves }) = entry else {
        return Ok(());
    };
    let said = match moves.is_empty() {
        true => format!("taken back to half-move {after}"),
        false => moves.join(" "),
    };
    let entered = EnterMoves {
        after: u32::try_from(after).unwrap_or(u32::MAX),
        moves,
    };
    let request = CommandRequest {
        id: random::<16>().map_err(|error| error.to_string())?.to_vec(),
        board: board.to_owned(),
        seen_seq,
        reason: "DGT board".to_owned(),
        offence: None,
        command: Some(Command::EnterMoves(entered)),
    };
    let reply = client.send(request).await;
    let reply = reply.map_err(|status| describe(&status))?.into_inner();
    if reply.outcome() == Outcome::Refused {
        return Err(reply.refusal);
    }
    // Ignore a failed write: moves are entered even if standard output is closed.
    let _ = say!("board {board}: {said}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_named_with_its_serial_number() {
        assert_eq!(pair("31401=A3"), Ok(("31401".to_owned(), "A3".to_owned())));
        for wrong in ["31401", "=1", "31401=", ""] {
            assert!(pair(wrong).is_err(), "{wrong}");
        }
    }
}
