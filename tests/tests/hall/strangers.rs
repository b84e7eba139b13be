//! Strangers on the hall's network, either without a certificate or with that of a single clock. The connections that they hold and the log lines
//! that they cause must not harm others.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clock_agent::identity::{Identity, Keys};
use proto::enrolment::EnrolmentCode;
use proto::frame::encode_prefixed;
use proto::wire::enrol_answer::Answer;
use proto::wire::{AgentFrame, ForeignJournal, Goodbye, GoodbyeReason, Hello};
use tests::rig::{
    Addresses, Arbiter, Cli, Device, HubProcess, Stranger, Usage, enrol_request, program, until,
};
use tokio::task::JoinSet;

const PATIENCE: Duration = Duration::from_secs(60);
const MEGABYTE: u64 = 1 << 20;

struct Hall {
    dir: tempfile::TempDir,
    hub: HubProcess,
    at: Addresses,
    cli: Cli,
}

impl Hall {
    fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let flagfall = program("flagfall").unwrap();
        let mut hub = HubProcess::start(&flagfall, dir.path(), None, &[]).unwrap();
        let at = hub.ready(PATIENCE).unwrap();
        let cli = Cli::new(&flagfall, at.listen, dir.path());
        Self { dir, hub, at, cli }
    }

    fn code(&self) -> EnrolmentCode {
        let made = self.cli.json(&["enrol"]).unwrap();
        made[0]["uri"].as_str().unwrap().parse().unwrap()
    }

    fn logged(&self, text: &str) -> Vec<String> {
        let lines = until(PATIENCE, text, || {
            let said = self.hub.said();
            let lines = said.lines().filter(|line| line.contains(text));
            let lines: Vec<_> = lines.map(str::to_owned).collect();
            (!lines.is_empty()).then_some(lines)
        });
        lines.unwrap_or_else(|why| panic!("{why}: {}", self.hub.said()))
    }

    async fn clock(&self) -> Identity {
        let arbiter = Arbiter::connect(self.at.listen, self.dir.path()).await;
        arbiter.unwrap().furnish(1, "5m").await.unwrap().remove(0)
    }

    async fn stranger(&self, clock: &Identity) -> Stranger {
        let authority = &clock.enrolment.authority_der;
        let stranger = Stranger::connect(self.at.listen, clock, authority).await;
        stranger.unwrap()
    }

    fn resident(&self) -> u64 {
        Usage::of(self.hub.pid()).unwrap().resident_bytes
    }
}

fn hello() -> Hello {
    Hello {
        major: proto::MAJOR,
        next_seq: 1,
        boot: vec![1; 16],
        ..Hello::default()
    }
}

fn address(network: u8, host: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, network, u8::try_from(host + 1).unwrap())
}

/// Opens `each` connections to the enrolment desk from each of `devices` addresses, and reopens every connection that the hub closes. Also returns
/// the count of connections opened so far.
fn silent_crowd(hub: SocketAddr, devices: usize, each: usize) -> (JoinSet<()>, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let mut crowd = JoinSet::new();
    for host in 0..devices {
        let device = Device::at(address(1, host)).unwrap();
        for _ in 0..each {
            let (device, opened) = (device.clone(), opened.clone());
            crowd.spawn(async move {
                let mut again = tokio::time::interval(Duration::from_millis(100));
                loop {
                    again.tick().await;
                    if let Ok(connection) = device.connect(hub).await {
                        opened.fetch_add(1, Ordering::SeqCst);
                        connection.closed().await;
                    }
                }
            });
        }
    }
    (crowd, opened)
}

