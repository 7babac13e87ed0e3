//! Analysis by other engines: ones that answer, exit and lie.
#![cfg(unix)]

mod common;

use std::fs;

use common::{Scratch, analysed, run};

/// The command of an engine of a few lines of shell that answers a search in its own way. The shell
/// reads the script: started itself, it could be busy, because a test beside this one has started a
/// process while the file was open for writing.
fn pretender(scratch: &Scratch, name: &str, go: &str) -> String {
    let path = scratch.path(name);
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) echo 'id name Pretender'; echo 'option name MultiPV type spin'; \
         echo 'option name Hash type spin default 16 min 1 max 64'; echo uciok;;\n\
         isready) echo readyok;;\n\
         position*) position=\"$line\";;\n\
         go*) {go};;\n\
         quit) exit;;\n\
         esac; done\n"
    );
    fs::write(&path, script).unwrap();
    format!("sh \"{path}\"")
}

#[test]
fn another_engine_judges_if_it_is_asked_for() {
    let scratch = Scratch::new("other-engine");
    let input = scratch.path("in.pgn");
    fs::write(&input, "[Annotator \"Ann\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 d5 *\n")
        .unwrap();
    // Black is mated in two after 1. e4, whatever is asked.
    let go = "case \"$position\" in *' w '*) b=a2a3;; *) b=a7a6;; esac; \
              echo \"info depth 7 multipv 1 score mate -2 nodes 55 pv $b\"; echo \"bestmove $b\"";
    let engine = pretender(&scratch, "engine.sh", go);
    let text = String::from_utf8(analysed(
        &scratch,
        "out.jsonl",
        &[&input, "--engine", &engine, "--engine-option", "multipv=1"],
    ))
    .unwrap();
    assert!(text.contains("\"engine\":\"Pretender, multipv=1\""), "{text}");
    let game: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(game["plies"][0]["eval"]["mate"], 2, "{game}");
    assert_eq!(game["plies"][0]["wdl"], serde_json::json!([1000, 0, 0]));
    assert_eq!(game["plies"][1]["lines"][0]["uci"], "a7a6");
    assert!(game["pgn"].as_str().unwrap().contains("[Annotator \"Ann; Pretender, multipv=1\"]"));
    // Nobody resumes it with this engine, or with an option that is not there.
    let target = scratch.path("out.jsonl");
    let other = run(&[&input, "--out", &target, "--resume"]).outcome.unwrap_err();
    assert!(other.contains("different: engine"), "{other}");
    let other = run(&[&input, "--engine", &engine, "--engine-option", "Contempt=3"]);
    assert!(other.outcome.unwrap_err().contains("no option Contempt"));
    let other = run(&[&input, "--engine", &engine, "--syzygy", "/tmp"]);
    assert!(other.outcome.unwrap_err().contains("no option SyzygyPath"));
    assert!(
        run(&[&input, "--engine", "/no/such"]).outcome.unwrap_err().contains("no such program")
    );
}

#[test]
fn a_game_at_which_another_engine_fails_is_kept_as_it_was() {
    let scratch = Scratch::new("failing-engine");
    let input = scratch.path("in.pgn");
    let game = |white: &str, moves: &str| format!("[White \"{white}\"]\n\n{moves} *\n\n");
    let games = [game("A", "1. e4 e5"), game("B", "1. d4 d5"), game("C", "1. e4 e5")].concat();
    fs::write(&input, games).unwrap();
    // It exits where there is a pawn on d4.
    let answer = "case \"$position\" in *' w '*) b=a2a3;; *) b=a7a6;; esac; echo \"bestmove $b\"";
    let go = format!("case \"$position\" in *3P4*) exit;; esac; {answer}");
    let engine = pretender(&scratch, "engine.sh", &go);
    let said = run(&[&input, "--engine", &engine, "--threads", "1"]);
    assert_eq!(said.outcome, Ok(()), "{}", said.messages);
    assert_eq!(said.results.matches("[Annotator \"Pretender\"]").count(), 2, "{}", said.results);
    assert!(said.results.contains("[White \"B\"]") && said.results.contains("1. d4 d5 *"));
    assert!(said.messages.contains("line 5: not analysed: Pretender: the engine exited"));
    // One that never answers ends the run, and what was found before stays.
    for (name, go, reason) in [
        ("gone.sh", "exit", "the engine exited"),
        ("liar.sh", "echo bestmove e2e5", "answers \"e2e5\", which is not legal"),
    ] {
        let engine = pretender(&scratch, name, go);
        let target = scratch.path("failed.jsonl");
        let said =
            run(&[&input, "--engine", &engine, "--threads", "1", "--out", &target, "--force"]);
        let refusal = said.outcome.unwrap_err();
        assert!(refusal.contains(reason), "{refusal}");
        let kept = String::from_utf8(scratch.read("failed.jsonl")).unwrap();
        assert_eq!(kept.lines().count(), 3, "{kept}");
        assert!(!kept.contains("\"kind\":\"end\""), "{kept}");
    }
}

#[test]
fn a_number_that_an_option_does_not_take_is_refused() {
    let scratch = Scratch::new("range");
    let input = scratch.path("in.pgn");
    fs::write(&input, "1. e4 *\n").unwrap();
    let engine = pretender(&scratch, "engine.sh", "echo bestmove 0000");
    for value in ["65", "0", "much"] {
        let option = format!("hash={value}");
        let refusal = run(&[&input, "--engine", &engine, "--engine-option", &option]).outcome;
        let refusal = refusal.unwrap_err();
        assert!(refusal.contains("its option Hash takes numbers from 1 to 64"), "{refusal}");
    }
}
