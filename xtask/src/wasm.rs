//! The engine as WebAssembly: the module, a folder for npm, and the page with the engine inside.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Failure;
use crate::page;
use crate::platform::has_target;
use crate::sbom;
use crate::shell::{self, cargo, command, root, target};
use crate::speed;

const TARGET: &str = "wasm32-unknown-unknown";
/// All browsers know 128-bit vectors, and the network needs them.
const FLAGS: &str = "-C target-feature=+simd128";
/// Sentences, motifs and PGN are not hot, and the module shall stay small.
const SMALL: &str = "profile.release.package.halcyon-chess-review.opt-level='s'";
/// Engine and network may have this many bytes.
const LIMIT: u64 = 3_500_000;
/// What npm downloads may have this many.
const PACKED_LIMIT: u64 = 4_000_000;
/// Everything that npm publishes, and nothing else.
const FILES: [&str; 13] = [
    "LICENSE",
    "README.md",
    "THIRD-PARTY.md",
    "engine.d.ts",
    "engine.js",
    "examples/node.mjs",
    "examples/page.html",
    "halcyon.wasm",
    "index.d.ts",
    "index.js",
    "package.json",
    "protocol.d.ts",
    "worker.js",
];
/// First lines of a new user of the package, and what they print.
const FIRST_LINES: &str = "\
import { Engine } from 'halcyon-chess';
const engine = await Engine.start();
const found = await engine.analyse({ fen: '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', depth: 4 });
console.log(found.lines[0].moves[0].san, found.lines[0].score);
engine.close();
";
const FIRST_ANSWER: &str = "Ra8# { mate: 1 }\n";
/// Plies of the bench in a test.
const SHALLOW: u32 = 6;

/// Builds everything for people to use, and tries it.
pub(crate) fn run() -> Result<(), Failure> {
    if !has_target(TARGET) {
        return Err(format!("the target is missing: rustup target add {TARGET}"));
    }
    page::install();
    let module = build(true)?;
    let size = fs::metadata(&module).map_err(|error| error.to_string())?.len();
    println!("{size} bytes of {LIMIT}");
    if size > LIMIT {
        return Err("the module is too large".into());
    }
    let package = package(&module)?;
    let size = newcomer(&package)?;
    println!("{size} bytes packed, of {PACKED_LIMIT}");
    if size > PACKED_LIMIT {
        return Err("the package is too large".into());
    }
    compare(&package, None)?;
    let page = page(&package)?;
    page::test_standalone(&page)?;
    println!("\nfor npm: {}\nthe page: {}", package.display(), page.display());
    Ok(())
}

/// The same with a module that is fast to build and full of assertions.
pub(crate) fn test() -> Result<(), Failure> {
    if !has_target(TARGET) {
        println!("skipped: WebAssembly (no target {TARGET})");
        return Ok(());
    }
    // The lints of the workspace do not see what only this target has.
    let mut lints = cargo(&["clippy", "--package", "wasm", "--target", TARGET]);
    lints.args(["--", "-D", "warnings"]).env("RUSTFLAGS", FLAGS);
    shell::run(lints)?;
    let package = package(&build(false)?)?;
    if !shell::succeeds(command("node", &["--version"])) {
        println!("skipped: the module is not run (no node here)");
        return Ok(());
    }
    compare(&package, Some(SHALLOW))?;
    newcomer(&package)?;
    if !page::has_packages() {
        println!("skipped: the page with the engine inside (no npm packages here)");
        return Ok(());
    }
    page::test_standalone(&page(&package)?)
}

