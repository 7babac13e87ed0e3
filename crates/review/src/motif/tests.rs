//! Positions for every motif: where it is, and where it only looks so.

use chess::{Move, Position};

use super::{Finding, ForcedLine, Motif, motifs};

fn read(fen: &str, moves: &str) -> (Position, Vec<Move>) {
    let start = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut position = start;
    let played = moves.split_whitespace().map(|word| {
        let mv = position.parse_san(word).unwrap_or_else(|error| panic!("{fen} {word}: {error}"));
        position.make(mv);
        mv
    });
    let played = played.collect();
    (start, played)
}

fn find(fen: &str, moves: &str, motif: Motif) -> Option<Finding> {
    let (start, moves) = read(fen, moves);
    motifs(&ForcedLine::new(start, &moves)).into_iter().find(|finding| finding.motif == motif)
}

/// As `find`, but the first move is the opponent's.
fn find_answer(fen: &str, moves: &str, motif: Motif) -> Option<Finding> {
    let (start, moves) = read(fen, moves);
    let line = ForcedLine::after(start, &moves).expect("the first move is legal");
    motifs(&line).into_iter().find(|finding| finding.motif == motif)
}

#[track_caller]
fn has(fen: &str, moves: &str, motif: Motif) {
    assert!(find(fen, moves, motif).is_some(), "{motif} missing: {fen} {moves}");
}

#[track_caller]
fn has_not(fen: &str, moves: &str, motif: Motif) {
    assert!(find(fen, moves, motif).is_none(), "{motif} found: {fen} {moves}");
}

/// The ply of a finding and the squares that it names, as text.
#[track_caller]
fn named(fen: &str, moves: &str, motif: Motif) -> String {
    let finding = find(fen, moves, motif).unwrap_or_else(|| panic!("{motif}: {fen} {moves}"));
    let squares: Vec<String> =
        finding.pieces.iter().map(|placed| placed.square.to_string()).collect();
    format!("{}: {}", finding.ply, squares.join(" "))
}

#[test]
fn names_are_unique_and_read_back() {
    for motif in Motif::ALL {
        assert_eq!(Motif::from_name(motif.name()), Some(motif));
        assert!(!motif.words().is_empty());
    }
    assert_eq!(Motif::from_name("nonsense"), None);
}

#[test]
fn a_fork_attacks_two_pieces_that_are_worth_it() {
    let knight = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
    assert_eq!(named(knight, "Nc7+ Kd7 Nxa8", Motif::Fork), "0: c7 a8 e8");
    let pawn = "4k3/8/2n1r3/8/3P4/8/8/K7 w - - 0 1";
    assert_eq!(named(pawn, "d5 Kd7 dxc6+", Motif::Fork), "0: d5 c6 e6");
    // Nothing comes of it if the line ends.
    has_not(knight, "Nc7+", Motif::Fork);
    // A piece that can be taken forks nothing.
    has_not("r2qk3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Qxc7 Ke2", Motif::Fork);
    // Protected pieces of less worth are no targets.
    has_not("4k3/1p3p2/2n1n3/8/8/8/3R4/4K3 w - - 0 1", "Rd6 Ke7 Rd2", Motif::Fork);
}

#[test]
fn a_pin_keeps_a_piece_from_saving_itself_or_from_taking() {
    let escape = "6k1/8/4r3/8/8/8/8/1K1B4 w - - 0 1";
    assert_eq!(named(escape, "Bb3 Kf7 Bxe6+", Motif::Pin), "0: b3 e6 g8");
    // The pawn on f7 may not take the queen because of the bishop.
    has("6k1/5pp1/8/7R/2B3Q1/8/8/6K1 w - - 0 1", "Qg6 Kf8 Rh8#", Motif::Pin);
    // A protected pawn on the line that attacks nothing is not worth the word.
    has_not("6k1/5pp1/8/7R/2B5/8/8/6K1 w - - 0 1", "Rh1 g6 Kf2", Motif::Pin);
    // Pinned to the queen, not to the king.
    let relative = "4k3/3q4/2n5/8/8/8/8/3BK3 w - - 0 1";
    has_not("8/3q1k2/2n5/8/8/8/8/3BK3 w - - 0 1", "Ba4 Ke6 Bxc6", Motif::Pin);
    let behind = relative.replace("4k3/3q4", "8/3q1k2");
    assert_eq!(named(&behind, "Ba4 Ke6 Bxc6", Motif::RelativePin), "0: a4 c6 d7");
    has_not(&behind, "Ba4 Ke6 Ke2", Motif::RelativePin);
}

