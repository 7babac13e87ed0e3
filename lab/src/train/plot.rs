//! The loss curve, as a table and as a chart.

use std::fmt::Write as _;

use super::trainer::Report;
use crate::svg::{Chart, Style};

/// The loss curve as comma-separated values with a heading.
#[must_use]
pub fn to_csv(reports: &[Report]) -> String {
    let mut text = String::from(
        "steps,positions,learning_rate,wdl,train_loss,held_out_loss,held_out_score_loss,\
         held_out_result_loss\n",
    );
    for report in reports {
        let Report { steps, positions, rate, wdl, train, held_out } = report;
        let _ = write!(text, "{steps},{positions},{rate},{wdl},{train:.8}");
        let _ = match held_out {
            Some(loss) => {
                writeln!(text, ",{:.8},{:.8},{:.8}", loss.blend, loss.score, loss.result)
            }
            None => writeln!(text, ",,,"),
        };
    }
    text
}

/// The loss curve as a chart.
#[must_use]
pub fn to_chart(reports: &[Report]) -> Chart {
    let points = |value: &dyn Fn(&Report) -> Option<f64>| {
        reports
            .iter()
            .filter_map(|report| Some((report.positions as f64, value(report)?)))
            .collect()
    };
    Chart::new("Loss", "positions learned", "mean squared error")
        .with("training", Style::Line, points(&|report| Some(report.train)))
        .with("held out", Style::Line, points(&|report| Some(report.held_out?.blend)))
}
