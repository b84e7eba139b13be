//! `flagfall ctl`: an arbiter's command line. Sends a request for each board and reports each outcome.

mod acknowledge;
mod action;
pub(in crate::cli) mod args;
pub(super) mod boards;
mod devices;
mod evidence;
mod floor;
mod log;
mod offence;
mod outcome;
mod replace;
pub(in crate::cli) mod show;
mod watch;
mod zero_test;

use proto::grpc::{Board, GetHallRequest, Hall, ListAgentsRequest};

use super::client::{Client, connect};
use super::hall_time::HallTime;
use super::output::{Failure, init_messages};
use action::{BoardRequests, Task};
pub(super) use args::Args;
use args::Common;

pub(super) fn run(args: Args) -> Result<(), Failure> {
    init_messages("warn");
    super::serve::runtime()?.block_on(act(args))
}

async fn act(args: Args) -> Result<(), Failure> {
    let Args { hub, common, what } = args;
    // Invalid arguments are refused before the hub is asked.
    let task = action::task(what)?;
    let mut client = connect(&hub).await?;
    match task {
        Task::Send(wanted) => send(client, &common, wanted).await,
        Task::List(boards) => {
            let hall = hall(&mut client).await?;
            let chosen = boards::existing(&hall, boards.as_deref().unwrap_or("all"))?;
            show::list(&hall, &chosen, common.json)
        }
        Task::Show(board) => {
            let hall = hall(&mut client).await?;
            let chosen = boards::one(&hall, &board)?;
            show::board(chosen, common.json)
        }
        Task::Agents => {
            let reply = client.list_agents(ListAgentsRequest {}).await?.into_inner();
            show::agents(&reply.agents, common.json)?;
            show::nearby(&reply.nearby, common.json)
        }
        Task::Devices => {
            // Enrolment times are wall-clock times.
            let time = HallTime::in_zone(&hall(&mut client).await?.time_zone);
            devices::list(&mut client, &time, common.json).await
        }
        Task::Floor(plan) => {
            let time = HallTime::of(&hall(&mut client).await?);
            floor::act(&mut client, plan, &time, common.json).await
        }
        Task::RevokeDevice(device) => {
            devices::revoke(&mut client, device, common.reason.clone(), common.json).await
        }
        Task::ZeroTest { boards, html } => {
            let hall = hall(&mut client).await?;
            zero_test::run(client, &hall, &boards, html, &common).await
        }
        Task::Watch(boards) => watch::follow(&mut client, boards.as_deref(), common.json).await,
        Task::Replace { board, clock, side } => {
            let wanted = replace::wanted(&mut client, board, &clock, side).await?;
            send(client, &common, wanted).await
        }
        Task::Acknowledge { boards, clock } => {
            let hall = hall(&mut client).await?;
            acknowledge::run(&mut client, &hall, (boards, clock), &common).await
        }
        Task::Evidence(board) => evidence::read(&mut client, board, common.json).await,
        Task::Log(request) => {
            let time = HallTime::of(&hall(&mut client).await?);
            log::read(&mut client, request, &time, common.json).await
        }
    }
}

async fn hall(client: &mut Client) -> Result<Hall, Failure> {
    Ok(client.get_hall(GetHallRequest {}).await?.into_inner())
}

/// Sends a request for every board concerned, each with the current sequence number as what its sender saw.
async fn send(mut client: Client, common: &Common, wanted: BoardRequests) -> Result<(), Failure> {
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
