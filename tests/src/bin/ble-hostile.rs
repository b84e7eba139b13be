//! A hostile Bluetooth LE peer, for tests in a virtual machine. It acts as a central towards a clock, or as a clock towards the hub, and sends
//! values that no honest peer sends. Owns the attacks and their required outcomes; never uses the victim's secret.
//!
//! `ble-hostile central --adapter hci8 --clock 00:AA:01:01:00:02 --keep first` attacks a clock. It saves the clock's first message, which every
//! subscriber gets. `ble-hostile clock --adapter hci8 --victim c2 --replay first` attacks the hub in that clock's name. Both fail if an attack gets
//! a forbidden answer, or if the victim does not disconnect.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bluer::gatt::remote::Characteristic;
use bluer::gatt::{CharacteristicReader, CharacteristicWriter};
use bluer::{Adapter, AdapterEvent, Address, Device};
use clap::{Parser, Subcommand};
use clock_agent::identity::{Enrolment, Keys};
use clock_agent::links::ble::Values;
use clock_agent::links::ble::peripheral::{AdvertisedClock, Peripheral};
use futures::{Stream, StreamExt as _, stream};
use proto::ble::{Channel, FROM_CLOCK, LocalKeys, MAX_VALUE, TO_CLOCK};
use proto::ids::AgentId;
use tests::attack::answers_until_disconnect;
use tokio::time::timeout;
use uuid::Uuid;

/// More than enough for each wait. The hub returns to a misbehaving clock after at most eight seconds. A peer without a handshake is disconnected
/// after ten.
const PATIENCE: Duration = Duration::from_secs(60);

/// Attacks a Bluetooth LE clock or the hub.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    role: Role,
    /// The Bluetooth adapter to attack from, for example `hci8`.
    #[arg(long, global = true, default_value = "hci0")]
    adapter: String,
}

#[derive(Subcommand)]
enum Role {
    /// Acts as a central and attacks a clock.
    Central {
        /// The clock's Bluetooth address.
        #[arg(long)]
        clock: Address,
        /// The file in which to save the values of the clock's first message, one line of hexadecimal digits each.
        #[arg(long)]
        keep: PathBuf,
    },
    /// Acts as a clock and attacks the hub.
    Clock {
        /// The state folder of the impersonated clock. Only public data is used: the clock's id and the hub's public key.
        #[arg(long)]
        victim: PathBuf,
        /// The file with the values of a first message recorded over the air.
        #[arg(long)]
        replay: PathBuf,
    },
}

/// An attack: the values to send, and the maximum number of answers other than bare acknowledgements. Only the replayed handshake may get one
/// answer.
struct Attack {
    name: &'static str,
    values: Vec<Vec<u8>>,
    answers: usize,
}

