//! Statistics about moves. Every entry moves towards its news and forgets old news by the same
//! rule, so that it stays within its bounds.

use chess::{Bitboard, Color, Move, Piece, PieceType, Position, Square};
use memory::{AllocationError, ZeroedArray};

use crate::params;

/// Bound of the from-to, piece-to and pawn tables.
const QUIET_MAX: i32 = 8192;
/// Bound of the capture table.
const CAPTURE_MAX: i32 = 10_240;
/// Bound of the continuation table.
const CONTINUATION_MAX: i32 = 16_384;

const PIECE_TO: usize = 12 * 64;
/// Kinds of moves with rows of their own in the continuation table.
const KINDS: usize = 4;
const CONTINUATION_ROWS: usize = PIECE_TO * KINDS;
const PAWN_ROWS: usize = 1024;
/// Plies from the root with a from-to table of their own.
const LOW_PLIES: usize = 4;

/// Moves an entry towards `bonus`; the nearer to the bound it is, the less.
pub(super) fn update(entry: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / max) as i16;
}

/// Squares attacked by the opponent, in steps of who attacks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Threats {
    /// By anything.
    pub(crate) all: Bitboard,
    /// By pawns.
    pub(crate) by_pawns: Bitboard,
    /// By pawns, knights and bishops.
    pub(crate) by_minors: Bitboard,
    /// By all but queen and king.
    pub(crate) by_rooks: Bitboard,
}

impl Threats {
    /// What the side not to move attacks.
    pub(crate) fn new(position: &Position) -> Self {
        let board = position.board();
        let them = !position.side_to_move();
        let occupied = board.occupied();
        let by_pawns = chess::attacks::pawns(them, board.pieces(them, PieceType::Pawn));
        let mut by_minors = by_pawns;
        for square in board.pieces(them, PieceType::Knight) {
            by_minors |= chess::attacks::knight(square);
        }
        for square in board.pieces(them, PieceType::Bishop) {
            by_minors |= chess::attacks::bishop(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in board.pieces(them, PieceType::Rook) {
            by_rooks |= chess::attacks::rook(square, occupied);
        }
        let mut all = by_rooks | chess::attacks::king(board.king(them));
        for square in board.pieces(them, PieceType::Queen) {
            all |= chess::attacks::queen(square, occupied);
        }
        Self { all, by_pawns, by_minors, by_rooks }
    }

    /// The squares where a piece of this kind is attacked by something lesser.
    pub(crate) fn attacked_by_lesser(&self, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Knight | PieceType::Bishop => self.by_pawns,
            PieceType::Rook => self.by_minors,
            PieceType::Queen => self.by_rooks,
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
        }
    }
}

/// An earlier move as a row of the continuation table: which piece went where, whether it took
/// something and whether it answered a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContinuationKey(u16);

impl ContinuationKey {
    /// For a move that neither took anything nor answered a check.
    #[cfg(test)]
    pub(crate) fn new(piece: Piece, to: Square) -> Self {
        Self(piece_to(piece, to) as u16)
    }

    /// For a move that is about to be made.
    #[inline]
    pub(crate) fn of_move(position: &Position, mv: Move) -> Self {
        let kind = if params::continuation_kinds() == 0 {
            0
        } else {
            usize::from(mv.is_capture()) + 2 * usize::from(position.is_check())
        };
        Self((kind * PIECE_TO + piece_to(position.moved(mv), mv.to())) as u16)
    }

    fn row(self) -> usize {
        usize::from(self.0)
    }

    /// Which piece went where, and nothing else.
    pub(crate) fn piece_to(self) -> usize {
        usize::from(self.0) % PIECE_TO
    }
}

fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * 64 + to.index()
}

/// The moves 1, 2, 4 and 6 plies back.
pub(crate) type Continuations = [Option<ContinuationKey>; 4];

/// What the tables need to know about a node besides the move.
#[derive(Clone, Copy)]
pub(crate) struct MoveContext<'a> {
    pub(crate) position: &'a Position,
    pub(crate) threats: &'a Threats,
    pub(crate) continuations: Continuations,
    /// Plies from the root.
    pub(crate) ply: usize,
}

