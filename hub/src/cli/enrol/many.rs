//! `flagfall enrol --clocks`: makes one code for many clocks, lists the clocks that use it, and admits or refuses them as the arbiter
//! decides. With `--admit-all`, admits them without asking.

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::time::Duration;

use proto::grpc::{
    Admission, AdmitClocksRequest, ClockAdmission, CloseEnrolmentRequest, EnrollingClock,
    EnrolmentState, EnrolmentWindow, OpenEnrolmentRequest, RefuseClockRequest,
    WatchEnrolmentRequest,
};
use tokio::sync::mpsc;

use super::{Args, boards, picture};
use crate::cli::client::Client;
use crate::cli::output::{
    Failure, Result, after_change, counted, failed, paint, print, print_once, say, to_a_person,
    unless_empty,
};

const HELP: &str = "Type a number to admit that clock, \"no\" and a number to refuse it, \"all\" to admit all waiting clocks, \"end\" to stop.";

#[derive(Debug, PartialEq, Eq)]
enum Typed {
    All,
    Admit(String),
    Refuse(String),
    End,
}

pub(super) async fn ask(client: &mut Client, args: &Args, clocks: u32) -> Result<()> {
    let boards = boards(client, args.boards.as_deref()).await?;
    let request = OpenEnrolmentRequest {
        clocks,
        valid_for_us: i64::from(args.minutes) * 60_000_000,
        boards,
    };
    let state = client.open_enrolment(request).await?.into_inner();
    let window = state.window.ok_or_else(ended)?;
    shown(args, &window)?;
    let mut many = EnrolmentDialog {
        client: client.clone(),
        args,
        window: window.clone(),
        listed: BTreeMap::new(),
    };
    let followed = many.follow().await;
    let close = CloseEnrolmentRequest {
        window: window.window,
    };
    // Ignore the answer: the enrolment may have ended already.
    let _ = client.close_enrolment(close).await;
    followed
}

fn shown(args: &Args, window: &EnrolmentWindow) -> Result<()> {
    if args.json {
        return print_once(serde_json::json!({
            "uri": window.uri, "clocks": window.clocks, "valid_for_us": window.left_us,
        }));
    }
    print_once(&window.uri)?;
    if to_a_person() {
        paint(&picture(&window.uri)?)?;
        say!(
            "{} can enrol with this code within {} minutes. Each shows a number: compare it with this list.\n{HELP}",
            counted(window.clocks, "clock"),
            window.left_us / 60_000_000
        )?;
    }
    Ok(())
}

struct EnrolmentDialog<'a> {
    client: Client,
    args: &'a Args,
    window: EnrolmentWindow,
    listed: BTreeMap<String, ClockAdmission>,
}

