//! The options: one table says what they are called, what they accept and what they do. The
//! answer to `uci`, the reading of `setoption` and the manual all come from it.

use std::fs::OpenOptions;
use std::sync::Arc;
use std::time::Duration;

use chess::Castling;
use engine::{Network, Tablebases};

use crate::session::Session;
use crate::words::{Complaint, quote, whole_number};

/// What carrying out a change may answer: the error says what is wrong.
type Applied = Result<(), String>;

/// What kind of value an option has, its default, and what a new value does.
pub enum Kind {
    /// True or false.
    Check {
        /// At the start.
        default: bool,
        /// Carries out a change.
        apply: fn(&mut Session, bool) -> Applied,
    },
    /// A whole number in a range.
    Spin {
        /// At the start.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
        /// Carries out a change.
        apply: fn(&mut Session, i64) -> Applied,
    },
    /// Text; [`EMPTY`] stands for none.
    Text {
        /// At the start.
        default: &'static str,
        /// Carries out a change.
        apply: fn(&mut Session, &str) -> Applied,
    },
    /// No value: something happens.
    Button {
        /// Makes it happen.
        apply: fn(&mut Session) -> Applied,
    },
}

/// How UCI writes that a text is empty.
pub const EMPTY: &str = "<empty>";

/// Names the evaluation that the program was built with.
const INTERNAL: &str = "<internal>";

/// One option.
pub struct OptionSpec {
    /// The name, exactly as GUIs know it.
    pub name: &'static str,
    /// Another spelling that is understood.
    pub alias: Option<&'static str>,
    /// What it accepts and does.
    pub kind: Kind,
    /// What it is for.
    pub meaning: &'static str,
}

const fn check(
    name: &'static str,
    default: bool,
    meaning: &'static str,
    apply: fn(&mut Session, bool) -> Applied,
) -> OptionSpec {
    OptionSpec { name, alias: None, kind: Kind::Check { default, apply }, meaning }
}

const fn spin(
    name: &'static str,
    (default, min, max): (i64, i64, i64),
    meaning: &'static str,
    apply: fn(&mut Session, i64) -> Applied,
) -> OptionSpec {
    OptionSpec { name, alias: None, kind: Kind::Spin { default, min, max, apply }, meaning }
}

const fn text(
    name: &'static str,
    default: &'static str,
    meaning: &'static str,
    apply: fn(&mut Session, &str) -> Applied,
) -> OptionSpec {
    OptionSpec { name, alias: None, kind: Kind::Text { default, apply }, meaning }
}

