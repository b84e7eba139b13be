//! `flagfall ctl floor`: prints the boards' positions in the hall as lines, or sets the positions from such lines.

use std::path::Path;

use proto::grpc::{BoardPlace, Floor, GetFloorRequest, SetFloorRequest};
use serde_json::json;

use crate::cli::client::{Client, answer};
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Failure, Result, changed, counted, failed, print, say, usage};
use crate::live::BoardOrder;

/// Reads the boards' positions from a file: a board, x and y per line.
pub(super) fn read(file: &Path) -> Result<Vec<BoardPlace>> {
    let text =
        std::fs::read_to_string(file).map_err(|error| failed!("{}: {error}", file.display()))?;
    parse(&text).map_err(|why| usage!("{}: {why}", file.display()))
}

fn parse(text: &str) -> Result<Vec<BoardPlace>, String> {
    let mut places = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        // Split from the right: a board's name may contain spaces.
        let mut words = line.trim().rsplitn(3, char::is_whitespace);
        let (y, x, board) = (words.next(), words.next(), words.next());
        let step = |word: Option<&str>| word.and_then(|word| word.parse::<u32>().ok());
        let (Some(x), Some(y), Some(board)) = (step(x), step(y), board) else {
            return Err(format!(
                "line {number}, {line:?}: write a board, x and y, such as `12 3 20`"
            ));
        };
        places.push(BoardPlace {
            board: board.trim_end().to_owned(),
            x,
            y,
        });
    }
    Ok(places)
}

pub(super) async fn act(
    client: &mut Client,
    places: Option<Vec<BoardPlace>>,
    time: &HallTime,
    as_json: bool,
) -> Result<()> {
    let floor = answer(client.get_floor(GetFloorRequest {}).await)?;
    let Some(places) = places else {
        return show(floor, time, as_json);
    };
    let request = SetFloorRequest {
        places,
        whole: true,
        seen_version: floor.version,
    };
    let floor = client.set_floor(request).await.map_err(|status| {
        let stale = time.stale(&status);
        stale.map_or_else(|| status.into(), Failure::Failed)
    })?;
    changed(show(floor.into_inner(), time, as_json))
}

fn show(mut floor: Floor, time: &HallTime, as_json: bool) -> Result<()> {
    floor
        .places
        .sort_by_cached_key(|place| BoardOrder::of(&place.board));
    if as_json {
        let places = floor.places.iter();
        return print(json!({
            "version": floor.version, "actor": floor.actor, "changed_us": floor.changed_us,
            "places": places
                .map(|place| json!({ "board": place.board, "x": place.x, "y": place.y }))
                .collect::<Vec<_>>(),
        }));
    }
    if floor.version == 0 {
        return print("# no floor plan has been set yet");
    }
    say!(
        "# {}, arranged by {} at {} (version {}): board, x, y in steps from the upper left",
        counted(floor.places.len(), "board"),
        floor.actor,
        time.in_full(floor.changed_us),
        floor.version
    )?;
    let lines = floor.places.iter();
    lines
        .map(|place| format!("{}\t{}\t{}", place.board, place.x, place.y))
        .try_for_each(print)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_a_line_for_each_board() {
        let text = "# from a program\n1\t3\t20\n\n  Table A  4 0 \r\n";
        let read = parse(text).unwrap();
        let read: Vec<_> = read
            .iter()
            .map(|place| (place.board.as_str(), place.x, place.y))
            .collect();
        assert_eq!(read, [("1", 3, 20), ("Table A", 4, 0)]);
    }

    #[test]
    fn errors_name_the_line_of_an_invalid_place() {
        for text in ["1 2", "1 2 x", "1 -2 3", "1 2.5 3", "12"] {
            let why = parse(&format!("7 1 1\n{text}")).unwrap_err();
            assert!(why.contains("line 2") && why.contains(text), "{why}");
        }
    }
}
