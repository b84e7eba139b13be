//! The operator of the buttons on the clock under test: a person, a program, the clock's own program, or a task in this
//! process. Owns the instructions' text form.
//!
//! The program reads one instruction per line from its standard input:
//!
//! ```text
//! press left
//! press right at 1234567     # with this stamp, in microseconds of board time; if impossible, at about that time
//! stop                       # both buttons, held
//! correct 4711 set white 4m  # an arbiter's correction with this PIN
//! restart                    # the clock's program, as after a loss of power
//! ```

use std::fmt;
use std::process::Stdio;

use proto::wire::Button;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc;

use crate::report::Report;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    Press {
        button: Button,
        /// The stamp that the press should have, in microseconds of the clock's board time.
        at_us: Option<i64>,
    },
    /// Hold both buttons.
    Stop,
    Correct {
        pin: String,
        /// The correction as a command, for example `set white 4m`.
        command: String,
    },
    Restart,
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Press { button, at_us } => {
                write!(f, "press {}", name_of(*button))?;
                at_us.map_or(Ok(()), |at| write!(f, " at {at}"))
            }
            Self::Stop => f.write_str("stop"),
            Self::Correct { pin, command } => write!(f, "correct {pin} {command}"),
            Self::Restart => f.write_str("restart"),
        }
    }
}

/// The operator of the clock under test, and how it receives instructions.
#[derive(Clone, Debug)]
pub enum OperatorKind {
    /// A person, who reads the instructions.
    Person,
    /// A program, run by a shell, that presses the buttons of a separate clock.
    Program(String),
    /// The clock's own program, which a shell runs with `{code}` replaced by the enrolment code. For
    /// [`Instruction::Restart`], the kit kills the program and runs it again.
    Clock(String),
    /// A task in this process, which receives the instructions.
    Channel(mpsc::UnboundedSender<Instruction>),
}

#[derive(Debug)]
pub(crate) struct Operator {
    kind: OperatorKind,
    code: String,
    child: Option<(Child, ChildStdin)>,
}

impl Operator {
    pub(crate) fn start(kind: OperatorKind, code: &str) -> std::io::Result<Self> {
        let mut operator = Self {
            kind,
            code: code.to_owned(),
            child: None,
        };
        operator.spawn()?;
        Ok(operator)
    }

    /// Returns true if the operator is a person, who is slower and less exact than a program.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self.kind, OperatorKind::Person)
    }

    fn spawn(&mut self) -> std::io::Result<()> {
        let (OperatorKind::Program(text) | OperatorKind::Clock(text)) = &self.kind else {
            return Ok(());
        };
        let text = text.replace("{code}", &self.code);
        let mut child = Command::new("sh")
            .args(["-c", &text])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let stdin = child.stdin.take();
        self.child = stdin.map(|stdin| (child, stdin));
        Ok(())
    }

    /// Passes an instruction to the operator: prints it for a person, writes it to a program, or sends it to a task.
    /// Restarts the clock's own program directly.
    pub(crate) async fn instruct(
        &mut self,
        instruction: &Instruction,
        report: &mut Report,
    ) -> std::io::Result<()> {
        match &self.kind {
            OperatorKind::Person => report.say(&format!("-->   {}", for_person(instruction))),
            OperatorKind::Channel(to) => {
                // If the receiving task has ended, the checks notice.
                let _ = to.send(instruction.clone());
            }
            OperatorKind::Clock(_) if *instruction == Instruction::Restart => {
                self.end().await;
                self.spawn()?;
            }
            OperatorKind::Program(_) | OperatorKind::Clock(_) => {
                if let Some((_, stdin)) = &mut self.child {
                    let line = format!("{instruction}\n");
                    stdin.write_all(line.as_bytes()).await?;
                    stdin.flush().await?;
                }
            }
        }
        Ok(())
    }

    /// Kills the program and its process group.
    pub(crate) async fn end(&mut self) {
        let Some((mut child, stdin)) = self.child.take() else {
            return;
        };
        drop(stdin);
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        if let Some(pid) = pid.and_then(Pid::from_raw) {
            // The program may have ended by itself.
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = child.wait().await;
    }
}

const fn name_of(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Right | Button::Unspecified => "right",
    }
}

fn for_person(instruction: &Instruction) -> String {
    match instruction {
        Instruction::Press { button, .. } => {
            format!("press the {} button", name_of(*button).to_uppercase())
        }
        Instruction::Stop => "hold BOTH buttons for a second".to_owned(),
        Instruction::Correct { pin, command } => {
            format!("correct at the clock with the PIN {pin}: {command}")
        }
        Instruction::Restart => "restart the clock's program".to_owned(),
    }
}