/// All options, in the order in which they are listed.
pub const OPTIONS: &[OptionSpec] = &[
    spin("Threads", (1, 1, 1024), "Threads that search.", |session, threads| {
        session.engine.set_threads(threads as usize);
        Ok(())
    }),
    spin(
        "Hash",
        (16, 1, 33_554_432),
        "Size of the transposition table in MiB. A size beyond the memory is refused, and the \
         table stays as it was.",
        set_hash,
    ),
    OptionSpec {
        name: "Clear Hash",
        alias: Some("ClearHash"),
        kind: Kind::Button {
            apply: |session| {
                session.engine.clear_hash();
                Ok(())
            },
        },
        meaning: "Empties the transposition table.",
    },
    check("Ponder", false, "Tells the engine that it will be asked to ponder.", |_, _| Ok(())),
    spin("MultiPV", (1, 1, 256), "How many lines are shown, best first.", |session, lines| {
        session.engine.settings_mut().multipv = lines as usize;
        Ok(())
    }),
    OptionSpec {
        alias: Some("MoveOverhead"),
        ..spin(
            "Move Overhead",
            (10, 0, 5000),
            "Milliseconds kept back at each move for the way to the GUI and back.",
            |session, milliseconds| {
                let overhead = Duration::from_millis(milliseconds.unsigned_abs());
                session.engine.settings_mut().move_overhead = overhead;
                Ok(())
            },
        )
    },
    check(
        "UCI_Chess960",
        false,
        "Castling is written as king takes rook. It is always understood both ways.",
        |session, on| {
            session.display.castling =
                if on { Castling::KingTakesRook } else { Castling::KingMove };
            Ok(())
        },
    ),
    check(
        "UCI_ShowWDL",
        false,
        "The chances to win, draw and lose, in thousandths, go with every score.",
        |session, on| {
            session.display.show_wdl = on;
            Ok(())
        },
    ),
    text(
        "SyzygyPath",
        EMPTY,
        "Folders with Syzygy endgame tables, separated as the system separates paths.",
        set_tablebases,
    ),
    spin(
        "SyzygyProbeDepth",
        (1, 1, 100),
        "Depth from which the tables with the most men are asked.",
        |session, depth| {
            session.engine.settings_mut().syzygy_probe_depth = depth as i32;
            Ok(())
        },
    ),
    spin(
        "SyzygyProbeLimit",
        (7, 0, 7),
        "Tables with more men than this are not asked.",
        |session, men| {
            session.engine.settings_mut().syzygy_probe_limit = men as u32;
            Ok(())
        },
    ),
    check(
        "Syzygy50MoveRule",
        true,
        "Wins that the fifty-move rule spoils count as draws.",
        |session, on| {
            session.engine.settings_mut().syzygy_fifty_move_rule = on;
            Ok(())
        },
    ),
    text(
        "EvalFile",
        INTERNAL,
        "A network file to evaluate with. One that does not fit is refused with the reason, and \
         the evaluation stays as it was.",
        set_network,
    ),
    text("UCI_EngineAbout", ABOUT, "What the engine is. For reading only.", |_, _| {
        Err(String::from("it is for reading only"))
    }),
    text(
        "Debug Log File",
        EMPTY,
        "Everything that comes in and goes out is added to this file.",
        set_log,
    ),
    check(
        "UseQuiescence",
        true,
        "Off: the search ends in the bare evaluation. For experiments; plays badly.",
        |session, on| {
            session.engine.settings_mut().use_quiescence = on;
            Ok(())
        },
    ),
    spin(
        "QSearchMaxPly",
        (32, 4, 64),
        "Plies that quiescence may go below the search.",
        |session, plies| {
            session.engine.settings_mut().qsearch_max_ply = plies as usize;
            Ok(())
        },
    ),
    spin(
        "QSearchDeltaMargin",
        (200, 0, 2000),
        "Centipawns by which a capture may miss alpha and still be searched in quiescence.",
        |session, margin| {
            session.engine.settings_mut().qsearch_delta_margin = margin as i32;
            Ok(())
        },
    ),
    spin(
        "QSearchNodeLimit",
        (0, 0, 1_000_000),
        "Nodes that one quiescence search may take; 0 is no limit.",
        |session, nodes| {
            session.engine.settings_mut().qsearch_node_limit = nodes.unsigned_abs();
            Ok(())
        },
    ),
];

const ABOUT: &str = concat!(
    "Halcyon ",
    env!("CARGO_PKG_VERSION"),
    ", free software under the GNU GPL version 3 or later"
);

fn set_hash(session: &mut Session, mebibytes: i64) -> Applied {
    let size = usize::try_from(mebibytes).map_err(|error| error.to_string())?;
    session.engine.set_hash(size).map_err(|error| error.to_string())
}

fn set_tablebases(session: &mut Session, folders: &str) -> Applied {
    if folders.is_empty() || folders == EMPTY {
        session.engine.set_tablebases(None);
        return Ok(());
    }
    let tables = Tablebases::open(folders).map_err(|error| error.to_string())?;
    let (files, men) = (tables.files(), tables.men());
    session.output.note(&format!("{files} endgame tables, up to {men} men"));
    session.engine.set_tablebases(Some(Arc::new(tables)));
    Ok(())
}

fn set_network(session: &mut Session, path: &str) -> Applied {
    if path.is_empty() || path == INTERNAL {
        session.engine.set_network(None);
        return Ok(());
    }
    let bytes = std::fs::read(path).map_err(|error| error.kind().to_string())?;
    let network = Network::from_bytes(&bytes).map_err(|error| error.to_string())?;
    session.engine.set_network(Some(Arc::new(network)));
    Ok(())
}

