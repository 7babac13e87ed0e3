//! Files of games: the format, damage, and the tools.

mod common;

use std::io::Read;
use std::path::{Path, PathBuf};

use chess::Position;
use indicatif::ProgressBar;
use lab::data::{
    Adjudication, Dataset, Extractor, Game, GameError, GameFilter, GameReader, GameResult, Loading,
    Oddity, PackedPosition, PositionFilter, Shuffle, TdLambda, copy_games, drop_duplicates,
    examine, interleave, open_games, read_games, read_packed, write_file,
};
use lab::rng::Rng;
use viriformat::chess::board::GameOutcome;
use viriformat::dataformat::Game as ForeignGame;

/// The games of a reader, and what it found damaged.
fn drain(mut reader: GameReader<impl Read>) -> (Vec<Vec<u8>>, Vec<GameError>) {
    let mut games = Vec::new();
    while let Some(stored) = reader.next_game().expect("damage is no error") {
        games.push(stored.bytes.to_vec());
    }
    (games, reader.damage().iter().map(|damage| damage.reason.clone()).collect())
}

fn read_all(bytes: &[u8]) -> (Vec<Vec<u8>>, usize) {
    let (games, damage) = drain(GameReader::new(bytes));
    (games, damage.len())
}

fn encoded(game: &Game) -> Vec<u8> {
    common::encode_all(std::slice::from_ref(game))
}

fn write_games(path: &Path, games: &[Game]) {
    write_file(path, &common::encode_all(games)).expect("written");
}

fn game_bytes(path: &Path) -> Vec<Vec<u8>> {
    read_all(&std::fs::read(path).expect("read")).0
}

#[test]
fn games_survive_being_bytes() {
    for game in common::random_games(1, 20, 200) {
        let bytes = encoded(&game);
        let (copy, size) = Game::decode(&bytes).expect("a game");
        assert_eq!(size, bytes.len());
        assert_eq!((copy.start.to_fen(), copy.result), (game.start.to_fen(), game.result));
        assert!(copy.moves == game.moves);
        assert_eq!(copy.identity(), game.identity());
    }
}

#[test]
fn the_bytes_are_those_of_viriformat() {
    for game in common::random_games(2, 40, 250) {
        let bytes = encoded(&game);
        // The other reader checks every move by its own rules.
        let foreign = ForeignGame::deserialise_from(&mut bytes.as_slice(), Vec::new());
        let foreign = foreign.expect("the other reader accepts the game");
        let mut copy = Vec::new();
        foreign.serialise_into(&mut copy).expect("memory can be written");
        assert_eq!(copy, bytes);
        let mut ours = Vec::new();
        game.replay(|position, scored| {
            let placement = position.to_fen();
            let placement = placement.split(' ').take(2).collect::<Vec<_>>().join(" ");
            ours.push((placement, i32::from(scored.white_score)));
        });
        let mut theirs = Vec::new();
        foreign.visit_positions(|board, score| {
            let fen = board.to_string();
            theirs.push((fen.split(' ').take(2).collect::<Vec<_>>().join(" "), score));
        });
        assert_eq!(ours, theirs);
    }
}

