//! The table file that the engine compiles.

use std::fmt::Write;

use engine::eval::WEIGHTS;

use super::Weight;

const HEAD: &str = "\
//! The numbers of the evaluation, as `halcyon-lab tune-eval` writes them.

use super::layout::Weights;
use super::tapered::Tapered;

const fn s(middlegame: i16, endgame: i16) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// The weights the engine plays with.
#[rustfmt::skip]
pub static WEIGHTS: Weights = Weights {
";

/// The text of the file `weights.rs` with these weights, rounded.
#[must_use]
pub fn write_table(weights: &[Weight]) -> String {
    let mut text = String::from(HEAD);
    let mut rest = weights;
    for group in WEIGHTS.groups() {
        let (run, others) = rest.split_at(group.values.len().min(rest.len()));
        rest = others;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    {}: [", group.name);
        for line in run.chunks(group.columns.max(1)) {
            let entries: Vec<String> = line.iter().map(entry).collect();
            let _ = writeln!(text, "        {},", entries.join(", "));
        }
        text.push_str("    ],\n");
    }
    text.push_str("};\n");
    text
}

fn entry(weight: &Weight) -> String {
    let [middlegame, endgame] = weight.map(|value| value.round() as i16);
    format!("s({middlegame}, {endgame})")
}

#[cfg(test)]
mod tests {
    use super::super::current_weights;
    use super::*;

    /// The weights that a table file lists.
    fn parse(text: &str) -> Vec<Weight> {
        let body = text.split_once("= Weights {").expect("there is a table").1;
        let entries = body.split("s(").skip(1);
        entries
            .map(|entry| {
                let inside = entry.split_once(')').expect("an entry ends").0;
                let (middlegame, endgame) = inside.split_once(", ").expect("an entry has two ends");
                [middlegame, endgame].map(|number| number.parse().expect("a number"))
            })
            .collect()
    }

    #[test]
    fn the_written_file_is_the_one_the_engine_compiles() {
        let source = include_str!("../../../crates/engine/src/eval/weights.rs");
        assert_eq!(write_table(&current_weights()), source);
    }

    #[test]
    fn a_written_file_reads_back_equal() {
        let mut weights = current_weights();
        for (place, weight) in weights.iter_mut().enumerate() {
            *weight = [place as f32 - 300.0, 300.0 - 2.0 * place as f32];
        }
        assert_eq!(parse(&write_table(&weights)), weights);
        let third = [weights[0][0] + 0.3, weights[0][1] - 0.3];
        let text = write_table(&[&[third], &weights[1..]].concat());
        assert_eq!(parse(&text), weights);
    }
}
