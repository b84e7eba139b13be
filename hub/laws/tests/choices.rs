//! The choices offered to an arbiter: the proceedings accept every choice that is offered as possible, and a refused choice changes nothing.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use laws::{Choice, Proceedings, Request, RuleSet, Scoresheet, Situation};
use timing::{Board, BoardClock, Button, Command, Duration, Fact, Instant, Setup, StartRule};

struct Game {
    clock: BoardClock,
    score: Scoresheet,
    proceedings: Proceedings,
    now: Instant<Board>,
}

impl Game {
    fn new(rules: &str, control: &str) -> Self {
        let mut clock = BoardClock::new(Setup {
            control: control.parse().unwrap(),
            start: StartRule::Arbiter,
            white: Button::Left,
        });
        let now = Instant::from_micros(0);
        drop(clock.on_command(now, &Command::Start(None)).unwrap());
        Self {
            clock,
            score: Scoresheet::new(),
            proceedings: Proceedings::new(RuleSet::find(rules).unwrap()),
            now,
        }
    }

    fn play(&mut self, moves: &[&str]) {
        for san in moves {
            self.now = self.now + Duration::from_secs(1);
            let side = self.score.turn();
            self.score.play(san).unwrap();
            let button = self.clock.button_of(side);
            drop(self.clock.on_fact(self.now, Fact::Pressed(button)));
            self.proceedings.on_press(side);
        }
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            clock: &self.clock,
            now: self.now,
            score: Some(&self.score),
        }
    }

    fn choices(&self) -> Vec<Choice> {
        let choices = self.proceedings.choices(self.situation());
        for choice in &choices {
            let mut tried = self.proceedings.clone();
            let answer = tried.admit(self.situation(), &choice.request);
            let answer = answer.and_then(|()| tried.on_request(self.situation(), &choice.request));
            assert_eq!(answer.err(), choice.refused, "{}", choice.request);
            if choice.refused.is_some() {
                assert_eq!(tried, self.proceedings, "{}", choice.request);
            }
        }
        choices
    }

    fn ask(&mut self, request: &str) {
        let request: Request = request.parse().unwrap();
        let situation = Situation {
            clock: &self.clock,
            now: self.now,
            score: Some(&self.score),
        };
        let steps = self.proceedings.on_request(situation, &request).unwrap();
        for command in steps.iter().flat_map(|step| &step.commands) {
            drop(self.clock.on_command(self.now, command).unwrap());
        }
    }
}

/// Returns the code of the refusal of `request`; empty if the request is possible.
#[track_caller]
fn refused<'a>(choices: &'a [Choice], request: &str) -> &'a str {
    let found = choices
        .iter()
        .find(|choice| choice.request.to_string() == request);
    let found = found.unwrap_or_else(|| panic!("{request} is not among the choices"));
    found.refused.as_ref().map_or("", |refusal| refusal.code())
}

#[track_caller]
fn absent(choices: &[Choice], request: &str) {
    let listed = choices
        .iter()
        .any(|choice| choice.request.to_string() == request);
    assert!(!listed, "{request} is among the choices");
}

#[test]
fn a_game_in_progress_offers_what_the_rule_set_knows() {
    let mut game = Game::new("fide-blitz", "5m");
    game.play(&["e4", "e5"]);
    let choices = game.choices();
    assert_eq!(refused(&choices, "illegal black illegal"), "");
    assert_eq!(
        refused(&choices, "illegal white illegal"),
        "illegal-move-stands"
    );
    assert_eq!(refused(&choices, "claim threefold white"), "");
    assert_eq!(refused(&choices, "claim threefold black"), "not-on-move");
    assert_eq!(refused(&choices, "adjourn"), "off");
    assert_eq!(refused(&choices, "appeal"), "no-result");
    absent(&choices, "rule correct");
    absent(&choices, "rescue white");
    absent(&choices, "claim losing-chances-old white");
    absent(&choices, "flag white by arbiter");
    let threefold = choices
        .iter()
        .find(|c| c.request.to_string() == "claim threefold white");
    let threefold = threefold.unwrap();
    assert_eq!(
        (threefold.correct, threefold.article.as_str()),
        (Some(false), "9.2")
    );
}

#[test]
fn a_repetition_names_the_move_that_completes_it() {
    let mut game = Game::new("fide-standard", "2h");
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    game.play(&shuffle);
    game.play(&shuffle[..3]);
    let choices = game.choices();
    let claim = choices
        .iter()
        .find(|c| c.request.to_string() == "claim threefold black");
    let claim = claim.unwrap();
    assert_eq!(
        (claim.correct, &claim.by_writing[..]),
        (Some(false), &["Ng8".to_owned()][..])
    );
}

#[test]
fn an_open_claim_offers_its_decisions_alone() {
    let mut game = Game::new("fide-standard", "2h");
    game.play(&["e4", "e5"]);
    game.ask("claim threefold white");
    let choices = game.choices();
    assert_eq!(refused(&choices, "rule as-found"), "");
    assert_eq!(refused(&choices, "accept black"), "");
    absent(&choices, "rule watch");
    absent(&choices, "illegal black illegal");
    let mut game = Game::new("uscf-14h-old", "5m");
    game.clock
        .on_command(game.now, &"set white 90s".parse().unwrap())
        .map(drop)
        .unwrap();
    game.ask("claim losing-chances-old white delay-clock");
    let choices = game.choices();
    assert_eq!(refused(&choices, "rule fit 5s"), "");
    assert_eq!(refused(&choices, "rule incorrect 1m"), "");
    assert_eq!(refused(&choices, "rule deny"), "wrong-decision");
    absent(&choices, "rule reject");
}

#[test]
fn a_fallen_flag_may_be_called_and_a_result_appealed() {
    let mut game = Game::new("fide-standard", "1m");
    game.play(&["e4"]);
    game.now = game.now + Duration::from_secs(61);
    let choices = game.choices();
    assert_eq!(refused(&choices, "flag black by arbiter"), "");
    game.ask("flag black by arbiter");
    let choices = game.choices();
    assert_eq!(refused(&choices, "appeal"), "");
    assert_eq!(refused(&choices, "illegal black illegal"), "game-over");
    game.ask("appeal");
    let choices = game.choices();
    assert_eq!(refused(&choices, "rule uphold"), "");
    assert_eq!(refused(&choices, "rule result 0-1"), "");
}
