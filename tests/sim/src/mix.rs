//! The parameters of one simulated hall. Each seed draws links, faults and people, so some halls are nearly calm, and some have more faults than a
//! real hall could survive. Owns the ranges; the effects of the faults are elsewhere.

use super::delay::LinkKind;
use super::random::Random;

/// A hall's parameters. Rates are events per minute in the whole hall; `loss`, `duplication` and `reordering` are shares of the datagrams.
#[derive(Clone, Debug)]
pub struct Mix {
    pub links: Vec<LinkKind>,
    /// On the stream, a lost packet only causes a delay, because it is retransmitted.
    pub loss: f64,
    pub duplication: f64,
    pub reordering: f64,
    pub cuts: f64,
    /// The mean length of a link cut, in seconds, before a cap of one minute.
    pub cut_seconds: f64,
    /// The share of link cuts that affect only one direction.
    pub one_way: f64,
    /// The rate at which all links are cut at the same time.
    pub hall_cuts: f64,
    /// The rate at which links become congested, for up to five seconds.
    pub clogs: f64,
    pub hub_kills: f64,
    /// The rate at which the hub's machine loses power. The hub then recovers its timeline with a bounded error.
    pub hub_reboots: f64,
    /// The mean of the random part of the hub's short outages, in seconds, before a cap of one minute.
    pub hub_away_seconds: f64,
    /// The share of hub outages that last for minutes rather than seconds.
    pub hub_long_away: f64,
    /// The share of the hub's disk syncs that are slow.
    pub hub_slow_syncs: f64,
    /// The rate at which the hub's disk fails. The hub is then restarted by hand.
    pub hub_disk_failures: f64,
    /// The rate at which an agent's process crashes; it restarts within the same boot of its machine.
    pub agent_kills: f64,
    pub agent_reboots: f64,
    pub agent_sleeps: f64,
    /// The rate of outages during which an agent cannot write its journal.
    pub journal_failures: f64,
    /// The rate at which an agent returns with an empty journal.
    pub journal_losses: f64,
    /// The rate at which a second machine connects with an agent's identity.
    pub clones: f64,
    pub interventions: f64,
    /// The share of requests sent twice.
    pub repeats: f64,
    /// The share of requests based on an outdated view of the board.
    pub stale: f64,
    /// The share of presses on the wrong button or made twice. A quarter as many presses come much too late.
    pub clumsy: f64,
    /// The share of games in which one player ignores the time left.
    pub careless: f64,
    /// A factor applied to the players' think times.
    pub pace: f64,
    /// The largest constant error of a sound crystal, in parts per million; the temperature wave may add to it.
    pub ppm: f64,
    /// The longest delay from a press to the agent's input, in microseconds.
    pub buttons_us: i64,
    pub liars: usize,
    /// The number of boards whose clock has a crystal outside the permitted error.
    pub bad_crystals: usize,
    pub controls: Vec<&'static str>,
}

/// Time controls in which flag falls, changes of period and byo-yomi occur within minutes.
const CONTROLS: [&str; 14] = [
    "3m+2s",
    "3m",
    "1m+1s",
    "1m",
    "30s",
    "20s+1s",
    "5m+3s",
    "2m delay 2s",
    "1m bronstein 2s",
    "20s byo 3x5s",
    "10/40s : 30s+1s",
    "15s canadian 5/20s",
    "20s hourglass",
    "3m runs on",
];