#[test]
fn games_by_the_viriformat_crate_are_read() {
    let mut board = viriformat::chess::board::Board::default();
    let mut game = ForeignGame::new(&board);
    for (index, uci) in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1h1"].iter().enumerate()
    {
        let mv = board.parse_uci(uci).expect("legal");
        game.add_move(mv, index as i16 * 10);
        board.make_move_simple(mv);
    }
    game.set_outcome(GameOutcome::WhiteWin(viriformat::chess::board::WinType::Adjudication));
    let mut bytes = Vec::new();
    game.serialise_into(&mut bytes).expect("memory can be written");
    let (ours, _) = Game::decode(&bytes).expect("a game");
    assert_eq!(ours.result, GameResult::WhiteWins);
    assert_eq!(ours.moves[3].white_score, 30);
    let end = ours.replay(|_, _| {});
    assert_eq!(end.to_fen(), "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
}

#[test]
fn packed_positions_are_those_of_bulletformat() {
    for (index, game) in common::random_games(3, 20, 250).iter().enumerate() {
        let result = index as u8 % 3;
        let mut packed = Vec::new();
        game.replay(|position, scored| {
            packed.push(PackedPosition::new(position, scored.white_score, result));
        });
        let bytes = encoded(game);
        let foreign = ForeignGame::deserialise_from(&mut bytes.as_slice(), Vec::new());
        let mut records = packed.iter();
        foreign.expect("a game").visit_positions(|board, score| {
            let ours = records.next().expect("as many positions");
            let theirs = board.to_bulletformat(result, score as i16).expect("a record");
            assert!(ours.is_sound());
            assert_eq!(PackedPosition::from_bytes(&ours.to_bytes()), *ours);
            assert_eq!(
                (ours.occupied, ours.pieces, ours.score, ours.result),
                (theirs.occ, theirs.pcs, theirs.score, theirs.result)
            );
            assert_eq!((ours.king, ours.other_king), (theirs.ksq, theirs.opp_ksq));
        });
    }
}

#[test]
fn damage_costs_only_the_games_it_touches() {
    let games = common::random_games(4, 12, 80);
    let whole: Vec<_> = games.iter().map(encoded).collect();
    let starts: Vec<usize> =
        whole.iter().scan(0, |at, game| Some(std::mem::replace(at, *at + game.len()))).collect();
    let bytes = whole.concat();
    assert_eq!(read_all(&bytes), (whole.clone(), 0));
    let without = |index: usize| [&whole[..index], &whole[index + 1..]].concat();

    // A move that is none, in the middle of a game.
    let mut bad_move = bytes.clone();
    bad_move[starts[5] + 32 + 12..][..2].copy_from_slice(&[0, 0xF0]);
    assert_eq!(read_all(&bad_move), (without(5), 1));

    // A start position without kings.
    let mut bad_start = bytes.clone();
    bad_start[starts[3] + 8..starts[3] + 24].fill(0);
    assert_eq!(read_all(&bad_start), (without(3), 1));

    // A game cut off by a crash, with another run's games appended.
    let mut cut = bytes[..starts[7] + 32 + 41].to_vec();
    cut.extend(&bytes[starts[8]..]);
    assert_eq!(read_all(&cut), (without(7), 1));

    // Bytes from elsewhere between two games.
    let mut garbage = bytes[..starts[6]].to_vec();
    let mut rng = Rng::new(1);
    garbage.extend((0..777).map(|_| rng.next_u64() as u8));
    garbage.extend(&bytes[starts[6]..]);
    assert_eq!(read_all(&garbage), (whole.clone(), 1));

    // A file that ends inside its last game, and one with empty blocks at its end.
    assert_eq!(read_all(&bytes[..bytes.len() - 6]), (without(11), 1));
    let padded = [bytes.as_slice(), &[0; 4096]].concat();
    assert_eq!(read_all(&padded), (whole, 1));
    assert_eq!(read_all(&[]), (Vec::new(), 0));
}

#[test]
fn compressed_games_are_read_and_a_torn_file_is_told_apart_from_a_whole_one() {
    let folder = common::folder("compressed");
    let games = common::random_games(6, 60, 120);
    let (plain, packed) = (folder.join("games.viri"), folder.join("games.viri.gz"));
    write_games(&plain, &games);
    let bar = ProgressBar::hidden();
    copy_games(std::slice::from_ref(&plain), &packed, &bar, |_| true).expect("copied");
    let bytes = std::fs::read(&packed).expect("read");
    assert!(bytes.starts_with(&[0x1f, 0x8b]));
    let all = |path: &Path| drain(open_games(path).expect("opened"));
    let whole = all(&packed);
    assert_eq!(whole, (game_bytes(&plain), Vec::new()));
    write_file(&packed, &bytes[..bytes.len() / 2]).expect("written");
    let (found, reasons) = all(&packed);
    assert!(!found.is_empty() && found.len() < games.len());
    assert_eq!(found[..], whole.0[..found.len()]);
    assert!(reasons.contains(&GameError::Compression), "{reasons:?}");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn fields_of_a_start_that_mean_nothing_are_written_as_they_should_be() {
    let game = &common::random_games(5, 1, 40)[0];
    let sound = encoded(game);
    // The square of an en passant that is not possible, and a move number of zero.
    let mut odd = sound.clone();
    odd[24] = odd[24] & 0x80 | 3;
    odd[26..28].fill(0);
    let (read, size) = Game::decode(&odd).unwrap();
    assert_eq!((read.moves.len(), size), (game.moves.len(), odd.len()));
    assert_eq!(encoded(&read), sound);
}

#[test]
fn no_damage_makes_the_reader_panic() {
    let bytes = common::encode_all(&common::random_games(5, 6, 60));
    let mut rng = Rng::new(2);
    for _ in 0..300 {
        let mut bad = bytes.clone();
        for _ in 0..1 + rng.below(6) {
            let at = rng.below(bad.len());
            bad[at] = rng.next_u64() as u8;
        }
        let (games, _) = read_all(&bad[..rng.below(bad.len() + 1)]);
        assert!(games.len() <= 6);
    }
}

#[test]
fn shuffled_files_hold_the_same_games_in_another_order() {
    let folder = common::folder("shuffle");
    let (input, out) = (folder.join("games.viri"), folder.join("shuffled.viri"));
    write_games(&input, &common::random_games(6, 60, 40));
    // So little memory that several temporary files are needed.
    let run = |seed| {
        let shuffle = Shuffle { files: vec![input.clone()], out: out.clone(), memory: 4096, seed };
        shuffle.run(&ProgressBar::hidden()).expect("shuffled");
        game_bytes(&out)
    };
    let (mut before, first, second) = (game_bytes(&input), run(1), run(2));
    assert_eq!(run(1), first);
    assert!(first != before && first != second);
    let mut sorted = first;
    before.sort();
    sorted.sort();
    assert_eq!(sorted, before);
    let leftovers = std::fs::read_dir(&folder).expect("listed").count();
    assert_eq!(leftovers, 2);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn interleaving_merging_and_deduplication_keep_the_right_games() {
    let folder = common::folder("edit");
    let bar = ProgressBar::hidden();
    let games = common::random_games(7, 30, 30);
    let files: Vec<PathBuf> = ["a", "b"].iter().map(|name| folder.join(name)).collect();
    write_games(&files[0], &games[..20]);
    write_games(&files[1], &games[15..]);
    let out = folder.join("out");

    assert_eq!(copy_games(&files, &out, &bar, |_| true).expect("merged").written, 35);
    assert_eq!(drop_duplicates(&files, &out, &bar).expect("done").written, 30);
    assert_eq!(game_bytes(&out), games.iter().map(encoded).collect::<Vec<_>>());

    let edited = interleave(&files, &out, 1, &bar).expect("interleaved");
    assert_eq!(edited.written, 35);
    let mixed = game_bytes(&out);
    let second_half = mixed[18..].iter().filter(|g| games[..15].iter().any(|o| encoded(o) == **g));
    assert!(second_half.count() > 2, "the first file's games are not spread out");

    let filter = GameFilter {
        min_plies: 30,
        max_plies: usize::MAX,
        max_first_score: 100,
        drop_draws: false,
        percent: 50.0,
    };
    let half = copy_games(&files, &out, &bar, |game| filter.keeps(game)).expect("filtered");
    assert!((8..28).contains(&half.written), "{}", half.written);
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_dataset_splits_by_game_and_filters_positions() {
    let folder = common::folder("dataset");
    let (file, packed_file) = (folder.join("games.viri"), folder.join("held.bin"));
    let games = common::random_games(8, 200, 60);
    write_games(&file, &games);
    let extra = common::material_positions(1, 10);
    let mut bytes: Vec<u8> = extra.iter().flat_map(PackedPosition::to_bytes).collect();
    bytes[27] ^= 1;
    bytes.extend([1; 9]);
    write_file(&packed_file, &bytes).expect("written");
    let loading = Loading {
        files: vec![file.clone()],
        held_out_files: vec![packed_file.clone()],
        filter: PositionFilter::default(),
        td_lambda: TdLambda { share: 0.0, scale: 400.0 },
        held_out_percent: 20.0,
        seed: 1,
    };
    let (data, loaded) = Dataset::load(&loading, &ProgressBar::hidden()).expect("loaded");
    assert!((20..60).contains(&loaded.held_out_games), "{}", loaded.held_out_games);
    assert_eq!(loaded.unsound, 2);
    let mut expected = 0;
    for game in &games {
        Extractor::new(PositionFilter::default()).extract(game, |_| expected += 1);
    }
    assert_eq!(data.train.len() + data.held_out.len(), expected + 9);
    let (again, _) = Dataset::load(&loading, &ProgressBar::hidden()).expect("loaded");
    assert_eq!(again.fingerprint(), data.fingerprint());
    let other = Loading { seed: 2, ..loading };
    let (other, _) = Dataset::load(&other, &ProgressBar::hidden()).expect("loaded");
    assert_ne!(other.fingerprint(), data.fingerprint());
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_filter_drops_checks_captures_large_scores_and_early_plies() {
    let moves = ["e4", "e5", "Qh5", "Nc6", "Qxf7+", "Kxf7"];
    let mut position = Position::startpos();
    let mut game = Game::new(position);
    for (index, san) in moves.iter().enumerate() {
        let mv = position.parse_san(san).expect("legal");
        let white_score = if index == 1 { 3000 } else { -10 };
        game.moves.push(lab::data::ScoredMove { mv, white_score });
        position.make(mv);
    }
    let kept = |filter: PositionFilter| {
        let mut scores = Vec::new();
        Extractor::new(filter).extract(&game, |position| scores.push(position.score));
        scores
    };
    let all = PositionFilter { min_ply: 0, ..PositionFilter::default() };
    assert_eq!(kept(PositionFilter::EVERYTHING).len(), 6);
    // The engine lets scores fade by a twentieth at the start, so the network learns a little more.
    assert_eq!(kept(all.clone()), [-11, -11, 11]);
    assert_eq!(kept(PositionFilter { min_ply: 2, ..all }), [-11, 11]);
    assert!(kept(PositionFilter::default()).is_empty());
    let unique = PositionFilter { unique: true, ..PositionFilter::EVERYTHING };
    let mut extractor = Extractor::new(unique);
    let mut count = 0;
    extractor.extract(&game, |_| count += 1);
    extractor.extract(&game, |_| count += 1);
    assert_eq!(count, 6);
}

#[test]
fn results_that_do_not_fit_are_found() {
    let play = |moves: &[&str], result: GameResult, last_score: i16| {
        let mut position = Position::startpos();
        let mut game = Game::new(position);
        for san in moves {
            let mv = position.parse_san(san).expect("legal");
            game.moves.push(lab::data::ScoredMove { mv, white_score: 0 });
            position.make(mv);
        }
        if let Some(last) = game.moves.last_mut() {
            last.white_score = last_score;
        }
        game.result = result;
        examine(&game, Adjudication::default())
    };
    let mate = ["f3", "e5", "g4", "Qh4#"];
    assert_eq!(play(&mate, GameResult::BlackWins, 0), None);
    assert_eq!(play(&mate, GameResult::WhiteWins, 0), Some(Oddity::ResultAgainstBoard));
    assert_eq!(play(&["e4"], GameResult::WhiteWins, 2500), None);
    assert_eq!(play(&["e4"], GameResult::BlackWins, 2500), Some(Oddity::ResultAgainstScore));
    assert_eq!(play(&["e4"], GameResult::Draw, 2500), Some(Oddity::ResultAgainstScore));
    assert_eq!(play(&[], GameResult::Draw, 0), Some(Oddity::Empty));
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"];
    assert_eq!(play(&shuffle, GameResult::Draw, 0), None);
    let on = [&shuffle[..], &["e4"]].concat();
    assert_eq!(play(&on, GameResult::Draw, 0), Some(Oddity::PlayedOn));
}

#[test]
fn reports_tell_what_was_read() {
    let folder = common::folder("report");
    let path = folder.join("games.viri");
    let games = common::random_games(9, 10, 50);
    let bytes = common::encode_all(&games);
    write_file(&path, &bytes[..bytes.len() - 1]).expect("written");
    let reports = read_games(std::slice::from_ref(&path), &ProgressBar::hidden(), |_| Ok(()));
    let reports = reports.expect("read");
    assert_eq!((reports[0].games, reports[0].bytes), (9, bytes.len() as u64 - 1));
    assert_eq!(reports[0].damage.len(), 1);
    assert!(read_games(&[folder.join("none")], &ProgressBar::hidden(), |_| Ok(())).is_err());
    assert!(read_packed(&folder.join("none"), |_| {}).is_err());
    std::fs::remove_dir_all(folder).expect("removed");
}
