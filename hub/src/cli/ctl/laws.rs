//! The Laws on a board: claims, rulings, the moves of the game, its rule set, and the action that counts as a press.

use std::path::Path;

use laws::{RuleSet, Scoresheet};
use proto::event::PressRule;
use proto::grpc::{
    self, Choice, GetProceedingsRequest, OpenClaim, Proceedings, command_request::Command,
};
use serde_json::json;

use super::action::{BoardRequests, Boards, same};
use super::args::{Laws, PressBy};
use crate::cli::client::{Client, HubOptions, answer, connect};
use crate::cli::output::{Result, Table, failed, print, say, usage};

impl Laws {
    /// Checks the arguments before connecting to the hub. Returns `Some` if the command needs no hub and is already done.
    pub(super) fn without_hub(&self, as_json: bool) -> Result<Option<()>> {
        match self {
            Self::Rules { boards: None, .. } => list(as_json).map(Some),
            Self::Rules {
                rules: Some(key), ..
            } if RuleSet::find(key).is_none() => Err(usage!(
                "there is no rule set {key:?}; `flagfall ctl rules` lists them"
            )),
            Self::Rule { request, .. } => {
                let text = request.join(" ");
                let read = text.parse::<laws::Request>();
                read.map_err(|error| usage!("{text:?}: {error}"))?;
                Ok(None)
            }
            Self::Claims { .. } | Self::Score { .. } | Self::Rules { .. } | Self::Press { .. } => {
                Ok(None)
            }
        }
    }

    /// Returns the requests for the hub. Carries out a command that only reads, and returns `None`.
    pub(super) async fn wanted(
        self,
        client: &mut Client,
        as_json: bool,
    ) -> Result<Option<BoardRequests>> {
        Ok(Some(match self {
            Self::Claims { board, possible } => {
                show(&proceedings(client, board).await?, possible, as_json)?;
                return Ok(None);
            }
            Self::Rule { board, request } => {
                let request = request.join(" ");
                same(Boards::One(board), Command::Rule(grpc::Rule { request }))
            }
            Self::Score {
                board,
                moves,
                after,
                pgn,
            } => {
                let (after, moves) = match (pgn, after) {
                    (Some(file), _) => (0, moves_of(&file)?),
                    (None, Some(after)) => (after, without_numbers(moves)),
                    (None, None) if moves.is_empty() => {
                        let shown = proceedings(client, board).await?;
                        print_moves(&shown, as_json)?;
                        return Ok(None);
                    }
                    (None, None) => {
                        let written = proceedings(client, board.clone()).await?.moves.len();
                        (
                            u32::try_from(written).unwrap_or(u32::MAX),
                            without_numbers(moves),
                        )
                    }
                };
                let entered = grpc::EnterMoves { after, moves };
                same(Boards::One(board), Command::EnterMoves(entered))
            }
            Self::Rules { boards, rules } => {
                let rules = rules.unwrap_or_default();
                let boards = Boards::Existing(boards.unwrap_or_default());
                same(boards, Command::ChooseRules(grpc::ChooseRules { rules }))
            }
            Self::Press { boards, by } => {
                let rule = match by {
                    PressBy::Clock => PressRule::Clock,
                    PressBy::Page => PressRule::Page,
                    PressBy::Move => PressRule::Move,
                };
                let rule = rule.into();
                let choose = Command::ChoosePress(grpc::ChoosePress { rule });
                same(Boards::Existing(boards), choose)
            }
        }))
    }
}

pub(in crate::cli) async fn claims(hub: &HubOptions, board: String, as_json: bool) -> Result<()> {
    let mut client = connect(hub).await?;
    show(&proceedings(&mut client, board).await?, false, as_json)
}

async fn proceedings(client: &mut Client, board: String) -> Result<Proceedings> {
    answer(
        client
            .get_proceedings(GetProceedingsRequest { board })
            .await,
    )
}

fn list(as_json: bool) -> Result<()> {
    let all: Vec<&RuleSet> = RuleSet::all().iter().collect();
    Table::of(&all)
        .left("KEY", |rules| rules.key.clone())
        .left("TITLE", |rules| rules.title.clone())
        .left("SOURCE", |rules| rules.source.clone())
        .print(
            as_json,
            |rules| json!({"key": rules.key, "title": rules.title, "source": rules.source}),
        )
}