#[test]
fn a_skewer_wins_the_lesser_piece_behind() {
    let fen = "q3k3/8/8/8/8/8/8/4K2R w - - 0 1";
    assert_eq!(named(fen, "Rh8+ Kd7 Rxa8", Motif::Skewer), "0: h8 e8 a8");
    // A protected piece of the same worth is not won.
    has_not("r3k3/1b6/8/8/8/8/8/4K2R w - - 0 1", "Rh8+ Kd7 Rxa8 Bxa8", Motif::Skewer);
    // What left the line is worth less than what is taken.
    has_not("q2bk3/8/8/8/8/8/8/3RK3 w - - 0 1", "Rxd8+ Qxd8 Ke2", Motif::Skewer);
}

#[test]
fn discoveries_and_double_checks() {
    let fen = "4k3/8/6q1/8/4N3/8/8/2K1R3 w - - 0 1";
    assert_eq!(named(fen, "Nf6+ Kf7", Motif::DoubleCheck), "0: e1 f6");
    has_not(fen, "Nf6+ Kf7", Motif::DiscoveredCheck);
    has_not(fen, "Nf6+ Kf7", Motif::DiscoveredAttack);
    assert_eq!(named(fen, "Ng5+ Kf8", Motif::DiscoveredCheck), "0: e1 g5 e8");
    has(fen, "Ng5+ Kf8", Motif::DiscoveredAttack);
    let attack = "3qk3/8/8/8/3B4/8/8/3RK3 w - - 0 1";
    assert_eq!(named(attack, "Bb6 Kf7 Rxd8", Motif::DiscoveredAttack), "0: d1 b6 d8");
    // The piece that moved takes itself.
    has_not(attack, "Bb6 Kf7 Bxd8", Motif::DiscoveredAttack);
    // A check by the piece that moves discovers nothing.
    has_not("4k3/8/8/8/4N3/8/8/5RK1 w - - 0 1", "Nd6+ Kd7 Rd1", Motif::DiscoveredCheck);
}

#[test]
fn an_x_ray_takes_back_through_the_enemy() {
    let fen = "5rk1/6pp/8/8/8/3q4/5RPP/5R1K b - - 0 1";
    assert_eq!(named(fen, "Qxf1+ Rxf1 Rxf1#", Motif::XRayAttack), "0: f8 f2");
    // The pieces stand behind each other without an enemy between.
    let battery = "1r4k1/1q3ppp/8/8/1Q6/1R6/5PPP/6K1 w - - 0 1";
    has_not(battery, "Qxb7 Rxb7 Rxb7", Motif::XRayAttack);
}

#[test]
fn a_hanging_piece_is_loose_and_worth_more_than_a_pawn() {
    let fen = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
    assert_eq!(named(fen, "Rxd5", Motif::HangingPiece), "0: d5 d5");
    has_not("4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 cxd5", Motif::HangingPiece);
    has_not("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", Motif::HangingPiece);
    // Protected through the piece that takes it.
    has_not("4k3/8/8/8/3N4/3r4/8/3RK3 b - - 0 1", "Rxd4 Rxd4", Motif::HangingPiece);
    // What was won is lost again.
    has_not("3qk3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 Qxd5 Ke2", Motif::HangingPiece);
    // An exchange is no gift.
    let rooks = "4k3/8/8/3r4/8/8/3R4/3RK3 b - - 0 1";
    assert!(find_answer(rooks, "Rxd2 Rxd2", Motif::HangingPiece).is_none());
}

#[test]
fn a_trapped_piece_has_no_safe_square() {
    // The knight on a8 is attacked by the king; b6 and c7 are guarded.
    let corner = "N7/1k1p4/8/1p6/8/8/8/6K1 w - - 0 1";
    let after = "N7/3p4/1k6/1p6/8/8/8/6K1 b - - 0 1";
    assert!(find(corner, "Kf2 Kxa8", Motif::TrappedPiece).is_none());
    assert_eq!(named(after, "Kb7 Kf2 Kxa8", Motif::TrappedPiece), "0: b7 a8");
    // With a way out it is not trapped.
    has_not("8/N2p4/2k5/8/8/8/8/6K1 b - - 0 1", "Kb6 Kf2 Kxa7", Motif::TrappedPiece);
}

