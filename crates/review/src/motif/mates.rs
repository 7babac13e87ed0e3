//! Mates that have a name, by the pattern on the board when it is mate.

use chess::{Bitboard, Board, Color, File, PieceType, Placed, Rank, Square, attacks, geometry};

use super::line::ForcedLine;
use super::worth::{attackers, king, placed};
use super::{Finding, Motif};

/// The board at the end, and who mates whom.
struct MateBoard<'a> {
    board: &'a Board,
    us: Color,
    king: Square,
    /// The squares beside the king.
    ring: Bitboard,
    checkers: Bitboard,
    /// The piece that moved last.
    last: Placed,
}

type Pattern = fn(&MateBoard<'_>) -> Option<Vec<Square>>;

/// The patterns, the strictest first: a mate has the first name that fits, but for epaulettes, which
/// go together with others.
const PATTERNS: [(Motif, Pattern); 17] = [
    (Motif::SmotheredMate, smothered),
    (Motif::BackRankMate, back_rank),
    (Motif::AnastasiaMate, anastasia),
    (Motif::HookMate, hook),
    (Motif::ArabianMate, arabian),
    (Motif::BodenMate, boden),
    (Motif::DoubleBishopMate, double_bishop),
    (Motif::DovetailMate, dovetail),
    (Motif::SwallowstailMate, swallowstail),
    (Motif::VukovicMate, vukovic),
    (Motif::KillBoxMate, kill_box),
    (Motif::BlindSwineMate, blind_swine),
    (Motif::OperaMate, opera),
    (Motif::PillsburysMate, pillsbury),
    (Motif::MorphysMate, morphy),
    (Motif::CornerMate, corner),
    (Motif::BalestraMate, balestra),
];

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    let Some(last) = line.len().checked_sub(1).filter(|_| line.is_mate()) else { return };
    let position = line.end();
    let board = position.board();
    let square = board.king(line.them());
    let mate = MateBoard {
        board,
        us: line.us(),
        king: square,
        ring: attacks::king(square),
        checkers: position.checkers(),
        last: line.moved(last),
    };
    let finding = |motif, squares: Vec<Square>| {
        let mut pieces: Vec<Placed> =
            squares.into_iter().filter_map(|square| placed(board, square)).collect();
        pieces.push(king(board, line.them()));
        Finding::new(motif, last, pieces)
    };
    let named = PATTERNS.iter().find_map(|(motif, pattern)| Some((*motif, pattern(&mate)?)));
    found.extend(named.map(|(motif, squares)| finding(motif, squares)));
    found.extend(epaulette(&mate).map(|squares| finding(Motif::EpauletteMate, squares)));
}

impl MateBoard<'_> {
    fn them(&self) -> Color {
        !self.us
    }

    /// Squares beside the king on which own pieces stand.
    fn blocked(&self) -> Bitboard {
        self.ring & self.board.color(self.them())
    }

    fn is_edge(&self) -> bool {
        matches!(self.king.file(), File::A | File::H)
            || matches!(self.king.rank(), Rank::R1 | Rank::R8)
    }

    fn is_corner(&self) -> bool {
        matches!(self.king.file(), File::A | File::H)
            && matches!(self.king.rank(), Rank::R1 | Rank::R8)
    }

    /// The mating side's pieces of a kind that attack a square.
    fn guards(&self, square: Square, kind: PieceType) -> Bitboard {
        attackers(self.board, square, self.us) & self.board.kind(kind)
    }

    /// All that the mating side's pieces attack on a square, seen through the king.
    fn covers(&self, square: Square) -> Bitboard {
        let occupied = self.board.occupied().without(self.king);
        self.board.attackers(square, occupied) & self.board.color(self.us)
    }

    /// The one piece that gives check, if it is of this kind.
    fn checker(&self, kind: PieceType) -> Option<Square> {
        let square = self.checkers.first().filter(|_| !self.checkers.many())?;
        self.board.kind(kind).has(square).then_some(square)
    }

    fn is_beside(&self, square: Square) -> bool {
        self.ring.has(square)
    }

    fn is_straight(&self, square: Square) -> bool {
        square.file() == self.king.file() || square.rank() == self.king.rank()
    }

    /// The square beside the king in a direction.
    fn step(&self, files: i8, ranks: i8) -> Option<Square> {
        self.king.offset(files, ranks)
    }

    /// The direction from the king to a square on its line.
    fn direction(&self, square: Square) -> (i8, i8) {
        let sign = |to: usize, from: usize| (to as i8 - from as i8).signum();
        (
            sign(square.file().index(), self.king.file().index()),
            sign(square.rank().index(), self.king.rank().index()),
        )
    }

    fn is_theirs(&self, square: Option<Square>) -> bool {
        square.is_some_and(|square| self.board.color(self.them()).has(square))
    }
}

