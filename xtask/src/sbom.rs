//! What a program is made of: a bill of materials (CycloneDX), and the licences of what is linked in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Failure;
use crate::shell::{self, cargo};

/// The page's packages whose code is in its bundle; esbuild only builds it.
const BUNDLED: [&str; 2] = ["@lichess-org/chessground", "ts-fsrs"];

/// A package that is linked in.
pub(crate) struct Linked {
    name: String,
    version: String,
    licence: String,
    /// SHA-256 of the package as the registry has it.
    checksum: Option<String>,
    /// Where its files are.
    folder: PathBuf,
    /// As package URLs name it.
    url: String,
    /// Package URLs of what it uses.
    uses: BTreeSet<String>,
}

/// Everything that is linked into a package of the workspace in `source` when it is built for this
/// target: no build scripts, no macros that run in the compiler, no features that are off.
pub(crate) fn linked(source: &Path, package: &str, triple: &str) -> Result<Vec<Linked>, Failure> {
    let edges = ["--edges", "normal,no-proc-macro", "--prefix", "depth", "--no-dedupe"];
    let mut tree = cargo(&["tree", "--locked", "--package", package, "--target", triple]);
    tree.args(edges).args(["--format", "|{p}"]).current_dir(source);
    let tree = shell::text(tree)?;
    let mut metadata = cargo(&["metadata", "--locked", "--format-version=1"]);
    metadata.args(["--filter-platform", triple]).current_dir(source);
    let metadata: Value =
        serde_json::from_str(&shell::text(metadata)?).map_err(|error| error.to_string())?;
    let lock = fs::read_to_string(source.join("Cargo.lock")).map_err(|error| error.to_string())?;
    collect(&tree, &metadata, &checksums(&lock))
}

/// Name and version of a package to its checksum, from `Cargo.lock`.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |entry: &str, name: &str| {
        let start = format!("{name} = \"");
        let rest = entry.lines().find_map(|line| line.strip_prefix(&start))?;
        Some(rest.trim_end_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .filter_map(|entry| {
            let key = (field(entry, "name")?, field(entry, "version")?);
            Some((key, field(entry, "checksum")?))
        })
        .collect()
}

/// `7|serde v1.0.0 (folder)` is a package seven steps from the root.
fn collect(
    tree: &str,
    metadata: &Value,
    checksums: &BTreeMap<(String, String), String>,
) -> Result<Vec<Linked>, Failure> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut path: Vec<String> = Vec::new();
    for line in tree.lines() {
        let (depth, words) = line.split_once('|').ok_or_else(|| format!("cargo tree: {line}"))?;
        let depth: usize = depth.parse().map_err(|_| format!("cargo tree: {line}"))?;
        let mut words = words.split(' ');
        let (name, version) =
            (words.next().unwrap_or(""), words.next().unwrap_or("").trim_start_matches('v'));
        let url = format!("pkg:cargo/{name}@{version}");
        path.truncate(depth);
        if let Some(user) = path.last() {
            found.entry(user.clone()).or_default().insert(url.clone());
        }
        found.entry(url.clone()).or_default();
        path.push(url);
    }
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let described: Vec<Linked> = packages
        .iter()
        .filter_map(|package| {
            let (name, version) = (text(&package["name"]), text(&package["version"]));
            let url = format!("pkg:cargo/{name}@{version}");
            let uses = found.get(&url)?.clone();
            let manifest = PathBuf::from(text(&package["manifest_path"]));
            let folder = manifest.parent().map(Path::to_path_buf).unwrap_or_default();
            let checksum = checksums.get(&(name.clone(), version.clone())).cloned();
            let licence = text(&package["license"]);
            Some(Linked { name, version, licence, checksum, folder, url, uses })
        })
        .collect();
    if described.len() == found.len() && !described.is_empty() {
        Ok(described)
    } else {
        Err(format!("{} packages are linked, {} described", found.len(), described.len()))
    }
}

/// Leaves one of each package that several programs are made of.
pub(crate) fn without_repetitions(packages: &mut Vec<Linked>) {
    packages.sort_by(|one, other| one.url.cmp(&other.url));
    packages.dedup_by(|one, other| one.url == other.url);
}

/// The packages of npm whose code is in the page.
pub(crate) fn bundled(page: &Path) -> Result<Vec<Linked>, Failure> {
    let package = |name: &&str| {
        let folder = page.join("node_modules").join(name);
        let file = folder.join("package.json");
        let json =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let json: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
        let text = |field: &str| json[field].as_str().unwrap_or_default().to_owned();
        let url = format!("pkg:npm/{}@{}", name.replace('@', "%40"), text("version"));
        Ok(Linked {
            name: (*name).to_owned(),
            version: text("version"),
            licence: text("license"),
            checksum: None,
            folder,
            url,
            uses: BTreeSet::new(),
        })
    };
    BUNDLED.iter().map(package).collect()
}

