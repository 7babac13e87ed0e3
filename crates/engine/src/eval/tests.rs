//! What the evaluation as a whole must get right.

use chess::{Board, Piece, Position, Setup};

use super::*;

/// The positions of games of random moves, from usual and shuffled starts.
fn random_positions(games: u64, plies: usize) -> Vec<Position> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut positions = Vec::new();
    for game in 0..games {
        let mut position = match game % 3 {
            0 => chess::chess960((game * 37 % 960) as u16),
            _ => Position::startpos(),
        };
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            position.make(moves[(state >> 33) as usize % moves.len()]);
            positions.push(position);
        }
    }
    positions
}

fn score(fen: &str) -> i32 {
    evaluate(&Position::from_fen(fen).expect("the test's position is legal"))
}

/// The mirror image with left and right exchanged, without castling rights.
fn mirrored(position: &Position) -> Option<Position> {
    let mut board = Board::EMPTY;
    for square in position.board().occupied() {
        let piece: Piece = position.board().piece_at(square)?;
        board.put(piece, square.flip_file());
    }
    let setup =
        Setup { board, castling: chess::Bitboard::EMPTY, en_passant: None, ..position.to_setup() };
    Position::from_setup(setup).ok()
}

#[test]
fn both_colours_are_judged_alike() {
    for position in random_positions(60, 160) {
        let flipped = position.color_flipped();
        assert_eq!(evaluate(&position), evaluate(&flipped), "{}", position.to_fen());
    }
}

#[test]
fn left_and_right_are_judged_alike() {
    let mut compared = 0;
    for position in random_positions(60, 160) {
        if let Some(image) = mirrored(&position) {
            assert_eq!(evaluate(&position), evaluate(&image), "{}", position.to_fen());
            compared += 1;
        }
    }
    assert!(compared > 1000);
}

#[test]
fn the_trace_accounts_for_the_whole_score() {
    let weights: Vec<Tapered> =
        WEIGHTS.groups().into_iter().flat_map(|group| group.values).collect();
    let mut recorder = Recorder::default();
    for position in random_positions(60, 160) {
        recorder.clear();
        let traced = evaluate_with(&position, &mut recorder);
        assert_eq!(traced, evaluate_with(&position, &mut Silent));
        let sum = recorder.terms().fold(Tapered::ZERO, |sum, (index, count)| {
            sum + weights[usize::from(index)] * i32::from(count)
        });
        assert_eq!(sum, traced.sum, "{}", position.to_fen());
    }
}

#[test]
fn the_start_is_worth_the_move() {
    let tempo = WEIGHTS.tempo[0].at(PHASE_MAX);
    assert_eq!(evaluate(&Position::startpos()), tempo);
}

#[test]
fn every_weight_is_reachable() {
    let mut used = vec![false; Weights::COUNT];
    let mut recorder = Recorder::default();
    for position in random_positions(1500, 200) {
        recorder.clear();
        evaluate_with(&position, &mut recorder);
        recorder.terms().for_each(|(index, _)| used[usize::from(index)] = true);
    }
    let mut place = 0;
    for group in WEIGHTS.groups() {
        let run = &used[place..place + group.values.len()];
        assert!(run.contains(&true), "nothing uses {}", group.name);
        place += group.values.len();
    }
}

#[test]
fn dead_and_drawn_material_is_worth_nothing() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 b - - 0 1",
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
    ] {
        assert_eq!(score(fen), 0, "{fen}");
    }
    // A piece that cannot win is not worth more than the pawn that can.
    assert!(score("8/8/4k3/4p3/8/8/4K3/4B3 w - - 0 1") <= 0);
    assert!(score("8/8/4k3/3r4/8/3KB3/4R3/8 w - - 0 1").abs() < 80);
}

#[test]
fn wrong_bishop_with_an_edge_pawn_is_drawn() {
    // a8 is light: the bishop on c1 never controls it, the one on e2 does.
    assert_eq!(score("k7/8/8/P7/8/8/3K4/2B5 w - - 0 1"), 0);
    assert!(score("k7/8/8/P7/8/8/3KB3/8 w - - 0 1") > 300);
}

#[test]
fn two_bishops_are_better_than_bishop_and_knight() {
    let pair = score("4k3/pppp1ppp/2nb4/8/8/2BB4/PPPP1PPP/4K3 w - - 0 1");
    let single = score("4k3/pppp1ppp/2nb4/8/8/2NB4/PPPP1PPP/4K3 w - - 0 1");
    assert!(pair > single);
}

#[test]
fn opposite_bishops_shrink_an_advantage() {
    let same = score("4k3/5ppp/4b3/8/8/3B4/PP3PPP/4K3 w - - 0 1");
    let opposite = score("4k3/5ppp/3b4/8/8/3B4/PP3PPP/4K3 w - - 0 1");
    assert!(opposite * 3 < same * 2, "{opposite} against {same}");
}

#[test]
fn a_passed_pawn_grows_with_every_step() {
    let mut last = i32::MIN;
    for rank in 2..=7 {
        let fen = (1..=8)
            .rev()
            .map(|row| match row {
                8 => "6k1",
                1 => "6K1",
                row if row == rank => "P7",
                _ => "8",
            })
            .collect::<Vec<_>>()
            .join("/");
        // A rook on each side, so that no rule about bare kings interferes.
        let fen = fen.replace("6k1", "r5k1").replace("6K1", "2R3K1");
        let now = score(&format!("{fen} w - - 0 1"));
        assert!(now > last, "rank {rank}: {now} after {last}");
        last = now;
    }
}

#[test]
fn a_pawn_no_king_can_catch_is_almost_a_queen() {
    let free = score("8/P7/8/8/8/7k/8/7K w - - 0 1");
    let caught = score("8/Pk6/8/8/8/8/8/7K w - - 0 1");
    assert!(free > caught + 150, "{free} against {caught}");
}

#[test]
fn bare_kings_are_driven_to_where_they_are_mated() {
    for piece in ["R", "Q"] {
        let middle = score(&format!("8/8/8/3k4/8/3K4/7{piece}/8 w - - 0 1"));
        let edge = score(&format!("3k4/8/3K4/8/8/8/7{piece}/8 w - - 0 1"));
        assert!(edge > middle, "{piece}");
    }
    // The dark-squared bishop mates in a1 or h8, not in a8.
    let right = score("7k/8/5K2/8/8/8/8/2B4N w - - 0 1");
    let wrong = score("k7/8/2K5/8/8/8/8/2B4N w - - 0 1");
    assert!(right > wrong + 100, "{right} against {wrong}");
}

#[test]
fn an_exposed_king_under_attack_is_worse() {
    let safe = score("6k1/5ppp/8/8/8/3B4/5PPP/3QR1K1 w - - 0 1");
    let exposed = score("6k1/ppp5/8/8/8/3B4/5PPP/3QR1K1 w - - 0 1");
    assert!(exposed > safe, "{exposed} against {safe}");
}

#[test]
fn scores_stay_far_below_proven_wins() {
    let queens = score("8/7k/8/8/QQQQ4/QQQQ4/Q7/K7 b - - 0 1");
    assert!(queens < -5000 && queens > -30_000, "{queens}");
}
