//! Repetition against a definition that compares whole positions.

use chess::{KeyHistory, Position};

use crate::play::Rng;

/// A game with every position kept.
struct Record {
    history: KeyHistory,
    /// All positions, the present one last.
    positions: Vec<Position>,
}

impl Record {
    fn new(start: Position) -> Self {
        Self { history: KeyHistory::default(), positions: vec![start] }
    }

    fn from_moves(fen: &str, moves: &str) -> Self {
        let mut record = Self::new(Position::from_fen(fen).unwrap());
        for text in moves.split(' ') {
            let mv = record.present().parse_uci(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            record.play(mv);
        }
        record
    }

    fn present(&self) -> &Position {
        self.positions.last().expect("a game has a first position")
    }

    fn play(&mut self, mv: chess::Move) {
        let mut next = *self.present();
        self.history.push(&next);
        next.make(mv);
        self.positions.push(next);
    }

    /// How many plies before the present one a position stood, nearest first.
    fn distances(&self, position: &Position) -> Vec<usize> {
        let earlier = self.positions.iter().rev().enumerate().skip(1);
        earlier
            .filter(|(_, other)| is_same(other, position))
            .map(|(distance, _)| distance)
            .collect()
    }

    /// A position stood inside the tree before, or twice at all.
    fn counts_as_draw(distances: &[usize], ply: usize) -> bool {
        distances.first().is_some_and(|&distance| distance < ply) || distances.len() >= 2
    }

    fn is_repetition(&self, ply: usize) -> bool {
        Self::counts_as_draw(&self.distances(self.present()), ply)
    }

    fn has_upcoming_repetition(&self, ply: usize) -> bool {
        self.present().legal_moves().iter().any(|&mv| {
            let mut next = *self.present();
            next.make(mv);
            Self::counts_as_draw(&self.distances(&next), ply)
        })
    }

    fn assert_all(&self) {
        let present = self.present();
        assert_eq!(
            self.history.is_threefold(present),
            self.distances(present).len() >= 2,
            "{present:?}"
        );
        for ply in [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 1000] {
            assert_eq!(
                self.history.is_repetition(present, ply),
                self.is_repetition(ply),
                "{present:?} at ply {ply}"
            );
            assert_eq!(
                self.history.has_upcoming_repetition(present, ply),
                self.has_upcoming_repetition(ply),
                "{present:?} at ply {ply} after {} plies",
                self.positions.len() - 1
            );
        }
    }
}

/// The same pieces, side to move, castling rights and en passant; clocks aside.
fn is_same(a: &Position, b: &Position) -> bool {
    a.board() == b.board()
        && a.side_to_move() == b.side_to_move()
        && a.castling_rooks() == b.castling_rooks()
        && a.en_passant() == b.en_passant()
}

/// Plays at random, but likes to go back where it came from.
fn shuffle(start: Position, plies: usize, rng: &mut Rng) {
    let mut record = Record::new(start);
    for _ in 0..plies {
        record.assert_all();
        let moves = record.present().legal_moves();
        let back = record.positions.len().checked_sub(2).and_then(|index| {
            let before = &record.positions[index.checked_sub(1)?];
            moves.iter().copied().find(|mv| {
                before.board().piece_at(mv.to()) == Some(record.present().moved(*mv))
                    && mv.is_quiet()
            })
        });
        let mv = match (back, rng.below(3)) {
            (Some(mv), 0 | 1) => Some(mv),
            _ => rng.pick(&moves),
        };
        let Some(mv) = mv else { break };
        record.play(mv);
    }
}

#[test]
fn repetitions_equal_those_found_by_comparing_positions() {
    let starts = [
        "8/8/8/8/8/8/p7/2k4K b - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1k6/8/2n5/8/8/5N2/8/6K1 w - - 0 1",
        "3qk3/8/8/8/8/8/8/3QK3 b - - 0 1",
        "2b1k3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1",
        "k7/8/8/8/8/8/8/6KR b - - 37 50",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];
    let mut rng = Rng::new(61);
    let (games, plies) = if cfg!(miri) { (1, 3) } else { (40, 60) };
    for fen in starts {
        for _ in 0..games {
            shuffle(Position::from_fen(fen).unwrap(), plies, &mut rng);
        }
    }
}

#[test]
fn every_ply_of_a_well_known_false_alarm_is_judged_right() {
    let fen = "8/8/8/8/8/8/p7/2k4K b - - 0 1";
    let moves = "c1b1 h1g1 b1c1 g1h1 c1b1 h1g1 b1a1 g1h1";
    let all: Vec<&str> = moves.split(' ').collect();
    for count in 1..=all.len() {
        Record::from_moves(fen, &all[..count].join(" ")).assert_all();
    }
    // From the corner the king can step back to where it stood twice.
    let record = Record::from_moves(fen, moves);
    assert!(record.history.has_upcoming_repetition(record.present(), 0));
    // From b1 (the game up to there) c1 stood twice, but with White's king elsewhere.
    let record = Record::from_moves(fen, &all[..6].join(" "));
    assert!(!record.history.has_upcoming_repetition(record.present(), 0));
}

#[test]
fn a_move_of_the_opponents_man_is_no_upcoming_repetition() {
    // White's king took three steps for one, Black's went out and back: the first position is
    // one move away, but it is a move of White's and Black is to move.
    let fen = "2k5/8/8/8/8/8/8/K7 w - - 0 1";
    let moves = "a1a2 c8b8 a2b2 b8c8 b2b1";
    let record = Record::from_moves(fen, moves);
    assert!(!record.has_upcoming_repetition(1000));
    record.assert_all();
}

#[test]
fn the_third_time_is_a_draw_and_the_second_only_inside_the_tree() {
    let round = "g1f3 g8f6 f3g1 f6g8";
    let start = Position::startpos().to_fen();
    let once = Record::from_moves(&start, round);
    assert!(!once.history.is_threefold(once.present()));
    assert!(!once.history.is_repetition(once.present(), 4));
    assert!(once.history.is_repetition(once.present(), 5));
    let twice = Record::from_moves(&start, &format!("{round} {round}"));
    assert!(twice.history.is_threefold(twice.present()));
    assert!(twice.history.is_repetition(twice.present(), 0));
}

#[test]
fn rights_that_were_lost_make_a_position_a_new_one() {
    // The rook goes and comes back, but may not castle any more.
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let record = Record::from_moves(fen, "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8");
    assert!(!record.history.is_threefold(record.present()));
    assert_eq!(record.distances(record.present()), [4]);
    record.assert_all();
}

#[test]
fn nothing_before_a_null_move_counts_as_repeated() {
    let round = "g1f3 g8f6 f3g1 f6g8";
    let mut record =
        Record::from_moves(&Position::startpos().to_fen(), &format!("{round} {round}"));
    assert!(record.history.is_repetition(record.present(), 1000));
    let mut position = *record.present();
    record.history.push(&position);
    position.make_null();
    record.history.push(&position);
    position.make_null();
    assert!(!record.history.is_repetition(&position, 1000));
    assert!(!record.history.has_upcoming_repetition(&position, 1000));
}

#[test]
fn a_history_forgets_in_the_order_it_remembers() {
    let mut history = KeyHistory::with_capacity(4);
    assert!(history.is_empty());
    for length in 1..=6 {
        history.push(&Position::startpos());
        assert_eq!((history.len(), history.is_empty()), (length, false));
    }
    for length in (1..6).rev() {
        history.pop();
        assert_eq!(history.len(), length);
    }
    history.clear();
    assert_eq!((history.len(), history.is_empty()), (0, true));
}
