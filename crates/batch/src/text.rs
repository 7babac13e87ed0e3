//! Numbers with their nouns, for people.

/// The noun as it follows the number: "game" after 1, "games" after any other. A final "y" becomes
/// "ies".
#[must_use]
pub(crate) fn noun(count: u64, singular: &str) -> String {
    match singular.strip_suffix('y') {
        _ if count == 1 => singular.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{singular}s"),
    }
}

/// The number and its noun: "1 game", "2 games".
#[must_use]
pub fn counted(count: u64, singular: &str) -> String {
    format!("{count} {}", noun(count, singular))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_thing_is_singular() {
        let texts = [0, 1, 2].map(|count| counted(count, "game"));
        assert_eq!(texts, ["0 games", "1 game", "2 games"]);
        assert_eq!([1, 2].map(|count| noun(count, "inaccuracy")), ["inaccuracy", "inaccuracies"]);
    }
}
