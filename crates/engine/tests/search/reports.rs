//! What is reported while a search runs.

use std::time::{Duration, Instant};

use engine::{Limits, Report};

use crate::support::engine_at;

const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";

/// A search that was asked for some seconds ago: everything that long searches report is due.
fn reports_of_a_long_search(multipv: usize) -> (Vec<Report>, engine::Outcome) {
    let mut engine = engine_at(MIDDLE);
    engine.settings_mut().multipv = multipv;
    let started = Instant::now().checked_sub(Duration::from_secs(9));
    let limits = Limits { started, ..Limits::depth(7) };
    let mut reports = Vec::new();
    let outcome = engine.search(&limits, &mut |report: &Report| reports.push(report.clone()));
    (reports, outcome)
}

#[test]
fn a_long_search_reports_the_move_it_is_at() {
    let root = chess::Position::from_fen(MIDDLE).unwrap();
    for multipv in [1, 3] {
        let (reports, _) = reports_of_a_long_search(multipv);
        let mut last = (0, 0);
        let mut moves = 0;
        for report in reports {
            let Report::CurrentMove { depth, mv, number } = report else { continue };
            assert!(root.is_legal(mv));
            assert!((1..=root.legal_moves().len()).contains(&number), "{number}");
            assert!(depth >= last.0, "iterations come in order");
            last = (depth, number);
            moves += 1;
        }
        assert!(moves > 7 * 20, "{moves} reports in seven iterations of 40 moves");
    }
}

#[test]
fn totals_are_reported_on_the_way() {
    let (reports, _) = reports_of_a_long_search(1);
    assert!(reports.iter().any(|report| matches!(report, Report::Totals(_))));
    let mut nodes = 0;
    for report in &reports {
        if let Report::Totals(progress) | Report::Line(_, progress) = report {
            assert!(progress.nodes >= nodes, "totals never fall");
            nodes = progress.nodes;
        }
    }
}

#[test]
fn the_last_report_has_all_nodes_of_a_search_that_was_cut_off() {
    let mut engine = engine_at(MIDDLE);
    let mut last = None;
    let outcome = engine.search(&Limits::nodes(20_000), &mut |report: &Report| {
        last = Some(report.clone());
    });
    let Some(Report::Line(line, progress)) = last else { panic!("{last:?}") };
    assert_eq!((&line, progress.nodes), (&outcome.lines[0], outcome.progress.nodes));
    assert!(progress.nodes >= 20_000);
}
