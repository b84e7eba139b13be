//! Lists of enrolled identities that a data directory has lost. Each start makes those that are missing, so one that is missing beside a
//! log was lost. What is not in a list is refused, so a loss lets no one in; those who were in it enrol again.

use std::path::Path;

use super::enrolled_list::Enrolled as _;
use super::{CHIEF_FILE, Device, Gateway, IdentityError, files, key_files};

/// Returns the files and folders of lists that are missing in `dir`, which holds the log of an event. Without the records of key files,
/// moves the chief arbiter's aside: the start makes another one. The caller holds the directory's lock.
///
/// # Errors
/// Returns [`IdentityError::Io`].
pub fn lost_lists(dir: &Path) -> Result<Vec<String>, IdentityError> {
    let lists = [
        format!("{}.json", Device::LIST),
        format!("{}.json", Gateway::LIST),
        key_files::FOLDER.to_owned(),
    ];
    let mut lost = Vec::new();
    for list in lists {
        if !files::exists(&dir.join(&list))? {
            lost.push(list);
        }
    }
    if lost.iter().any(|list| list == key_files::FOLDER) && files::exists(&dir.join(CHIEF_FILE))? {
        files::set_aside(dir, &[CHIEF_FILE])?;
    }
    Ok(lost)
}
