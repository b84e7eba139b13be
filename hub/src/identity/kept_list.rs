//! Lists of those who enrolled with a code, in one private file of the data directory each: whole or as it was before. Owns how such a file
//! is read and replaced, and that who was shut out stays so; what stands in it is each list's own. Holds no private key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{IdentityError, files};

/// The form of the files.
const VERSION: u32 = 1;

/// That somebody is shut out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revoked {
    /// When: Unix time, microseconds.
    pub at_us: i64,
    /// By whom.
    pub by: String,
    /// Why, if a reason was given. Lists written by earlier programs have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Who stands in such a list.
pub trait Listed: Clone {
    /// File in the data directory.
    const FILE: &'static str;
    /// What each is known by.
    type Id: Clone + Ord;
    /// All of them as the file has them: one field, which is the list.
    type Lines: Serialize + DeserializeOwned;

    /// What this one is known by.
    fn id(&self) -> Self::Id;

    /// When it was enrolled: Unix time, microseconds.
    fn enrolled_us(&self) -> i64;

    /// Where it is kept that it is shut out.
    fn revoked(&mut self) -> &mut Option<Revoked>;

    /// For the file.
    fn to_lines(all: &[Self]) -> Self::Lines;

    /// From the file.
    ///
    /// # Errors
    /// What is wrong with a line.
    fn from_lines(lines: Self::Lines) -> Result<Vec<Self>, String>;
}

/// All of them.
#[derive(Debug)]
pub struct KeptList<L: Listed> {
    path: PathBuf,
    all: BTreeMap<L::Id, L>,
}

impl<L: Listed> KeptList<L> {
    /// Reads the list of the hub whose data lies in `dir`. The caller holds the directory's lock.
    ///
    /// # Errors
    /// [`IdentityError::Io`] or [`IdentityError::Damaged`]: a list is never replaced silently, because who was shut out stands in it.
    pub fn open(dir: &Path) -> Result<Self, IdentityError> {
        let path = dir.join(L::FILE);
        let all = if files::exists(&path)? {
            read(&files::read_private(&path)?).map_err(|what| IdentityError::Damaged {
                path: path.clone(),
                what,
            })?
        } else {
            BTreeMap::new()
        };
        Ok(Self { path, all })
    }

    /// The one of this id, shut out or not.
    pub fn get(&self, id: &L::Id) -> Option<&L> {
        self.all.get(id)
    }

    /// All of them, in the order of their enrolment.
    pub fn all(&self) -> Vec<L> {
        let mut all: Vec<_> = self.all.values().cloned().collect();
        all.sort_by_key(L::enrolled_us);
        all
    }

    /// Keeps `one`, in the place of one with the same id. On disk when this returns.
    ///
    /// # Errors
    /// [`IdentityError::Io`]; nothing has changed then.
    pub fn keep(&mut self, one: L) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        all.insert(one.id(), one);
        self.replace(all)
    }

    /// Shuts one out; who did so first stays. On disk when this returns.
    ///
    /// # Errors
    /// [`IdentityError::Io`]; nothing has changed then.
    pub fn revoke(&mut self, id: &L::Id, revoked: Revoked) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        if let Some(one) = all.get_mut(id) {
            one.revoked().get_or_insert(revoked);
        }
        self.replace(all)
    }

    /// The first that `is` it.
    pub(super) fn first(&self, is: impl FnMut(&&L) -> bool) -> Option<&L> {
        self.all.values().find(is)
    }

    fn replace(&mut self, all: BTreeMap<L::Id, L>) -> Result<(), IdentityError> {
        files::write_private(&self.path, &write(&all)?)?;
        self.all = all;
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct Kept<Lines> {
    version: u32,
    #[serde(flatten)]
    lines: Lines,
}

fn write<L: Listed>(all: &BTreeMap<L::Id, L>) -> Result<String, IdentityError> {
    let all: Vec<L> = all.values().cloned().collect();
    let kept = Kept {
        version: VERSION,
        lines: L::to_lines(&all),
    };
    serde_json::to_string_pretty(&kept).map_err(|error| IdentityError::Make(error.to_string()))
}

fn read<L: Listed>(text: &str) -> Result<BTreeMap<L::Id, L>, String> {
    let kept: Kept<L::Lines> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if kept.version != VERSION {
        return Err(format!("it has the form {}, not {VERSION}", kept.version));
    }
    let all = L::from_lines(kept.lines)?;
    Ok(all.into_iter().map(|one| (one.id(), one)).collect())
}
