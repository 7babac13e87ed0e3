//! Squares, files and ranks.

use std::fmt;

use crate::Color;

macro_rules! line_of_board {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $index:literal),* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name { $($variant = $index),* }

        impl $name {
            /// All eight in order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// The dense index 0 to 7.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The member with this index; only the low three bits count.
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Self {
                match index & 7 {
                    $($index => Self::$variant,)*
                    _ => unreachable!(),
                }
            }

            /// How far apart two members are.
            #[inline]
            #[must_use]
            pub const fn distance(self, other: Self) -> usize {
                (self as usize).abs_diff(other as usize)
            }
        }
    };
}

line_of_board! {
    /// A file, a to h.
    File { A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7 }
}

line_of_board! {
    /// A rank, first to eighth as White sees them.
    Rank { R1 = 0, R2 = 1, R3 = 2, R4 = 3, R5 = 4, R6 = 5, R7 = 6, R8 = 7 }
}

impl File {
    /// The lower-case letter of the file, `a` to `h`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Reads a lower-case letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Some(Self::from_index(letter as usize - 'a' as usize)),
            _ => None,
        }
    }
}

impl Rank {
    /// The digit of the rank, `1` to `8`.
    #[must_use]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit from `1` to `8`.
    #[must_use]
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::from_index(digit as usize - '1' as usize)),
            _ => None,
        }
    }

    /// The same rank counted from the given side: for Black the first is the eighth.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::from_index(7 - self as usize),
        }
    }
}

/// A square of the board; a1 is 0, h1 is 7, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// The dense index 0 to 63.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The square with this index; only the low six bits count.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        match index & 63 {
            0 => Self::A1,
            1 => Self::B1,
            2 => Self::C1,
            3 => Self::D1,
            4 => Self::E1,
            5 => Self::F1,
            6 => Self::G1,
            7 => Self::H1,
            8 => Self::A2,
            9 => Self::B2,
            10 => Self::C2,
            11 => Self::D2,
            12 => Self::E2,
            13 => Self::F2,
            14 => Self::G2,
            15 => Self::H2,
            16 => Self::A3,
            17 => Self::B3,
            18 => Self::C3,
            19 => Self::D3,
            20 => Self::E3,
            21 => Self::F3,
            22 => Self::G3,
            23 => Self::H3,
            24 => Self::A4,
            25 => Self::B4,
            26 => Self::C4,
            27 => Self::D4,
            28 => Self::E4,
            29 => Self::F4,
            30 => Self::G4,
            31 => Self::H4,
            32 => Self::A5,
            33 => Self::B5,
            34 => Self::C5,
            35 => Self::D5,
            36 => Self::E5,
            37 => Self::F5,
            38 => Self::G5,
            39 => Self::H5,
            40 => Self::A6,
            41 => Self::B6,
            42 => Self::C6,
            43 => Self::D6,
            44 => Self::E6,
            45 => Self::F6,
            46 => Self::G6,
            47 => Self::H6,
            48 => Self::A7,
            49 => Self::B7,
            50 => Self::C7,
            51 => Self::D7,
            52 => Self::E7,
            53 => Self::F7,
            54 => Self::G7,
            55 => Self::H7,
            56 => Self::A8,
            57 => Self::B8,
            58 => Self::C8,
            59 => Self::D8,
            60 => Self::E8,
            61 => Self::F8,
            62 => Self::G8,
            63 => Self::H8,
            _ => unreachable!(),
        }
    }

    /// The square where a file and a rank meet.
    #[inline]
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_index(rank as usize * 8 + file as usize)
    }

    /// The file that the square lies on.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::from_index(self as usize & 7)
    }

    /// The rank that the square lies on.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self as usize >> 3)
    }

    /// Top and bottom exchanged: a1 becomes a8.
    #[inline]
    #[must_use]
    pub const fn flip_rank(self) -> Self {
        Self::from_index(self as usize ^ 56)
    }

    /// Left and right exchanged: a1 becomes h1.
    #[inline]
    #[must_use]
    pub const fn flip_file(self) -> Self {
        Self::from_index(self as usize ^ 7)
    }

    /// The square as the given side sees it: for Black top and bottom are exchanged.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::from_index(self as usize ^ (56 * color as usize))
    }

    /// The square `(files, ranks)` away, if it is on the board.
    #[inline]
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self as i8 & 7) + files;
        let rank = (self as i8 >> 3) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self::from_index((rank * 8 + file) as usize))
    }

    /// The square a pawn of `color` steps to from here; wraps at the edge no pawn stands on.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self::from_index(self as usize + 8),
            Color::Black => Self::from_index((self as usize).wrapping_sub(8)),
        }
    }

    /// King steps between two squares.
    #[inline]
    #[must_use]
    pub const fn distance(self, other: Self) -> usize {
        let files = self.file().distance(other.file());
        let ranks = self.rank().distance(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self::from_index)
    }

    /// Reads a name such as `e4`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let file = File::from_letter(letters.next()?)?;
        let rank = Rank::from_digit(letters.next()?)?;
        letters.next().is_none().then(|| Self::new(file, rank))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
