//! Matches of the program against itself, from the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_halcyon-lab")).args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = lab(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("halcyon-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}

#[test]
fn an_ablation_is_played_resumed_and_written_down() {
    let folder = folder("ablate");
    let out = folder.to_str().unwrap();
    let run = |games: &str| {
        stdout(&[
            "ablate",
            "--only",
            "quiescence",
            "--games",
            games,
            "--nodes",
            "60",
            "--depth",
            "2",
            "--concurrency",
            "2",
            "--out",
            out,
        ])
    };
    run("4");
    let journal = folder.join("ablations.jsonl");
    // A heading, two measurements, two pairs.
    assert_eq!(lines(&journal), 5);
    run("4");
    assert_eq!(lines(&journal), 5, "what was played is not played again");
    run("8");
    assert_eq!(lines(&journal), 7);
    let page = fs::read_to_string(folder.join("ablations.md")).unwrap();
    assert!(page.contains("| Quiescence | on | ") && page.contains("| 8 (+"), "{page}");
    assert!(fs::read_to_string(folder.join("ablations.svg")).unwrap().contains("Quiescence"));
    let other = lab(&["ablate", "--only", "quiescence", "--depth", "3", "--out", out]);
    assert!(!other.status.success(), "a journal with other settings is not mixed up");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_test_that_is_lost_is_rejected_and_nonsense_refused() {
    let text = stdout(&[
        "sprt",
        "--new",
        "UseQuiescence=0",
        "--nodes",
        "100",
        "--elo1",
        "200",
        "--games",
        "200",
    ]);
    assert!(text.contains("rejected"), "{text}");
    for wrong in [
        &["sprt", "--new", "no_such_parameter=1"][..],
        &["sprt", "--new", "UseQuiescence=0", "--elo0", "9"],
        &["ablate", "--only", "nonsense"],
        &["spsa"],
        &["spsa", "--params", "nonsense"],
        &["sprt", "--new", "UseQuiescence=0", "--book", "/no/such/book"],
    ] {
        let output = lab(wrong);
        assert!(!output.status.success() && !output.stderr.is_empty(), "{wrong:?}");
    }
}

#[test]
fn parameters_are_tuned_where_they_can_be_changed() {
    let folder = folder("spsa");
    let file = folder.join("spsa.json");
    let arguments = [
        "spsa",
        "--params",
        "rfp_margin,lmr_quiet_base",
        "--steps",
        "3",
        "--nodes",
        "50",
        "--out",
        file.to_str().unwrap(),
    ];
    if engine::params::CHANGEABLE {
        let once = stdout(&arguments);
        assert!(once.contains("halcyon-lab sprt --new rfp_margin="), "{once}");
        assert_eq!(once, stdout(&arguments), "all steps are done: the same answer again");
    } else {
        let output = lab(&arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains("--features tune"), "{errors}");
    }
    assert!(stdout(&["spsa", "--list"]).contains("rfp_margin, int, "));
    assert!(stdout(&["ablate", "--list"]).contains("null-move"));
    fs::remove_dir_all(&folder).unwrap();
}