fn set_log(session: &mut Session, path: &str) -> Applied {
    if path.is_empty() || path == EMPTY {
        session.output.set_log(None);
        return Ok(());
    }
    let file = OpenOptions::new().create(true).append(true).open(path);
    session.output.set_log(Some(file.map_err(|error| error.kind().to_string())?));
    Ok(())
}

impl OptionSpec {
    /// The line that tells a GUI of it.
    #[must_use]
    pub fn declaration(&self) -> String {
        let name = self.name;
        match self.kind {
            Kind::Check { default, .. } => {
                format!("option name {name} type check default {default}")
            }
            Kind::Spin { default, min, max, .. } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Text { default, .. } => {
                format!("option name {name} type string default {default}")
            }
            Kind::Button { .. } => format!("option name {name} type button"),
        }
    }

    /// The value at the start, as text.
    #[must_use]
    pub fn default_text(&self) -> String {
        match self.kind {
            Kind::Check { default, .. } => default.to_string(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Text { default, .. } => default.to_owned(),
            Kind::Button { .. } => String::new(),
        }
    }

    fn is_called(&self, name: &str) -> bool {
        [Some(self.name), self.alias]
            .into_iter()
            .flatten()
            .any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Reads a value and carries the change out.
    fn apply(&self, session: &mut Session, value: &str) -> Applied {
        match self.kind {
            Kind::Check { apply, .. } => match value {
                _ if value.eq_ignore_ascii_case("true") => apply(session, true),
                _ if value.eq_ignore_ascii_case("false") => apply(session, false),
                _ => Err(String::from("it is true or false")),
            },
            Kind::Spin { min, max, apply, .. } => whole_number(value)
                .filter(|number| (min..=max).contains(number))
                .ok_or_else(|| format!("it is a whole number from {min} to {max}"))
                .and_then(|number| apply(session, number)),
            Kind::Text { apply, .. } => apply(session, value),
            Kind::Button { apply } => apply(session),
        }
    }
}

/// The values that options have now.
pub struct Values {
    values: Vec<String>,
}

impl Default for Values {
    fn default() -> Self {
        Self { values: OPTIONS.iter().map(OptionSpec::default_text).collect() }
    }
}

impl Values {
    /// Changes an option.
    ///
    /// # Errors
    /// If there is no such option or the value does not fit; then nothing is changed.
    pub fn set(
        &mut self,
        session: &mut Session,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), Complaint> {
        #[cfg(feature = "tune")]
        if let Some(number) = value.and_then(whole_number)
            && engine::params::set(name, number as i32)
        {
            return Ok(());
        }
        let index = OPTIONS.iter().position(|spec| spec.is_called(name)).ok_or_else(|| {
            Complaint::new(format!("no such option {}", quote(name)), "options kept")
        })?;
        let (spec, current) = (&OPTIONS[index], &mut self.values[index]);
        let given = match (&spec.kind, value) {
            (Kind::Button { .. }, _) => "",
            (_, Some(value)) => value,
            (_, None) => {
                let wrong = format!("option {} needs a value", spec.name);
                return Err(Complaint::new(wrong, format!("kept {current}")));
            }
        };
        spec.apply(session, given).map_err(|problem| {
            let wrong = format!("{} cannot be {}: {problem}", spec.name, quote(given));
            Complaint::new(wrong, format!("kept {current}"))
        })?;
        given.clone_into(current);
        Ok(())
    }

    /// Carries out all changes again, for an engine that knows nothing of them.
    pub fn restore(&self, session: &mut Session) {
        for (spec, value) in OPTIONS.iter().zip(&self.values) {
            if *value != spec.default_text() && !value.is_empty() {
                // It was accepted before; if it is not now, the default serves.
                let _ = spec.apply(session, value);
            }
        }
    }
}

#[cfg(test)]
mod tests;
