//! The libraries as packages for the registry of crates, and a program of a stranger that uses them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Failure;
use crate::shell::{self, Steps, cargo, root, target};

/// Folders of crates and their published names, from the bottom up. Within the workspace they are
/// known by the names of their folders.
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
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Packages the crates and builds each of them from what would be uploaded; `--quick` leaves out the
/// building.
pub(crate) fn run(quick: bool) -> Result<(), Failure> {
    let mut steps = Steps::default();
    steps.step("packages", || package(quick))?;
    steps.step("sizes", check_sizes)?;
    if !quick {
        steps.step("newcomer", newcomer)?;
    }
    steps.summary();
    let names = PUBLISHED.map(|(_, name)| format!("-p {name}")).join(" ");
    println!("\n`cargo publish {names}` would publish them");
    Ok(())
}

fn package(quick: bool) -> Result<(), Failure> {
    let mut package = cargo(&["package", "--allow-dirty"]);
    for (_, name) in PUBLISHED {
        package.args(["--package", name]);
    }
    if quick {
        package.arg("--no-verify");
    }
    shell::run(package)
}

fn check_sizes() -> Result<(), Failure> {
    for (_, name) in PUBLISHED {
        let file = target().join(format!("package/{name}-{VERSION}.crate"));
        let size = fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        println!("{name}: {} bytes of {LIMIT}", size.len());
        if size.len() > LIMIT {
            return Err(format!("{name} is too large"));
        }
    }
    Ok(())
}

/// A program outside of this workspace that knows nothing but the packages: it finds a mate.
fn newcomer() -> Result<(), Failure> {
    let folder = target().join("crates-newcomer");
    let packages = folder.join("packages");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    for inner in [&folder.join("src"), &packages] {
        fs::create_dir_all(inner).map_err(|error| error.to_string())?;
    }
    for (_, name) in PUBLISHED {
        let archive = target().join(format!("package/{name}-{VERSION}.crate"));
        let mut unpack = shell::command("tar", &["xzf", &archive.to_string_lossy(), "-C"]);
        unpack.arg(&packages);
        shell::text(unpack)?;
    }
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    write("Cargo.toml", &manifest())?;
    let example = root().join("crates/engine/examples/best_line.rs");
    let example = fs::read_to_string(example).map_err(|error| error.to_string())?;
    write("src/main.rs", &example)?;
    let printed = try_out(&folder)?;
    print!("{printed}");
    if printed.starts_with("Ra8# ") { Ok(()) } else { Err("the example misses a mate".into()) }
}

/// Asks for the engine as anyone would; the packages take the place of the registry's.
fn manifest() -> String {
    let mut text = format!(
        "[package]\nname = \"newcomer\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nhalcyon-chess-engine = \"{VERSION}\"\n\n[patch.crates-io]\n"
    );
    for (_, name) in PUBLISHED {
        let _ = writeln!(text, "{name} = {{ path = \"packages/{name}-{VERSION}\" }}");
    }
    text
}

fn try_out(folder: &Path) -> Result<String, Failure> {
    let mut run =
        cargo(&["run", "--quiet", "--release", "--", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"]);
    run.current_dir(folder).env_remove("CARGO_TARGET_DIR").env("RUSTFLAGS", "");
    shell::text(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the registry and docs.rs show of a package, and that its parts agree about the version.
    #[test]
    fn published_crates_are_described() {
        let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
        let workspace = read("Cargo.toml");
        for (folder, name) in PUBLISHED {
            let manifest = read(&format!("crates/{folder}/Cargo.toml"));
            for line in [
                &format!("[package]\nname = \"{name}\"\n") as &str,
                &format!("[lib]\nname = \"{folder}\"\n"),
                "\npublish = true\n",
                "\ndescription = \"",
                "\nreadme = \"README.md\"\n",
                "\nkeywords = [",
                "\ncategories = [",
                "\n[package.metadata.docs.rs]\n",
            ] {
                assert!(manifest.contains(line), "{name} has no {line:?}");
            }
            let readme = read(&format!("crates/{folder}/README.md"));
            assert!(readme.starts_with(&format!("# {name}\n")), "{name}: {readme}");
            let listed =
                format!("\n{folder} = {{ package = \"{name}\", version = \"={VERSION}\", path = ");
            assert!(workspace.contains(&listed), "{name} is not in the workspace as {listed:?}");
        }
    }
}
