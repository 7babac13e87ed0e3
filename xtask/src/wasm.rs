//! The engine as WebAssembly: the module, a folder for npm, and the page with the engine inside.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::page;
use crate::shell::{self, cargo, command, root, target};
use crate::speed;

const TARGET: &str = "wasm32-unknown-unknown";
/// All browsers know 128-bit vectors, and the network needs them.
const FLAGS: &str = "-C target-feature=+simd128";
/// Engine and network may have this many bytes.
const LIMIT: u64 = 3_000_000;
/// Plies of the bench in a test.
const SHALLOW: u32 = 6;

/// Builds everything for people to use, and tries it.
pub(crate) fn run() -> Result<(), Failure> {
    if !is_possible() {
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
    compare(&package, None)?;
    let page = page(&package)?;
    page::test_alone(&page)?;
    println!("\nfor npm: {}\nthe page: {}", package.display(), page.display());
    Ok(())
}

/// The same with a module that is fast to build and full of assertions.
pub(crate) fn test() -> Result<(), Failure> {
    if !is_possible() {
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
    if !page::has_packages() {
        println!("skipped: the page with the engine inside (no npm packages here)");
        return Ok(());
    }
    page::test_alone(&page(&package)?)
}

/// Whether the target is there, or rustup can get it.
fn is_possible() -> bool {
    has_target() || shell::succeeds(command("rustup", &["target", "add", TARGET])) && has_target()
}

fn has_target() -> bool {
    let print = ["--print", "target-libdir", "--target", TARGET];
    let folder = shell::text(command("rustc", &print)).unwrap_or_default();
    Path::new(folder.trim()).exists()
}

fn build(release: bool) -> Result<PathBuf, Failure> {
    let profile = if release { "release" } else { "dev" };
    let mut build =
        cargo(&["build", "--package", "wasm", "--target", TARGET, "--profile", profile]);
    build.env("RUSTFLAGS", FLAGS);
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
    for name in ["index.js", "index.d.ts", "worker.js", "README.md"] {
        copy(&source.join(name), &folder.join(name))?;
    }
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
    page::build(&folder, "alone")?;
    for name in ["index.js", "worker.js", "halcyon.wasm"] {
        copy(&package.join(name), &folder.join(name))?;
    }
    Ok(folder)
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
    let mut program = cargo(&["run", "--quiet", "--package", "halcyon", "--", "bench"]);
    program.args(depth.split_whitespace());
    let program = shell::text(program)?;
    let nodes = |text: &str| speed::reading(text).map(|(nodes, _)| nodes);
    println!("WebAssembly under Node: {}", module.trim());
    match (nodes(&module), nodes(&program)) {
        (Some(one), Some(other)) if one == other => Ok(()),
        (one, other) => Err(format!("the module visits {one:?} nodes, the program {other:?}")),
    }
}
