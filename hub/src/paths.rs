//! Paths of directories that may not exist yet.

use std::path::Path;

/// Returns true if the directory `dir`, which need not exist yet, is `outer` or would be inside it.
pub(crate) fn is_inside(dir: &Path, outer: &Path) -> bool {
    let (Ok(whole), Ok(outer)) = (std::path::absolute(dir), std::path::absolute(outer)) else {
        return false;
    };
    let real = |path: &Path| {
        let mut ancestors = path.ancestors();
        let (kept, existing) =
            ancestors.find_map(|part| Some((part, part.canonicalize().ok()?)))?;
        let missing = path.strip_prefix(kept).ok()?;
        Some(existing.join(missing))
    };
    real(&whole)
        .zip(real(&outer))
        .is_some_and(|(dir, outer)| dir.starts_with(outer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_inside_another_by_any_path() {
        let dir = tempfile::tempdir().unwrap();
        let outer = dir.path().join("data");
        std::fs::create_dir(&outer).unwrap();
        std::os::unix::fs::symlink(&outer, dir.path().join("link")).unwrap();
        for inside in ["data", "data/new/deeper", "link/new"] {
            assert!(is_inside(&dir.path().join(inside), &outer), "{inside}");
        }
        for outside in ["data2", "other/data", ""] {
            assert!(!is_inside(&dir.path().join(outside), &outer), "{outside}");
        }
        let missing = dir.path().join("missing");
        assert!(is_inside(&missing.join("archive"), &missing));
    }
}
