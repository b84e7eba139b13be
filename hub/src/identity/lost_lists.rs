//! Detects lists of enrolled identities that a data directory has lost. Every start creates the missing lists, so a list that is missing although
//! there is a log was lost. An identity that is not in its list is refused: the loss admits no one, and the identities in a lost list must enrol
//! again.

use std::path::Path;

use super::enrolled_list::Enrolled as _;
use super::{CHIEF_FILE, Device, Gateway, IdentityError, files, key_files};

/// Returns the files and folders of lists that are missing in `dir`, which holds an event's log. If the records of key files are missing,
/// moves the chief arbiter's key file aside, so that the start creates a new one. The caller holds the directory's lock.
///
/// # Errors
/// Returns [`IdentityError::Io`] if the directory cannot be read, or the key file cannot be moved.
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