fn smothered(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let knight = mate.checkers & mate.board.kind(PieceType::Knight);
    (mate.ring == mate.blocked()).then(|| knight.first().map(|knight| vec![knight]))?
}

/// The squares before the king hold its own pieces, which the mating side does not even attack: they
/// alone keep the king on the rank of the check.
fn back_rank(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let home = Rank::R1.relative_to(mate.them());
    let before = mate.ring & Bitboard::rank(Rank::R2.relative_to(mate.them()));
    let walls = before.into_iter().all(|square| {
        mate.is_theirs(Some(square)) && attackers(mate.board, square, mate.us).is_empty()
    });
    let checker = (mate.checkers & Bitboard::rank(home)).first()?;
    (mate.king.rank() == home && walls).then(|| std::iter::once(checker).chain(before).collect())
}

fn anastasia(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let is_side = matches!(mate.king.file(), File::A | File::H) && !mate.is_corner();
    let heavy = matches!(mate.last.piece.kind(), PieceType::Rook | PieceType::Queen);
    let inwards = if mate.king.file() == File::A { 1 } else { -1 };
    let blocker = mate.step(inwards, 0);
    let knight = mate.king.offset(3 * inwards, 0)?;
    let has_knight = mate.board.pieces(mate.us, PieceType::Knight).has(knight);
    let on_file = mate.last.square.file() == mate.king.file();
    (is_side && heavy && on_file && has_knight && mate.is_theirs(blocker))
        .then(|| vec![mate.last.square, knight])
}

fn hook(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let rook = mate.last.square;
    if mate.last.piece.kind() != PieceType::Rook || !mate.is_beside(rook) {
        return None;
    }
    (mate.guards(rook, PieceType::Knight) & mate.ring).into_iter().find_map(|knight| {
        let pawn = mate.guards(knight, PieceType::Pawn).first()?;
        Some(vec![rook, knight, pawn])
    })
}

fn arabian(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let rook = mate.last.square;
    if mate.last.piece.kind() != PieceType::Rook || !mate.is_beside(rook) || !mate.is_corner() {
        return None;
    }
    let is_two_off = |&knight: &Square| {
        knight.file().distance(mate.king.file()) == 2
            && knight.rank().distance(mate.king.rank()) == 2
    };
    let knight = mate.guards(rook, PieceType::Knight).into_iter().find(is_two_off)?;
    Some(vec![rook, knight])
}

/// Bishops alone attack the king and the squares beside it: the squares of the two bishops.
fn bishops(mate: &MateBoard<'_>) -> Option<[Square; 2]> {
    let bishops = mate.board.pieces(mate.us, PieceType::Bishop);
    let others = mate.board.color(mate.us).minus(bishops);
    let area = mate.ring.with(mate.king);
    let occupied = mate.board.occupied();
    let alone = area.into_iter().all(|at| !mate.board.attackers(at, occupied).meets(others));
    let mut squares = bishops.into_iter();
    let pair = [squares.next()?, squares.next()?];
    alone.then_some(pair)
}

fn boden(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let [one, other] = bishops(mate)?;
    let side = |square: Square| square.file() < mate.king.file();
    (side(one) != side(other)).then(|| vec![one, other])
}

fn double_bishop(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    bishops(mate).map(|pair| pair.to_vec())
}

/// The queen stands diagonally beside a king that is not at the edge, and she alone matters: what she
/// does not reach is blocked by the king's own pieces.
fn dovetail(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let queen = mate.checker(PieceType::Queen).filter(|&queen| mate.is_beside(queen))?;
    let alone = mate.ring.without(queen).into_iter().all(|square| {
        let covers = attackers(mate.board, square, mate.us);
        let is_free = mate.board.piece_at(square).is_none();
        if covers == queen.into() { is_free } else { covers.is_empty() }
    });
    (!mate.is_edge() && !mate.is_straight(queen) && alone).then(|| vec![queen])
}

/// The queen stands straight beside the king; its own pieces stand on the two squares that slant away
/// from her.
fn swallowstail(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let queen = mate.checker(PieceType::Queen).filter(|&queen| mate.is_beside(queen))?;
    if !mate.is_straight(queen) {
        return None;
    }
    let (files, ranks) = mate.direction(queen);
    let tail =
        [mate.step(-files + ranks, -ranks + files), mate.step(-files - ranks, -ranks - files)];
    tail.iter()
        .all(|&square| mate.is_theirs(square))
        .then(|| std::iter::once(queen).chain(tail.into_iter().flatten()).collect())
}