impl MoveContext<'_> {
    fn side(&self) -> Color {
        self.position.side_to_move()
    }

    /// Whether a move leaves an attacked square, and whether it goes to one, as one of four.
    pub(crate) fn threat_index(&self, mv: Move) -> usize {
        let from = usize::from(self.threats.all.has(mv.from()));
        let to = usize::from(self.threats.all.has(mv.to()));
        from * 2 + to
    }

    fn pawn_row(&self) -> usize {
        CONTINUATION_ROWS + self.position.pawn_key() as usize % PAWN_ROWS
    }

    fn piece_to(&self, mv: Move) -> usize {
        piece_to(self.position.moved(mv), mv.to())
    }

    /// Where the capture table keeps a capture or promotion.
    pub(crate) fn capture_row(&self, mv: Move) -> CaptureRow {
        let attacked = usize::from(self.threats.all.has(mv.to()));
        // A promotion without capture has a column of its own.
        let victim = self.position.captured(mv).map_or(6, PieceType::index);
        CaptureRow { row: (self.piece_to(mv) * 2 + attacked) as u16, victim: victim as u8 }
    }
}

/// The place of a capture or promotion in the capture table: which piece went where, whether that
/// square was attacked, and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CaptureRow {
    row: u16,
    victim: u8,
}

/// The rows of the tables that serve all quiet moves of a node.
pub(crate) struct QuietRows<'a> {
    context: &'a MoveContext<'a>,
    /// By [`MoveContext::threat_index`], as the next.
    butterfly: &'a [[i16; 4096]],
    /// For the first plies of the search.
    low_ply: Option<&'a [i16; 4096]>,
    piece_to: &'a [[i16; PIECE_TO]],
    pawns: &'a [i16; PIECE_TO],
    continuations: [&'a [i16; PIECE_TO]; 4],
}

impl QuietRows<'_> {
    /// How well a quiet move did, all statistics weighed together.
    #[inline(always)]
    pub(crate) fn score(&self, mv: Move) -> i32 {
        let threats = self.context.threat_index(mv);
        let piece_to = self.context.piece_to(mv);
        let [first, second, fourth, sixth] = self.continuations;
        let weighed = [
            (params::weight_butterfly(), self.butterfly[threats][mv.from_to()]),
            (params::weight_piece_to(), self.piece_to[threats][piece_to]),
            (params::weight_pawn_history(), self.pawns[piece_to]),
            (params::weight_continuation_1(), first[piece_to]),
            (params::weight_continuation_2(), second[piece_to]),
            (params::weight_continuation_4(), fourth[piece_to]),
            (params::weight_continuation_6(), sixth[piece_to]),
        ];
        let mut sum: i32 =
            weighed.into_iter().map(|(weight, entry)| weight * i32::from(entry)).sum();
        if let Some(low_ply) = self.low_ply {
            let near_root = params::weight_low_ply() / (1 + self.context.ply as i32);
            sum += near_root * i32::from(low_ply[mv.from_to()]);
        }
        sum / 1024
    }
}

/// All statistics of one search thread.
pub(crate) struct History {
    butterfly: ZeroedArray<[i16; 4096]>,
    /// From-to of the first plies of this search alone.
    low_ply: ZeroedArray<[i16; 4096]>,
    piece_to: ZeroedArray<[i16; PIECE_TO]>,
    captures: ZeroedArray<[i16; 7]>,
    /// The continuation table, and after it the pawn table: together three huge pages, which no
    /// look into them has to search for.
    rows: ZeroedArray<[i16; PIECE_TO]>,
    countermoves: Box<[Option<Move>]>,
}

impl History {
    pub(crate) fn new() -> Result<Self, AllocationError> {
        Ok(Self {
            butterfly: ZeroedArray::new(8)?,
            low_ply: ZeroedArray::new(LOW_PLIES)?,
            piece_to: ZeroedArray::new(4)?,
            captures: ZeroedArray::new(PIECE_TO * 2)?,
            rows: ZeroedArray::new(CONTINUATION_ROWS + PAWN_ROWS)?,
            countermoves: vec![None; PIECE_TO].into_boxed_slice(),
        })
    }

