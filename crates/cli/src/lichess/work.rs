//! What Lichess asks for, and what the engine has to know to answer.

use std::time::Duration;

use chess::Position;
use engine::{Game, Limits};
use serde::Deserialize;

/// A request for an analysis.
#[derive(Debug, Deserialize)]
pub(super) struct Job {
    pub(super) id: String,
    pub(super) work: Work,
}

/// The fields of `ExternalEngineWork` in Lichess's API.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Work {
    pub(super) session_id: String,
    pub(super) threads: usize,
    pub(super) hash: usize,
    pub(super) multi_pv: usize,
    variant: String,
    initial_fen: String,
    moves: Vec<String>,
    movetime: Option<u64>,
    depth: Option<i32>,
    nodes: Option<u64>,
}

impl Job {
    /// Whether the name can be a part of an address. It comes from outside.
    pub(super) fn has_plain_id(&self) -> bool {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        !self.id.is_empty() && self.id.bytes().all(is_plain)
    }
}

impl Work {
    /// The game up to the position in question. Castling is written as king takes rook, or as usual.
    pub(super) fn game(&self) -> Result<Game, String> {
        if self.variant != "chess" {
            return Err(format!("the variant {:?} is not chess", self.variant));
        }
        let fen = &self.initial_fen;
        let start = Position::from_fen(fen).map_err(|error| format!("FEN {fen:?}: {error}"))?;
        let mut game = Game::new(start);
        for text in &self.moves {
            let mv = game.position().parse_uci(text);
            game.play(mv.map_err(|error| format!("move {text:?}: {error}"))?);
        }
        Ok(game)
    }

    /// How long to search.
    pub(super) fn limits(&self) -> Result<Limits, String> {
        if self.movetime.is_none() && self.depth.is_none() && self.nodes.is_none() {
            return Err("neither movetime nor depth nor nodes".into());
        }
        Ok(Limits {
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            nodes: self.nodes,
            ..Limits::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(change: &str) -> Result<Job, serde_json::Error> {
        let mut job: serde_json::Value = serde_json::from_str(
            r#"{ "id": "ygxzCoNU0wUXodLm", "engine": {}, "work": { "sessionId": "1", "threads": 1,
                "hash": 2048, "depth": 1, "multiPv": 1, "variant": "chess", "moves": ["e2e4", "g8f6"],
                "initialFen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" } }"#,
        )?;
        let change: serde_json::Value = serde_json::from_str(change)?;
        for (name, value) in change.as_object().into_iter().flatten() {
            job["work"][name] = value.clone();
        }
        serde_json::from_value(job)
    }

    #[test]
    fn a_request_as_the_documentation_has_it_is_understood() {
        let job = work("{}").unwrap();
        assert!(job.has_plain_id());
        let fen = job.work.game().unwrap().position().to_fen();
        assert_eq!(fen, "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
        assert_eq!(job.work.limits().unwrap().depth, Some(1));
    }

    #[test]
    fn requests_that_make_no_sense_are_refused() {
        for change in [
            r#"{ "variant": "atomic" }"#,
            r#"{ "initialFen": "8/8/8/8/8/8/8/8 w - - 0 1" }"#,
            r#"{ "moves": ["e2e5"] }"#,
            r#"{ "depth": null }"#,
        ] {
            let job = work(change).unwrap();
            assert!(job.work.game().is_err() || job.work.limits().is_err(), "{change}");
        }
        let job = Job { id: String::from("../token"), ..work("{}").unwrap() };
        assert!(!job.has_plain_id());
    }
}
