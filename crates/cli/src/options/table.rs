//! The table of options. A new option is one entry here.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chess::Castling;
#[cfg(feature = "syzygy")]
use engine::Tablebases;
use engine::{MAX_ELO, MAX_SKILL, MIN_ELO, Network, embedded_network};

use super::{Applied, EMPTY, Kind, OptionSpec};
use crate::files;
use crate::session::Session;
#[cfg(feature = "syzygy")]
use crate::text::CommandError;

/// Names the evaluation that the program was built with.
const INTERNAL: &str = "<internal>";

const fn check(
    name: &'static str,
    default: bool,
    meaning: &'static str,
    apply: fn(&mut Session, bool) -> Applied,
) -> OptionSpec {
    OptionSpec { name, alias: None, kind: Kind::Check { default, apply }, meaning }
}

/// At its default the option leaves the margin to the parameter, which a `tune` build can change.
const DELTA_MARGIN: i64 = engine::params::defaults::qs_delta_margin as i64;

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
        session.engine.set_threads(threads as usize).map_err(|error| error.kind().to_string())
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
            "Milliseconds reserved per move for GUI and network delay.",
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
    check(
        "UCI_LimitStrength",
        false,
        "Plays at the strength of `UCI_Elo`, with one thread and without tablebases.",
        |session, on| {
            session.engine.settings_mut().limit_strength = on;
            Ok(())
        },
    ),
    spin(
        "UCI_Elo",
        (MAX_ELO as i64, MIN_ELO as i64, MAX_ELO as i64),
        "The strength with `UCI_LimitStrength`. See `strength.md`.",
        |session, elo| {
            session.engine.settings_mut().elo = elo as u32;
            Ok(())
        },
    ),
    spin(
        "Skill Level",
        (MAX_SKILL as i64, 0, MAX_SKILL as i64),
        "Even steps of strength from the weakest level (0) to full strength (20). Counts for \
         nothing with `UCI_LimitStrength`.",
        |session, skill| {
            session.engine.settings_mut().skill_level = skill as u32;
            Ok(())
        },
    ),
    #[cfg(feature = "syzygy")]
    text(
        "SyzygyPath",
        EMPTY,
        "Folders with Syzygy tablebases, separated as the system separates paths.",
        set_tablebases,
    ),
    #[cfg(feature = "syzygy")]
    spin(
        "SyzygyProbeDepth",
        (1, 1, 100),
        "Depth from which the tables with the most men are asked.",
        |session, depth| {
            session.engine.settings_mut().syzygy_probe_depth = depth as i32;
            Ok(())
        },
    ),
    #[cfg(feature = "syzygy")]
    spin(
        "SyzygyProbeLimit",
        (7, 0, 7),
        "Tables with more men than this are not asked.",
        |session, men| {
            session.engine.settings_mut().syzygy_probe_limit = men as u32;
            Ok(())
        },
    ),
    #[cfg(feature = "syzygy")]
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
    text("UCI_EngineAbout", ABOUT, "What the engine is. Read-only.", |_, _| {
        Err(String::from("it is read-only"))
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
        (DELTA_MARGIN, 0, 2000),
        "Centipawns by which a capture may miss alpha and still be searched in quiescence.",
        |session, margin| {
            session.engine.settings_mut().qsearch_delta_margin =
                (margin != DELTA_MARGIN).then_some(margin as i32);
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

#[cfg(feature = "syzygy")]
fn set_tablebases(session: &mut Session, folders: &str) -> Applied {
    if folders.is_empty() || folders == EMPTY {
        session.engine.set_tablebases(None);
        return Ok(());
    }
    let tables = Tablebases::open(folders).map_err(|error| error.to_string())?;
    let (files, men) = (tables.files(), tables.max_pieces());
    session.output.note(&format!("{files} tablebases, up to {men} men"));
    if let [first, rest @ ..] = tables.skipped() {
        let others = match rest.len() {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let wrong = format!("a tablebase cannot be opened ({first}){others}");
        session.output.error(&CommandError::new(wrong, "playing on with the rest"));
    }
    session.engine.set_tablebases(Some(Arc::new(tables)));
    Ok(())
}

fn set_network(session: &mut Session, path: &str) -> Applied {
    if path.is_empty() || path == INTERNAL {
        session.engine.set_network(Arc::clone(embedded_network()));
        return Ok(());
    }
    let bytes = files::read(Path::new(path))?;
    let network = Network::from_bytes(&bytes).map_err(|error| error.to_string())?;
    session.engine.set_network(Arc::new(network));
    Ok(())
}

fn set_log(session: &mut Session, path: &str) -> Applied {
    if path.is_empty() || path == EMPTY {
        session.output.set_log(None);
        return Ok(());
    }
    session.output.set_log(Some(files::append(Path::new(path))?));
    Ok(())
}