    pub(crate) fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill(0);
        self.clear_low_ply();
        self.piece_to.as_flattened_mut().fill(0);
        self.captures.as_flattened_mut().fill(0);
        self.rows.as_flattened_mut().fill(0);
        self.countermoves.fill(None);
    }

    /// Forgets what concerns the last search alone.
    pub(crate) fn clear_low_ply(&mut self) {
        self.low_ply.as_flattened_mut().fill(0);
    }

    /// How well a quiet move did, all statistics weighed together.
    pub(crate) fn quiet(&self, context: &MoveContext<'_>, mv: Move) -> i32 {
        self.quiet_rows(context).score(mv)
    }

    /// What [`quiet`](Self::quiet) looks at, for all moves of a node.
    pub(crate) fn quiet_rows<'a>(&'a self, context: &'a MoveContext<'a>) -> QuietRows<'a> {
        static NOTHING: [i16; PIECE_TO] = [0; PIECE_TO];
        QuietRows {
            context,
            butterfly: &self.butterfly[context.side().index() * 4..][..4],
            low_ply: self.low_ply.get(context.ply).filter(|_| params::weight_low_ply() != 0),
            piece_to: &self.piece_to,
            pawns: &self.rows[context.pawn_row()],
            continuations: context
                .continuations
                .map(|key| key.map_or(&NOTHING, |key| &self.rows[key.row()])),
        }
    }

    /// How well a quiet move did as an answer to the last move and as a follow-up to the own one
    /// before: the part that prunes.
    pub(crate) fn continuation(&self, context: &MoveContext<'_>, mv: Move) -> i32 {
        let piece_to = context.piece_to(mv);
        let entry = |key: &ContinuationKey| i32::from(self.rows[key.row()][piece_to]);
        context.continuations[..2].iter().flatten().map(entry).sum()
    }

    pub(crate) fn update_quiet(&mut self, context: &MoveContext<'_>, mv: Move, bonus: i32) {
        let threats = context.threat_index(mv);
        let piece_to = context.piece_to(mv);
        let row = context.side().index() * 4 + threats;
        update(&mut self.butterfly[row][mv.from_to()], bonus, QUIET_MAX);
        if params::weight_low_ply() != 0
            && let Some(low_ply) = self.low_ply.get_mut(context.ply)
        {
            update(&mut low_ply[mv.from_to()], bonus, QUIET_MAX);
        }
        update(&mut self.piece_to[threats][piece_to], bonus, QUIET_MAX);
        update(&mut self.rows[context.pawn_row()][piece_to], bonus, QUIET_MAX);
        self.update_continuation(context.continuations, piece_to, bonus);
    }

    /// Tells the continuation table of a move that went to `piece_to`.
    pub(crate) fn update_continuation(
        &mut self,
        continuations: Continuations,
        piece_to: usize,
        bonus: i32,
    ) {
        for key in continuations.into_iter().flatten() {
            update(&mut self.rows[key.row()][piece_to], bonus, CONTINUATION_MAX);
        }
    }

    /// Updates the from-to table alone, for a move that was made under this
    /// [threat index](MoveContext::threat_index).
    pub(crate) fn update_butterfly(&mut self, side: Color, mv: Move, threats: usize, bonus: i32) {
        let row = side.index() * 4 + threats;
        update(&mut self.butterfly[row][mv.from_to()], bonus, QUIET_MAX);
    }

    /// How well a capture or promotion did.
    pub(crate) fn capture(&self, context: &MoveContext<'_>, mv: Move) -> i32 {
        let CaptureRow { row, victim } = context.capture_row(mv);
        i32::from(self.captures[usize::from(row)][usize::from(victim)])
    }

    pub(crate) fn update_capture(&mut self, context: &MoveContext<'_>, mv: Move, bonus: i32) {
        self.update_capture_row(context.capture_row(mv), bonus);
    }

    /// As [`update_capture`](Self::update_capture), for a move that was made before.
    pub(crate) fn update_capture_row(&mut self, at: CaptureRow, bonus: i32) {
        let CaptureRow { row, victim } = at;
        update(&mut self.captures[usize::from(row)][usize::from(victim)], bonus, CAPTURE_MAX);
    }

    /// The quiet move that refuted the last one.
    pub(crate) fn countermove(&self, last: Option<ContinuationKey>) -> Option<Move> {
        self.countermoves[last?.piece_to()]
    }

    pub(crate) fn set_countermove(&mut self, last: Option<ContinuationKey>, mv: Move) {
        if let Some(last) = last {
            self.countermoves[last.piece_to()] = Some(mv);
        }
    }
}

#[cfg(test)]
mod tests;
