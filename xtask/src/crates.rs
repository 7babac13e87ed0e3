//! Packages for the registry of crates: the libraries under names that are free there, with the
//! network inside. Within this workspace they keep their short names.

use std::fs;
use std::path::Path;

use crate::Failure;
use crate::openbench::export;
use crate::shell::{self, Steps, cargo, target};

/// Folders of crates and their published names, from the bottom up.
const PUBLISHED: [(&str, &str); 6] = [
    ("chess", "halcyon-chess-rules"),
    ("atomic_file", "halcyon-chess-files"),
    ("memory", "halcyon-chess-memory"),
    ("nnue", "halcyon-chess-nnue"),
    ("engine", "halcyon-chess-engine"),
    ("review", "halcyon-chess-review"),
];
/// The registry takes no larger package.
const LIMIT: u64 = 10_000_000;

/// Makes a workspace of the published crates from the last commit, and lets cargo package and build
/// each of them from what would be uploaded; `--quick` leaves out the building.
pub(crate) fn run(quick: bool) -> Result<(), Failure> {
    let folder = target().join("crates");
    let mut steps = Steps::default();
    steps.step("workspace", || make(&folder))?;
    steps.step("packages", || {
        let mut package = cargo(&["package", "--workspace", "--allow-dirty"]);
        if quick {
            package.arg("--no-verify");
        }
        package.current_dir(&folder).env_remove("CARGO_TARGET_DIR").env("RUSTFLAGS", "");
        shell::run(package)
    })?;
    for (_, name) in PUBLISHED {
        let file = format!("target/package/{name}-{}.crate", env!("CARGO_PKG_VERSION"));
        let size = fs::metadata(folder.join(&file)).map_err(|error| format!("{file}: {error}"))?;
        println!("{name}: {} bytes of {LIMIT}", size.len());
        if size.len() > LIMIT {
            return Err(format!("{name} is too large"));
        }
    }
    if !quick {
        steps.step("example", || example(&folder))?;
    }
    steps.summary();
    println!("\n`cargo publish --workspace` in {} would publish them", folder.display());
    Ok(())
}

/// An export of the commit in which only the published crates are left, under their other names.
fn make(folder: &Path) -> Result<(), Failure> {
    export(folder)?;
    let change = |file: &str, action: &dyn Fn(&str) -> Result<String, Failure>| {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        fs::write(&path, action(&text)?).map_err(|error| format!("{file}: {error}"))
    };
    change("Cargo.toml", &|text| workspace(text))?;
    for (crate_name, published) in PUBLISHED {
        change(&format!("crates/{crate_name}/Cargo.toml"), &|text| {
            rename(text, crate_name, published)
        })?;
        copy(&folder.join("LICENSE"), &folder.join(format!("crates/{crate_name}/LICENSE")))?;
    }
    copy(&folder.join("nets/halcyon.nnue"), &folder.join("crates/nnue/halcyon.nnue"))
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

/// The manifest of the workspace with the published crates alone.
fn workspace(manifest: &str) -> Result<String, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let members = PUBLISHED.map(|(name, _)| format!("\"crates/{name}\"")).join(", ");
    let mut found = 0;
    let lines = manifest.lines().map(|line| {
        if line.starts_with("members = ") {
            return format!("members = [{members}]");
        }
        if line.starts_with("publish = false") {
            return String::from("publish = true");
        }
        if line.starts_with("default-members") {
            return String::new();
        }
        for (name, published) in PUBLISHED {
            let start = format!("{name} = {{ path = ");
            if let Some(rest) = line.strip_prefix(&start) {
                found += 1;
                return format!(
                    "{name} = {{ package = \"{published}\", version = \"={version}\", path = {rest}"
                );
            }
        }
        line.to_owned()
    });
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    if found == PUBLISHED.len() { Ok(text) } else { Err(format!("only {found} crates are listed")) }
}

/// The manifest of a crate under another name; the library keeps its own.
fn rename(manifest: &str, name: &str, published: &str) -> Result<String, Failure> {
    let (old, new) = (format!("name = \"{name}\"\n"), format!("name = \"{published}\"\n"));
    if !manifest.starts_with(&format!("[package]\n{old}")) || manifest.contains("[lib]") {
        return Err(format!("the manifest of {name} does not begin as expected"));
    }
    Ok(manifest.replacen(&old, &new, 1) + &format!("\n[lib]\nname = \"{name}\"\n"))
}

/// The example of the engine finds a mate.
fn example(folder: &Path) -> Result<(), Failure> {
    let mut run = cargo(&["run", "--quiet", "--package", "halcyon-chess-engine", "--example"]);
    run.args(["best_line", "--", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"]);
    run.current_dir(folder).env_remove("CARGO_TARGET_DIR").env("RUSTFLAGS", "");
    let printed = shell::text(run)?;
    print!("{printed}");
    if printed.starts_with("Ra8# ") { Ok(()) } else { Err("the example misses a mate".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::root;

    #[test]
    fn manifests_can_be_renamed() {
        let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
        let text = workspace(&read("Cargo.toml")).unwrap();
        assert!(text.contains("chess = { package = \"halcyon-chess-rules\", version = \"="));
        assert!(!text.contains("lab") && text.contains("\npublish = true\n"));
        for (name, published) in PUBLISHED {
            let text = rename(&read(&format!("crates/{name}/Cargo.toml")), name, published);
            let text = text.unwrap();
            assert!(text.contains(&format!("name = \"{published}\"")) && text.contains("[lib]"));
            assert!(text.contains("keywords = ") && text.contains("readme = "), "{name}");
        }
        assert!(rename("[package]\nname = \"other\"\n", "chess", "x").is_err());
        assert!(workspace("[workspace]\n").is_err());
    }
}
