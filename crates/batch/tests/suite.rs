//! Suites from file to report, with this engine and with one that only pretends to think.

use std::path::{Path, PathBuf};
use std::time::Duration;

use batch::engines::{Budget, EngineConfig};
use batch::suite::cli::{SuiteArgs, suite};
use batch::suite::{Halcyon, Player, Request, SuiteReport, join, read_suite, run};
use batch::uci_engine::UciEngine;
use clap::Parser;
use serde_json::Value;

fn scratch(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("halcyon-suite-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

fn halcyon() -> Halcyon {
    Halcyon::new(&EngineConfig { threads: 1, hash: 1, network: None, syzygy: None }).unwrap()
}

const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/4R1K1 w - - bm Re8#; id \"mate in one\";
8/k1P5/8/K7/8/8/8/8 w - - am c8=Q; id \"stalemate\";
r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - bm #3;
# a remark
8/8/8/8/8/8/8/K1k5 w - - c0 \"asks for nothing\";
";

fn solve(players: &mut [Box<dyn Player>], budget: Budget) -> SuiteReport {
    let path = scratch(&format!("{}.epd", players.len()), SUITE);
    let tasks = read_suite(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(tasks.len(), 3);
    let mut report = SuiteReport::default();
    run(&tasks, players, Request { budget, tolerance: 50, progress: false }, &mut report).unwrap();
    report
}

#[test]
fn this_engine_solves_an_easy_suite_and_the_report_says_so() {
    let mut players: Vec<Box<dyn Player>> = vec![Box::new(halcyon())];
    let report = solve(&mut players, Budget::Nodes(50_000));
    let engine = &report.engines[0];
    assert_eq!((engine.solved, engine.tasks), (3, 3));
    assert_eq!((engine.broken_lines, engine.false_mates), (0, 0));
    assert_eq!(engine.shortest, 1, "only one task names a distance");
    assert_eq!(report.tasks[2].answers[0].mate, Some(3));
    assert_eq!(report.tasks[2].answers[0].line.split(' ').count(), 5);
    assert!(report.table().contains("Halcyon       3   100.0"), "{}", report.table());
}

#[test]
fn runs_are_set_side_by_side() {
    let mut players: Vec<Box<dyn Player>> = vec![Box::new(halcyon())];
    let deep = solve(&mut players, Budget::Nodes(50_000));
    let shallow = solve(&mut players, Budget::Depth(1));
    let mut part = deep.clone();
    part.tasks.remove(0);
    let both =
        join(&[("deep".into(), deep.clone()), ("flat".into(), shallow), ("part".into(), part)]);
    let both = both.unwrap();
    assert_eq!((both.tasks.len(), both.engines.len()), (2, 3), "tasks that all have");
    assert!(both.tasks.iter().all(|task| task.answers.len() == 3));
    assert_eq!((both.engines[0].solved, both.engines[0].tasks), (2, 2));
    assert!(both.table().contains("Halcyon (deep)"), "{}", both.table());
    let json = serde_json::to_string(&deep).unwrap();
    let again: SuiteReport = serde_json::from_str(&json).unwrap();
    assert_eq!(again.table(), deep.table());
    assert!(join(&[("a".into(), deep), ("b".into(), SuiteReport::default())]).is_err());
}

/// The sub-command as it is called.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    args: SuiteArgs,
}

fn call(words: &[&str]) -> Result<String, String> {
    let line = CommandLine::try_parse_from([&["suite"], words].concat());
    let mut printed = String::new();
    let done = suite(&line.map_err(|error| error.to_string())?.args, &mut |text| {
        printed.push_str(text);
    });
    done.map(|()| printed).map_err(|error| error.to_string())
}

/// A report without what differs from run to run.
fn timeless(path: &Path) -> Value {
    let mut report: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    for engine in report["engines"].as_array_mut().unwrap() {
        engine["seconds"] = Value::Null;
    }
    for task in report["tasks"].as_array_mut().unwrap() {
        task["answers"][0]["milliseconds"] = Value::Null;
    }
    report
}

#[test]
fn parts_put_together_are_the_whole() {
    let file = scratch("parts.epd", SUITE);
    let (file, json) = (file.to_string_lossy(), |name: &str| scratch(name, ""));
    let solve = |path: &Path, more: &[&str]| {
        let path = path.to_string_lossy();
        let words = [&[&*file, "--nodes", "2000", "--hash", "1", "--json", &path], more].concat();
        call(&words).unwrap();
    };
    let (whole, all, parts) = (
        json("whole.json"),
        json("all.json"),
        ["1/2", "2/2"].map(|part| (part, json(&format!("part{}.json", &part[..1])))),
    );
    solve(&whole, &[]);
    for (part, path) in &parts {
        solve(path, &["--shard", part]);
    }
    let [one, two] = parts.each_ref().map(|(_, path)| path.to_string_lossy());
    let all_name = all.to_string_lossy();
    // In any order.
    let printed = call(&["--merge", &two, &one, "--json", &all_name]).unwrap();
    assert!(printed.contains(": 3 positions, "), "{printed}");
    assert_eq!(timeless(&all), timeless(&whole));
    for wrong in [&["--merge", &one as &str][..], &["--merge", &one, &one], &["--shard", "3/2"]] {
        assert!(call(wrong).is_err(), "{wrong:?}");
    }
    for path in [&whole, &all, &parts[0].1, &parts[1].1, &PathBuf::from(&*file)] {
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_suite_that_makes_no_sense_is_refused() {
    for (name, text) in [("empty", ""), ("illegal", "8/8/8/8/8/8/8/K1k5 w - - bm Qa1;\n")] {
        let path = scratch(name, text);
        let refusal = read_suite(&path).unwrap_err().to_string();
        assert!(refusal.contains(&*path.to_string_lossy()), "{refusal}");
        std::fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn another_engine_is_asked_in_the_same_run_and_its_false_mates_are_seen() {
    // It finds the first move, and promises a mate in one everywhere.
    let script = scratch(
        "engine.sh",
        "while read -r line; do case \"$line\" in\n\
         uci) echo 'id name Pretender'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go*) echo 'info depth 1 score mate 1 nodes 7 pv e1e8'; echo 'bestmove e1e8';;\n\
         quit) exit;;\n\
         esac; done\n",
    );
    // Read by the shell: a file that has just been written may be too busy to be started itself.
    let other = UciEngine::start(&format!("sh \"{}\"", script.display())).unwrap();
    let mut players: Vec<Box<dyn Player>> = vec![Box::new(halcyon()), Box::new(other)];
    let report = solve(&mut players, Budget::Time(Duration::from_millis(50)));
    std::fs::remove_file(&script).unwrap();
    let pretender = &report.engines[1];
    assert_eq!((pretender.name.as_str(), pretender.solved), ("Pretender", 1));
    assert_eq!((pretender.mates, pretender.false_mates, pretender.broken_lines), (3, 1, 1));
    assert_eq!(report.tasks[0].answers.len(), 2);
}

#[test]
fn a_report_never_takes_the_place_of_its_inputs_and_is_refused_before_the_work() {
    let suite = scratch("kept.epd", SUITE);
    let report = scratch("report.json", "");
    let [suite, report] = [&suite, &report].map(|path| path.to_str().unwrap());
    for other in [suite.to_owned(), suite.replace("/halcyon", "/./halcyon")] {
        let refusal = call(&[suite, "--nodes", "50", "--json", &other]).unwrap_err();
        assert!(refusal.contains("would overwrite the input"), "{refusal}");
    }
    call(&[suite, "--nodes", "50", "--json", report]).unwrap();
    for inputs in [["--compare", report], ["--merge", report]] {
        let refusal = call(&[&inputs[..], &["--json", report]].concat()).unwrap_err();
        assert!(refusal.contains("would overwrite the input"), "{refusal}");
    }
    let refusal =
        call(&[suite, "--nodes", "50", "--json", "/no/such/folder/report.json"]).unwrap_err();
    assert!(refusal.ends_with("its folder does not exist"), "{refusal}");
    assert_eq!(std::fs::read_to_string(suite).unwrap(), SUITE);
    let _ = (std::fs::remove_file(suite), std::fs::remove_file(report));
}

#[test]
fn names_of_tasks_cannot_steer_a_terminal() {
    let path = scratch("steering.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - am e4; id \"\u{1b}[2J\";\n");
    let said = call(&[path.to_str().unwrap(), "--nodes", "50"]).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(!said.contains('\u{1b}'), "{said:?}");
}
