//! The options: one table says what they are called, what they accept and what they do. The
//! answer to `uci`, the parsing of `setoption` and the manual all come from it.

use crate::session::Session;
use crate::text::{CommandError, quote, whole_number};

mod table;

pub use table::OPTIONS;

/// What carrying out a change may answer: the error says what is wrong.
type Applied = Result<(), String>;

/// What kind of value an option has, its default, and what a new value does.
pub enum Kind {
    /// An option that is true or false.
    Check {
        /// The value at the start.
        default: bool,
        /// Carries out a change.
        apply: fn(&mut Session, bool) -> Applied,
    },
    /// A whole number in a range.
    Spin {
        /// The value at the start.
        default: i64,
        /// The smallest value that is allowed.
        min: i64,
        /// The largest value that is allowed.
        max: i64,
        /// Carries out a change.
        apply: fn(&mut Session, i64) -> Applied,
    },
    /// Text; [`EMPTY`] stands for none.
    Text {
        /// The value at the start.
        default: &'static str,
        /// Carries out a change.
        apply: fn(&mut Session, &str) -> Applied,
    },
    /// No value: something happens.
    Button {
        /// What pressing the button does.
        apply: fn(&mut Session) -> Applied,
    },
}

/// How UCI writes that a text is empty.
pub const EMPTY: &str = "<empty>";

/// An option as `uci` and the manual show it.
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
    ) -> Result<(), CommandError> {
        #[cfg(feature = "tune")]
        if let Some(number) = value.and_then(|value| value.parse().ok())
            && engine::params::set(name, number)
        {
            return Ok(());
        }
        let index = OPTIONS.iter().position(|spec| spec.is_called(name)).ok_or_else(|| {
            CommandError::new(format!("no such option {}", quote(name)), "options kept")
        })?;
        let (spec, current) = (&OPTIONS[index], &mut self.values[index]);
        let given = match (&spec.kind, value) {
            (Kind::Button { .. }, _) => "",
            (_, Some(value)) => value,
            (_, None) => {
                let wrong = format!("option {} needs a value", spec.name);
                return Err(CommandError::new(wrong, format!("kept {current}")));
            }
        };
        spec.apply(session, given).map_err(|problem| {
            let wrong = format!("{} cannot be {}: {problem}", spec.name, quote(given));
            CommandError::new(wrong, format!("kept {current}"))
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
