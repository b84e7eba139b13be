//! Runs the scripts in `tests/scripts`, whose README explains the lines.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};

use time_chess::shakmaty::Color;
use time_chess::{Attempt, Game, Outcome, Reason, TurnResult, Viewer};

/// The minimum number of cases, so that the test cannot pass without finding the scripts.
const MIN_CASES: usize = 80;

#[test]
fn every_script_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    files.sort();
    let (mut cases, mut failures) = (0, Vec::new());
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).unwrap();
        cases += run(&name, &text, &mut failures);
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(cases >= MIN_CASES, "only {cases} cases");
}

fn run(file: &str, text: &str, failures: &mut Vec<String>) -> usize {
    let (mut cases, mut case, mut game) = (0, "", Game::default());
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("case ") {
            (cases, case, game) = (cases + 1, name, Game::default());
        } else if let Err(problem) = step(&mut game, line) {
            failures.push(format!("{file}:{}: {case}: {problem}", index + 1));
        }
    }
    cases
}

fn step(game: &mut Game, line: &str) -> Result<(), String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "start" => *game = Game::new(rest.parse().map_err(|error| format!("{error}"))?),
        "turn" => {
            for attempt in rest.split(' ') {
                act(game, &format!("move {attempt}"))?;
                if game.is_moved() {
                    act(game, "press")?;
                }
            }
        }
        "move" | "press" | "claim" | "conclude" => act(game, line)?,
        "refused" => {
            let (action, message) = rest.split_once(" => ").ok_or("no =>")?;
            let before = game.clone();
            let answer = act(game, action);
            equal(&answer.err().unwrap_or_else(|| "accepted".into()), message)?;
            if *game != before {
                return Err("the refusal changed the game".into());
            }
        }
        _ => expect(game, word, rest)?,
    }
    Ok(())
}

fn act(game: &mut Game, line: &str) -> Result<(), String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let answer = match word {
        "move" => {
            let attempt: Attempt = rest.parse().map_err(|error| format!("{error}"))?;
            game.play(attempt).map(|_| ())
        }
        "press" => game.press().map(|_| ()),
        "claim" => game.claim_draw(side(rest)?).map(|_| ()),
        "conclude" => {
            let (winner, reason) = rest.split_once(' ').ok_or("no reason")?;
            let reason = Reason::from_words(reason).ok_or("unknown reason")?;
            let winner = (winner != "draw").then(|| side(winner)).transpose()?;
            game.conclude(Outcome { winner, reason })
        }
        _ => return Err(format!("unknown action {word}")),
    };
    answer.map_err(|refusal| refusal.to_string())
}

fn expect(game: &Game, word: &str, rest: &str) -> Result<(), String> {
    let arbiter = game.view(Viewer::Arbiter);
    match word {
        "phase" => equal(&game.phase(), rest),
        "board" => equal(&arbiter.board.board_fen(), rest),
        "white" | "black" | "spectator" => equal(&game.view(viewer(word)?).board.board_fen(), rest),
        "told" => {
            let (who, text) = rest.split_once(' ').ok_or("no text")?;
            let view = game.view(viewer(who)?);
            equal(view.turns.last().ok_or("no turn was played")?, text)
        }
        "check" => {
            let (who, text) = rest.split_once(' ').ok_or("no side")?;
            let check = game.view(viewer(who)?).check;
            equal(&check.map_or("-".to_owned(), |side| side.to_string()), text)
        }
        "attempts" => {
            let (who, number) = rest.split_once(' ').ok_or("no number")?;
            equal(&game.view(viewer(who)?).attempts.len(), number)
        }
        "may" => may(game, rest),
        "result" => equal(&result(game)?, rest),
        "san" => equal(&san(game)?, rest),
        "fen" => equal(game.position(), rest),
        "repetitions" => equal(&game.repetitions(), rest),
        "end" => {
            let end = game.outcome().map(|end| end.to_string());
            equal(&end.unwrap_or("-".into()), rest)
        }
        _ => Err(format!("unknown line {word}")),
    }
}

fn may(game: &Game, rest: &str) -> Result<(), String> {
    let (moves, expected) = match rest.strip_prefix("not ") {
        Some(moves) => (moves, false),
        None => (rest, true),
    };
    let mover = Viewer::Player(game.position().mover());
    let offered = game.view(mover).attempts;
    for text in moves.split(' ') {
        let attempt: Attempt = text.parse().map_err(|error| format!("{error}"))?;
        if offered.contains(&attempt) != expected {
            return Err(format!("{text}: offered {}", !expected));
        }
    }
    Ok(())
}

fn result(game: &Game) -> Result<String, String> {
    let turn = game.turns().last().ok_or("no turn was played")?;
    Ok(match turn.result {
        TurnResult::Played(m) => Attempt::of(m).unwrap().to_string(),
        TurnResult::Forfeited(reason) => format!("forfeited {reason}"),
    })
}

fn san(game: &Game) -> Result<String, String> {
    let mut position = game.start().clone();
    let (last, earlier) = game.turns().split_last().ok_or("no turn was played")?;
    for turn in earlier {
        position = position.after(turn.result);
    }
    Ok(position.san(last.result).to_string())
}

fn equal(actual: &impl ToString, expected: &str) -> Result<(), String> {
    let actual = actual.to_string();
    if actual == expected {
        return Ok(());
    }
    Err(format!("expected `{expected}`, got `{actual}`"))
}

fn side(text: &str) -> Result<Color, String> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(format!("`{text}` is no side")),
    }
}

fn viewer(text: &str) -> Result<Viewer, String> {
    match text {
        "spectator" => Ok(Viewer::Spectator),
        "arbiter" => Ok(Viewer::Arbiter),
        _ => side(text).map(Viewer::Player),
    }
}

#[test]
fn a_script_that_does_not_hold_names_its_line() {
    let mut failures = Vec::new();
    let text = "case a\nturn e7e5\nphase dawn\nboard x\nfrob\nrefused press => no\n";
    assert_eq!(run("a.txt", text, &mut failures), 1);
    assert_eq!(failures.len(), 4, "{failures:?}");
    assert_eq!(failures[0], "a.txt:3: a: expected `dawn`, got `midday`");
}
