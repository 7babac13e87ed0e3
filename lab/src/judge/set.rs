//! The labelled positions.

use std::io::{BufRead, Read};

use batch::input::decompressed;
use chess::Position;

/// A position and what a deep search found it worth.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The position that was labelled.
    pub position: Position,
    /// Centipawns for the side to move.
    pub label: i32,
}

/// Reads EPD lines with the operations `hmvc` and `ce`, as `rescore` writes them, plain or
/// compressed.
///
/// # Errors
/// Names the first line that is not such a line.
pub fn read_set(input: impl Read + Send + 'static) -> Result<Vec<Judged>, String> {
    let input = decompressed(input).map_err(|error| error.to_string())?;
    let mut judged = Vec::new();
    for (index, line) in input.lines().enumerate() {
        let line = line.map_err(|error| error.to_string())?;
        let wrong = |reason: &str| format!("line {}: {reason}", index + 1);
        let fields: Vec<&str> = line.split(' ').collect();
        if fields.len() < 4 {
            return Err(wrong("not a position"));
        }
        let operand = |name: &str| {
            let at = fields.iter().position(|field| *field == name)?;
            fields.get(at + 1)?.strip_suffix(';')
        };
        let clock = operand("hmvc").unwrap_or("0");
        let number = operand("fmvn").unwrap_or("1");
        let fen = format!("{} {clock} {number}", fields[..4].join(" "));
        let position = Position::from_fen(&fen).map_err(|error| wrong(&error.to_string()))?;
        let label = operand("ce").and_then(|text| text.parse().ok());
        let label = label.ok_or_else(|| wrong("there is no score (ce)"))?;
        judged.push(Judged { position, label });
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_rescoring_are_read_and_others_refused_with_their_number() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 3; fmvn 40; ce -120; c0 \"1-0\";";
        let set = read_set(format!("{line}\n{line}\n").into_bytes().leak() as &[u8]).unwrap();
        assert_eq!((set.len(), set[1].label), (2, -120));
        assert_eq!(set[0].position.halfmove_clock(), 3);
        let refusal = |text: &'static str| read_set(text.as_bytes()).unwrap_err();
        assert!(refusal("4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 3;\n").contains("no score"));
        assert!(refusal("nonsense\n").starts_with("line 1: "));
        assert!(refusal("9/8/8/8/8/8/4P3/4K3 b - - ce 1;\n").starts_with("line 1: "));
    }

    #[test]
    fn the_set_of_the_repository_is_quiet_balanced_and_without_doubles() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/judge.epd.gz");
        let set = read_set(std::fs::File::open(path).unwrap()).unwrap();
        assert!(set.len() >= 20_000, "{}", set.len());
        let mut seen = std::collections::HashSet::new();
        for Judged { position, label } in &set {
            assert!(!position.is_check() && label.abs() < 300, "{}", position.to_fen());
            assert!(seen.insert(position.to_fen()), "{} twice", position.to_fen());
        }
        let lead = set.iter().filter(|judged| judged.label.abs() > 100).count();
        assert!(lead < set.len() / 3, "{lead} of {} have a lead of a pawn", set.len());
    }
}
