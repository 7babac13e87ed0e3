//! The engine with some of its parameters changed.

use engine::SearchSettings;
use engine::params::{self, PARAMS};
use serde::{Deserialize, Serialize};

use crate::Error;

/// Names the switch of quiescence, which is a setting and not a parameter.
const USE_QUIESCENCE: &str = "UseQuiescence";

/// Parameters that differ from their defaults, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Variant(pub Vec<(String, i32)>);

impl Variant {
    /// A variant with these changes.
    #[must_use]
    pub fn new(changes: &[(&str, i32)]) -> Self {
        Self(changes.iter().map(|&(name, value)| (name.to_owned(), value)).collect())
    }

    /// Reads changes written as `name=value`.
    ///
    /// # Errors
    /// If one is not a parameter with a value in its range.
    pub fn parse(changes: &[String]) -> Result<Self, Error> {
        let mut variant = Self::default();
        for change in changes {
            let parts = change.split_once('=').and_then(|(name, value)| {
                Some((name.trim().to_owned(), value.trim().parse().ok()?))
            });
            let Some(part) = parts else {
                return Err(Error::Request(format!("{change:?} is not of the form name=value")));
            };
            variant.0.push(part);
        }
        variant.check()?;
        Ok(variant)
    }

    /// Whether this program can play it.
    ///
    /// # Errors
    /// If a parameter is unknown, out of its range, or fixed in this build.
    pub fn check(&self) -> Result<(), Error> {
        for (name, value) in &self.0 {
            let range = if name == USE_QUIESCENCE {
                0..=1
            } else if let Some(param) = PARAMS.iter().find(|param| param.name == name) {
                if !params::CHANGEABLE {
                    return Err(Error::Request(
                        "parameters are fixed in this build; build with --features tune".into(),
                    ));
                }
                param.min..=param.max
            } else {
                return Err(Error::Request(format!("there is no parameter {name:?}")));
            };
            if !range.contains(value) {
                let (low, high) = (range.start(), range.end());
                return Err(Error::Request(format!("{name} is from {low} to {high}, not {value}")));
            }
        }
        Ok(())
    }

    /// Makes this variant the one that searches from now on, after `before`, with the settings
    /// that are returned.
    #[must_use]
    pub fn apply(&self, before: &Self) -> SearchSettings {
        for (name, _) in &before.0 {
            if let Some(param) = PARAMS.iter().find(|param| param.name == name) {
                params::set(name, param.default);
            }
        }
        for (name, value) in &self.0 {
            params::set(name, *value);
        }
        let is_off = |(name, value): &(String, i32)| name == USE_QUIESCENCE && *value == 0;
        // Fresh ones, for some have their defaults from the parameters.
        SearchSettings { use_quiescence: !self.0.iter().any(is_off), ..SearchSettings::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_and_checked() {
        let read = |text: &str| Variant::parse(&[text.to_owned()]);
        assert_eq!(read("UseQuiescence=0").unwrap(), Variant::new(&[(USE_QUIESCENCE, 0)]));
        for wrong in ["UseQuiescence", "UseQuiescence=2", "no_such=1", "rfp_margin=x"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(read("rfp_margin=90").is_ok(), params::CHANGEABLE);
        assert!(read("rfp_margin=-5").is_err());
    }

    #[test]
    fn the_defaults_come_back() {
        let (changed, plain) = (Variant::new(&[(USE_QUIESCENCE, 0)]), Variant::default());
        assert!(!changed.apply(&plain).use_quiescence);
        assert_eq!(plain.apply(&changed), SearchSettings::default());
    }
}