#[test]
fn a_sacrifice_gives_two_pawns_or_more() {
    let fen = "5r1k/6pp/7N/8/8/8/Q7/6K1 w - - 0 1";
    assert_eq!(named(fen, "Qg8+ Rxg8 Nf7#", Motif::Sacrifice), "0: g8");
    has_not("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 Ke7 Rd1", Motif::Sacrifice);
    // A pawn is no sacrifice.
    has_not("4k3/8/2p5/8/3P4/8/8/3RK3 w - - 0 1", "d5 cxd5 Ke2", Motif::Sacrifice);
}

#[test]
fn a_defender_is_taken() {
    let fen = "4k3/8/2n5/4b3/8/8/8/B1R1K3 w - - 0 1";
    assert_eq!(named(fen, "Rxc6 Kd7 Bxe5", Motif::CapturingDefender), "0: c6 c6 e5");
    has_not(fen, "Bxe5 Nxe5 Rc8+", Motif::CapturingDefender);
}

#[test]
fn a_defender_is_drawn_away() {
    // The rook guards b8 and must answer the check on a8.
    let fen = "1r4k1/1P3ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    assert_eq!(named(fen, "Ra8 Rxa8 bxa8=Q#", Motif::Promotion), "2: a8");
    has_not(fen, "Ra8 Rxa8 bxa8=Q#", Motif::Deflection);
    // The queen guards d8 until she takes on b2.
    let queen = "3r2k1/q4ppp/8/8/8/8/1R3PPP/3R2K1 w - - 0 1";
    has_not(queen, "Rxd8#", Motif::Deflection);
    let drawn = "3r2k1/1p3ppp/1q6/8/3Q4/8/5PPP/3R2K1 w - - 0 1";
    has_not(drawn, "Qxd8+ Qxd8 Rxd8#", Motif::Deflection);
    // The bishop takes on h6 and leaves the knight on e5.
    let bishop = "6k1/6b1/8/4n3/8/8/4R2P/2B3K1 w - - 0 1";
    assert_eq!(named(bishop, "Bh6 Bxh6 Rxe5", Motif::Deflection), "0: h6 g7 e5");
    has_not(bishop, "Bh6 Bf6 Kf2", Motif::Deflection);
}

#[test]
fn an_overloaded_piece_cannot_protect_both() {
    let fen = "6k1/5p1p/8/2b1q3/8/6n1/8/2R3RK w - - 0 1";
    assert_eq!(named(fen, "Rxg3+ Qxg3 Rxc5", Motif::Overloading), "0: e5 g3 c5");
    // Another pawn protects the bishop.
    let both = "6k1/5p1p/1p6/2b1q3/8/6n1/8/2R3RK w - - 0 1";
    has_not(both, "Rxg3+ Qxg3 Rxc5", Motif::Overloading);
}

#[test]
fn an_attraction_draws_king_queen_or_rook() {
    let fen = "3qk3/8/8/8/6N1/1B6/8/4K3 w - - 0 1";
    assert_eq!(named(fen, "Bf7+ Kxf7 Ne5+", Motif::Attraction), "0: f7 f7");
    has_not(fen, "Bf7+ Kxf7 Nf2", Motif::Attraction);
    has_not(fen, "Bf7+ Kf8 Ne5", Motif::Attraction);
}

#[test]
fn an_interference_cuts_a_protector_off() {
    let fen = "3r3k/8/8/8/8/1B1n4/8/3R2K1 w - - 0 1";
    assert_eq!(named(fen, "Bd5 Kg7 Rxd3", Motif::Interference), "0: d5 d8 d3");
    has_not("7k/8/8/8/8/1B1n4/8/3R2K1 w - - 0 1", "Bd5 Kg7 Rxd3", Motif::Interference);
}

#[test]
fn an_intermezzo_delays_a_recapture() {
    let fen = "4k3/8/8/8/3R2r1/4P3/8/Q3K3 b - - 0 1";
    let finding = find_answer(fen, "Rxd4 Qa8+ Ke7 exd4", Motif::Intermezzo);
    assert_eq!(finding.map(|finding| finding.ply), Some(0));
    assert!(find_answer(fen, "Rxd4 exd4 Ke7 Qa8", Motif::Intermezzo).is_none());
    // Nothing was taken, so nothing is delayed.
    let quiet = "4k3/8/8/8/6r1/4P3/8/Q3K3 b - - 0 1";
    assert!(find_answer(quiet, "Rd4 Qa8+ Ke7 exd4", Motif::Intermezzo).is_none());
}