async fn reached(count: &AtomicUsize, wanted: usize) {
    let mut look = tokio::time::interval(Duration::from_millis(10));
    let reached = async {
        while count.load(Ordering::SeqCst) < wanted {
            look.tick().await;
        }
    };
    let reached = tokio::time::timeout(PATIENCE, reached).await;
    assert!(reached.is_ok(), "{count:?} of {wanted}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_devices_keep_no_clock_from_the_desk() {
    let hall = Hall::open();
    let hub = hall.at.listen;
    let code = hall.code();
    // More connections than the desk accepts at a time.
    let (_crowd, opened) = silent_crowd(hub, 20, 14);
    reached(&opened, 280).await;
    let clock = Device::at(address(9, 0)).unwrap();
    let request = enrol_request(&Keys::generate().unwrap(), &code.token, "honest");
    let answer = clock.ask(hub, &request).await.unwrap();
    assert!(matches!(answer, Answer::Enrolled(_)), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_without_a_word_loses_its_place_after_two_seconds() {
    let hall = Hall::open();
    let device = Device::at(address(1, 0)).unwrap();
    let connection = device.connect(hall.at.listen).await.unwrap();
    let end = tokio::time::timeout(PATIENCE, connection.closed()).await;
    let end = end.unwrap().to_string();
    assert!(end.contains("no request arrived within 2 s"), "{end}");
    // Sending a single byte gains no time.
    let connection = device.connect(hall.at.listen).await.unwrap();
    let (mut send, _receive) = connection.open_bi().await.unwrap();
    send.write_all(&[0]).await.unwrap();
    let end = tokio::time::timeout(PATIENCE, connection.closed()).await;
    let end = end.unwrap().to_string();
    assert!(end.contains("the request took longer than 2 s"), "{end}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_handshakes_take_bounded_memory_however_often_they_come() {
    let hall = Hall::open();
    let before = hall.resident();
    let mut after = Vec::new();
    for wave in 0..3 {
        let mut begun = Vec::new();
        for host in 0..60 {
            let device = Device::deaf_at(address(2 + wave, host)).unwrap();
            begun.extend((0..40).map(|_| device.knock(hall.at.listen).unwrap()));
        }
        // While these handshakes are unfinished, an honest clock can still enrol.
        let clock = Device::at(address(9, usize::from(wave))).unwrap();
        let code = hall.code();
        let request = enrol_request(&Keys::generate().unwrap(), &code.token, "honest");
        let answer = clock.ask(hall.at.listen, &request).await.unwrap();
        assert!(matches!(answer, Answer::Enrolled(_)), "{answer:?}");
        after.push(hall.resident().saturating_sub(before) / MEGABYTE);
        drop(begun);
    }
    assert!(!hall.logged("did not finish its handshake").is_empty());
    let peak = Usage::of(hall.hub.pid()).unwrap().peak_bytes;
    let grown = (peak - before) / MEGABYTE;
    assert!(
        grown < 70,
        "{grown} MB at the peak, {after:?} after each wave"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guessed_codes_are_a_few_lines_and_a_sum() {
    let mut hall = Hall::open();
    let keys = Keys::generate().unwrap();
    for host in 0..3 {
        let device = Device::at(address(3, host)).unwrap();
        for guess in 0..60 {
            let request = enrol_request(&keys, &[guess; 16], "");
            let answer = device.ask(hall.at.listen, &request).await.unwrap();
            assert!(matches!(answer, Answer::Refused(_)), "{answer:?}");
        }
    }
    // The hub writes its last summary when it stops.
    assert!(hall.hub.stop().unwrap().success());
    let said = hall.hub.said();
    let lines: Vec<_> = said
        .lines()
        .filter(|line| line.contains("an enrolment was refused"))
        .collect();
    let summed = lines.iter().filter_map(|line| {
        let (before, _) = line.split_once(" more in the last 10 s from ")?;
        before.rsplit(' ').next()?.parse::<usize>().ok()
    });
    let sums: Vec<usize> = summed.collect();
    let written = lines.len() - sums.len();
    assert_eq!(written + sums.iter().sum::<usize>(), 180, "{lines:#?}");
    // The hub writes at most 4 lines per address and interval, and the guesses take only a few intervals.
    assert!(!sums.is_empty() && lines.len() < 90, "{lines:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_forges_a_log_line_is_refused_with_its_place() {
    let hall = Hall::open();
    let clock = hall.clock().await;
    let foreign = |origin: &str| {
        Some(ForeignJournal {
            log_origin: origin.to_owned(),
            unacknowledged: 1,
        })
    };
    let wrong = [
        (
            "v1\n2026 ERROR forged",
            String::new(),
            None,
            "the firmware has the invisible character U+000A in place 3",
        ),
        (
            "v1",
            "a\u{1b}[2J".to_owned(),
            None,
            "the journal's origin has the invisible character U+001B in place 2",
        ),
        (
            "v1",
            String::new(),
            foreign("a\u{202e}b"),
            "the origin of the other journal has the invisible character U+202E in place 2",
        ),
    ];
    for (firmware, log_origin, foreign, said) in wrong {
        let hello = Hello {
            firmware: firmware.to_owned(),
            log_origin,
            foreign,
            ..hello()
        };
        let bytes = encode_prefixed(&AgentFrame::from(hello)).unwrap();
        let mut stranger = hall.stranger(&clock).await;
        stranger.say(&bytes).await;
        let goodbye = stranger.ended().await.unwrap().goodbye.unwrap();
        assert_eq!(goodbye.reason(), GoodbyeReason::BadFrame);
        assert!(goodbye.text.contains(said), "{}", goodbye.text);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_goodbye_loses_the_characters_that_forge_a_log_line() {
    let hall = Hall::open();
    let mut stranger = hall.stranger(&hall.clock().await).await;
    let goodbye = Goodbye {
        reason: GoodbyeReason::ShuttingDown.into(),
        text: "so long\n2026 ERROR \u{1b}[31mforged\u{202e}".to_owned(),
    };
    stranger
        .say(&encode_prefixed(&AgentFrame::from(hello())).unwrap())
        .await;
    stranger
        .say(&encode_prefixed(&AgentFrame::from(goodbye)).unwrap())
        .await;
    let lines = hall.logged("so long");
    assert!(
        lines[0].contains("so long2026 ERROR [31mforged"),
        "{lines:?}"
    );
    let said = hall.hub.said();
    assert!(
        !said.lines().any(|line| line.starts_with("2026 ERROR")),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_does_not_print_and_a_key_of_low_order_enrol_no_clock() {
    let hall = Hall::open();
    let code = hall.code();
    let device = Device::at(address(4, 0)).unwrap();
    let keys = Keys::generate().unwrap();
    let sound = enrol_request(&keys, &code.token, "clock 7");
    let mut wrong = vec![(
        proto::wire::EnrolRequest {
            name: "clock\u{2067}7".to_owned(),
            ..sound.clone()
        },
        "the name has the invisible character U+2067 in place 6",
    )];
    let mut one = [0; 32];
    one[0] = 1;
    for key in [[0; 32], one] {
        let request = clock_core::enrolment::request(keys.signing_key(), &key, &code.token, "");
        wrong.push((request, "the exchange key is a point of low order"));
    }
    for (request, said) in wrong {
        let answer = device.ask(hall.at.listen, &request).await.unwrap();
        let Answer::Refused(why) = answer else {
            panic!("{answer:?}");
        };
        assert!(why.contains(said), "{why}");
    }
    let answer = device.ask(hall.at.listen, &sound).await.unwrap();
    assert!(matches!(answer, Answer::Enrolled(_)), "{answer:?}");
}
