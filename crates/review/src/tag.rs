//! Lines with tags.

/// Whether a line begins like a tag.
pub(crate) fn is_tag(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.first() == Some(&b'[') && line.get(1).copied().is_some_and(is_name)
}

/// Whether a byte may stand in the name of a tag.
pub(crate) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
}

/// The tag that a text begins with: its name, its value, and its length.
pub(crate) fn well_formed(text: &[u8]) -> Option<(&str, &[u8], usize)> {
    let inner = text.strip_prefix(b"[")?;
    let name_end = inner.iter().position(|byte| !is_name(*byte))?;
    let name = std::str::from_utf8(&inner[..name_end]).ok().filter(|name| !name.is_empty())?;
    let blanks =
        |at: usize| text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let mut at = 1 + name_end;
    at += blanks(at);
    if text.get(at) != Some(&b'"') {
        return None;
    }
    at += 1;
    let value = at;
    loop {
        match text.get(at)? {
            b'\\' => at += 2,
            b'"' => break,
            _ => at += 1,
        }
    }
    let value = &text[value..at];
    at += 1;
    at += blanks(at);
    (text.get(at) == Some(&b']')).then_some((name, value, at + 1))
}
