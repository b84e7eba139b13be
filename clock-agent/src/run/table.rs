//! The clock's connection to its players. Passes input from the buttons and the correction dialog to the agent, and the agent's state to face and
//! speaker. Also stores the enrolment changes that the hub sends. Decides nothing.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use proto::wire::Certificate;
use timing::BoardState;
use tokio_util::sync::CancellationToken;

use super::arbiter::ArbiterDesk;
use super::face_thread::ToFace;
use super::speaker::ToSpeaker;
use super::{Now, StoredEnrolment};
use crate::buttons::{ButtonInputs, Buttons, Input, QuitStep};
use crate::core::AgentCore;
use crate::session::{AgentObserver, ButtonSource, DrainedInput};
use crate::time_source::TimeSource;

pub(super) struct PlayerPanel {
    source: Buttons,
    face: Sender<ToFace>,
    voice: Voice,
    arbiter: ArbiterDesk,
    time: Arc<TimeSource>,
    stop: CancellationToken,
}

impl PlayerPanel {
    pub(super) fn new(
        source: Buttons,
        face: Sender<ToFace>,
        voice: Voice,
        time: Arc<TimeSource>,
        stop: CancellationToken,
    ) -> Self {
        Self {
            source,
            face,
            voice,
            arbiter: ArbiterDesk::new(),
            time,
            stop,
        }
    }

    fn tell_correcting(&mut self, now: Now) {
        if let Some(view) = self.arbiter.changed_view(now) {
            self.tell(ToFace::Correcting(view));
        }
    }

    fn tell(&self, what: ToFace) {
        // If the face has ended, the clock continues without it.
        let _ = self.face.send(what);
    }
}

impl ButtonSource for PlayerPanel {
    async fn wait(&mut self) {
        let now = self.time.now();
        tokio::select! {
            () = self.source.wait() => {}
            () = self.arbiter.wait(now) => {}
        }
    }

    fn drain(&mut self, now: Now) -> DrainedInput {
        let ButtonInputs {
            inputs,
            complete_to,
        } = self.source.drain(now);
        let mut drained = DrainedInput {
            events: Vec::new(),
            complete_to,
            arbiter: Vec::new(),
            lost: None,
        };
        let mut keys = Vec::new();
        for input in inputs {
            match input {
                Input::Button(event) => drained.events.push(event),
                Input::Quit(QuitStep::Asked) => self.tell(ToFace::Asking(true)),
                Input::Quit(QuitStep::Withdrawn) => self.tell(ToFace::Asking(false)),
                Input::Quit(QuitStep::Confirmed) => self.stop.cancel(),
                Input::Arbiter(key) => keys.push(key),
                Input::Correct { pin, command } => self.arbiter.correct(pin, command),
                Input::TellTime => self.voice.tell(ToSpeaker::TellTime),
                Input::Resized => self.tell(ToFace::Redraw),
                Input::Lost(why) => drained.lost = Some(why),
            }
        }
        drained.arbiter = self.arbiter.drain(keys, now);
        self.tell_correcting(now);
        drained
    }

    fn core_changed(&mut self, core: &AgentCore, now: Now) {
        self.arbiter.update(core);
        self.tell_correcting(now);
        if let Some(clock) = core.clock()
            && let BoardState::Running { .. } = clock.state()
        {
            // Just after the start, `clock.now()` is exactly the instant of the event that started the clock.
            self.source.game_started(clock.now());
        }
    }
}

#[derive(Clone)]
pub(super) struct Voice(pub(super) Option<Sender<ToSpeaker>>);

impl Voice {
    fn tell(&self, what: ToSpeaker) {
        self.tell_with(|| what);
    }

    fn tell_with(&self, what: impl FnOnce() -> ToSpeaker) {
        if let Some(speaker) = &self.0 {
            // If the speaker has ended, the clock continues without it.
            let _ = speaker.send(what());
        }
    }
}

pub(super) struct FaceUpdater {
    face: Sender<ToFace>,
    voice: Voice,
    remembered: StoredEnrolment,
}

impl FaceUpdater {
    pub(super) fn new(face: Sender<ToFace>, voice: Voice, remembered: StoredEnrolment) -> Self {
        Self {
            face,
            voice,
            remembered,
        }
    }
}

impl AgentObserver for FaceUpdater {
    fn changed(&mut self, core: &AgentCore, _now: Now) {
        // If the face has ended, the clock continues without it.
        let _ = self.face.send(ToFace::State(Box::new(core.face())));
        self.voice
            .tell_with(|| ToSpeaker::State(Box::new(core.face())));
    }

    fn other_log(&mut self, origin: &str) {
        self.remembered
            .change(|enrolment| origin.clone_into(&mut enrolment.log_origin));
    }

    fn hub_key(&mut self, key: &[u8; 32]) {
        self.remembered
            .change(|enrolment| enrolment.hub_exchange_key = key.to_vec());
    }

    fn certificate(&mut self, certificate: &Certificate) {
        self.remembered.renew(certificate);
    }
}
