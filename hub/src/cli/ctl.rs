//! `flagfall ctl`: an arbiter's command line. Shows the hall, sends requests for the selected boards, and reports each outcome.

mod acknowledge;
mod action;
pub(in crate::cli) mod args;
mod audit;
pub(super) mod boards;
mod devices;
mod evidence;
mod floor;
mod held;
pub(in crate::cli) mod laws;
mod log;
mod offence;
mod outcome;
mod proof;
mod replace;
pub(in crate::cli) mod show;
mod watch;
mod zero_test;

use proto::grpc::{Board, GameSelector, GetHallRequest, Hall, ListAgentsRequest, ReadLogRequest};

use super::client::{Client, HubOptions, answer, connect};
use super::hall_time::HallTime;
use super::output::{Result, init_messages};
use action::BoardRequests;
pub(super) use args::Args;
use args::{ClocksAtBoards, Common, CtlCommand, Inspect, Proofs, Second, SetUp};

pub(super) fn run(args: Args) -> Result<()> {
    init_messages("warn");
    super::serve::runtime()?.block_on(act(args))
}

async fn act(args: Args) -> Result<()> {
    let Args { hub, common, what } = args;
    let json = common.json;
    // Invalid arguments are refused before any command is sent to the hub.
    let wanted = match what {
        CtlCommand::Proofs(Proofs::Checkpoint { file }) => {
            return proof::checkpoint(&hub, file.as_deref(), json).await;
        }
        CtlCommand::Proofs(Proofs::Proof { record, output }) => {
            return proof::record(&hub, record, &output, json).await;
        }
        CtlCommand::Inspect(look) => return inspect(&hub, look, &common).await,
        CtlCommand::SetUp(SetUp::Revoke { agent }) if devices::is_id(&agent) => {
            let mut client = connect(&hub).await?;
            return devices::revoke(&mut client, agent, common.reason, json).await;
        }
        CtlCommand::Agents(ClocksAtBoards::Evidence { board }) => {
            let mut client = connect(&hub).await?;
            return evidence::read(&mut client, board.unwrap_or_default(), json).await;
        }
        CtlCommand::Agents(ClocksAtBoards::Replace { board, clock, side }) => {
            let mut client = connect(&hub).await?;
            let wanted = replace::wanted(&mut client, board, &clock, side).await?;
            return send(client, &common, wanted).await;
        }
        CtlCommand::Agents(ClocksAtBoards::Acknowledge(args)) => {
            let mut client = connect(&hub).await?;
            let hall = hall(&mut client).await?;
            return acknowledge::run(&mut client, &hall, args, &common).await;
        }
        CtlCommand::Laws(about) => {
            if about.without_hub(json)?.is_some() {
                return Ok(());
            }
            let mut client = connect(&hub).await?;
            return match about.wanted(&mut client, json).await? {
                Some(wanted) => send(client, &common, wanted).await,
                None => Ok(()),
            };
        }
        CtlCommand::Second(Second::Confirm { command }) => {
            return held::decide(&hub, &command, true, json).await;
        }
        CtlCommand::Second(Second::Decline { command }) => {
            return held::decide(&hub, &command, false, json).await;
        }
        CtlCommand::SetUp(command) => action::set_up(command)?,
        CtlCommand::Game(command) => action::game(command)?,
    };
    send(connect(&hub).await?, &common, wanted).await
}

async fn inspect(hub: &HubOptions, look: Inspect, common: &Common) -> Result<()> {
    let json = common.json;
    let mut plan = None;
    if let Inspect::Floor { set: Some(file) } = &look {
        plan = Some(floor::read(file)?);
    }
    let mut client = connect(hub).await?;
    match look {
        Inspect::List { boards } => {
            let hall = hall(&mut client).await?;
            let chosen = boards::existing(&hall, boards.as_deref().unwrap_or("all"))?;
            show::list(&hall, &chosen, json)
        }
        Inspect::Show { board } => {
            let hall = hall(&mut client).await?;
            show::board(boards::one(&hall, &board)?, json)
        }
        Inspect::Agents => {
            hall(&mut client).await?;
            let reply = answer(client.list_agents(ListAgentsRequest {}).await)?;
            show::agents(&reply.agents, json)?;
            show::nearby(&reply.nearby, json)
        }
        Inspect::Devices => {
            // Enrolment times are wall-clock times, so only the hall's time zone is needed.
            let time = HallTime::in_zone(&hall(&mut client).await?.time_zone);
            devices::list(&mut client, &time, json).await
        }
        Inspect::Held => {
            let time = hall_time(&mut client).await?;
            held::list(&mut client, &time, json).await
        }
        Inspect::Audit(args) => {
            let hall = hall(&mut client).await?;
            audit::list(&mut client, args, &hall, json).await
        }
        Inspect::Floor { .. } => {
            let time = hall_time(&mut client).await?;
            floor::act(&mut client, plan, &time, json).await
        }
        Inspect::ZeroTest { boards, html } => {
            let hall = hall(&mut client).await?;
            zero_test::run(client, &hall, &boards, html, common).await
        }
        Inspect::Watch { boards, checkpoint } => {
            let followed = watch::follow(&mut client, boards.as_deref(), json);
            proof::kept_during(followed, hub, checkpoint.as_deref()).await
        }
        Inspect::Game { board, games, view } => {
            let hall = hall(&mut client).await?;
            let (game, round) = games.wanted();
            let of = GameSelector { board, game, round };
            super::game::of_hub(hub, of, &view, (&HallTime::of(&hall), hall.hub_us), json).await
        }
        Inspect::Log { board, from, games } => {
            let time = hall_time(&mut client).await?;
            let (game, round) = games.wanted();
            let request = ReadLogRequest {
                board: board.unwrap_or_default(),
                from_index: from,
                round,
                game,
            };
            log::read(&mut client, request, &time, json).await
        }
    }
}

async fn hall_time(client: &mut Client) -> Result<HallTime> {
    Ok(HallTime::of(&hall(client).await?))
}

/// Reads the hall and prints the warnings about the hub first, so that the output below does not suggest that all is well.
async fn hall(client: &mut Client) -> Result<Hall> {
    let hall = answer(client.get_hall(GetHallRequest {}).await)?;
    show::warnings(&hall);
    Ok(hall)
}

/// Sends the requests for every selected board, based on the board's current sequence number unless `--seen` gave one.
async fn send(mut client: Client, common: &Common, wanted: BoardRequests) -> Result<()> {
    let hall = hall(&mut client).await?;
    let targets: Vec<(String, Option<&Board>)> = match &wanted.boards {
        action::Boards::New(selector) => boards::new(&hall, selector)?
            .into_iter()
            .map(|name| (name, None))
            .collect(),
        action::Boards::Existing(selector) => boards::existing(&hall, selector)?
            .into_iter()
            .map(|board| (board.board.clone(), Some(board)))
            .collect(),
        action::Boards::One(name) => {
            let board = boards::one(&hall, name)?;
            vec![(board.board.clone(), Some(board))]
        }
        action::Boards::None => vec![(String::new(), None)],
    };
    let mut requests = Vec::new();
    for (name, board) in targets {
        requests.extend(action::requests(&wanted, &name, board, common)?);
    }
    outcome::send_all(client, requests, &HallTime::of(&hall), common.json).await
}
