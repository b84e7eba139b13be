//! Connects the correction dialog ([`crate::correcting`]) to the threads that derive keys from PINs. Owns the results of those threads; decides
//! nothing.

use ed25519_dalek::SigningKey;
use proto::pin::{PinError, derive_key, public};
use timing::{BoardClock, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Now;
use crate::core::{AgentCore, CorrectionRequest, Input, Pins};
use crate::correcting::{Dialog, DialogContext, DialogRequest, DialogView, Key};

type DerivedKey = Result<Box<SigningKey>, PinError>;

/// The correction dialog with its pending key derivations.
pub(super) struct ArbiterDesk {
    dialog: Dialog,
    pins: Pins,
    clock: Option<BoardClock>,
    make: UnboundedSender<DerivedKey>,
    made: UnboundedReceiver<DerivedKey>,
    /// Derived keys that `wait` has received and `drain` has not handled yet.
    derived: Vec<DerivedKey>,
    /// Corrections given as text, each with the key derived from its PIN.
    correction_sender: UnboundedSender<(DerivedKey, Command)>,
    given: UnboundedReceiver<(DerivedKey, Command)>,
    /// Corrections that `wait` has received and `drain` has not handled yet.
    texts: Vec<(DerivedKey, Command)>,
    shown: Option<DialogView>,
}

impl ArbiterDesk {
    pub(super) fn new() -> Self {
        let (make, made) = unbounded_channel();
        let (correction_sender, given) = unbounded_channel();
        Self {
            dialog: Dialog::default(),
            pins: Pins::default(),
            clock: None,
            make,
            made,
            derived: Vec::new(),
            correction_sender,
            given,
            texts: Vec::new(),
            shown: None,
        }
    }

    /// Copies the PINs and the board's clock from the core.
    pub(super) fn look(&mut self, core: &AgentCore) {
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
            made = self.made.recv() => self.derived.extend(made),
            text = self.given.recv() => self.texts.extend(text),
            () = idle => {}
        }
    }

    /// Handles `keys` and finished derivations. Returns inputs for the core.
    pub(super) fn drain(&mut self, keys: Vec<Key>, now: Now) -> Vec<Input> {
        self.dialog.on_time(now);
        while let Ok(made) = self.made.try_recv() {
            self.derived.push(made);
        }
        let mut inputs = Vec::new();
        for made in std::mem::take(&mut self.derived) {
            let context = dialog_context(&self.pins, self.clock.as_ref(), now);
            let wish = self.dialog.on_key_made(made, context);
            inputs.extend(self.carry_out(wish, now));
        }
        while let Ok(text) = self.given.try_recv() {
            self.texts.push(text);
        }
        for (key, command) in std::mem::take(&mut self.texts) {
            inputs.extend(self.corrected(key, command, now));
        }
        for key in keys {
            let context = dialog_context(&self.pins, self.clock.as_ref(), now);
            let wish = self.dialog.on_key(key, context);
            inputs.extend(self.carry_out(wish, now));
        }
        inputs
    }

    /// Starts a thread that derives the key for a correction given as text.
    pub(super) fn correct(&self, pin: String, command: Command) {
        let (correction_sender, salt) = (self.correction_sender.clone(), self.pins.salt().to_vec());
        let thread = std::thread::Builder::new().name("pin".to_owned());
        let spawned = thread.spawn(move || {
            // The receiver may be gone.
            let _ = correction_sender.send((derive_key(&pin, &salt).map(Box::new), command));
        });
        if let Err(error) = spawned {
            tracing::error!(%error, "cannot start a thread for checking a PIN");
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
            right: arbiter.is_some(),
        }];
        inputs.extend(arbiter.map(|arbiter| Input::Corrected {
            at: now,
            correcting: CorrectionRequest {
                arbiter,
                key,
                commands: vec![command],
            },
        }));
        inputs
    }

    fn carry_out(&self, wish: Option<DialogRequest>, now: Now) -> Option<Input> {
        match wish? {
            DialogRequest::MakeKey { pin, salt } => {
                let make = self.make.clone();
                let thread = std::thread::Builder::new().name("pin".to_owned());
                let spawned = thread.spawn(move || {
                    // The receiver may be gone.
                    let _ = make.send(derive_key(&pin, &salt).map(Box::new));
                });
                if let Err(error) = spawned {
                    tracing::error!(%error, "cannot start a thread for checking a PIN");
                    let _ = self.make.send(Err(PinError::Busy));
                }
                None
            }
            DialogRequest::PinAttempted { right } => Some(Input::PinAttempted { right }),
            DialogRequest::Correct(correcting) => Some(Input::Corrected {
                at: now,
                correcting,
            }),
        }
    }

    /// Returns the dialog's view if it has changed; `Some(None)` means that the dialog has closed.
    pub(super) fn news(&mut self, now: Now) -> Option<Option<DialogView>> {
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
