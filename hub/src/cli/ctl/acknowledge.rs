//! `flagfall ctl acknowledge`: marks the notes about clocks' honesty as seen, as they are at this moment. Owns the choice of the notes and
//! the output.

use proto::grpc::{AcknowledgeNotesRequest, BoardNote, Hall, ListAgentsRequest, SeenNote};
use serde_json::json;

use super::args::Common;
use super::{boards, replace, show};
use crate::cli::client::{Client, answer};
use crate::cli::output::{Failure, print, say};

pub(super) async fn run(
    client: &mut Client,
    hall: &Hall,
    (chosen, clock): (Option<String>, Option<String>),
    common: &Common,
) -> Result<(), Failure> {
    let clock = match clock {
        Some(clock) => {
            let agents = answer(client.list_agents(ListAgentsRequest {}).await)?;
            Some(replace::named(&agents.agents, &clock)?.clone())
        }
        None => None,
    };
    let mut groups: Vec<(String, Vec<BoardNote>)> = Vec::new();
    match (&chosen, &clock) {
        (Some(chosen), _) => {
            let boards = boards::existing(hall, chosen)?.into_iter();
            groups.extend(boards.map(|board| (board.board.clone(), board.notes.clone())));
        }
        (None, Some(clock)) => groups.push((String::new(), clock.alerts.clone())),
        (None, None) => (),
    }
    let mut seen = 0;
    for (board, mut notes) in groups {
        let of_clock =
            |note: &BoardNote| clock.as_ref().is_none_or(|clock| note.agent == clock.key);
        notes.retain(|note| note.count > 0 && of_clock(note));
        if notes.is_empty() {
            continue;
        }
        let request = AcknowledgeNotesRequest {
            board: board.clone(),
            notes: notes.iter().map(as_seen).collect(),
            reason: common.reason.clone(),
        };
        client.acknowledge_notes(request).await?;
        for note in &notes {
            report(&board, note, common.json)?;
        }
        seen += notes.len();
    }
    if seen == 0 && !common.json {
        print("no note waits for an arbiter there")?;
    }
    Ok(())
}

fn as_seen(note: &BoardNote) -> SeenNote {
    SeenNote {
        kind: note.kind.clone(),
        agent: note.agent.clone(),
        count: note.count,
    }
}

fn report(board: &str, note: &BoardNote, as_json: bool) -> Result<(), Failure> {
    if as_json {
        return print(json!({
            "board": board, "kind": note.kind, "agent": note.agent, "count": note.count, "seen": true,
        }));
    }
    let place = match board {
        "" => String::new(),
        board => format!("board {board}: "),
    };
    say!("{place}seen: {}", show::note_text(note))
}
