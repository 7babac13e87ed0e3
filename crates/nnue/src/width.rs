//! The hidden-layer widths that inference is compiled for.

use crate::simd::LANES;

/// How many neurons each accumulator has.
///
/// The file decides at run time, but the loops over an accumulator are compiled once for each of
/// these, so that they are unrolled and need no remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Width {
    W64,
    W128,
    W256,
    W384,
    W512,
    W768,
    W1024,
}

impl Width {
    /// All supported widths, narrowest first.
    pub const ALL: [Self; 7] =
        [Self::W64, Self::W128, Self::W256, Self::W384, Self::W512, Self::W768, Self::W1024];

    /// The number of neurons.
    #[inline]
    #[must_use]
    pub const fn neurons(self) -> usize {
        match self {
            Self::W64 => 64,
            Self::W128 => 128,
            Self::W256 => 256,
            Self::W384 => 384,
            Self::W512 => 512,
            Self::W768 => 768,
            Self::W1024 => 1024,
        }
    }

    /// The width with this number of neurons, if it is supported.
    #[must_use]
    pub fn from_neurons(neurons: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|width| width.neurons() == neurons)
    }

    /// How many cache lines one accumulator fills.
    #[inline]
    pub(crate) const fn lines(self) -> usize {
        self.neurons() / LANES
    }
}

/// Evaluates `$body` with `$lines` a constant: the cache lines of an accumulator of this width.
macro_rules! at_width {
    ($width:expr, $lines:ident => $body:expr) => {{
        macro_rules! arm {
            ($variant:ident) => {{
                const $lines: usize = $crate::Width::$variant.lines();
                $body
            }};
        }
        match $width {
            $crate::Width::W64 => arm!(W64),
            $crate::Width::W128 => arm!(W128),
            $crate::Width::W256 => arm!(W256),
            $crate::Width::W384 => arm!(W384),
            $crate::Width::W512 => arm!(W512),
            $crate::Width::W768 => arm!(W768),
            $crate::Width::W1024 => arm!(W1024),
        }
    }};
}

pub(crate) use at_width;