impl Mix {
    pub fn draw(seed: u64, boards: usize) -> Self {
        let random = &mut Random::new(seed, 1);
        // Draws the amount of a trouble that occurs only in some halls.
        let some = |random: &mut Random, often: f64, lo: f64, hi: f64| {
            if random.chance(often) {
                random.scale(lo, hi)
            } else {
                0.0
            }
        };
        let links: Vec<LinkKind> = LinkKind::ALL
            .into_iter()
            .filter(|_| random.chance(0.4))
            .collect();
        let per_board = boards as f64 / 20.0;
        Self {
            links: if links.is_empty() {
                vec![LinkKind::WifiBusy]
            } else {
                links
            },
            loss: some(random, 0.8, 0.005, 0.3),
            duplication: some(random, 0.6, 0.01, 0.5),
            reordering: some(random, 0.6, 0.01, 0.3),
            cuts: some(random, 0.7, 0.3, 12.0) * per_board,
            cut_seconds: random.scale(0.3, 12.0),
            one_way: random.between(0.0, 0.7),
            hall_cuts: some(random, 0.3, 0.1, 0.6),
            clogs: some(random, 0.6, 0.3, 12.0) * per_board,
            hub_kills: some(random, 0.6, 0.15, 3.0),
            hub_reboots: some(random, 0.3, 0.1, 1.0),
            hub_away_seconds: random.scale(0.2, 20.0),
            hub_long_away: some(random, 0.2, 0.02, 0.3),
            hub_slow_syncs: some(random, 0.5, 0.001, 0.1),
            hub_disk_failures: some(random, 0.25, 0.05, 0.5),
            agent_kills: some(random, 0.5, 0.2, 5.0) * per_board,
            agent_reboots: some(random, 0.4, 0.2, 4.0) * per_board,
            agent_sleeps: some(random, 0.3, 0.2, 3.0) * per_board,
            journal_failures: some(random, 0.4, 0.2, 3.0) * per_board,
            journal_losses: some(random, 0.2, 0.1, 1.0) * per_board,
            clones: some(random, 0.2, 0.1, 1.0),
            interventions: some(random, 0.8, 0.5, 25.0) * per_board,
            repeats: some(random, 0.6, 0.02, 0.5),
            stale: some(random, 0.5, 0.02, 0.4),
            clumsy: some(random, 0.6, 0.005, 0.1),
            careless: some(random, 0.8, 0.02, 0.5),
            pace: random.scale(0.15, 3.0),
            ppm: if random.chance(0.2) { 97.0 } else { 40.0 },
            buttons_us: random.pick(&[0, 0, 2_000, 25_000]),
            liars: if random.chance(0.25) {
                1 + random.below(2)
            } else {
                0
            },
            bad_crystals: if random.chance(0.1) { 1 } else { 0 },
            controls: {
                let count = 1 + random.below(4);
                (0..count).map(|_| random.pick(&CONTROLS)).collect()
            },
        }
    }

    /// Draws the parameters of a hall without outages, faults or lies. Links lose, repeat, reorder and delay frames, as they do in any hall.
    pub fn honest(seed: u64, boards: usize) -> Self {
        let drawn = Self::draw(seed, boards);
        Self {
            loss: drawn.loss.min(0.02),
            reordering: drawn.reordering.min(0.02),
            cuts: 0.0,
            hall_cuts: 0.0,
            clogs: 0.0,
            hub_kills: 0.0,
            hub_reboots: 0.0,
            hub_slow_syncs: 0.0,
            hub_disk_failures: 0.0,
            agent_kills: 0.0,
            agent_reboots: 0.0,
            agent_sleeps: 0.0,
            journal_failures: 0.0,
            journal_losses: 0.0,
            clones: 0.0,
            liars: 0,
            bad_crystals: 0,
            ..drawn
        }
    }

    pub fn calm() -> Self {
        Self {
            links: vec![LinkKind::WifiQuiet],
            loss: 0.01,
            duplication: 0.0,
            reordering: 0.0,
            cuts: 0.0,
            cut_seconds: 1.0,
            one_way: 0.0,
            hall_cuts: 0.0,
            clogs: 0.0,
            hub_kills: 0.0,
            hub_reboots: 0.0,
            hub_away_seconds: 1.0,
            hub_long_away: 0.0,
            hub_slow_syncs: 0.0,
            hub_disk_failures: 0.0,
            agent_kills: 0.0,
            agent_reboots: 0.0,
            agent_sleeps: 0.0,
            journal_failures: 0.0,
            journal_losses: 0.0,
            clones: 0.0,
            interventions: 0.0,
            repeats: 0.0,
            stale: 0.0,
            clumsy: 0.0,
            careless: 0.05,
            pace: 1.0,
            ppm: 40.0,
            buttons_us: 0,
            liars: 0,
            bad_crystals: 0,
            controls: vec!["3m+2s"],
        }
    }
}
