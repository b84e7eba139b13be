//! Reads the vectors for the naive clock, so that the oracle itself is tested against the contract.
//!
//! Owns a reader that handles only well-formed scripts. Must not be used to judge a script's form: the engine's reader does that, and
//! shares no code with this one.

use super::clock::{Act, Naive};
use super::control::{Bonus, Control, DAY, Period, SideControl, Tail, Until};
use super::script;

pub struct Verdict {
    pub wrong: Vec<String>,
    pub ticks: i64,
}

enum Line {
    Act(Act),
    Expect(Vec<(String, String)>),
}

/// Tick lengths, µs, longest first. A game of a hundred years advances in days, and its last second in ever shorter ticks.
const UNITS: [i64; 9] = [
    DAY,
    3_600_000_000,
    60_000_000,
    1_000_000,
    100_000,
    10_000,
    1_000,
    100,
    1,
];

/// Runs a well-formed script on the naive clock. Uses the longest ticks that do not skip a zero of the clock or a script line.
///
/// # Errors
/// Returns the first line that this reader does not understand, or an error if the script or its control is missing.
pub fn run(text: &str) -> Result<Verdict, String> {
    let mut lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .enumerate()
        .filter(|(_, line)| !line.is_empty());
    let (_, first) = lines.next().ok_or("an empty script")?;
    let notation = first.strip_prefix("control ").ok_or("no control")?;
    let control = control(notation).ok_or_else(|| format!("control {notation}"))?;
    let mut events = Vec::new();
    for (index, line) in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let event = event(&words).ok_or_else(|| format!("line {}: {line}", index + 1))?;
        events.push((index + 1, event));
    }
    let mut clock = Naive::new(&control);
    let (mut now, mut ticks, mut wrong) = (0, 0, Vec::new());
    for (number, (at, line)) in events {
        while now < at {
            let fits = |unit: &&i64| now + **unit <= at && clock.ticks_in(**unit);
            let unit = *UNITS.iter().find(fits).unwrap_or(&1);
            clock.tick(unit);
            now += unit;
            ticks += 1;
        }
        match line {
            Line::Act(act) => clock.act(act),
            Line::Expect(pairs) => {
                let shown = script::shown(&clock, &control);
                for (key, want) in pairs {
                    let got = shown
                        .iter()
                        .find(|(name, _)| *name == key)
                        .map(|(_, value)| value.as_str());
                    if got != Some(&want) {
                        wrong.push(format!(
                            "{number}: {key} expected {want}, naive clock {got:?}"
                        ));
                    }
                }
            }
        }
    }
    Ok(Verdict { wrong, ticks })
}

fn event(words: &[&str]) -> Option<(i64, Line)> {
    let ["at", at, rest @ ..] = words else {
        return None;
    };
    let at = time(at)?;
    let act = match rest {
        ["expect", pairs @ ..] => {
            let split = |pair: &&str| {
                pair.split_once('=')
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
            };
            return Some((
                at,
                Line::Expect(pairs.iter().map(split).collect::<Option<_>>()?),
            ));
        }
        ["start"] => Act::Start(0),
        ["start", name] => Act::Start(side(name)?),
        ["press", name] => Act::Press(side(name)?),
        ["pause"] => Act::Pause,
        ["resume"] => Act::Resume(None),
        ["resume", name] => Act::Resume(Some(side(name)?)),
        ["set", name, to] => Act::Set(side(name)?, time(to)?),
        ["add", name, by] => Act::Add(side(name)?, time(by)?),
        ["moves", name, to] => Act::Moves(side(name)?, to.parse().ok()?),
        ["refill", name] => Act::Refill(side(name)?, None),
        ["refill", name, amount] => Act::Refill(side(name)?, Some(time(amount)?)),
        ["end", "mate", name] => Act::Mate(side(name)?),
        ["end", "resign", name] => Act::Resign(side(name)?),
        ["end", "draw"] => Act::Draw,
        ["claim", "draw", name] => Act::Claim(side(name)?),
        _ => return None,
    };
    Some((at, Line::Act(act)))
}

