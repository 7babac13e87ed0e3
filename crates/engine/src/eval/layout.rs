//! Which weights there are, in which order.

use super::tapered::Tapered;

/// A named run of weights, as a tuner sees it.
#[derive(Clone, Debug)]
pub struct Group {
    /// The field of [`Weights`].
    pub name: &'static str,
    /// How many weights stand in one line of the table file.
    pub columns: usize,
    /// The weights in order.
    pub values: Vec<Tapered>,
}

macro_rules! layout {
    ($($(#[$doc:meta])* $name:ident: $count:literal by $columns:literal,)*) => {
        /// Every number of the evaluation that is learnt from games.
        ///
        /// A square table has its rows from rank 1 to rank 8 and its columns from the edge file to
        /// the centre file; left and right are alike. Ranks are seen from the side the weight
        /// belongs to.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[repr(C)]
        pub struct Weights {
            $($(#[$doc])* pub $name: [Tapered; $count],)*
        }

        impl Weights {
            /// How many weights there are.
            pub const COUNT: usize = 0 $(+ $count)*;

            /// All weights in order, by name.
            #[must_use]
            pub fn groups(&self) -> Vec<Group> {
                vec![$(Group {
                    name: stringify!($name),
                    columns: $columns,
                    values: self.$name.to_vec(),
                },)*]
            }
        }
    };
}

layout! {
    /// The value of a man: pawn, knight, bishop, rook, queen.
    material: 5 by 5,
    /// Squares for pawns.
    pawn_square: 32 by 4,
    /// Squares for knights.
    knight_square: 32 by 4,
    /// Squares for bishops.
    bishop_square: 32 by 4,
    /// Squares for rooks.
    rook_square: 32 by 4,
    /// Squares for queens.
    queen_square: 32 by 4,
    /// Squares for the king.
    king_square: 32 by 4,
    /// By how many useful squares a knight attacks.
    knight_mobility: 9 by 9,
    /// By how many useful squares a bishop attacks.
    bishop_mobility: 14 by 7,
    /// By how many useful squares a rook attacks.
    rook_mobility: 15 by 8,
    /// By how many useful squares a queen attacks.
    queen_mobility: 28 by 7,
    /// Both a light-squared and a dark-squared bishop.
    bishop_pair: 1 by 1,
    /// Each own pawn on a bishop's colour.
    bishop_pawns: 1 by 1,
    /// A bishop that sees both centre squares of a long diagonal.
    bishop_long_diagonal: 1 by 1,
    /// A knight, a bishop on a square that a pawn guards and no enemy pawn can ever attack.
    outpost: 2 by 2,
    /// A knight, a bishop right behind a pawn.
    minor_behind_pawn: 2 by 2,
    /// A rook on a file without own pawns, without any pawns.
    rook_file: 2 by 2,
    /// A rook on the seventh rank that confines the king or attacks pawns there.
    rook_seventh: 1 by 1,
    /// A rook that its own uncastled king shuts in.
    rook_trapped: 1 by 1,
    /// A pawn with an own pawn behind it on its file.
    doubled: 1 by 1,
    /// A pawn without own pawns on the files beside it; no, an enemy pawn ahead on its file.
    isolated: 2 by 2,
    /// A pawn whose way ahead is guarded and that no own pawn can support; unopposed, opposed.
    backward: 2 by 2,
    /// A pawn that a pawn guards, by rank.
    supported: 8 by 8,
    /// A pawn with a pawn beside it, by rank.
    phalanx: 8 by 8,
    /// A passed pawn by rank.
    passed: 8 by 8,
    /// A passed pawn with a man in front of it, by rank.
    passed_blocked: 8 by 8,
    /// A passed pawn whose next square no enemy attacks, by rank.
    passed_next_safe: 8 by 8,
    /// A passed pawn whose whole way is free and not attacked, by rank.
    passed_way_safe: 8 by 8,
    /// A passed pawn that an own pawn guards.
    passed_supported: 1 by 1,
    /// A passed pawn that an own rook follows from behind.
    passed_rook_behind: 1 by 1,
    /// By the distance of the own king to the square ahead of a passed pawn, for each rank that
    /// the pawn is beyond the third.
    passed_own_king: 8 by 8,
    /// The same for the enemy king.
    passed_enemy_king: 8 by 8,
    /// A passed pawn that a side without pieces cannot catch.
    passed_unstoppable: 1 by 1,
    /// The own pawn nearest the king's side of a file, by rank (0: none): first on the files
    /// beside the king, then on the king's own file.
    shield: 16 by 8,
    /// The enemy pawn that has come furthest on a file near the king, by its rank (0: none): first
    /// free to go on, then stopped by an own pawn.
    storm: 16 by 8,
    /// By how dangerous the attack on the enemy king is.
    king_danger: 64 by 8,
    /// A pawn attacks a knight, bishop, rook, queen.
    threat_by_pawn: 4 by 4,
    /// A pawn can safely step to attack a piece.
    threat_by_push: 1 by 1,
    /// A knight or bishop attacks a pawn, knight, bishop, rook, queen that it may well take.
    threat_by_minor: 5 by 5,
    /// The same for a rook.
    threat_by_rook: 5 by 5,
    /// The king attacks a man that nothing guards.
    threat_by_king: 1 by 1,
    /// An attacked man that nothing guards.
    hanging: 1 by 1,
    /// To have the move.
    tempo: 1 by 1,
}

#[cfg(test)]
mod tests {
    use super::super::weights::WEIGHTS;
    use super::*;

    #[test]
    fn groups_cover_the_table_without_gaps() {
        let groups = WEIGHTS.groups();
        assert_eq!(groups.iter().map(|group| group.values.len()).sum::<usize>(), Weights::COUNT);
        assert_eq!(size_of::<Weights>(), Weights::COUNT * size_of::<Tapered>());
    }
}
