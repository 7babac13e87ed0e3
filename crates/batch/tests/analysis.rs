//! From files to results: the same results however the work is divided, interrupted or packed.

mod common;

use std::fs;
use std::io::Write;

use common::{Scratch, analysed, data, run, run_merge};

#[test]
fn shards_put_together_are_the_whole() {
    let scratch = Scratch::new("shards");
    let (games, positions) = (data("games.pgn"), data("positions.epd"));
    let inputs = [games.as_str(), positions.as_str()];
    let whole = analysed(&scratch, "whole.jsonl", &inputs);
    for count in [1, 2, 3, 7] {
        let mut parts = Vec::new();
        for index in 1..=count {
            let (name, shard) = (format!("{index}of{count}.jsonl"), format!("{index}/{count}"));
            analysed(&scratch, &name, &[&inputs[..], &["--shard", &shard]].concat());
            parts.push(scratch.path(&name));
        }
        parts.reverse();
        let target = scratch.path("merged.jsonl");
        let mut arguments: Vec<&str> = parts.iter().map(String::as_str).collect();
        arguments.extend(["--out", &target]);
        run_merge(&arguments).unwrap();
        assert!(scratch.read("merged.jsonl") == whole, "{count} shards");
        if count > 1 {
            let missing = run_merge(&arguments[1..]).unwrap_err();
            assert!(missing.contains(&format!("shard {count}/{count} is missing")), "{missing}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let games = data("games.pgn");
    let [two, one] = [[].as_slice(), &["--threads", "1"]].map(|more| {
        let said = run(&[&[games.as_str(), "--format", "jsonl"], more].concat());
        assert_eq!(said.outcome, Ok(()));
        said.results
    });
    assert!(one == two);
}

#[test]
fn a_run_cut_off_anywhere_is_resumed_to_the_same_result() {
    let scratch = Scratch::new("resume");
    let games = data("games.pgn");
    let whole = analysed(&scratch, "whole.jsonl", &[&games]);
    let ends: Vec<usize> =
        (0..whole.len()).filter(|&at| whole[at] == b'\n').map(|at| at + 1).collect();
    let middles = ends.windows(2).map(|pair| (pair[0] + pair[1]) / 2);
    let cuts: Vec<usize> =
        [0, 1, ends[0] - 1].into_iter().chain(ends.clone()).chain(middles).collect();
    for cut in cuts {
        fs::write(scratch.path("cut.jsonl"), &whole[..cut]).unwrap();
        let again = analysed(&scratch, "cut.jsonl", &[&games, "--resume"]);
        assert!(again == whole, "cut at {cut} of {}", whole.len());
    }
}

#[test]
fn outputs_besides_json_lines_can_be_resumed_too() {
    let scratch = Scratch::new("journal");
    let games = data("games.pgn");
    let whole = analysed(&scratch, "whole.jsonl", &[&games]);
    let pgn = analysed(&scratch, "whole.pgn", &[&games]);
    let kept = &whole[..whole.len() / 2];
    fs::write(scratch.path("part.pgn.journal"), kept).unwrap();
    let part = scratch.path("part.pgn");
    let refused = run(&[&games, "--out", &part]).outcome.unwrap_err();
    assert!(refused.contains("--resume goes on with it"), "{refused}");
    let other = run(&[&games, "--out", &part, "--resume", "--multipv", "2"]).outcome.unwrap_err();
    assert!(other.contains("different: multipv"), "{other}");
    let said = run(&[&games, "--out", &part, "--resume"]);
    assert!(said.messages.contains("resuming after item"), "{}", said.messages);
    assert!(scratch.read("part.pgn") == pgn);
    assert!(!std::path::Path::new(&scratch.path("part.pgn.journal")).exists());
}

#[test]
fn packed_files_are_read_as_they_are() {
    let scratch = Scratch::new("packed");
    let plain = fs::read(data("games.pgn")).unwrap();
    let whole = run(&[&data("games.pgn")]);
    // Two pieces each, as parallel packers write them.
    let (one, two) = plain.split_at(700);
    let gz = |bytes: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let bz2 = |bytes: &[u8]| {
        let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    };
    let zst = |bytes: &[u8]| {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    };
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    for (name, packed) in [
        ("games.pgn.gz", [gz(one), gz(two)].concat()),
        ("games.pgn.bz2", [bz2(one), bz2(two)].concat()),
        ("games.pgn.zst", [skipped.to_vec(), zst(one), skipped.to_vec(), zst(two)].concat()),
    ] {
        fs::write(scratch.path(name), &packed).unwrap();
        let said = run(&[&scratch.path(name)]);
        assert_eq!(said.outcome, Ok(()), "{name}");
        assert_eq!(said.results, whole.results, "{name}");
        // A file that ends too early gives what it has, and an error.
        let short = format!("short-{name}");
        fs::write(scratch.path(&short), &packed[..packed.len() - 20]).unwrap();
        let said = run(&[&scratch.path(&short)]);
        assert!(said.outcome.unwrap_err().contains(&short), "{name}");
    }
}

#[test]
fn damage_is_told_with_game_and_line_and_the_rest_is_analysed() {
    let said = run(&[&data("games.pgn")]);
    let told = format!("{}: game 3, line 25: \"Zf6\" is not a move", data("games.pgn"));
    assert!(said.messages.contains(&told), "{}", said.messages);
    assert_eq!(said.results.matches("[Event ").count(), 5);
    assert!(said.messages.contains("5 items, 67 moves"), "{}", said.messages);
    assert!(said.messages.contains("1 damaged item, 0 of them left out"));
    let said = run(&[&data("positions.epd")]);
    assert!(said.messages.contains("line 4: Black has no king"), "{}", said.messages);
    assert_eq!(said.results.lines().count(), 3, "{}", said.results);
    assert!(said.results.contains("ce 32766; dm 1; acd"), "{}", said.results);
}

#[test]
fn several_lines_and_a_book_are_respected() {
    let scratch = Scratch::new("book");
    let games = data("games.pgn");
    let mut maker = review::BookMaker::default();
    let text = fs::read(&games).unwrap();
    let raw = review::Splitter::new(&text[..]).next_game().unwrap().unwrap();
    maker.add(&review::read(&raw).0.unwrap(), 5);
    fs::write(scratch.path("book.bin"), maker.finish(1).bytes()).unwrap();
    let said =
        run(&[&games, "--format", "csv", "--book", &scratch.path("book.bin"), "--multipv", "3"]);
    // Black lost and teaches nothing, so the book ends after the first move.
    let rows = said.results.lines().skip(1);
    assert_eq!(rows.filter(|row| row.contains(",book,")).count(), 2, "two games begin with 1. e4");
    let json = run(&[&games, "--format", "jsonl", "--multipv", "3"]).results;
    let game: serde_json::Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!(game["plies"][0]["lines"].as_array().unwrap().len(), 3);
}

#[test]
fn the_network_that_is_named_is_the_one_that_judges() {
    let scratch = Scratch::new("network");
    let games = data("games.pgn");
    let own = engine::embedded_network();
    let mut blind = own.parameters();
    blind.output_weights.fill(0);
    let blind = engine::Network::new(&blind).unwrap();
    fs::write(scratch.path("own.nnue"), own.to_bytes().unwrap()).unwrap();
    fs::write(scratch.path("blind.nnue"), blind.to_bytes().unwrap()).unwrap();
    fs::write(scratch.path("broken.nnue"), &own.to_bytes().unwrap()[..5000]).unwrap();
    let with = |network: &[&str]| run(&[&[games.as_str(), "--format", "csv"], network].concat());
    let [own, blind, broken, missing] = ["own", "blind", "broken", "missing"]
        .map(|name| with(&["--network", &scratch.path(&format!("{name}.nnue"))]));
    assert_eq!(own.results, with(&[]).results);
    assert_eq!(blind.outcome, Ok(()));
    assert_ne!(blind.results, own.results);
    assert!(broken.outcome.unwrap_err().contains("broken.nnue: "));
    assert!(missing.outcome.unwrap_err().contains("missing.nnue: "));
    // A run cannot be resumed with another network.
    let (out, network) = (scratch.path("all.jsonl"), scratch.path("own.nnue"));
    let first = run(&[&games, "--out", &out, "--network", &network]);
    assert_eq!(first.outcome, Ok(()));
    let other = run(&[&games, "--out", &out, "--resume"]).outcome.unwrap_err();
    assert!(other.contains("different: network"), "{other}");
}

#[test]
fn requests_that_make_no_sense_are_refused_with_the_reason() {
    let games = data("games.pgn");
    let refused = |arguments: &[&str]| run(arguments).outcome.unwrap_err();
    assert!(refused(&[&games, "--resume"]).contains("--resume needs --out"));
    assert!(refused(&[&games, "--format", "html"]).contains("--out report.html"));
    assert!(refused(&[&games, "--out", &games]).contains("would overwrite the input"));
    assert!(refused(&["/no/such/file.pgn"]).contains("/no/such/file.pgn"));
    assert!("0/3".parse::<batch::record::Shard>().is_err());
    assert!("4/3".parse::<batch::record::Shard>().is_err());
}

#[test]
fn no_input_is_overwritten_under_any_name() {
    let scratch = Scratch::new("overwrite");
    let games = fs::read(data("games.pgn")).unwrap();
    let input = scratch.path("games.pgn");
    fs::write(&input, &games).unwrap();
    let detour = scratch.path("./games.pgn");
    let refusal = run(&[&input, "--out", &detour]).outcome.unwrap_err();
    assert!(refusal.contains("would overwrite"), "{refusal}");
    // The journal beside an output is a file, too.
    let journal = scratch.path("x.pgn.journal");
    fs::write(&journal, &games).unwrap();
    let refusal = run(&[&journal, "--out", &scratch.path("x.pgn")]).outcome.unwrap_err();
    assert!(refusal.contains("would overwrite"), "{refusal}");
    let refusal = run(&[&input, "--out", &scratch.path("x.pgn")]).outcome.unwrap_err();
    assert!(refusal.contains("x.pgn.journal"), "{refusal}");
    assert!(scratch.read("games.pgn") == games && scratch.read("x.pgn.journal") == games);
    // Neither is an unrelated file beside it that has a name like a temporary one.
    fs::write(scratch.path("y.pgn.unfinished"), b"precious").unwrap();
    analysed(&scratch, "y.pgn", &[&input]);
    assert_eq!(scratch.read("y.pgn.unfinished"), b"precious");
}

#[test]
fn a_journal_that_another_run_writes_is_left_alone() {
    let scratch = Scratch::new("locked");
    let games = data("games.pgn");
    let whole = analysed(&scratch, "out.jsonl", &[&games]);
    let cut = &whole[..whole.len() / 2];
    fs::write(scratch.path("out.jsonl"), cut).unwrap();
    let other = fs::OpenOptions::new().append(true).open(scratch.path("out.jsonl")).unwrap();
    other.try_lock().unwrap();
    let target = scratch.path("out.jsonl");
    let refusal = run(&[&games, "--out", &target, "--resume"]).outcome.unwrap_err();
    assert!(refusal.contains("another run is writing to it"), "{refusal}");
    let refusal = run(&[&games, "--out", &target, "--force"]).outcome.unwrap_err();
    assert!(refusal.contains("another run is writing to it"), "{refusal}");
    let refusal = run(&[&games, "--out", &target]).outcome.unwrap_err();
    assert!(refusal.contains("another run is writing to it"), "{refusal}");
    drop(other);
    let refusal = run(&[&games, "--out", &target]).outcome.unwrap_err();
    assert!(refusal.contains("an interrupted run"), "{refusal}");
    assert!(scratch.read("out.jsonl") == cut);
    assert!(analysed(&scratch, "out.jsonl", &[&games, "--resume"]) == whole);
}

#[test]
fn a_journal_with_missing_doubled_or_swapped_records_is_refused() {
    let scratch = Scratch::new("changed");
    let games = data("games.pgn");
    let whole = analysed(&scratch, "out.jsonl", &[&games]);
    let text = String::from_utf8(whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 4);
    for order in [&[0, 2][..], &[0, 1, 1], &[0, 2, 1], &[0, 1, lines.len() - 1, 2]] {
        let changed: String = order.iter().map(|&index| format!("{}\n", lines[index])).collect();
        fs::write(scratch.path("out.jsonl"), &changed).unwrap();
        let target = scratch.path("out.jsonl");
        let refusal = run(&[&games, "--out", &target, "--resume"]).outcome.unwrap_err();
        assert!(refusal.contains("out.jsonl: line "), "{order:?}: {refusal}");
        assert_eq!(scratch.read("out.jsonl"), changed.into_bytes(), "{order:?}");
    }
}

#[test]
fn inputs_that_cannot_be_read_leave_no_output_behind() {
    let scratch = Scratch::new("unreadable");
    let target = scratch.path("out.pgn");
    for (name, bytes, reason) in [
        ("empty.pgn", &b""[..], "no game or position"),
        ("utf16.pgn", b"\xff\xfe1\0.\0", "UTF-16"),
        ("packed.pgn.xz", b"\xfd7zXZ\0rest", "xz"),
        ("letter.pgn", b"Dear Sir or Madam,\n", "nothing in the input could be analysed"),
        ("kings.epd", b"8/8/8/8/8/8/8/8 w - - 0 1\n", "nothing in the input could be analysed"),
    ] {
        let input = scratch.path(name);
        fs::write(&input, bytes).unwrap();
        let said = run(&[&input, "--out", &target]);
        let refusal = said.outcome.unwrap_err();
        assert!(refusal.contains(reason), "{name}: {refusal}");
    }
    let nobody = run(&[&data("games.pgn"), "--out", &target, "--player", "Nobody at all"]);
    assert!(nobody.messages.contains("nothing in the input was selected"), "{}", nobody.messages);
    let said = run(&["/no/such/file.pgn", "--out", &scratch.path("none.pgn")]);
    assert!(said.outcome.unwrap_err().contains("no such file"));
    assert!(!std::path::Path::new(&scratch.path("none.pgn")).exists());
    assert!(!std::path::Path::new(&scratch.path("none.pgn.journal")).exists());
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_no_book_network_or_journal() {
    let scratch = Scratch::new("endless");
    let games = data("games.pgn");
    let target = scratch.path("out.pgn");
    for option in ["--book", "--network"] {
        let refusal = run(&[&games, "--out", &target, option, "/dev/zero"]).outcome.unwrap_err();
        assert!(refusal.contains("/dev/zero: is larger than"), "{option}: {refusal}");
    }
    std::os::unix::fs::symlink("/dev/zero", scratch.path("out.jsonl")).unwrap();
    let resumed = run(&[&games, "--out", &scratch.path("out.jsonl"), "--resume"]);
    let refusal = resumed.outcome.unwrap_err();
    assert!(refusal.contains("line 1 is longer than any record"), "{refusal}");
}

#[test]
fn a_torn_archive_loses_no_complete_game() {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    let scratch = Scratch::new("torn");
    let game = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";
    let mut packed = GzEncoder::new(Vec::new(), Compression::none());
    packed.write_all(game.repeat(3).as_bytes()).unwrap();
    let bytes = packed.finish().unwrap();
    fs::write(scratch.path("torn.pgn.gz"), &bytes[..bytes.len() - 12]).unwrap();
    let said = run(&[&scratch.path("torn.pgn.gz")]);
    assert!(said.outcome.is_err());
    assert_eq!(said.results.matches("[Event \"a\"]").count(), 3, "{}", said.results);
}

#[test]
fn only_the_selected_games_are_analysed_and_a_cut_run_is_resumed() {
    let scratch = Scratch::new("selection");
    let input = scratch.path("in.pgn");
    let game = |white: &str, elo: u32| {
        format!(
            "[White \"{white}\"]\n[Black \"Bo\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"2000\"]\n\n\
                 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n"
        )
    };
    let games: String = (0..8)
        .map(|index| game(if index % 2 == 0 { "Ann" } else { "Cid" }, 1800 + 50 * index))
        .collect();
    fs::write(&input, games).unwrap();
    let items = |arguments: &[&str]| -> Vec<u64> {
        let said = run(&[&[input.as_str(), "--format", "jsonl"], arguments].concat());
        assert_eq!(said.outcome, Ok(()), "{arguments:?}");
        said.results
            .lines()
            .filter(|line| line.contains("\"kind\":\"game\""))
            .map(|line| {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                value["item"].as_u64().unwrap()
            })
            .collect()
    };
    assert_eq!(items(&["--player", "ann"]), [1, 3, 5, 7]);
    assert_eq!(items(&["--player", "ann", "--side", "black"]), [0; 0]);
    assert_eq!(items(&["--games", "2-4"]), [2, 3, 4]);
    assert_eq!(items(&["--min-elo", "2000"]), [5, 6, 7, 8]);
    let whole = analysed(&scratch, "all.jsonl", &[&input, "--player", "cid"]);
    let end = whole.len() * 2 / 3;
    fs::write(scratch.path("cut.jsonl"), &whole[..end]).unwrap();
    assert!(analysed(&scratch, "cut.jsonl", &[&input, "--player", "cid", "--resume"]) == whole);
    let text =
        String::from_utf8(analysed(&scratch, "s.csv", &[&input, "--skip-moves", "2"])).unwrap();
    assert_eq!(
        text.lines().skip(1).filter(|line| line.contains(",book,")).count(),
        8 * 4,
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn nothing_is_read_behind_the_selected_games() {
    let scratch = Scratch::new("behind");
    // A second file that never gives anything: whoever opens it waits for ever.
    let pipe = scratch.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let games = data("games.pgn");
    let said = run(&[&games, &pipe, "--games", "1", "--format", "jsonl"]);
    assert_eq!(said.outcome, Ok(()), "{}", said.messages);
    assert_eq!(said.results.lines().filter(|line| line.contains("\"kind\":\"game\"")).count(), 1);
}
