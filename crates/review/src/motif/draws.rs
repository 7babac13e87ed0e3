//! Half points saved: stalemate and perpetual check.

use super::line::ForcedLine;
use super::worth::king;
use super::{Finding, Motif};

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    let end = line.end();
    if let Some(last) = line.len().checked_sub(1)
        && !end.is_check()
        && !end.has_legal_move()
    {
        let stuck = king(end.board(), end.side_to_move());
        found.push(Finding::new(Motif::Stalemate, last, vec![stuck]));
    }
    found.extend(perpetual(line));
}

/// A position comes again, and every own move in between was a check.
fn perpetual(line: &ForcedLine) -> Option<Finding> {
    for last in line.own() {
        let key = line.position_after(last).key();
        for first in line.own().take_while(|&first| first < last) {
            let mut own = (first..=last).step_by(2);
            if line.position_after(first).key() == key && own.all(|ply| line.gives_check(ply)) {
                let pieces = vec![line.moved(first), king(line.board_after(first), line.them())];
                return Some(Finding::new(Motif::PerpetualCheck, first, pieces));
            }
        }
    }
    None
}
