//! Runs the face and the buttons with a local clock and no hub, to try them out.
//!
//! ```text
//! cargo run -p clock-agent --example face                        # 5m+3s, keys f and j, s stops, q quits
//! cargo run -p clock-agent --example face -- "10m byo 3x30s" gpio:gpiochip0:17,27
//! cargo run -p clock-agent --example face -- 90m+30s script:presses.txt | cat       # plain lines
//! ```

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration as StdDuration;

use anyhow::Context;
use clock_agent::buttons::{ButtonSpec, Buttons, Input, QuitStep};
use clock_agent::face::{Charset, Face, PlainFace, Screen};
use clock_agent::face_state::{FaceState, HubLink, JournalHealth};
use clock_agent::time_source::TimeSource;
use timing::{Board, BoardClock, BoardState, Button, BySide, Command, Instant, Setup, StartRule};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("face: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let control = args.next().unwrap_or_else(|| "5m+3s".into());
    let buttons = args.next().unwrap_or_else(|| "keys".into());
    let setup = Setup {
        control: control.parse().with_context(|| control.clone())?,
        start: StartRule::Arbiter,
        white: Button::Left,
    };
    let spec: ButtonSpec = buttons.parse()?;
    let time = Arc::new(TimeSource::starting_at(0));
    let mut example = Example {
        shown: Display::on_terminal(std::io::stdout().is_terminal())?,
        source: Buttons::open(&spec, time.clone())?,
        clock: BoardClock::new(setup),
        time,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    runtime.block_on(example.play())
}

struct Example {
    // Declared before `shown`, so that it is dropped first: keys must stop being read before the terminal is restored.
    source: Buttons,
    shown: Display,
    clock: BoardClock,
    time: Arc<TimeSource>,
}

enum Display {
    Screen(Box<Screen>, Face),
    Lines(PlainFace),
}

impl Example {
    async fn play(&mut self) -> anyhow::Result<()> {
        let started = self.time.now();
        self.source.game_started(started);
        let _ = self.clock.on_command(started, &Command::Start(None));
        loop {
            let drained = self.source.drain(self.time.now());
            for input in drained.inputs {
                match input {
                    Input::Button(event) => {
                        let _ = self.clock.on_fact(event.at, event.fact);
                    }
                    Input::Quit(QuitStep::Confirmed) => return Ok(()),
                    Input::Quit(step) => self.shown.show_quit_prompt(step == QuitStep::Asked),
                    Input::Resized
                    | Input::TellTime
                    | Input::Arbiter(_)
                    | Input::Correct { .. } => (),
                    Input::Lost(why) => anyhow::bail!(why),
                }
            }
            let _ = self.clock.pass_time(drained.complete_to);
            let next = self.shown.show(&self.state(), self.time.now())?;
            if let (Display::Lines(_), BoardState::Flagged { .. }) =
                (&self.shown, self.clock.state())
            {
                return Ok(());
            }
            let until = next.map_or(i64::MAX, |next| (next - self.time.now()).as_micros().max(0));
            let edge = tokio::time::sleep(StdDuration::from_micros(
                until.unsigned_abs().min(60_000_000),
            ));
            tokio::select! {
                () = self.source.wait() => (),
                () = edge => (),
            }
        }
    }

    fn state(&self) -> FaceState {
        FaceState {
            board: "0".into(),
            round: String::new(),
            names: BySide {
                white: "White".into(),
                black: "Black".into(),
            },
            draw_odds: None,
            day: None,
            starts_at: None,
            sound: Default::default(),
            elsewhere: None,
            clock: Some(self.clock.clone()),
            unsaved: 0,
            unacknowledged: 0,
            hub: HubLink::Away {
                since: Instant::from_micros(0),
            },
            battery_percent: None,
            journal: JournalHealth::Writing,
            messages: Vec::new(),
            identify_until: None,
        }
    }
}

impl Display {
    fn on_terminal(terminal: bool) -> std::io::Result<Self> {
        Ok(match terminal {
            true => Self::Screen(
                Box::new(Screen::take()?),
                Face::new(Charset::from_env(), true),
            ),
            false => Self::Lines(PlainFace::new()),
        })
    }

    fn show_quit_prompt(&mut self, asking: bool) {
        match self {
            Self::Screen(_, face) => face.show_quit_prompt(asking),
            Self::Lines(_) => (),
        }
    }

    #[expect(clippy::print_stdout, reason = "plain lines go to standard output")]
    fn show(
        &mut self,
        state: &FaceState,
        now: Instant<Board>,
    ) -> std::io::Result<Option<Instant<Board>>> {
        match self {
            Self::Screen(screen, face) => {
                face.note(state, now);
                screen.draw(face, state, now)?;
                Ok(face.next_redraw(state, now))
            }
            Self::Lines(face) => {
                for line in face.changes(state, now) {
                    println!("{line}");
                }
                Ok(face.next_check(state))
            }
        }
    }
}