fn build(release: bool) -> Result<PathBuf, Failure> {
    let profile = if release { "release" } else { "dev" };
    let mut build =
        cargo(&["build", "--package", "wasm", "--target", TARGET, "--profile", profile]);
    build.args(["--config", SMALL]).env("RUSTFLAGS", FLAGS);
    shell::run(build)?;
    let folder = if release { "release" } else { "debug" };
    Ok(target().join(TARGET).join(folder).join("halcyon_wasm.wasm"))
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

/// An empty folder.
fn fresh(name: &str) -> Result<PathBuf, Failure> {
    let folder = target().join("wasm").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// Everything that npm would publish.
fn package(module: &Path) -> Result<PathBuf, Failure> {
    let (folder, source) = (fresh("halcyon-chess")?, root().join("crates/wasm/npm"));
    fs::create_dir_all(folder.join("examples")).map_err(|error| error.to_string())?;
    for name in FILES.iter().filter(|name| source.join(name).exists()) {
        copy(&source.join(name), &folder.join(name))?;
    }
    let licences = sbom::licences(&sbom::linked(&root(), "wasm", TARGET)?)?;
    fs::write(folder.join("THIRD-PARTY.md"), licences).map_err(|error| error.to_string())?;
    copy(module, &folder.join("halcyon.wasm"))?;
    copy(&root().join("LICENSE"), &folder.join("LICENSE"))?;
    // The page's own types; one literal constant in it is a declaration as well.
    copy(&root().join("crates/server/page/src/protocol.ts"), &folder.join("protocol.d.ts"))?;
    let json =
        fs::read_to_string(source.join("package.json")).map_err(|error| error.to_string())?;
    let json = json.replace("\"0.0.0\"", &format!("{:?}", env!("CARGO_PKG_VERSION")));
    fs::write(folder.join("package.json"), json).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// The page, with the package beside it.
fn page(package: &Path) -> Result<PathBuf, Failure> {
    let folder = fresh("page")?;
    page::build(&folder, "standalone")?;
    for name in ["index.js", "worker.js", "halcyon.wasm"] {
        copy(&package.join(name), &folder.join(name))?;
    }
    Ok(folder)
}

/// Packs the package, installs it in an empty folder and uses it there; returns the bytes that npm
/// downloads.
fn newcomer(package: &Path) -> Result<u64, Failure> {
    let npm = |arguments: &[&str], folder: &Path| {
        let mut npm = command(page::NPM, arguments);
        npm.current_dir(folder).env("npm_config_update_notifier", "false");
        npm
    };
    if !shell::succeeds(npm(&["--version"], package)) {
        println!("skipped: the package is not packed (no npm here)");
        return Ok(0);
    }
    let folder = fresh("newcomer")?.canonicalize().map_err(|error| error.to_string())?;
    let to = folder.to_string_lossy().into_owned();
    let packed = shell::text(npm(&["pack", "--json", "--pack-destination", &to], package))?;
    let (file, size) = check_packed(&packed)?;
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    write("package.json", r#"{ "private": true, "type": "module" }"#)?;
    let archive = folder.join(file).to_string_lossy().into_owned();
    let install = ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error"];
    shell::run(npm(&[&install[..], &[&archive]].concat(), &folder))?;
    write("first.js", FIRST_LINES)?;
    let node = |file: &str| {
        let mut node = command("node", &[file]);
        node.current_dir(&folder);
        shell::text(node)
    };
    let printed = node("first.js")?;
    print!("{printed}");
    if printed != FIRST_ANSWER {
        return Err(format!("not {FIRST_ANSWER:?}"));
    }
    let examples = folder.join("node_modules/halcyon-chess/examples");
    for name in ["node.mjs", "page.html"] {
        copy(&examples.join(name), &folder.join(name))?;
    }
    let played = node("node.mjs")?;
    print!("{played}");
    if played.lines().next().is_none_or(|moves| moves.split(' ').count() != 8) {
        return Err("the example for Node has not played eight moves".into());
    }
    if page::has_packages() {
        copy(&root().join("crates/wasm/npm/test/types.ts"), &folder.join("types.ts"))?;
        let mut types = page::node_tool("typescript/bin/tsc");
        types.args(["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"]);
        types.args(["--types", "", "--lib", "es2022,dom", "types.ts"]).current_dir(&folder);
        shell::run(types)?;
        let mut page = command("node", &["--test", "crates/wasm/npm/test/page.test.mjs"]);
        page.env("HALCYON_FOLDER", &folder);
        shell::run(page)?;
    }
    Ok(size)
}

/// The name and the size of what `npm pack` has made, if it has the files that it should have.
fn check_packed(json: &str) -> Result<(String, u64), Failure> {
    let packed: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
    // Newer versions of npm give an object by names instead of a list.
    let packed = packed.get(0).or_else(|| packed.as_object()?.values().next()).unwrap_or(&packed);
    let files = packed["files"].as_array().ok_or_else(|| format!("npm pack says {json}"))?;
    let mut names: Vec<&str> = files.iter().filter_map(|file| file["path"].as_str()).collect();
    names.sort_unstable();
    if names != FILES {
        return Err(format!("npm packs {names:?}"));
    }
    let name = packed["filename"].as_str().ok_or("npm pack names no file")?;
    Ok((name.to_owned(), packed["size"].as_u64().unwrap_or(u64::MAX)))
}

/// Whether the module visits the same nodes as the program.
fn compare(package: &Path, depth: Option<u32>) -> Result<(), Failure> {
    let depth = depth.map(|depth| depth.to_string()).unwrap_or_default();
    let script = format!(
        "const {{ Halcyon }} = await import({:?});
         const engine = await Halcyon.load();
         const start = performance.now();
         const nodes = engine.bench({depth});
         const nps = Math.round(nodes / (performance.now() - start) * 1000);
         console.log(nodes + ' nodes ' + nps + ' nps');",
        format!("file://{}", package.join("index.js").display())
    );
    let module = shell::text(command("node", &["--input-type=module", "--eval", &script]))?;
    // In a test the program of the workspace is there; a build of its package alone would choose
    // other features and take minutes.
    let tested = target().join("debug/halcyon");
    let mut program = if depth.is_empty() || !tested.exists() {
        cargo(&["run", "--quiet", "--package", "halcyon", "--"])
    } else {
        command(&tested.to_string_lossy(), &[])
    };
    program.arg("bench").args(depth.split_whitespace());
    let program = shell::text(program)?;
    let nodes = |text: &str| speed::reading(text).map(|(nodes, _)| nodes);
    println!("WebAssembly under Node: {}", module.trim());
    match (nodes(&module), nodes(&program)) {
        (Some(one), Some(other)) if one == other => Ok(()),
        (one, other) => Err(format!("the module visits {one:?} nodes, the program {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_package_has_its_files_and_no_others() {
        let json = |names: &[&str]| {
            let files: Vec<Value> =
                names.iter().map(|name| serde_json::json!({ "path": name })).collect();
            serde_json::json!([{ "filename": "a.tgz", "size": 7, "files": files }]).to_string()
        };
        assert_eq!(check_packed(&json(&FILES)), Ok((String::from("a.tgz"), 7)));
        assert!(check_packed(&json(&FILES[1..])).is_err());
        let more = [&FILES[..], &["secret"]].concat();
        assert!(check_packed(&json(&more)).is_err());
        assert!(check_packed("{}").is_err());
    }
}
