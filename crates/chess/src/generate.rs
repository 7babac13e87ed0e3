//! Legal move generation. Every generator makes legal moves only: pins and checks become masks
//! of allowed squares before the first move is made.

use crate::make::castled_squares;
use crate::{
    Bitboard, Color, Move, MoveKind, MoveList, Piece, PieceType, Position, Rank, Square, attacks,
    geometry,
};

/// Takes generated moves: a list, a counter, a move picker's buffer.
pub trait Sink {
    /// Takes one legal move.
    fn push(&mut self, mv: Move);

    /// Takes the moves of one piece to all squares of a set.
    #[inline]
    fn push_all(&mut self, from: Square, targets: Bitboard, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(from, to, kind));
        }
    }

    /// Takes the moves of one piece to a set of squares, captures where an enemy stands.
    #[inline]
    fn push_both(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        self.push_all(from, targets & enemies, MoveKind::Capture);
        self.push_all(from, targets.minus(enemies), MoveKind::Quiet);
    }

    /// Takes moves of pawns that all came from `back` squares below their targets.
    #[inline]
    fn push_pawns(&mut self, targets: Bitboard, back: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(step_back(to, back), to, kind));
        }
    }

    /// Takes all four promotions for each target.
    #[inline]
    fn push_promotions(&mut self, targets: Bitboard, back: i8, capture: bool) {
        for to in targets {
            for piece in PieceType::PROMOTIONS {
                self.push(Move::new(step_back(to, back), to, MoveKind::promotion(piece, capture)));
            }
        }
    }
}

impl Sink for MoveList {
    #[inline]
    fn push(&mut self, mv: Move) {
        Self::push(self, mv);
    }
}

/// Counts moves without making them.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) u32);

impl Sink for Counter {
    #[inline]
    fn push(&mut self, _: Move) {
        self.0 += 1;
    }

    #[inline]
    fn push_both(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn push_pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn push_promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * targets.count();
    }
}

#[inline]
fn step_back(to: Square, back: i8) -> Square {
    Square::from_index((to.index() as isize - back as isize) as usize)
}

/// What a move needs to give check in one position: made once, asked often.
#[derive(Clone, Copy)]
pub struct CheckInfo {
    /// From where a piece of each kind would attack the enemy king; empty for the king.
    pub squares: [Bitboard; 6],
    /// Own pieces that stand alone between an own slider and the enemy king.
    pub discoverers: Bitboard,
    /// The square of the king that can be checked.
    pub king: Square,
}

impl Position {
    /// Generates every legal move.
    #[inline]
    pub fn generate_all(&self, sink: &mut impl Sink) {
        self.generate::<true, true>(sink);
    }

    /// Generates the legal captures and promotions.
    #[inline]
    pub fn generate_noisy(&self, sink: &mut impl Sink) {
        self.generate::<true, false>(sink);
    }

    /// Generates the legal moves that neither capture nor promote.
    #[inline]
    pub fn generate_quiets(&self, sink: &mut impl Sink) {
        self.generate::<false, true>(sink);
    }

    /// Generates every legal answer to a check.
    #[inline]
    pub fn generate_evasions(&self, sink: &mut impl Sink) {
        debug_assert!(self.is_check());
        self.generate::<true, true>(sink);
    }

