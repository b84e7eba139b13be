//! `flagfall ctl replace`: finds the spare clock and checks that it is connected and not revoked. The hall owns the effect on the game.

use proto::grpc::{Agent, ListAgentsRequest};

use super::action::{BoardRequests, assign};
use super::args::Side;
use crate::cli::client::{Client, answer};
use crate::cli::output::{Result, failed};

pub(super) async fn wanted(
    client: &mut Client,
    board: String,
    clock: &str,
    side: Option<Side>,
) -> Result<BoardRequests> {
    let agents = answer(client.list_agents(ListAgentsRequest {}).await)?.agents;
    let key = spare(&agents, clock)?.key.clone();
    Ok(assign(board, key, side))
}

pub(super) fn named<'a>(agents: &'a [Agent], clock: &str) -> Result<&'a Agent> {
    let named = |agent: &&Agent| agent.name == clock;
    let keyed = |agent: &&Agent| agent.key.starts_with(&clock.to_ascii_lowercase());
    let mut matching: Vec<&Agent> = agents.iter().filter(named).collect();
    if matching.is_empty() {
        matching = agents.iter().filter(keyed).collect();
    }
    match matching.as_slice() {
        [agent] => Ok(*agent),
        [] => Err(failed!(
            "no clock has the name or the key {clock}: `flagfall ctl agents` lists the clocks"
        )),
        several => {
            let keys: Vec<&str> = several.iter().map(|agent| agent.key.as_str()).collect();
            let keys = keys.join(", ");
            Err(failed!(
                "{clock} matches several clocks: {keys}: give more of the key"
            ))
        }
    }
}

fn spare<'a>(agents: &'a [Agent], clock: &str) -> Result<&'a Agent> {
    let agent = named(agents, clock)?;
    if agent.revoked {
        return Err(failed!(
            "clock {clock} has been revoked: use a different clock"
        ));
    }
    if !agent.online {
        return Err(failed!(
            "clock {clock} is not connected: switch it on and check with `flagfall ctl agents`"
        ));
    }
    Ok(agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str, key: &str, online: bool) -> Agent {
        Agent {
            name: name.to_owned(),
            key: key.to_owned(),
            online,
            ..Agent::default()
        }
    }

    #[test]
    fn a_spare_is_found_by_name_or_key_and_must_be_connected() {
        let agents = [
            agent("board 1", "ab01", true),
            agent("spare", "ab02", true),
            agent("spare-2", "cd03", false),
        ];
        let found = |clock| spare(&agents, clock).map(|agent| agent.key.clone());
        assert_eq!(found("spare").unwrap(), "ab02");
        assert_eq!(found("AB01").unwrap(), "ab01");
        for wrong in ["ab", "ef", "spare-2", "cd"] {
            assert!(found(wrong).is_err(), "{wrong}");
        }
    }
}