/// A bill of materials as CycloneDX 1.5 describes it. `time` is that of the commit.
pub(crate) fn cyclonedx(program: &str, packages: &[Linked], time: &str) -> String {
    let component = |package: &Linked, kind: &str| {
        let mut component = json!({
            "type": kind,
            "bom-ref": package.url,
            "name": package.name,
            "version": package.version,
            "purl": package.url,
            "licenses": [{ "expression": package.licence.replace('/', " OR ") }],
        });
        if let Some(checksum) = &package.checksum {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    };
    let (root, others): (Vec<&Linked>, Vec<&Linked>) =
        packages.iter().partition(|package| package.name == program);
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": root.first().map(|package| component(package, "application")),
        },
        "components": others.iter().map(|package| component(package, "library")).collect::<Vec<_>>(),
        "dependencies": packages
            .iter()
            .map(|package| json!({ "ref": package.url, "dependsOn": package.uses }))
            .collect::<Vec<_>>(),
    });
    format!("{bill:#}\n")
}

/// The licences of what is linked in: a list, then every text once with those whose it is.
pub(crate) fn licences(packages: &[Linked]) -> Result<String, Failure> {
    let mut page = String::from(
        "# What Halcyon is made of\n\nHalcyon is free software under the GPL, version 3 or later \
         (`LICENSE`). Linked into this program:\n\n",
    );
    let foreign = packages
        .iter()
        .filter(|package| package.checksum.is_some() || package.url.starts_with("pkg:npm"));
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in foreign {
        let Linked { name, version, licence, .. } = package;
        let _ = writeln!(page, "- {name} {version}: {licence}");
        for text in licence_texts(&package.folder)? {
            texts.entry(text).or_default().push(format!("{name} {version}"));
        }
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|one, other| one.1.cmp(&other.1).then_with(|| one.0.cmp(&other.0)));
    for (text, owners) in texts {
        let _ = write!(page, "\n## {}\n\n```\n{}\n```\n", owners.join(", "), text.trim_end());
    }
    Ok(page)
}

/// The texts of the licences in a package's folder.
fn licence_texts(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"]
                .iter()
                .any(|word| name.starts_with(word));
            path.is_file() && is_licence
        })
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let text = fs::read_to_string(path);
            let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(text.replace("\r\n", "\n"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_the_page_is_named() {
        let file = shell::root().join("crates/server/page/package.json");
        let json: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let listed = json["dependencies"].as_object().unwrap().keys();
        let linked: Vec<&String> = listed.filter(|name| *name != "esbuild").collect();
        assert_eq!(linked, BUNDLED);
    }

    const TREE: &str = "0|halcyon v1.0.0 (/x/cli)\n1|a v0.1.0\n2|b v2.0.0\n1|b v2.0.0\n";

    fn metadata(names: &[(&str, &str)]) -> Value {
        let package = |(name, version): &(&str, &str)| {
            json!({ "name": name, "version": version, "license": "MIT/Apache-2.0",
                    "manifest_path": format!("/x/{name}/Cargo.toml") })
        };
        json!({ "packages": names.iter().map(package).collect::<Vec<_>>() })
    }

    #[test]
    fn a_bill_names_what_is_linked_and_what_uses_it() {
        let lock = "[[package]]\nname = \"b\"\nversion = \"2.0.0\"\nchecksum = \"abc\"\n";
        let all = [("halcyon", "1.0.0"), ("a", "0.1.0"), ("b", "2.0.0"), ("unused", "1.0.0")];
        let packages = collect(TREE, &metadata(&all), &checksums(lock)).unwrap();
        assert_eq!(packages.len(), 3);
        let bill = cyclonedx("halcyon", &packages, "2026-01-01T00:00:00Z");
        let bill: Value = serde_json::from_str(&bill).unwrap();
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/halcyon@1.0.0");
        assert_eq!(bill["components"].as_array().unwrap().len(), 2);
        assert_eq!(bill["components"][1]["hashes"][0]["content"], "abc");
        assert_eq!(bill["components"][1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(
            bill["dependencies"][0]["dependsOn"],
            json!(["pkg:cargo/a@0.1.0", "pkg:cargo/b@2.0.0"])
        );
    }

    #[test]
    fn a_linked_package_without_description_is_an_error() {
        assert!(collect(TREE, &metadata(&[("halcyon", "1.0.0")]), &BTreeMap::new()).is_err());
        assert!(collect("", &metadata(&[]), &BTreeMap::new()).is_err());
        assert!(collect("nonsense", &metadata(&[]), &BTreeMap::new()).is_err());
    }
}
