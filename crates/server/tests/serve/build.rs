//! The build script where there is no npm.

use std::fs;
use std::path::Path;
use std::process::Command;

use server::Problem;

#[test]
fn without_npm_the_rest_is_built_and_serve_knows_why() {
    let folder = std::env::temp_dir().join(format!("halcyon-no-npm-{}", std::process::id()));
    let (empty, out) = (folder.join("empty"), folder.join("out"));
    fs::create_dir_all(&empty).unwrap();
    fs::create_dir_all(&out).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
    let script = folder.join("script");
    let mut compiler = Command::new("rustc");
    compiler.args(["--edition", "2024", "-C", "debuginfo=0", "-o"]).arg(&script).arg(source);
    assert!(compiler.status().unwrap().success());
    // Nothing is on the path, and there are no packages.
    let mut build = Command::new(&script);
    build.env_clear().env("PATH", &empty).env("CARGO_MANIFEST_DIR", &empty).env("OUT_DIR", &out);
    let built = build.output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let said = String::from_utf8(built.stdout).unwrap();
    let warning = "cargo::warning=the board's page is left out: npm is not installed\n";
    assert!(said.contains(warning), "{said}");
    let files = fs::read_to_string(out.join("files.rs")).unwrap();
    assert_eq!(files, "Err(\"npm is not installed\")");
    let problem = Problem::NoPage("npm is not installed").to_string();
    assert!(problem.contains("(npm is not installed). Install npm"), "{problem}");
    fs::remove_dir_all(folder).unwrap();
}
