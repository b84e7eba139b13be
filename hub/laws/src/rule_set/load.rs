//! Reads the files in `rules/` strictly, so that a misspelt rule causes an error and is not silently ignored.

use serde::{Deserialize, Deserializer, de::Error};
use timing::{Duration, GameResult, Side};
use toml::{Table, Value};

use super::RuleSet;

/// The error for a file that is not a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule set {key}: {why}")]
pub struct RuleSetError {
    /// The key of the file.
    pub key: String,
    /// The fault in the file.
    pub why: String,
}

/// Maximum number of files in a chain in which each file extends the next.
const MAX_CHAIN: usize = 4;

pub(super) fn parse(files: &[(&str, &str)]) -> Result<Vec<RuleSet>, RuleSetError> {
    files.iter().map(|(key, _)| parse_one(files, key)).collect()
}

fn parse_one(files: &[(&str, &str)], key: &str) -> Result<RuleSet, RuleSetError> {
    let failed = |why: String| RuleSetError {
        key: key.to_owned(),
        why,
    };
    let table = whole_table(files, key, MAX_CHAIN).map_err(failed)?;
    let mut rules: RuleSet = table
        .try_into()
        .map_err(|error: toml::de::Error| failed(error.message().to_owned()))?;
    rules.key = key.to_owned();
    Ok(rules)
}

/// Returns a file's table, completed by the files that it extends, except for their `titles`.
fn whole_table(files: &[(&str, &str)], key: &str, chain: usize) -> Result<Table, String> {
    if chain == 0 {
        return Err(format!("more than {MAX_CHAIN} files extend each other"));
    }
    let (_, text) = files
        .iter()
        .find(|(known, _)| *known == key)
        .ok_or_else(|| format!("there is no rule set {key} to extend"))?;
    let mut own: Table = text
        .parse()
        .map_err(|error: toml::de::Error| error.to_string())?;
    match own.remove("extends") {
        None => Ok(own),
        Some(Value::String(base)) => {
            let mut whole = whole_table(files, &base, chain - 1)?;
            whole.remove("titles");
            overlay(&mut whole, own);
            Ok(whole)
        }
        Some(_) => Err("`extends` names one rule set".to_owned()),
    }
}

/// Overwrites the values of `lower` with those of `upper`, table by table. If `lower` switches a rule off and `upper`
/// repeats the rule without `off`, the rule applies.
fn overlay(lower: &mut Table, upper: Table) {
    if !upper.contains_key("off") {
        lower.remove("off");
    }
    for (name, value) in upper {
        match (lower.get_mut(&name), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            (_, value) => {
                lower.insert(name, value);
            }
        }
    }
}

pub(super) fn duration<'de, D: Deserializer<'de>>(reader: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(reader)?;
    text.parse()
        .map_err(|error| D::Error::custom(format!("{text}: {error}")))
}

pub(super) fn optional_duration<'de, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<Duration>, D::Error> {
    duration(reader).map(Some)
}

pub(super) fn results<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<GameResult>, D::Error> {
    let words = Vec::<String>::deserialize(reader)?;
    let read = |word: &String| {
        GameResult::from_word(word)
            .ok_or_else(|| D::Error::custom(format!("{word} is not a result")))
    };
    words.iter().map(read).collect()
}

pub(super) fn side<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Side>, D::Error> {
    let word = String::deserialize(reader)?;
    Side::from_word(&word)
        .map(Some)
        .ok_or_else(|| D::Error::custom(format!("{word} is neither white nor black")))
}
