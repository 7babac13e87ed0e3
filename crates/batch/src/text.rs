//! Numbers with their nouns, and faults of records, for people.

use serde_json::error::Category;

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

/// Why a line of a file is no record. Where in the line a reader of JSON noticed it says nothing to people,
/// and its lines are not those of the file.
#[must_use]
pub(crate) fn no_record(line: u64, error: &serde_json::Error) -> String {
    let why = match error.classify() {
        Category::Eof => String::from("it breaks off"),
        Category::Syntax => String::from("it is not JSON"),
        Category::Data | Category::Io => {
            let text = error.to_string();
            text.split(" at line ").next().unwrap_or_default().to_owned()
        }
    };
    format!("line {line} is no record: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_record_is_told_in_plain_words() {
        let why = |text: &str| {
            let error = serde_json::from_str::<Vec<u8>>(text).unwrap_err();
            no_record(7, &error)
        };
        assert_eq!(why("[1,\n"), "line 7 is no record: it breaks off");
        assert_eq!(why("garbage"), "line 7 is no record: it is not JSON");
        let wrong = why("[300]");
        assert!(wrong.contains("300") && !wrong.contains("column"), "{wrong}");
    }

    #[test]
    fn only_one_thing_is_singular() {
        let texts = [0, 1, 2].map(|count| counted(count, "game"));
        assert_eq!(texts, ["0 games", "1 game", "2 games"]);
        assert_eq!([1, 2].map(|count| noun(count, "inaccuracy")), ["inaccuracy", "inaccuracies"]);
    }
}