    /// How many legal moves there are, without making a list of them.
    #[inline]
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        let mut counter = Counter::default();
        self.generate_all(&mut counter);
        counter.0
    }

    #[inline]
    fn generate<const NOISY: bool, const QUIET: bool>(&self, sink: &mut impl Sink) {
        let us = self.side;
        let king = self.board.king(us);
        let occupied = self.board.occupied();
        let theirs = self.board.color(!us);
        self.generate_king::<NOISY, QUIET>(sink, king);
        if self.checkers.many() {
            return;
        }
        // In check only a capture of the checker or a block helps.
        let allowed = match self.checkers.first() {
            None => Bitboard::ALL,
            Some(checker) => geometry::between(king, checker).with(checker),
        };
        self.generate_pawns::<NOISY, QUIET>(sink, allowed);

        let ours = self.board.color(us);
        let targets = match (NOISY, QUIET) {
            (true, true) => allowed.minus(ours),
            (true, false) => allowed & theirs,
            (false, _) => allowed.minus(occupied),
        };
        let mut emit = |from: Square, reach: Bitboard| match (NOISY, QUIET) {
            (true, true) => sink.push_both(from, reach & targets, theirs),
            (true, false) => sink.push_all(from, reach & targets, MoveKind::Capture),
            (false, _) => sink.push_all(from, reach & targets, MoveKind::Quiet),
        };
        // A pinned knight never moves.
        for from in (ours & self.board.kind(PieceType::Knight)).minus(self.pinned) {
            emit(from, attacks::knight(from));
        }
        for from in ours & self.board.diagonal_sliders() {
            emit(from, attacks::bishop(from, occupied) & self.pin_line(from, king));
        }
        for from in ours & self.board.straight_sliders() {
            emit(from, attacks::rook(from, occupied) & self.pin_line(from, king));
        }
        if QUIET && self.checkers.is_empty() {
            for rook in self.castling & Bitboard::rank(Rank::R1.relative_to(us)) {
                if self.can_castle(king, rook) {
                    sink.push(Move::new(king, rook, MoveKind::Castle));
                }
            }
        }
    }

    /// Where a piece may go without exposing its king.
    #[inline]
    fn pin_line(&self, from: Square, king: Square) -> Bitboard {
        if self.pinned.has(from) { geometry::line(king, from) } else { Bitboard::ALL }
    }

    #[inline]
    fn generate_king<const NOISY: bool, const QUIET: bool>(
        &self,
        sink: &mut impl Sink,
        king: Square,
    ) {
        let theirs = self.board.color(!self.side);
        let occupied = self.board.occupied();
        let mut targets = attacks::king(king).minus(self.board.color(self.side));
        if !QUIET {
            targets &= theirs;
        }
        if !NOISY {
            targets = targets.minus(theirs);
        }
        // The king does not hide behind itself when it retreats from a slider.
        let behind = occupied.without(king);
        let safe = targets
            .into_iter()
            .filter(|&to| !self.board.is_attacked(to, !self.side, behind))
            .collect::<Bitboard>();
        sink.push_both(king, safe, theirs);
    }

    #[inline]
    fn generate_pawns<const NOISY: bool, const QUIET: bool>(
        &self,
        sink: &mut impl Sink,
        allowed: Bitboard,
    ) {
        match self.side {
            Color::White => self.generate_pawns_of::<true, NOISY, QUIET>(sink, allowed),
            Color::Black => self.generate_pawns_of::<false, NOISY, QUIET>(sink, allowed),
        }
    }

    /// Pawn moves with the side as a constant, so that every shift is one instruction.
    #[inline]
    fn generate_pawns_of<const WHITE: bool, const NOISY: bool, const QUIET: bool>(
        &self,
        sink: &mut impl Sink,
        allowed: Bitboard,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (up, east, west) = if WHITE { (8, 9, 7) } else { (-8, -7, -9) };
        let king = self.board.king(us);
        let pawns = self.board.pieces(us, PieceType::Pawn);
        let empty = !self.board.occupied();
        let last = Bitboard::rank(Rank::R8.relative_to(us));

        // A pinned pawn may push along its file and capture along its diagonal only.
        let pinned = pawns & self.pinned;
        let free = pawns.minus(pinned);
        let file = Bitboard::file(king.file());
        let pushers = free | pinned & file;
        let step = pushers.forward(us) & empty;
        if QUIET {
            sink.push_pawns((step & allowed).minus(last), up, MoveKind::Quiet);
            let third = Bitboard::rank(Rank::R3.relative_to(us));
            let double = (step & third).forward(us) & empty & allowed;
            sink.push_pawns(double, 2 * up, MoveKind::DoublePush);
        }
        if NOISY {
            sink.push_promotions(step & allowed & last, up, false);
            let targets = self.board.color(!us) & allowed;
            let free_ahead = free.forward(us);
            let mut east_targets = free_ahead.east();
            let mut west_targets = free_ahead.west();
            for from in pinned {
                let line = geometry::line(king, from);
                let ahead = Bitboard::of(from).forward(us);
                east_targets |= ahead.east() & line;
                west_targets |= ahead.west() & line;
            }
            for (set, back) in [(east_targets & targets, east), (west_targets & targets, west)] {
                sink.push_pawns(set.minus(last), back, MoveKind::Capture);
                sink.push_promotions(set & last, back, true);
            }
            if let Some(to) = self.en_passant {
                for from in attacks::pawn(!us, to) & pawns {
                    if self.en_passant_is_safe(from, to) {
                        sink.push(Move::new(from, to, MoveKind::EnPassant));
                    }
                }
            }
        }
    }

    /// Whether castling with this rook, whose right still stands, is legal. Not for a king in
    /// check.
    pub(crate) fn can_castle(&self, king: Square, rook: Square) -> bool {
        let (king_to, rook_to) = castled_squares(king, rook);
        let king_path = geometry::between(king, king_to).with(king_to);
        let rook_path = geometry::between(rook, rook_to).with(rook_to);
        let others = self.board.occupied().without(king).without(rook);
        if others.meets(king_path | rook_path) {
            return false;
        }
        // Seen without the rook: in Chess960 it may have shielded the king along the rank.
        king_path.into_iter().all(|square| !self.board.is_attacked(square, !self.side, others))
    }

    /// What moves need to give check here.
    #[must_use]
    pub fn check_info(&self) -> CheckInfo {
        let them = !self.side;
        let king = self.board.king(them);
        let occupied = self.board.occupied();
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        CheckInfo {
            squares: [
                attacks::pawn(them, king),
                attacks::knight(king),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ],
            discoverers: self.board.blockers(them) & self.board.color(self.side),
            king,
        }
    }

    /// Whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let (king_to, rook_to) = castled_squares(from, to);
            let occupied =
                self.board.occupied().without(from).without(to).with(king_to).with(rook_to);
            return attacks::rook(rook_to, occupied).has(info.king);
        }
        if info.discoverers.has(from) && !geometry::aligned(from, to, info.king) {
            return true;
        }
        if let Some(kind) = mv.promotion() {
            return attacks::piece(kind, to, self.board.occupied().without(from)).has(info.king);
        }
        if info.squares[self.moved(mv).kind().index()].has(to) {
            return true;
        }
        if mv.is_en_passant() {
            // The captured pawn may have been the one that shielded the king.
            let victim = to.forward(!self.side);
            let occupied = self.board.occupied().without(from).without(victim).with(to);
            let ours = self.board.color(self.side);
            let diagonal = attacks::bishop(info.king, occupied) & self.board.diagonal_sliders();
            let straight = attacks::rook(info.king, occupied) & self.board.straight_sliders();
            return ((diagonal | straight) & ours).any();
        }
        false
    }

    /// Generates the quiet moves that give check.
    pub fn generate_quiet_checks(&self, info: &CheckInfo, sink: &mut impl Sink) {
        let mut quiets = QuietChecks { position: self, info, sink };
        self.generate::<false, true>(&mut quiets);
    }
}

/// Lets through only the moves that give check, a whole set of targets at a time.
struct QuietChecks<'a, S> {
    position: &'a Position,
    info: &'a CheckInfo,
    sink: &'a mut S,
}

impl<S: Sink> Sink for QuietChecks<'_, S> {
    #[inline]
    fn push(&mut self, mv: Move) {
        if self.position.gives_check(mv, self.info) {
            self.sink.push(mv);
        }
    }

    #[inline]
    fn push_all(&mut self, from: Square, targets: Bitboard, kind: MoveKind) {
        let Some(piece) = self.position.board.piece_at(from).map(Piece::kind) else { return };
        let mut checking = self.info.squares[piece.index()];
        if self.info.discoverers.has(from) {
            checking |= !geometry::line(from, self.info.king);
        }
        self.sink.push_all(from, targets & checking, kind);
    }
}
