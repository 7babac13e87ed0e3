//! Every number of the search that could be another number: one line each, with its range.
//!
//! An ordinary build has them as constants. With the feature `tune` they can be changed at run
//! time. Each technique has a value that turns it off; where that is not plain, its line says so.
//! Depths are in plies, margins in centipawns, reductions in 1/1024 of a ply.

/// A parameter as a tuner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name under which it is set.
    pub name: &'static str,
    /// What it is in an ordinary build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
}

/// The rate of learning at the end of a tuning.
pub const FINAL_RATE: f64 = 0.002;
/// At the end of a tuning a parameter is moved by this share of its range.
const FINAL_MOVE: f64 = 0.05;

impl Param {
    /// By how much a tuning moves it at the end. Where the range has far ends that mean "off", a
    /// quarter of the default says better how far to move.
    #[must_use]
    pub fn final_move(&self) -> f64 {
        let width = f64::from(self.max) - f64::from(self.min);
        let usual = (f64::from(self.default).abs() / 4.0).max(1.0);
        (width * FINAL_MOVE).min(usual).max(0.5)
    }

    /// In the form that tuning servers read: name, type, value, range, final move, final rate.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { name, default, min, max } = self;
        format!("{name}, int, {default}, {min}, {max}, {:.2}, {FINAL_RATE}", self.final_move())
    }
}

/// Whether parameters can be changed in this build.
pub const CHANGEABLE: bool = cfg!(any(feature = "tune", test));

/// A value that every thread sees.
#[cfg(all(feature = "tune", not(test)))]
struct Shared(std::sync::atomic::AtomicI32);

#[cfg(all(feature = "tune", not(test)))]
impl Shared {
    const fn new(value: i32) -> Self {
        Self(std::sync::atomic::AtomicI32::new(value))
    }

    fn get(&self) -> i32 {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }

    fn set(&self, value: i32) {
        self.0.store(value, std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        $(const _: () = assert!($min <= $default && $default <= $max, stringify!($name));)*

        /// What the parameters are in an ordinary build.
        #[allow(non_upper_case_globals)]
        pub mod defaults {
            $($(#[$doc])* pub const $name: i32 = $default;)*
        }

        /// All parameters, in the order in which they are declared.
        pub static PARAMS: &[Param] = &[
            $(Param { name: stringify!($name), default: $default, min: $min, max: $max }),*
        ];

        $(
            $(#[$doc])*
            #[cfg(not(any(feature = "tune", test)))]
            #[inline(always)]
            #[must_use]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(any(feature = "tune", test))]
            #[inline]
            #[must_use]
            pub fn $name() -> i32 {
                values::$name.get()
            }
        )*

        #[cfg(all(feature = "tune", not(test)))]
        #[allow(non_upper_case_globals)]
        mod values {
            $(pub(super) static $name: crate::params::Shared = crate::params::Shared::new($default);)*
        }

        // Tests run side by side: each has values of its own.
        #[cfg(test)]
        #[allow(non_upper_case_globals)]
        mod values {
            use std::cell::Cell;
            // One block each: in one for all of them the macro would recurse too deep.
            $(thread_local! {
                pub(super) static $name: Cell<i32> = const { Cell::new($default) };
            })*
        }

        /// Sets a parameter; `false` if there is none of this name, the value is out of range, or
        /// parameters are fixed in this build.
        #[cfg(not(any(feature = "tune", test)))]
        pub fn set(_: &str, _: i32) -> bool {
            crate::params::CHANGEABLE
        }

        /// Sets a parameter; `false` if there is none of this name, the value is out of range, or
        /// parameters are fixed in this build.
        #[cfg(any(feature = "tune", test))]
        pub fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => {
                    let fits = ($min..=$max).contains(&value);
                    if fits {
                        values::$name.set(value);
                    }
                    fits
                })*
                _ => false,
            }
        }
    };
}

mod table;

pub use table::*;

/// Runs a part of a test with some parameters changed, for its own thread alone.
#[cfg(test)]
pub(crate) fn with<T>(changes: &[(&str, i32)], run: impl FnOnce() -> T) -> T {
    struct Restore<'a>(&'a [(&'a str, i32)]);
    impl Drop for Restore<'_> {
        fn drop(&mut self) {
            for param in PARAMS.iter().filter(|param| self.0.iter().any(|c| c.0 == param.name)) {
                set(param.name, param.default);
            }
        }
    }
    let _restore = Restore(changes);
    for (name, value) in changes {
        assert!(set(name, *value), "{name} cannot be {value}");
    }
    run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_set_within_its_range_and_for_one_thread() {
        assert!(!set("rfp_margin", -1));
        assert!(!set("no_such_parameter", 1));
        let inside = with(&[("rfp_margin", 99)], || {
            let elsewhere = std::thread::spawn(rfp_margin).join().unwrap();
            (rfp_margin(), elsewhere)
        });
        let default = PARAMS.iter().find(|param| param.name == "rfp_margin").unwrap().default;
        assert_eq!(inside, (99, default));
        assert_eq!(rfp_margin(), default);
    }

    #[test]
    fn a_line_for_a_tuning_server_has_seven_fields() {
        let param = Param { name: "b", default: 199, min: 0, max: 200 };
        assert_eq!(param.line(), "b, int, 199, 0, 200, 10.00, 0.002");
        let far_end = Param { name: "c", default: 3, min: 1, max: 250 };
        assert_eq!(far_end.line(), "c, int, 3, 1, 250, 1.00, 0.002");
    }

    #[test]
    fn every_parameter_is_named_once() {
        let mut names: Vec<_> = PARAMS.iter().map(|param| param.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(count > 80);
    }
}
