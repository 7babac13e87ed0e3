//! How long the processor has worked for this program.

use std::time::Duration;

/// Processor time of the whole process, where there is a `/proc`: other work does not count.
pub(crate) fn processor_time() -> Option<Duration> {
    of_stat(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The processor time that Linux reports for a process, for itself and in the system.
fn of_stat(text: &str) -> Option<Duration> {
    /// Linux counts in hundredths of a second here, on every architecture.
    const TICK: Duration = Duration::from_millis(10);
    // The name in parentheses may contain spaces; the fields are counted after it.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * (user + system))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_times_are_found_after_any_name_and_add_up() {
        let stat = "77 (a) name) R) S 1 2 3 4 5 6 7 8 9 10 123 45 0 0 20 0 4 0 999";
        assert_eq!(of_stat(stat), Some(Duration::from_millis(1680)));
        assert_eq!(of_stat("77 (short) S 1 2 3"), None);
        assert_eq!(of_stat("no process"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_time_of_this_process_does_not_go_back() {
        let before = processor_time().unwrap();
        assert!(processor_time().unwrap() >= before);
    }
}
