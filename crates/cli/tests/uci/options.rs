//! Options of the search that are set over UCI reach it.

use crate::client::Client;

/// A middlegame with captures everywhere.
const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The nodes of a search to depth 7 after these commands.
fn nodes(commands: &[&str]) -> u64 {
    let mut client = Client::start();
    for command in commands {
        client.send(command);
    }
    assert!(client.ready().iter().all(|line| !line.contains("error")), "{commands:?}");
    client.send(&format!("position fen {FEN}"));
    let lines = client.go("depth 7");
    let last = lines.iter().rev().find(|line| line.contains(" nodes ")).expect("an info line");
    let count = last.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next());
    client.quit();
    count.and_then(|count| count.parse().ok()).expect("a number of nodes")
}

#[test]
fn every_option_of_quiescence_changes_the_search() {
    let ordinary = nodes(&[]);
    assert_eq!(nodes(&[]), ordinary, "the same search visits the same nodes");
    for commands in [
        ["setoption name UseQuiescence value false"],
        ["setoption name QSearchMaxPly value 4"],
        ["setoption name QSearchDeltaMargin value 2000"],
        ["setoption name QSearchNodeLimit value 10"],
        ["qnodes 10"],
        ["qdelta 2000"],
    ] {
        assert_ne!(nodes(&commands), ordinary, "{commands:?}");
    }
    // The commands are short for the options.
    assert_eq!(nodes(&["qnodes 10"]), nodes(&["setoption name QSearchNodeLimit value 10"]));
    assert_eq!(nodes(&["qdelta 300"]), nodes(&["setoption name QSearchDeltaMargin value 300"]));
    // The value that is the default changes nothing.
    assert_eq!(nodes(&["setoption name QSearchMaxPly value 32"]), ordinary);
}
