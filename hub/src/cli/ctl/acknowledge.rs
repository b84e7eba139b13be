//! `flagfall ctl acknowledge`: marks the current notes about boards or clocks as seen. Owns the choice of notes and the output.

use proto::grpc::{AcknowledgeNotesRequest, BoardNote, Hall, ListAgentsRequest, SeenNote};
use serde_json::json;

use super::args::{Acknowledge, Common};
use super::{boards, replace, show};
use crate::cli::client::{Client, answer};
use crate::cli::output::{Result, after_change, print, say, unless_empty, usage};

/// The kind of note whose acknowledgement confirms a loss of recorded events.
const LOSS: &str = "log_set_back";

pub(super) async fn run(
    client: &mut Client,
    hall: &Hall,
    args: Acknowledge,
    common: &Common,
) -> Result<()> {
    let confirm_loss = args.confirm_loss;
    if confirm_loss && common.reason.trim().is_empty() {
        return Err(usage!(
            "--confirm-loss needs a reason: add --reason \"...\""
        ));
    }
    let clock = match args.clock {
        Some(clock) => {
            let agents = answer(client.list_agents(ListAgentsRequest {}).await)?;
            Some(replace::named(&agents.agents, &clock)?.clone())
        }
        None => None,
    };
    let mut groups: Vec<(String, Vec<BoardNote>)> = Vec::new();
    match (&args.boards, &clock) {
        (Some(chosen), _) => {
            let boards = boards::existing(hall, chosen)?.into_iter();
            groups.extend(boards.map(|board| (board.board.clone(), board.notes.clone())));
        }
        (None, Some(clock)) => groups.push((String::new(), clock.alerts.clone())),
        (None, None) => (),
    }
    let (mut seen, mut losses) = (0, 0);
    for (board, mut notes) in groups {
        let of_clock =
            |note: &BoardNote| clock.as_ref().is_none_or(|clock| note.agent == clock.key);
        notes.retain(|note| note.count > 0 && of_clock(note));
        losses += notes.iter().filter(|note| note.kind == LOSS).count();
        notes.retain(|note| (note.kind == LOSS) == confirm_loss);
        // The hub requires a separate confirmation for each loss.
        let at_once = if confirm_loss { 1 } else { notes.len().max(1) };
        for notes in notes.chunks(at_once) {
            let request = AcknowledgeNotesRequest {
                board: board.clone(),
                notes: notes.iter().map(as_seen).collect(),
                reason: common.reason.clone(),
            };
            client.acknowledge_notes(request).await?;
        }
        for note in &notes {
            after_change(report(&board, note, common.json));
        }
        seen += notes.len();
    }
    if losses > 0 && !confirm_loss && !common.json {
        after_change(say!(
            "notes about lost events: {losses}; the chief arbiter confirms the loss with --confirm-loss --reason \"...\""
        ));
    } else if seen == 0 && !common.json {
        print("no note there needs to be acknowledged")?;
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

fn report(board: &str, note: &BoardNote, as_json: bool) -> Result<()> {
    if as_json {
        return print(json!({
            "board": board, "kind": note.kind, "agent": note.agent, "count": note.count, "seen": true,
        }));
    }
    let place = unless_empty(board, |board| format!("board {board}: "));
    say!("{place}seen: {}", show::note_text(note))
}
