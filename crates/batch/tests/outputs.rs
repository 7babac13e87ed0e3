//! What outputs hold, whatever the input says.

mod common;

use std::fs;

use common::{Scratch, analysed, data};

#[test]
fn strings_with_semicolons_and_short_opcodes_come_back_whole() {
    let scratch = Scratch::new("epd");
    let input = scratch.path("in.epd");
    fs::write(
        &input,
        "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"see; pv e4\"; bm e4;\n\
         4k3/8/8/8/8/8/4P3/4K3 w - - a \"x\";\n4k3/8/8/8/8/8/4P3/4K3 w - - 3 40 c1 \"y\";\n",
    )
    .unwrap();
    let text = String::from_utf8(analysed(&scratch, "out.epd", &[&input])).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].contains(" c0 \"see; pv e4\"; bm e4; ce "), "{text}");
    assert!(lines[1].contains(" a \"x\"; ce "), "{text}");
    assert!(lines[2].contains(" - - c1 \"y\"; ce "), "{text}");
}

#[test]
fn cells_that_begin_like_a_formula_are_disarmed() {
    let scratch = Scratch::new("formula");
    let input = scratch.path("in.pgn");
    fs::write(&input, "[White \"=HYPERLINK(1)\"]\n[Black \"@b\"]\n\n1. e4 *\n").unwrap();
    let text = String::from_utf8(analysed(&scratch, "out.csv", &[&input])).unwrap();
    assert!(text.contains(",'=HYPERLINK(1),'@b,"), "{text}");
    let row = text.lines().nth(1).unwrap();
    assert!(row.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{row}");
}

#[test]
fn every_output_has_all_lines_that_were_asked_for() {
    let scratch = Scratch::new("multipv");
    let input = scratch.path("in.epd");
    fs::write(&input, "4k3/8/8/8/8/8/4P3/4K3 w - - pv3 Kd1; id \"x\";\n").unwrap();
    let [epd, csv, html] = ["out.epd", "out.csv", "out.html"].map(|name| {
        String::from_utf8(analysed(&scratch, name, &[&input, "--multipv", "3"])).unwrap()
    });
    for name in [" pv ", " pv2 ", " pv3 ", " ce2 ", " ce3 "] {
        assert_eq!(epd.matches(name).count(), 1, "{name}: {epd}");
    }
    let mut rows = csv.lines().map(|line| line.split(',').count());
    assert!(csv.lines().next().unwrap().ends_with(",eval2,mate2,pv2,eval3,mate3,pv3"), "{csv}");
    assert_eq!(rows.next(), rows.next(), "{csv}");
    assert!(!csv.trim_end().ends_with(','), "{csv}");
    assert_eq!(html.matches("<br><b>").count(), 3, "{html}");
    // The game rows have as many columns as their head, too.
    let games = data("games.pgn");
    let csv = analysed(&scratch, "games.csv", &[&games, "--multipv", "2"]);
    let csv = String::from_utf8(csv).unwrap();
    let head = csv.lines().next().unwrap().split(',').count();
    assert!(
        csv.lines().filter(|line| !line.contains('"')).all(|line| line.split(',').count() == head)
    );
}

#[test]
fn a_game_with_null_moves_is_analysed_to_its_end() {
    let scratch = Scratch::new("passes");
    let input = scratch.path("in.pgn");
    fs::write(
        &input,
        "[White \"A\"]\n\n1. e4 Z0 2. Bc4 -- 3. Qh5 a6 (3... Nh6 4. Z0) 4. Qxf7# 1-0\n",
    )
    .unwrap();
    let pgn = String::from_utf8(analysed(&scratch, "out.pgn", &[&input])).unwrap();
    // Where lines are broken depends on the scores.
    let text = pgn.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(text.contains("Qxf7# 1-0") && text.contains("4. --)"), "{pgn}");
    let csv = String::from_utf8(analysed(&scratch, "out.csv", &[&input])).unwrap();
    let rows: Vec<&str> = csv.lines().filter(|line| line.contains(",--,0000,")).collect();
    assert_eq!((csv.lines().count(), rows.len()), (8, 2), "{csv}");
    assert!(rows.iter().all(|row| row.contains(",book,")), "a pass is not judged: {rows:?}");
    // Records with passes can be read again.
    analysed(&scratch, "out.jsonl", &[&input]);
    analysed(&scratch, "again.html", &[&input]);
}