fn side(name: &str) -> Option<usize> {
    ["white", "black"].iter().position(|known| *known == name)
}

fn control(notation: &str) -> Option<Control> {
    let (notation, runs_on) = notation
        .strip_suffix(" runs on")
        .map_or((notation, false), |rest| (rest, true));
    let (white, black) = notation.split_once(" vs ").unwrap_or((notation, notation));
    let sides = [side_control(white.trim())?, side_control(black.trim())?];
    Some(Control {
        same: sides[0] == sides[1],
        sides,
        runs_on,
    })
}

fn side_control(text: &str) -> Option<SideControl> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(match words[..] {
        ["up"] => SideControl::Up,
        ["move", each] => SideControl::Move(time(each)?),
        [main, "hourglass"] => SideControl::Hourglass(time(main)?),
        ["triple", days, ref guaranteed @ ..] => {
            SideControl::Triple(days.parse().ok()?, *guaranteed == ["gt"])
        }
        _ => SideControl::Periods(text.split(" : ").map(period).collect::<Option<_>>()?),
    })
}

fn period(text: &str) -> Option<Period> {
    let mut words = text.split_whitespace();
    let head = words.next()?;
    let (star, head) = head
        .strip_prefix('*')
        .map_or((false, head), |rest| (true, rest));
    let (until, head) = match head.split_once('/') {
        None => (Until::End, head),
        Some(("zero", rest)) => (Until::Zero, rest),
        Some((count, rest)) => (Until::Moves(count.parse().ok()?), rest),
    };
    let (main, increment) = head.split_once('+').unwrap_or((head, "0s"));
    let (main, increment) = (time(main)?, time(increment)?);
    let tail = match words.collect::<Vec<_>>()[..] {
        [] => Tail::None,
        ["cap", cap] => Tail::Cap(time(cap)?),
        ["delay", delay] => Tail::Delay(time(delay)?),
        ["bronstein", delay] => Tail::Bronstein(time(delay)?),
        ["grace", grace] => Tail::Grace(time(grace)?),
        ["byo", spec] => counted(spec, 'x').map(|(n, each)| Tail::Byo(n, each))?,
        ["canadian", spec] => counted(spec, '/').map(|(n, block)| Tail::Canadian(n, block))?,
        ["overtime", spec] => counted(spec, '/').map(|(n, each)| Tail::Overtime(n, each))?,
        ["extra", extra, "min", least, formula] => {
            let bonus = match formula {
                "hybrid" => Bonus::Hybrid,
                "linear" => Bonus::Linear,
                "truncated" => Bonus::Truncated,
                _ => return None,
            };
            Tail::Extra(time(extra)?, time(least)?, bonus)
        }
        _ => return None,
    };
    Some(Period {
        until,
        star,
        main,
        increment,
        tail,
    })
}

fn counted(spec: &str, by: char) -> Option<(u32, i64)> {
    let (count, each) = spec.split_once(by)?;
    Some((count.parse().ok()?, time(each)?))
}

/// Parses a duration, given as bare seconds or with units, and returns it in µs.
fn time(text: &str) -> Option<i64> {
    let (sign, mut rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut total = 0;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (number, behind) = rest.split_at(digits);
        let letters = behind
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(behind.len());
        let (name, behind) = behind.split_at(letters);
        let scale: i64 = match name {
            "d" => DAY,
            "h" => 3_600_000_000,
            "m" => 60_000_000,
            "s" | "" => 1_000_000,
            "ms" => 1_000,
            _ => return None,
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        total += whole.parse::<i64>().ok()? * scale;
        let mut place = scale;
        for digit in part.chars() {
            place /= 10;
            total += i64::from(digit.to_digit(10)?) * place;
        }
        rest = behind;
    }
    Some(sign * total)
}