#[test]
fn a_clearance_makes_room_for_a_slider() {
    let fen = "6k1/p4p1p/6p1/8/8/5N2/8/3Q2K1 w - - 0 1";
    assert_eq!(named(fen, "Nd4 a6 Qf3", Motif::Clearance), "0: d4 f3");
    has_not(fen, "Nd4 a6 Qd2", Motif::Clearance);
}

#[test]
fn quiet_and_defensive_moves() {
    let fen = "6k1/5ppp/8/8/8/8/1r3PPP/3R2K1 w - - 0 1";
    has(fen, "h3", Motif::DefensiveMove);
    has_not(fen, "Rd8#", Motif::DefensiveMove);
    has(fen, "h3 h6 Rd8+", Motif::QuietMove);
    has_not(fen, "h3", Motif::QuietMove);
    has_not(fen, "Rd8#", Motif::QuietMove);
    // An answer to a check is a defence, not a quiet move.
    let checked = "4r2k/8/8/8/8/4K3/8/R7 w - - 0 1";
    has(checked, "Kf2 Re7 Ra8+", Motif::DefensiveMove);
    has_not(checked, "Kf2 Re7 Ra8+", Motif::QuietMove);
}

#[test]
fn pawns_that_get_far() {
    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    has(fen, "a8=Q", Motif::Promotion);
    has(fen, "a8=Q", Motif::AdvancedPawn);
    has_not(fen, "a8=Q", Motif::UnderPromotion);
    has(fen, "a8=N", Motif::UnderPromotion);
    has("8/7k/P7/8/8/8/8/K7 w - - 0 1", "a7", Motif::AdvancedPawn);
    has_not("8/7k/8/P7/8/8/8/K7 w - - 0 1", "a6", Motif::AdvancedPawn);
    has("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", Motif::EnPassant);
    has_not("4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1", "exd6", Motif::EnPassant);
}

#[test]
fn attacks_on_the_king() {
    let exposed = "6k1/8/8/8/8/8/1Q6/6K1 w - - 0 1";
    has(exposed, "Qb8+ Kf7 Qa7+ Ke6 Qa2+", Motif::ExposedKing);
    let sheltered = "6k1/5pp1/8/8/8/8/1Q6/6K1 w - - 0 1";
    has_not(sheltered, "Qb8+ Kh7 Qb1+ Kg8 Qa2", Motif::ExposedKing);
    has("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", Motif::Castling);
    let uncastled = "r2qkb1r/ppp2ppp/8/4N3/2B5/8/8/3QK3 w kq - 0 1";
    has(uncastled, "Nxf7", Motif::AttackingF2F7);
    has_not("r2q1bkr/ppp2ppp/8/4N3/2B5/8/8/3QK3 w - - 0 1", "Nxf7", Motif::AttackingF2F7);
    let castled = "r1bq1rk1/pppn1ppp/3bp3/3p4/3P1PN1/3BP3/PPP3PP/R2QK2R w KQ - 0 1";
    has(
        "r1bq1rk1/pppn1ppp/4p3/3pP1N1/3P4/3BP3/PPP3PP/R2QK2R w KQ - 0 1",
        "Bxh7+ Kh8 Qh5",
        Motif::KingsideAttack,
    );
    has_not(castled, "O-O Nf6 Nxf6+", Motif::KingsideAttack);
}

#[test]
fn draws_by_stalemate_and_perpetual_check() {
    has("5k2/5P2/8/5K2/8/8/8/8 w - - 0 1", "Kf6", Motif::Stalemate);
    has_not("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", Motif::Stalemate);
    let checks = "7k/5Q2/8/8/8/8/8/6K1 w - - 0 1";
    has(checks, "Qf8+ Kh7 Qf7+ Kh8 Qf8+", Motif::PerpetualCheck);
    has_not(checks, "Qf8+ Kh7 Qf5+", Motif::PerpetualCheck);
    has_not(checks, "Qf5 Kg7 Qf4 Kh8 Qf5", Motif::PerpetualCheck);
}

