//! Requests and what follows from them.

use super::*;

fn session() -> Session {
    let small = Resources { threads: 1, hash: 4 };
    let most = Resources { threads: 3, hash: 8 };
    Session::new(Bounds { usual: small, most }, None)
}

fn is_stop(reply: &Reply) -> bool {
    matches!(reply.action, SearchAction::Stop)
}

#[test]
fn a_stop_reaches_only_the_search_it_names() {
    let mut session = session();
    assert!(!is_stop(&session.receive(r#"{"type":"stop","id":1}"#)));
    session.receive(r#"{"type":"analyse","id":1,"at":{},"lines":1}"#);
    session.receive(r#"{"type":"position","id":2,"at":{}}"#);
    session.receive(r#"{"type":"analyse","id":3,"at":{},"lines":1}"#);
    assert!(!is_stop(&session.receive(r#"{"type":"stop","id":1}"#)));
    assert!(!is_stop(&session.receive(r#"{"type":"stop","id":2}"#)));
    assert!(is_stop(&session.receive(r#"{"type":"stop","id":3}"#)));
}

#[test]
fn a_question_that_is_replaced_is_answered() {
    let mut session = session();
    session.receive(r#"{"type":"explain","id":1,"at":{},"mv":"a4","nodes":1000}"#);
    let reply = session.receive(r#"{"type":"analyse","id":2,"at":{},"lines":1}"#);
    assert!(matches!(reply.answers[..], [Answer::Error { id: Some(1), .. }]));
    assert!(matches!(reply.action, SearchAction::Replace(Some((2, _)))));
    let reply = session.receive(r#"{"type":"analyse","id":3,"at":{},"lines":1}"#);
    assert!(reply.answers.is_empty());
}

#[test]
fn threads_and_table_are_cut_to_the_bounds() {
    let mut session = session();
    let wish = |threads: usize, hash: usize| {
        let resources = format!(r#"{{"threads":{threads},"hash":{hash}}}"#);
        format!(r#"{{"type":"analyse","id":1,"at":{{}},"lines":1,"resources":{resources}}}"#)
    };
    for (asked, given) in [((2, 6), (2, 6)), ((99, 99_999), (3, 8)), ((0, 0), (1, 1))] {
        let reply = session.receive(&wish(asked.0, asked.1));
        let SearchAction::Replace(Some((_, task))) = reply.action else { panic!("a search") };
        let found = task.resources.map(|found| (found.threads, found.hash));
        assert_eq!(found, Some(given));
        let mut engines = crate::Engines::new(4, 1);
        engines.prepare(&task);
        assert_eq!(engines.size(), given);
    }
}

#[test]
fn a_threat_is_searched_for_the_other_side() {
    let mut session = session();
    let reply = session.receive(r#"{"type":"analyse","id":1,"at":{},"lines":1,"threat":true}"#);
    let SearchAction::Replace(Some((1, task))) = reply.action else { panic!("a search") };
    assert_eq!(task.game.position().side_to_move(), chess::Color::Black);
    let check =
        r#"{"type":"analyse","id":2,"at":{"moves":["e4","f5","Qh5"]},"lines":1,"threat":true}"#;
    let reply = session.receive(check);
    assert!(matches!(reply.answers[..], [Answer::Error { id: Some(2), .. }]));
}

#[test]
fn a_book_of_the_page_is_read_record_by_record() {
    let mut session = session();
    let mut ask = |records: &str| {
        let reply = session.receive(&format!(r#"{{"type":"book","id":1,"at":{{}}{records}}}"#));
        match reply.answers.into_iter().next() {
            Some(Answer::Book { moves, key, .. }) => {
                let found = |known: &BookMove| (known.step.san.clone(), known.weight);
                Ok((moves.iter().map(found).collect::<Vec<_>>(), key))
            }
            Some(Answer::Error { message, .. }) => Err(message),
            _ => panic!("an answer"),
        }
    };
    // The key of the start position is an example of the format's description.
    assert_eq!(ask(""), Ok((Vec::new(), String::from("463b96181691fc9c"))));
    // d2d4, e2e4, and e2e5, which is no move.
    let (moves, _) = ask(r#","records":[[731,1],[796,3],[804,9]]"#).unwrap();
    assert_eq!(moves, [(String::from("e4"), 3), (String::from("d4"), 1)]);
    let many = vec!["[796,1]"; MAX_BOOK_MOVES + 1].join(",");
    assert!(ask(&format!(r#","records":[{many}]"#)).is_err());
    assert!(ask(r#","records":[[65536,1]]"#).is_err());
}
