//! Converts the claims, rulings and moves of a board to messages.

use super::text;
use hall::{BoardProceedings, Refusal};
use laws::{Choice, OpenClaim, RuleSet};
use proto::grpc;
use timing::Side;

/// Converts a board's proceedings, including requests that are not possible now. While a claim is open, the choices are only the decisions about it
/// and the answers to a draw offer.
pub(in crate::api) fn proceedings(shown: &BoardProceedings) -> grpc::Proceedings {
    let (must_play_side, must_play) = match shown.must_play() {
        Some((side, san)) => (side_of(Some(side)), san.to_owned()),
        None => (side_of(None), String::new()),
    };
    let ahead = shown.ahead();
    grpc::Proceedings {
        seq: shown.seq(),
        rules: Some(rule_set(shown.rules())),
        rule_sets: RuleSet::all().iter().map(rule_set).collect(),
        moves: shown.moves(),
        fen: shown.fen().unwrap_or_default(),
        white_ahead: ahead.white,
        black_ahead: ahead.black,
        open: shown.open_claim().map(open_claim),
        draw_offer: side_of(shown.draw_offer()),
        must_play_side,
        must_play,
        choices: shown.choices().into_iter().map(choice).collect(),
    }
}

fn rule_set(rules: &RuleSet) -> grpc::RuleSet {
    grpc::RuleSet {
        key: rules.key.clone(),
        title: rules.title.clone(),
        source: rules.source.clone(),
    }
}

pub(super) fn open_claim(open: &OpenClaim) -> grpc::OpenClaim {
    grpc::OpenClaim {
        kind: open.kind.as_str().to_owned(),
        side: side_of(Some(open.by)),
        written: open.written.clone().unwrap_or_default(),
        finding: text(open.finding),
        correct: open.finding.map(laws::Finding::is_correct),
    }
}

fn choice(choice: Choice) -> grpc::Choice {
    let refusal = choice.refused.map(Refusal::from_laws);
    grpc::Choice {
        request: choice.request.to_string(),
        article: choice.article,
        refusal: refusal.map(|refusal| refusal.to_wire()),
        effect: text(choice.effect),
        correct: choice.correct,
        by_writing: choice.by_writing,
    }
}

fn side_of(side: Option<Side>) -> i32 {
    hall::to_proto::side(side).into()
}
