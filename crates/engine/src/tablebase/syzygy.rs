//! Syzygy tables in files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use chess::{Color, Move, PieceType, Position};
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, Setup};
use shakmaty_syzygy::{SyzygyError, Tablebase, Wdl};

use super::{RootRank, RootVerdict, TableValue, TablebaseError, Verdict};

/// Tablebases in one or more folders.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
    max_pieces: u32,
    /// Files and folders that could not be opened.
    skipped: Vec<TablebaseError>,
    /// The first table that could not be read, until somebody asks.
    problem: Mutex<Option<String>>,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, max_pieces, .. } = self;
        f.debug_struct("Tablebases")
            .field("files", files)
            .field("max_pieces", max_pieces)
            .finish_non_exhaustive()
    }
}

impl From<Wdl> for Verdict {
    fn from(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Loss => Self::Loss,
            Wdl::BlessedLoss => Self::BlessedLoss,
            Wdl::Draw => Self::Draw,
            Wdl::CursedWin => Self::CursedWin,
            Wdl::Win => Self::Win,
        }
    }
}

impl Tablebases {
    /// Opens all tables in the folders of a list, separated as the system separates paths. What
    /// cannot be opened is left out and kept in [`skipped`](Self::skipped).
    ///
    /// # Errors
    /// If there is no table at all.
    pub fn open(folders: &str) -> Result<Self, TablebaseError> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        let mut skipped = Vec::new();
        for folder in std::env::split_paths(folders) {
            let paths = match list(&folder) {
                Ok(paths) => paths,
                Err(error) => {
                    let reason = match error.kind() {
                        io::ErrorKind::NotFound => String::from("no such folder"),
                        _ => atomic_file::reason(&error),
                    };
                    skipped.push(TablebaseError::new(&folder, &reason));
                    continue;
                }
            };
            for path in paths {
                match tables.add_file(&path) {
                    Ok(()) => files += 1,
                    // The name is not that of a table.
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                    Err(error) => {
                        skipped.push(TablebaseError::new(&path, &atomic_file::reason(&error)));
                    }
                }
            }
        }
        if files == 0 {
            let nothing = || TablebaseError::new(Path::new(folders), &"no tables found");
            return Err(skipped.into_iter().next().unwrap_or_else(nothing));
        }
        let max_pieces = tables.max_pieces() as u32;
        Ok(Self { tables, files, max_pieces, skipped, problem: Mutex::new(None) })
    }

    /// Files and folders that could not be opened.
    #[must_use]
    pub fn skipped(&self) -> &[TablebaseError] {
        &self.skipped
    }

    /// How many table files there are.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files
    }

    /// The most pieces of any table.
    #[must_use]
    pub fn max_pieces(&self) -> u32 {
        self.max_pieces
    }

    /// A table that could not be read, told once.
    pub fn take_problem(&self) -> Option<String> {
        self.problem.lock().ok()?.take()
    }

    /// Keeps the first trouble with a table file; tables that are not there are no trouble.
    fn note<T>(&self, result: Result<T, SyzygyError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error @ SyzygyError::ProbeFailed { .. }) => {
                if let Ok(mut problem) = self.problem.lock() {
                    problem.get_or_insert_with(|| error.to_string());
                }
                None
            }
            Err(_) => None,
        }
    }

    /// Whether there may be a table of this position: few pieces, nobody may castle.
    fn covers(&self, position: &Position) -> bool {
        !position.castling_rooks().any() && position.board().occupied().count() <= self.max_pieces
    }

    /// The value of a position whose half-move clock is zero.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        if !self.covers(position) {
            return None;
        }
        let position = convert(position)?;
        self.note(self.tables.probe_wdl_after_zeroing(&position)).map(Verdict::from)
    }

    /// What the tables say about the root and which moves they recommend.
    pub(crate) fn judge_root(&self, root: &Position, fifty_move_rule: bool) -> Option<RootVerdict> {
        if !self.covers(root) {
            return None;
        }
        let ranked = self.ranked(root, fifty_move_rule)?;
        let best = ranked.iter().map(|(_, rank)| *rank).max()?;
        let probes = ranked.len() as u64;
        let rank = |rank: Rank| RootRank { verdict: rank.verdict, recommended: rank == best };
        let moves = ranked.into_iter().map(|(mv, found)| (mv, rank(found))).collect();
        Some(RootVerdict { moves, probes })
    }

    /// The value of a position, its half-move clock included.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<TableValue> {
        if !self.covers(position) {
            return None;
        }
        let Some((_, best)) =
            self.ranked(position, true)?.into_iter().max_by_key(|ranked| ranked.1)
        else {
            let verdict = if position.is_check() { Verdict::Loss } else { Verdict::Draw };
            return Some(TableValue { verdict, distance: None });
        };
        let distance = match best.progress {
            0 => None,
            // The next move mates.
            i32::MAX => Some(1),
            plies => Some(plies.unsigned_abs()),
        };
        Some(TableValue { verdict: best.verdict, distance })
    }

    fn ranked(&self, root: &Position, fifty_move_rule: bool) -> Option<Vec<(Move, Rank)>> {
        root.legal_moves()
            .iter()
            .map(|&mv| Some((mv, self.rank(root, mv, fifty_move_rule)?)))
            .collect()
    }

    fn rank(&self, root: &Position, mv: Move, fifty_move_rule: bool) -> Option<Rank> {
        let mut child = *root;
        child.make(mv);
        if child.is_check() && !child.has_legal_move() {
            return Some(Rank { verdict: Verdict::Win, progress: i32::MAX });
        }
        if child.board().is_insufficient_material() {
            return Some(Rank { verdict: Verdict::Draw, progress: 0 });
        }
        let zeroing = child.halfmove_clock() == 0;
        let converted = convert(&child)?;
        let mut verdict =
            Verdict::from(self.note(self.tables.probe_wdl_after_zeroing(&converted))?).flipped();
        if !fifty_move_rule {
            verdict = verdict.without_fifty_move_rule();
        }
        // Without the second kind of tables the first still keeps the value.
        let distance = if zeroing {
            Some(1)
        } else {
            self.note(self.tables.probe_dtz(&converted))
                .map(|distance| i32::from(distance.ignore_rounding()).abs() + 1)
        };
        let distance = distance.unwrap_or(0);
        if fifty_move_rule && !zeroing && distance + i32::from(root.halfmove_clock()) > 100 {
            // Too late on this clock.
            verdict = match verdict {
                Verdict::Win => Verdict::CursedWin,
                Verdict::Loss => Verdict::BlessedLoss,
                other => other,
            };
        }
        let progress = match verdict {
            Verdict::Win | Verdict::CursedWin => -distance,
            Verdict::Draw => 0,
            Verdict::Loss | Verdict::BlessedLoss => distance,
        };
        Some(Rank { verdict, progress })
    }
}

/// The contents of a folder, in the order of names.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

/// How good a root move is: its value, then how fast it wins or how slowly it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    verdict: Verdict,
    progress: i32,
}

/// The position as the tables' library wants it.
fn convert(position: &Position) -> Option<Chess> {
    let board = position.board();
    let roles = |kind| Bitboard(board.kind(kind).0);
    let by_role = ByRole {
        pawn: roles(PieceType::Pawn),
        knight: roles(PieceType::Knight),
        bishop: roles(PieceType::Bishop),
        rook: roles(PieceType::Rook),
        queen: roles(PieceType::Queen),
        king: roles(PieceType::King),
    };
    let by_color = ByColor {
        black: Bitboard(board.color(Color::Black).0),
        white: Bitboard(board.color(Color::White).0),
    };
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: match position.side_to_move() {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        },
        castling_rights: Bitboard::EMPTY,
        ep_square: position.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        halfmoves: u32::from(position.halfmove_clock()),
        ..Setup::empty()
    };
    // The tables also hold positions that no game can reach.
    setup
        .position(CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .ok()
}
