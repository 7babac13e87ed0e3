//! Where a quiescence node stands, and which moves that lets it look at.

use chess::{Position, Square};

use crate::params;
use crate::picker::QuiescenceMode;
use crate::settings::SearchSettings;

/// As deep as quiescence goes in what may be a fortress.
const FORTRESS_PLIES: usize = 4;

/// Where a quiescence node stands below the main search.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) ply: usize,
    /// Plies below the hand-over.
    pub(super) below: usize,
    /// Plies that this quiescence may go below the hand-over.
    pub(super) max_plies: usize,
    /// Plies of this quiescence line in which the side to move was in check.
    pub(super) checks: i32,
}

impl Place {
    /// Where the main search hands over. After many moves without progress it may be a fortress,
    /// and captures that lead nowhere are not followed far.
    pub(super) fn below_main_search(
        position: &Position,
        ply: usize,
        settings: &SearchSettings,
    ) -> Self {
        let fortress = params::qs_fortress_clock();
        let is_fortress = fortress > 0 && i32::from(position.halfmove_clock()) >= fortress;
        let most = if is_fortress { FORTRESS_PLIES } else { usize::MAX };
        Self { ply, below: 0, max_plies: settings.qsearch_max_ply.min(most), checks: 0 }
    }

    /// One ply further.
    pub(super) fn after(self, in_check: bool) -> Self {
        Self {
            ply: self.ply + 1,
            below: self.below + 1,
            checks: self.checks + i32::from(in_check),
            ..self
        }
    }

    /// The moves that are looked at.
    pub(super) fn mode(self, last_capture: Option<Square>) -> QuiescenceMode {
        match last_capture {
            Some(square) if self.below >= params::qs_recapture_ply() as usize => {
                QuiescenceMode::Recaptures(square)
            }
            _ if self.below == 0 && params::qs_quiet_checks() != 0 => QuiescenceMode::WithChecks,
            _ => QuiescenceMode::Noisy,
        }
    }

    /// Whether only recaptures are wanted here and there is none.
    pub(super) fn is_exhausted(self, last_capture: Option<Square>) -> bool {
        params::qs_recapture_strict() != 0
            && last_capture.is_none()
            && self.below >= params::qs_recapture_ply() as usize
    }
}
