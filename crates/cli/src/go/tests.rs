//! What `go` understands, and what it does with the rest.

use super::*;

fn limits(text: &str) -> (Limits, Option<String>) {
    let (request, first) = GoRequest::parse(text);
    let (limits, second) = request.limits(&Position::startpos(), Instant::now());
    let mut limits = limits.unwrap();
    limits.started = None;
    (limits, first.or(second).map(|error| error.to_string()))
}

fn clean(text: &str) -> Limits {
    let (limits, error) = limits(text);
    assert_eq!(error, None, "{text}");
    limits
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn parameters_come_in_any_order() {
    let expected = Limits {
        clock: Some(ClockTime { remaining: ms(1000), increment: ms(10) }),
        moves_to_go: Some(5),
        depth: Some(7),
        nodes: Some(100),
        ponder: true,
        ..Limits::default()
    };
    let text = "wtime 1000 btime 900 winc 10 binc 20 movestogo 5 depth 7 nodes 100 ponder";
    assert_eq!(clean(text), expected);
    let text = "ponder nodes 100 binc 20 depth 7 winc 10 btime 900 movestogo 5 wtime 1000";
    assert_eq!(clean(text), expected);
}

#[test]
fn one_clock_alone_is_enough() {
    let clock = |text| clean(text).clock.map(|clock| (clock.remaining, clock.increment));
    assert_eq!(clock("wtime 100"), Some((ms(100), ms(0))));
    assert_eq!(clock("btime 100"), Some((ms(100), ms(0))));
    assert_eq!(clock("winc 5"), Some((ms(0), ms(5))));
    assert_eq!(clock("depth 5"), None);
}

#[test]
fn numbers_out_of_range_are_brought_into_it() {
    assert_eq!(clean("depth 0").depth, Some(1));
    assert_eq!(clean("depth 99999999999999999999").depth, Some(MAX_PLY as i32));
    assert_eq!(clean("nodes 99999999999999999999").nodes, Some(i64::MAX as u64));
    assert_eq!(clean("wtime -50").clock.unwrap().remaining, ms(0));
    assert_eq!(clean("movetime -100").move_time, Some(ms(0)));
    assert!(clean("wtime 99999999999999999999").clock.unwrap().remaining < ms(u64::MAX));
    assert_eq!(clean("movestogo 0").moves_to_go, None);
}

#[test]
fn what_makes_no_sense_is_left_out_and_the_rest_holds() {
    let (found, error) = limits("banana 3 depth 2");
    assert_eq!(found, Limits::depth(2));
    let error = error.unwrap();
    assert!(error.starts_with("\"banana\" is no parameter of go, and 1 more"));
    let (found, error) = limits("movetime infinite");
    assert!(found.infinite && found.move_time.is_none());
    assert!(error.unwrap().starts_with("movetime needs a number"));
    assert!(limits("depth abc").1.is_some());
    assert_eq!(limits("movestogo -3").0.moves_to_go, None);
    assert!(limits("movestogo -3").1.is_some());
    assert_eq!(limits("depth -5").0.depth, Some(1));
    assert!(limits("depth -5").1.is_some());
}

#[test]
fn a_limit_that_cannot_be_read_never_means_an_endless_search() {
    let clock = clean("wtime 500.5 btime 500.5").clock.unwrap();
    assert_eq!(clock.remaining, ms(500));
    assert_eq!(clean("depth 3.5").depth, Some(3));
    for text in [
        "wtime 1e9 btime 1e9",
        "depth abc",
        "nodes",
        "movetime x",
        "mate ?",
        "movtime 100",
        "wtime=100 btime=100",
        "5",
    ] {
        let (limits, error) = limits(text);
        assert_eq!(limits.depth, Some(1), "{text}");
        assert!(error.unwrap().ends_with("ends at depth 1"), "{text}");
    }
    assert_eq!(limits("banana infinite").0.depth, None);
    assert_eq!(clean("").depth, None);
    assert_eq!(limits("depth x nodes 100").0, Limits::nodes(100));
    assert!(limits("infinite depth x").0.infinite);
    assert_eq!(limits("infinite depth x").0.depth, None);
}

#[test]
fn the_list_of_root_moves_ends_at_the_next_parameter() {
    let found = clean("searchmoves e2e4 d2d4 depth 3");
    assert_eq!((found.search_moves.len(), found.depth), (2, Some(3)));
    let (found, error) = limits("searchmoves e2e5 e2e4");
    assert_eq!(found.search_moves.len(), 1);
    assert!(error.unwrap().starts_with("searchmoves \"e2e5\" is not legal here"));
}

#[test]
fn limits_are_told_in_the_words_of_go() {
    let told = |text| described(&clean(text));
    assert_eq!(told("nodes 5 depth 3"), "depth 3, nodes 5");
    assert_eq!(told("wtime 100 winc 2"), "clock 100, increment 2");
    assert_eq!(told("infinite searchmoves e2e4 d2d4"), "infinite, searchmoves e2e4 d2d4");
    assert_eq!(told(""), "no limit");
}

#[test]
fn perft_is_told_from_a_search() {
    assert_eq!(GoRequest::parse("perft 3").0.perft, Some(3));
    assert_eq!(GoRequest::parse("perft 0").0.perft, Some(0));
    assert!(GoRequest::parse("perft 65").1.is_some());
    assert!(GoRequest::parse("perft x").1.is_some());
}
