//! The one-page report of a check, as text and as HTML. Owns the report's layout; `words` has its wording.

mod words;

use jiff::Timestamp;
use proto::evidence::Redaction;
use proto::ids::hex;

use crate::fault::Fault;
use crate::findings::Findings;
use crate::key::HubKey;
pub use words::Language;
use words::Words;

enum Line {
    Heading(&'static str),
    Row(&'static str, String),
}

/// Returns the report as plain text.
pub fn text(findings: &Findings, key: &HubKey, language: Language) -> String {
    let words = language.words();
    let mut text = format!("{}\n\n{}\n", words.title, verdict(findings, words));
    if let Some(fault) = &findings.fault {
        text.push_str(&format!("{}\n", fault_text(fault, words)));
    }
    for line in lines(findings, key, words) {
        match line {
            Line::Heading(heading) => text.push_str(&format!("\n{heading}\n")),
            Line::Row(name, value) => {
                let pad = 44_usize.saturating_sub(name.chars().count());
                text.push_str(&format!("  {name}{:pad$} {value}\n", ""));
            }
        }
    }
    text.push_str(&format!("\n{}\n", words.limits));
    text
}

/// Returns the report as an HTML page that loads no other file.
pub fn html(findings: &Findings, key: &HubKey, language: Language) -> String {
    let words = language.words();
    let class = match findings.is_sound() {
        true => "sound",
        false => "fault",
    };
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"verdict {class}\">{}</p>\n",
        words.title,
        verdict(findings, words)
    );
    if let Some(fault) = &findings.fault {
        body.push_str(&format!("<p>{}</p>\n", escaped(&fault_text(fault, words))));
    }
    let mut is_open = false;
    for line in lines(findings, key, words) {
        match line {
            Line::Heading(heading) => {
                let end = if is_open { "</table>\n" } else { "" };
                body.push_str(&format!("{end}<h2>{heading}</h2>\n<table>\n"));
                is_open = true;
            }
            Line::Row(name, value) => {
                let value = escaped(&value);
                body.push_str(&format!(
                    "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>\n"
                ));
            }
        }
    }
    let limits = words.limits;
    body.push_str(&format!("</table>\n<p class=\"limits\">{limits}</p>\n"));
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n{body}</body>\n</html>\n",
        language.tag(),
        words.title
    )
}

const STYLE: &str = "@page{size:A4;margin:18mm}body{font:11pt/1.4 sans-serif;max-width:48em;margin:2em auto;padding:0 1em;\
color:#111;background:#fff}h1{font-size:18pt}h2{font-size:12pt;margin:1.2em 0 .3em}table{border-collapse:collapse;width:100%}\
th{text-align:left;font-weight:normal;width:45%;vertical-align:top}td,th{padding:.2em .4em;border-bottom:1px solid #ccc;\
overflow-wrap:anywhere}.verdict{font-size:14pt;font-weight:bold;padding:.5em;border:2px solid}.sound{color:#0a5c2b}\
.fault{color:#9b1c1c}.limits{font-size:9pt}";

fn verdict(findings: &Findings, words: &Words) -> &'static str {
    match findings.is_sound() {
        true => words.sound,
        false => words.not_sound,
    }
}

fn fault_text(fault: &Fault, words: &Words) -> String {
    let kind = (words.kind)(fault.kind);
    match fault.index {
        Some(index) => format!("{} {index}: {kind} ({})", words.record, fault.detail),
        None => format!("{kind} ({})", fault.detail),
    }
}