#[test]
fn mates_have_their_names() {
    let mates = [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", Motif::BackRankMate),
        ("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1", "Nf7#", Motif::SmotheredMate),
        ("8/4N1pk/8/8/8/R7/8/6K1 w - - 0 1", "Rh3#", Motif::AnastasiaMate),
        ("5r2/5pk1/5Np1/6P1/8/7R/8/6K1 w - - 0 1", "Rh7#", Motif::HookMate),
        ("7k/R7/5N2/8/8/8/8/6K1 w - - 0 1", "Rh7#", Motif::ArabianMate),
        ("2kr4/3p4/8/8/5B2/8/4B3/6K1 w - - 0 1", "Ba6#", Motif::BodenMate),
        ("7k/7p/8/8/8/8/B7/2B3K1 w - - 0 1", "Bb2#", Motif::DoubleBishopMate),
        ("8/8/3p4/2pk4/8/5P2/4Q3/6K1 w - - 0 1", "Qe4#", Motif::DovetailMate),
        ("3r1r2/4k3/8/5P2/8/8/Q7/6K1 w - - 0 1", "Qe6#", Motif::SwallowstailMate),
        ("3rkr2/8/8/8/8/8/Q7/6K1 w - - 0 1", "Qe6#", Motif::EpauletteMate),
        ("4k3/5p2/8/6B1/8/8/8/3RK3 w - - 0 1", "Rd8#", Motif::OperaMate),
        ("6k1/5pp1/7p/8/8/8/2B5/R5K1 w - - 0 1", "Ra8#", Motif::PillsburysMate),
        ("7k/7p/8/8/8/8/8/2B3RK w - - 0 1", "Bb2#", Motif::MorphysMate),
        ("7k/7p/8/6N1/8/8/8/6RK w - - 0 1", "Nf7#", Motif::CornerMate),
        ("4R3/k7/2Q5/8/8/8/8/6K1 w - - 0 1", "Ra8#", Motif::KillBoxMate),
        ("4k3/R7/4NP2/8/8/8/8/6K1 w - - 0 1", "Re7#", Motif::VukovicMate),
        ("5rk1/R6R/8/8/8/8/8/6K1 w - - 0 1", "Rag7#", Motif::BlindSwineMate),
        ("6k1/8/7Q/8/8/8/8/5BK1 w - - 0 1", "Bc4#", Motif::BalestraMate),
    ];
    let names: Vec<Motif> = mates.iter().map(|(_, _, motif)| *motif).collect();
    for (fen, moves, motif) in mates {
        for &name in &names {
            if name == motif {
                has(fen, moves, motif);
            } else {
                has_not(fen, moves, name);
            }
        }
    }
    has("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", Motif::MateIn1);
    has("5r1k/6pp/7N/8/8/8/Q7/6K1 w - - 0 1", "Qg8+ Rxg8 Nf7#", Motif::MateIn2);
    // Without mate there is no named mate.
    has_not("6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", "Ra8+", Motif::BackRankMate);
    // The king of the other side keeps it in, not its own pieces.
    has_not("6k1/8/6K1/8/8/8/8/R7 w - - 0 1", "Ra8#", Motif::BackRankMate);
}

#[test]
fn parts_of_the_game_by_their_pieces() {
    has("8/5k2/8/8/4P3/8/8/4K3 w - - 0 1", "e5", Motif::PawnEndgame);
    has("8/5k2/8/8/4P3/8/8/R3K3 w - - 0 1", "e5", Motif::RookEndgame);
    has("8/5k2/8/8/4P3/8/q7/R3K3 w - - 0 1", "e5", Motif::QueenRookEndgame);
    has_not("8/5k2/8/8/4P3/n7/8/R3K3 w - - 0 1", "e5", Motif::RookEndgame);
    has("8/5k2/8/8/4P3/8/8/R3K3 w - - 0 1", "e5", Motif::Endgame);
    has(&Position::startpos().to_fen(), "e4", Motif::Opening);
    let middle = "r2q1rk1/pppn1ppp/8/8/8/2N5/PPPQ1PPP/R2R2K1 w - - 0 1";
    has(middle, "h3", Motif::Middlegame);
}

#[test]
fn illegal_moves_end_a_line_and_no_moves_have_no_motif() {
    let start = Position::startpos();
    assert!(motifs(&ForcedLine::new(start, &[])).is_empty());
    let e4 = start.parse_san("e4").expect("legal");
    assert_eq!(ForcedLine::new(start, &[e4, e4]).len(), 1);
    let mut after = start;
    after.make(e4);
    assert!(ForcedLine::after(after, &[e4]).is_none());
}
