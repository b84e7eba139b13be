//! Import cycles: files of one crate that import each other, directly or indirectly.
//!
//! Owns the import graph: a name leads to the file that defines it, even if a different file re-exports it. A module may use its child modules: such
//! a use does not count.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;

const MAX_CYCLE: usize = 3;

/// A module's path from its crate's root, or the segments of a path in code.
type Path = Vec<String>;

#[derive(Default)]
struct Module {
    items: BTreeSet<String>,
    /// Imported paths, each with the name that it has in this file.
    imports: Vec<(Path, String)>,
    /// Paths in the code outside `use` declarations.
    paths: Vec<Path>,
}

struct Crate(BTreeMap<Path, Module>);

/// Returns a message for each cycle of more than three files within a crate. Test modules are not checked.
pub fn import_cycles(sources: &[Source]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Crate> = BTreeMap::new();
    for source in sources
        .iter()
        .filter(|source| !source.path.ends_with("/tests.rs"))
    {
        let file = source.path.strip_suffix(".rs");
        if let Some((name, file)) = file.and_then(|file| file.split_once("/src/")) {
            let root = matches!(file, "lib" | "main");
            let path = file.split('/').filter(|_| !root).map(str::to_owned);
            let modules = crates.entry(name).or_insert_with(|| Crate(BTreeMap::new()));
            // `lib.rs` and `main.rs` of one package share the root's place. The first in the order of the sources counts: `lib.rs`.
            let modules = modules.0.entry(path.collect());
            modules.or_insert_with(|| module(&source.text));
        }
    }
    let cycles = |(name, of): (&str, Crate)| -> Vec<String> {
        let cycles = of.cycles().into_iter();
        cycles
            .map(|files| format!("{name}: {} files import each other: {files:?}", files.len()))
            .collect()
    };
    crates.into_iter().flat_map(cycles).collect()
}

impl Crate {
    fn cycles(&self) -> BTreeSet<Vec<String>> {
        let modules = self.0.iter();
        let used = modules.map(|(at, module)| (at.clone(), self.used(at, module)));
        let used: BTreeMap<Path, BTreeSet<Path>> = used.collect();
        let reach = used.keys().map(|at| (at.clone(), reach(&used, at)));
        let reach: BTreeMap<Path, BTreeSet<Path>> = reach.collect();
        let cycle = |(at, reached): (&Path, &BTreeSet<Path>)| -> Vec<String> {
            let cycle = reached.iter().filter(|other| reach[*other].contains(at));
            cycle.map(|path| path.join("/")).collect()
        };
        let cycles = reach.iter().map(cycle);
        cycles.filter(|files| files.len() > MAX_CYCLE).collect()
    }

    fn used(&self, at: &[String], module: &Module) -> BTreeSet<Path> {
        let imports = module.imports.iter().map(|(path, _)| path);
        let owners = imports
            .chain(&module.paths)
            .filter_map(|path| self.owner(at, path, 8));
        owners.filter(|owner| !owner.starts_with(at)).collect()
    }

    /// Returns the file that defines the item that `path` names in the file `at`; `None` for a module or another crate. `depth` limits the number of
    /// re-exports that are followed.
    fn owner(&self, at: &[String], path: &[String], depth: usize) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.seek(&[], rest, depth),
            "self" => self.seek(at, rest, depth),
            "super" if rest.first().is_some_and(|next| next == "super") => {
                self.owner(at.split_last()?.1, rest, depth)
            }
            "super" => self.seek(at.split_last()?.1, rest, depth),
            _ => self.seek(at, path, depth),
        }
    }

    fn seek(&self, at: &[String], path: &[String], depth: usize) -> Option<Path> {
        let module = self.0.get(at)?;
        let (name, rest) = path.split_first()?;
        let child = [at, std::slice::from_ref(name)].concat();
        if self.0.contains_key(&child) {
            return self.seek(&child, rest, depth);
        }
        if module.items.contains(name) {
            return Some(at.to_vec());
        }
        let depth = depth.checked_sub(1)?;
        module
            .imports
            .iter()
            .find_map(|(to, bound)| match to.split_last()? {
                _ if bound == name => self.owner(at, &[to, rest].concat(), depth),
                (last, to) if last == "*" => self.owner(at, &[to, path].concat(), depth),
                _ => None,
            })
    }
}

