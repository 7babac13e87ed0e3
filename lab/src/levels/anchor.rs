//! Another engine whose strength is limited, as an opponent.

use batch::engines::Budget;
use batch::uci_engine::{Shown, UciEngine, UciInfo};
use chess::{Castling, Move};
use engine::Game;

use crate::Error;

/// What a mate counts as.
const MATE_SCORE: i32 = 10_000;

/// An engine with `UCI_LimitStrength`.
pub(crate) struct Anchor(UciEngine);

impl Anchor {
    /// Starts the engine on one thread with a table of this size.
    pub(crate) fn start(command: &str, hash_mib: usize) -> Result<Self, Error> {
        let mut engine = UciEngine::start(command)?;
        engine.set_option("Hash", &hash_mib.to_string())?;
        engine.set_option("Threads", "1")?;
        let mut anchor = Self(engine);
        anchor.set("UCI_LimitStrength", "true")?;
        Ok(anchor)
    }

    /// Gets ready for a game at this strength.
    pub(crate) fn new_game(&mut self, elo: u32) -> Result<(), Error> {
        self.set("UCI_Elo", &elo.to_string())?;
        self.0.new_game()
    }

    /// The move and its score in centipawns.
    pub(crate) fn think(&mut self, game: &Game, budget: Budget) -> Result<(Move, i32), Error> {
        let (base, since) = game.reversible_part();
        let moves: String =
            since.iter().map(|mv| format!(" {}", mv.to_uci(Castling::KingMove))).collect();
        self.0.tell(format!("position fen {} moves{moves}", base.to_fen()).trim_end())?;
        let mut info = UciInfo::default();
        let best = self.0.search("", budget, |line| {
            info.read(line);
            false
        })?;
        let mv = game.position().parse_uci(&best).map_err(|_| {
            Error::Request(format!("{}: answers {best:?}, which is not legal", self.0.name()))
        })?;
        let score = match info.best().map(|line| line.score) {
            Some(Shown::Centipawns(score)) => score,
            Some(Shown::Mate(moves)) => MATE_SCORE * if moves > 0 { 1 } else { -1 },
            None => 0,
        };
        Ok((mv, score))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        if self.0.set_option(name, value)? {
            return Ok(());
        }
        Err(Error::Request(format!("{}: the engine has no option {name}", self.0.name())))
    }
}
