//! Hides what differs from run to run or from version to version.

/// How much of an answer is hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mask {
    /// Time, speed, node counts, table use and scores that are not mates.
    Volatile,
    /// Also lines and moves: for positions where there is a choice.
    Choices,
    /// Every digit.
    Digits,
    /// Like `Choices`, and every number elsewhere with the blanks around it.
    Numbers,
}

/// The line as it is compared; `None` if it is not compared at all.
pub(crate) fn masked(line: &str, mask: Mask) -> Option<String> {
    if line.contains(" lowerbound ") || line.contains(" upperbound ") {
        return None;
    }
    if mask == Mask::Digits {
        let hide = |letter: char| if letter.is_ascii_digit() { '#' } else { letter };
        return Some(line.chars().map(hide).collect());
    }
    if mask == Mask::Numbers && !line.starts_with("info depth ") && !line.starts_with("bestmove ") {
        return Some(without_numbers(line));
    }
    if let Some(rest) = line.strip_prefix("bestmove ") {
        return Some(best_move(rest, mask));
    }
    if line.starts_with("info depth ") {
        return Some(info(line, mask));
    }
    if line.starts_with("info string time ") {
        return Some(String::from("info string time #"));
    }
    Some(line.to_owned())
}

/// Every run of digits becomes one sign, and every run of blanks after the first word one blank.
fn without_numbers(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut shown = " ".repeat(indent);
    for letter in line.trim_start().chars() {
        let sign = if letter.is_ascii_digit() || letter == '.' { '#' } else { letter };
        if !(matches!(sign, '#' | ' ') && shown.ends_with(sign)) {
            shown.push(sign);
        }
    }
    shown
}

fn best_move(rest: &str, mask: Mask) -> String {
    // Whether there is a ponder move depends on how long the line happens to be.
    let mv = rest.split(' ').next().unwrap_or_default();
    if mask == Mask::Volatile || mv == "(none)" {
        return format!("bestmove {mv}");
    }
    String::from("bestmove #")
}

fn info(line: &str, mask: Mask) -> String {
    let over = line.starts_with("info depth 0 ");
    let mut shown = Vec::new();
    let mut words = line.split(' ');
    while let Some(word) = words.next() {
        shown.push(word);
        let hidden = match word {
            "seldepth" | "nodes" | "nps" | "hashfull" | "time" => 1,
            "cp" if !over => 1,
            "wdl" if !over => 3,
            "pv" if mask != Mask::Volatile => usize::MAX,
            _ => 0,
        };
        for _ in words.by_ref().take(hidden) {
            if shown.last() != Some(&"#") || hidden < usize::MAX {
                shown.push("#");
            }
        }
    }
    shown.join(" ")
}

#[test]
fn what_is_volatile_is_hidden() {
    let line = "info depth 2 seldepth 3 multipv 1 score cp 12 wdl 1 2 3 nodes 9 nps 8 hashfull 0 \
                tbhits 0 time 5 pv e2e4 e7e5";
    assert_eq!(
        masked(line, Mask::Choices).as_deref(),
        Some(
            "info depth 2 seldepth # multipv 1 score cp # wdl # # # nodes # nps # hashfull # \
             tbhits 0 time # pv #"
        )
    );
    assert_eq!(masked("bestmove e2e4 ponder e7e5", Mask::Choices).as_deref(), Some("bestmove #"));
    assert_eq!(masked("bestmove e2e4", Mask::Volatile).as_deref(), Some("bestmove e2e4"));
    assert_eq!(masked("+0.52", Mask::Digits).as_deref(), Some("+#.##"));
    assert_eq!(masked("  pv   148  1.3 %", Mask::Numbers).as_deref(), Some("  pv # # %"));
}