fn lines(findings: &Findings, key: &HubKey, words: &Words) -> Vec<Line> {
    let header = &findings.header;
    let total = findings.records + findings.omitted;
    let mut lines = vec![
        Line::Heading(words.file),
        Line::Row(words.event, printable(&header.event_name)),
        Line::Row(words.log, printable(&header.log_origin)),
        Line::Row(words.content, games(findings, words)),
    ];
    if let Some((from, to)) = findings.span_us {
        let span = format!("{} – {}", time(from), time(to));
        lines.push(Line::Row(words.span, span));
    }
    lines.push(Line::Row(words.made, time(header.made_us)));
    let (readable, concealed) = (findings.open_names, findings.concealed_names);
    let names = format!(
        "{readable} {}, {concealed} {}",
        words.readable, words.concealed
    );
    lines.push(Line::Row(words.names, names));
    lines.push(Line::Heading(words.proof));
    lines.push(Line::Row(words.key, key.to_string()));
    for authority in &findings.authorities {
        let fingerprint = &authority.fingerprint;
        lines.push(match authority.unvouched_at {
            Some(index) => Line::Row(
                words.unvouched,
                format!("{fingerprint} ({} {index})", words.record),
            ),
            None => Line::Row(words.authority, fingerprint.clone()),
        });
    }
    if let Some(checkpoint) = &findings.checkpoint {
        lines.push(Line::Row(words.size, checkpoint.size.to_string()));
        lines.push(Line::Row(words.root, hex(&checkpoint.root)));
    }
    lines.push(Line::Row(words.continued, findings.continued.to_string()));
    lines.push(Line::Heading(words.checked));
    let of = words.of;
    let counts = [
        (words.records, format!("{} {of} {total}", findings.records)),
        (words.boards, findings.boards.to_string()),
        (words.clocks, findings.clocks.to_string()),
        (words.certified, findings.certified.to_string()),
        (words.events, findings.events.to_string()),
        (words.moves, findings.moves.to_string()),
        (words.flags, findings.flags.to_string()),
        (words.signed_requests, findings.signed_requests.to_string()),
        (words.unread_requests, findings.unread_requests.to_string()),
        (words.contradictions, findings.contradictions.to_string()),
    ];
    lines.extend(counts.map(|(name, value)| Line::Row(name, value)));
    lines
}

fn games(findings: &Findings, words: &Words) -> String {
    let games = &findings.header.games;
    let redaction = findings.header.redaction();
    let shown = match games.as_slice() {
        [] => words.whole_event.to_owned(),
        [game] => {
            let board = printable(&game.board);
            format!("{} {board}, {} {}", words.board, words.round, game.round)
        }
        [first, ..] => {
            let count = games.len();
            format!("{} {}, {count} {}", words.round, first.round, words.games)
        }
    };
    match redaction {
        Redaction::None => shown,
        Redaction::Players | Redaction::Everyone => format!("{shown}; {}", words.redacted),
    }
}

fn time(us: i64) -> String {
    let time = Timestamp::from_microsecond(us);
    time.map_or_else(|_| "–".to_owned(), |time| format!("{time:.3}"))
}

/// Returns at most 200 characters of a string from the file. Replaces characters that could control a terminal or reorder
/// the text.
fn printable(text: &str) -> String {
    let shown = text.chars().take(200);
    let is_plain = |c: char| {
        !c.is_control()
            && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let shown = shown.map(|c| if is_plain(c) { c } else { '\u{fffd}' });
    shown.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;

    fn key() -> HubKey {
        let verifier = proto::note::Verifier::new(
            "a/evidence",
            &[
                0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64,
                0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68,
                0xf7, 0x07, 0x51, 0x1a,
            ],
        );
        verifier.unwrap().into()
    }

    fn findings() -> Findings {
        let mut findings = Findings {
            records: 41,
            omitted: 9,
            ..Findings::default()
        };
        findings.header.event_name = "Open <b>\u{1b}[2J\u{202e}".to_owned();
        findings
    }

    #[test]
    fn every_language_has_the_verdict_and_the_counts() {
        for language in Language::ALL {
            let words = language.words();
            let sound = text(&findings(), &key(), language);
            assert!(sound.contains(words.sound) && sound.contains(&format!("41 {} 50", words.of)));
            assert!(sound.lines().count() < 40, "one page");
            let fault = Fault {
                index: Some(7),
                kind: FaultKind::ClockSignature,
                detail: "clock 1".to_owned(),
            };
            let findings = Findings {
                fault: Some(fault),
                ..findings()
            };
            let faulty = text(&findings, &key(), language);
            assert!(faulty.contains(words.not_sound));
            assert!(faulty.contains(&format!(
                "{} 7: {}",
                words.record,
                (words.kind)(FaultKind::ClockSignature)
            )));
            let page = html(&findings, &key(), language);
            assert!(page.contains(&format!("lang=\"{}\"", language.tag())));
            assert!(page.contains("Open &lt;b&gt;") && !page.contains("<b>"));
        }
    }

    #[test]
    fn texts_of_the_file_cannot_act_on_a_terminal() {
        let shown = text(&findings(), &key(), Language::English);
        assert!(
            !shown.contains('\u{1b}') && !shown.contains('\u{202e}'),
            "{shown}"
        );
    }
}
