use super::*;

fn command(line: &str) -> Command {
    let parsed = read(line);
    assert_eq!(parsed.error, None, "{line}");
    parsed.command.unwrap()
}

fn error(line: &str) -> String {
    let parsed = read(line);
    assert_eq!(parsed.command, None, "{line}");
    parsed.error.unwrap().to_string()
}

fn option(name: &str, value: Option<&str>) -> Command {
    Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
}

#[test]
fn every_command_is_named_once() {
    for (index, spec) in COMMANDS.iter().enumerate() {
        assert!(COMMANDS[..index].iter().all(|other| other.name != spec.name), "{}", spec.name);
    }
}

#[test]
fn blank_lines_are_nothing() {
    for line in ["", "   ", "\t\t"] {
        assert_eq!(read(line), Parsed::default());
    }
}

#[test]
fn options_have_names_and_values_with_spaces() {
    assert_eq!(command("setoption name Hash value 32"), option("Hash", Some("32")));
    assert_eq!(command("setoption name Clear Hash"), option("Clear Hash", None));
    let line = "setoption name SyzygyPath value /two  words/\u{e1}:/value of it ";
    assert_eq!(command(line), option("SyzygyPath", Some("/two  words/\u{e1}:/value of it")));
    assert_eq!(
        command("setoption NAME  Move  Overhead  VALUE 5"),
        option("Move Overhead", Some("5"))
    );
    assert_eq!(command("setoption name Hash value"), option("Hash", Some("")));
    assert!(error("setoption name").ends_with("options kept"));
    assert!(error("setoption Hash value 1").ends_with("options kept"));
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    let parsed = read("joho debug on");
    assert_eq!(parsed.command, Some(Command::Debug(true)));
    assert!(parsed.error.is_some());
    assert!(error("xyzzy").starts_with("unknown command \"xyzzy\""));
    assert!(error("xyzzy d eval").starts_with("unknown command"));
    assert!(error("debug maybe").starts_with("debug needs on or off"));
}

#[test]
fn bare_moves_and_fens_are_understood() {
    for line in ["e2e4", "Nf3", "O-O", "0-0-0", "exd5", "e8=Q+", "bxc8Q", "e4 e5 Nf3"] {
        assert_eq!(command(line), Command::Play(line.to_owned()), "{line}");
    }
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(command(fen), Command::SetUp(PositionRequest::from_fen(fen)));
    assert!(matches!(command("d"), Command::Display));
    assert!(matches!(command("bench"), Command::Bench(_)));
}

#[test]
fn perft_comes_both_ways_and_never_becomes_a_search() {
    assert_eq!(command("perft 3"), Command::Perft(3));
    assert_eq!(command("go perft 3"), Command::Perft(3));
    for line in
        ["perft", "perft x", "perft -1", "perft 65", "go perft", "go perft x", "go perft 65"]
    {
        error(line);
    }
}

#[test]
fn bench_and_speedtest_take_up_to_three_numbers() {
    let request = BenchRequest { depth: Some(9), threads: Some(2), hash: None };
    assert_eq!(command("bench 9 2"), Command::Bench(request));
    assert_eq!(command("speedtest"), Command::SpeedTest(SpeedRequest::default()));
    for line in ["bench x", "bench 0", "bench 1 2 3 4", "speedtest -1", "bench 99999999999"] {
        error(line);
    }
}