fn reach(used: &BTreeMap<Path, BTreeSet<Path>>, from: &[String]) -> BTreeSet<Path> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(
            used[at]
                .iter()
                .filter(|other| reached.insert((*other).clone()))
                .map(Vec::as_slice),
        );
    }
    reached
}

fn module(text: &str) -> Module {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next();
    let lines = text.into_iter().flat_map(str::lines);
    let (mut module, mut import) = (Module::default(), String::new());
    for line in lines.filter(|line| !line.trim_start().starts_with("//")) {
        let words: Vec<&str> = line
            .split(|of: char| !of.is_alphanumeric() && of != '_')
            .collect();
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let seen = words
            .iter()
            .find(|word| !["pub", "crate", "super"].contains(word));
        if !import.is_empty() || seen == Some(&"use") {
            import.push_str(line);
            if line.ends_with(';') {
                let tree = import.split_once("use ").map_or("", |(_, tree)| tree);
                leaves(&[], tree.trim_end_matches(';'), &mut module.imports);
                import.clear();
            }
            continue;
        }
        const ITEMS: [&str; 8] = [
            "struct", "enum", "fn", "const", "static", "type", "trait", "union",
        ];
        let mut pairs = words.iter().zip(words.iter().skip(1));
        let item = pairs.find(|(word, name)| ITEMS.contains(word) && !ITEMS.contains(name));
        module.items.extend(
            item.filter(|_| !line.starts_with(' '))
                .map(|(_, name)| (*name).to_owned()),
        );
        let paths = line.split(|of: char| !of.is_alphanumeric() && of != '_' && of != ':');
        module
            .paths
            .extend(paths.filter(|path| path.contains("::")).map(segments));
    }
    module
}

fn segments(path: &str) -> Path {
    path.split("::")
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn leaves(prefix: &[String], tree: &str, found: &mut Vec<(Path, String)>) {
    let tree = tree.trim();
    if let Some((head, inner)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) {
        let prefix = [prefix, &segments(head)].concat();
        let (mut depth, mut start) = (0_u32, 0);
        for (index, of) in inner.char_indices().chain([(inner.len(), ',')]) {
            match of {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    leaves(&prefix, &inner[start..index], found);
                    start = index + 1;
                }
                _ => (),
            }
        }
    } else if !tree.is_empty() && !tree.starts_with("::") {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path = [prefix, &segments(path)].concat();
        path.pop_if(|last| last == "self" && !prefix.is_empty());
        let last = path.last().cloned().unwrap_or_default();
        let name = Some(name).filter(|name| !name.is_empty());
        found.push((path, name.map_or(last, str::to_owned)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let sources = files
            .iter()
            .map(|(name, text)| Source::new(&format!("a/src/{name}.rs"), text));
        import_cycles(&sources.collect::<Vec<_>>())
    }

    #[test]
    fn a_cycle_of_four_files_is_caught_through_re_exports() {
        let root = (
            "lib",
            "mod a;\nmod b;\nmod c;\nmod d;\npub use a::A;\npub use d::*;\n",
        );
        let first = ("a", "use super::b;\npub struct A(b::B);\n");
        let second = ("b", "use crate::{\n    c::{self, C},\n};\npub struct B;\n");
        let third = ("c", "pub(crate) struct C(crate::D);\n");
        let fourth = ("d", "use crate::A;\npub fn d() {}\npub struct D;\n");
        let found = cycles(&[root, first, second, third, fourth]);
        assert_eq!(
            found,
            [r#"a: 4 files import each other: ["a", "b", "c", "d"]"#]
        );
        for harmless in [
            "pub struct D;\n",
            "pub struct D;\n// crate::A\n\n#[cfg(test)]\nmod tests {\n    use crate::A;\n}\n",
        ] {
            assert!(cycles(&[root, first, second, third, ("d", harmless)]).is_empty());
        }
    }

    #[test]
    fn three_files_may_import_each_other_and_a_parent_its_children() {
        let a = ("a", "use crate::b::B;\npub struct A;\n");
        let b = ("b", "use crate::c::C;\npub struct B;\n");
        let c = (
            "c",
            "mod x;\nmod y;\nuse x::X;\nuse y::Y;\nuse crate::a::A;\npub struct C;\n",
        );
        let (x, y) = (
            ("c/x", "use super::C;\npub struct X;\n"),
            ("c/y", "use super::C;\npub struct Y;\n"),
        );
        assert!(cycles(&[("lib", ""), a, b, c, x, y]).is_empty());
    }
}
