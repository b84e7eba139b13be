//! Time controls spelled out for players: `90 min + 30 s per move`.
//!
//! Owns only the wording: parses the engine's notation and never validates it. Unknown notation is shown unchanged. The live page uses the same words
//! (`tests/control-words.txt` tests both).

/// Returns the wording for a time control. `notation` must be the shortest notation of that time control.
pub fn control_words(notation: &str) -> String {
    let both = notation.strip_suffix(" runs on").unwrap_or(notation);
    match both.split_once(" vs ") {
        Some((white, black)) => format!("White {}. Black {}", side(white), side(black)),
        None => side(both),
    }
}

fn side(notation: &str) -> String {
    let periods: Vec<_> = notation.split(" : ").collect();
    let last = periods.len().saturating_sub(1);
    let words: Vec<_> = periods
        .iter()
        .enumerate()
        .map(|(place, text)| period(text, place == last && place > 0))
        .collect();
    words.join(", then ")
}

fn period(text: &str, last_of_many: bool) -> String {
    try_period(text, last_of_many).unwrap_or_else(|| text.to_owned())
}

fn try_period(text: &str, last_of_many: bool) -> Option<String> {
    let (head, tail) = text.split_once(' ').unwrap_or((text, ""));
    match head {
        "up" if tail.is_empty() => return Some("time counted up, no limit".into()),
        "move" => return Some(format!("{} for each move", duration(tail)?)),
        "triple" => {
            let (days, guaranteed) = match tail.strip_suffix(" gt") {
                Some(days) => (days, ", guaranteed time"),
                None => (tail, ""),
            };
            return Some(format!("Triple Block, {} days{guaranteed}", number(days)?));
        }
        _ => (),
    }
    let (count, granted) = match head.split_once('/') {
        Some((count, granted)) => (Some(count), granted),
        None => (None, head),
    };
    let main = granted_words(granted)?;
    let main = match count {
        None => main,
        Some("zero") => format!("{main} until used up"),
        Some(count) => {
            let (star, count) = match count.strip_prefix('*') {
                Some(count) => (true, count),
                None => (false, count),
            };
            let each = if star || last_of_many { "every " } else { "" };
            format!("{each}{} moves in {main}", number(count)?)
        }
    };
    tail_words(main, granted, tail)
}

/// Returns the wording for a main time with or without an increment, such as `90m+30s`.
fn granted_words(granted: &str) -> Option<String> {
    match granted.split_once('+') {
        Some((main, increment)) => Some(format!(
            "{} + {} per move",
            duration(main)?,
            duration(increment)?
        )),
        None => duration(granted),
    }
}

fn tail_words(main: String, granted: &str, tail: &str) -> Option<String> {
    let (word, rest) = tail.split_once(' ').unwrap_or((tail, ""));
    // "0s byo 3x30s" has no main time to mention.
    let after = |words: String| match granted {
        "0s" => words,
        _ => format!("{main}, then {words}"),
    };
    Some(match word {
        "" => main.clone(),
        "cap" => format!("{main}, never over {}", duration(rest)?),
        "delay" => format!("{main}, {} delay", duration(rest)?),
        "bronstein" => format!("{main}, {} Bronstein delay", duration(rest)?),
        "hourglass" => format!("hourglass of {main}"),
        "grace" => format!("{main}, then {} grace", duration(rest)?),
        "byo" => {
            let (periods, each) = rest.split_once('x')?;
            after(format!(
                "byo-yomi {} × {}",
                number(periods)?,
                duration(each)?
            ))
        }
        "canadian" => {
            let (stones, block) = rest.split_once('/')?;
            after(format!(
                "every {} moves in {}",
                number(stones)?,
                duration(block)?
            ))
        }
        "extra" => {
            let (extra, _bonus) = rest.split_once(" min ")?;
            after(format!("{} extra time", duration(extra)?))
        }
        "overtime" => {
            let (points, each) = rest.split_once('/')?;
            format!(
                "{main}, then {} points off for every {}",
                number(points)?,
                duration(each)?
            )
        }
        _ => return None,
    })
}

fn number(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then_some(text)
}

/// Formats `1h30m` as `1 h 30 min`.
fn duration(text: &str) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .filter(|&at| at > 0)?;
        let (count, after) = rest.split_at(digits);
        let letters = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(letters);
        let unit = match unit {
            "d" if count == "1" => "day",
            "d" => "days",
            "m" => "min",
            "h" | "s" | "ms" => unit,
            _ => return None,
        };
        words.push(format!("{count} {unit}"));
        rest = after;
    }
    (!words.is_empty()).then(|| words.join(" "))
}
