//! Starts a run of the hub, and the prepared boards at their scheduled time.

use proto::log::{HubStarted, Opened};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use sha2::{Digest, Sha256};
use timing::{BoardState, Command, Duration, Instant, StartRule};

use super::board_id::BoardId;
use super::command_record::{CommandKind, CommandRecord};
use super::effect::{HubEffect, OpenStep};
use super::entry::Entry;
use super::fold::Fold;
use super::hall::first_half;
use super::input::StartUp;
use super::wakes::WakeReason;
use super::{Hall, note};

/// Grace period after the scheduled start: a hub that comes up within it still starts the round.
const GRACE: Duration = Duration::from_secs(60);

impl Hall {
    pub(crate) fn on_start_up(&mut self, start: StartUp, step: &mut OpenStep) {
        let now = step.now;
        let last = self.fold.hub;
        self.live.started = now;
        self.live.wall_us = start.wall_us;
        self.live.bound = Duration::from_micros(start.bound_us).or_zero();
        self.live.nonces = SplitMix64::seed_from_u64(start.nonce_seed);
        if self.fold.origin.is_none() {
            let opened = Opened {
                origin: start.origin,
                event_name: start.event.name.clone(),
                wall_us: start.wall_us,
            };
            // The log is empty, so the fold accepts `Opened` as its first record.
            let _ = self.log(None, Entry::Opened(opened), step);
        }
        let started = HubStarted {
            epoch: self.fold.epoch + 1,
            boot: start.boot,
            wall_us: start.wall_us,
            timeline: start.timeline,
            bound_us: start.bound_us,
            authority_der: start.authority_der,
            voucher_der: start.voucher_der,
        };
        // The fold always accepts the start of a hub.
        let _ = self.log(None, Entry::HubStarted(started), step);
        self.log_arbiters(step);
        self.live.event = start.event;
        self.live.event.starts_at_us = start
            .scheduled
            .filter(|at| *at > now)
            .map(Instant::as_micros);
        self.live.scheduled = start.scheduled;
        if let Some(at) = start.scheduled {
            self.live.wakes.add(at.max(now), WakeReason::Schedule);
        }
        let event = self.live.event.clone();
        step.effect(HubEffect::PublishEvent { event });
        self.publish_tournament(step);
        self.publish_floor(step);
        if !self.fold.held.waiting.is_empty() {
            self.publish_held(step);
        }
        self.begin_checks(now);
        let boards: Vec<BoardId> = self.fold.boards.keys().cloned().collect();
        for board in boards {
            self.touch(&board);
        }
        self.stop_hub_clocks(last, step);
        self.follow_all(step);
    }

    /// Starts every prepared board that waits only for an arbiter to start it. If the grace period is over, adds a note
    /// about these boards instead.
    pub(crate) fn on_scheduled(&mut self, step: &mut OpenStep) {
        let Some(at) = self.live.scheduled.take() else {
            return;
        };
        self.live.event.starts_at_us = None;
        let event = self.live.event.clone();
        step.effect(HubEffect::PublishEvent { event });
        let ready = ready_boards(&self.fold);
        if step.now - at > GRACE {
            if !ready.is_empty() {
                self.note(step, note::schedule_missed(ready.len()));
            }
            return;
        }
        for board in ready {
            let mut hash = Sha256::new();
            hash.update(b"flagfall schedule\n");
            hash.update(at.as_micros().to_be_bytes());
            hash.update(board.as_str());
            let id = first_half(hash);
            if self.fold.answers.get(&id).is_some() {
                continue;
            }
            let start = match self.fold.boards.get(&board) {
                Some(board) => board.start_by_rules(Command::Start(None)),
                None => Command::Start(None),
            };
            let start = CommandKind::Board(start);
            let record = CommandRecord {
                id,
                ..self.own_command(&board, "schedule", "the scheduled start", start)
            };
            // Cannot fail: `ready_boards` returns only prepared boards with a clock.
            let _ = self.log_command(Some(board), record, step);
        }
    }
}

fn ready_boards(fold: &Fold) -> Vec<BoardId> {
    fold.boards
        .values()
        .filter(|board| {
            (board.is_served() || board.is_hub_clock())
                && board.fault.is_none()
                && matches!(board.clock().state(), BoardState::Ready)
                && board.clock().start_rule() == StartRule::Arbiter
        })
        .map(|board| board.id.clone())
        .collect()
}
