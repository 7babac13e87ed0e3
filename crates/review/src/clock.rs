//! The players' clocks, as comments of a game tell them.

use crate::tree::{GameTree, Ply};

/// What is known of the time of a move, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveTime {
    /// What the player had left after the move.
    pub left: Option<f64>,
    /// What the player spent on it.
    pub spent: Option<f64>,
}

/// The times of all moves, from `[%clk]`, `[%emt]` and the tag `TimeControl`.
#[must_use]
pub fn move_times(tree: &GameTree) -> Vec<MoveTime> {
    let control = tree.tag("TimeControl").and_then(time_control);
    // What each side had before its next move.
    let mut before = [control.map(|(base, _)| base); 2];
    let increment = control.map_or(0.0, |(_, increment)| increment);
    let times = tree.main.plies.iter().enumerate().map(|(index, ply)| {
        let left = command(ply, "clk");
        let before = &mut before[index % 2];
        let used = before.zip(left).map(|(before, left)| before + increment - left);
        // A time control that was passed adds time that nobody has written down.
        let spent = command(ply, "emt").or(used).filter(|spent| *spent >= 0.0);
        *before = left;
        MoveTime { left, spent }
    });
    times.collect()
}

/// Base and increment in seconds of `180+2` or `600`; other forms say too little.
fn time_control(text: &str) -> Option<(f64, f64)> {
    let (base, increment) = text.trim().split_once('+').unwrap_or((text.trim(), "0"));
    let number = |text: &str| text.parse::<f64>().ok().filter(|value| (0.0..1e6).contains(value));
    Some((number(base)?, number(increment)?))
}

/// The time behind a command such as `[%clk 0:01:30]`, in seconds.
fn command(ply: &Ply, name: &str) -> Option<f64> {
    let start = format!("[%{name} ");
    let text = ply.comments.iter().find_map(|comment| {
        let (_, rest) = comment.split_once(&start)?;
        rest.split_once(']').map(|(value, _)| value)
    })?;
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let value = part.parse::<f64>().ok().filter(|value| (0.0..1e6).contains(value))?;
        seconds = 60.0 * seconds + value;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Splitter, read};

    fn times(text: &str) -> Vec<MoveTime> {
        let raw = Splitter::new(text.as_bytes()).next_game().unwrap().unwrap();
        move_times(&read(&raw).0.unwrap())
    }

    #[test]
    fn clocks_become_times_of_moves() {
        let found = times(
            "[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:50.5] hm} \
             2. Nf3 {[%eval 0.2] [%clk 0:02:30]} Nc6 3. Bb5 {[%clk 1:00:00]} *\n",
        );
        let time = |left, spent| MoveTime { left, spent };
        assert_eq!(found[0], time(Some(180.0), Some(2.0)));
        assert_eq!(found[1], time(Some(170.5), Some(11.5)));
        assert_eq!(found[2], time(Some(150.0), Some(32.0)));
        assert_eq!(found[3], time(None, None));
        assert_eq!(found[4], time(Some(3600.0), None), "time was added");
    }

    #[test]
    fn without_a_time_control_the_first_move_is_unknown_and_nonsense_is_nothing() {
        let found = times(
            "[TimeControl \"40/7200:3600\"]\n\n1. e4 {[%clk 1:00:00]} e5 {[%clk x:1]} \
             2. Nf3 {[%clk 0:59:00]} Nc6 {[%emt 0:00:07] [%clk -1]} *\n",
        );
        assert_eq!(found[0], MoveTime { left: Some(3600.0), spent: None });
        assert_eq!(found[1], MoveTime::default());
        assert_eq!(found[2].spent, Some(60.0));
        assert_eq!(found[3], MoveTime { left: None, spent: Some(7.0) });
    }
}
