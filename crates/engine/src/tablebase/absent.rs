//! No tables: there is no way to make a value of this type, so whoever has one need not be answered.

use std::path::Path;

use chess::Position;

use super::{RootVerdict, TableValue, TablebaseError, Verdict};

/// Tablebases, which this build cannot read.
#[derive(Debug)]
pub enum Tablebases {}

impl Tablebases {
    /// Says that this build has none.
    ///
    /// # Errors
    /// Always.
    pub fn open(folders: &str) -> Result<Self, TablebaseError> {
        Err(TablebaseError::new(Path::new(folders), &"this build cannot read tablebases"))
    }

    /// Files and folders that could not be opened.
    #[must_use]
    pub fn skipped(&self) -> &[TablebaseError] {
        match *self {}
    }

    /// How many table files there are.
    #[must_use]
    pub fn files(&self) -> usize {
        match *self {}
    }

    /// The most pieces of any table.
    #[must_use]
    pub fn max_pieces(&self) -> u32 {
        match *self {}
    }

    /// A table that could not be read, told once.
    pub fn take_problem(&self) -> Option<String> {
        match *self {}
    }

    /// The value of a position whose half-move clock is zero.
    #[must_use]
    pub fn probe(&self, _: &Position) -> Option<Verdict> {
        match *self {}
    }

    /// The value of a position, its half-move clock included.
    #[must_use]
    pub fn value(&self, _: &Position) -> Option<TableValue> {
        match *self {}
    }

    pub(crate) fn judge_root(&self, _: &Position, _: bool) -> Option<RootVerdict> {
        match *self {}
    }
}
