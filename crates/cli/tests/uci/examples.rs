//! The examples of `docs/inspection.md`: what stands behind `$ halcyon` is run in an empty folder, and the
//! lines below it must be what it prints. `HALCYON_BLESS=1` writes them from scratch.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The words of a command line; blanks within double quotes do not part them.
fn words(text: &str) -> Vec<String> {
    let parts = text.split('"').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(str::to_owned).collect(),
        })
        .collect()
}

/// The page with the output of the program of today below every command.
fn with_output(page: &str, folder: &Path) -> (String, usize) {
    let (mut text, mut count) = (String::new(), 0);
    // Whether a line is one that a command has printed.
    let mut is_output = false;
    for line in page.lines() {
        if let Some(command) = line.strip_prefix("$ halcyon ") {
            let program = env!("CARGO_BIN_EXE_halcyon");
            let mut run = Command::new(program);
            run.args(words(command)).current_dir(folder).stdin(Stdio::null());
            let output = run.output().expect("the program runs");
            assert!(output.status.success(), "{command}: {output:?}");
            let printed = String::from_utf8(output.stdout).expect("the program writes text");
            text.push_str(&format!("{line}\n{printed}"));
            (is_output, count) = (true, count + 1);
        } else if line.starts_with("```") || !is_output {
            is_output = false;
            text.push_str(line);
            text.push('\n');
        }
    }
    (text, count)
}

#[test]
fn the_examples_of_the_page_on_inspection_are_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/inspection.md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let folder = std::env::temp_dir().join(format!("halcyon-examples-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (expected, count) = with_output(&page, &folder);
    fs::remove_dir_all(&folder).unwrap();
    if std::env::var_os("HALCYON_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    assert!(count >= 5, "only {count} examples");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(page, expected, "HALCYON_BLESS=1 cargo test -p halcyon --test uci examples");
}
