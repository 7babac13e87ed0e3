//! A game to click through: a board with the moves beside it. The page's script draws it when it is
//! opened; without a script the rest of the report is the same.

use chess::Position;
use review::Judgement;
use serde::Serialize;

use crate::record::{GameRecord, PlyRecord};

/// Draws every game that is opened, once for the whole page.
pub(super) const SCRIPT: &str = include_str!("replay.js");

/// What the script knows of a game.
#[derive(Serialize)]
struct Replay<'a> {
    /// The pieces, as in a FEN, before each move and after the last one.
    boards: Vec<String>,
    moves: Vec<Step<'a>>,
}

/// What the script knows of a move.
#[derive(Serialize)]
struct Step<'a> {
    number: u16,
    white: bool,
    san: &'a str,
    uci: &'a str,
    eval: String,
    /// The name of a bad move, which is the class of its colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<&'static str>,
    /// The move that was best, if another one was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<&'a str>,
}

/// The game as a part of the page that can be opened; nothing if its positions are not known.
pub(super) fn replay(game: &GameRecord) -> String {
    let is_known = game.plies.iter().all(|ply| !ply.fen.is_empty());
    let Some(last) = game.plies.last().filter(|_| is_known) else { return String::new() };
    let boards = game.plies.iter().map(|ply| pieces(&ply.fen).to_owned()).chain([after(last)]);
    let replay = Replay { boards: boards.collect(), moves: game.plies.iter().map(step).collect() };
    // Numbers and texts can always be written. No `<` may end the element that holds them.
    let data = serde_json::to_string(&replay).unwrap_or_default().replace('<', "\\u003c");
    format!(
        "<details class=\"replay\"><summary>Play through the game</summary>\
         <script type=\"application/json\">{data}</script></details>\n"
    )
}

fn step(ply: &PlyRecord) -> Step<'_> {
    let best = ply.lines.first().and_then(|line| line.uci.split(' ').next());
    Step {
        number: ply.number,
        white: ply.white,
        san: &ply.san,
        uci: &ply.uci,
        eval: ply.eval.to_string(),
        judgement: ply.judgement.map(Judgement::name),
        best: best.filter(|best| ply.judgement.is_some() && *best != ply.uci),
    }
}

/// The pieces after a move; those before it if it is a pass.
fn after(ply: &PlyRecord) -> String {
    let position = Position::from_fen(&ply.fen).ok().map(|mut position| {
        if let Ok(mv) = position.parse_uci(&ply.uci) {
            position.make(mv);
        }
        position.to_fen()
    });
    pieces(position.as_deref().unwrap_or(&ply.fen)).to_owned()
}

/// The first field of a FEN.
fn pieces(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;

    fn game() -> GameRecord {
        let records = include_str!("../../tests/golden/report.jsonl").lines();
        let mut games = records.filter_map(|line| match serde_json::from_str(line) {
            Ok(Record::Game(game)) if game.plies.len() > 4 => Some(*game),
            _ => None,
        });
        games.next().unwrap()
    }

    fn data(game: &GameRecord) -> serde_json::Value {
        let text = replay(game);
        let (_, rest) = text.split_once("json\">").unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    }

    #[test]
    fn every_move_leads_from_one_board_to_the_next() {
        let game = game();
        let data = data(&game);
        let boards = data["boards"].as_array().unwrap();
        assert_eq!(boards.len(), game.plies.len() + 1);
        for (ply, boards) in game.plies.iter().zip(boards.windows(2)) {
            assert_eq!(boards[0], pieces(&ply.fen));
            assert_eq!(boards[1], after(ply));
            assert_ne!(boards[0], boards[1]);
        }
    }

    #[test]
    fn no_text_of_a_record_ends_the_element() {
        let mut game = game();
        "</script><script>alert(1)</script>".clone_into(&mut game.plies[1].san);
        assert_eq!(replay(&game).matches("</script>").count(), 1);
        assert_eq!(data(&game)["moves"][1]["san"], game.plies[1].san);
    }

    #[test]
    fn records_without_positions_have_no_board() {
        let mut game = game();
        for ply in &mut game.plies {
            ply.fen.clear();
        }
        assert_eq!(replay(&game), "");
    }
}
