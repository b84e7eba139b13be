//! Connects the correction dialog ([`crate::correcting`]) and corrections given as text to the threads that derive keys from PINs. Owns the results
//! of those threads.

use std::collections::VecDeque;

use ed25519_dalek::SigningKey;
use proto::pin::{PinError, derive_key, public};
use timing::{BoardClock, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Now;
use crate::core::{AgentCore, CorrectionRequest, Input, Pins};
use crate::correcting::{Dialog, DialogContext, DialogRequest, DialogView, Key};

type DerivedKey = Result<Box<SigningKey>, PinError>;

pub(super) struct ArbiterDesk {
    dialog: Dialog,
    pins: Pins,
    clock: Option<BoardClock>,
    key_sender: UnboundedSender<DerivedKey>,
    key_receiver: UnboundedReceiver<DerivedKey>,
    /// Derived keys that `wait` has received and `drain` has not handled yet.
    derived: Vec<DerivedKey>,
    /// Corrections given as text whose PINs have not been checked, oldest first. PINs are checked one at a time, so that the delay after wrong PINs
    /// applies to each of them.
    unchecked: VecDeque<(String, Command)>,
    is_deriving: bool,
    /// Corrections given as text, each with the key derived from its PIN.
    correction_sender: UnboundedSender<(DerivedKey, Command)>,
    correction_receiver: UnboundedReceiver<(DerivedKey, Command)>,
    /// Corrections that `wait` has received and `drain` has not handled yet.
    corrections: Vec<(DerivedKey, Command)>,
    shown: Option<DialogView>,
}

impl ArbiterDesk {
    pub(super) fn new() -> Self {
        let (key_sender, key_receiver) = unbounded_channel();
        let (correction_sender, correction_receiver) = unbounded_channel();
        Self {
            dialog: Dialog::default(),
            pins: Pins::default(),
            clock: None,
            key_sender,
            key_receiver,
            derived: Vec::new(),
            unchecked: VecDeque::new(),
            is_deriving: false,
            correction_sender,
            correction_receiver,
            corrections: Vec::new(),
            shown: None,
        }
    }

    pub(super) fn update(&mut self, core: &AgentCore) {
        self.pins.clone_from(core.pins());
        self.clock = core.correctable().cloned();
    }

    /// Waits until [`Self::drain`] has something to do. Cancel-safe.
    pub(super) async fn wait(&mut self, now: Now) {
        let idle = async {
            match self.dialog.ends_at() {
                Some(end) => {
                    let wait = (end - now).or_zero().as_micros().unsigned_abs();
                    tokio::time::sleep(std::time::Duration::from_micros(wait)).await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // This struct also holds the senders, so the channels never close.
            key = self.key_receiver.recv() => self.derived.extend(key),
            correction = self.correction_receiver.recv() => self.corrections.extend(correction),
            () = idle => {}
        }
    }

    /// Handles `keys` and finished derivations. Returns inputs for the core.
    pub(super) fn drain(&mut self, keys: Vec<Key>, now: Now) -> Vec<Input> {
        self.dialog.on_time(now);
        while let Ok(key) = self.key_receiver.try_recv() {
            self.derived.push(key);
        }
        let mut inputs = Vec::new();
        for key in std::mem::take(&mut self.derived) {
            let context = dialog_context(&self.pins, self.clock.as_ref(), now);
            let request = self.dialog.on_key_derived(key, context);
            inputs.extend(self.carry_out(request, now));
        }
        while let Ok(correction) = self.correction_receiver.try_recv() {
            self.corrections.push(correction);
        }
        for (key, command) in std::mem::take(&mut self.corrections) {
            inputs.extend(self.corrected(key, command, now));
            self.is_deriving = false;
        }
        self.derive_next();
        for key in keys {
            let context = dialog_context(&self.pins, self.clock.as_ref(), now);
            let request = self.dialog.on_key(key, context);
            inputs.extend(self.carry_out(request, now));
        }
        inputs
    }

    pub(super) fn correct(&mut self, pin: String, command: Command) {
        self.unchecked.push_back((pin, command));
        self.derive_next();
    }

    /// Starts a thread that derives the key for the next correction given as text, unless one is running.
    fn derive_next(&mut self) {
        if self.is_deriving {
            return;
        }
        let Some((pin, command)) = self.unchecked.pop_front() else {
            return;
        };
        self.is_deriving = true;
        let (correction_sender, salt) = (self.correction_sender.clone(), self.pins.salt().to_vec());
        let thread = std::thread::Builder::new().name("pin".to_owned());
        let derived = command.clone();
        let spawned = thread.spawn(move || {
            // The receiver may be gone.
            let _ = correction_sender.send((derive_key(&pin, &salt).map(Box::new), derived));
        });
        if let Err(error) = spawned {
            tracing::error!(%error, "cannot start a thread for checking a PIN");
            let _ = self.correction_sender.send((Err(PinError::Busy), command));
        }
    }

    fn corrected(&self, key: DerivedKey, command: Command, now: Now) -> Vec<Input> {
        let key = match key {
            Ok(key) if self.pins.locked_until(now).is_none() => key,
            Ok(_) => {
                tracing::error!("correction ignored: too many wrong PINs");
                return Vec::new();
            }
            Err(error) => {
                tracing::error!(%error, "correction ignored");
                return Vec::new();
            }
        };
        let arbiter = self.pins.arbiter(&public(&key)).map(str::to_owned);
        let mut inputs = vec![Input::PinAttempted {
            correct: arbiter.is_some(),
        }];
        inputs.extend(arbiter.map(|arbiter| Input::Corrected {
            at: now,
            request: CorrectionRequest {
                arbiter,
                key,
                commands: vec![command],
            },
        }));
        inputs
    }

    fn carry_out(&self, request: Option<DialogRequest>, now: Now) -> Option<Input> {
        match request? {
            DialogRequest::DeriveKey { pin, salt } => {
                let key_sender = self.key_sender.clone();
                let thread = std::thread::Builder::new().name("pin".to_owned());
                let spawned = thread.spawn(move || {
                    // The receiver may be gone.
                    let _ = key_sender.send(derive_key(&pin, &salt).map(Box::new));
                });
                if let Err(error) = spawned {
                    tracing::error!(%error, "cannot start a thread for checking a PIN");
                    let _ = self.key_sender.send(Err(PinError::Busy));
                }
                None
            }
            DialogRequest::PinAttempted { correct } => Some(Input::PinAttempted { correct }),
            DialogRequest::Correct(request) => Some(Input::Corrected { at: now, request }),
        }
    }

    /// Returns the dialog's view if it has changed; `Some(None)` means that the dialog has closed.
    pub(super) fn changed_view(&mut self, now: Now) -> Option<Option<DialogView>> {
        let view = self
            .dialog
            .view(dialog_context(&self.pins, self.clock.as_ref(), now));
        (view != self.shown).then(|| {
            self.shown.clone_from(&view);
            view
        })
    }
}

fn dialog_context<'a>(
    pins: &'a Pins,
    clock: Option<&'a BoardClock>,
    now: Now,
) -> DialogContext<'a> {
    DialogContext { now, pins, clock }
}

#[cfg(test)]
mod tests {
    use proto::wire::{Arbiter, Arbiters};
    use timing::Instant;

    use super::*;

    #[tokio::test]
    async fn corrections_given_as_text_do_not_evade_the_delay_after_wrong_pins() {
        let mut desk = ArbiterDesk::new();
        desk.pins = Pins::new(Arbiters {
            salt: vec![1; 16],
            arbiters: vec![Arbiter {
                name: "Ada".to_owned(),
                key: vec![7; 32],
            }],
        });
        let now = Instant::from_micros(0);
        for pin in ["1000", "1001", "1002", "1003", "1004"] {
            desk.correct(pin.to_owned(), Command::Pause);
        }
        let mut attempts = 0;
        while desk.is_deriving || !desk.unchecked.is_empty() {
            desk.wait(now).await;
            for input in desk.drain(Vec::new(), now) {
                assert!(matches!(input, Input::PinAttempted { correct: false }));
                desk.pins.attempted(false, now);
                attempts += 1;
            }
        }
        // The fourth wrong PIN would come within the first delay.
        assert_eq!(attempts, 3);
    }
}
