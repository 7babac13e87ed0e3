use std::time::Duration;

use engine::{DEFAULT_HASH_MIB, SearchSettings};

use super::*;
use crate::info::Display;
use crate::output::Output;

fn session() -> Session {
    Session::new(Output::new(std::io::sink()))
}

fn refusal(name: &str, value: Option<&str>) -> String {
    Values::default().set(&mut session(), name, value).unwrap_err().to_string()
}

#[test]
fn every_default_lies_in_its_range_and_fits_a_gui() {
    for spec in OPTIONS {
        if let Kind::Spin { default, min, max, .. } = spec.kind {
            assert!((min..=max).contains(&default), "{}", spec.name);
            assert!(max < 1 << 31, "{}", spec.name);
        }
        assert!(!spec.declaration().contains("  "), "{}", spec.name);
    }
}

#[test]
fn every_default_can_be_set() {
    let (mut values, mut session) = (Values::default(), session());
    for spec in OPTIONS.iter().filter(|spec| spec.name != "UCI_EngineAbout") {
        let set = values.set(&mut session, spec.name, Some(&spec.default_text()));
        assert_eq!(set, Ok(()), "{}", spec.name);
    }
}

#[test]
fn the_defaults_are_those_of_the_engine() {
    let (mut values, mut session) = (Values::default(), session());
    session.engine.settings_mut().multipv = 7;
    for spec in
        OPTIONS.iter().filter(|spec| matches!(spec.kind, Kind::Check { .. } | Kind::Spin { .. }))
    {
        values.set(&mut session, spec.name, Some(&spec.default_text())).unwrap();
    }
    assert_eq!(*session.engine.settings(), SearchSettings::default());
    assert_eq!((session.engine.threads(), session.engine.hash()), (1, DEFAULT_HASH_MIB));
    assert_eq!(session.display, Display::default());
}

#[test]
fn names_are_matched_without_case_and_by_alias() {
    let (mut values, mut session) = (Values::default(), session());
    for name in ["Move Overhead", "move overhead", "MoveOverhead", "moveoverhead"] {
        session.engine.settings_mut().move_overhead = Duration::ZERO;
        assert_eq!(values.set(&mut session, name, Some("70")), Ok(()));
        assert_eq!(session.engine.settings_mut().move_overhead, Duration::from_millis(70));
    }
}

#[test]
fn a_refusal_says_what_is_wrong_and_what_was_kept() {
    assert_eq!(refusal("NoSuch", None), "no such option \"NoSuch\"; options kept");
    assert_eq!(refusal("Hash", None), "option Hash needs a value; kept 16");
    assert_eq!(
        refusal("Hash", Some("16.5")),
        "Hash cannot be \"16.5\": it is a whole number from 1 to 33554432; kept 16"
    );
    assert_eq!(
        refusal("UCI_Chess960", Some("maybe")),
        "UCI_Chess960 cannot be \"maybe\": it is true or false; kept false"
    );
    for value in ["0", "-16", "99999999999999", "", "33554432"] {
        assert!(refusal("Hash", Some(value)).ends_with("; kept 16"), "{value}");
    }
    assert!(refusal("UCI_EngineAbout", Some("x")).contains("read-only"));
}

#[test]
fn what_was_kept_is_the_last_value_that_was_taken() {
    let (mut values, mut session) = (Values::default(), session());
    assert_eq!(values.set(&mut session, "MultiPV", Some("3")), Ok(()));
    let error = values.set(&mut session, "MultiPV", Some("500")).unwrap_err();
    assert!(error.to_string().ends_with("kept 3"));
    assert_eq!(session.engine.settings_mut().multipv, 3);
}

#[test]
fn a_new_engine_gets_the_old_options() {
    let (mut values, mut session) = (Values::default(), session());
    assert_eq!(values.set(&mut session, "MultiPV", Some("3")), Ok(()));
    session.replace_engine();
    values.restore(&mut session);
    assert_eq!(session.engine.settings_mut().multipv, 3);
}
