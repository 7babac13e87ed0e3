//! Statistics of a search as tables, and the place where the latest ones wait to be asked for.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::stats::{Counters, Event, Group, Part, Statistics};

use crate::command::Form;
use crate::info::per_second;

/// What the last search has counted, or the one that runs: written by one thread, read by another.
#[derive(Clone, Default)]
pub struct Latest(Arc<Mutex<Option<Statistics>>>);

impl Latest {
    /// Replaces what is known.
    pub fn set(&self, statistics: Option<Statistics>) {
        *self.lock() = statistics;
    }

    /// The answer to `stats`.
    #[must_use]
    pub fn describe(&self, form: Form) -> String {
        self.answer(|statistics| match form {
            Form::Table => table(statistics),
            Form::Json => json(statistics),
        })
    }

    /// The answer to `qstats`.
    #[must_use]
    pub fn describe_quiescence(&self, form: Form) -> String {
        self.answer(|statistics| match form {
            Form::Table => quiescence_table(&statistics.counters).trim_end().to_owned(),
            Form::Json => json(&statistics.quiescence()),
        })
    }

    /// The search in one line.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.lock().as_ref().map(summary)
    }

    fn answer(&self, describe: impl Fn(&Statistics) -> String) -> String {
        self.lock().as_ref().map_or_else(|| NOTHING.to_owned(), describe)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Statistics>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const NOTHING: &str = "info string nothing is counted yet; stats on counts from the next search on";

fn json(value: &impl serde::Serialize) -> String {
    // Only maps with other keys than text cannot be written.
    serde_json::to_string(value).unwrap_or_default()
}

fn summary(statistics: &Statistics) -> String {
    let counters = &statistics.counters;
    let stop = statistics.stop.map_or("it runs", |reason| reason.describe());
    format!(
        "{} nodes, {} in quiescence, {} of {} cutoffs on the first move; ended because {stop}",
        statistics.nodes(),
        percent(counters.quiescence_share()),
        percent(counters.first_move_share()),
        counters.total(Group::Cutoffs),
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// What a count is a part of: the event whose share it is.
fn whole(event: Event) -> Option<Event> {
    Some(match event {
        Event::TtCutoff | Event::TtProbCut => Event::TtHit,
        Event::RazorCut => Event::RazorTried,
        Event::ReverseFutilityCut => Event::ReverseFutilityTried,
        Event::NullMoveCut | Event::NullMoveRefuted => Event::NullMoveTried,
        Event::ProbCutCut => Event::ProbCutTried,
        Event::Researched => Event::Reduced,
        Event::Singular
        | Event::DoubleSingular
        | Event::TripleSingular
        | Event::Negative
        | Event::MultiCut => Event::SingularTried,
        Event::QuiescenceFirstMoveCut => Event::QuiescenceCut,
        Event::QuiescenceTtCutoff => Event::QuiescenceTtHit,
        _ => return None,
    })
}

fn row(text: &mut String, name: &str, count: impl std::fmt::Display, note: &str) {
    let line = format!("  {name:<24}{count:>14}  {note}");
    text.push_str(line.trim_end());
    text.push('\n');
}

fn rows(text: &mut String, counters: &Counters, group: Group) {
    for event in group.events() {
        let of = whole(event).map_or_else(
            || matches!(group, Group::Nodes | Group::Cutoffs).then(|| counters.total(group)),
            |whole| Some(counters.get(whole)),
        );
        let share = |whole: u64| percent(counters.get(event) as f64 / whole.max(1) as f64);
        row(text, event.name(), counters.get(event), &of.map(share).unwrap_or_default());
    }
}

fn table(statistics: &Statistics) -> String {
    let counters = &statistics.counters;
    let nodes = statistics.nodes();
    let mut text = format!(
        "searched {nodes} nodes in {:.3} s, {} per second\n",
        statistics.time.as_secs_f64(),
        per_second(nodes, statistics.time)
    );
    for group in Group::ALL {
        text.push_str(group.name());
        text.push('\n');
        rows(&mut text, counters, group);
        if group == Group::Cutoffs {
            let first = percent(counters.first_move_share());
            row(&mut text, "on the first move", counters.first_move_cuts(), &first);
            row(&mut text, "before quiet moves", "", &percent(counters.early_share()));
            row(&mut text, "mean move number", format!("{:.2}", counters.mean_cutoff_move()), "");
        }
        if group == Group::Quiescence {
            row(&mut text, "deepest ply", counters.deepest_quiescence(), "");
        }
    }
    text.push_str("correction of the evaluation\n");
    row(&mut text, "entries in use", statistics.correction_entries, "");
    row(&mut text, "mean, in centipawns", format!("{:.1}", counters.mean_correction()), "");
    row(&mut text, "largest", counters.largest_correction(), "");
    text.push_str("time, sampled\n");
    for part in Part::ALL {
        let timing = counters.timing(part);
        let micros = |time: std::time::Duration| time.as_secs_f64() * 1e6;
        let mean = timing.mean().map_or_else(
            || String::from("no call was timed"),
            |mean| {
                format!("{:.2} us a call, {:.0} at most", micros(mean), micros(timing.longest()))
            },
        );
        row(&mut text, part.name(), percent(statistics.time_share(part)), &mean);
    }
    text.push_str("iterations\n");
    for (iteration, own, factor) in statistics.growth() {
        let factor = factor.map_or_else(String::new, |factor| format!("branching {factor:.2}"));
        let time = format!("{} ms", iteration.time.as_millis());
        row(&mut text, &format!("depth {}", iteration.depth), own, &format!("{time:>9}  {factor}"));
    }
    text.push_str(&clock(statistics));
    text
}

fn clock(statistics: &Statistics) -> String {
    let plan = statistics.plan;
    let limits = [("should take", plan.soft), ("wanted", plan.wanted), ("at most", plan.hard)];
    let mut text = String::from("clock\n");
    for (name, time) in limits {
        let shown =
            time.map_or_else(|| String::from("no limit"), |t| format!("{} ms", t.as_millis()));
        row(&mut text, name, shown, "");
    }
    let stop = statistics.stop.map_or("it has not ended", |reason| reason.describe());
    let _ = write!(text, "  ended because: {stop}");
    text
}

/// What quiescence did, as a table.
#[must_use]
pub fn quiescence_table(counters: &Counters) -> String {
    let quiescence = counters.get(Event::QuiescenceNode);
    let main = counters.total(Group::Nodes) - quiescence;
    let mut text = String::new();
    row(&mut text, "main nodes", main, "");
    let share = percent(counters.quiescence_share());
    row(&mut text, "quiescence nodes", quiescence, &format!("{share} of all"));
    rows(&mut text, counters, Group::Quiescence);
    row(&mut text, "deepest ply", counters.deepest_quiescence(), "");
    text
}