impl EnrolmentDialog<'_> {
    /// Runs until the expected number of clocks is admitted, the arbiter or the hub ends the enrolment, or the time is up.
    async fn follow(&mut self) -> Result<()> {
        let mut states = self
            .client
            .watch_enrolment(WatchEnrolmentRequest {})
            .await?
            .into_inner();
        let mut typed = typed_lines();
        let left = Duration::from_micros(u64::try_from(self.window.left_us).unwrap_or(0));
        let end = tokio::time::sleep(left);
        tokio::pin!(end);
        let mut reads = !self.args.admit_all;
        let mut admits = self.args.admit_all;
        loop {
            tokio::select! {
                state = states.message() => {
                    let state = state?;
                    self.changed(state.ok_or_else(ended)?)?;
                    let admitted = self.count(ClockAdmission::Admitted);
                    let waiting = self.count(ClockAdmission::Waiting);
                    if admitted >= self.window.clocks as usize {
                        return Ok(());
                    }
                    if admits && admitted + waiting >= self.window.clocks as usize {
                        admits = false;
                        self.carry_out(Typed::All).await?;
                    }
                }
                line = typed.recv(), if reads => match line.as_deref().map(parse) {
                    Some(Some(Typed::End)) => return Ok(()),
                    Some(Some(typed)) => match self.carry_out(typed).await {
                        Err(Failure::Failed(why)) => after_change(print(why)),
                        done => done?,
                    },
                    Some(None) => after_change(print(HELP)),
                    None if to_a_person() => return Ok(()),
                    // Standard input is closed, so no person can answer: continue.
                    None => reads = false,
                },
                () = &mut end => return Err(ended()),
            }
        }
    }

    fn changed(&mut self, state: EnrolmentState) -> Result<()> {
        let window = state
            .window
            .filter(|window| window.window == self.window.window);
        self.window = window.ok_or_else(ended)?;
        for clock in &self.window.came {
            let before = self.listed.insert(clock.key.clone(), clock.admission());
            if before != Some(clock.admission()) || !clock.problem.is_empty() {
                after_change(print(line(clock, self.args.json)));
            }
        }
        if self.window.uri.is_empty() && self.count(ClockAdmission::Waiting) > 0 {
            return Err(ended());
        }
        Ok(())
    }

    fn count(&self, admission: ClockAdmission) -> usize {
        let came = self.window.came.iter();
        came.filter(|clock| clock.admission() == admission).count()
    }

    async fn carry_out(&mut self, typed: Typed) -> Result<()> {
        let window = self.window.window;
        let answer = match typed {
            Typed::All => {
                let waits = |clock: &&EnrollingClock| clock.admission() == ClockAdmission::Waiting;
                let waiting = self.window.came.iter().filter(waits);
                let clocks = waiting.map(|clock| admission(&clock.key)).collect();
                let request = AdmitClocksRequest { window, clocks };
                self.client.admit_clocks(request).await
            }
            Typed::Admit(number) => {
                let clocks = vec![admission(self.key(&number)?)];
                let request = AdmitClocksRequest { window, clocks };
                self.client.admit_clocks(request).await
            }
            Typed::Refuse(number) => {
                let key = self.key(&number)?.to_owned();
                self.client
                    .refuse_clock(RefuseClockRequest { window, key })
                    .await
            }
            Typed::End => return Ok(()),
        };
        let state = answer?.into_inner();
        let mut came = state.window.iter().flat_map(|window| &window.came);
        match came.find(|clock| !clock.problem.is_empty()) {
            Some(clock) => Err(failed!(
                "clock {} is not admitted: {}",
                clock.number,
                clock.problem
            )),
            None => Ok(()),
        }
    }

    fn key(&self, number: &str) -> Result<&str> {
        let mut came = self.window.came.iter();
        let found = came.find(|clock| clock.number == number);
        let found =
            found.ok_or_else(|| failed!("no clock in the list has the number {number}: {HELP}"))?;
        Ok(&found.key)
    }
}

fn admission(key: &str) -> Admission {
    Admission {
        key: key.to_owned(),
        board: String::new(),
    }
}

fn line(clock: &EnrollingClock, json: bool) -> String {
    let state = match clock.admission() {
        ClockAdmission::Admitted => "admitted",
        ClockAdmission::Refused => "refused",
        ClockAdmission::Waiting | ClockAdmission::Unspecified => "waiting",
    };
    if json {
        return serde_json::json!({
            "agent": clock.key, "number": clock.number, "name": clock.name, "firmware": clock.firmware,
            "address": clock.address, "state": state, "board": clock.board, "problem": clock.problem,
        })
        .to_string();
    }
    let board = match clock.board.as_str() {
        "" => "no board".to_owned(),
        board => format!("board {board}"),
    };
    let short = clock.key.get(..8).unwrap_or(&clock.key);
    let problem = unless_empty(&clock.problem, |why| format!(": {why}"));
    format!(
        "{}  {state}, {board}: {} ({short}), {}, from {}{problem}",
        clock.number, clock.name, clock.firmware, clock.address
    )
}

fn parse(line: &str) -> Option<Typed> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    match words.as_slice() {
        ["all"] => Some(Typed::All),
        ["end"] => Some(Typed::End),
        ["no", word] if number(word) => Some(Typed::Refuse((*word).to_owned())),
        [word] if number(word) => Some(Typed::Admit((*word).to_owned())),
        _ => None,
    }
}

/// Returns the lines of standard input, which a separate thread reads.
fn typed_lines() -> mpsc::Receiver<String> {
    let (lines, typed) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            if !line.is_ok_and(|line| lines.blocking_send(line).is_ok()) {
                return;
            }
        }
    });
    typed
}

fn ended() -> Failure {
    failed!(
        "enrolment ended before all clocks were admitted: open it again with `flagfall enrol --clocks`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_lines_are_a_number_no_all_or_end() {
        assert_eq!(parse(" 4711 "), Some(Typed::Admit("4711".to_owned())));
        assert_eq!(parse("no 4711"), Some(Typed::Refuse("4711".to_owned())));
        assert_eq!(parse("all"), Some(Typed::All));
        assert_eq!(parse("end"), Some(Typed::End));
        for nonsense in ["", "yes", "no", "4711 4712", "no all"] {
            assert_eq!(parse(nonsense), None, "{nonsense}");
        }
    }
}
