//! What one simulated hall is like: every seed draws its own links, faults and people, so that some halls are nearly calm and some
//! are beyond what a hall would survive. Owns the ranges; never what a fault does.

use super::delay::LinkKind;
use super::random::Random;

/// A hall's parameters. Rates are per minute of the whole hall.
#[derive(Clone, Debug)]
pub struct Mix {
    /// Kinds of links; each board has one of them.
    pub links: Vec<LinkKind>,
    /// Of datagrams, this part is lost; a stream sends again instead, and is late.
    pub loss: f64,
    /// Of datagrams, this part comes twice.
    pub duplication: f64,
    /// Of datagrams, this part is overtaken by later ones.
    pub reordering: f64,
    /// Links cut.
    pub cuts: f64,
    /// How long on average, seconds.
    pub cut_seconds: f64,
    /// Of them, this part is cut in one direction only.
    pub one_way: f64,
    /// The whole hall cut at once.
    pub hall_cuts: f64,
    /// Links clogged for up to five seconds.
    pub clogs: f64,
    /// The hub's process dies.
    pub hub_kills: f64,
    /// The hub's machine loses power, and its timeline is found again within a bound.
    pub hub_reboots: f64,
    /// How long the hub is away on average, seconds.
    pub hub_away_seconds: f64,
    /// Of the hub's absences, this part lasts minutes.
    pub hub_long_away: f64,
    /// Of the hub's syncs, this part is slow.
    pub hub_slow_syncs: f64,
    /// The hub's disk fails, and the hub is started again by hand.
    pub hub_disk_failures: f64,
    /// An agent's process dies and is started again on the same boot.
    pub agent_kills: f64,
    /// An agent's machine loses power.
    pub agent_reboots: f64,
    /// An agent's machine sleeps.
    pub agent_sleeps: f64,
    /// An agent's journal cannot be written for a while.
    pub journal_failures: f64,
    /// An agent comes back with an empty journal.
    pub journal_losses: f64,
    /// A second machine with an agent's identity connects.
    pub clones: f64,
    /// Arbiters step in.
    pub interventions: f64,
    /// Of requests, this part is sent twice.
    pub repeats: f64,
    /// Of requests, this part rests on an old look at the board.
    pub stale: f64,
    /// Of presses, this part goes wrong: the other button, twice, or much too late.
    pub clumsy: f64,
    /// Of games, this part is lost on time.
    pub careless: f64,
    /// Think times are those of blitz times this.
    pub pace: f64,
    /// Crystals lie within this, parts per million.
    pub ppm: f64,
    /// The longest way of a press through the buttons, microseconds.
    pub buttons_us: i64,
    /// Boards whose clock lies.
    pub liars: usize,
    /// Boards whose crystal is out of bounds.
    pub bad_crystals: usize,
    /// Time controls.
    pub controls: Vec<&'static str>,
}

/// Controls in which much happens within minutes.
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
    /// The hall of a seed.
    pub fn draw(seed: u64, boards: usize) -> Self {
        let random = &mut Random::new(seed, 1);
        // Half of the halls have any given kind of trouble, and how much differs by more than ten to one.
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

    /// A hall of blitz in which nothing goes wrong but what good Wi-Fi does: for measuring speed.
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
