//! The kit's verdicts: one line for each rule. Owns the layout; callers decide the verdicts.

use std::collections::BTreeMap;

use crate::rule::{JudgedSide, Rule, UNCHECKED};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Checked at least once, and never broken.
    Kept,
    /// Broken at least once; describes the first breach.
    Broken {
        /// The behaviour that the rule demands.
        expected: String,
        observed: String,
    },
    /// Not checked, with the reason.
    NotChecked(String),
}

/// A function that prints one line of the report. Called as soon as the line is known.
pub type Print = Box<dyn FnMut(&str) + Send>;

pub struct Report {
    verdicts: BTreeMap<Rule, Verdict>,
    printed: Vec<Rule>,
    /// Number of rules without a verdict: rules that this run did not reach, or that no scenario checks.
    untouched: usize,
    print: Print,
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Report").field(&self.verdicts).finish()
    }
}

impl Report {
    pub(crate) fn new(print: Print) -> Self {
        Self {
            verdicts: BTreeMap::new(),
            printed: Vec::new(),
            untouched: 0,
            print,
        }
    }

    /// Prints a line other than a verdict.
    pub(crate) fn say(&mut self, line: &str) {
        (self.print)(line);
    }

    /// Records one check. A broken rule is printed immediately, and only once.
    pub(crate) fn check(
        &mut self,
        rule: Rule,
        holds: bool,
        expected: impl Into<String>,
        observed: impl Into<String>,
    ) {
        if holds {
            let verdict = self.verdicts.entry(rule).or_insert(Verdict::Kept);
            if let Verdict::NotChecked(_) = verdict {
                *verdict = Verdict::Kept;
            }
            return;
        }
        if let Some(Verdict::Broken { .. }) = self.verdicts.get(&rule) {
            return;
        }
        let (expected, observed) = (expected.into(), observed.into());
        (self.print)(&format!(
            "WRONG {rule:<4} expected {expected}; got {observed}"
        ));
        self.printed.push(rule);
        self.verdicts
            .insert(rule, Verdict::Broken { expected, observed });
    }

    /// Records that a rule could not be checked, unless it has a verdict.
    pub(crate) fn not_checked(&mut self, rule: Rule, why: &str) {
        let verdict = Verdict::NotChecked(why.to_owned());
        self.verdicts.entry(rule).or_insert(verdict);
    }

    /// Prints the verdict on each of `rules` that was kept or could not be checked, unless it has been printed before.
    pub(crate) fn print_verdicts(&mut self, rules: &[Rule]) {
        for rule in rules {
            if self.printed.contains(rule) {
                continue;
            }
            let line = match self.verdicts.get(rule) {
                Some(Verdict::Kept) => format!("ok    {rule:<4} {}", rule.text()),
                Some(Verdict::NotChecked(why)) => {
                    format!("--    {rule:<4} {}: not checked: {why}", rule.text())
                }
                Some(Verdict::Broken { .. }) | None => continue,
            };
            self.printed.push(*rule);
            (self.print)(&line);
        }
    }

    /// Prints and counts the rules of the judged side that have no verdict.
    pub(crate) fn print_untouched(&mut self, side: JudgedSide) {
        for rule in Rule::ALL {
            if rule.binds(side) && !self.verdicts.contains_key(rule) {
                let text = rule.text();
                self.untouched += 1;
                (self.print)(&format!(
                    "--    {rule:<4} {text}: not checked: no scenario in this run reached it"
                ));
            }
        }
        for unchecked in UNCHECKED.iter().filter(|unchecked| unchecked.side == side) {
            for rule in unchecked.rules {
                self.untouched += 1;
                (self.print)(&format!("--    {rule:<4} not checked: {}", unchecked.why));
            }
        }
    }

    /// Returns the number of rules of the judged side that were not checked.
    pub fn unchecked_count(&self) -> usize {
        let verdicts = self.verdicts.values();
        let unchecked = verdicts.filter(|verdict| matches!(verdict, Verdict::NotChecked(_)));
        unchecked.count() + self.untouched
    }

    /// Returns the verdict on each rule that the run reached.
    pub fn verdicts(&self) -> &BTreeMap<Rule, Verdict> {
        &self.verdicts
    }

    pub fn broken_rules(&self) -> Vec<Rule> {
        let broken = |(rule, verdict): (&Rule, &Verdict)| {
            matches!(verdict, Verdict::Broken { .. }).then_some(*rule)
        };
        self.verdicts.iter().filter_map(broken).collect()
    }
}
