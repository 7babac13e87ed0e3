//! PGN in and out, what the engine thinks of each move, opening books.
//!
//! From a file to an annotated game:
//!
//! ```
//! use engine::{Engine, Limits};
//! use review::{Analyst, Splitter, annotate, judge, read, write_pgn};
//!
//! let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
//! let mut splitter = Splitter::new(pgn.as_bytes());
//! while let Some(raw) = splitter.next_game()? {
//!     let (game, faults) = read(&raw);
//!     assert!(faults.is_empty());
//!     let game = game.expect("the start position is legal");
//!     let mut analyst = Analyst::new(Engine::new(), Limits::nodes(2000));
//!     let looks = analyst.looks(&game, |_| true).expect("nobody stopped it");
//!     let review = judge(&game, &looks, 0);
//!     assert_eq!(review.white.blunders, 1);
//!     let text = write_pgn(&annotate(&game, &looks, &review, 12)).replace('\n', " ");
//!     assert!(text.contains("2. g4 $4") && text.contains("{[%eval #-1] Blunder."), "{text}");
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

mod fault;
mod tag;
mod tree;
mod split;
mod lex;
mod read;
mod write;
mod book;
mod openings;
mod clock;
mod eval;
mod analysis;
mod searcher;
mod analyst;
mod judge;
mod levels;
mod peers;
mod annotate;
pub mod motif;
mod zugzwang;
mod puzzle;
mod coach;
mod lesson;

pub use analysis::{BestLine, Iteration, PositionAnalysis, Study};
pub use analyst::{Analyst, ReviewPlan, play_or_pass};
pub use annotate::annotate;
pub use book::{Book, BookError, BookMaker, BookMove, polyglot_key};
pub use clock::{MoveTime, move_times};
pub use coach::{Claim, Clause, Explanation, confirm, explain};
pub use eval::Eval;
pub use fault::{Cost, Fault, FaultKind, FaultList};
pub use judge::{Judgement, Phase, PlyReview, Review, SideReview, judge};
pub use lesson::{Lesson, lesson};
pub use levels::{LevelChoice, LevelChoices, LevelPlayer, level_choices};
pub use lex::is_pass;
pub use motif::{Finding, ForcedLine, Motif, motifs};
pub use openings::{Opening, opening};
pub use peers::{PeerPlan, PeerReview, PeerStep, compare_with_peers};
pub use puzzle::{
    Difficulty, Puzzle, PuzzleRules, Refusal, SCAN_PART, is_suspect, make_puzzle, make_puzzles,
    suspects,
};
pub use read::{parse_move, read, read_with_passes};
pub use searcher::{SearchRequest, Searcher};
pub use split::{RawGame, Splitter};
pub use tree::{GameResult, GameTree, Line, Ply, castling_form};
pub use write::write_pgn;
pub use zugzwang::zugzwang;
