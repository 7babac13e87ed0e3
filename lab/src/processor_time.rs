//! How long the processor has worked for this program.

use std::time::Duration;

/// Processor time of the whole process, where there is a `/proc`: other work does not count.
pub(crate) fn processor_time() -> Option<Duration> {
    /// Linux counts in hundredths of a second here, on every architecture.
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain spaces; the fields are counted after it.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * (user + system))
}
