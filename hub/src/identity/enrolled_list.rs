//! Lists of enrolled identities, each in one private file of the data directory, replaced as a whole. Owns reading and replacing such a file, and the
//! rule that a revocation does not replace an earlier one; each list owns its entries. Must never hold a private key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{IdentityError, files};

const ADVICE: &str =
    "restore it from a copy, or move it away: each of its entries must then enrol again";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revoked {
    /// Time of the revocation: Unix time, microseconds.
    pub at_us: i64,
    pub by: String,
    /// The reason for the revocation; empty if none was given. Lists written by earlier versions have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

pub trait Enrolled: Clone + Serialize + DeserializeOwned {
    /// Name of the list: its key in the file, and the file's name without `.json`.
    const LIST: &'static str;
    type Id: Clone + Ord;

    fn id(&self) -> Self::Id;

    /// Returns the time of the enrolment: Unix time, microseconds.
    fn enrolled_us(&self) -> i64;

    fn revoked(&mut self) -> &mut Option<Revoked>;
}

#[derive(Debug)]
pub struct EnrolledList<L: Enrolled> {
    path: PathBuf,
    all: BTreeMap<L::Id, L>,
}

impl<L: Enrolled> EnrolledList<L> {
    /// Reads the list in the data directory `dir`, or creates an empty one. The caller must hold the directory's lock.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`] or [`IdentityError::Damaged`]. A list is never replaced silently, because it holds
    /// the revocations.
    pub fn open(dir: &Path) -> Result<Self, IdentityError> {
        let path = dir.join(format!("{}.json", L::LIST));
        let Some(mut kept) = files::find_json::<ListFile<L>>(&path, ADVICE)? else {
            let all = BTreeMap::new();
            write(&path, &all)?;
            return Ok(Self { path, all });
        };
        files::check_version(&path, kept.version, ADVICE)?;
        let all = kept.lists.remove(L::LIST);
        let none = || files::damaged(&path, format!("it contains no {}", L::LIST), ADVICE);
        let all = all.ok_or_else(none)?.into_iter();
        Ok(Self {
            all: all.map(|one| (one.id(), one)).collect(),
            path,
        })
    }

    /// Returns the entry with this id, revoked or not.
    pub fn get(&self, id: &L::Id) -> Option<&L> {
        self.all.get(id)
    }

    /// Returns all entries, in the order of their enrolment.
    pub fn all(&self) -> Vec<L> {
        let mut all: Vec<_> = self.all.values().cloned().collect();
        all.sort_by_key(L::enrolled_us);
        all
    }

    /// Stores an entry, replacing one with the same id. Durable on return.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`]. The list is then unchanged.
    pub fn keep(&mut self, one: L) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        all.insert(one.id(), one);
        self.replace(all)
    }

    /// Revokes an entry. An earlier revocation stays in place. Durable on return.
    ///
    /// # Errors
    /// Returns [`IdentityError::Io`]. The list is then unchanged.
    pub fn revoke(&mut self, id: &L::Id, revoked: Revoked) -> Result<(), IdentityError> {
        let mut all = self.all.clone();
        if let Some(one) = all.get_mut(id) {
            one.revoked().get_or_insert(revoked);
        }
        self.replace(all)
    }

    pub(super) fn first(&self, is: impl FnMut(&&L) -> bool) -> Option<&L> {
        self.all.values().find(is)
    }

    fn replace(&mut self, all: BTreeMap<L::Id, L>) -> Result<(), IdentityError> {
        write(&self.path, &all)?;
        self.all = all;
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct ListFile<L> {
    version: u32,
    /// The file's only list, keyed by its name.
    #[serde(flatten)]
    lists: BTreeMap<String, Vec<L>>,
}

fn write<L: Enrolled>(path: &Path, all: &BTreeMap<L::Id, L>) -> Result<(), IdentityError> {
    let all: Vec<&L> = all.values().collect();
    let kept = ListFile {
        version: files::FORMAT_VERSION,
        lists: [(L::LIST.to_owned(), all)].into(),
    };
    files::write_json(path, &kept)
}
