//! The names of tie-breaks, for spectators.

use serde::Serialize;

use tournament::{Code, Measure, TieBreak};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct TieBreakView {
    /// The TRF code: `BH/C1`.
    pub(super) code: String,
    /// The name in words: `Buchholz without the lowest`.
    pub(super) title: String,
}

impl TieBreakView {
    pub(super) fn of(tie_break: TieBreak) -> Self {
        Self {
            code: tie_break.to_string(),
            title: title(tie_break),
        }
    }

    pub(super) fn list(tie_breaks: &[TieBreak]) -> Vec<Self> {
        tie_breaks.iter().copied().map(Self::of).collect()
    }
}

fn title(tie_break: TieBreak) -> String {
    let mut title = name(tie_break.code).to_owned();
    match tie_break.measure {
        Some(Measure::Match) => title.push_str(" in match points"),
        Some(Measure::Game) => title.push_str(" in game points"),
        None => (),
    }
    match (tie_break.cut.low, tie_break.cut.high) {
        (0, 0) => (),
        (1, 0) => title.push_str(" without the lowest"),
        (low, 0) => title.push_str(&format!(" without the {low} lowest")),
        (1, 1) => title.push_str(" without the lowest and the highest"),
        (low, high) => title.push_str(&format!(" without the {low} lowest and {high} highest")),
    }
    if tie_break.forfeits_as_played {
        title.push_str(", forfeits counted as played");
    }
    if tie_break.fore {
        title.push_str(", last round counted as drawn");
    }
    if tie_break.reversed {
        title.push_str(", in reverse order");
    }
    if let Some(rating) = tie_break.unrated_as {
        title.push_str(&format!(", unrated players counted as {rating}"));
    }
    title
}

const fn name(code: Code) -> &'static str {
    match code {
        Code::Pts => "Points",
        Code::Mpts => "Match points",
        Code::Gpts => "Game points",
        Code::MpVsGp => "Match points or game points, whichever does not rank first",
        Code::De => "Direct encounter",
        Code::Ede => "Extended direct encounter",
        Code::Edec => "Extended direct encounter, board count",
        Code::Edet => "Extended direct encounter, top boards",
        Code::Edeb => "Extended direct encounter, bottom board elimination",
        Code::Edebt => "Extended direct encounter, board count, top boards",
        Code::Edebb => "Extended direct encounter, board count, bottom board elimination",
        Code::Win => "Wins",
        Code::Won => "Games won over the board",
        Code::Bpg => "Games played with Black",
        Code::Bwg => "Games won with Black",
        Code::Ps => "Progressive scores",
        Code::Rep => "Rounds elected to play",
        Code::Std => "Standard points",
        Code::Tpn => "Pairing number",
        Code::Rtng => "Rating",
        Code::Bh => "Buchholz",
        Code::Aob => "Average of opponents’ Buchholz",
        Code::Fb => "Fore Buchholz",
        Code::Sb => "Sonneborn-Berger",
        Code::Ks => "Koya system",
        Code::Aro => "Average rating of opponents",
        Code::Tpr => "Tournament performance rating",
        Code::Ptp => "Perfect tournament performance",
        Code::Apro => "Average performance rating of opponents",
        Code::Appo => "Average perfect performance of opponents",
        Code::Esb => "Extended Sonneborn-Berger",
        Code::Emmsb => "Sonneborn-Berger, match points × match points",
        Code::Emgsb => "Sonneborn-Berger, match points × game points",
        Code::Egmsb => "Sonneborn-Berger, game points × match points",
        Code::Eggsb => "Sonneborn-Berger, game points × game points",
        Code::Bc => "Board count",
        Code::Tbr => "Top board results",
        Code::Bbe => "Bottom board elimination",
        Code::Sssc => "Score and schedule strength",
        Code::Spread => "Spread",
        Code::Tally => "Own points or discs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, title: &str) {
        let view = TieBreakView::of(TieBreak::parse(code).unwrap());
        assert_eq!((view.code.as_str(), view.title.as_str()), (code, title));
    }

    #[test]
    fn a_code_has_a_name_in_words() {
        check("BH", "Buchholz");
        check("BH/C1", "Buchholz without the lowest");
        check(
            "BH:GP/M2",
            "Buchholz in game points without the 2 lowest and 2 highest",
        );
        check("DE/P", "Direct encounter, forfeits counted as played");
        check(
            "ARO/U1400",
            "Average rating of opponents, unrated players counted as 1400",
        );
    }
}