impl Attack {
    fn new(name: &'static str, values: Vec<Vec<u8>>) -> Self {
        Self {
            name,
            values,
            answers: 0,
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.role {
        Role::Central { clock, keep } => attack_clock(&arguments.adapter, clock, &keep).await,
        Role::Clock { victim, replay } => {
            let (victim, hub) = known_of(&victim)?;
            let attacks = attacks_on_hub(&victim, &hub, &replay)?;
            attack_hub(arguments.adapter, victim, attacks).await
        }
    }
}

/// Returns attacks with malformed or badly sequenced values, for use against a clock or the hub.
fn broken_values() -> Vec<Attack> {
    let announced = |length: u16| [&[0xc0, 0][..], &length.to_be_bytes(), &[7; 16]].concat();
    let flood = (0..40).map(|number| match number {
        0 => [&[0x80, 0][..], &4_112_u16.to_be_bytes(), &[7; 16]].concat(),
        number => [&[number, 0][..], &[7; 18]].concat(),
    });
    vec![
        Attack::new("truncated to a byte", vec![vec![0xc0]]),
        Attack::new("without a payload", vec![vec![0xc0, 0]]),
        Attack::new("longer than any message", vec![announced(4_113)]),
        Attack::new("longer than it is", vec![announced(4_000)]),
        Attack::new("garbage", vec![vec![0xff; MAX_VALUE]]),
        Attack::new(
            "out of sequence",
            vec![[&[0xc5, 0][..], &16_u16.to_be_bytes(), &[7; 16]].concat()],
        ),
        Attack::new(
            "an acknowledgement of a value that was not sent",
            vec![vec![0, 0x80 | 33]],
        ),
        Attack::new("a message that never ends", flood.collect()),
    ]
}

/// Wraps a message as a single value with number `number`, which acknowledges `taken` values from the other end.
fn value(number: u8, taken: u8, message: &[u8]) -> Vec<u8> {
    let length = u16::try_from(message.len()).unwrap_or(u16::MAX);
    [&[0xc0 | number, taken][..], &length.to_be_bytes(), message].concat()
}

async fn attack_clock(adapter: &str, clock: Address, keep: &Path) -> Result<()> {
    let session = bluer::Session::new().await?;
    let adapter = session.adapter(adapter)?;
    adapter.set_powered(true).await?;
    let mut attacks = broken_values();
    // The second message of Noise IK has 48 bytes.
    attacks.push(Attack::new(
        "a forged handshake",
        vec![value(0, 1, &[0x5a; 48])],
    ));
    attacks.push(Attack::new(
        "a handshake cut short",
        vec![value(0, 1, &[0x5a; 31])],
    ));
    attacks.push(Attack::new("silence", Vec::new()));
    for attack in attacks {
        let device = found(&adapter, clock).await?;
        device
            .connect()
            .await
            .context("the clock does not connect")?;
        let (from_clock, to_clock) = both(&device).await?;
        let mut first = Vec::new();
        // The clock sends first: read up to the value that completes its message.
        while first
            .last()
            .is_none_or(|value: &Vec<u8>| value[0] & 0x40 == 0)
        {
            let value = timeout(PATIENCE, next(&from_clock)).await;
            first.push(
                value
                    .ok()
                    .flatten()
                    .context("the clock does not speak first")?,
            );
        }
        let lines = first.iter().map(hex::encode).collect::<Vec<_>>();
        std::fs::write(keep, lines.join("\n"))?;
        for value in &attack.values {
            // An error means that the clock has already disconnected.
            if to_clock.send(value).await.is_err() {
                break;
            }
        }
        let values = stream::unfold(&from_clock, async |from_clock| {
            Some((next(from_clock).await?, from_clock))
        });
        judge("the clock", &attack, values).await?;
        drop((from_clock, to_clock));
        // A device can be discovered again only after it has been disconnected.
        let _ = device.disconnect().await;
        adapter.remove_device(clock).await?;
    }
    Ok(())
}

async fn found(adapter: &Adapter, clock: Address) -> Result<Device> {
    let search = async {
        let mut heard = adapter.discover_devices().await?;
        while let Some(event) = heard.next().await {
            if matches!(event, AdapterEvent::DeviceAdded(address) if address == clock) {
                return Ok(adapter.device(clock)?);
            }
        }
        anyhow::bail!("the adapter has stopped scanning")
    };
    timeout(PATIENCE, search)
        .await
        .context("the clock does not advertise")?
}

/// Subscribes to the clock's values and opens a channel for values to the clock.
async fn both(device: &Device) -> Result<(CharacteristicReader, CharacteristicWriter)> {
    let from_clock = characteristic(device, FROM_CLOCK)
        .await?
        .notify_io()
        .await?;
    let to_clock = characteristic(device, TO_CLOCK).await?.write_io().await?;
    Ok((from_clock, to_clock))
}

async fn characteristic(device: &Device, uuid: u128) -> Result<Characteristic> {
    for service in device.services().await? {
        for characteristic in service.characteristics().await? {
            if characteristic.uuid().await? == Uuid::from_u128(uuid) {
                return Ok(characteristic);
            }
        }
    }
    anyhow::bail!("the clock has no characteristic {uuid:x}")
}

/// Returns the clock's next value; `None` if it disconnects.
async fn next(from_clock: &CharacteristicReader) -> Option<Vec<u8>> {
    let value = from_clock.recv().await.ok()?;
    (!value.is_empty()).then_some(value)
}

/// Returns the id of the clock with this state folder, and the X25519 public key of its hub.
fn known_of(state: &Path) -> Result<(AgentId, [u8; 32])> {
    let enrolment = Enrolment::load(state)?.context("the victim is not enrolled")?;
    let hub = enrolment.hub_exchange_key.as_slice().try_into()?;
    Ok((Keys::open(state)?.agent_id(), hub))
}

fn attacks_on_hub(victim: &AgentId, hub: &[u8; 32], replay: &Path) -> Result<Vec<Attack>> {
    let recorded = std::fs::read_to_string(replay)?;
    let recorded: Vec<Vec<u8>> = recorded
        .lines()
        .map(hex::decode)
        .collect::<Result<_, _>>()?;
    let next = u8::try_from(recorded.len())?;
    let mut attacks = broken_values();
    attacks.push(Attack::new(
        "a forged handshake",
        vec![value(0, 0, &[&[1, 1][..], &[0x5a; 128]].concat())],
    ));
    attacks.push(Attack::new(
        "an enrolment that was not requested",
        vec![value(0, 0, &[1, 2, 7, 7])],
    ));
    attacks.push(Attack {
        name: "a replayed handshake, then a forged frame",
        values: [recorded, vec![value(next, 0, &[0x5a; 64])]].concat(),
        answers: 1,
    });
    let own = LocalKeys {
        secret: &rand::random(),
        random: rand::random(),
    };
    let mut channel = Channel::session(own, victim, hub)?;
    let values = std::iter::from_fn(|| channel.next_value(MAX_VALUE)).collect();
    attacks.push(Attack::new("a stranger's key in this clock's name", values));
    Ok(attacks)
}

async fn attack_hub(adapter: String, victim: AgentId, attacks: Vec<Attack>) -> Result<()> {
    let mut radio = Peripheral::new(Some(adapter));
    let shown = AdvertisedClock {
        agent: victim,
        enrolled: true,
        name: "hostile".to_owned(),
        battery: None,
    };
    for attack in attacks {
        let connected = timeout(PATIENCE, radio.next(&shown)).await;
        let Values {
            mut incoming,
            outgoing,
            ..
        } = connected.context("the hub does not come back")??;
        for value in &attack.values {
            if outgoing.send(value.clone()).await.is_err() {
                break;
            }
        }
        let values = stream::poll_fn(|context| incoming.poll_recv(context));
        judge("the hub", &attack, values).await?;
    }
    Ok(())
}

async fn judge(whom: &str, attack: &Attack, values: impl Stream<Item = Vec<u8>>) -> Result<()> {
    let Attack {
        name, answers: may, ..
    } = attack;
    let answers = answers_until_disconnect(values, PATIENCE)
        .await
        .with_context(|| format!("{whom}, after the attack: {name}"))?;
    ensure!(
        answers <= *may,
        "{whom} sent {answers} values in answer to the attack: {name}"
    );
    println!("{whom} disconnects after the attack: {name}");
    Ok(())
}
