//! The page's types are generated from these, and from what other crates write.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use ts_rs::{Config, TS};

use super::*;

// Types of other crates, as the page sees them. That they are read from what the other crates
// write is tested below.

/// What the page reads of the counts of a search.
#[derive(TS, Deserialize)]
#[expect(dead_code, reason = "only its shape is needed")]
pub(crate) struct Statistics {
    running: bool,
    time_ms: u64,
    nodes_by_kind: BTreeMap<String, u64>,
    transposition_table: BTreeMap<String, u64>,
    cutoffs_by_stage: BTreeMap<String, u64>,
    pruning_of_nodes: BTreeMap<String, u64>,
    pruning_of_moves: BTreeMap<String, u64>,
    first_move_share: f64,
    iterations: Vec<Iteration>,
    clock: TimePlan,
    stop: Option<String>,
}

#[derive(TS, Deserialize)]
#[expect(dead_code, reason = "only its shape is needed")]
pub(crate) struct Iteration {
    depth: i32,
    nodes: u64,
    time_ms: u64,
    branching: Option<f64>,
}

#[derive(TS, Deserialize)]
#[expect(dead_code, reason = "only its shape is needed")]
pub(crate) struct TimePlan {
    soft_ms: Option<u64>,
    wanted_ms: Option<u64>,
    hard_ms: Option<u64>,
}

/// How well a side played.
#[derive(TS, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is needed")]
pub(crate) struct SideReview {
    moves: u32,
    accuracy: Option<f64>,
    average_loss: f64,
    average_centipawn_loss: f64,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

#[derive(TS, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

/// The text of `protocol.ts`.
fn generated() -> String {
    let config = Config::new().with_large_int("number");
    let declarations = [
        Start::decl(&config),
        GameState::decl(&config),
        ClockState::decl(&config),
        Resources::decl(&config),
        Request::decl(&config),
        Side::decl(&config),
        Step::decl(&config),
        BookMove::decl(&config),
        Ending::decl(&config),
        Opening::decl(&config),
        Facts::decl(&config),
        Score::decl(&config),
        Line::decl(&config),
        State::decl(&config),
        Iteration::decl(&config),
        TimePlan::decl(&config),
        Statistics::decl(&config),
        Search::decl(&config),
        GameSummary::decl(&config),
        PgnMove::decl(&config),
        PgnGame::decl(&config),
        Judgement::decl(&config),
        MotifName::decl(&config),
        Clause::decl(&config),
        Difficulty::decl(&config),
        LevelChoice::decl(&config),
        Levels::decl(&config),
        Lesson::decl(&config),
        JudgedMove::decl(&config),
        SideReview::decl(&config),
        PeerReview::decl(&config),
        Skipped::decl(&config),
        TreeNode::decl(&config),
        LeftOutAt::decl(&config),
        MoveReport::decl(&config),
        Answer::decl(&config),
    ];
    let mut text = format!(
        "// Generated from crates/board/src/protocol.rs by its test, which fails when this file \
         differs:\n// HALCYON_WRITE=1 cargo test -p board protocol\n\nexport const PROTOCOL = \
         {VERSION};\n"
    );
    for declaration in declarations {
        text.push_str("\nexport ");
        text.push_str(&tidy(&declaration));
        text.push('\n');
    }
    text
}

/// Puts each field and its comment on lines of their own, and each variant as well.
fn tidy(declaration: &str) -> String {
    declaration
        .replace(" | { \"type\"", "\n  | { \"type\"")
        .replace("\n/**\n * ", "\n  /** ")
        .replace("\n */\n", " */\n  ")
        .replace("\n * ", " ")
        .replace(" \n", "\n")
        .replace(", }", ",\n}")
}

#[test]
fn the_types_of_the_page_are_generated() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/page/src/protocol.ts");
    let text = generated();
    if std::env::var_os("HALCYON_WRITE").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written == text, "protocol.ts is stale: HALCYON_WRITE=1 cargo test -p board");
}

#[test]
fn types_of_other_crates_are_as_the_page_sees_them() {
    let mut engine = engine::Engine::new();
    engine.settings_mut().statistics = true;
    let outcome = engine.search(&engine::Limits::depth(2), &mut engine::Silent);
    let text = serde_json::to_string(&outcome.statistics.unwrap()).unwrap();
    serde_json::from_str::<Statistics>(&text).unwrap();
    let side = review::SideReview::default();
    let text = serde_json::to_string(&side).unwrap();
    serde_json::from_str::<SideReview>(&text).unwrap();
    use review::Judgement as Real;
    for judgement in [Real::Inaccuracy, Real::Mistake, Real::Blunder] {
        let text = serde_json::to_string(&judgement).unwrap();
        serde_json::from_str::<Judgement>(&text).unwrap();
    }
}
