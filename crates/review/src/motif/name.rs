//! The names of motifs.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! motifs {
    ($($(#[$doc:meta])* $motif:ident = $name:literal, $words:literal;)*) => {
        /// What makes a line work, or a property of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Motif {
            $($(#[$doc])* #[serde(rename = $name)] $motif,)*
        }

        impl Motif {
            /// All of them, those first that say most about why a line works.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$motif),*];

            /// The stable name: that of Lichess's theme, where there is one.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$motif => $name,)*
                }
            }

            /// The name as it stands in a sentence.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self {
                    $(Self::$motif => $words,)*
                }
            }

            /// The motif with this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|motif| motif.name() == name)
            }
        }
    };
}

motifs! {
    /// A knight mates a king that its own pieces enclose.
    SmotheredMate = "smotheredMate", "smothered mate";
    /// Rook or queen mates on the back rank, where own pieces keep the king in.
    BackRankMate = "backRankMate", "back-rank mate";
    /// Rook or queen mates along the edge; a knight and an own piece close the way inwards.
    AnastasiaMate = "anastasiaMate", "Anastasia's mate";
    /// A rook mates beside the king, protected by a knight that a pawn protects.
    HookMate = "hookMate", "hook mate";
    /// A rook mates a king in the corner, protected by a knight.
    ArabianMate = "arabianMate", "Arabian mate";
    /// Two bishops mate from both sides.
    BodenMate = "bodenMate", "Boden's mate";
    /// Two bishops mate from one side.
    DoubleBishopMate = "doubleBishopMate", "double-bishop mate";
    /// A queen mates diagonally beside the king, whose own pieces stand on the squares she leaves.
    DovetailMate = "dovetailMate", "dovetail mate";
    /// A queen mates in front of the king, whose own pieces stand behind it on both sides.
    SwallowstailMate = "swallowstailMate", "swallow's-tail mate";
    /// Check along a line, with pieces on both shoulders of the king.
    EpauletteMate = "epauletteMate", "epaulette mate";
    /// A rook mates beside the king, protected by a bishop.
    OperaMate = "operaMate", "opera mate";
    /// A rook mates along the edge from afar, a bishop guards the way out.
    PillsburysMate = "pillsburysMate", "Pillsbury's mate";
    /// A bishop mates a king in the corner, a rook closes the file beside it.
    MorphysMate = "morphysMate", "Morphy's mate";
    /// A knight mates a king in the corner, a rook or queen closes the line beside it.
    CornerMate = "cornerMate", "corner mate";
    /// A rook mates beside the king, a queen two squares away closes the box.
    KillBoxMate = "killBoxMate", "kill-box mate";
    /// A rook mates at the edge, protected, with a knight two squares before the king.
    VukovicMate = "vukovicMate", "Vuković mate";
    /// Two rooks on the seventh rank mate.
    BlindSwineMate = "blindSwineMate", "blind-swine mate";
    /// A bishop mates, a queen closes the remaining squares.
    BalestraMate = "balestraMate", "Balestra mate";
    /// One piece attacks two that are worth it.
    Fork = "fork", "a fork";
    /// A piece may not move, or may not without loss, because of what stands behind it.
    Pin = "pin", "a pin";
    /// A piece may leave a line only at the cost of a dearer one behind it.
    RelativePin = "relativePin", "a relative pin";
    /// A piece must leave a line, and the lesser one behind it falls.
    Skewer = "skewer", "a skewer";
    /// A piece leaves a line and another one attacks along it.
    DiscoveredAttack = "discoveredAttack", "a discovered attack";
    /// A piece leaves a line and another one gives check along it.
    DiscoveredCheck = "discoveredCheck", "a discovered check";
    /// Two pieces give check at once.
    DoubleCheck = "doubleCheck", "a double check";
    /// A piece works along a line through a piece of the other side.
    XRayAttack = "xRayAttack", "an x-ray attack";
    /// A piece stands unprotected and is taken.
    HangingPiece = "hangingPiece", "a hanging piece";
    /// A piece is attacked and has no safe square.
    TrappedPiece = "trappedPiece", "a trapped piece";
    /// The protector of something else is taken.
    CapturingDefender = "capturingDefender", "capturing the defender";
    /// A protector is drawn away from its duty.
    Deflection = "deflection", "a deflection";
    /// A piece that has two duties cannot fulfil both.
    Overloading = "overloading", "an overloaded piece";
    /// A piece is drawn to a square where it can be attacked.
    Attraction = "attraction", "an attraction";
    /// A piece steps between another one and what that protects.
    Interference = "interference", "an interference";
    /// Something urgent is played before an expected recapture.
    Intermezzo = "intermezzo", "an intermezzo";
    /// A piece leaves a square or a line that another one needs.
    Clearance = "clearance", "a clearance";
    /// Material is given up.
    Sacrifice = "sacrifice", "a sacrifice";
    /// A pawn becomes a piece.
    Promotion = "promotion", "a promotion";
    /// A pawn becomes less than a queen.
    UnderPromotion = "underPromotion", "an underpromotion";
    /// A pawn deep in the other half moves on.
    AdvancedPawn = "advancedPawn", "an advanced pawn";
    /// A pawn is taken in passing.
    EnPassant = "enPassant", "an en-passant capture";
    /// The side to move castles.
    Castling = "castling", "castling";
    /// The king has no pawns before it and is checked.
    ExposedKing = "exposedKing", "an exposed king";
    /// The attack goes through f2 or f7 beside a king that has not castled.
    AttackingF2F7 = "attackingF2F7", "an attack on f2 or f7";
    /// An attack on a king that has castled short.
    KingsideAttack = "kingsideAttack", "a kingside attack";
    /// An attack on a king that has castled long.
    QueensideAttack = "queensideAttack", "a queenside attack";
    /// A move that neither takes, checks nor attacks anything, and still decides.
    QuietMove = "quietMove", "a quiet move";
    /// A move that holds what would be lost.
    DefensiveMove = "defensiveMove", "a defensive move";
    /// The other side would be fine if it did not have to move.
    Zugzwang = "zugzwang", "zugzwang";
    /// The draw is reached by having no move.
    Stalemate = "stalemate", "stalemate";
    /// Checks without end reach the draw.
    PerpetualCheck = "perpetualCheck", "perpetual check";
    /// The line ends with mate.
    Mate = "mate", "mate";
    /// Mate with the first move.
    MateIn1 = "mateIn1", "mate in one";
    /// Mate with the second move.
    MateIn2 = "mateIn2", "mate in two";
    /// Mate with the third move.
    MateIn3 = "mateIn3", "mate in three";
    /// Mate with the fourth move.
    MateIn4 = "mateIn4", "mate in four";
    /// Mate with the fifth move or later.
    MateIn5 = "mateIn5", "mate in five or more";
    /// The line wins outright.
    Crushing = "crushing", "a decisive advantage";
    /// The line gains a clear advantage.
    Advantage = "advantage", "a clear advantage";
    /// The line saves the balance.
    Equality = "equality", "equality";
    /// The solution has one own move.
    OneMove = "oneMove", "one move";
    /// The solution has two own moves.
    Short = "short", "two moves";
    /// The solution has three own moves.
    Long = "long", "three moves";
    /// Four own moves or more.
    VeryLong = "veryLong", "four moves or more";
    /// The game is in its opening.
    Opening = "opening", "the opening";
    /// The game is in its middlegame.
    Middlegame = "middlegame", "the middlegame";
    /// The game is in its endgame.
    Endgame = "endgame", "the endgame";
    /// Kings and pawns only.
    PawnEndgame = "pawnEndgame", "a pawn endgame";
    /// Kings, knights and pawns only.
    KnightEndgame = "knightEndgame", "a knight endgame";
    /// Kings, bishops and pawns only.
    BishopEndgame = "bishopEndgame", "a bishop endgame";
    /// Kings, rooks and pawns only.
    RookEndgame = "rookEndgame", "a rook endgame";
    /// Kings, queens and pawns only.
    QueenEndgame = "queenEndgame", "a queen endgame";
    /// A queen, rooks and pawns.
    QueenRookEndgame = "queenRookEndgame", "an endgame of queen and rooks";
}

impl fmt::Display for Motif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