/// A queen or rook checks along a line; the squares beside the king across that line are occupied.
fn epaulette(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let checker = mate.checker(PieceType::Queen).or_else(|| mate.checker(PieceType::Rook))?;
    if !mate.is_straight(checker) {
        return None;
    }
    let (files, ranks) = mate.direction(checker);
    let shoulders = [mate.step(ranks, files)?, mate.step(-ranks, -files)?];
    let worn = shoulders.iter().all(|&square| mate.is_theirs(Some(square)));
    // The squares that slant towards the checker are what its line and its neighbours close.
    worn.then(|| vec![checker, shoulders[0], shoulders[1]])
}

fn rook_beside(mate: &MateBoard<'_>) -> Option<Square> {
    mate.checker(PieceType::Rook).filter(|&rook| mate.is_beside(rook))
}

fn opera(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let rook = rook_beside(mate)?;
    let bishop = mate.guards(rook, PieceType::Bishop).first()?;
    Some(vec![rook, bishop])
}

/// A rook checks from afar, and a bishop closes a square beside the king that nothing else closes.
fn pillsbury(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let rook = mate.checker(PieceType::Rook).filter(|&rook| !mate.is_beside(rook))?;
    let closes = mate.ring.into_iter().find_map(|square| {
        let covers = mate.covers(square);
        let bishop = (covers & mate.board.kind(PieceType::Bishop)).first()?;
        let free = !mate.blocked().has(square);
        (free && !covers.many()).then_some(bishop)
    })?;
    mate.is_edge().then(|| vec![rook, closes])
}

fn morphy(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let bishop = mate.checker(PieceType::Bishop)?;
    let free = mate.ring.minus(mate.blocked());
    let rook = free
        .into_iter()
        .find_map(|square| (mate.covers(square) & mate.board.kind(PieceType::Rook)).first())?;
    mate.is_edge().then(|| vec![bishop, rook])
}

fn corner(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let knight = mate.checker(PieceType::Knight)?;
    let heavy = mate.board.straight_sliders();
    let free = mate.ring.minus(mate.blocked());
    let closes = free.into_iter().find_map(|square| (mate.covers(square) & heavy).first())?;
    (mate.is_corner() && mate.blocked().any()).then(|| vec![knight, closes])
}

/// The rook stands beside the king; the queen, two squares from the king, protects the rook and closes
/// the box around the king together with it.
fn kill_box(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let rook = rook_beside(mate)?;
    let near = |queen: &Square| {
        queen.distance(mate.king) == 2
            && queen.file() != mate.king.file()
            && queen.rank() != mate.king.rank()
    };
    let queen = mate.guards(rook, PieceType::Queen).into_iter().find(near)?;
    let closed =
        mate.ring.minus(mate.blocked()).into_iter().all(|square| {
            square == rook || mate.covers(square).meets(Bitboard::of(rook).with(queen))
        });
    closed.then(|| vec![rook, queen])
}

/// A protected rook beside a king at the edge, and a knight two squares straight before the king.
fn vukovic(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let rook = rook_beside(mate)?;
    let knight = [(0, 2), (0, -2), (2, 0), (-2, 0)].into_iter().find_map(|(files, ranks)| {
        let square = mate.step(files, ranks)?;
        let on_line = geometry::between(mate.king, square).has(rook);
        let is_knight = mate.board.pieces(mate.us, PieceType::Knight).has(square);
        (is_knight && on_line).then_some(square)
    })?;
    mate.is_edge().then(|| vec![rook, knight])
}

fn blind_swine(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let rook = rook_beside(mate)?;
    let seventh = Rank::R7.relative_to(mate.us);
    let rooks = mate.board.pieces(mate.us, PieceType::Rook) & Bitboard::rank(seventh);
    let home = Rank::R1.relative_to(mate.them());
    (rooks.has(rook) && rooks.many() && mate.king.rank() == home)
        .then(|| rooks.into_iter().collect())
}

fn balestra(mate: &MateBoard<'_>) -> Option<Vec<Square>> {
    let bishop = mate.checker(PieceType::Bishop)?;
    let queen = mate.board.pieces(mate.us, PieceType::Queen).first()?;
    let free = mate.ring.minus(mate.blocked());
    let closed = free.into_iter().all(|square| {
        mate.covers(square).meets(Bitboard::of(bishop).with(queen)) || square == bishop
    });
    (mate.is_edge() && closed && mate.blocked().is_empty()).then(|| vec![bishop, queen])
}