/// Removes the move numbers of a scoresheet, such as `1.` and `3...`. `2.Nf3` becomes `Nf3`.
fn without_numbers(moves: Vec<String>) -> Vec<String> {
    let bare = moves.iter().map(|word| {
        let (number, rest) = word.split_at(word.rfind('.').map_or(0, |dot| dot + 1));
        match number.chars().all(|c| c.is_ascii_digit() || c == '.') {
            true => rest.to_owned(),
            false => word.clone(),
        }
    });
    bare.filter(|word| !word.is_empty()).collect()
}

/// Reads the moves of the first game of a PGN file.
fn moves_of(file: &Path) -> Result<Vec<String>> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| failed!("{name}: {error}"))?;
    let mut movetext = String::new();
    for line in text.lines() {
        let is_tag = line.trim_start().starts_with('[');
        if is_tag && line.contains("[FEN ") {
            return Err(failed!(
                "{name}: the game starts from a set-up position (a FEN tag); only games from the initial position can be read"
            ));
        }
        // The tags of the next game end the first game's moves.
        if is_tag && !movetext.trim().is_empty() {
            break;
        }
        if !is_tag {
            movetext.push_str(line);
            movetext.push('\n');
        }
    }
    let mut score = Scoresheet::new();
    score
        .play_movetext(&movetext)
        .map_err(|error| failed!("{name}: {error}"))?;
    if score.moves().is_empty() {
        return Err(failed!("{name} contains no moves"));
    }
    Ok(score.moves().iter().map(|played| played.uci()).collect())
}

fn show(shown: &Proceedings, possible: bool, as_json: bool) -> Result<()> {
    let is_wanted = |choice: &&Choice| !possible || choice.refusal.is_none();
    let choices: Vec<&Choice> = shown.choices.iter().filter(is_wanted).collect();
    if !as_json {
        if let Some(rules) = &shown.rules {
            say!("{} ({})", rules.title, rules.key)?;
        }
        if !shown.moves.is_empty() {
            let count = match shown.moves.len() {
                1 => "1 half-move".to_owned(),
                count => format!("{count} half-moves"),
            };
            say!("{count} written down{}", describe_gap(shown))?;
        }
        if let Some(open) = &shown.open {
            say!("open: {}", describe_claim(open))?;
        }
        if !shown.must_play.is_empty() {
            say!("must play: {}", shown.must_play)?;
        }
    }
    Table::of(&choices)
        .left("REQUEST", |choice| choice.request.clone())
        .left("ARTICLE", |choice| choice.article.clone())
        .left("NOW", |choice| describe_state(choice))
        .print(as_json, |choice| {
            json!({
                "request": choice.request,
                "article": choice.article,
                "possible": choice.refusal.is_none(),
                "refusal": choice.refusal.as_ref().map(|refusal| &refusal.text),
                "correct": choice.correct,
                "by_writing": choice.by_writing,
            })
        })
}

/// Returns a warning unless the score has as many moves as the clock, or one half-move more.
fn describe_gap(shown: &Proceedings) -> String {
    let ahead = [shown.white_ahead, shown.black_ahead];
    match ahead.iter().all(|ahead| *ahead >= 0) && ahead.iter().sum::<i64>() <= 1 {
        true => String::new(),
        false => format!(
            ", which does not match the clock's count: White {:+}, Black {:+}",
            shown.white_ahead, shown.black_ahead
        ),
    }
}

fn describe_claim(open: &OpenClaim) -> String {
    let side = match open.side() {
        proto::Side::Black => "Black",
        proto::Side::White | proto::Side::Unspecified => "White",
    };
    let mut words = format!("{} by {side}", open.kind);
    if !open.written.is_empty() {
        words.push_str(&format!(", with {} written", open.written));
    }
    if !open.finding.is_empty() {
        words.push_str(&format!(": {}", open.finding));
    }
    words
}

fn describe_state(choice: &Choice) -> String {
    match (&choice.refusal, choice.correct, &choice.by_writing[..]) {
        (Some(refusal), _, _) => refusal.text.clone(),
        (None, Some(true), _) => "possible, and correct".to_owned(),
        (None, Some(false), []) => "possible, and incorrect".to_owned(),
        (None, Some(false), moves) => format!(
            "possible; correct if the intended move is {}",
            moves.join(" or ")
        ),
        (None, None, _) => "possible".to_owned(),
    }
}

fn print_moves(shown: &Proceedings, as_json: bool) -> Result<()> {
    if as_json {
        return print(json!({"moves": shown.moves, "fen": shown.fen}));
    }
    let mut lines = String::new();
    for (index, pair) in shown.moves.chunks(2).enumerate() {
        lines.push_str(&format!("{}. {}\n", index + 1, pair.join(" ")));
    }
    print(format!("{lines}{}", shown.fen))
}
