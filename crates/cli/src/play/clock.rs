//! The two clocks of a game at the terminal.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use chess::Color;
use engine::ClockTime;

/// The most time that a side can have: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// Time for the game and time added after every move, as in "5+3": five minutes and three seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeControl {
    base: Duration,
    increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let time = |text: &str, unit: f64| {
            let seconds = text.trim().parse::<f64>().ok()? * unit;
            (0.0..=MAX_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
        };
        match (time(minutes, 60.0), time(seconds, 1.0)) {
            (Some(base), Some(increment)) if base > Duration::ZERO => Ok(Self { base, increment }),
            _ => Err("minutes and seconds for every move are wanted, as in 5+3".into()),
        }
    }
}

/// What both sides have left, and whose clock runs.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Both sides have all their time, and no clock runs.
    #[must_use]
    pub(super) fn new(control: TimeControl) -> Self {
        Self { control, left: [control.base; 2], running: None }
    }

    /// Starts the clock of a side; another that runs is stopped.
    pub(super) fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Stops the clock that runs.
    pub(super) fn stop(&mut self, now: Instant) {
        if let Some((color, since)) = self.running.take() {
            let left = &mut self.left[color.index()];
            *left = left.saturating_sub(now.saturating_duration_since(since));
        }
    }

    /// A side has moved: its clock stops, and it gets its increment if there was time left.
    /// Tells whether there was.
    pub(super) fn press(&mut self, color: Color, now: Instant) -> bool {
        self.stop(now);
        let left = &mut self.left[color.index()];
        let in_time = !left.is_zero();
        if in_time {
            *left += self.control.increment;
        }
        in_time
    }

    /// The clock of a side as the engine wants it.
    #[must_use]
    pub(super) fn of(&self, color: Color) -> ClockTime {
        ClockTime { remaining: self.left[color.index()], increment: self.control.increment }
    }
}

/// What both have left, White first.
impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.left.map(|left| {
            let seconds = left.as_secs();
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            if minutes == 0 && seconds < 20 {
                format!("{:.1} s", left.as_secs_f64())
            } else {
                format!("{minutes}:{seconds:02}")
            }
        });
        write!(f, "White {white}, Black {black}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_controls_are_read_and_nonsense_is_refused() {
        let read = |text: &str| text.parse::<TimeControl>();
        assert_eq!(read("5+3"), Ok(TimeControl { base: 300 * SECOND, increment: 3 * SECOND }));
        assert_eq!(read("0.5"), Ok(TimeControl { base: 30 * SECOND, increment: Duration::ZERO }));
        for nonsense in ["", "+", "0+5", "-1", "5+-1", "nan", "inf", "1e9", "five", "5+3+1"] {
            assert!(read(nonsense).is_err(), "{nonsense}");
        }
    }

    #[test]
    fn only_the_clock_of_the_side_to_move_runs_and_the_increment_comes_after_the_move() {
        let start = Instant::now();
        let mut clocks = Clocks::new("1+2".parse().unwrap());
        clocks.start(Color::White, start);
        assert!(clocks.press(Color::White, start + 10 * SECOND));
        clocks.start(Color::Black, start + 10 * SECOND);
        assert!(clocks.press(Color::Black, start + 15 * SECOND));
        assert_eq!(clocks.of(Color::White).remaining, 52 * SECOND);
        assert_eq!(clocks.to_string(), "White 0:52, Black 0:57");
    }

    #[test]
    fn who_moves_too_late_has_lost_and_gets_nothing() {
        let start = Instant::now();
        let mut clocks = Clocks::new("1+5".parse().unwrap());
        clocks.start(Color::Black, start);
        assert!(!clocks.press(Color::Black, start + 60 * SECOND));
        assert_eq!(clocks.to_string(), "White 1:00, Black 0.0 s");
    }
}
