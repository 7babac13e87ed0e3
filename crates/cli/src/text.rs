//! Words of a line and what is said about those that make no sense.

use std::fmt;

/// The longest piece of a user's text that a message repeats.
const EXCERPT: usize = 40;

/// What was wrong with a command, and what stays as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError {
    wrong: String,
    kept: String,
}

impl CommandError {
    /// Says what was wrong and what was kept.
    pub fn new(wrong: impl Into<String>, kept: impl Into<String>) -> Self {
        Self { wrong: wrong.into(), kept: kept.into() }
    }

    /// The same fault in another command, which is not carried out at all.
    #[must_use]
    pub fn ignoring(self) -> Self {
        Self::ignored(self.wrong)
    }

    /// The command is not carried out at all.
    pub fn ignored(wrong: impl Into<String>) -> Self {
        Self::new(wrong, "command ignored")
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.wrong, self.kept)
    }
}

/// Text from outside, in quotes, shortened, with everything but printable ASCII escaped.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    let mut letters = text.chars();
    for letter in letters.by_ref().take(EXCERPT) {
        quoted.extend(letter.escape_default());
    }
    quoted.push_str(if letters.next().is_some() { "...\"" } else { "\"" });
    quoted
}

/// Splits off the first word. The rest has no blanks around it.
#[must_use]
pub fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(|letter: char| letter.is_ascii_whitespace()) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

/// Reads a whole number; one too large to hold becomes the largest that can be held.
#[must_use]
pub fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

/// As [`whole_number`]; what stands behind a decimal point is cut off.
#[must_use]
pub fn truncated_number(text: &str) -> Option<i64> {
    match text.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => {
            whole_number(whole)
        }
        Some(_) => None,
        None => whole_number(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_printable_ascii() {
        assert_eq!(quote("Hash"), "\"Hash\"");
        assert_eq!(quote("\u{e9}2\0\n"), "\"\\u{e9}2\\u{0}\\n\"");
        assert_eq!(quote(&"x".repeat(EXCERPT)).len(), EXCERPT + 2);
        assert_eq!(quote(&"x".repeat(1 << 20)).len(), EXCERPT + 5);
    }

    #[test]
    fn numbers_saturate_and_junk_is_none() {
        assert_eq!(whole_number("12"), Some(12));
        assert_eq!(whole_number("-5"), Some(-5));
        assert_eq!(whole_number("99999999999999999999999"), Some(i64::MAX));
        assert_eq!(whole_number("-99999999999999999999999"), Some(i64::MIN));
        for junk in ["", "-", "+", "16.5", "abc", "1e3", "--1", "0x10", "\u{661}"] {
            assert_eq!(whole_number(junk), None, "{junk}");
        }
    }

    #[test]
    fn fractions_are_cut_off() {
        assert_eq!(truncated_number("500.5"), Some(500));
        assert_eq!(truncated_number("-3.9"), Some(-3));
        assert_eq!(truncated_number("7"), Some(7));
        for junk in ["1.2.3", ".5", "1.x", "1e9", "."] {
            assert_eq!(truncated_number(junk), None, "{junk}");
        }
    }

    #[test]
    fn words_are_split_at_any_blank() {
        assert_eq!(split_word("  go \t depth  5 "), ("go", "depth  5"));
        assert_eq!(split_word("stop"), ("stop", ""));
        assert_eq!(split_word(""), ("", ""));
    }
}
